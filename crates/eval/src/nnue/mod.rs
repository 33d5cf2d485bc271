//! Stockfish's efficiently updatable networks.

mod accumulator;
mod features;
mod format;
mod layers;
mod simd;

use std::path::Path;
use std::sync::Arc;

use obscuro_fow::{Color, Position};

use crate::{NetworkError, StaticEvaluator, WIN};
use accumulator::Line;
use layers::{BUCKETS, Stack};
use simd::Column;

pub use simd::Simd;

/// A network of Stockfish 15.1 (`export_net FILE`): `HalfKAv2_hm` features, two halves of 1024
/// sums, products of pairs, eight stacks of small layers, all in integers.
///
/// It is some 45 MB that do not change: share it between threads.
pub struct Network {
    description: String,
    biases: Box<Column>,
    columns: Vec<Column>,
    psqt: Vec<[i32; BUCKETS]>,
    stacks: Vec<Stack>,
}

/// The two parts of a network's output for the side to move, before they are added and divided
/// by 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The part that is a sum over pieces on squares.
    pub material: i32,
    /// The part that the layers compute.
    pub positional: i32,
}

impl Parts {
    /// The score: [`Network::UNITS_PER_PAWN`] to a pawn.
    pub fn score(self) -> i32 {
        (self.material.wrapping_add(self.positional) / 16).clamp(1 - WIN, WIN - 1)
    }
}

impl Network {
    /// Stockfish 15.1 calls so many units of the output a pawn.
    pub const UNITS_PER_PAWN: f32 = 361.0;

    /// Reads a network from a file.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        let bytes = std::fs::read(path)
            .map_err(|source| NetworkError::Io { path: path.to_owned(), source })?;
        Network::parse(&bytes)
    }

    /// What its maker wrote into it.
    pub fn description(&self) -> &str {
        &self.description
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("description", &self.description).finish_non_exhaustive()
    }
}

/// A [`Network`] as a [`StaticEvaluator`], with sums that follow the search.
///
/// Positions with kings in check or adjacent are served like all others. A position without one
/// of the kings is over and has no value: the search never asks for it, and
/// [`NetworkEvaluator::parts`] gives `None`.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    line: Box<Line>,
}

impl NetworkEvaluator {
    /// An evaluator for one thread, with the fastest instructions there are.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        NetworkEvaluator::with_simd(network, Simd::detect())
    }

    /// An evaluator with certain instructions; the numbers are the same with all.
    #[must_use]
    pub fn with_simd(network: Arc<Network>, simd: Simd) -> Self {
        let line = Box::new(Line::new(&network, simd));
        NetworkEvaluator { network, line }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The output for a position; `None` if a king is gone. The search must not be under way: it
    /// begins anew after this.
    pub fn parts(&mut self, position: &Position) -> Option<Parts> {
        position.king(Color::White)?;
        position.king(Color::Black)?;
        self.line.begin(position);
        Some(self.line.parts(&self.network))
    }

    /// [`NetworkEvaluator::parts`] with every sum added up anew: what incremental sums are
    /// compared with.
    pub fn parts_anew(&mut self, position: &Position) -> Option<Parts> {
        self.line.forget(&self.network, position);
        self.parts(position)
    }

    /// The output where the search is.
    pub fn parts_here(&mut self) -> Parts {
        self.line.parts(&self.network)
    }
}

impl StaticEvaluator for NetworkEvaluator {
    fn begin(&mut self, position: &Position) {
        self.line.begin(position);
    }

    #[inline]
    fn push(&mut self, child: &Position) {
        self.line.push(child);
    }

    #[inline]
    fn pop(&mut self) {
        self.line.pop();
    }

    #[inline]
    fn value(&mut self, _position: &Position) -> i32 {
        self.line.parts(&self.network).score()
    }

    fn units_per_pawn(&self) -> f32 {
        Network::UNITS_PER_PAWN
    }

    fn fork(&self) -> Self {
        NetworkEvaluator::with_simd(Arc::clone(&self.network), self.line.simd())
    }
}
