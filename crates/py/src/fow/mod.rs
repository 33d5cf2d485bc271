//! Fog of War chess for Python.

pub(crate) mod belief;
pub(crate) mod board;
pub(crate) mod observation;

use obscuro_fow::{Color, Kind, Move, Outcome, Square};
use pyo3::prelude::*;

use crate::errors;

/// The outcome as Python takes it: the winner, and the termination's word.
type PyOutcome = (Option<bool>, &'static str);

fn outcome(outcome: Outcome) -> PyOutcome {
    (outcome.winner.map(is_white), outcome.termination.word())
}

const fn is_white(color: Color) -> bool {
    matches!(color, Color::White)
}

const fn color(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

pub(crate) fn encode(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |kind| kind as u16);
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | promotion << 12
}

fn decode(number: u16) -> PyResult<Move> {
    let square = |n: u16| {
        Square::new((n & 63) as u8).ok_or_else(|| errors::illegal(format!("{n} is not a square")))
    };
    let (from, to) = (square(number)?, square(number >> 6)?);
    match number >> 12 {
        0 => Ok(Move::new(from, to)),
        n => match Kind::PROMOTIONS.into_iter().find(|&kind| kind as u16 == n) {
            Some(kind) => Ok(Move::promoting(from, to, kind)),
            None => Err(errors::illegal(format!("a pawn cannot become piece number {n}"))),
        },
    }
}

fn square(number: u8) -> PyResult<Square> {
    Square::new(number).ok_or_else(|| {
        pyo3::exceptions::PyValueError::new_err(format!("square {number} is not in 0 to 63"))
    })
}
