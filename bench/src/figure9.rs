//! Figure 9 of paper 004: how much time fusion saves, at the paper's sizes and at sizes ten times as large.
//!
//! The paper compares SaC with fusion of with-loops and without. Here, C in which each combinator is a loop that stores
//! its result takes the part of the second, and C that is fused by hand tells how good the first can be. Calls take
//! turns, and the least times are compared, as by `arr-bench --least`.
//!
//! ```text
//! | c | `tomcatv` | 25² | 10.1 | 1.02 | 0.36 | 64 % |      ratios to fused C and to stored C, and the part saved
//! ```

use std::error::Error;

use arr_runtime::host::Library;
use arrc::bench::measure::Times;

use crate::build;
use crate::kernels::{KERNELS, Kernel};
use crate::measure::{Way, measure as measure_ways};

/// One of the figure's three diagrams: its letter, its kernels with their ranks, and numbers of elements.
struct Diagram {
    letter: char,
    kernels: &'static [(&'static str, u32)],
    /// Those of the paper, and ten times each of them.
    elements: &'static [usize],
    /// What a kernel's inputs are asked for, for each element: a mesh makes ten steps.
    steps: usize,
}

const DIAGRAMS: [Diagram; 3] = [
    Diagram {
        letter: 'a',
        kernels: &[("min_max_1", 1), ("min_max_2", 2), ("min_max_3", 3), ("min_max_4", 4)],
        elements: &[100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
        steps: 1,
    },
    Diagram {
        letter: 'b',
        kernels: &[("step_1", 1), ("step_2", 2), ("step_3", 3)],
        elements: &[10_000, 100_000, 1_000_000, 10_000_000],
        steps: 1,
    },
    Diagram {
        letter: 'c',
        kernels: &[("tomcatv", 2)],
        elements: &[
            25 * 25,
            79 * 79,
            100 * 100,
            150 * 150,
            316 * 316,
            474 * 474,
            513 * 513,
            1622 * 1622,
        ],
        steps: 10,
    },
];

/// Measures, and prints a table.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    println!("Figure 9 of paper 004: least times of calls in turns, lower is better.");
    println!();
    println!(
        "| figure | program | shape | C by hand, µs | Arr to C by hand | Arr to C that stores | saved |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let folder = tempfile::tempdir()?;
    for diagram in &DIAGRAMS {
        let program = kernel(diagram.kernels[0].0)?.program;
        let ours = build::strategy(program, "ilp", folder.path())?;
        let c = build::baseline(program, folder.path())?;
        for &(name, rank) in diagram.kernels {
            for &elements in diagram.elements {
                let times = times(kernel(name)?, elements * diagram.steps, &ours, &c)?;
                println!("{}", line(diagram.letter, name, &shape(elements, rank), &times));
            }
        }
    }
    Ok(())
}

fn kernel(name: &str) -> Result<&'static Kernel, Box<dyn Error>> {
    let found = KERNELS.iter().find(|kernel| kernel.entry == name);
    Ok(found.ok_or_else(|| format!("there is no kernel {name}"))?)
}

/// Seconds of C by hand, of Arr, and of C that stores.
fn times(
    kernel: &Kernel,
    size: usize,
    ours: &Library,
    c: &Library,
) -> Result<[f64; 3], Box<dyn Error>> {
    let way = |name: &str, library, entry: String| Way {
        name: name.to_owned(),
        library,
        entry,
        threads: 1,
    };
    let ways = [
        way("C", c, kernel.entry.to_owned()),
        way("arrc", ours, kernel.entry.to_owned()),
        way("unfused C", c, format!("{}_unfused", kernel.entry)),
    ];
    let times = measure_ways(&ways, &(kernel.inputs)(size, 100), kernel.outputs)?;
    let least: Vec<f64> = times.iter().map(Times::least).collect();
    Ok(least.try_into().expect("a time for each of three ways"))
}

/// The shape of an array of about that many elements, all of whose dimensions have the same length.
fn shape(elements: usize, rank: u32) -> String {
    let extent = (1..).find(|extent: &usize| (extent + 1).pow(rank) > elements).expect("an extent");
    match rank {
        1 => extent.to_string(),
        2 => format!("{extent}²"),
        3 => format!("{extent}³"),
        _ => format!("{extent}⁴"),
    }
}

fn line(letter: char, name: &str, shape: &str, [by_hand, ours, stored]: &[f64; 3]) -> String {
    let (hand, store) = (ours / by_hand, ours / stored);
    let saved = 100.0 * (1.0 - store);
    let micros = by_hand * 1e6;
    format!(
        "| {letter} | `{name}` | {shape} | {micros:.2} | {hand:.2} | {store:.2} | {saved:.0} % |"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_both_ratios_and_what_is_saved() {
        let text = line('c', "tomcatv", &shape(25 * 25, 2), &[10e-6, 11e-6, 44e-6]);
        assert_eq!(text, "| c | `tomcatv` | 25² | 10.00 | 1.10 | 0.25 | 75 % |");
    }

    #[test]
    fn shapes_have_about_as_many_elements() {
        assert_eq!([1, 2, 3, 4].map(|rank| shape(10_000, rank)), ["10000", "100²", "21³", "10⁴"]);
    }

    #[test]
    fn every_program_of_the_figure_is_a_kernel() {
        for (name, _) in DIAGRAMS.iter().flat_map(|diagram| diagram.kernels) {
            kernel(name).expect("a kernel");
        }
    }
}
