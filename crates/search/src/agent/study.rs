use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use obscuro_game::{Evaluator, Game, InfosetKey, Player, Turn};

use super::memory::Memory;
use super::turn::Search;
use super::{AgentError, AgentSettings};
use crate::expand::{GrowthReport, Limits};
use crate::solver::{Root, Roots, Solver};
use crate::tree::{Branch, Expansion, NodeId, Tree};

/// A state at the root of a [`Study`], and who knows what of it.
#[derive(Clone, Debug)]
pub struct StudyRoot<S> {
    /// The state.
    pub state: S,
    /// The infoset that each player is in, by any number: roots with the same number cannot be told
    /// apart by that player.
    pub infosets: [u64; 2],
    /// The probability that it is this one, in any unit.
    pub probability: f64,
}

/// A search from a root made by hand: chance draws one of some states, and of each is given which
/// of the others a player cannot tell it from.
///
/// For questions that no game leads to: how is a position played if the opponent thinks that it
/// might be another one? There is no belief and no gadget; both players' strategies are an
/// equilibrium of what is grown.
///
/// ```
/// # use std::sync::Arc;
/// # use obscuro_game::{Game, Player, Turn, ZeroEvaluator};
/// # use obscuro_search::agent::{AgentSettings, Study, StudyRoot};
/// # use obscuro_search::expand::Limits;
/// # struct Pennies;
/// # impl Game for Pennies {
/// #     type State = Vec<u8>;
/// #     type Action = u8;
/// #     type Observation = usize;
/// #     fn root(&self) -> Vec<u8> { Vec::new() }
/// #     fn turn(&self, s: &Vec<u8>) -> Turn {
/// #         [Turn::Player(Player::One), Turn::Player(Player::Two), Turn::Terminal][s.len()]
/// #     }
/// #     fn actions(&self, _: &Vec<u8>, a: &mut Vec<u8>) { a.extend([0, 1]); }
/// #     fn chance(&self, _: &Vec<u8>, _: &mut Vec<(u8, f64)>) {}
/// #     fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> { [&s[..], &[a]].concat() }
/// #     fn observe(&self, s: &Vec<u8>, _: Player) -> usize { s.len() }
/// #     fn payoff(&self, s: &Vec<u8>) -> f64 { if s[0] == s[1] { 1.0 } else { -1.0 } }
/// #     fn observation_text(&self, o: &usize) -> String { o.to_string() }
/// #     fn state_text(&self, s: &Vec<u8>) -> String { format!("{s:?}") }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Matching pennies after the first player's move, which the second one sees only if it is 1.
/// let root = |state, theirs, probability| {
///     StudyRoot { state, infosets: [theirs, theirs], probability }
/// };
/// let roots = vec![root(vec![0], 0, 0.25), root(vec![1], 1, 0.75)];
/// let settings = AgentSettings::default();
/// let mut study = Study::new(Arc::new(Pennies), roots, settings, Box::new(ZeroEvaluator))?;
/// study.search(Limits { iterations: Some(100), ..Limits::default() }, None)?;
/// // Seen or not, the second player knows enough to win.
/// assert_eq!(study.value(), -1.0);
/// # Ok(())
/// # }
/// ```
pub struct Study<G: Game> {
    game: Arc<G>,
    settings: AgentSettings,
    evaluator: Box<dyn Evaluator<G>>,
    memory: Memory<G>,
}

/// What a study found about an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyAction<A> {
    /// The action.
    pub action: A,
    /// Its probability.
    pub probability: f64,
    /// Its value in the first player's view given the infoset of the player to move, if the solver
    /// has seen it.
    pub value: Option<f64>,
}

/// Why a study cannot answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// There is no such root.
    #[error("there is no root {found}; the study has {roots}, numbered from 0 on")]
    NoSuchRoot {
        /// What was asked for.
        found: usize,
        /// How many there are.
        roots: usize,
    },
    /// The line leaves the tree.
    #[error("the tree ends after {plies} of the {asked} plies of the line")]
    NotExpanded {
        /// Plies that the tree has.
        plies: usize,
        /// Plies that were asked for.
        asked: usize,
    },
    /// An action of the line is not legal.
    #[error("action {ply} of the line is not legal there")]
    NotLegal {
        /// The place of the action, from 1 on.
        ply: usize,
    },
}

