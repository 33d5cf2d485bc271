//! A whole game as a compact table, and the CFR family on it.
//!
//! A [`Table`] is the sequence form of a game: two [treeplexes](Treeplex), one per player, and the
//! payoff matrix between their sequences. An iteration of CFR needs no tree: one product of the
//! matrix with the opponent's plan gives what every own sequence gains, one pass from the last
//! infosets to the first turns that into counterfactual values and regrets, one pass back turns
//! the new strategy into a plan. Infosets that can be updated side by side and payoffs that
//! belong to one public end of the game lie together in memory (see [`Group`]).

mod algorithm;
mod error;
mod label;
mod order;
mod passes;
mod payoffs;
mod solver;
mod strategy;
mod tile;
mod treeplex;
mod walk;

use std::collections::HashMap;

use foldhash::fast::FixedState;
use obscuro_game::{Game, InfosetKey, Player};

pub use self::algorithm::Algorithm;
pub use self::error::{Limits, TableError};
pub use self::label::Label;
pub use self::solver::Solver;
pub use self::strategy::{Missing, Profile, ProfileError, Strategy};
pub use self::treeplex::{Group, Treeplex};

use self::payoffs::Payoffs;

/// The size of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All histories: decisions, chance nodes and ends.
    pub histories: u64,
    /// Histories at which the game ends.
    pub terminals: u64,
    /// Histories at which chance moves.
    pub chance_nodes: u64,
    /// Plies of the longest play, chance outcomes counted.
    pub depth: u64,
    /// Infosets at which each player moves, forced moves included.
    pub infosets: [u64; 2],
    /// Sequences of each player in the table, the empty one included and forced moves left out.
    pub sequences: [u64; 2],
    /// Pairs of sequences at which the game ends.
    pub payoff_entries: u64,
}

/// A whole game in sequence form. It needs the game no more, except for [labels](Label).
#[derive(Clone, Debug)]
pub struct Table {
    treeplexes: [Treeplex; 2],
    payoffs: Payoffs,
    counts: Counts,
    max_payoff: f64,
}

impl Table {
    /// Compiles a game by visiting each of its histories once.
    ///
    /// ```
    /// use obscuro_games::KuhnPoker;
    /// use obscuro_search::table::{Limits, Table};
    ///
    /// let counts = Table::build(&KuhnPoker, Limits::default())?.counts();
    /// assert_eq!((counts.histories, counts.infosets), (58, [6, 6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Checks on the way that payoffs are finite, that chance sums to one, that the states of an
    /// infoset offer the same actions and that players remember what they did and saw.
    pub fn build<G: Game>(game: &G, limits: Limits) -> Result<Table, TableError> {
        let walk::RawGame { players, ends, mut counts } = walk::walk(game, limits)?;
        let [one, two] = order::order(players, &ends);
        let payoffs = Payoffs::new(
            ends,
            [&one.renumbered, &two.renumbered],
            [&one.blocks, &two.blocks],
            [one.treeplex.sequences, two.treeplex.sequences],
        );
        counts.payoff_entries = payoffs.entries;
        let treeplexes = [one.treeplex, two.treeplex];
        Ok(Table { treeplexes, payoffs, counts, max_payoff: game.max_payoff() })
    }

    /// The size of the game.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// A player's infosets and sequences.
    pub fn treeplex(&self, player: Player) -> &Treeplex {
        &self.treeplexes[player.index()]
    }

    /// The largest absolute payoff, as the game says.
    pub fn max_payoff(&self) -> f64 {
        self.max_payoff
    }

    /// Adds to `gradient` what each of the player's sequences gains for that player by itself,
    /// against the other player's plan (probabilities of their sequences).
    ///
    /// # Panics
    /// If the slices are not as long as the players' numbers of sequences.
    pub fn accumulate_gradient(&self, player: Player, plan: &[f64], gradient: &mut [f64]) {
        assert_eq!(plan.len(), self.treeplex(player.other()).sequences, "the other's plan");
        assert_eq!(gradient.len(), self.treeplex(player).sequences, "the gradient");
        self.payoffs.accumulate(player.index(), plan, gradient, false);
    }

    /// The payoff matrix as (first player's sequence, second player's sequence, payoff), sorted.
    pub fn payoff_entries(&self) -> Vec<(u32, u32, f64)> {
        let mut entries: Vec<_> =
            self.payoffs.entries().map(|e| (e.row, e.column, e.payoff)).collect();
        entries.sort_unstable_by_key(|&(row, column, _)| (row, column));
        entries
    }

    /// How many entries of the payoff matrix lie in dense tiles (zeros that fill them up
    /// included), and how many different numbers those tiles are made of.
    pub fn tiled_entries(&self) -> (usize, usize) {
        self.payoffs.tiled()
    }

    /// The index of each of a player's infosets by its key; forced ones are not in it.
    pub fn infoset_indexes(&self, player: Player) -> HashMap<InfosetKey, usize, FixedState> {
        self.treeplex(player).keys.iter().enumerate().map(|(i, &key)| (key, i)).collect()
    }
}
