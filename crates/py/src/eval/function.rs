//! A Python function as a static evaluator.

use std::sync::Arc;

use obscuro_eval::{StaticEvaluator, WIN};
use obscuro_fow::{Board, Position};
use pyo3::prelude::*;

use crate::errors;
use crate::fow::board::FowBoard;
use crate::raised::Raised;

const UNITS_PER_PAWN: f32 = 100.0;

/// A function of a board that gives the advantage of the side to move, in pawns.
pub(super) struct PyStatic {
    function: Arc<Py<PyAny>>,
    raised: Arc<Raised>,
}

impl PyStatic {
    pub(super) fn new(function: Py<PyAny>) -> Self {
        PyStatic { function: Arc::new(function), raised: Arc::default() }
    }

    pub(super) fn raised(&self) -> Arc<Raised> {
        Arc::clone(&self.raised)
    }
}

impl StaticEvaluator for PyStatic {
    fn value(&mut self, position: &Position) -> i32 {
        let pawns = self.raised.guard(|py| {
            let board = FowBoard(Board::from_parts(*position, 0, 1));
            let given = self.function.bind(py).call1((board,))?;
            let pawns: f32 = given.extract()?;
            if !pawns.is_finite() {
                let message =
                    format!("the evaluator gave {}, expected a number of pawns", given.repr()?);
                return Err(errors::contract(message));
            }
            Ok(pawns)
        });
        // A larger number than an i32 saturates.
        let score = (pawns.unwrap_or(0.0) * UNITS_PER_PAWN).round() as i32;
        score.clamp(1 - WIN, WIN - 1)
    }

    fn units_per_pawn(&self) -> f32 {
        UNITS_PER_PAWN
    }

    fn fork(&self) -> Self {
        PyStatic { function: Arc::clone(&self.function), raised: self.raised() }
    }
}
