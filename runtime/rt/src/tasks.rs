//! Calls as tasks: recursive calls, and passes of a block, that do not depend on each other run at the same time.
//!
//! The first fork of a call with enough work makes a crew: the pool's threads, or the host's, join it once, and stay
//! until the fork is done. A fork inside it puts its calls but the first one into the crew's queue and makes the first
//! itself. Then it takes its own calls that no other thread has taken. While others run the rest, it helps only with
//! calls inside of these. So its stack is never deeper than in a run on one thread. The other threads take the oldest
//! calls. A call that the fork itself runs directly after the call before it can append to the result of that call. So
//! nothing is copied if no other thread comes.
//!
//! Estimates of forks are rough, so forks are measured now and then, in order. A fork that would save less time than
//! waking a thread takes runs in order ([`Outermost`]).
//!
//! A pass in a task runs in one thread. So a fork with far fewer calls than threads makes its calls in order if threads
//! can share all of their passes and these are long. Its calls begin crews of their own where the passes get shorter.
//!
//! Each call that another thread takes has a worker: a context with a heap of its own, so that its allocations take no
//! lock that others wait for. The buffers that it hands over stay in that heap, and are freed to it.
//!
//! Invariant: a fork gives the first failure by position, whichever threads ran the calls. The results of the calls do
//! not depend on whether they are tasks. Forks that are too small or too deep run in order.
//!
//! ```text
//! fork { f a; f b }   ⇒   queue: f b;  this thread: f a;  then f b; or, if another thread has taken it, the forks inside of f b
//! ```

mod outermost;

use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::ptr::{NonNull, null, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use arr_abi::ErrorCode;
use arr_abi::layout::{ELEMENT, FORKED, Forked, TaskFn};

use self::outermost::{Outermost, Times};
use crate::clock;
use crate::context::{Context, this_thread};
use crate::lock::{Lock, Signal};

/// A fork with less than this part of the elements of the outermost one, for each thread, runs in order. In a prototype
/// of quickhull on two threads, 100,000 points took about the same time with tasks of more than 300 to 10,000 points.
/// `scripts/bench --threads 1,2 quickhull` shows the effect of another part.
const PARTS: usize = 4;
/// Forks inside each other, besides one for each doubling of the threads. `scripts/bench --threads 1,2 quadtree` shows
/// the effect of another number. Not measured by itself.
const LEVELS: usize = 5;

/// Runs calls that do not depend on each other. Returns 0 or the code of the first failure by position.
///
/// # Safety
/// `context` is one in which a call runs; `forked` describes calls that any thread may make, and `frame` is the one that they
/// read and write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_fork(
    context: *mut Context,
    forked: *const Forked<Context>,
    frame: *mut c_void,
    elements: i64,
) -> c_int {
    // SAFETY: by contract.
    let (Some(context), Some(forked)) = (unsafe { (context.as_ref(), forked.as_ref()) }) else {
        return ErrorCode::Argument.number();
    };
    let calls = Calls { forked, frame };
    let post = &context.post;
    // SAFETY: by contract; a crew lives as long as contexts know of it.
    unsafe {
        match post.crew.load(Ordering::Relaxed).as_ref() {
            None => {
                let elements = usize::try_from(elements).unwrap_or(0);
                Outermost { context, calls, elements, threads: context.team.threads() }.run()
            }
            Some(crew) if post.depth.load(Ordering::Relaxed) < crew.deepest => {
                crew.fork(context, calls)
            }
            Some(_) => calls.in_order(context),
        }
    }
}

/// The least number of elements for tasks, if a call uses several threads for that many picoseconds of work.
pub(crate) fn least(grain: u64) -> usize {
    usize::try_from(grain.div_ceil(ELEMENT).max(1)).unwrap_or(usize::MAX)
}

/// The part of a context in a crew.
pub(crate) struct Post {
    crew: AtomicPtr<Crew>,
    /// The call that runs in the context, if it is a call of a fork.
    task: AtomicPtr<Task>,
    /// How many forks enclose that call.
    depth: AtomicUsize,
    /// How many crews the context has had.
    crews: AtomicUsize,
}

