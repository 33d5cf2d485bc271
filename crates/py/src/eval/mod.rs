//! Leaf values for Python.
#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over")]

mod function;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use obscuro_eval::{
    DepthOne, NetworkEvaluator, Settings, SettingsError, Simd, SimpleEvaluator, StaticEvaluator,
    ZeroStatic,
};
use obscuro_fow::{Color, FowChess, Position};
use obscuro_game::Evaluator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use self::function::PyStatic;
use crate::fow::board::FowBoard;
use crate::raised::Raised;

mod python {
    pyo3::import_exception!(obscuro.errors, GameOverError);
    pyo3::import_exception!(obscuro.errors, NetworkError);
    pyo3::import_exception!(obscuro.errors, SearchError);
}

/// A network of Stockfish 15.1 or of our own, read from a file.
#[pyclass(name = "Network", module = "obscuro._core", frozen)]
pub(crate) struct Network(Arc<obscuro_eval::Network>);

impl Network {
    /// The network itself, to be shared.
    pub(crate) fn inner(&self) -> &Arc<obscuro_eval::Network> {
        &self.0
    }
}

#[pymethods]
impl Network {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| obscuro_eval::Network::open(&path))
            .map(|network| Network(Arc::new(network)))
            .map_err(|error| python::NetworkError::new_err(error.to_string()))
    }

    /// What its maker wrote into it.
    fn description(&self) -> &str {
        self.0.description()
    }

    /// The sums in each half.
    fn width(&self) -> usize {
        self.0.width()
    }

    /// How many buckets there are of the own king's squares.
    fn king_buckets(&self) -> usize {
        self.0.king_buckets()
    }

    /// The two parts of the output for the side to move: material on squares, and the layers.
    #[pyo3(signature = (board, simd=None))]
    fn parts(&self, board: &FowBoard, simd: Option<&str>) -> PyResult<(i32, i32)> {
        let mut evaluator = NetworkEvaluator::with_simd(Arc::clone(&self.0), find_simd(simd)?);
        let parts = evaluator.parts(board.0.position()).ok_or_else(no_king)?;
        Ok((parts.material, parts.positional))
    }

    /// The instructions that this processor has, slowest first.
    #[staticmethod]
    fn simds() -> Vec<&'static str> {
        Simd::available().into_iter().map(Simd::name).collect()
    }

    fn __repr__(&self) -> String {
        format!("Network({:?})", self.0.description())
    }
}

fn no_king() -> PyErr {
    python::GameOverError::new_err("a position without a king is over: it has no value")
}

fn find_simd(name: Option<&str>) -> PyResult<Simd> {
    let Some(name) = name else { return Ok(Simd::detect()) };
    Simd::available().into_iter().find(|simd| simd.name() == name).ok_or_else(|| {
        let names: Vec<_> = Simd::available().into_iter().map(Simd::name).collect();
        let message = format!("no instructions {name:?} here, expected one of {names:?}");
        PyValueError::new_err(message)
    })
}

/// What the positions are valued with.
enum Any {
    Zero(DepthOne<ZeroStatic>),
    Simple(DepthOne<SimpleEvaluator>),
    Network(Box<DepthOne<NetworkEvaluator>>),
    Function(DepthOne<PyStatic>),
}

macro_rules! with {
    ($any:expr, $evaluator:ident => $result:expr) => {
        match $any {
            Any::Zero($evaluator) => $result,
            Any::Simple($evaluator) => $result,
            Any::Network($evaluator) => $result,
            Any::Function($evaluator) => $result,
        }
    };
}

#[derive(FromPyObject)]
enum Statics<'py> {
    Network(PyRef<'py, Network>),
    Name(String),
    Function(Py<PyAny>),
}

/// The values of children: depth-1 search with quiescence.
#[pyclass(name = "FowValues", module = "obscuro._core")]
pub(crate) struct FowValues(Any);

#[pymethods]
impl FowValues {
    #[new]
    #[pyo3(signature = (statics, *, depth=None, scale=None, cache_bits=None, simd=None))]
    fn new(
        statics: Statics<'_>,
        depth: Option<u8>,
        scale: Option<f32>,
        cache_bits: Option<u8>,
        simd: Option<&str>,
    ) -> PyResult<Self> {
        let defaults = Settings::default();
        let settings = Settings {
            depth: depth.unwrap_or(defaults.depth),
            scale: scale.unwrap_or(defaults.scale),
            cache_bits,
        };
        let error = |error: SettingsError| python::SearchError::new_err(error.to_string());
        let any = match statics {
            Statics::Network(network) => {
                let statics = NetworkEvaluator::with_simd(Arc::clone(&network.0), find_simd(simd)?);
                Any::Network(Box::new(DepthOne::new(statics, settings).map_err(error)?))
            }
            Statics::Name(name) if name == "simple" => {
                let statics = SimpleEvaluator::default();
                Any::Simple(DepthOne::new(statics, settings).map_err(error)?)
            }
            Statics::Name(name) if name == "zero" => {
                Any::Zero(DepthOne::new(ZeroStatic, settings).map_err(error)?)
            }
            Statics::Name(name) => {
                let message = format!("no evaluator {name:?}: expected \"simple\" or \"zero\"");
                return Err(PyValueError::new_err(message));
            }
            Statics::Function(function) => {
                let statics = PyStatic::new(function);
                Any::Function(DepthOne::new(statics, settings).map_err(error)?)
            }
        };
        Ok(FowValues(any))
    }

