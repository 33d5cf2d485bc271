use obscuro_fow::Position;

/// The score of a won game: above every static one in size.
pub const WIN: i32 = 1 << 20;

/// Values one position by looking at it.
///
/// The search tells where it is: [`begin`](StaticEvaluator::begin) at a position, then
/// [`push`](StaticEvaluator::push) and [`pop`](StaticEvaluator::pop) down and up from there, so
/// that an implementation can carry sums along. One that does not need them implements
/// [`value`](StaticEvaluator::value) alone.
pub trait StaticEvaluator: Send {
    /// The search starts here.
    fn begin(&mut self, _position: &Position) {}

    /// The search plays one move from where it is, which leads to `child`.
    fn push(&mut self, _child: &Position) {}

    /// The search takes the last move back.
    fn pop(&mut self) {}

    /// The score of the position where the search is, which has both kings, for the side to move;
    /// below [`WIN`] in size.
    fn value(&mut self, position: &Position) -> i32;

    /// How many units of score are worth as much as a pawn.
    fn units_per_pawn(&self) -> f32;

    /// An equal evaluator for another thread.
    #[must_use]
    fn fork(&self) -> Self
    where
        Self: Sized;
}

/// Every position is level: what remains is king capture.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroStatic;

impl StaticEvaluator for ZeroStatic {
    fn value(&mut self, _position: &Position) -> i32 {
        0
    }

    fn units_per_pawn(&self) -> f32 {
        1.0
    }

    fn fork(&self) -> Self {
        *self
    }
}
