//! Where threads of the pool wait a moment for the next call, before they sleep.
//!
//! A thread that sleeps comes 15 to 40 microseconds after it is called, and the call costs several. One that waits comes
//! at once. So passes that follow each other closely have their helpers from the beginning.
//!
//! Invariant: each job is left for a thread that waits, and that thread does not go before it has taken a job.
//!
//! ```text
//! one thread waits; give(3, job)   ⇒   1: that thread takes the job, and two others are to be woken
//! ```

use std::sync::PoisonError;
use std::time::{Duration, Instant};

#[cfg(not(all(test, loom)))]
use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

#[cfg(all(test, loom))]
use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

/// How long a thread waits. The runtime expects helpers to be awake for a little less.
/// `scripts/bench --threads 1,2 dot_f64 20000` has passes that find a thread waiting: 6.7 µs, and 9.8 on one thread
/// (least times, AVX2). Other times were not measured.
const PATIENCE: Duration = Duration::from_micros(if cfg!(all(test, loom)) { 0 } else { 50 });
/// How often a thread checks for a job between two looks at the clock. No benchmark shows it alone.
const LOOKS: u32 = if cfg!(all(test, loom)) { 1 } else { 32 };

/// The place where they wait.
pub(crate) struct Lounge<J> {
    inside: Mutex<Inside<J>>,
    /// The number of jobs, which threads read without the lock.
    jobs: AtomicUsize,
}

/// What the lock protects.
struct Inside<J> {
    /// How many threads wait. There are at most as many jobs.
    waiting: usize,
    jobs: Vec<J>,
}

impl<J> Default for Lounge<J> {
    fn default() -> Self {
        let inside = Inside { waiting: 0, jobs: Vec::new() };
        Self { inside: Mutex::new(inside), jobs: AtomicUsize::new(0) }
    }
}

impl<J: Clone> Lounge<J> {
    /// Gives a job to threads that wait, at most to that many; tells to how many.
    pub(crate) fn give(&self, most: usize, job: &J) -> usize {
        let mut inside = self.lock();
        let given = most.min(inside.waiting - inside.jobs.len());
        inside.jobs.extend((0..given).map(|_| job.clone()));
        self.jobs.store(inside.jobs.len(), Ordering::Relaxed);
        given
    }
}

impl<J> Lounge<J> {
    /// Waits for a job. `None` if none has come in time.
    pub(crate) fn wait(&self) -> Option<J> {
        self.lock().waiting += 1;
        let begun = Instant::now();
        loop {
            let is_over = begun.elapsed() >= PATIENCE;
            if is_over || self.is_called() {
                let mut inside = self.lock();
                let job = inside.jobs.pop();
                if job.is_some() || is_over {
                    inside.waiting -= 1;
                    self.jobs.store(inside.jobs.len(), Ordering::Relaxed);
                    return job;
                }
            }
        }
    }

    /// Checks for a job some times.
    fn is_called(&self) -> bool {
        for _ in 0..LOOKS {
            if self.jobs.load(Ordering::Relaxed) > 0 {
                return true;
            }
            std::hint::spin_loop();
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, Inside<J>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_given_to_nobody() {
        let lounge = Lounge::default();
        assert_eq!(lounge.give(2, &1), 0);
        assert_eq!(lounge.wait(), None);
        assert_eq!(lounge.give(1, &2), 0);
    }
}

#[cfg(all(test, loom))]
mod interleavings {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// Gives jobs while threads wait: each job that is given is taken, and by one thread.
    fn meet(helpers: usize, most: usize) {
        let lounge = Arc::new(Lounge::default());
        let threads: Vec<_> = (0..helpers)
            .map(|_| {
                let lounge = Arc::clone(&lounge);
                thread::spawn(move || usize::from(lounge.wait().is_some()))
            })
            .collect();
        let given = lounge.give(most, &()) + lounge.give(most, &());
        let taken: usize =
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum();
        assert_eq!(given, taken);
        assert_eq!(lounge.give(1, &()), 0);
    }

    #[test]
    fn each_job_that_is_given_is_taken() {
        loom::model(|| meet(1, 1));
        loom::model(|| meet(2, 1));
        loom::model(|| meet(2, 2));
    }
}
