use obscuro_game::{Evaluator, Game, Player, Turn};

use super::AgentError;
use crate::solver::{Averaging, Root, Roots, Solver};
use crate::subgame::Gadget;
use crate::tree::Tree;

/// The last search.
pub(super) struct Memory<G: Game> {
    pub(super) tree: Tree<G>,
    pub(super) solver: Solver,
    pub(super) roots: Roots,
    /// The gadget at the root; none at the root of the whole game.
    pub(super) gadget: Option<Gadget>,
}

impl<G: Game> Memory<G> {
    /// A tree that is the start of the game alone.
    pub(super) fn start(
        game: &G,
        player: Player,
        averaging: Averaging,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Result<Self, AgentError> {
        let root = game.root();
        let value = match game.turn(&root) {
            Turn::Terminal => 0.0,
            Turn::Player(_) | Turn::Chance => evaluator.state(game, &root),
        };
        let tree = Tree::new(game, value)?;
        let node = *tree.roots().first().ok_or(AgentError::NothingObserved)?;
        let root = Root { node, group: 0, reach: 1.0 };
        let roots = Roots::new(&tree, player, vec![root])?;
        Ok(Memory { tree, solver: Solver::new(averaging), roots, gadget: None })
    }

    /// An independent copy, laid out afresh.
    pub(super) fn copy(&self) -> Result<Self, AgentError> {
        let retained = self.tree.retain(self.tree.roots())?;
        let solver = self.solver.carried(&retained);
        let place = |id| self.tree.roots().iter().position(|&root| root == id);
        let mut roots = Vec::new();
        for group in 0..self.roots.groups() {
            for root in self.roots.group(group) {
                let at = place(root.node).ok_or(AgentError::NothingObserved)?;
                roots.push(Root { node: retained.tree.roots()[at], ..*root });
            }
        }
        let roots = Roots::new(&retained.tree, self.roots.searcher(), roots)?;
        let mut copy = Memory { tree: retained.tree, solver, roots, gadget: self.gadget.clone() };
        // The weights of the root's groups are part of the blueprint.
        copy.solver.adopt_weights(&self.solver);
        Ok(copy)
    }
}
