//! An element of a row is read from the array of the row, by one index for each dimension.
//!
//! A row is a view, so its elements are elements of the array. Whether a program gives the row a name, goes over the rows
//! with `map`, or writes both indices, the places of the elements have one form here. Later passes compare these places.
//!
//! Invariant: the same elements are read. A row stays if its index may be out of bounds, or if it is used as a whole. A row
//! that a pass goes through also stays if no loop inside a step reads it by an index ([`InnerReads`]): for such rows, the
//! lowering has plans of its own, which match `nextI`.
//!
//! ```text
//! r = row inside a[i]; x = inside r[j]   ⇒   x = inside a[i, j]
//!
//! loopI i { r = nextI i a; y = (\r -> { pass { loopI j (length r) { x = nextI j r; y = f x; … } } }) r; … }
//! ⇒ n = length.1 a
//!   loopI i { k = index i; y = (\k -> { pass { loopI j (n) { l = index j; y = (\l -> { x = inside a[k, l]; … }) l; … } } }) k; … }
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::concrete::def_use;
use crate::concrete::{
    Block, End, Function, Length, Loop, LoopForm, Nest, Plain, Position, Procedure, Program, Start,
    Step, Stmt, Worker, WrittenCount,
};
use crate::ranges::split::counters;
use arrc_fusion::cnf::{Atom, Extent, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// Reads the elements of rows from the arrays of the rows.
#[must_use]
pub fn element_reads(program: Program<Plain>) -> Program<Plain> {
    let Program { functions, externals, entries, calls } = program;
    let functions = functions.into_iter().map(|(_, function)| {
        let mut function = counters::mark(function);
        in_function(&mut function);
        function
    });
    Program { functions: functions.collect(), externals, entries, calls }
}

fn in_function(function: &mut Function<Plain>) {
    let inner = InnerReads::of(function);
    let vars = &mut function.tables.vars;
    let homes = function.params.iter().map(|&param| (param, 0)).collect();
    let mut reads = ElementReads {
        vars,
        rows: IndexMap::new(),
        inner,
        homes,
        scopes: Vec::new(),
        locals: IndexSet::new(),
        span: function.span,
    };
    reads.block(&mut function.body);
    let rows = reads.rows;
    if !rows.is_empty() {
        while UnusedRows::of(&function.body, &rows).remove(&mut function.body) {}
    }
}

/// The place of a row: in bounds.
#[derive(Clone)]
struct RowPlace {
    /// An array that a block around binds, or a parameter.
    array: VarId,
    /// Fewer indices than dimensions.
    indices: Vec<Atom>,
}

/// A block around the current place.
#[derive(Default)]
struct BlockScope {
    /// The variables with the lengths of arrays, by their sizes.
    lengths: IndexMap<SizeId, VarId>,
    /// New steps, which come before the current step of the block.
    before: Vec<Step<Plain>>,
}

struct ElementReads<'a> {
    vars: &'a mut PrimaryMap<VarId, Var>,
    rows: IndexMap<VarId, RowPlace>,
    /// The rows that passes go through, and that loops inside read.
    inner: IndexSet<VarId>,
    /// The arrays that blocks bind and that workers take, with the number of blocks around.
    homes: IndexMap<VarId, usize>,
    scopes: Vec<BlockScope>,
    /// The elements that statements of passes bind. A worker takes them as arguments.
    locals: IndexSet<VarId>,
    /// A place in the source for new steps.
    span: Span,
}

