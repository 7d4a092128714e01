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

use crate::concrete::def_use;
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
    vars: &mut PrimaryMap<VarId, Var>,
) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    for step in steps {
        if let Step::Release { array } = step
            && !shared.contains(&array)
            && let Some(at) = pass_before(&done)
            && let Step::Pass(pass) = &done[at]
            && let Some(sweep) = MatrixSweep::of(pass, array, vars)
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
pub(crate) fn wanted(steps: &[Step], vars: &PrimaryMap<VarId, Var>) -> Vec<(VarId, Span)> {
    let found = steps.iter().enumerate().filter_map(|(at, step)| {
        let Step::Release { array } = step else { return None };
        let Step::Pass(pass) = &steps[pass_before(&steps[..at])?] else { return None };
        MatrixSweep::of(pass, *array, vars).map(|sweep| (*array, sweep.span))
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
    fn of(pass: &Procedure, array: VarId, vars: &PrimaryMap<VarId, Var>) -> Option<Self> {
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
        let rows = RowPass::of(&pass.nest, *vec, array)?;
        let row = rows.row.iter().find(|row| rows.worker.params.contains(*row))?;
        Some(Self { array, vec: *vec, span: *span, row: *row, reads: rows.reads(vars)? })
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
    array: VarId,
    /// The worker of the row.
    worker: &'a Worker,
    /// The position in its body of the pass that makes the row.
    at: usize,
    inner: &'a Loop,
    /// The names of the row's position.
    row: IndexSet<VarId>,
}

impl<'a> RowPass<'a> {
    /// The parts of the loop, if only the inner pass reads the array.
    fn of(nest: &'a Loop, vec: VarId, array: VarId) -> Option<Self> {
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
        let reads = |stmt: &&Stmt| {
            let is_row = matches!(stmt, Stmt::Apply { elems, .. } if elems[..] == [made]);
            !is_row && def_use::uses_of(stmt).contains(&array)
        };
        let is_plain = nest.ranges.is_empty() && nest.inner.is_empty();
        if !is_plain
            || nest.body.iter().any(|stmt| reads(&stmt))
            || args.contains(&Atom::Var(array))
        {
            return None;
        }
        let mut row = positions(nest);
        row.extend(aliases(worker, args, &row));
        let place = |step: &Step| row_place(step) == Some((vec, nest.counter));
        let at = worker.body.steps.iter().position(place)?;
        let Step::Pass(pass) = &worker.body.steps[at] else { return None };
        Some(Self { array, worker, at, inner: &pass.nest, row })
    }

    /// The elements that the steps of the inner loop read, by the variables that hold them.
    fn reads(&self, vars: &PrimaryMap<VarId, Var>) -> Option<IndexMap<VarId, OldElement>> {
        let (before, after) = self.worker.body.steps.split_at(self.at);
        let is_apart =
            |step: &Step| step.is_total(vars) && !def_use::uses(step).contains(&self.array);
        let others_fit = before.iter().all(|step| is_apart(step) || self.is_of_old_row(step))
            && after.iter().skip(1).all(is_apart);
        let is_plain = self.inner.ranges.is_empty() && self.inner.inner.is_empty();
        if !is_plain || !others_fit || self.inner.may_fail(&[], vars) {
            return None;
        }
        let [stmts @ .., Stmt::Write { index: Position::Var(at), .. }] = &self.inner.body[..]
        else {
            return None;
        };
        (*at == self.inner.counter).then_some(())?;
        let mut reads = IndexMap::new();
        for stmt in stmts {
            if let Stmt::Apply { worker, args, .. } = stmt {
                self.reads_of(worker, args, &mut reads)?;
            } else if def_use::uses_of(stmt).contains(&self.array) {
                return None;
            }
        }
        Some(reads)
    }

    /// Whether a step reads an element of the row that is overwritten.
    fn is_of_old_row(&self, step: &Step) -> bool {
        let Step::Index { array, indices, inside: true, .. } = step else { return false };
        let is_own = matches!(indices[..], [Atom::Var(row), _] if self.row.contains(&row));
        *array == self.array && is_own
    }

    /// Adds the elements of the array that a worker of the inner loop reads.
    fn reads_of(
        &self,
        worker: &Worker,
        args: &[Atom],
        reads: &mut IndexMap<VarId, OldElement>,
    ) -> Option<()> {
        let mut names = [self.row.clone(), positions(self.inner)];
        for names in &mut names {
            names.extend(aliases(worker, args, names));
        }
        for step in &worker.body.steps {
            if let Step::Index { var, array, indices, inside: true, .. } = step
                && *array == self.array
            {
                let [row, column] = indices[..] else { return None };
                reads.insert(*var, self.read([row, column], &names)?);
            } else if def_use::uses(step).contains(&self.array) {
                return None;
            }
        }
        let yields = [args, &worker.body.results].concat().contains(&Atom::Var(self.array));
        (!yields).then_some(())
    }

    /// The element that these indices refer to, if a row that is made in place may read it.
    fn read(&self, indices: [Atom; 2], names: &[IndexSet<VarId>; 2]) -> Option<OldElement> {
        let is = |number: usize| match indices[number] {
            Atom::Var(var) => names[number].contains(&var),
            Atom::Const(_) => false,
        };
        match [is(0), is(1)] {
            [true, true] => Some(OldElement::Own),
            [true, false] => self.is_fixed(indices[1]).then_some(OldElement::Column(indices[1])),
            [false, true] => self.is_fixed(indices[0]).then_some(OldElement::Row(indices[0])),
            [false, false] => None,
        }
    }

    /// Whether the atom has one value in all steps: the pass over rows does not bind it.
    fn is_fixed(&self, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return true };
        let binds = |worker: &Worker| {
            let inside = worker.body.steps.iter().any(|step| def_use::defines(step).contains(&var));
            inside || worker.params.contains(&var)
        };
        let in_loop = |nest: &Loop| {
            var == nest.counter
                || nest.body.iter().any(|stmt| match stmt {
                    Stmt::Apply { elems, worker, .. } => elems.contains(&var) || binds(worker),
                    Stmt::Position { elem, .. }
                    | Stmt::Next { elem, .. }
                    | Stmt::Copy { elem, .. }
                    | Stmt::Read { elem, .. }
                    | Stmt::Current { elem, .. } => *elem == var,
                    Stmt::Update { .. } | Stmt::Reserve { .. } | Stmt::Write { .. } => false,
                })
        };
        !self.row.contains(&var) && !binds(self.worker) && !in_loop(self.inner)
    }
}

/// The names of a loop's position.
fn positions(nest: &Loop) -> IndexSet<VarId> {
    let named = nest.body.iter().filter_map(|stmt| {
        let Stmt::Position { elem, index } = stmt else { return None };
        (*index == Position::Var(nest.counter)).then_some(*elem)
    });
    named.collect()
}

/// The parameters of a worker that stand for one of these variables.
fn aliases(worker: &Worker, args: &[Atom], names: &IndexSet<VarId>) -> Vec<VarId> {
    let pairs = worker.params.iter().zip(args);
    let named = pairs.filter(|(_, arg)| matches!(arg, Atom::Var(var) if names.contains(var)));
    named.map(|(param, _)| *param).collect()
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
