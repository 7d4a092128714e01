//! A context of a library, and calls in it: once, or again and again for timing.
//!
//! Invariant: a session is used by one thread at a time (it is neither `Send` nor `Sync`), so its
//! context is never busy; outputs that a call wrote are released before the next run of that call
//! and when it is dropped.

use std::error::Error;
use std::ffi::{CStr, c_void};
use std::fmt;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use super::guard::Guard;
use super::library::{HostError, Library, Uniform};
use super::marshal::Slot;
use super::value::{Value, ValueType};
use super::view::View;
use arr_abi::ErrorCode;
use arr_abi::layout::{Options, ParallelFn, Stats};
use arr_rt::context::Context;

/// How a session's calls may use the machine.
#[derive(Clone, Copy, Default, Debug)]
pub struct SessionOptions {
    /// The most bytes that arrays may take; `None`: no limit.
    pub memory_limit: Option<usize>,
    /// The most bytes of stack that a recursion may use; `None`: the thread's stack.
    pub stack_limit: Option<usize>,
    /// The side on which all memory of the calls, their inputs included, has a page that traps.
    pub guard: Option<Guard>,
    /// The most threads that a call uses, the caller's included; 0: all that the process may use.
    pub threads: usize,
    /// Lends threads of this process; `None`: those of the pool inside the library, if it has one.
    pub pool: Option<ParallelFn>,
    /// The least work for which a pass uses several threads, in nanoseconds; 0: the runtime's default.
    pub grain: u64,
}

/// A context in a library.
#[derive(Debug)]
pub struct Session<'lib> {
    library: &'lib Library,
    context: NonNull<Context>,
    guard: Option<Guard>,
}

/// Cancels the calls of a session.
#[derive(Clone, Copy, Debug)]
pub struct Canceller<'session>(&'session Session<'session>);

// SAFETY: it only cancels the call of the session, which any thread may do at any time.
unsafe impl Send for Canceller<'_> {}

impl Canceller<'_> {
    /// Stops the running call, which then fails; does nothing if none runs.
    pub fn cancel(&self) {
        let Session { library, context, .. } = self.0;
        // SAFETY: the context lives as long as the session.
        unsafe { (library.runtime.arr_context_cancel)(context.as_ptr()) };
    }
}

/// A call with prepared inputs, which can be run any number of times.
pub struct Call<'session> {
    session: &'session Session<'session>,
    entry: Uniform,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    /// Whether the outputs hold the results of the last run.
    complete: bool,
}

/// The memory of the caller for results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Apart from all other memory.
    Apart,
    /// That of inputs, where these have the type and the shape of a result.
    OfInputs,
}

/// A call that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// Why; `None` if it is a code that this version does not know.
    pub code: Option<ErrorCode>,
    /// The same in words, with the place in the source.
    pub message: String,
}

impl<'lib> Session<'lib> {
    /// A new context.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn new(library: &'lib Library, options: &SessionOptions) -> Result<Self, HostError> {
        let guard = options.guard;
        let (alloc, free) = guard.map(Guard::functions).unzip();
        let options = Options {
            memory_limit: options.memory_limit.unwrap_or(0),
            stack_limit: options.stack_limit.unwrap_or(0),
            alloc,
            free,
            // A kept block could be used again for fewer bytes than it has, which would leave a gap before the guard.
            pool_limit: usize::from(guard.is_some()),
            threads: options.threads,
            parallel: options.pool,
            grain: options.grain,
            ..Options::new()
        };
        // SAFETY: whole options.
        let context = unsafe { (library.runtime.arr_context_new)(&raw const options) };
        let context = NonNull::new(context).ok_or(HostError::NoContext)?;
        Ok(Self { library, context, guard })
    }

    /// Calls an entry once.
    ///
    /// # Errors
    /// The call fails, or there is no such entry.
    pub fn call(
        &self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> Result<Vec<Value>, RunError> {
        let mut call = self.prepare(entry, inputs, outputs)?;
        call.run()?;
        Ok(call.outputs())
    }

    /// Calls the function of an entry that writes arrays to memory of the caller. `earlier` are the results of an earlier call:
    /// the memory has room for as many elements.
    ///
    /// # Errors
    /// The call fails, or there is no such entry that gives arrays.
    pub fn call_into(
        &self,
        entry: &str,
        inputs: &[Value],
        (earlier, memory): (&[Value], Memory),
    ) -> Result<Vec<Value>, RunError> {
        let uniform = self.library.uniform_into(entry).ok_or_else(|| no_entry(entry))?;
        let slots = inputs.iter().map(|input| Slot::input(input, Some(Guard::Behind)));
        let slots: Vec<_> = slots.collect();
        let mut free: Vec<_> = inputs.iter().zip(&slots).collect();
        let mut outputs: Vec<_> = earlier
            .iter()
            .map(|result| {
                let is_same = |(input, _): &(&Value, &Slot)| has_memory_for(input, result);
                match free.iter().position(is_same).filter(|_| memory == Memory::OfInputs) {
                    Some(at) => Slot::over(free.remove(at).1),
                    None => Slot::lent(result),
                }
            })
            .collect();
        let inputs: Vec<_> = slots.iter().map(Slot::address).collect();
        let places: Vec<_> = outputs.iter_mut().map(Slot::address_mut).collect();
        // SAFETY: as in `Call::run`; the outputs are arrays in memory that can be written.
        let code = unsafe { uniform(self.context.as_ptr(), places.as_ptr(), inputs.as_ptr()) };
        if code != 0 {
            return Err(self.error(code));
        }
        // SAFETY: the call returned 0, and its results stay as they are.
        Ok(outputs.iter().map(|slot| unsafe { slot.view() }.to_value()).collect())
    }

    /// Makes a call ready to be run. The types have to be those of the entry.
    ///
    /// # Errors
    /// The library has no such entry.
    pub fn prepare<'call>(
        &'call self,
        entry: &str,
        inputs: &'call [Value],
        outputs: &[ValueType],
    ) -> Result<Call<'call>, RunError> {
        let uniform = self.library.uniform(entry).ok_or_else(|| no_entry(entry))?;
        Ok(Call {
            session: self,
            entry: uniform,
            inputs: inputs.iter().map(|input| Slot::input(input, self.guard)).collect(),
            outputs: outputs.iter().map(|&ty| Slot::output(ty)).collect(),
            complete: false,
        })
    }

    /// The memory statistics of the context: those of the last call, and the bytes in use now.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        // SAFETY: the context lives as long as the session.
        unsafe { (self.library.runtime.arr_context_stats)(self.context.as_ptr(), &raw mut stats) };
        stats
    }

    /// A handle by which another thread cancels the running call.
    #[must_use]
    pub fn canceller(&self) -> Canceller<'_> {
        Canceller(self)
    }

    fn error(&self, code: i32) -> RunError {
        // SAFETY: the context lives as long as the session; messages end in NUL.
        let message = unsafe {
            CStr::from_ptr((self.library.runtime.arr_context_error)(self.context.as_ptr()))
        };
        let message = message.to_string_lossy().into_owned();
        RunError { code: ErrorCode::from_number(code), message }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: the last use of the context.
        unsafe { (self.library.runtime.arr_context_free)(self.context.as_ptr()) };
    }
}

