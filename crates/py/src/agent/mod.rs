//! The agent for Python: any game, one class.

mod bridge;
mod erased;
mod evaluator;
mod fow;
mod settings;
mod study;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use obscuro_game::InfosetKey;
use obscuro_games::GameVisitor;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

use self::bridge::{Bridge, NativeBridge, PythonBridge};
use self::erased::{Chosen, Erased, Typed};
use self::fow::FowBridge;
use self::settings::{read_limits, read_settings};
pub(crate) use self::study::Study;
use crate::errors;
use crate::games::{Game, Playable, PyGame, player};

/// A player by continual search.
#[pyclass(module = "obscuro._core")]
pub(crate) struct Agent {
    erased: Box<dyn Erased>,
    /// Set to end a search.
    stop: Arc<AtomicBool>,
    game: Py<Game>,
}

/// Ends the searches of an agent or of a study, from any thread, until it is reset.
#[pyclass(module = "obscuro._core", frozen)]
pub(crate) struct Stopper(Arc<AtomicBool>);

#[pymethods]
impl Stopper {
    /// Ends the search that is running, and those that are begun before `reset`.
    fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct MakeNative<'a, 'py> {
    py: Python<'py>,
    game: &'a Game,
    player: i64,
    settings: &'a Bound<'py, PyDict>,
    evaluator: &'a Bound<'py, PyAny>,
}

impl GameVisitor for MakeNative<'_, '_> {
    type Output = PyResult<Box<dyn Erased>>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Self::Output {
        let bridge = NativeBridge::new(self.game.native()?);
        self.make(game.clone(), bridge)
    }
}

impl MakeNative<'_, '_> {
    fn make<G, B>(self, game: G, bridge: B) -> PyResult<Box<dyn Erased>>
    where
        G: obscuro_game::Game + Clone + 'static,
        B: Bridge<G> + 'static,
    {
        let player = player(self.player)?;
        let settings = read_settings(self.settings)?;
        let bridge = Arc::new(bridge);
        let evaluator = evaluator::read(self.evaluator, settings.seed, &bridge)?;
        let agent = Typed::new(self.py, game, player, settings, evaluator, bridge)?;
        Ok(Box::new(agent))
    }
}

#[pymethods]
impl Agent {
    #[new]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        player: i64,
        settings: &Bound<'_, PyDict>,
        evaluator: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let make = MakeNative { py, game: game.get(), player, settings, evaluator };
        let agent = match game.get().playable() {
            Playable::Small(small) => small.visit(make)?,
            Playable::Fow(fow) => {
                let bridge = FowBridge::new(NativeBridge::new(game.get().native()?));
                make.make(fow.clone(), bridge)?
            }
            Playable::FowLimited(fow) => make.visit(fow)?,
            Playable::Python(python) => {
                let python: PyGame = python.fresh();
                let bridge = PythonBridge::new(python.clone());
                make.make(python, bridge)?
            }
        };
        Ok(Agent { erased: agent, stop: Arc::default(), game })
    }

    /// Another agent that stands where this one stands.
    fn fork(&self, py: Python<'_>) -> Self {
        let erased = self.erased.fork();
        Agent { erased, stop: Arc::default(), game: self.game.clone_ref(py) }
    }

    /// Takes in an observation; `own` is the action if it was the own ply.
    #[pyo3(signature = (observation, own=None))]
    fn observe(
        &mut self,
        py: Python<'_>,
        observation: &Bound<'_, PyAny>,
        own: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.erased.observe(py, observation, own)
    }

    /// The action, its place, and a report.
    fn choose<'py>(
        &mut self,
        py: Python<'py>,
        limits: &Bound<'py, PyDict>,
    ) -> PyResult<(Py<PyAny>, usize, Bound<'py, PyDict>)> {
        let limits = read_limits(limits)?;
        let Chosen { action, index, report } = self.erased.choose(py, limits, &self.stop)?;
        Ok((action, index, report.bind(py).clone()))
    }

    /// Whether it is the own turn, as far as the agent has been told.
    fn is_our_turn(&self, py: Python<'_>) -> PyResult<bool> {
        self.erased.is_our_turn(py)
    }

    fn actions(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.erased.actions(py)
    }

    fn belief_len(&self) -> usize {
        self.erased.belief_len()
    }

    /// States that are considered possible.
    fn belief_sample(&self, py: Python<'_>, n: usize, seed: u64) -> PyResult<Vec<Py<PyAny>>> {
        self.erased.belief_sample(py, n, seed)
    }

    /// What is played at every infoset that can be reached from here, by infoset key.
    fn whole_strategy(
        &self,
        py: Python<'_>,
        limits: &Bound<'_, PyDict>,
    ) -> PyResult<HashMap<u64, Vec<f64>>> {
        let found = self.erased.whole_strategy(py, read_limits(limits)?)?;
        Ok(found.into_iter().map(|(key, played): (InfosetKey, _)| (key.get(), played)).collect())
    }

    /// Searches ahead while it is not the own turn.
    fn ponder(&mut self, py: Python<'_>, limits: &Bound<'_, PyDict>) -> PyResult<()> {
        let limits = read_limits(limits)?;
        self.erased.ponder(py, limits, &self.stop)
    }

    /// Begins anew at an observation that contradicts those before.
    fn resync(&mut self, py: Python<'_>, observation: &Bound<'_, PyAny>) -> PyResult<()> {
        self.erased.resync(py, observation)
    }

    /// The states of the own infoset in the last search, with their weights.
    fn weighted_states(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>> {
        self.erased.weighted_states(py)
    }

    /// How many states of the belief have what where, if the game has such a table.
    fn marginals(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.erased.marginals(py)
    }

    /// What ends a search of this agent from another thread.
    fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let game = self.game.bind(py).get();
        format!("Agent({:?}, {} states possible)", game.name(), self.erased.belief_len())
    }
}

/// An error of an agent.
pub(super) fn agent_error(error: &obscuro_search::agent::AgentError) -> PyErr {
    use obscuro_search::agent::AgentError;
    match error {
        AgentError::Belief(error) => errors::belief(error),
        AgentError::NotOurTurn
        | AgentError::OurTurn
        | AgentError::GameOver
        | AgentError::NothingObserved => errors::player(error.to_string()),
        AgentError::Growth(_) => errors::search(error.to_string()),
        AgentError::Subgame(_) | AgentError::Roots(_) | AgentError::Tree(_) => {
            errors::contract(error.to_string())
        }
    }
}
