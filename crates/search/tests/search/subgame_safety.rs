//! What is safe and what is not: common-knowledge solving, and two little games in which 1-KLSS and
//! KLUSS make a strategy worse. And how a subgame is put together.

use std::collections::HashMap;

use crate::subgame_common::{Board, Explicit, chance, end, one, two};
use obscuro_game::{Game, InfosetKey, Player};
use obscuro_games::{BiddingRule, KuhnPoker, LiarsDice};
use obscuro_search::choose::Iterate;
use obscuro_search::exact::exploitability;
use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
use obscuro_search::subgame::{
    AlternateValues, Blueprint, GadgetKind, Prior, Sampled, Scope, Subgame, SubgameSettings,
    construct,
};
use obscuro_search::table::{self, Missing, Strategy, Table};
use obscuro_search::tree::Branch;

fn settings(scope: Scope) -> SubgameSettings {
    SubgameSettings { scope, alternate: AlternateValues::BestResponse, ..Default::default() }
}

/// The strategy at ▲'s infoset after re-solving there for a while. Averages are of the second half.
fn resolve<G: Game>(
    board: &Board<G>,
    blueprint: &Blueprint<'_, G>,
    key: InfosetKey,
    settings: &SubgameSettings,
) -> Vec<f64> {
    let subgame = construct(&board.game, blueprint, key, Vec::new(), 0.0, settings).unwrap();
    let Subgame { tree, mut solver, roots, mut gadget, .. } = subgame;
    for _ in 0..20_000 {
        solver.iterate(&tree, &roots, &mut gadget);
    }
    let infoset = tree.find_infoset(blueprint.searcher(), key).unwrap();
    solver.average(infoset).unwrap()
}

/// What ▲ gets of the best response if they play B with these probabilities at `places`.
fn guaranteed(board: &Board<Explicit>, places: &[(&[usize], f64)]) -> f64 {
    let table = Table::build(&board.game, table::Limits::default()).unwrap();
    let profile: HashMap<InfosetKey, Vec<f64>> =
        places.iter().map(|&(path, b)| (board.key(Player::One, path), vec![1.0 - b, b])).collect();
    let lookup = |_, key: InfosetKey| profile.get(&key).map(Vec::as_slice);
    let strategy = Strategy::from_profile(&table, lookup, Missing::Uniform).unwrap();
    -exploitability(&table, &strategy).unwrap().best_responses[1]
}

/// Chance draws I₁ or I₂, ▲ sees which and plays A or B, ▼ sees nothing and plays l or r. With q the
/// share of B's ▲ gets q against l and 1 − 2q against r. A alone gets 0; the best is q = 1/3.
fn two_of_us() -> Board<Explicit> {
    let a = || two([0, 0], vec![end(0.0), end(1.0)]);
    let b = || two([0, 0], vec![end(1.0), end(-1.0)]);
    let node = |sees| one([sees, 0], vec![a(), b()]);
    Board::new(Explicit(chance(vec![(0.5, node(1)), (0.5, node(2))])))
}

#[test]
fn one_klss_is_not_safe() {
    let board = two_of_us();
    let places: [&[usize]; 2] = [&[0], &[1]];
    let roots = board.whole(Player::One);
    // The blueprint always plays A. ▼ answers l.
    let solver = board.profile(&[(&[0], &[1.0, 0.0]), (&[1], &[1.0, 0.0]), (&[0, 0], &[1.0, 0.0])]);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let with = |scope| -> [f64; 2] {
        places.map(|path| {
            resolve(&board, &blueprint, board.key(Player::One, path), &settings(scope))[1]
        })
    };
    assert!(guaranteed(&board, &[(&[0], 0.0), (&[1], 0.0)]).abs() < 1e-9);
    // Each infoset takes all the B's there should be, in the belief that the other plays A.
    let [i, j] = with(Scope::Klss);
    assert!((i - 2.0 / 3.0).abs() < 0.02 && (j - 2.0 / 3.0).abs() < 0.02, "{i} {j}");
    let klss = guaranteed(&board, &[(&[0], i), (&[1], j)]);
    assert!((klss - -1.0 / 3.0).abs() < 0.05, "{klss}");
    // Here I² is the common-knowledge set: unfrozen, both find the same solution.
    for scope in [Scope::default(), Scope::Common] {
        let [i, j] = with(scope);
        let found = guaranteed(&board, &[(&[0], i), (&[1], j)]);
        assert!((found - 1.0 / 3.0).abs() < 0.02, "{scope:?}: {found}");
    }
}

