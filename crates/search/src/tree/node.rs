use obscuro_game::{Game, InfosetKey, Player};

use super::Tree;
use super::expansion::{Child, Expansion, Place};
use super::ids::NodeId;
use super::link::LinkState;

/// A node of a tree, to be looked at.
pub struct Node<'t, G: Game> {
    tree: &'t Tree<G>,
    id: NodeId,
    expansion: &'t Expansion<G>,
    place: Place,
}

impl<G: Game> Clone for Node<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Node<'_, G> {}

impl<'t, G: Game> Node<'t, G> {
    pub(crate) fn new(tree: &'t Tree<G>, id: NodeId, place: Place) -> Option<Self> {
        let expansion = tree.expansion_by_id(place.expansion)?;
        ((place.index as usize) < expansion.len()).then_some(Node { tree, id, expansion, place })
    }

    fn child(&self) -> &'t Child<G> {
        &self.expansion.children[self.place.index as usize]
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// The node's id.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// The state that the history leads to.
    pub fn state(&self) -> &'t G::State {
        &self.child().state
    }

    /// The infoset of either player, whoever is to move.
    pub fn key(&self, player: Player) -> InfosetKey {
        self.child().keys[player.index()]
    }

    /// The first player's value of the node as a leaf, in [-1, +1]: the evaluator's, or at a
    /// terminal node the payoff over the largest payoff.
    pub fn value(&self) -> f32 {
        self.child().value
    }

    /// Whether the game is over here.
    pub fn is_terminal(&self) -> bool {
        self.child().link.load() == LinkState::Terminal
    }

    /// The children, if the node is expanded.
    pub fn expansion(&self) -> Option<&'t Expansion<G>> {
        match self.child().link.load() {
            LinkState::Expanded(id) => self.tree.expansion_by_number(id),
            LinkState::Open | LinkState::Claimed | LinkState::Terminal => None,
        }
    }

    /// The node above, and the index of the action that leads from it to here. A root has none.
    pub fn parent(&self) -> Option<(Node<'t, G>, usize)> {
        let place = self.expansion.place?;
        let above = self.tree.expansion_by_id(place.expansion)?;
        let id = NodeId::new(above.first_child.get() + place.index);
        Some((Node::new(self.tree, id, place)?, self.place.index as usize))
    }

    /// The expansion that this node is a child of; a root's has [`Branch::Root`].
    ///
    /// [`Branch::Root`]: super::Branch::Root
    pub fn siblings(&self) -> &'t Expansion<G> {
        self.expansion
    }

    /// Plies below the root of the tree above this node.
    pub fn depth(&self) -> u32 {
        match self.expansion.place {
            None => 0,
            Some(_) => u32::from(self.expansion.depth) + 1,
        }
    }
}
