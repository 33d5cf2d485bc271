use obscuro_game::{InfosetKey, Player};
use thiserror::Error;

/// How much of a game [`Table::build`](super::Table::build) is willing to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of histories: decisions, chance nodes and ends, each counted once for
    /// every way to reach it.
    pub max_histories: u64,
    /// The largest number of plies in one play of the game.
    pub max_depth: usize,
}

impl Default for Limits {
    /// Fifty million histories (about two gigabytes while building), a thousand plies.
    fn default() -> Self {
        Limits { max_histories: 50_000_000, max_depth: 1_000 }
    }
}

/// Why a game could not be compiled into a table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TableError {
    /// The game has more histories than allowed.
    #[error(
        "the game has more than {limit} histories, the limit given; raise the limit or search it instead of solving it whole"
    )]
    TooManyHistories {
        /// The limit that was passed.
        limit: u64,
    },
    /// A play of the game is longer than allowed.
    #[error("a play of the game is longer than {limit} plies, the limit given; does the game end?")]
    TooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// An index of the table would overflow its 32 bits.
    #[error("the game has more {what} than the {limit} that a table can index")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many a table can hold.
        limit: u64,
    },
    /// An infoset is reached by different own actions.
    #[error(
        "imperfect recall: infoset {key:?} of player {player:?} is reached with different own \
         actions or observations before it; at {state}"
    )]
    ImperfectRecall {
        /// Whose infoset it is.
        player: Player,
        /// The infoset.
        key: InfosetKey,
        /// The state at which this was noticed, in words.
        state: String,
    },
    /// Two states of an infoset offer different actions.
    #[error(
        "infoset {key:?} of player {player:?} offers {found} at {state}, but {expected} at an \
         earlier state: what a player observes must determine the legal actions and their order"
    )]
    ActionsDiffer {
        /// Whose infoset it is.
        player: Player,
        /// The infoset.
        key: InfosetKey,
        /// The actions at the first state.
        expected: String,
        /// The actions at the state at which this was noticed.
        found: String,
        /// That state, in words.
        state: String,
    },
    /// A player is to move and has nothing to do.
    #[error("no {mover} at a state that is not terminal: {state}")]
    NoActions {
        /// `action of player One`, `chance outcome`, ...
        mover: String,
        /// The state, in words.
        state: String,
    },
    /// A chance outcome has a probability that is none.
    #[error("chance probability {probability} at {state}: expected a number from 0 to 1")]
    Probability {
        /// The probability.
        probability: f64,
        /// The state, in words.
        state: String,
    },
    /// The probabilities of a chance state do not add up.
    #[error("chance probabilities sum to {sum} at {state}: expected 1")]
    ChanceSum {
        /// Their sum.
        sum: f64,
        /// The state, in words.
        state: String,
    },
    /// A payoff is infinite or not a number.
    #[error("payoff {payoff} at {state}: expected a finite number")]
    Payoff {
        /// The payoff.
        payoff: f64,
        /// The terminal state, in words.
        state: String,
    },
}
