//! How the cores of a machine share each pass, as `arrc explain --parallel` shows it.
//!
//! A pass that is marked as sliced runs in blocks. Its work is the time of all steps on one core. Its span is the
//! longest chain of work that must happen in order. Its traffic is the number of bytes that it moves to and from
//! memory. A model of a machine computes a time from the three.
//!
//! Invariant: everything follows from the sliced form, and from assumed trip counts where the program has none.
//!
//! ```text
//! loopI (i) (length xs) sliced 16384 { x = nextI i xs; s := s + x }
//! ⇒ 10,000,000 steps: work 2.5 ms, traffic 80 MB, span 35 µs; 64 cores: 0.44 ms, 15 times as fast; bounded by memory
//! ```

mod machine;
mod parallel_text;
mod task_groups;
mod traffic;

pub use machine::{Bottleneck, Estimate};
pub use parallel_text::ParallelBlock;
pub use task_groups::TaskGroup;

use std::collections::BTreeMap;

use arr_abi::layout;

use self::machine::{CHANGE, StepCost, estimate};
pub(super) use self::parallel_text::grouped;
use arrc_fusion::cnf::{Atom, Extent, Type, Var};
use arrc_loops::concrete::{
    Bins, Block, Combiners, Complete, Cost, Length, Loop, Procedure, Program, RowLength, Slices,
    Step, Visit, Worker,
};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// The assumed number of elements of a pass, if the program does not say it.
const ELEMENTS: u64 = 10_000_000;
/// The assumed trip count of a loop in a step, and the minimum of the assumed number of steps of a pass.
const INNER: u64 = 1_000;
/// A step that moves more bytes than this moves rows. It counts as one element for each such number of bytes.
const LARGE_ROW: u64 = 64;

/// How a pass runs on several cores.
#[derive(Clone, Debug)]
pub struct PassParallelism {
    /// How its steps are shared.
    pub sharing: WorkSharing,
    /// The assumed number of steps.
    pub steps: u64,
    /// The estimate of the model for this number of steps.
    pub estimate: Estimate,
}

/// Work sharing: how the steps of a pass are divided among cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkSharing {
    /// The steps run on one core, since each may need the one before it.
    InOrder,
    /// The steps run on one core, since more cores would not make them faster, or since they call C functions.
    Alone,
    /// The steps run on one core: their bins are too large for a copy in each core, and too small for lists of
    /// changes, or a step changes several of their elements.
    Uncopied,
    /// Blocks of this number of steps are independent.
    Independent(u64),
    /// Blocks of this number of steps are independent, and their accumulators are combined in a tree.
    Combined(u64),
    /// Blocks of this number of steps copy the elements that a filter keeps to their place, one block after the
    /// other.
    Filled(u64),
    /// The same as `Combined`, and each core collects elements in bins of its own, which are combined at the end.
    Binned(u64),
    /// Blocks of this number of steps are independent. Cores list the changes of many bins by parts of these, and then
    /// each core makes the changes of some parts.
    Parted(u64),
    /// Blocks of this number of steps first compute their totals. Then each total is added to the results of later
    /// blocks.
    Carried(u64),
}

/// How a program runs on several cores.
#[derive(Clone, Debug)]
pub struct Parallelism {
    /// The outermost passes, by their names.
    pub passes: BTreeMap<String, PassParallelism>,
    /// The passes and loops that run at the same time.
    pub tasks: Vec<TaskGroup>,
}

/// How a program runs on several cores.
#[must_use]
pub fn parallel(program: &Program) -> Parallelism {
    let mut passes = BTreeMap::new();
    for function in program.functions.values() {
        let mut search = PassCollector { vars: &function.tables.vars, found: &mut passes };
        search.block(&function.body);
    }
    let tasks = task_groups::tasks(program, &passes);
    Parallelism { passes, tasks }
}

/// Collects the passes that are not in a step of another pass.
struct PassCollector<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    found: &'a mut BTreeMap<String, PassParallelism>,
}

impl PassCollector<'_> {
    fn block(&mut self, block: &Block) {
        block.steps.iter().for_each(|step: &Step| step.visit(self));
    }
}

impl Visit<'_, Complete> for PassCollector<'_> {
    fn branch(&mut self, block: &Block) {
        self.block(block);
    }

    fn worker(&mut self, worker: &Worker) {
        self.block(&worker.body);
    }

    fn pass(&mut self, pass: &Procedure) {
        let facts = TripCounts { vars: self.vars };
        self.found.insert(pass.name.to_string(), facts.pass(pass));
    }
}

/// The assumptions about trip counts.
struct TripCounts<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
}

