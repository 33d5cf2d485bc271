//! Python bindings of Obscuro: the only crate that knows Python.
//!
//! What users import is Python; this module, `obscuro._core`, is what their classes hold. Moves
//! are numbers here (`from | to << 6 | promotion << 12`), sets of squares are 64-bit numbers,
//! colours are booleans (white is true), kinds of piece are 1 (pawn) to 6 (king): the numbers of
//! python-chess.

mod errors;
mod fow;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::fow::belief::FowBelief;
    #[pymodule_export]
    use crate::fow::board::FowBoard;
    #[pymodule_export]
    use crate::fow::observation::FowObservation;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::check_processor()
    }
}

/// Fails where the code could not run: the instructions were chosen when it was built.
fn check_processor() -> PyResult<()> {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    if !(std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("avx2"))
    {
        return Err(pyo3::exceptions::PyImportError::new_err(
            "obscuro was built for a processor with AVX2 and BMI2, and this machine's has neither \
             or one of them only: build it here with `make build CPU=x86-64`",
        ));
    }
    Ok(())
}
