//! Compiled Arr against hand-fused C, compiled by the same LLVM, and against the other strategies.
//!
//! Every figure is a ratio of medians within one run, whose calls are interleaved, since machines are
//! shared and noisy. Results are checked to be equal before anything is timed.
//!
//! usage: `arr-bench [ELEMENTS…]`, by default a size that fits the second-level cache and one that
//! fits none; `arr-bench clustering` times the choice of clusters instead.

mod build;
mod clustering;
mod kernels;
mod measure;

use std::error::Error;

use arr_runtime::host::Library;

use kernels::{KERNELS, Kernel};
use measure::{agree, interleave, median, spread};

/// The strategies that stand beside arrc's own, which comes first.
const STRATEGIES: [&str; 4] = ["ilp", "megiddo", "stream", "none"];
/// Elements by default: 32 Ki, and 16 Mi.
const SIZES: [usize; 2] = [1 << 15, 1 << 24];
/// Rounds of interleaved calls; odd, so that there is a median.
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["clustering"] {
        return clustering::measure();
    }
    kernels(&args)
}

/// Measures the kernels, at sizes given by the arguments.
fn kernels(args: &[String]) -> Result<(), Box<dyn Error>> {
    let sizes: Vec<usize> = args.iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    println!(
        "Ratios to hand-fused C by clang-22 -O3 -march=native: medians of {ROUNDS} rounds, lower is better."
    );
    println!(
        "The spread is how far the middle half of the rounds lies apart, as a part of the median."
    );
    println!();
    println!("| kernel | elements | C, ns each | ilp | spread | megiddo | stream | none |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for kernel in &KERNELS {
        let folder = tempfile::tempdir()?;
        let mut libraries = vec![build::baseline(kernel, folder.path())?];
        for strategy in STRATEGIES {
            libraries.push(build::strategy(kernel, strategy, folder.path())?);
        }
        for &size in &sizes {
            row(kernel, size, &libraries)?;
        }
    }
    Ok(())
}

/// Measures one kernel at one size, and prints its line. The first library is the baseline.
fn row(kernel: &Kernel, size: usize, libraries: &[Library]) -> Result<(), Box<dyn Error>> {
    let inputs = (kernel.inputs)(size);
    agree(kernel, libraries, &inputs)?;
    let times = interleave(kernel, libraries, &inputs, size, ROUNDS)?;
    let base = median(&times[0]);
    let ratios: Vec<f64> = times[1..].iter().map(|times| median(times) / base).collect();
    #[allow(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    let each = base * 1e9 / size as f64;
    println!(
        "| {} | {size} | {each:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
        kernel.name,
        ratios[0],
        spread(&times[1]),
        ratios[1],
        ratios[2],
        ratios[3]
    );
    Ok(())
}
