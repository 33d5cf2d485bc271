//! Fog of War chess: positions, moves, vision and observations.
//!
//! The rules are those of the paper's appendix A. A [`Position`] is what belief and search work
//! on: 32 bytes, no history. A [`Board`] is a game with its history, clocks and outcome, as the
//! referee keeps it. A [`View`] is what a position shows a player, an [`Observation`] what the
//! player is given after a ply.
//!
//! ```
//! use obscuro_fow::{Board, Color};
//! let mut board = Board::default();
//! for san in ["c4", "d5", "Qa4", "d4", "Qxe8"] {
//!     board.push(board.parse_san(san)?)?;
//! }
//! assert_eq!(board.outcome().unwrap().winner, Some(Color::White));
//! # Ok::<(), obscuro_fow::MoveError>(())
//! ```

pub mod attacks;
mod bitboard;
mod board;
mod consistent;
mod error;
mod fen;
mod game;
mod guess;
mod movegen;
mod mv;
mod observation;
mod packed;
mod perft;
mod piece;
mod position;
mod san;
mod square;
mod vision;

pub use bitboard::{Bitboard, Squares};
pub use board::{Board, Outcome, Termination};
pub use error::{FenError, MoveError, ObservationError};
pub use fen::START;
pub use game::FowChess;
pub use movegen::Moves;
pub use mv::Move;
pub use observation::Observation;
pub use perft::{divide, perft, perft_unbulked};
pub use piece::{Color, Kind, Piece};
pub use position::{Position, Status};
pub use square::Square;
pub use vision::View;
