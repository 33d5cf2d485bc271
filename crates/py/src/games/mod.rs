//! All games for Python: the native ones by name, Fog of War chess, and Python's own.

mod canonical;
mod native;
mod py_game;
mod value;

use std::sync::Arc;

use obscuro_fow::{FowChess, Position};
use obscuro_game::{Player, PlyLimit, check_game};
use obscuro_games::{AnyGame, GameVisitor, playthrough};
use pyo3::prelude::*;

use self::native::Native;
pub(crate) use self::native::{GameObservation, GameState, NativeGame, number};
pub(crate) use self::py_game::PyGame;
use crate::errors;
use crate::fow::board::FowBoard;

/// A game of any of the types that there are here.
#[derive(Clone)]
pub(crate) enum Playable {
    Small(AnyGame),
    Fow(FowChess),
    FowLimited(PlyLimit<FowChess>),
    Python(PyGame),
}

impl Playable {
    /// Runs generic code on the game.
    fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        match self {
            Playable::Small(game) => game.visit(visitor),
            Playable::Fow(game) => visitor.visit(game),
            Playable::FowLimited(game) => visitor.visit(game),
            Playable::Python(game) => visitor.visit(game),
        }
    }
}

/// A game, whatever it is written in.
#[pyclass(name = "Game", module = "obscuro._core", frozen)]
pub(crate) struct Game {
    name: String,
    playable: Playable,
    /// For a native game: what Python may ask of it.
    native: Option<NativeGame>,
}

impl Game {
    /// Runs generic code on the game without holding the interpreter.
    ///
    /// If the game is written in Python and raised an exception, that is the result, whatever the
    /// code made of the answers that it was given instead.
    pub(crate) fn run<V>(&self, py: Python<'_>, visitor: V) -> PyResult<V::Output>
    where
        V: GameVisitor<Output: Send> + Send,
    {
        match &self.playable {
            Playable::Python(game) => run_python(py, &game.fresh(), visitor),
            native => Ok(py.detach(|| native.visit(visitor))),
        }
    }

    pub(crate) fn playable(&self) -> &Playable {
        &self.playable
    }

    fn of_native(name: String, playable: Playable) -> Self {
        let native = NativeGame { name: name.as_str().into(), game: playable.visit(Erase) };
        Game { name, playable, native: Some(native) }
    }

    pub(crate) fn native(&self) -> PyResult<&NativeGame> {
        self.native.as_ref().ok_or_else(|| {
            errors::game(format!("{} is written in Python: ask the game itself", self.name))
        })
    }
}

fn run_python<V>(py: Python<'_>, game: &PyGame, visitor: V) -> PyResult<V::Output>
where
    V: GameVisitor<Output: Send> + Send,
{
    let output = py.detach(|| visitor.visit(game));
    game.check()?;
    Ok(output)
}

struct Erase;

impl GameVisitor for Erase {
    type Output = Arc<dyn Native>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Arc<dyn Native> {
        Arc::new(game.clone())
    }
}

struct Check {
    playouts: u32,
    seed: u64,
}

impl GameVisitor for Check {
    type Output = Result<(), String>;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> Result<(), String> {
        check_game(game, self.playouts, self.seed).map_err(|violation| violation.to_string())
    }
}

struct Playthrough {
    seed: u64,
}

impl GameVisitor for Playthrough {
    type Output = String;

    fn visit<G: obscuro_game::Game + Clone + 'static>(self, game: &G) -> String {
        playthrough(game, self.seed)
    }
}

/// A player from 0 or 1.
pub(crate) fn player(number: i64) -> PyResult<Player> {
    match number {
        0 => Ok(Player::One),
        1 => Ok(Player::Two),
        _ => Err(errors::game(format!("player is {number}, expected 0 or 1"))),
    }
}

/// The type of a native value is that of its game, as both were made from the same name.
fn same_game<T>(found: Option<T>, game: &NativeGame) -> PyResult<T> {
    found.ok_or_else(|| errors::game(format!("this is not a value of {}", game.name)))
}

#[pymethods]
impl Game {
    /// A native game by its name in the manner of `OpenSpiel`.
    #[staticmethod]
    fn load(name: &str) -> PyResult<Self> {
        let game = obscuro_games::load(name).map_err(|error| errors::game(error.to_string()))?;
        Ok(Game::of_native(name.to_owned(), Playable::Small(game)))
    }

