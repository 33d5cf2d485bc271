use super::StepTimes;
use crate::belief::{BeliefError, Exactness};
use crate::expand::{GrowthError, GrowthReport};
use crate::solver::RootError;
use crate::subgame::SubgameError;
use crate::tree::TreeError;

/// What an agent does, and why.
#[derive(Clone, Debug)]
pub struct Decision<A> {
    /// The action.
    pub action: A,
    /// Its place among the legal actions.
    pub index: usize,
    /// What the search found.
    pub report: SearchReport<A>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchReport<A> {
    /// |P|.
    pub belief: usize,
    /// How the belief relates to P.
    pub exactness: Exactness,
    /// States that were sampled from the belief.
    pub sampled: usize,
    /// Nodes carried over from the last search.
    pub carried_nodes: u32,
    /// Infosets carried over.
    pub carried_infosets: u32,
    /// Depth of the carried tree, in plies.
    pub depth_before: u32,
    /// Counts of the search.
    pub growth: GrowthReport,
    /// The gadget in force at the end.
    pub gadget: GadgetInForce,
    /// The largest probability to enter in Resolve; zero if our strategy is safe.
    pub p_max: f64,
    /// The value of the game, in our view.
    pub value: f64,
    /// The legal actions.
    pub actions: Vec<ActionReport<A>>,
    /// Where the time went.
    pub times: StepTimes,
}

/// Which gadget decides at the root of a subgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GadgetInForce {
    /// None: the subgame is the whole game.
    None,
    /// Our strategy is not safe.
    Resolve,
    /// It is.
    Maxmargin,
}

/// What a search found about an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionReport<A> {
    /// The action.
    pub action: A,
    /// Its probability in the computed strategy.
    pub probability: f64,
    /// Its value in our view, if the solver has seen it.
    pub value: Option<f64>,
    /// Whether it was in the support all through the second half of the search.
    pub stable: bool,
    /// The probability with which it is played, after purification.
    pub played: f64,
}

/// Why an agent cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AgentError {
    /// The observation contradicts the belief.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// Somebody else is to move, or the game is over.
    #[error("the agent was asked for an action, but it is not its turn")]
    NotOurTurn,
    /// A search ahead was asked for at our own turn.
    #[error("the agent was asked to think ahead, but it is its turn")]
    OurTurn,
    /// The game is over.
    #[error("the agent was asked to search, but the game is over")]
    GameOver,
    /// The belief or the tree has no state.
    #[error("the agent has no state to search from")]
    NothingObserved,
    /// The subgame could not be built.
    #[error(transparent)]
    Subgame(#[from] SubgameError),
    /// The root layer could not be built.
    #[error(transparent)]
    Roots(#[from] RootError),
    /// The tree is full, or the game or the evaluator broke its contract.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The search could not run.
    #[error(transparent)]
    Growth(#[from] GrowthError),
}
