//! Python bindings of Obscuro: the only crate that knows Python.
use pyo3::prelude::*;

#[pymodule]
mod _core {}
