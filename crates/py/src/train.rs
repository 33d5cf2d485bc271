//! The hot parts of training a network, on `NumPy` arrays.
#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over")]

use std::sync::Arc;

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use obscuro_eval::{DepthOne, NetworkEvaluator, Settings, SimpleEvaluator};
use obscuro_fow::Board;
use obscuro_train::inputs::{MOST, inputs};
use obscuro_train::{Generator, Gradients, Layer, Recipe, Record, Source, WIDTH, label};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::eval::Network;
use crate::fow::board::FowBoard;

mod python {
    pyo3::import_exception!(obscuro.errors, TrainingError);
}

type Bytes<'py> = Bound<'py, PyArray2<u8>>;

/// `count` records of games of simple players, without labels.
#[pyfunction]
#[pyo3(signature = (count, seed, teacher, *, random, material, simple, thinned, keep, wander, mutated, most_plies))]
#[expect(clippy::too_many_arguments, reason = "a recipe has that many numbers")]
pub(crate) fn generate_records<'py>(
    py: Python<'py>,
    count: usize,
    seed: u64,
    teacher: Option<PyRef<'_, Network>>,
    random: f64,
    material: f64,
    simple: f64,
    thinned: f64,
    keep: f64,
    wander: u16,
    mutated: f64,
    most_plies: u16,
) -> PyResult<Bytes<'py>> {
    let recipe = Recipe { random, material, simple, thinned, keep, wander, mutated, most_plies };
    let network = teacher.map(|network| Arc::clone(network.inner()));
    let mut generator = Generator::new(&recipe, network)
        .map_err(|error| python::TrainingError::new_err(error.to_string()))?;
    let records = py.detach(|| generator.run(count, seed));
    to_array(py, &records)
}

/// The same records with the labels of a teacher, a network or else the simple evaluation.
#[pyfunction]
pub(crate) fn label_records<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'py, u8>,
    teacher: Option<PyRef<'py, Network>>,
) -> PyResult<Bytes<'py>> {
    let mut records = read(&records)?;
    let network = teacher.map(|network| Arc::clone(network.inner()));
    let result = py.detach(|| {
        let settings = Settings::default();
        match network {
            Some(network) => {
                label(&mut records, &mut DepthOne::new(NetworkEvaluator::new(network), settings)?);
            }
            None => {
                label(&mut records, &mut DepthOne::new(SimpleEvaluator::default(), settings)?);
            }
        }
        Ok::<_, obscuro_eval::SettingsError>(())
    });
    result.map_err(|error| PyValueError::new_err(error.to_string()))?;
    to_array(py, &records)
}

/// Records of positions, without labels.
#[pyfunction]
pub(crate) fn records_of<'py>(
    py: Python<'py>,
    boards: Vec<PyRef<'py, FowBoard>>,
) -> PyResult<Bytes<'py>> {
    let record = |board: &PyRef<'py, FowBoard>| Record {
        position: *board.0.position(),
        static_score: Record::NONE,
        score: Record::NONE,
        ply: 0,
        outcome: 0,
        source: Source::Game,
    };
    to_array(py, &boards.iter().map(record).collect::<Vec<_>>())
}

/// The positions of records.
#[pyfunction]
pub(crate) fn record_boards(records: PyReadonlyArray2<'_, u8>) -> PyResult<Vec<FowBoard>> {
    let records = read(&records)?;
    Ok(records.iter().map(|record| FowBoard(Board::from_parts(record.position, 0, 1))).collect())
}

/// The inputs of both sides, the side to move first, and the stacks.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "two arrays")]
pub(crate) fn record_inputs<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'py, u8>,
) -> PyResult<(Bound<'py, PyArray2<u16>>, Bound<'py, PyArray1<u8>>)> {
    let bytes = rows(&records)?;
    let mut features = Vec::with_capacity(bytes.len() * 2 * MOST);
    let mut stacks = Vec::with_capacity(bytes.len());
    for (row, bytes) in bytes.iter().enumerate() {
        let record = Record::from_bytes(bytes).ok_or_else(|| no_record(row))?;
        let (halves, stack) = inputs(&record.position).ok_or_else(|| no_record(row))?;
        features.extend_from_slice(&halves);
        stacks.push(stack);
    }
    let features = features.into_pyarray(py).reshape([stacks.len(), 2 * MOST])?;
    Ok((features, stacks.into_pyarray(py)))
}

