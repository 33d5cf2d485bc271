//! `check_game` finds every kind of fault: a small sound game, broken in one place at a time.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU8, Ordering};

use obscuro_game::{Game, Player, Rule, Turn, check_game};

/// Chance flips a coin that player One sees; One plays a bit, Two guesses it.
#[derive(Default)]
struct Guess {
    fault: Option<Fault>,
    calls: AtomicU8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    ChanceSum,
    ChanceTwice,
    ChanceNegative,
    NoAction,
    ActionTwice,
    RandomApply,
    RandomActions,
    RandomObservation,
    HiddenActions,
    HiddenTurn,
    HashForgets,
    HashInvents,
    SilentTurn,
    SilentEnd,
    PayoffTooLarge,
    PayoffNotANumber,
    ChildMissing,
    ChildTooMany,
    Endless,
}

#[derive(Clone, Debug)]
struct Seen {
    bits: Vec<u8>,
    turn: Turn,
    hash: Option<u8>,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits && self.turn == other.turn
    }
}

impl Eq for Seen {}

impl Hash for Seen {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.hash {
            Some(hash) => hash.hash(state),
            None => (&self.bits, self.turn).hash(state),
        }
    }
}

impl Guess {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn changing(&self, fault: Fault) -> u8 {
        if self.has(fault) { self.calls.fetch_add(1, Ordering::Relaxed) } else { 0 }
    }
}

impl Game for Guess {
    type State = Vec<u8>;
    type Action = u8;
    type Observation = Seen;

    fn root(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        match state.len() {
            0 => Turn::Chance,
            1 => Turn::Player(Player::One),
            2 if self.has(Fault::HiddenTurn) && state[0] == 1 => Turn::Player(Player::One),
            2 => Turn::Player(Player::Two),
            _ if self.has(Fault::Endless) => Turn::Player(Player::Two),
            _ => Turn::Terminal,
        }
    }

    fn actions(&self, state: &Vec<u8>, actions: &mut Vec<u8>) {
        if self.has(Fault::NoAction) && state.len() == 2 {
            return;
        }
        actions.extend([0, 1]);
        if self.has(Fault::ActionTwice) {
            actions.push(1);
        }
        if self.has(Fault::HiddenActions) && state.len() == 2 && state[0] == 1 {
            actions.pop();
        }
        if self.changing(Fault::RandomActions) % 2 == 1 {
            actions.reverse();
        }
    }

    fn chance(&self, _state: &Vec<u8>, outcomes: &mut Vec<(u8, f64)>) {
        outcomes.extend(match self.fault {
            Some(Fault::ChanceSum) => [(0, 0.5), (1, 0.4)],
            Some(Fault::ChanceTwice) => [(0, 0.5), (0, 0.5)],
            Some(Fault::ChanceNegative) => [(0, 1.5), (1, -0.5)],
            _ => [(0, 0.25), (1, 0.75)],
        });
    }

    fn apply(&self, state: &Vec<u8>, action: u8) -> Vec<u8> {
        let mut next = state.clone();
        next.push(action.wrapping_add(self.changing(Fault::RandomApply)));
        if next.len() > 4 {
            next.pop();
        }
        next
    }

    fn observe(&self, state: &Vec<u8>, player: Player) -> Seen {
        let bits = match player {
            Player::One => state.iter().take(2).copied().collect(),
            Player::Two if self.has(Fault::RandomObservation) => {
                vec![self.changing(Fault::RandomObservation)]
            }
            Player::Two => state.iter().skip(2).copied().collect(),
        };
        let hash = match self.fault {
            Some(Fault::HashForgets) => Some(0),
            Some(Fault::HashInvents) => Some(self.changing(Fault::HashInvents)),
            _ => None,
        };
        let turn = if self.has(Fault::HiddenTurn) { Turn::Chance } else { self.turn(state) };
        Seen { bits, turn, hash }
    }

    fn is_silent(&self, seen: &Seen) -> bool {
        self.has(Fault::SilentTurn) && seen.turn == Turn::Player(Player::Two)
            || self.has(Fault::SilentEnd) && seen.turn == Turn::Terminal
    }

    fn payoff(&self, state: &Vec<u8>) -> f64 {
        match self.fault {
            Some(Fault::PayoffTooLarge) => 1.5,
            Some(Fault::PayoffNotANumber) => f64::NAN,
            _ if state[1] == state[2] => -1.0,
            _ => 1.0,
        }
    }

    fn observation_text(&self, seen: &Seen) -> String {
        format!("{:?}", seen.bits)
    }

    fn state_text(&self, state: &Vec<u8>) -> String {
        format!("{state:?}")
    }

    fn consistent_children(
        &self,
        parents: &[Vec<u8>],
        own: Option<u8>,
        viewer: Player,
        seen: &Seen,
        children: &mut Vec<Vec<u8>>,
    ) {
        obscuro_game::consistent_children_by_trial(self, parents, own, viewer, seen, children);
        if self.has(Fault::ChildMissing) {
            children.pop();
        }
        if self.has(Fault::ChildTooMany) {
            children.push(vec![7]);
        }
    }
}

#[test]
fn a_sound_game_passes() {
    assert_eq!(check_game(&Guess::default(), 100, 1), Ok(()));
}

#[test]
fn every_fault_is_found_and_named() {
    for (fault, rule) in [
        (Fault::ChanceSum, Rule::Chance),
        (Fault::ChanceTwice, Rule::Chance),
        (Fault::ChanceNegative, Rule::Chance),
        (Fault::NoAction, Rule::Actions),
        (Fault::ActionTwice, Rule::Actions),
        (Fault::RandomApply, Rule::Deterministic),
        (Fault::RandomActions, Rule::Deterministic),
        (Fault::RandomObservation, Rule::Deterministic),
        (Fault::HiddenActions, Rule::OwnTurnKnown),
        (Fault::HiddenTurn, Rule::OwnTurnKnown),
        (Fault::HashForgets, Rule::PerfectRecall),
        (Fault::HashInvents, Rule::PerfectRecall),
        (Fault::SilentTurn, Rule::Silence),
        (Fault::SilentEnd, Rule::Silence),
        (Fault::PayoffTooLarge, Rule::Payoff),
        (Fault::PayoffNotANumber, Rule::Payoff),
        (Fault::ChildMissing, Rule::ConsistentChildren),
        (Fault::ChildTooMany, Rule::ConsistentChildren),
        (Fault::Endless, Rule::Ends),
    ] {
        let game = Guess { fault: Some(fault), ..Guess::default() };
        let violation = check_game(&game, 100, 1).expect_err(&format!("{fault:?}"));
        assert_eq!(violation.rule, rule, "{fault:?}: {violation}");
    }
}

#[test]
fn a_violation_shows_the_playout() {
    let game = Guess { fault: Some(Fault::PayoffTooLarge), ..Guess::default() };
    let text = check_game(&game, 1, 1).expect_err("a fault").to_string();
    assert!(text.contains("this one is 1.5 and max_payoff is 1"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("Two sees")).count(), 4, "{text}");
}
