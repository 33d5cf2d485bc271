use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use obscuro_game::{Game, Player, Turn};

/// A game whose payoffs are off by up to a tenth, each by its own amount.
///
/// With round payoffs regrets are often exactly zero, and then regret matching jumps with the
/// last bit of a sum; in a game with no ties two computations of it can be compared.
pub(crate) struct Perturbed<G>(pub(crate) G);

impl<G: Game> Game for Perturbed<G> {
    type State = G::State;
    type Action = G::Action;
    type Observation = G::Observation;

    fn root(&self) -> G::State {
        self.0.root()
    }

    fn turn(&self, state: &G::State) -> Turn {
        self.0.turn(state)
    }

    fn actions(&self, state: &G::State, actions: &mut Vec<G::Action>) {
        self.0.actions(state, actions);
    }

    fn chance(&self, state: &G::State, outcomes: &mut Vec<(G::Action, f64)>) {
        self.0.chance(state, outcomes);
    }

    fn apply(&self, state: &G::State, action: G::Action) -> G::State {
        self.0.apply(state, action)
    }

    fn observe(&self, state: &G::State, player: Player) -> G::Observation {
        self.0.observe(state, player)
    }

    fn payoff(&self, state: &G::State) -> f64 {
        let noise = FixedState::with_seed(7).hash_one(state) >> 11;
        self.0.payoff(state) + 0.1 * (noise as f64 / (1u64 << 53) as f64)
    }

    fn observation_text(&self, observation: &G::Observation) -> String {
        self.0.observation_text(observation)
    }

    fn state_text(&self, state: &G::State) -> String {
        self.0.state_text(state)
    }
}
