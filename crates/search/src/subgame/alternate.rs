use std::collections::{BTreeMap, HashMap};

use obscuro_game::Game;

use super::Blueprint;
use crate::tree::{Branch, Expansion, InfosetId, NodeId};

/// By which strategy of the opponent alternate values and gifts are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlternateValues {
    /// The current one: u(x, y | J), the paper's choice for a blueprint that is itself rough.
    #[default]
    Profile,
    /// A best response to ours: u*(x | J), the textbook's.
    BestResponse,
}

/// What the opponent has at an infoset J, in the searcher's view and given that J is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternate {
    /// u(x, y | J), or u*(x | J).
    pub value: f64,
    /// ĝ(J), what the opponent gave away on the way to J.
    pub gift: f64,
}

impl Alternate {
    /// `v_alt(J)` = u(· | J) − ĝ(J), but no less than −3: values lie in [−1, +1], so that the
    /// margin of such a J is already as large as any other's.
    pub fn alternate_value(&self) -> f64 {
        (self.value - self.gift).max(-3.0)
    }
}

/// The nodes of an infoset of the opponent, each with the reach of everybody but the opponent.
pub type Members = Vec<(NodeId, f64)>;

/// J'a' for some of the opponent's sequences.
type Sequences = Vec<(InfosetId, usize)>;

/// The values and gifts of infosets of the opponent; the reach is positive at one node of each at
/// least.
///
/// ĝ(J) = Σ over the opponent's sequences J'a' ⪯ J of [ucf(J'a') − ucf(J')]⁺. Counterfactual values
/// carry the reach of everybody but the opponent *to J'*. The gift at J must be in the unit of
/// u(· | J), so the sum is divided by that reach *to J*: given that the others play to J, which they
/// seldom do, what the opponent gave away at J' counts for so much more.
pub fn alternates<G: Game>(
    blueprint: &Blueprint<'_, G>,
    infosets: &[Members],
    kind: AlternateValues,
) -> Vec<Alternate> {
    let sequences: Vec<Sequences> =
        infosets.iter().map(|nodes| opponents_sequences(blueprint, nodes)).collect();
    let above = sequences.iter().flatten().map(|sequence| sequence.0);
    let mistakes: HashMap<InfosetId, Vec<f64>> = blueprint
        .nodes_of(above)
        .into_iter()
        .map(|(infoset, nodes)| (infoset, mistakes(blueprint, infoset, &nodes, kind)))
        .collect();
    let alternate = |(nodes, sequences): (&Members, &Sequences)| {
        let reach: f64 = nodes.iter().map(|node| node.1).sum();
        let value = match kind {
            AlternateValues::Profile => {
                let value = |&(node, reach): &(NodeId, f64)| reach * blueprint.value(node);
                blueprint.searcher().sign() * nodes.iter().map(value).sum::<f64>()
            }
            AlternateValues::BestResponse => best_response(blueprint, nodes.clone()),
        };
        let gift = |&(infoset, action): &(InfosetId, usize)| {
            let mistake = mistakes.get(&infoset).and_then(|mistakes| mistakes.get(action));
            mistake.map_or(0.0, |mistake| mistake.max(0.0))
        };
        let gift: f64 = sequences.iter().map(gift).sum();
        Alternate { value: value / reach, gift: gift / reach }
    };
    infosets.iter().zip(&sequences).map(alternate).collect()
}

/// The opponent's sequences J'a' above the nodes of one of their infosets.
fn opponents_sequences<G: Game>(
    blueprint: &Blueprint<'_, G>,
    nodes: &[(NodeId, f64)],
) -> Sequences {
    let opponent = blueprint.searcher().other();
    let mut sequences = Vec::new();
    let mut node = nodes.first().and_then(|first| blueprint.tree.node(first.0));
    while let Some((above, action)) = node.and_then(|node| node.parent()) {
        if let Some(Branch::Player(player, infoset)) = above.expansion().map(Expansion::branch)
            && *player == opponent
        {
            sequences.push((*infoset, action));
        }
        node = Some(above);
    }
    sequences
}

/// ucf(J'a') − ucf(J') of every action a' at J', in the searcher's view: what the opponent loses by
/// playing it, in place of what they play or of what is best.
fn mistakes<G: Game>(
    blueprint: &Blueprint<'_, G>,
    infoset: InfosetId,
    nodes: &[(&Expansion<G>, f64)],
    kind: AlternateValues,
) -> Vec<f64> {
    let strategy = blueprint.strategy(infoset);
    let sign = blueprint.searcher().sign();
    let values: Vec<f64> = (0..strategy.len())
        .map(|action| match kind {
            AlternateValues::Profile => {
                let value = |&(expansion, reach): &(&Expansion<G>, f64)| {
                    if reach > 0.0 { reach * blueprint.value(expansion.child(action)) } else { 0.0 }
                };
                sign * nodes.iter().map(value).sum::<f64>()
            }
            AlternateValues::BestResponse => best_response(blueprint, below(nodes, action)),
        })
        .collect();
    let kept = match kind {
        AlternateValues::Profile => values.iter().zip(&strategy).map(|(v, p)| v * p).sum(),
        AlternateValues::BestResponse => values.iter().copied().fold(f64::INFINITY, f64::min),
    };
    // What is left of a difference that should be zero: the gift is divided by a small number.
    let rounding = 1e-12 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let mistake = |value: f64| if (value - kept).abs() > rounding { value - kept } else { 0.0 };
    values.into_iter().map(mistake).collect()
}

fn below<G: Game>(nodes: &[(&Expansion<G>, f64)], action: usize) -> Members {
    nodes.iter().map(|&(expansion, reach)| (expansion.child(action), reach)).collect()
}

/// What the opponent's best response leaves the searcher at nodes that the opponent cannot tell
/// apart (or all actions of one infoset of theirs): Σ reach(h)·u*(x | h).
fn best_response<G: Game>(blueprint: &Blueprint<'_, G>, nodes: Members) -> f64 {
    let searcher = blueprint.searcher();
    let mut value = 0.0;
    let mut infosets: BTreeMap<InfosetId, Vec<(&Expansion<G>, f64)>> = BTreeMap::new();
    let mut pending = nodes;
    while let Some((id, reach)) = pending.pop() {
        let Some(node) = blueprint.tree.node(id) else { continue };
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
                let strategy = blueprint.strategy(infoset);
                let children = expansion.children().zip(strategy).filter(|child| child.1 > 0.0);
                pending.extend(children.map(|(child, p)| (child, reach * p)));
            }
            &Branch::Player(_, infoset) => {
                infosets.entry(infoset).or_default().push((expansion, reach));
            }
        }
    }
    for nodes in infosets.into_values() {
        let actions = nodes.first().map_or(0, |(expansion, _)| expansion.len());
        let values = (0..actions).map(|action| best_response(blueprint, below(&nodes, action)));
        value += values.fold(f64::INFINITY, f64::min);
    }
    value
}
