//! Subgames: what a search works on when its turn comes again (paper, B.1 to B.3.5).
//!
//! From the last search's tree the nodes I that agree with what we have seen are taken, with
//! those near them by knowledge ([`Scope`]); the subtrees below are kept, the rest is dropped. The
//! opponent's infosets among them, J₀, form the root, each with an *alternate value*: what the
//! opponent could have for certain without coming here. A [`Gadget`] lets the opponent choose
//! among them. Where I is thin, states are added from the belief, each in an infoset {s} of the
//! opponent's own.

mod alternate;
mod blueprint;
mod construct;
mod gadget;
mod scope;

pub use alternate::{Alternate, AlternateValues, Members, alternates};
pub use blueprint::Blueprint;
pub use construct::{Sampled, Subgame, SubgameError, SubgameSettings, construct};
pub use gadget::{Gadget, GadgetKind};
pub use scope::{Scope, nodes_at};

/// The prior α of Resolve over J₀ (paper, B.3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// ½ · (y(J)/Σy(J') + 1/m).
    #[default]
    Mixed,
    /// 1/m.
    Uniform,
}

impl Prior {
    /// α for infosets that the opponent reaches with the probabilities `reaches` (in any unit).
    ///
    /// ```
    /// use obscuro_search::subgame::Prior;
    /// assert_eq!(Prior::Mixed.of(&[3.0, 1.0, 0.0, 0.0]), [0.5, 0.25, 0.125, 0.125]);
    /// assert_eq!(Prior::Uniform.of(&[3.0, 1.0]), [0.5, 0.5]);
    /// ```
    pub fn of(self, reaches: &[f64]) -> Vec<f64> {
        let uniform = 1.0 / reaches.len() as f64;
        let total: f64 = reaches.iter().sum();
        let alpha = |reach: &f64| match self {
            Prior::Mixed if total > 0.0 => 0.5 * (reach / total + uniform),
            Prior::Mixed | Prior::Uniform => uniform,
        };
        reaches.iter().map(alpha).collect()
    }
}
