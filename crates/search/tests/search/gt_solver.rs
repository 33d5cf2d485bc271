//! The solver on a fully expanded tree against PCFR+ as it is in the books.

use crate::gt_common::expand_all;
use crate::gt_common::random_game::RandomGame;
use crate::gt_common::reference::{Full, Profile, Textbook};
use obscuro_game::{Game, Player, ZeroEvaluator};
use obscuro_games::{KuhnPoker, LeducPoker};
use obscuro_search::solver::{Averaging, Root, RootPolicy, RootStep, Roots, Solver, WholeGame};
use obscuro_search::tree::{InfosetId, Tree};

fn ids<G: Game>(full: &Full, tree: &Tree<G>) -> Vec<InfosetId> {
    let find =
        |i: &crate::gt_common::reference::Infoset| tree.find_infoset(i.player, i.key).unwrap();
    full.infosets.iter().map(find).collect()
}

fn start<G: Game>(full: &Full, tree: &Tree<G>, ids: &[InfosetId]) -> Profile {
    let first = |(i, id): (&crate::gt_common::reference::Infoset, &InfosetId)| {
        let choice = tree.infoset(*id).unwrap().choice();
        (0..i.actions).map(|a| f64::from(choice.probability(a))).collect()
    };
    full.infosets.iter().zip(ids).map(first).collect()
}

fn compare<G: Game>(game: &G, iterations: u32, tolerance: f64) {
    let full = Full::new(game);
    let tree = Tree::new(game, 0.0).unwrap();
    expand_all(game, &tree, &mut ZeroEvaluator);
    assert_eq!(tree.nodes() as usize, full.nodes.len());
    assert_eq!(tree.infoset_count() as usize, full.infosets.len());
    let ids = ids(&full, &tree);
    let mut textbook = Textbook::new(start(&full, &tree, &ids));
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Linear);
    for iteration in 1..=iterations {
        textbook.iterate(&full);
        solver.iterate(&tree, &roots, &mut WholeGame);
        for (i, &id) in ids.iter().enumerate() {
            let near = |got: &[f64], want: &[f64]| {
                got.iter().zip(want).all(|(g, w)| (g - w).abs() < tolerance)
            };
            let (got, want) = (solver.strategy(id).unwrap(), &textbook.profile[i]);
            assert!(near(&got, want), "iteration {iteration}, infoset {i}: {got:?} {want:?}");
            assert!(near(solver.regrets(id).unwrap(), &textbook.regrets[i]));
            let total: f64 = textbook.sums[i].iter().sum();
            let average = solver.average(id);
            assert_eq!(average.is_some(), total > 0.0);
            if let Some(average) = average {
                let want: Vec<f64> = textbook.sums[i].iter().map(|s| s / total).collect();
                assert!(near(&average, &want));
            }
        }
        let value = solver.expected_value(&tree, tree.roots()[0]).unwrap();
        assert!((value - full.value(&textbook.profile, 0)).abs() < tolerance);
    }
}

#[test]
fn kuhn_equals_the_textbook() {
    compare(&KuhnPoker, 200, 1e-9);
}

#[test]
fn leduc_equals_the_textbook() {
    compare(&LeducPoker, 12, 1e-9);
}

#[test]
fn random_games_equal_the_textbook() {
    for seed in 0..12 {
        compare(&RandomGame { seed, plies: 6, width: 4 }, 60, 1e-9);
    }
}

/// Kuhn's value, −1/18 of a chip, from the average strategies.
#[test]
fn kuhn_converges_to_its_value() {
    let tree = Tree::new(&KuhnPoker, 0.0).unwrap();
    expand_all(&KuhnPoker, &tree, &mut ZeroEvaluator);
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Quadratic);
    for _ in 0..5_000 {
        solver.iterate(&tree, &roots, &mut WholeGame);
    }
    let full = Full::new(&KuhnPoker);
    let profile: Profile =
        ids(&full, &tree).iter().map(|&id| solver.average(id).unwrap()).collect();
    let value = full.value(&profile, 0) * KuhnPoker.max_payoff();
    assert!((value + 1.0 / 18.0).abs() < 1e-5, "{value}");
    assert!(full.exploitability(&profile) < 1e-4);
}

/// Weights that stay, and what the policy was told last.
struct Fixed {
    weights: Vec<f64>,
    values: Vec<f64>,
    reaches: Vec<f64>,
}

