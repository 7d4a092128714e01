//! Forks of closures, by threads that are started for them.

use std::sync::atomic::AtomicI64;

use super::*;
use crate::call::arr_rt_fail;
use crate::context::{arr_context_cancel, arr_context_stats};
use crate::testing::{SITE, TestContext};
use arr_abi::layout::{Options, Pace, Stats};

/// Lends threads that are started for this call.
unsafe extern "C" fn lend(
    _: *mut c_void,
    copies: i64,
    body: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
) {
    let address = argument.expose_provenance();
    std::thread::scope(|scope| {
        for _ in 0..copies {
            // SAFETY: any thread may call the body.
            scope.spawn(move || unsafe {
                body(std::ptr::with_exposed_provenance_mut(address));
            });
        }
    });
}

fn context(threads: usize) -> TestContext {
    TestContext::new(&Options { threads, parallel: Some(lend), grain: 1, ..Options::new() })
}

/// A recursion: a node of a complete binary tree, whose leaves have the numbers from `from` on.
#[repr(C)]
struct Node {
    levels: u32,
    from: i64,
    /// The leaves that fail.
    failing: [i64; 2],
    /// Whether threads could share the loops of a call.
    sliced: bool,
    pace: *const Pace,
    sum: AtomicI64,
}

/// Two nodes.
type Pair = [Node; 2];

fn node(levels: u32, from: i64, failing: [i64; 2]) -> Node {
    Node { levels, from, failing, sliced: false, pace: null(), sum: AtomicI64::new(0) }
}

unsafe extern "C" fn left(context: *mut Context, frame: *mut c_void, follows: i32) -> c_int {
    assert_eq!(follows, 0, "nothing is before the first call");
    // SAFETY: the frame of a fork is a pair.
    unsafe { visit(context, &(&*frame.cast::<Pair>())[0]) }
}

unsafe extern "C" fn right(context: *mut Context, frame: *mut c_void, _: i32) -> c_int {
    // SAFETY: as above.
    unsafe { visit(context, &(&*frame.cast::<Pair>())[1]) }
}

/// # Safety
/// A call runs in the context.
unsafe fn visit(context: *mut Context, node: &Node) -> c_int {
    let Some(levels) = node.levels.checked_sub(1) else {
        // SAFETY: by contract.
        return unsafe { leaf(context, node) };
    };
    let half = 1_i64 << levels;
    let mut pair = [0, half].map(|offset| Node {
        sliced: node.sliced,
        pace: node.pace,
        ..self::node(levels, node.from + offset, node.failing)
    });
    let calls: [TaskFn<Context>; 2] = [left, right];
    let forked = Forked {
        calls: calls.as_ptr(),
        count: 2,
        pace: node.pace,
        pool: lend,
        sliced: node.sliced,
    };
    let frame = (&raw mut pair).cast();
    // SAFETY: the pair outlives the fork.
    let code = unsafe {
        // As in compiled code.
        if (*context).tasks_from.load(Ordering::Relaxed) > 0 {
            arr_rt_fork(context, &raw const forked, frame, half * 1000)
        } else {
            [left, right]
                .iter()
                .map(|call| call(context, frame, 0))
                .find(|&code| code != 0)
                .unwrap_or(0)
        }
    };
    let sum = pair.iter().map(|half| half.sum.load(Ordering::Relaxed)).sum();
    node.sum.store(sum, Ordering::Relaxed);
    code
}

/// A leaf: it allocates, and fails if it is one of the failing leaves.
///
/// # Safety
/// A call runs in the context.
unsafe fn leaf(context: *mut Context, node: &Node) -> c_int {
    // SAFETY: a call runs in the context; its end frees the buffers.
    unsafe {
        for bytes in [10, 5000] {
            let buffer = crate::buffer::arr_rt_alloc(context, bytes, 1, &raw const SITE.0);
            assert!(!buffer.is_null());
            if node.from % 2 == 0 {
                crate::buffer::arr_rt_release(buffer);
            }
        }
        node.sum.store(node.from, Ordering::Relaxed);
        if node.failing.contains(&node.from) {
            return arr_rt_fail(context, 1, &raw const SITE.0, node.from, 5);
        }
    }
    0
}

fn run(context: &TestContext, failing: [i64; 2]) -> (c_int, i64, Stats) {
    run_from(context, &node(7, 0, failing))
}

fn run_from(context: &TestContext, root: &Node) -> (c_int, i64, Stats) {
    context.enter();
    // SAFETY: a call runs.
    let code = unsafe { visit(context.pointer(), root) };
    let code = context.leave(code);
    let mut stats = Stats::default();
    // SAFETY: alive.
    unsafe { arr_context_stats(context.pointer(), &raw mut stats) };
    (code, root.sum.load(Ordering::Relaxed), stats)
}

#[test]
fn calls_give_the_same_on_any_number_of_threads() {
    for threads in [1, 2, 3, 7] {
        let context = context(threads);
        for _ in 0..20 {
            let (code, sum, stats) = run(&context, [-1; 2]);
            assert_eq!((code, sum), (0, 127 * 64));
            assert_eq!(stats.call_allocations, 256);
            assert_eq!((stats.bytes_live, stats.call_left_over), (0, 128));
            assert_eq!(stats.parallel_passes, u64::from(threads > 1));
        }
    }
}

