//! The cost of a pass over each array, as far as its size is known.
//!
//! If every size is a constant, the weight is the number of elements. Otherwise all unknown extents are taken to be
//! equal. They count as [`UNKNOWN`], and so do constants above it. The weight of an array is the product over its
//! dimensions, so a `cross` is heavier than its parts. The result of a filter is as heavy as its input. If each step
//! reads single elements of an array from outside the block, the array is as heavy as the longest pass that reads it.
//!
//! Invariant: weights are at least 1, at most [`HEAVIEST`], and have no common divisor, so that they are
//! all 1 in a block with one kind of size.
//!
//! ```text
//! xs : n, gts = filter xs : k, cs = cross xs gts : n × k   ⇒   xs 1, gts 1, cs 4
//! c = generate n (\i -> a[i, j]), a : n × m              ⇒   a 1, c 1
//! ```

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Extent, Op};
use crate::graph::{ArrayInfo, Graph, Iteration, Kind};
use crate::process::uses;
use arrc_syntax::ids::{SizeId, VarId};

/// The weight of an unknown extent. No benchmark shows it alone.
const UNKNOWN: u64 = 4;

/// The highest weight of an array, so that the solver's numbers stay small.
const HEAVIEST: u64 = 256;

/// The weight of each array of the graph.
pub(super) fn weights(graph: &Graph) -> IndexMap<VarId, u64> {
    let raw = unscaled(graph);
    let divisor = raw.values().copied().fold(0, gcd).max(1);
    let heaviest = raw.values().copied().max().unwrap_or(1).div_ceil(divisor);
    let scale = heaviest.div_ceil(HEAVIEST).max(1);
    raw.into_iter().map(|(var, weight)| (var, (weight / divisor).div_ceil(scale))).collect()
}

/// The weights before they are scaled. In two graphs with the same readers, an array has the same weight.
pub(super) fn unscaled(graph: &Graph) -> IndexMap<VarId, u64> {
    let weigher = Weigher { known: all_known(graph), filtered: filtered(graph) };
    let weight = |var: VarId, array: &ArrayInfo| {
        let whole = weigher.array(array);
        weigher.elements(graph, var, array).map_or(whole, |elements| whole.min(elements))
    };
    graph.arrays.iter().map(|(&var, array)| (var, weight(var, array))).collect()
}

struct Weigher<'a> {
    /// Whether every extent of the graph's arrays is a constant.
    known: bool,
    /// The size that is the upper bound of each size that a filter makes.
    filtered: BTreeMap<SizeId, &'a Iteration>,
}

impl Weigher<'_> {
    /// The weight of an array from outside whose elements the steps of passes read one by one.
    fn elements(&self, graph: &Graph, var: VarId, array: &ArrayInfo) -> Option<u64> {
        if array.producer.is_some() || array.output || array.indexed {
            return None;
        }
        let readers = graph
            .nodes
            .values()
            .filter(|node| node.whole.contains(&var) || node.streams.contains(&var));
        let of = RankedArray { array: var, rank: array.rows.len() + 1 };
        let weights = readers.map(|node| {
            let reads = reads_elements(&graph.block.binds[node.bind], of);
            let is_element = reads && !node.streams.contains(&var);
            is_element.then(|| node.iteration.as_ref().map(|steps| self.size(steps))).flatten()
        });
        weights.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    fn array(&self, array: &ArrayInfo) -> u64 {
        array
            .rows
            .iter()
            .fold(self.size(&array.size), |weight, row| weight.saturating_mul(self.size(row)))
    }

    fn size(&self, size: &Iteration) -> u64 {
        match size {
            Iteration::Extent(Extent::Const(value)) => {
                let value = u64::try_from(*value).unwrap_or(0).max(1);
                if self.known { value } else { value.min(UNKNOWN) }
            }
            Iteration::Extent(Extent::Size(id)) => {
                self.filtered.get(id).map_or(UNKNOWN, |source| self.size(source))
            }
            Iteration::Cross(left, right) => self.size(left).saturating_mul(self.size(right)),
        }
    }
}

/// An array, and the number of its dimensions.
#[derive(Clone, Copy)]
struct RankedArray {
    array: VarId,
    rank: usize,
}

/// Whether a step of a combinator uses the array for single elements only, and reads none of them in a loop.
fn reads_elements(bind: &Bind, of: RankedArray) -> bool {
    bind.op.inner().iter().all(|inner| has_elements(inner.block, of))
}

fn has_elements(block: &Block, of: RankedArray) -> bool {
    let yields = block.results.contains(&Atom::Var(of.array));
    !yields && block.binds.iter().all(|bind| is_element(bind, of))
}

fn is_element(bind: &Bind, of: RankedArray) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others read no single element")]
    match &bind.op {
        Op::Index { array, indices, .. } => *array != of.array || indices.len() == of.rank,
        Op::If { then, otherwise, .. } => {
            [then, otherwise].into_iter().all(|branch| has_elements(branch, of))
        }
        _ => !uses::free(bind).contains(&of.array),
    }
}

fn all_known(graph: &Graph) -> bool {
    fn known(size: &Iteration) -> bool {
        match size {
            Iteration::Extent(Extent::Const(_)) => true,
            Iteration::Extent(Extent::Size(_)) => false,
            Iteration::Cross(left, right) => known(left) && known(right),
        }
    }
    graph.arrays.values().all(|array| known(&array.size) && array.rows.iter().all(known))
}

/// The sizes that filters make, each with the size of the filter's input. Only the first maker of a size counts. A
/// size is made after the size that it comes from, so following these links ends.
fn filtered(graph: &Graph) -> BTreeMap<SizeId, &Iteration> {
    let mut sources: BTreeMap<SizeId, &Iteration> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for node in graph.nodes.values() {
        let Some(iteration) = &node.iteration else { continue };
        iteration.mentions(&mut used);
        // The result of a flatmap may be longer than its input.
        if node.kind != Kind::Filter {
            continue;
        }
        for array in &node.writes {
            let size = &graph.arrays[array].size;
            if let Iteration::Extent(Extent::Size(made)) = size
                && !used.contains(made)
            {
                sources.entry(*made).or_insert(iteration);
            }
        }
    }
    sources
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