impl ElementReads<'_> {
    fn block(&mut self, block: &mut Block<Plain>) {
        let depth = self.scopes.len();
        self.scopes.push(BlockScope::default());
        let mut done = Vec::with_capacity(block.steps.len());
        for mut step in std::mem::take(&mut block.steps) {
            self.step(&mut step);
            done.append(&mut self.scopes[depth].before);
            for var in def_use::defines(&step) {
                self.homes.insert(var, depth);
            }
            done.push(step);
        }
        self.scopes.pop();
        block.steps = done;
    }

    fn step(&mut self, step: &mut Step<Plain>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others use rows as a whole")]
        match step {
            Step::Row { var, array, indices, inside, .. } => {
                self.of_whole(array, indices);
                if *inside && self.homes.contains_key(array) {
                    let place = RowPlace { array: *array, indices: indices.clone() };
                    self.rows.insert(*var, place);
                }
            }
            Step::Index { array, indices, .. } | Step::Slice { array, indices, .. } => {
                self.of_whole(array, indices);
            }
            Step::Length { var, array, dim } => {
                if let Some(place) = self.rows.get(array) {
                    (*array, *dim) = (place.array, *dim + place.indices.len());
                }
                if let Extent::Size(size) = self.vars[*array].ty.shape()[*dim] {
                    let scope = self.scopes.last_mut().expect("a step is in a block");
                    scope.lengths.entry(size).or_insert(*var);
                }
            }
            Step::If { then, otherwise, .. } => {
                self.block(then);
                self.block(otherwise);
            }
            Step::Loop { form, worker, .. } => {
                if let LoopForm::While { cond } = form {
                    self.body_of(cond);
                }
                self.body_of(worker);
            }
            Step::Pass(pass) => self.pass(pass),
            _ => {}
        }
    }

    /// Makes a part of a row a part of the row's array.
    fn of_whole(&self, array: &mut VarId, indices: &mut Vec<Atom>) {
        if let Some(place) = self.rows.get(array) {
            *array = place.array;
            indices.splice(0..0, place.indices.iter().copied());
        }
    }

    /// The body of a worker, whose parameters are arrays of its block.
    fn body_of(&mut self, worker: &mut Worker<Plain>) {
        let depth = self.scopes.len();
        self.homes.extend(worker.params.iter().map(|&param| (param, depth)));
        self.block(&mut worker.body);
    }

    fn pass(&mut self, pass: &mut Procedure<Plain>) {
        for start in &mut pass.start {
            if let Start::NewVec { capacity, span, .. } = start {
                self.length(capacity);
                self.span = *span;
            }
        }
        self.nest(&mut pass.nest);
        for end in &mut pass.end {
            if let End::Slice { length, .. } = end {
                self.written(length);
            }
        }
    }

    fn nest(&mut self, nest: &mut Loop<Plain>) {
        self.length(&mut nest.length);
        self.inside(&mut nest.body, &mut nest.inner);
    }

    /// Asks for the length of an array instead of that of its row.
    fn length(&mut self, length: &mut Length) {
        match length {
            Length::Array(array) => {
                if let Some(RowPlace { array, indices }) = self.rows.get(array).cloned() {
                    *length = Length::Value(self.extent(array, indices.len()));
                }
            }
            Length::Value(_) => {}
            Length::Product(left, right) => {
                self.length(left);
                self.length(right);
            }
        }
    }

    fn written(&mut self, count: &mut WrittenCount) {
        if let WrittenCount::Rows(rows, row) = count {
            self.written(rows);
            self.length(row);
        }
    }

    /// The length of an array in a dimension. If no variable has it, it is computed in the block that binds the array.
    fn extent(&mut self, array: VarId, dim: usize) -> Atom {
        let size = match self.vars[array].ty.shape()[dim] {
            Extent::Const(extent) => return Const::i64(extent).into(),
            Extent::Size(size) => size,
        };
        let known = |scope: &BlockScope| scope.lengths.get(&size).copied();
        if let Some(var) = self.scopes.iter().find_map(known) {
            return var.into();
        }
        let var = self.number("extent");
        let scope = &mut self.scopes[self.homes[&array]];
        scope.lengths.insert(size, var);
        scope.before.push(Step::Length { var, array, dim });
        var.into()
    }

    fn number(&mut self, name: &'static str) -> VarId {
        self.vars.push(Var { name: Name::new_static(name), ty: Type::Scalar(Scalar::I64) })
    }

    /// The statements of a loop or a guard, and the nests behind them.
    fn inside(&mut self, body: &mut Vec<Stmt<Plain>>, inner: &mut [Nest<Plain>]) {
        let mut sunk = IndexMap::new();
        let mut rest = std::mem::take(body).into_iter();
        while let Some(mut stmt) = rest.next() {
            self.locals.extend(stmt.defines());
            match &mut stmt {
                Stmt::Next { elem, index, array } => {
                    let is_whole = self.vars[*elem].ty.is_array() && !self.inner.contains(elem);
                    if !is_whole && let Some(place) = self.element(*array, index, body) {
                        if self.vars[*elem].ty.is_array() {
                            self.rows.insert(*elem, place);
                        } else if is_for_one_worker(*elem, rest.as_slice(), inner) {
                            sunk.insert(*elem, place);
                            continue;
                        } else {
                            stmt = self.read(*elem, &place);
                        }
                    }
                }
                Stmt::Copy { elem, from: Atom::Var(from) } => {
                    if let Some(place) = self.rows.get(from).cloned() {
                        self.rows.insert(*elem, place);
                    }
                }
                Stmt::Apply { worker, args, .. } => self.worker(worker, args, 0, &sunk),
                Stmt::Update { accs, worker, args, .. } => {
                    self.worker(worker, args, accs.len(), &sunk);
                }
                Stmt::Reserve { written, more, .. } => {
                    self.written(written);
                    self.length(more);
                }
                Stmt::Copy { .. }
                | Stmt::Position { .. }
                | Stmt::Read { .. }
                | Stmt::Current { .. }
                | Stmt::Write { .. } => {}
            }
            body.push(stmt);
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.nest(nest),
                Nest::Guard(guard) => self.inside(&mut guard.body, &mut guard.inner),
            }
        }
    }

    /// The place of the element of an array at a position, if the element is a row, or the array is one. The number of the
    /// position is bound before, if need be.
    fn element(
        &mut self,
        array: VarId,
        index: &Position,
        before: &mut Vec<Stmt<Plain>>,
    ) -> Option<RowPlace> {
        let mut place = match self.rows.get(&array) {
            Some(place) => place.clone(),
            None if self.vars[array].ty.rank() > 1 && self.homes.contains_key(&array) => {
                // Facts about the position are about a variable with the number of rows.
                self.extent(array, 0);
                RowPlace { array, indices: Vec::new() }
            }
            None => return None,
        };
        let bound = before.iter().find_map(|stmt| {
            let Stmt::Position { elem, index: of } = stmt else { return None };
            (of == index).then_some(*elem)
        });
        let number = bound.unwrap_or_else(|| {
            let elem = self.number("at");
            self.locals.insert(elem);
            before.push(Stmt::Position { elem, index: index.clone() });
            elem
        });
        place.indices.push(number.into());
        Some(place)
    }

    /// The statement that reads an element.
    fn read(&mut self, elem: VarId, place: &RowPlace) -> Stmt<Plain> {
        let value = self.vars.push(self.vars[elem].clone());
        let block = Block { steps: Vec::new(), results: vec![value.into()] };
        let (mut worker, mut args) = (Worker { params: Vec::new(), body: block }, Vec::new());
        self.read_in(value, place, &mut worker, &mut args);
        Stmt::Apply { elems: vec![elem], worker, args }
    }

    /// Reads an element at the beginning of a worker.
    fn read_in(
        &mut self,
        var: VarId,
        place: &RowPlace,
        worker: &mut Worker<Plain>,
        args: &mut Vec<Atom>,
    ) {
        let RowPlace { array, indices } = self.place_in(place, worker, args);
        let step = Step::Index { var, array, indices, inside: true, span: self.span };
        worker.body.steps.insert(0, step);
    }

    /// A place, in the words of a worker: it takes the elements of the step as arguments.
    fn place_in(
        &mut self,
        place: &RowPlace,
        worker: &mut Worker<Plain>,
        args: &mut Vec<Atom>,
    ) -> RowPlace {
        let mut indices = place.indices.clone();
        for index in &mut indices {
            let Some(var) = index.as_var().filter(|var| self.locals.contains(var)) else {
                continue;
            };
            let first = worker.params.len() - args.len();
            let at = args.iter().position(|arg| arg == index).unwrap_or_else(|| {
                worker.params.push(self.vars.push(self.vars[var].clone()));
                args.push(*index);
                args.len() - 1
            });
            *index = worker.params[first + at].into();
        }
        RowPlace { array: place.array, indices }
    }

    /// A worker with these arguments, which follow its first parameters.
    fn worker(
        &mut self,
        worker: &mut Worker<Plain>,
        args: &mut Vec<Atom>,
        first: usize,
        sunk: &IndexMap<VarId, RowPlace>,
    ) {
        let depth = self.scopes.len();
        let given: Vec<_> =
            worker.params[first..].iter().copied().zip(args.iter().copied()).collect();
        self.homes.extend(worker.params.iter().map(|&param| (param, depth)));
        for (param, arg) in given {
            let Atom::Var(arg) = arg else { continue };
            if let Some(place) = self.rows.get(&arg).cloned() {
                let place = self.place_in(&place, worker, args);
                self.rows.insert(param, place);
            } else if let Some(place) = sunk.get(&arg) {
                let at = args.iter().position(|&given| given == arg.into());
                let at = at.expect("it is an argument until here");
                args.remove(at);
                worker.params.remove(first + at);
                self.read_in(param, place, worker, args);
            }
        }
        self.block(&mut worker.body);
    }
}

