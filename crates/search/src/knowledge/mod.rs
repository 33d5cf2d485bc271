//! Who knows that who knows: distances in the connectivity graph (paper, B.1).
//!
//! The vertices are nodes, and two nodes are joined if they lie in the same infoset of either
//! player. If the true node is in an infoset I, the player knows that it is in I, and knows that
//! the other knows that it is in I², and so on: the *order-k knowledge set* Iᵏ holds the nodes at
//! a distance below k, the *common-knowledge set* I^∞ those at any finite distance.

mod histories;

use std::collections::{HashMap, HashSet};

use obscuro_game::{InfosetKey, Player};

pub use histories::{Histories, HistoriesError};

use crate::tree::{NodeId, Tree, TreeError};
use obscuro_game::Game;

/// The connectivity graph of some nodes, given by the infosets of both players at each.
///
/// ```
/// use obscuro_game::InfosetKey;
/// use obscuro_search::knowledge::Connectivity;
///
/// let key = |name: &str| InfosetKey::root(&name);
/// // The second node shares an infoset with either neighbour, the last one with nobody.
/// let graph = Connectivity::new(vec![
///     [key("a"), key("x")],
///     [key("b"), key("x")],
///     [key("b"), key("y")],
///     [key("c"), key("z")],
/// ]);
/// assert_eq!(graph.distances([0]), [Some(0), Some(1), Some(2), None]);
/// assert_eq!(graph.path(0, 2), Some(vec![0, 1, 2]));
/// ```
#[derive(Clone, Debug)]
pub struct Connectivity {
    keys: Vec<[InfosetKey; 2]>,
    /// The nodes of each player's infosets.
    members: [HashMap<InfosetKey, Vec<usize>>; 2],
}

impl Connectivity {
    /// The graph of the nodes with these infosets.
    pub fn new(keys: Vec<[InfosetKey; 2]>) -> Self {
        let mut members = [HashMap::<_, Vec<usize>>::new(), HashMap::new()];
        for (node, keys) in keys.iter().enumerate() {
            for player in Player::BOTH {
                members[player.index()].entry(keys[player.index()]).or_default().push(node);
            }
        }
        Connectivity { keys, members }
    }

    /// The graph of some nodes of a tree, numbered as they are given. Nodes of one depth are
    /// meant: an infoset joins no others, unless the game has silent plies.
    pub fn of_nodes<G: Game>(tree: &Tree<G>, nodes: &[NodeId]) -> Result<Self, TreeError> {
        let keys = |&id: &NodeId| {
            let node = tree.node(id).ok_or(TreeError::NoSuchNode(id))?;
            Ok(Player::BOTH.map(|player| node.key(player)))
        };
        Ok(Connectivity::new(nodes.iter().map(keys).collect::<Result<_, _>>()?))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The nodes in `player`'s infoset at `node`, itself included.
    pub fn infoset(&self, player: Player, node: usize) -> &[usize] {
        let key = self.keys[node][player.index()];
        self.members[player.index()].get(&key).map_or(&[], Vec::as_slice)
    }

    /// The distance of each node from the nearest of `from`; `None` if it is not connected.
    pub fn distances(&self, from: impl IntoIterator<Item = usize>) -> Vec<Option<u32>> {
        self.search(from).into_iter().map(|found| found.map(|(distance, _)| distance)).collect()
    }

    /// A shortest path between two nodes, both included.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let found = self.search([from]);
        let mut path = vec![to];
        let mut node = to;
        found[to]?;
        while node != from {
            node = found[node]?.1;
            path.push(node);
        }
        path.reverse();
        Some(path)
    }

    /// Iᵏ: the nodes at a distance below `k` from one of `infoset`, in ascending order.
    pub fn order(&self, infoset: impl IntoIterator<Item = usize>, k: u32) -> Vec<usize> {
        let distances = self.distances(infoset);
        let near = |&node: &usize| distances[node].is_some_and(|distance| distance < k);
        (0..self.len()).filter(near).collect()
    }

    /// I^∞: the nodes at any finite distance, in ascending order.
    pub fn common(&self, infoset: impl IntoIterator<Item = usize>) -> Vec<usize> {
        self.order(infoset, u32::MAX)
    }

    /// The distance of each node and the node before it on a shortest path, breadth first.
    fn search(&self, from: impl IntoIterator<Item = usize>) -> Vec<Option<(u32, usize)>> {
        let mut found = vec![None; self.len()];
        let mut frontier: Vec<usize> = Vec::new();
        for node in from {
            if found[node].is_none() {
                found[node] = Some((0, node));
                frontier.push(node);
            }
        }
        let mut done = [HashSet::new(), HashSet::new()];
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for &node in &frontier {
                for player in Player::BOTH {
                    let key = self.keys[node][player.index()];
                    if !done[player.index()].insert(key) {
                        continue;
                    }
                    for &other in self.infoset(player, node) {
                        if found[other].is_none() {
                            found[other] = Some((distance, node));
                            next.push(other);
                        }
                    }
                }
            }
            frontier = next;
        }
        found
    }
}
