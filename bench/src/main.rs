//! Compiled Arr against C, fused by hand and not, compiled by the same LLVM, against the fused C by gcc, and against the
//! other strategies.
//!
//! Every figure is a ratio of medians within one run, whose calls are interleaved, since machines are
//! shared and noisy. With `--least` it is a ratio of the least times of a call instead, which tells more where other
//! programs keep the machine busy. Results are checked to be equal before anything is timed.
//!
//! usage: `arr-bench [--out FOLDER] [--least] [--threads N,…] [KERNEL…] [STEPS…]`, by default every kernel at a size that fits the
//! second-level cache and at one that fits no cache; a part of a name is enough. FOLDER gets the table
//! as `bench.md`, the figures as `bench.json`, and a chart a size. arrc's own strategy is measured with each number of
//! threads, and so is C by OpenMP where its loop can be shared, which needs libomp; the others are measured with one.
//! `arr-bench clustering` times the choice of clusters instead, `arr-bench compile [CONSTRUCT…]` the compiler on programs of
//! growing size, and on the examples, `arr-bench figure9` the programs of figure 9 of paper 004, and `arr-bench keystrokes [EDITS]`
//! the language server while somebody types.

mod build;
mod clustering;
mod compile;
mod constructs;
mod data;
mod examples;
mod figure9;
mod inputs;
mod kernels;
mod keystrokes;
mod measure;
mod table;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use arr_runtime::host::Library;
use arrc::bench::measure::Times;

use kernels::{KERNELS, Kernel, SHARED};
use measure::{ROUNDS, Way, measure, release};
use table::Row;

/// The strategies that stand beside arrc's own, which comes first.
const STRATEGIES: [&str; 4] = ["ilp", "megiddo", "stream", "none"];
/// The column of hand-fused C by the other compiler.
const GCC: &str = "C, gcc";
/// Steps by default: 32 Ki, and 16 Mi.
const SIZES: [usize; 2] = [1 << 15, 1 << 24];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["clustering"] {
        return clustering::measure();
    }
    if let Some(("compile", names)) = args.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        compile::measure(names)?;
        return if names.is_empty() { examples::measure() } else { Ok(()) };
    }
    if let Some(("keystrokes", rest)) =
        args.split_first().map(|(first, rest)| (first.as_str(), rest))
    {
        return keystrokes::measure(rest);
    }
    if args == ["figure9"] {
        return figure9::measure();
    }
    let asked = Asked::read(&args)?;
    println!("{}", intro(asked.least));
    println!("{}", table::head(&names(&asked.threads)));
    let mut rows = Vec::new();
    let folder = tempfile::tempdir()?;
    for program in asked.programs() {
        let libraries = Libraries::build(program, &asked.threads, folder.path())?;
        for kernel in asked.kernels().filter(|kernel| kernel.program == program) {
            rows.extend(measure_kernel(kernel, &asked, &libraries)?);
        }
    }
    match &asked.out {
        Some(out) => write(out, &rows, &asked),
        None => Ok(()),
    }
}

/// What the user asks for.
#[derive(Default)]
struct Asked {
    out: Option<PathBuf>,
    names: Vec<String>,
    sizes: Vec<usize>,
    /// Numbers of threads besides one.
    threads: Vec<usize>,
    /// Whether least times are compared instead of medians.
    least: bool,
}

impl Asked {
    fn read(args: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut asked = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--out" {
                asked.out = Some(args.next().ok_or("--out needs a folder")?.into());
            } else if arg == "--least" {
                asked.least = true;
            } else if arg == "--threads" {
                let list = args.next().ok_or("--threads needs numbers")?;
                let numbers: Vec<usize> =
                    list.split(',').map(str::parse).collect::<Result<_, _>>()?;
                asked.threads = numbers.into_iter().filter(|&threads| threads != 1).collect();
            } else if let Ok(size) = arg.parse() {
                asked.sizes.push(size);
            } else if KERNELS.iter().any(|kernel| kernel.entry.contains(arg.as_str())) {
                asked.names.push(arg.clone());
            } else {
                return Err(format!("there is no kernel {arg}").into());
            }
        }
        if asked.sizes.is_empty() {
            asked.sizes = SIZES.to_vec();
        }
        Ok(asked)
    }

    fn kernels(&self) -> impl Iterator<Item = &'static Kernel> {
        KERNELS.iter().filter(|kernel| {
            self.names.is_empty() || self.names.iter().any(|name| kernel.entry.contains(name))
        })
    }

    /// Each program once, in the order of the table.
    fn programs(&self) -> Vec<&'static str> {
        let mut programs: Vec<&str> = self.kernels().map(|kernel| kernel.program).collect();
        programs.dedup();
        programs
    }
}

/// A program in every way that is measured.
struct Libraries {
    baseline: Library,
    /// The baseline by another compiler.
    gcc: Library,
    strategies: Vec<(&'static str, Library)>,
    /// C by OpenMP, for each number of threads.
    openmp: Vec<Library>,
}

impl Libraries {
    fn build(program: &str, threads: &[usize], folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut strategies = Vec::new();
        for name in STRATEGIES {
            strategies.push((name, build::strategy(program, name, folder)?));
        }
        let mut shared = KERNELS.iter().filter(|kernel| SHARED.contains(&kernel.entry));
        let mut openmp = Vec::new();
        if shared.any(|kernel| kernel.program == program) {
            for &threads in threads {
                openmp.push(build::openmp(program, threads, folder)?);
            }
        }
        let (baseline, gcc) = (build::baseline(program, folder)?, build::gcc(program, folder)?);
        Ok(Self { baseline, gcc, strategies, openmp })
    }

