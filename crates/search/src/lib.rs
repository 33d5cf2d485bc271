//! Search in games of hidden information: belief, tree, solver, expansion, subgames.
//!
//! Written against [`obscuro_game::Game`] alone: nothing here knows chess, or Python.

pub mod agent;
pub mod belief;
pub mod choose;
pub mod exact;
pub mod expand;
pub mod knowledge;
pub mod solver;
pub mod subgame;
pub mod table;
pub mod tree;
