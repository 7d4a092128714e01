//! A pass that goes over the rows of a matrix reads the elements of the matrix instead, if it can overwrite the matrix
//! then.
//!
//! A row is a view of the matrix. The positions of elements that are read through a view are not known. Elements are
//! read at positions that can be compared with those where the pass writes.
//!
//! Invariant: the pass reads the same elements. No row of the matrix is left in it.
//!
//! ```text
//! pass { ys = newVecI n; for i < n { x = nextI i xs; pass { y = newVecI m in ys[i]; for j < length x { … nextI j x … } } } }; release xs
//! ⇒ pass { ys = newVecI n; for i < n { pass { y = newVecI m in ys[i]; for j < length.1 xs { … xs[i, j] … } } } }; release xs
//! ```

use indexmap::IndexSet;

use crate::concrete::def_use;
use crate::concrete::{
    Block, Complete, Length, Mapper, Position, Procedure, Start, Step, Stmt, Worker,
};
use crate::memory::reuse::overwrite;
use crate::memory::reuse::overwrite::FunctionTables;
use arrc_fusion::cnf::{Atom, SizeInfo, Type, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Makes the passes of a function read elements where they could overwrite the matrix.
pub(crate) fn elements(body: Block, tables: &mut Tables) -> Block {
    RowsToElements { vars: &mut tables.vars, sizes: &tables.sizes }.block(body)
}

struct RowsToElements<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
}

impl Mapper for RowsToElements<'_> {
    type From = Complete;
    type To = Complete;

    fn block(&mut self, block: Block) -> Block {
        let steps = block.steps.into_iter().map(|step| self.step(step)).collect::<Vec<_>>();
        let mut done = Vec::with_capacity(steps.len());
        let mut rest = steps.into_iter().peekable();
        while let Some(step) = rest.next() {
            let Step::Pass(pass) = step else {
                done.push(step);
                continue;
            };
            let mut released = Vec::new();
            while let Some(step) = rest.next_if(|step| matches!(step, Step::Release { .. })) {
                released.push(step);
            }
            let ends = released.iter().filter_map(|step| {
                if let Step::Release { array } = step { Some(*array) } else { None }
            });
            match ends.into_iter().find_map(|array| self.of_elements(&pass, array)) {
                Some(steps) => done.extend(steps),
                None => done.push(Step::Pass(pass)),
            }
            done.extend(released);
        }
        Block { steps: done, results: block.results }
    }
}

impl RowsToElements<'_> {
    /// The pass that reads elements of a matrix instead of rows, and the step before it. None if it reads no rows, uses
    /// them otherwise, or could not overwrite the matrix.
    fn of_elements(&mut self, pass: &Procedure, matrix: VarId) -> Option<[Step; 2]> {
        let is_simple = pass.nest.ranges.is_empty() && pass.nest.inner.is_empty();
        if !is_simple || self.vars[matrix].ty.shape().len() != 2 {
            return None;
        }
        let span = pass.start.iter().find_map(|start| match start {
            Start::NewVec { span, .. } => Some(*span),
            Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        })?;
        let elem = Type::Scalar(self.vars[matrix].ty.scalars());
        let [row, extent] = ["i", "t"].map(|name| self.number(name));
        let names = IndexSet::new();
        let mut rows = ReplacedRows { matrix, elem, row, extent, names, span, vars: self.vars };
        let mut pass = pass.clone();
        rows.pass(&mut pass)?;
        let known = FunctionTables { vars: self.vars, sizes: self.sizes };
        let length = Step::Length { var: extent, array: matrix, dim: 1 };
        overwrite::can_overwrite(&pass, matrix, known).then_some([length, Step::Pass(pass)])
    }

    fn number(&mut self, name: &str) -> VarId {
        self.vars.push(Var { name: Name::new(name), ty: Type::Scalar(Scalar::I64) })
    }
}

/// The rows that a pass goes over, while they are replaced.
struct ReplacedRows<'a> {
    matrix: VarId,
    /// The type of an element.
    elem: Type,
    /// The position of the row of a step.
    row: VarId,
    /// The length of a row.
    extent: VarId,
    /// The names of the row.
    names: IndexSet<VarId>,
    /// The place of the vector in the source.
    span: Span,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

