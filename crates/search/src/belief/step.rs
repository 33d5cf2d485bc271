use std::sync::atomic::{AtomicUsize, Ordering};

use obscuro_game::Game;

use super::set::{DistinctSet, SHARDS, hash_of, mix, shard_of};
use super::{Belief, BeliefError, Exactness, GUESSES};

/// Parents whose children are made in one go.
const CHUNK: usize = 256;
/// Below this number of parents a second thread costs more than it brings.
const PARALLEL: usize = 4096;
/// States that a thread collects for a shard before it takes the shard's lock.
const BUFFER: usize = 64;
/// Sizes of the samples with which a dead one is rebuilt.
const REBUILD_CAPS: [usize; 2] = [1 << 16, 1 << 18];

pub(super) type Shards<S> = Vec<Vec<S>>;
/// States that were found again, and how they relate to P.
type Found<S> = (Shards<S>, Exactness);

impl<G: Game> Belief<G> {
    /// The distinct children of `parents` that fit an observation, and whether they are all.
    pub(super) fn step(
        &self,
        parents: &Shards<G::State>,
        own: Option<G::Action>,
        seen: &G::Observation,
        cap: usize,
        salt: u64,
    ) -> (Shards<G::State>, bool) {
        let chunks: Vec<&[G::State]> = parents.iter().flat_map(|s| s.chunks(CHUNK)).collect();
        let len: usize = chunks.iter().map(|chunk| chunk.len()).sum();
        let threads = if len < PARALLEL { 1 } else { self.settings.threads.max(1) };
        let set = DistinctSet::new(cap.max(1), salt);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut children = Vec::new();
            let mut buffers: Vec<Vec<(u64, G::State)>> = vec![Vec::new(); SHARDS];
            while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.game.consistent_children(chunk, own, self.viewer, seen, &mut children);
                for child in children.drain(..) {
                    let hash = hash_of(&child);
                    if set.wants(hash) {
                        let shard = shard_of(hash);
                        buffers[shard].push((hash, child));
                        if buffers[shard].len() >= BUFFER {
                            set.add(shard, &mut buffers[shard]);
                        }
                    }
                }
            }
            for (shard, buffer) in buffers.iter_mut().enumerate() {
                set.add(shard, buffer);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        set.finish()
    }

    /// Finds states that fit the whole history after no state of the belief fits its end.
    pub(super) fn rebuild(&self) -> Result<Found<G::State>, BeliefError> {
        if self.exactness == Exactness::Exact {
            return Err(self.impossible());
        }
        let caps = if self.broken { &[][..] } else { &REBUILD_CAPS[..] };
        for (attempt, &cap) in caps.iter().enumerate() {
            if let Some(found) = self.replay(cap.min(self.settings.cap.max(1 << 16)), attempt)? {
                return Ok(found);
            }
        }
        let n = self.settings.cap.min(GUESSES);
        let salt = self.salt(u64::MAX);
        let guesses = self.game.guess(&self.root, self.viewer, &self.history, n, salt);
        let shards = self.guessed(guesses, salt).ok_or_else(|| self.impossible())?;
        Ok((shards, Exactness::Guess))
    }

    /// The set of some states; nothing if there are none.
    pub(super) fn guessed(&self, states: Vec<G::State>, salt: u64) -> Option<Shards<G::State>> {
        if states.is_empty() {
            return None;
        }
        let set = DistinctSet::new(self.settings.cap.max(1), salt);
        for state in states {
            let hash = hash_of(&state);
            set.add(shard_of(hash), &mut vec![(hash, state)]);
        }
        Some(set.finish().0)
    }

    /// Goes through the game again with another sample; `None` if that one dies as well.
    fn replay(&self, cap: usize, attempt: usize) -> Result<Option<Found<G::State>>, BeliefError> {
        let mut shards = vec![vec![self.root.clone()]];
        let mut exactness = Exactness::Exact;
        let salt = self.salt(!(attempt as u64));
        let last = self.history.len().saturating_sub(1);
        for (ply, (own, seen)) in self.history.iter().enumerate() {
            let cap = if ply == last { cap.min(self.settings.cap) } else { cap };
            let (next, complete) = self.step(&shards, *own, seen, cap, mix(salt ^ ply as u64));
            if next.iter().all(Vec::is_empty) {
                // A set that holds every possible state dies of an impossible observation only.
                return match exactness {
                    Exactness::Exact => Err(self.impossible()),
                    _ => Ok(None),
                };
            }
            if !complete {
                exactness = Exactness::Sample;
            }
            shards = next;
        }
        // Membership is looked up by shard.
        let mut sorted = vec![Vec::new(); SHARDS];
        for state in shards.into_iter().flatten() {
            sorted[shard_of(hash_of(&state))].push(state);
        }
        Ok(Some((sorted, exactness)))
    }

    pub(super) fn impossible(&self) -> BeliefError {
        let ply = self.history.len();
        let (own, seen) = self
            .history
            .last()
            .map_or((None, String::new()), |(own, seen)| (*own, self.game.observation_text(seen)));
        let own = own.map_or_else(String::new, |action| format!(" by the own move {action:?}"));
        BeliefError::Impossible { ply, seen, own }
    }
}
