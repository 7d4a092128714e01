//! How long `arrc check` takes for realistic programs of growing size, and for programs that are large in one way. How
//! long the compiler takes for programs with very many of one construct.
//!
//! Each figure is the processor time of one whole run of the compiler, the least of several, since
//! machines are shared. A program that takes long is compiled once, since its time varies less.
//!
//! ```text
//! | functions | 10000 lines | … s | … µs a line |
//! ```

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::constructs::{CONSTRUCTS, Construct};

/// Lines of the programs.
const LINES: [usize; 3] = [1_000, 10_000, 100_000];
/// The most runs of each program. The shortest time counts.
const RUNS: usize = 3;
/// No further run begins after the runs of a program have taken this many seconds.
const ENOUGH: f64 = 2.0;

/// How a program is large.
#[derive(Clone, Copy)]
enum Shape {
    /// Many definitions, as people write them.
    Functions,
    /// One array literal, with an element a line.
    Literal,
    /// One chain of bindings.
    Bindings,
}

/// Measures, and prints the tables. With names, only those of the constructs in which one of them occurs.
pub(crate) fn measure(names: &[String]) -> Result<(), Box<dyn Error>> {
    let compiler = compiler()?;
    if names.is_empty() {
        checked(&compiler)?;
        println!();
    }
    constructs(&compiler, names)
}

/// Times the compiler on programs with many of one construct, and prints a table.
fn constructs(compiler: &Path, names: &[String]) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!(
        "`arrc build`, up to the object file or the error, or `arrc check`; processor time: the least of up to {RUNS} runs."
    );
    println!();
    println!(
        "| constructs in the program | command | number | time, s | ratio to half the number |"
    );
    println!("| --- | --- | ---: | ---: | ---: |");
    let is_asked = |construct: &&Construct| {
        names.is_empty() || names.iter().any(|name| construct.name.contains(name.as_str()))
    };
    for Construct { name, command, counts, program } in CONSTRUCTS.iter().filter(is_asked) {
        let mut before = None;
        for &count in counts {
            let path = folder.path().join("program.arr");
            std::fs::write(&path, program(count))?;
            let mut args = vec![PathBuf::from(command), path.clone()];
            if *command == "build" {
                args.extend(["-o".into(), path.with_extension("o")]);
            }
            let (succeeds, seconds) = least(compiler, &args)?;
            let growth = before
                .replace(seconds)
                .map_or(String::new(), |before: f64| format!("{:.1} times", seconds / before));
            let error = if succeeds { "" } else { ", an error" };
            println!("| {name} | {command} | {count} | {seconds:.2}{error} | {growth} |");
        }
    }
    Ok(())
}

/// Times `arrc check`, and prints a table.
fn checked(compiler: &Path) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!("`arrc check`, processor time: the least of up to {RUNS} runs.");
    println!();
    println!("| program | lines | time, s | a line, µs |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, shape) in [
        ("functions", Shape::Functions),
        ("array literal", Shape::Literal),
        ("bindings", Shape::Bindings),
    ] {
        for lines in LINES {
            let path = folder.path().join("program.arr");
            let text = program(shape, lines);
            std::fs::write(&path, &text)?;
            let (succeeds, seconds) = least(compiler, &["check".into(), path])?;
            // The program may exceed a limit of the compiler.
            if !succeeds {
                continue;
            }
            let count = text.lines().count();
            #[allow(clippy::cast_precision_loss, reason = "lines are far fewer than 2^53")]
            let each = seconds * 1e6 / count as f64;
            println!("| {name} | {count} | {seconds:.2} | {each:.0} |");
        }
    }
    Ok(())
}

/// The compiler in the folder of this program.
pub(crate) fn compiler() -> Result<PathBuf, Box<dyn Error>> {
    let here = std::env::current_exe()?;
    let folder = here.parent().ok_or("a program stands in a folder")?;
    Ok(folder.join("arrc"))
}

/// Whether the compiler succeeds, and the least time of its runs.
fn least(compiler: &Path, args: &[PathBuf]) -> Result<(bool, f64), Box<dyn Error>> {
    let (succeeds, mut least) = timed(compiler, args)?;
    let mut spent = least;
    for _ in 1..RUNS {
        if spent >= ENOUGH {
            break;
        }
        let (_, seconds) = timed(compiler, args)?;
        least = least.min(seconds);
        spent += seconds;
    }
    Ok((succeeds, least))
}

/// How long one run of the compiler takes, in seconds of a processor; none if it fails.
pub(crate) fn processor_time(
    compiler: &Path,
    args: &[PathBuf],
) -> Result<Option<f64>, Box<dyn Error>> {
    let (succeeds, seconds) = timed(compiler, args)?;
    Ok(succeeds.then_some(seconds))
}

/// Whether a run of the compiler succeeds, and how long it takes in seconds of a processor.
fn timed(compiler: &Path, args: &[PathBuf]) -> Result<(bool, f64), Box<dyn Error>> {
    // The shell's `times` tells the processor time of its commands.
    let output = Command::new("bash")
        .args(["-c", "TIMEFORMAT=%U; time \"$@\" >/dev/null 2>&1", "bash"])
        .arg(compiler)
        .args(args)
        .output()?;
    Ok((output.status.success(), String::from_utf8(output.stderr)?.trim().parse()?))
}

/// A program of about `lines` lines, as people write them.
pub(crate) fn functions(lines: usize) -> String {
    program(Shape::Functions, lines)
}

/// A program of about `lines` lines.
fn program(shape: Shape, lines: usize) -> String {
    let mut text = String::new();
    match shape {
        Shape::Functions => {
            let each = part(0).lines().count();
            (0..lines.div_ceil(each)).for_each(|number| text.push_str(&part(number)));
        }
        Shape::Literal => {
            text.push_str("entry table: []i64 =\n  [ 0\n");
            (1..lines).for_each(|item| writeln!(text, "  , {item}").expect("a text grows"));
            text.push_str("  ]\n");
        }
        Shape::Bindings => {
            text.push_str("entry chain (x0: i64): i64 =\n");
            for number in 1..lines {
                let before = number - 1;
                writeln!(text, "  let x{number} = x{before} * {number} + x0")
                    .expect("a text grows");
            }
            writeln!(text, "  in x{}", lines - 1).expect("a text grows");
        }
    }
    text
}

/// A few definitions of many kinds, which use each other.
fn part(number: usize) -> String {
    include_str!("compile.arr").replace("_0", &format!("_{number}"))
}
