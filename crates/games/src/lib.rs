//! Small games of hidden information with known values.
//!
//! Each is the game that `OpenSpiel` 2.0 has under the same name and parameters: the same
//! histories, the same infosets, the same payoffs, and every action is `OpenSpiel`'s number of it.
//! [`load`] finds a game by such a name; [`AnyGame::visit`] runs generic code on it.
//!
//! ```
//! use obscuro_game::{Game, Turn};
//! use obscuro_games::KuhnPoker;
//!
//! let mut state = KuhnPoker.root();
//! for action in [2, 0, 1, 0] {
//!     state = KuhnPoker.apply(&state, action);
//! }
//! assert_eq!(KuhnPoker.turn(&state), Turn::Terminal);
//! assert_eq!(KuhnPoker.payoff(&state), 1.0);
//! ```

mod dark_hex;
mod goofspiel;
mod kuhn_poker;
mod leduc_poker;
mod liars_dice;
mod params;
mod phantom;
mod phantom_ttt;
mod playthrough;
mod registry;

pub use dark_hex::dark_hex;
pub use goofspiel::{Goofspiel, GoofspielObservation, GoofspielState, PointsOrder, ReturnsType};
pub use kuhn_poker::{KuhnObservation, KuhnPoker, KuhnState};
pub use leduc_poker::{LeducObservation, LeducPoker, LeducState};
pub use liars_dice::{BiddingRule, LiarsDice, LiarsDiceObservation, LiarsDiceState};
pub use params::GameError;
pub use phantom::{GameVersion, ObsType, PhantomGame, PhantomObservation, PhantomState};
pub use phantom_ttt::phantom_ttt;
pub use playthrough::playthrough;
pub use registry::{AnyGame, GameVisitor, load, names};