impl RootPolicy for Fixed {
    fn start(&mut self, weights: &mut [f64], _scores: &mut [f64]) {
        weights.copy_from_slice(&self.weights);
    }

    fn update(&mut self, step: RootStep<'_>, _weights: &mut [f64], _scores: &mut [f64]) {
        self.values = step.values.to_vec();
        self.reaches = step.reaches.to_vec();
    }
}

/// The deals of Kuhn as a root layer: grouped by the opponent's card, weighted as chance deals.
/// Scaling the reach within a group, or all weights, changes nothing.
#[test]
fn a_root_layer_of_the_deals_plays_like_the_whole_game() {
    for searcher in Player::BOTH {
        let tree = Tree::new(&KuhnPoker, 0.0).unwrap();
        expand_all(&KuhnPoker, &tree, &mut ZeroEvaluator);
        let other = Tree::new(&KuhnPoker, 0.0).unwrap();
        expand_all(&KuhnPoker, &other, &mut ZeroEvaluator);

        // Node two plies down: all six deals. Their opponent's keys tell the opponent's card.
        let mut cards = Vec::new();
        let mut layer = Vec::new();
        for id in tree.layer(2) {
            let key = tree.node(id).unwrap().key(searcher.other());
            let group = cards.iter().position(|&k| k == key).unwrap_or_else(|| {
                cards.push(key);
                cards.len() - 1
            });
            layer.push(Root { node: id, group, reach: 0.25 });
        }
        assert_eq!(cards.len(), 3);
        let roots = Roots::new(&tree, searcher, layer).unwrap();
        let mut policy = Fixed { weights: vec![0.7; 3], values: Vec::new(), reaches: Vec::new() };
        let mut solver = Solver::new(Averaging::Off);

        let top = Root { node: other.roots()[0], group: 0, reach: 1.0 };
        let whole = Roots::new(&other, searcher, vec![top]).unwrap();
        let mut whole_solver = Solver::new(Averaging::Off);
        for _ in 0..50 {
            solver.iterate(&tree, &roots, &mut policy);
            whole_solver.iterate(&other, &whole, &mut WholeGame);
            for (id, infoset) in tree.infosets() {
                let same = other.find_infoset(infoset.player(), infoset.key()).unwrap();
                let got = solver.strategy(id).unwrap();
                let want = whole_solver.strategy(same).unwrap();
                assert!(
                    got.iter().zip(&want).all(|(g, w)| (g - w).abs() < 1e-9),
                    "{got:?} {want:?}"
                );
            }
        }
        assert_eq!(policy.reaches, [0.5; 3]);
    }
}

#[test]
fn group_values_are_the_opponents_and_carry_the_reach() {
    let game = RandomGame { seed: 3, plies: 5, width: 3 };
    let tree = Tree::new(&game, 0.0).unwrap();
    expand_all(&game, &tree, &mut ZeroEvaluator);
    for searcher in Player::BOTH {
        let layer: Vec<Root> = tree
            .layer(1)
            .into_iter()
            .enumerate()
            .map(|(i, node)| Root { node, group: i / 2, reach: 0.1 + i as f64 })
            .collect();
        let groups = layer.last().unwrap().group + 1;
        let roots = Roots::new(&tree, searcher, layer).unwrap();
        let mut solver = Solver::new(Averaging::Off);
        let weights = vec![0.5; groups];
        let mut policy = Fixed { weights, values: Vec::new(), reaches: Vec::new() };
        // Everybody frozen: the strategies are those of the values.
        tree.infosets().for_each(|(_, infoset)| infoset.set_frozen(true));
        solver.iterate(&tree, &roots, &mut policy);
        let mut total = (0.0, 0.0);
        for group in 0..groups {
            let value = |root: &Root| root.reach * solver.expected_value(&tree, root.node).unwrap();
            let want: f64 = roots.group(group).iter().map(value).sum();
            let reach: f64 = roots.group(group).iter().map(|root| root.reach).sum();
            assert!((policy.values[group] - searcher.other().sign() * want).abs() < 1e-12);
            assert!((policy.reaches[group] - reach).abs() < 1e-12);
            total = (total.0 + want, total.1 + reach);
        }
        assert!((solver.value() - total.0 / total.1).abs() < 1e-12);
    }
}

