//! Ctrl-C while a program of the user runs.
//!
//! The first one cancels the call, which then fails as a call does that has an error; the second one ends the process. A
//! thread waits for the first one, since the call runs in the thread that asked for it.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use arr_runtime::host::Session;

/// The exit status of a process that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// What the waiting thread is told.
enum Event {
    Interrupted,
    Done,
}

/// Does something with a session, whose calls Ctrl-C cancels meanwhile. What makes several calls asks whether there was a Ctrl-C
/// between them.
pub(crate) fn cancellable<T>(session: &Session<'_>, call: impl FnOnce(&AtomicBool) -> T) -> T {
    let (send, events) = mpsc::channel();
    let was_interrupted = Arc::new(AtomicBool::new(false));
    let (interrupts, asked) = (send.clone(), Arc::clone(&was_interrupted));
    let handler = move || {
        if was_interrupted.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
        // Once the call is done, no thread waits for it.
        let _ = interrupts.send(Event::Interrupted);
    };
    if ctrlc::set_handler(handler).is_err() {
        // There is a handler already, or no thread for one: then Ctrl-C does what it did before.
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
