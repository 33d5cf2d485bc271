//! The table's CFR against recursive textbook CFR, iteration by iteration.

use crate::table_common::perturbed::Perturbed;
use crate::table_common::random_game::RandomGame;
use crate::table_common::textbook::{Rule, Textbook};
use obscuro_game::{Game, Player};
use obscuro_games::{KuhnPoker, LeducPoker};
use obscuro_search::table::{Algorithm, Limits, Solver, Strategy, Table};

const PAIRS: [(Algorithm, Rule); 5] = [
    (Algorithm::Cfr, Rule::Cfr),
    (Algorithm::CfrPlus, Rule::CfrPlus),
    (Algorithm::DCFR, Rule::Dcfr(1.5, 0.0)),
    (Algorithm::Dcfr { alpha: 0.5, beta: -1.0, gamma: 2.0 }, Rule::Dcfr(0.5, -1.0)),
    (Algorithm::PcfrPlus, Rule::PcfrPlus),
];

/// The largest difference between the table's strategies (current, average) and the textbook's.
/// Differences at infosets that are not reached are looked for too: both play all of them.
fn difference<G: Game>(solver: &Solver<&Table>, book: &Textbook<G>) -> [f64; 2] {
    let table = solver.table();
    let profile = |strategy: Strategy| strategy.profile(table).unwrap();
    let (current, average) =
        (profile(solver.current_strategy()), profile(solver.average_strategy()));
    let mut worst = [0.0f64; 2];
    let mut compared = 0;
    for player in Player::BOTH {
        for infoset in book.infosets[player.index()].values() {
            let expected = [infoset.current(), infoset.average()];
            if expected[0].len() < 2 {
                continue;
            }
            compared += 1;
            let found = [&current, &average].map(|profile| &profile[&(player, infoset.key)]);
            for ((worst, expected), found) in worst.iter_mut().zip(expected).zip(found) {
                for (a, b) in expected.iter().zip(found) {
                    *worst = worst.max((a - b).abs());
                }
            }
        }
    }
    assert_eq!(compared, current.len());
    worst
}

fn compare<G: Game>(game: &G, iterations: u64, prune: bool) {
    let table = Table::build(game, Limits::default()).unwrap();
    for (algorithm, rule) in PAIRS {
        let mut solver = Solver::new(&table, algorithm).with_pruning(prune);
        let mut book = Textbook::new(game, rule);
        for iteration in 1..=iterations {
            solver.run(1);
            book.iterate();
            let [current, average] = difference(&solver, &book);
            assert!(current < 1e-8, "{rule:?}, iteration {iteration}, current: {current}");
            assert!(average < 1e-8, "{rule:?}, iteration {iteration}, average: {average}");
        }
    }
}

#[test]
fn kuhn() {
    compare(&Perturbed(KuhnPoker), 30, false);
}

#[test]
fn leduc() {
    compare(&Perturbed(LeducPoker), 8, false);
}

#[test]
fn random_games() {
    for seed in 0..120 {
        compare(&RandomGame::new(seed, 2 + seed as u32 % 6, 3), 12, seed % 2 == 0);
    }
}

#[test]
fn pruning_changes_nothing() {
    let table = Table::build(&LeducPoker, Limits::default()).unwrap();
    for (algorithm, _) in PAIRS {
        let mut plain = Solver::new(&table, algorithm);
        let mut pruned = Solver::new(&table, algorithm).with_pruning(true);
        plain.run(50);
        pruned.run(50);
        assert_eq!(plain.average_strategy(), pruned.average_strategy());
    }
}