impl<G: Game> Study<G> {
    /// A study of these roots, not searched yet.
    pub fn new(
        game: Arc<G>,
        roots: Vec<StudyRoot<G::State>>,
        settings: AgentSettings,
        mut evaluator: Box<dyn Evaluator<G>>,
    ) -> Result<Self, AgentError> {
        let mut tree = Tree::empty();
        let mut layer = Vec::new();
        let total: f64 = roots.iter().map(|root| root.probability).sum();
        for StudyRoot { state, infosets, probability } in roots {
            let value = match game.turn(&state) {
                Turn::Terminal => 0.0,
                Turn::Player(_) | Turn::Chance => evaluator.state(&*game, &state),
            };
            let keys = infosets.map(|infoset| InfosetKey::root(&("study", infoset)));
            let node = tree.add_root(&*game, state, keys, value)?;
            layer.push(Root { node, group: 0, reach: probability / total });
        }
        let roots = Roots::new(&tree, Player::One, layer)?;
        let solver = Solver::new(settings.iterate.averaging());
        let memory = Memory { tree, solver, roots, gadget: None };
        Ok(Study { game, settings, evaluator, memory })
    }

    /// Searches, going on where the last search ended.
    pub fn search(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
    ) -> Result<GrowthReport, AgentError> {
        let Memory { tree, solver, roots, .. } = &mut self.memory;
        let seed = self.settings.seed.wrapping_add(solver.iterations());
        let search = Search { game: &*self.game, settings: &self.settings, limits, seed, stop };
        search.run(tree, solver, roots, None, &mut *self.evaluator, &mut ())
    }

    /// The first player's value of the whole.
    pub fn value(&self) -> f64 {
        self.memory.solver.value()
    }

    /// The number of roots.
    pub fn roots(&self) -> usize {
        self.memory.tree.roots().len()
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The state after a line of actions from a root.
    pub fn state(&self, root: usize, line: &[G::Action]) -> Result<&G::State, StudyError> {
        let node = self.memory.tree.node(self.find(root, line)?);
        node.map(|node| node.state()).ok_or_else(|| self.no_such_root(root))
    }

    /// The strategy of the player to move after a line of actions from a root; empty where the
    /// game is over, where chance moves, and at a leaf of the tree.
    pub fn strategy(
        &self,
        root: usize,
        line: &[G::Action],
    ) -> Result<Vec<StudyAction<G::Action>>, StudyError> {
        let Memory { tree, solver, .. } = &self.memory;
        let node = tree.node(self.find(root, line)?).ok_or_else(|| self.no_such_root(root))?;
        let Some(Branch::Player(_, id)) = node.expansion().map(Expansion::branch) else {
            return Ok(Vec::new());
        };
        let strategy = self.settings.iterate.strategy(solver, *id);
        let (Some(infoset), Some(strategy)) = (tree.infoset(*id), strategy) else {
            return Ok(Vec::new());
        };
        let values = solver.action_values(*id);
        let actions = infoset.actions().iter().zip(strategy).enumerate();
        Ok(actions
            .map(|(index, (&action, probability))| StudyAction {
                action,
                probability,
                value: values.and_then(|values| values.conditional(index)),
            })
            .collect())
    }

    fn no_such_root(&self, found: usize) -> StudyError {
        StudyError::NoSuchRoot { found, roots: self.roots() }
    }

    fn find(&self, root: usize, line: &[G::Action]) -> Result<NodeId, StudyError> {
        let tree = &self.memory.tree;
        let mut id = *tree.roots().get(root).ok_or_else(|| self.no_such_root(root))?;
        for (ply, action) in line.iter().enumerate() {
            let node = tree.node(id).ok_or_else(|| self.no_such_root(root))?;
            let not_expanded = StudyError::NotExpanded { plies: ply, asked: line.len() };
            let expansion = node.expansion().ok_or(not_expanded)?;
            let mut actions = Vec::new();
            match expansion.branch() {
                Branch::Chance(outcomes) => actions.extend(outcomes.iter().map(|o| o.0)),
                Branch::Player(..) | Branch::Root => {
                    self.game.actions(node.state(), &mut actions);
                }
            }
            let places: HashMap<_, _> = actions.iter().zip(0..).collect();
            let index = places.get(action).ok_or(StudyError::NotLegal { ply: ply + 1 })?;
            id = expansion.child(*index);
        }
        Ok(id)
    }
}
