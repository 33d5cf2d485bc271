//! A player of any game by continual search: the paper's five steps.
//!
//! Between its turns the agent keeps the belief P, its last tree with the strategies on it, and
//! what it expected of the game. When its turn comes it builds a subgame of these, searches it,
//! and chooses.

mod decision;
mod memory;
mod settings;
mod study;
mod turn;
mod whole;

use std::sync::Arc;
use std::time::Instant;

use obscuro_game::{Evaluator, Game, InfosetKey, Player};

pub use decision::{ActionReport, AgentError, Decision, GadgetInForce, SearchReport};
pub use settings::{AgentSettings, StepTimes};
pub use study::{Study, StudyAction, StudyError, StudyRoot};
pub use whole::WholeStrategy;

use crate::belief::Belief;
use crate::solver::Solver;
use crate::tree::Tree;
use memory::Memory;
use turn::Search;

/// A player by continual search.
///
/// It is told every observation ([`Agent::observe`]) and asked for an action when it is its turn
/// ([`Agent::choose`]). It never sees a state that is not in its belief.
pub struct Agent<G: Game> {
    game: Arc<G>,
    player: Player,
    settings: AgentSettings,
    evaluator: Box<dyn Evaluator<G>>,
    belief: Belief<G>,
    key: InfosetKey,
    memory: Arc<Memory<G>>,
    /// v*, in our view.
    expected: f64,
    times: StepTimes,
}

impl<G: Game> Agent<G> {
    /// A player at the start of a game.
    pub fn new(
        game: Arc<G>,
        player: Player,
        settings: AgentSettings,
        mut evaluator: Box<dyn Evaluator<G>>,
    ) -> Result<Self, AgentError> {
        let root = game.root();
        let key = InfosetKey::root(&game.observe(&root, player));
        let averaging = settings.iterate.averaging();
        let mut memory = Memory::start(&*game, player, averaging, &mut *evaluator)?;
        let belief = Belief::new(Arc::clone(&game), player, root, settings.belief);
        let mut expected = 0.0;
        if let Some(limits) = settings.blueprint {
            let seed = settings.seed;
            let search = Search { game: &*game, settings: &settings, limits, seed, stop: None };
            let Memory { tree, solver, roots, .. } = &mut memory;
            search.run(tree, solver, roots, None, &mut *evaluator, &mut ())?;
            expected = player.sign() * memory.solver.value();
        } else if let Some(node) = memory.tree.roots().first().and_then(|&id| memory.tree.node(id))
        {
            expected = player.sign() * f64::from(node.value());
        }
        let (memory, times) = (Arc::new(memory), StepTimes::default());
        Ok(Agent { game, player, settings, evaluator, belief, key, memory, expected, times })
    }

    /// An agent that stands where this one stands and goes its own way.
    #[must_use]
    pub fn fork(&self) -> Self {
        Agent {
            game: Arc::clone(&self.game),
            player: self.player,
            settings: self.settings,
            evaluator: self.evaluator.fork(),
            belief: self.belief.clone(),
            key: self.key,
            // A search makes a memory of its own.
            memory: Arc::clone(&self.memory),
            expected: self.expected,
            times: self.times,
        }
    }

    /// Takes in what is seen after one more ply; `own` is our action if it was our ply.
    ///
    /// On an error the agent is as it was.
    pub fn observe(
        &mut self,
        own: Option<G::Action>,
        seen: &G::Observation,
    ) -> Result<(), AgentError> {
        let start = Instant::now();
        self.belief.advance(own, seen)?;
        self.key = self.game.infoset(self.key, own, seen);
        self.times.observe += start.elapsed();
        Ok(())
    }

    /// Begins anew at what is seen now, after an observation that contradicts the belief: with
    /// states that agree with it and with the material that must be left ([`Game::resync`]).
    ///
    /// It takes the place of [`Agent::observe`] for this observation. On an error the agent is as
    /// it was.
    pub fn resync(&mut self, seen: &G::Observation) -> Result<(), AgentError> {
        let start = Instant::now();
        self.belief.resync(seen)?;
        self.key = self.game.infoset(self.key, None, seen);
        self.times.observe += start.elapsed();
        Ok(())
    }

    /// The states of our infoset in the tree of the last search, each with its weight: the
    /// opponent's choice at the root times the reach of all others, divided by the sum. Empty if
    /// there was no search at this infoset.
    pub fn weighted_states(&self) -> Vec<(G::State, f64)> {
        let Memory { tree, solver, roots, .. } = &*self.memory;
        let weights = solver.weights();
        let mut states = Vec::new();
        for group in 0..roots.groups() {
            let weight = weights.get(group).copied().unwrap_or(0.0);
            for root in roots.group(group) {
                if let Some(node) = tree.node(root.node)
                    && node.key(self.player) == self.key
                {
                    states.push((node.state().clone(), weight * root.reach));
                }
            }
        }
        let total: f64 = states.iter().map(|state| state.1).sum();
        if total > 0.0 {
            for state in &mut states {
                state.1 /= total;
            }
        }
        states
    }

    /// What is expected of the game, in our view: v* after a search.
    pub fn expected(&self) -> f64 {
        self.expected
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Who we are.
    pub fn player(&self) -> Player {
        self.player
    }

    /// Our infoset.
    pub fn key(&self) -> InfosetKey {
        self.key
    }

    /// What we consider possible.
    pub fn belief(&self) -> &Belief<G> {
        &self.belief
    }

    /// The tree of the last search.
    pub fn tree(&self) -> &Tree<G> {
        &self.memory.tree
    }

    /// The strategies of the last search.
    pub fn solver(&self) -> &Solver {
        &self.memory.solver
    }
}
