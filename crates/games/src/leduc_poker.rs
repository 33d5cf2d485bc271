use std::cmp::Ordering;

use obscuro_game::{Game, Player, Turn};

use crate::params::{GameError, Params};

/// A card that is not dealt yet.
const NONE: u8 = u8::MAX;
const CARDS: u8 = 6;
const FOLD: u8 = 0;
const CALL: u8 = 1;
const RAISE: u8 = 2;
/// What each player pays before the deal.
const ANTE: u8 = 1;
/// Size of a raise in the first and in the second round.
const RAISES: [u8; 2] = [2, 4];
const MAX_RAISES: u8 = 2;

/// `leduc_poker`: six cards of three ranks, two betting rounds, one public card.
///
/// Actions: 0 folds, 1 calls (or checks), 2 raises; a chance outcome is the card dealt, whose rank
/// is half its number. Payoffs are in chips, 13 at most; the first player's value is −0.0856064.
#[derive(Clone, Debug, Default)]
pub struct LeducPoker;

/// The cards and the betting of this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeducState {
    private: [u8; 2],
    public: u8,
    stakes: [u8; 2],
    raises: u8,
    /// Plies in this round.
    plies: u8,
    step: Step,
}

/// Where the game stands; together with the plies it tells who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Deal,
    Bet { round: u8 },
    Reveal,
    Folded(Player),
    Showdown,
}

/// The own card, the public card and the chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeducObservation {
    private: u8,
    public: u8,
    stakes: [u8; 2],
    turn: Turn,
}

impl LeducPoker {
    pub(crate) fn from_params(params: &mut Params) -> Result<Self, GameError> {
        params.int("players", 2, 2..=2)?;
        params.int("starting_player", 0, 0..=0)?;
        params.choice("action_mapping", &[("False", ()), ("false", ())])?;
        params.choice("suit_isomorphism", &[("False", ()), ("false", ())])?;
        Ok(LeducPoker)
    }

    fn mover(state: &LeducState) -> Player {
        Player::BOTH[usize::from(state.plies % 2)]
    }

    /// A pair with the public card beats everything, then the higher rank.
    fn strength(card: u8, public: u8) -> u8 {
        let rank = card / 2;
        if rank == public / 2 { CARDS } else { rank }
    }
}

impl Game for LeducPoker {
    type State = LeducState;
    type Action = u8;
    type Observation = LeducObservation;

    fn root(&self) -> LeducState {
        LeducState {
            private: [NONE; 2],
            public: NONE,
            stakes: [ANTE; 2],
            raises: 0,
            plies: 0,
            step: Step::Deal,
        }
    }

    fn turn(&self, state: &LeducState) -> Turn {
        match state.step {
            Step::Deal | Step::Reveal => Turn::Chance,
            Step::Bet { .. } => Turn::Player(Self::mover(state)),
            Step::Folded(_) | Step::Showdown => Turn::Terminal,
        }
    }

    fn actions(&self, state: &LeducState, actions: &mut Vec<u8>) {
        if state.stakes[0] != state.stakes[1] {
            actions.push(FOLD);
        }
        actions.push(CALL);
        if state.raises < MAX_RAISES {
            actions.push(RAISE);
        }
    }

    fn chance(&self, state: &LeducState, outcomes: &mut Vec<(u8, f64)>) {
        let left = || (0..CARDS).filter(|card| !state.private.contains(card));
        let probability = 1.0 / left().count() as f64;
        outcomes.extend(left().map(|card| (card, probability)));
    }

    fn apply(&self, state: &LeducState, action: u8) -> LeducState {
        let mut next = *state;
        match state.step {
            Step::Deal if state.private[0] == NONE => next.private[0] = action,
            Step::Deal => {
                next.private[1] = action;
                next.step = Step::Bet { round: 0 };
            }
            Step::Reveal => {
                next.public = action;
                next.step = Step::Bet { round: 1 };
            }
            Step::Bet { round } => {
                let me = Self::mover(state);
                let facing = state.stakes[me.other().index()];
                next.plies += 1;
                if action == FOLD {
                    next.step = Step::Folded(me);
                } else if action == RAISE {
                    next.stakes[me.index()] = facing + RAISES[usize::from(round)];
                    next.raises += 1;
                } else {
                    next.stakes[me.index()] = facing;
                    // The first player's check alone does not end the round.
                    if state.plies > 0 {
                        (next.plies, next.raises) = (0, 0);
                        next.step = if round == 0 { Step::Reveal } else { Step::Showdown };
                    }
                }
            }
            Step::Folded(_) | Step::Showdown => {}
        }
        next
    }

    fn observe(&self, state: &LeducState, player: Player) -> LeducObservation {
        LeducObservation {
            private: state.private[player.index()],
            public: state.public,
            stakes: state.stakes,
            turn: self.turn(state),
        }
    }

    fn payoff(&self, state: &LeducState) -> f64 {
        let [mine, theirs] = state.stakes.map(f64::from);
        let [one, two] = state.private.map(|card| Self::strength(card, state.public));
        let loser = match (state.step, one.cmp(&two)) {
            (Step::Folded(player), _) => player,
            (_, Ordering::Less) => Player::One,
            (_, Ordering::Equal) => return 0.0,
            (_, Ordering::Greater) => Player::Two,
        };
        if loser == Player::One { -mine } else { theirs }
    }

    fn max_payoff(&self) -> f64 {
        f64::from(ANTE + MAX_RAISES * (RAISES[0] + RAISES[1]))
    }

    fn action_text(&self, state: &LeducState, action: u8) -> String {
        match (self.turn(state), action) {
            (Turn::Chance, card) => format!("Deal:{card}"),
            (_, FOLD) => "Fold".into(),
            (_, CALL) => "Call".into(),
            _ => "Raise".into(),
        }
    }

    fn observation_text(&self, seen: &LeducObservation) -> String {
        let [one, two] = seen.stakes;
        format!("card {} public {} stakes {one} {two}", text(seen.private), text(seen.public))
    }

    fn state_text(&self, state: &LeducState) -> String {
        let [one, two] = state.private.map(text);
        let [a, b] = state.stakes;
        format!("cards {one} {two} public {} stakes {a} {b}", text(state.public))
    }
}

fn text(card: u8) -> String {
    if card == NONE { "-".into() } else { card.to_string() }
}
