//! Ctrl-C while a user's program runs.
//!
//! The first Ctrl-C cancels the call, which then fails in the same way as a call with an error. The second one ends
//! the process. A thread waits for the first one, since the call runs in the thread that asked for it.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use arr_runtime::host::Session;

/// The exit status of a process that Ctrl-C ended, as shells report it.
const INTERRUPTED: i32 = 130;

/// The events for which the thread waits.
enum Event {
    Interrupted,
    Done,
}

/// Runs `call` with a session, and meanwhile Ctrl-C cancels the session's calls. Code that makes several calls must
/// test the flag between them.
pub(crate) fn cancellable<T>(session: &Session<'_>, call: impl FnOnce(&AtomicBool) -> T) -> T {
    let (send, events) = mpsc::channel();
    let was_interrupted = Arc::new(AtomicBool::new(false));
    let (interrupts, asked) = (send.clone(), Arc::clone(&was_interrupted));
    let handler = move || {
        if was_interrupted.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
        // Sending fails if the call is done, and nothing waits for the event any more.
        let _ = interrupts.send(Event::Interrupted);
    };
    if ctrlc::set_handler(handler).is_err() {
        // There is a handler already, or no thread for one. Then Ctrl-C has its usual effect.
        return call(&asked);
    }
    let canceller = session.canceller();
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(Event::Interrupted) = events.recv() {
                canceller.cancel();
            }
        });
        let result = call(&asked);
        let _ = send.send(Event::Done);
        result
    })
}
