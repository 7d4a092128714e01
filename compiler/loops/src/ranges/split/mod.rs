//! Index set splitting. Loops are divided into ranges: in the steps of a range, the conditions on the loop's counter
//! have the outcome that they have in most steps, so these steps run without the conditions.
//!
//! A stencil reads other elements at the edges than inside, or none. A test for the edges in each step keeps LLVM from
//! vectorising the loop, and so does the check of each index. So a loop gets a range of steps in which its conditions
//! are decided and its indices are in bounds. The bounds of the range are computed before the loop, and its steps
//! neither test nor check. All other steps run as before, in their order.
//!
//! Invariant: neither the results of a program nor its failures change.
//!
//! ```text
//! loopI i (n) body { x = (\i -> { c = i == 0; x = if c then … else { j = i - 1; x = xs[j]; … }; … }) i … }
//! ⇒ loopI i (n) body { … } range from 1 to min n (length xs + 1) body { x = (\i -> { j = i - 1; x = inside xs[j]; … }) i … }
//! ```

mod bounds;
mod bounds_checks;
mod collapse;
mod conditions;
mod copy_steps;
pub(crate) mod counters;
mod dead_scalars;
mod delayed_comparisons;
mod element_counts;
mod grids;
mod likely;
mod loop_invariants;
mod narrow_integers;
mod paths;
mod periods;
mod row_invariants;
mod speculation;
mod speculative_reads;
mod version_state;
mod versions;

use indexmap::IndexSet;

use self::bounds::RangeEnds;
use self::likely::LikelyValues;
use self::version_state::LoopFacts;
use self::versions::VersionCopy;
use crate::concrete::def_use;
use crate::concrete::{
    Block, Function, Guard, Loop, Mapper, Nest, Plain, Program, Range, Ranged, Step, StepBody,
    Stmt, Variant, Worker,
};
use crate::ranges::facts::IntegerFacts;
use arrc_fusion::cnf::{Atom, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};

/// Gives loops their ranges.
#[must_use]
pub fn split(program: Program<Plain>) -> Program<Ranged> {
    let Program { functions, externals, entries, calls } = program;
    let functions = functions.into_iter().map(|(_, function)| {
        let Function { name, span, params, owned, appends, body, results, mut tables, recursive } =
            counters::mark(function);
        let mut split = LoopSplitter {
            vars: &mut tables.vars,
            sizes: &tables.sizes,
            likely: LikelyValues::default(),
            facts: IntegerFacts::default(),
            scope: params.iter().copied().collect(),
            rows: IndexSet::new(),
            is_edge: false,
            before_step: usize::MAX,
            before: Vec::new(),
        };
        let body = split.block(body);
        Function { name, span, params, owned, appends, body, results, tables, recursive }
    });
    Program { functions: functions.collect(), externals, entries, calls }
}

/// A function whose loops are split.
struct LoopSplitter<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The likely values of the scalars so far.
    likely: LikelyValues,
    /// What is known of integers at the current place.
    facts: IntegerFacts,
    /// Variables that are certainly in scope.
    scope: IndexSet<VarId>,
    /// The rows that branches read (`rows`).
    rows: IndexSet<VarId>,
    /// Whether the current loops are in the steps outside of the range of a loop.
    is_edge: bool,
    /// How many of the variables in scope are bound before the current step of the innermost loop; all, outside of loops.
    before_step: usize,
    /// The code before the loop that was split last.
    before: Vec<Step<Ranged>>,
}

/// The copies of a loop's body, in the order of their steps; nothing if none is simpler.
fn copies(
    nest: &Loop<Plain>,
    known: LoopFacts<'_>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Option<Vec<VersionCopy>> {
    let each = paths::for_each_path(|path| {
        let copy = versions::copy(nest, known, Some(path), vars)?;
        let steps = copy.steps;
        Some((copy, steps))
    });
    each.or_else(|| Some(vec![versions::copy(nest, known, None, vars)?]))
}

/// Loops that get no ranges.
struct WithoutRanges;

impl Mapper for WithoutRanges {
    type From = Plain;
    type To = Ranged;
}

