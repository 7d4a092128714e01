//! A copy of a loop's body, for the steps in which the conditions on its counter have the outcome that they have in
//! most steps.
//!
//! Invariant: the copy binds variables of its own. In the steps that [`Bounds`] describes, it has the effect of the
//! body.
//!
//! ```text
//! x = (\i -> { c = i > 0; x = if c then { j = i - 1; x = xs[j]; yield (x) } else { yield (0) }; yield (x) }) i
//! ⇒ from 1: x = (\i -> { j = i - 1; x = inside xs[j]; yield (x) }) i
//! ```

use indexmap::{IndexMap, IndexSet};

use super::bounds::Bounds;
use super::conditions::extent;
use super::likely::Symbol;
use super::version_state::{CopiedBody, DelayedComparisons, LoopFacts, Version};
use crate::concrete::{
    Block, End, Guard, Length, Loop, Memory, Names, Nest, Plain, Position, Procedure, Ranged,
    RowLocation, Start, Step, Stmt, Worker,
};
use crate::ranges::split::dead_scalars;
use crate::ranges::split::grids::Remainders;
use crate::ranges::split::paths::DecisionPath;
use crate::ranges::split::speculative_reads::SpeculativeReads;
use crate::ranges::sums::Sum;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::source::Span;

/// The most steps of a body that is copied. It bounds the size of the code. No benchmark shows it alone.
const MAX_COPIED: usize = 600;

/// A copy, with the conditions of its steps.
pub(super) struct VersionCopy {
    /// The bodies that the steps take cyclically.
    pub(super) variants: Vec<CopiedBody>,
    /// The conditions on the counter under which the copy is valid.
    pub(super) bounds: Bounds,
    /// The number of steps of the loop.
    pub(super) length: Atom,
    /// Variables that have the values of sums in these steps.
    pub(super) forms: Vec<(VarId, Sum)>,
    /// Code before the loop that `bounds` and `length` need.
    pub(super) before: Vec<Step<Ranged>>,
    /// Where something stands that is simpler.
    pub(super) span: Span,
    /// How many steps of blocks it has at most.
    pub(super) steps: usize,
    /// Whether some steps outside of the range take other branches.
    pub(super) has_edges: bool,
    /// Whether the copy pays where the steps of the loops around are outside of their ranges.
    pub(super) pays_at_edges: bool,
}