/// Finds the rows that passes go through and whose elements loops inside read: where they are, tiles and vectors over an
/// inner loop compare places of elements. All other rows that a pass goes through are read by the step itself, or by a
/// loop that goes through the row.
#[derive(Default)]
struct InnerReads {
    found: IndexSet<VarId>,
    /// The rows that variables stand for, and the number of passes around the statement that binds the row.
    rows: IndexMap<VarId, (VarId, usize)>,
    passes: usize,
}

impl InnerReads {
    fn of(function: &Function<Plain>) -> IndexSet<VarId> {
        let mut reads = Self::default();
        reads.block(&function.body, &function.tables.vars);
        reads.found
    }

    fn block(&mut self, block: &Block<Plain>, vars: &PrimaryMap<VarId, Var>) {
        for step in &block.steps {
            #[allow(
                clippy::wildcard_enum_match_arm,
                reason = "the others read no elements of rows"
            )]
            match step {
                Step::Index { array, indices, .. } if self.passes > 1 => {
                    if let Some(&(row, _)) = self.rows.get(array)
                        && indices.iter().any(|index| index.as_var().is_some())
                    {
                        self.found.insert(row);
                    }
                }
                Step::Pass(pass) => {
                    self.passes += 1;
                    self.nest(&pass.nest, vars);
                    self.passes -= 1;
                }
                Step::If { then, otherwise, .. } => {
                    self.block(then, vars);
                    self.block(otherwise, vars);
                }
                Step::Loop { form, worker, .. } => {
                    if let LoopForm::While { cond } = form {
                        self.block(&cond.body, vars);
                    }
                    self.block(&worker.body, vars);
                }
                _ => {}
            }
        }
    }

    fn nest(&mut self, nest: &Loop<Plain>, vars: &PrimaryMap<VarId, Var>) {
        nest.for_each_stmt(&mut |stmt| match stmt {
            Stmt::Next { elem, array, .. } => {
                if vars[*elem].ty.is_array() {
                    self.rows.insert(*elem, (*elem, self.passes));
                }
                if let Some(&(row, around)) = self.rows.get(array)
                    && self.passes > around + 1
                {
                    self.found.insert(row);
                }
            }
            Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } => {
                let first = worker.params.len() - args.len();
                for (&param, arg) in worker.params[first..].iter().zip(args) {
                    if let Some(&row) = arg.as_var().and_then(|arg| self.rows.get(&arg)) {
                        self.rows.insert(param, row);
                    }
                }
                self.block(&worker.body, vars);
            }
            Stmt::Position { .. }
            | Stmt::Copy { .. }
            | Stmt::Read { .. }
            | Stmt::Current { .. }
            | Stmt::Reserve { .. }
            | Stmt::Write { .. } => {}
        });
    }
}

