//! What the tests of `table` and `exact` compare with: it shares no code with them.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod perturbed;
pub(crate) mod random_game;
pub(crate) mod textbook;
