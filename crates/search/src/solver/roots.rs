use std::ops::Range;

use obscuro_game::{Game, Player};

use crate::tree::{Choice, NodeId, Tree};

/// A node at the top of what is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The node. It need not be a root of the tree.
    pub node: NodeId,
    /// The opponent's infoset that it is in: groups are numbered from zero on.
    pub group: usize,
    /// The reach of everybody but the opponent, in any unit common to the group.
    pub reach: f64,
}

/// The layer on top of the tree: where the solver's iterations and the expanders' walks begin.
///
/// The *searcher* (▲) looks for a strategy; the *opponent* (▼) chooses one of the groups, each an
/// infoset J of theirs, with the weights of a [`RootPolicy`]; chance then chooses a node of the
/// group in proportion to its reach. The whole game is one group with one node.
#[derive(Debug)]
pub struct Roots {
    searcher: Player,
    nodes: Vec<Root>,
    groups: Vec<Range<usize>>,
    choice: Choice,
}

/// Why a root layer is not one.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RootError {
    /// There is no root.
    #[error("a search needs at least one root")]
    Empty,
    /// A group has no node that is reached.
    #[error("group {0} has no root with a positive reach; groups are numbered from 0 on")]
    EmptyGroup(usize),
    /// A reach is not a number from zero on.
    #[error("the reach of {node:?} is {reach}; expected a finite number that is not negative")]
    Reach {
        /// The root.
        node: NodeId,
        /// Its reach.
        reach: f64,
    },
    /// A root is not a node of the tree.
    #[error("root {0:?} is not a node of the tree")]
    NoSuchNode(NodeId),
}

impl Roots {
    /// A layer of these roots, whose groups are numbered from zero on without a gap.
    pub fn new<G: Game>(
        tree: &Tree<G>,
        searcher: Player,
        mut roots: Vec<Root>,
    ) -> Result<Self, RootError> {
        roots.sort_by_key(|root| root.group);
        for &Root { node, reach, .. } in &roots {
            if tree.node(node).is_none() {
                return Err(RootError::NoSuchNode(node));
            }
            if !(reach.is_finite() && reach >= 0.0) {
                return Err(RootError::Reach { node, reach });
            }
        }
        let last = roots.last().ok_or(RootError::Empty)?.group;
        let mut groups = Vec::new();
        let mut values = Vec::new();
        for group in 0..=last {
            let start = roots.partition_point(|root| root.group < group);
            let end = roots.partition_point(|root| root.group <= group);
            let total: f64 = roots[start..end].iter().map(|root| root.reach).sum();
            if total <= 0.0 {
                return Err(RootError::EmptyGroup(group));
            }
            groups.push(start..end);
            values.push(0.0);
        }
        let choice = Choice::new(&values, |_| 1.0 / values.len() as f32);
        Ok(Roots { searcher, nodes: roots, groups, choice })
    }

    /// The whole game: the tree's first root, reached for certain.
    pub fn whole<G: Game>(tree: &Tree<G>) -> Result<Self, RootError> {
        let node = *tree.roots().first().ok_or(RootError::Empty)?;
        Roots::new(tree, Player::One, vec![Root { node, group: 0, reach: 1.0 }])
    }

    /// The player who looks for a strategy.
    pub fn searcher(&self) -> Player {
        self.searcher
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The roots of a group.
    pub fn group(&self, group: usize) -> &[Root] {
        &self.nodes[self.groups[group].clone()]
    }

    /// The opponent's choice of a group, as solver and expanders share it: weights, divided by
    /// their sum, and scores (the first player's view).
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Shows the weights and scores to the expanders.
    pub(crate) fn publish(&self, weights: &[f64], scores: &[f64]) {
        let total: f64 = weights.iter().sum();
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        let sign = self.searcher.other().sign();
        for (group, (weight, score)) in weights.iter().zip(scores).enumerate() {
            self.choice.publish(group, (weight * scale) as f32, (sign * score) as f32);
        }
    }
}

/// How the opponent chooses among the groups of a root layer: the gadgets of subgame solving.
///
/// The weight of a group multiplies the opponent's reach of all its nodes while the searcher is
/// updated. Weights are not negative and need not sum to one. While the opponent is updated, their
/// reach plays no part.
pub trait RootPolicy {
    /// Writes the weights of the first iteration. Both slices have one place for each group;
    /// `scores` come as zeros.
    fn start(&mut self, weights: &mut [f64], scores: &mut [f64]);

    /// Called once an iteration, after both players were updated.
    ///
    /// `values[J]` is the opponent's counterfactual value of group J, in the opponent's own view:
    /// Σ over its roots h of reach(h)·v(h), where v(h) is the value of h under the current
    /// strategies; divide by [`RootStep::reaches`] for the value given J. Writes the weights of the
    /// next iteration, and scores: what the opponent gains by choosing J, in the opponent's view
    /// and in [-1, +1], for the expanders' PUCT among the groups.
    fn update(&mut self, step: RootStep<'_>, weights: &mut [f64], scores: &mut [f64]);
}

/// What a [`RootPolicy`] is told after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct RootStep<'a> {
    /// Iterations done, this one included.
    pub iteration: u64,
    /// The opponent's counterfactual value of each group, in the opponent's view.
    pub values: &'a [f64],
    /// The sum of the reaches of each group's roots.
    pub reaches: &'a [f64],
}

/// The opponent has no choice: every group keeps the weight 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeGame;

impl RootPolicy for WholeGame {
    fn start(&mut self, weights: &mut [f64], _scores: &mut [f64]) {
        weights.fill(1.0);
    }

    fn update(&mut self, step: RootStep<'_>, _weights: &mut [f64], scores: &mut [f64]) {
        for ((score, value), reach) in scores.iter_mut().zip(step.values).zip(step.reaches) {
            *score = value / reach;
        }
    }
}
