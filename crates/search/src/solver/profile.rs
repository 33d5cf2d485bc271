//! What the current strategies say: probabilities, values and reaches, for subgames and reports.

use obscuro_game::{Game, Player};

use super::Solver;
use super::minimiser::Minimiser;
use super::record::{Chooser, Head};
use super::regret::Played;
use crate::tree::{Branch, InfosetId, Node, NodeId, Tree};

/// The counterfactual values of an infoset's actions when the solver last came to it.
#[derive(Clone, Copy, Debug)]
pub struct ActionValues<'a> {
    /// ucf(x, y; I, a) of every action, in the first player's view: it carries `reach`.
    pub counterfactual: &'a [f64],
    /// The reach of everybody but the acting player, summed over the infoset's nodes; zero if the
    /// solver has never come here.
    pub reach: f64,
}

impl ActionValues<'_> {
    /// u(x, y | I, a), the value of an action given that the infoset is reached; `None` if the
    /// solver has never come here.
    pub fn conditional(&self, action: usize) -> Option<f64> {
        (self.reach > 0.0).then(|| self.counterfactual[action] / self.reach)
    }
}

/// The probability of a history, by who contributes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// What each player contributes, by [`Player::index`].
    pub players: [f64; 2],
    /// What chance contributes.
    pub chance: f64,
}

impl Reach {
    /// The reach of everybody but `player`.
    pub fn without(&self, player: Player) -> f64 {
        self.players[player.other().index()] * self.chance
    }
}

impl Solver {
    fn minimiser(&self, infoset: InfosetId) -> Option<&Minimiser> {
        self.minimisers.of(infoset)
    }

    fn support(&self, minimiser: &Minimiser) -> &[Played] {
        self.rows.played.get(minimiser.slot, minimiser.support as usize)
    }

    /// The current strategy at an infoset, if the solver has met it.
    pub fn strategy(&self, infoset: InfosetId) -> Option<Vec<f64>> {
        let minimiser = self.minimiser(infoset)?;
        let mut strategy = vec![0.0; minimiser.count()];
        for played in self.support(minimiser) {
            strategy[played.action as usize] = played.probability;
        }
        Some(strategy)
    }

    /// The current probability of an action, if the solver has met the infoset.
    pub fn probability(&self, infoset: InfosetId, action: usize) -> Option<f64> {
        let mut support = self.support(self.minimiser(infoset)?).iter();
        let played = support.find(|played| played.action as usize == action);
        Some(played.map_or(0.0, |played| played.probability))
    }

    /// The regrets at an infoset, if the solver has met it.
    pub fn regrets(&self, infoset: InfosetId) -> Option<&[f64]> {
        let minimiser = self.minimiser(infoset)?;
        Some(self.rows.regrets.get(minimiser.slot, minimiser.count()))
    }

    /// The average strategy at an infoset. `None` if averages are off, or if the player has not
    /// played to it.
    pub fn average(&self, infoset: InfosetId) -> Option<Vec<f64>> {
        let minimiser = self.minimiser(infoset)?;
        if !self.averaging.is_on() {
            return None;
        }
        let sums = self.rows.averages.get(minimiser.slot, minimiser.count());
        let total: f64 = sums.iter().sum();
        (total > 0.0).then(|| sums.iter().map(|sum| sum / total).collect())
    }

    /// Makes whatever is averaged from now on outweigh what was averaged before, which is kept for
    /// infosets that are not played to again: weights of a new search start at one.
    pub(crate) fn fade_averages(&mut self) {
        for minimiser in self.minimisers.iter() {
            if self.averaging.is_on() {
                let sums = self.rows.averages.get_mut(minimiser.slot, minimiser.count());
                let total: f64 = sums.iter().sum();
                if total > 0.0 {
                    for sum in sums {
                        *sum *= 1e-100 / total;
                    }
                }
            }
        }
    }

    /// The counterfactual values of the last visit to an infoset, if the solver has met it.
    pub fn action_values(&self, infoset: InfosetId) -> Option<ActionValues<'_>> {
        let minimiser = self.minimiser(infoset)?;
        let counterfactual = self.rows.values.get(minimiser.slot, minimiser.count());
        Some(ActionValues { counterfactual, reach: minimiser.reach })
    }

    /// The first player's value of a node under the current strategies of both, leaves at their
    /// values. `None` if the solver does not know the node.
    pub fn expected_value<G: Game>(&self, tree: &Tree<G>, node: NodeId) -> Option<f64> {
        let place = tree.node(node)?.place();
        let record = self.records.of(place.expansion)?;
        let head = self.records.head(record);
        Some(self.value_below(record, head, place.index as usize))
    }

    fn value_below(&self, record: u32, head: Head, child: usize) -> f64 {
        let below = self.records.below(head, child);
        if below == 0 {
            return self.records.value(record, child);
        }
        let head = self.records.head(below);
        let value = |child| self.value_below(below, head, child);
        match head.chooser {
            Chooser::Root => value(0),
            Chooser::Chance => {
                let probabilities = self.chances.get(head.slot, head.count).iter().enumerate();
                probabilities.filter(|(_, p)| **p > 0.0).map(|(child, p)| p * value(child)).sum()
            }
            Chooser::One | Chooser::Two => {
                let support = self.support(self.minimisers.at(head.minimiser));
                support.iter().map(|p| p.probability * value(p.action as usize)).sum()
            }
        }
    }

    /// The probability of reaching a node from the root of the tree above it, under the current
    /// strategies. `None` if the solver does not know the node.
    pub fn reach<G: Game>(&self, tree: &Tree<G>, node: NodeId) -> Option<Reach> {
        let mut node: Node<'_, G> = tree.node(node)?;
        let mut reach = Reach { players: [1.0; 2], chance: 1.0 };
        while let Some((above, action)) = node.parent() {
            match node.siblings().branch() {
                Branch::Root => {}
                Branch::Chance(outcomes) => reach.chance *= outcomes[action].1,
                Branch::Player(player, infoset) => {
                    reach.players[player.index()] *= self.probability(*infoset, action)?;
                }
            }
            node = above;
        }
        Some(reach)
    }
}
