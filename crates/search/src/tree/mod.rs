//! The shared, append-only tree that solver and expanders work on at the same time.
//!
//! A *node* is a history. It starts as a leaf: a state, the infoset keys of both players and a
//! value. *Expanding* it appends an [`Expansion`], all its children side by side, to a log that
//! never moves, and shows it to other threads by one release store into the leaf's link, which
//! was claimed before by compare-exchange so that no leaf is expanded twice. An [`Infoset`] is made
//! when the first of its nodes is expanded; a leaf keeps bare keys.
//!
//! Nothing here is unsafe: what two threads touch is an atomic, or is written once before it is
//! published (`OnceLock`). The solver's regrets are not here at all: they are plain memory of the
//! [`Solver`](crate::solver::Solver), which reads the log of expansions in order and needs no
//! lock. The publish and claim protocol is checked under loom (`tests/loom_tree.rs`) and by a
//! stress test (`tests/search/gt_stress.rs`). The thread sanitizer needs a nightly toolchain, so it is not
//! run.
//!
//! Between searches [`Tree::retain`] copies what the next search needs to a fresh tree.

mod choice;
mod error;
mod expansion;
mod ids;
mod infoset;
mod link;
mod log;
mod node;
mod retain;

/// The atomics that `link` is written on; the loom test gives it loom's.
mod sync {
    pub(crate) use std::sync::atomic::{AtomicU32, Ordering};
}

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use obscuro_game::{Game, InfosetKey, Player};

pub use choice::{Choice, Samples};
pub use error::TreeError;
pub use expansion::{Branch, Expansion};
pub use ids::{ExpansionId, InfosetId, NodeId};
pub use infoset::Infoset;
pub use node::Node;
pub use retain::Retained;

pub(crate) use expansion::{Child, Place};
pub(crate) use link::LinkState;

use infoset::Interner;
use link::MAX_EXPANSIONS;
use log::{Chunks, Log};

/// The most children that a node can have.
pub const MAX_CHILDREN: usize = 16_384;

/// No node is expanded this far below the roots, which bounds the recursion of the solver.
pub const MAX_DEPTH: u32 = 4_096;

/// Nodes are numbered below this.
const MAX_NODES: u32 = u32::MAX - 64;

/// A growing game tree.
pub struct Tree<G: Game> {
    expansions: Log<Expansion<G>>,
    infosets: Log<Infoset<G::Action>>,
    interner: Interner,
    /// For every node one more than the number of the expansion that it is a child of, or zero.
    parents: Chunks<AtomicU32>,
    nodes: AtomicU32,
    roots: Vec<NodeId>,
    max_depth: AtomicU32,
    /// Bytes of boxed children, strategies and statistics.
    boxed: AtomicU64,
}

impl<G: Game> Default for Tree<G> {
    fn default() -> Self {
        Tree::empty()
    }
}

impl<G: Game> Tree<G> {
    /// A tree without any node.
    pub fn empty() -> Self {
        Tree {
            expansions: Log::new(),
            infosets: Log::new(),
            interner: Interner::new(),
            parents: Chunks::new(),
            nodes: AtomicU32::new(0),
            roots: Vec::new(),
            max_depth: AtomicU32::new(0),
            boxed: AtomicU64::new(0),
        }
    }

    /// A tree whose only node is the start of the game, worth `value` until it is expanded.
    pub fn new(game: &G, value: f32) -> Result<Self, TreeError> {
        let mut tree = Tree::empty();
        let state = game.root();
        let keys = Player::BOTH.map(|p| InfosetKey::root(&game.observe(&state, p)));
        tree.add_root(game, state, keys, value)?;
        Ok(tree)
    }

    /// Adds a node with nothing above it.
    ///
    /// `keys` are the infosets of the two players: equal keys make them the same infoset as that
    /// of another node. `value` is the first player's, in [-1, +1]; at a terminal state the payoff
    /// is taken instead.
    pub fn add_root(
        &mut self,
        game: &G,
        state: G::State,
        keys: [InfosetKey; 2],
        value: f32,
    ) -> Result<NodeId, TreeError> {
        let child = Self::make_child(game, state, keys, value)?;
        let id = self.append(None, 0, Branch::Root, vec![child])?;
        let node = self.expansion_by_id(id).ok_or(TreeError::Full)?.first_child;
        self.roots.push(node);
        Ok(node)
    }

