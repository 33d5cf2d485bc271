use std::collections::BTreeMap;

use obscuro_game::{Game, Player};

use super::construct::Blueprint;
use crate::tree::{Branch, InfosetId, NodeId};

/// By which strategy of the opponent alternate values and gifts are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlternateValues {
    /// The current one: u(x, y | J), the paper's choice for a blueprint that is itself rough.
    #[default]
    Profile,
    /// A best response to ours: u*(x | J), the textbook's.
    BestResponse,
}

/// The alternate value of an opponent's infoset J whose nodes are `nodes`, in the searcher's view
/// and conditional on J: u(· | J) − ĝ(J).
///
/// The gift ĝ(J) = Σ over the opponent's sequences J'a' ⪯ J of [ucf(J'a') − ucf(J')]⁺ is what the
/// opponent gave away on the way to J. Counterfactual values carry the reach of everybody but the
/// opponent *to J'*; dividing the sum by that reach *to J* brings it to the unit of u(· | J).
pub fn alternate_values<G: Game>(
    blueprint: &Blueprint<'_, G>,
    nodes: &[(NodeId, f64)],
    kind: AlternateValues,
) -> f64 {
    let reach: f64 = nodes.iter().map(|node| node.1).sum();
    if reach <= 0.0 {
        return 0.0;
    }
    let value = blueprint.value(nodes, kind);
    let gift = nodes.first().map_or(0.0, |&(node, _)| blueprint.gift(node, kind));
    ((value - gift) / reach).clamp(-1.0, 1.0)
}

impl<G: Game> Blueprint<'_, G> {
    /// Σ reach(h) · u(h) over some nodes, in the searcher's view.
    fn value(&self, nodes: &[(NodeId, f64)], kind: AlternateValues) -> f64 {
        let sign = self.roots.searcher().sign();
        match kind {
            AlternateValues::Profile => {
                let value = |&(node, reach): &(NodeId, f64)| {
                    reach * self.solver.expected_value(self.tree, node).unwrap_or(0.0)
                };
                sign * nodes.iter().map(value).sum::<f64>()
            }
            AlternateValues::BestResponse => self.best_response(nodes.to_vec()),
        }
    }

    /// What the opponent's best response leaves the searcher at nodes of which the opponent does
    /// not know which one it is: Σ reach(h) · u*(x | h), in the searcher's view.
    fn best_response(&self, nodes: Vec<(NodeId, f64)>) -> f64 {
        let searcher = self.roots.searcher();
        let mut value = 0.0;
        let mut infosets: BTreeMap<InfosetId, Vec<(NodeId, f64)>> = BTreeMap::new();
        let mut pending = nodes;
        while let Some((id, reach)) = pending.pop() {
            let Some(node) = self.tree.node(id) else { continue };
            let Some(expansion) = node.expansion() else {
                value += reach * searcher.sign() * f64::from(node.value());
                continue;
            };
            match expansion.branch() {
                Branch::Root => {}
                Branch::Chance(outcomes) => {
                    let children = expansion.children().zip(outcomes);
                    pending.extend(children.map(|(child, outcome)| (child, reach * outcome.1)));
                }
                &Branch::Player(player, infoset) if player == searcher => {
                    let strategy = self.solver.strategy(infoset).unwrap_or_default();
                    let children = expansion.children().zip(strategy).filter(|c| c.1 > 0.0);
                    pending.extend(children.map(|(child, p)| (child, reach * p)));
                }
                &Branch::Player(_, infoset) => {
                    infosets.entry(infoset).or_default().push((id, reach));
                }
            }
        }
        for nodes in infosets.into_values() {
            value += self.action_values(&nodes).into_iter().fold(f64::INFINITY, f64::min);
        }
        value
    }

    /// What each action of the opponent at the nodes of one infoset of theirs is worth to the
    /// searcher if the opponent goes on with a best response.
    fn action_values(&self, nodes: &[(NodeId, f64)]) -> Vec<f64> {
        let expansions: Vec<_> = nodes
            .iter()
            .filter_map(|&(id, reach)| Some((self.tree.node(id)?.expansion()?, reach)))
            .collect();
        let actions = expansions.first().map_or(0, |(expansion, _)| expansion.len());
        let below = |action: usize| expansions.iter().map(move |(e, r)| (e.child(action), *r));
        (0..actions).map(|action| self.best_response(below(action).collect())).collect()
    }

    /// ĝ(J) for the infoset J of a node, in counterfactual units.
    fn gift(&self, node: NodeId, kind: AlternateValues) -> f64 {
        let opponent = self.roots.searcher().other();
        let mut gift = 0.0;
        let Some(mut node) = self.tree.node(node) else { return 0.0 };
        while let Some((above, action)) = node.parent() {
            if let &Branch::Player(player, infoset) = node.siblings().branch()
                && player == opponent
            {
                gift += self.mistake(infoset, action, kind).max(0.0);
            }
            node = above;
        }
        gift
    }

    /// ucf(J'a') − ucf(J') in the searcher's view: what the opponent loses by playing a' at J'.
    fn mistake(&self, infoset: InfosetId, action: usize, kind: AlternateValues) -> f64 {
        match kind {
            AlternateValues::Profile => {
                let sign = self.roots.searcher().sign();
                let (Some(values), Some(strategy)) =
                    (self.solver.action_values(infoset), self.solver.strategy(infoset))
                else {
                    return 0.0;
                };
                let mean: f64 =
                    values.counterfactual.iter().zip(&strategy).map(|(v, p)| v * p).sum();
                sign * (values.counterfactual[action] - mean)
            }
            AlternateValues::BestResponse => {
                let values = self.action_values(&self.nodes_of(infoset));
                let best = values.iter().copied().fold(f64::INFINITY, f64::min);
                values.get(action).map_or(0.0, |value| value - best)
            }
        }
    }

    /// The expanded nodes of an infoset, with the reach of everybody but the opponent.
    fn nodes_of(&self, infoset: InfosetId) -> Vec<(NodeId, f64)> {
        let opponent: Player = self.roots.searcher().other();
        let mut nodes = Vec::new();
        for number in 0.. {
            let Some(expansion) = self.tree.expansion_by_number(number) else { break };
            if expansion.infoset() == Some(infoset)
                && let Some(first) = expansion.children().next()
                && let Some((node, _)) = self.tree.node(first).and_then(|child| child.parent())
            {
                nodes.push((node.id(), self.reach(node.id()).without(opponent)));
            }
        }
        nodes
    }
}
