//! A pass that makes the rows of a matrix from the rows of another matrix, which ends with the pass, makes them in
//! the old rows' place. This is also possible if every row reads one other row or one column of the old matrix. That
//! row is copied before the pass, and the element of the column is read before the row is written.
//!
//! Invariant: the array has no other owner, and no step can fail. Apart from the copied row and the column, a step
//! reads only the element that it overwrites.
//!
//! ```text
//! pass { ys = newVecI n; for i < n { pass { y = newVecI m in ys[i]
//!                                         ; for j < m { … xs[i, j] … xs[i, k] … xs[k, j] … } } } }; release xs
//! ⇒ c = n > 0
//!   ys = if c then { r = row xs[k]; p = copy r
//!                  ; pass { zs = newVecI n over xs
//!                         ; for i < n { q = if m > 0 then xs[i, k] else 0
//!                                     ; pass { y = newVecI m in zs[i]; for j < m { … xs[i, j] … q … p[j] … } } } }
//!                  ; release p; yield (zs) }
//!             else { yield (xs) }
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::access::{Accesses, Context, Kind};
use crate::concrete::{
    Block, End, Length, Loop, Memory, Position, Procedure, Start, Step, Stmt, Worker, WrittenCount,
};
use crate::memory::reuse::overwrite::put_rows_over;
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// Makes the passes of a block make matrices in the memory of arrays that are not `shared`. Passes of inner blocks do
/// not change.
pub(crate) fn passes(
    steps: Vec<Step>,
    shared: &IndexSet<VarId>,
    context: &Context<'_>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    for step in steps {
        if let Step::Release { array } = step
            && !shared.contains(&array)
            && let Some(at) = pass_before(&done)
            && let Step::Pass(pass) = &done[at]
            && let Some(sweep) = MatrixSweep::of(pass, array, context, vars)
        {
            let pass = pass.clone();
            done.splice(at..=at, sweep.in_place(pass, vars));
        } else {
            done.push(step);
        }
    }
    done
}

/// The arrays in whose memory a pass of the block could make its matrix if they had one owner, with the place of the
/// matrix.
pub(crate) fn wanted(
    steps: &[Step],
    context: &Context<'_>,
    vars: &PrimaryMap<VarId, Var>,
) -> Vec<(VarId, Span)> {
    let found = steps.iter().enumerate().filter_map(|(at, step)| {
        let Step::Release { array } = step else { return None };
        let Step::Pass(pass) = &steps[pass_before(&steps[..at])?] else { return None };
        MatrixSweep::of(pass, *array, context, vars).map(|sweep| (*array, sweep.span))
    });
    found.collect()
}

/// The pass before the releases at the end of some steps.
fn pass_before(steps: &[Step]) -> Option<usize> {
    let at = steps.iter().rposition(|step| !matches!(step, Step::Release { .. }))?;
    matches!(steps[at], Step::Pass(_)).then_some(at)
}

/// A pass whose step makes a row of a matrix from elements of an array.
struct MatrixSweep {
    /// The array that ends with the pass.
    array: VarId,
    /// The matrix that it makes.
    vec: VarId,
    /// The place of the matrix in the source.
    span: Span,
    /// The variable that holds the row's position in the worker of the row.
    row: VarId,
    /// The element of the old matrix that each variable holds.
    reads: IndexMap<VarId, OldElement>,
}

/// An element of the array that a step reads.
#[derive(Clone, Copy)]
enum OldElement {
    /// The element that the step overwrites.
    Own,
    /// The element of the row at that index, in the column that the step writes.
    Row(Atom),
    /// The element of the column at that index, in the row that the step writes.
    Column(Atom),
}

