//! The command line, defined with clap: the commands, and the options of all of them. Only this folder uses clap.
//!
//! Invariant: a command line that is wrong ends the program before a command begins.

mod commands;
mod pages;
mod values;

use std::path::PathBuf;
use std::{env, process};

use arr_printable as printable;
use arrc_syntax::diagnostics;
use arrc_syntax::source::Sources;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use self::commands::{
    Bench, Build, Completions, Explain, Format, Install, Run, Runtime, Test, TestChild, Uninstall,
};
pub(crate) use self::pages::{completions, installed_completions, manual};
pub(crate) use self::values::{
    Color, Emit, Fusion, FusionOptions, Kind, Language, Library, MessageFormat, Sanitizer, Vectors,
    Way,
};

use crate::error::DriverError;
use crate::report;

/// The place of the options of every command in a list: behind its own.
const LAST: usize = 100;

/// Compiles Arr, a small functional array language, to object files that link into any program.
#[derive(Parser, Debug)]
#[command(
    name = "arrc",
    version,
    max_term_width = 100,
    override_usage = "arrc [OPTIONS] <COMMAND>",
    disable_version_flag = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Whether diagnostics are coloured; `auto` follows the terminal and NO_COLOR.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, display_order = LAST)]
    pub(crate) color: Color,
    /// How diagnostics are written: for people, or one JSON object a line, for other programs.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human, value_name = "FORMAT", display_order = LAST)]
    pub(crate) message_format: MessageFormat,
    /// Fail if there are warnings.
    #[arg(long, global = true, display_order = LAST)]
    pub(crate) deny_warnings: bool,
    /// Print version
    #[arg(short = 'V', long)]
    pub(crate) version: bool,
    /// With --version: also LLVM's version, the target, and the commit that arrc was built from
    #[arg(short, long, requires = "version")]
    pub(crate) verbose: bool,
}

impl Cli {
    /// Ends the program with the message about a command line without a command.
    pub(crate) fn miss_command(&self) -> ! {
        let text = "there is no command; `arrc help` lists them";
        let error = Self::command().error(ErrorKind::MissingSubcommand, text);
        end(&error, self.message_format)
    }

    /// Reads the command line. Ends the program if it is wrong, or asks for help or the version.
    pub(crate) fn read() -> Self {
        let error = match Self::try_parse() {
            Ok(cli) => return cli,
            Err(error) => error,
        };
        // The message is made again from printable arguments, which are wrong in the same way.
        let arguments =
            env::args_os().map(|word| printable::line(&word.to_string_lossy()).into_owned());
        let mut error = Self::try_parse_from(arguments).err().unwrap_or(error);
        // No other command is more similar to this word than `completions`.
        if error.get(ContextKind::InvalidSubcommand)
            == Some(&ContextValue::String("compile".into()))
        {
            let meant = ContextValue::Strings(vec!["build".into()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
        end(&error, asked_format().unwrap_or(MessageFormat::Human))
    }
}

/// The format that a wrong command line asks for.
fn asked_format() -> Option<MessageFormat> {
    let command = Cli::command().ignore_errors(true);
    command.try_get_matches_from(env::args_os()).ok()?.get_one("message_format").copied()
}

/// Ends the program with a message.
fn end(error: &clap::Error, format: MessageFormat) -> ! {
    if format == MessageFormat::Human || !error.use_stderr() {
        error.exit();
    }
    let usage = DriverError::Usage { text: error.render().to_string() };
    report::print(&(diagnostics::json(&usage.diagnostic(), &Sources::default()) + "\n"));
    process::exit(error.exit_code())
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check programs, up to their clusters, and print diagnostics
    Check {
        /// The programs.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Apply the operators of `reduce` and `scan` to sample values. An operator that is not associative, or an initial
        /// value that is not neutral, makes the check fail.
        #[arg(long)]
        strict: bool,
        /// How to compile.
        #[command(flatten)]
        options: FusionOptions,
    },
    /// Compile a program to an object file and a C header, a library, or an executable
    Build(Build),
    /// Compile a program, call an entry, and print the results
    Run(Run),
    /// Time calls of a program under several fusion strategies, beside each other
    Bench(Bench),
    /// Run the test blocks in programs, and in the programs of folders
    Test(Test),
    /// Run tests of one file; what `arrc test` starts.
    #[command(hide = true)]
    TestChild(TestChild),
    /// Format programs, and the programs of folders, in the one style of Arr
    Fmt(Format),
    /// Write the runtime, or its pool of threads, as a static library, to link with object files
    Runtime(Runtime),
    /// Install the compiler, and what C, C++, CMake, Rust and shells need of it, below a folder
    Install(Install),
    /// Remove what `arrc install` has installed below a folder
    Uninstall(Uninstall),
    /// Print the completions of a shell for the command line of arrc
    Completions(Completions),
    /// Serve an editor in the Language Server Protocol, on standard input and output
    Lsp,
    /// Explain why a program runs in the passes that it runs in, or a diagnostic's code such as A0301
    Explain(Explain),
}
