//! Evaluators as Python names them, and those that are Python.

use std::sync::Arc;

use obscuro_game::{Evaluator, Game, ZeroEvaluator};
use obscuro_search::expand::evaluators::{PerfectInformation, RandomRollouts};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::bridge::Bridge;
use crate::errors;
use crate::raised::Raised;

/// An evaluator and, if it asks Python, what is raised there.
pub(super) type Made<G> = (Box<dyn Evaluator<G>>, Option<Arc<Raised>>);

/// The evaluator of a name ("zero", "exact"), a number of rollouts, or a callable.
pub(super) fn read<G, B>(given: &Bound<'_, PyAny>, seed: u64, bridge: &Arc<B>) -> PyResult<Made<G>>
where
    G: Game + 'static,
    B: Bridge<G> + 'static,
{
    if let Some(made) = bridge.evaluator(given)? {
        return Ok(made);
    }
    if let Ok(rollouts) = given.extract::<u32>() {
        return Ok((Box::new(RandomRollouts::new(rollouts, seed)), None));
    }
    if given.is_callable() {
        let raised = Arc::<Raised>::default();
        let evaluator = PyEvaluator {
            function: Arc::new(given.clone().unbind()),
            raised: Arc::clone(&raised),
            bridge: Arc::clone(bridge),
        };
        return Ok((Box::new(evaluator), Some(raised)));
    }
    match given.extract::<String>().as_deref() {
        Ok("zero") => Ok((Box::new(ZeroEvaluator), None)),
        Ok("exact") => Ok((Box::new(PerfectInformation::<G>::new()), None)),
        _ => Err(errors::search(format!(
            "the evaluator is {}, expected \"zero\", \"exact\", a number of rollouts, or a function",
            given.repr()?
        ))),
    }
}

/// A Python function of a state, its actions and its children that gives the children's values.
struct PyEvaluator<B> {
    function: Arc<Py<PyAny>>,
    raised: Arc<Raised>,
    bridge: Arc<B>,
}

impl<B> PyEvaluator<B> {
    fn ask<G: Game>(
        &self,
        py: Python<'_>,
        state: &G::State,
        actions: &[G::Action],
        children: &[G::State],
    ) -> PyResult<Vec<f32>>
    where
        B: Bridge<G>,
    {
        let state = self.bridge.show_state(py, state)?;
        let actions = actions.iter().map(|&action| self.bridge.show_action(py, action));
        let actions = PyList::new(py, actions.collect::<PyResult<Vec<_>>>()?)?;
        let children = children.iter().map(|child| self.bridge.show_state(py, child));
        let children = children.collect::<PyResult<Vec<_>>>()?;
        let expected = children.len();
        let children = PyList::new(py, children)?;
        let given = self.function.bind(py).call1((state, actions, children))?;
        let values: Vec<f32> = given.extract()?;
        if values.len() != expected
            || values.iter().any(|value| value.is_nan() || value.abs() > 1.0)
        {
            return Err(errors::contract(format!(
                "the evaluator gave {}, expected {expected} numbers from -1 to 1",
                given.repr()?
            )));
        }
        Ok(values)
    }
}

impl<G, B> Evaluator<G> for PyEvaluator<B>
where
    G: Game + 'static,
    B: Bridge<G> + 'static,
{
    fn children(
        &mut self,
        _game: &G,
        state: &G::State,
        actions: &[G::Action],
        children: &[G::State],
        values: &mut Vec<f32>,
    ) {
        values.clear();
        let answer = self.raised.guard(|py| self.ask(py, state, actions, children));
        values.extend(answer.unwrap_or_default());
        values.resize(children.len(), 0.0);
    }

    fn fork(&self) -> Box<dyn Evaluator<G>> {
        Box::new(PyEvaluator {
            function: Arc::clone(&self.function),
            raised: Arc::clone(&self.raised),
            bridge: Arc::clone(&self.bridge),
        })
    }
}
