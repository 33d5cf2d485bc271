//! The one word by which a leaf is claimed and its children are published.
//!
//! It is compiled twice: here on the standard atomics, and in `tests/loom_tree.rs` on loom's, which
//! tries every interleaving and every stale value that the memory model allows.

use super::sync::{AtomicU32, Ordering};

/// What is below a node.
///
/// `Open` → `Claimed` → `Expanded` is the only way through, but for a claim that is given back.
/// All that a reader finds through the id in `Expanded` was written before [`Link::publish`], a
/// release store, and is read after [`Link::load`], an acquire load.
#[derive(Debug)]
pub(crate) struct Link(AtomicU32);

/// A [`Link`] as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkState {
    /// A leaf that nobody has expanded.
    Open,
    /// A leaf that one thread is expanding.
    Claimed,
    /// The game is over here.
    Terminal,
    /// The children are in the expansion of this number.
    Expanded(u32),
}

const OPEN: u32 = 0;
const CLAIMED: u32 = 1;
const TERMINAL: u32 = 2;
const FIRST: u32 = 3;

/// Expansions are numbered below this.
pub(crate) const MAX_EXPANSIONS: u32 = u32::MAX - FIRST;

impl Link {
    pub(crate) fn open() -> Self {
        Link(AtomicU32::new(OPEN))
    }

    pub(crate) fn terminal() -> Self {
        Link(AtomicU32::new(TERMINAL))
    }

    #[inline]
    pub(crate) fn load(&self) -> LinkState {
        // Acquire: pairs with the release in `publish`.
        match self.0.load(Ordering::Acquire) {
            OPEN => LinkState::Open,
            CLAIMED => LinkState::Claimed,
            TERMINAL => LinkState::Terminal,
            expansion => LinkState::Expanded(expansion - FIRST),
        }
    }

    /// Whether the caller, and nobody else, may now expand this leaf.
    pub(crate) fn claim(&self) -> bool {
        // Relaxed: a claim hands over no data; what the winner writes goes out by `publish`.
        self.0.compare_exchange(OPEN, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Gives a claim back: the leaf could not be expanded.
    pub(crate) fn unclaim(&self) {
        self.0.store(OPEN, Ordering::Relaxed);
    }

    /// Shows the children to everybody. Only the thread that claimed the leaf may call it.
    pub(crate) fn publish(&self, expansion: u32) {
        debug_assert!(expansion < MAX_EXPANSIONS, "the log gives out no larger number");
        // Release: the expansion and its children are written before.
        self.0.store(expansion + FIRST, Ordering::Release);
    }
}