impl Post {
    /// The post of a context without a crew.
    pub(crate) fn new() -> Self {
        Self {
            crew: AtomicPtr::new(null_mut()),
            task: AtomicPtr::new(null_mut()),
            depth: AtomicUsize::new(0),
            crews: AtomicUsize::new(0),
        }
    }

    /// Whether a crew runs forks of the context.
    pub(crate) fn has_crew(&self) -> bool {
        !self.crew.load(Ordering::Relaxed).is_null()
    }
}

/// The calls of a fork.
#[derive(Clone, Copy)]
struct Calls<'a> {
    forked: &'a Forked<Context>,
    frame: *mut c_void,
}

impl Calls<'_> {
    fn count(&self) -> usize {
        self.forked.count.clamp(1, FORKED)
    }

    /// The function of a call.
    ///
    /// # Safety
    /// There are as many calls as the fork says.
    unsafe fn function(&self, at: usize) -> TaskFn<Context> {
        // SAFETY: by contract.
        unsafe { self.forked.calls.add(at.min(self.count() - 1)).read() }
    }

    /// Makes a call in a context of this thread. It follows if the call before it has ended in this context.
    ///
    /// # Safety
    /// As for [`arr_rt_fork`].
    unsafe fn make(&self, at: usize, context: &Context, follows: bool) -> c_int {
        let context = core::ptr::from_ref(context).cast_mut();
        // SAFETY: by contract.
        unsafe { self.function(at)(context, self.frame, follows.into()) }
    }

    /// Makes all calls, without forks inside of them.
    ///
    /// # Safety
    /// As for [`arr_rt_fork`].
    unsafe fn in_order(&self, context: &Context) -> c_int {
        // SAFETY: by contract.
        unsafe { self.timed_in_order(context).0 }
    }

    /// The same; gives also the times of the calls.
    ///
    /// # Safety
    /// As for [`arr_rt_fork`].
    unsafe fn timed_in_order(&self, context: &Context) -> (c_int, Times) {
        let from = context.tasks_from.swap(0, Ordering::Relaxed);
        // SAFETY: by contract.
        let made = unsafe { self.one_by_one(context) };
        context.tasks_from.store(from, Ordering::Relaxed);
        made
    }

    /// Makes all calls; gives their times as well. Forks inside of them may be tasks.
    ///
    /// # Safety
    /// As for [`arr_rt_fork`].
    unsafe fn one_by_one(&self, context: &Context) -> (c_int, Times) {
        let (mut code, mut times) = (0, Times::default());
        let mut begun = clock::now();
        for at in 0..self.count() {
            if code == 0 {
                // SAFETY: by contract.
                code = unsafe { self.make(at, context, at > 0) };
                let ended = clock::now();
                times.add(ended - begun);
                begun = ended;
            }
        }
        (code, times)
    }
}

/// Runs the calls of a fork by a crew of their own.
///
/// # Safety
/// As for [`arr_rt_fork`].
unsafe fn run_by_crew(
    context: &Context,
    calls: Calls<'_>,
    elements: usize,
    threads: usize,
) -> c_int {
    let before = context.tasks_from.load(Ordering::Relaxed);
    let part = elements.checked_div(threads.saturating_mul(PARTS)).unwrap_or(0);
    let crew = Crew {
        context,
        forked: calls.forked,
        frame: calls.frame,
        least: before.max(part),
        deepest: LEVELS + usize::try_from(threads.ilog2()).unwrap_or(0),
        caller: this_thread(),
        queue: Lock::new(Queue { first: null(), stage: Stage::New, code: 0 }),
        changed: Signal::new(),
    };
    let limit = context.stack_limit.get();
    let place = (&raw const crew).cast_mut();
    let post = &context.post;
    post.crews.fetch_add(1, Ordering::Relaxed);
    post.crew.store(place, Ordering::Relaxed);
    context.tasks_from.store(crew.least, Ordering::Relaxed);
    // SAFETY: the crew lives until all threads are back.
    unsafe {
        let copies = i64::try_from(threads).unwrap_or(i64::MAX);
        context.team.lend(calls.forked.pool, copies, join, place.cast());
    }
    post.crew.store(null_mut(), Ordering::Relaxed);
    context.tasks_from.store(before, Ordering::Relaxed);
    context.stack_limit.change(limit);
    crew.queue.with(|queue| queue.code)
}

