//! A model of a machine, and of the time that a pass takes on it.
//!
//! Its cores are as fast as the core on which the costs of operations were estimated. One core moves 12 GB/s, and all
//! cores together move 200 GB/s, as servers with eight memory channels do.

use super::WorkSharing;

/// The number of cores of the machine.
pub(super) const CORES: u64 = 64;
/// The time in which one core moves a byte, in picoseconds.
const BYTE_OF_ONE: u64 = 83;
/// The time in which all cores together move a byte, in picoseconds, as are the times below.
const BYTE_OF_ALL: u64 = 5;
/// The time until the other cores have started.
const START: u64 = 5_000_000;
/// The time of a turn: the part of a block's work that waits for the block before it.
const HANDOVER: u64 = 100_000;
/// The time to combine the accumulators of two blocks.
const COMBINE: u64 = 10_000;
/// The time in which a core initialises one bin of its own, or adds it to the bin of another core.
const BIN: u64 = 300;
/// Cores have bins of their own only if the share of each core is at least this many steps per bin.
const STEPS_OF_BIN: u64 = 6;
/// The time in which a core lists a change of many bins, and makes it.
pub(super) const CHANGE: u64 = 5_000;
/// The steps of a filter that share one turn.
const CHAINED: u64 = 16_384;

/// The cost of one step of a pass.
pub(super) struct StepCost {
    /// The time, in picoseconds.
    pub(super) step: u64,
    /// The time to compute the contribution of the step to the accumulators of scans, or to list and make its change of
    /// a bin.
    pub(super) sums: u64,
    /// The bytes that are read and written.
    pub(super) traffic: u64,
    /// The number of bins: the elements of all arrays of bins.
    pub(super) bins: u64,
}

/// The estimate of the model for a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The time of all steps on one core, without memory traffic, in picoseconds.
    pub work: u64,
    /// The longest chain of work that must happen in order, in picoseconds.
    pub span: u64,
    /// The bytes that are read and written.
    pub traffic: u64,
    /// The time on one core.
    pub alone: u64,
    /// The time on the machine.
    pub together: u64,
    /// What takes the greatest part of the time on the machine.
    pub bound: Bottleneck,
}

/// The bottleneck of a pass: what bounds its speed on the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bottleneck {
    /// One core runs all steps.
    OneCore,
    /// The cores compute all the time.
    Cores,
    /// There are fewer blocks than cores.
    Blocks,
    /// The memory bandwidth.
    Memory,
    /// The handovers of the blocks, which come one after the other.
    Handovers,
    /// The cores prepare and combine their bins.
    Bins,
    /// The start of the cores.
    Start,
    /// The longest of several tasks, which one core runs.
    Tasks,
}

impl Bottleneck {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneCore => "one-core",
            Self::Cores => "cores",
            Self::Blocks => "blocks",
            Self::Memory => "memory",
            Self::Handovers => "turns",
            Self::Bins => "bins",
            Self::Start => "start",
            Self::Tasks => "tasks",
        }
    }
}

/// The estimate for a number of steps.
pub(super) fn estimate(sharing: WorkSharing, steps: u64, parts: &StepCost) -> Estimate {
    let work = steps.saturating_mul(parts.step);
    let traffic = steps.saturating_mul(parts.traffic);
    let alone = work.max(traffic.saturating_mul(BYTE_OF_ONE));
    let (block, handovers) = match sharing {
        WorkSharing::InOrder | WorkSharing::Alone | WorkSharing::Uncopied => {
            let bound = Bottleneck::OneCore;
            return Estimate { work, span: work, traffic, alone, together: alone, bound };
        }
        WorkSharing::Independent(block) => (block, 0),
        WorkSharing::Combined(block) => (block, steps.div_ceil(block).saturating_mul(COMBINE)),
        WorkSharing::Filled(block) => {
            (block, steps.div_ceil(CHAINED.max(block)).saturating_mul(HANDOVER))
        }
        WorkSharing::Carried(block) => (block, steps.div_ceil(block).saturating_mul(HANDOVER)),
        WorkSharing::Binned(block) | WorkSharing::Parted(block) => (block, 0),
    };
    // Cores combine their bins in a tree, and the result with the bins of the pass.
    let cores = CORES.min(steps / parts.bins.saturating_mul(STEPS_OF_BIN).max(1)).max(1);
    let levels = u64::from(cores.next_power_of_two().ilog2()) + 2;
    let binning = parts.bins.saturating_mul(BIN).saturating_mul(levels);
    let each = parts.step.saturating_add(parts.sums);
    let of_block = block.min(steps).saturating_mul(each);
    let blocks = steps.div_ceil(block).max(1);
    let computing = steps.saturating_mul(each) / cores.min(blocks);
    let limit = if blocks < CORES {
        Bottleneck::Blocks
    } else if cores < CORES {
        Bottleneck::Bins
    } else {
        Bottleneck::Cores
    };
    let moving = traffic.saturating_mul(BYTE_OF_ALL);
    let terms = [
        (computing, limit),
        (moving, Bottleneck::Memory),
        (handovers, Bottleneck::Handovers),
        (binning, Bottleneck::Bins),
        (START, Bottleneck::Start),
    ];
    let bound = terms.into_iter().max().map_or(limit, |(_, bound)| bound);
    let ordered = handovers.saturating_add(binning);
    let together = START.saturating_add(computing.max(moving)).saturating_add(ordered);
    let span = of_block.saturating_add(ordered);
    // If several cores are not faster, one core runs all steps.
    let (together, bound) =
        if together < alone { (together, bound) } else { (alone, Bottleneck::OneCore) };
    Estimate { work, span, traffic, alone, together, bound }
}

