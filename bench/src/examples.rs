//! How long the examples take to build with each way of choosing clusters.
//!
//! Each figure is a median of processor times of whole runs of the compiler, which take turns, since
//! machines are shared. To find the optimum should cost little compared with the rest of a build.
//!
//! ```text
//! | examples/quickhull.arr | ilp … s | greedy … | none … |
//! ```

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compile::{compiler, processor_time};

/// The strategies, ours first.
const STRATEGIES: [&str; 3] = ["ilp", "greedy", "none"];
/// Runs of each; odd, so that there is a median.
const ROUNDS: usize = 9;

/// Measures, and prints a table.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    let compiler = compiler()?;
    let folder = tempfile::tempdir()?;
    println!();
    println!("`arrc build` of the examples, processor time: medians of {ROUNDS} runs in turns.");
    println!();
    println!("| example | ilp, s | greedy, s | none, s | ilp / greedy |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut sums = [0.0; 3];
    for example in examples()? {
        let times = times(&compiler, &example, folder.path())?;
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
        println!("{}", line(&example.display().to_string(), times));
    }
    println!("{}", line("all", sums));
    Ok(())
}

fn line(name: &str, [ilp, greedy, none]: [f64; 3]) -> String {
    format!("| {name} | {ilp:.3} | {greedy:.3} | {none:.3} | {:.2} |", ilp / greedy)
}

/// The programs in `examples/`, by name.
fn examples() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("examples")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "arr") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The median for each strategy.
fn times(compiler: &Path, example: &Path, folder: &Path) -> Result<[f64; 3], Box<dyn Error>> {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for (strategy, times) in STRATEGIES.iter().zip(&mut times) {
            let object = folder.join("example.o");
            let fusion = format!("--fusion={strategy}");
            let args = ["build".into(), fusion.into(), example.into(), "-o".into(), object];
            let time = processor_time(compiler, &args)?;
            times.push(time.ok_or_else(|| format!("{} does not build", example.display()))?);
        }
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    }))
}
