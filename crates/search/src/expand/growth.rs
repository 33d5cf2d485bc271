use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use obscuro_game::{Evaluator, Game, Player};

use super::expander::{Expander, Walk};
use super::limits::{GrowthError, GrowthReport, IdleWalks, Limits, Schedule};
use super::policy::Exploration;
use crate::solver::{RootPolicy, Roots, Solver};
use crate::tree::{Tree, TreeError};

/// A search that ends with the expanding stops when this many walks in a row expanded nothing:
/// one-sided expansion comes to an end without expanding everything.
const IDLE: u64 = 10_000;

/// One search: the tree is solved and grown at the same time (GT-CFR).
pub struct Growth<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// Its tree so far.
    pub tree: &'a Tree<G>,
    /// Where iterations and walks begin.
    pub roots: &'a Roots,
    /// The exploring player's policy.
    pub exploration: Exploration,
    /// How solver and expanders take turns.
    pub schedule: Schedule,
    /// When it ends.
    pub limits: Limits,
    /// Of the expanders' random choices.
    pub seed: u64,
    /// Ends the search when somebody sets it.
    pub stop: Option<&'a AtomicBool>,
}

/// Is told of the solver after every iteration.
pub trait Observer {
    /// `elapsed` is the time since the search began; it is zero in a deterministic search without
    /// a limit on time.
    fn iteration(&mut self, solver: &Solver, elapsed: Duration);
}

impl Observer for () {
    fn iteration(&mut self, _solver: &Solver, _elapsed: Duration) {}
}

impl<F: FnMut(&Solver, Duration)> Observer for F {
    fn iteration(&mut self, solver: &Solver, elapsed: Duration) {
        self(solver, elapsed);
    }
}

/// What one expander did.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    expansions: u64,
    depths: u64,
    idle: IdleWalks,
}

impl Tally {
    /// Counts a walk; whether it expanded a leaf.
    fn count(&mut self, walk: Walk) -> bool {
        match walk {
            Walk::Expanded { depth, .. } => {
                self.expansions += 1;
                self.depths += u64::from(depth);
                return true;
            }
            Walk::Terminal => self.idle.terminal += 1,
            Walk::New => self.idle.new += 1,
            Walk::Claimed => self.idle.claimed += 1,
            Walk::TooDeep => self.idle.too_deep += 1,
        }
        false
    }

    fn add(&mut self, other: &Tally) {
        self.expansions += other.expansions;
        self.depths += other.depths;
        self.idle = self.idle.and(other.idle);
    }
}

