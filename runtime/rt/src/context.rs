//! A context: the state that the calls of a caller share, and the outcome of the last one.
//!
//! Invariant: its first fields are `stack_limit`, `small`, `tasks_from`, `short` and `destinations`, which compiled functions use; the stack
//! limit ensures that at most one call runs in it, so that its buffers belong to one call.

mod failure;

use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use arr_abi::layout::{Destination, Options, Stats};

use self::failure::Outcome;
pub use self::failure::{arr_context_error, arr_context_error_code};
use crate::buffer::{Buffer, arr_rt_release};
use crate::cancel::StackLimit;
use crate::heap::{Heap, Room};
use crate::memory::Block;
use crate::message::Shortage;
use crate::options;
use crate::slices;
use crate::small::Small;
use crate::stack;
use crate::tasks::{self, Post};
use crate::team::Team;

/// `arr_context`.
#[repr(C)]
pub struct Context {
    /// The lowest address that a frame of the running call may have. Compiled functions that
    /// recurse compare their own with it, so it stays at offset 0. It also tells whether a call runs.
    pub(crate) stack_limit: StackLimit,
    /// The small buffers of the running call. Compiled functions know their offset and use them.
    small: Small,
    /// The least number of elements for which calls become tasks; 0: they do not. Compiled functions compare it.
    pub(crate) tasks_from: AtomicUsize,
    /// Passes of less work than this, in picoseconds, are one call. Compiled functions compare it, and nothing changes it.
    short: u64,
    /// The caller's memory for results of the running call; NULL if it gives none. Compiled functions set and read it.
    pub(crate) destinations: AtomicPtr<Destination>,
    /// The thread that made the running call: `pthread_self`.
    pub(crate) caller: AtomicUsize,
    /// The value of `tasks_from` when a call begins.
    tasks_at_first: usize,
    /// The bytes of stack that a call may use; 0: the whole stack.
    pub(crate) stack_option: usize,
    heap: NonNull<Heap>,
    /// The block of the context itself.
    block: Block,
    /// The threads that run slices of its passes, or its tasks.
    pub(crate) team: Team,
    /// Its part in the tasks of a crew.
    pub(crate) post: Post,
    role: Role,
    outcome: Outcome,
}

// The atomic variables of loom are larger.
#[cfg(not(all(test, loom)))]
const _: () = {
    use arr_abi::layout::{DESTINATIONS, SHORT, SMALL, STACK_LIMIT, TASKS};
    assert!(core::mem::offset_of!(Context, stack_limit) == STACK_LIMIT);
    assert!(core::mem::offset_of!(Context, small) == SMALL);
    assert!(core::mem::offset_of!(Context, tasks_from) == TASKS);
    assert!(core::mem::offset_of!(Context, short) == SHORT);
    assert!(core::mem::offset_of!(Context, destinations) == DESTINATIONS);
};

/// The role of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The calls of its owner.
    Calls,
    /// Slices of another one's passes. It has no small buffers: compiled code frees them in the context of the call.
    Slices,
    /// Tasks of another context.
    Tasks {
        /// Whether it has a heap of its own. With a memory limit, all workers share the heap of the call.
        own_heap: bool,
    },
}

/// A new context, or NULL if there is no memory, or the options are not supported. It is made in its place: a copy of
/// it would not fit the smallest stacks.
///
/// # Safety
/// `options` is NULL or points to as many bytes as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_new(options: *const Options) -> *mut Context {
    // SAFETY: by contract.
    let Some(options) = (unsafe { options::read(options) }) else { return core::ptr::null_mut() };
    let Some(heap) = Heap::create(&options) else { return core::ptr::null_mut() };
    // SAFETY: the heap is new, and lives as long as the context.
    let Some(context) = (unsafe { Context::create(heap, &options, Role::Calls) }) else {
        // SAFETY: the only reference is ours.
        unsafe { Heap::release(heap) };
        return core::ptr::null_mut();
    };
    // SAFETY: the heap is alive, and the context new.
    unsafe { Context::open(context) };
    context.as_ptr()
}

