//! How long `arrc check` takes: realistic programs of growing size, and programs that are large in one way.
//!
//! Each figure is the processor time of one whole run of the compiler, the least of several, since
//! machines are shared.
//!
//! ```text
//! | functions | 10000 lines | … s | … µs a line |
//! ```

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of the programs.
const LINES: [usize; 3] = [1_000, 10_000, 100_000];
/// Runs of each; the least of them counts.
const RUNS: usize = 3;

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

/// Measures, and prints a table.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    let compiler = compiler()?;
    let folder = tempfile::tempdir()?;
    println!("`arrc check`, processor time: the least of {RUNS} runs.");
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
            let Some(seconds) = least(&compiler, &path)? else { continue };
            let count = text.lines().count();
            #[allow(clippy::cast_precision_loss, reason = "lines are far fewer than 2^53")]
            let each = seconds * 1e6 / count as f64;
            println!("| {name} | {count} | {seconds:.2} | {each:.0} |");
        }
    }
    Ok(())
}

/// The compiler beside this program.
pub(crate) fn compiler() -> Result<PathBuf, Box<dyn Error>> {
    let here = std::env::current_exe()?;
    let folder = here.parent().ok_or("a program stands in a folder")?;
    Ok(folder.join("arrc"))
}

/// The least time of several runs; none if the program is larger than the compiler follows.
fn least(compiler: &Path, program: &Path) -> Result<Option<f64>, Box<dyn Error>> {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        match processor_time(compiler, &["check".into(), program.into()])? {
            Some(seconds) => least = least.min(seconds),
            None => return Ok(None),
        }
    }
    Ok(Some(least))
}

/// How long one run of the compiler takes, in seconds of a processor; none if it fails.
pub(crate) fn processor_time(
    compiler: &Path,
    args: &[PathBuf],
) -> Result<Option<f64>, Box<dyn Error>> {
    // The shell's `times` tells the processor time of what it ran.
    let output = Command::new("bash")
        .args(["-c", "TIMEFORMAT=%U; time \"$@\" >/dev/null 2>&1", "bash"])
        .arg(compiler)
        .args(args)
        .output()?;
    if !output.status.success() {
        return Ok(None);
    }
    Ok(Some(String::from_utf8(output.stderr)?.trim().parse()?))
}

/// A program of about so many lines.
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
