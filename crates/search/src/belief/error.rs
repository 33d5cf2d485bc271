use thiserror::Error;

/// What is wrong with an observation, given what was observed before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BeliefError {
    /// No state fits.
    #[error(
        "observation {ply} is impossible: no position that was possible before leads to {seen}{own}"
    )]
    Impossible {
        /// The number of the observation, the first one after the start being 1.
        ply: usize,
        /// The observation in words.
        seen: String,
        /// The own action before it, in words.
        own: String,
    },
}
