//! The output of `arrc explain --parallel`, as text and as JSON.
//!
//! Invariant: the passes have the numbers that they have in the explanation of the block.

use std::fmt;

use super::machine::CORES;
use super::{Bottleneck, Estimate, Parallelism, PassParallelism, TaskGroup, WorkSharing};
use crate::explain::{Cluster, Explanation};
use arrc_syntax::json::{Value, extended, json};

/// A block, and how the cores of a machine share its passes.
#[derive(Debug)]
pub struct ParallelBlock<'a> {
    block: &'a Explanation,
    /// The passes with their numbers, which begin at 1.
    passes: Vec<(usize, &'a Cluster, &'a PassParallelism)>,
    /// The tasks that have some of the passes, each as the numbers of its passes.
    tasks: Vec<(Vec<Vec<usize>>, &'a Estimate)>,
}

impl<'a> ParallelBlock<'a> {
    /// The passes of a block, looked up in the passes of the program; none if all of them are in steps of other
    /// passes.
    #[must_use]
    pub fn new(block: &'a Explanation, all: &'a Parallelism) -> Option<Self> {
        let numbered = block.clusters.iter().filter_map(|of| Some((of.number?, of)));
        let numbered: Vec<(usize, &Cluster)> = numbered.collect();
        let found = numbered.iter().filter_map(|(number, cluster)| {
            Some((*number, *cluster, all.passes.get(&cluster.procedure)?))
        });
        let passes = found.collect::<Vec<_>>();
        let numbers = |of: &Vec<String>| -> Vec<usize> {
            let own = numbered.iter().filter(|(_, cluster)| of.contains(&cluster.procedure));
            own.map(|(number, _)| *number).collect()
        };
        let of_group = |TaskGroup { passes, estimate }: &'a TaskGroup| {
            (passes.iter().map(numbers).collect::<Vec<_>>(), estimate)
        };
        let groups = all.tasks.iter().map(of_group);
        let tasks = groups.filter(|(tasks, _)| tasks.iter().any(|task| !task.is_empty())).collect();
        (!passes.is_empty()).then_some(Self { block, passes, tasks })
    }

    /// The object of the block.
    #[must_use]
    pub fn json(&self) -> Value {
        let passes: Vec<_> =
            self.passes.iter().map(|(number, _, pass)| pass.json(*number)).collect();
        let tasks: Vec<_> = self
            .tasks
            .iter()
            .map(|(tasks, estimate)| estimate.json(json!({ "passes": tasks })))
            .collect();
        json!({ "block": self.block.name, "passes": passes, "tasks": tasks })
    }
}

impl fmt::Display for ParallelBlock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.block.header(f)?;
        for (_, cluster, pass) in &self.passes {
            self.block.first_line(f, cluster)?;
            writeln!(f, "    {}", pass.sharing)?;
            writeln!(f, "    {pass}")?;
        }
        for (tasks, estimate) in &self.tasks {
            let names: Vec<_> = tasks.iter().map(|task| named(task)).collect();
            writeln!(f, "  at the same time: {}", names.join("; "))?;
            writeln!(f, "    {} tasks: {estimate}", tasks.len())?;
        }
        Ok(())
    }
}

/// The passes of a task.
fn named(passes: &[usize]) -> String {
    let numbers: Vec<_> = passes.iter().map(usize::to_string).collect();
    match &numbers[..] {
        [] => "a loop".to_owned(),
        [pass] => format!("pass {pass}"),
        [rest @ .., last] => format!("passes {} and {last}", rest.join(", ")),
    }
}

impl Estimate {
    /// Adds the fields of the estimate to an object.
    fn json(&self, of: Value) -> Value {
        let Self { work, span, traffic, alone, together, bound } = *self;
        let estimate = json!({
            "cores": CORES,
            "work_ps": work,
            "span_ps": span,
            "traffic_bytes": traffic,
            "one_core_ps": alone,
            "all_cores_ps": together,
            "bound": bound.name(),
        });
        extended(of, estimate)
    }
}

