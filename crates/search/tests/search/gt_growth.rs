//! Growing: reproducibility, the rules of expansion, limits, errors, threads.
#![expect(clippy::float_cmp, reason = "bits that were copied or set, not computed")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::gt_common::expand_all;
use crate::gt_common::mock::{MockChess, MockEvaluator, MockState};
use crate::gt_common::random_game::{History, RandomGame};
use obscuro_game::{Evaluator, Game, Player, Turn, ZeroEvaluator};
use obscuro_games::LeducPoker;
use obscuro_search::expand::evaluators::RandomRollouts;
use obscuro_search::expand::{
    Expander, Exploration, Growth, GrowthError, GrowthReport, Limits, Schedule, Walk,
};
use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
use obscuro_search::tree::{Tree, TreeError};

/// A growth with the settings that most tests share.
fn growth<'a, G: Game>(
    game: &'a G,
    tree: &'a Tree<G>,
    roots: &'a Roots,
    limits: Limits,
) -> Growth<'a, G> {
    Growth {
        game,
        tree,
        roots,
        exploration: Exploration::default(),
        schedule: Schedule::Deterministic { walks: 3, iterations: 2 },
        limits,
        seed: 11,
        stop: None,
    }
}

/// Every number of a search, bit for bit, and its report.
fn signature<G: Game>(
    game: &G,
    evaluator: &mut dyn Evaluator<G>,
    limits: Limits,
    seed: u64,
) -> (Vec<u64>, GrowthReport) {
    let tree = Tree::new(game, 0.0).unwrap();
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Linear);
    let growth = Growth { seed, ..growth(game, &tree, &roots, limits) };
    let report = growth.run(&mut solver, &mut WholeGame, evaluator, &mut ()).unwrap();
    let mut words = Vec::new();
    for (id, infoset) in tree.infosets() {
        words.push(infoset.key().get());
        let choice = infoset.choice();
        for (action, p) in solver.strategy(id).unwrap_or_default().iter().enumerate() {
            words.push(p.to_bits());
            words.push(u64::from(choice.value(action).to_bits()));
            words.push(u64::from(choice.action_visits(action)));
        }
        words.extend(solver.average(id).unwrap_or_default().iter().map(|p| p.to_bits()));
    }
    words.push(solver.value().to_bits());
    (words, GrowthReport { elapsed: Duration::ZERO, ..report })
}

#[test]
fn a_seed_gives_the_same_search_bit_for_bit() {
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let leduc = |seed| {
        let mut evaluator = RandomRollouts::new(2, 5);
        signature(&LeducPoker, &mut evaluator, limits, seed)
    };
    assert_eq!(leduc(1), leduc(1));
    assert_ne!(leduc(1).0, leduc(2).0);
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let mock = || signature(&MockChess, &mut MockEvaluator, limits, 1);
    assert_eq!(mock(), mock());
}

#[test]
fn the_first_strategy_is_the_best_child_and_later_nodes_join() {
    let game = LeducPoker;
    let tree = Tree::new(&game, 0.0).unwrap();
    expand_all(&game, &tree, &mut RandomRollouts::new(3, 9));
    let mut joined = 0;
    let mut met = std::collections::HashSet::new();
    // Breadth first, in the order in which the nodes were expanded.
    for id in (0..).map(|depth| tree.layer(depth)).take_while(|l| !l.is_empty()).flatten() {
        let Some(expansion) = tree.node(id).unwrap().expansion() else { continue };
        let Some(infoset) = expansion.infoset() else { continue };
        if !met.insert(infoset) {
            joined += 1;
            continue;
        }
        let infoset = tree.infoset(infoset).unwrap();
        let sign = infoset.player().sign() as f32;
        let value = |id| sign * tree.node(id).unwrap().value();
        let best = expansion.children().map(value).fold(f32::NEG_INFINITY, f32::max);
        let choice = infoset.choice();
        let strategy: Vec<f32> = (0..choice.actions()).map(|a| choice.probability(a)).collect();
        assert_eq!(strategy.iter().sum::<f32>(), 1.0);
        let chosen = strategy.iter().position(|&p| p == 1.0).unwrap();
        assert_eq!(value(expansion.child(chosen)), best);
        assert!((0..chosen).all(|a| value(expansion.child(a)) < best), "the first of equals");
        // Until the solver comes, an action is worth what the evaluator says.
        for (action, child) in expansion.children().enumerate() {
            assert_eq!(choice.value(action), tree.node(child).unwrap().value());
        }
    }
    assert!(joined > 100);
}

