//! The generic layer: what a game is to the search.
//!
//! A game here is a two-player zero-sum *timeable* game of imperfect information with perfect
//! recall (paper, appendix B.1). Everything in `obscuro-search` is written against [`Game`];
//! Fog of War chess, the small games and a game written in Python are implementations of it.
//!
//! ```
//! use obscuro_game::Player;
//! assert_eq!(Player::One.other(), Player::Two);
//! ```

mod contract;
mod evaluator;
mod game;
mod infoset;
mod ply_limit;
mod rng;

pub use contract::{ContractViolation, Rule, check_game};
pub use evaluator::{Evaluator, ZeroEvaluator};
pub use game::{Game, Player, Turn, consistent_children_by_trial};
pub use infoset::InfosetKey;
pub use ply_limit::{Limited, PlyLimit};
pub use rng::SplitMix64;
