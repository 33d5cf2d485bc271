//! Expansion of the growing tree (paper, B.3.3): one- and two-sided GT-CFR.
//!
//! An [`Expander`] walks from the roots to a leaf and expands it; [`Growth`] runs a solver and
//! expanders together on one tree, in turns (reproducible) or in threads.
//!
//! Decisions that the paper leaves open:
//!
//! - *New*: the walk ends, and expands nothing, at an expanded node that the solver has not come
//!   to since its children were added. So the children of an expansion are not expanded before
//!   their values have had a say in the strategy, and expanders do not run ahead of the solver.
//! - *N(I), N(I,a)* count every passage of a walk, whichever side explores, and also those of
//!   walks that end without an expansion: they draw the next walk elsewhere.
//! - *σ* is of the values at an action when it was chosen (see [`Samples`](crate::tree::Samples)).
//! - The exploring side changes with every walk, as a side may have nothing left to expand.
//!
//! ```
//! use obscuro_game::{Game, Player, Turn, ZeroEvaluator};
//! use obscuro_search::expand::{Growth, Limits, Schedule, Exploration};
//! use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
//! use obscuro_search::tree::Tree;
//!
//! # struct Pennies;
//! # impl Game for Pennies {
//! #     type State = Vec<u8>;
//! #     type Action = u8;
//! #     type Observation = usize;
//! #     fn root(&self) -> Vec<u8> { Vec::new() }
//! #     fn turn(&self, s: &Vec<u8>) -> Turn {
//! #         [Turn::Player(Player::One), Turn::Player(Player::Two), Turn::Terminal][s.len()]
//! #     }
//! #     fn actions(&self, _: &Vec<u8>, a: &mut Vec<u8>) { a.extend([0, 1]); }
//! #     fn chance(&self, _: &Vec<u8>, _: &mut Vec<(u8, f64)>) {}
//! #     fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> { [&s[..], &[a]].concat() }
//! #     fn observe(&self, s: &Vec<u8>, _: Player) -> usize { s.len() }
//! #     fn payoff(&self, s: &Vec<u8>) -> f64 { if s[0] == s[1] { 1.0 } else { -1.0 } }
//! #     fn observation_text(&self, o: &usize) -> String { o.to_string() }
//! #     fn state_text(&self, s: &Vec<u8>) -> String { format!("{s:?}") }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = Pennies; // matching pennies, one after the other, unseen
//! let tree = Tree::new(&game, 0.0)?;
//! let roots = Roots::whole(&tree)?;
//! let mut solver = Solver::new(Averaging::Linear);
//! let growth = Growth {
//!     game: &game,
//!     tree: &tree,
//!     roots: &roots,
//!     exploration: Exploration::default(),
//!     schedule: Schedule::default(),
//!     limits: Limits { iterations: Some(1000), ..Limits::default() },
//!     seed: 1,
//!     stop: None,
//! };
//! let report = growth.run(&mut solver, &mut WholeGame, &mut ZeroEvaluator, &mut ())?;
//! assert_eq!((report.nodes, report.infosets), (7, 2));
//! for (id, _) in tree.infosets() {
//!     let average = solver.average(id).ok_or("never played")?;
//!     assert!((average[0] - 0.5).abs() < 0.01);
//! }
//! # Ok(())
//! # }
//! ```

mod expander;
mod growth;
mod limits;
mod policy;

pub mod evaluators;

pub use expander::{Expander, Walk};
pub use growth::{Growth, Observer};
pub use limits::{GrowthError, GrowthReport, IdleWalks, Limits, Schedule};
pub use policy::{Exploration, Exploring, Spread};