    /// The value of every child for the side to move, in the order of `legal_moves`.
    fn values(&mut self, board: &FowBoard) -> PyResult<Vec<f32>> {
        let values = with!(&mut self.0, evaluator => evaluator.values(board.0.position()));
        self.check()?;
        Ok(values)
    }

    /// The scores that the values are made of.
    fn scores(&mut self, board: &FowBoard) -> PyResult<Vec<i32>> {
        let (position, children) = family(board);
        let mut scores = Vec::with_capacity(children.len());
        with!(&mut self.0, evaluator => evaluator.scores(&position, &children, &mut scores));
        self.check()?;
        Ok(scores)
    }

    /// The static score of the position itself, for the side to move.
    fn static_score(&mut self, board: &FowBoard) -> PyResult<i32> {
        let position = board.0.position();
        position.king(Color::White).and(position.king(Color::Black)).ok_or_else(no_king)?;
        let score = with!(&mut self.0, evaluator => {
            let statics = evaluator.statics();
            statics.begin(position);
            statics.value(position)
        });
        self.check()?;
        Ok(score)
    }

    /// How many units of the scores are worth as much as a pawn.
    fn units_per_pawn(&mut self) -> f32 {
        with!(&mut self.0, evaluator => evaluator.statics().units_per_pawn())
    }

    /// The value of a score.
    fn squash(&self, score: i32) -> f32 {
        with!(&self.0, evaluator => evaluator.squash(score))
    }

    /// How many positions all searches so far have looked at.
    fn nodes(&self) -> u64 {
        with!(&self.0, evaluator => evaluator.nodes())
    }

    /// Seconds that `rounds` rounds of the children of all these positions take.
    fn time_children(
        &mut self,
        py: Python<'_>,
        boards: Vec<PyRef<'_, FowBoard>>,
        rounds: u32,
    ) -> f64 {
        let families: Vec<_> = boards.iter().map(|board| family(board)).collect();
        let any = &mut self.0;
        py.detach(|| {
            let mut scores = Vec::with_capacity(512);
            let start = Instant::now();
            for _ in 0..rounds {
                for (position, children) in &families {
                    scores.clear();
                    with!(any, evaluator => evaluator.scores(position, children, &mut scores));
                    std::hint::black_box(&scores);
                }
            }
            start.elapsed().as_secs_f64()
        })
    }

    /// How many static evaluations `rounds` rounds over the children of all these positions are,
    /// and the seconds they take: each made `anew`, or carried along from the parent.
    fn time_static(
        &mut self,
        py: Python<'_>,
        boards: Vec<PyRef<'_, FowBoard>>,
        rounds: u32,
        anew: bool,
    ) -> PyResult<(u64, f64)> {
        let Any::Network(evaluator) = &mut self.0 else {
            return Err(PyValueError::new_err("only a network has sums to carry along"));
        };
        let families: Vec<_> = boards.iter().map(|board| family(board)).collect();
        let statics = evaluator.statics();
        Ok(py.detach(|| {
            let mut count = 0;
            let start = Instant::now();
            for _ in 0..rounds {
                for (position, children) in &families {
                    statics.begin(position);
                    for child in children {
                        if anew {
                            std::hint::black_box(statics.parts_anew(child));
                        } else {
                            statics.push(child);
                            std::hint::black_box(statics.parts_here());
                            statics.pop();
                        }
                        count += 1;
                    }
                }
            }
            (count, start.elapsed().as_secs_f64())
        }))
    }
}

impl FowValues {
    /// An equal evaluator for a search, and what its function, if it has one, raises there.
    pub(crate) fn evaluator(&mut self) -> (Box<dyn Evaluator<FowChess>>, Option<Arc<Raised>>) {
        let raised = match &mut self.0 {
            Any::Function(evaluator) => Some(evaluator.statics().raised()),
            _ => None,
        };
        (with!(&self.0, evaluator => evaluator.fork()), raised)
    }

    /// Raises what the function has raised; what was remembered of its values is forgotten then.
    fn check(&mut self) -> PyResult<()> {
        if let Any::Function(evaluator) = &mut self.0
            && let Err(error) = evaluator.statics().raised().check()
        {
            *evaluator = evaluator.fresh();
            return Err(error);
        }
        Ok(())
    }
}

/// A position with its children.
fn family(board: &FowBoard) -> (Position, Vec<Position>) {
    let position = *board.0.position();
    (position, position.moves().iter().map(|&mv| position.play(mv)).collect())
}
