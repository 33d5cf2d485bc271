//! Python bindings of Obscuro: the only crate that knows Python.
//!
//! What users import is Python; this module, `obscuro._core`, is what their classes hold. Moves
//! are numbers here (`from | to << 6 | promotion << 12`), sets of squares are 64-bit numbers,
//! colours are booleans (white is true), kinds of piece are 1 (pawn) to 6 (king): the numbers of
//! python-chess.

mod agent;
mod errors;
mod eval;
mod fow;
mod games;
mod knowledge;
mod raised;
mod solve;
mod train;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::agent::{Agent, Stopper, Study};
    #[pymodule_export]
    use crate::eval::{FowValues, Network};
    #[pymodule_export]
    use crate::fow::belief::FowBelief;
    #[pymodule_export]
    use crate::fow::board::FowBoard;
    #[pymodule_export]
    use crate::fow::observation::FowObservation;
    #[pymodule_export]
    use crate::games::{Game, GameObservation, GameState};
    #[pymodule_export]
    use crate::knowledge::Histories;
    #[pymodule_export]
    use crate::solve::{Table, TableSolver};
    #[pymodule_export]
    use crate::train::{
        generate_records, label_records, layer_backward, layer_forward, record_boards,
        record_inputs, records_of,
    };

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::check_processor()
    }
}

/// Fails where the code could not run: the instructions were chosen when it was built.
fn check_processor() -> PyResult<()> {
    // The usual detection is answered by the compiler where the features are built in.
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        const BMI2: u32 = 1 << 8;
        const AVX2: u32 = 1 << 5;
        let has = std::arch::x86_64::__cpuid_count(7, 0).ebx;
        if has & (BMI2 | AVX2) != (BMI2 | AVX2) {
            return Err(pyo3::exceptions::PyImportError::new_err(
                "obscuro was built for a processor with AVX2 and BMI2, and this machine's does not \
                 have both: build it here with `make build CPU=x86-64`",
            ));
        }
    }
    Ok(())
}