/// Whether an element is used by one worker only, which may read it then.
fn is_for_one_worker(elem: VarId, rest: &[Stmt<Plain>], inner: &[Nest<Plain>]) -> bool {
    let mut users = rest.iter().filter(|stmt| def_use::uses_of(stmt).contains(&elem));
    let in_nest = |nest: &Nest<Plain>| match nest {
        Nest::Loop(nest) => def_use::uses_in_nest(nest)[0].contains(&elem),
        Nest::Guard(guard) => {
            guard.flag == elem.into() || def_use::uses_in_guard(guard).contains(&elem)
        }
    };
    let Some(Stmt::Apply { args, .. }) = users.next() else { return false };
    let times = args.iter().filter(|&&arg| arg == elem.into()).count();
    times == 1 && users.next().is_none() && !inner.iter().any(in_nest)
}

/// The rows that nothing uses any more.
struct UnusedRows<'a> {
    rows: &'a IndexMap<VarId, RowPlace>,
    used: IndexSet<VarId>,
}

impl<'a> UnusedRows<'a> {
    fn of(body: &Block<Plain>, rows: &'a IndexMap<VarId, RowPlace>) -> Self {
        let mut used: IndexSet<_> = body.steps.iter().flat_map(def_use::uses).collect();
        used.extend(body.results.iter().filter_map(Atom::as_var));
        Self { rows, used }
    }

