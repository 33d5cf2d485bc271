use std::borrow::Borrow;

use obscuro_game::Player;

use super::algorithm::discounts;
use super::passes::{Matcher, behaviour, positive};
use super::{Algorithm, Strategy, Table, Treeplex};

/// Runs an [`Algorithm`] on a [`Table`], which it borrows or owns (or shares: `Arc<Table>`).
///
/// Each update goes into the average with the strategy that it leads to.
///
/// ```
/// use obscuro_games::LeducPoker;
/// use obscuro_search::exact::exploitability;
/// use obscuro_search::table::{Algorithm, Limits, Solver, Table};
///
/// let table = Table::build(&LeducPoker, Limits::default())?;
/// let mut solver = Solver::new(&table, Algorithm::CfrPlus);
/// solver.run(1000);
/// let found = exploitability(&table, &solver.average_strategy())?;
/// assert!(found.mean() < 1e-3 && (found.value + 0.0856).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver<T: Borrow<Table>> {
    table: T,
    algorithm: Algorithm,
    average_exponent: f64,
    prune: bool,
    iterations: u64,
    players: [Learner; 2],
    /// All zero between updates, and long enough for either player.
    gradient: Vec<f64>,
}

/// What a player remembers from iteration to iteration, one number per sequence.
#[derive(Clone, Debug)]
struct Learner {
    matcher: Matcher,
    /// The current strategy as a plan.
    plan: Vec<f64>,
    /// The weighted sum of all plans.
    average: Vec<f64>,
}

impl Learner {
    fn new(treeplex: &Treeplex, algorithm: Algorithm) -> Self {
        let zeros = vec![0.0; treeplex.sequences()];
        let mut learner = Learner {
            matcher: Matcher::new(treeplex, algorithm == Algorithm::PcfrPlus),
            plan: zeros.clone(),
            average: zeros,
        };
        learner.matcher.realise(treeplex, &mut learner.plan, &mut learner.average, 0.0);
        learner
    }
}

impl<T: Borrow<Table>> Solver<T> {
    /// A solver that has not run yet: all strategies are uniform.
    pub fn new(table: T, algorithm: Algorithm) -> Self {
        let players =
            Player::BOTH.map(|player| Learner::new(table.borrow().treeplex(player), algorithm));
        let longest = players.iter().map(|learner| learner.plan.len()).max().unwrap_or_default();
        Solver {
            table,
            algorithm,
            average_exponent: algorithm.average_exponent(),
            prune: false,
            iterations: 0,
            players,
            gradient: vec![0.0; longest],
        }
    }

    /// Gives iteration t the weight `t^exponent` in the average, whatever the algorithm's own.
    #[must_use]
    pub fn with_average_exponent(mut self, exponent: f64) -> Self {
        self.average_exponent = exponent;
        self
    }

    /// Whether to skip payoffs that the opponent's current plan never reaches (partial pruning).
    /// The results are the same. Off by default: testing for it costs more than it saves unless
    /// whole tiles are dead.
    #[must_use]
    pub fn with_pruning(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Updates both players this many times.
    pub fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            self.iterations += 1;
            for player in Player::BOTH {
                self.update(player);
            }
        }
    }

    fn update(&mut self, player: Player) {
        let table = self.table.borrow();
        let treeplex = table.treeplex(player);
        let [one, two] = &mut self.players;
        let (own, other) = match player {
            Player::One => (one, two),
            Player::Two => (two, one),
        };
        let gradient = &mut self.gradient[..treeplex.sequences()];
        table.payoffs.accumulate(player.index(), &other.plan, gradient, self.prune);
        let matcher = &mut own.matcher;
        match self.algorithm {
            Algorithm::Cfr => matcher.update(treeplex, gradient, |regret, now| regret + now),
            Algorithm::CfrPlus | Algorithm::PcfrPlus => {
                matcher.update(treeplex, gradient, |regret, now| positive(regret + now));
            }
            Algorithm::Dcfr { alpha, beta, .. } => {
                let (gains, losses) = discounts(self.iterations, alpha, beta);
                matcher.update(treeplex, gradient, |regret, now| {
                    let sum = regret + now;
                    sum * if sum > 0.0 { gains } else { losses }
                });
            }
        }
        let weight = (self.iterations as f64).powf(self.average_exponent);
        own.matcher.realise(treeplex, &mut own.plan, &mut own.average, weight);
    }

    /// How many iterations have been run.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The table that is being solved.
    pub fn table(&self) -> &Table {
        self.table.borrow()
    }

    /// The weighted average of all strategies so far; uniform before the first iteration.
    pub fn average_strategy(&self) -> Strategy {
        let weights = |player: Player| self.players[player.index()].average.as_slice();
        self.strategy(weights)
    }

    /// The strategy that the next iteration would play: the last iterate.
    pub fn current_strategy(&self) -> Strategy {
        self.strategy(|player| self.players[player.index()].matcher.weights())
    }

    fn strategy<'a>(&self, weights: impl Fn(Player) -> &'a [f64]) -> Strategy {
        let probabilities =
            Player::BOTH.map(|player| behaviour(self.table().treeplex(player), weights(player)));
        Strategy::trusted(probabilities)
    }
}
