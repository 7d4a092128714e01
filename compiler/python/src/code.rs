//! Loaded programs, and the contexts that calls of them run in.
//!
//! Invariant: machine code stays as long as a function of it; a context is used by one call at a time.

use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arr_abi::layout::{INTO, Options, Stats, UNIFORM, Uniform};
use arr_rt::context::{Context, arr_context_free, arr_context_new, arr_context_stats};
use arrc::embed::{PREFIX, Signature, signatures};
use arrc_loader::LoadError;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::compile::exception;

/// A loaded program.
pub(crate) struct Loaded {
    code: arrc_loader::Code,
    contexts: Mutex<Contexts>,
    limits: Limits,
}

/// The contexts that no call uses, that of the last call behind the others.
#[derive(Default)]
struct Contexts {
    free: Vec<Free>,
    /// The statistics of the last one when a call took it.
    before: Stats,
}

/// A context that no call uses.
struct Free(NonNull<Context>);

// SAFETY: a context may be used by any thread, one at a time.
unsafe impl Send for Free {}

/// The limits of calls.
#[derive(Clone, Copy, Default)]
struct Limits {
    memory: usize,
    threads: usize,
}

impl Loaded {
    /// The function of an entry that takes arguments of any signature.
    pub(crate) fn uniform(&self, entry: &str) -> Option<Uniform<Context>> {
        self.function(&format!("{PREFIX}{entry}{UNIFORM}"))
    }

    /// The same for arrays in memory of the caller, if the entry gives arrays.
    pub(crate) fn uniform_into(&self, entry: &str) -> Option<Uniform<Context>> {
        self.function(&format!("{PREFIX}{entry}{UNIFORM}{INTO}"))
    }

    fn function(&self, symbol: &str) -> Option<Uniform<Context>> {
        let address = self.code.address(symbol)?;
        // SAFETY: functions of that name have that signature, in objects that arrc makes.
        Some(unsafe { std::mem::transmute::<*const (), Uniform<Context>>(address) })
    }

    /// A context for a call.
    pub(crate) fn context(self: &Arc<Self>) -> PyResult<InUse> {
        let taken = self.lock().take(self.limits);
        let context = match taken {
            Some(Free(context)) => context,
            None => {
                let options = Options {
                    memory_limit: self.limits.memory,
                    threads: self.limits.threads,
                    ..Options::new()
                };
                // SAFETY: all options are set.
                let context = unsafe { arr_context_new(&raw const options) };
                NonNull::new(context)
                    .ok_or_else(|| PyMemoryError::new_err("there is no memory for a call"))?
            }
        };
        Ok(InUse { context, loaded: Arc::clone(self) })
    }

    /// The memory statistics of the last call's context.
    pub(crate) fn stats(&self) -> Stats {
        let contexts = self.lock();
        contexts.free.last().map_or(contexts.before, Free::stats)
    }

    fn lock(&self) -> MutexGuard<'_, Contexts> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contexts {
    /// The context of the last call, whose memory is in the caches of the processor. The arrays of a context count towards
    /// the limit of its memory. So if there is a limit, the context has no arrays of earlier calls.
    fn take(&mut self, limits: Limits) -> Option<Free> {
        let fits = |free: &Free| limits.memory == 0 || !free.has_arrays();
        let at = self.free.iter().rposition(fits)?;
        let last = self.free.remove(at);
        if self.free.is_empty() {
            self.before = last.stats();
        }
        Some(last)
    }

    /// Takes a context back. If there is a limit, only one with arrays is kept, since each has memory for its next calls:
    /// the arrays that a call returned are often the arguments of the next call, and end with it.
    fn give(&mut self, context: Free, limits: Limits) {
        if limits.memory > 0 && context.has_arrays() {
            self.free.extract_if(.., |free| free.has_arrays()).for_each(Free::end);
        }
        self.free.push(context);
    }
}

impl Free {
    /// Whether there are arrays that calls have returned.
    fn has_arrays(&self) -> bool {
        self.stats().bytes_live > 0
    }

