//! `arrc run --out-of-core`: an entry pass by pass over chunks of arrays that stay in files.
//!
//! The passes are those of [`arrc_core::ir::chunked`], which `arrc build --emit=passes` prints and `arrc.dask` runs. Inputs are
//! mapped files; what a pass writes is a file, too. So memory holds a chunk of each array that a pass reads or writes. Functions
//! that call themselves run so, too, down to calls that take no more than a chunk of each array.
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
use arrc_core::ir::chunked::Plan;
use arrc_core::pipeline::Compiled;

use crate::error::DriverError;
use crate::run::{array_file, unwritable};

use self::progress::Progress;
pub(crate) use self::walk::Held;
use self::walk::Walk;

/// How an entry runs over chunks.
pub(crate) struct Options<'a> {
    /// The most bytes of a chunk of an array.
    pub(crate) chunk: usize,
    /// What the files with the results are called.
    pub(crate) output: Option<&'a Path>,
    /// Whether to tell on standard error how often data were read.
    pub(crate) tells: bool,
}

/// Runs an entry. Gives its results, whose arrays lie in files that go away with them.
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

/// Writes each result to a file `.npy`.
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
