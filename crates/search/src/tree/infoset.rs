use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use obscuro_game::{InfosetKey, Player};

use super::choice::Choice;
use super::ids::InfosetId;

/// An infoset at which its player acts, made when the first of its nodes is expanded.
#[derive(Debug)]
pub struct Infoset<A> {
    key: InfosetKey,
    player: Player,
    actions: Box<[A]>,
    choice: Choice,
    frozen: AtomicBool,
}

impl<A> Infoset<A> {
    pub(crate) fn new(player: Player, key: InfosetKey, actions: Box<[A]>, choice: Choice) -> Self {
        Infoset { key, player, actions, choice, frozen: AtomicBool::new(false) }
    }

    /// The player's sequence of own actions and observations.
    pub fn key(&self) -> InfosetKey {
        self.key
    }

    /// The player who acts.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The legal actions, in the order of the strategy.
    pub fn actions(&self) -> &[A] {
        &self.actions
    }

    /// The shared strategy, action values and expander statistics.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Whether the strategy is fixed: the solver values the actions and changes nothing.
    pub fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }

    /// Fixes the strategy here, or lets it go: the nodes outside the searcher's own infoset in
    /// 1-KLSS.
    pub fn set_frozen(&self, frozen: bool) {
        self.frozen.store(frozen, Ordering::Relaxed);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[A]>(&self.actions) + self.choice.bytes()
    }
}

impl<A: Clone> Infoset<A> {
    pub(crate) fn copy(&self) -> Self {
        Infoset {
            key: self.key,
            player: self.player,
            actions: self.actions.clone(),
            choice: self.choice.copy(),
            frozen: AtomicBool::new(self.is_frozen()),
        }
    }
}

const SHARDS: usize = 32;

/// From a player's infoset key to its id. Only expanders come here, and only when they expand.
#[derive(Debug)]
pub(crate) struct Interner {
    shards: [Shard; 2 * SHARDS],
}

type Shard = Mutex<HashMap<u64, InfosetId, BuildHasherDefault<KeyHasher>>>;

impl Interner {
    pub(crate) fn new() -> Self {
        Interner { shards: std::array::from_fn(|_| Mutex::default()) }
    }

    fn shard(&self, player: Player, key: InfosetKey) -> &Shard {
        // The map uses the low bits and the top seven; these are others.
        let bits = (key.get() >> 32) as usize % SHARDS;
        &self.shards[player.index() * SHARDS + bits]
    }

    /// The id of the infoset, which `make` gives if there is none yet.
    pub(crate) fn intern<E>(
        &self,
        player: Player,
        key: InfosetKey,
        make: impl FnOnce() -> Result<InfosetId, E>,
    ) -> Result<InfosetId, E> {
        let mut map = self.shard(player, key).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = map.get(&key.get()) {
            return Ok(id);
        }
        let id = make()?;
        map.insert(key.get(), id);
        Ok(id)
    }

    pub(crate) fn get(&self, player: Player, key: InfosetKey) -> Option<InfosetId> {
        let map = self.shard(player, key).lock().unwrap_or_else(PoisonError::into_inner);
        map.get(&key.get()).copied()
    }

    /// Memory held by the maps, in bytes, as the standard map lays it out: a key, an id and a
    /// control byte for each of 8/7 of the capacity.
    pub(crate) fn bytes(&self) -> usize {
        let per_slot = size_of::<(u64, InfosetId)>() + 1;
        let slots = |shard: &Shard| {
            let map = shard.lock().unwrap_or_else(PoisonError::into_inner);
            map.capacity() * 8 / 7
        };
        self.shards.iter().map(|shard| slots(shard) * per_slot).sum()
    }
}

/// Infoset keys are hashes already.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_player() {
        let interner = Interner::new();
        let key = InfosetKey::root(&1u8);
        let mut next = 0;
        let mut intern = |player| {
            interner.intern::<()>(player, key, || {
                next += 1;
                Ok(InfosetId::new(next))
            })
        };
        let one = intern(Player::One);
        assert_ne!(one, intern(Player::Two));
        assert_eq!(one, intern(Player::One));
        assert_eq!(interner.get(Player::One, key), one.ok());
        assert_eq!(interner.get(Player::One, InfosetKey::root(&2u8)), None);
    }

    #[test]
    fn a_failed_infoset_is_not_interned() {
        let interner = Interner::new();
        let key = InfosetKey::root(&1u8);
        assert_eq!(interner.intern(Player::One, key, || Err("full")), Err("full"));
        assert_eq!(interner.get(Player::One, key), None);
    }
}
