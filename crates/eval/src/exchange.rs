//! What an exchange of captures on one square gains.

use obscuro_fow::{Bitboard, Kind, Move, Position};

use crate::tactics::Sets;

/// What pieces are worth in an exchange; a king is worth all the others together.
const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 20_000];

/// What a kind of piece is worth in an exchange.
#[inline]
pub(crate) fn worth(kind: Kind) -> i32 {
    WORTH[kind as usize - 1]
}

/// What the side to move gains by a capture if both sides then take back on that square as long as
/// it pays, least valuable piece first (of equal ones that on the lowest square).
///
/// Pieces behind others join in; pins do not count, and promotions neither.
pub(crate) fn exchange(sets: &Sets, position: &Position, mv: Move) -> i32 {
    let (from, to) = (mv.from(), mv.to());
    let Some(mover) = position.kind_at(from) else { return 0 };
    let mut occupied = sets.occupied - from.into();
    let first = match position.kind_at(to) {
        Some(victim) => worth(victim),
        None if mover == Kind::Pawn && from.file() != to.file() => {
            if let Some(pawn) = position.en_passant_pawn() {
                occupied = occupied - pawn.into();
            }
            worth(Kind::Pawn)
        }
        None => 0,
    };

    // gains[i]: what the side of the i-th capture has won so far if all captures happen.
    let mut gains = [0; 33];
    gains[0] = first;
    let mut depth = 0;
    let mut standing = worth(mover);
    let (mut side, mut other) = (sets.enemies, sets.own);
    loop {
        let attackers = sets.attackers(to, occupied) & occupied & side;
        let Some(kind) =
            Kind::ALL.into_iter().find(|&kind| !(attackers & sets.kind(kind)).is_empty())
        else {
            break;
        };
        depth += 1;
        gains[depth] = standing - gains[depth - 1];
        standing = worth(kind);
        let lowest = (attackers & sets.kind(kind)).first().map_or(Bitboard::EMPTY, Bitboard::from);
        occupied = occupied - lowest;
        std::mem::swap(&mut side, &mut other);
    }
    // Whoever is to take may stop instead.
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}
