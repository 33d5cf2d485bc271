//! Python values as bytes that are the same in every process, for hashing and comparing them
//! without the interpreter. (Python's own hash of a string differs from process to process.)
//!
//! Values of the kinds below have equal bytes exactly if they are equal in Python. Any other
//! hashable object counts as its type and its `repr`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
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

fn write_object(value: &Bound<'_, PyAny>, out: &mut Vec<u8>, depth: usize) -> PyResult<()> {
    let py = value.py();
    // Raises what Python users know for a list or a dict.
    value.hash()?;
    if let Ok(state) = value.cast::<GameState>() {
        write_block(b'G', &state.get().bytes(), out);
    } else if let Ok(seen) = value.cast::<GameObservation>() {
        write_block(b'O', &seen.get().bytes(), out);
    } else if value.is_instance(enum_class(py)?)? {
        write_type(&value.get_type(), b'E', out)?;
        let name = value.getattr(intern!(py, "_name_"))?;
        write(&name, out, depth + 1)?;
    } else if is_plain_dataclass(value)? {
        write_type(&value.get_type(), b'D', out)?;
        for field in dataclass_fields(value)?.try_iter()? {
            let field = field?;
            if field.getattr(intern!(py, "compare"))?.is_truthy()? {
                let name = field.getattr(intern!(py, "name"))?;
                write(&value.getattr(name.cast::<PyString>()?)?, out, depth + 1)?;
            }
        }
    } else if value.hasattr(intern!(py, "__index__"))? {
        // The integers of NumPy.
        write_int(&value.call_method0(intern!(py, "__index__"))?, out)?;
    } else {
        write_repr(value, out)?;
    }
    Ok(())
}

fn write_repr(value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
    let py = value.py();
    let kind = value.get_type();
    let plain = py.get_type::<PyAny>().getattr(intern!(py, "__repr__"))?;
    if kind.getattr(intern!(py, "__repr__"))?.is(&plain) {
        return Err(PyTypeError::new_err(format!(
            "a {} has no __repr__ of its own, by which it could be told from others: use None, \
             numbers, strings, bytes, tuples, frozensets, enums or frozen dataclasses",
            kind.fully_qualified_name()?
        )));
    }
    write_type(&kind, b'R', out)?;
    write_block(b'S', value.repr()?.to_str()?.as_bytes(), out);
    Ok(())
}

/// Whether a value is a dataclass that is compared field by field.
fn is_plain_dataclass(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    match value.get_type().getattr_opt(intern!(py, "__dataclass_params__"))? {
        Some(params) => params.getattr(intern!(py, "eq"))?.is_truthy(),
        None => Ok(false),
    }
}

fn dataclass_fields<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static FIELDS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let fields = FIELDS.get_or_try_init(py, || {
        PyResult::Ok(py.import("dataclasses")?.getattr("fields")?.unbind())
    })?;
    fields.bind(py).call1((value,))
}

fn enum_class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static ENUM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        ENUM.get_or_try_init(py, || PyResult::Ok(py.import("enum")?.getattr("Enum")?.unbind()))?;
    Ok(class.bind(py))
}

fn write_type(kind: &Bound<'_, PyType>, tag: u8, out: &mut Vec<u8>) -> PyResult<()> {
    write_block(tag, kind.fully_qualified_name()?.to_str()?.as_bytes(), out);
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
