use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use obscuro_game::{Game, Player, Turn};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::value::{Action, Value, plain_text};
use crate::errors;

/// As Python's `obscuro.games` names them; the numbers are `OpenSpiel`'s.
pub(super) const CHANCE: i64 = -1;
pub(super) const TERMINAL: i64 = -4;

const REQUIRED: [&str; 7] = ["root", "turn", "actions", "chance", "apply", "observe", "payoff"];

/// How much of a value is quoted in a message.
const QUOTED: usize = 300;

/// A game written in Python.
///
/// It attaches to the interpreter in every call, so whoever runs it must have detached. The first
/// exception of the game is kept for [`PyGame::check`]; from then on every state is the end of the
/// game with payoff zero, which brings whatever runs on it to an end soon.
#[derive(Clone)]
pub(crate) struct PyGame {
    methods: Arc<Methods>,
    failure: Arc<Failure>,
    /// Whether nothing to do at a turn is a failure, which other code need not expect then.
    strict: bool,
}

/// The game's bound methods, looked up once.
struct Methods {
    name: String,
    root: Py<PyAny>,
    turn: Py<PyAny>,
    actions: Py<PyAny>,
    chance: Py<PyAny>,
    apply: Py<PyAny>,
    observe: Py<PyAny>,
    payoff: Py<PyAny>,
    is_silent: Option<Py<PyAny>>,
    action_text: Option<Py<PyAny>>,
    observation_text: Option<Py<PyAny>>,
    state_text: Option<Py<PyAny>>,
    max_payoff: f64,
    /// Stand for whatever a game that failed was asked for.
    nothing: Value,
    do_nothing: Action,
}

#[derive(Default)]
struct Failure {
    happened: AtomicBool,
    first: Mutex<Option<PyErr>>,
}

impl PyGame {
    pub(super) fn new(game: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = game.py();
        let name = game.get_type().name()?.to_string();
        for method in REQUIRED {
            if !game.getattr_opt(method)?.is_some_and(|found| found.is_callable()) {
                return Err(errors::contract(format!(
                    "{name} has no method {method:?}: a game has {}",
                    REQUIRED.join(", ")
                )));
            }
        }
        let required = |method: &str| game.getattr(method).map(Bound::unbind);
        let optional = |method: &str| Ok::<_, PyErr>(game.getattr_opt(method)?.map(Bound::unbind));
        Ok(PyGame {
            methods: Arc::new(Methods {
                root: required("root")?,
                turn: required("turn")?,
                actions: required("actions")?,
                chance: required("chance")?,
                apply: required("apply")?,
                observe: required("observe")?,
                payoff: required("payoff")?,
                is_silent: optional("is_silent")?,
                action_text: optional("action_text")?,
                observation_text: optional("observation_text")?,
                state_text: optional("state_text")?,
                max_payoff: max_payoff(game, &name)?,
                nothing: Value::new(py.None().into_bound(py))?,
                do_nothing: Action::new(py.None().into_bound(py))?,
                name,
            }),
            failure: Arc::default(),
            strict: true,
        })
    }

    /// The same game with failures of its own.
    pub(crate) fn fresh(&self) -> Self {
        let methods = Arc::clone(&self.methods);
        PyGame { methods, failure: Arc::default(), strict: true }
    }

    /// The same game for code that checks whether there is something to do at each turn.
    pub(super) fn lenient(&self) -> Self {
        PyGame { strict: false, ..self.fresh() }
    }

    pub(super) fn name(&self) -> &str {
        &self.methods.name
    }

    /// A state or an observation as the game would give it.
    pub(crate) fn value(given: Bound<'_, PyAny>) -> PyResult<Value> {
        Value::new(given)
    }

    /// An action as the game would give it.
    pub(crate) fn action(given: Bound<'_, PyAny>) -> PyResult<Action> {
        Action::new(given)
    }

    /// Raises the first exception that the game has raised, and forgets it.
    pub(crate) fn check(&self) -> PyResult<()> {
        self.failure.happened.store(false, Ordering::Relaxed);
        match self.failure.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Asks the game, unless it has failed already; then, or if it fails now, gives `neutral`.
    fn ask<T>(
        &self,
        neutral: impl Fn() -> T,
        question: impl for<'py> FnOnce(Python<'py>, &Methods) -> PyResult<T>,
    ) -> T {
        if self.failure.happened.load(Ordering::Relaxed) {
            return neutral();
        }
        let answer = Python::try_attach(|py| {
            question(py, &self.methods).unwrap_or_else(|error| {
                self.failure.happened.store(true, Ordering::Relaxed);
                let first = &mut *self.failure.first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(error);
                neutral()
            })
        });
        // The interpreter is going down, and nobody will ask for the answer.
        answer.unwrap_or_else(neutral)
    }

