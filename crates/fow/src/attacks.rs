//! Where pieces on an otherwise given board can go.

use crate::{Bitboard, Color, Square};

type Table = [u64; 64];

const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

static KNIGHT: Table = leaper(KNIGHT_STEPS);
static KING: Table = leaper(KING_STEPS);

const fn leaper(steps: [(i32, i32); 8]) -> Table {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (file, rank) = (from % 8 + steps[i].0, from / 8 + steps[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[from as usize] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// Squares a knight attacks.
#[inline]
#[must_use]
pub fn knight(from: Square) -> Bitboard {
    Bitboard(KNIGHT[from.index()])
}

/// Squares a king attacks.
#[inline]
#[must_use]
pub fn king(from: Square) -> Bitboard {
    Bitboard(KING[from.index()])
}

/// Squares that pawns of a side attack towards the a-file.
#[inline]
#[must_use]
pub fn pawns_west(pawns: Bitboard, color: Color) -> Bitboard {
    (pawns - Bitboard::FILE_A).shift(forward(color) - 1)
}

/// Squares that pawns of a side attack towards the h-file.
#[inline]
#[must_use]
pub fn pawns_east(pawns: Bitboard, color: Color) -> Bitboard {
    (pawns - Bitboard::FILE_H).shift(forward(color) + 1)
}

/// The step of a pawn in square numbers.
#[inline]
pub(crate) const fn forward(color: Color) -> i32 {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// Squares a bishop attacks.
#[inline]
#[must_use]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop(from, occupied)
}

/// Squares a rook attacks.
#[inline]
#[must_use]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook(from, occupied)
}

/// Squares a queen attacks.
#[inline]
#[must_use]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | rook(from, occupied)
}

/// Walks the rays square by square: builds the tables, and is what tests compare them with.
const fn walk(from: usize, occupied: u64, steps: [(i32, i32); 4], stop_short: bool) -> u64 {
    let mut attacks = 0;
    let mut i = 0;
    while i < 4 {
        let (mut file, mut rank) = (from as i32 % 8 + steps[i].0, from as i32 / 8 + steps[i].1);
        while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            let next_on_board = file + steps[i].0 >= 0
                && file + steps[i].0 < 8
                && rank + steps[i].1 >= 0
                && rank + steps[i].1 < 8;
            if stop_short && !next_on_board {
                break;
            }
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += steps[i].0;
            rank += steps[i].1;
        }
        i += 1;
    }
    attacks
}

const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// One table look-up a piece, indexed by the bits of the blockers (PEXT).
#[cfg(target_feature = "bmi2")]
mod sliders {
    /// The bits of `value` under `mask`, moved together.
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic, in a module that exists only with the feature")]
    fn pext(value: u64, mask: u64) -> usize {
        // SAFETY: this module is compiled only for processors that have BMI2.
        unsafe { std::arch::x86_64::_pext_u64(value, mask) as usize }
    }

    use super::{BISHOP_STEPS, Bitboard, ROOK_STEPS, Square, walk};

    struct Entry {
        mask: u64,
        offset: u32,
    }

    const BISHOP_SIZE: usize = 5248;
    const ROOK_SIZE: usize = 102_400;

    static BISHOP: [Entry; 64] = entries(BISHOP_STEPS);
    static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = fill(BISHOP_STEPS);
    static ROOK: [Entry; 64] = entries(ROOK_STEPS);
    static ROOK_ATTACKS: [u64; ROOK_SIZE] = fill(ROOK_STEPS);

    const fn entries(steps: [(i32, i32); 4]) -> [Entry; 64] {
        let mut table = [const { Entry { mask: 0, offset: 0 } }; 64];
        let mut offset = 0;
        let mut from = 0;
        while from < 64 {
            let mask = walk(from, 0, steps, true);
            table[from] = Entry { mask, offset };
            offset += 1 << mask.count_ones();
            from += 1;
        }
        table
    }

    #[allow(long_running_const_eval, reason = "107,648 entries take a second or two")]
    const fn fill<const N: usize>(steps: [(i32, i32); 4]) -> [u64; N] {
        let mut table = [0; N];
        let mut at = 0;
        let mut from = 0;
        while from < 64 {
            let mask = walk(from, 0, steps, true);
            // All subsets of the mask, in the order in which PEXT numbers them.
            let mut blockers: u64 = 0;
            loop {
                table[at] = walk(from, blockers, steps, false);
                at += 1;
                blockers = blockers.wrapping_sub(mask) & mask;
                if blockers == 0 {
                    break;
                }
            }
            from += 1;
        }
        table
    }

    #[inline]
    pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
        let entry = &BISHOP[from.index()];
        let index = entry.offset as usize + pext(occupied.0, entry.mask);
        Bitboard(BISHOP_ATTACKS[index])
    }

    #[inline]
    pub(super) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
        let entry = &ROOK[from.index()];
        let index = entry.offset as usize + pext(occupied.0, entry.mask);
        Bitboard(ROOK_ATTACKS[index])
    }
}

/// Subtraction on lines (o ^ (o - 2r)) in both directions: for processors without PEXT.
#[cfg(not(target_feature = "bmi2"))]
mod sliders {
    use super::{BISHOP_STEPS, Bitboard, ROOK_STEPS, Square, walk};

    /// The lines through each square: rank, file, diagonal, anti-diagonal, without the square.
    static LINES: [[u64; 4]; 64] = lines();

    const fn lines() -> [[u64; 4]; 64] {
        let mut table = [[0; 4]; 64];
        let mut from = 0;
        while from < 64 {
            let (rook, bishop) =
                (walk(from, 0, ROOK_STEPS, false), walk(from, 0, BISHOP_STEPS, false));
            let rank = 0xff << (from / 8 * 8);
            // A bishop's line upwards and to the right meets only higher files above and only
            // lower files below.
            let mut rising = 0;
            let mut i = 0;
            while i < 64 {
                if (i > from) == (i % 8 > from % 8) {
                    rising |= 1 << i;
                }
                i += 1;
            }
            table[from] = [rook & rank, rook & !rank, bishop & rising, bishop & !rising];
            from += 1;
        }
        table
    }

    #[inline]
    fn line(from: Square, occupied: u64, line: u64) -> u64 {
        let bit = 1u64 << from.index();
        let blockers = occupied & line;
        let up = blockers ^ blockers.wrapping_sub(bit << 1);
        let down_blockers = blockers.reverse_bits();
        let down = down_blockers ^ down_blockers.wrapping_sub(bit.reverse_bits() << 1);
        (up & line & !(bit | (bit - 1))) | (down.reverse_bits() & line & (bit - 1))
    }

    #[inline]
    pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[from.index()];
        Bitboard(line(from, occupied.0, lines[2]) | line(from, occupied.0, lines[3]))
    }

    #[inline]
    pub(super) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
        let lines = &LINES[from.index()];
        Bitboard(line(from, occupied.0, lines[0]) | line(from, occupied.0, lines[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sliders_equal_a_walk_along_the_rays() {
        let mut seed = 1u64;
        for round in 0..20_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let a = seed ^ (seed >> 29);
            let occupied = if round % 2 == 0 { a } else { a & a.rotate_left(17) };
            let from = Square::wrap((seed >> 40) as u32);
            assert_eq!(
                bishop(from, Bitboard(occupied)).0,
                walk(from.index(), occupied, BISHOP_STEPS, false)
            );
            assert_eq!(
                rook(from, Bitboard(occupied)).0,
                walk(from.index(), occupied, ROOK_STEPS, false)
            );
        }
    }
}