#[test]
fn a_group_without_weight_is_not_walked_for_the_searcher() {
    let game = RandomGame { seed: 8, plies: 6, width: 3 };
    let tree = Tree::new(&game, 0.0).unwrap();
    expand_all(&game, &tree, &mut ZeroEvaluator);
    let layer = |nodes: Vec<_>| -> Vec<Root> {
        let root = |(group, node)| Root { node, group, reach: 1.0 };
        nodes.into_iter().enumerate().map(root).collect()
    };
    let roots = Roots::new(&tree, Player::One, layer(tree.layer(1))).unwrap();
    let mut visits = Vec::new();
    for weight in [0.0, 1.0] {
        let mut weights = vec![weight; roots.groups()];
        weights[0] = 1.0;
        let mut policy = Fixed { weights, values: Vec::new(), reaches: Vec::new() };
        let mut solver = Solver::new(Averaging::Off);
        solver.iterate(&tree, &roots, &mut policy);
        visits.push(solver.visits());
        assert!(policy.values.iter().all(|v| *v != 0.0), "the opponent sees every group");
    }
    assert!(visits[0] < visits[1], "{visits:?}");
}

#[test]
fn a_frozen_infoset_keeps_its_strategy_and_the_others_answer_it() {
    let tree = Tree::new(&KuhnPoker, 0.0).unwrap();
    expand_all(&KuhnPoker, &tree, &mut ZeroEvaluator);
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Quadratic);
    for _ in 0..10 {
        solver.iterate(&tree, &roots, &mut WholeGame);
    }
    let of_one = |player| tree.infosets().filter(move |(_, i)| i.player() == player);
    of_one(Player::One).for_each(|(_, infoset)| infoset.set_frozen(true));
    let strategies = |solver: &Solver| -> Vec<Vec<f64>> {
        of_one(Player::One).map(|(id, _)| solver.strategy(id).unwrap()).collect()
    };
    let before = strategies(&solver);
    for _ in 0..3_000 {
        solver.iterate(&tree, &roots, &mut WholeGame);
    }
    assert_eq!(before, strategies(&solver));
    // The second player now plays a best response.
    let full = Full::new(&KuhnPoker);
    let profile: Profile =
        ids(&full, &tree).iter().map(|&id| solver.strategy(id).unwrap()).collect();
    let gain = full.best_response(&profile, Player::Two) + full.value(&profile, 0);
    assert!(gain < 1e-6, "{gain}");
}

/// The values that an infoset shows are its counterfactual values over the others' reach.
#[test]
fn action_values_are_conditional_on_the_infoset() {
    let tree = Tree::new(&KuhnPoker, 0.0).unwrap();
    expand_all(&KuhnPoker, &tree, &mut ZeroEvaluator);
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Off);
    tree.infosets().for_each(|(_, infoset)| infoset.set_frozen(true));
    solver.iterate(&tree, &roots, &mut WholeGame);
    let mut checked = 0;
    for node in (0..10).flat_map(|depth| tree.layer(depth)) {
        let node = tree.node(node).unwrap();
        let Some((id, expansion)) = node.expansion().and_then(|e| Some((e.infoset()?, e))) else {
            continue;
        };
        let player = tree.infoset(id).unwrap().player();
        let seen = solver.action_values(id).unwrap();
        let nodes: Vec<_> = tree
            .layer(node.depth())
            .into_iter()
            .filter(|&n| {
                tree.node(n).unwrap().expansion().and_then(obscuro_search::tree::Expansion::infoset)
                    == Some(id)
            })
            .collect();
        let reach = |n| solver.reach(&tree, n).unwrap().without(player);
        let total: f64 = nodes.iter().map(|&n| reach(n)).sum();
        assert!((total - seen.reach).abs() < 1e-12);
        if total == 0.0 {
            assert_eq!(seen.conditional(0), None);
            continue;
        }
        for action in 0..expansion.len() {
            let value = |n: &_| {
                let child = tree.node(*n).unwrap().expansion().unwrap().child(action);
                reach(*n) * solver.expected_value(&tree, child).unwrap() / total
            };
            let want: f64 = nodes.iter().map(value).sum();
            assert!((seen.conditional(action).unwrap() - want).abs() < 1e-12);
            let shown = tree.infoset(id).unwrap().choice().value(action);
            assert!((f64::from(shown) - want).abs() < 1e-6);
            checked += 1;
        }
    }
    assert!(checked > 20);
}
