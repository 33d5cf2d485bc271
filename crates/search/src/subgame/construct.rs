use std::collections::{HashMap, HashSet};

use obscuro_game::{Game, InfosetKey, Player};

use super::{AlternateValues, Gadget, GadgetKind, Prior, Scope, alternate_values};
use crate::knowledge::Connectivity;
use crate::solver::{Reach, Root, RootError, Roots, Solver};
use crate::tree::{NodeId, Tree, TreeError};

/// The last search, whose strategies are what a subgame improves on.
pub struct Blueprint<'a, G: Game> {
    /// Its tree.
    pub tree: &'a Tree<G>,
    /// Its strategies.
    pub solver: &'a Solver,
    /// Its root layer.
    pub roots: &'a Roots,
}

impl<G: Game> Blueprint<'_, G> {
    /// The reach of a node, the root layer included: the opponent's choice of the group counts as
    /// theirs, the root's own reach as everybody else's.
    pub(crate) fn reach(&self, node: NodeId) -> Reach {
        let opponent = self.roots.searcher().other();
        let nothing = Reach { players: [0.0; 2], chance: 0.0 };
        let Some(mut reach) = self.solver.reach(self.tree, node) else { return nothing };
        let Some(mut top) = self.tree.node(node) else { return nothing };
        while let Some((above, _)) = top.parent() {
            top = above;
        }
        let weights = self.solver.weights();
        let total: f64 = weights.iter().sum();
        for group in 0..self.roots.groups() {
            if let Some(root) = self.roots.group(group).iter().find(|root| root.node == top.id()) {
                let weight = weights.get(group).copied().unwrap_or(0.0);
                reach.chance *= root.reach;
                reach.players[opponent.index()] *= if total > 0.0 { weight / total } else { 0.0 };
                return reach;
            }
        }
        nothing
    }
}

/// A state of the belief that the last tree does not have in our infoset.
#[derive(Clone, Debug)]
pub struct Sampled<S> {
    /// The state.
    pub state: S,
    /// Its value as a leaf, the first player's.
    pub value: f32,
}

/// How a subgame is made of a blueprint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SubgameSettings {
    /// Which nodes belong to it.
    pub scope: Scope,
    /// Which gadget stands at its root.
    pub gadget: GadgetKind,
    /// The prior of Resolve.
    pub prior: Prior,
    /// Where alternate values come from.
    pub alternate: AlternateValues,
}

/// A subgame, ready to be searched.
pub struct Subgame<G: Game> {
    /// The tree: what was carried over, and the sampled states.
    pub tree: Tree<G>,
    /// The regrets and strategies that were carried over.
    pub solver: Solver,
    /// The root layer.
    pub roots: Roots,
    /// The opponent's choice at it.
    pub gadget: Gadget,
    /// Nodes of I that were carried over.
    pub carried: usize,
}

/// The nodes of `tree` at which the player's infoset is `key`, the topmost of each line.
pub fn nodes_at<G: Game>(tree: &Tree<G>, player: Player, key: InfosetKey) -> Vec<NodeId> {
    find(tree, |keys| keys[player.index()] == key)
}

/// The topmost nodes whose infosets fit. Only in a game with silent plies can one that fits lie
/// below another.
fn find<G: Game>(tree: &Tree<G>, fits: impl Fn(&[InfosetKey; 2]) -> bool) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut set = HashSet::new();
    for number in 0.. {
        let Some(expansion) = tree.expansion_by_number(number) else { break };
        for (id, child) in expansion.children().zip(&expansion.children) {
            if fits(&child.keys) {
                found.push(id);
                set.insert(id);
            }
        }
    }
    found.retain(|&id| {
        let mut node = tree.node(id);
        while let Some((above, _)) = node.and_then(|node| node.parent()) {
            if set.contains(&above.id()) {
                return false;
            }
            node = Some(above);
        }
        true
    });
    found
}

/// The nodes of the subgame's root, and which of them are in I.
fn scope<G: Game>(
    tree: &Tree<G>,
    searcher: Player,
    key: InfosetKey,
    scope: Scope,
) -> (Vec<NodeId>, HashSet<NodeId>) {
    let ours = nodes_at(tree, searcher, key);
    let inside: HashSet<NodeId> = ours.iter().copied().collect();
    let opponent = searcher.other().index();
    if let Scope::Klss | Scope::Kluss { k: 2 } = scope {
        // The paper's case needs no graph: everything that shares an infoset of the opponent's
        // with a node of I.
        let keys: HashSet<InfosetKey> =
            ours.iter().filter_map(|&id| tree.node(id)).map(|n| n.key(searcher.other())).collect();
        return (find(tree, |node| keys.contains(&node[opponent])), inside);
    }
    let depths: HashSet<u32> =
        ours.iter().filter_map(|&id| tree.node(id)).map(|node| node.depth()).collect();
    let mut layer: Vec<NodeId> = depths.into_iter().flat_map(|depth| tree.layer(depth)).collect();
    layer.sort_unstable();
    let graph = Connectivity::of_nodes(tree, &layer);
    let start = (0..layer.len()).filter(|&at| inside.contains(&layer[at]));
    let near = match scope {
        Scope::Kluss { k } => graph.order(start, k),
        Scope::Klss | Scope::Common => graph.common(start),
    };
    (near.into_iter().map(|at| layer[at]).collect(), inside)
}

