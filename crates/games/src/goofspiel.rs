use obscuro_game::{Game, Player, Turn};

use crate::params::{GameError, Params};

/// No card played this round, no prize turned up.
const NONE: u8 = u8::MAX;

/// `goofspiel` with hidden bids, one player bidding after the other:
/// `turn_based_simultaneous_game(game=goofspiel(imp_info=True,...))` of `OpenSpiel`.
///
/// Each round a prize is bid for with a card from the hand; the higher card takes the prize, equal
/// cards discard it. After a round the players learn who took it, not what was bid. The last card
/// plays itself. Actions: a number is the card (or, for chance, the prize) of that value less one.
#[derive(Clone, Debug)]
pub struct Goofspiel {
    cards: u8,
    order: PointsOrder,
    returns: ReturnsType,
}

/// The order of the prizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsOrder {
    /// The largest first, known from the start.
    Descending,
    /// The smallest first, known from the start.
    Ascending,
    /// Drawn by chance before each round.
    Random,
}

/// What the payoff counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnsType {
    /// +1, 0 or −1 for more, as many or fewer points than the opponent.
    WinLoss,
    /// My points less the mean of both players' points: half the difference.
    PointDifference,
}

/// The hands, the prizes and the first player's lead. Sets of cards are bit masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoofspielState {
    hands: [u8; 2],
    /// Prizes not turned up yet.
    prizes: u8,
    /// The prize of this round.
    prize: u8,
    /// The first player's bid, until the second player's is in.
    bid: u8,
    lead: i8,
}

/// The own hand and bid, the prize, and the first player's lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoofspielObservation {
    hand: u8,
    bid: u8,
    prize: u8,
    lead: i8,
    turn: Turn,
}

impl Goofspiel {
    /// The game with so many cards a player, 2 to 8.
    pub fn new(cards: u8, order: PointsOrder, returns: ReturnsType) -> Result<Self, GameError> {
        GameError::check_range("num_cards", i64::from(cards), 2..=8)?;
        Ok(Goofspiel { cards, order, returns })
    }

    pub(crate) fn from_params(params: &mut Params) -> Result<Self, GameError> {
        params.int("players", 2, 2..=2)?;
        params.int("num_turns", -1, -1..=-1)?;
        params.choice("imp_info", &[("True", ()), ("true", ())])?;
        params.choice("egocentric", &[("False", ()), ("false", ())])?;
        let cards = params.int("num_cards", 4, 2..=8)?;
        let orders = [
            ("descending", PointsOrder::Descending),
            ("ascending", PointsOrder::Ascending),
            ("random", PointsOrder::Random),
        ];
        let returns = [
            ("win_loss", ReturnsType::WinLoss),
            ("point_difference", ReturnsType::PointDifference),
        ];
        let order = params.choice("points_order", &orders)?;
        Goofspiel::new(cards as u8, order, params.choice("returns_type", &returns)?)
    }

    fn total(&self) -> u8 {
        self.cards * (self.cards + 1) / 2
    }

    /// Turns up the next prize if its place in the order is fixed.
    fn turn_up(&self, state: &mut GoofspielState) {
        state.prize = match self.order {
            PointsOrder::Random => NONE,
            PointsOrder::Ascending => state.prizes.trailing_zeros() as u8,
            PointsOrder::Descending => state.prizes.ilog2() as u8,
        };
        if state.prize != NONE {
            state.prizes &= !(1 << state.prize);
        }
    }

    fn score(state: &mut GoofspielState, one: u8, two: u8, prize: u8) {
        state.hands[0] &= !(1 << one);
        state.hands[1] &= !(1 << two);
        let points = prize as i8 + 1;
        state.lead += points * (one.cmp(&two) as i8);
    }
}

impl Game for Goofspiel {
    type State = GoofspielState;
    type Action = u8;
    type Observation = GoofspielObservation;

    fn root(&self) -> GoofspielState {
        let all = u8::MAX >> (8 - self.cards);
        let mut root =
            GoofspielState { hands: [all; 2], prizes: all, prize: NONE, bid: NONE, lead: 0 };
        self.turn_up(&mut root);
        root
    }

    fn turn(&self, state: &GoofspielState) -> Turn {
        if state.hands[1] == 0 {
            Turn::Terminal
        } else if state.prize == NONE {
            Turn::Chance
        } else if state.bid == NONE {
            Turn::Player(Player::One)
        } else {
            Turn::Player(Player::Two)
        }
    }

    fn actions(&self, state: &GoofspielState, actions: &mut Vec<u8>) {
        let mover = usize::from(state.bid != NONE);
        actions.extend(cards(state.hands[mover]));
    }

    fn chance(&self, state: &GoofspielState, outcomes: &mut Vec<(u8, f64)>) {
        let probability = 1.0 / f64::from(state.prizes.count_ones());
        outcomes.extend(cards(state.prizes).map(|prize| (prize, probability)));
    }

    fn apply(&self, state: &GoofspielState, action: u8) -> GoofspielState {
        let mut next = *state;
        if state.prize == NONE {
            next.prize = action;
            next.prizes &= !(1 << action);
            return next;
        }
        if state.bid == NONE {
            next.bid = action;
            return next;
        }
        Self::score(&mut next, state.bid, action, state.prize);
        next.bid = NONE;
        if next.hands[1].is_power_of_two() {
            let [one, two] = next.hands.map(|hand| hand.ilog2() as u8);
            let prize = next.prizes.ilog2() as u8;
            Self::score(&mut next, one, two, prize);
            (next.prizes, next.prize) = (0, NONE);
        } else {
            self.turn_up(&mut next);
        }
        next
    }

    fn observe(&self, state: &GoofspielState, player: Player) -> GoofspielObservation {
        GoofspielObservation {
            hand: state.hands[player.index()],
            bid: if player == Player::One { state.bid } else { NONE },
            prize: state.prize,
            lead: state.lead,
            turn: self.turn(state),
        }
    }

    fn payoff(&self, state: &GoofspielState) -> f64 {
        match self.returns {
            ReturnsType::WinLoss => f64::from(state.lead.signum()),
            ReturnsType::PointDifference => f64::from(state.lead) / 2.0,
        }
    }

    /// Equal hands: who wins a bid loses another, at best that for the prize of one point.
    fn max_payoff(&self) -> f64 {
        match self.returns {
            ReturnsType::WinLoss => 1.0,
            ReturnsType::PointDifference => f64::from(self.total() - 2) / 2.0,
        }
    }

    fn action_text(&self, state: &GoofspielState, action: u8) -> String {
        let word = if self.turn(state) == Turn::Chance { "Prize" } else { "Bid" };
        format!("{word} {}", action + 1)
    }

    fn observation_text(&self, seen: &GoofspielObservation) -> String {
        format!(
            "prize {} hand {} bid {} lead {:+}",
            card_text(seen.prize),
            hand_text(seen.hand),
            card_text(seen.bid),
            seen.lead
        )
    }

    fn state_text(&self, state: &GoofspielState) -> String {
        format!(
            "prize {} hands {} {} bid {} lead {:+}",
            card_text(state.prize),
            hand_text(state.hands[0]),
            hand_text(state.hands[1]),
            card_text(state.bid),
            state.lead
        )
    }
}

fn cards(set: u8) -> impl Iterator<Item = u8> {
    (0..8).filter(move |card| set >> card & 1 == 1)
}

fn card_text(card: u8) -> String {
    if card == NONE { "-".into() } else { (card + 1).to_string() }
}

fn hand_text(set: u8) -> String {
    if set == 0 { "-".into() } else { cards(set).map(card_text).collect() }
}
