use std::fmt::Debug;
use std::hash::Hash;

/// One of the two players. Values are always from [`Player::One`]'s side unless said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Player {
    /// The first player: White, player 0 of `OpenSpiel`.
    One,
    /// The second player: Black, player 1 of `OpenSpiel`.
    Two,
}

impl Player {
    /// Both players, first player first.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for the first player and -1 for the second: turns the first player's value into mine.
    #[inline]
    pub const fn sign(self) -> f64 {
        match self {
            Player::One => 1.0,
            Player::Two => -1.0,
        }
    }
}

/// Whose turn it is at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player moves.
    Player(Player),
    /// Chance moves, with the fixed probabilities of [`Game::chance`].
    Chance,
    /// The game is over.
    Terminal,
}

/// A two-player zero-sum game of imperfect information.
///
/// A *state* is a sufficient statistic for the rest of the game; several histories may share
/// one. After **every** ply (a player's move or a chance outcome) both players receive an
/// observation of the new state, so that the game is timeable and a player's infoset is the
/// sequence of their own actions and observations. What a player observes determines whether it
/// is their turn and, if it is, their legal actions.
pub trait Game: Send + Sync {
    /// A sufficient statistic for the rest of the game.
    type State: Clone + Eq + Hash + Send + Sync;
    /// What a player, or chance, does. The same value may be legal in many states.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What a player sees after a ply.
    type Observation: Clone + Eq + Hash + Send + Sync;

    /// The state at the start of the game.
    fn root(&self) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal actions of the player to move, in a fixed order, the same at all states
    /// of an infoset.
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Appends the outcomes of a chance state with their probabilities, which sum to one.
    fn chance(&self, state: &Self::State, outcomes: &mut Vec<(Self::Action, f64)>);

    /// The state after an action (or chance outcome) that is legal at `state`.
    #[must_use]
    fn apply(&self, state: &Self::State, action: Self::Action) -> Self::State;

    /// What `player` sees at `state`, told after every ply and at the root.
    fn observe(&self, state: &Self::State, player: Player) -> Self::Observation;

    /// The first player's payoff at a terminal state.
    fn payoff(&self, state: &Self::State) -> f64;

    /// The largest absolute payoff: values are divided by it where [-1, +1] is needed.
    fn max_payoff(&self) -> f64 {
        1.0
    }

    /// The action in words, as it is written at `state`.
    fn action_text(&self, _state: &Self::State, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// The observation in words.
    fn observation_text(&self, observation: &Self::Observation) -> String;

    /// The state in words, all that is hidden included.
    fn state_text(&self, state: &Self::State) -> String;

    /// Appends all states that one ply makes of `parents` and at which `viewer` observes `seen`.
    ///
    /// `own` is the action just played if it was `viewer`'s own ply, which is legal at every
    /// parent; `None` means that chance or the opponent moved unseen. Duplicates are allowed
    /// here; the belief removes them. The provided method tries every action; a game with a large
    /// belief overrides it with something that looks at `seen` first.
    fn consistent_children(
        &self,
        parents: &[Self::State],
        own: Option<Self::Action>,
        viewer: Player,
        seen: &Self::Observation,
        children: &mut Vec<Self::State>,
    ) {
        let mut actions = Vec::new();
        let mut outcomes = Vec::new();
        for parent in parents {
            actions.clear();
            match (own, self.turn(parent)) {
                (_, Turn::Terminal) => {}
                (Some(action), Turn::Player(player)) if player == viewer => actions.push(action),
                (Some(_), _) => {}
                (None, Turn::Chance) => {
                    outcomes.clear();
                    self.chance(parent, &mut outcomes);
                    actions.extend(outcomes.iter().filter(|o| o.1 > 0.0).map(|o| o.0));
                }
                (None, Turn::Player(player)) if player == viewer => {}
                (None, Turn::Player(_)) => self.actions(parent, &mut actions),
            }
            for &action in &actions {
                let child = self.apply(parent, action);
                if self.observe(&child, viewer) == *seen {
                    children.push(child);
                }
            }
        }
    }
}
