//! The walk over concrete programs: what a step uses and binds, the blocks inside it, and the mapping of passes to
//! another phase.
//!
//! Invariant: `walk` is the only place that lists what each step uses and binds. Each block that is directly inside a
//! step is visited once: branches, bodies and conditions of loops, and the workers of a pass and of its ranges.

use super::length::Length;
use super::phase::{After, Phase};
use super::program::{
    Block, Guard, Loop, Memory, Nest, Period, Procedure, Range, RowLocation, Start, Stmt, Subarray,
    Variant, Worker,
};
use super::step::{LoopForm, Step};
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;

/// Receives what a step uses, in order, and then what it binds.
pub trait Visit<'a, P: Phase> {
    /// A scalar, or an array, that the step uses.
    fn atom(&mut self, _: &'a Atom) {}
    /// An array that the step uses.
    fn array(&mut self, _: &'a VarId) {}
    /// An array that ends with the step.
    fn owned(&mut self, _: &'a P::Owned) {}
    /// A variable that the step binds.
    fn define(&mut self, _: &'a VarId) {}
    /// A branch.
    fn branch(&mut self, _: &'a Block<P>) {}
    /// The body or the condition of a loop.
    fn worker(&mut self, _: &'a Worker<P>) {}
    /// A pass, which binds the variables that it yields.
    fn pass(&mut self, _: &'a Procedure<P>) {}
}

/// As [`Visit`], to change the parts.
pub trait VisitMut<'a, P: Phase> {
    /// A scalar, or an array, that the step uses.
    fn atom(&mut self, _: &'a mut Atom) {}
    /// An array that the step uses.
    fn array(&mut self, _: &'a mut VarId) {}
    /// An array that ends with the step.
    fn owned(&mut self, _: &'a mut P::Owned) {}
    /// A variable that the step binds.
    fn define(&mut self, _: &'a mut VarId) {}
    /// A branch.
    fn branch(&mut self, _: &'a mut Block<P>) {}
    /// The body or the condition of a loop.
    fn worker(&mut self, _: &'a mut Worker<P>) {}
    /// A pass, which binds the variables that it yields.
    fn pass(&mut self, _: &'a mut Procedure<P>) {}
}

/// Gives a visitor the parts of a step, for reading or for changing.
macro_rules! walk {
    ($step:expr, $v:expr, $args:ident) => {{
        macro_rules! each {
            ($of:expr, $what:ident) => {
                for each in $of {
                    $v.$what(each);
                }
            };
        }
        match $step {
            Step::Scalar { var, op, span: _ } => {
                each!(op.$args(), atom);
                $v.define(var);
            }
            Step::Index { var, array, indices, inside: _, span: _ }
            | Step::Row { var, array, indices, inside: _, span: _ }
            | Step::Reshape { var, array, shape: indices } => {
                $v.array(array);
                each!(indices, atom);
                $v.define(var);
            }
            Step::Slice { var, array, indices, count } => {
                $v.array(array);
                each!(indices, atom);
                $v.atom(count);
                $v.define(var);
            }
            Step::Length { var, array, dim: _ } | Step::Share { var, array } => {
                $v.array(array);
                $v.define(var);
            }
            Step::Assert { check, span: _ } => each!(check.$args(), atom),
            Step::If { vars, cond, takes: _, then, otherwise } => {
                $v.atom(cond);
                $v.branch(then);
                $v.branch(otherwise);
                each!(vars, define);
            }
            Step::Call { forks: _, vars, callee: _, args, span: _ } => {
                each!(args, atom);
                each!(vars, define);
            }
            Step::Append { var, extends, parts, room, placed: _, cut: _, memory: _, span: _ } => {
                if let Some(array) = extends {
                    $v.owned(array);
                }
                each!(parts, array);
                for more in room {
                    match more {
                        Length::Array(array) => $v.array(array),
                        Length::Value(size) => $v.atom(size),
                        Length::Product(..) => {}
                    }
                }
                $v.define(var);
            }
            Step::Array { var, elem: _, elems, memory: _, span: _ } => {
                each!(elems, atom);
                $v.define(var);
            }
            Step::Sort { var, sorting: _, array, window, memory: _, span: _ } => {
                $v.array(array);
                each!(window, atom);
                $v.define(var);
            }
            Step::Constant { var, data: _ } => $v.define(var),
            Step::Loop { vars, form, init, worker, .. } => {
                each!(init, atom);
                match form {
                    LoopForm::For { count } => $v.atom(count),
                    LoopForm::While { cond } => $v.worker(cond),
                }
                $v.worker(worker);
                each!(vars, define);
            }
            Step::Replace { var, array, indices, target: _, value, placed: _, span: _ } => {
                $v.array(array);
                each!(indices, atom);
                $v.atom(value);
                $v.define(var);
            }
            Step::Copy { var, array, memory: _, span: _ }
            | Step::Unique { var, array, span: _ } => {
                $v.owned(array);
                $v.define(var);
            }
            Step::Release { array } => $v.owned(array),
            Step::Pass(pass) => $v.pass(pass),
        }
    }};
}

impl<P: Phase> Step<P> {
    /// Visits what the step uses, what it binds, and the blocks inside it.
    pub fn visit<'a>(&'a self, visitor: &mut impl Visit<'a, P>) {
        walk!(self, visitor, args);
    }

    /// Visits the parts of the step, to change them.
    pub fn visit_mut<'a>(&'a mut self, visitor: &mut impl VisitMut<'a, P>) {
        walk!(self, visitor, args_mut);
    }

    /// The variable and the operation, if the step computes an operation on scalars.
    #[must_use]
    pub fn operation(&self) -> Option<(VarId, Operation)> {
        if let Self::Scalar { var, op, .. } = self { Some((*var, *op)) } else { None }
    }

    /// The two branches of an `if`.
    #[must_use]
    pub fn branches(&self) -> Option<[&Block<P>; 2]> {
        if let Self::If { then, otherwise, .. } = self { Some([then, otherwise]) } else { None }
    }

    /// The blocks directly inside the step.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block<P>> {
        let mut blocks = BlocksMut(Vec::new());
        self.visit_mut(&mut blocks);
        blocks.0
    }
}

/// Gives `f` the atoms in steps and their branches.
struct Atoms<'f, F>(&'f mut F);

impl<P: Phase, F: FnMut(&Atom)> Visit<'_, P> for Atoms<'_, F> {
    fn atom(&mut self, atom: &Atom) {
        (self.0)(atom);
    }

    fn branch(&mut self, block: &Block<P>) {
        block.for_each_atom(self.0);
    }
}

impl<P: Phase> Block<P> {
    /// Calls `f` for each atom that the block and its branches use. Loops and passes are left out.
    pub fn for_each_atom(&self, f: &mut impl FnMut(&Atom)) {
        self.results.iter().for_each(&mut *f);
        self.steps.iter().for_each(|step| step.visit(&mut Atoms(f)));
    }
}

impl<P: Phase> Procedure<P> {
    /// The vectors that go over arrays, over views of parts, or over rows of arrays, each with its array or view.
    pub fn overwrites(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.start.iter().filter_map(|start| match start {
            Start::NewVec {
                vec,
                memory: Memory::Row(RowLocation { over: Some(array), .. }),
                ..
            } => Some((*vec, *array)),
            Start::NewVec { vec, memory: Memory::Over(array), .. }
            | Start::NewVec {
                vec, memory: Memory::Part(Subarray { view: Some(array), .. }), ..
            } => Some((*vec, (*array).into())),
            Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        })
    }

    /// The vectors that are written over arrays which end with the pass, each with its array.
    pub fn replaces(&self) -> impl Iterator<Item = (VarId, VarId)> {
        self.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, memory: Memory::Over(array), .. } => Some((*vec, (*array).into())),
            Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
        })
    }
}

impl<P: Phase> Loop<P> {
    /// Calls `f` for each statement of the loop, its ranges and the nests inside it.
    pub fn for_each_stmt<'a>(&'a self, f: &mut impl FnMut(&'a Stmt<P>)) {
        for (body, inner) in self.variants() {
            for_each_inside(body, inner, f);
        }
    }

    /// Calls `f` for each statement of the loop, its ranges and the nests inside it, to change it.
    pub fn for_each_stmt_mut(&mut self, f: &mut impl FnMut(&mut Stmt<P>)) {
        let variants = self.ranges.iter_mut().flat_map(|range| &mut range.variants);
        let ranges = variants.map(|variant| (&mut variant.body, &mut variant.inner));
        for (body, inner) in std::iter::once((&mut self.body, &mut self.inner)).chain(ranges) {
            for_each_inside_mut(body, inner, f);
        }
    }
}

fn for_each_inside_mut<P: Phase>(
    body: &mut [Stmt<P>],
    inner: &mut [Nest<P>],
    f: &mut impl FnMut(&mut Stmt<P>),
) {
    body.iter_mut().for_each(&mut *f);
    for nest in inner {
        match nest {
            Nest::Loop(nest) => nest.for_each_stmt_mut(f),
            Nest::Guard(Guard { body, inner, .. }) => for_each_inside_mut(body, inner, f),
        }
    }
}

fn for_each_inside<'a, P: Phase>(
    body: &'a [Stmt<P>],
    inner: &'a [Nest<P>],
    f: &mut impl FnMut(&'a Stmt<P>),
) {
    body.iter().for_each(&mut *f);
    for nest in inner {
        match nest {
            Nest::Loop(nest) => nest.for_each_stmt(f),
            Nest::Guard(Guard { body, inner, .. }) => for_each_inside(body, inner, f),
        }
    }
}

/// The blocks, to be changed.
struct BlocksMut<'a, P: Phase>(Vec<&'a mut Block<P>>);

impl<'a, P: Phase> VisitMut<'a, P> for BlocksMut<'a, P> {
    fn branch(&mut self, block: &'a mut Block<P>) {
        self.0.push(block);
    }

    fn worker(&mut self, worker: &'a mut Worker<P>) {
        self.0.push(&mut worker.body);
    }

    fn pass(&mut self, pass: &'a mut Procedure<P>) {
        in_loop(&mut pass.nest, &mut self.0);
    }
}

/// A kind of memory, in another phase.
fn of_memory<P: Phase, Q: After<P>>(memory: Memory<P>) -> Memory<Q> {
    match memory {
        Memory::New => Memory::New,
        Memory::Scratch => Memory::Scratch,
        Memory::DoubleBuffer => Memory::DoubleBuffer,
        Memory::Row(place) => Memory::Row(place),
        Memory::Over(array) => Memory::Over(From::from(array)),
        Memory::Behind(array) => Memory::Behind(From::from(array)),
        Memory::Part(Subarray { array, indices, view, span }) => {
            let (array, view) = (From::from(array), view.map(From::from));
            Memory::Part(Subarray { array, indices, view, span })
        }
    }
}

/// Takes blocks from one phase to another, or rewrites the blocks of one phase. A pass overrides the methods of the
/// parts that it changes.
pub trait Mapper {
    /// The phase of the input.
    type From: Phase;
    /// The phase of the output.
    type To: After<Self::From>;

    /// A block.
    fn block(&mut self, block: Block<Self::From>) -> Block<Self::To> {
        let steps = block.steps.into_iter().map(|step| self.step(step)).collect();
        Block { steps, results: block.results }
    }

    /// A step.
    fn step(&mut self, step: Step<Self::From>) -> Step<Self::To> {
        self.same_step(step)
    }

    /// A step in which only the blocks are mapped.
    fn same_step(&mut self, step: Step<Self::From>) -> Step<Self::To> {
        match step {
            Step::Scalar { var, op, span } => Step::Scalar { var, op, span },
            Step::Index { var, array, indices, inside, span } => {
                Step::Index { var, array, indices, inside, span }
            }
            Step::Row { var, array, indices, inside, span } => {
                Step::Row { var, array, indices, inside, span }
            }
            Step::Slice { var, array, indices, count } => {
                Step::Slice { var, array, indices, count }
            }
            Step::Length { var, array, dim } => Step::Length { var, array, dim },
            Step::Assert { check, span } => Step::Assert { check, span },
            Step::If { vars, cond, takes, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|branch| self.block(branch));
                Step::If { vars, cond, takes: all(takes), then, otherwise }
            }
            Step::Call { forks, vars, callee, args, span } => {
                Step::Call { forks, vars, callee, args, span }
            }
            Step::Append { var, extends, parts, room, placed, cut, memory, span } => Step::Append {
                var,
                extends: extends.map(From::from),
                parts,
                room,
                placed,
                cut,
                memory: of_memory(memory),
                span,
            },
            Step::Array { var, elem, elems, memory, span } => {
                Step::Array { var, elem, elems, memory: of_memory(memory), span }
            }
            Step::Sort { var, sorting, array, window, memory, span } => {
                Step::Sort { var, sorting, array, window, memory: of_memory(memory), span }
            }
            Step::Constant { var, data } => Step::Constant { var, data },
            Step::Reshape { var, array, shape } => Step::Reshape { var, array, shape },
            Step::Loop { vars, form, init, worker, span } => {
                let form = self.form(form);
                Step::Loop { vars, form, init, worker: self.worker(worker), span }
            }
            Step::Replace { var, array, indices, target, value, placed, span } => {
                Step::Replace { var, array, indices, target, value, placed, span }
            }
            Step::Copy { var, array, memory, span } => {
                Step::Copy { var, array: From::from(array), memory: of_memory(memory), span }
            }
            Step::Unique { var, array, span } => {
                Step::Unique { var, array: From::from(array), span }
            }
            Step::Share { var, array } => Step::Share { var, array },
            Step::Release { array } => Step::Release { array: From::from(array) },
            Step::Pass(pass) => Step::Pass(self.pass(pass)),
        }
    }

    /// What determines the number of steps of a loop.
    fn form(&mut self, form: LoopForm<Self::From>) -> LoopForm<Self::To> {
        match form {
            LoopForm::For { count } => LoopForm::For { count },
            LoopForm::While { cond } => LoopForm::While { cond: self.worker(cond) },
        }
    }

    /// A pass.
    fn pass(&mut self, pass: Procedure<Self::From>) -> Procedure<Self::To> {
        let Procedure { name, accs, slices: _, start, nest, end, yields } = pass;
        let start = start.into_iter().map(|start| self.start(start)).collect();
        let nest = self.counted_loop(nest);
        Procedure { name, accs, slices: None, start, nest, end, yields }
    }

    /// A statement before a loop.
    fn start(&mut self, start: Start<Self::From>) -> Start<Self::To> {
        match start {
            Start::CheckSize { size, span } => Start::CheckSize { size, span },
            Start::NewVec { vec, capacity, memory, span } => {
                Start::NewVec { vec, capacity, memory: of_memory(memory), span }
            }
            Start::NewAcc { acc, init } => Start::NewAcc { acc, init },
        }
    }

    /// A loop of a pass.
    fn counted_loop(&mut self, nest: Loop<Self::From>) -> Loop<Self::To> {
        self.same_loop(nest)
    }

    /// A loop in which only the blocks are mapped.
    fn same_loop(&mut self, nest: Loop<Self::From>) -> Loop<Self::To> {
        let Loop { counter, length, most, collapsed, body, inner, release, ranges } = nest;
        let (body, inner, release) = self.inside((body, inner, release));
        let ranges = ranges.into_iter().map(|Range { from, to, variants, period, peeled }| {
            let variants = variants.into_iter().map(|Variant { body, inner, release }| {
                let (body, inner, release) = self.inside((body, inner, release));
                Variant { body, inner, release }
            });
            let period = period.map(|Period { first, steps }| Period {
                first: From::from(first),
                steps: steps.into_iter().map(From::from).collect(),
            });
            let [from, to] = [from, to].map(From::from);
            Range { from, to, variants: variants.collect(), period, peeled }
        });
        let ranges = ranges.collect();
        Loop { counter, length, most, collapsed, body, inner, release, ranges }
    }

    /// A guard.
    fn guard(&mut self, guard: Guard<Self::From>) -> Guard<Self::To> {
        let Guard { index, counter, flag, body, inner, release } = guard;
        let (body, inner, release) = self.inside((body, inner, release));
        Guard { index, counter, flag, body, inner, release }
    }

    /// The code of one step of a loop, a range or a guard.
    fn inside(&mut self, (body, inner, release): StepBody<Self::From>) -> StepBody<Self::To> {
        let body = body.into_iter().map(|stmt| self.stmt(stmt)).collect();
        let inner = inner.into_iter().map(|nest| self.nest(nest)).collect();
        (body, inner, all(release))
    }

    /// A loop or guard inside another one.
    fn nest(&mut self, nest: Nest<Self::From>) -> Nest<Self::To> {
        match nest {
            Nest::Loop(nest) => Nest::Loop(self.counted_loop(nest)),
            Nest::Guard(guard) => Nest::Guard(self.guard(guard)),
        }
    }

    /// A statement.
    fn stmt(&mut self, stmt: Stmt<Self::From>) -> Stmt<Self::To> {
        self.same_stmt(stmt)
    }

    /// A statement in which only the workers are mapped.
    fn same_stmt(&mut self, stmt: Stmt<Self::From>) -> Stmt<Self::To> {
        match stmt {
            Stmt::Next { elem, index, array } => Stmt::Next { elem, index, array },
            Stmt::Position { elem, index } => Stmt::Position { elem, index },
            Stmt::Copy { elem, from } => Stmt::Copy { elem, from },
            Stmt::Apply { elems, worker, args } => {
                Stmt::Apply { elems, worker: self.worker(worker), args }
            }
            Stmt::Read { elem, array, index, span } => Stmt::Read { elem, array, index, span },
            Stmt::Update { accs, order, worker, args } => {
                Stmt::Update { accs, order, worker: self.worker(worker), args }
            }
            Stmt::Current { elem, acc } => Stmt::Current { elem, acc },
            Stmt::Reserve { vec, written, more } => Stmt::Reserve { vec, written, more },
            Stmt::Write { vec, index, elem, placed } => Stmt::Write { vec, index, elem, placed },
        }
    }

    /// A worker of a pass or of a loop.
    fn worker(&mut self, worker: Worker<Self::From>) -> Worker<Self::To> {
        Worker { params: worker.params, body: self.block(worker.body) }
    }
}

/// The body of a loop, a range or a guard: its statements, its inner loops and guards, and its releases.
pub type StepBody<P> = (Vec<Stmt<P>>, Vec<Nest<P>>, Vec<<P as Phase>::Owned>);

fn all<T, U: From<T>>(of: Vec<T>) -> Vec<U> {
    of.into_iter().map(From::from).collect()
}

fn in_loop<'a, P: Phase>(nest: &'a mut Loop<P>, blocks: &mut Vec<&'a mut Block<P>>) {
    let Loop { body, inner, ranges, .. } = nest;
    in_body(body, inner, blocks);
    for Variant { body, inner, .. } in ranges.iter_mut().flat_map(|range| &mut range.variants) {
        in_body(body, inner, blocks);
    }
}

fn in_body<'a, P: Phase>(
    body: &'a mut [Stmt<P>],
    inner: &'a mut [Nest<P>],
    blocks: &mut Vec<&'a mut Block<P>>,
) {
    for stmt in body {
        if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
            blocks.push(&mut worker.body);
        }
    }
    for nest in inner {
        match nest {
            Nest::Loop(nest) => in_loop(nest, blocks),
            Nest::Guard(Guard { body, inner, .. }) => in_body(body, inner, blocks),
        }
    }
}
