//! The compiler, as Python calls it.
//!
//! Invariant: it runs on a thread of its own, with the stack that its passes need; Python's signals are checked
//! meanwhile, so that Ctrl-C ends the wait.

use std::panic;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use arrc::embed::{self, Input, Options, Program, Told};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The time between two checks of Python's signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// The message of the last panic: a mistake of ours.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the messages of panics for the exception that reports them, instead of printing them.
pub(crate) fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
}

/// A program, and how to compile it.
#[derive(FromPyObject)]
pub(crate) struct Job {
    /// The file.
    #[pyo3(item)]
    path: Option<PathBuf>,
    /// The text of a program without a file.
    #[pyo3(item)]
    source: Option<String>,
    /// The name of that text in messages.
    #[pyo3(item)]
    name: String,
    /// The files that it may import, each with its text; none: those of the disk.
    #[pyo3(item)]
    files: Option<Vec<(String, String)>>,
    #[pyo3(item)]
    fusion: String,
    #[pyo3(item)]
    opt_level: u8,
    #[pyo3(item)]
    cpu: String,
    /// Whether the functions of passes over chunks are added.
    #[pyo3(item)]
    passes: bool,
    /// Whether traces are printed.
    #[pyo3(item)]
    trace: bool,
}

impl Job {
    fn read(self) -> PyResult<(Input, Options)> {
        let options = Options::new(&self.fusion, self.opt_level, &self.cpu, self.passes)
            .map(|options| options.traced(self.trace));
        let input = match (self.path, self.source) {
            (Some(path), None) => Input::File(path),
            (_, Some(text)) => {
                let files = self.files.map(|files| files.into_iter().collect());
                Input::Text { name: self.name, text, files }
            }
            (None, None) => return Err(PyValueError::new_err("there is no program")),
        };
        Ok((input, options.map_err(PyValueError::new_err)?))
    }
}

/// A compiled program, in the form that Python keeps.
struct Compiled {
    object: Vec<u8>,
    description: String,
    passes: String,
    externals: Vec<String>,
    files: Vec<(String, String)>,
    absent: Vec<String>,
    warnings: Told,
}

/// Compiles a program: a dict of its object file, the description of its entries, its files and its warnings.
#[pyfunction]
pub(crate) fn compile<'py>(py: Python<'py>, job: Job) -> PyResult<Bound<'py, PyDict>> {
    let (input, options) = job.read()?;
    let compiled = apart(py, move || {
        let program = Program::new(&input, &options)?;
        let files = program.files().map(|(path, text)| (path.to_owned(), text.to_owned()));
        let (files, warnings) = (files.collect(), program.warnings());
        let (description, passes) = (program.description(), program.passes());
        let (externals, absent) = (program.externals(), program.absent().to_vec());
        let object = program.object()?;
        Ok(Compiled { object, description, passes, externals, files, absent, warnings })
    })?;
    let Compiled { object, description, passes, externals, files, absent, warnings } = compiled;
    let dict = PyDict::new(py);
    dict.set_item("object", PyBytes::new(py, &object))?;
    dict.set_item("description", description)?;
    dict.set_item("passes", passes)?;
    dict.set_item("externals", externals)?;
    dict.set_item("files", files)?;
    dict.set_item("absent", absent)?;
    dict.set_item("warnings", told(&warnings))?;
    Ok(dict)
}

/// Raises that nothing defines these C functions, which a program calls.
#[pyfunction]
pub(crate) fn undefined(py: Python<'_>, job: Job, names: Vec<String>) -> PyResult<()> {
    let (input, options) = job.read()?;
    apart(py, move || Err(Program::new(&input, &options)?.undefined(&names)))
}

/// The C header of the functions that a program calls.
#[pyfunction]
pub(crate) fn header(py: Python<'_>, job: Job) -> PyResult<String> {
    let (input, options) = job.read()?;
    apart(py, move || Ok(Program::new(&input, &options)?.header()))
}

/// Why a program runs in the passes that it runs in.
#[pyfunction]
pub(crate) fn explain(
    py: Python<'_>,
    job: Job,
    entry: Option<String>,
    verbose: bool,
    color: bool,
) -> PyResult<String> {
    let (input, options) = job.read()?;
    apart(py, move || embed::explain(&input, &options, entry.as_deref(), verbose, color))
}

/// A form of a program, as text.
#[pyfunction]
pub(crate) fn emit(py: Python<'_>, job: Job, form: String) -> PyResult<Option<String>> {
    let (input, options) = job.read()?;
    apart(py, move || embed::emit(&input, &options, &form))
}

/// The names of the forms that `emit` gives.
#[pyfunction]
pub(crate) fn forms() -> Vec<String> {
    embed::forms()
}

/// The text of a `.pyi` file for the entries of a description.
#[pyfunction]
pub(crate) fn stub(description: &str) -> Option<String> {
    Some(embed::stub(&embed::signatures(description)?))
}

/// The page that tells of a diagnostic's code.
#[pyfunction]
pub(crate) fn page(code: &str) -> Option<&'static str> {
    embed::page(code)
}

/// This machine's processor.
#[pyfunction]
pub(crate) fn native_cpu() -> String {
    embed::native_cpu()
}

/// Runs a function on a thread of its own.
fn apart<T: Send + 'static>(
    py: Python<'_>,
    job: impl FnOnce() -> Result<T, Told> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::Builder::new().name("arrc".to_owned()).stack_size(arrc::STACK);
    thread.spawn(move || sender.send(job()))?;
    let receiver = Mutex::new(receiver);
    loop {
        let wait = || {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(PATIENCE)
        };
        match py.detach(wait) {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(wrong)) => return Err(compile_error(py, &wrong)),
            Err(mpsc::RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let what = PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
                return Err(exception(py, "internal_error", (what,)));
            }
        }
    }
}

/// Diagnostics as Python gets them: as text, as coloured text, and each as JSON.
fn told(told: &Told) -> (String, String, Vec<String>) {
    (told.render(false), told.render(true), told.json())
}

fn compile_error(py: Python<'_>, wrong: &Told) -> PyErr {
    exception(py, "compile_error", told(wrong))
}

/// The exception that a function of the package's module of errors makes.
pub(crate) fn exception<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let made = py
        .import("arrc._diagnostics")
        .and_then(|errors| errors.getattr(function)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}
