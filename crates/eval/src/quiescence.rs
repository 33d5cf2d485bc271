//! The search of captures below a child.

use arrayvec::ArrayVec;
use obscuro_fow::{Kind, Move, Position};

use crate::exchange::{exchange, worth};
use crate::tactics::Sets;
use crate::{StaticEvaluator, WIN};

/// A quiescence search in progress: what it uses and counts.
pub(crate) struct Quiescence<'a, S> {
    pub(crate) statics: &'a mut S,
    pub(crate) nodes: u64,
}

/// A move with its place in the order: what it takes, then what takes it.
type Ordered = (i32, Move);

impl<S: StaticEvaluator> Quiescence<'_, S> {
    /// The score of `position` for the side to move, where the static evaluator already is.
    ///
    /// The score is that of a plain minimax search of at most `depth` plies in which
    /// - a side that can take the king has won, and one that cannot keep its own from being taken,
    ///   or has no move, has lost;
    /// - else it may stand pat, or play a capture that loses nothing in the exchange, or promote to
    ///   a queen;
    ///
    /// exactly if it is between `alpha` and `beta`, else on the same side of both.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        depth: u8,
    ) -> i32 {
        self.nodes += 1;
        let sets = Sets::of(position);
        if sets.can_take_king() {
            return WIN;
        }
        if !sets.has_safe_move(position) {
            return -WIN;
        }
        let mut best = self.statics.value(position);
        debug_assert!(best.abs() < WIN, "a static score is below that of a won game");
        if depth == 0 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        let mut moves = ArrayVec::new();
        order(&sets, position, &mut moves);
        while let Some(mv) = next(&mut moves) {
            if !pays(&sets, position, mv) {
                continue;
            }
            let child = position.play(mv);
            self.statics.push(&child);
            let score = -self.search(&child, -beta, -alpha, depth - 1);
            self.statics.pop();
            if score > best {
                best = score;
                if best >= beta {
                    break;
                }
                alpha = alpha.max(best);
            }
        }
        best
    }
}

/// Captures and promotions with the most valuable victims and the least valuable captors first.
#[inline]
fn order(sets: &Sets, position: &Position, moves: &mut ArrayVec<Ordered, 128>) {
    let kind = |square| position.kind_at(square).map_or(0, |kind: Kind| kind as i32);
    sets.for_each_noisy_move(position, |mv| {
        let promotion = 8 * i32::from(mv.promotion().is_some());
        moves.push((8 * (kind(mv.to()) + promotion) - kind(mv.from()), mv));
    });
}

/// Takes the first move out of the list; later moves are often never asked for.
#[inline]
fn next(moves: &mut ArrayVec<Ordered, 128>) -> Option<Move> {
    let best = (0..moves.len()).max_by_key(|&i| moves[i].0)?;
    Some(moves.swap_remove(best).1)
}

/// Whether the search considers a capture or promotion.
#[inline]
fn pays(sets: &Sets, position: &Position, mv: Move) -> bool {
    if mv.promotion().is_some() {
        return true;
    }
    // Taking something dearer than what takes it cannot lose.
    let worth_at = |square| position.kind_at(square).map_or(0, worth);
    worth_at(mv.to()) >= worth_at(mv.from()) || exchange(sets, position, mv) >= 0
}