/// The opponent's infosets of the root, while they are put together.
#[derive(Default)]
struct Groups {
    members: Vec<Vec<(NodeId, f64)>>,
    opponents_reach: Vec<f64>,
    alternate: Vec<f64>,
}

/// Builds the subgame at the searcher's infoset `key`.
///
/// `sampled` are states that agree with `key` and are added to it; `expected` is v*, what the
/// searcher expected of the game after the last search, in the searcher's view.
pub fn construct<G: Game>(
    game: &G,
    blueprint: &Blueprint<'_, G>,
    key: InfosetKey,
    sampled: Vec<Sampled<G::State>>,
    expected: f64,
    settings: &SubgameSettings,
) -> Result<Subgame<G>, SubgameError> {
    let searcher = blueprint.roots.searcher();
    let (nodes, inside) = scope(blueprint.tree, searcher, key, settings.scope);
    let mut groups = carried_groups(blueprint, &nodes, &inside, settings.alternate);

    let retained = blueprint.tree.retain(&nodes)?;
    let solver = blueprint.solver.carried(&retained);
    let position: HashMap<NodeId, NodeId> =
        nodes.iter().copied().zip(retained.tree.roots().iter().copied()).collect();
    for member in groups.members.iter_mut().flatten() {
        member.0 = position[&member.0];
    }
    let mut tree = retained.tree;
    let outside = nodes.iter().filter(|node| !inside.contains(node)).map(|node| position[node]);
    freeze(&tree, searcher, outside.collect(), settings.scope == Scope::Klss);

    for Sampled { state, value } in sampled {
        // The opponent is assumed to know the state: an infoset of its own.
        let theirs = InfosetKey::root(&(key.get(), &state));
        let mut keys = [key; 2];
        keys[searcher.other().index()] = theirs;
        let node = tree.add_root(game, state, keys, value)?;
        groups.members.push(vec![(node, 1.0)]);
        groups.opponents_reach.push(0.0);
        groups.alternate.push((searcher.sign() * f64::from(value)).min(expected));
    }

    let prior = settings.prior.of(&groups.opponents_reach);
    let gadget = Gadget::new(settings.gadget, groups.alternate, prior);
    let mut roots = Vec::new();
    for (group, members) in groups.members.iter().enumerate() {
        let total: f64 = members.iter().map(|member| member.1).sum();
        roots.extend(members.iter().map(|&(node, reach)| Root {
            node,
            group,
            reach: reach / total,
        }));
    }
    let roots = Roots::new(&tree, searcher, roots)?;
    Ok(Subgame { tree, solver, roots, gadget, carried: inside.len() })
}

/// The carried nodes by the opponent's infoset, in the order in which these first come.
fn carried_groups<G: Game>(
    blueprint: &Blueprint<'_, G>,
    nodes: &[NodeId],
    inside: &HashSet<NodeId>,
    alternate: AlternateValues,
) -> Groups {
    let searcher = blueprint.roots.searcher();
    let opponent = searcher.other();
    let mut index: HashMap<InfosetKey, usize> = HashMap::new();
    let mut groups = Groups::default();
    let reaches: Vec<Reach> = nodes.iter().map(|&id| blueprint.reach(id)).collect();
    // We are at I: if the blueprint would never have come here, its reach says nothing of the
    // nodes of I against one another but chance's part.
    let played = nodes.iter().zip(&reaches).filter(|(id, _)| inside.contains(id));
    let unplayed = played.clone().all(|(_, reach)| reach.players[searcher.index()] <= 0.0);
    for (&id, reach) in nodes.iter().zip(&reaches) {
        let Some(node) = blueprint.tree.node(id) else { continue };
        let group = *index.entry(node.key(opponent)).or_insert_with(|| {
            groups.members.push(Vec::new());
            groups.opponents_reach.push(0.0);
            groups.members.len() - 1
        });
        let ours =
            if unplayed && inside.contains(&id) { 1.0 } else { reach.players[searcher.index()] };
        groups.members[group].push((id, ours * reach.chance));
        // The same at all nodes of an infoset of theirs.
        groups.opponents_reach[group] = reach.players[opponent.index()];
    }
    for members in &mut groups.members {
        if members.iter().all(|member| member.1 <= 0.0) {
            for member in members.iter_mut() {
                member.1 = 1.0;
            }
        }
        groups.alternate.push(alternate_values(blueprint, members, alternate));
    }
    groups
}

/// Fixes the searcher's strategy below `outside`, as 1-KLSS does, and lets it go elsewhere.
fn freeze<G: Game>(tree: &Tree<G>, searcher: Player, outside: Vec<NodeId>, frozen: bool) {
    for (_, infoset) in tree.infosets() {
        infoset.set_frozen(false);
    }
    let mut pending = if frozen { outside } else { Vec::new() };
    while let Some(id) = pending.pop() {
        let Some(expansion) = tree.node(id).and_then(|node| node.expansion()) else { continue };
        if let crate::tree::Branch::Player(player, infoset) = *expansion.branch()
            && player == searcher
            && let Some(infoset) = tree.infoset(infoset)
        {
            infoset.set_frozen(true);
        }
        pending.extend(expansion.children());
    }
}

/// Why a subgame could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SubgameError {
    /// The tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The root layer: no node of the tree and no sampled state agrees with what was seen.
    #[error(transparent)]
    Roots(#[from] RootError),
}
