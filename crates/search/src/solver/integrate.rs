//! How the solver's copy of the tree follows the tree.

use obscuro_game::Game;

use super::Solver;
use super::minimiser::Minimiser;
use super::record::{Chooser, HEADER, size};
use super::regret::Played;
use crate::tree::{Branch, InfosetId, Tree};

/// A first layout is not worth while before so many expansions.
const FEW: usize = 1_000;

impl Solver {
    /// Takes over what was added to the tree's log since the last time.
    pub(crate) fn integrate<G: Game>(&mut self, tree: &Tree<G>) {
        // An expansion that is still being written ends it: those above a node must be here first.
        while let Some(expansion) = tree.expansion_by_number(self.records.len() as u32) {
            match expansion.branch() {
                Branch::Root => self.records.push(expansion, Chooser::Root, 0, 0),
                Branch::Chance(outcomes) => {
                    let slot = self.chances.push(outcomes.len());
                    let probabilities = self.chances.get_mut(slot, outcomes.len());
                    for (place, outcome) in probabilities.iter_mut().zip(outcomes) {
                        *place = outcome.1;
                    }
                    self.records.push(expansion, Chooser::Chance, 0, slot);
                }
                &Branch::Player(player, infoset) => {
                    let place = self.meet(tree, infoset);
                    let slot = self.minimisers.at(place).slot;
                    self.records.push(expansion, player.into(), place, slot);
                }
            }
        }
        if self.records.len() > self.records.laid_out * 9 / 8 + FEW {
            self.lay_out();
        }
    }

    /// The place of an infoset's minimiser, made with the strategy that the tree shows if it is new.
    fn meet<G: Game>(&mut self, tree: &Tree<G>, id: InfosetId) -> u32 {
        if let Some(place) = self.minimisers.place(id) {
            return place;
        }
        let mut minimiser = Minimiser { infoset: id.get(), ..Minimiser::default() };
        if let Some(infoset) = tree.infoset(id) {
            let choice = infoset.choice();
            let count = choice.actions();
            minimiser.actions = count as u32;
            minimiser.slot = self.rows.push(count, self.averaging.is_on());
            let played = self.rows.played.get_mut(minimiser.slot, count);
            for action in 0..count {
                let probability = f64::from(choice.probability(action));
                if probability > 0.0 {
                    played[minimiser.support as usize] =
                        Played { probability, action: action as u32 };
                    minimiser.support += 1;
                }
            }
            minimiser.keep_first(played);
        }
        self.minimisers.push(minimiser)
    }

    /// Lays records and minimisers out in the order in which a pass comes to them: breadth first.
    /// On a large tree a pass is bound by the memory, and expansions come in another order.
    fn lay_out(&mut self) {
        let averaging = self.averaging.is_on();
        let mut words = self.records.words.fresh();
        let mut links = self.records.links.fresh();
        let mut rows = self.rows.fresh();
        let mut minimisers = self.minimisers.fresh();
        // A record to copy, and the place of the link to it: zero for that of a root.
        let roots = self.records.offsets.iter().copied();
        let roots = roots.filter(|&record| self.records.head(record).chooser == Chooser::Root);
        let mut queue: Vec<(u32, u32)> = roots.map(|record| (record, 0)).collect();
        let mut next = 0;
        while let Some(&(record, link)) = queue.get(next) {
            next += 1;
            let head = self.records.head(record);
            let new = words.copy(&self.records.words, record, size(head.count));
            if link != 0 {
                links.get_mut(link, 1)[0] = new;
            }
            self.records.offsets[head.expansion.index()] = new;
            if matches!(head.chooser, Chooser::One | Chooser::Two) {
                let old = self.minimisers.at(head.minimiser);
                let place = minimisers.place(InfosetId::new(old.infoset)).unwrap_or_else(|| {
                    let slot = rows.copy(&self.rows, old.slot, old.count(), averaging);
                    minimisers.push(Minimiser { slot, ..old.clone() })
                });
                let slot = minimisers.at(place).slot;
                words.get_mut(new, HEADER)[1..3].copy_from_slice(&[place, slot]);
            }
            if head.links != 0 {
                let old = self.records.links.get(head.links, head.count);
                let start = links.copy(&self.records.links, head.links, head.count);
                words.get_mut(new, HEADER)[5] = start;
                let below = (start..).zip(old).filter(|(_, below)| **below != 0);
                queue.extend(below.map(|(link, &below)| (below, link)));
            }
        }
        self.records.words = words;
        self.records.links = links;
        self.records.laid_out = self.records.offsets.len();
        self.rows = rows;
        self.minimisers = minimisers;
    }
}