impl MatrixSweep {
    /// The pass as a sweep, if it can make its matrix in the place of the array.
    fn of(
        pass: &Procedure,
        array: VarId,
        context: &Context<'_>,
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let [Start::NewVec { vec, capacity, memory: Memory::New, span }] = &pass.start[..] else {
            return None;
        };
        let ty = &vars[*vec].ty;
        let is_matrix = matches!(ty, Type::Array { shape, .. } if shape.len() == 2);
        let is_whole = matches!(&pass.end[..], [End::Slice { length: WrittenCount::All, .. }]);
        // The array may be an unused result of the pass, which ends with it.
        let is_given = !pass.yields.contains(&array);
        let fits = *ty == vars[array].ty && *capacity == pass.nest.length;
        if !is_matrix || !is_whole || !is_given || !fits {
            return None;
        }
        let rows = RowPass::of(&pass.nest, *vec).filter(|rows| rows.is_total(vars))?;
        let accesses = Accesses::of_pass(pass, context, vars);
        let reads = reads_of(&accesses, array, *vec)?;
        Some(Self { array, vec: *vec, span: *span, row: rows.row, reads })
    }

    /// The steps that replace the pass and the release of its array.
    fn in_place(self, mut pass: Procedure, vars: &mut PrimaryMap<VarId, Var>) -> Vec<Step> {
        for start in &mut pass.start {
            if let Start::NewVec { memory, .. } = start {
                *memory = Memory::Over(self.array);
            }
        }
        let mut copies = RowCopies { sweep: &self, rows: Vec::new(), steps: Vec::new(), vars };
        copies.rewrite(&mut pass);
        put_rows_over(&mut pass, self.vec, self.array);
        let RowCopies { rows, steps: mut then, vars, .. } = copies;
        if rows.is_empty() {
            return vec![Step::Pass(pass)];
        }
        let mut before = Vec::new();
        let cond = is_positive(&pass.nest.length, self.span, &mut before, vars);
        let made = self.rename(&mut pass, vars);
        then.push(Step::Pass(pass));
        then.extend(rows.into_iter().map(|(_, array)| Step::Release { array }));
        before.push(Step::If {
            vars: vec![self.vec],
            cond,
            takes: vec![self.array],
            then: Block { steps: then, results: vec![Atom::Var(made)] },
            otherwise: Block { steps: Vec::new(), results: vec![Atom::Var(self.array)] },
        });
        before
    }

    /// Gives the matrix another name in the pass.
    fn rename(&self, pass: &mut Procedure, vars: &mut PrimaryMap<VarId, Var>) -> VarId {
        let new = vars.push(vars[self.vec].clone());
        let change = |var: &mut VarId| {
            if *var == self.vec {
                *var = new;
            }
        };
        pass.yields.iter_mut().for_each(change);
        for start in &mut pass.start {
            if let Start::NewVec { vec, .. } = start {
                change(vec);
            }
        }
        for end in &mut pass.end {
            if let End::Slice { vec, .. } = end {
                change(vec);
            }
        }
        for stmt in &mut pass.nest.body {
            if let Stmt::Write { vec, .. } = stmt {
                change(vec);
            } else if let Stmt::Apply { worker, .. } = stmt {
                let places = worker.body.steps.iter_mut().filter_map(row_place_mut);
                places.for_each(change);
            }
        }
        new
    }
}

/// The matrix whose row the inner pass writes.
fn row_place_mut(step: &mut Step) -> Option<&mut VarId> {
    let Step::Pass(pass) = step else { return None };
    pass.start.iter_mut().find_map(|start| match start {
        Start::NewVec { memory: Memory::Row(place), .. } => Some(&mut place.vec),
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    })
}

/// A pass over rows, and the pass in its step that makes a row.
struct RowPass<'a> {
    /// The worker of the row.
    worker: &'a Worker,
    /// The position in its body of the pass that makes the row.
    at: usize,
    inner: &'a Loop,
    /// The parameter of the worker that is the row's position.
    row: VarId,
}

