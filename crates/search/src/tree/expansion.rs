use std::sync::atomic::{AtomicBool, Ordering};

use obscuro_game::{Game, InfosetKey, Player};

use super::ids::{ExpansionId, InfosetId, NodeId};
use super::link::Link;

/// A node as it lies in memory, beside its siblings.
///
/// A leaf's infosets are bare keys; they get ids and regrets when the leaf is expanded.
pub(crate) struct Child<G: Game> {
    pub(crate) state: G::State,
    pub(crate) keys: [InfosetKey; 2],
    pub(crate) value: f32,
    pub(crate) link: Link,
}

impl<G: Game> Child<G> {
    pub(crate) fn open(state: G::State, keys: [InfosetKey; 2], value: f32) -> Self {
        Child { state, keys, value, link: Link::open() }
    }

    pub(crate) fn terminal(state: G::State, keys: [InfosetKey; 2], value: f32) -> Self {
        Child { state, keys, value, link: Link::terminal() }
    }
}

/// Who chooses among the children of an expanded node.
#[derive(Debug)]
pub enum Branch<A> {
    /// Nobody: the only child is a root of the tree.
    Root,
    /// A player, at an infoset of theirs.
    Player(Player, InfosetId),
    /// Chance, with these outcomes and probabilities.
    Chance(Box<[(A, f64)]>),
}

/// An expanded node's children, and what is known of the node only since it was expanded.
///
/// It is written once, before the node's link shows it to other threads.
pub struct Expansion<G: Game> {
    pub(crate) id: ExpansionId,
    /// The expanded node; for a root's expansion there is none.
    pub(crate) place: Option<Place>,
    pub(crate) first_child: NodeId,
    /// Of the expanded node, in plies below the roots of the tree.
    pub(crate) depth: u16,
    pub(crate) branch: Branch<G::Action>,
    pub(crate) children: Box<[Child<G>]>,
    seen: AtomicBool,
}

/// Where a node lies: the expansion that made it, and which of its children it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) expansion: ExpansionId,
    pub(crate) index: u32,
}

impl<G: Game> Expansion<G> {
    pub(crate) fn new(
        id: ExpansionId,
        place: Option<Place>,
        first_child: NodeId,
        depth: u16,
        branch: Branch<G::Action>,
        children: Vec<Child<G>>,
    ) -> Self {
        let children = children.into_boxed_slice();
        Expansion { id, place, first_child, depth, branch, children, seen: AtomicBool::new(false) }
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.children.len()
    }

    /// Whether there is no child, which does not happen.
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// The child reached by the action of this index.
    ///
    /// # Panics
    ///
    /// If there is no such action.
    pub fn child(&self, action: usize) -> NodeId {
        assert!(action < self.children.len(), "action {action} of {}", self.children.len());
        NodeId::new(self.first_child.get() + action as u32)
    }

    /// All children, in the order of the actions.
    pub fn children(&self) -> impl ExactSizeIterator<Item = NodeId> + use<G> {
        let first = self.first_child.get();
        (first..first + self.children.len() as u32).map(NodeId::new)
    }

    /// Who chooses among the children.
    pub fn branch(&self) -> &Branch<G::Action> {
        &self.branch
    }

    /// The infoset of the player who acts, if one does.
    pub fn infoset(&self) -> Option<InfosetId> {
        match self.branch {
            Branch::Player(_, infoset) => Some(infoset),
            Branch::Root | Branch::Chance(_) => None,
        }
    }

    /// Whether the solver has not come here since the children were added ("new" in the paper's
    /// sense): the expanders do not go further down before it has.
    pub fn is_new(&self) -> bool {
        // Relaxed: the strategy and values that go with it are relaxed as well.
        !self.seen.load(Ordering::Relaxed)
    }

    pub(crate) fn set_seen(&self) {
        self.seen.store(true, Ordering::Relaxed);
    }

    /// Memory held besides the struct, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let chance = match &self.branch {
            Branch::Chance(outcomes) => size_of_val::<[(G::Action, f64)]>(outcomes),
            Branch::Root | Branch::Player(..) => 0,
        };
        size_of_val::<[Child<G>]>(&self.children) + chance
    }
}
