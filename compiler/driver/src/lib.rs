//! The command line of arrc: files in, diagnostics and artefacts out.
//!
//! Invariant: every error of the user ends in a rendered diagnostic and exit status 1, or 2 for a wrong command line.
//! Exit status 101 is an error of the compiler.

mod archive;
mod artifact;
mod attributes;
pub mod bench;
mod bindings;
mod bug;
mod check;
pub mod chunks;
mod cli;
pub mod embed;
mod error;
mod explain;
mod explain_html;
mod format;
mod header;
mod install;
pub mod interpret;
mod interrupt;
mod link;
mod linked;
pub mod loader;
mod lsp;
mod names;
mod native;
mod package;
mod page;
mod placed;
mod plot;
mod program;
mod report;
mod run;
mod server;
mod source;
mod target;
mod test;
mod unique;
mod version;

use std::process::ExitCode;
use std::thread;

use cli::{Cli, Command};
use link::Library;
use report::Reporter;
use target::Target;

/// The stack for the passes, which recurse as deep as programs nest. Pages that are not used are never touched.
pub const STACK: usize = 1 << 28;

/// Runs the command line and returns the exit status.
///
/// # Panics
/// If the system cannot start a thread.
#[must_use]
pub fn main() -> ExitCode {
    bug::install_hook();
    let cli = Cli::read();
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || command(&cli));
    thread.expect("the system gives a thread").join().expect("a panic ends the program")
}

fn command(cli: &Cli) -> ExitCode {
    let mut reporter = Reporter::new(cli);
    let Some(command) = &cli.command else {
        if !cli.version {
            cli.miss_command();
        }
        print!("{}", version::text(cli.verbose));
        return ExitCode::SUCCESS;
    };
    let result = match command {
        Command::Check { files, strict, options } => {
            check::check(files, *strict, *options, &reporter)
        }
        Command::Build(build) => artifact::build(build, &mut reporter),
        Command::Run(run) => run::run(run, &reporter),
        Command::Bench(options) => bench::bench(options, &mut reporter),
        Command::Test(options) => test::test(options, &reporter),
        Command::TestChild(options) => test::child(options, &reporter),
        Command::Fmt(options) => format::format(options, &reporter),
        Command::Runtime(options) => runtime(options).map_err(Into::into),
        Command::Install(options) => install::install(options).map_err(Into::into),
        Command::Uninstall(options) => install::uninstall(options).map_err(Into::into),
        Command::Completions(options) => {
            report::output(&cli::completions(options.shell));
            Ok(())
        }
        Command::Lsp => return lsp::serve(),
        Command::Explain(options) => explain::explain(options, &reporter),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => reporter.fail(failure),
    }
}

/// Writes one of the libraries that programs are linked with.
fn runtime(options: &cli::Runtime) -> Result<(), error::DriverError> {
    let which = if options.parallel { Library::Parallel } else { Library::Runtime };
    let target = Target::named(options.target.as_deref())?;
    archive::alone(which, target, &options.output.clone().unwrap_or_else(|| which.file().into()))
}
