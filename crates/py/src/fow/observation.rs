use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use obscuro_fow::{Kind, Observation};
use pyo3::prelude::*;

use super::{PyOutcome, color, encode, is_white, outcome, square};
use crate::errors;

/// What a player is given after a ply.
#[pyclass(name = "FowObservation", module = "obscuro._core", frozen)]
#[derive(Clone)]
pub(crate) struct FowObservation(pub(crate) Observation);

#[pymethods]
impl FowObservation {
    #[new]
    fn new(text: &str, white: bool) -> PyResult<Self> {
        Observation::parse(text, color(white))
            .map(FowObservation)
            .map_err(|e| errors::observation(&e))
    }

    fn color(&self) -> bool {
        is_white(self.0.view.viewer())
    }

    fn turn(&self) -> bool {
        is_white(self.0.view.turn())
    }

    fn fullmoves(&self) -> u32 {
        self.0.fullmoves
    }

    #[pyo3(signature = (fog='?'))]
    fn fog_fen(&self, fog: char) -> String {
        self.0.fog_fen(fog)
    }

    fn visible(&self) -> u64 {
        self.0.view.visible().0
    }

    fn captured(&self) -> Option<usize> {
        self.0.captured.map(obscuro_fow::Square::index)
    }

    fn outcome(&self) -> Option<PyOutcome> {
        self.0.outcome.map(outcome)
    }

    fn legal_moves(&self) -> Vec<u16> {
        match self.0.outcome {
            Some(_) => Vec::new(),
            None => self.0.view.moves().into_iter().map(encode).collect(),
        }
    }

    /// The kind and colour of the visible piece on a square.
    fn piece_at(&self, number: u8) -> PyResult<Option<(u8, bool)>> {
        let piece = self.0.view.piece_at(square(number)?);
        Ok(piece.map(|piece| (piece.kind as u8, is_white(piece.color))))
    }

    /// The visible squares of each kind of piece of one side, pawns first.
    fn pieces(&self, white: bool) -> [u64; 6] {
        let mut sets = [0; 6];
        for square in self.0.view.pieces(color(white)) {
            if let Some(piece) = self.0.view.piece_at(square) {
                sets[piece.kind as usize - Kind::Pawn as usize] |= 1 << square.index();
            }
        }
        sets
    }

    fn castling_rooks(&self) -> u64 {
        self.0.view.castling_rooks().0
    }

    fn en_passant_target(&self) -> Option<usize> {
        self.0.view.en_passant_target().map(obscuro_fow::Square::index)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("FowObservation({:?})", self.0.to_string())
    }

    fn __eq__(&self, other: &FowObservation) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(self.0)
    }
}
