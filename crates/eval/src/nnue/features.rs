//! The inputs: where the own king stands, mirrored onto the files e to h, times every piece.

use obscuro_fow::{Color, Kind, Square};

/// Inputs for one bucket of the king: eleven sets of squares; the kings share one.
const PLANES: usize = 11 * 64;

/// Which squares of the own king share their inputs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KingBuckets {
    /// By the square as the king's side sees it; those of the files a to d are never asked for.
    of: [u8; 64],
    count: usize,
}

impl KingBuckets {
    /// A bucket for every square: `HalfKAv2_hm`.
    pub(crate) const STOCKFISH: &KingBuckets = &KingBuckets::new(
        [(28, 1), (24, 1), (20, 1), (16, 1), (12, 1), (8, 1), (4, 1), (0, 1)],
        32,
    );
    /// The further from home, where the king seldom is, the more squares share a bucket.
    pub(crate) const OWN: &KingBuckets = &KingBuckets::new(
        [(0, 1), (4, 1), (8, 2), (10, 2), (12, 2), (12, 2), (14, 2), (14, 2)],
        16,
    );

    /// For each rank, the first of its buckets and how many files share one, counted from h to e.
    const fn new(ranks: [(u8, u8); 8], count: usize) -> KingBuckets {
        let mut of = [0; 64];
        let mut square = 0;
        while square < 64 {
            let (first, files) = ranks[square / 8];
            of[square] = first + (7 - square as u8 % 8) % 4 / files;
            square += 1;
        }
        KingBuckets { of, count }
    }

    /// How many buckets there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number of inputs.
    pub(crate) fn features(&self) -> usize {
        self.count * PLANES
    }
}

/// How one side sees the board: turned so that it plays upwards, mirrored so that its king is on
/// the right half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    color: Color,
    flip: u8,
    bucket: u8,
}

impl Default for Outlook {
    /// Some outlook, for a side that has no king.
    fn default() -> Self {
        Outlook { color: Color::White, flip: 0, bucket: 0 }
    }
}

impl Outlook {
    /// How many outlooks a side can have at most: each bucket, mirrored or not.
    pub(crate) const SLOTS: usize = 64;

    /// The outlook of the side whose king stands on `king`.
    #[inline]
    pub(crate) fn new(buckets: &KingBuckets, color: Color, king: Square) -> Outlook {
        let turned = if color == Color::White { 0 } else { 56 };
        let mirrored = if king.file() < 4 { 7 } else { 0 };
        let flip = turned | mirrored;
        Outlook { color, flip, bucket: buckets.of[usize::from(king.index() as u8 ^ flip)] }
    }

    /// The number of this outlook among those of its side.
    #[inline]
    pub(crate) fn slot(self) -> usize {
        usize::from(2 * self.bucket + (self.flip & 1)) % Outlook::SLOTS
    }

    /// The input that stands for a piece on a square.
    #[inline]
    pub(crate) fn feature(self, color: Color, kind: Kind, square: Square) -> usize {
        let enemy = kind != Kind::King && color != self.color;
        let plane = (kind as usize - 1) * 2 + usize::from(enemy);
        usize::from(self.bucket) * PLANES
            + plane * 64
            + usize::from(square.index() as u8 ^ self.flip)
    }
}
