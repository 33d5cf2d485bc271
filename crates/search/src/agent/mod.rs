//! A player of any game by continual search: the paper's five steps.
//!
//! Between its turns the agent keeps the belief P, its last tree with the strategies on it, and
//! what it expected of the game. When its turn comes it builds a subgame of these, searches it,
//! and chooses.

mod decision;
mod settings;
mod whole;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use obscuro_game::{Evaluator, Game, InfosetKey, Player, SplitMix64, Turn};

pub use decision::{ActionReport, AgentError, Decision, SearchReport};
pub use settings::{AgentSettings, StepTimes};
pub use whole::WholeStrategy;

use crate::belief::Belief;
use crate::choose::{Stability, draw, purify};
use crate::expand::{Growth, GrowthError, GrowthReport, Limits};
use crate::solver::{Averaging, Root, RootPolicy, Roots, Solver, WholeGame};
use crate::subgame::{Blueprint, Gadget, Sampled, Subgame, construct, nodes_at};
use crate::tree::Tree;

/// The last search.
struct Memory<G: Game> {
    tree: Tree<G>,
    solver: Solver,
    roots: Roots,
    /// The gadget at the root; none at the root of the whole game.
    gadget: Option<Gadget>,
}

impl<G: Game> Memory<G> {
    /// A tree that is the start of the game alone.
    fn start(
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
    fn copy(&self) -> Result<Self, AgentError> {
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

    /// Searches, and chooses an action.
    ///
    /// On an error before the search the agent is as it was; if the game or the evaluator breaks
    /// its contract during the search, what was searched until then is kept.
    ///
    /// `stop` ends the search early when somebody sets it.
    pub fn choose(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
    ) -> Result<Decision<G::Action>, AgentError> {
        let state = self.belief.get(0).ok_or(AgentError::NothingObserved)?.clone();
        if self.game.turn(&state) != Turn::Player(self.player) {
            return Err(AgentError::NotOurTurn);
        }
        let mut actions = Vec::new();
        self.game.actions(&state, &mut actions);

        if limits == Limits::default() {
            return Err(GrowthError::NoLimit.into());
        }
        let start = Instant::now();
        let (memory, sampled) = self.subgame()?;
        let carried = (memory.tree.nodes() - sampled as u32, memory.tree.infoset_count());
        let depth_before = memory.tree.max_depth();
        // From here on the last search is not needed: it may be as large as the one to come.
        self.memory = Arc::new(memory);
        self.times.construct = start.elapsed();

        let start = Instant::now();
        let seed = self.seed();
        let memory = Arc::get_mut(&mut self.memory).ok_or(AgentError::NothingObserved)?;
        let Memory { tree, solver, roots, gadget } = memory;
        let mut stability = Stability::new(tree, solver, self.player, self.key, limits);
        let search = Search { game: &*self.game, settings: &self.settings, limits, seed, stop };
        let evaluator = &mut *self.evaluator;
        let growth = search.run(tree, solver, roots, gadget.as_mut(), evaluator, &mut stability)?;
        let stable = stability.stable(actions.len());
        if growth.iterations > 0 {
            self.expected = self.player.sign() * solver.value();
        }
        self.times.search = start.elapsed();

        let strategy = self.strategy(&actions);
        let p_max = self.memory.gadget.as_ref().map_or(0.0, Gadget::p_max);
        let played = purify(&strategy, &stable, p_max, self.settings.purification);
        let mut rng = SplitMix64::new(seed ^ self.key.get() ^ 0x00c4_005e);
        let choice = draw(&played, &mut rng);
        let times = std::mem::take(&mut self.times);
        let report = SearchReport {
            belief: self.belief.len(),
            exactness: self.belief.exactness(),
            sampled,
            carried_nodes: carried.0,
            carried_infosets: carried.1,
            depth_before,
            growth,
            p_max,
            value: self.expected,
            actions: self.action_reports(&actions, &strategy, &stable, &played),
            times,
        };
        Ok(Decision { action: actions[choice], index: choice, report })
    }

    /// The subgame at our infoset, and how many states were sampled for it.
    fn subgame(&mut self) -> Result<(Memory<G>, usize), AgentError> {
        let Memory { tree, solver, roots, gadget } = &*self.memory;
        let ours = nodes_at(tree, self.player, self.key);
        let root = tree.roots();
        if gadget.is_none() && ours == root && solver.iterations() > 0 {
            // Our first turn, at the root of the whole game, which was searched already.
            return Ok((self.memory.copy()?, 0));
        }
        if gadget.is_none() && ours == root {
            let averaging = self.settings.iterate.averaging();
            let game = &*self.game;
            return Ok((Memory::start(game, self.player, averaging, &mut *self.evaluator)?, 0));
        }
        let states: HashSet<&G::State> =
            ours.iter().filter_map(|&id| tree.node(id)).map(|node| node.state()).collect();
        let wanted = self.settings.sample.min(self.belief.len()).saturating_sub(states.len());
        let seed = self.seed() ^ self.key.get();
        let candidates = match wanted {
            0 => Vec::new(),
            _ => self.belief.sample(wanted + states.len(), seed),
        };
        let new: Vec<G::State> =
            candidates.into_iter().filter(|state| !states.contains(state)).take(wanted).collect();
        let game = &*self.game;
        let evaluator = &mut *self.evaluator;
        let sampled: Vec<Sampled<G::State>> = new
            .into_iter()
            .map(|state| Sampled { value: evaluator.state(game, &state), state })
            .collect();
        let count = sampled.len();
        let blueprint = Blueprint::new(tree, solver, roots, self.settings.iterate);
        let settings = &self.settings.subgame;
        let subgame = construct(game, &blueprint, self.key, sampled, self.expected, settings)?;
        let Subgame { tree, solver, roots, gadget, .. } = subgame;
        Ok((Memory { tree, solver, roots, gadget: Some(gadget) }, count))
    }

    /// Of a search: the same at all infosets of a common-knowledge set, so that all of them come to
    /// the same solution of the same subgame. Parts of different solutions do not fit together.
    fn seed(&self) -> u64 {
        self.settings.seed.wrapping_add((self.belief.plies() as u64) << 32)
    }

    /// The current strategy at our infoset, by the game's actions. Uniform if no node of it was
    /// expanded, which only a search without any expansion leaves so.
    fn strategy(&self, actions: &[G::Action]) -> Vec<f64> {
        let memory = &*self.memory;
        let infoset = memory.tree.find_infoset(self.player, self.key);
        infoset
            .and_then(|infoset| self.settings.iterate.strategy(&memory.solver, infoset))
            .unwrap_or_else(|| vec![1.0 / actions.len() as f64; actions.len()])
    }

    fn action_reports(
        &self,
        actions: &[G::Action],
        strategy: &[f64],
        stable: &[bool],
        played: &[f64],
    ) -> Vec<ActionReport<G::Action>> {
        let memory = &*self.memory;
        let infoset = memory.tree.find_infoset(self.player, self.key);
        let values = infoset.and_then(|infoset| memory.solver.action_values(infoset));
        let value = |index| Some(self.player.sign() * values.as_ref()?.conditional(index)?);
        let report = |(index, &action)| ActionReport {
            action,
            probability: strategy[index],
            value: value(index),
            stable: stable[index],
            played: played[index],
        };
        actions.iter().enumerate().map(report).collect()
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

/// One search of a memory's tree.
struct Search<'a, G: Game> {
    game: &'a G,
    settings: &'a AgentSettings,
    limits: Limits,
    seed: u64,
    stop: Option<&'a AtomicBool>,
}

impl<G: Game> Search<'_, G> {
    fn run(
        &self,
        tree: &Tree<G>,
        solver: &mut Solver,
        roots: &Roots,
        gadget: Option<&mut Gadget>,
        evaluator: &mut dyn Evaluator<G>,
        observer: &mut dyn crate::expand::Observer,
    ) -> Result<GrowthReport, AgentError> {
        let growth = Growth {
            game: self.game,
            tree,
            roots,
            exploration: self.settings.exploration,
            schedule: self.settings.schedule,
            limits: self.limits,
            seed: self.seed,
            stop: self.stop,
        };
        let mut whole = WholeGame;
        let policy: &mut dyn RootPolicy = match gadget {
            Some(gadget) => gadget,
            None => &mut whole,
        };
        Ok(growth.run(solver, policy, evaluator, observer)?)
    }
}
