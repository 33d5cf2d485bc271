//! Compaction between searches.
#![expect(clippy::float_cmp, reason = "bits that were copied or set, not computed")]

use crate::gt_common::expand_all;
use crate::gt_common::random_game::RandomGame;
use obscuro_game::{InfosetKey, Player, SplitMix64, ZeroEvaluator};
use obscuro_games::{KuhnPoker, LeducPoker};
use obscuro_search::expand::evaluators::RandomRollouts;
use obscuro_search::expand::{Exploration, Growth, Limits, Schedule};
use obscuro_search::solver::{Averaging, Root, Roots, Solver, WholeGame};
use obscuro_search::tree::{InfosetId, NodeId, Retained, Tree, TreeError};

type Game = LeducPoker;

/// A search on Leduc that is stopped in the middle.
fn searched() -> (Game, Tree<Game>, Solver) {
    let game = LeducPoker;
    let tree = Tree::new(&game, 0.0).unwrap();
    let mut solver = Solver::new(Averaging::Linear);
    {
        let roots = Roots::whole(&tree).unwrap();
        let growth = Growth {
            game: &game,
            tree: &tree,
            roots: &roots,
            exploration: Exploration::default(),
            schedule: Schedule::Deterministic { walks: 5, iterations: 1 },
            limits: Limits { nodes: Some(4_000), ..Limits::default() },
            seed: 3,
            stop: None,
        };
        let mut evaluator = RandomRollouts::new(2, 1);
        growth.run(&mut solver, &mut WholeGame, &mut evaluator, &mut ()).unwrap();
    }
    (game, tree, solver)
}

/// Follows both trees down from a pair of nodes; gives the number of nodes.
fn same(
    old: &Tree<Game>,
    new: &Tree<Game>,
    nodes: (NodeId, NodeId),
    ids: &[Option<InfosetId>],
) -> usize {
    let (a, b) = (old.node(nodes.0).unwrap(), new.node(nodes.1).unwrap());
    assert!(a.state() == b.state() && a.value().to_bits() == b.value().to_bits());
    assert!(Player::BOTH.iter().all(|&player| a.key(player) == b.key(player)));
    assert_eq!(a.is_terminal(), b.is_terminal());
    let (Some(x), Some(y)) = (a.expansion(), b.expansion()) else {
        assert!(a.expansion().is_none() && b.expansion().is_none());
        return 1;
    };
    assert_eq!(x.is_new(), y.is_new());
    assert_eq!(x.infoset().map(|id| ids[id.index()]), y.infoset().map(Some));
    assert_eq!(x.len(), y.len());
    1 + x.children().zip(y.children()).map(|pair| same(old, new, pair, ids)).sum::<usize>()
}

fn same_infosets(
    old: (&Tree<Game>, &Solver),
    new: (&Tree<Game>, &Solver),
    ids: &[Option<InfosetId>],
) {
    for (a, b) in ids.iter().enumerate().filter_map(|(a, b)| Some((a, (*b)?))) {
        let (a, x) = old.0.infosets().nth(a).unwrap();
        let y = new.0.infoset(b).unwrap();
        assert_eq!((x.key(), x.player(), x.actions()), (y.key(), y.player(), y.actions()));
        assert_eq!(x.is_frozen(), y.is_frozen());
        assert_eq!(old.1.strategy(a), new.1.strategy(b));
        assert_eq!(old.1.regrets(a), new.1.regrets(b));
        assert_eq!(old.1.average(a), new.1.average(b));
        let (v, w) = (old.1.action_values(a).unwrap(), new.1.action_values(b).unwrap());
        assert_eq!((v.counterfactual, v.reach), (w.counterfactual, w.reach));
        let (c, d) = (x.choice(), y.choice());
        assert_eq!(c.visits(), d.visits());
        for action in 0..c.actions() {
            assert_eq!(c.probability(action).to_bits(), d.probability(action).to_bits());
            assert_eq!(c.value(action).to_bits(), d.value(action).to_bits());
            assert_eq!(c.action_visits(action), d.action_visits(action));
            let samples = Exploration::default().samples;
            assert_eq!(c.variance(action, samples), d.variance(action, samples));
        }
    }
}

#[test]
fn a_part_is_kept_with_everything_on_it() {
    let (_, tree, solver) = searched();
    tree.infosets().step_by(3).for_each(|(_, infoset)| infoset.set_frozen(true));
    let mut rng = SplitMix64::new(4);
    let kept: Vec<NodeId> = tree.layer(3).into_iter().filter(|_| rng.below(4) == 0).collect();
    assert!(kept.len() > 5);
    let Retained { tree: new, infosets } = tree.retain(&kept).unwrap();
    assert_eq!(new.roots().len(), kept.len());
    let pairs = kept.iter().copied().zip(new.roots().iter().copied());
    let nodes: usize = pairs.clone().map(|pair| same(&tree, &new, pair, &infosets)).sum();
    assert_eq!(nodes, new.nodes() as usize);
    assert!(new.nodes() < tree.nodes() / 2);
    let there = infosets.iter().flatten().count();
    assert_eq!(there, new.infoset_count() as usize);

    let retained = Retained { tree: new, infosets };
    let carried = solver.carried(&retained);
    same_infosets((&tree, &solver), (&retained.tree, &carried), &retained.infosets);
    for (a, b) in pairs_of(&kept, &retained) {
        let old = solver.expected_value(&tree, a).unwrap();
        assert_eq!(old.to_bits(), carried.expected_value(&retained.tree, b).unwrap().to_bits());
    }
}

