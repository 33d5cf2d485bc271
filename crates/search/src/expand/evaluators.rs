//! Evaluators that work for any game.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use obscuro_game::{Evaluator, Game, SplitMix64, Turn};

/// Values a child by playing on at random.
///
/// The playouts of a child depend on the seed and the child's state alone, so that a value does
/// not depend on the thread or the order in which it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RandomRollouts {
    rollouts: u32,
    seed: u64,
}

impl RandomRollouts {
    /// The mean of so many playouts, at least one, for each child.
    pub fn new(rollouts: u32, seed: u64) -> Self {
        RandomRollouts { rollouts: rollouts.max(1), seed }
    }

    fn playout<G: Game>(game: &G, state: &G::State, rng: &mut SplitMix64) -> f64 {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let mut state = state.clone();
        loop {
            let action = match game.turn(&state) {
                Turn::Terminal => return game.payoff(&state) / game.max_payoff(),
                Turn::Chance => {
                    outcomes.clear();
                    game.chance(&state, &mut outcomes);
                    outcomes[rng.weighted(outcomes.iter().map(|outcome| outcome.1))].0
                }
                Turn::Player(_) => {
                    actions.clear();
                    game.actions(&state, &mut actions);
                    actions[rng.below(actions.len())]
                }
            };
            state = game.apply(&state, action);
        }
    }
}

impl<G: Game> Evaluator<G> for RandomRollouts {
    fn children(
        &mut self,
        game: &G,
        _state: &G::State,
        _actions: &[G::Action],
        children: &[G::State],
        values: &mut Vec<f32>,
    ) {
        values.clear();
        for child in children {
            let mut hasher = DefaultHasher::new();
            (self.seed, child).hash(&mut hasher);
            let mut rng = SplitMix64::new(hasher.finish());
            let sum: f64 = (0..self.rollouts).map(|_| Self::playout(game, child, &mut rng)).sum();
            values.push((sum / f64::from(self.rollouts)) as f32);
        }
    }

    fn fork(&self) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}

/// Values a child by solving the game below it as if nothing were hidden.
///
/// Backward induction, every state once: for small games. The values are shared between the
/// evaluator and its forks.
pub struct PerfectInformation<G: Game> {
    known: Arc<Mutex<HashMap<G::State, f32>>>,
}

impl<G: Game> PerfectInformation<G> {
    /// An evaluator that knows nothing yet.
    pub fn new() -> Self {
        PerfectInformation { known: Arc::default() }
    }

    fn value(game: &G, state: &G::State, known: &mut HashMap<G::State, f32>) -> f32 {
        if let Some(&value) = known.get(state) {
            return value;
        }
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let value = match game.turn(state) {
            Turn::Terminal => (game.payoff(state) / game.max_payoff()) as f32,
            Turn::Chance => {
                game.chance(state, &mut outcomes);
                let mut sum = 0.0;
                for (outcome, probability) in outcomes {
                    let child = game.apply(state, outcome);
                    sum += probability * f64::from(Self::value(game, &child, known));
                }
                sum as f32
            }
            Turn::Player(player) => {
                game.actions(state, &mut actions);
                let sign = player.sign() as f32;
                let mut best = f32::NEG_INFINITY;
                for action in actions {
                    let child = game.apply(state, action);
                    best = best.max(sign * Self::value(game, &child, known));
                }
                sign * best
            }
        };
        known.insert(state.clone(), value);
        value
    }
}

impl<G: Game> Default for PerfectInformation<G> {
    fn default() -> Self {
        PerfectInformation::new()
    }
}

impl<G: Game + 'static> Evaluator<G> for PerfectInformation<G> {
    fn children(
        &mut self,
        game: &G,
        _state: &G::State,
        _actions: &[G::Action],
        children: &[G::State],
        values: &mut Vec<f32>,
    ) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        values.clear();
        values.extend(children.iter().map(|child| Self::value(game, child, &mut known)));
    }

    fn fork(&self) -> Box<dyn Evaluator<G>> {
        Box::new(PerfectInformation { known: Arc::clone(&self.known) })
    }
}
