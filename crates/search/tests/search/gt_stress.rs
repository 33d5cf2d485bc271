//! The shared tree under many threads.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::gt_common::mock::{MockChess, MockEvaluator};
use crate::gt_common::random_game::RandomGame;
use obscuro_game::{Evaluator, Game, InfosetKey, Player, ZeroEvaluator};
use obscuro_games::LeducPoker;
use obscuro_search::expand::{Exploration, Growth, Limits, Schedule};
use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
use obscuro_search::tree::{Branch, NodeId, Tree};

/// Grows a tree with many threads, and looks at every node of it afterwards.
fn stress<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>, limits: Limits) -> Tree<G> {
    let tree = Tree::new(game, 0.0).unwrap();
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Off);
    let growth = Growth {
        game,
        tree: &tree,
        roots: &roots,
        exploration: Exploration::default(),
        schedule: Schedule::Threaded { expanders: 8, settle: Duration::from_millis(10) },
        limits,
        seed: 5,
        stop: None,
    };
    let report = growth.run(&mut solver, &mut WholeGame, evaluator, &mut ()).unwrap();
    assert_eq!(report.expansions, u64::from(tree.expansions()), "no leaf is expanded twice");
    check(game, &tree, &solver);
    tree
}

/// Follows the game down the tree: every node is there once, and everything on it is right.
fn check<G: Game>(game: &G, tree: &Tree<G>, solver: &Solver) {
    let mut seen = HashSet::new();
    let mut infosets: HashMap<_, HashSet<_>> = HashMap::new();
    let (mut expansions, mut deepest) = (0, 0);
    let mut pending: Vec<NodeId> = tree.roots().to_vec();
    while let Some(id) = pending.pop() {
        assert!(seen.insert(id), "{id:?} is the child of two nodes");
        let node = tree.node(id).unwrap();
        assert_eq!(node.id(), id);
        deepest = deepest.max(node.depth());
        assert!((-1.0..=1.0).contains(&node.value()));
        let Some(expansion) = node.expansion() else { continue };
        expansions += 1;
        let actions: Vec<G::Action> = match expansion.branch() {
            Branch::Root => panic!("a node is no root's expansion"),
            Branch::Chance(outcomes) => outcomes.iter().map(|outcome| outcome.0).collect(),
            Branch::Player(player, infoset) => {
                infosets.entry(*infoset).or_default().insert(node.key(*player));
                let found = tree.find_infoset(*player, node.key(*player));
                assert_eq!(found, Some(*infoset));
                tree.infoset(*infoset).unwrap().actions().to_vec()
            }
        };
        assert_eq!(actions.len(), expansion.len());
        for ((action, id), place) in actions.into_iter().zip(expansion.children()).zip(0..) {
            let child = tree.node(id).unwrap();
            assert!(*child.state() == game.apply(node.state(), action), "a torn child list");
            let (above, index) = child.parent().unwrap();
            assert_eq!((above.id(), index, child.depth()), (node.id(), place, node.depth() + 1));
            for viewer in Player::BOTH {
                let own = matches!(expansion.branch(), Branch::Player(p, _) if *p == viewer);
                let own = own.then_some(&action);
                let key: InfosetKey = node.key(viewer);
                let key = key.extend(own, &game.observe(child.state(), viewer));
                assert_eq!(child.key(viewer), key);
            }
            pending.push(id);
        }
    }
    assert_eq!(seen.len(), tree.nodes() as usize);
    assert_eq!(expansions, tree.expansions());
    assert_eq!(infosets.len(), tree.infoset_count() as usize);
    assert!(infosets.values().all(|keys| keys.len() == 1), "an infoset of two keys");
    assert_eq!(deepest, tree.max_depth());
    for (id, infoset) in tree.infosets() {
        let Some(strategy) = solver.strategy(id) else { continue };
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // What the expanders see is what the solver plays.
        let choice = infoset.choice();
        let shown = strategy.iter().enumerate();
        assert!(
            shown.into_iter().all(|(a, p)| (f64::from(choice.probability(a)) - p).abs() < 1e-6)
        );
    }
}

#[test]
fn a_wide_game() {
    let limits = Limits { nodes: Some(400_000), ..Limits::default() };
    stress(&MockChess, &mut MockEvaluator, limits);
}

#[test]
fn narrow_games_on_which_the_threads_meet() {
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    for seed in 0..4 {
        stress(&RandomGame { seed, plies: 8, width: 3 }, &mut ZeroEvaluator, limits);
    }
    stress(&LeducPoker, &mut ZeroEvaluator, limits);
}

/// All in all at most 160 bytes a node, at about 35 children an expansion and with states of 32
/// bytes: what the tree and the solver say they hold.
#[test]
fn a_node_takes_at_most_160_bytes() {
    for averaging in [Averaging::Off, Averaging::Linear] {
        let tree = Tree::new(&MockChess, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let mut solver = Solver::new(averaging);
        let growth = Growth {
            game: &MockChess,
            tree: &tree,
            roots: &roots,
            exploration: Exploration::default(),
            schedule: Schedule::Deterministic { walks: 100, iterations: 1 },
            limits: Limits { nodes: Some(300_000), ..Limits::default() },
            seed: 5,
            stop: None,
        };
        let report = growth.run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut ()).unwrap();
        let branching = f64::from(report.nodes) / report.expansions as f64;
        assert!((30.0..40.0).contains(&branching), "{branching}");
        let bytes = (tree.bytes() + solver.bytes()) as f64 / f64::from(report.nodes);
        assert!(bytes <= 160.0, "{bytes}");
        // The worst there can be: every expansion makes an infoset of its own.
        let per_action = if averaging == Averaging::Off { 52.0 } else { 60.0 };
        let shared = 1.0 - f64::from(report.infosets) / report.expansions as f64;
        let worst = bytes + shared * (per_action * 1.25 + 300.0 / branching);
        assert!(worst <= 160.0, "{worst}");
    }
}
