//! Order-k knowledge: the paper's figure 2, and a graph against Floyd and Warshall.

use crate::subgame_common::{Board, figure_2};
use obscuro_game::{InfosetKey, Player, SplitMix64, check_game};
use obscuro_search::choose::Iterate;
use obscuro_search::knowledge::Connectivity;
use obscuro_search::subgame::{Blueprint, Scope, SubgameSettings, construct};
use obscuro_search::tree::{Branch, Expansion, NodeId, TreeError};

#[test]
fn figure_2_is_a_game() {
    check_game(&figure_2(), 200, 1).unwrap();
}

#[test]
fn figure_2_has_the_distances_of_the_paper() {
    let board = Board::new(figure_2());
    let nodes: Vec<NodeId> = (0..5).map(|i| board.id(&[i])).collect();
    let graph = Connectivity::of_nodes(&board.tree, &nodes).unwrap();
    assert_eq!(graph.distances([0]), [Some(0), Some(1), Some(2), Some(3), None]);
    let orders: Vec<Vec<usize>> = (0..6).map(|k| graph.order([0], k)).collect();
    let expected: [&[usize]; 6] = [&[], &[0], &[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2, 3]];
    assert_eq!(orders, expected);
    assert_eq!(graph.common([0]), [0, 1, 2, 3]);
    assert_eq!(graph.common([4]), [4]);
    assert_eq!(graph.path(0, 3), Some(vec![0, 1, 2, 3]));
    assert_eq!(graph.path(3, 1), Some(vec![3, 2, 1]));
    assert_eq!(graph.path(2, 2), Some(vec![2]));
    assert_eq!(graph.path(0, 4), None);
    assert_eq!(graph.infoset(Player::One, 1), [1, 2]);
    assert_eq!(graph.infoset(Player::Two, 1), [0, 1]);
}

#[test]
fn a_node_that_is_not_there_is_an_error() {
    let (board, other) = (Board::new(figure_2()), obscuro_search::tree::Tree::empty());
    let id = board.id(&[4]);
    let graph = Connectivity::of_nodes::<crate::subgame_common::Explicit>(&other, &[id]);
    assert_eq!(graph.map(|_| ()), Err(TreeError::NoSuchNode(id)));
}

/// The subgame of figure 2 at the circled node: which of the five nodes it has, by their first
/// states, and which infosets of ▲ are frozen.
fn subgame(scope: Scope) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let board = Board::new(figure_2());
    let mut solver = board.profile(&[(&[0], &[0.5, 0.5]), (&[1], &[0.25, 0.75])]);
    let roots = board.whole(Player::One);
    solver.iterate(&board.tree, &roots, &mut obscuro_search::solver::WholeGame);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let settings = SubgameSettings { scope, ..SubgameSettings::default() };
    let key = board.key(Player::One, &[0]);
    let subgame = construct(&board.game, &blueprint, key, Vec::new(), 0.0, &settings).unwrap();
    let tree = &subgame.tree;
    let states = tree.roots().iter().map(|&id| tree.node(id).unwrap().state().clone()).collect();
    let mut frozen = Vec::new();
    for &root in tree.roots() {
        let node = tree.node(root).unwrap();
        let Some(Branch::Player(_, infoset)) = node.expansion().map(Expansion::branch) else {
            panic!("a node of figure 2 is not expanded");
        };
        if tree.infoset(*infoset).unwrap().is_frozen() {
            frozen.push(node.state().clone());
        }
        // No infoset of ▼ is ever frozen.
        for (_, infoset) in tree.infosets() {
            assert!(infoset.player() == Player::One || !infoset.is_frozen());
        }
    }
    (states, frozen)
}

#[test]
fn kluss_removes_what_the_paper_says() {
    // C, D and E of the second figure are below the fourth, the fifth and the third node.
    assert_eq!(subgame(Scope::Kluss { k: 2 }), (vec![vec![0], vec![1]], Vec::new()));
    assert_eq!(subgame(Scope::Kluss { k: 4 }).0, [[0], [1], [2], [3]]);
    assert_eq!(subgame(Scope::Common), (vec![vec![0], vec![1], vec![2], vec![3]], Vec::new()));
}

#[test]
fn one_klss_freezes_node_b() {
    assert_eq!(subgame(Scope::Klss), (vec![vec![0], vec![1]], vec![vec![1]]));
}

#[test]
fn distances_are_those_of_floyd_and_warshall() {
    let mut rng = SplitMix64::new(11);
    for round in 0..200 {
        let n = 1 + rng.below(25);
        let infosets = 1 + rng.below(12) as u64;
        let numbers: Vec<[u64; 2]> =
            (0..n).map(|_| [rng.next_u64() % infosets, rng.next_u64() % infosets]).collect();
        let mut far = vec![vec![u32::MAX; n]; n];
        for a in 0..n {
            for b in 0..n {
                if a == b {
                    far[a][b] = 0;
                } else if (0..2).any(|player| numbers[a][player] == numbers[b][player]) {
                    far[a][b] = 1;
                }
            }
        }
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    far[a][b] = far[a][b].min(far[a][via].saturating_add(far[via][b]));
                }
            }
        }
        let keys = numbers.iter().map(|pair| pair.map(|number| InfosetKey::root(&number)));
        let graph = Connectivity::new(keys.collect());
        let from: Vec<usize> = (0..n).filter(|_| rng.below(4) == 0).collect();
        let nearest = |to: usize| from.iter().map(|&a| far[a][to]).min().filter(|&d| d < u32::MAX);
        let distances: Vec<Option<u32>> = (0..n).map(nearest).collect();
        assert_eq!(graph.distances(from.iter().copied()), distances, "round {round}");
        for k in 0..6 {
            let near: Vec<usize> =
                (0..n).filter(|&v| distances[v].is_some_and(|d| d < k)).collect();
            assert_eq!(graph.order(from.iter().copied(), k), near);
        }
        let (a, b) = (rng.below(n), rng.below(n));
        match graph.path(a, b) {
            None => assert_eq!(far[a][b], u32::MAX),
            Some(path) => {
                assert_eq!((path[0], path[path.len() - 1]), (a, b));
                assert_eq!(path.len() as u32, far[a][b] + 1);
                assert!(path.windows(2).all(|pair| far[pair[0]][pair[1]] == 1));
            }
        }
    }
}
