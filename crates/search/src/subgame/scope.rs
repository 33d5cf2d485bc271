use std::collections::HashSet;

use obscuro_game::{Game, InfosetKey, Player};

use crate::knowledge::Connectivity;
use crate::tree::{NodeId, Tree};

/// Which nodes of the last tree belong to the subgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those at a distance below `k` from our infoset, all re-optimised: `k`-KLUSS. The paper's
    /// `k` is 2; it is even, so that the opponent's infosets are whole.
    Kluss {
        /// The order of knowledge.
        k: u32,
    },
    /// I², with our strategy outside of I frozen as it was: 1-KLSS. What is expanded below later
    /// on is new, and not frozen.
    Klss,
    /// All that are connected to our infoset: the common-knowledge set.
    Common,
}

impl Default for Scope {
    fn default() -> Self {
        Scope::Kluss { k: 2 }
    }
}

/// The nodes of `tree` at which the player's infoset is `key`, the topmost of each line.
///
/// Only a player who waits in a game with silent plies can have an infoset with more than the
/// topmost; to a player to move all plies are news.
pub fn nodes_at<G: Game>(tree: &Tree<G>, player: Player, key: InfosetKey) -> Vec<NodeId> {
    find(tree, |_, keys| keys[player.index()] == key)
}

/// The nodes at the root of a subgame, none below another, in ascending order; `ours` are I.
///
/// In a game with silent plies an infoset J of the waiting opponent may begin before we came to I,
/// in our own turn. What we did since then is done: nodes above those of I are left out, and the
/// lines of J that did not lead to I begin right below.
pub(super) fn roots_of<G: Game>(
    tree: &Tree<G>,
    searcher: Player,
    ours: &[NodeId],
    scope: Scope,
) -> Vec<NodeId> {
    let above = above(tree, ours);
    match scope {
        // The paper's case needs no graph.
        Scope::Klss | Scope::Kluss { k: 2 } => {
            let opponent = searcher.other();
            let keys: HashSet<InfosetKey> =
                ours.iter().filter_map(|&id| Some(tree.node(id)?.key(opponent))).collect();
            find(tree, |id, seen| keys.contains(&seen[opponent.index()]) && !above.contains(&id))
        }
        Scope::Kluss { .. } | Scope::Common => {
            let (mut ids, mut keys) = (Vec::new(), Vec::new());
            each_node(tree, |id, seen| {
                if !above.contains(&id) {
                    ids.push(id);
                    keys.push(*seen);
                }
            });
            let inside: HashSet<NodeId> = ours.iter().copied().collect();
            let start = (0..ids.len()).filter(|&at| inside.contains(&ids[at]));
            let graph = Connectivity::new(keys);
            let near = match scope {
                Scope::Kluss { k } => graph.order(start, k),
                Scope::Klss | Scope::Common => graph.common(start),
            };
            topmost(tree, near.into_iter().map(|at| ids[at]).collect())
        }
    }
}

/// All nodes strictly above some nodes.
fn above<G: Game>(tree: &Tree<G>, nodes: &[NodeId]) -> HashSet<NodeId> {
    let mut above = HashSet::new();
    for &id in nodes {
        let mut node = tree.node(id);
        while let Some((parent, _)) = node.and_then(|node| node.parent()) {
            if !above.insert(parent.id()) {
                break;
            }
            node = Some(parent);
        }
    }
    above
}

fn each_node<G: Game>(tree: &Tree<G>, mut visit: impl FnMut(NodeId, &[InfosetKey; 2])) {
    for number in 0.. {
        let Some(expansion) = tree.expansion_by_number(number) else { break };
        for (id, child) in expansion.children().zip(&expansion.children) {
            visit(id, &child.keys);
        }
    }
}

/// The topmost nodes that fit.
fn find<G: Game>(tree: &Tree<G>, fits: impl Fn(NodeId, &[InfosetKey; 2]) -> bool) -> Vec<NodeId> {
    let mut found = Vec::new();
    each_node(tree, |id, keys| {
        if fits(id, keys) {
            found.push(id);
        }
    });
    topmost(tree, found)
}

/// The nodes that are below no other of them, in ascending order.
fn topmost<G: Game>(tree: &Tree<G>, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    nodes.sort_unstable();
    let set: HashSet<NodeId> = nodes.iter().copied().collect();
    nodes.retain(|&id| {
        let mut node = tree.node(id);
        while let Some((parent, _)) = node.and_then(|node| node.parent()) {
            if set.contains(&parent.id()) {
                return false;
            }
            node = Some(parent);
        }
        true
    });
    nodes
}
