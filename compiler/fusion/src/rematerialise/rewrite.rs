//! A block in which each consumer in another pass computes an array by itself.
//!
//! Invariant: the array has the same readers in its own pass as before, and no others.
//!
//! ```text
//! p = map f xs; s = reduce (+) 0 p; ys = map (/ s) p      {p s} {ys}
//! ⇒ p = map f xs; s = reduce (+) 0 p; q = map f xs; ys = map (/ s) q
//! ```

use indexmap::{IndexMap, IndexSet};

use super::cost::{ElementCost, LONG};
use super::element::{Inliner, is_elementwise};
use super::levels::LoopNest;
use super::{clusters_of_nodes, may_repeat, remove_unused, stored};
use crate::clusters::Clustered;
use crate::cnf::{Atom, Bind, Block, Callee, Op, Var};
use crate::graph::Kind;
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};

/// A block without a stored array.
pub(super) struct Rewritten {
    pub(super) block: Block,
    /// How often each element of the array is computed.
    pub(super) times: u64,
    /// The cost of an element.
    pub(super) cost: ElementCost,
}

/// Gives the consumers of an array in other passes expressions of their own. Gives nothing if one of them needs the
/// array in memory.
pub(super) fn rewrite(
    clustered: &Clustered,
    array: VarId,
    tables: &mut Tables,
) -> Option<Rewritten> {
    let graph = &clustered.graph;
    let producer = graph.arrays[&array].producer?;
    let binds = &graph.block.binds;
    let stored = stored(clustered);
    let makers: IndexMap<VarId, &Bind> = binds
        .iter()
        .filter(|bind| is_elementwise(&bind.op) && may_repeat(&bind.op))
        .flat_map(|bind| bind.vars.iter().map(move |&var| (var, bind)))
        .filter(|(var, _)| *var == array || !stored.contains(var))
        .collect();
    let home = clusters_of_nodes(clustered);
    let with = graph.nodes.iter().filter(|(node, _)| home[node] == home[&producer]);
    let inside: IndexSet<usize> = with.map(|(_, node)| node.bind).collect();
    let mut rewriter = Rewriter {
        array,
        makers: &makers,
        vars: &mut tables.vars,
        names: IndexMap::new(),
        levels: LoopNest::default(),
        branches: 0,
        times: 0,
        cost: ElementCost::default(),
    };
    let streams = |at: usize, bind: &Bind| inside.contains(&at) && !in_blocks(bind, array);
    let done = rewritten(binds, &mut rewriter, streams)?;
    let mut block = Block { binds: done, results: graph.block.results.clone() };
    block.results.iter_mut().for_each(|result| *result = rewriter.substitute(*result));
    let Rewriter { mut times, cost, .. } = rewriter;
    remove_unused(&mut block);
    if block.binds.iter().any(|bind| bind.vars.contains(&array)) {
        times += 1;
    }
    Some(Rewritten { block, times, cost })
}

/// The bindings with expressions in the place of the array, but where it streams. Gives nothing if an array would be
/// copied that is updated in place now.
fn rewritten(
    binds: &[Bind],
    rewriter: &mut Rewriter<'_>,
    streams: impl Fn(usize, &Bind) -> bool,
) -> Option<Vec<Bind>> {
    // Arrays that a barrier may update in place. A later read of such an array would cost a copy.
    let mut taken: IndexSet<VarId> = IndexSet::new();
    let mut done = Vec::new();
    for (at, bind) in binds.iter().enumerate() {
        let free = uses::free(bind);
        if streams(at, bind) || !free.iter().any(|var| rewriter.concerns(*var)) {
            done.push(bind.clone());
        } else {
            let from = done.len();
            rewriter.bind(bind.clone(), &mut done)?;
            let read = done[from..].iter().flat_map(uses::free);
            if read.into_iter().any(|var| !free.contains(&var) && taken.contains(&var)) {
                return None;
            }
            if done[from..].iter().any(|new| reads_carried(bind, new)) {
                return None;
            }
        }
        let is_external = matches!(bind.op, Op::Call { callee: Callee::External(_), .. });
        if bind.op.kind() == Some(Kind::Barrier) && !bind.op.is_view() && !is_external {
            taken.extend(free);
        }
    }
    Some(done)
}

/// Whether a binding's blocks read an array that it carries and that they did not read before. The array could not be
/// updated in place any more.
fn reads_carried(old: &Bind, new: &Bind) -> bool {
    let carried = new.op.carried().into_iter().flatten().filter_map(|&atom| atom.as_var());
    carried.into_iter().any(|var| in_blocks(new, var) && !in_blocks(old, var))
}

