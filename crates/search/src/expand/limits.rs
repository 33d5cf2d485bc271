use std::time::Duration;

/// When a search ends. What is `None` does not limit it; one limit at least is needed.
///
/// Nodes, memory and expansions end the expanding only: the solver goes on until the time or the
/// iterations are used up, or, where neither is limited, stops as well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// For the whole search.
    pub time: Option<Duration>,
    /// Nodes in the tree, those that were there before included. Passed by the children of the
    /// last expansions, one for each expander.
    pub nodes: Option<u32>,
    /// Bytes of tree and solver together, passed likewise.
    pub bytes: Option<usize>,
    /// Expansions of this search.
    pub expansions: Option<u64>,
    /// Solver iterations of this search.
    pub iterations: Option<u64>,
}

/// How solver and expanders take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// In one thread, so that a search with a seed, and without a limit on time, is the same on
    /// every run: so many walks, then so many iterations, and again.
    Deterministic {
        /// Walks of the expander, each of which may expand a leaf.
        walks: u32,
        /// Solver iterations.
        iterations: u32,
    },
    /// At the same time: the solver in the calling thread, the expanders in their own.
    Threaded {
        /// The number of expander threads, at least one.
        expanders: usize,
        /// The expanders stop by so much before the time is over, and the solver goes on alone.
        settle: Duration,
    },
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule::Deterministic { walks: 1, iterations: 1 }
    }
}

/// Counts of a search, and of the tree at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrowthReport {
    /// Nodes in the tree.
    pub nodes: u32,
    /// Infosets in the tree.
    pub infosets: u32,
    /// Memory of tree and solver, in bytes.
    pub bytes: usize,
    /// The deepest node, in plies below the roots.
    pub max_depth: u32,
    /// Leaves expanded in this search.
    pub expansions: u64,
    /// Their mean depth, in plies below the roots; zero if there was none.
    pub mean_depth: f64,
    /// Walks that ended at a terminal node, at a new node or at one claimed by another thread,
    /// and those that reached the largest depth.
    pub idle_walks: IdleWalks,
    /// Solver iterations of this search.
    pub iterations: u64,
    /// Nodes that the solver visited in this search.
    pub visits: u64,
    /// Time used.
    pub elapsed: Duration,
}

impl GrowthReport {
    /// The counts of this search and of another one right after it, as of one search.
    #[must_use]
    pub fn and(&self, next: &GrowthReport) -> GrowthReport {
        let expansions = self.expansions + next.expansions;
        let depths =
            self.mean_depth * self.expansions as f64 + next.mean_depth * next.expansions as f64;
        GrowthReport {
            expansions,
            mean_depth: depths / expansions.max(1) as f64,
            idle_walks: self.idle_walks.and(next.idle_walks),
            iterations: self.iterations + next.iterations,
            visits: self.visits + next.visits,
            elapsed: self.elapsed + next.elapsed,
            ..next.clone()
        }
    }
}

/// Walks that expanded nothing, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleWalks {
    /// At the end of a game.
    pub terminal: u64,
    /// At an expanded node that the solver had not come to yet.
    pub new: u64,
    /// At a leaf that another thread was expanding.
    pub claimed: u64,
    /// At the largest depth.
    pub too_deep: u64,
}

impl IdleWalks {
    /// The walks of both.
    #[must_use]
    pub fn and(self, other: IdleWalks) -> IdleWalks {
        IdleWalks {
            terminal: self.terminal + other.terminal,
            new: self.new + other.new,
            claimed: self.claimed + other.claimed,
            too_deep: self.too_deep + other.too_deep,
        }
    }
}

/// Why a search could not run, or stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GrowthError {
    /// Nothing would end the search.
    #[error("the search has no limit; expected one of time, nodes, bytes, expansions, iterations")]
    NoLimit,
    /// A count of the schedule is zero.
    #[error("the schedule has no {what}; expected at least one")]
    Schedule {
        /// What is missing.
        what: &'static str,
    },
    /// C of PUCT is not a number from zero on.
    #[error("the exploration constant is {0}; expected a finite number that is not negative")]
    Exploration(f64),
    /// The game or the evaluator broke its contract, or the tree is full.
    #[error(transparent)]
    Tree(#[from] crate::tree::TreeError),
}
