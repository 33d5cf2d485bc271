use std::collections::HashSet;

use obscuro_game::Game;

use super::expansion::{Branch, Child};
use super::ids::{InfosetId, NodeId};
use super::{Expansion, Node, Tree, TreeError};

/// A fresh tree with the subtrees that were kept of an old one.
pub struct Retained<G: Game> {
    /// The new tree. Its roots are the nodes that were kept, in the order given; more may be
    /// added.
    pub tree: Tree<G>,
    /// For every infoset of the old tree its id in the new one, if a node of it was kept.
    pub infosets: Vec<Option<InfosetId>>,
}

impl<G: Game> Tree<G> {
    /// Copies the subtrees under `roots` to a fresh tree, with values, current strategies, frozen
    /// flags and expander statistics.
    ///
    /// The roots are distinct and none is below another. Expansions are laid out depth first,
    /// which is the order in which the solver reads them. Regrets are the solver's:
    /// [`Solver::carried`](crate::solver::Solver::carried) copies them.
    pub fn retain(&self, roots: &[NodeId]) -> Result<Retained<G>, TreeError> {
        self.check_roots(roots)?;
        let mut tree = Tree::empty();
        let mut infosets = vec![None; self.infosets.len() as usize];
        let mut pending: Vec<(&Expansion<G>, NodeId)> = Vec::new();
        for &root in roots {
            let old = self.node(root).ok_or(TreeError::NoSuchNode(root))?;
            let id = tree.append(None, 0, Branch::Root, vec![copy_child(old)])?;
            let new = tree.expansion_by_id(id).ok_or(TreeError::Full)?.first_child;
            tree.roots.push(new);
            pending.extend(old.expansion().map(|expansion| (expansion, new)));
            while let Some((expansion, new)) = pending.pop() {
                let copied = self.copy_expansion(expansion, &tree, new, &mut infosets)?;
                let below = expansion.children().zip(copied.children());
                let below =
                    below.filter_map(|(old, new)| Some((self.node(old)?.expansion()?, new)));
                let start = pending.len();
                pending.extend(below);
                pending[start..].reverse();
            }
        }
        Ok(Retained { tree, infosets })
    }

    fn check_roots(&self, roots: &[NodeId]) -> Result<(), TreeError> {
        let mut kept = HashSet::new();
        for &root in roots {
            if !kept.insert(root) {
                return Err(TreeError::NestedRoots { above: root, below: root });
            }
        }
        for &root in roots {
            let mut node = self.node(root).ok_or(TreeError::NoSuchNode(root))?;
            while let Some((above, _)) = node.parent() {
                if kept.contains(&above.id()) {
                    return Err(TreeError::NestedRoots { above: above.id(), below: root });
                }
                node = above;
            }
        }
        Ok(())
    }

    /// Copies an expansion of this tree to below `node` of `tree`.
    fn copy_expansion<'t>(
        &self,
        expansion: &Expansion<G>,
        tree: &'t Tree<G>,
        node: NodeId,
        infosets: &mut [Option<InfosetId>],
    ) -> Result<&'t Expansion<G>, TreeError> {
        let branch = match &expansion.branch {
            Branch::Root => Branch::Root,
            Branch::Chance(outcomes) => Branch::Chance(outcomes.clone()),
            Branch::Player(player, old) => {
                let infoset = self.infoset(*old).ok_or(TreeError::Full)?;
                let copy = || tree.add_infoset(infoset.copy());
                let new = tree.interner.intern(*player, infoset.key(), copy)?;
                infosets[old.index()] = Some(new);
                Branch::Player(*player, new)
            }
        };
        let old = expansion.children().filter_map(|id| self.node(id));
        let children = old.map(copy_child).collect();
        let place = tree.node(node).ok_or(TreeError::NoSuchNode(node))?;
        let id = tree.append(Some(place.place()), place.depth() as u16, branch, children)?;
        let copied = tree.expansion_by_id(id).ok_or(TreeError::Full)?;
        if !expansion.is_new() {
            copied.set_seen();
        }
        Ok(copied)
    }
}

fn copy_child<G: Game>(node: Node<'_, G>) -> Child<G> {
    let keys = obscuro_game::Player::BOTH.map(|player| node.key(player));
    let make = if node.is_terminal() { Child::terminal } else { Child::open };
    make(node.state().clone(), keys, node.value())
}
