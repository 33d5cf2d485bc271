use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use crate::InfosetKey;

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
///
/// # Silent plies
///
/// A few games hide even that a ply was made: in phantom tic-tac-toe the opponent may fail and
/// try again, and nobody tells us how often. Such a game names the observations that are no news
/// ([`Game::is_silent`]), and a ply after which a player who did not make it gets one *does not
/// happen* for that player:
///
/// * their infoset is the same before and after it ([`Game::infoset`] must be used to extend an
///   infoset, which does this);
/// * they are not told, and their belief is not advanced; at the next news,
///   [`Game::consistent_children`] allows for any number of silent plies before it.
///
/// So an infoset of a player who *waits* may contain a node and its descendants, all within one
/// turn of the opponent. An infoset of a player to move never does: being to move is always news.
/// Whoever weighs the nodes of a waiting player's infoset by their reach counts the topmost ones
/// only. In a game without silent plies, which is what the paper assumes and what nearly all
/// games are, all nodes of an infoset have the same depth.
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

    /// Whether this observation, made after a ply of chance or of the opponent, is no news: see
    /// the trait. It may be neither one of a player to move nor one of a game that is over. At the
    /// root and after an own ply every observation is news.
    fn is_silent(&self, _seen: &Self::Observation) -> bool {
        false
    }

    /// The infoset of a player one ply further down: `before`, extended by what they did (`None`
    /// if it was not their ply) and `seen` after it, unless that was silent.
    #[inline]
    #[must_use]
    fn infoset(
        &self,
        before: InfosetKey,
        own: Option<Self::Action>,
        seen: &Self::Observation,
    ) -> InfosetKey {
        if own.is_none() && self.is_silent(seen) {
            before
        } else {
            before.extend(own.as_ref(), seen)
        }
    }

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
    /// parent; `None` means that chance or the opponent moved unseen, possibly after any number of
    /// silent plies. `seen` is news. Duplicates are allowed here; the belief removes them. The
    /// provided method is [`consistent_children_by_trial`]; a game with a large belief overrides
    /// it with something that looks at `seen` first.
    fn consistent_children(
        &self,
        parents: &[Self::State],
        own: Option<Self::Action>,
        viewer: Player,
        seen: &Self::Observation,
        children: &mut Vec<Self::State>,
    ) {
        consistent_children_by_trial(self, parents, own, viewer, seen, children);
    }

    /// Up to `n` states that agree with the last observation of `history` and as much of the rest
    /// as can be told without replaying it, for a belief that is a sample and died out.
    ///
    /// The provided method knows none.
    fn guess(
        &self,
        _root: &Self::State,
        _viewer: Player,
        _history: &[(Option<Self::Action>, Self::Observation)],
        _n: usize,
        _seed: u64,
    ) -> Vec<Self::State> {
        Vec::new()
    }

    /// Up to `n` states that agree with the last observation of `history` though it contradicts
    /// those before, which tell no more than what may be left: for a player who must go on all the
    /// same.
    ///
    /// The provided method knows none.
    fn resync(
        &self,
        _root: &Self::State,
        _viewer: Player,
        _history: &[(Option<Self::Action>, Self::Observation)],
        _n: usize,
        _seed: u64,
    ) -> Vec<Self::State> {
        Vec::new()
    }
}

/// [`Game::consistent_children`] by trying every action at every parent.
pub fn consistent_children_by_trial<G: Game + ?Sized>(
    game: &G,
    parents: &[G::State],
    own: Option<G::Action>,
    viewer: Player,
    seen: &G::Observation,
    children: &mut Vec<G::State>,
) {
    // Reached by silent plies alone: parents too, each once.
    let mut unheard = Vec::new();
    let mut known = HashSet::new();
    let mut actions = Vec::new();
    for parent in parents {
        try_all(game, parent, own, viewer, &mut actions, |child, sees| {
            if sees == *seen {
                children.push(child);
            } else if own.is_none() && game.is_silent(&sees) && known.insert(child.clone()) {
                unheard.push(child);
            }
        });
    }
    while let Some(parent) = unheard.pop() {
        try_all(game, &parent, None, viewer, &mut actions, |child, sees| {
            if sees == *seen {
                children.push(child);
            } else if game.is_silent(&sees) && known.insert(child.clone()) {
                unheard.push(child);
            }
        });
    }
}

/// Calls `each` with the children of `parent` by `own`, or by whatever chance or the opponent can
/// do, and with what `viewer` sees there.
fn try_all<G: Game + ?Sized>(
    game: &G,
    parent: &G::State,
    own: Option<G::Action>,
    viewer: Player,
    actions: &mut Vec<G::Action>,
    mut each: impl FnMut(G::State, G::Observation),
) {
    actions.clear();
    match (own, game.turn(parent)) {
        (Some(action), Turn::Player(player)) if player == viewer => actions.push(action),
        (None, Turn::Chance) => {
            let mut outcomes = Vec::new();
            game.chance(parent, &mut outcomes);
            actions.extend(outcomes.iter().filter(|o| o.1 > 0.0).map(|o| o.0));
        }
        (None, Turn::Player(player)) if player != viewer => game.actions(parent, actions),
        _ => {}
    }
    for &action in actions.iter() {
        let child = game.apply(parent, action);
        let sees = game.observe(&child, viewer);
        each(child, sees);
    }
}