impl ReplacedRows<'_> {
    fn pass(&mut self, pass: &mut Procedure) -> Option<()> {
        let index = Position::Var(pass.nest.counter);
        let is_row = |stmt: &Stmt| {
            let Stmt::Next { elem, array, index: at } = stmt else { return None };
            (*array == self.matrix && *at == index).then_some(*elem)
        };
        self.names = pass.nest.body.iter().filter_map(is_row).collect();
        if self.names.is_empty() {
            return None;
        }
        pass.nest.body.retain(|stmt| is_row(stmt).is_none());
        for stmt in &mut pass.nest.body {
            if let Stmt::Apply { worker, args, .. } = stmt {
                self.worker(worker, args)?;
            }
            if def_use::uses_of(stmt).iter().any(|used| self.names.contains(used)) {
                return None;
            }
        }
        pass.nest.body.insert(0, Stmt::Position { elem: self.row, index });
        Some(())
    }

    /// Gives a worker the position of the row instead of the row.
    fn worker(&mut self, worker: &mut Worker, args: &mut Vec<Atom>) -> Option<()> {
        let is_row = |arg: &Atom| matches!(arg, Atom::Var(arg) if self.names.contains(arg));
        if !args.iter().any(is_row) {
            return Some(());
        }
        let (rows, others): (Vec<_>, Vec<_>) = worker
            .params
            .iter()
            .copied()
            .zip(args.iter().copied())
            .partition(|(_, arg)| is_row(arg));
        let params = rows.into_iter().map(|(param, _)| param).collect::<IndexSet<_>>();
        let at = self.vars.push(self.vars[self.row].clone());
        (worker.params, *args) = others.into_iter().chain([(at, Atom::Var(self.row))]).unzip();
        for step in &mut worker.body.steps {
            if let Step::Pass(pass) = step {
                self.inner(pass, &params, at);
            }
        }
        let uses = def_use::uses_in(worker);
        let is_left = params.iter().any(|param| uses.contains(param))
            || worker
                .body
                .results
                .iter()
                .any(|result| matches!(result, Atom::Var(result) if params.contains(result)));
        (!is_left).then_some(())
    }

    /// Replaces the elements of the row in a pass of a step.
    fn inner(&mut self, pass: &mut Procedure, rows: &IndexSet<VarId>, at: VarId) {
        let length = |length: &mut Length| {
            if matches!(length, Length::Array(array) if rows.contains(array)) {
                *length = Length::Value(Atom::Var(self.extent));
            }
        };
        length(&mut pass.nest.length);
        for start in &mut pass.start {
            if let Start::NewVec { capacity, .. } = start {
                length(capacity);
            }
        }
        let counter = pass.nest.counter;
        let variants = pass.nest.ranges.iter_mut().flat_map(|range| &mut range.variants);
        for body in
            std::iter::once(&mut pass.nest.body).chain(variants.map(|variant| &mut variant.body))
        {
            let stmts = std::mem::take(body);
            body.extend(stmts.into_iter().flat_map(|stmt| {
                let Stmt::Next { elem, array, index } = stmt else { return vec![stmt] };
                if rows.contains(&array) && index == Position::Var(counter) {
                    self.element(elem, index, at)
                } else {
                    vec![Stmt::Next { elem, array, index }]
                }
            }));
        }
    }

    /// The statements that read an element of the matrix at the position of the row and a position in it.
    fn element(&mut self, elem: VarId, index: Position, at: VarId) -> Vec<Stmt> {
        let number = self.vars[self.row].clone();
        let [position, param] = [number.clone(), number].map(|var| self.vars.push(var));
        let read = Var { name: self.vars[elem].name.clone(), ty: self.elem.clone() };
        let read = self.vars.push(read);
        let step = Step::Index {
            var: read,
            array: self.matrix,
            indices: vec![Atom::Var(at), Atom::Var(param)],
            inside: true,
            span: self.span,
        };
        let body = Block { steps: vec![step], results: vec![Atom::Var(read)] };
        let worker = Worker { params: vec![param], body };
        let args = vec![Atom::Var(position)];
        vec![
            Stmt::Position { elem: position, index },
            Stmt::Apply { elems: vec![elem], worker, args },
        ]
    }
}
