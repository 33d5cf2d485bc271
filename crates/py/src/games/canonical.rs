//! Python values as bytes that are the same in every process, for hashing and comparing them
//! without the interpreter. (Python's own hash of a string differs from process to process.)
//!
//! Values of the kinds below have equal bytes exactly if they are equal in Python. Any other
//! hashable object counts as its type and its `repr`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyFrozenSet, PyInt, PyString, PyTuple, PyType};

use super::native::{GameObservation, GameState};

/// Deeper than this a value is taken to be built wrong; the stack bears a multiple of it.
const MAX_DEPTH: usize = 500;

/// The bytes of a hashable value.
pub(super) fn encode(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::with_capacity(32);
    write(value, &mut bytes, 0)?;
    Ok(bytes)
}

/// Every kind begins with a letter of its own and says its length, so that no two values run into
/// each other.
fn write(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    if depth > MAX_DEPTH {
        return Err(PyValueError::new_err(format!(
            "a value is nested more than {MAX_DEPTH} levels deep"
        )));
    }
    if value.is_none() {
        out.push(b'N');
    } else if value.is_instance_of::<PyInt>() {
        write_int(value, out)?;
    } else if let Ok(text) = value.cast::<PyString>() {
        write_block(b'S', text.to_str()?.as_bytes(), out);
    } else if let Ok(items) = value.cast::<PyTuple>() {
        out.push(b'T');
        write_len(items.len(), out);
        for item in items.iter_borrowed() {
            write(&item, out, depth + 1)?;
        }
    } else if let Ok(number) = value.cast::<PyFloat>() {
        write_float(number, out)?;
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        write_block(b'B', bytes.as_bytes(), out);
    } else if let Ok(items) = value.cast::<PyFrozenSet>() {
        write_set(items, out, depth)?;
    } else {
        write_object(value, out, depth)?;
    }
    Ok(())
}

fn write_int(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
    if let Ok(small) = value.extract::<i64>() {
        out.push(b'I');
        out.extend_from_slice(&small.to_le_bytes());
    } else {
        // An enum's text would be its name.
        let plain = value.call_method0(intern!(value.py(), "__index__"))?;
        let text = plain.call_method1(intern!(value.py(), "__format__"), ("x",))?;
        write_block(b'L', text.extract::<&str>()?.as_bytes(), out);
    }
    Ok(())
}

/// A whole number is the same number as an integer, as in Python.
fn write_float(number: &Bound<'_, PyFloat>, out: &mut Vec<u8>) -> PyResult<()> {
    let float = number.value();
    if float.is_finite() && float.fract() == 0.0 {
        return write_int(&number.call_method0(intern!(number.py(), "__int__"))?, out);
    }
    out.push(b'F');
    out.extend_from_slice(&float.to_bits().to_le_bytes());
    Ok(())
}

fn write_set(items: &Bound<'_, PyFrozenSet>, out: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    let mut blocks = Vec::with_capacity(items.len());
    for item in items {
        let mut block = Vec::new();
        write(&item, &mut block, depth + 1)?;
        blocks.push(block);
    }
    blocks.sort_unstable();
    out.push(b'Z');
    write_len(blocks.len(), out);
    for block in blocks {
        out.extend_from_slice(&block);
    }
    Ok(())
}

/// How the objects of a class are written. Each begins with the name of the class.
#[derive(Clone)]
enum Kind {
    State,
    Observation,
    Enum(Arc<[u8]>),
    /// With the names of the fields that are compared.
    Dataclass(Arc<[u8]>, Arc<[Py<PyString>]>),
    /// The integers of `NumPy`.
    Index,
    Repr(Arc<[u8]>),
}

/// The classes met so far, by address; each is kept alive, so that no other can have its address.
type Kinds = HashMap<usize, (Py<PyType>, Kind)>;

static KINDS: LazyLock<Mutex<Kinds>> = LazyLock::new(Mutex::default);

fn kind_of(class: &Bound<'_, PyType>) -> PyResult<Kind> {
    let kinds = || KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    let address = class.as_ptr() as usize;
    let known = kinds().get(&address).map(|(_, kind)| kind.clone());
    if let Some(kind) = known {
        return Ok(kind);
    }
    // Runs Python code, so not under the lock.
    let kind = classify(class)?;
    kinds().insert(address, (class.clone().unbind(), kind.clone()));
    Ok(kind)
}

fn classify(class: &Bound<'_, PyType>) -> PyResult<Kind> {
    let py = class.py();
    let name = |tag| {
        let mut bytes = Vec::new();
        write_block(tag, class.fully_qualified_name()?.to_str()?.as_bytes(), &mut bytes);
        PyResult::Ok(bytes.into())
    };
    if class.is(py.get_type::<GameState>()) {
        return Ok(Kind::State);
    }
    if class.is(py.get_type::<GameObservation>()) {
        return Ok(Kind::Observation);
    }
    if class.is_subclass(&py.import("enum")?.getattr("Enum")?)? {
        return Ok(Kind::Enum(name(b'E')?));
    }
    let compared = match class.getattr_opt("__dataclass_params__")? {
        Some(params) => params.getattr("eq")?.is_truthy()?,
        None => false,
    };
    if compared {
        let mut fields = Vec::new();
        for field in py.import("dataclasses")?.getattr("fields")?.call1((class,))?.try_iter()? {
            let field = field?;
            if field.getattr("compare")?.is_truthy()? {
                fields.push(field.getattr("name")?.cast_into::<PyString>()?.unbind());
            }
        }
        return Ok(Kind::Dataclass(name(b'D')?, fields.into()));
    }
    if class.hasattr("__index__")? {
        return Ok(Kind::Index);
    }
    let plain = py.get_type::<PyAny>().getattr("__repr__")?;
    if class.getattr("__repr__")?.is(&plain) {
        return Err(PyTypeError::new_err(format!(
            "a {} has no __repr__ of its own, by which it could be told from others: use None, \
             numbers, strings, bytes, tuples, frozensets, enums or frozen dataclasses",
            class.fully_qualified_name()?
        )));
    }
    Ok(Kind::Repr(name(b'R')?))
}

fn write_object(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    let py = value.py();
    let class = value.get_type();
    if class.getattr(intern!(py, "__hash__"))?.is_none() {
        // Raises what Python users know for a list or a dict.
        value.hash()?;
    }
    match kind_of(&class)? {
        Kind::State => write_block(b'G', &value.cast::<GameState>()?.get().bytes(), out),
        Kind::Observation => {
            write_block(b'O', &value.cast::<GameObservation>()?.get().bytes(), out);
        }
        Kind::Enum(name) => {
            out.extend_from_slice(&name);
            write(&value.getattr(intern!(py, "_name_"))?, out, depth + 1)?;
        }
        Kind::Dataclass(name, fields) => {
            out.extend_from_slice(&name);
            for field in &*fields {
                write(&value.getattr(field.bind(py))?, out, depth + 1)?;
            }
        }
        Kind::Index => write_int(&value.call_method0(intern!(py, "__index__"))?, out)?,
        Kind::Repr(name) => {
            out.extend_from_slice(&name);
            write_block(b'S', value.repr()?.to_str()?.as_bytes(), out);
        }
    }
    Ok(())
}

fn write_block(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    write_len(bytes.len(), out);
    out.extend_from_slice(bytes);
}

fn write_len(len: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(len as u64).to_le_bytes());
}
