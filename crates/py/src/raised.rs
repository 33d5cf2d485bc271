//! Exceptions of Python functions that a search calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// The first exception that a function has raised since it was last asked for.
///
/// A search cannot be broken off in the middle of a call: it goes on with what does not matter any
/// more, and who began it raises the exception at its end.
#[derive(Default)]
pub(crate) struct Raised {
    failed: AtomicBool,
    first: Mutex<Option<PyErr>>,
}

impl Raised {
    /// What `call` gives; nothing if it raises, or another call has raised before.
    pub(crate) fn guard<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        match Python::try_attach(call)? {
            Ok(result) => Some(result),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                let first = &mut *self.first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(error);
                None
            }
        }
    }

    /// Raises the exception.
    pub(crate) fn check(&self) -> PyResult<()> {
        self.failed.store(false, Ordering::Relaxed);
        match self.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
