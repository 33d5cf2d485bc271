//! Efficiently updatable networks: Stockfish's, and smaller ones of the same kind of our own.

mod accumulator;
mod features;
mod format;
mod layers;
mod simd;
mod weights;

use std::path::Path;
use std::sync::Arc;

use obscuro_fow::{Color, Position};

use crate::{NetworkError, StaticEvaluator, WIN};
use accumulator::Line;
use weights::{OWN_WIDTH, STOCKFISH_WIDTH, Weights};

pub use simd::Simd;

/// A network: features of the own king and every piece, two halves of sums, products of pairs,
/// eight stacks of small layers, all in integers.
///
/// It is one of Stockfish 15.1 (`export_net FILE`; `HalfKAv2_hm`, halves of 1024 sums, some 45 MB)
/// or one of our own (16 buckets of the king's squares, halves of 256 sums, some 6 MB). It does
/// not change: share it between threads.
pub struct Network {
    description: String,
    shape: Shape,
}

/// The weights, of either shape.
enum Shape {
    Stockfish(Arc<Weights<STOCKFISH_WIDTH>>),
    Own(Arc<Weights<OWN_WIDTH>>),
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
    /// So many units of the output are called a pawn, by Stockfish 15.1 and by us.
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

    /// The sums in each half.
    pub fn width(&self) -> usize {
        match &self.shape {
            Shape::Stockfish(_) => STOCKFISH_WIDTH,
            Shape::Own(_) => OWN_WIDTH,
        }
    }

    /// How many buckets there are of the own king's squares.
    pub fn king_buckets(&self) -> usize {
        match &self.shape {
            Shape::Stockfish(weights) => weights.kings.count(),
            Shape::Own(weights) => weights.kings.count(),
        }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("description", &self.description)
            .field("width", &self.width())
            .finish_non_exhaustive()
    }
}

/// A [`Network`] as a [`StaticEvaluator`], with sums that follow the search.
///
/// Positions with kings in check or adjacent are served like all others. A position without one
/// of the kings is over and has no value: the search never asks for it, and
/// [`NetworkEvaluator::parts`] gives `None`.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    line: AnyLine,
}

/// The sums along the search, with the weights they are made of.
enum AnyLine {
    Stockfish(Arc<Weights<STOCKFISH_WIDTH>>, Box<Line<STOCKFISH_WIDTH>>),
    Own(Arc<Weights<OWN_WIDTH>>, Box<Line<OWN_WIDTH>>),
}

/// Does the same with either shape.
macro_rules! with {
    ($any:expr, ($weights:ident, $line:ident) => $result:expr) => {
        match $any {
            AnyLine::Stockfish($weights, $line) => $result,
            AnyLine::Own($weights, $line) => $result,
        }
    };
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
        let line = match &network.shape {
            Shape::Stockfish(weights) => {
                AnyLine::Stockfish(Arc::clone(weights), Box::new(Line::new(weights, simd)))
            }
            Shape::Own(weights) => {
                AnyLine::Own(Arc::clone(weights), Box::new(Line::new(weights, simd)))
            }
        };
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
        self.begin(position);
        Some(self.parts_here())
    }

    /// [`NetworkEvaluator::parts`] with every sum added up anew: what incremental sums are
    /// compared with.
    pub fn parts_anew(&mut self, position: &Position) -> Option<Parts> {
        with!(&mut self.line, (weights, line) => line.forget(weights, position));
        self.parts(position)
    }

    /// The output where the search is.
    #[inline]
    pub fn parts_here(&mut self) -> Parts {
        with!(&mut self.line, (weights, line) => line.parts(weights))
    }
}

impl StaticEvaluator for NetworkEvaluator {
    fn begin(&mut self, position: &Position) {
        with!(&mut self.line, (weights, line) => line.begin(weights, position));
    }

    #[inline]
    fn push(&mut self, child: &Position) {
        with!(&mut self.line, (_weights, line) => line.push(child));
    }

    #[inline]
    fn pop(&mut self) {
        with!(&mut self.line, (_weights, line) => line.pop());
    }

    #[inline]
    fn value(&mut self, _position: &Position) -> i32 {
        self.parts_here().score()
    }

    fn units_per_pawn(&self) -> f32 {
        Network::UNITS_PER_PAWN
    }

    fn fork(&self) -> Self {
        let simd = with!(&self.line, (_weights, line) => line.simd());
        NetworkEvaluator::with_simd(Arc::clone(&self.network), simd)
    }
}
