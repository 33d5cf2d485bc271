//! Between Python's objects and the types of a game.

use obscuro_game::Game;
use pyo3::prelude::*;

use super::evaluator::Made;
use crate::errors;
use crate::games::{GameObservation, GameState, NativeGame, PyGame, number};

/// What an agent for one type of game needs of Python.
pub(super) trait Bridge<G: Game>: Send + Sync {
    fn observation(&self, given: &Bound<'_, PyAny>) -> PyResult<G::Observation>;
    /// Which of these actions is meant.
    fn action(&self, given: &Bound<'_, PyAny>, among: &[G::Action]) -> PyResult<G::Action>;
    fn show_action(&self, py: Python<'_>, action: G::Action) -> PyResult<Py<PyAny>>;
    fn show_state(&self, py: Python<'_>, state: &G::State) -> PyResult<Py<PyAny>>;
    fn state(&self, given: &Bound<'_, PyAny>) -> PyResult<G::State>;
    /// How many of some states have what where, as a table of numbers, if the game has such a one.
    fn marginals(
        &self,
        _py: Python<'_>,
        _states: &mut dyn Iterator<Item = &G::State>,
    ) -> PyResult<Option<Py<PyAny>>> {
        Ok(None)
    }
    /// An evaluator that only this game has.
    fn evaluator(&self, _given: &Bound<'_, PyAny>) -> PyResult<Option<Made<G>>> {
        Ok(None)
    }
    /// Whether the game can raise exceptions.
    fn can_fail(&self) -> bool;
    /// Raises what the game has raised.
    fn check(&self) -> PyResult<()>;
}

/// For a game of the core: actions are numbers, states and observations opaque.
pub(super) struct NativeBridge(NativeGame);

impl NativeBridge {
    pub(super) fn new(game: &NativeGame) -> Self {
        NativeBridge(game.clone())
    }
}

impl<G> Bridge<G> for NativeBridge
where
    G: Game<State: 'static, Action: 'static, Observation: 'static>,
{
    fn observation(&self, given: &Bound<'_, PyAny>) -> PyResult<G::Observation> {
        let wrong = || {
            let repr = given.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
            errors::game(format!("{repr} is not an observation of {}", self.0.name))
        };
        let given = given.cast::<GameObservation>().map_err(|_| wrong())?.get();
        given.of(&self.0)?.as_any().downcast_ref::<G::Observation>().cloned().ok_or_else(wrong)
    }

    fn action(&self, given: &Bound<'_, PyAny>, among: &[G::Action]) -> PyResult<G::Action> {
        let wanted: u32 = given.extract()?;
        let found = among.iter().find(|action| number(*action) == Some(wanted));
        found.copied().ok_or_else(|| {
            let legal: Vec<u32> = among.iter().filter_map(|action| number(action)).collect();
            errors::game(format!("action {wanted} is not legal: expected one of {legal:?}"))
        })
    }

    fn show_action(&self, py: Python<'_>, action: G::Action) -> PyResult<Py<PyAny>> {
        let number =
            number(&action).ok_or_else(|| errors::game("an action without a number".into()))?;
        Ok(number.into_pyobject(py)?.into_any().unbind())
    }

    fn show_state(&self, py: Python<'_>, state: &G::State) -> PyResult<Py<PyAny>> {
        let state = GameState::new(&self.0, Box::new(state.clone()));
        Ok(Py::new(py, state)?.into_any())
    }

    fn state(&self, given: &Bound<'_, PyAny>) -> PyResult<G::State> {
        let wrong = || {
            let repr = given.repr().map_or_else(|_| "this".to_owned(), |text| text.to_string());
            errors::game(format!("{repr} is not a state of {}", self.0.name))
        };
        let given = given.cast::<GameState>().map_err(|_| wrong())?.get();
        given.of(&self.0)?.as_any().downcast_ref::<G::State>().cloned().ok_or_else(wrong)
    }

    fn can_fail(&self) -> bool {
        false
    }

    fn check(&self) -> PyResult<()> {
        Ok(())
    }
}

/// For a game written in Python: everything is as the game gives it.
pub(super) struct PythonBridge(PyGame);

impl PythonBridge {
    pub(super) fn new(game: PyGame) -> Self {
        PythonBridge(game)
    }
}

impl Bridge<PyGame> for PythonBridge {
    fn observation(&self, given: &Bound<'_, PyAny>) -> PyResult<<PyGame as Game>::Observation> {
        PyGame::value(given.clone())
    }

    fn action(
        &self,
        given: &Bound<'_, PyAny>,
        among: &[<PyGame as Game>::Action],
    ) -> PyResult<<PyGame as Game>::Action> {
        let wanted = PyGame::action(given.clone())?;
        if among.contains(&wanted) {
            return Ok(wanted);
        }
        Err(errors::game(format!("action {wanted:?} is not legal: expected one of {among:?}")))
    }

    fn show_action(&self, py: Python<'_>, action: <PyGame as Game>::Action) -> PyResult<Py<PyAny>> {
        Ok(action.bind(py).clone().unbind())
    }

    fn show_state(&self, py: Python<'_>, state: &<PyGame as Game>::State) -> PyResult<Py<PyAny>> {
        Ok(state.bind(py).clone().unbind())
    }

    fn state(&self, given: &Bound<'_, PyAny>) -> PyResult<<PyGame as Game>::State> {
        PyGame::value(given.clone())
    }

    fn can_fail(&self) -> bool {
        true
    }

    fn check(&self) -> PyResult<()> {
        self.0.check()
    }
}
