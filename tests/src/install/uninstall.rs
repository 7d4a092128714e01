//! `arrc uninstall`, and what `arrc install` says about finding the files.
//!
//! Invariant: a folder is afterwards as it was before, except for what somebody else has put there.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::{Installed, expect};
use crate::tools::{arrc, output, succeed};

/// The list of the installed files.
const MANIFEST: &str = "share/arrc/manifest.txt";

/// The trials.
pub(super) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("install::uninstall::everything", everything),
        Trial::test("install::uninstall::nothing_of_others", nothing_of_others),
        Trial::test("install::uninstall::files_of_an_earlier_version", earlier_version),
        Trial::test("install::uninstall::a_list_that_was_changed", changed_list),
        Trial::test("install::uninstall::an_installation_that_failed", unfinished),
        Trial::test("install::uninstall::a_link_that_leads_out", linked_folder),
        Trial::test("install::advice", advice),
    ]
}

fn install(prefix: &Path) -> Command {
    let mut command = Command::new(arrc());
    command.arg("install").arg("--prefix").arg(prefix);
    command
}

fn uninstall(prefix: &Path) -> Command {
    let mut command = Command::new(arrc());
    command.arg("uninstall").arg("--prefix").arg(prefix);
    command
}

/// A link that leads out of the folder is not followed.
fn linked_folder() -> Result<(), Failed> {
    let installed = Installed::new()?;
    fs::create_dir(installed.at("others"))?;
    fs::write(installed.at("others/arr.h"), "")?;
    fs::rename(installed.prefix("include"), installed.prefix("moved"))?;
    symlink("../others", installed.prefix("include"))?;
    succeed(&mut uninstall(&installed.at("prefix")))?;
    match installed.at("others/arr.h").exists() {
        true => Ok(()),
        false => Err("a file of others was removed".into()),
    }
}

/// All files and folders below a folder.
fn tree(folder: &Path) -> Result<BTreeSet<String>, Failed> {
    let listed = succeed(Command::new("find").arg(".").current_dir(folder))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// The installed program removes an installation that was moved, with the folder.
fn everything() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let prefix = installed.at("prefix");
    let mut command = Command::new(installed.prefix("bin/arrc"));
    let told = succeed(command.arg("uninstall").arg("--prefix").arg(&prefix))?;
    expect(&told, &format!(" files below `{}` are removed.\n", prefix.display()))?;
    if told.contains("stay") || prefix.exists() {
        return Err(format!("{told}something is left").into());
    }
    let again = output(&mut uninstall(&prefix))?;
    expect(&String::from_utf8_lossy(&again.stderr), "error[A0532]: arrc is not installed below")
}

/// Files of others stay, and so do the folders that were there before, and those that others use.
fn nothing_of_others() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let prefix = folder.path();
    fs::create_dir(prefix.join("bin"))?;
    fs::create_dir_all(prefix.join("share/man"))?;
    fs::write(prefix.join("share/man/other.1"), "")?;
    let before = tree(prefix)?;
    succeed(&mut install(prefix))?;
    succeed(&mut install(prefix))?;
    fs::write(prefix.join("lib/libother.so"), "")?;
    // A folder in the place of a file is somebody else's.
    fs::remove_file(prefix.join("include/arr.h"))?;
    fs::create_dir(prefix.join("include/arr.h"))?;
    let told = succeed(&mut uninstall(prefix))?;
    let staying = format!("  {0}/lib\n  {0}/include\n", prefix.display());
    expect(&told, &format!("These folders stay, since others have files there:\n{staying}"))?;
    let others = ["./lib", "./lib/libother.so", "./include", "./include/arr.h"];
    let expected = before.into_iter().chain(others.map(str::to_owned)).collect();
    let found = tree(prefix)?;
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}

