use crate::{Game, Player, Turn};

/// Any game, ended with a payoff of zero after a number of plies.
#[derive(Clone, Debug)]
pub struct PlyLimit<G> {
    game: G,
    plies: u32,
}

/// A state of a [`PlyLimit`] game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limited<S> {
    /// The state of the game underneath.
    pub state: S,
    /// Plies until the game is ended.
    pub plies_left: u32,
}

impl<G> PlyLimit<G> {
    /// The game `game`, ended after `plies` plies, chance outcomes counted.
    pub fn new(game: G, plies: u32) -> Self {
        PlyLimit { game, plies }
    }
}

impl<G: Game> Game for PlyLimit<G> {
    type State = Limited<G::State>;
    type Action = G::Action;
    type Observation = (G::Observation, bool);

    fn root(&self) -> Self::State {
        Limited { state: self.game.root(), plies_left: self.plies }
    }

    fn turn(&self, state: &Self::State) -> Turn {
        if state.plies_left == 0 { Turn::Terminal } else { self.game.turn(&state.state) }
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        self.game.actions(&state.state, actions);
    }

    fn chance(&self, state: &Self::State, outcomes: &mut Vec<(Self::Action, f64)>) {
        self.game.chance(&state.state, outcomes);
    }

    fn apply(&self, state: &Self::State, action: Self::Action) -> Self::State {
        let plies_left = state.plies_left.saturating_sub(1);
        Limited { state: self.game.apply(&state.state, action), plies_left }
    }

    fn observe(&self, state: &Self::State, player: Player) -> Self::Observation {
        (self.game.observe(&state.state, player), state.plies_left == 0)
    }

    fn is_silent(&self, seen: &Self::Observation) -> bool {
        !seen.1 && self.game.is_silent(&seen.0)
    }

    fn payoff(&self, state: &Self::State) -> f64 {
        match self.game.turn(&state.state) {
            Turn::Terminal => self.game.payoff(&state.state),
            _ => 0.0,
        }
    }

    fn max_payoff(&self) -> f64 {
        self.game.max_payoff()
    }

    fn action_text(&self, state: &Self::State, action: Self::Action) -> String {
        self.game.action_text(&state.state, action)
    }

    fn observation_text(&self, observation: &Self::Observation) -> String {
        let mut text = self.game.observation_text(&observation.0);
        if observation.1 {
            text.push_str(" (ply limit)");
        }
        text
    }

    fn state_text(&self, state: &Self::State) -> String {
        format!("{} ({} plies left)", self.game.state_text(&state.state), state.plies_left)
    }
}
