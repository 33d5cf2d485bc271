use std::collections::{HashMap, HashSet};

use obscuro_game::{Game, InfosetKey, Player};

use super::scope::roots_of;
use super::{
    Alternate, AlternateValues, Blueprint, Gadget, GadgetKind, Members, Prior, Scope, alternates,
    nodes_at,
};
use crate::choose::Iterate;
use crate::solver::{Reach, Root, RootError, Roots, Solver, StrategyError};
use crate::tree::{Branch, NodeId, Tree, TreeError};

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

/// An infoset J of the opponent at the root of a subgame.
struct Group {
    /// Its nodes with the reach of everybody but the opponent.
    members: Members,
    /// y(J).
    opponents_reach: f64,
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
    let searcher = blueprint.searcher();
    let ours = nodes_at(blueprint.tree, searcher, key);
    let nodes = roots_of(blueprint.tree, searcher, &ours, settings.scope);
    let inside: HashSet<NodeId> = ours.iter().copied().collect();
    let groups = groups(blueprint, &nodes, &inside);
    let members: Vec<_> = groups.iter().map(|group| group.members.clone()).collect();
    let known = alternates(blueprint, &members, settings.alternate);
    let mut alternate: Vec<f64> = known.iter().map(Alternate::alternate_value).collect();
    let mut reaches: Vec<f64> = groups.iter().map(|group| group.opponents_reach).collect();

    let kept: Vec<NodeId> = members.iter().flatten().map(|member| member.0).collect();
    let retained = blueprint.tree.retain(&kept)?;
    let mut solver = blueprint.solver.carried(&retained);
    if blueprint.iterate() == Iterate::Average {
        solver.fade_averages();
    }
    let mut tree = retained.tree;
    let mut roots = Vec::new();
    let new = tree.roots().to_vec();
    let mut new = kept.iter().zip(new);
    let mut outside = Vec::new();
    for (group, members) in members.iter().enumerate() {
        let total: f64 = members.iter().map(|member| member.1).sum();
        for (&(_, reach), (old, node)) in members.iter().zip(&mut new) {
            roots.push(Root { node, group, reach: reach / total });
            if !inside.contains(old) {
                outside.push(node);
            }
        }
    }
    thaw(&tree);
    if settings.scope == Scope::Klss {
        freeze(&tree, &mut solver, blueprint.iterate(), searcher, outside)?;
    }

    for Sampled { state, value } in sampled {
        // The opponent is assumed to know the state: an infoset of its own.
        let theirs = InfosetKey::root(&(key.get(), &state));
        let mut keys = [key; 2];
        keys[searcher.other().index()] = theirs;
        let node = tree.add_root(game, state, keys, value)?;
        roots.push(Root { node, group: alternate.len(), reach: 1.0 });
        alternate.push((searcher.sign() * f64::from(value)).min(expected));
        reaches.push(0.0);
    }

    let gadget = Gadget::new(settings.gadget, alternate, settings.prior.of(&reaches));
    let roots = Roots::new(&tree, searcher, roots)?;
    Ok(Subgame { tree, solver, roots, gadget, carried: ours.len() })
}

/// The opponent's infosets, in the order in which they first come. Nodes to which the others would
/// never have played are left out, as chance would never draw them.
fn groups<G: Game>(
    blueprint: &Blueprint<'_, G>,
    nodes: &[NodeId],
    inside: &HashSet<NodeId>,
) -> Vec<Group> {
    let searcher = blueprint.searcher();
    let opponent = searcher.other();
    let reaches: Vec<Reach> = nodes.iter().map(|&id| blueprint.reach(id)).collect();
    // We are at I. If the blueprint would never have come here, chance alone tells its nodes apart.
    let played = nodes.iter().zip(&reaches).filter(|(id, _)| inside.contains(id));
    let unplayed = played.clone().all(|(_, reach)| reach.without(opponent) <= 0.0);
    let mut index: HashMap<InfosetKey, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (&id, reach) in nodes.iter().zip(&reaches) {
        let Some(node) = blueprint.tree.node(id) else { continue };
        let others = match reach.without(opponent) {
            _ if unplayed && inside.contains(&id) && reach.chance > 0.0 => reach.chance,
            _ if unplayed && inside.contains(&id) => 1.0,
            others if others > 0.0 => others,
            _ => continue,
        };
        let group = *index.entry(node.key(opponent)).or_insert(groups.len());
        if group == groups.len() {
            // The same at all nodes of an infoset of theirs.
            let opponents_reach = reach.players[opponent.index()];
            groups.push(Group { members: Vec::new(), opponents_reach });
        }
        groups[group].members.push((id, others));
    }
    groups
}

/// Lets the searcher's strategy go everywhere.
fn thaw<G: Game>(tree: &Tree<G>) {
    for (_, infoset) in tree.infosets() {
        infoset.set_frozen(false);
    }
}

/// Fixes the searcher's strategy below `outside` to the blueprint's, as 1-KLSS does.
fn freeze<G: Game>(
    tree: &Tree<G>,
    solver: &mut Solver,
    iterate: Iterate,
    searcher: Player,
    outside: Vec<NodeId>,
) -> Result<(), StrategyError> {
    let mut pending = outside;
    while let Some(id) = pending.pop() {
        let Some(expansion) = tree.node(id).and_then(|node| node.expansion()) else { continue };
        if let &Branch::Player(player, id) = expansion.branch()
            && player == searcher
            && let Some(infoset) = tree.infoset(id)
            && !infoset.is_frozen()
        {
            infoset.set_frozen(true);
            if iterate == Iterate::Average
                && let Some(average) = solver.average(id)
            {
                solver.set_strategy(tree, id, &average)?;
            }
        }
        pending.extend(expansion.children());
    }
    Ok(())
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
    /// A strategy could not be frozen.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
}
