//! What a network consists of.

use super::features::KingBuckets;
use super::layers::{BUCKETS, Stack};
use super::simd::Column;

/// Sums in each half of Stockfish's networks.
pub(crate) const STOCKFISH_WIDTH: usize = 1024;
/// Sums in each half of our own.
pub(crate) const OWN_WIDTH: usize = 256;

/// The weights of a network with halves of `W` sums.
pub(crate) struct Weights<const W: usize> {
    pub(crate) kings: &'static KingBuckets,
    pub(crate) biases: Box<Column<W>>,
    pub(crate) columns: Vec<Column<W>>,
    pub(crate) psqt: Vec<[i32; BUCKETS]>,
    pub(crate) stacks: Vec<Stack<W>>,
}
