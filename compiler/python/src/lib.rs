//! `arrc._arrc`: the compiler, the loader and the calls, for the Python package `arrc` beside it.
//!
//! Invariant: what a user of Python meets (names, messages of wrong arguments, exceptions) is in the package's Python
//! files; here are the parts that must be fast, or need the compiler or memory.
//!
//! ```text
//! compile(source) ─▶ object file, description ─▶ Code ─▶ Function(code, 0) ─▶ f(array, 2.0)
//! ```

mod arguments;
mod code;
mod compile;
mod function;
mod interrupt;
mod ndarray;
mod result;
mod scalar;

use pyo3::prelude::*;

/// The module.
#[pymodule(gil_used = false)]
mod _arrc {
    #[pymodule_export]
    use super::code::{Code, Linked};
    #[pymodule_export]
    use super::compile::{
        compile, emit, explain, forms, header, native_cpu, page, stub, undefined,
    };
    #[pymodule_export]
    use super::function::Function;

    use super::PyResult;
    use pyo3::prelude::*;

    /// The version of arrc.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::compile::keep_panics();
        super::interrupt::prepare();
        Ok(())
    }
}
