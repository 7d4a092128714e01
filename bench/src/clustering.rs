//! How long the integer linear programs take: random blocks of growing size, in three shapes.
//!
//! Only the choice of clusters is timed, in this process. The choices that are proven to be optimal are counted: beyond
//! the bound on the solver's work, the best clustering so far is taken.
//!
//! ```text
//! | sparse | 100 | … ms at the median | … ms at the 95th percentile | … unproven |
//! ```

use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use arrc_front::load::NoFiles;
use arrc_fusion::cluster::{cluster, least_traffic};
use arrc_fusion::clusters::{Clusters, Method, Proof, Solver, Strategy};
use arrc_fusion::graph::Graph;
use arrc_pipeline as pipeline;
use arrc_pipeline::Options;
use arrc_syntax::source::Sources;
use fastrand::Rng;

/// Combinators in a block.
const NODES: [usize; 5] = [10, 25, 50, 100, 200];
/// Random blocks of each shape and size; odd, so that there is a median.
const BLOCKS: u64 = 21;

/// The shape of random blocks.
#[derive(Clone, Copy)]
enum Shape {
    /// A combinator reads any array so far; few depend on the scalars of folds.
    Sparse,
    /// Half of the combinators are folds, and every other one depends on one of them.
    Scalars,
    /// A combinator reads one of the last few arrays and scalars, as in programs that people write.
    Local,
}

/// Measures, and prints a table.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    println!("Choosing clusters by integer linear programming: {BLOCKS} random blocks a line.");
    println!(
        "The first stage finds the least traffic, the second the fewest passes at that traffic."
    );
    println!();
    println!(
        "| blocks | combinators | first stage: median, ms | 95th percentile, ms | longest, ms | unproven \
         | both stages: median, ms | longest, ms | unproven |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, shape) in
        [("sparse", Shape::Sparse), ("scalars", Shape::Scalars), ("local", Shape::Local)]
    {
        for nodes in NODES {
            row(name, shape, nodes)?;
        }
    }
    Ok(())
}

fn row(name: &str, shape: Shape, nodes: usize) -> Result<(), Box<dyn Error>> {
    let (mut first, mut both) = (Sample::default(), Sample::default());
    for seed in 0..BLOCKS {
        let graph = graph(&program(shape, nodes, seed))?;
        first.time(Proof::Cost, || least_traffic(&graph, Solver::default()));
        both.time(Proof::Passes, || cluster(&graph, Method::default()));
    }
    println!(
        "| {name} | {nodes} | {:.1} | {:.1} | {:.1} | {} | {:.1} | {:.1} | {} |",
        first.percentile(50),
        first.percentile(95),
        first.percentile(100),
        first.unproven,
        both.percentile(50),
        both.percentile(100),
        both.unproven
    );
    Ok(())
}

/// How long blocks of one shape and size took.
#[derive(Default)]
struct Sample {
    times: Vec<Duration>,
    unproven: usize,
}

impl Sample {
    /// Times one choice of clusters, and counts it as unproven if less than `proof` is proven.
    fn time(&mut self, proof: Proof, choose: impl FnOnce() -> Clusters) {
        let start = Instant::now();
        let clusters = choose();
        self.times.push(start.elapsed());
        self.times.sort_unstable();
        self.unproven += usize::from(clusters.report.proof < proof);
    }