impl Context {
    /// Makes a context of a heap in its place.
    ///
    /// # Safety
    /// The heap lives as long as the context.
    pub(crate) unsafe fn create(
        heap: NonNull<Heap>,
        options: &Options,
        role: Role,
    ) -> Option<NonNull<Self>> {
        // SAFETY: by contract.
        let block = unsafe { heap.as_ref() }.allocator().allocate(size_of::<Self>())?;
        let place: NonNull<Self> = block.start.cast();
        let context = place.as_ptr();
        // SAFETY: the block is new, long enough, and aligned for anything; each field is written.
        unsafe {
            (&raw mut (*context).stack_limit).write(StackLimit::none());
            Small::init(&raw mut (*context).small);
            (&raw mut (*context).tasks_from).write(AtomicUsize::new(0));
            (&raw mut (*context).caller).write(AtomicUsize::new(0));
            (&raw mut (*context).stack_option).write(options.stack_limit);
            (&raw mut (*context).heap).write(heap);
            (&raw mut (*context).block).write(block);
            let team = Team::new(options);
            (&raw mut (*context).short).write(slices::short(&team));
            (&raw mut (*context).destinations).write(AtomicPtr::new(core::ptr::null_mut()));
            let from = if team.asked() == 1 { 0 } else { tasks::least(team.grain()) };
            (&raw mut (*context).tasks_at_first).write(from);
            (&raw mut (*context).team).write(team);
            (&raw mut (*context).post).write(Post::new());
            (&raw mut (*context).role).write(role);
            Outcome::init(&raw mut (*context).outcome);
        }
        Some(place)
    }

    /// Gives a new context small buffers of its heap.
    ///
    /// # Safety
    /// The context is alive.
    pub(crate) unsafe fn open(context: NonNull<Self>) {
        // SAFETY: by contract; a context keeps its heap.
        unsafe {
            if let Some(small) = NonNull::new(&raw mut (*context.as_ptr()).small) {
                context.as_ref().heap.as_ref().open(small);
            }
        }
    }

    /// Frees a context, but not its heap.
    ///
    /// # Safety
    /// The context is from [`Self::create`] and is not used any more, and its heap is alive.
    pub(crate) unsafe fn destroy(context: NonNull<Self>) {
        // SAFETY: by contract.
        unsafe {
            let (heap, block) = (context.as_ref().heap, context.as_ref().block);
            context.as_ref().team.disband();
            context.drop_in_place();
            heap.as_ref().allocator().free(block);
        }
    }
}

/// Frees a context. NULL is fine. Arrays that its calls returned stay until they are freed. A
/// context in which another thread's call runs is left as it is. A call of the same thread cannot run any
/// more: a `longjmp` has left it, and what it allocated is freed.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`, and not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_free(context: *mut Context) {
    let Some(context) = NonNull::new(context) else { return };
    // SAFETY: by contract the context is alive, and no call begins while it is held. Its
    // memory is from the heap's allocator; the heap goes last.
    unsafe {
        let is_left = context.as_ref().caller.load(Ordering::Relaxed) == this_thread();
        if !context.as_ref().stack_limit.hold() && !is_left {
            return;
        }
        context.as_ref().end_memory();
        let heap = context.as_ref().heap;
        heap.as_ref().close();
        Context::destroy(context);
        Heap::release(heap);
    }
}

/// The running thread.
pub(crate) fn this_thread() -> usize {
    // SAFETY: always allowed.
    let thread = unsafe { libc::pthread_self() };
    // It is an integer or a pointer, depending on the system.
    thread as usize
}

/// The memory statistics of the context.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `stats` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_stats(context: *const Context, stats: *mut Stats) {
    if stats.is_null() {
        return;
    }
    // SAFETY: by contract; a context keeps its heap.
    unsafe {
        let known = context.as_ref().map(|context| Stats {
            threads: context.team.threads_of_call(),
            parallel_passes: context.team.parallel_passes(),
            ..context.memory()
        });
        stats.write(known.unwrap_or_default());
    }
}

/// The statistics of two heaps together. Their peaks may have been at different times, so the sum may be more than the
/// real peak.
fn sum(a: &Stats, b: &Stats) -> Stats {
    Stats {
        bytes_live: a.bytes_live + b.bytes_live,
        bytes_peak: a.bytes_peak + b.bytes_peak,
        call_allocations: a.call_allocations + b.call_allocations,
        call_bytes: a.call_bytes + b.call_bytes,
        call_left_over: a.call_left_over + b.call_left_over,
        bytes_kept: a.bytes_kept + b.bytes_kept,
        ..*a
    }
}

/// Stops the call that runs in the context, if one does. NULL is fine. It only stores to atomic variables, so a signal
/// handler may call it.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`, and not freed meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_cancel(context: *mut Context) {
    // SAFETY: by contract.
    if let Some(context) = unsafe { context.as_ref() }
        && context.stack_limit.cancel_call()
    {
        context.team.cancel();
    }
}

/// Gives back the memory that the context keeps for its next arrays. NULL is fine.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_trim(context: *mut Context) {
    // SAFETY: by contract.
    let Some(context) = (unsafe { context.as_ref() }) else { return };
    // The small buffers are those of a call that runs, or else of the thread that holds the context.
    let is_idle = context.stack_limit.hold();
    // SAFETY: a context keeps its heap.
    context.each_heap(|heap, _| unsafe { heap.as_ref() }.trim(is_idle));
    if is_idle {
        context.stack_limit.end();
    }
}

