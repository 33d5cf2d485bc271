//! Leaf values of Fog of War chess: what a depth-1 search with quiescence says of every child.
//!
//! A [`StaticEvaluator`] values a single position: a [`Network`] through [`NetworkEvaluator`], the
//! paper's [`SimpleEvaluator`], or nothing at all ([`ZeroStatic`]). [`DepthOne`] searches captures
//! below every child of a position with one of them, squashes what it finds into [-1, +1], and is
//! the [`Evaluator`](obscuro_game::Evaluator) of the growing tree.
//!
//! ```
//! use obscuro_eval::{DepthOne, Settings, SimpleEvaluator};
//! use obscuro_fow::{Board, START};
//!
//! let mut evaluator = DepthOne::new(SimpleEvaluator::default(), Settings::default())?;
//! let board: Board = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse()?;
//! let values = evaluator.values(board.position());
//! let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
//! assert_eq!(board.position().moves()[best].to_string(), "e4d5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod depth_one;
mod error;
mod exchange;
mod nnue;
mod quiescence;
mod simple;
mod squash;
mod static_eval;
mod tactics;

pub use depth_one::{DepthOne, Settings};
pub use error::{NetworkError, SettingsError};
pub use nnue::{Network, NetworkEvaluator, Parts, Simd};
pub use simple::SimpleEvaluator;
pub use squash::squash;
pub use static_eval::{StaticEvaluator, WIN, ZeroStatic};
