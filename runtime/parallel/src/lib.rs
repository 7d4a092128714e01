//! The threads that run slices of compiled programs: `libarr_parallel.a`.
//!
//! A program that links this library before the runtime's has a pool. Any other program has no pool and contains
//! nothing of this library, since the runtime defines the same two symbols weakly. The pool is rayon's. It starts with
//! the first pass that is worth several threads, all contexts of the process share it, and its threads sleep when there
//! has been nothing to do for a moment.
//!
//! When its own work is done, the caller does not wait for threads that have not woken yet: they find the gate closed.
//!
//! Invariant: nothing here fails. Where no thread can be started, the caller does all the work. After `fork`, the child
//! begins with a pool of its own, since it does not have the threads of its parent.
//!
//! ```text
//! arr_parallel_for(user, 3, body, arg)   ⇒   body(arg) in this thread, and in two of the pool at most
//! ```

mod gate;
mod lounge;
mod per_process;

use std::ffi::c_void;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use crate::gate::Gate;
use crate::lounge::Lounge;
use crate::per_process::OfProcess;

/// The size of the stack of a thread of the pool. Only the pages that it uses take memory.
const STACK: usize = 16 << 20;

/// The version of the interface of the pool and the runtime, as a symbol for the linker.
#[unsafe(export_name = arr_abi::pool_symbol!())]
pub static ABI: u32 = arr_abi::function::VERSION;

/// The pool of a process.
#[derive(Default)]
struct Pool {
    /// Its threads, once they have been started.
    threads: Mutex<Option<Arc<ThreadPool>>>,
    /// Where they wait for the next call.
    lounge: Lounge<Job>,
    /// How many jobs no thread has begun that wait in the queue of the threads.
    queued: AtomicUsize,
}

#[cfg(not(all(test, loom)))]
static POOL: OfProcess<Pool> = OfProcess::new();
#[cfg(all(test, loom))]
static POOL: std::sync::LazyLock<OfProcess<Pool>> = std::sync::LazyLock::new(OfProcess::new);

/// A function and its argument, for other threads.
#[derive(Clone, Copy)]
struct Body {
    run: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
}

// SAFETY: the caller of `arr_parallel_for` promises that any thread may call the function.
unsafe impl Send for Body {}

impl Body {
    fn run(self) {
        // SAFETY: by the contract of `arr_parallel_for`.
        unsafe { (self.run)(self.argument) };
    }
}

/// What a thread of the pool does for a call.
#[derive(Clone)]
struct Job {
    gate: Arc<Gate>,
    body: Body,
}

impl Job {
    fn run(self) {
        self.gate.pass(|| self.body.run());
    }
}

/// The threads that the process may use, by its affinity and its control group, when it first asked.
#[unsafe(no_mangle)]
pub extern "C" fn arr_parallel_threads() -> i64 {
    static THREADS: OnceLock<i64> = OnceLock::new();
    *THREADS.get_or_init(|| {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        i64::try_from(threads).unwrap_or(1)
    })
}

/// Calls a function with an argument in this thread, and up to `copies - 1` times in threads of the pool; returns when all
/// calls have returned.
///
/// # Safety
/// Any thread may call the function with the argument until this returns, and it does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_parallel_for(
    _: *mut c_void,
    copies: i64,
    body: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
) {
    let body = Body { run: body, argument };
    let helpers = usize::try_from(copies).unwrap_or(1).saturating_sub(1);
    if helpers == 0 {
        return body.run();
    }
    let pool = POOL.get(process::id());
    let Some(threads) = pool.with(helpers) else { return body.run() };
    let gate = Arc::new(Gate::default());
    let job = Job { gate: Arc::clone(&gate), body };
    for _ in pool.lounge.give(helpers, &job)..helpers {
        let job = job.clone();
        pool.queued.fetch_add(1, Ordering::Relaxed);
        threads.spawn(move || pool.work(job));
    }
    body.run();
    gate.close();
}

impl Pool {
    /// The threads, at least `helpers` if they can be started.
    fn with(&self, helpers: usize) -> Option<Arc<ThreadPool>> {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.as_ref().is_none_or(|threads| threads.current_num_threads() < helpers) {
            let all = usize::try_from(arr_parallel_threads()).unwrap_or(1).saturating_sub(1);
            *threads = Some(start(helpers.max(all))?);
        }
        threads.clone()
    }

    /// Does a job of the queue in a thread of the pool, and those that follow soon. Jobs in the queue come first: there, they
    /// would grow in number while other calls keep the thread.
    fn work(&self, job: Job) {
        self.queued.fetch_sub(1, Ordering::Relaxed);
        let mut next = Some(job);
        while let Some(job) = next {
            job.run();
            let is_free = self.queued.load(Ordering::Relaxed) == 0;
            next = if is_free { self.lounge.wait() } else { None };
        }
    }
}

/// Starts a pool; `None` if the system refuses the threads.
fn start(threads: usize) -> Option<Arc<ThreadPool>> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|number| format!("arr-{number}"));
    builder.build().ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;
    use std::thread::ThreadId;

    use super::*;

    /// Where the calls meet, and which threads they were in.
    struct Meeting {
        all: Barrier,
        threads: Mutex<HashSet<ThreadId>>,
    }

    unsafe extern "C" fn meet(meeting: *mut c_void) {
        // SAFETY: the tests pass a meeting.
        let meeting = unsafe { &*meeting.cast::<Meeting>() };
        meeting.all.wait();
        let mut threads = meeting.threads.lock().expect("no thread panics");
        threads.insert(std::thread::current().id());
    }

    #[test]
    fn several_threads_run_at_once() {
        for copies in [1, 2, 5, 3] {
            let all = Barrier::new(copies);
            let mut meeting = Meeting { all, threads: Mutex::default() };
            let copies = i64::try_from(copies).expect("few");
            // SAFETY: the meeting outlives the call.
            unsafe {
                arr_parallel_for(std::ptr::null_mut(), copies, meet, (&raw mut meeting).cast())
            };
            let threads = meeting.threads.into_inner().expect("no thread panics");
            assert_eq!(i64::try_from(threads.len()), Ok(copies));
            assert!(threads.contains(&std::thread::current().id()));
        }
    }

    #[test]
    fn the_process_may_use_a_thread() {
        assert!(arr_parallel_threads() >= 1);
    }
}
