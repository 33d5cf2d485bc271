use thiserror::Error;

use crate::Outcome;

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// Not four to six fields.
    #[error(
        "a FEN has 4 to 6 fields (pieces, side to move, castling, en passant, clocks), found {found} in {fen:?}"
    )]
    Fields {
        /// The text.
        fen: String,
        /// How many fields it has.
        found: usize,
    },
    /// The piece placement.
    #[error("bad piece placement {text:?}: {why}")]
    Placement {
        /// The field.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The side to move.
    #[error("side to move must be \"w\" or \"b\", found {text:?}")]
    Turn {
        /// The field.
        text: String,
    },
    /// The castling rights.
    #[error("bad castling rights {text:?}: {why}")]
    Castling {
        /// The field.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The en-passant square.
    #[error("bad en-passant square {text:?}: {why}")]
    EnPassant {
        /// The field.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The half-move clock or the move number.
    #[error("bad {field} {text:?}: expected {expected}")]
    Clock {
        /// Which of the two.
        field: &'static str,
        /// The field.
        text: String,
        /// What would be right.
        expected: &'static str,
    },
}

/// What is wrong with a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Not a square.
    #[error("{text:?} is not a square: expected a1 to h8")]
    Square {
        /// The text.
        text: String,
    },
    /// Not UCI.
    #[error("{text:?} is not a move in UCI notation: expected for example e2e4, e1g1 or e7e8q")]
    Uci {
        /// The text.
        text: String,
    },
    /// Not SAN.
    #[error("{text:?} is not a move in SAN: expected for example e4, Nf3, exd5, O-O or e8=Q")]
    San {
        /// The text.
        text: String,
    },
    /// Well written, but not legal.
    #[error("{text} is not legal in {fen}")]
    Illegal {
        /// The move.
        text: String,
        /// The position.
        fen: String,
    },
    /// SAN that fits several moves.
    #[error("{text} is ambiguous in {fen}: it could be {candidates}")]
    Ambiguous {
        /// The move.
        text: String,
        /// The position.
        fen: String,
        /// The moves, in UCI.
        candidates: String,
    },
    /// No move is legal any more.
    #[error("no move can be played: the game is over ({outcome})")]
    GameOver {
        /// How it ended.
        outcome: Outcome,
    },
}

/// What is wrong with an observation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObservationError {
    /// Not six fields.
    #[error(
        "a fog FEN has 6 fields (pieces, side to move, own castling, en passant, \"-\", move number), found {found} in {text:?}"
    )]
    Fields {
        /// The text.
        text: String,
        /// How many fields it has.
        found: usize,
    },
    /// One of the fields.
    #[error("bad fog FEN: {0}")]
    Fen(#[from] FenError),
    /// What is seen is not what the own pieces see.
    #[error("{square} {should} be visible to {viewer} in {text:?}")]
    Vision {
        /// The square.
        square: crate::Square,
        /// "must" or "cannot".
        should: &'static str,
        /// The viewer.
        viewer: crate::Color,
        /// The text.
        text: String,
    },
    /// What follows the fog FEN.
    #[error(
        "bad observation after the fog FEN, at {text:?}: expected \"captured SQUARE\" or \"over RESULT REASON\""
    )]
    Told {
        /// Where it goes wrong.
        text: String,
    },
}
