use obscuro_game::{Game, Player};

use super::Solver;
use super::minimiser::Minimiser;
use super::record::{Chooser, Head};
use super::regret::predictive_step;
use crate::tree::{Infoset, InfosetId, Tree};

/// One walk over the tree that updates one player.
///
/// Down: the reached expansions are visited breadth first, from a queue. That order, in which the
/// records lie as well, makes the many loads of a large tree independent of each other, where a
/// recursion would wait for them one after the other. Up: the queue is run through backwards, and
/// every value is added to the parent's. Then the infosets that were reached are updated.
///
/// Values are the first player's throughout; a reach is that of everybody but the updated player.
pub(crate) struct Pass<'a, G: Game> {
    pub(crate) solver: &'a mut Solver,
    pub(crate) tree: &'a Tree<G>,
    pub(crate) player: Player,
    /// The weight of the iteration in the average.
    pub(crate) weight: f64,
}

/// A reached node in the queue of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    record: u32,
    /// The place in the queue of the node above, or [`TOP`].
    parent: u32,
    /// Where the value belongs in the row of counterfactual values, if the node above is the
    /// updated player's; otherwise zero.
    target: u32,
    reach: f64,
    /// The other player's own reach, for their average strategy.
    own: f64,
    /// What the value counts for in the value of the node above.
    share: f64,
    /// The counterfactual value, complete when all nodes below are.
    value: f64,
}

/// The parent of a node at the top.
const TOP: u32 = u32::MAX;
/// Items that are looked at together before they are visited.
const BLOCK: usize = 32;