    /// The roots, in the order in which they were added.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// The node of this id, if the tree has it.
    pub fn node(&self, id: NodeId) -> Option<Node<'_, G>> {
        // Relaxed: what the number leads to is read through the log, which synchronises.
        let above = self.parents.get(id.get())?.load(Ordering::Relaxed).checked_sub(1)?;
        let expansion = self.expansions.get(above)?;
        let index = id.get().checked_sub(expansion.first_child.get())?;
        Node::new(self, id, Place { expansion: expansion.id, index })
    }

    /// All nodes so many plies below the roots, in depth-first order.
    pub fn layer(&self, depth: u32) -> Vec<NodeId> {
        let mut layer = self.roots.clone();
        for _ in 0..depth {
            let expanded = layer.iter().filter_map(|&id| self.node(id)?.expansion());
            layer = expanded.flat_map(Expansion::children).collect();
        }
        layer
    }

    /// The infoset of this id, if the tree has it.
    pub fn infoset(&self, id: InfosetId) -> Option<&Infoset<G::Action>> {
        self.infosets.get(id.get())
    }

    /// The infoset with this key at which `player` acts, if a node of it is expanded.
    pub fn find_infoset(&self, player: Player, key: InfosetKey) -> Option<InfosetId> {
        self.interner.get(player, key)
    }

    /// All infosets, in the order in which they were made.
    pub fn infosets(&self) -> impl Iterator<Item = (InfosetId, &Infoset<G::Action>)> {
        (0..self.infosets.len()).filter_map(|i| Some((InfosetId::new(i), self.infosets.get(i)?)))
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of expanded nodes.
    pub fn expansions(&self) -> u32 {
        self.expansions.len() - self.roots.len() as u32
    }

    /// The number of infosets.
    pub fn infoset_count(&self) -> u32 {
        self.infosets.len()
    }

    /// The depth of the deepest node, in plies below the roots.
    pub fn max_depth(&self) -> u32 {
        self.max_depth.load(Ordering::Relaxed)
    }

    /// Memory held by the tree, in bytes: nodes, states, infosets, strategies, statistics and
    /// tables. What states hold on the heap themselves is not counted.
    pub fn bytes(&self) -> usize {
        self.parents.bytes()
            + self.expansions.bytes()
            + self.infosets.bytes()
            + self.interner.bytes()
            + self.boxed.load(Ordering::Relaxed) as usize
    }

    /// A node that is not in the tree yet.
    pub(crate) fn make_child(
        game: &G,
        state: G::State,
        keys: [InfosetKey; 2],
        value: f32,
    ) -> Result<Child<G>, TreeError> {
        /// Rounding that an evaluator may be off by.
        const SLACK: f32 = 1e-5;
        if game.turn(&state) == obscuro_game::Turn::Terminal {
            let value = game.payoff(&state) / game.max_payoff();
            return if value.abs() <= 1.0 + f64::from(SLACK) {
                Ok(Child::terminal(state, keys, value as f32))
            } else {
                Err(TreeError::Payoff { payoff: game.payoff(&state), max: game.max_payoff() })
            };
        }
        if value.abs() <= 1.0 + SLACK {
            Ok(Child::open(state, keys, value.clamp(-1.0, 1.0)))
        } else {
            Err(TreeError::Value { value })
        }
    }

    /// The id of the acting player's infoset, made with the first strategy all on the best child
    /// if this is its first expanded node (paper, B.3.4).
    pub(crate) fn intern(
        &self,
        player: Player,
        key: InfosetKey,
        actions: &[G::Action],
        children: &[Child<G>],
    ) -> Result<InfosetId, TreeError> {
        let id = self.interner.intern(player, key, || {
            let values: Vec<f32> = children.iter().map(|child| child.value).collect();
            let best = best_child(player, &values);
            let choice = Choice::new(&values, |action| if action == best { 1.0 } else { 0.0 });
            self.add_infoset(Infoset::new(player, key, actions.into(), choice))
        })?;
        let infoset = self.infosets.get(id.get()).ok_or(TreeError::Full)?;
        if infoset.actions() == actions {
            Ok(id)
        } else {
            Err(TreeError::ActionsDiffer {
                player,
                expected: format!("{:?}", infoset.actions()),
                got: format!("{actions:?}"),
            })
        }
    }

    fn add_infoset(&self, infoset: Infoset<G::Action>) -> Result<InfosetId, TreeError> {
        let number = self.infosets.reserve(u32::MAX - 64).ok_or(TreeError::Full)?;
        self.boxed.fetch_add(infoset.bytes() as u64, Ordering::Relaxed);
        self.infosets.set(number, infoset);
        Ok(InfosetId::new(number))
    }

    /// Appends an expansion to the log and, if it is a node's, shows it to all threads.
    ///
    /// The caller has claimed the node.
    pub(crate) fn append(
        &self,
        place: Option<Place>,
        depth: u16,
        branch: Branch<G::Action>,
        children: Vec<Child<G>>,
    ) -> Result<ExpansionId, TreeError> {
        let count = children.len() as u32;
        let first = self
            .nodes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
                n.checked_add(count).filter(|&end| end < MAX_NODES)
            })
            .map_err(|_| TreeError::Full)?;
        let number = self.expansions.reserve(MAX_EXPANSIONS - 64).ok_or(TreeError::Full)?;
        for node in first..first + count {
            self.parents.ensure(node).store(number + 1, Ordering::Relaxed);
        }
        let id = ExpansionId::new(number);
        let expansion = Expansion::new(id, place, NodeId::new(first), depth, branch, children);
        self.boxed.fetch_add(expansion.bytes() as u64, Ordering::Relaxed);
        self.expansions.set(number, expansion);
        if let Some(place) = place {
            self.max_depth.fetch_max(u32::from(depth) + 1, Ordering::Relaxed);
            if let Some(above) = self.expansion_by_id(place.expansion) {
                above.children[place.index as usize].link.publish(number);
            }
        }
        Ok(id)
    }

    #[inline]
    pub(crate) fn expansion_by_id(&self, id: ExpansionId) -> Option<&Expansion<G>> {
        self.expansions.get(id.get())
    }

    /// The expansion of this number, roots' included; `None` while it is being written.
    #[inline]
    pub(crate) fn expansion_by_number(&self, number: u32) -> Option<&Expansion<G>> {
        self.expansions.get(number)
    }
}

/// The first of the children that are best for `player`; values are the first player's.
pub(crate) fn best_child(player: Player, values: &[f32]) -> usize {
    let sign = player.sign() as f32;
    let mut best = 0;
    for (i, &value) in values.iter().enumerate() {
        if sign * value > sign * values[best] {
            best = i;
        }
    }
    best
}
