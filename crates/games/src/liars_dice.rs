use obscuro_game::{Game, Player, Turn};

use crate::params::{GameError, Params};

/// A die that is not rolled yet, a bid that is not made yet.
const NONE: u8 = u8::MAX;
/// Dice on the table, one for each player.
const DICE: u8 = 2;

/// `liars_dice` with one die each: bids rise until somebody calls "Liar". The highest face is wild.
///
/// Actions: a number below the number of bids is that bid, in rising order, and the next one calls
/// the last bid a lie; a chance outcome is the face rolled, counted from 0.
#[derive(Clone, Debug)]
pub struct LiarsDice {
    faces: u8,
    rule: BiddingRule,
}

/// The order of the bids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiddingRule {
    /// By quantity, then by face: raising the quantity, one may name any face.
    ResetFace,
    /// By face, then by quantity: raising the face, one may name any quantity.
    ResetQuantity,
}

/// The dice and the last bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LiarsDiceState {
    dice: [u8; 2],
    bid: u8,
    mover: Player,
    called: bool,
}

/// The own die and the last bid; both dice after the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LiarsDiceObservation {
    die: u8,
    bid: u8,
    turn: Turn,
    shown: Option<[u8; 2]>,
}

impl LiarsDice {
    /// The game with dice of so many faces, 2 to 6.
    pub fn new(faces: u8, rule: BiddingRule) -> Result<Self, GameError> {
        GameError::check_range("dice_sides", i64::from(faces), 2..=6)?;
        Ok(LiarsDice { faces, rule })
    }

    pub(crate) fn from_params(params: &mut Params) -> Result<Self, GameError> {
        params.int("players", 2, 2..=2)?;
        params.int("numdice", 1, 1..=1)?;
        let faces = params.int("dice_sides", 6, 2..=6)?;
        let rules = [
            ("reset-face", BiddingRule::ResetFace),
            ("reset-quantity", BiddingRule::ResetQuantity),
        ];
        LiarsDice::new(faces as u8, params.choice("bidding_rule", &rules)?)
    }

    /// The action that calls the last bid a lie.
    fn liar(&self) -> u8 {
        DICE * self.faces
    }

    /// How many dice show which face (counted from 0), as bid.
    fn bid(&self, bid: u8) -> (u8, u8) {
        match self.rule {
            BiddingRule::ResetFace => (bid / self.faces + 1, bid % self.faces),
            BiddingRule::ResetQuantity => (bid % DICE + 1, bid / DICE),
        }
    }

    fn bid_text(&self, bid: u8) -> String {
        let (quantity, face) = self.bid(bid);
        format!("{quantity}-{}", face + 1)
    }
}

impl Game for LiarsDice {
    type State = LiarsDiceState;
    type Action = u8;
    type Observation = LiarsDiceObservation;

    fn root(&self) -> LiarsDiceState {
        LiarsDiceState { dice: [NONE; 2], bid: NONE, mover: Player::One, called: false }
    }

    fn turn(&self, state: &LiarsDiceState) -> Turn {
        if state.dice[1] == NONE {
            Turn::Chance
        } else if state.called {
            Turn::Terminal
        } else {
            Turn::Player(state.mover)
        }
    }

    fn actions(&self, state: &LiarsDiceState, actions: &mut Vec<u8>) {
        if state.bid == NONE {
            actions.extend(0..self.liar());
        } else {
            actions.extend(state.bid + 1..=self.liar());
        }
    }

    fn chance(&self, _state: &LiarsDiceState, outcomes: &mut Vec<(u8, f64)>) {
        outcomes.extend((0..self.faces).map(|face| (face, 1.0 / f64::from(self.faces))));
    }

    fn apply(&self, state: &LiarsDiceState, action: u8) -> LiarsDiceState {
        let mut next = *state;
        if let Some(die) = next.dice.iter_mut().find(|die| **die == NONE) {
            *die = action;
            return next;
        }
        if action == self.liar() {
            next.called = true;
        } else {
            next.bid = action;
        }
        next.mover = state.mover.other();
        next
    }

    fn observe(&self, state: &LiarsDiceState, player: Player) -> LiarsDiceObservation {
        LiarsDiceObservation {
            die: state.dice[player.index()],
            bid: state.bid,
            turn: self.turn(state),
            shown: state.called.then_some(state.dice),
        }
    }

    fn payoff(&self, state: &LiarsDiceState) -> f64 {
        let (quantity, face) = self.bid(state.bid);
        let wild = self.faces - 1;
        let matching = state.dice.iter().filter(|&&die| die == face || die == wild).count();
        // After the call it would be the bidder's turn.
        let bidder = state.mover;
        if matching >= usize::from(quantity) { bidder.sign() } else { -bidder.sign() }
    }

    fn action_text(&self, state: &LiarsDiceState, action: u8) -> String {
        if self.turn(state) == Turn::Chance {
            format!("Roll {}", action + 1)
        } else if action == self.liar() {
            "Liar".into()
        } else {
            self.bid_text(action)
        }
    }

    fn observation_text(&self, seen: &LiarsDiceObservation) -> String {
        let die = die_text(seen.die);
        match (seen.bid, seen.shown) {
            (NONE, _) => format!("die {die}"),
            (bid, None) => format!("die {die} bid {}", self.bid_text(bid)),
            (bid, Some(dice)) => {
                let [one, two] = dice.map(die_text);
                format!("die {die} bid {} Liar! dice {one} {two}", self.bid_text(bid))
            }
        }
    }

    fn state_text(&self, state: &LiarsDiceState) -> String {
        let [one, two] = state.dice.map(die_text);
        let bid = if state.bid == NONE { "-".into() } else { self.bid_text(state.bid) };
        let call = if state.called { " Liar!" } else { "" };
        format!("dice {one} {two} bid {bid}{call}")
    }
}

fn die_text(die: u8) -> String {
    if die == NONE { "-".into() } else { (die + 1).to_string() }
}
