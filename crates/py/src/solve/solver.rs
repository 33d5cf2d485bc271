use std::sync::Arc;

use numpy::PyArray1;
use obscuro_game::Player;
use obscuro_search::table::{Algorithm, Solver, Strategy};
use pyo3::prelude::*;

use super::table::Table;
use crate::errors;

/// An algorithm of the CFR family at work on a table.
#[pyclass(name = "TableSolver", module = "obscuro._core")]
pub(crate) struct TableSolver(Solver<Arc<obscuro_search::table::Table>>);

fn arrays<'py>(py: Python<'py>, strategy: &Strategy) -> [Bound<'py, PyArray1<f64>>; 2] {
    Player::BOTH.map(|player| PyArray1::from_slice(py, strategy.probabilities(player)))
}

#[pymethods]
impl TableSolver {
    #[new]
    #[pyo3(signature = (table, algorithm, exponents, average_exponent, prune))]
    fn new(
        table: &Table,
        algorithm: &str,
        exponents: (f64, f64, f64),
        average_exponent: Option<f64>,
        prune: bool,
    ) -> PyResult<Self> {
        let (alpha, beta, gamma) = exponents;
        let algorithm = match algorithm {
            "cfr" => Algorithm::Cfr,
            "cfr+" => Algorithm::CfrPlus,
            "dcfr" => Algorithm::Dcfr { alpha, beta, gamma },
            "pcfr+" => Algorithm::PcfrPlus,
            other => {
                return Err(errors::strategy(format!(
                    "algorithm is {other:?}, expected cfr, cfr+, dcfr or pcfr+"
                )));
            }
        };
        let mut solver = Solver::new(Arc::clone(&table.table), algorithm).with_pruning(prune);
        if let Some(exponent) = average_exponent {
            solver = solver.with_average_exponent(exponent);
        }
        Ok(TableSolver(solver))
    }

    fn run(&mut self, py: Python<'_>, iterations: u64) {
        py.detach(|| self.0.run(iterations));
    }

    fn iterations(&self) -> u64 {
        self.0.iterations()
    }

    fn average<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 2] {
        arrays(py, &self.0.average_strategy())
    }

    fn current<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 2] {
        arrays(py, &self.0.current_strategy())
    }
}
