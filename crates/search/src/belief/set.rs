use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Shards of a set: enough that two threads seldom want the same one.
pub(super) const SHARDS: usize = 64;

/// A hash that is the same in every run, well mixed in all its bits.
#[inline]
pub(super) fn hash_of<S: Hash>(state: &S) -> u64 {
    mix(FixedState::with_seed(0x0b5c_0120).hash_one(state))
}

/// The finaliser of a good 64-bit hash.
#[inline]
pub(super) fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

#[inline]
pub(super) fn shard_of(hash: u64) -> usize {
    // The hash table inside uses the lowest and the highest bits.
    (hash >> 32) as usize % SHARDS
}

/// A set of states without duplicates that many threads fill and that never holds more than its
/// cap for long.
///
/// Above the cap it keeps a state if and only if a salted hash of the state lies below a
/// threshold, and lowers the threshold. So at any time it holds each *distinct* state that was
/// offered with the same probability, however often the state was offered.
pub(super) struct DistinctSet<S> {
    shards: Vec<Mutex<Shard<S>>>,
    threshold: AtomicU64,
    len: AtomicUsize,
    cap: usize,
    salt: u64,
    thinning: Mutex<()>,
}

struct Shard<S> {
    states: Vec<S>,
    index: HashTable<u32>,
}

impl<S: Hash + Eq> DistinctSet<S> {
    pub(super) fn new(cap: usize, salt: u64) -> Self {
        let shard = || Mutex::new(Shard { states: Vec::new(), index: HashTable::new() });
        DistinctSet {
            shards: (0..SHARDS).map(|_| shard()).collect(),
            threshold: AtomicU64::new(u64::MAX),
            len: AtomicUsize::new(0),
            cap,
            salt,
            thinning: Mutex::new(()),
        }
    }

    /// Whether a state with this hash is worth offering.
    #[inline]
    pub(super) fn wants(&self, hash: u64) -> bool {
        mix(hash ^ self.salt) <= self.threshold.load(Ordering::Relaxed)
    }

    /// Adds states of one shard, given with their hashes, and empties the buffer.
    pub(super) fn add(&self, shard: usize, buffer: &mut Vec<(u64, S)>) {
        let mut guard = lock(&self.shards[shard]);
        let Shard { states, index } = &mut *guard;
        let before = states.len();
        for (hash, state) in buffer.drain(..) {
            if !self.wants(hash) {
                continue;
            }
            let entry = index.entry(
                hash,
                |&at| states[at as usize] == state,
                |&at| hash_of(&states[at as usize]),
            );
            if let hashbrown::hash_table::Entry::Vacant(vacant) = entry {
                vacant.insert(states.len() as u32);
                states.push(state);
            }
        }
        let added = states.len() - before;
        drop(guard);
        if self.len.fetch_add(added, Ordering::Relaxed) + added > self.cap {
            self.thin();
        }
    }

    /// Halves the threshold until the set is within its cap.
    fn thin(&self) {
        let _one_at_a_time = lock(&self.thinning);
        while self.len.load(Ordering::Relaxed) > self.cap {
            let threshold = self.threshold.load(Ordering::Relaxed) / 2;
            self.threshold.store(threshold, Ordering::Relaxed);
            for shard in &self.shards {
                let mut guard = lock(shard);
                let before = guard.states.len();
                guard.states.retain(|state| mix(hash_of(state) ^ self.salt) <= threshold);
                let Shard { states, index } = &mut *guard;
                index.clear();
                for (at, state) in states.iter().enumerate() {
                    let rehash = |&at: &u32| hash_of(&states[at as usize]);
                    index.insert_unique(hash_of(state), at as u32, rehash);
                }
                self.len.fetch_sub(before - states.len(), Ordering::Relaxed);
            }
        }
    }

    /// The states, and whether they are all that were offered.
    pub(super) fn finish(self) -> (Vec<Vec<S>>, bool) {
        let complete = self.threshold.into_inner() == u64::MAX;
        let shards = self
            .shards
            .into_iter()
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner).states);
        (shards.collect(), complete)
    }
}

/// A panic elsewhere leaves nothing half done in here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However often a state is offered, and by however many threads, it is kept as often as any
    /// other: the counts over many salts vary no more than those of a fair draw.
    #[test]
    fn thinning_is_uniform_over_distinct_states() {
        const STATES: u64 = 500;
        const ROUNDS: u64 = 2000;
        let mut kept = [0u32; STATES as usize];
        for round in 0..ROUNDS {
            let set = DistinctSet::new(100, mix(round));
            std::thread::scope(|scope| {
                for thread in 0..2 {
                    let set = &set;
                    scope.spawn(move || {
                        // State i is offered 1 + i % 7 times by each thread.
                        for turn in 0..7 {
                            for state in (0..STATES)
                                .filter(|s| s % 7 >= turn && (s + thread) % 3 != turn % 2)
                            {
                                let hash = hash_of(&state);
                                set.add(shard_of(hash), &mut vec![(hash, state)]);
                            }
                        }
                        for state in 0..STATES {
                            let hash = hash_of(&state);
                            set.add(shard_of(hash), &mut vec![(hash, state)]);
                        }
                    });
                }
            });
            let (shards, complete) = set.finish();
            assert!(!complete);
            let states: Vec<u64> = shards.into_iter().flatten().collect();
            assert!(states.len() <= 100);
            for state in states {
                kept[state as usize] += 1;
            }
        }
        let mean = f64::from(kept.iter().sum::<u32>()) / STATES as f64;
        let p = mean / ROUNDS as f64;
        let chi: f64 = kept.iter().map(|&k| (f64::from(k) - mean).powi(2)).sum::<f64>()
            / (ROUNDS as f64 * p * (1.0 - p));
        // The sum of 500 squared standard deviates: 500 on average, with a deviation of 32.
        assert!((chi - 500.0).abs() < 4.0 * 32.0, "chi squared is {chi}, mean {mean}");
    }
}