impl<'a> RowPass<'a> {
    /// The parts of the loop, if it does nothing else.
    fn of(nest: &'a Loop, vec: VarId) -> Option<Self> {
        let made = nest.body.iter().find_map(|stmt| {
            let Stmt::Write { vec: of, index, elem: Atom::Var(made), placed: true } = stmt else {
                return None;
            };
            (*of == vec && *index == Position::Var(nest.counter)).then_some(*made)
        })?;
        let (worker, args) = nest.body.iter().find_map(|stmt| {
            let Stmt::Apply { elems, worker, args } = stmt else { return None };
            (elems[..] == [made]).then_some((worker, args))
        })?;
        let own = Position::Var(nest.counter);
        let is_row = |arg: &Atom| {
            let names = |stmt: &Stmt| matches!(stmt, Stmt::Position { elem, index } if *index == own && *arg == (*elem).into());
            nest.body.iter().any(names)
        };
        let row =
            worker.params.iter().zip(args).find(|(_, arg)| is_row(arg)).map(|(&row, _)| row)?;
        let place = |step: &Step| row_place(step) == Some((vec, nest.counter));
        let at = worker.body.steps.iter().position(place)?;
        let Step::Pass(pass) = &worker.body.steps[at] else { return None };
        let is_plain = |nest: &Loop| nest.ranges.is_empty() && nest.inner.is_empty();
        let inner = &pass.nest;
        let writes_last = matches!(
            inner.body.last(),
            Some(Stmt::Write { index: Position::Var(at), .. }) if *at == inner.counter
        );
        (is_plain(nest) && is_plain(inner) && writes_last).then_some(Self {
            worker,
            at,
            inner,
            row,
        })
    }

    /// Whether no step can fail.
    fn is_total(&self, vars: &PrimaryMap<VarId, Var>) -> bool {
        let (before, after) = self.worker.body.steps.split_at(self.at);
        let mut others = before.iter().chain(&after[1..]);
        !others.any(|step| step.may_fail(vars)) && !self.inner.may_fail(&[], vars)
    }
}

/// The elements of an array that a pass over rows reads while it makes a matrix in the array's memory, by the variables
/// that hold them. None if it may read other elements than those of one row and of one column.
fn reads_of(
    accesses: &Accesses,
    array: VarId,
    matrix: VarId,
) -> Option<IndexMap<VarId, OldElement>> {
    let mut writes = accesses.of(matrix);
    let (write, written) = writes.next().filter(|_| writes.next().is_none())?;
    let at = written.position()?;
    let mut reads = IndexMap::new();
    for (read, access) in accesses.of(array) {
        let Kind::Read(Some(elem)) = access.kind else { return None };
        if accesses.precedes(read, write).is_ok() {
            reads.insert(elem, OldElement::Own);
            continue;
        }
        // The step of the element reads it by the name of the array.
        let from =
            access.position().filter(|_| access.by == array && access.path == written.path)?;
        let old = match (from[0] == at[0], from[1] == at[1]) {
            (true, false) => OldElement::Column(accesses.fixed(from[1])?),
            (false, true) => OldElement::Row(accesses.fixed(from[0])?),
            (_, _) => return None,
        };
        reads.insert(elem, old);
    }
    Some(reads)
}

/// The matrix that a pass makes a row of, and the variable of the row's position, if the pass makes nothing else.
fn row_place(step: &Step) -> Option<(VarId, VarId)> {
    let Step::Pass(pass) = step else { return None };
    match &pass.start[..] {
        [Start::NewVec { memory: Memory::Row(place), .. }] => match place.index {
            Position::Var(index) => Some((place.vec, index)),
            Position::Product { .. } => None,
        },
        _ => None,
    }
}