impl<G: Game> Pass<'_, G> {
    /// Enters a child of a record from the top. Gives its value if it is a leaf, and otherwise its
    /// place in the queue.
    pub(crate) fn enter(
        &mut self,
        record: u32,
        child: usize,
        reach: f64,
        own: f64,
    ) -> Result<f64, usize> {
        self.solver.visits += 1;
        let head = self.solver.records.head(record);
        let below = self.solver.records.below(head, child);
        if below == 0 {
            return Ok(reach * self.solver.records.value(record, child));
        }
        let (parent, target, share, value) = (TOP, 0, 1.0, 0.0);
        let item = Item { record: below, parent, target, reach, own, share, value };
        self.solver.queue.push(item);
        Err(self.solver.queue.len() - 1)
    }

    /// Visits everything below what was entered, and updates the infosets.
    pub(crate) fn run(&mut self) {
        self.solver.touches = 0;
        self.solver.touched.resize(self.solver.minimisers.len() + 1, 0);
        let mut start = 0;
        while start < self.solver.queue.len() {
            let end = self.solver.queue.len().min(start + BLOCK);
            // A short loop without a branch, so that the loads of the whole block overlap.
            let mut looked = [None; BLOCK];
            for (place, item) in looked.iter_mut().zip(&self.solver.queue[start..end]) {
                *place = Some(self.solver.records.head(item.record));
            }
            let items = &self.solver.queue[start..end];
            let near = items.iter().zip(looked.iter().flatten());
            let near = near.map(|(item, head)| self.touch(item.record, head));
            std::hint::black_box(near.fold(0, u32::wrapping_add));
            for (i, head) in (start..end).zip(looked.into_iter().flatten()) {
                self.visit(i, head);
            }
            start = end;
        }
        self.ascend();
        self.update_touched();
    }

    /// Reads what the visit of a node of a player will read first.
    #[inline]
    fn touch(&self, record: u32, head: &Head) -> u32 {
        let solver = &*self.solver;
        match head.chooser {
            Chooser::Chance | Chooser::Root => 0,
            chooser if chooser == Chooser::from(self.player) => {
                let minimiser = solver.minimisers.at(head.minimiser);
                let leaves = solver.records.values(record, head.count);
                minimiser
                    .support
                    .wrapping_add(leaves[head.count - 1])
                    .wrapping_add(solver.rows.values.touch(head.slot, head.count))
            }
            Chooser::One | Chooser::Two => {
                let child = solver.minimisers.at(head.minimiser).first[0].action as usize;
                solver.records.below(*head, child)
            }
        }
    }

    fn visit(&mut self, i: usize, head: Head) {
        if !head.seen {
            self.solver.records.set_seen(self.solver.queue[i].record);
            if let Some(expansion) = self.tree.expansion_by_id(head.expansion) {
                expansion.set_seen();
            }
        }
        match head.chooser {
            Chooser::Chance => self.chance(i, head),
            // The tree's roots are above every queue.
            Chooser::Root => {}
            chooser if chooser == Chooser::from(self.player) => self.own(i, head),
            Chooser::One | Chooser::Two => {
                self.average(i, head);
                self.other(i, head);
            }
        }
    }

    /// A node of the updated player: all actions are valued. The stored value of an expanded child
    /// is zero; its value comes on the way up.
    fn own(&mut self, i: usize, head: Head) {
        let solver = &mut *self.solver;
        let Item { record, reach, own, .. } = solver.queue[i];
        solver.visits += head.count as u64;
        let minimiser = solver.minimisers.at_mut(head.minimiser);
        let leaves = solver.records.values(record, head.count);
        let leaf = |bits: u32| reach * f64::from(f32::from_bits(bits));
        // Without branches where they could not be foreseen: on a large tree they cost more than
        // the arithmetic.
        let first = minimiser.stamp != solver.stamp;
        let kept = if first { 0.0 } else { 1.0 };
        minimiser.stamp = solver.stamp;
        minimiser.reach = kept * minimiser.reach + reach;
        let sums = solver.rows.values.get_mut(head.slot, head.count);
        for (sum, &bits) in sums.iter_mut().zip(leaves) {
            *sum = kept * *sum + leaf(bits);
        }
        solver.touched[solver.touches] = head.minimiser;
        solver.touches += usize::from(first);
        let minimiser: &Minimiser = minimiser;
        let mut value = 0.0;
        for place in 0..minimiser.support {
            let played = minimiser.played(&solver.rows, place);
            value += played.probability * leaf(leaves[played.action as usize]);
        }
        solver.queue[i].value = value;
        if head.expanded == 0 {
            return;
        }
        let links = solver.records.links.get(head.links, head.count);
        let start = solver.queue.len();
        for (group, &expanded) in solver.records.expanded(record, head.count).iter().enumerate() {
            let mut left = expanded;
            while left != 0 {
                let child = 32 * group as u32 + left.trailing_zeros();
                left &= left - 1;
                let record = links[child as usize];
                let (parent, target) = (i as u32, head.slot + child);
                let item = Item { record, parent, target, reach, own, share: 0.0, value: 0.0 };
                solver.queue.push(item);
            }
        }
        for place in 0..minimiser.support {
            let played = minimiser.played(&solver.rows, place);
            let expanded = solver.records.expanded(record, head.count);
            let (group, bit) = (played.action as usize / 32, played.action % 32);
            if expanded[group] >> bit & 1 == 1 {
                let before: u32 = expanded[..group].iter().map(|word| word.count_ones()).sum();
                let rank = before + (expanded[group] & ((1 << bit) - 1)).count_ones();
                solver.queue[start + rank as usize].share = played.probability;
            }
        }
    }

    /// A node of the other player: actions that are not played are skipped.
    fn other(&mut self, i: usize, head: Head) {
        let own = self.solver.queue[i].own;
        for place in 0..self.solver.minimisers.at(head.minimiser).support {
            let minimiser = self.solver.minimisers.at(head.minimiser);
            let played = minimiser.played(&self.solver.rows, place);
            let own = own * played.probability;
            self.child(i, head, played.action as usize, played.probability, own);
        }
    }

    /// A node of chance.
    fn chance(&mut self, i: usize, head: Head) {
        let own = self.solver.queue[i].own;
        for child in 0..head.count {
            let probability = self.solver.chances.at(head.slot + child as u32);
            self.child(i, head, child, probability, own);
        }
    }

    /// A child that somebody but the updated player plays to.
    #[inline]
    fn child(&mut self, i: usize, head: Head, child: usize, probability: f64, own: f64) {
        let solver = &mut *self.solver;
        let Item { record, reach, .. } = solver.queue[i];
        let reach = reach * probability;
        // The product may be zero where the factors are not.
        if reach <= 0.0 {
            return;
        }
        solver.visits += 1;
        let below = solver.records.below(head, child);
        if below == 0 {
            solver.queue[i].value += reach * solver.records.value(record, child);
        } else {
            let (parent, target, share, value) = (i as u32, 0, 1.0, 0.0);
            solver.queue.push(Item { record: below, parent, target, reach, own, share, value });
        }
    }

    /// Adds the other player's strategy to their average, once a pass: their own reach is the
    /// same at all nodes of an infoset.
    fn average(&mut self, i: usize, head: Head) {
        let solver = &mut *self.solver;
        if !solver.averaging.is_on() {
            return;
        }
        let minimiser = solver.minimisers.at_mut(head.minimiser);
        if minimiser.average_stamp == solver.stamp {
            return;
        }
        minimiser.average_stamp = solver.stamp;
        let weight = self.weight * solver.queue[i].own;
        let sums = solver.rows.averages.get_mut(head.slot, head.count);
        for played in solver.rows.played.get(head.slot, minimiser.support as usize) {
            sums[played.action as usize] += weight * played.probability;
        }
    }

    /// From the last visited to the first: those below a node come before it.
    fn ascend(&mut self) {
        let solver = &mut *self.solver;
        for i in (0..solver.queue.len()).rev() {
            let Item { parent, target, share, value, .. } = solver.queue[i];
            if let Some(above) = solver.queue.get_mut(parent as usize) {
                above.value += share * value;
            }
            if target != 0 {
                solver.rows.values.get_mut(target, 1)[0] += value;
            }
        }
    }

    /// The value of what was entered at this place of the queue, when the pass has run.
    pub(crate) fn value(&self, place: usize) -> f64 {
        self.solver.queue[place].value
    }

    fn update_touched(&mut self) {
        let mut touched = std::mem::take(&mut self.solver.touched);
        // In the order of their memory.
        let reached = &mut touched[..self.solver.touches];
        reached.sort_unstable();
        for block in reached.chunks(BLOCK) {
            let mut infosets = [None; BLOCK];
            for (infoset, &place) in infosets.iter_mut().zip(block) {
                let number = self.solver.minimisers.at(place).infoset;
                *infoset = self.tree.infoset(InfosetId::new(number));
            }
            let touch = |(infoset, &place): (&Option<&Infoset<_>>, _)| {
                let minimiser = self.solver.minimisers.at(place);
                let regrets = self.solver.rows.regrets.touch(minimiser.slot, minimiser.count());
                regrets + infoset.map_or(0, |infoset| infoset.choice().touch())
            };
            std::hint::black_box(infosets.iter().zip(block).map(touch).sum::<u32>());
            for (infoset, &place) in infosets.iter().zip(block) {
                if let Some(infoset) = infoset {
                    self.update(place, infoset);
                }
            }
        }
        self.solver.touched = touched;
    }

    /// The regret update of an infoset, and its new strategy and values shown to the expanders.
    fn update(&mut self, place: u32, infoset: &Infoset<G::Action>) {
        let minimiser = self.solver.minimisers.at_mut(place);
        let (slot, count) = (minimiser.slot, minimiser.count());
        let rows = &mut self.solver.rows;
        let values = rows.values.get(slot, count);
        let played = rows.played.get_mut(slot, count);
        let choice = infoset.choice();
        if !infoset.is_frozen() {
            let regrets = rows.regrets.get_mut(slot, count);
            let support = minimiser.support as usize;
            for played in &played[..support] {
                choice.publish_probability(played.action as usize, 0.0);
            }
            let sign = self.player.sign();
            minimiser.support = predictive_step(played, support, regrets, values, sign) as u32;
            minimiser.keep_first(played);
        }
        for played in &played[..minimiser.support as usize] {
            choice.publish_probability(played.action as usize, played.probability as f32);
        }
        let scale = 1.0 / minimiser.reach;
        choice.publish_values(values.iter().map(|value| (value * scale) as f32));
    }
}
