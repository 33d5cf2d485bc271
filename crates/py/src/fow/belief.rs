use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods};
use obscuro_fow::{FowChess, Kind, Position};
use obscuro_search::belief::{Belief, BeliefSettings, Exactness};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use super::board::FowBoard;
use super::observation::FowObservation;
use super::{color, decode, is_white};
use crate::errors;

/// The positions that a player considers possible.
#[pyclass(name = "FowBelief", module = "obscuro._core")]
#[derive(Clone)]
pub(crate) struct FowBelief(Belief<FowChess>);

#[pymethods]
impl FowBelief {
    #[new]
    #[pyo3(signature = (board, white, cap, threads, seed))]
    fn new(board: &FowBoard, white: bool, cap: usize, threads: usize, seed: u64) -> Self {
        let position = *board.0.position();
        let settings = BeliefSettings { cap, threads, seed };
        let game = Arc::new(FowChess::new(position));
        FowBelief(Belief::new(game, color(white).into(), position, settings))
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    #[pyo3(signature = (observation, mv=None))]
    fn advance(
        &mut self,
        py: Python<'_>,
        observation: &FowObservation,
        mv: Option<u16>,
    ) -> PyResult<()> {
        let own = mv.map(decode).transpose()?;
        let view = observation.0.view;
        py.detach(|| self.0.advance(own, &view)).map_err(|e| errors::belief(&e))
    }

    fn color(&self) -> bool {
        is_white(self.0.viewer().into())
    }

    fn plies(&self) -> usize {
        self.0.plies()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// "exact", "sample" or "guess".
    fn exactness(&self) -> &'static str {
        match self.0.exactness() {
            Exactness::Exact => "exact",
            Exactness::Sample => "sample",
            Exactness::Guess => "guess",
        }
    }

    fn get(&self, index: usize) -> PyResult<FowBoard> {
        match self.0.get(index) {
            Some(position) => Ok(FowBoard::of(*position)),
            None => Err(PyIndexError::new_err(format!(
                "position {index} of a belief that has {}",
                self.0.len()
            ))),
        }
    }

    fn contains(&self, board: &FowBoard) -> bool {
        self.0.contains(board.0.position())
    }

    fn sample(&self, py: Python<'_>, n: usize, seed: u64) -> Vec<FowBoard> {
        py.detach(|| self.0.sample(n, seed)).into_iter().map(FowBoard::of).collect()
    }

    /// How many positions have each piece on each square: 12 rows (white pawn to white king, then
    /// black ones) of 64 squares.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let counts = py.detach(|| count(self.0.iter()));
        let array = numpy::PyArray1::from_vec(py, counts);
        array.reshape([12, 64])
    }

    /// Bytes that a position takes.
    #[staticmethod]
    fn position_size() -> usize {
        size_of::<Position>()
    }
}

pub(crate) fn count<'a>(positions: impl Iterator<Item = &'a Position>) -> Vec<u64> {
    let mut counts = vec![0; 12 * 64];
    for position in positions {
        for (row, kind) in Kind::ALL.into_iter().cycle().take(12).enumerate() {
            let side = position.pieces(color(row < 6));
            for square in position.kind(kind) & side {
                counts[row * 64 + square.index()] += 1;
            }
        }
    }
    counts
}
