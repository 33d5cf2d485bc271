use std::time::Instant;

use obscuro_fow::{Board, Color, Kind, divide, perft, perft_unbulked};
use pyo3::prelude::*;

use super::observation::FowObservation;
use super::{PyOutcome, color, decode, encode, is_white, outcome, square};
use crate::errors;

/// A game as its referee sees it.
#[pyclass(name = "FowBoard", module = "obscuro._core")]
#[derive(Clone)]
pub(crate) struct FowBoard(pub(crate) Board);

#[pymethods]
impl FowBoard {
    #[new]
    #[pyo3(signature = (fen=None))]
    fn new(fen: Option<&str>) -> PyResult<Self> {
        match fen {
            None => Ok(FowBoard(Board::default())),
            Some(fen) => fen.parse().map(FowBoard).map_err(|e| errors::fen(&e)),
        }
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    /// The board with which the game began.
    fn root(&self) -> Self {
        FowBoard(self.0.root())
    }

    fn turn(&self) -> bool {
        is_white(self.0.position().turn())
    }

    fn halfmoves(&self) -> u32 {
        self.0.halfmoves()
    }

    fn fullmoves(&self) -> u32 {
        self.0.fullmoves()
    }

    fn fen(&self) -> String {
        self.0.fen()
    }

    fn legal_moves(&self) -> Vec<u16> {
        match self.0.outcome() {
            Some(_) => Vec::new(),
            None => self.0.position().moves().into_iter().map(encode).collect(),
        }
    }

    fn is_legal(&self, mv: u16) -> bool {
        decode(mv).is_ok_and(|mv| self.0.check(mv).is_ok())
    }

    fn push(&mut self, mv: u16) -> PyResult<()> {
        self.0.push(decode(mv)?).map_err(|e| errors::mv(&e))
    }

    fn pop(&mut self) -> Option<u16> {
        self.0.pop().map(encode)
    }

    fn played(&self) -> Vec<u16> {
        self.0.played().map(encode).collect()
    }

    fn parse_san(&self, text: &str) -> PyResult<u16> {
        self.0.parse_san(text).map(encode).map_err(|e| errors::mv(&e))
    }

    fn parse_uci(&self, text: &str) -> PyResult<u16> {
        self.0.parse_uci(text).map(encode).map_err(|e| errors::mv(&e))
    }

    fn san(&self, mv: u16) -> PyResult<String> {
        let mv = decode(mv)?;
        self.0.check(mv).map_err(|e| errors::mv(&e))?;
        Ok(self.0.position().san(mv))
    }

    fn is_capture(&self, mv: u16) -> PyResult<bool> {
        let mv = decode(mv)?;
        self.0.check(mv).map_err(|e| errors::mv(&e))?;
        Ok(self.0.position().is_capture(mv))
    }

    fn outcome(&self) -> Option<PyOutcome> {
        self.0.outcome().map(outcome)
    }

    fn repetitions(&self) -> usize {
        self.0.repetitions()
    }

    /// The kind and colour of the piece on a square.
    fn piece_at(&self, number: u8) -> PyResult<Option<(u8, bool)>> {
        let piece = self.0.position().piece_at(square(number)?);
        Ok(piece.map(|piece| (piece.kind as u8, is_white(piece.color))))
    }

    /// The squares of each kind of piece of one side, pawns first.
    fn pieces(&self, white: bool) -> [u64; 6] {
        let position = self.0.position();
        Kind::ALL.map(|kind| (position.kind(kind) & position.pieces(color(white))).0)
    }

    fn castling_rooks(&self) -> u64 {
        self.0.position().castling_rooks().0
    }

    fn en_passant_target(&self) -> Option<usize> {
        self.0.position().en_passant_target().map(obscuro_fow::Square::index)
    }

    fn vision(&self, white: bool) -> u64 {
        self.0.position().vision(color(white)).0
    }

    fn captured(&self, white: bool) -> Option<usize> {
        self.0.captured(color(white)).map(obscuro_fow::Square::index)
    }

    fn observation(&self, white: bool) -> FowObservation {
        FowObservation(self.0.observation(color(white)))
    }

    /// The position's hash.
    fn key(&self) -> u64 {
        self.0.position().key()
    }

    fn same_position(&self, other: &FowBoard) -> bool {
        self.0.position() == other.0.position()
    }

    #[pyo3(signature = (depth, bulk=true))]
    fn perft(&self, py: Python<'_>, depth: u32, bulk: bool) -> u64 {
        let position = *self.0.position();
        py.detach(|| if bulk { perft(&position, depth) } else { perft_unbulked(&position, depth) })
    }

    fn divide(&self, py: Python<'_>, depth: u32) -> Vec<(u16, u64)> {
        let position = *self.0.position();
        let counts = py.detach(|| divide(&position, depth));
        counts.into_iter().map(|(mv, nodes)| (encode(mv), nodes)).collect()
    }

    /// Seconds that `rounds` rounds of both players' views of this position take.
    fn time_views(&self, py: Python<'_>, rounds: u32) -> f64 {
        let position = *self.0.position();
        py.detach(|| {
            let start = Instant::now();
            for _ in 0..rounds {
                let position = std::hint::black_box(&position);
                std::hint::black_box((position.view(Color::White), position.view(Color::Black)));
            }
            start.elapsed().as_secs_f64()
        })
    }

    fn __repr__(&self) -> String {
        format!("FowBoard({:?})", self.0.fen())
    }
}

impl FowBoard {
    /// A board without history, as a position of a belief is shown.
    pub(crate) fn of(position: obscuro_fow::Position) -> Self {
        FowBoard(Board::from_parts(position, 0, 1))
    }
}
