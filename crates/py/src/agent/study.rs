//! Searches from roots made by hand.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use obscuro_game::Game as Rules;
use obscuro_games::GameVisitor;
use obscuro_search::agent::{self, AgentError, AgentSettings, StudyError, StudyRoot};
use obscuro_search::expand::Limits;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

use super::bridge::{Bridge, NativeBridge, PythonBridge};
use super::erased::{lock, raised};
use super::evaluator::{self, Made};
use super::fow::FowBridge;
use super::settings::{read_limits, read_settings};
use super::{Stopper, agent_error};
use crate::errors;
use crate::games::{Game, Playable, PyGame};
use crate::raised::Raised;

/// A root as Python gives it: state, infoset of either player, probability.
type GivenRoot = (Py<PyAny>, u64, u64, f64);
/// An action, its probability, its value.
type Shown = (Py<PyAny>, f64, Option<f64>);

/// A search from roots made by hand.
#[pyclass(module = "obscuro._core")]
pub(crate) struct Study {
    erased: Box<dyn Erased>,
    stop: Arc<AtomicBool>,
}

/// A study whose game has no type any more.
trait Erased: Send + Sync {
    fn search(&self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<Py<PyDict>>;
    fn value(&self) -> f64;
    fn strategy(&self, py: Python<'_>, root: usize, line: &[Py<PyAny>]) -> PyResult<Vec<Shown>>;
    fn state(&self, py: Python<'_>, root: usize, line: &[Py<PyAny>]) -> PyResult<Py<PyAny>>;
}

struct Typed<G: Rules, B> {
    study: Mutex<agent::Study<G>>,
    bridge: Arc<B>,
    evaluator: Option<Arc<Raised>>,
}

impl<G, B> Typed<G, B>
where
    G: Rules + 'static,
    B: Bridge<G> + 'static,
{
    /// The actions of a line, each among those that are legal there.
    fn line(&self, py: Python<'_>, root: usize, line: &[Py<PyAny>]) -> PyResult<Vec<G::Action>> {
        let study = lock(&self.study);
        let mut actions: Vec<G::Action> = Vec::with_capacity(line.len());
        for given in line {
            let state = study.state(root, &actions).map_err(|error| study_error(&error))?;
            let (mut legal, mut outcomes) = (Vec::new(), Vec::new());
            study.game().actions(state, &mut legal);
            study.game().chance(state, &mut outcomes);
            legal.extend(outcomes.iter().map(|outcome| outcome.0));
            actions.push(self.bridge.action(given.bind(py), &legal)?);
        }
        Ok(actions)
    }
}

impl<G, B> Erased for Typed<G, B>
where
    G: Rules + 'static,
    B: Bridge<G> + 'static,
{
    fn search(&self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<Py<PyDict>> {
        let report = py.detach(|| lock(&self.study).search(limits, Some(stop)));
        raised(&*self.bridge, self.evaluator.as_deref())?;
        let growth = report.map_err(|error| agent_error(&error))?;
        let dict = PyDict::new(py);
        dict.set_item("nodes", growth.nodes)?;
        dict.set_item("infosets", growth.infosets)?;
        dict.set_item("bytes", growth.bytes)?;
        dict.set_item("max_depth", growth.max_depth)?;
        dict.set_item("mean_depth", growth.mean_depth)?;
        dict.set_item("expansions", growth.expansions)?;
        dict.set_item("iterations", growth.iterations)?;
        dict.set_item("visits", growth.visits)?;
        dict.set_item("search_seconds", growth.elapsed.as_secs_f64())?;
        Ok(dict.unbind())
    }

    fn value(&self) -> f64 {
        lock(&self.study).value()
    }

    fn strategy(&self, py: Python<'_>, root: usize, line: &[Py<PyAny>]) -> PyResult<Vec<Shown>> {
        let line = self.line(py, root, line)?;
        let found = lock(&self.study).strategy(root, &line);
        let show = |found: agent::StudyAction<G::Action>| {
            let action = self.bridge.show_action(py, found.action)?;
            Ok((action, found.probability, found.value))
        };
        found.map_err(|error| study_error(&error))?.into_iter().map(show).collect()
    }

    fn state(&self, py: Python<'_>, root: usize, line: &[Py<PyAny>]) -> PyResult<Py<PyAny>> {
        let line = self.line(py, root, line)?;
        let study = lock(&self.study);
        let state = study.state(root, &line).map_err(|error| study_error(&error))?;
        self.bridge.show_state(py, state)
    }
}

struct MakeStudy<'a, 'py> {
    py: Python<'py>,
    game: &'a Game,
    roots: Vec<GivenRoot>,
    settings: &'a Bound<'py, PyDict>,
    evaluator: &'a Bound<'py, PyAny>,
}

impl GameVisitor for MakeStudy<'_, '_> {
    type Output = PyResult<Box<dyn Erased>>;

    fn visit<G: Rules + Clone + 'static>(self, game: &G) -> Self::Output {
        let bridge = NativeBridge::new(self.game.native()?);
        self.make(game.clone(), bridge)
    }
}

impl MakeStudy<'_, '_> {
    fn make<G, B>(self, game: G, bridge: B) -> PyResult<Box<dyn Erased>>
    where
        G: Rules + Clone + 'static,
        B: Bridge<G> + 'static,
    {
        let settings: AgentSettings = read_settings(self.settings)?;
        let bridge = Arc::new(bridge);
        let mut roots = Vec::with_capacity(self.roots.len());
        for (state, first, second, probability) in self.roots {
            if !(probability > 0.0 && probability.is_finite()) {
                return Err(errors::search(format!(
                    "the probability of a root is {probability}, expected a positive number"
                )));
            }
            let state = bridge.state(state.bind(self.py))?;
            roots.push(StudyRoot { state, infosets: [first, second], probability });
        }
        let (evaluator, asked): Made<G> = evaluator::read(self.evaluator, settings.seed, &bridge)?;
        let made: Result<agent::Study<G>, AgentError> =
            self.py.detach(|| agent::Study::new(Arc::new(game), roots, settings, evaluator));
        raised(&*bridge, asked.as_deref())?;
        let study = Mutex::new(made.map_err(|error| agent_error(&error))?);
        Ok(Box::new(Typed { study, bridge, evaluator: asked }))
    }
}

#[pymethods]
#[expect(clippy::needless_pass_by_value, reason = "a list from Python is a vector")]
impl Study {
    #[new]
    fn new(
        py: Python<'_>,
        game: &Game,
        roots: Vec<GivenRoot>,
        settings: &Bound<'_, PyDict>,
        evaluator: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let make = MakeStudy { py, game, roots, settings, evaluator };
        let erased = match game.playable() {
            Playable::Small(small) => small.visit(make)?,
            Playable::Fow(fow) => {
                let bridge = FowBridge::new(NativeBridge::new(game.native()?));
                make.make(fow.clone(), bridge)?
            }
            Playable::FowLimited(fow) => make.visit(fow)?,
            Playable::Python(python) => {
                let python: PyGame = python.fresh();
                make.make(python.clone(), PythonBridge::new(python))?
            }
        };
        Ok(Study { erased, stop: Arc::default() })
    }

    /// Searches, going on where the last search ended; gives counts.
    fn search(&self, py: Python<'_>, limits: &Bound<'_, PyDict>) -> PyResult<Py<PyDict>> {
        let limits = read_limits(limits)?;
        self.erased.search(py, limits, &self.stop)
    }

    /// The first player's value.
    fn value(&self) -> f64 {
        self.erased.value()
    }

    /// Actions with probabilities and values after a line of actions from a root.
    fn strategy(&self, py: Python<'_>, root: usize, line: Vec<Py<PyAny>>) -> PyResult<Vec<Shown>> {
        self.erased.strategy(py, root, &line)
    }

    /// The state after a line of actions from a root.
    fn state(&self, py: Python<'_>, root: usize, line: Vec<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        self.erased.state(py, root, &line)
    }

    /// What ends a search of this study from another thread.
    fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }
}

fn study_error(error: &StudyError) -> PyErr {
    errors::search(error.to_string())
}
