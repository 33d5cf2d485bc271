use std::fmt;
use std::str::FromStr;

use crate::{Kind, MoveError, Square};

/// A move, written as in UCI: castling is the king's move by two squares (`e1g1`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// A move without promotion.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn's move to the last rank.
    #[inline]
    #[must_use]
    pub const fn promoting(from: Square, to: Square, kind: Kind) -> Move {
        Move(Move::new(from, to).0 | (kind as u16) << 12)
    }

    /// Where the piece comes from.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrap(self.0 as u32)
    }

    /// Where the piece goes.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrap((self.0 >> 6) as u32)
    }

    /// What a pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0 >> 12 {
            2 => Some(Kind::Knight),
            3 => Some(Kind::Bishop),
            4 => Some(Kind::Rook),
            5 => Some(Kind::Queen),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let malformed = || MoveError::Uci { text: text.to_owned() };
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(malformed());
        }
        let from: Square = text[0..2].parse().map_err(|_| malformed())?;
        let to: Square = text[2..4].parse().map_err(|_| malformed())?;
        let Some(letter) = text[4..].chars().next() else { return Ok(Move::new(from, to)) };
        match Kind::from_letter(letter) {
            Some(kind) if letter.is_ascii_lowercase() && Kind::PROMOTIONS.contains(&kind) => {
                Ok(Move::promoting(from, to, kind))
            }
            _ => Err(malformed()),
        }
    }
}
