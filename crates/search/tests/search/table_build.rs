//! What building a table finds: sizes, labels and what is wrong with a game.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use crate::table_common::random_game::RandomGame;
use crate::table_common::textbook::Node;
use obscuro_game::{Game, Player, Turn};
use obscuro_games::{KuhnPoker, LeducPoker};
use obscuro_search::table::{Limits, Table, TableError};

fn build<G: Game>(game: &G) -> Result<Table, TableError> {
    Table::build(game, Limits::default())
}

#[test]
fn sizes_are_those_of_openspiel() {
    let kuhn = build(&KuhnPoker).unwrap().counts();
    assert_eq!((kuhn.histories, kuhn.terminals, kuhn.infosets), (58, 30, [6, 6]));
    assert_eq!((kuhn.sequences, kuhn.depth, kuhn.chance_nodes), ([13, 13], 5, 4));
    let leduc = build(&LeducPoker).unwrap().counts();
    assert_eq!((leduc.histories, leduc.terminals, leduc.infosets), (9457, 5520, [468, 468]));
}

/// Counted again by recursion, with sequences compared in full.
#[test]
fn sizes_of_random_games() {
    for seed in 0..150 {
        let game = RandomGame::new(seed, 7, 3);
        let counts = build(&game).unwrap().counts();
        assert_eq!(counts.histories, game.histories() as u64);
        let mut infosets = [HashMap::new(), HashMap::new()];
        let mut ends = HashSet::new();
        let (mut terminals, mut chance_nodes) = (0, 0);
        let mut open = vec![Node::root(&game)];
        while let Some(node) = open.pop() {
            match node.turn(&game) {
                Turn::Terminal => {
                    terminals += 1;
                    ends.insert(Player::BOTH.map(|player| own_decisions(&node, player)));
                    continue;
                }
                Turn::Chance => chance_nodes += 1,
                Turn::Player(player) => {
                    let actions = node.children(&game).len();
                    infosets[player.index()].insert(node.view(player).clone(), actions);
                }
            }
            open.extend(node.children(&game).into_iter().map(|child| child.1));
        }
        assert_eq!((counts.terminals, counts.chance_nodes), (terminals, chance_nodes));
        assert_eq!(counts.infosets, [0, 1].map(|p| infosets[p].len() as u64));
        assert_eq!(counts.payoff_entries, ends.len() as u64);
        let sequences = [0, 1].map(|p| {
            let free = infosets[p].values().filter(|&&actions| actions > 1);
            1 + free.sum::<usize>() as u64
        });
        assert_eq!(counts.sequences, sequences);
    }
}

/// The view up to the player's last free decision and what was chosen there.
fn own_decisions(node: &Node<RandomGame>, player: Player) -> Vec<(Option<u8>, (u8, u8))> {
    let view = node.view(player);
    let last = (1..view.len()).rev().find(|&ply| view[ply].0.is_some() && view[ply - 1].1.1 > 1);
    let Some(last) = last else { return Vec::new() };
    let mut sequence = view[..last].to_vec();
    sequence.push((view[last].0, (0, 0)));
    sequence
}

#[test]
fn infosets_come_with_words() {
    let table = build(&KuhnPoker).unwrap();
    let treeplex = table.treeplex(Player::Two);
    let labels: Vec<_> = (0..treeplex.infosets())
        .map(|infoset| table.label(&KuhnPoker, Player::Two, infoset).unwrap())
        .collect();
    let distinct: HashSet<_> = labels.iter().map(|label| &label.sequence).collect();
    assert_eq!(distinct.len(), 6, "{labels:#?}");
    assert!(labels.iter().all(|label| label.actions.len() == 2), "{labels:#?}");
    assert!(table.label(&KuhnPoker, Player::Two, 6).is_none());
}

#[test]
fn sequences_know_their_infosets() {
    for seed in 0..20 {
        let table = build(&RandomGame::new(seed, 8, 4)).unwrap();
        for player in Player::BOTH {
            let treeplex = table.treeplex(player);
            assert_eq!(treeplex.last_of(0), None);
            let mut seen = HashSet::from([0]);
            for infoset in 0..treeplex.infosets() {
                for (action, sequence) in treeplex.sequences_of(infoset).enumerate() {
                    assert!(seen.insert(sequence));
                    assert_eq!(treeplex.last_of(sequence), Some((infoset, action)));
                    assert!((treeplex.parents()[infoset] as usize) < sequence);
                }
            }
            assert_eq!(seen.len(), treeplex.sequences());
        }
    }
}

