use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use obscuro_game::InfosetKey;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::canonical;

/// A state or an observation of a game written in Python: the object, and [bytes](canonical) by
/// which it is compared and hashed without the interpreter.
#[derive(Clone)]
pub(crate) struct Value(Arc<Held>);

struct Held {
    object: Py<PyAny>,
    bytes: Box<[u8]>,
    hash: u64,
}

impl Value {
    pub(super) fn new(object: Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = canonical::encode(&object)?.into_boxed_slice();
        let hash = InfosetKey::root(&bytes).get();
        Ok(Value(Arc::new(Held { object: object.unbind(), bytes, hash })))
    }

    pub(crate) fn bind<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.0.object.bind(py)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.hash == other.0.hash && self.0.bytes == other.0.bytes
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash);
    }
}

/// An action of a game written in Python.
///
/// Actions are copied all the time, so each is kept once, for the life of the process, as Python
/// keeps its interned strings.
#[derive(Clone, Copy)]
pub(crate) struct Action(&'static Interned);

struct Interned {
    object: Py<PyAny>,
    bytes: Box<[u8]>,
    hash: u64,
    text: String,
}

/// By the bytes and the type: `1` and `True` are equal, but a game gets back what it gave.
type Interner = HashMap<(Box<[u8]>, usize), &'static Interned>;

static INTERNER: LazyLock<Mutex<Interner>> = LazyLock::new(Mutex::default);

impl Action {
    pub(super) fn new(object: Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = canonical::encode(&object)?.into_boxed_slice();
        let key = (bytes, object.get_type().as_ptr() as usize);
        let known = || INTERNER.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&interned) = known().get(&key) {
            return Ok(Action(interned));
        }
        // Runs Python code, so not under the lock.
        let text = plain_text(&object)?;
        let hash = InfosetKey::root(&key.0).get();
        let fresh = || {
            let bytes = key.0.clone();
            let interned = Interned { object: object.unbind(), bytes, hash, text };
            &*Box::leak(Box::new(interned))
        };
        Ok(Action(known().entry(key.clone()).or_insert_with(fresh)))
    }

    pub(crate) fn bind(self, py: Python<'_>) -> &Bound<'_, PyAny> {
        self.0.object.bind(py)
    }

    /// The action [in words](plain_text).
    pub(super) fn text(self) -> &'static str {
        &self.0.text
    }
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
            || self.0.hash == other.0.hash && self.0.bytes == other.0.bytes
    }
}

impl Eq for Action {}

impl Hash for Action {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

/// A value in words: a text as it is, anything else by its `repr`.
pub(super) fn plain_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Ok(value.repr()?.to_str()?.to_owned()),
    }
}
