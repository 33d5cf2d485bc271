//! The set P of all states consistent with everything a player has observed.

mod error;
mod set;
mod step;

use std::collections::BinaryHeap;
use std::sync::Arc;

use obscuro_game::{Game, Player};

pub use error::BeliefError;
use set::{SHARDS, hash_of, mix, shard_of};

/// The most states that are guessed.
const GUESSES: usize = 1 << 12;

/// How large a belief may grow, and with what it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeliefSettings {
    /// The most states that are kept; beyond it the belief is a sample.
    pub cap: usize,
    /// Threads for an update.
    pub threads: usize,
    /// Decides which states a sample keeps.
    pub seed: u64,
}

impl Default for BeliefSettings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        BeliefSettings { cap: 4_000_000, threads, seed: 0 }
    }
}

/// How a belief relates to P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exactness {
    /// The belief is P.
    Exact,
    /// The belief is a part of P.
    ///
    /// The first update above the cap keeps each state of P with the same probability. Later
    /// updates keep each distinct child of the sample with the same probability; a state with
    /// many parents in P is then more likely to be in the belief than one with few.
    Sample,
    /// A sample died out and could not be rebuilt by replaying the game: the belief holds states
    /// that agree with the last observation and the material, made by [`Game::guess`].
    Guess,
}

/// The states that a player considers possible.
///
/// Every state in it is consistent with all that was observed (unless it is a
/// [`Exactness::Guess`]), there are no duplicates, and as long as it is
/// [`Exactness::Exact`] every consistent state is in it.
pub struct Belief<G: Game> {
    game: Arc<G>,
    viewer: Player,
    settings: BeliefSettings,
    root: G::State,
    history: Vec<(Option<G::Action>, G::Observation)>,
    /// Whether the history contradicts itself: it cannot be replayed.
    broken: bool,
    shards: Vec<Vec<G::State>>,
    exactness: Exactness,
}

impl<G: Game> Clone for Belief<G> {
    fn clone(&self) -> Self {
        Belief {
            game: Arc::clone(&self.game),
            viewer: self.viewer,
            settings: self.settings,
            root: self.root.clone(),
            history: self.history.clone(),
            broken: self.broken,
            shards: self.shards.clone(),
            exactness: self.exactness,
        }
    }
}

impl<G: Game> Belief<G> {
    /// The belief at a state that both players know: the state alone.
    pub fn new(game: Arc<G>, viewer: Player, root: G::State, settings: BeliefSettings) -> Self {
        let mut shards = vec![Vec::new(); SHARDS];
        shards[shard_of(hash_of(&root))].push(root.clone());
        let exactness = Exactness::Exact;
        let history = Vec::new();
        Belief { game, viewer, settings, root, history, broken: false, shards, exactness }
    }

    /// Takes in what the viewer saw after one more ply: their own `own` action, or one of the
    /// opponent's or of chance. What is no news ([`Game::is_silent`]) changes nothing.
    ///
    /// On an error the belief is as it was.
    pub fn advance(
        &mut self,
        own: Option<G::Action>,
        seen: &G::Observation,
    ) -> Result<(), BeliefError> {
        if own.is_none() && self.game.is_silent(seen) {
            return Ok(());
        }
        let salt = self.salt(self.history.len() as u64);
        let (shards, complete) = self.step(&self.shards, own, seen, self.settings.cap, salt);
        let exactness = match self.exactness {
            Exactness::Exact if complete => Exactness::Exact,
            Exactness::Exact => Exactness::Sample,
            worse => worse,
        };
        self.history.push((own, seen.clone()));
        let next =
            if shards.iter().all(Vec::is_empty) { self.rebuild() } else { Ok((shards, exactness)) };
        match next {
            Ok((shards, exactness)) => {
                self.shards = shards;
                self.exactness = exactness;
                Ok(())
            }
            Err(error) => {
                self.history.pop();
                Err(error)
            }
        }
    }

    /// Begins anew at what the viewer sees now, whatever was seen before: with states that agree
    /// with it and with the material that must be left ([`Game::resync`]). They are a
    /// [guess](Exactness::Guess).
    ///
    /// It takes the place of [`Belief::advance`] for an observation that contradicts the belief. On
    /// an error the belief is as it was.
    pub fn resync(&mut self, seen: &G::Observation) -> Result<(), BeliefError> {
        self.history.push((None, seen.clone()));
        let n = self.settings.cap.min(GUESSES);
        let salt = self.salt(!0);
        let states = self.game.resync(&self.root, self.viewer, &self.history, n, salt);
        let Some(shards) = self.guessed(states, salt) else {
            let error = self.impossible();
            self.history.pop();
            return Err(error);
        };
        self.shards = shards;
        self.exactness = Exactness::Guess;
        self.broken = true;
        Ok(())
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.shards.iter().map(Vec::len).sum()
    }

    /// Never true: an observation that no state fits is an error.
    pub fn is_empty(&self) -> bool {
        self.shards.iter().all(Vec::is_empty)
    }

    /// How the belief relates to P.
    pub fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// Whose belief it is.
    pub fn viewer(&self) -> Player {
        self.viewer
    }

    /// Plies observed so far.
    pub fn plies(&self) -> usize {
        self.history.len()
    }

    /// All states, in an order that may differ from run to run.
    pub fn iter(&self) -> impl Iterator<Item = &G::State> {
        self.shards.iter().flatten()
    }

    /// The state at a position of [`Belief::iter`].
    pub fn get(&self, mut index: usize) -> Option<&G::State> {
        for shard in &self.shards {
            match shard.get(index) {
                Some(state) => return Some(state),
                None => index -= shard.len(),
            }
        }
        None
    }

    /// Whether a state is considered possible.
    pub fn contains(&self, state: &G::State) -> bool {
        self.shards[shard_of(hash_of(state))].contains(state)
    }

    /// `n` different states (all, if there are no more), each set of `n` equally likely.
    ///
    /// The sample and its order depend on the set and the seed alone.
    pub fn sample(&self, n: usize, seed: u64) -> Vec<G::State> {
        if n == 0 {
            return Vec::new();
        }
        // The n states with the smallest salted hashes, which are as good as random.
        let salt = mix(seed ^ 0x5a4d_504c_4500_0000);
        let mut smallest: BinaryHeap<(u64, usize, usize)> =
            BinaryHeap::with_capacity(n.min(self.len()) + 1);
        for (shard, states) in self.shards.iter().enumerate() {
            for (at, state) in states.iter().enumerate() {
                let key = mix(hash_of(state) ^ salt);
                if smallest.len() < n {
                    smallest.push((key, shard, at));
                } else if smallest.peek().is_some_and(|largest| key < largest.0) {
                    smallest.pop();
                    smallest.push((key, shard, at));
                }
            }
        }
        let sorted = smallest.into_sorted_vec();
        sorted.into_iter().map(|(_, shard, at)| self.shards[shard][at].clone()).collect()
    }

    fn salt(&self, round: u64) -> u64 {
        mix(self.settings.seed ^ mix(round))
    }
}
