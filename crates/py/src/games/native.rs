//! States and observations of the native games as Python objects.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use obscuro_fow::Move;
use obscuro_game::{Game, InfosetKey, Player, Turn};
use pyo3::prelude::*;

use super::py_game::{CHANCE, TERMINAL};
use crate::errors;

/// A game whose states have no type any more.
pub(crate) trait Native: Send + Sync {
    fn root(&self) -> Box<dyn Opaque>;
    fn turn(&self, state: &dyn Opaque) -> Option<i64>;
    /// The legal actions or the outcomes of chance, by number and in words.
    fn choices(&self, state: &dyn Opaque) -> Option<Vec<Choice>>;
    /// The state after the choice with this index.
    fn apply(&self, state: &dyn Opaque, index: usize) -> Option<Box<dyn Opaque>>;
    fn observe(&self, state: &dyn Opaque, player: Player) -> Option<Box<dyn Opaque>>;
    fn is_silent(&self, seen: &dyn Opaque) -> Option<bool>;
    fn payoff(&self, state: &dyn Opaque) -> Option<f64>;
    fn max_payoff(&self) -> f64;
    fn state_text(&self, state: &dyn Opaque) -> Option<String>;
    fn observation_text(&self, seen: &dyn Opaque) -> Option<String>;
}

/// Something that can be done at a state, and its probability if chance does it.
pub(crate) struct Choice {
    pub(super) number: u32,
    pub(super) text: String,
    pub(super) probability: f64,
}

/// A state or an observation of any type.
pub(crate) trait Opaque: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Opaque) -> bool;
    /// Two hashes that are the same in every process.
    fn hashes(&self) -> [u64; 2];
}

impl<T: Any + Eq + Hash + Send + Sync> Opaque for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn equals(&self, other: &dyn Opaque) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
    fn hashes(&self) -> [u64; 2] {
        let first = InfosetKey::root(self);
        [first.get(), first.extend(None::<&u8>, self).get()]
    }
}

fn state_of<G: Game<State: 'static>>(state: &dyn Opaque) -> Option<&G::State> {
    state.as_any().downcast_ref()
}

/// The number of an action: `OpenSpiel`'s, or a move of chess.
pub(crate) fn number(action: &dyn Any) -> Option<u32> {
    let small = action.downcast_ref::<u8>().map(|&number| u32::from(number));
    small.or_else(|| action.downcast_ref::<Move>().map(|&mv| u32::from(crate::fow::encode(mv))))
}

impl<G: Game<State: 'static, Action: 'static, Observation: 'static>> Native for G {
    fn root(&self) -> Box<dyn Opaque> {
        Box::new(Game::root(self))
    }

    fn turn(&self, state: &dyn Opaque) -> Option<i64> {
        Some(match Game::turn(self, state_of::<G>(state)?) {
            Turn::Player(player) => player.index() as i64,
            Turn::Chance => CHANCE,
            Turn::Terminal => TERMINAL,
        })
    }

    fn choices(&self, state: &dyn Opaque) -> Option<Vec<Choice>> {
        let state = state_of::<G>(state)?;
        let choices = listed(self, state).into_iter().map(|(action, probability)| {
            let text = self.action_text(state, action);
            Some(Choice { number: number(&action)?, text, probability })
        });
        choices.collect()
    }

    fn apply(&self, state: &dyn Opaque, index: usize) -> Option<Box<dyn Opaque>> {
        let state = state_of::<G>(state)?;
        let &(action, _) = listed(self, state).get(index)?;
        Some(Box::new(Game::apply(self, state, action)))
    }

    fn observe(&self, state: &dyn Opaque, player: Player) -> Option<Box<dyn Opaque>> {
        Some(Box::new(Game::observe(self, state_of::<G>(state)?, player)))
    }

    fn is_silent(&self, seen: &dyn Opaque) -> Option<bool> {
        Some(Game::is_silent(self, seen.as_any().downcast_ref()?))
    }

    fn payoff(&self, state: &dyn Opaque) -> Option<f64> {
        Some(Game::payoff(self, state_of::<G>(state)?))
    }

    fn max_payoff(&self) -> f64 {
        Game::max_payoff(self)
    }

    fn state_text(&self, state: &dyn Opaque) -> Option<String> {
        Some(Game::state_text(self, state_of::<G>(state)?))
    }

    fn observation_text(&self, seen: &dyn Opaque) -> Option<String> {
        Some(Game::observation_text(self, seen.as_any().downcast_ref()?))
    }
}

/// What can be done at a state: nothing once the game is over.
fn listed<G: Game>(game: &G, state: &G::State) -> Vec<(G::Action, f64)> {
    let mut choices = Vec::new();
    match Game::turn(game, state) {
        Turn::Terminal => {}
        Turn::Chance => game.chance(state, &mut choices),
        Turn::Player(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            choices.extend(actions.into_iter().map(|action| (action, 1.0)));
        }
    }
    choices
}

/// A native game with its name, which tells its states from those of others.
#[derive(Clone)]
pub(crate) struct NativeGame {
    pub(crate) name: Arc<str>,
    pub(super) game: Arc<dyn Native>,
}

macro_rules! opaque_class {
    ($(#[$doc:meta])* $class:ident, $text:ident) => {
        $(#[$doc])*
        #[pyclass(module = "obscuro._core", frozen)]
        pub(crate) struct $class {
            game: NativeGame,
            value: Box<dyn Opaque>,
        }

        impl $class {
            pub(crate) fn new(game: &NativeGame, value: Box<dyn Opaque>) -> Self {
                $class { game: game.clone(), value }
            }

            /// The value, if it belongs to this game.
            pub(crate) fn of(&self, game: &NativeGame) -> PyResult<&dyn Opaque> {
                if self.game.name == game.name {
                    return Ok(&*self.value);
                }
                Err(errors::game(format!("{} belongs to {}, not to {}", self.text(),
                    self.game.name, game.name)))
            }

            /// What tells it from all others, the same in every process.
            pub(super) fn bytes(&self) -> Vec<u8> {
                let hashes = self.value.hashes();
                [self.game.name.as_bytes(), &hashes.map(u64::to_le_bytes).concat()].concat()
            }

            fn text(&self) -> String {
                self.game.game.$text(&*self.value).unwrap_or_default()
            }
        }

        #[pymethods]
        impl $class {
            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| {
                    let other = other.get();
                    self.game.name == other.game.name && self.value.equals(&*other.value)
                })
            }

            fn __hash__(&self) -> u64 {
                let mut hasher = std::hash::DefaultHasher::new();
                self.value.hashes().hash(&mut hasher);
                hasher.finish()
            }

            fn __str__(&self) -> String {
                self.text()
            }

            fn __repr__(&self) -> String {
                format!("<{} of {}: {}>", stringify!($class), self.game.name, self.text())
            }
        }
    };
}

opaque_class! {
    /// A state of a native game.
    GameState, state_text
}
opaque_class! {
    /// An observation in a native game.
    GameObservation, observation_text
}
