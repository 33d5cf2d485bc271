use std::hash::{Hash, Hasher};

/// A player's infoset, as a hash of the sequence of their own actions and observations.
///
/// Both players have one at every node, whoever is to move. It is extended down the tree one ply
/// at a time and is the same on every machine and in every run. Down a tree, extend it with
/// [`Game::infoset`](crate::Game::infoset), which leaves it as it is at a ply of which the player
/// is told nothing; [`InfosetKey::extend`] always extends.
///
/// ```
/// use obscuro_game::InfosetKey;
/// let root = InfosetKey::root(&"you see nothing");
/// assert_ne!(root.extend(Some(&1u8), &"seen"), root.extend(Some(&2u8), &"seen"));
/// assert_ne!(root.extend(None::<&u8>, &"seen"), root.extend(None::<&u8>, &"fog"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InfosetKey(u64);

impl InfosetKey {
    /// The infoset of a player who has seen the first observation only.
    #[must_use]
    pub fn root<O: Hash>(observation: &O) -> Self {
        InfosetKey(0x9e37_79b9_7f4a_7c15).extend(None::<&u8>, observation)
    }

    /// The infoset after one more ply: the own action, if it was one, and what was seen after it.
    #[must_use]
    pub fn extend<A: Hash, O: Hash>(self, own: Option<&A>, observation: &O) -> Self {
        let mut hasher = SequenceHasher(self.0);
        if let Some(action) = own {
            hasher.write_u8(1);
            action.hash(&mut hasher);
        } else {
            hasher.write_u8(0);
        }
        observation.hash(&mut hasher);
        InfosetKey(hasher.finish())
    }

    /// The key as a number.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// Folds 64-bit words with a 128-bit multiplication each: fast, and with no seed of the process.
struct SequenceHasher(u64);

impl SequenceHasher {
    #[inline]
    fn fold(&mut self, word: u64) {
        const ODD: u64 = 0xa076_1d64_78bd_642f;
        let product =
            u128::from(self.0.rotate_left(23) ^ ODD) * u128::from(word ^ 0xe703_7ed1_a0b4_28db);
        self.0 = (product as u64) ^ ((product >> 64) as u64) ^ self.0.wrapping_mul(ODD) ^ word;
    }
}

impl Hasher for SequenceHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
        self.fold(bytes.len() as u64);
    }
    fn write_u8(&mut self, i: u8) {
        self.fold(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.fold(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.fold(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.fold(i);
    }
    fn write_usize(&mut self, i: usize) {
        self.fold(i as u64);
    }
    fn finish(&self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 31)
    }
}
