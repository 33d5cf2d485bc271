use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use obscuro_game::Player;
use obscuro_games::GameVisitor;
use obscuro_search::exact::{
    SequenceForm, SparseMatrix, best_response, expected_value, exploitability,
};
use obscuro_search::table::{Label, Limits, Strategy, TableError, Treeplex};
use pyo3::prelude::*;

use crate::errors;
use crate::games::{Game, player};

type Native = obscuro_search::table::Table;
type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Indices<'py> = Bound<'py, PyArray1<u32>>;
/// Height, width, and the rows, columns and values of the entries.
type PyMatrix<'py> = (usize, usize, Indices<'py>, Indices<'py>, Floats<'py>);
/// What the player saw and did, the actions, and a state that may be the true one.
type PyLabel = (Vec<String>, Vec<String>, String);

/// A whole game in sequence form. Strategies are arrays: for each sequence, the probability of its
/// last action.
#[pyclass(name = "Table", module = "obscuro._core", frozen)]
pub(crate) struct Table {
    pub(super) table: Arc<Native>,
    game: Py<Game>,
}

struct Build(Limits);

impl GameVisitor for Build {
    type Output = Result<Native, TableError>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        Native::build(game, self.0)
    }
}

struct Labels<'t> {
    table: &'t Native,
    player: Player,
}

impl GameVisitor for Labels<'_> {
    type Output = Option<Vec<Label>>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        let infosets = 0..self.table.treeplex(self.player).infosets();
        infosets.map(|infoset| self.table.label(game, self.player, infoset)).collect()
    }
}

impl Table {
    fn treeplex(&self, number: i64) -> PyResult<&Treeplex> {
        Ok(self.table.treeplex(player(number)?))
    }

    fn strategy(&self, one: &Floats<'_>, two: &Floats<'_>) -> PyResult<Strategy> {
        let read = |numbers: &Floats<'_>| match numbers.try_readonly() {
            Ok(numbers) => Ok(numbers.as_array().to_vec()),
            Err(error) => Err(errors::strategy(error.to_string())),
        };
        let probabilities = [read(one)?, read(two)?];
        Strategy::from_probabilities(&self.table, probabilities)
            .map_err(|error| errors::strategy(error.to_string()))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, game: Py<Game>, max_histories: u64, max_depth: usize) -> PyResult<Self> {
        let limits = Limits { max_histories, max_depth };
        let table = game.get().run(py, Build(limits))?.map_err(|error| errors::table(&error))?;
        Ok(Table { table: Arc::new(table), game })
    }

    /// Histories, terminals, chance nodes, depth, both players' infosets, both players'
    /// sequences, entries of the payoff matrix.
    fn counts(&self) -> (u64, u64, u64, u64, [u64; 2], [u64; 2], u64) {
        let counts = self.table.counts();
        (
            counts.histories,
            counts.terminals,
            counts.chance_nodes,
            counts.depth,
            counts.infosets,
            counts.sequences,
            counts.payoff_entries,
        )
    }

    fn max_payoff(&self) -> f64 {
        self.table.max_payoff()
    }

    /// The key of each infoset with two or more actions.
    fn keys<'py>(&self, py: Python<'py>, player: i64) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let keys = self.treeplex(player)?.keys().iter().map(|key| key.get());
        Ok(PyArray1::from_iter(py, keys))
    }

    /// The sequence that leads to each infoset.
    fn parents<'py>(&self, py: Python<'py>, player: i64) -> PyResult<Indices<'py>> {
        Ok(PyArray1::from_slice(py, self.treeplex(player)?.parents()))
    }

    /// The sequences of each infoset, one list of all of them, and where each infoset's begin.
    fn actions<'py>(&self, py: Python<'py>, player: i64) -> PyResult<(Indices<'py>, Indices<'py>)> {
        let treeplex = self.treeplex(player)?;
        let (mut starts, mut sequences) = (vec![0], Vec::new());
        for infoset in 0..treeplex.infosets() {
            sequences.extend(treeplex.sequences_of(infoset).map(|sequence| sequence as u32));
            starts.push(sequences.len() as u32);
        }
        Ok((starts.into_pyarray(py), sequences.into_pyarray(py)))
    }

    /// All infosets of a player in words.
    fn labels(&self, py: Python<'_>, player: i64) -> PyResult<Vec<PyLabel>> {
        let player = self::player(player)?;
        let labels = self.game.get().run(py, Labels { table: &self.table, player })?;
        let labels = labels.ok_or_else(|| {
            errors::contract("the game has changed since the table was built".into())
        })?;
        Ok(labels.into_iter().map(|label| (label.sequence, label.actions, label.example)).collect())
    }

    fn uniform<'py>(&self, py: Python<'py>) -> [Floats<'py>; 2] {
        let strategy = Strategy::uniform(&self.table);
        Player::BOTH.map(|player| PyArray1::from_slice(py, strategy.probabilities(player)))
    }

    /// For each sequence, the product of the probabilities of its actions.
    fn plans<'py>(
        &self,
        py: Python<'py>,
        one: &Floats<'_>,
        two: &Floats<'_>,
    ) -> PyResult<Vec<Floats<'py>>> {
        let strategy = self.strategy(one, two)?;
        let plans = Player::BOTH.into_iter().map(|player| strategy.plan(&self.table, player));
        plans
            .map(|plan| match plan {
                Ok(plan) => Ok(plan.into_pyarray(py)),
                Err(error) => Err(errors::strategy(error.to_string())),
            })
            .collect()
    }

    fn expected_value(&self, one: &Floats<'_>, two: &Floats<'_>) -> PyResult<f64> {
        expected_value(&self.table, &self.strategy(one, two)?)
            .map_err(|error| errors::strategy(error.to_string()))
    }

    /// The first player's value, and what each player's best response gets that player.
    fn exploitability(
        &self,
        py: Python<'_>,
        one: &Floats<'_>,
        two: &Floats<'_>,
    ) -> PyResult<(f64, f64, f64)> {
        let strategy = self.strategy(one, two)?;
        let found = py
            .detach(|| exploitability(&self.table, &strategy))
            .map_err(|error| errors::strategy(error.to_string()))?;
        Ok((found.value, found.best_responses[0], found.best_responses[1]))
    }

    /// What a best response gets its player, and the response.
    fn best_response<'py>(
        &self,
        py: Python<'py>,
        player: i64,
        one: &Floats<'_>,
        two: &Floats<'_>,
    ) -> PyResult<(f64, Floats<'py>)> {
        let player = self::player(player)?;
        let strategy = self.strategy(one, two)?;
        let response = py
            .detach(|| best_response(&self.table, player, &strategy))
            .map_err(|error| errors::strategy(error.to_string()))?;
        Ok((response.value, response.probabilities.into_pyarray(py)))
    }

    /// The payoff matrix, and each player's constraint matrix.
    fn sequence_form<'py>(&self, py: Python<'py>) -> (PyMatrix<'py>, Vec<PyMatrix<'py>>) {
        let form = py.detach(|| SequenceForm::new(&self.table));
        let constraints = form.constraints.into_iter().map(|c| matrix(py, c.matrix)).collect();
        (matrix(py, form.payoffs), constraints)
    }

    fn __repr__(&self) -> String {
        format!("Table({:?})", self.game.get().name())
    }
}

fn matrix(py: Python<'_>, matrix: SparseMatrix) -> PyMatrix<'_> {
    let SparseMatrix { height, width, rows, columns, values } = matrix;
    (height, width, rows.into_pyarray(py), columns.into_pyarray(py), values.into_pyarray(py))
}
