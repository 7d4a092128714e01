//! The threads that run slices and tasks for a context, and the contexts that they run them in.
//!
//! The threads are the pool's, which is a library of its own, or the host's. A worker is a context that has a failure and a
//! stack limit of its own. One for slices shares the heap of the call's; one for tasks has a heap and small buffers of its
//! own. Workers are made when they are needed and stay with their context.
//!
//! Invariant: a worker runs slices or a task of one thread at a time, and only between the beginning and the end of
//! [`Team::lend`].

use core::ffi::c_void;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

use arr_abi::layout::{Options, ParallelFn};

use crate::awake::Awake;
use crate::clock;
use crate::context::{Context, Role};
use crate::heap::Heap;
use crate::roster::{Listed, Place, Roster};

// Without a pool there are no threads, and these functions do nothing. They are weak symbols, which Rust cannot define.
// The pool's library defines the same symbols, and the linker prefers those.
#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".pushsection .text.arr_parallel_none,\"ax\",@progbits",
    ".weak arr_parallel_threads",
    ".type arr_parallel_threads,@function",
    "arr_parallel_threads: xor eax, eax",
    "ret",
    ".weak arr_parallel_for",
    ".type arr_parallel_for,@function",
    "arr_parallel_for: ret",
    ".popsection",
);
#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    ".pushsection .text.arr_parallel_none,\"ax\",%progbits",
    ".weak arr_parallel_threads",
    ".type arr_parallel_threads,%function",
    "arr_parallel_threads: mov x0, #0",
    "ret",
    ".weak arr_parallel_for",
    ".type arr_parallel_for,%function",
    "arr_parallel_for: ret",
    ".popsection",
);

unsafe extern "C" {
    /// The threads of the pool that the process may use; 0 if no pool is linked.
    safe fn arr_parallel_threads() -> i64;
}

/// The default for the least work of several threads, in nanoseconds. Sleeping helpers come after 15 to 40
/// microseconds, and if no core is free the call loses 8 microseconds. In a prototype, a call without a free core lost
/// at most 12 % of 50 µs, 7 % of 100 and 4 % of 200. `scripts/bench --threads 1,2 map_map_i32` shows the effect of
/// another value.
const GRAIN: u64 = 100_000;
/// The same while helpers are awake. The estimate of a pass in cache is up to five times its time.
/// `scripts/bench --threads 1,2 dot_f64 20000` is near it: 6.7 µs on two threads, and 9.8 on one (least times, AVX2).
const GRAIN_AWAKE: u64 = 20_000;

/// For how many times the time of a pass that was slower than on one thread no threads take turns.
/// `scripts/bench --threads 1,2 scan_f64` has such passes, beside other processes. Not measured by itself.
const ALONE: i64 = 20;

/// The threads of a context.
pub(crate) struct Team {
    /// The number in the options; 0: all that the process may use.
    asked: usize,
    /// How many there are; 0: not known yet.
    threads: AtomicUsize,
    lend: Option<ParallelFn>,
    user: *mut c_void,
    /// The least work for several threads in the options, in nanoseconds; 0: the default.
    grain: u64,
    /// The helpers of short passes.
    awake: Awake,
    /// Passes of the running call that ran on several threads.
    passes: AtomicU64,
    /// The time until which no pass is run whose threads take turns, in nanoseconds.
    alone_until: AtomicI64,
    /// The workers for slices.
    workers: Roster<Context>,
    /// The workers for tasks.
    for_tasks: Roster<Context>,
    /// For a worker: its place on the list of its context.
    place: Place<Context>,
}

impl Listed for Context {
    fn place(&self) -> &Place<Self> {
        &self.team.place
    }
}

