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

mod evaluator;
mod game;
mod infoset;
mod ply_limit;

pub use evaluator::{Evaluator, ZeroEvaluator};
pub use game::{Game, Player, Turn};
pub use infoset::InfosetKey;
pub use ply_limit::{Limited, PlyLimit};