#[test]
fn a_walk_does_not_pass_a_node_that_the_solver_has_not_seen() {
    let game = RandomGame { seed: 2, plies: 6, width: 3 };
    let tree = Tree::new(&game, 0.0).unwrap();
    let roots = Roots::whole(&tree).unwrap();
    let mut solver = Solver::new(Averaging::Off);
    let mut expander = Expander::new(&game, &tree, &roots, Exploration::default(), 3);
    let evaluator = &mut ZeroEvaluator;
    let root = tree.roots()[0];
    assert_eq!(expander.walk(evaluator), Ok(Walk::Expanded { node: root, depth: 0 }));
    for _ in 0..20 {
        assert_eq!(expander.walk(evaluator), Ok(Walk::New));
    }
    assert_eq!(tree.expansions(), 1);
    solver.iterate(&tree, &roots, &mut WholeGame);
    assert!(!tree.node(root).unwrap().expansion().unwrap().is_new());
    let mut expanded = 0;
    for _ in 0..50 {
        match expander.walk(evaluator).unwrap() {
            Walk::Expanded { node, depth } => {
                assert_eq!(depth, 1, "one ply for each look of the solver");
                assert_eq!(tree.node(node).unwrap().parent().unwrap().0.id(), root);
                expanded += 1;
            }
            walk => assert_eq!(walk, Walk::New),
        }
    }
    assert!(expanded > 0);
}

#[test]
fn limits_end_the_search() {
    let none = Limits::default();
    let run = |limits, schedule| {
        let tree = Tree::new(&MockChess, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let growth = Growth { schedule, ..growth(&MockChess, &tree, &roots, limits) };
        let mut solver = Solver::new(Averaging::Off);
        growth.run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut ())
    };
    let threads = Schedule::Threaded { expanders: 2, settle: Duration::from_millis(20) };
    for schedule in [Schedule::default(), threads] {
        let report = run(Limits { nodes: Some(20_000), ..none }, schedule).unwrap();
        assert!((20_000..20_200).contains(&report.nodes), "{report:?}");
        let report = run(Limits { expansions: Some(300), ..none }, schedule).unwrap();
        assert!((300..302).contains(&report.expansions), "{report:?}");
        let report = run(Limits { iterations: Some(200), ..none }, schedule).unwrap();
        assert_eq!(report.iterations, 200);
        let limits = Limits { expansions: Some(100), iterations: Some(5_000), ..none };
        let report = run(limits, schedule).unwrap();
        assert_eq!(report.iterations, 5_000, "the solver goes on alone");
        let report = run(Limits { bytes: Some(3_000_000), ..none }, schedule).unwrap();
        assert!((3_000_000..6_000_000).contains(&report.bytes), "{report:?}");
        let start = Instant::now();
        let limits = Limits { time: Some(Duration::from_millis(150)), nodes: Some(50_000), ..none };
        let report = run(limits, schedule).unwrap();
        assert!(start.elapsed() >= Duration::from_millis(150));
        assert!(report.elapsed < Duration::from_secs(5), "{report:?}");
    }
    assert_eq!(run(none, Schedule::default()), Err(GrowthError::NoLimit));
    let limits = Limits { nodes: Some(10), ..none };
    for schedule in [
        Schedule::Deterministic { walks: 0, iterations: 1 },
        Schedule::Deterministic { walks: 1, iterations: 0 },
        Schedule::Threaded { expanders: 0, settle: Duration::ZERO },
    ] {
        assert!(matches!(run(limits, schedule), Err(GrowthError::Schedule { .. })));
    }
}

#[test]
fn the_stop_flag_ends_the_search() {
    let threads = Schedule::Threaded { expanders: 1, settle: Duration::ZERO };
    for schedule in [Schedule::default(), threads] {
        let tree = Tree::new(&MockChess, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits {
            time: Some(Duration::from_secs(100)),
            nodes: Some(50_000),
            ..Limits::default()
        };
        let growth =
            Growth { schedule, stop: Some(&stop), ..growth(&MockChess, &tree, &roots, limits) };
        let mut solver = Solver::new(Averaging::Off);
        let mut iterations = 0;
        let mut observer = |_: &Solver, _| {
            iterations += 1;
            stop.store(iterations >= 25, Ordering::Relaxed);
        };
        growth.run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut observer).unwrap();
        assert_eq!(iterations, 25);
    }
}

