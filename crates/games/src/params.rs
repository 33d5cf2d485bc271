use std::ops::RangeInclusive;

use crate::phantom::ObsType;
use crate::registry::nearest;

/// Why a game could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No game has this name.
    #[error("there is no game {name:?}; did you mean {nearest:?}? The games are {known}")]
    UnknownGame {
        /// The name that was given.
        name: String,
        /// The name most like it.
        nearest: String,
        /// All names.
        known: String,
    },
    /// The game has no such parameter.
    #[error("{game} has no parameter {name:?}; did you mean {nearest:?}? It has {known}")]
    UnknownParameter {
        /// The game.
        game: String,
        /// The parameter that was given.
        name: String,
        /// The parameter most like it.
        nearest: String,
        /// All parameters.
        known: String,
    },
    /// The parameter cannot have this value.
    #[error("{name} is {value:?}, expected {expected}")]
    BadValue {
        /// The parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// What it can be.
        expected: String,
    },
    /// The text is not of the form `name(parameter=value,...)`.
    #[error("cannot read the game {text:?}: {reason}; expected name or name(parameter=value,...)")]
    Syntax {
        /// The text that was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl GameError {
    pub(crate) fn check_range(
        name: &str,
        value: i64,
        range: RangeInclusive<i64>,
    ) -> Result<(), GameError> {
        if range.contains(&value) {
            return Ok(());
        }
        let expected = match (range.start(), range.end()) {
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low} to {high}"),
        };
        Err(GameError::BadValue { name: name.into(), value: value.to_string(), expected })
    }
}

/// The parameters of one game as written, taken out one by one by its constructor.
pub(crate) struct Params {
    game: String,
    given: Vec<(String, String)>,
    /// The names asked for, which are all that the game has.
    known: Vec<&'static str>,
}

impl Params {
    /// Splits `name(parameter=value,...)`; a value may have parentheses of its own.
    pub(crate) fn parse(text: &str) -> Result<Params, GameError> {
        let wrong = |reason: &str| GameError::Syntax { text: text.into(), reason: reason.into() };
        let text = text.trim();
        let (game, inside) = match text.split_once('(') {
            None => (text, ""),
            Some((game, rest)) => {
                let inside = rest.strip_suffix(')').ok_or_else(|| wrong("it does not end in )"))?;
                (game, inside)
            }
        };
        if game.is_empty() || !game.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(wrong("the name is not a word"));
        }
        let mut given: Vec<(String, String)> = Vec::new();
        for part in split_outside(inside).ok_or_else(|| wrong("the parentheses do not match"))? {
            let (name, value) =
                part.split_once('=').ok_or_else(|| wrong(&format!("{part:?} has no =")))?;
            let name = name.trim();
            if given.iter().any(|(known, _)| known == name) {
                return Err(wrong(&format!("{name} is there twice")));
            }
            given.push((name.into(), value.trim().into()));
        }
        Ok(Params { game: game.into(), given, known: Vec::new() })
    }

    pub(crate) fn game(&self) -> &str {
        &self.game
    }

    /// The value of a parameter as it was written.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        let at = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.swap_remove(at).1)
    }

    pub(crate) fn int(
        &mut self,
        name: &'static str,
        default: i64,
        range: RangeInclusive<i64>,
    ) -> Result<i64, GameError> {
        let Some(text) = self.text(name) else { return Ok(default) };
        let value = text.parse().map_err(|_| GameError::BadValue {
            name: name.into(),
            value: text.clone(),
            expected: "a whole number".into(),
        })?;
        GameError::check_range(name, value, range)?;
        Ok(value)
    }

    /// One of the words; the first is the default.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<T, GameError> {
        let Some(text) = self.text(name) else { return Ok(words[0].1) };
        words.iter().find(|word| word.0 == text).map(|word| word.1).ok_or_else(|| {
            let expected = words.iter().map(|word| word.0).collect::<Vec<_>>().join(" or ");
            GameError::BadValue { name: name.into(), value: text, expected }
        })
    }

    pub(crate) fn obs_type(&mut self) -> Result<ObsType, GameError> {
        let types = [
            ("reveal-nothing", ObsType::RevealNothing),
            ("reveal-numturns", ObsType::RevealNumTurns),
        ];
        self.choice("obstype", &types)
    }

    /// Fails if a parameter was given that the game did not ask for.
    pub(crate) fn finish(self) -> Result<(), GameError> {
        let Some((name, _)) = self.given.into_iter().next() else { return Ok(()) };
        let nearest = nearest(&name, &self.known).into();
        let known = self.known.join(", ");
        Err(GameError::UnknownParameter { game: self.game, name, nearest, known })
    }
}

/// The parts between commas that are in no parentheses, or nothing if those do not match.
fn split_outside(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(&text[start..]);
    }
    (depth == 0).then_some(parts)
}