/// Whether a worker or a branch uses an array.
fn in_blocks(bind: &Bind, array: VarId) -> bool {
    let mut found = false;
    for inner in bind.op.inner() {
        inner.block.for_each_use(&mut |atom| found |= atom == Atom::Var(array));
    }
    found || matches!(&bind.op, Op::Index { array: read, .. } if *read == array)
}

struct Rewriter<'a> {
    array: VarId,
    makers: &'a IndexMap<VarId, &'a Bind>,
    vars: &'a mut PrimaryMap<VarId, Var>,
    /// The atoms that replace variables which were elements of the array.
    names: IndexMap<VarId, Atom>,
    levels: LoopNest,
    /// How many branches of `if`s in loops are around.
    branches: usize,
    times: u64,
    cost: ElementCost,
}

impl Rewriter<'_> {
    fn concerns(&self, var: VarId) -> bool {
        var == self.array || self.names.contains_key(&var)
    }

    fn substitute(&self, atom: Atom) -> Atom {
        atom.substitute(&self.names)
    }

    /// Appends a binding without its uses of the array.
    fn bind(&mut self, mut bind: Bind, done: &mut Vec<Bind>) -> Option<()> {
        bind.op.substitute(&self.names);
        if let Op::Index { array, indices, inside } = &bind.op
            && *array == self.array
        {
            return self.read((&indices.clone(), *inside), &bind, done);
        }
        if bind.op.streams().contains(&self.array) {
            self.stream(&mut bind, done)?;
        }
        if bind.op.operands().contains(&Atom::Var(self.array)) {
            return None;
        }
        self.blocks(&mut bind)?;
        self.levels.note(&bind.op, &bind.vars);
        done.push(bind);
        Some(())
    }

    fn blocks(&mut self, bind: &mut Bind) -> Option<()> {
        let loops = bind.op.is_combinator() || matches!(bind.op, Op::Loop { .. });
        if loops {
            let op = bind.op.clone();
            self.levels.enter(&op, &bind.vars, self.vars);
        } else {
            self.branches += usize::from(!self.levels.is_empty());
        }
        // Only one branch of an `if` runs.
        let before = self.times;
        let mut most = before;
        for block in bind.op.blocks_mut() {
            if !loops {
                self.times = before;
            }
            let mut done = Vec::new();
            for inner in std::mem::take(&mut block.binds) {
                self.bind(inner, &mut done)?;
            }
            block.binds = done;
            let results = std::mem::take(&mut block.results);
            block.results = results.into_iter().map(|result| self.substitute(result)).collect();
            if block.results.contains(&Atom::Var(self.array)) {
                return None;
            }
            most = most.max(self.times);
        }
        self.times = most;
        if loops {
            self.levels.leave();
        } else {
            self.branches -= usize::from(!self.levels.is_empty());
        }
        Some(())
    }

    /// Replaces a read by an expression.
    fn read(
        &mut self,
        (indices, inside): (&[Atom], bool),
        bind: &Bind,
        done: &mut Vec<Bind>,
    ) -> Option<()> {
        let shape = self.vars[self.array].ty.shape().to_vec();
        if !self.levels.reads_each_once(&shape, indices) {
            return None;
        }
        let mut inliner = Inliner { vars: self.vars, makers: self.makers };
        let from = done.len();
        let element =
            inliner.element((self.array, indices, inside), &self.levels, bind.span, done)?;
        for bind in &done[from..] {
            self.levels.note(&bind.op, &bind.vars);
        }
        self.names.insert(bind.vars[0], element.atom);
        if self.levels.is_empty() {
            // One element is negligible beside an array.
            return (element.cost.inner + element.cost.outer < LONG).then_some(());
        }
        self.count(element.cost)
    }

    /// Counts one more computation of each element. Gives nothing if a long expression would be in a branch.
    fn count(&mut self, cost: ElementCost) -> Option<()> {
        self.times += 1;
        self.cost.inner = self.cost.inner.max(cost.inner);
        self.cost.outer = self.cost.outer.max(cost.outer);
        (self.branches == 0 || cost.inner < LONG).then_some(())
    }

    /// Gives a consumer that streams the array a producer of its own.
    fn stream(&mut self, bind: &mut Bind, done: &mut Vec<Bind>) -> Option<()> {
        if !self.levels.is_empty() {
            return None;
        }
        let mut inliner = Inliner { vars: self.vars, makers: self.makers };
        let (copy, cost) = inliner.recompute(self.array, bind.span, done)?;
        let array = self.array;
        let renamed = |atom| if atom == Atom::Var(array) { Atom::Var(copy) } else { atom };
        bind.op.replace_operands(&mut { renamed });
        self.count(cost)
    }
}