    /// The names of the native games.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        obscuro_games::names().to_vec()
    }

    /// Fog of War chess from a position, ended after a number of plies if one is given.
    #[staticmethod]
    #[pyo3(signature = (name, board, plies=None))]
    fn fow_chess(name: String, board: &FowBoard, plies: Option<u32>) -> Self {
        let position: Position = *board.0.position();
        let game = FowChess::new(position);
        let playable = match plies {
            Some(plies) => Playable::FowLimited(PlyLimit::new(game, plies)),
            None => Playable::Fow(game),
        };
        Game::of_native(name, playable)
    }

    /// A game written in Python.
    #[staticmethod]
    fn wrap(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let game = PyGame::new(game)?;
        Ok(Game { name: game.name().to_owned(), playable: Playable::Python(game), native: None })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Raises a `ContractError` if random playouts show that the game breaks a rule.
    fn check(&self, py: Python<'_>, playouts: u32, seed: u64) -> PyResult<()> {
        let check = Check { playouts, seed };
        let checked = match &self.playable {
            Playable::Python(game) => run_python(py, &game.lenient(), check),
            _ => self.run(py, check),
        };
        checked?.map_err(errors::contract)
    }

    fn playthrough(&self, py: Python<'_>, seed: u64) -> PyResult<String> {
        self.run(py, Playthrough { seed })
    }

    fn max_payoff(&self) -> f64 {
        match &self.playable {
            Playable::Python(game) => obscuro_game::Game::max_payoff(game),
            _ => self.native.as_ref().map_or(1.0, |native| native.game.max_payoff()),
        }
    }

    fn root(&self) -> PyResult<GameState> {
        let native = self.native()?;
        Ok(GameState::new(native, native.game.root()))
    }

    fn turn(&self, state: &GameState) -> PyResult<i64> {
        let native = self.native()?;
        same_game(native.game.turn(state.of(native)?), native)
    }

    /// What can be done at a state: number, probability if it is chance's, and text.
    fn choices(&self, state: &GameState) -> PyResult<Vec<(u32, f64, String)>> {
        let native = self.native()?;
        let choices = same_game(native.game.choices(state.of(native)?), native)?;
        Ok(choices.into_iter().map(|c| (c.number, c.probability, c.text)).collect())
    }

    fn apply(&self, state: &GameState, action: u32) -> PyResult<GameState> {
        let native = self.native()?;
        let state = state.of(native)?;
        let choices = same_game(native.game.choices(state), native)?;
        let Some(index) = choices.iter().position(|choice| choice.number == action) else {
            let legal: Vec<_> = choices.iter().map(|choice| choice.number.to_string()).collect();
            return Err(errors::game(format!(
                "{action} is not an action at {}, where there are [{}]",
                native.game.state_text(state).unwrap_or_default(),
                legal.join(", ")
            )));
        };
        let child = same_game(native.game.apply(state, index), native)?;
        Ok(GameState::new(native, child))
    }

    #[pyo3(signature = (state, player))]
    fn observe(&self, state: &GameState, player: i64) -> PyResult<GameObservation> {
        let native = self.native()?;
        let seen = native.game.observe(state.of(native)?, self::player(player)?);
        Ok(GameObservation::new(native, same_game(seen, native)?))
    }

    fn is_silent(&self, seen: &GameObservation) -> PyResult<bool> {
        let native = self.native()?;
        same_game(native.game.is_silent(seen.of(native)?), native)
    }

    fn payoff(&self, state: &GameState) -> PyResult<f64> {
        let native = self.native()?;
        let value = state.of(native)?;
        if same_game(native.game.turn(value), native)? != py_game::TERMINAL {
            let text = native.game.state_text(value).unwrap_or_default();
            return Err(errors::game(format!("the game is not over at {text}: it has no payoff")));
        }
        same_game(native.game.payoff(value), native)
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.name)
    }
}
