//! The paper's theorem: the average strategies of one-sided GT-CFR come as near to an equilibrium
//! as one likes although only a part of the tree is expanded.

use crate::gt_common::random_game::RandomGame;
use crate::gt_common::reference::{Full, Node};
use obscuro_game::{Evaluator, Game, Turn, ZeroEvaluator};
use obscuro_games::{
    BiddingRule, GameVisitor, Goofspiel, KuhnPoker, LeducPoker, LiarsDice, PointsOrder,
    ReturnsType, load,
};
use obscuro_search::expand::evaluators::{PerfectInformation, RandomRollouts};
use obscuro_search::expand::{Exploration, Exploring, Growth, Limits, Schedule};
use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
use obscuro_search::tree::Tree;

/// What a search came to.
struct Outcome {
    exploitability: f64,
    /// Decision and chance nodes that are expanded, and those that there are.
    expanded: usize,
    decisions: usize,
}

fn search<G: Game>(
    game: &G,
    evaluator: &mut dyn Evaluator<G>,
    exploration: Exploration,
    iterations: u64,
) -> Outcome {
    let full = Full::new(game);
    let tree = Tree::new(game, 0.0).unwrap();
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Quadratic);
    let growth = Growth {
        game,
        tree: &tree,
        roots: &roots,
        exploration,
        schedule: Schedule::Deterministic { walks: 40, iterations: 1 },
        limits: Limits { iterations: Some(iterations), ..Limits::default() },
        seed: 7,
        stop: None,
    };
    growth.run(&mut solver, &mut WholeGame, evaluator, &mut ()).unwrap();
    // What is not expanded may be played in any way.
    let mut profile = full.uniform();
    for (strategy, infoset) in profile.iter_mut().zip(&full.infosets) {
        let id = tree.find_infoset(infoset.player, infoset.key);
        if let Some(average) = id.and_then(|id| solver.average(id)) {
            *strategy = average;
        }
    }
    Outcome {
        exploitability: full.exploitability(&profile),
        expanded: tree.expansions() as usize,
        decisions: full.nodes.iter().filter(|n| !matches!(n, Node::Terminal(_))).count(),
    }
}

#[expect(clippy::print_stdout, reason = "the part expanded is a result worth reading")]
fn converges<G: Game>(
    name: &str,
    game: &G,
    evaluator: &mut dyn Evaluator<G>,
    c: f64,
    iterations: u64,
) -> Outcome {
    let exploration = Exploration { c, ..Exploration::default() };
    let outcome = search(game, evaluator, exploration, iterations);
    println!(
        "{name}: {} of {} inner nodes expanded ({:.1}%), exploitability {:.5}",
        outcome.expanded,
        outcome.decisions,
        100.0 * outcome.expanded as f64 / outcome.decisions as f64,
        outcome.exploitability
    );
    assert!(outcome.exploitability < 0.01, "{name}: {}", outcome.exploitability);
    outcome
}

#[test]
fn liars_dice() {
    let game = LiarsDice::new(3, BiddingRule::ResetFace).unwrap();
    let outcome = converges("liars_dice(dice_sides=3)", &game, &mut ZeroEvaluator, 1.0, 20_000);
    assert!(outcome.expanded < outcome.decisions);
}

#[test]
fn goofspiel() {
    for (cards, order) in [(3, PointsOrder::Random), (4, PointsOrder::Descending)] {
        let game = Goofspiel::new(cards, order, ReturnsType::WinLoss).unwrap();
        let name = format!("goofspiel(num_cards={cards}, {order:?})");
        converges(&name, &game, &mut ZeroEvaluator, 1.0, 10_000);
    }
}

#[test]
fn kuhn() {
    converges("kuhn_poker", &KuhnPoker, &mut ZeroEvaluator, 1.0, 3_000);
    converges("kuhn_poker, rollouts", &KuhnPoker, &mut RandomRollouts::new(2, 1), 1.0, 3_000);
}

/// A game by its name.
struct Converges(&'static str, u64);

impl GameVisitor for Converges {
    type Output = ();

    fn visit<G: Game + Clone + 'static>(self, game: &G) {
        converges(self.0, game, &mut ZeroEvaluator, 8.0, self.1);
    }
}

#[test]
fn dark_hex_and_larger_dice() {
    for (name, iterations) in [
        ("dark_hex(num_rows=2,num_cols=2)", 2_000),
        ("dark_hex(gameversion=adh,num_rows=2,num_cols=2)", 2_000),
        ("liars_dice(dice_sides=4)", 20_000),
    ] {
        load(name).unwrap().visit(Converges(name, iterations));
    }
}

#[test]
fn leduc() {
    let outcome = converges("leduc_poker", &LeducPoker, &mut ZeroEvaluator, 8.0, 10_000);
    assert!(outcome.expanded < outcome.decisions);
}

#[test]
fn leduc_with_perfect_information_leaves() {
    let mut evaluator = PerfectInformation::new();
    converges("leduc_poker, exact", &LeducPoker, &mut evaluator, 1.0, 20_000);
}

#[test]
fn random_games() {
    let mut parts = (0, 0);
    for seed in 0..10 {
        let game = RandomGame { seed, plies: 7, width: 4 };
        if game.turn(&game.root()) == Turn::Terminal {
            continue;
        }
        let outcome = converges(
            &format!("random {seed}"),
            &game,
            &mut RandomRollouts::new(4, 1),
            8.0,
            20_000,
        );
        parts = (parts.0 + outcome.expanded, parts.1 + outcome.decisions);
    }
    assert!(parts.0 < parts.1 * 9 / 10, "one side leaves something out: {parts:?}");
}

/// Both sides exploring expands what one side exploring leaves out.
#[test]
fn two_sided_expands_more() {
    let mut parts = (0, 0);
    for seed in 0..6 {
        let game = RandomGame { seed, plies: 7, width: 4 };
        let part = |exploring| {
            let exploration = Exploration { exploring, c: 8.0, ..Exploration::default() };
            search(&game, &mut RandomRollouts::new(4, 1), exploration, 5_000)
        };
        let (one, two) = (part(Exploring::OneSided), part(Exploring::TwoSided));
        assert!(two.exploitability < 0.02, "{}", two.exploitability);
        parts = (parts.0 + one.expanded, parts.1 + two.expanded);
    }
    assert!(parts.0 < parts.1, "{parts:?}");
}