/// Copies a loop's body, if that makes it simpler. The path decides comparisons without a likelier outcome.
pub(super) fn copy(
    nest: &Loop<Plain>,
    known: LoopFacts<'_>,
    path: Option<&mut DecisionPath>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Option<VersionCopy> {
    let length = known.likely.length(&nest.length, vars, known.sizes)?;
    let mut version = Version {
        vars,
        known,
        counter: nest.counter,
        length,
        names: IndexMap::new(),
        forms: IndexMap::new(),
        quotients: IndexMap::new(),
        tests: IndexMap::new(),
        asserted: IndexSet::new(),
        operands: DelayedComparisons::default(),
        narrowed: IndexSet::new(),
        flat: nest.inner.is_empty(),
        here: None,
        early: SpeculativeReads::default(),
        inside: IndexSet::new(),
        extents: IndexMap::new(),
        before: Vec::new(),
        bounds: Bounds::default(),
        gains: false,
        has_edges: false,
        reads_inside: false,
        still_checks: false,
        is_decided_before: false,
        is_legal: true,
        path,
        sides: IndexMap::new(),
        grids: Remainders::default(),
        current_variant: None,
        depth: 0,
        copied: 0,
        span: None,
    };
    let (body, inner) = version.inside(nest);
    if version.copied > MAX_COPIED {
        return None;
    }
    let variants = version.variants(nest, &body).unwrap_or_else(|| vec![(body, inner)]);
    if !version.gains || !version.is_legal || version.is_short_and_checked(nest) {
        return None;
    }
    let span = version.span.expect("what is simpler stands somewhere");
    let length = version.steps_of(&nest.length)?;
    version.bounds.simplify(known.facts);
    let forms = version.values();
    let pays_at_edges = version.pays_at_edges();
    let Version { before, bounds, copied: steps, has_edges, .. } = version;
    Some(VersionCopy {
        variants,
        bounds,
        length,
        forms,
        before,
        span,
        steps,
        has_edges,
        pays_at_edges,
    })
}

impl Version<'_> {
    /// Whether the copy only saves some checks of indices, in a loop that runs element by element, and each step of the loop
    /// around has another number of steps, as rows of sparse matrices have. Many such rows are short: then the ends of the
    /// range cost more than these checks. A count over the targets of all rows took 0.81 of the time without the range at 4
    /// targets a row, 0.91 to 0.98 at 32, and 1.09 at 2,000; over a slice of the targets it took 0.97, 0.88 and 0.73 to
    /// 0.85 (medians of 41, three runs). `scripts/bench levels_i64 queue_i64` shows it.
    fn is_short_and_checked(&self, nest: &Loop<Plain>) -> bool {
        let LoopFacts { scope, before_step, .. } = self.known;
        let of_step = |symbol: &Symbol| match symbol {
            Symbol::Var(var) => scope.get_index_of(var).is_some_and(|at| at >= before_step),
            Symbol::Size(_) => false,
        };
        let is_array = |var: &VarId| self.vars[*var].ty.is_array();
        let carries = nest.body.iter().flat_map(Stmt::carried).any(is_array);
        carries && self.still_checks && !self.has_edges && self.length.terms.keys().any(of_step)
    }

    /// Whether the copy is simpler even if the conditions that are known before the loop have the other outcome. At the
    /// edges of a box they have it: there the steps do not do what the steps of the box do.
    fn pays_at_edges(&self) -> bool {
        (self.has_edges || self.reads_inside) && !self.is_decided_before
    }

    /// The variables of the copy that have the values of sums. There are none if the steps take several variants,
    /// because each variant has other sums.
    fn values(&mut self) -> Vec<(VarId, Sum)> {
        if self.current_variant.is_some() {
            return Vec::new();
        }
        let forms = std::mem::take(&mut self.forms).into_iter();
        let renamed = forms.filter_map(|(var, form)| match self.atom(Atom::Var(var)) {
            Atom::Var(var) => Some((var, form)),
            Atom::Const(_) => None,
        });
        renamed.collect()
    }

    /// Copies the content of a step.
    pub(super) fn inside(&mut self, nest: &Loop<Plain>) -> CopiedBody {
        self.early.note_streams(nest);
        let mut body = self.stmts(&nest.body);
        let inner = self.nests(&nest.inner);
        if let Some(elem) = self.here.take() {
            body.insert(0, Stmt::Position { elem, index: Position::Var(nest.counter) });
        }
        dead_scalars::prune(&mut body, self.vars, self.grids.total());
        (body, inner)
    }

    /// The number of steps as a scalar.
    fn steps_of(&mut self, length: &Length) -> Option<Atom> {
        match length {
            Length::Array(array) => {
                let known = match self.vars[*array].ty.shape()[0] {
                    Extent::Size(size) => self.known.facts.length_of(size),
                    Extent::Const(_) => None,
                };
                let length =
                    known.unwrap_or_else(|| extent(self.vars, *array, 0, &mut self.before));
                Some(Atom::Var(length))
            }
            Length::Value(size) => Some(*size),
            Length::Product(..) => None,
        }
    }

    /// A variable of the copy for one of the body.
    pub(super) fn fresh(&mut self, var: VarId) -> VarId {
        self.is_legal &= !self.has_rows_of_inside(var);
        let new = self.vars.push(self.vars[var].clone());
        self.names.insert(var, Atom::Var(new));
        self.inside.insert(var);
        new
    }

    /// Whether a variable is an array whose rows have a size that the body computes. Its copy would have the type of
    /// the original, but in the copy that size is another variable.
    fn has_rows_of_inside(&self, var: VarId) -> bool {
        let rows = self.vars[var].ty.shape().iter().skip(1);
        rows.into_iter().any(|&extent| self.is_of_inside(extent))
    }

    fn is_of_inside(&self, extent: Extent) -> bool {
        let Extent::Size(size) = extent else { return false };
        match self.known.sizes[size].def {
            SizeDef::Value(var) => self.inside.contains(&var),
            ref def @ (SizeDef::Param
            | SizeDef::Exists
            | SizeDef::Sum(..)
            | SizeDef::Product(..)) => def.parts().any(|part| self.is_of_inside(part)),
        }
    }

    pub(super) fn fresh_all(&mut self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter().map(|&var| self.fresh(var)).collect()
    }

    /// A variable with the value of an atom of the body. It is bound in the copy too.
    fn fresh_as(&mut self, var: VarId, from: Atom) -> VarId {
        let new = self.fresh(var);
        if let Atom::Const(value) = self.atom(from) {
            self.names.insert(var, Atom::Const(value));
        }
        if let Some(form) = self.form(from) {
            self.forms.insert(var, form);
        }
        if self.is_narrowed(from) {
            self.narrowed.insert(var);
        }
        new
    }

    /// Notes that a variable of the body has the value of an atom, so the copy has no variable for it.
    pub(super) fn rename(&mut self, var: VarId, to: Atom) {
        if let Some(form) = self.form(to) {
            self.forms.insert(var, form);
        }
        if self.is_narrowed(to) {
            self.narrowed.insert(var);
        }
        let to = self.atom(to);
        self.names.insert(var, to);
        self.inside.insert(var);
    }

    /// The atom that replaces an atom in the copy.
    pub(super) fn atom(&self, atom: Atom) -> Atom {
        atom.substitute(&self.names)
    }

    pub(super) fn atoms(&self, atoms: &[Atom]) -> Vec<Atom> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// The variable that replaces a variable, which is no constant in the copy.
    pub(super) fn var(&self, var: VarId) -> VarId {
        match self.atom(Atom::Var(var)) {
            Atom::Var(var) => var,
            Atom::Const(_) => panic!("{var} is a variable in the copy"),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt<Plain>]) -> Vec<Stmt<Plain>> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt<Plain>) -> Stmt<Plain> {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "of what the others bind no more is known than its name"
        )]
        match stmt {
            Stmt::Position { elem, index } => {
                let position = index.renamed(self);
                let elem = match index {
                    Position::Var(var) => self.fresh_as(*elem, Atom::Var(*var)),
                    Position::Product { .. } => self.fresh(*elem),
                };
                Stmt::Position { elem, index: position }
            }
            Stmt::Copy { elem, from } => {
                let copied = self.atom(*from);
                Stmt::Copy { elem: self.fresh_as(*elem, *from), from: copied }
            }
            Stmt::Apply { elems, worker, args } => {
                let new = self.atoms(args);
                let (worker, results) = self.worker(worker, args);
                let elems = elems.iter().zip(results).map(|(&elem, old)| self.fresh_as(elem, old));
                Stmt::Apply { elems: elems.collect(), worker, args: new }
            }
            Stmt::Update { accs, order, worker, args } => {
                let new = self.atoms(args);
                self.fresh_all(&worker.params[..accs.len()]);
                let params = &worker.params[accs.len()..];
                let accumulators = worker.params[..accs.len()].iter().map(|&param| self.var(param));
                let mut all = accumulators.collect::<Vec<_>>();
                all.extend(params.iter().zip(args).map(|(&param, &arg)| self.fresh_as(param, arg)));
                let body = self.block(&worker.body);
                let worker = Worker { params: all, body };
                Stmt::Update { accs: accs.clone(), order: *order, worker, args: new }
            }
            _ => {
                let mut new = stmt.clone();
                new.rename(self);
                new
            }
        }
    }

    /// A copy of a worker whose parameters have the values of these atoms, and the results of the original.
    fn worker(&mut self, worker: &Worker<Plain>, args: &[Atom]) -> (Worker<Plain>, Vec<Atom>) {
        let params = worker.params.iter().zip(args);
        let params = params.map(|(&param, &arg)| self.fresh_as(param, arg)).collect();
        let body = self.block(&worker.body);
        (Worker { params, body }, worker.body.results.clone())
    }

    fn nests(&mut self, nests: &[Nest<Plain>]) -> Vec<Nest<Plain>> {
        self.depth += 1;
        let nests = nests.iter().map(|nest| match nest {
            Nest::Loop(nest) => Nest::Loop(self.counted_loop(nest)),
            Nest::Guard(Guard { index, counter, flag, body, inner, release: _ }) => {
                let flag = self.atom(*flag);
                let index = self.fresh(*index);
                let (body, inner) = (self.stmts(body), self.nests(inner));
                let release = Vec::new();
                Nest::Guard(Guard { index, counter: *counter, flag, body, inner, release })
            }
        });
        let nests = nests.collect();
        self.depth -= 1;
        nests
    }

    fn counted_loop(&mut self, nest: &Loop<Plain>) -> Loop<Plain> {
        let &Loop {
            counter,
            ref length,
            most,
            collapsed,
            ref body,
            ref inner,
            release: _,
            ranges: _,
        } = nest;
        let length = length.renamed(self);
        self.depth += 1;
        let counter = self.fresh(counter);
        let (body, inner) = (self.stmts(body), self.nests(inner));
        self.depth -= 1;
        let (release, ranges) = (Vec::new(), Vec::new());
        Loop { counter, length, most, collapsed, body, inner, release, ranges }
    }

    /// A pass inside the body.
    pub(super) fn pass(&mut self, pass: &Procedure<Plain>) -> Procedure<Plain> {
        let Procedure { name, accs, slices: _, start, nest, end, yields } = pass;
        let start = start.iter().map(|start| self.start(start)).collect();
        let nest = self.counted_loop(nest);
        let end = end.iter().map(|end| self.end(end)).collect();
        let yields = yields.iter().map(|&var| self.var(var)).collect();
        let (name, accs) = (name.clone(), accs.clone());
        Procedure { name, accs, slices: None, start, nest, end, yields }
    }

    fn start(&mut self, start: &Start<Plain>) -> Start<Plain> {
        match start {
            Start::CheckSize { size, span } => {
                Start::CheckSize { size: self.atom(*size), span: *span }
            }
            Start::NewVec { vec, capacity, memory, span } => {
                let capacity = capacity.renamed(self);
                let memory = self.memory(memory);
                Start::NewVec { vec: self.fresh(*vec), capacity, memory, span: *span }
            }
            Start::NewAcc { acc, init } => Start::NewAcc { acc: *acc, init: self.atom(*init) },
        }
    }

    pub(super) fn memory(&mut self, memory: &Memory<Plain>) -> Memory<Plain> {
        match memory {
            Memory::New => Memory::New,
            Memory::Scratch => Memory::Scratch,
            Memory::DoubleBuffer => Memory::DoubleBuffer,
            Memory::Row(RowLocation { vec, index, over: _ }) => Memory::Row(RowLocation {
                vec: self.var(*vec),
                index: index.renamed(self),
                over: None,
            }),
            Memory::Over(never) | Memory::Behind(never) => match *never {},
            Memory::Part(part) => match part.array {},
        }
    }

    fn end(&mut self, end: &End) -> End {
        match end {
            End::Read { result, acc } => End::Read { result: self.fresh(*result), acc: *acc },
            End::Slice { vec, length } => {
                let length = length.renamed(self);
                End::Slice { vec: self.var(*vec), length }
            }
        }
    }
}

/// Workers and branches are copied elsewhere, since their code may differ from the original.
impl Names<Plain> for Version<'_> {
    fn var(&self, var: VarId) -> VarId {
        Version::var(self, var)
    }

    fn atom(&self, atom: Atom) -> Atom {
        Version::atom(self, atom)
    }

    fn bound(&mut self, var: VarId) -> VarId {
        self.fresh(var)
    }

    fn worker(&mut self, _: &mut Worker<Plain>) {}

    fn branch(&mut self, _: &mut Block<Plain>) {}
}
