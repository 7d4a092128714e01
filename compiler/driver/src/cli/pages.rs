//! Texts for other programs, made from the definition of the command line: pages of the manual, and completions of shells.
//!
//! Invariant: what `--help` hides is in no text.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::Cli;

/// The shells whose completions are installed, and the places where they look for them.
const INSTALLED: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/arrc"),
    (Shell::Zsh, "share/zsh/site-functions/_arrc"),
    (Shell::Fish, "share/fish/vendor_completions.d/arrc.fish"),
];

/// The completions of the shells that have a folder for them, each with its place in an installation.
pub(crate) fn installed_completions() -> impl Iterator<Item = (&'static str, String)> {
    INSTALLED.into_iter().map(|(shell, place)| (place, completions(shell)))
}

/// The script by which a shell completes the command line.
pub(crate) fn completions(shell: Shell) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut visible(&Cli::command()), "arrc", &mut text);
    String::from_utf8(text).expect("the help is text")
}

/// The command with the arguments and commands that `--help` shows.
fn visible(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned();
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set()).map(visible);
    let about = command.get_about().cloned().unwrap_or_default();
    // A name of clap lives as long as the program.
    let name: &str = command.get_name().to_owned().leak();
    Command::new(name).about(about).disable_version_flag(true).args(arguments).subcommands(commands)
}

/// What the page of the program has behind the text of `--help`.
const PROGRAM: [Section; 3] = [
    (
        "EXIT STATUS",
        &[
            ("0", "All went well."),
            (
                "1",
                "The program has errors, or failed when it ran; a test failed; or a file cannot be read or written, or linking failed.",
            ),
            ("2", "The command line is wrong."),
            ("101", "A bug in arrc. The message says what to report."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            ("ARR_NUM_THREADS", "The most threads that a call uses, unless an option says it."),
            ("CC", "The C compiler, which links libraries and executables; cc by default."),
            ("NO_COLOR", "If it is set, diagnostics have no colours."),
            ("COLUMNS", "How wide diagnostics are, instead of the width of the terminal."),
        ],
    ),
    ("FILES", &[("PREFIX/share/arrc/stdlib", "The standard library, to read.")]),
];

/// A heading, and terms with their descriptions.
type Section = (&'static str, &'static [(&'static str, &'static str)]);

/// The names and texts of the pages of the manual: one for the program, and one for each command.
pub(crate) fn manual() -> Vec<(String, String)> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let mut pages: Vec<_> = commands.map(|command| page(command, see_program())).collect();
    pages.push(page(&program, sections(&PROGRAM)));
    pages
}

/// A page: the text of `--help`, and more sections.
fn page(command: &Command, more: Roff) -> (String, String) {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).and_then(|()| more.to_writer(&mut text)).expect("memory takes all");
    (page.get_filename(), String::from_utf8(text).expect("the help is text"))
}

fn sections(sections: &[Section]) -> Roff {
    let mut page = Roff::new();
    for (heading, terms) in sections {
        page.control("SH", [*heading]);
        for (term, description) in *terms {
            page.control("TP", []).text([bold(*term)]).text([roman(*description)]);
        }
    }
    page
}

/// The page of a command names that of the program.
fn see_program() -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["SEE ALSO"]).text([bold("arrc"), roman("(1)")]);
    page
}
