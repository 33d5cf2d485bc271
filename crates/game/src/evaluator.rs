use crate::{Game, Turn};

/// Values the leaves of a growing tree.
///
/// Each expander thread owns one (see [`Evaluator::fork`]), so an implementation keeps its
/// scratch memory in itself and takes no lock.
pub trait Evaluator<G: Game>: Send {
    /// The value of every child of `state` in one call (paper, B.3.4).
    ///
    /// `actions[i]` leads from `state` to `children[i]`; `values[i]` receives the first player's
    /// value in [-1, +1]. A terminal child is valued by the game, not here: what is written for
    /// it is not used.
    fn children(
        &mut self,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        children: &[G::State],
        values: &mut Vec<f32>,
    );

    /// An equal evaluator for another thread, with scratch memory of its own.
    fn fork(&self) -> Box<dyn Evaluator<G>>;

    /// The value of one state alone, which is not terminal: the best of its children for a player
    /// to move, their mean for chance, unless an implementation knows better.
    fn state(&mut self, game: &G, state: &G::State) -> f32 {
        let mut actions = Vec::new();
        let mut outcomes = Vec::new();
        let turn = game.turn(state);
        if turn == Turn::Chance {
            game.chance(state, &mut outcomes);
            actions.extend(outcomes.iter().map(|o| o.0));
        } else {
            game.actions(state, &mut actions);
        }
        let children: Vec<_> = actions.iter().map(|&a| game.apply(state, a)).collect();
        let mut values = Vec::with_capacity(children.len());
        self.children(game, state, &actions, &children, &mut values);
        for (value, child) in values.iter_mut().zip(&children) {
            if game.turn(child) == Turn::Terminal {
                *value = (game.payoff(child) / game.max_payoff()) as f32;
            }
        }
        match turn {
            Turn::Player(player) => {
                let sign = player.sign() as f32;
                let best = values.iter().map(|v| v * sign).fold(f32::NEG_INFINITY, f32::max);
                best * sign
            }
            _ => values.iter().zip(&outcomes).map(|(v, o)| v * o.1 as f32).sum(),
        }
    }
}

/// Every leaf is worth nothing to either player.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroEvaluator;

impl<G: Game> Evaluator<G> for ZeroEvaluator {
    fn children(
        &mut self,
        _game: &G,
        _state: &G::State,
        _actions: &[G::Action],
        children: &[G::State],
        values: &mut Vec<f32>,
    ) {
        values.clear();
        values.resize(children.len(), 0.0);
    }

    fn fork(&self) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}