    /// A value in the game's words, if it has a method for that.
    fn text(&self, what: &'static str, method: Option<&Py<PyAny>>, about: &Value) -> String {
        self.ask(String::new, |py, game| {
            let asked = [about.bind(py).clone()];
            match method {
                None => plain_text(&asked[0]),
                Some(method) => {
                    game.call(what, method, &asked, "a string", |given| given.extract(), py)
                }
            }
        })
    }
}

impl Methods {
    /// An exception of the game, with a note that says what it was asked.
    fn note(&self, py: Python<'_>, error: PyErr, what: &str, asked: &[Bound<'_, PyAny>]) -> PyErr {
        let note = format!("in {}", self.quote(what, asked));
        let value = error.value(py);
        // `add_note` is younger than Python 3.10; an exception may refuse attributes altogether,
        // and is worth more than its note.
        let noted = value.call_method1(intern!(py, "add_note"), (note,));
        drop(noted);
        error
    }

    fn quote(&self, what: &str, asked: &[Bound<'_, PyAny>]) -> String {
        let asked: Vec<_> = asked.iter().map(quoted).collect();
        format!("{}.{what}({})", self.name, asked.join(", "))
    }

    /// Calls a method and makes something of what it gives.
    fn call<'py, T>(
        &self,
        what: &str,
        method: &Py<PyAny>,
        asked: &[Bound<'py, PyAny>],
        expected: &str,
        convert: impl FnOnce(Bound<'py, PyAny>) -> PyResult<T>,
        py: Python<'py>,
    ) -> PyResult<T> {
        let given = self.raw(py, what, method, asked)?;
        convert(given.clone()).map_err(|error| self.unfit(py, error, what, &given, expected, asked))
    }

    /// Calls a method that gives a list, or yields its items.
    fn call_list<'py, T>(
        &self,
        what: &str,
        method: &Py<PyAny>,
        asked: &[Bound<'py, PyAny>],
        expected: &str,
        convert: impl Fn(Bound<'py, PyAny>) -> PyResult<T>,
        strict: bool,
    ) -> PyResult<Vec<T>> {
        let py = asked[0].py();
        let given = self.raw(py, what, method, asked)?;
        let unfit = |error| self.unfit(py, error, what, &given, expected, asked);
        let mut list = Vec::new();
        for item in given.try_iter().map_err(unfit)? {
            // The game's own code runs here if it is a generator.
            let item = item.map_err(|error| self.note(py, error, what, asked))?;
            list.push(convert(item).map_err(unfit)?);
        }
        if list.is_empty() && strict {
            return Err(unfit(PyValueError::new_err("there must be one at least")));
        }
        Ok(list)
    }

    fn raw<'py>(
        &self,
        py: Python<'py>,
        what: &str,
        method: &Py<PyAny>,
        asked: &[Bound<'py, PyAny>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let tuple = PyTuple::new(py, asked)?;
        method.bind(py).call1(tuple).map_err(|error| self.note(py, error, what, asked))
    }

    fn unfit(
        &self,
        py: Python<'_>,
        error: PyErr,
        what: &str,
        given: &Bound<'_, PyAny>,
        expected: &str,
        asked: &[Bound<'_, PyAny>],
    ) -> PyErr {
        let wrong = errors::contract(format!(
            "{} gave {}, expected {expected}: {}",
            self.quote(what, asked),
            quoted(given),
            error.value(py)
        ));
        wrong.set_cause(py, Some(error));
        wrong
    }
}

fn max_payoff(game: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    let Some(found) = game.getattr_opt("max_payoff")? else { return Ok(1.0) };
    let found = if found.is_callable() { found.call0()? } else { found };
    match found.extract::<f64>() {
        Ok(most) if most.is_finite() && most > 0.0 => Ok(most),
        _ => Err(errors::contract(format!(
            "{name}.max_payoff is {}, expected a number above zero",
            quoted(&found)
        ))),
    }
}

fn quoted(value: &Bound<'_, PyAny>) -> String {
    let Ok(text) = value.repr() else { return "<a value whose repr fails>".into() };
    let text = text.to_string_lossy();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}

fn read_turn(given: &Bound<'_, PyAny>) -> PyResult<Turn> {
    match given.extract::<i64>()? {
        0 => Ok(Turn::Player(Player::One)),
        1 => Ok(Turn::Player(Player::Two)),
        CHANCE => Ok(Turn::Chance),
        TERMINAL => Ok(Turn::Terminal),
        other => Err(PyValueError::new_err(format!("{other} is nobody's number"))),
    }
}

impl Game for PyGame {
    type State = Value;
    type Action = Action;
    type Observation = Value;

    fn root(&self) -> Value {
        let nothing = || self.methods.nothing.clone();
        self.ask(nothing, |py, game| game.call("root", &game.root, &[], "a state", Value::new, py))
    }

    fn turn(&self, state: &Value) -> Turn {
        self.ask(
            || Turn::Terminal,
            |py, game| {
                let asked = [state.bind(py).clone()];
                let expected = "0, 1, CHANCE (-1) or TERMINAL (-4)";
                game.call("turn", &game.turn, &asked, expected, |given| read_turn(&given), py)
            },
        )
    }

    fn actions(&self, state: &Value, actions: &mut Vec<Action>) {
        let nothing = || vec![self.methods.do_nothing];
        actions.extend(self.ask(nothing, |py, game| {
            let asked = [state.bind(py).clone()];
            let expected = "a list of actions";
            game.call_list("actions", &game.actions, &asked, expected, Action::new, self.strict)
        }));
    }

    fn chance(&self, state: &Value, outcomes: &mut Vec<(Action, f64)>) {
        let nothing = || vec![(self.methods.do_nothing, 1.0)];
        outcomes.extend(self.ask(nothing, |py, game| {
            let asked = [state.bind(py).clone()];
            let expected = "a list of pairs of an outcome and its probability";
            let read = |pair: Bound<'_, PyAny>| {
                let (outcome, probability) = pair.extract::<(Bound<'_, PyAny>, f64)>()?;
                Ok((Action::new(outcome)?, probability))
            };
            game.call_list("chance", &game.chance, &asked, expected, read, self.strict)
        }));
    }

    fn apply(&self, state: &Value, action: Action) -> Value {
        let nothing = || self.methods.nothing.clone();
        self.ask(nothing, |py, game| {
            let asked = [state.bind(py).clone(), action.bind(py).clone()];
            game.call("apply", &game.apply, &asked, "a state", Value::new, py)
        })
    }

    fn observe(&self, state: &Value, player: Player) -> Value {
        let nothing = || self.methods.nothing.clone();
        self.ask(nothing, |py, game| {
            let number = player.index().into_pyobject(py)?.into_any();
            let asked = [state.bind(py).clone(), number];
            game.call("observe", &game.observe, &asked, "an observation", Value::new, py)
        })
    }

    fn is_silent(&self, seen: &Value) -> bool {
        let Some(method) = &self.methods.is_silent else { return false };
        self.ask(
            || false,
            |py, game| {
                let asked = [seen.bind(py).clone()];
                let read = |given: Bound<'_, PyAny>| given.extract::<bool>();
                game.call("is_silent", method, &asked, "True or False", read, py)
            },
        )
    }

    fn payoff(&self, state: &Value) -> f64 {
        self.ask(
            || 0.0,
            |py, game| {
                let asked = [state.bind(py).clone()];
                let read = |given: Bound<'_, PyAny>| given.extract::<f64>();
                game.call("payoff", &game.payoff, &asked, "a number", read, py)
            },
        )
    }

    fn max_payoff(&self) -> f64 {
        self.methods.max_payoff
    }

    fn action_text(&self, state: &Value, action: Action) -> String {
        let Some(method) = &self.methods.action_text else { return action.text().to_owned() };
        self.ask(String::new, |py, game| {
            let asked = [state.bind(py).clone(), action.bind(py).clone()];
            game.call("action_text", method, &asked, "a string", |given| given.extract(), py)
        })
    }

    fn observation_text(&self, seen: &Value) -> String {
        self.text("observation_text", self.methods.observation_text.as_ref(), seen)
    }

    fn state_text(&self, state: &Value) -> String {
        self.text("state_text", self.methods.state_text.as_ref(), state)
    }
}
