//! The evaluators that work for any game.

use crate::gt_common::random_game::{History, RandomGame};
use crate::gt_common::reference::{Full, Node};
use obscuro_game::{Evaluator, Game, Turn};
use obscuro_search::expand::evaluators::{PerfectInformation, RandomRollouts};

fn values<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>) -> (Vec<G::State>, Vec<f32>) {
    let root = game.root();
    let mut actions = Vec::new();
    match game.turn(&root) {
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(&root, &mut outcomes);
            actions.extend(outcomes.into_iter().map(|outcome| outcome.0));
        }
        _ => game.actions(&root, &mut actions),
    }
    let children: Vec<G::State> = actions.iter().map(|&a| game.apply(&root, a)).collect();
    let mut values = vec![9.0; 3];
    evaluator.children(game, &root, &actions, &children, &mut values);
    (children, values)
}

/// A rollout is worth what uniform strategies are worth, on average.
#[test]
fn rollouts_have_the_mean_of_uniform_play() {
    for seed in 0..5 {
        let game = RandomGame { seed, plies: 6, width: 4 };
        let full = Full::new(&game);
        let children: Vec<usize> = match &full.nodes[0] {
            Node::Chance(children) => children.iter().map(|child| child.1).collect(),
            Node::Player { children, .. } => children.clone(),
            Node::Terminal(_) => panic!("the game begins with a move"),
        };
        let mut evaluator = RandomRollouts::new(20_000, 3);
        let (_, got) = values(&game, &mut evaluator);
        assert_eq!(got.len(), children.len());
        for (&got, node) in got.iter().zip(children) {
            let want = full.value(&full.uniform(), node);
            assert!((f64::from(got) - want).abs() < 0.02, "{got} {want}");
        }
    }
}

#[test]
fn rollouts_depend_on_the_seed_alone() {
    let game = RandomGame { seed: 1, plies: 6, width: 4 };
    let mut evaluator = RandomRollouts::new(3, 3);
    let first = values(&game, &mut evaluator).1;
    assert_eq!(first, values(&game, &mut evaluator).1);
    let mut fork = Evaluator::<RandomGame>::fork(&evaluator);
    assert_eq!(first, values(&game, &mut *fork).1);
    assert_ne!(first, values(&game, &mut RandomRollouts::new(3, 4)).1);
}

/// Backward induction without memory.
fn minimax(game: &RandomGame, state: &History) -> f64 {
    match game.turn(state) {
        Turn::Terminal => game.payoff(state),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes.iter().map(|&(a, p)| p * minimax(game, &game.apply(state, a))).sum()
        }
        Turn::Player(player) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let value = |&a: &u8| player.sign() * minimax(game, &game.apply(state, a));
            player.sign() * actions.iter().map(value).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

#[test]
fn perfect_information_is_backward_induction() {
    for seed in 0..10 {
        let game = RandomGame { seed, plies: 6, width: 4 };
        let evaluator = PerfectInformation::new();
        let mut fork = evaluator.fork();
        for evaluator in [&mut *evaluator.fork(), &mut *fork] {
            let (children, got) = values(&game, evaluator);
            for (child, got) in children.iter().zip(got) {
                assert!((minimax(&game, child) - f64::from(got)).abs() < 1e-6);
            }
        }
    }
}
