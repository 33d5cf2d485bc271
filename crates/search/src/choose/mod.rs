//! The choice of an action from what a search found (paper, B.3.7).

use std::time::Duration;

use obscuro_game::{Game, InfosetKey, Player, SplitMix64};

use crate::expand::{Limits, Observer};
use crate::solver::{Averaging, Solver};
use crate::tree::{InfosetId, Tree};

/// Which iterate of the solver is the strategy: what is played, and what the next subgame takes
/// for its blueprint (paper, B.3.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Iterate {
    /// The last one, the paper's.
    #[default]
    Last,
    /// The average, of which convergence is proven. Where a player never played to it is the last.
    Average,
}

impl Iterate {
    /// What the solver must keep: later iterates count more, iterate t by t².
    pub fn averaging(self) -> Averaging {
        match self {
            Iterate::Last => Averaging::Off,
            Iterate::Average => Averaging::Quadratic,
        }
    }

    /// The strategy at an infoset, if the solver has met it.
    pub fn strategy(self, solver: &Solver, infoset: InfosetId) -> Option<Vec<f64>> {
        let average = match self {
            Iterate::Last => None,
            Iterate::Average => solver.average(infoset),
        };
        average.or_else(|| solver.strategy(infoset))
    }
}

/// How much randomness of the computed strategy is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purification {
    /// The most likely action while Resolve is in force (we are not safe), otherwise a mixture of
    /// it and of other *stable* actions, at most so many in all: the paper's, with 3.
    Partial {
        /// The most actions in a mixture.
        actions: usize,
    },
    /// The most likely action, always.
    Full,
    /// All stable actions, always: purification off, as in the paper's ablation.
    Stable,
    /// The computed strategy as it is.
    Off,
}

impl Default for Purification {
    fn default() -> Self {
        Purification::Partial { actions: 3 }
    }
}

/// The strategy that is played in place of `strategy`: what purification leaves of it.
///
/// `stable` says which actions were in the support all through the second half of the search;
/// the most likely action counts as stable. The mass of what is left out goes to the most likely
/// action.
///
/// ```
/// use obscuro_search::choose::{Purification, purify};
/// let strategy = [0.5, 0.125, 0.0, 0.125, 0.25];
/// let stable = [true, true, false, false, true];
/// let safe = purify(&strategy, &stable, 0.0, Purification::default());
/// assert_eq!(safe, [0.625, 0.125, 0.0, 0.0, 0.25]);
/// let unsafe_ = purify(&strategy, &stable, 0.01, Purification::default());
/// assert_eq!(unsafe_, [1.0, 0.0, 0.0, 0.0, 0.0]);
/// ```
pub fn purify(
    strategy: &[f64],
    stable: &[bool],
    p_max: f64,
    purification: Purification,
) -> Vec<f64> {
    let most_likely = most_likely(strategy);
    let actions = match purification {
        Purification::Off => return strategy.to_vec(),
        Purification::Stable => usize::MAX,
        Purification::Full => 1,
        Purification::Partial { .. } if p_max > 0.0 => 1,
        Purification::Partial { actions } => actions.max(1),
    };
    let mut order: Vec<usize> = (0..strategy.len())
        .filter(|&action| action != most_likely && stable[action] && strategy[action] > 0.0)
        .collect();
    order.sort_by(|&a, &b| strategy[b].total_cmp(&strategy[a]));
    order.truncate(actions - 1);
    let mut played = vec![0.0; strategy.len()];
    let mut rest = strategy.iter().sum::<f64>();
    for action in order {
        played[action] = strategy[action];
        rest -= strategy[action];
    }
    played[most_likely] = rest;
    played
}

/// The first of the actions with the largest probability.
pub fn most_likely(strategy: &[f64]) -> usize {
    let mut best = 0;
    for (action, probability) in strategy.iter().enumerate() {
        if *probability > strategy[best] {
            best = action;
        }
    }
    best
}

/// An action drawn from a strategy.
pub fn draw(strategy: &[f64], rng: &mut SplitMix64) -> usize {
    let total: f64 = strategy.iter().sum();
    rng.weighted(strategy.iter().map(|probability| probability / total))
}

/// Watches which actions of an infoset stay in the support from the middle of a search on.
///
/// The middle is half of the limit that is used up first: of time, iterations, expansions or
/// nodes.
pub struct Stability<'a, G: Game> {
    tree: &'a Tree<G>,
    player: Player,
    key: InfosetKey,
    limits: Limits,
    start: Used,
    infoset: Option<InfosetId>,
    stable: Option<Vec<bool>>,
}

#[derive(Clone, Copy)]
struct Used {
    iterations: u64,
    expansions: u32,
    nodes: u32,
}

impl<'a, G: Game> Stability<'a, G> {
    /// Watches `player`'s infoset `key` in a search that begins now.
    pub fn new(
        tree: &'a Tree<G>,
        solver: &Solver,
        player: Player,
        key: InfosetKey,
        limits: Limits,
    ) -> Self {
        let start = Used {
            iterations: solver.iterations(),
            expansions: tree.expansions(),
            nodes: tree.nodes(),
        };
        Stability { tree, player, key, limits, start, infoset: None, stable: None }
    }

    /// Which actions were in the support of every iteration since the middle of the search;
    /// nothing if it never came to its middle.
    pub fn stable(self) -> Option<Vec<bool>> {
        self.stable
    }

    fn is_second_half(&self, solver: &Solver, elapsed: Duration) -> bool {
        let Limits { time, nodes, bytes: _, expansions, iterations } = self.limits;
        let done = solver.iterations() - self.start.iterations;
        let expanded = u64::from(self.tree.expansions() - self.start.expansions);
        let grown = self.tree.nodes() - self.start.nodes;
        let room = |limit: u32| limit.saturating_sub(self.start.nodes);
        time.is_some_and(|limit| elapsed * 2 >= limit)
            || iterations.is_some_and(|limit| done * 2 >= limit)
            || expansions.is_some_and(|limit| expanded * 2 >= limit)
            || nodes.is_some_and(|limit| grown * 2 >= room(limit))
    }
}

impl<G: Game> Observer for Stability<'_, G> {
    fn iteration(&mut self, solver: &Solver, elapsed: Duration) {
        if self.infoset.is_none() {
            self.infoset = self.tree.find_infoset(self.player, self.key);
        }
        if self.stable.is_none() && !self.is_second_half(solver, elapsed) {
            return;
        }
        let Some(strategy) = self.infoset.and_then(|infoset| solver.strategy(infoset)) else {
            return;
        };
        let stable = self.stable.get_or_insert_with(|| vec![true; strategy.len()]);
        for (stable, probability) in stable.iter_mut().zip(strategy) {
            *stable &= probability > 0.0;
        }
    }
}