#[test]
fn the_first_failure_by_position_is_told() {
    for threads in [1, 2, 3, 7] {
        let context = context(threads);
        for failing in [[0, 127], [100, 3], [64, 63], [127, 126], [90, 91]] {
            let (code, _, stats) = run(&context, failing);
            let first = failing[0].min(failing[1]);
            assert_eq!(code, 1);
            assert!(context.error().contains(&format!("index {first} ")));
            assert_eq!(stats.bytes_live, 0);
        }
        assert_eq!(run(&context, [-1; 2]).0, 0, "the next call is well");
    }
}

/// With eight threads for two calls, the outermost calls run in order, and their calls are tasks of as many crews.
#[test]
fn calls_whose_passes_are_shared_have_crews_of_their_own() {
    let node = |levels, failing| Node { sliced: true, ..node(levels, 0, failing) };
    // The grain is worth one element; a crew has fewer than 8 * 20 elements, which are 1000 for each leaf.
    let options = Options { threads: 8, parallel: Some(lend), grain: 32_000, ..Options::new() };
    let context = TestContext::new(&options);
    for (levels, crews) in [(9, 2), (10, 4)] {
        let (code, sum, stats) = run_from(&context, &node(levels, [-1; 2]));
        let leaves = 1_i64 << levels;
        assert_eq!((code, sum), (0, leaves * (leaves - 1) / 2));
        assert_eq!(stats.parallel_passes, crews, "{levels} levels");
    }
    let (code, _, stats) = run_from(&context, &node(10, [700, 900]));
    assert_eq!((code, stats.bytes_live), (1, 0));
    assert!(context.error().contains("index 700 "));
}

/// A call whose outermost fork has 64,000 elements, which are estimated at 2 ms.
fn run_paced(context: &TestContext, pace: &Pace, failing: [i64; 2]) -> (c_int, u64) {
    let (code, _, stats) = run_from(context, &Node { pace, ..node(7, 0, failing) });
    (code, stats.parallel_passes)
}

fn context_that_measures(threads: usize) -> TestContext {
    TestContext::new(&Options { threads, parallel: Some(lend), ..Options::new() })
}

fn pace(ratio: u32, passes: u32) -> Pace {
    Pace { ratio: ratio.into(), passes: passes.into() }
}

#[test]
fn a_fork_that_takes_much_less_time_than_estimated_runs_in_order() {
    let context = context_that_measures(2);
    assert_eq!(run_paced(&context, &pace(Pace::ONE, 1), [-1; 2]), (0, 1));
    assert_eq!(run_paced(&context, &pace(Pace::ONE / 100, 1), [-1; 2]), (0, 0));
}

#[test]
fn the_first_time_and_then_seldom_a_fork_is_measured_in_order() {
    let context = context_that_measures(2);
    let pace = pace(0, 0);
    assert_eq!(run_paced(&context, &pace, [-1; 2]), (0, 0));
    assert_ne!(pace.ratio.load(Ordering::Relaxed), 0);
    let parallel = (0..128).map(|_| {
        pace.ratio.store(Pace::ONE, Ordering::Relaxed);
        run_paced(&context, &pace, [-1; 2]).1
    });
    assert_eq!(parallel.sum::<u64>(), 126);
}

#[test]
fn a_fork_that_fails_is_not_measured() {
    let context = context_that_measures(2);
    let pace = pace(0, 0);
    assert_eq!(run_paced(&context, &pace, [5, 90]), (1, 0));
    assert!(context.error().contains("index 5 "));
    assert_eq!(pace.ratio.load(Ordering::Relaxed), 0);
}

#[test]
fn a_grain_of_the_caller_means_the_estimate() {
    let context = context(2);
    assert_eq!(run_paced(&context, &pace(1, 1), [-1; 2]), (0, 1));
}

#[test]
fn one_thread_forks_nothing() {
    let pace = pace(0, 0);
    assert_eq!(run_paced(&context_that_measures(1), &pace, [-1; 2]), (0, 0));
    assert_eq!(pace.ratio.load(Ordering::Relaxed), 0);
}

#[test]
fn memory_stays_flat() {
    let context = context(3);
    let kept = |_| run(&context, [-1; 2]).2.bytes_kept;
    let first: u64 = (0..10).map(kept).max().unwrap_or(0);
    let later: u64 = (0..100).map(kept).max().unwrap_or(0);
    assert!(later <= 4 * first, "{later} bytes after {first}");
}

#[test]
fn a_limit_holds_for_all_threads_together() {
    let limit = 1 << 20;
    let options = Options {
        memory_limit: limit,
        threads: 3,
        parallel: Some(lend),
        grain: 1,
        ..Options::new()
    };
    let context = TestContext::new(&options);
    let (code, sum, stats) = run(&context, [-1; 2]);
    assert_eq!((code, sum), (0, 127 * 64));
    assert!(stats.bytes_peak <= 1 << 20 && stats.bytes_kept <= 1 << 20);
}

#[test]
fn a_cancelled_call_ends() {
    let context = context(3);
    context.enter();
    // SAFETY: alive; no function here checks its stack, so the calls run to their end.
    unsafe { arr_context_cancel(context.pointer()) };
    assert!(context.get().is_cancelled());
    let root = node(5, 0, [-1; 2]);
    // SAFETY: a call runs.
    let code = unsafe { visit(context.pointer(), &root) };
    assert_eq!(context.get().stack_limit.get(), arr_abi::layout::CANCELLED);
    context.leave(code);
}