impl PassParallelism {
    fn json(&self, number: usize) -> Value {
        self.estimate.json(json!({
            "pass": number,
            "way": self.sharing.name(),
            "block": self.sharing.block(),
            "steps": self.steps,
        }))
    }
}

impl fmt::Display for PassParallelism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps: {}", grouped(self.steps), self.estimate)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { work, span, traffic, alone, together, bound } = *self;
        write!(f, "work {}, span {}, traffic {}", Time(work), Time(span), Bytes(traffic))?;
        if bound == Bottleneck::OneCore {
            return write!(f, "; {} on one core", Time(alone));
        }
        let tenths = alone.saturating_mul(10) / together.max(1);
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let times = if whole < 10 { format!("{whole}.{tenth}") } else { whole.to_string() };
        write!(
            f,
            "; {CORES} cores: {}, {times} times as fast as one, bounded by {bound}",
            Time(together)
        )
    }
}

impl WorkSharing {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InOrder => "in-order",
            Self::Alone => "alone",
            Self::Uncopied => "uncopied",
            Self::Independent(_) => "independent",
            Self::Combined(_) => "combined",
            Self::Filled(_) => "filled",
            Self::Binned(_) => "binned",
            Self::Parted(_) => "parted",
            Self::Carried(_) => "carried",
        }
    }

    /// Whether several cores share the steps.
    #[must_use]
    pub fn is_shared(self) -> bool {
        self.block().is_some()
    }

    /// The number of steps of a block.
    #[must_use]
    pub fn block(self) -> Option<u64> {
        match self {
            Self::InOrder | Self::Alone | Self::Uncopied => None,
            Self::Independent(block)
            | Self::Combined(block)
            | Self::Filled(block)
            | Self::Binned(block)
            | Self::Parted(block)
            | Self::Carried(block) => Some(block),
        }
    }
}

impl fmt::Display for WorkSharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::InOrder => return write!(f, "one core: each step may need the one before it"),
            Self::Alone => {
                return write!(f, "one core: it is short, or calls functions of C");
            }
            Self::Uncopied => {
                return write!(f, "one core: its bins are too large for a copy in each core");
            }
            Self::Independent(_) => "are independent",
            Self::Combined(_) => "are independent; their accumulators are combined in a tree",
            Self::Filled(_) => {
                "filter at the same time, and store what they keep one after the other"
            }
            Self::Binned(_) => {
                "are independent; each core has bins of its own, which are combined at the end"
            }
            Self::Parted(_) => {
                "are independent; cores list their changes by parts of the bins, and then each core makes those of some parts"
            }
            Self::Carried(_) => {
                "find out their sums at the same time, and then scan with the sum of those before"
            }
        };
        let block = self.block().unwrap_or(1);
        let steps = if block == 1 { "step" } else { "steps" };
        write!(f, "blocks of {} {steps} {text}", grouped(block))
    }
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneCore => "one core",
            Self::Cores => "the cores",
            Self::Blocks => "the number of blocks",
            Self::Memory => "memory",
            Self::Bins => "the bins of all cores",
            Self::Handovers => "what blocks do one after the other",
            Self::Start => "the start of the cores",
            Self::Tasks => "the longest task",
        })
    }
}

/// A time in picoseconds.
struct Time(u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        scaled(f, self.0, &["ps", "ns", "µs", "ms", "s"])
    }
}

struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        scaled(f, self.0, &["B", "kB", "MB", "GB", "TB"])
    }
}

/// A number with at least two digits, in the largest unit in which it is at least 1. Each unit is a thousand times
/// the one before.
fn scaled(f: &mut fmt::Formatter<'_>, number: u64, units: &[&str]) -> fmt::Result {
    let (mut unit, mut scale) = (0, 1_u64);
    while unit + 1 < units.len() && number / scale >= 1000 {
        unit += 1;
        scale *= 1000;
    }
    let (whole, tenth) = (number / scale, number % scale * 10 / scale);
    if whole < 10 && unit > 0 {
        write!(f, "{whole}.{tenth} {}", units[unit])
    } else {
        write!(f, "{whole} {}", units[unit])
    }
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
