//! Purification, and which actions count as stable.

use std::time::Duration;

use crate::subgame_common::{Board, Explicit, end, one};
use obscuro_game::{Player, SplitMix64};
use obscuro_search::choose::{Purification, Stability, draw, most_likely, purify};
use obscuro_search::expand::{Limits, Observer};

const PARTIAL: Purification = Purification::Partial { actions: 3 };

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close, "{found:?} in place of {expected:?}");
}

#[test]
fn at_most_three_actions_are_mixed_and_the_rest_goes_to_the_likeliest() {
    let strategy = [0.1, 0.15, 0.3, 0.25, 0.2];
    near(&purify(&strategy, &[true; 5], 0.0, PARTIAL), &[0.0, 0.0, 0.55, 0.25, 0.2]);
    near(
        &purify(&strategy, &[true; 5], 0.0, Purification::Partial { actions: 2 }),
        &[0.0, 0.0, 0.75, 0.25, 0.0],
    );
    let one = [0.0, 0.0, 1.0, 0.0, 0.0];
    near(&purify(&strategy, &[true; 5], 0.0, Purification::Full), &one);
    near(&purify(&strategy, &[true; 5], 0.0, Purification::Partial { actions: 0 }), &one);
}

#[test]
fn only_stable_actions_are_mixed_but_the_likeliest_need_not_be_stable() {
    let strategy = [0.1, 0.15, 0.3, 0.25, 0.2];
    let stable = [true, true, false, false, true];
    near(&purify(&strategy, &stable, 0.0, PARTIAL), &[0.0, 0.15, 0.65, 0.0, 0.2]);
    near(&purify(&strategy, &stable, 0.0, Purification::Stable), &[0.1, 0.15, 0.55, 0.0, 0.2]);
    near(&purify(&strategy, &[false; 5], 0.0, PARTIAL), &[0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn while_resolve_is_in_force_one_action_is_played() {
    let strategy = [0.4, 0.6];
    for p_max in [1e-9, 0.5, 1.0] {
        near(&purify(&strategy, &[true; 2], p_max, PARTIAL), &[0.0, 1.0]);
        // Switched off, whatever the gadget.
        near(&purify(&strategy, &[true; 2], p_max, Purification::Stable), &strategy);
        near(&purify(&strategy, &[true; 2], p_max, Purification::Off), &strategy);
    }
    near(&purify(&strategy, &[true; 2], 0.0, PARTIAL), &strategy);
}

#[test]
fn of_equally_likely_actions_the_first_is_the_likeliest() {
    assert_eq!(most_likely(&[0.25, 0.375, 0.375]), 1);
}

#[test]
fn actions_are_drawn_as_they_should_be_played() {
    let mut rng = SplitMix64::new(2);
    let mut counts = [0u32; 3];
    for _ in 0..8_000 {
        counts[draw(&[0.25, 0.0, 0.75], &mut rng)] += 1;
    }
    assert!(counts[1] == 0 && (1_800..2_200).contains(&counts[0]), "{counts:?}");
}

/// Which actions are stable when the strategies are these, one an iteration or after these times.
fn watch(limits: Limits, strategies: &[(u64, [f64; 3])]) -> Vec<bool> {
    let board = Board::new(Explicit(one([0, 0], vec![end(0.0), end(0.0), end(0.0)])));
    let key = board.key(Player::One, &[]);
    let mut solver = board.profile(&[]);
    let roots = board.whole(Player::One);
    let mut stability = Stability::new(&board.tree, &solver, Player::One, key, limits);
    for (milliseconds, strategy) in strategies {
        solver.iterate(&board.tree, &roots, &mut obscuro_search::solver::WholeGame);
        let infoset = board.tree.find_infoset(Player::One, key).unwrap();
        solver.set_strategy(&board.tree, infoset, strategy).unwrap();
        stability.iteration(&solver, Duration::from_millis(*milliseconds));
    }
    stability.stable().unwrap_or_else(|| vec![true; 3])
}

#[test]
fn stable_is_what_is_played_from_the_middle_on() {
    let (a, ab, all) = ([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]);
    let four = Limits { iterations: Some(4), ..Limits::default() };
    // The second of four iterations is the middle.
    assert_eq!(watch(four, &[(0, a), (0, all), (0, all), (0, all)]), [true, true, true]);
    assert_eq!(watch(four, &[(0, a), (0, ab), (0, all), (0, all)]), [true, true, false]);
    assert_eq!(watch(four, &[(0, all), (0, all), (0, a), (0, all)]), [true, false, false]);
    let time = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    assert_eq!(watch(time, &[(10, a), (49, a), (50, ab), (99, all)]), [true, true, false]);
    // Stopped before the middle: nothing is known to be unstable.
    assert_eq!(watch(time, &[(10, a), (20, a)]), [true, true, true]);
}
