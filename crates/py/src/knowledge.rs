//! Knowledge distances for Python.

use numpy::{IntoPyArray, PyArray1};
use obscuro_games::GameVisitor;
use obscuro_search::knowledge::HistoriesError;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors;
use crate::games::{Game, player};

type Native = obscuro_search::knowledge::Histories;

/// All histories of one length, and who knows what at them.
#[pyclass(module = "obscuro._core", frozen)]
pub(crate) struct Histories {
    histories: Native,
    game: Py<Game>,
}

struct List {
    plies: usize,
    limit: usize,
}

impl GameVisitor for List {
    type Output = Result<Native, HistoriesError>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        Native::new(game, self.plies, self.limit)
    }
}

struct Describe<'h> {
    histories: &'h Native,
    number: usize,
}

impl GameVisitor for Describe<'_> {
    type Output = Option<(Vec<String>, String)>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        let (words, state) = self.histories.history(game, self.number)?;
        Some((words, game.state_text(&state)))
    }
}

struct Find<'h> {
    histories: &'h Native,
    words: Vec<String>,
}

impl GameVisitor for Find<'_> {
    type Output = Option<usize>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        self.histories.find(game, &self.words)
    }
}

impl Histories {
    fn check(&self, number: usize) -> PyResult<usize> {
        let len = self.histories.graph().len();
        if number < len {
            return Ok(number);
        }
        Err(PyIndexError::new_err(format!("history {number} of {len}")))
    }
}

#[pymethods]
impl Histories {
    #[new]
    fn new(py: Python<'_>, game: Py<Game>, plies: usize, limit: usize) -> PyResult<Self> {
        let histories = game.get().run(py, List { plies, limit })?;
        let histories = histories.map_err(|error| errors::game(error.to_string()))?;
        Ok(Histories { histories, game })
    }

    fn __len__(&self) -> usize {
        self.histories.graph().len()
    }

    /// The actions of a history, and the state that it leads to, in words.
    fn history(&self, py: Python<'_>, number: usize) -> PyResult<(Vec<String>, String)> {
        let number = self.check(number)?;
        let found = self.game.get().run(py, Describe { histories: &self.histories, number })?;
        found.ok_or_else(|| errors::game(format!("history {number} is no longer possible")))
    }

    fn find(&self, py: Python<'_>, words: Vec<String>) -> PyResult<Option<usize>> {
        self.game.get().run(py, Find { histories: &self.histories, words })
    }

    fn infoset(&self, player: i64, number: usize) -> PyResult<Vec<usize>> {
        let player = self::player(player)?;
        Ok(self.histories.graph().infoset(player, self.check(number)?).to_vec())
    }

    /// The distance of every history from the nearest of some; -1 if it is not connected.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        numbers: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        for &number in &numbers {
            self.check(number)?;
        }
        let distances = py.detach(|| self.histories.graph().distances(numbers));
        let plain: Vec<i64> = distances.into_iter().map(|d| d.map_or(-1, i64::from)).collect();
        Ok(plain.into_pyarray(py))
    }

    fn path(&self, py: Python<'_>, start: usize, end: usize) -> PyResult<Option<Vec<usize>>> {
        let (start, end) = (self.check(start)?, self.check(end)?);
        Ok(py.detach(|| self.histories.graph().path(start, end)))
    }
}
