//! `HalfKAv2_hm`: the own king's square, mirrored onto the files e to h, times every piece.

use obscuro_fow::{Color, Kind, Square};

/// The number of inputs.
pub(crate) const FEATURES: usize = 32 * PLANES;
/// Inputs for one square of the king: eleven sets of squares; the kings share one.
const PLANES: usize = 11 * 64;

/// How one side sees the board: turned so that it plays upwards, mirrored so that its king is on
/// the right half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    color: Color,
    flip: u8,
    base: u32,
}

impl Default for Outlook {
    /// Some outlook, for a side that has no king.
    fn default() -> Self {
        Outlook { color: Color::White, flip: 0, base: 0 }
    }
}

impl Outlook {
    /// The outlook of the side whose king stands on `king`.
    #[inline]
    pub(crate) fn new(color: Color, king: Square) -> Outlook {
        let turned = if color == Color::White { 0 } else { 56 };
        let mirrored = if king.file() < 4 { 7 } else { 0 };
        let flip = turned | mirrored;
        let seen = king.index() as u8 ^ flip;
        let bucket = u32::from(7 - seen / 8) * 4 + u32::from(7 - seen % 8);
        Outlook { color, flip, base: bucket * PLANES as u32 }
    }

    /// The input that stands for a piece on a square.
    #[inline]
    pub(crate) fn feature(self, color: Color, kind: Kind, square: Square) -> usize {
        let enemy = kind != Kind::King && color != self.color;
        let plane = (kind as usize - 1) * 2 + usize::from(enemy);
        self.base as usize + plane * 64 + usize::from(square.index() as u8 ^ self.flip)
    }
}
