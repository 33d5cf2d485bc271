//! Counts of the leaves of the move tree, the classic test of a move generator.

use crate::{Move, Position};

/// The number of move sequences of a length; games that end earlier do not count.
///
/// The last ply is counted without being played.
///
/// ```
/// use obscuro_fow::{Position, perft};
/// assert_eq!(perft(&Position::start(), 3), 8902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_moves()),
        _ => {
            let mut nodes = 0;
            position.for_each_move(|mv| nodes += perft(&position.play(mv), depth - 1));
            nodes
        }
    }
}

/// The same number with every move of the last ply played out.
#[must_use]
pub fn perft_unbulked(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        // Use the position, so that making it is not optimised away.
        return u64::from(!position.occupied().is_empty());
    }
    let mut nodes = 0;
    position.for_each_move(|mv| nodes += perft_unbulked(&position.play(mv), depth - 1));
    nodes
}

/// [`perft`] below each move.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.moves();
    moves.into_iter().map(|mv| (mv, perft(&position.play(mv), depth.saturating_sub(1)))).collect()
}
