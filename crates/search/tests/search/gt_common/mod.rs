//! Reference algorithms on a game written out in full, and a random game. They share no code with
//! the search but the interface of a game.
#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod mock;
pub(crate) mod random_game;
pub(crate) mod reference;

use obscuro_game::{Evaluator, Game};
use obscuro_search::expand::{Expander, Exploration};
use obscuro_search::solver::Roots;
use obscuro_search::tree::Tree;

/// Expands every node of the game, breadth first.
pub(crate) fn expand_all<G: Game>(game: &G, tree: &Tree<G>, evaluator: &mut dyn Evaluator<G>) {
    let roots = Roots::whole(tree).unwrap();
    let mut expander = Expander::new(game, tree, &roots, Exploration::default(), 0);
    for depth in 0.. {
        let layer = tree.layer(depth);
        if layer.is_empty() {
            break;
        }
        for node in layer {
            expander.expand_leaf(node, evaluator).unwrap();
        }
    }
}