    /// Ends the context. Its arrays stay until they are released.
    fn end(self) {
        // SAFETY: the context is alive, and nothing else refers to it.
        unsafe { arr_context_free(self.0.as_ptr()) };
    }

    fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        // SAFETY: the context is alive, and no call uses it.
        unsafe { arr_context_stats(self.0.as_ptr(), &raw mut stats) };
        stats
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let contexts = self.contexts.get_mut().unwrap_or_else(PoisonError::into_inner);
        contexts.free.drain(..).for_each(Free::end);
    }
}

/// A context that a call uses.
pub(crate) struct InUse {
    context: NonNull<Context>,
    loaded: Arc<Loaded>,
}

impl InUse {
    /// The context, for the call.
    pub(crate) fn as_ptr(&self) -> *mut Context {
        self.context.as_ptr()
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.loaded.lock().give(Free(self.context), self.loaded.limits);
    }
}

/// Files that a program is linked with.
#[pyclass(frozen, module = "arrc._arrc")]
pub(crate) struct Linked(arrc_loader::Linked);

#[pymethods]
impl Linked {
    /// Files by their names: the contents of an object file or static library, or none for a shared library.
    #[new]
    fn new(py: Python<'_>, files: Vec<(String, Option<Bound<'_, PyBytes>>)>) -> PyResult<Self> {
        let mut linked = arrc_loader::Linked::default();
        for (name, contents) in files {
            let added = match contents.as_ref().map(|contents| contents.as_bytes()) {
                Some(bytes) if bytes.starts_with(b"!<") => linked.archive(&name, bytes),
                Some(bytes) => linked.object(&name, bytes),
                None => py.detach(|| linked.library(&name)),
            };
            added.map_err(|error| load_error(py, &error))?;
        }
        Ok(Self(linked))
    }

    /// Whether a file defines a function.
    fn defines(&self, name: &str) -> bool {
        self.0.defines(name)
    }
}

fn load_error(py: Python<'_>, error: &LoadError) -> PyErr {
    exception(py, "load_error", (error.to_string(),))
}

/// A program in the memory of this process.
#[pyclass(frozen, module = "arrc._arrc")]
pub(crate) struct Code {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) signatures: Vec<Signature>,
    object: Py<PyBytes>,
}

#[pymethods]
impl Code {
    /// Loads an object file with the description of its entries.
    #[new]
    #[pyo3(signature = (object, description, linked, memory_limit = 0, threads = 0))]
    fn new(
        object: Bound<'_, PyBytes>,
        description: &str,
        linked: &Linked,
        memory_limit: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let wrong = || PyValueError::new_err("this is no description of entries");
        let signatures = signatures(description).ok_or_else(wrong)?;
        let code = arrc_loader::Code::load(object.as_bytes(), &linked.0);
        let code = code.map_err(|error| load_error(object.py(), &error))?;
        let limits = Limits { memory: memory_limit, threads };
        let loaded = Arc::new(Loaded { code, contexts: Mutex::default(), limits });
        Ok(Self { loaded, signatures, object: object.unbind() })
    }

    /// The object file.
    #[getter]
    fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.object.bind(py).clone()
    }

    /// How many entries it has.
    fn __len__(&self) -> usize {
        self.signatures.len()
    }

    /// The memory statistics of the last call that ended: a dict of bytes and counts.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let stats = self.loaded.stats();
        let dict = pyo3::types::PyDict::new(py);
        dict.set_item("bytes_live", stats.bytes_live)?;
        dict.set_item("bytes_peak", stats.bytes_peak)?;
        dict.set_item("bytes_kept", stats.bytes_kept)?;
        dict.set_item("allocations", stats.call_allocations)?;
        dict.set_item("bytes_allocated", stats.call_bytes)?;
        dict.set_item("threads", stats.threads)?;
        dict.set_item("parallel_passes", stats.parallel_passes)?;
        Ok(dict)
    }
}

/// No context, for memory that outlives its context.
pub(crate) const NO_CONTEXT: *mut Context = ptr::null_mut();
