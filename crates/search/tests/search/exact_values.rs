//! Best responses, exploitability and values against brute force and known values.

use crate::table_common::random_game::{Random, RandomGame};
use crate::table_common::textbook::{self, Node};
use obscuro_game::{Game, Player};
use obscuro_games::{AnyGame, KuhnPoker, LeducPoker, load};
use obscuro_search::exact::{SequenceForm, best_response, expected_value, exploitability};
use obscuro_search::table::{Algorithm, Limits, Missing, Solver, Strategy, Table};

fn build<G: Game>(game: &G) -> Table {
    Table::build(game, Limits::default()).unwrap()
}

/// A strategy that depends on nothing but a seed and the infosets' keys, some actions of it never
/// played; and the same as a function of histories.
fn mixed(seed: u64, player: Player, key: u64, actions: usize) -> Vec<f64> {
    let mut random = Random(seed ^ key ^ player.index() as u64);
    let mut weights: Vec<f64> =
        (0..actions).map(|_| if random.below(4) == 0 { 0.0 } else { random.unit() }).collect();
    weights[0] += 0.01;
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn in_table(table: &Table, seed: u64) -> Strategy {
    let mut probabilities = Player::BOTH.map(|p| vec![0.0; table.treeplex(p).sequences()]);
    for player in Player::BOTH {
        let treeplex = table.treeplex(player);
        for (infoset, key) in treeplex.keys().iter().enumerate() {
            let sequences = treeplex.sequences_of(infoset);
            let numbers = mixed(seed, player, key.get(), sequences.len());
            for (sequence, number) in sequences.zip(numbers) {
                probabilities[player.index()][sequence] = number;
            }
        }
    }
    Strategy::from_probabilities(table, probabilities).unwrap()
}

fn by_history<G: Game>(seed: u64) -> impl Fn(Player, &Node<G>, usize) -> Vec<f64> {
    move |player, node, actions| mixed(seed, player, node.key(player).get(), actions)
}

fn check_random<G: Game>(game: &G, seed: u64, compared: &mut u32) {
    let table = build(game);
    let strategy = in_table(&table, seed);
    let profile = by_history(seed);
    let expected = textbook::expected_value(game, &Node::root(game), &profile);
    let value = expected_value(&table, &strategy).unwrap();
    assert!((value - expected).abs() < 1e-12, "value {value}, by recursion {expected}");
    let found = exploitability(&table, &strategy).unwrap();
    assert!((found.value - expected).abs() < 1e-12);
    for player in Player::BOTH {
        let response = best_response(&table, player, &strategy).unwrap();
        assert!((response.value - found.best_responses[player.index()]).abs() < 1e-15);
        // The response is worth what it says it is.
        let mut both = Player::BOTH.map(|p| strategy.probabilities(p).to_vec());
        both[player.index()].clone_from(&response.probabilities);
        let played = Strategy::from_probabilities(&table, both).unwrap();
        let value = player.sign() * expected_value(&table, &played).unwrap();
        assert!((value - response.value).abs() < 1e-12);
        let brute = textbook::brute_force_best_response(game, player, &profile, 4000);
        if let Some(brute) = brute {
            *compared += 1;
            assert!((response.value - brute).abs() < 1e-12, "{} and {brute}", response.value);
        }
    }
}

#[test]
fn random_games_by_brute_force() {
    let mut compared = 0;
    for seed in 0..300 {
        check_random(&RandomGame::new(seed, 2 + seed as u32 % 5, 3), seed, &mut compared);
    }
    assert!(compared > 200, "only {compared} games were small enough");
    check_random(&KuhnPoker, 11, &mut compared);
    check_random(&LeducPoker, 12, &mut 0);
}

#[test]
fn kuhn_is_lost_by_an_eighteenth() {
    let table = build(&KuhnPoker);
    for algorithm in [Algorithm::Cfr, Algorithm::CfrPlus, Algorithm::DCFR, Algorithm::PcfrPlus] {
        let mut solver = Solver::new(&table, algorithm);
        solver.run(20_000);
        let found = exploitability(&table, &solver.average_strategy()).unwrap();
        let limit = if algorithm == Algorithm::Cfr { 2e-3 } else { 2e-5 };
        assert!(found.mean() < limit, "{algorithm:?}: {}", found.mean());
        assert!((found.value + 1.0 / 18.0).abs() < limit, "{algorithm:?}: {}", found.value);
        assert!(found.gains().iter().all(|gain| *gain > -1e-12));
    }
}

/// Both best responses bound the value, so this proves it.
#[test]
fn leduc_has_its_known_value() {
    let table = build(&LeducPoker);
    let mut solver = Solver::new(&table, Algorithm::PcfrPlus);
    solver.run(40_000);
    let found = exploitability(&table, &solver.average_strategy()).unwrap();
    assert!(found.nash_conv() < 1e-6, "{}", found.nash_conv());
    assert!(-found.best_responses[1] <= -0.085_606_4 + 1e-6);
    assert!(found.best_responses[0] >= -0.085_606_5 - 1e-6);
    assert!((found.value + 0.085_606_4).abs() < 1e-6, "{}", found.value);
}

/// Liar's dice with one die each is worth -7/258 to the first player.
#[test]
fn liars_dice_has_its_known_value() {
    let Ok(AnyGame::LiarsDice(game)) = load("liars_dice") else { panic!("no such game") };
    let table = build(&game);
    let mut solver = Solver::new(&table, Algorithm::DCFR);
    solver.run(2_000);
    let found = exploitability(&table, &solver.average_strategy()).unwrap();
    let bounds = [-found.best_responses[1], found.best_responses[0]];
    assert!(bounds[1] - bounds[0] < 1e-4, "{bounds:?}");
    assert!((bounds[0]..bounds[1]).contains(&(-7.0 / 258.0)), "{bounds:?}");
}

#[test]
fn exploitability_falls() {
    let table = build(&LeducPoker);
    let uniform = exploitability(&table, &Strategy::uniform(&table)).unwrap().mean();
    // OpenSpiel's figure for the uniform policy: NashConv 4.747222222222222.
    assert!((uniform - 4.747_222_222_222_222 / 2.0).abs() < 1e-12, "{uniform}");
    for algorithm in [Algorithm::Cfr, Algorithm::CfrPlus, Algorithm::DCFR, Algorithm::PcfrPlus] {
        let mut solver = Solver::new(&table, algorithm);
        let mut last = uniform;
        for _ in 0..5 {
            solver.run(4 * solver.iterations().max(5));
            let found = exploitability(&table, &solver.average_strategy()).unwrap().mean();
            assert!(found < last * 0.75, "{algorithm:?}: {found} after {last}");
            last = found;
        }
    }
}

/// x'Ay is the expected value and Ex = e, with the matrices multiplied out by hand.
#[test]
fn sequence_form_describes_the_game() {
    for seed in 0..100 {
        let game = RandomGame::new(seed, 6, 3);
        let table = build(&game);
        let form = SequenceForm::new(&table);
        let strategy = in_table(&table, seed);
        let plans = Player::BOTH.map(|player| strategy.plan(&table, player).unwrap());
        let a = &form.payoffs;
        let entries = a.rows.iter().zip(&a.columns).zip(&a.values);
        let value: f64 =
            entries.map(|((&r, &c), v)| plans[0][r as usize] * v * plans[1][c as usize]).sum();
        let expected = textbook::expected_value(&game, &Node::root(&game), &by_history(seed));
        assert!((value - expected).abs() < 1e-12);
        for (constraints, plan) in form.constraints.iter().zip(&plans) {
            let matrix = &constraints.matrix;
            let mut left = vec![0.0; matrix.height];
            let entries = matrix.rows.iter().zip(&matrix.columns).zip(&matrix.values);
            for ((&row, &column), entry) in entries {
                left[row as usize] += entry * plan[column as usize];
            }
            let error = left.iter().zip(&constraints.right).map(|(a, b)| (a - b).abs());
            assert!(error.fold(0.0, f64::max) < 1e-12);
        }
    }
}

#[test]
fn profiles_come_and_go() {
    let table = build(&KuhnPoker);
    let strategy = in_table(&table, 3);
    let profile = strategy.profile(&table).unwrap();
    assert_eq!(profile.len(), 12);
    let lookup = |player, key| profile.get(&(player, key)).map(Vec::as_slice);
    let back = Strategy::from_profile(&table, lookup, Missing::Refuse).unwrap();
    let difference = Player::BOTH.map(|player| {
        let pairs = back.probabilities(player).iter().zip(strategy.probabilities(player));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    });
    assert!(difference[0].max(difference[1]) < 1e-15);

    let none = |_, _| None;
    assert_eq!(
        Strategy::from_profile(&table, none, Missing::Uniform),
        Ok(Strategy::uniform(&table))
    );
    let error = |given: Option<&'static [f64]>| {
        let found = Strategy::from_profile(&table, |_, _| given, Missing::Refuse);
        found.unwrap_err().to_string()
    };
    assert!(error(None).starts_with("no probabilities for infoset"));
    assert!(error(Some(&[1.0])).contains("which has 2 actions"));
    assert!(error(Some(&[0.6, 0.6])).contains("sum to 1"));
    assert!(error(Some(&[1.5, -0.5])).contains("from 0 to 1"));
    assert!(error(Some(&[f64::NAN, 1.0])).contains("from 0 to 1"));
    let other = build(&LeducPoker);
    let error = exploitability(&other, &strategy).unwrap_err().to_string();
    assert!(error.contains("sequences in this table"), "{error}");
}
