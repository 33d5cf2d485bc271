use obscuro_game::{Game, Player, Turn};

use crate::params::{GameError, Params};

/// A card that is not dealt yet.
const NONE: u8 = u8::MAX;
const CARDS: u8 = 3;
const BET: u8 = 1;

/// `kuhn_poker`: three cards, one each, one bet. The first player's value is −1/18.
///
/// Actions: 0 passes, 1 bets; a chance outcome is the card dealt.
#[derive(Clone, Debug, Default)]
pub struct KuhnPoker;

/// The cards and the betting so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KuhnState {
    cards: [u8; 2],
    betting: Betting,
}

/// What everybody sees: which of the plies so far were bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Betting {
    plies: u8,
    bets: u8,
}

impl Betting {
    fn bet(self, ply: u8) -> bool {
        self.bets >> ply & 1 == 1
    }

    /// Over after two equal plies, after bet and pass, and always after three.
    fn is_over(self) -> bool {
        self.plies == 3 || self.plies == 2 && (self.bet(0) || !self.bet(1))
    }

    fn text(self) -> String {
        (0..self.plies).map(|ply| if self.bet(ply) { 'b' } else { 'p' }).collect()
    }
}

/// The own card and the betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KuhnObservation {
    card: Option<u8>,
    betting: Betting,
    turn: Turn,
}

impl KuhnPoker {
    pub(crate) fn from_params(params: &mut Params) -> Result<Self, GameError> {
        params.int("players", 2, 2..=2)?;
        Ok(KuhnPoker)
    }
}

impl Game for KuhnPoker {
    type State = KuhnState;
    type Action = u8;
    type Observation = KuhnObservation;

    fn root(&self) -> KuhnState {
        KuhnState { cards: [NONE; 2], betting: Betting { plies: 0, bets: 0 } }
    }

    fn turn(&self, state: &KuhnState) -> Turn {
        if state.cards[1] == NONE {
            Turn::Chance
        } else if state.betting.is_over() {
            Turn::Terminal
        } else {
            Turn::Player(Player::BOTH[usize::from(state.betting.plies % 2)])
        }
    }

    fn actions(&self, _state: &KuhnState, actions: &mut Vec<u8>) {
        actions.extend([0, BET]);
    }

    fn chance(&self, state: &KuhnState, outcomes: &mut Vec<(u8, f64)>) {
        let taken = state.cards[0];
        let left = if taken == NONE { CARDS } else { CARDS - 1 };
        let probability = 1.0 / f64::from(left);
        outcomes.extend((0..CARDS).filter(|&c| c != taken).map(|c| (c, probability)));
    }

    fn apply(&self, state: &KuhnState, action: u8) -> KuhnState {
        let mut next = *state;
        if let Some(card) = next.cards.iter_mut().find(|card| **card == NONE) {
            *card = action;
        } else {
            next.betting.bets |= action << state.betting.plies;
            next.betting.plies += 1;
        }
        next
    }

    fn observe(&self, state: &KuhnState, player: Player) -> KuhnObservation {
        let card = state.cards[player.index()];
        let card = (card != NONE).then_some(card);
        KuhnObservation { card, betting: state.betting, turn: self.turn(state) }
    }

    fn payoff(&self, state: &KuhnState) -> f64 {
        let betting = state.betting;
        let bets = [betting.bet(0) || betting.bet(2), betting.bet(1)];
        let [one, two] = state.cards;
        match bets {
            [true, false] => 1.0,
            [false, true] => -1.0,
            [both, _] => {
                let stake = if both { 2.0 } else { 1.0 };
                if one > two { stake } else { -stake }
            }
        }
    }

    fn max_payoff(&self) -> f64 {
        2.0
    }

    fn action_text(&self, state: &KuhnState, action: u8) -> String {
        match (self.turn(state), action) {
            (Turn::Chance, card) => format!("Deal:{card}"),
            (_, BET) => "Bet".into(),
            _ => "Pass".into(),
        }
    }

    fn observation_text(&self, seen: &KuhnObservation) -> String {
        let card = seen.card.map_or("-".into(), |card| card.to_string());
        format!("{card}{}", seen.betting.text())
    }

    fn state_text(&self, state: &KuhnState) -> String {
        let cards = state.cards.map(|c| if c == NONE { "-".into() } else { c.to_string() });
        format!("{} {} {}", cards[0], cards[1], state.betting.text()).trim_end().into()
    }
}
