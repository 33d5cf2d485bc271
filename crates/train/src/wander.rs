//! Moves off the line of a game, as a search tree and quiescence make them.

use obscuro_fow::{Move, Position};
use obscuro_game::SplitMix64;

/// Most moves off the line.
const MOST: usize = 3;

/// A position up to three moves away: any move, then moves or, as often, captures.
///
/// `None` if the game ended on the way.
pub(crate) fn wander(from: &Position, rng: &mut SplitMix64) -> Option<Position> {
    let mut position = *from;
    let steps = 1 + rng.below(MOST);
    for step in 0..steps {
        let moves = position.moves();
        let captures = || moves.iter().filter(|mv| is_capture(&position, **mv));
        let count = captures().count();
        let chosen = if step > 0 && count > 0 && rng.below(2) == 0 {
            captures().nth(rng.below(count)).copied()
        } else if moves.is_empty() {
            None
        } else {
            Some(moves[rng.below(moves.len())])
        };
        position = position.play(chosen?);
        position.king(position.turn())?;
    }
    Some(position)
}

/// Whether the move takes a piece that stands where it goes.
pub(crate) fn is_capture(position: &Position, mv: Move) -> bool {
    position.occupied().contains(mv.to())
}

/// Whether the side to move can take the king.
pub(crate) fn can_take_king(position: &Position) -> bool {
    let king = position.king(position.turn().other());
    king.is_some_and(|king| position.moves().iter().any(|mv| mv.to() == king))
}
