use std::fmt;
use std::str::FromStr;

use crate::MoveError;

/// A square of the board, a1 = 0, b1 = 1, ..., h8 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with an index from 0 (a1) to 63 (h8); `None` outside of it.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square with the low six bits of `index`.
    #[inline]
    pub(crate) const fn wrap(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on a file (0 = a) and rank (0 = first), each taken modulo 8.
    #[inline]
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) * 8 + (file & 7))
    }

    /// All squares, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }

    /// 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the type promises, and removes bounds checks.
        (self.0 & 63) as usize
    }

    /// 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 (first rank) to 7 (eighth rank).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl FromStr for Square {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(MoveError::Square { text: text.to_owned() }),
        }
    }
}