/// The threads that run the forks of a call.
struct Crew {
    context: *const Context,
    /// The outermost fork.
    forked: *const Forked<Context>,
    frame: *mut c_void,
    /// The least number of elements for a task.
    least: usize,
    /// The most forks inside each other.
    deepest: usize,
    /// The thread that began it.
    caller: usize,
    queue: Lock<Queue>,
    changed: Signal,
}

/// The calls that wait for a thread, the oldest first. Its lock guards all communication of the threads.
struct Queue {
    first: *const Task,
    stage: Stage,
    /// The code of the outermost fork.
    code: c_int,
}

/// The state of the outermost fork.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Runs,
    Done,
}

/// A call of a fork.
struct Task {
    /// Its place among the calls of the fork.
    at: usize,
    group: *const Group,
    /// The next one in the queue.
    next: Cell<*const Task>,
    /// Whether only the thread of the fork may make the call, since there was no memory for a worker.
    is_own: Cell<bool>,
}

/// A fork that runs.
struct Group {
    forked: *const Forked<Context>,
    frame: *mut c_void,
    /// The call that contains it; none for the outermost fork.
    parent: *const Task,
    /// The number of its calls that other threads may take and that have not ended.
    left: Cell<usize>,
    /// The first call that failed, or a larger number.
    failed: Cell<usize>,
    /// Its code.
    code: Cell<c_int>,
    /// The worker in which it failed, if another thread ran it.
    failer: Cell<*const Context>,
}

/// The next action of a thread for its fork.
enum Next {
    Own(NonNull<Task>),
    Other(NonNull<Task>),
    End,
}

/// The work of each thread that joins a crew.
///
/// # Safety
/// `crew` is a [`Crew`] that lives until this returns.
unsafe extern "C" fn join(crew: *mut c_void) {
    // SAFETY: by contract.
    unsafe {
        if let Some(crew) = crew.cast::<Crew>().as_ref() {
            crew.join();
        }
    }
}

impl Crew {
    /// The first thread runs the outermost fork, the others the calls in the queue.
    ///
    /// # Safety
    /// A call runs in the context.
    unsafe fn join(&self) {
        let is_first = self.queue.with(|queue| {
            let is_first = queue.stage == Stage::New;
            if is_first {
                queue.stage = Stage::Runs;
            }
            is_first
        });
        // SAFETY: by contract; tasks in the queue are alive.
        unsafe {
            if is_first {
                self.outermost();
            }
            while let Some(task) = self.queue.wait(&self.changed, |queue| {
                let task = queue.take(|task| !task.is_own.get());
                if task.is_none() && queue.stage != Stage::Done { None } else { Some(task) }
            }) {
                self.run(task);
            }
        }
    }

    /// # Safety
    /// As for [`Self::join`].
    unsafe fn outermost(&self) {
        // SAFETY: by contract.
        unsafe {
            let (context, forked) = (&*self.context, &*self.forked);
            if this_thread() != self.caller {
                context.move_stack();
            }
            let code = self.fork(context, Calls { forked, frame: self.frame });
            self.queue.with(|queue| (queue.stage, queue.code) = (Stage::Done, code));
        }
        self.changed.wake_all();
    }

