use std::collections::HashMap;

use foldhash::fast::FixedState;
use obscuro_game::{InfosetKey, Player};
use thiserror::Error;

use super::{Table, passes};

/// How far the probabilities at an infoset may be from summing to one.
const SUM_TOLERANCE: f64 = 1e-6;

/// A behavioural strategy for both players on the sequences of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// Per player and sequence, the probability of its last action; 1 for the empty sequence.
    probabilities: [Vec<f64>; 2],
}

/// The probabilities of the actions, in the game's order, at each infoset.
pub type Profile = HashMap<(Player, InfosetKey), Vec<f64>, FixedState>;

/// What to play at infosets that a profile does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// All actions are equally likely.
    #[default]
    Uniform,
    /// It is an error.
    Refuse,
}

/// Why numbers are not a strategy for a table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ProfileError {
    /// An infoset is missing.
    #[error("no probabilities for infoset {key:?} of player {player:?}")]
    Missing {
        /// Whose infoset it is.
        player: Player,
        /// The infoset.
        key: InfosetKey,
    },
    /// There are more or fewer probabilities than actions.
    #[error(
        "{found} probabilities for infoset {key:?} of player {player:?}, which has {expected} actions"
    )]
    Actions {
        /// Whose infoset it is.
        player: Player,
        /// The infoset.
        key: InfosetKey,
        /// How many actions it has.
        expected: usize,
        /// How many probabilities were given.
        found: usize,
    },
    /// Numbers that are no probabilities.
    #[error(
        "{probabilities:?} at infoset {key:?} of player {player:?}: expected numbers from 0 to 1 \
         that sum to 1"
    )]
    Probabilities {
        /// Whose infoset it is.
        player: Player,
        /// The infoset.
        key: InfosetKey,
        /// What was given.
        probabilities: Vec<f64>,
    },
    /// A vector over sequences has the wrong length: it belongs to another table.
    #[error("{found} numbers for player {player:?}, who has {expected} sequences in this table")]
    Sequences {
        /// Whose vector it is.
        player: Player,
        /// How many sequences the player has.
        expected: usize,
        /// How many numbers were given.
        found: usize,
    },
}

impl Strategy {
    /// The strategy that makes all actions equally likely.
    pub fn uniform(table: &Table) -> Strategy {
        let probabilities = Player::BOTH.map(|player| {
            let treeplex = table.treeplex(player);
            passes::behaviour(treeplex, &vec![0.0; treeplex.sequences()])
        });
        Strategy { probabilities }
    }

    /// A strategy from the probability of each sequence's last action, as in
    /// [`Strategy::probabilities`]. What is given for the empty sequence does not matter.
    pub fn from_probabilities(
        table: &Table,
        mut probabilities: [Vec<f64>; 2],
    ) -> Result<Strategy, ProfileError> {
        for (player, numbers) in Player::BOTH.into_iter().zip(&mut probabilities) {
            let treeplex = table.treeplex(player);
            fits(player, treeplex.sequences(), numbers.len())?;
            numbers[0] = 1.0;
            for (infoset, &key) in treeplex.keys().iter().enumerate() {
                let here: Vec<f64> =
                    treeplex.sequences_of(infoset).map(|sequence| numbers[sequence]).collect();
                check(player, key, &here)?;
            }
        }
        Ok(Strategy { probabilities })
    }

    /// A strategy from a profile that was computed elsewhere: `profile` gives the probabilities of
    /// an infoset's actions, in the game's order, or `None` if it has none.
    ///
    /// Probabilities must sum to one within a millionth, and are divided by their sum.
    pub fn from_profile<'p>(
        table: &Table,
        mut profile: impl FnMut(Player, InfosetKey) -> Option<&'p [f64]>,
        missing: Missing,
    ) -> Result<Strategy, ProfileError> {
        let mut strategy = Strategy::uniform(table);
        for player in Player::BOTH {
            let treeplex = table.treeplex(player);
            for (infoset, &key) in treeplex.keys().iter().enumerate() {
                let Some(given) = profile(player, key) else {
                    match missing {
                        Missing::Uniform => continue,
                        Missing::Refuse => return Err(ProfileError::Missing { player, key }),
                    }
                };
                let sequences = treeplex.sequences_of(infoset);
                if given.len() != sequences.len() {
                    let (expected, found) = (sequences.len(), given.len());
                    return Err(ProfileError::Actions { player, key, expected, found });
                }
                let sum = check(player, key, given)?;
                for (sequence, probability) in sequences.zip(given) {
                    strategy.probabilities[player.index()][sequence] = probability / sum;
                }
            }
        }
        Ok(strategy)
    }

    /// Numbers that are known to be right.
    pub(crate) fn trusted(probabilities: [Vec<f64>; 2]) -> Strategy {
        Strategy { probabilities }
    }

    /// The probability of each sequence's last action, 1 for the empty sequence.
    pub fn probabilities(&self, player: Player) -> &[f64] {
        &self.probabilities[player.index()]
    }

    /// The player's plan: for each sequence, the product of the probabilities of its actions.
    pub fn plan(&self, table: &Table, player: Player) -> Result<Vec<f64>, ProfileError> {
        let probabilities = self.probabilities(player);
        fits(player, table.treeplex(player).sequences(), probabilities.len())?;
        Ok(passes::plan(table.treeplex(player), probabilities))
    }

    /// The probabilities of the actions at every infoset with two or more, by its key.
    pub fn profile(&self, table: &Table) -> Result<Profile, ProfileError> {
        let mut profile = HashMap::default();
        for player in Player::BOTH {
            let treeplex = table.treeplex(player);
            let probabilities = self.probabilities(player);
            fits(player, treeplex.sequences(), probabilities.len())?;
            for (infoset, &key) in treeplex.keys().iter().enumerate() {
                let sequences = treeplex.sequences_of(infoset);
                profile.insert((player, key), sequences.map(|s| probabilities[s]).collect());
            }
        }
        Ok(profile)
    }
}

fn fits(player: Player, expected: usize, found: usize) -> Result<(), ProfileError> {
    if expected == found {
        Ok(())
    } else {
        Err(ProfileError::Sequences { player, expected, found })
    }
}

/// The sum of an infoset's probabilities, if they are any.
fn check(player: Player, key: InfosetKey, given: &[f64]) -> Result<f64, ProfileError> {
    let sum: f64 = given.iter().sum();
    let each = given.iter().all(|p| (0.0..=1.0 + SUM_TOLERANCE).contains(p));
    if each && (sum - 1.0).abs() <= SUM_TOLERANCE {
        return Ok(sum);
    }
    Err(ProfileError::Probabilities { player, key, probabilities: given.to_vec() })
}