impl Team {
    /// The team of a context with these options.
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            asked: options.threads,
            threads: AtomicUsize::new(0),
            lend: options.parallel,
            user: options.parallel_user,
            grain: options.grain,
            awake: Awake::nobody(),
            passes: AtomicU64::new(0),
            alone_until: AtomicI64::new(0),
            workers: Roster::empty(),
            for_tasks: Roster::empty(),
            place: Place::new(),
        }
    }

    /// The team of a worker, which has no threads of its own.
    pub(crate) fn alone() -> Options {
        Options { threads: 1, ..Options::new() }
    }

    /// Begins a call. False if it asks for several threads, and there is neither a pool nor a host that lends them.
    pub(crate) fn begin_call(&self) -> bool {
        self.passes.store(0, Ordering::Relaxed);
        self.asked <= 1 || self.lend.is_some() || arr_parallel_threads() > 0
    }

    /// How many threads the options ask for.
    pub(crate) fn asked(&self) -> usize {
        self.asked
    }

    /// How many threads a call may use, its own included.
    pub(crate) fn threads(&self) -> usize {
        let known = self.threads.load(Ordering::Relaxed);
        if known > 0 {
            return known;
        }
        let threads = self.count_threads().max(1);
        self.threads.store(threads, Ordering::Relaxed);
        threads
    }

    fn count_threads(&self) -> usize {
        if self.asked > 0 {
            return self.asked;
        }
        let pool = usize::try_from(arr_parallel_threads()).unwrap_or(0);
        if self.lend.is_none() && pool == 0 {
            return 1;
        }
        from_environment().unwrap_or_else(|| if pool > 0 { pool } else { of_process() })
    }

    /// The same for the statistics.
    pub(crate) fn threads_of_call(&self) -> u64 {
        u64::try_from(self.threads()).unwrap_or(u64::MAX)
    }

    /// How many passes of the call ran on several threads.
    pub(crate) fn parallel_passes(&self) -> u64 {
        self.passes.load(Ordering::Relaxed)
    }

    /// The least work for several threads that sleep, in picoseconds.
    pub(crate) fn grain(&self) -> u64 {
        let grain = if self.grain == 0 { GRAIN } else { self.grain };
        grain.saturating_mul(1000)
    }

    /// Whether the times of passes are measured, which decide where several threads are worth it.
    pub(crate) fn measures(&self) -> bool {
        self.grain == 0 && self.threads() > 1
    }

    /// The least work for several threads, even if they are awake, in picoseconds.
    pub(crate) fn least(&self) -> u64 {
        self.grain().min(GRAIN_AWAKE * 1000)
    }

    /// Whether a pass that takes one thread `work` picoseconds is worth several threads now.
    pub(crate) fn is_worth_it(&self, work: u64) -> bool {
        if work >= self.grain() {
            return true;
        }
        // How long a host's threads take to come is not known.
        let may_be_awake = self.grain == 0 && self.lend.is_none() && self.threads() > 1;
        may_be_awake && work >= GRAIN_AWAKE * 1000 && self.awake.is_worth_a_call(clock::now())
    }

    /// Notes that another thread helped in a pass that has ended.
    pub(crate) fn note_help(&self) {
        self.awake.note_help(clock::now());
    }

    /// Notes that a pass whose threads take turns took this time, in nanoseconds, and that one thread would have been quicker.
    /// The system runs other things meanwhile, and it will do so for some time.
    pub(crate) fn note_lost(&self, time: i64) {
        let until = clock::now().saturating_add(time.saturating_mul(ALONE));
        self.alone_until.store(until, Ordering::Relaxed);
    }

    /// Whether threads should not take turns now.
    pub(crate) fn avoids_turns(&self) -> bool {
        let until = self.alone_until.load(Ordering::Relaxed);
        until > 0 && clock::now() < until
    }

    /// Calls a function in the caller's thread and in others, `copies` times at most.
    ///
    /// # Safety
    /// `body` may be called with the argument by any thread until this returns.
    pub(crate) unsafe fn lend(
        &self,
        pool: ParallelFn,
        copies: i64,
        body: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    ) {
        self.passes.store(self.parallel_passes() + 1, Ordering::Relaxed);
        // SAFETY: by contract.
        unsafe { self.lend_again(pool, copies, body, argument) };
    }

    /// The same for a later part of a pass.
    ///
    /// # Safety
    /// As for [`Self::lend`].
    pub(crate) unsafe fn lend_again(
        &self,
        pool: ParallelFn,
        copies: i64,
        body: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    ) {
        // SAFETY: by contract.
        unsafe {
            match self.lend {
                Some(lend) => lend(self.user, copies, body, argument),
                None => pool(null_mut(), copies, body, argument),
            }
            // A host may have lent no thread, not even this one.
            body(argument);
        }
    }

    /// A worker of the context for slices in the running thread. `None` if there is no memory for another one.
    ///
    /// # Safety
    /// The context is the team's, and a call runs in it.
    pub(crate) unsafe fn hire<'c>(&self, context: &'c Context) -> Option<&'c Context> {
        // SAFETY: workers live as long as their context, and use its heap.
        unsafe {
            let new = || Context::create(context.heap(), &Self::alone(), Role::Slices);
            Self::hired(&self.workers, context, new)
        }
    }

    /// The same for a task.
    ///
    /// # Safety
    /// As for [`Self::hire`].
    pub(crate) unsafe fn hire_for_tasks<'c>(&self, context: &'c Context) -> Option<&'c Context> {
        // SAFETY: as above; a heap of a worker's own lives as long as the worker.
        unsafe { Self::hired(&self.for_tasks, context, || for_tasks(context)) }
    }

    /// # Safety
    /// The list is one of the context's, and `new` makes workers for it.
    unsafe fn hired<'c>(
        list: &Roster<Context>,
        context: &'c Context,
        new: impl FnOnce() -> Option<NonNull<Context>>,
    ) -> Option<&'c Context> {
        // SAFETY: workers live as long as their context.
        let worker = unsafe { list.take(new)?.as_ref() };
        worker.clear_failure();
        worker.follow_stack(context);
        Some(worker)
    }

    /// Cancels the work of all workers.
    pub(crate) fn cancel(&self) {
        // SAFETY: workers live as long as their context.
        unsafe {
            for worker in self.workers.each().chain(self.for_tasks.each()) {
                worker.as_ref().stack_limit.cancel();
            }
        }
    }

    /// Whether it has workers for tasks.
    pub(crate) fn has_any_for_tasks(&self) -> bool {
        !self.for_tasks.is_empty()
    }

    /// Calls a function with each worker for tasks.
    pub(crate) fn each_for_tasks(&self, mut act: impl FnMut(&Context)) {
        // SAFETY: workers live as long as their context.
        unsafe { self.for_tasks.each().for_each(|worker| act(worker.as_ref())) };
    }

    /// For a worker: frees it, since it has no slice left.
    pub(crate) fn dismiss(&self) {
        self.place.free();
    }

    /// For a worker: notes that a slice failed in that block.
    pub(crate) fn fail(&self, block: i64) {
        self.place.fail(block);
    }

    /// The worker that failed in the first block, and the block; all workers are free then. `None` if none failed.
    ///
    /// # Safety
    /// No thread runs slices.
    pub(crate) unsafe fn first_failed(&self) -> Option<(&Context, i64)> {
        // SAFETY: workers live as long as their context.
        unsafe { self.workers.first_failed().map(|(worker, block)| (worker.as_ref(), block)) }
    }

    /// Frees the workers, and the heaps of their own.
    ///
    /// # Safety
    /// No call runs in the context, whose heap is alive.
    pub(crate) unsafe fn disband(&self) {
        for list in [&self.workers, &self.for_tasks] {
            // SAFETY: no call runs, so no thread uses a worker.
            unsafe {
                list.clear(|worker| {
                    let own = worker.as_ref().own_heap();
                    if let Some(heap) = own {
                        heap.as_ref().close();
                    }
                    Context::destroy(worker);
                    if let Some(heap) = own {
                        Heap::release(heap);
                    }
                });
            }
        }
    }
}