/// Rewrites the reads of a pass.
struct RowCopies<'a> {
    sweep: &'a MatrixSweep,
    /// The copies of rows, by their indices.
    rows: Vec<(Atom, VarId)>,
    /// The steps that make the copies.
    steps: Vec<Step>,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl RowCopies<'_> {
    fn rewrite(&mut self, pass: &mut Procedure) {
        for stmt in &mut pass.nest.body {
            let Stmt::Apply { worker, .. } = stmt else { continue };
            let vec = self.sweep.vec;
            let makes = |step: &Step| row_place(step).is_some_and(|(of, _)| of == vec);
            let Some(at) = worker.body.steps.iter().position(makes) else { continue };
            let row = self.sweep.row;
            let Step::Pass(inner) = &mut worker.body.steps[at] else { continue };
            let before = self.inside(inner, row);
            worker.body.steps.splice(at..at, before);
        }
    }

    /// Rewrites the pass that makes a row. Returns the steps that come before it.
    fn inside(&mut self, inner: &mut Procedure, row: VarId) -> Vec<Step> {
        let mut before = Vec::new();
        let length = inner.nest.length.clone();
        for stmt in &mut inner.nest.body {
            let Stmt::Apply { worker, .. } = stmt else { continue };
            let steps = std::mem::take(&mut worker.body.steps);
            let kept = steps.into_iter().filter_map(|mut step| {
                let Step::Index { var, array, indices, .. } = &mut step else { return Some(step) };
                match self.sweep.reads.get(var).copied() {
                    Some(OldElement::Row(index)) => {
                        *array = self.copy_of(index);
                        indices.remove(0);
                    }
                    Some(OldElement::Column(index)) => {
                        before.extend(self.column(*var, [Atom::Var(row), index], &length));
                        return None;
                    }
                    Some(OldElement::Own) | None => {}
                }
                Some(step)
            });
            worker.body.steps = kept.collect();
        }
        before
    }

    /// The copy of a row.
    fn copy_of(&mut self, index: Atom) -> VarId {
        if let Some((_, copy)) = self.rows.iter().find(|(of, _)| *of == index) {
            return *copy;
        }
        let MatrixSweep { array, span, .. } = *self.sweep;
        let Type::Array { elem, shape } = self.vars[array].ty.clone() else {
            panic!("a matrix is an array")
        };
        let ty = Type::Array { elem, shape: shape[1..].to_vec() };
        let [view, copy] = ["row", "before"]
            .map(|name| self.vars.push(Var { name: Name::new(name), ty: ty.clone() }));
        self.steps.push(Step::Row { var: view, array, indices: vec![index], inside: false, span });
        self.steps.push(Step::Copy { var: copy, array: view, memory: Memory::New, span });
        self.rows.push((index, copy));
        copy
    }

    /// Steps that read the element of a column before the row is written, if the row has elements.
    fn column(&mut self, var: VarId, indices: [Atom; 2], length: &Length) -> Vec<Step> {
        let MatrixSweep { array, span, .. } = *self.sweep;
        let mut steps = Vec::new();
        let cond = is_positive(length, span, &mut steps, self.vars);
        let ty = self.vars[var].ty.clone();
        let none = Atom::Const(Const { ty: ty.scalars(), bits: 0 });
        let elem = self.vars.push(Var { name: Name::new("before"), ty });
        let read = Step::Index { var: elem, array, indices: indices.to_vec(), inside: true, span };
        steps.push(Step::If {
            vars: vec![var],
            cond,
            takes: Vec::new(),
            then: Block { steps: vec![read], results: vec![Atom::Var(elem)] },
            otherwise: Block { steps: Vec::new(), results: vec![none] },
        });
        steps
    }
}

/// Adds steps that compute whether a length is more than 0.
fn is_positive(
    length: &Length,
    span: Span,
    steps: &mut Vec<Step>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Atom {
    let count = number(length, span, steps, vars);
    let ty = Type::Scalar(Scalar::Bool);
    let var = vars.push(Var { name: Name::new("some"), ty });
    let args = [count, Atom::Const(Const::i64(0))];
    steps.push(Step::Scalar { var, op: Operation::Bin(BinOp::Gt, args), span });
    Atom::Var(var)
}

/// Adds steps that compute a length as a number. If a product wraps, there is no memory for its elements anyway.
fn number(
    length: &Length,
    span: Span,
    steps: &mut Vec<Step>,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Atom {
    let ty = Type::Scalar(Scalar::I64);
    let step = match length {
        Length::Value(atom) => return *atom,
        Length::Array(array) => {
            let var = vars.push(Var { name: Name::new("count"), ty });
            (var, Step::Length { var, array: *array, dim: 0 })
        }
        Length::Product(left, right) => {
            let args = [left, right].map(|length| number(length, span, steps, vars));
            let var = vars.push(Var { name: Name::new("count"), ty });
            (var, Step::Scalar { var, op: Operation::Bin(BinOp::Mul, args), span })
        }
    };
    steps.push(step.1);
    Atom::Var(step.0)
}