impl Mapper for LoopSplitter<'_> {
    type From = Plain;
    type To = Ranged;

    fn block(&mut self, block: Block<Plain>) -> Block<Ranged> {
        let mut steps = Vec::new();
        let around = self.scope.len();
        let lengths = self.facts.lengths();
        for step in block.steps {
            let step = self.step(step);
            for step in std::mem::take(&mut self.before) {
                self.facts.note(&step, self.vars, self.sizes);
                steps.push(step);
            }
            if self.checks_nothing(&step) {
                continue;
            }
            self.likely.note(&step, self.vars, self.sizes);
            self.facts.note(&step, self.vars, self.sizes);
            self.scope.extend(def_use::defines(&step));
            steps.push(step);
        }
        self.scope.truncate(around);
        self.facts.forget_lengths(lengths);
        Block { steps, results: block.results }
    }

    fn step(&mut self, step: Step<Plain>) -> Step<Ranged> {
        self.mark_inside(step)
    }

    /// If the loop gets a range, the inner loops of that range get ranges too. Few steps are elsewhere: there, only the
    /// innermost loops get ranges, so that the code grows with the number of loops, and not with its power of two.
    fn counted_loop(&mut self, nest: Loop<Plain>) -> Loop<Ranged> {
        let nest = self.proven_steps(nest);
        let Some(copies) = self.copies(&nest) else { return self.without_ranges(nest) };
        let (mut ranges, mut before) = (Vec::new(), Vec::new());
        let is_only = copies.len() == 1;
        let has_edges = is_only && copies[0].has_edges;
        let mut done = Atom::Const(Const::i64(0));
        let is_row = is_only && row_invariants::is_row(&nest);
        for VersionCopy { variants, bounds, length, forms, before: needed, span, steps, .. } in
            copies
        {
            let mark = self.facts.mark();
            self.facts.enter_step(nest.counter, &nest.length, self.vars, self.sizes);
            bounds.note_facts(nest.counter, length, &mut self.facts);
            for (var, form) in forms {
                self.facts.equal(var, &form);
            }
            let variants = variants.into_iter().map(|(body, inner)| {
                let (body, inner, release) = self.inside((body, inner, Vec::new()));
                Variant { body, inner, release }
            });
            let variants = variants.collect();
            self.facts.forget(mark);
            let after = (!is_only).then_some(done);
            let (code, RangeEnds { from, to, period }) =
                bounds.code((length, after), span, self.vars);
            before.extend(needed.into_iter().chain(code));
            let peeled = if is_row {
                row_invariants::peeled_iterations((&bounds, length), steps, &self.facts)
            } else {
                None
            };
            ranges.push(Range { from, to, variants, period, peeled });
            done = to;
        }
        let whole =
            if has_edges { self.outside_range(nest) } else { WithoutRanges.counted_loop(nest) };
        self.before = before;
        Loop { ranges, ..whole }
    }

    fn inside(&mut self, (body, inner, release): StepBody<Plain>) -> StepBody<Ranged> {
        let mut body = body.into_iter().map(|stmt| self.stmt(stmt)).collect::<Vec<_>>();
        let inner = inner.into_iter().map(|nest| match nest {
            Nest::Loop(nest) => {
                let nest = self.counted_loop(nest);
                Nest::Loop(self.bounds_in(nest, &mut body))
            }
            Nest::Guard(guard) => Nest::Guard(self.guard(guard)),
        });
        let inner = inner.collect();
        (body, inner, release)
    }

    /// What becomes known in a guard does not hold behind it.
    fn guard(&mut self, guard: Guard<Plain>) -> Guard<Ranged> {
        let Guard { index, counter, flag, body, inner, release } = guard;
        let mark = self.facts.mark();
        let (body, inner, release) = self.inside((body, inner, release));
        self.facts.forget(mark);
        Guard { index, counter, flag, body, inner, release }
    }

    fn stmt(&mut self, stmt: Stmt<Plain>) -> Stmt<Ranged> {
        self.facts.note_stmt(&stmt);
        let stmt = self.same_stmt(stmt);
        self.facts.note_results(&stmt);
        stmt
    }

    fn worker(&mut self, worker: Worker<Plain>) -> Worker<Ranged> {
        let around = self.scope.len();
        self.scope.extend(&worker.params);
        let before = std::mem::replace(&mut self.before_step, around);
        let body = self.block(worker.body);
        self.before_step = before;
        self.scope.truncate(around);
        Worker { params: worker.params, body }
    }
}

impl LoopSplitter<'_> {
    /// The copies of a loop's body for its ranges, if it gets ranges.
    fn copies(&mut self, nest: &Loop<Plain>) -> Option<Vec<VersionCopy>> {
        // A loop of a few steps is not worth it.
        if nest.most.is_some() || (self.is_edge && !row_invariants::is_row(nest)) {
            return None;
        }
        let known = LoopFacts {
            likely: &self.likely,
            facts: &self.facts,
            scope: &self.scope,
            sizes: self.sizes,
            rows: &self.rows,
            before_step: self.before_step,
        };
        if !self.is_edge {
            return copies(nest, known, self.vars);
        }
        let copy = versions::copy(nest, known, None, self.vars)?;
        (copy.pays_at_edges && copy.steps <= row_invariants::MAX_STEPS).then(|| vec![copy])
    }

    /// A loop without ranges, whose inner loops may get some.
    fn without_ranges(&mut self, nest: Loop<Plain>) -> Loop<Ranged> {
        let Loop { counter, length, most, collapsed, body, inner, release, ranges: _ } = nest;
        let mark = self.facts.mark();
        self.facts.enter_step(counter, &length, self.vars, self.sizes);
        let (body, inner, release) = self.inside((body, inner, release));
        self.facts.forget(mark);
        Loop { counter, length, most, collapsed, body, inner, release, ranges: Vec::new() }
    }

    /// The steps of a loop outside of its range.
    fn outside_range(&mut self, nest: Loop<Plain>) -> Loop<Ranged> {
        let known = row_invariants::LoopScope { facts: &self.facts, scope: &self.scope };
        let nest = row_invariants::hoist_row_invariants(nest, known, &mut self.rows, self.vars);
        let around = std::mem::replace(&mut self.is_edge, true);
        let nest = self.without_ranges(nest);
        self.is_edge = around;
        nest
    }

    /// A loop in the step of another one, where the ends of its ranges are computed too.
    fn bounds_in(&mut self, mut nest: Loop<Ranged>, body: &mut Vec<Stmt<Ranged>>) -> Loop<Ranged> {
        let bounds = nest.ranges.iter_mut().flat_map(Range::bounds_mut);
        let mut bounds = bounds.collect::<Vec<_>>();
        if bounds.is_empty() {
            return nest;
        }
        let results = bounds.iter().map(|bound| **bound).collect();
        let mut elems = Vec::new();
        for bound in &mut bounds {
            let ty = Type::Scalar(Scalar::I64);
            let elem = self.vars.push(Var { name: Name::new("bound"), ty });
            **bound = Atom::Var(elem);
            elems.push(elem);
        }
        let steps = std::mem::take(&mut self.before);
        let worker = Worker { params: Vec::new(), body: Block { steps, results } };
        body.push(Stmt::Apply { elems, worker, args: Vec::new() });
        nest
    }
}