/// A new worker for tasks of a context. It has a heap of its own, unless the context has a memory limit.
fn for_tasks(context: &Context) -> Option<NonNull<Context>> {
    // SAFETY: a context keeps its heap; a heap of the worker's own goes with it.
    unsafe {
        let own = context.heap().as_ref().beside();
        let role = Role::Tasks { own_heap: own.is_some() };
        let worker = Context::create(own.unwrap_or(context.heap()), &Team::alone(), role);
        match (own, worker) {
            (Some(heap), None) => Heap::release(heap),
            (Some(_), Some(worker)) => Context::open(worker),
            (None, _) => {}
        }
        worker
    }
}

/// The number in the variable `ARR_NUM_THREADS`, if it is one. It is read by the C library, since Rust's functions for text
/// bring the machinery of panics.
fn from_environment() -> Option<usize> {
    // SAFETY: the name ends in NUL, and so does the text that is found; `end` is set to a place in it.
    let (threads, is_number) = unsafe {
        let text = libc::getenv(c"ARR_NUM_THREADS".as_ptr());
        if text.is_null() {
            return None;
        }
        let mut end = null_mut();
        let threads = libc::strtol(text, &raw mut end, 10);
        (threads, *end == 0)
    };
    usize::try_from(threads).ok().filter(|&threads| is_number && threads > 0)
}

/// The processors on which the process may run.
fn of_process() -> usize {
    // SAFETY: asks the system for a number.
    let count = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    #[cfg(target_os = "linux")]
    // SAFETY: a set of processors may be zero, and is written by the system.
    let count = unsafe {
        let mut set: libc::cpu_set_t = core::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) {
            0 => libc::c_long::from(libc::CPU_COUNT(&set)),
            _ => count,
        }
    };
    usize::try_from(count).unwrap_or(1)
}