/// Computes the first layer into `sums`, `products` and `material`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "arrays in and out")]
pub(crate) fn layer_forward(
    py: Python<'_>,
    features: PyReadonlyArray2<'_, u16>,
    stacks: PyReadonlyArray1<'_, u8>,
    weights: PyReadonlyArray2<'_, f32>,
    biases: PyReadonlyArray1<'_, f32>,
    psqt: PyReadonlyArray2<'_, f32>,
    mut sums: PyReadwriteArray2<'_, f32>,
    mut products: PyReadwriteArray2<'_, f32>,
    mut material: PyReadwriteArray1<'_, f32>,
    threads: usize,
) -> PyResult<()> {
    let layer = Layer {
        features: features.as_slice()?,
        stacks: stacks.as_slice()?,
        weights: weights.as_slice()?,
        biases: biases.as_slice()?,
        psqt: psqt.as_slice()?,
    };
    let (sums, products) = (sums.as_slice_mut()?, products.as_slice_mut()?);
    let material = material.as_slice_mut()?;
    check(&layer, sums, products, material)?;
    py.detach(|| layer.forward(sums, products, material, threads));
    Ok(())
}

/// Adds the derivatives by the first layer's numbers to the last three arrays.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "arrays in and out")]
pub(crate) fn layer_backward(
    py: Python<'_>,
    features: PyReadonlyArray2<'_, u16>,
    stacks: PyReadonlyArray1<'_, u8>,
    sums: PyReadonlyArray2<'_, f32>,
    by_products: PyReadonlyArray2<'_, f32>,
    by_material: PyReadonlyArray1<'_, f32>,
    mut by_weights: PyReadwriteArray2<'_, f32>,
    mut by_biases: PyReadwriteArray1<'_, f32>,
    mut by_psqt: PyReadwriteArray2<'_, f32>,
    threads: usize,
) -> PyResult<()> {
    let mut gradients = Gradients {
        weights: by_weights.as_slice_mut()?,
        biases: by_biases.as_slice_mut()?,
        psqt: by_psqt.as_slice_mut()?,
    };
    let (sums, by_products) = (sums.as_slice()?, by_products.as_slice()?);
    let by_material = by_material.as_slice()?;
    let (features, stacks) = (features.as_slice()?, stacks.as_slice()?);
    // The derivatives have the shapes of what they are derivatives by.
    let Gradients { weights, biases, psqt } = &gradients;
    check(&Layer { features, stacks, weights, biases, psqt }, sums, by_products, by_material)?;
    // The way back needs the inputs and the sums alone.
    let layer = Layer { features, stacks, weights: &[], biases: &[], psqt: &[] };
    py.detach(|| layer.backward(sums, by_products, by_material, &mut gradients, threads));
    Ok(())
}

fn check(layer: &Layer<'_>, sums: &[f32], products: &[f32], material: &[f32]) -> PyResult<()> {
    let positions = material.len();
    let fits = layer.fits(positions)
        && sums.len() == positions * 2 * WIDTH
        && products.len() == positions * WIDTH;
    if fits { Ok(()) } else { Err(PyValueError::new_err("the arrays do not fit each other")) }
}

fn rows<'a>(records: &'a PyReadonlyArray2<'_, u8>) -> PyResult<&'a [[u8; Record::BYTES]]> {
    if records.shape()[1] != Record::BYTES {
        let message = format!("a record has {} bytes, found {}", Record::BYTES, records.shape()[1]);
        return Err(python::TrainingError::new_err(message));
    }
    Ok(records.as_slice()?.as_chunks().0)
}

fn read(records: &PyReadonlyArray2<'_, u8>) -> PyResult<Vec<Record>> {
    let record = |(row, bytes)| Record::from_bytes(bytes).ok_or_else(|| no_record(row));
    rows(records)?.iter().enumerate().map(record).collect()
}

fn no_record(row: usize) -> PyErr {
    let message = format!("record {row} is no position with both kings and an outcome");
    python::TrainingError::new_err(message)
}

fn to_array<'py>(py: Python<'py>, records: &[Record]) -> PyResult<Bytes<'py>> {
    let mut bytes = Vec::with_capacity(records.len() * Record::BYTES);
    for record in records {
        bytes.extend_from_slice(&record.to_bytes());
    }
    bytes.into_pyarray(py).reshape([records.len(), Record::BYTES])
}
