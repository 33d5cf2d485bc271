//! The solver on the growing tree: PCFR+ with partial pruning.
//!
//! One iteration updates the searcher and then the opponent. A pass walks the tree from the
//! [`Roots`] down, adds π₋ᵢ(h)·v(h) at leaves, skips what the others play to with probability
//! zero, and makes one step of predictive regret matching plus at every infoset that it came to.
//! The last iterate is the strategy; an average is kept if asked for.
//!
//! The solver works on its own copy of the tree's shape, in plain memory that no other thread
//! sees: between iterations it takes over what the expanders have added to the tree's log. It
//! hands back, as relaxed atomics, the current strategy and the value of each action. So there is
//! no lock and no data race, and within an iteration the tree stands still.
//!
//! Decisions that the paper leaves open:
//!
//! - Where no regret is positive the strategy stays as it is (see `regret.rs`).
//! - An infoset that the others do not reach in an iteration is left alone, prediction included.
//! - Regrets and strategies are f64. They cost 24 bytes an action, well within the budget of a
//!   node, and the solver is bound by memory latency rather than by arithmetic; in f32 the regrets
//!   of long searches stop to add up, and runs can no longer be compared with a reference.

mod blocks;
mod import;
mod integrate;
mod minimiser;
mod pass;
mod profile;
mod record;
mod regret;
mod roots;

use obscuro_game::{Game, Player};

pub use import::StrategyError;
pub use profile::{ActionValues, Reach};
pub use roots::{Root, RootError, RootPolicy, RootStep, Roots, WholeGame};

use crate::tree::{Retained, Tree};
use blocks::Blocks;
use minimiser::{Minimisers, Rows};
use pass::{Item, Pass};
use record::Records;

/// Which average of the iterates is kept, in sequence form: every iterate counts by the player's
/// own reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Averaging {
    /// None; saves 8 bytes an action.
    #[default]
    Off,
    /// All iterates alike.
    Uniform,
    /// Iterate t with weight t.
    Linear,
    /// Iterate t with weight t².
    Quadratic,
}

impl Averaging {
    pub(crate) fn is_on(self) -> bool {
        self != Averaging::Off
    }

    fn weight(self, iteration: u64) -> f64 {
        let t = iteration as f64;
        match self {
            Averaging::Off => 0.0,
            Averaging::Uniform => 1.0,
            Averaging::Linear => t,
            Averaging::Quadratic => t * t,
        }
    }
}

/// The regrets and strategies of both players on one tree.
///
/// All methods that take a tree must be given the one that the solver has worked on so far.
pub struct Solver {
    averaging: Averaging,
    records: Records,
    rows: Rows,
    /// The probabilities of chance.
    chances: Blocks<f64>,
    minimisers: Minimisers,
    /// The number of the current pass, from one on.
    stamp: u32,
    /// The minimisers that a pass came to, in the first `touches` places.
    touched: Vec<u32>,
    touches: usize,
    queue: Vec<Item>,
    weights: Vec<f64>,
    scores: Vec<f64>,
    group_values: Vec<f64>,
    group_reaches: Vec<f64>,
    value: f64,
    iterations: u64,
    visits: u64,
}

impl Solver {
    /// A solver that has seen nothing.
    pub fn new(averaging: Averaging) -> Self {
        Solver {
            averaging,
            records: Records::new(),
            rows: Rows::new(),
            chances: Blocks::new(),
            minimisers: Minimisers::default(),
            stamp: 0,
            touched: Vec::new(),
            touches: 0,
            queue: Vec::new(),
            weights: Vec::new(),
            scores: Vec::new(),
            group_values: Vec::new(),
            group_reaches: Vec::new(),
            value: 0.0,
            iterations: 0,
            visits: 0,
        }
    }