    fn percentile(&self, of: usize) -> f64 {
        milliseconds(self.times[(self.times.len() - 1) * of / 100])
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The graph of a program's outermost block.
fn graph(text: &str) -> Result<Graph, String> {
    let mut sources = Sources::default();
    let file = sources.add("random.arr", text);
    let method = Method { strategy: Strategy::None, ..Method::default() };
    let options = Options { method, ..Options::default() };
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &options)
        .map_err(|errors| format!("{:?}\n{text}", errors.first().map(|error| &error.message)))?;
    let plan = compiled.plans.into_iter().max_by_key(|plan| plan.block.graph.nodes.len());
    plan.map(|plan| plan.block.graph).ok_or_else(|| "a program without combinators".into())
}

/// A random block, written down binding by binding.
struct Writer {
    rng: Rng,
    shape: Shape,
    /// The arrays so far, each with the number of its size.
    arrays: Vec<(String, usize)>,
    scalars: Vec<String>,
    /// How many sizes there are; the first is that of the inputs.
    sizes: usize,
    text: String,
}

/// A program with one entry of about `nodes` combinators. Its results need all of them.
fn program(shape: Shape, nodes: usize, seed: u64) -> String {
    let mut writer = Writer {
        rng: Rng::with_seed(seed),
        shape,
        arrays: vec![("xs".into(), 0), ("ys".into(), 0)],
        scalars: Vec::new(),
        sizes: 1,
        text: String::new(),
    };
    for node in 0..nodes {
        writer.node(node);
    }
    writer.finish()
}

impl Writer {
    fn node(&mut self, node: usize) {
        let (array, size) = self.array();
        let scalar = self.scalar(node);
        let name = format!("v{node}");
        let folds = if matches!(self.shape, Shape::Scalars) { 5 } else { 3 };
        let line = match self.rng.usize(0..10) {
            kind if kind < folds => {
                self.scalars.push(name.clone());
                format!("fold (\\s x -> s + (x ^ {scalar})) 0 {array}")
            }
            kind if kind < 8 => {
                self.arrays.push((name.clone(), size));
                match self.partner(&array, size) {
                    Some(other) => format!("map2 (\\x y -> x * y + {scalar}) {array} {other}"),
                    None => format!("map (\\x -> x + {scalar}) {array}"),
                }
            }
            _ => {
                self.arrays.push((name.clone(), self.sizes));
                self.sizes += 1;
                format!("filter (\\x -> x > {scalar}) {array}")
            }
        };
        let _ = writeln!(self.text, "  let {name} = {line}");
    }

    /// An array to read.
    fn array(&mut self) -> (String, usize) {
        let recent = match self.shape {
            Shape::Sparse | Shape::Scalars => self.arrays.len(),
            Shape::Local => self.arrays.len().min(5),
        };
        let from = self.arrays.len() - recent;
        self.arrays[self.rng.usize(from..self.arrays.len())].clone()
    }

    /// A second array of the same size, now and then.
    fn partner(&mut self, array: &str, size: usize) -> Option<String> {
        let same: Vec<&String> = (self.arrays[..self.arrays.len() - 1].iter())
            .filter(|(name, of)| *of == size && name != array)
            .map(|(name, _)| name)
            .collect();
        if same.is_empty() || self.rng.bool() {
            return None;
        }
        Some(same[self.rng.usize(..same.len())].clone())
    }

    /// A scalar that the worker uses: the result of a fold, or a number that no other worker uses.
    fn scalar(&mut self, node: usize) -> String {
        let (chance, recent) = match self.shape {
            Shape::Sparse => (0.1, usize::MAX),
            Shape::Scalars => (0.5, usize::MAX),
            Shape::Local => (0.25, 3),
        };
        if self.scalars.is_empty() || self.rng.f64() >= chance {
            return (node + 2).to_string();
        }
        let from = self.scalars.len().saturating_sub(recent);
        self.scalars[self.rng.usize(from..self.scalars.len())].clone()
    }

    /// The whole program: everything that nothing reads is a result.
    fn finish(self) -> String {
        let used = |name: &str| {
            let mentions = |word: &str| word == name;
            let words = self.text.split(|c: char| !c.is_ascii_alphanumeric());
            words.filter(|word| mentions(word)).count() > 1
        };
        let (mut names, mut types, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for (name, size) in self.arrays[2..].iter().filter(|(name, _)| !used(name)) {
            let size = if *size == 0 { "n".to_owned() } else { format!("k{size}") };
            if size != "n" && !sizes.contains(&size) {
                sizes.push(size.clone());
            }
            types.push(format!("[{size}]i64"));
            names.push(name.clone());
        }
        for name in self.scalars.iter().filter(|name| !used(name)) {
            types.push("i64".into());
            names.push(name.clone());
        }
        let quantified: String = sizes.iter().map(|size| format!("[{size}]")).collect();
        let quantifier = if sizes.is_empty() { String::new() } else { format!("?{quantified}.") };
        format!(
            "entry random [n] (xs: [n]i64) (ys: [n]i64): {quantifier}({}) =\n{}  in ({})\n",
            types.join(", "),
            self.text,
            names.join(", ")
        )
    }
}
