//! What an agent does at its turn, and while it waits.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use obscuro_game::{Evaluator, Game, SplitMix64, Turn};

use super::memory::Memory;
use super::{
    ActionReport, Agent, AgentError, AgentSettings, Decision, GadgetInForce, SearchReport,
};
use crate::choose::{Stability, draw, purify};
use crate::expand::{Growth, GrowthError, GrowthReport, Limits, Observer, Schedule};
use crate::solver::{RootPolicy, Roots, Solver, WholeGame};
use crate::subgame::{Blueprint, Gadget, Sampled, Subgame, construct, nodes_at};
use crate::tree::Tree;

/// What a subgame was made of.
struct Built {
    sampled: usize,
    carried_nodes: u32,
    carried_infosets: u32,
    depth: u32,
}

impl<G: Game> Agent<G> {
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

        let (built, mut growth, stable) = self.search(limits, stop)?;
        if self.computed().is_none() {
            self.hasten(&mut growth)?;
        }
        let start = Instant::now();
        let stable = stable.unwrap_or_else(|| vec![true; actions.len()]);
        let strategy = self.strategy(&actions);
        let p_max = self.memory.gadget.as_ref().map_or(0.0, Gadget::p_max);
        let played = purify(&strategy, &stable, p_max, self.settings.purification);
        let mut rng = SplitMix64::new(self.seed() ^ self.key.get() ^ 0x00c4_005e);
        let choice = draw(&played, &mut rng);
        let reports = self.action_reports(&actions, &strategy, &stable, &played);
        self.times.choose = start.elapsed();
        let report = SearchReport {
            belief: self.belief.len(),
            exactness: self.belief.exactness(),
            sampled: built.sampled,
            carried_nodes: built.carried_nodes,
            carried_infosets: built.carried_infosets,
            depth_before: built.depth,
            growth,
            gadget: match &self.memory.gadget {
                None => GadgetInForce::None,
                Some(_) if p_max > 0.0 => GadgetInForce::Resolve,
                Some(_) => GadgetInForce::Maxmargin,
            },
            p_max,
            value: self.expected,
            actions: reports,
            times: std::mem::take(&mut self.times),
        };
        Ok(Decision { action: actions[choice], index: choice, report })
    }

    /// Searches ahead while somebody else is to move, for the next [`Agent::choose`] to build on.
    ///
    /// The subgame is that of our infoset as it is now: the opponent's move is part of it. Before
    /// our first turn it may be called at our own turn as well.
    pub fn ponder(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
    ) -> Result<GrowthReport, AgentError> {
        let state = self.belief.get(0).ok_or(AgentError::NothingObserved)?;
        match self.game.turn(state) {
            Turn::Terminal => return Err(AgentError::GameOver),
            Turn::Player(player) if player == self.player && self.belief.plies() > 0 => {
                return Err(AgentError::OurTurn);
            }
            Turn::Player(_) | Turn::Chance => {}
        }
        let times = self.times;
        let (_, growth, _) = self.search(limits, stop)?;
        // The time that steps take is that of the choice.
        self.times = times;
        Ok(growth)
    }

    /// Builds the subgame at our infoset and searches it; says which of our actions are stable, if
    /// the search came that far.
    fn search(
        &mut self,
        limits: Limits,
        stop: Option<&AtomicBool>,
    ) -> Result<(Built, GrowthReport, Option<Vec<bool>>), AgentError> {
        if limits == Limits::default() {
            return Err(GrowthError::NoLimit.into());
        }
        let start = Instant::now();
        let (memory, sampled) = self.subgame()?;
        let built = Built {
            sampled,
            carried_nodes: memory.tree.nodes() - sampled as u32,
            carried_infosets: memory.tree.infoset_count(),
            depth: memory.tree.max_depth(),
        };
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
        let stable = stability.stable();
        if growth.iterations > 0 {
            self.expected = self.player.sign() * solver.value();
        }
        self.times.search = start.elapsed();
        Ok((built, growth, stable))
    }

    /// The few expansions that an answer needs, after a search that ended without any of ours: it
    /// was stopped at once, or the time went by while its threads started.
    fn hasten(&mut self, growth: &mut GrowthReport) -> Result<(), AgentError> {
        let seed = self.seed();
        let memory = Arc::get_mut(&mut self.memory).ok_or(AgentError::NothingObserved)?;
        let Memory { tree, solver, roots, gadget } = memory;
        let limits = Limits { iterations: Some(8), ..Limits::default() };
        let schedule = Schedule::Deterministic { walks: 8, iterations: 1 };
        let settings = AgentSettings { schedule, ..self.settings };
        let search = Search { game: &*self.game, settings: &settings, limits, seed, stop: None };
        let evaluator = &mut *self.evaluator;
        let more = search.run(tree, solver, roots, gadget.as_mut(), evaluator, &mut ())?;
        if more.iterations > 0 {
            self.expected = self.player.sign() * solver.value();
        }
        self.times.search += more.elapsed;
        *growth = growth.and(&more);
        Ok(())
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

    /// The strategy at our infoset, if any node of it was expanded.
    fn computed(&self) -> Option<Vec<f64>> {
        let Memory { tree, solver, .. } = &*self.memory;
        let infoset = tree.find_infoset(self.player, self.key)?;
        self.settings.iterate.strategy(solver, infoset)
    }

    /// The strategy at our infoset, by the game's actions; uniform if there is none.
    fn strategy(&self, actions: &[G::Action]) -> Vec<f64> {
        self.computed().unwrap_or_else(|| vec![1.0 / actions.len() as f64; actions.len()])
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
}

/// One search of a memory's tree.
pub(super) struct Search<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) settings: &'a AgentSettings,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl<G: Game> Search<'_, G> {
    pub(super) fn run(
        &self,
        tree: &Tree<G>,
        solver: &mut Solver,
        roots: &Roots,
        gadget: Option<&mut Gadget>,
        evaluator: &mut dyn Evaluator<G>,
        observer: &mut dyn Observer,
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