/// As before, but I₁ has a bonus of ½ for A, and at I₂ ▼ may have seen, at a node of their own (`J_b`),
/// that ▲ is there: then B costs 1. All payoffs are halved. With b₁ and b₂ the probabilities of B,
/// six times what ▲ is sure of is
///
/// min(½ + ½·b₁ + b₂, 2½ − 2½·b₁ − 2·b₂) − b₂,
///
/// which is largest, 5/6, at b₁ = 2/3 and b₂ = 0. Without the last term, which lies beyond I² of I₁,
/// it is largest at b₁ = 0 and b₂ = 2/3.
fn a_third_party() -> Board<Explicit> {
    let pay = |l: f64, r: f64| two([0, 0], vec![end(l / 2.0), end(r / 2.0)]);
    let third = 1.0 / 3.0;
    Board::new(Explicit(chance(vec![
        (third, one([1, 0], vec![pay(0.5, 1.5), pay(1.0, -1.0)])),
        (third, one([2, 0], vec![pay(0.0, 1.0), pay(1.0, -1.0)])),
        (third, one([2, 1], vec![end(0.0), end(-0.5)])),
    ])))
}

#[test]
fn kluss_is_not_safe() {
    let board = a_third_party();
    let roots = board.whole(Player::One);
    // The blueprint is an equilibrium: l and r leave ▲ the same, and ▼ mixes so that b₁ does not
    // matter to ▲: with λ on l, ½·λ = 2½·(1 − λ).
    let third = 1.0 / 3.0;
    let solver = board.profile(&[
        (&[0], &[third, 2.0 * third]),
        (&[1], &[1.0, 0.0]),
        (&[0, 0], &[5.0 / 6.0, 1.0 / 6.0]),
    ]);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let with = |scope| -> [f64; 2] {
        [&[0][..], &[1]].map(|path: &[usize]| {
            resolve(&board, &blueprint, board.key(Player::One, path), &settings(scope))[1]
        })
    };
    let optimum = guaranteed(&board, &[(&[0], 2.0 * third), (&[1], 0.0)]);
    assert!((optimum - 5.0 / 36.0).abs() < 1e-6, "{optimum}");
    let [b1, b2] = with(Scope::default());
    assert!(b1 < 0.02 && b2 < 0.02, "{b1} {b2}");
    let kluss = guaranteed(&board, &[(&[0], b1), (&[1], b2)]);
    assert!((kluss - 3.0 / 36.0).abs() < 0.01, "{kluss} in place of {optimum}");
    let [b1, b2] = with(Scope::Common);
    let common = guaranteed(&board, &[(&[0], b1), (&[1], b2)]);
    assert!(common > optimum - 0.005, "{common} in place of {optimum}");
}