impl Call<'_> {
    /// Runs the call, and gives the time of the entry alone.
    ///
    /// # Errors
    /// The call's.
    pub fn run(&mut self) -> Result<Duration, RunError> {
        self.release_outputs();
        let inputs: Vec<*const c_void> = self.inputs.iter().map(Slot::address).collect();
        let outputs: Vec<*mut c_void> = self.outputs.iter_mut().map(Slot::address_mut).collect();
        let context = self.session.context.as_ptr();
        let start = Instant::now();
        // SAFETY: the slots are laid out as the types say that the caller gave, and alive, as are
        // the library, the context and the inputs that the slots point to.
        let code = unsafe { (self.entry)(context, outputs.as_ptr(), inputs.as_ptr()) };
        let time = start.elapsed();
        if code != 0 {
            return Err(self.session.error(code));
        }
        self.complete = true;
        Ok(time)
    }

    /// The results of the last run.
    ///
    /// # Panics
    /// If there was none, or it failed.
    #[must_use]
    pub fn outputs(&self) -> Vec<Value> {
        self.views().iter().map(View::to_value).collect()
    }

    /// The results of the last run, in the memory where it wrote them.
    ///
    /// # Panics
    /// If there was none, or it failed.
    #[must_use]
    pub fn views(&self) -> Vec<View<'_>> {
        assert!(self.complete, "outputs are asked for after a run that succeeded");
        // SAFETY: the last run returned 0, and its results are neither released nor overwritten before the next run,
        // which borrows this call exclusively.
        self.outputs.iter().map(|slot| unsafe { slot.view() }).collect()
    }

    fn release_outputs(&mut self) {
        let release = self.session.library.runtime.arr_buffer_release;
        let complete = std::mem::take(&mut self.complete);
        for slot in &mut self.outputs {
            let owner = slot.take_owner();
            if complete {
                // SAFETY: the reference that the call returned, given up once: the slot forgot it.
                unsafe { release(self.session.context.as_ptr(), owner) };
            }
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.release_outputs();
    }
}

/// Whether the memory of an input is as large as a result.
fn has_memory_for(input: &Value, result: &Value) -> bool {
    match (input, result) {
        (Value::Array(input), Value::Array(result)) => {
            input.shape() == result.shape() && input.data().ty() == result.data().ty()
        }
        (Value::Scalar(_) | Value::Array(_), _) => false,
    }
}

fn no_entry(entry: &str) -> RunError {
    let message = format!("the library has no entry {entry}");
    RunError { code: Some(ErrorCode::Argument), message }
}

impl RunError {
    pub(super) fn from_host(error: HostError) -> Self {
        let code = match error {
            HostError::NoContext => ErrorCode::Memory,
            HostError::Load { .. } | HostError::NotArr { .. } => ErrorCode::Argument,
        };
        Self { code: Some(code), message: error.to_string() }
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("complete", &self.complete).finish_non_exhaustive()
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for RunError {}