#[test]
fn limits_are_kept() {
    let limit = Limits { max_histories: 9456, ..Limits::default() };
    let error = Table::build(&LeducPoker, limit).unwrap_err();
    assert_eq!(error, TableError::TooManyHistories { limit: 9456 });
    assert!(error.to_string().contains("more than 9456 histories"));
    let enough = Limits { max_histories: 9457, ..Limits::default() };
    assert!(Table::build(&LeducPoker, enough).is_ok());
    let error = Table::build(&KuhnPoker, Limits { max_depth: 4, ..Limits::default() });
    assert_eq!(error.unwrap_err(), TableError::TooDeep { limit: 4 });
}

/// A game of two coins and one guess, with one thing wrong with it.
#[derive(Clone, Copy, PartialEq)]
enum Broken {
    Nothing,
    Payoff,
    ChanceSum,
    Probability,
    NoActions,
    NoOutcomes,
    Actions,
    Forgets,
}

/// An action that looks the same to a hasher whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unhashed(u8, bool);

impl Hash for Unhashed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        if self.1 {
            self.0.hash(hasher);
        }
    }
}

impl Game for Broken {
    type State = Vec<u8>;
    type Action = Unhashed;
    type Observation = usize;

    fn root(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        match state.len() {
            0 => Turn::Chance,
            1 | 2 => Turn::Player(Player::One),
            _ => Turn::Terminal,
        }
    }

    fn actions(&self, state: &Vec<u8>, actions: &mut Vec<Unhashed>) {
        let count = match self {
            Broken::Actions => 2 + state[0],
            Broken::NoActions if state.len() == 2 => 0,
            _ => 2,
        };
        actions.extend((0..count).map(|action| Unhashed(action, *self != Broken::Forgets)));
    }

    fn chance(&self, _: &Vec<u8>, outcomes: &mut Vec<(Unhashed, f64)>) {
        let other = match self {
            Broken::ChanceSum => 0.25,
            Broken::Probability => f64::NAN,
            Broken::NoOutcomes => return,
            _ => 0.5,
        };
        outcomes.extend([(Unhashed(0, true), 0.5), (Unhashed(1, true), other)]);
    }

    fn apply(&self, state: &Vec<u8>, action: Unhashed) -> Vec<u8> {
        let mut state = state.clone();
        state.push(action.0);
        state
    }

    fn observe(&self, state: &Vec<u8>, _: Player) -> usize {
        state.len()
    }

    fn payoff(&self, state: &Vec<u8>) -> f64 {
        if *self == Broken::Payoff { f64::INFINITY } else { f64::from(state[0]) }
    }

    fn observation_text(&self, observation: &usize) -> String {
        observation.to_string()
    }

    fn state_text(&self, state: &Vec<u8>) -> String {
        format!("{state:?}")
    }
}

#[test]
fn broken_games_are_told_what_is_wrong() {
    let counts = build(&Broken::Nothing).unwrap().counts();
    assert_eq!((counts.terminals, counts.payoff_entries, counts.infosets), (8, 4, [3, 0]));
    let error = |game: Broken| build(&game).unwrap_err().to_string();
    assert_eq!(error(Broken::Payoff), "payoff inf at [0, 0, 0]: expected a finite number");
    assert_eq!(error(Broken::ChanceSum), "chance probabilities sum to 0.75 at []: expected 1");
    assert!(error(Broken::Probability).starts_with("chance probability NaN at []"));
    assert!(error(Broken::NoActions).starts_with("no action of player One"));
    assert!(error(Broken::NoOutcomes).starts_with("no chance outcome"));
    let differ = error(Broken::Actions);
    assert!(differ.contains("of player One offers [") && differ.contains("at [1]"), "{differ}");
    let forgets = error(Broken::Forgets);
    assert!(forgets.starts_with("imperfect recall: infoset"), "{forgets}");
    assert!(forgets.contains("player One") && forgets.ends_with("at [0, 1]"), "{forgets}");
}
