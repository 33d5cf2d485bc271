use obscuro_game::{Game, Player};

use super::Solver;
use super::record::{Chooser, Head};
use super::regret::{Played, predictive_step};
use crate::tree::{InfosetId, Tree};

/// One walk over the tree that updates one player.
///
/// Values are the first player's throughout; the reach is that of everybody but the updated
/// player, `own` is the other player's reach alone, for their average strategy.
pub(crate) struct Pass<'a, G: Game> {
    pub(crate) solver: &'a mut Solver,
    pub(crate) tree: &'a Tree<G>,
    pub(crate) player: Player,
    /// The weight of the iteration in the average.
    pub(crate) weight: f64,
}

impl<G: Game> Pass<'_, G> {
    /// The counterfactual value of a child, a leaf or not.
    #[inline]
    pub(crate) fn child(
        &mut self,
        record: u32,
        head: Head,
        child: usize,
        reach: f64,
        own: f64,
    ) -> f64 {
        self.solver.visits += 1;
        let below = self.solver.records.below(head, child);
        if below == 0 {
            reach * self.solver.records.value(record, child)
        } else {
            self.walk(below, reach, own)
        }
    }

    fn walk(&mut self, record: u32, reach: f64, own: f64) -> f64 {
        let head = self.solver.records.head(record);
        if !head.seen {
            self.solver.records.set_seen(record);
            if let Some(expansion) = self.tree.expansion_by_id(head.expansion) {
                expansion.set_seen();
            }
        }
        match head.chooser {
            Chooser::Chance => self.chance(record, head, reach, own),
            Chooser::Root => self.child(record, head, 0, reach, own),
            chooser if chooser == Chooser::from(self.player) => self.own(record, head, reach, own),
            Chooser::One | Chooser::Two => {
                self.average(head, own);
                self.other(record, head, reach, own)
            }
        }
    }

    /// A node of the updated player: all actions are valued.
    fn own(&mut self, record: u32, head: Head, reach: f64, own: f64) -> f64 {
        let count = head.count;
        let base = self.solver.scratch.len();
        let solver = &mut *self.solver;
        solver.visits += count as u64;
        let values = solver.records.values(record, count);
        solver.scratch.extend(values.iter().map(|&bits| reach * f64::from(f32::from_bits(bits))));
        if head.expanded > 0 {
            let mut left = head.expanded;
            for child in 0..count {
                let below = self.solver.records.below(head, child);
                if below != 0 {
                    self.solver.scratch[base + child] = self.walk(below, reach, own);
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        let solver = &mut *self.solver;
        let minimiser = &mut solver.minimisers[head.infoset as usize];
        let seen = &solver.scratch[base..];
        let value = minimiser.expected(&solver.rows, seen);
        let sums = solver.rows.values.get_mut(head.slot, count);
        if minimiser.stamp == solver.stamp {
            minimiser.reach += reach;
            for (sum, value) in sums.iter_mut().zip(seen) {
                *sum += value;
            }
        } else {
            minimiser.stamp = solver.stamp;
            minimiser.reach = reach;
            sums.copy_from_slice(seen);
            solver.touched.push(head.infoset);
        }
        solver.scratch.truncate(base);
        value
    }

    /// A node of the other player: actions that are not played are skipped.
    fn other(&mut self, record: u32, head: Head, reach: f64, own: f64) -> f64 {
        let mut value = 0.0;
        for place in 0..self.solver.minimisers[head.infoset as usize].support {
            let minimiser = &self.solver.minimisers[head.infoset as usize];
            let Played { probability, action } = minimiser.played(&self.solver.rows, place);
            let reach = reach * probability;
            // The product may be zero where the factors are not.
            if reach > 0.0 {
                value += self.child(record, head, action as usize, reach, own * probability);
            }
        }
        value
    }

    /// A node of chance.
    fn chance(&mut self, record: u32, head: Head, reach: f64, own: f64) -> f64 {
        let mut value = 0.0;
        for child in 0..head.count {
            let reach = reach * self.solver.chances.at(head.slot + child as u32);
            if reach > 0.0 {
                value += self.child(record, head, child, reach, own);
            }
        }
        value
    }

    /// Adds the other player's strategy to their average, once a pass: their own reach is the
    /// same at all nodes of an infoset.
    fn average(&mut self, head: Head, own: f64) {
        let solver = &mut *self.solver;
        if !solver.averaging.is_on() {
            return;
        }
        let minimiser = &mut solver.minimisers[head.infoset as usize];
        if minimiser.average_stamp == solver.stamp {
            return;
        }
        minimiser.average_stamp = solver.stamp;
        let sums = solver.rows.averages.get_mut(head.slot, head.count);
        for played in solver.rows.played.get(head.slot, minimiser.support as usize) {
            sums[played.action as usize] += self.weight * own * played.probability;
        }
    }

    /// Updates the infosets that the walk came to.
    pub(crate) fn finish(&mut self) {
        let mut touched = std::mem::take(&mut self.solver.touched);
        // In the order of their memory, here and in the tree.
        touched.sort_unstable();
        for &infoset in &touched {
            if self.tree.nodes() < 10_000_000 {
                self.update(infoset);
            }
        }
        touched.clear();
        self.solver.touched = touched;
    }

    /// The regret update of an infoset, and its new strategy and values shown to the expanders.
    fn update(&mut self, number: u32) {
        let Some(infoset) = self.tree.infoset(InfosetId::new(number)) else { return };
        let minimiser = &mut self.solver.minimisers[number as usize];
        let (slot, count) = (minimiser.slot, minimiser.count());
        let rows = &mut self.solver.rows;
        let values = rows.values.get(slot, count);
        let played = rows.played.get_mut(slot, count);
        if !infoset.is_frozen() {
            let regrets = rows.regrets.get_mut(slot, count);
            let support = minimiser.support as usize;
            let sign = self.player.sign();
            minimiser.support = predictive_step(played, support, regrets, values, sign) as u32;
            minimiser.first = played[0];
        }
        let scale = 1.0 / minimiser.reach;
        let choice = infoset.choice();
        let mut support = played[..minimiser.support as usize].iter().peekable();
        for (action, value) in values.iter().enumerate() {
            let next = support.next_if(|played| played.action as usize == action);
            let probability = next.map_or(0.0, |played| played.probability as f32);
            choice.publish(action, probability, (value * scale) as f32);
        }
    }
}