/// A search that has nothing left to expand ends although the limit is not reached.
#[test]
fn a_finished_tree_ends_the_search() {
    let game = RandomGame { seed: 1, plies: 4, width: 3 };
    let threads = Schedule::Threaded { expanders: 2, settle: Duration::ZERO };
    for schedule in [Schedule::default(), threads] {
        let tree = Tree::new(&game, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let growth = Growth { schedule, ..growth(&game, &tree, &roots, limits) };
        let mut solver = Solver::new(Averaging::Off);
        let report = growth.run(&mut solver, &mut WholeGame, &mut ZeroEvaluator, &mut ()).unwrap();
        assert!(report.nodes > 10 && report.idle_walks.terminal > 1_000, "{report:?}");
    }
}

/// Breaks one rule of its contract.
#[derive(Clone, Copy)]
enum Bad {
    Count,
    NotANumber,
    Range,
    Panic,
}

impl Evaluator<MockChess> for Bad {
    fn children(
        &mut self,
        _game: &MockChess,
        _state: &MockState,
        _actions: &[u16],
        children: &[MockState],
        values: &mut Vec<f32>,
    ) {
        let value = match self {
            Bad::Count => 0.0,
            Bad::NotANumber => f32::NAN,
            Bad::Range => -1.5,
            Bad::Panic => panic!("the evaluator panics"),
        };
        let short = usize::from(matches!(self, Bad::Count));
        values.resize(children.len() - short, value);
    }

    fn fork(&self) -> Box<dyn Evaluator<MockChess>> {
        Box::new(*self)
    }
}

#[test]
fn a_bad_evaluator_is_an_error_and_the_tree_stays_whole() {
    let threads = Schedule::Threaded { expanders: 2, settle: Duration::ZERO };
    for schedule in [Schedule::default(), threads] {
        for mut bad in [Bad::Count, Bad::NotANumber, Bad::Range] {
            let tree = Tree::new(&MockChess, 0.0).unwrap();
            let roots = Roots::whole(&tree).unwrap();
            let limits = Limits { nodes: Some(1_000), ..Limits::default() };
            let growth = Growth { schedule, ..growth(&MockChess, &tree, &roots, limits) };
            let mut solver = Solver::new(Averaging::Off);
            let error = growth.run(&mut solver, &mut WholeGame, &mut bad, &mut ()).unwrap_err();
            match (bad, error) {
                (Bad::Count, GrowthError::Tree(TreeError::ValueCount { expected, got })) => {
                    assert_eq!(expected, got + 1);
                }
                (Bad::NotANumber | Bad::Range, GrowthError::Tree(TreeError::Value { .. })) => {}
                (_, error) => panic!("{error}"),
            }
            assert_eq!((tree.nodes(), tree.expansions(), tree.infoset_count()), (1, 0, 0));
            // The leaf was given back.
            growth.run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut ()).unwrap();
            assert!(tree.nodes() >= 1_000);
        }
    }
}

#[test]
fn a_panic_of_an_evaluator_ends_a_threaded_search() {
    let tree = Tree::new(&MockChess, 0.0).unwrap();
    let roots = Roots::whole(&tree).unwrap();
    let schedule = Schedule::Threaded { expanders: 2, settle: Duration::ZERO };
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let growth = Growth { schedule, ..growth(&MockChess, &tree, &roots, limits) };
    let mut solver = Solver::new(Averaging::Off);
    let start = Instant::now();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        growth.run(&mut solver, &mut WholeGame, &mut Bad::Panic, &mut ())
    }));
    assert!(result.is_err());
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A game that breaks the rule of its number.
struct Broken(u8);

impl Game for Broken {
    type State = History;
    type Action = u8;
    type Observation = usize;

    fn root(&self) -> History {
        History(Vec::new())
    }

    fn turn(&self, state: &History) -> Turn {
        match state.0.len() {
            0 if self.0 == 2 => Turn::Chance,
            3 => Turn::Terminal,
            depth => Turn::Player(Player::BOTH[depth % 2]),
        }
    }

    fn actions(&self, state: &History, actions: &mut Vec<u8>) {
        match self.0 {
            0 if state.0.len() == 1 => {}
            // The second player does not see the first action, but plays by it.
            1 => actions.extend(0..2 + state.0.first().copied().unwrap_or_default()),
            _ => actions.extend(0..2),
        }
    }

    fn chance(&self, _state: &History, outcomes: &mut Vec<(u8, f64)>) {
        outcomes.extend([(0, 0.5), (1, 0.6)]);
    }

    fn apply(&self, state: &History, action: u8) -> History {
        let mut next = state.clone();
        next.0.push(action);
        next
    }

    fn observe(&self, state: &History, _player: Player) -> usize {
        state.0.len()
    }

    fn payoff(&self, _state: &History) -> f64 {
        if self.0 == 3 { 7.0 } else { 1.0 }
    }

    fn observation_text(&self, observation: &usize) -> String {
        observation.to_string()
    }

    fn state_text(&self, state: &History) -> String {
        format!("{state:?}")
    }
}

#[test]
fn a_broken_game_is_an_error_that_says_what_is_broken() {
    let error = |number| {
        let game = Broken(number);
        let tree = Tree::new(&game, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let mut expander = Expander::new(&game, &tree, &roots, Exploration::default(), 0);
        (0..3)
            .find_map(|depth| {
                let mut nodes = tree.layer(depth).into_iter();
                nodes.find_map(|node| expander.expand_leaf(node, &mut ZeroEvaluator).err())
            })
            .unwrap()
    };
    assert!(matches!(error(0), TreeError::NoActions { .. }));
    assert!(matches!(error(1), TreeError::ActionsDiffer { player: Player::Two, .. }));
    assert!(matches!(error(2), TreeError::Chance { .. }));
    assert!(matches!(error(3), TreeError::Payoff { .. }));
}