    /// Makes the calls of a fork.
    ///
    /// # Safety
    /// As for [`arr_rt_fork`], by a thread of the crew.
    unsafe fn fork(&self, context: &Context, calls: Calls<'_>) -> c_int {
        let post = &context.post;
        let parent = post.task.load(Ordering::Relaxed);
        let group = Group {
            forked: calls.forked,
            frame: calls.frame,
            parent,
            left: Cell::new(calls.count() - 1),
            failed: Cell::new(usize::MAX),
            code: Cell::new(0),
            failer: Cell::new(null()),
        };
        let tasks: [Task; FORKED] = core::array::from_fn(|at| Task {
            at,
            group: &raw const group,
            next: Cell::new(null()),
            is_own: Cell::new(false),
        });
        let depth = post.depth.fetch_add(1, Ordering::Relaxed);
        self.queue.with(|queue| {
            tasks.iter().take(calls.count()).skip(1).for_each(|task| queue.put(task));
        });
        self.changed.wake_all();
        // SAFETY: by contract; tasks of the group end before this returns.
        unsafe {
            let code = calls.make(0, context, false);
            self.end_of(&group, 0, code);
            // The last call that ended here, if it did not fail.
            let mut last = (code == 0).then_some(0);
            loop {
                match self.queue.wait(&self.changed, |queue| queue.next_of(&group)) {
                    Next::Own(task) => {
                        let at = task.as_ref().at;
                        post.task.store(task.as_ptr(), Ordering::Relaxed);
                        let code = calls.make(at, context, last.is_some_and(|last| last + 1 == at));
                        last = (code == 0).then_some(at);
                        post.task.store(parent, Ordering::Relaxed);
                        self.queue.with(|_| group.left.set(group.left.get() - 1));
                        self.end_of(&group, at, code);
                    }
                    Next::Other(task) => self.run(task),
                    Next::End => break,
                }
            }
            post.depth.store(depth, Ordering::Relaxed);
            if let Some(failer) = group.failer.get().as_ref() {
                context.fail_as(failer);
                failer.team.dismiss();
            }
        }
        group.code.get()
    }

    /// Ends a call of a fork in this thread's own context.
    ///
    /// # Safety
    /// The group's fork is of this thread.
    unsafe fn end_of(&self, group: &Group, at: usize, code: c_int) {
        if code != 0 {
            // SAFETY: by contract.
            self.queue.with(|queue| unsafe { self.fail(queue, group, (at, code), null()) });
            self.changed.wake_all();
        }
    }

    /// Makes a call of another fork.
    ///
    /// # Safety
    /// The task was in the queue, and its fork waits for it.
    unsafe fn run(&self, task: NonNull<Task>) {
        // SAFETY: by contract.
        let (task, group, context) = unsafe {
            let task = task.as_ref();
            (task, &*task.group, &*self.context)
        };
        // SAFETY: a call runs in the context.
        let Some(worker) = (unsafe { context.team.hire_for_tasks(context) }) else {
            task.is_own.set(true);
            self.queue.with(|queue| queue.put(task));
            return self.changed.wake_all();
        };
        // SAFETY: the worker is this thread's; groups around the task are alive.
        let is_moot = self.queue.with(|_| unsafe {
            self.post(worker, task);
            is_moot(task)
        });
        let code = if is_moot {
            ErrorCode::Cancelled.number()
        } else {
            // SAFETY: by contract.
            unsafe {
                let calls = Calls { forked: &*group.forked, frame: group.frame };
                let code = calls.make(task.at, worker, false);
                worker.hand_over();
                code
            }
        };
        // SAFETY: the worker runs no call any more.
        self.queue.with(|queue| unsafe {
            worker.post.task.store(null_mut(), Ordering::Relaxed);
            worker.post.crew.store(null_mut(), Ordering::Relaxed);
            group.left.set(group.left.get() - 1);
            if code == 0 {
                worker.team.dismiss();
            } else {
                self.fail(queue, group, (task.at, code), worker);
            }
        });
        self.changed.wake_all();
    }

    /// Makes a call in a worker.
    ///
    /// # Safety
    /// The worker is this thread's.
    unsafe fn post(&self, worker: &Context, task: &Task) {
        let mut depth = 0;
        let mut around: *const Task = task;
        // SAFETY: the groups around a task that runs are alive.
        while let Some(task) = unsafe { around.as_ref() } {
            depth += 1;
            // SAFETY: as above.
            around = unsafe { (*task.group).parent };
        }
        let post = &worker.post;
        post.crew.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        post.task.store(core::ptr::from_ref(task).cast_mut(), Ordering::Relaxed);
        post.depth.store(depth, Ordering::Relaxed);
        worker.tasks_from.store(self.least, Ordering::Relaxed);
    }

