//! How a fork outside of all others runs: in order, by a crew, or in order with passes that threads share.
//!
//! Invariant: a fork that is measured runs in this thread, without forks inside of it.
//!
//! ```text
//! 10,000 elements, estimated at 320 µs; two threads can save 40 µs of them   ⇒   in order
//! ```

use core::ffi::c_int;
use core::sync::atomic::Ordering;

use arr_abi::layout::{ELEMENT, Pace};

use super::{Calls, least, run_by_crew};
use crate::context::Context;
use crate::pace;

/// A pass is long if it has as many times the elements that are worth several threads, for each thread. No benchmark
/// shows it alone.
const LONG: usize = 20;
/// Threads share the passes of calls, and not the calls, if there are as many threads for each call. With fewer, calls as
/// tasks were up to 27 % quicker for the closest of 2^20 points. With 8 and 16, shared passes were 1.6 times as quick
/// for the hull of 2^22 points. `scripts/bench --threads 1,4,8,16 closest_points quickhull` shows both.
const SHARING: usize = 4;
/// The least time that several threads must be able to save, in picoseconds. Where a thread that sleeps comes after 40
/// microseconds, forks that could save 40, 70 and 100 microseconds took 1.5, 1.25 and 1.0 of the time of one thread on
/// two threads. `scripts/bench --threads 1,2 quickhull 20000` is such a fork.
const SAVED: u64 = 120_000_000;

/// The times of some calls, in nanoseconds.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    total: i64,
    longest: i64,
}

impl Times {
    pub(super) fn add(&mut self, time: i64) {
        self.total += time;
        self.longest = self.longest.max(time);
    }

    /// The time that `threads` threads can save at most: they share the work, and a call runs in one thread.
    fn saved(self, threads: usize) -> i64 {
        let threads = i64::try_from(threads).unwrap_or(i64::MAX).max(1);
        (self.total - self.longest).min(self.total - self.total / threads)
    }
}

/// A fork outside of all others.
pub(super) struct Outermost<'a> {
    pub(super) context: &'a Context,
    pub(super) calls: Calls<'a>,
    /// The elements of all calls but the longest.
    pub(super) elements: usize,
    pub(super) threads: usize,
}

impl Outermost<'_> {
    /// # Safety
    /// As for [`super::arr_rt_fork`].
    pub(super) unsafe fn run(&self) -> c_int {
        let (context, calls) = (self.context, self.calls);
        // SAFETY: by contract.
        unsafe {
            if self.threads < 2 {
                context.tasks_from.store(0, Ordering::Relaxed);
                return calls.in_order(context);
            }
            if self.share_passes() {
                return calls.one_by_one(context).0;
            }
            match self.pace() {
                Some(pace) => self.measured(pace),
                None => self.by_crew(),
            }
        }
    }

    /// Whether threads share the passes of the calls, instead of the calls.
    fn share_passes(&self) -> bool {
        let long = least(self.context.team.grain()).saturating_mul(LONG);
        self.calls.forked.sliced
            && self.threads >= self.calls.count().saturating_mul(SHARING)
            && self.elements >= self.threads.saturating_mul(long)
    }

    /// The pace of the fork, if its time decides about threads.
    fn pace(&self) -> Option<&Pace> {
        // SAFETY: compiled code has one for as long as it is loaded.
        let pace = unsafe { self.calls.forked.pace.as_ref() };
        pace.filter(|_| self.context.team.measures() && self.estimate() < pace::FORK.long)
    }

    /// The estimated time of all calls but the longest, in picoseconds.
    fn estimate(&self) -> u64 {
        u64::try_from(self.elements).map_or(u64::MAX, |elements| elements.saturating_mul(ELEMENT))
    }

    /// Runs the calls by a crew if that saves enough time. A fork that is measured runs in order.
    ///
    /// # Safety
    /// As for [`super::arr_rt_fork`].
    unsafe fn measured(&self, pace: &Pace) -> c_int {
        let is_worth_it = pace::expected(pace, &pace::FORK, self.estimate()) >= SAVED;
        let every = if is_worth_it { pace::SELDOM } else { pace::OFTEN };
        let is_due = pace::is_due(pace, &pace::FORK, self.estimate(), every);
        // SAFETY: by contract.
        unsafe {
            match (is_worth_it, is_due) {
                (true, true) => {
                    let (code, times) = self.calls.timed_in_order(self.context);
                    self.note(pace, code, times);
                    code
                }
                (true, false) => self.by_crew(),
                // One of the calls may be long, and contain forks that are worth several threads.
                (false, _) => {
                    let crews = &self.context.post.crews;
                    let before = crews.load(Ordering::Relaxed);
                    let (code, times) = self.calls.one_by_one(self.context);
                    if is_due && crews.load(Ordering::Relaxed) == before {
                        self.note(pace, code, times);
                    }
                    code
                }
            }
        }
    }

    /// # Safety
    /// As for [`super::arr_rt_fork`].
    unsafe fn by_crew(&self) -> c_int {
        // SAFETY: by contract.
        unsafe { run_by_crew(self.context, self.calls, self.elements, self.threads) }
    }

    /// Notes the times of all calls.
    fn note(&self, pace: &Pace, code: c_int, times: Times) {
        if code == 0 {
            pace::note(pace, self.estimate(), times.saved(self.threads));
        }
    }
}