impl<G: Game> Growth<'_, G> {
    /// Runs the search until a limit is reached.
    ///
    /// On an error the tree and the solver are whole, and as they were after the last expansion
    /// and iteration that succeeded.
    pub fn run(
        &self,
        solver: &mut Solver,
        policy: &mut dyn RootPolicy,
        evaluator: &mut dyn Evaluator<G>,
        observer: &mut dyn Observer,
    ) -> Result<GrowthReport, GrowthError> {
        self.check()?;
        let start = Instant::now();
        let (iterations, visits) = (solver.iterations(), solver.visits());
        let tally = match self.schedule {
            Schedule::Deterministic { walks, iterations } => {
                let turns = (walks, iterations);
                self.take_turns(turns, start, solver, policy, evaluator, observer)?
            }
            Schedule::Threaded { expanders, settle } => {
                let shared = Shared::new(start, settle);
                self.run_threads(expanders, &shared, solver, policy, evaluator, observer)?
            }
        };
        Ok(GrowthReport {
            nodes: self.tree.nodes(),
            infosets: self.tree.infoset_count(),
            bytes: self.tree.bytes() + solver.bytes(),
            max_depth: self.tree.max_depth(),
            expansions: tally.expansions,
            mean_depth: tally.depths as f64 / tally.expansions.max(1) as f64,
            idle_walks: tally.idle,
            iterations: solver.iterations() - iterations,
            visits: solver.visits() - visits,
            elapsed: start.elapsed(),
        })
    }

    fn check(&self) -> Result<(), GrowthError> {
        let Limits { time, nodes, bytes, expansions, iterations } = self.limits;
        if (time, nodes, bytes, expansions, iterations) == (None, None, None, None, None) {
            return Err(GrowthError::NoLimit);
        }
        if !(self.exploration.c.is_finite() && self.exploration.c >= 0.0) {
            return Err(GrowthError::Exploration(self.exploration.c));
        }
        match self.schedule {
            Schedule::Deterministic { walks: 0, .. } => {
                Err(GrowthError::Schedule { what: "walks" })
            }
            Schedule::Deterministic { iterations: 0, .. } => {
                Err(GrowthError::Schedule { what: "iterations" })
            }
            Schedule::Threaded { expanders: 0, .. } => {
                Err(GrowthError::Schedule { what: "expanders" })
            }
            _ => Ok(()),
        }
    }

    fn is_stopped(&self) -> bool {
        // Relaxed: the flag stands for itself.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether nodes, memory or expansions are used up.
    fn is_grown(&self, expansions: u64, solver_bytes: usize) -> bool {
        self.limits.nodes.is_some_and(|limit| self.tree.nodes() >= limit)
            || self.limits.expansions.is_some_and(|limit| expansions >= limit)
            || self.limits.bytes.is_some_and(|limit| self.tree.bytes() + solver_bytes >= limit)
    }

    /// Whether the search ends with the expanding.
    fn ends_when_grown(&self) -> bool {
        self.limits.time.is_none() && self.limits.iterations.is_none()
    }

    /// The deterministic schedule.
    fn take_turns(
        &self,
        (walks, iterations): (u32, u32),
        start: Instant,
        solver: &mut Solver,
        policy: &mut dyn RootPolicy,
        evaluator: &mut dyn Evaluator<G>,
        observer: &mut dyn Observer,
    ) -> Result<Tally, TreeError> {
        let first = solver.iterations();
        let mut expander =
            Expander::new(self.game, self.tree, self.roots, self.exploration, self.seed);
        let mut tally = Tally::default();
        let mut idle = 0;
        loop {
            for _ in 0..walks {
                if self.is_grown(tally.expansions, solver.bytes()) {
                    break;
                }
                idle = if tally.count(expander.walk(evaluator)?) { 0 } else { idle + 1 };
            }
            for _ in 0..iterations {
                let done = solver.iterations() - first;
                if self.is_stopped() || self.limits.iterations.is_some_and(|limit| done >= limit) {
                    return Ok(tally);
                }
                let elapsed = self.limits.time.map_or(Duration::ZERO, |_| start.elapsed());
                if self.limits.time.is_some_and(|limit| elapsed >= limit) {
                    return Ok(tally);
                }
                solver.iterate(self.tree, self.roots, policy);
                observer.iteration(solver, elapsed);
            }
            let grown = idle >= IDLE || self.is_grown(tally.expansions, solver.bytes());
            if grown && self.ends_when_grown() {
                return Ok(tally);
            }
        }
    }

    /// The threaded schedule.
    fn run_threads(
        &self,
        expanders: usize,
        shared: &Shared,
        solver: &mut Solver,
        policy: &mut dyn RootPolicy,
        evaluator: &mut dyn Evaluator<G>,
        observer: &mut dyn Observer,
    ) -> Result<Tally, TreeError> {
        let first = solver.iterations();
        shared.running.store(expanders as u64, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..expanders {
                let mut evaluator = evaluator.fork();
                threads.push(scope.spawn(move || {
                    let _guard = Running(shared);
                    self.expand_until_stopped(number, shared, &mut *evaluator)
                }));
            }
            // Should the observer or the policy panic, the expanders must not run on.
            let guard = StopExpanders(shared);
            loop {
                let elapsed = shared.start.elapsed();
                let done = solver.iterations() - first;
                if self.is_stopped()
                    || shared.failed.load(Ordering::Relaxed)
                    || self.limits.time.is_some_and(|limit| elapsed >= limit)
                    || self.limits.iterations.is_some_and(|limit| done >= limit)
                    || self.ends_when_grown() && shared.running.load(Ordering::Relaxed) == 0
                {
                    break;
                }
                solver.iterate(self.tree, self.roots, policy);
                shared.solver_bytes.store(solver.bytes() as u64, Ordering::Relaxed);
                observer.iteration(solver, elapsed);
            }
            drop(guard);
            let mut tally = Tally::default();
            for thread in threads {
                match thread.join() {
                    Ok(result) => tally.add(&result?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(tally)
        })
    }

    /// The life of an expander thread.
    fn expand_until_stopped(
        &self,
        number: usize,
        shared: &Shared,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Result<Tally, TreeError> {
        let deadline = self.limits.time.map(|limit| limit.saturating_sub(shared.settle));
        let side = if number.is_multiple_of(2) { Player::One } else { Player::Two };
        let seed = self.seed.wrapping_add(0x9e37_79b9 * number as u64);
        let mut expander = Expander::new(self.game, self.tree, self.roots, self.exploration, seed)
            .beginning_with(side);
        let mut tally = Tally::default();
        let mut idle = 0;
        while !shared.stop.load(Ordering::Relaxed)
            && !self.is_stopped()
            && deadline.is_none_or(|deadline| shared.start.elapsed() < deadline)
            && (!self.ends_when_grown() || idle < IDLE)
        {
            let bytes = shared.solver_bytes.load(Ordering::Relaxed) as usize;
            if self.is_grown(shared.expansions.load(Ordering::Relaxed), bytes) {
                break;
            }
            let walk = expander.walk(evaluator).inspect_err(|_| {
                shared.failed.store(true, Ordering::Relaxed);
            })?;
            if tally.count(walk) {
                shared.expansions.fetch_add(1, Ordering::Relaxed);
                idle = 0;
            } else {
                idle += 1;
                // The solver is behind, or everything in reach is expanded: leave it the core.
                std::thread::yield_now();
            }
        }
        Ok(tally)
    }
}

/// What the threads of a search tell each other. All relaxed: counters and flags that stand for
/// themselves.
struct Shared {
    start: Instant,
    settle: Duration,
    stop: AtomicBool,
    failed: AtomicBool,
    running: AtomicU64,
    expansions: AtomicU64,
    solver_bytes: AtomicU64,
}

impl Shared {
    fn new(start: Instant, settle: Duration) -> Self {
        Shared {
            start,
            settle,
            stop: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            running: AtomicU64::new(0),
            expansions: AtomicU64::new(0),
            solver_bytes: AtomicU64::new(0),
        }
    }
}

/// Stops the expanders when the solver ends, one way or another.
struct StopExpanders<'a>(&'a Shared);

impl Drop for StopExpanders<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Counts an expander thread out, and stops the search if it panicked.
struct Running<'a>(&'a Shared);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.failed.store(true, Ordering::Relaxed);
        }
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}
