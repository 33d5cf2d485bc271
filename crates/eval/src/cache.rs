use obscuro_fow::Position;

/// Scores of children met before, under the same settings; one thread's own, and exact: a slot
/// holds the whole position.
pub(crate) struct Cache {
    slots: Vec<(Position, i32)>,
    mask: u64,
}

impl Cache {
    /// The most bits of a cache's size.
    pub(crate) const MOST_BITS: u8 = 28;

    pub(crate) fn new(bits: u8) -> Self {
        // An empty slot is told by a score that there is not.
        let slots = vec![(Position::start(), i32::MIN); 1 << bits];
        Cache { slots, mask: (1 << bits) - 1 }
    }

    /// The score of `position`, asked of `score` if it is not here.
    #[inline]
    pub(crate) fn get(&mut self, position: &Position, score: impl FnOnce() -> i32) -> i32 {
        let slot = &mut self.slots[(position.key() & self.mask) as usize];
        if slot.1 == i32::MIN || slot.0 != *position {
            *slot = (*position, score());
        }
        slot.1
    }
}