    /// Notes that a call of a group has failed. If no call before it has failed, its failure becomes that of the group,
    /// and the calls behind it stop.
    ///
    /// # Safety
    /// The group and those around it are alive; the worker is the one in which it failed, or NULL.
    unsafe fn fail(
        &self,
        queue: &mut Queue,
        group: &Group,
        (at, code): (usize, c_int),
        worker: *const Context,
    ) {
        // SAFETY: by contract.
        unsafe {
            let is_first = at < group.failed.get();
            let gone = if is_first { group.failer.replace(worker) } else { worker };
            if let Some(gone) = gone.as_ref() {
                gone.team.dismiss();
            }
            if is_first {
                group.failed.set(at);
                group.code.set(code);
                self.stop(queue);
            }
        }
    }

    /// Stops the calls whose results are not needed any more.
    ///
    /// # Safety
    /// The queue's lock is held.
    unsafe fn stop(&self, queue: &mut Queue) {
        // SAFETY: tasks that wait or run are alive, and so are the groups around them.
        unsafe {
            while let Some(task) = queue.take(|task| is_moot(task)) {
                let group = &*task.as_ref().group;
                group.left.set(group.left.get() - 1);
                if group.failed.get() == usize::MAX {
                    group.failed.set(task.as_ref().at);
                    group.code.set(ErrorCode::Cancelled.number());
                }
            }
            let context = &*self.context;
            context.team.each_for_tasks(|worker| {
                let task = worker.post.task.load(Ordering::Relaxed);
                if task.as_ref().is_some_and(|task| is_moot(task)) {
                    worker.stack_limit.cancel();
                }
            });
        }
    }
}

impl Queue {
    /// Puts a task behind all others.
    fn put(&mut self, task: &Task) {
        task.next.set(null());
        let mut last = self.first;
        // SAFETY: tasks in the queue are alive.
        unsafe {
            while let Some(next) = last.as_ref().and_then(|task| task.next.get().as_ref()) {
                last = next;
            }
            match last.as_ref() {
                Some(last) => last.next.set(task),
                None => self.first = task,
            }
        }
    }

    /// Takes the oldest task of a kind.
    fn take(&mut self, is_wanted: impl Fn(&Task) -> bool) -> Option<NonNull<Task>> {
        let mut before: Option<&Task> = None;
        let mut at = self.first;
        // SAFETY: tasks in the queue are alive.
        while let Some(task) = unsafe { at.as_ref() } {
            if is_wanted(task) {
                match before {
                    Some(before) => before.next.set(task.next.get()),
                    None => self.first = task.next.get(),
                }
                return Some(NonNull::from(task));
            }
            before = Some(task);
            at = task.next.get();
        }
        None
    }

    /// The next action of the thread of a fork; nothing while it can only wait.
    fn next_of(&mut self, group: &Group) -> Option<Next> {
        let own = |task: &Task| core::ptr::eq(task.group, group);
        if let Some(task) = self.take(own) {
            return Some(Next::Own(task));
        }
        // SAFETY: the groups around a task are alive.
        let inside = |task: &Task| unsafe { !task.is_own.get() && is_inside(task, group) };
        if let Some(task) = self.take(inside) {
            return Some(Next::Other(task));
        }
        (group.left.get() == 0).then_some(Next::End)
    }
}

/// Whether the result of a call is not needed, since a call before it failed, or a call before one that contains it.
///
/// # Safety
/// The task is alive, and the queue's lock is held.
unsafe fn is_moot(task: &Task) -> bool {
    let mut at: *const Task = task;
    // SAFETY: the groups around a task are alive.
    unsafe {
        while let Some(task) = at.as_ref() {
            let group = &*task.group;
            if group.failed.get() < task.at {
                return true;
            }
            at = group.parent;
        }
    }
    false
}

/// Whether a call is inside of a call of a group.
///
/// # Safety
/// As for [`is_moot`].
unsafe fn is_inside(task: &Task, group: &Group) -> bool {
    let mut at: *const Task = task;
    // SAFETY: the groups around a task are alive.
    unsafe {
        while let Some(task) = at.as_ref() {
            if core::ptr::eq(task.group, group) {
                return true;
            }
            at = (*task.group).parent;
        }
    }
    false
}

#[cfg(test)]
mod tests;