    /// A solver for a tree that was kept of this solver's tree, with the regrets, strategies, last
    /// values and averages of the infosets that were kept. Its iterations count from zero.
    #[must_use]
    pub fn carried<G: Game>(&self, retained: &Retained<G>) -> Self {
        let mut solver = Solver::new(self.averaging);
        solver.integrate(&retained.tree);
        for old in self.minimisers.iter() {
            let Some(&Some(new)) = retained.infosets.get(old.infoset as usize) else { continue };
            if let Some(minimiser) = solver.minimisers.of_mut(new) {
                let averaging = self.averaging.is_on();
                minimiser.reach = old.reach;
                minimiser.support = old.support;
                minimiser.first = old.first;
                solver.rows.overwrite(minimiser.slot, &self.rows, old.slot, old.count(), averaging);
            }
        }
        solver
    }

    /// One iteration: the searcher is updated, then the opponent, then the root policy.
    pub fn iterate<G: Game>(&mut self, tree: &Tree<G>, roots: &Roots, policy: &mut dyn RootPolicy) {
        self.integrate(tree);
        if self.weights.len() != roots.groups() || self.iterations == 0 {
            self.start(roots, policy);
        }
        self.iterations += 1;
        for player in [roots.searcher(), roots.searcher().other()] {
            self.pass(tree, roots, player);
        }
        let sign = roots.searcher().other().sign();
        for value in &mut self.group_values {
            *value *= sign;
        }
        let step = RootStep {
            iteration: self.iterations,
            values: &self.group_values,
            reaches: &self.group_reaches,
        };
        policy.update(step, &mut self.weights, &mut self.scores);
        roots.publish(&self.weights, &self.scores);
    }

    fn start(&mut self, roots: &Roots, policy: &mut dyn RootPolicy) {
        let groups = roots.groups();
        for slots in [&mut self.weights, &mut self.scores, &mut self.group_values] {
            slots.clear();
            slots.resize(groups, 0.0);
        }
        let reach = |group| roots.group(group).iter().map(|root| root.reach).sum();
        self.group_reaches = (0..groups).map(reach).collect();
        policy.start(&mut self.weights, &mut self.scores);
        roots.publish(&self.weights, &self.scores);
    }

    fn pass<G: Game>(&mut self, tree: &Tree<G>, roots: &Roots, player: Player) {
        self.stamp = self.stamp.wrapping_add(1);
        let weight = self.averaging.weight(self.iterations);
        self.queue.clear();
        self.group_values.fill(0.0);
        let mut pass = Pass { solver: self, tree, player, weight };
        let mut entered = Vec::new();
        let mut total = 0.0;
        for group in 0..roots.groups() {
            let chosen = pass.solver.weights[group];
            let (scale, own) =
                if player == roots.searcher() { (chosen, chosen) } else { (1.0, 1.0) };
            for root in roots.group(group) {
                let reach = scale * root.reach;
                let Some(node) = tree.node(root.node).filter(|_| reach > 0.0) else { continue };
                let place = node.place();
                let Some(record) = pass.solver.records.of(place.expansion) else { continue };
                total += reach;
                match pass.enter(record, place.index as usize, reach, own) {
                    Ok(value) => pass.solver.group_values[group] += value,
                    Err(place) => entered.push((group, place)),
                }
            }
        }
        pass.run();
        for (group, place) in entered {
            let value = pass.value(place);
            pass.solver.group_values[group] += value;
        }
        if player == roots.searcher() && total > 0.0 {
            self.value = self.group_values.iter().sum::<f64>() / total;
        }
    }

    /// Takes over the weights of the groups from the solver of an equal root layer.
    pub(crate) fn adopt_weights(&mut self, other: &Solver) {
        self.weights.clone_from(&other.weights);
        self.value = other.value;
    }

    /// Iterations done.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Nodes visited in all passes, leaves included.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The first player's value of the whole root layer under the strategies that the last
    /// iteration began with; v* of the paper's B.1.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The current weights of the groups.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.records.bytes()
            + self.rows.bytes()
            + self.chances.bytes()
            + self.minimisers.bytes()
            + self.queue.capacity() * size_of::<Item>()
    }
}