impl Context {
    /// The heap that the context's buffers belong to.
    pub(crate) fn heap(&self) -> NonNull<Heap> {
        self.heap
    }

    /// Calls a function with the heap, and with the heaps of workers, and their small buffers.
    #[inline]
    fn each_heap(&self, mut act: impl FnMut(NonNull<Heap>, &Small)) {
        act(self.heap, &self.small);
        if self.team.has_any_for_tasks() {
            self.each_heap_for_tasks(act);
        }
    }

    /// The same with the heaps of workers only, which most contexts do not have.
    #[cold]
    fn each_heap_for_tasks(&self, mut act: impl FnMut(NonNull<Heap>, &Small)) {
        self.team.each_for_tasks(|worker| {
            if worker.heap != self.heap {
                act(worker.heap, &worker.small);
            }
        });
    }

    /// The statistics of the memory of all threads.
    fn memory(&self) -> Stats {
        let mut all = Stats::default();
        // SAFETY: a context keeps its heap.
        self.each_heap(|heap, _| all = sum(&all, &unsafe { heap.as_ref() }.stats()));
        all
    }

    /// Begins a call: its allocations are counted from here.
    fn begin_memory(&self) {
        // SAFETY: a context keeps its heap.
        self.each_heap(|heap, small| unsafe { heap.as_ref() }.begin_call(small));
    }

    /// Ends a call: all its arrays are freed, except those that it has given to the caller.
    ///
    /// # Safety
    /// The buffers of the call are not used any more.
    pub(crate) unsafe fn end_memory(&self) {
        // SAFETY: a context keeps its heap, and the rest is the contract.
        unsafe {
            let mut most = self.heap.as_ref().most_kept();
            self.each_heap(|heap, small| most = Heap::end_call(heap, small, most));
        }
    }

    /// Ends a task of the context: the small buffers that it hands over become ordinary ones.
    ///
    /// # Safety
    /// The context is that of a task, in this thread.
    pub(crate) unsafe fn hand_over(&self) {
        // SAFETY: by contract.
        unsafe { Heap::hand_over(self.heap, &self.small) };
    }

    /// Moves the call to the stack of the running thread.
    pub(crate) fn move_stack(&self) {
        self.stack_limit.change(stack::limit(self.stack_option));
    }

    /// A buffer for `capacity` bytes of elements with one reference, for the running call. It is a small one if it can be.
    ///
    /// # Safety
    /// The call runs in this thread. So functions of C, which may have several threads, must not call this.
    pub(crate) unsafe fn allocate(
        &self,
        capacity: usize,
        room: Room,
    ) -> Result<NonNull<Buffer>, Shortage> {
        let free = self.small.take(capacity);
        // SAFETY: by contract; a context keeps its heap.
        unsafe {
            let new = || Heap::allocate_small(self.heap, &self.small, capacity);
            match free.or_else(|| if self.has_small() { new() } else { None }) {
                Some(small) => Ok(small),
                None => Heap::allocate(self.heap, capacity, room),
            }
        }
    }

    /// Whether it has small buffers.
    fn has_small(&self) -> bool {
        // If several contexts share a heap, only one of them has small buffers.
        self.role == Role::Calls || self.own_heap().is_some()
    }

    /// For a worker: its own heap, if it does not share that of the call.
    pub(crate) fn own_heap(&self) -> Option<NonNull<Heap>> {
        (self.role == Role::Tasks { own_heap: true }).then_some(self.heap)
    }

    /// Gives up a reference to a buffer of the running call, or to another.
    ///
    /// # Safety
    /// The call runs in this thread, and owns the reference.
    pub(crate) unsafe fn release(&self, buffer: NonNull<Buffer>) {
        // SAFETY: by contract.
        unsafe {
            if buffer.as_ref().is_small()
                && Buffer::is_alone(buffer)
                && buffer.as_ref().heap == self.heap
            {
                self.small.give(buffer);
            } else {
                arr_rt_release(buffer.as_ptr());
            }
        }
    }

    /// Begins a call, which may use the stack of this thread down to a limit. False if another one runs.
    pub(crate) fn begin(&self) -> bool {
        self.stack_limit.begin(stack::limit(self.stack_option))
    }

    /// Prepares the context for the call that has begun.
    pub(crate) fn begin_call(&self) {
        self.tasks_from.store(self.tasks_at_first, Ordering::Relaxed);
        self.begin_memory();
    }

    /// For a worker: sets the stack limit to that of the running thread, or to that of a cancelled call if the call of `of` is
    /// cancelled.
    pub(crate) fn follow_stack(&self, of: &Self) {
        self.stack_limit.follow(&of.stack_limit, stack::limit(of.stack_option));
    }

    /// Whether the running call has been cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.stack_limit.is_cancelled()
    }
}