    fn has(&self, var: VarId) -> bool {
        self.rows.contains_key(&var) && !self.used.contains(&var)
    }

    /// Removes the rows. Returns whether there were any; what they used may be unused then.
    fn remove(&self, block: &mut Block<Plain>) -> bool {
        let before = block.steps.len();
        block.steps.retain(|step| !matches!(step, Step::Row { var, .. } if self.has(*var)));
        let mut found = block.steps.len() < before;
        for step in &mut block.steps {
            if let Step::Pass(pass) = step {
                found |= self.remove_in_nest(&mut pass.nest);
            } else {
                for block in step.blocks_mut() {
                    found |= self.remove(block);
                }
            }
        }
        found
    }

    fn remove_in_nest(&self, nest: &mut Loop<Plain>) -> bool {
        self.remove_inside(&mut nest.body, &mut nest.inner)
    }

    fn remove_inside(&self, body: &mut Vec<Stmt<Plain>>, inner: &mut [Nest<Plain>]) -> bool {
        let before = body.len();
        body.retain(|stmt| {
            !matches!(stmt, Stmt::Next { elem, .. } | Stmt::Copy { elem, .. } if self.has(*elem))
        });
        let mut found = body.len() < before;
        for stmt in body {
            if let Stmt::Apply { worker, args, .. } | Stmt::Update { worker, args, .. } = stmt {
                found |= self.remove_params(worker, args) | self.remove(&mut worker.body);
            }
        }
        for nest in inner {
            found |= match nest {
                Nest::Loop(nest) => self.remove_in_nest(nest),
                Nest::Guard(guard) => self.remove_inside(&mut guard.body, &mut guard.inner),
            };
        }
        found
    }

    fn remove_params(&self, worker: &mut Worker<Plain>, args: &mut Vec<Atom>) -> bool {
        let before = args.len();
        let first = worker.params.len() - before;
        for at in (0..before).rev() {
            if self.has(worker.params[first + at]) {
                worker.params.remove(first + at);
                args.remove(at);
            }
        }
        args.len() < before
    }
}
