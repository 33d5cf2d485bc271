//! Fog of War chess: observations as the referee gives them, and its own evaluators.

use numpy::PyArrayMethods;
use obscuro_eval::{DepthOne, Settings, SimpleEvaluator};
use obscuro_fow::{FowChess, Move, Position, View};
use pyo3::prelude::*;

use super::bridge::{Bridge, NativeBridge};
use super::evaluator::Made;
use crate::errors;
use crate::eval::FowValues;
use crate::fow::belief::count;
use crate::fow::board::FowBoard;
use crate::fow::observation::FowObservation;

/// As for any game of the core, and besides it takes what [`FowObservation`] holds.
pub(super) struct FowBridge(NativeBridge);

impl FowBridge {
    pub(super) fn new(native: NativeBridge) -> Self {
        FowBridge(native)
    }

    fn native(&self) -> &dyn Bridge<FowChess> {
        &self.0
    }
}

impl Bridge<FowChess> for FowBridge {
    fn observation(&self, given: &Bound<'_, PyAny>) -> PyResult<View> {
        match given.cast::<FowObservation>() {
            Ok(observation) => Ok(observation.get().0.view),
            Err(_) => self.native().observation(given),
        }
    }

    fn action(&self, given: &Bound<'_, PyAny>, among: &[Move]) -> PyResult<Move> {
        self.native().action(given, among)
    }

    fn show_action(&self, py: Python<'_>, action: Move) -> PyResult<Py<PyAny>> {
        self.native().show_action(py, action)
    }

    fn show_state(&self, py: Python<'_>, state: &Position) -> PyResult<Py<PyAny>> {
        self.native().show_state(py, state)
    }

    fn state(&self, given: &Bound<'_, PyAny>) -> PyResult<Position> {
        match given.cast::<FowBoard>() {
            Ok(board) => Ok(*board.borrow().0.position()),
            Err(_) => self.native().state(given),
        }
    }

    fn marginals(
        &self,
        py: Python<'_>,
        states: &mut dyn Iterator<Item = &Position>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let counts = numpy::PyArray1::from_vec(py, count(states)).reshape([12, 64])?;
        Ok(Some(counts.into_any().unbind()))
    }

    fn evaluator(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<Made<FowChess>>> {
        if let Ok(values) = given.cast::<FowValues>() {
            return Ok(Some(values.try_borrow_mut()?.evaluator()));
        }
        if given.extract::<String>().is_ok_and(|name| name == "simple") {
            let evaluator = DepthOne::new(SimpleEvaluator::default(), Settings::default());
            let evaluator = evaluator.map_err(|error| errors::search(error.to_string()))?;
            return Ok(Some((Box::new(evaluator), None)));
        }
        Ok(None)
    }

    fn can_fail(&self) -> bool {
        false
    }

    fn check(&self) -> PyResult<()> {
        Ok(())
    }
}
