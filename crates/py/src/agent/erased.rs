use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use obscuro_game::{Game, Player, Turn};
use obscuro_search::agent::{
    Agent, AgentError, AgentSettings, GadgetInForce, SearchReport, WholeStrategy,
};
use obscuro_search::belief::Exactness;
use obscuro_search::expand::Limits;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::agent_error;
use super::bridge::Bridge;
use super::evaluator::Made;
use crate::raised::Raised;

/// What an agent chose.
pub(super) struct Chosen {
    pub(super) action: Py<PyAny>,
    pub(super) index: usize,
    pub(super) report: Py<PyDict>,
}

/// An agent whose game has no type any more.
pub(super) trait Erased: Send + Sync {
    fn fork(&self) -> Box<dyn Erased>;
    fn observe(
        &mut self,
        py: Python<'_>,
        seen: &Bound<'_, PyAny>,
        own: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()>;
    fn choose(&mut self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<Chosen>;
    fn is_our_turn(&self, py: Python<'_>) -> PyResult<bool>;
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>>;
    fn belief_len(&self) -> usize;
    fn belief_sample(&self, py: Python<'_>, n: usize, seed: u64) -> PyResult<Vec<Py<PyAny>>>;
    fn whole_strategy(&self, py: Python<'_>, limits: Limits) -> PyResult<WholeStrategy>;
    fn ponder(&mut self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<()>;
    fn resync(&mut self, py: Python<'_>, seen: &Bound<'_, PyAny>) -> PyResult<()>;
    fn weighted_states(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>>;
    fn marginals(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>>;
}

/// An agent, its bridge to Python and, if its evaluator asks Python, what is raised there.
pub(super) struct Typed<G: Game, B> {
    // The agent is Send but not Sync, as its evaluator need not be.
    agent: std::sync::Mutex<Agent<G>>,
    bridge: Arc<B>,
    evaluator: Option<Arc<Raised>>,
}

impl<G, B> Typed<G, B>
where
    G: Game + Clone + 'static,
    B: Bridge<G> + 'static,
{
    pub(super) fn new(
        py: Python<'_>,
        game: G,
        player: Player,
        settings: AgentSettings,
        (evaluator, asked): Made<G>,
        bridge: Arc<B>,
    ) -> PyResult<Self> {
        let made = py.detach(|| Agent::new(Arc::new(game), player, settings, evaluator));
        let typed = Typed {
            // An exception of the game or the evaluator comes before what it led to.
            agent: match raised(&*bridge, asked.as_deref()) {
                Ok(()) => std::sync::Mutex::new(made.map_err(|error| agent_error(&error))?),
                Err(error) => return Err(error),
            },
            bridge,
            evaluator: asked,
        };
        Ok(typed)
    }

    /// Looks at the agent without the interpreter.
    fn look<T: Send>(
        &self,
        py: Python<'_>,
        at: impl FnOnce(&Agent<G>) -> Result<T, AgentError> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| at(&lock(&self.agent)));
        raised(&*self.bridge, self.evaluator.as_deref())?;
        result.map_err(|error| agent_error(&error))
    }

    /// Changes the agent without the interpreter; not at all, if the game or the evaluator raises.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        by: impl FnOnce(&mut Agent<G>) -> Result<T, AgentError> + Send,
    ) -> PyResult<T> {
        let can_fail = self.bridge.can_fail() || self.evaluator.is_some();
        let (result, before) = py.detach(|| {
            let mut agent = lock(&self.agent);
            let before = can_fail.then(|| agent.fork());
            (by(&mut agent), before)
        });
        if let Err(error) = raised(&*self.bridge, self.evaluator.as_deref()) {
            if let Some(before) = before {
                *lock(&self.agent) = before;
            }
            return Err(error);
        }
        result.map_err(|error| agent_error(&error))
    }

    /// Whose turn it is, and what can be done.
    fn situation(&self, py: Python<'_>) -> PyResult<(Turn, Vec<G::Action>)> {
        self.look(py, |agent| {
            let mut actions = Vec::new();
            let turn = match agent.belief().get(0) {
                None => Turn::Terminal,
                Some(state) => {
                    let turn = agent.game().turn(state);
                    if turn == Turn::Player(agent.player()) {
                        agent.game().actions(state, &mut actions);
                    }
                    turn
                }
            };
            Ok((turn, actions))
        })
    }

    fn report(&self, py: Python<'_>, report: &SearchReport<G::Action>) -> PyResult<Py<PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("belief", report.belief)?;
        let exactness = match report.exactness {
            Exactness::Exact => "exact",
            Exactness::Sample => "sample",
            Exactness::Guess => "guess",
        };
        dict.set_item("exactness", exactness)?;
        dict.set_item("sampled", report.sampled)?;
        dict.set_item("carried_nodes", report.carried_nodes)?;
        dict.set_item("carried_infosets", report.carried_infosets)?;
        dict.set_item("nodes", report.growth.nodes)?;
        dict.set_item("infosets", report.growth.infosets)?;
        dict.set_item("bytes", report.growth.bytes)?;
        dict.set_item("max_depth", report.growth.max_depth)?;
        dict.set_item("mean_depth", report.growth.mean_depth)?;
        dict.set_item("expansions", report.growth.expansions)?;
        dict.set_item("iterations", report.growth.iterations)?;
        dict.set_item("visits", report.growth.visits)?;
        let gadget = match report.gadget {
            GadgetInForce::None => "none",
            GadgetInForce::Resolve => "resolve",
            GadgetInForce::Maxmargin => "maxmargin",
        };
        dict.set_item("gadget", gadget)?;
        dict.set_item("p_max", report.p_max)?;
        dict.set_item("value", report.value)?;
        dict.set_item("observe_seconds", report.times.observe.as_secs_f64())?;
        dict.set_item("construct_seconds", report.times.construct.as_secs_f64())?;
        dict.set_item("search_seconds", report.times.search.as_secs_f64())?;
        dict.set_item("choose_seconds", report.times.choose.as_secs_f64())?;
        let actions = PyList::empty(py);
        for action in &report.actions {
            let entry = PyDict::new(py);
            entry.set_item("action", self.bridge.show_action(py, action.action)?)?;
            entry.set_item("probability", action.probability)?;
            entry.set_item("value", action.value)?;
            entry.set_item("stable", action.stable)?;
            entry.set_item("played", action.played)?;
            actions.append(entry)?;
        }
        dict.set_item("actions", actions)?;
        Ok(dict.unbind())
    }
}

impl<G, B> Erased for Typed<G, B>
where
    G: Game + Clone + 'static,
    B: Bridge<G> + 'static,
{
    fn fork(&self) -> Box<dyn Erased> {
        Box::new(Typed {
            agent: std::sync::Mutex::new(lock(&self.agent).fork()),
            bridge: Arc::clone(&self.bridge),
            evaluator: self.evaluator.clone(),
        })
    }

    fn observe(
        &mut self,
        py: Python<'_>,
        seen: &Bound<'_, PyAny>,
        own: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let seen = self.bridge.observation(seen)?;
        let own = match own {
            None => None,
            Some(own) => Some(self.bridge.action(own, &self.situation(py)?.1)?),
        };
        self.change(py, |agent| agent.observe(own, &seen))
    }

    fn choose(&mut self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<Chosen> {
        let decision = self.change(py, |agent| agent.choose(limits, Some(stop)))?;
        Ok(Chosen {
            action: self.bridge.show_action(py, decision.action)?,
            index: decision.index,
            report: self.report(py, &decision.report)?,
        })
    }

    fn is_our_turn(&self, py: Python<'_>) -> PyResult<bool> {
        let ours = Turn::Player(lock(&self.agent).player());
        Ok(self.situation(py)?.0 == ours)
    }

    fn actions(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let actions = self.situation(py)?.1;
        actions.into_iter().map(|action| self.bridge.show_action(py, action)).collect()
    }

    fn belief_len(&self) -> usize {
        lock(&self.agent).belief().len()
    }

    fn belief_sample(&self, py: Python<'_>, n: usize, seed: u64) -> PyResult<Vec<Py<PyAny>>> {
        let states = self.look(py, |agent| Ok(agent.belief().sample(n, seed)))?;
        states.iter().map(|state| self.bridge.show_state(py, state)).collect()
    }

    fn whole_strategy(&self, py: Python<'_>, limits: Limits) -> PyResult<WholeStrategy> {
        self.look(py, |agent| agent.fork().whole_strategy(limits))
    }

    fn ponder(&mut self, py: Python<'_>, limits: Limits, stop: &AtomicBool) -> PyResult<()> {
        self.change(py, |agent| agent.ponder(limits, Some(stop)))?;
        Ok(())
    }

    fn resync(&mut self, py: Python<'_>, seen: &Bound<'_, PyAny>) -> PyResult<()> {
        let seen = self.bridge.observation(seen)?;
        self.change(py, |agent| agent.resync(&seen))
    }

    fn weighted_states(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, f64)>> {
        let states = self.look(py, |agent| Ok(agent.weighted_states()))?;
        let show =
            |(state, weight): &(G::State, f64)| Ok((self.bridge.show_state(py, state)?, *weight));
        states.iter().map(show).collect()
    }

    fn marginals(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.bridge.marginals(py, &mut lock(&self.agent).belief().iter())
    }
}

/// Raises what the game or the evaluator has raised.
pub(super) fn raised<G: Game, B: Bridge<G>>(
    bridge: &B,
    evaluator: Option<&Raised>,
) -> PyResult<()> {
    bridge.check()?;
    evaluator.map_or(Ok(()), Raised::check)
}

/// A panic in a search has left the agent as it was before.
pub(super) fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
