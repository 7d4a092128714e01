//! A panic is an error of the compiler. The message says so, and how to report it.

use std::panic;
use std::panic::PanicHookInfo;
use std::process;

/// The exit status of an error of the compiler.
const BUG: i32 = 101;

/// Turns every panic into a bug report and exit status 101.
pub(crate) fn install_hook() {
    panic::set_hook(Box::new(|info| {
        report(info);
        process::exit(BUG);
    }));
}

/// Turns every panic into a bug report. The program goes on where the panic is caught.
pub(crate) fn install_hook_of_server() {
    panic::set_hook(Box::new(report));
}

fn report(info: &PanicHookInfo<'_>) {
    let what = info
        .payload()
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| info.payload().downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_else(|| "no message".to_string());
    let place =
        info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
    let what = arr_printable::paragraph(&what);
    eprintln!(
        "arrc has a bug: {what}{place}\n\
         This is not your program's fault. Please report it with the program and this message; \
         `arrc build --emit=core,cnf,graph,clusters,process,procedure` shows how far it came."
    );
}
