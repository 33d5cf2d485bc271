//! Evaluators as Python names them, and those that are Python.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use obscuro_game::{Evaluator, Game, ZeroEvaluator};
use obscuro_search::expand::evaluators::{PerfectInformation, RandomRollouts};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::bridge::Bridge;
use crate::errors;

type Made<G, B> = (Box<dyn Evaluator<G>>, Option<PyEvaluator<G, B>>);

/// The evaluator of a name ("zero", "exact"), a number of rollouts, or a callable.
pub(super) fn read<G, B>(
    _py: Python<'_>,
    given: &Bound<'_, PyAny>,
    seed: u64,
    bridge: &Arc<B>,
) -> PyResult<Made<G, B>>
where
    G: Game + 'static,
    B: Bridge<G> + 'static,
{
    if let Some(evaluator) = bridge.evaluator(given)? {
        return Ok((evaluator, None));
    }
    if let Ok(rollouts) = given.extract::<u32>() {
        return Ok((Box::new(RandomRollouts::new(rollouts, seed)), None));
    }
    if given.is_callable() {
        let evaluator = PyEvaluator {
            asked: Arc::new(Asked {
                function: given.clone().unbind(),
                failed: AtomicBool::new(false),
                first: Mutex::new(None),
            }),
            bridge: Arc::clone(bridge),
            game: PhantomData,
        };
        return Ok((Box::new(evaluator.clone()), Some(evaluator)));
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
pub(super) struct PyEvaluator<G, B> {
    asked: Arc<Asked>,
    bridge: Arc<B>,
    game: PhantomData<fn(G)>,
}

struct Asked {
    function: Py<PyAny>,
    failed: AtomicBool,
    first: Mutex<Option<PyErr>>,
}

impl<G, B> Clone for PyEvaluator<G, B> {
    fn clone(&self) -> Self {
        PyEvaluator {
            asked: Arc::clone(&self.asked),
            bridge: Arc::clone(&self.bridge),
            game: PhantomData,
        }
    }
}

impl<G, B> PyEvaluator<G, B> {
    /// Raises the first exception that the function has raised.
    pub(super) fn check(&self) -> PyResult<()> {
        self.asked.failed.store(false, Ordering::Relaxed);
        match self.asked.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl<G: Game, B: Bridge<G>> PyEvaluator<G, B> {
    fn ask(
        &self,
        py: Python<'_>,
        state: &G::State,
        actions: &[G::Action],
        children: &[G::State],
    ) -> PyResult<Vec<f32>> {
        let state = self.bridge.show_state(py, state)?;
        let actions = actions.iter().map(|&action| self.bridge.show_action(py, action));
        let actions = PyList::new(py, actions.collect::<PyResult<Vec<_>>>()?)?;
        let children = children.iter().map(|child| self.bridge.show_state(py, child));
        let children = children.collect::<PyResult<Vec<_>>>()?;
        let expected = children.len();
        let children = PyList::new(py, children)?;
        let given = self.asked.function.bind(py).call1((state, actions, children))?;
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

impl<G, B> Evaluator<G> for PyEvaluator<G, B>
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
        // After an exception only the end of the search is waited for.
        if !self.asked.failed.load(Ordering::Relaxed) {
            let answer = Python::try_attach(|py| self.ask(py, state, actions, children));
            match answer {
                Some(Ok(answer)) => values.extend(answer),
                Some(Err(error)) => {
                    self.asked.failed.store(true, Ordering::Relaxed);
                    let first =
                        &mut *self.asked.first.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(error);
                }
                None => {}
            }
        }
        values.resize(children.len(), 0.0);
    }

    fn fork(&self) -> Box<dyn Evaluator<G>> {
        Box::new(self.clone())
    }
}
