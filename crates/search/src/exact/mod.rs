//! Exact reference algorithms on a table: best response, exploitability, sequence-form matrices.
//!
//! Values are the first player's unless said, in the game's own units.

mod best_response;
mod exploitability;
mod sequence_form;

pub use self::best_response::{BestResponse, best_response};
pub use self::exploitability::{Exploitability, expected_value, exploitability};
pub use self::sequence_form::{Constraints, SequenceForm, SparseMatrix};
