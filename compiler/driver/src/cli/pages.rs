//! Texts for other programs, made from the definition of the command line: pages of the manual, and completions of shells.
//!
//! Invariant: what `--help` hides is in no text.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

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

/// The names and texts of the pages of the manual: one for the program, and one for each command.
pub(crate) fn manual() -> Vec<(String, String)> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    commands.chain([&program]).map(page).collect()
}

fn page(command: &Command) -> (String, String) {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text).expect("writing to memory succeeds");
    (page.get_filename(), String::from_utf8(text).expect("the help is text"))
}