/// Files of an earlier version are removed, too: programs may have been linked with its library.
fn earlier_version() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let list = fs::read_to_string(installed.prefix(MANIFEST))?;
    fs::write(installed.prefix(MANIFEST), format!("{list}lib/libarr.so.9\n"))?;
    symlink("libarr.so.10", installed.prefix("lib/libarr.so.9"))?;
    let prefix = installed.at("prefix");
    succeed(&mut install(&prefix))?;
    succeed(&mut uninstall(&prefix))?;
    if prefix.exists() { Err("something is left".into()) } else { Ok(()) }
}

/// A list that leads out of the folder is refused before anything is removed.
fn changed_list() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let prefix = installed.at("prefix");
    fs::write(installed.at("mine"), "")?;
    let list = fs::read_to_string(installed.prefix(MANIFEST))?;
    let before = tree(&prefix)?;
    let mine = installed.at("mine").display().to_string();
    let cut = |bytes: usize| (list[..bytes].to_owned(), "its end is missing".to_owned());
    let line = |line: &str, told: &str| {
        (format!("{line}\n{list}"), format!("`{told}` is no place below the folder"))
    };
    let lists = [
        cut(0),
        cut(700),
        line("../mine", "../mine"),
        line("lib/../../mine", "lib/../../mine"),
        line(&mine, &mine),
        line("", ""),
        line("bin/\0", "bin/\\0"),
    ];
    for (text, why) in lists {
        fs::write(installed.prefix(MANIFEST), text)?;
        let refused = output(&mut uninstall(&prefix))?;
        let told = String::from_utf8_lossy(&refused.stderr);
        expect(&told, &format!("{why}, so nothing is removed"))?;
        if tree(&prefix)? != before || !installed.at("mine").exists() {
            return Err(format!("{why}: something was removed").into());
        }
    }
    // As the help says.
    succeed(&mut install(&prefix))?;
    succeed(&mut uninstall(&prefix))?;
    if prefix.exists() { Err("something is left".into()) } else { Ok(()) }
}

/// An installation that fails names the file and the option, and leaves what can be removed.
fn unfinished() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let prefix = folder.path().join("prefix");
    fs::create_dir_all(prefix.join("share/zsh/site-functions/_arrc"))?;
    let before = tree(&prefix)?;
    let failed = output(&mut install(&prefix))?;
    let told = String::from_utf8_lossy(&failed.stderr);
    expect(&told, "site-functions/_arrc`: ")?;
    expect(&told, "choose another folder with `--prefix`")?;
    succeed(&mut uninstall(&prefix))?;
    if tree(&prefix)? == before { Ok(()) } else { Err("something is left".into()) }
}

/// The lines that an installation prints let a shell find the program, its manual and its packages. There is none for what
/// is found already.
fn advice() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let prefix = folder.path().join("a $folder");
    let shell = |lines: &str, command: &str| {
        let mut shell = Command::new("sh");
        shell.arg("-euc").arg(format!("{lines}\n{command}")).env("PATH", "/usr/bin:/bin");
        shell.env("SHELL", "/bin/zsh");
        for name in ["PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "XDG_DATA_DIRS"] {
            shell.env_remove(name);
        }
        succeed(&mut shell)
    };
    let command = format!("{} install --prefix '{}'", arrc().display(), prefix.display());
    let told = shell("", &command)?;
    let (said, lines) = told.split_once("\n\n").ok_or_else(|| format!("no lines: {told}"))?;
    expect(said, &format!("`arrc uninstall --prefix '{}'` removes it.", prefix.display()))?;
    let (lines, zsh) = lines.split_once("# completions in zsh").ok_or("no line for zsh")?;
    expect(zsh, &format!("fpath=('{}/share/zsh/site-functions' $fpath)", prefix.display()))?;
    let found = shell(lines, "arrc --version; pkg-config --modversion arr; man -w arrc-build")?;
    let version = env!("CARGO_PKG_VERSION");
    let page = prefix.join("share/man/man1/arrc-build.1");
    expect(&found, &format!("arrc {version}\n{version}\n{}\n", page.display()))?;
    let again = shell(lines, &command)?;
    if again.contains("export") {
        return Err(format!("found already:\n{again}").into());
    }
    Ok(())
}
