use crate::WIN;

/// A decided game is worth more than any that is not, whatever rounding does.
const MOST: f32 = 1.0 - 1.0 / (1 << 20) as f32;

/// The value in [-1, +1] of a score: tanh(pawns / scale), and exactly ±1 for a decided game.
///
/// With `scale` s, an advantage of s pawns is worth 0.76: the difference between the chances to
/// win and to lose under the logistic model of chess ratings.
///
/// ```
/// use obscuro_eval::{WIN, squash};
/// assert_eq!(squash(WIN, 100.0, 2.0), 1.0);
/// assert_eq!(squash(0, 100.0, 2.0), 0.0);
/// assert!(squash(300, 100.0, 2.0) > 0.9);
/// ```
#[must_use]
pub fn squash(score: i32, units_per_pawn: f32, scale: f32) -> f32 {
    if score.abs() >= WIN {
        return score.signum() as f32;
    }
    (score as f32 / (units_per_pawn * scale)).tanh().clamp(-MOST, MOST)
}
