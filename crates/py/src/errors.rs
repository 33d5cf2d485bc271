//! The exceptions of `obscuro.errors` for the error types of the crates.

use obscuro_fow::{FenError, MoveError, ObservationError};
use obscuro_search::belief::BeliefError;
use obscuro_search::table::TableError;
use pyo3::prelude::*;

mod python {
    pyo3::import_exception!(obscuro.errors, FenError);
    pyo3::import_exception!(obscuro.errors, InvalidMoveError);
    pyo3::import_exception!(obscuro.errors, IllegalMoveError);
    pyo3::import_exception!(obscuro.errors, AmbiguousMoveError);
    pyo3::import_exception!(obscuro.errors, ObservationError);
    pyo3::import_exception!(obscuro.errors, GameOverError);
    pyo3::import_exception!(obscuro.errors, GameError);
    pyo3::import_exception!(obscuro.errors, ContractError);
    pyo3::import_exception!(obscuro.errors, GameTooLargeError);
    pyo3::import_exception!(obscuro.errors, StrategyError);
    pyo3::import_exception!(obscuro.errors, PlayerError);
    pyo3::import_exception!(obscuro.errors, SearchError);
}

pub(crate) fn fen(error: &FenError) -> PyErr {
    python::FenError::new_err(error.to_string())
}

pub(crate) fn mv(error: &MoveError) -> PyErr {
    let message = error.to_string();
    match error {
        MoveError::Square { .. } | MoveError::Uci { .. } | MoveError::San { .. } => {
            python::InvalidMoveError::new_err(message)
        }
        MoveError::Illegal { .. } => python::IllegalMoveError::new_err(message),
        MoveError::Ambiguous { .. } => python::AmbiguousMoveError::new_err(message),
        MoveError::GameOver { .. } => python::GameOverError::new_err(message),
    }
}

pub(crate) fn observation(error: &ObservationError) -> PyErr {
    match error {
        ObservationError::Fen(_) => python::FenError::new_err(error.to_string()),
        _ => python::ObservationError::new_err(error.to_string()),
    }
}

pub(crate) fn belief(error: &BeliefError) -> PyErr {
    python::ObservationError::new_err(error.to_string())
}

/// A number that cannot be a move, or a square, or a kind.
pub(crate) fn illegal(text: String) -> PyErr {
    python::IllegalMoveError::new_err(text)
}

/// A game that does not exist, or a question about another game's state.
pub(crate) fn game(text: String) -> PyErr {
    python::GameError::new_err(text)
}

/// A game that breaks a rule of games.
pub(crate) fn contract(text: String) -> PyErr {
    python::ContractError::new_err(text)
}

pub(crate) fn table(error: &TableError) -> PyErr {
    let message = error.to_string();
    match error {
        TableError::TooManyHistories { .. }
        | TableError::TooDeep { .. }
        | TableError::TooMany { .. } => python::GameTooLargeError::new_err(message),
        _ => python::ContractError::new_err(message),
    }
}

/// Numbers that are no strategy.
pub(crate) fn strategy(text: String) -> PyErr {
    python::StrategyError::new_err(text)
}

/// A player that was asked out of turn.
pub(crate) fn player(text: String) -> PyErr {
    python::PlayerError::new_err(text)
}

/// Settings or limits with which no search can run.
pub(crate) fn search(text: String) -> PyErr {
    python::SearchError::new_err(text)
}
