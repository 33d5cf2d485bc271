use std::time::Duration;

use crate::belief::BeliefSettings;
use crate::choose::{Iterate, Purification};
use crate::expand::{Exploration, Limits, Schedule};
use crate::subgame::SubgameSettings;

/// Everything that can be switched about an agent. The defaults are the paper's, in one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// How the belief is kept.
    pub belief: BeliefSettings,
    /// How the subgame is made.
    pub subgame: SubgameSettings,
    /// How the tree is grown.
    pub exploration: Exploration,
    /// How solver and expanders take turns.
    pub schedule: Schedule,
    /// Which iterate is the strategy.
    pub iterate: Iterate,
    /// How the action is chosen.
    pub purification: Purification,
    /// States of our infoset at least, if the belief has as many.
    pub sample: usize,
    /// How long to search from the start of the game before the first observation, if at all: the
    /// tree that a small game is then played from.
    pub blueprint: Option<Limits>,
    /// Of all random choices.
    pub seed: u64,
}

impl Default for AgentSettings {
    fn default() -> Self {
        AgentSettings {
            belief: BeliefSettings::default(),
            subgame: SubgameSettings::default(),
            exploration: Exploration::default(),
            schedule: Schedule::default(),
            iterate: Iterate::default(),
            purification: Purification::default(),
            sample: 256,
            blueprint: None,
            seed: 0,
        }
    }
}

/// The time that each step of a choice took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// The belief's updates since the last choice.
    pub observe: Duration,
    /// Building the subgame.
    pub construct: Duration,
    /// Solving and expanding.
    pub search: Duration,
    /// Purifying and drawing.
    pub choose: Duration,
}