/// Re-solves at all infosets of ▲ that the game has, from one blueprint, and gives the
/// exploitability of both players' results: before and after.
fn resolve_everywhere<G: Game + Clone>(game: &G, iterations: u64, scope: Scope) -> (f64, f64) {
    let board = Board::new(game.clone());
    let table = Table::build(game, table::Limits::default()).unwrap();
    let (mut before, mut after) = (HashMap::new(), HashMap::new());
    for searcher in Player::BOTH {
        let roots = board.whole(searcher);
        let mut solver = Solver::new(Averaging::Quadratic);
        for _ in 0..iterations {
            solver.iterate(&board.tree, &roots, &mut WholeGame);
        }
        let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Average);
        // The first infosets only: where the searcher has not acted yet. What is below is played as
        // the subgame says.
        for (id, infoset) in board.tree.infosets().filter(|i| i.1.player() == searcher) {
            let strategy = Iterate::Average.strategy(&solver, id).unwrap();
            before.insert((searcher, infoset.key()), strategy.clone());
            after.entry((searcher, infoset.key())).or_insert(strategy);
            let first = board.nodes.values().all(|&node| {
                let mut node = board.tree.node(node).unwrap();
                if node.key(searcher) != infoset.key() {
                    return true;
                }
                while let Some((above, _)) = node.parent() {
                    if matches!(above.expansion().unwrap().branch(),
                        Branch::Player(player, _) if *player == searcher)
                    {
                        return false;
                    }
                    node = above;
                }
                true
            });
            if !first {
                continue;
            }
            let settings = settings(scope);
            let subgame =
                construct(game, &blueprint, infoset.key(), Vec::new(), 0.0, &settings).unwrap();
            let Subgame { tree, solver: mut fresh, roots, mut gadget, .. } = subgame;
            for _ in 0..3_000 {
                fresh.iterate(&tree, &roots, &mut gadget);
            }
            // All that is below our own infoset.
            let mut pending: Vec<_> = tree.roots().to_vec();
            pending.retain(|&root| tree.node(root).unwrap().key(searcher) == infoset.key());
            while let Some(id) = pending.pop() {
                let Some(expansion) = tree.node(id).unwrap().expansion() else { continue };
                if let &Branch::Player(player, id) = expansion.branch()
                    && player == searcher
                {
                    let strategy = Iterate::Average.strategy(&fresh, id).unwrap();
                    after.insert((searcher, tree.infoset(id).unwrap().key()), strategy);
                }
                pending.extend(expansion.children());
            }
        }
    }
    let measure = |profile: &HashMap<(Player, InfosetKey), Vec<f64>>| {
        let lookup = |player, key| profile.get(&(player, key)).map(Vec::as_slice);
        let strategy = Strategy::from_profile(&table, lookup, Missing::Uniform).unwrap();
        exploitability(&table, &strategy).unwrap().mean() / game.max_payoff()
    };
    (measure(&before), measure(&after))
}

#[test]
fn common_knowledge_solving_is_safe() {
    let dice = LiarsDice::new(3, BiddingRule::ResetFace).unwrap();
    for iterations in [1, 3, 10, 30, 1_000] {
        let (before, after) = resolve_everywhere(&KuhnPoker, iterations, Scope::Common);
        assert!(after < before + 2e-3, "Kuhn, {iterations}: {before} to {after}");
        let (before, after) = resolve_everywhere(&dice, iterations, Scope::Common);
        assert!(after < before + 2e-3, "dice, {iterations}: {before} to {after}");
    }
}

#[test]
fn a_bad_blueprint_is_improved_by_all() {
    let dice = LiarsDice::new(3, BiddingRule::ResetFace).unwrap();
    for scope in [Scope::Common, Scope::default(), Scope::Klss] {
        let (before, after) = resolve_everywhere(&dice, 3, scope);
        assert!(after < 0.7 * before, "{scope:?}: {before} to {after}");
    }
}

#[test]
fn kluss_makes_kuhns_equilibrium_worse() {
    // With a jack in hand, the infoset of an opponent with a jack is not in I²: every hand is solved
    // without its own card, and the solutions do not fit together.
    let (before, after) = resolve_everywhere(&KuhnPoker, 3_000, Scope::default());
    assert!(before < 1e-3 && after > 5e-3, "{before} to {after}");
}

