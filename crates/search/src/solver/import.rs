use obscuro_game::Game;

use super::Solver;
use super::regret::Played;
use crate::tree::{InfosetId, Tree};

/// How far probabilities may be from summing to one.
const SUM_TOLERANCE: f64 = 1e-6;

/// Why numbers are not a strategy at an infoset. Nothing was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StrategyError {
    /// The infoset is not one of the tree.
    #[error("the tree has no infoset {0:?}")]
    NoSuchInfoset(InfosetId),
    /// There are more or fewer probabilities than actions.
    #[error("{found} probabilities for {infoset:?}, which has {expected} actions")]
    Actions {
        /// The infoset.
        infoset: InfosetId,
        /// How many actions it has.
        expected: usize,
        /// How many probabilities were given.
        found: usize,
    },
    /// Numbers that are no probabilities.
    #[error("{probabilities:?} at {infoset:?}: expected numbers from 0 to 1 that sum to 1")]
    Probabilities {
        /// The infoset.
        infoset: InfosetId,
        /// What was given.
        probabilities: Vec<f64>,
    },
}

impl Solver {
    /// Makes `strategy` the current one at an infoset, and shows it to the expanders: a blueprint
    /// that was computed elsewhere. Regrets and averages stay.
    pub fn set_strategy<G: Game>(
        &mut self,
        tree: &Tree<G>,
        infoset: InfosetId,
        strategy: &[f64],
    ) -> Result<(), StrategyError> {
        let choice = tree.infoset(infoset).ok_or(StrategyError::NoSuchInfoset(infoset))?.choice();
        let (expected, found) = (choice.actions(), strategy.len());
        if expected != found {
            return Err(StrategyError::Actions { infoset, expected, found });
        }
        let sum: f64 = strategy.iter().sum();
        if !(strategy.iter().all(|p| *p >= 0.0) && (sum - 1.0).abs() <= SUM_TOLERANCE) {
            let probabilities = strategy.to_vec();
            return Err(StrategyError::Probabilities { infoset, probabilities });
        }
        self.integrate(tree);
        let minimiser = self.minimisers.of_mut(infoset);
        let minimiser = minimiser.ok_or(StrategyError::NoSuchInfoset(infoset))?;
        let played = self.rows.played.get_mut(minimiser.slot, expected);
        minimiser.support = 0;
        for (action, probability) in strategy.iter().map(|p| p / sum).enumerate() {
            if probability > 0.0 {
                let action = action as u32;
                played[minimiser.support as usize] = Played { probability, action };
                minimiser.support += 1;
            }
            choice.publish(action, probability as f32, choice.value(action));
        }
        minimiser.keep_first(played);
        Ok(())
    }
}
