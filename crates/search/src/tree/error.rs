use obscuro_game::Player;

use super::{MAX_CHILDREN, NodeId};

/// Why a tree cannot be grown or copied. The tree is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// A leaf value is not in [-1, +1].
    #[error("the evaluator gave {value} as a value; expected a number in [-1, +1]")]
    Value {
        /// What the evaluator gave.
        value: f32,
    },
    /// The evaluator did not value every child.
    #[error("the evaluator gave {got} values for {expected} children")]
    ValueCount {
        /// The number of children.
        expected: usize,
        /// The number of values.
        got: usize,
    },
    /// A payoff is larger than the game's largest payoff.
    #[error("the game pays {payoff} at a terminal state; expected at most {max} in absolute value")]
    Payoff {
        /// The payoff.
        payoff: f64,
        /// The largest absolute payoff that the game states.
        max: f64,
    },
    /// A state that is not terminal has no action or outcome.
    #[error("a state that is not terminal has no {what}")]
    NoActions {
        /// "legal action" or "chance outcome".
        what: &'static str,
    },
    /// A state has too many actions or outcomes.
    #[error("a state has {got} actions; at most {MAX_CHILDREN} are possible")]
    TooManyActions {
        /// The number of actions or outcomes.
        got: usize,
    },
    /// The probabilities at a chance state are not a distribution.
    #[error(
        "the probabilities of a chance state sum to {sum}; expected none negative and a sum of 1"
    )]
    Chance {
        /// Their sum.
        sum: f64,
    },
    /// Two states of an infoset have different actions.
    #[error(
        "two states of one infoset of player {player:?} have different actions: {expected} and {got}"
    )]
    ActionsDiffer {
        /// The player to move.
        player: Player,
        /// The actions at the first state.
        expected: String,
        /// The actions at the second state.
        got: String,
    },
    /// No more nodes can be numbered.
    #[error("the tree is full: it holds at most 2^32 - 64 nodes")]
    Full,
    /// A node id is not of this tree.
    #[error("the tree has no node {0:?}")]
    NoSuchNode(NodeId),
    /// A node was to be kept twice.
    #[error("node {below:?} is given as a root beside {above:?}, which is the same or above it")]
    NestedRoots {
        /// The upper node.
        above: NodeId,
        /// The lower node.
        below: NodeId,
    },
}
