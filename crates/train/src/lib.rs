//! The hot parts of training a network: positions of games, their labels, and the first layer.
//!
//! A [`Record`] is a position with what a teacher says of it and how its game ended.
//! [`Generator`] plays games and keeps positions of them and near them; [`label`] asks the
//! teacher; [`inputs`] are what the network sees of a position; [`Layer`] is its first layer in
//! floating point, forwards and backwards.
//!
//! ```
//! use obscuro_train::{Generator, Recipe};
//! let mut generator = Generator::new(&Recipe::default(), None)?;
//! let records = generator.run(100, 7);
//! assert_eq!(records.len(), 100);
//! # Ok::<(), obscuro_train::RecipeError>(())
//! ```

mod generate;
pub mod inputs;
mod label;
mod layer;
mod material;
mod mutate;
mod record;
mod wander;

pub use generate::{Generator, Recipe, RecipeError, Teacher};
pub use label::{label, label_from};
pub use layer::{Gradients, Layer, WIDTH};
pub use record::{Record, Source};