impl TripCounts<'_> {
    fn pass(&self, pass: &Procedure) -> PassParallelism {
        let combiners = pass.combiners(self.vars);
        let sharing = match (&combiners, &pass.slices) {
            (None, _) => WorkSharing::InOrder,
            (Some(_), None) => WorkSharing::Alone,
            (Some(combiners), Some(slices)) => self.work_sharing(pass, combiners, slices),
        };
        let cost = if sharing == WorkSharing::InOrder {
            Cost::of_step_in_order(pass, self.vars)
        } else {
            Cost::of_step(&pass.nest, self.vars)
        };
        let traffic = self.traffic_of_step(pass);
        let elements = self.inside(&cost).max(traffic / LARGE_ROW).max(1);
        let steps = self.constant(&pass.nest.length);
        let steps = steps.unwrap_or((ELEMENTS / elements).max(INNER));
        let sums = combiners.as_ref().map_or(0, |combiners| match combiners.scans[..] {
            [] => 0,
            _ => self
                .time(&Cost::of_step(&pass.restricted_to_scans(&combiners.scans).nest, self.vars)),
        });
        let (sums, bins) = match sharing {
            WorkSharing::Parted(_) => (CHANGE, 0),
            WorkSharing::InOrder
            | WorkSharing::Alone
            | WorkSharing::Uncopied
            | WorkSharing::Independent(_)
            | WorkSharing::Combined(_)
            | WorkSharing::Filled(_)
            | WorkSharing::Binned(_)
            | WorkSharing::Carried(_) => {
                (sums, combiners.as_ref().map_or(0, |combiners| self.bins(pass, combiners)))
            }
        };
        let parts = StepCost { step: self.time(&cost), sums, traffic, bins };
        PassParallelism { sharing, steps, estimate: estimate(sharing, steps, &parts) }
    }

    fn work_sharing(
        &self,
        pass: &Procedure,
        combiners: &Combiners<'_, Complete>,
        slices: &Slices,
    ) -> WorkSharing {
        let block = self.steps_of_block(slices);
        if !combiners.scans.is_empty() {
            WorkSharing::Carried(block)
        } else if !combiners.filled.is_empty() {
            WorkSharing::Filled(block)
        } else if !combiners.bins.is_empty() {
            self.bin_sharing(pass, combiners, block)
        } else if combiners.joins.is_empty() {
            WorkSharing::Independent(block)
        } else {
            WorkSharing::Combined(block)
        }
    }

    /// The runtime copies bins for each thread up to [`layout::Bins::COPIED`] bytes, and lists their changes by parts
    /// from [`layout::Bins::LISTED`] bytes on, where that is possible.
    fn bin_sharing(
        &self,
        pass: &Procedure,
        combiners: &Combiners<'_, Complete>,
        block: u64,
    ) -> WorkSharing {
        let width = |bins: &Bins| u64::from(pass.accs[bins.acc].ty.scalars().bytes());
        let bytes = |bins| self.elements_of(pass, bins).saturating_mul(width(bins));
        let bytes = combiners.bins.iter().map(bytes).fold(0, u64::saturating_add);
        if bytes >= layout::Bins::LISTED && pass.listed(combiners).is_some() {
            WorkSharing::Parted(block)
        } else if bytes > layout::Bins::COPIED {
            WorkSharing::Uncopied
        } else {
            WorkSharing::Binned(block)
        }
    }

    /// The elements of the bins of a pass.
    fn bins(&self, pass: &Procedure, combiners: &Combiners<'_, Complete>) -> u64 {
        let elements = combiners.bins.iter().map(|bins| self.elements_of(pass, bins));
        elements.fold(0, u64::saturating_add)
    }

    fn elements_of(&self, pass: &Procedure, bins: &Bins) -> u64 {
        self.elements(&pass.accs[bins.acc].ty, 0)
    }

    fn steps_of_block(&self, slices: &Slices) -> u64 {
        let elems = match &slices.row {
            None => return slices.block.into(),
            Some(RowLength::Steps(steps)) => self.trips(steps),
            Some(RowLength::Of(array)) => self.elements(&self.vars[*array].ty, 1),
        };
        (u64::from(slices.block) / elems.max(1)).max(Slices::LEAST_STEPS.into())
    }

    /// The time of a step in picoseconds.
    fn time(&self, cost: &Cost) -> u64 {
        let inner = cost.loops.iter();
        inner.fold(cost.own, |sum, (length, step)| {
            sum.saturating_add(self.trips(length).saturating_mul(self.time(step)))
        })
    }

    /// The sum of the trip counts of the loops in a step, inner loops included.
    fn inside(&self, cost: &Cost) -> u64 {
        let inner = cost.loops.iter();
        let trips = |(length, step): &(Length, Cost)| {
            self.trips(length).saturating_mul(self.inside(step).max(1))
        };
        inner.map(trips).fold(0, u64::saturating_add)
    }

    /// The trip count of a loop in a step.
    fn trips(&self, length: &Length) -> u64 {
        match length {
            Length::Product(left, right) => self.trips(left).saturating_mul(self.trips(right)),
            Length::Array(_) | Length::Value(_) => self.constant(length).unwrap_or(INNER),
        }
    }

    fn trips_of(&self, nest: &Loop) -> u64 {
        nest.most.map_or_else(|| self.trips(&nest.length), u64::from)
    }

    /// A length, if it is a constant of the program.
    fn constant(&self, length: &Length) -> Option<u64> {
        match length {
            Length::Value(Atom::Const(value)) => u64::try_from(value.as_i128()).ok(),
            Length::Value(Atom::Var(_)) => None,
            Length::Array(array) => constant(*self.vars[*array].ty.shape().first()?),
            Length::Product(left, right) => self.constant(left)?.checked_mul(self.constant(right)?),
        }
    }

    /// The number of scalars in an array without its first dimensions.
    fn elements(&self, ty: &Type, without: usize) -> u64 {
        let inner = ty.shape().iter().skip(without);
        inner.fold(1, |count, &extent| count.saturating_mul(constant(extent).unwrap_or(INNER)))
    }
}

fn constant(extent: Extent) -> Option<u64> {
    match extent {
        Extent::Const(extent) => u64::try_from(extent).ok(),
        Extent::Size(_) => None,
    }
}