#[test]
fn frozen_strategies_stay_through_a_search_and_are_the_blueprint() {
    let board = two_of_us();
    let roots = board.whole(Player::One);
    let solver = board.profile(&[(&[0], &[0.25, 0.75]), (&[1], &[0.625, 0.375])]);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let key = board.key(Player::One, &[0]);
    for (scope, frozen) in [(Scope::Klss, true), (Scope::default(), false)] {
        let settings = settings(scope);
        let subgame = construct(&board.game, &blueprint, key, Vec::new(), 0.0, &settings).unwrap();
        let Subgame { tree, mut solver, roots, mut gadget, .. } = subgame;
        let other = tree.find_infoset(Player::One, board.key(Player::One, &[1])).unwrap();
        for _ in 0..500 {
            solver.iterate(&tree, &roots, &mut gadget);
        }
        let unchanged = solver.strategy(other).unwrap() == [0.625, 0.375];
        assert_eq!(unchanged, frozen, "{:?}", solver.strategy(other));
        let ours = tree.find_infoset(Player::One, key).unwrap();
        assert_ne!(solver.strategy(ours).unwrap(), [0.25, 0.75]);
        // A subgame of this subgame lets go of what was frozen.
        let again = Blueprint::new(&tree, &solver, &roots, Iterate::Last);
        let key = tree.infoset(other).unwrap().key();
        let subgame = construct(&board.game, &again, key, Vec::new(), 0.0, &settings).unwrap();
        let now = subgame.tree.find_infoset(Player::One, key).unwrap();
        assert!(!subgame.tree.infoset(now).unwrap().is_frozen());
    }
}

#[test]
fn sampled_states_are_infosets_of_their_own_worth_no_more_than_expected() {
    let board = two_of_us();
    for (searcher, sign) in [(Player::One, 1.0), (Player::Two, -1.0)] {
        let roots: Roots = board.whole(searcher);
        let mut solver = Solver::new(Averaging::Off);
        solver.iterate(&board.tree, &roots, &mut WholeGame);
        let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
        let path: &[usize] = if searcher == Player::One { &[0] } else { &[0, 0] };
        let key = board.key(searcher, path);
        let states: [(Vec<u8>, f32); 2] = [(vec![0], 0.75), (vec![1], -0.5)];
        let sampled: Vec<_> = states
            .iter()
            .map(|(state, value)| Sampled { state: state.clone(), value: *value })
            .collect();
        let settings = SubgameSettings { gadget: GadgetKind::Both, ..Default::default() };
        let subgame = construct(&board.game, &blueprint, key, sampled, 0.125, &settings).unwrap();
        let old = subgame.roots.groups() - 2;
        assert!(old >= 1);
        for (at, (state, value)) in states.iter().enumerate() {
            let [root] = subgame.roots.group(old + at) else { panic!("one state, one infoset") };
            let node = subgame.tree.node(root.node).unwrap();
            assert_eq!((node.state(), node.key(searcher), root.reach), (state, key, 1.0));
            for other in 0..old + at {
                for before in subgame.roots.group(other) {
                    let before = subgame.tree.node(before.node).unwrap();
                    assert_ne!(before.key(searcher.other()), node.key(searcher.other()));
                }
            }
            let expected = (sign * f64::from(*value)).min(0.125);
            let found = subgame.gadget.alternate_values()[old + at];
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let prior = subgame.gadget.prior();
        assert!((prior.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // ▼ was not seen to play to a new state: half of the uniform share is left.
        assert!((prior[old] - 0.5 / prior.len() as f64).abs() < 1e-12);
        assert_eq!(Prior::Uniform.of(&[1.0, 0.0, 3.0]), [1.0 / 3.0; 3]);
    }
}

#[test]
fn nothing_to_search_from_is_an_error() {
    let board = two_of_us();
    let roots = board.whole(Player::One);
    let solver = board.profile(&[]);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let nowhere = InfosetKey::root(&"nowhere");
    let found =
        construct(&board.game, &blueprint, nowhere, Vec::new(), 0.0, &SubgameSettings::default());
    let Err(error) = found else { panic!("a subgame of nothing") };
    assert!(error.to_string().contains("at least one root"), "{error}");
}