fn pairs_of(kept: &[NodeId], retained: &Retained<Game>) -> Vec<(NodeId, NodeId)> {
    kept.iter().copied().zip(retained.tree.roots().iter().copied()).collect()
}

/// On a copy of the whole tree the solver goes on exactly as on the tree itself.
#[test]
fn solving_goes_on_as_if_nothing_had_happened() {
    let (_, tree, solver) = searched();
    let whole = tree.retain(tree.roots()).unwrap();
    // Two copies, so that both count their iterations from zero.
    let again = whole.tree.retain(whole.tree.roots()).unwrap();
    let mut one = solver.carried(&whole);
    let mut two = one.carried(&again);
    let (roots_one, roots_two) =
        (Roots::whole(&whole.tree).unwrap(), Roots::whole(&again.tree).unwrap());
    for _ in 0..30 {
        one.iterate(&whole.tree, &roots_one, &mut WholeGame);
        two.iterate(&again.tree, &roots_two, &mut WholeGame);
    }
    same_infosets((&whole.tree, &one), (&again.tree, &two), &again.infosets);
    assert_eq!(one.value().to_bits(), two.value().to_bits());

    // And so does the solver that was never carried, averages apart.
    let mut solver = solver;
    let roots = Roots::whole(&tree).unwrap();
    for _ in 0..30 {
        solver.iterate(&tree, &roots, &mut WholeGame);
    }
    for (old, new) in whole.infosets.iter().enumerate() {
        let (old, _) = tree.infosets().nth(old).unwrap();
        assert_eq!(solver.strategy(old), one.strategy(new.unwrap()));
        assert_eq!(solver.regrets(old), one.regrets(new.unwrap()));
    }
}

/// Roots that are added to what was kept: a new node joins an infoset that is there.
#[test]
fn a_kept_tree_takes_new_roots() {
    let tree = Tree::new(&KuhnPoker, 0.0).unwrap();
    expand_all(&KuhnPoker, &tree, &mut ZeroEvaluator);
    let deals = tree.layer(2);
    let mut retained = tree.retain(&deals[..3]).unwrap();
    let old = tree.node(deals[3]).unwrap();
    let keys = [old.key(Player::One), InfosetKey::root(&"knows everything")];
    let added = retained.tree.add_root(&KuhnPoker, *old.state(), keys, 0.25).unwrap();
    let node = retained.tree.node(added).unwrap();
    assert_eq!((node.value(), node.depth(), node.parent().is_none()), (0.25, 0, true));
    let layer = retained.tree.roots().to_vec();
    let layer = layer.into_iter().enumerate();
    let layer = layer.map(|(group, node)| Root { node, group, reach: 1.0 }).collect();
    let roots = Roots::new(&retained.tree, Player::One, layer).unwrap();
    let mut solver = Solver::new(Averaging::Off);
    let before = retained.tree.infoset_count();
    let growth = Growth {
        game: &KuhnPoker,
        tree: &retained.tree,
        roots: &roots,
        exploration: Exploration::default(),
        schedule: Schedule::default(),
        limits: Limits { iterations: Some(2_000), ..Limits::default() },
        seed: 1,
        stop: None,
    };
    growth.run(&mut solver, &mut WholeGame, &mut ZeroEvaluator, &mut ()).unwrap();
    let expansion = retained.tree.node(added).unwrap().expansion().unwrap();
    let joined = expansion.infoset().unwrap();
    assert!((joined.index() as u32) < before, "the first player does not know the difference");
    let below = retained.tree.node(expansion.child(0)).unwrap().expansion().unwrap();
    assert!(below.infoset().unwrap().index() as u32 >= before, "the second player does");
}

#[test]
fn nodes_that_cannot_be_kept_are_named() {
    let game = RandomGame { seed: 1, plies: 4, width: 3 };
    let tree = Tree::new(&game, 0.0).unwrap();
    expand_all(&game, &tree, &mut ZeroEvaluator);
    let (root, child) = (tree.roots()[0], tree.layer(2)[0]);
    let nested = TreeError::NestedRoots { above: root, below: child };
    assert_eq!(tree.retain(&[child, root]).err(), Some(nested));
    let twice = TreeError::NestedRoots { above: child, below: child };
    assert_eq!(tree.retain(&[child, child]).err(), Some(twice));
    let small = Tree::new(&game, 0.0).unwrap();
    assert_eq!(small.retain(&[child]).err(), Some(TreeError::NoSuchNode(child)));
    assert!(small.node(child).is_none());
    assert_eq!(small.retain(&[]).unwrap().tree.nodes(), 0);
}
