//! How long `arrc check` takes for realistic programs of growing size, and for programs that are large in one way. How
//! long `arrc build` takes for constructs whose time once grew out of proportion.
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

/// The programs to build: each has many of one construct, in three numbers that double.
const BUILT: [(&str, Much, [usize; 3]); 10] = [
    ("elements of an array literal", Much::Elements, [10_000, 20_000, 40_000]),
    ("pairs of `map` and `reduce`", Much::Pairs, [500, 1_000, 2_000]),
    ("pairs, each of another size", Much::Sizes, [500, 1_000, 2_000]),
    ("pairs, each after the other", Much::Chain, [500, 1_000, 2_000]),
    ("sums whose product is a size", Much::Sums, [5, 10, 20]),
    ("bytes of a text", Much::Bytes, [1 << 20, 1 << 21, 1 << 22]),
    ("cases of a `match`", Much::Cases, [500, 1_000, 2_000]),
    ("definitions", Much::Definitions, [1_000, 2_000, 4_000]),
    ("arrays that an entry takes", Much::Parameters, [63, 125, 250]),
    ("arrays that an entry gives", Much::Results, [63, 125, 250]),
];

/// The construct that a program has many of.
#[derive(Clone, Copy)]
enum Much {
    Elements,
    Pairs,
    /// Pairs over arrays of different sizes: each pair is a pass.
    Sizes,
    /// Pairs in a chain: each pair uses the sum of the pair before it.
    Chain,
    /// A size that is the product of this many sums. More than eight are an error.
    Sums,
    Bytes,
    Cases,
    /// Each calls the one before it.
    Definitions,
    Parameters,
    Results,
}

/// Measures, and prints the tables.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    let compiler = compiler()?;
    checked(&compiler)?;
    built(&compiler)
}

/// Times `arrc build`, and prints a table.
fn built(compiler: &Path) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!();
    println!(
        "`arrc build`, processor time: the least of up to {RUNS} runs, up to the object file or the error."
    );
    println!();
    println!("| constructs in the program | number | time, s | ratio to half the number |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, much, counts) in BUILT {
        let mut before = None;
        for count in counts {
            let path = folder.path().join("program.arr");
            std::fs::write(&path, with_many(much, count))?;
            let args = ["build".into(), path.clone(), "-o".into(), path.with_extension("o")];
            let (_, seconds) = least(compiler, &args)?;
            let growth = before
                .replace(seconds)
                .map_or(String::new(), |before: f64| format!("{:.1} times", seconds / before));
            println!("| {name} | {count} | {seconds:.2} | {growth} |");
        }
    }
    Ok(())
}

/// A program with `count` of something.
fn with_many(much: Much, count: usize) -> String {
    let list = |each: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(each).collect::<Vec<_>>().join(between)
    };
    match much {
        Much::Elements => {
            format!("entry table: []i64 = [{}]\n", list(&|at| at.to_string(), ", "))
        }
        Much::Pairs => pairs(count, "[n] (xs: [n]i64)", |at| {
            (format!("map (\\x -> x * {at} + 1) xs"), format!("t{at} + "))
        }),
        Much::Sizes => pairs(count, "(ns: []i64)", |at| {
            (format!("map (\\x -> x * {at} + 1) (iota ns[{at}])"), format!("t{at} + "))
        }),
        Much::Chain => pairs(count, "[n] (xs: [n]i64)", |at| {
            (format!("map (\\x -> x * t{at} + {at}) xs"), String::new())
        }),
        Much::Sums => {
            let names = list(&|at| format!("[a{at}] [b{at}]"), " ");
            let params = list(&|at| format!("(x{at}: [a{at}]i64) (y{at}: [b{at}]i64)"), " ");
            let size = list(&|at| format!("(a{at} + b{at})"), " * ");
            format!("entry sums {names} {params} (zs: [{size}]i64): i64 = i64.sum zs\n")
        }
        Much::Cases => {
            let cases = list(&|at| format!("  case {at} -> {}\n", at * 7919 % 1000), "");
            format!("entry chosen (x: i32): i32 =\n  match x\n{cases}  case _ -> -1\n")
        }
        Much::Definitions => {
            let def = |at: usize| format!("def f{} (x: i32): i32 = f{at} x + {at}\n", at + 1);
            let defs = list(&def, "");
            format!("def f0 (x: i32): i32 = x\n{defs}entry last (x: i32): i32 = f{count} x\n")
        }
        Much::Parameters => {
            let params = list(&|at| format!("(x{at}: [n]i32)"), " ");
            let sums = |at: usize| format!("  let t{} = map2 (+) t{at} x{at}\n", at + 1);
            let sums = list(&sums, "");
            format!(
                "entry all [n] {params}: [n]i32 =\n  let t0 = replicate n 0\n{sums}  in t{count}\n"
            )
        }
        Much::Results => {
            let results = list(&|at| format!("map (+ {at}) xs"), ", ");
            format!("entry all [n] (xs: [n]i32) = ({results})\n")
        }
        Much::Bytes => format!("entry text: []u8 = \"{}\"\n", "a".repeat(count)),
    }
}

/// A program of `count` pairs of an array and its sum, to which something may be added. Each sum has a name: one
/// expression with all of them would be too deep.
fn pairs(count: usize, params: &str, pair: impl Fn(usize) -> (String, String)) -> String {
    let pairs = (0..count).map(|at| {
        let (array, added_to) = pair(at);
        format!("  let ys{at} = {array}\n  let t{} = {added_to}reduce (+) 0 ys{at}\n", at + 1)
    });
    let pairs = pairs.collect::<String>();
    format!("entry pairs {params}: i64 =\n  let t0 = 0\n{pairs}  in t{count}\n")
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
