//! `arrc run --out-of-core`: an entry pass by pass over chunks of arrays that stay in files.
//!
//! The passes are those of [`arrc_fusion::chunked`], which `arrc build --emit=passes` prints and `arrc.dask` runs.
//! Inputs are mapped files, and each array that a pass writes is a file as well. So memory holds only one chunk of
//! each array that a pass reads or writes. Functions that call themselves also run in this way. Calls whose arrays
//! fit in a chunk are plain calls.
//!
//! Invariant: each pass reads each chunk of an array once.
//!
//! ```text
//! normalize2 xs   ⇒   pass0 for each chunk of xs, sums combined; pass1 for each chunk of xs, two files written
//! ```

mod column;
mod progress;
mod walk;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use arr_runtime::host::{Session, Value};
use arr_runtime::text;
use arrc_fusion::chunked::Plan;
use arrc_pipeline::Compiled;

use crate::error::DriverError;
use crate::run::{array_file, unwritable};

use self::progress::Progress;
pub(crate) use self::walk::Held;
use self::walk::Walk;

/// The options of a run over chunks.
pub(crate) struct Options<'a> {
    /// The maximum number of bytes in a chunk of an array.
    pub(crate) chunk: usize,
    /// The name of the files with the results.
    pub(crate) output: Option<&'a Path>,
    /// Whether to report on standard error how often the data were read.
    pub(crate) tells: bool,
}

/// Calls an entry over chunks of at most `chunk` bytes, as `arrc run --out-of-core` does. The session's library has the
/// functions of the passes.
///
/// # Errors
/// The message of the call.
///
/// # Panics
/// If the program was compiled without its passes, or has no such entry.
pub fn call(
    compiled: &Compiled,
    session: &Session<'_>,
    entry: &str,
    inputs: Vec<Value>,
    chunk: usize,
) -> Result<Vec<Value>, String> {
    let plan = compiled.passes.of(entry).expect("each entry has a plan");
    let options = Options { chunk, output: None, tells: false };
    let results = run(plan, compiled, session, inputs, &options, &AtomicBool::new(false));
    let results = results.map_err(|error| error.diagnostic().message)?;
    Ok(results.iter().map(Held::value).collect())
}

/// Runs an entry. The arrays of its results are in files, which are removed with the results.
pub(crate) fn run(
    plan: &Plan,
    compiled: &Compiled,
    session: &Session<'_>,
    inputs: Vec<Value>,
    options: &Options<'_>,
    cancelled: &AtomicBool,
) -> Result<Vec<Held>, DriverError> {
    let progress = Progress::new(options.tells);
    let mut walk = Walk::new(plan, compiled, session, options, cancelled, progress);
    walk.bind_inputs(inputs);
    walk.tell_whole();
    let results = walk.run()?;
    walk.progress.summary();
    Ok(results)
}

/// Writes each result to a `.npy` file.
pub(crate) fn write(
    name: &Path,
    results: &[Held],
    options: &Options<'_>,
) -> Result<(), DriverError> {
    for (place, result) in results.iter().enumerate() {
        let path = array_file(name, place, results.len());
        let written = match result {
            Held::Scalar(scalar) => text::write_npy(&path, &Value::Scalar(*scalar)),
            Held::Array(column) => column.write(&path, column.rows_in(options.chunk)),
        };
        written.map_err(unwritable(path))?;
    }
    Ok(())
}
