//! Ctrl-C during a call: the call ends, and Python raises `KeyboardInterrupt`.
//!
//! Python's own handler of SIGINT sets a flag that the interpreter checks between two instructions, and a call of
//! compiled code is one instruction. So a call on the main thread installs a handler that cancels the call and then
//! runs Python's.
//!
//! Invariant: the handler is installed only during calls on the main thread, and only if Python handles SIGINT; after a
//! call SIGINT is handled as before. The handler does what a signal handler may: it reads and writes atomic variables.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use arr_rt::context::{Context, arr_context_cancel};

/// The context of the call on the main thread.
static RUNNING: AtomicPtr<Context> = AtomicPtr::new(ptr::null_mut());
/// How many threads are in the handler.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// The handler of Python, and whether it takes three arguments.
static PYTHON: AtomicUsize = AtomicUsize::new(0);
static TAKES_THREE: AtomicBool = AtomicBool::new(false);

thread_local! {
    // SAFETY: both functions only ask.
    static IS_MAIN: bool = unsafe { libc::gettid() == libc::getpid() };
}

/// Notes how Python handles SIGINT, before the first call handles it.
pub(crate) fn prepare() {
    let mut action = MaybeUninit::uninit();
    // SAFETY: the function writes the action, unless it fails.
    let action = unsafe {
        let code = libc::sigaction(libc::SIGINT, ptr::null(), action.as_mut_ptr());
        (code == 0).then(|| action.assume_init())
    };
    if let Some(action) = action {
        note(&action);
    }
}

fn note(action: &libc::sigaction) {
    TAKES_THREE.store(action.sa_flags & libc::SA_SIGINFO != 0, Ordering::SeqCst);
    PYTHON.store(action.sa_sigaction, Ordering::SeqCst);
}

/// While it lives, Ctrl-C cancels a call.
pub(crate) struct Interruptible {
    before: Option<libc::sigaction>,
}

impl Interruptible {
    /// Ctrl-C cancels the call of the context, if the thread is the one on which Python handles signals.
    pub(crate) fn new(context: *mut Context) -> Self {
        let before = IS_MAIN.with(|is_main| *is_main).then(|| handle(context)).flatten();
        Self { before }
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        act(before);
        RUNNING.store(ptr::null_mut(), Ordering::SeqCst);
        // A handler that has read the context ends before the context serves another call.
        while INSIDE.load(Ordering::SeqCst) != 0 {
            std::hint::spin_loop();
        }
    }
}

/// Installs the handler in front of Python's, and gives the previous action. One system call, since a call on small
/// arrays takes less time than it.
fn handle(context: *mut Context) -> Option<libc::sigaction> {
    RUNNING.store(context, Ordering::SeqCst);
    let before = act(&ours())?;
    if matches!(before.sa_sigaction, libc::SIG_DFL | libc::SIG_IGN) {
        act(&before);
        RUNNING.store(ptr::null_mut(), Ordering::SeqCst);
        return None;
    }
    note(&before);
    Some(before)
}

/// The action that cancels a call.
fn ours() -> libc::sigaction {
    // SAFETY: no flags, no blocked signals and no handler are an action.
    let mut ours: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    ours.sa_sigaction = cancel as *const () as usize;
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    ours
}

/// Installs an action for SIGINT, and gives the previous one.
fn act(action: &libc::sigaction) -> Option<libc::sigaction> {
    let mut before = MaybeUninit::uninit();
    // SAFETY: the action is complete, and its handler has the type that its flags tell; the function writes the one before,
    // unless it fails.
    unsafe {
        let code = libc::sigaction(libc::SIGINT, action, before.as_mut_ptr());
        (code == 0).then(|| before.assume_init())
    }
}

extern "C" fn cancel(signal: c_int, info: *mut libc::siginfo_t, state: *mut c_void) {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    // SAFETY: contexts of running calls exist, and this function is made for signal handlers.
    unsafe { arr_context_cancel(RUNNING.load(Ordering::SeqCst)) };
    INSIDE.fetch_sub(1, Ordering::SeqCst);
    let python = PYTHON.load(Ordering::SeqCst);
    if matches!(python, libc::SIG_DFL | libc::SIG_IGN) {
        return;
    }
    let python = ptr::with_exposed_provenance::<()>(python);
    // SAFETY: it is the handler that was there, of the type that its flags told.
    unsafe {
        if TAKES_THREE.load(Ordering::SeqCst) {
            type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
            std::mem::transmute::<*const (), Handler>(python)(signal, info, state);
        } else {
            std::mem::transmute::<*const (), extern "C" fn(c_int)>(python)(signal);
        }
    }
}