    /// Gives back the memory that C keeps from call to call.
    fn release(&self) -> Result<(), Box<dyn Error>> {
        [&self.baseline, &self.gcc].into_iter().chain(&self.openmp).try_for_each(release)
    }

    /// Hand-fused C first, then the strategies, then the same C by gcc, and C that is not fused.
    fn ways(&self, entry: &str, threads: &[usize]) -> Vec<Way<'_>> {
        let way = |name: &str, library, entry: String| Way {
            name: name.to_owned(),
            library,
            entry,
            threads: 1,
        };
        let own = |library| {
            let with = move |&threads: &usize| Way {
                threads,
                ..way(&with_threads(threads), library, entry.to_owned())
            };
            threads.iter().map(with)
        };
        let mut ways = vec![way("C", &self.baseline, entry.to_owned())];
        for (place, (name, library)) in self.strategies.iter().enumerate() {
            ways.push(way(name, library, entry.to_owned()));
            if place == 0 {
                ways.extend(own(library));
            }
        }
        if SHARED.contains(&entry) {
            for (&threads, library) in threads.iter().zip(&self.openmp) {
                ways.push(way(&openmp_with(threads), library, entry.to_owned()));
            }
        }
        ways.push(way(GCC, &self.gcc, entry.to_owned()));
        ways.push(way("unfused C", &self.baseline, format!("{entry}_unfused")));
        ways
    }
}

/// The columns beside the baseline.
fn names(threads: &[usize]) -> Vec<String> {
    let [own, others @ ..] = STRATEGIES;
    let openmp = threads.iter().map(|&threads| openmp_with(threads));
    let threads = threads.iter().map(|&threads| with_threads(threads));
    let others = others.into_iter().map(str::to_owned).chain(openmp);
    let others = others.chain([GCC, "unfused C"].map(str::to_owned));
    std::iter::once(own.to_owned()).chain(threads).chain(others).collect()
}

/// The column of arrc's own strategy with several threads.
fn with_threads(threads: usize) -> String {
    match threads {
        0 => "all threads".to_owned(),
        _ => format!("{threads} threads"),
    }
}

/// The column of C by OpenMP.
fn openmp_with(threads: usize) -> String {
    format!("C, {}", with_threads(threads))
}

/// Measures a kernel at every size and selectivity, and prints the lines as they come.
fn measure_kernel(
    kernel: &Kernel,
    asked: &Asked,
    libraries: &Libraries,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let keeps: Vec<Option<u32>> = match kernel.keeps {
        [] => vec![None],
        keeps => keeps.iter().copied().map(Some).collect(),
    };
    let mut rows = Vec::new();
    for &steps in &asked.sizes {
        let size = steps.min(kernel.largest);
        for &keep in &keeps {
            let ways = libraries.ways(kernel.entry, &asked.threads);
            let row = measure_row(kernel, (steps, size), keep, (&ways, asked.least))?;
            libraries.release()?;
            println!("{}", row.line(&names(&asked.threads)));
            rows.push(row);
        }
    }
    Ok(rows)
}

fn measure_row(
    kernel: &Kernel,
    (asked, size): (usize, usize),
    keep: Option<u32>,
    (ways, least): (&[Way<'_>], bool),
) -> Result<Row, Box<dyn Error>> {
    let inputs = (kernel.inputs)(size, keep.unwrap_or(100));
    let times = measure(ways, &inputs, kernel.outputs)?;
    let time = |times: &Times| if least { times.least() } else { times.median() };
    let base = time(&times[0]);
    let ratios = ways.iter().zip(&times).skip(1);
    #[allow(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    let steps = size as f64;
    Ok(Row {
        kernel: kernel.entry,
        keep,
        asked,
        size,
        base: base * 1e9 / steps,
        ratios: ratios
            .map(|(way, times)| (way.name.clone(), time(times) / base, times.spread()))
            .collect(),
    })
}

fn intro(least: bool) -> String {
    let compared = if least { "least times" } else { "medians" };
    format!(
        "Ratios to hand-fused C by clang-22 -O3 -march=native: {compared} of {ROUNDS} interleaved rounds, lower is\n\
         better. After ±, how far the middle half of the rounds lies apart, as a part of the median.\n"
    )
}

/// The table, the figures, and a chart a size.
fn write(out: &Path, rows: &[Row], asked: &Asked) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out)?;
    let names = names(&asked.threads);
    let lines: Vec<String> = rows.iter().map(|row| row.line(&names)).collect();
    let text = format!("{}\n{}\n{}\n", intro(asked.least), table::head(&names), lines.join("\n"));
    fs::write(out.join("bench.md"), text)?;
    fs::write(out.join("bench.json"), format!("{:#}\n", table::as_json(rows)))?;
    for &size in &asked.sizes {
        let is_here = |row: &&Row| row.asked == size;
        let here: Vec<&Row> = rows.iter().filter(is_here).collect();
        let title = format!("Time of arrc as a part of hand-fused C's, {size} steps");
        fs::write(out.join(format!("bench-{size}.svg")), table::chart(&here, &title))?;
    }
    Ok(())
}
