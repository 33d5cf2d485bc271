use std::collections::HashMap;

use obscuro_game::{Game, Player};

use crate::choose::Iterate;
use crate::solver::{Reach, Roots, Solver};
use crate::tree::{Branch, Expansion, InfosetId, Node, NodeId, Tree};

/// The last search, whose strategies are what a subgame improves on.
pub struct Blueprint<'a, G: Game> {
    pub(super) tree: &'a Tree<G>,
    pub(super) solver: &'a Solver,
    pub(super) roots: &'a Roots,
    iterate: Iterate,
    /// For every root of the layer its own reach and how often the opponent chooses its group.
    layer: HashMap<NodeId, (f64, f64)>,
}

impl<'a, G: Game> Blueprint<'a, G> {
    /// The profile that a solver found on a tree under a root layer.
    pub fn new(tree: &'a Tree<G>, solver: &'a Solver, roots: &'a Roots, iterate: Iterate) -> Self {
        let weights = solver.weights();
        let total: f64 = weights.iter().sum();
        let mut layer = HashMap::new();
        for group in 0..roots.groups() {
            let weight = weights.get(group).copied().unwrap_or(0.0);
            let chosen = if total > 0.0 { weight / total } else { 0.0 };
            layer.extend(roots.group(group).iter().map(|root| (root.node, (root.reach, chosen))));
        }
        Blueprint { tree, solver, roots, iterate, layer }
    }

    /// Who looks for a strategy.
    pub fn searcher(&self) -> Player {
        self.roots.searcher()
    }

    /// Which iterate of the solver it is.
    pub fn iterate(&self) -> Iterate {
        self.iterate
    }

    /// The strategy at an infoset.
    pub(super) fn strategy(&self, infoset: InfosetId) -> Vec<f64> {
        self.iterate.strategy(self.solver, infoset).unwrap_or_default()
    }

    /// The reach of a node, the root layer included: the opponent's choice of the group counts as
    /// theirs, the root's own reach as everybody else's. Nothing for a node that the layer does
    /// not lead to.
    pub(super) fn reach(&self, node: NodeId) -> Reach {
        let mut reach = Reach { players: [1.0; 2], chance: 1.0 };
        let nothing = Reach { players: [0.0; 2], chance: 0.0 };
        let Some(mut node) = self.tree.node(node) else { return nothing };
        loop {
            if let Some(&(own, chosen)) = self.layer.get(&node.id()) {
                reach.chance *= own;
                reach.players[self.roots.searcher().other().index()] *= chosen;
                return reach;
            }
            let Some((above, action)) = node.parent() else { return nothing };
            match node.siblings().branch() {
                Branch::Root => {}
                Branch::Chance(outcomes) => reach.chance *= outcomes[action].1,
                &Branch::Player(player, infoset) => {
                    let probability = self.strategy(infoset).get(action).copied();
                    reach.players[player.index()] *= probability.unwrap_or(0.0);
                }
            }
            node = above;
        }
    }

    /// The first player's value of a node under the profile, leaves at their values.
    pub(super) fn value(&self, id: NodeId) -> f64 {
        let Some(node) = self.tree.node(id) else { return 0.0 };
        match self.iterate {
            Iterate::Last => match self.solver.expected_value(self.tree, id) {
                Some(value) => value,
                // Expanded after the last iteration.
                None => f64::from(node.value()),
            },
            Iterate::Average => self.average_value(node),
        }
    }

    fn average_value(&self, node: Node<'_, G>) -> f64 {
        let Some(expansion) = node.expansion() else { return f64::from(node.value()) };
        let below = |action| self.value(expansion.child(action));
        match expansion.branch() {
            Branch::Root => below(0),
            Branch::Chance(outcomes) => weighted(outcomes.iter().map(|o| o.1), below),
            &Branch::Player(_, infoset) => {
                let strategy = self.strategy(infoset);
                if strategy.is_empty() {
                    return f64::from(node.value());
                }
                weighted(strategy.into_iter(), below)
            }
        }
    }

    /// The expanded nodes of some infosets, each with the reach of everybody but the opponent.
    pub(super) fn nodes_of(
        &self,
        infosets: impl IntoIterator<Item = InfosetId>,
    ) -> HashMap<InfosetId, Vec<(&'a Expansion<G>, f64)>> {
        let opponent = self.roots.searcher().other();
        let mut nodes: HashMap<_, Vec<_>> =
            infosets.into_iter().map(|infoset| (infoset, Vec::new())).collect();
        for number in 0.. {
            let Some(expansion) = self.tree.expansion_by_number(number) else { break };
            if let Some(members) = expansion.infoset().and_then(|infoset| nodes.get_mut(&infoset))
                && let Some(first) = expansion.children().next()
                && let Some((node, _)) = self.tree.node(first).and_then(|child| child.parent())
            {
                members.push((expansion, self.reach(node.id()).without(opponent)));
            }
        }
        nodes
    }
}

/// Σ p(a)·value(a), the actions that are not played left out.
fn weighted(probabilities: impl Iterator<Item = f64>, value: impl Fn(usize) -> f64) -> f64 {
    let played = probabilities.enumerate().filter(|(_, probability)| *probability > 0.0);
    played.map(|(action, probability)| probability * value(action)).sum()
}