/// The estimate for work of one core without memory traffic.
pub(super) fn of_work(work: u64) -> Estimate {
    let bound = Bottleneck::OneCore;
    Estimate { work, span: work, traffic: 0, alone: work, together: work, bound }
}

/// The estimate for one after the other, on one core.
pub(super) fn in_sequence(first: Estimate, next: Estimate) -> Estimate {
    let alone = first.alone.saturating_add(next.alone);
    Estimate {
        work: first.work.saturating_add(next.work),
        span: first.span.saturating_add(next.span),
        traffic: first.traffic.saturating_add(next.traffic),
        alone,
        together: alone,
        bound: Bottleneck::OneCore,
    }
}

/// The estimate for tasks that run at the same time, each of them on one core.
pub(super) fn of_tasks(tasks: &[Estimate]) -> Estimate {
    let all = tasks.iter().copied().fold(of_work(0), in_sequence);
    let longest = |of: fn(&Estimate) -> u64| tasks.iter().map(of).max().unwrap_or(0);
    let (computing, span) = (longest(|task| task.alone), longest(|task| task.span));
    let moving = all.traffic.saturating_mul(BYTE_OF_ALL);
    let terms =
        [(computing, Bottleneck::Tasks), (moving, Bottleneck::Memory), (START, Bottleneck::Start)];
    let bound = terms.into_iter().max().map_or(Bottleneck::Tasks, |(_, bound)| bound);
    let together = START.saturating_add(computing.max(moving));
    let (together, bound) =
        if together < all.alone { (together, bound) } else { (all.alone, Bottleneck::OneCore) };
    Estimate { span, together, bound, ..all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_is_bounded_by_cores_and_copying_by_memory() {
        let slow = StepCost { step: 1_000_000, sums: 0, traffic: 16, bins: 0 };
        let found = estimate(WorkSharing::Independent(64), 1_000_000, &slow);
        assert_eq!(found.bound, Bottleneck::Cores);
        assert_eq!(found.alone / found.together, 63);
        let copy = StepCost { step: 300, sums: 0, traffic: 16, bins: 0 };
        let found = estimate(WorkSharing::Independent(64), 100_000_000, &copy);
        assert_eq!(found.bound, Bottleneck::Memory);
        assert_eq!(found.alone / found.together, 16);
    }

    #[test]
    fn few_blocks_and_short_passes_have_their_own_bounds() {
        let row = StepCost { step: 1_000_000_000, sums: 0, traffic: 8_000, bins: 0 };
        let found = estimate(WorkSharing::Independent(1), 8, &row);
        assert_eq!((found.bound, found.alone / found.together), (Bottleneck::Blocks, 7));
        let short = StepCost { step: 300, sums: 0, traffic: 16, bins: 0 };
        let found = estimate(WorkSharing::Independent(64), 1_000, &short);
        assert_eq!((found.bound, found.together), (Bottleneck::OneCore, found.alone));
    }

    #[test]
    fn the_handovers_of_blocks_bound_a_scan() {
        let scan = StepCost { step: 400, sums: 250, traffic: 0, bins: 0 };
        let found = estimate(WorkSharing::Carried(4096), 100_000_000, &scan);
        assert_eq!(found.bound, Bottleneck::Handovers);
        assert_eq!(found.span, 4096 * 650 + 24_415 * HANDOVER);
        let ordered = estimate(WorkSharing::InOrder, 100, &scan);
        assert_eq!((ordered.span, ordered.bound), (ordered.work, Bottleneck::OneCore));
    }

    #[test]
    fn the_longest_task_bounds_tasks() {
        let task = |work: u64| of_work(work * START);
        let found = of_tasks(&[task(3), task(100), in_sequence(task(20), task(30))]);
        assert_eq!((found.work, found.span), (153 * START, 100 * START));
        assert_eq!((found.together, found.bound), (101 * START, Bottleneck::Tasks));
        let short = of_tasks(&[task(1), task(1)]);
        assert_eq!((short.together, short.bound), (short.alone, Bottleneck::OneCore));
    }

    #[test]
    fn bins_of_cores_are_combined_and_many_bins_have_few_cores() {
        let few = StepCost { step: 1_500, sums: 0, traffic: 8, bins: 1_000 };
        let found = estimate(WorkSharing::Binned(64), 10_000_000, &few);
        assert_eq!(found.bound, Bottleneck::Memory);
        assert_eq!(found.span, 64 * 1_500 + 1_000 * BIN * 8);
        let many = StepCost { bins: 100_000, ..few };
        let found = estimate(WorkSharing::Binned(64), 10_000_000, &many);
        assert_eq!(found.bound, Bottleneck::Bins);
        let most = StepCost { bins: 10_000_000, ..few };
        let found = estimate(WorkSharing::Binned(64), 10_000_000, &most);
        assert_eq!((found.bound, found.together), (Bottleneck::OneCore, found.alone));
    }
}
