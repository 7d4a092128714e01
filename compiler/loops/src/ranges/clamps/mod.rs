//! Counts that never pass a limit become plain counts, which are limited once, behind the pass.
//!
//! A step that counts up to a limit loads the count, adds, compares, and stores. Without the limit, a processor adds to
//! memory by one instruction. Additions can be made in any order, so threads can share the steps, too.
//!
//! Invariant: the initial counts are within the limit, and no plain count leaves the range of its type: a pass of `n`
//! steps adds the constant `c` at most `n` times to each count. So the counts that would have stopped at the limit are
//! beyond it.
//!
//! A second pass, over the counts, applies the limit. The original pass runs in two cases. If there are few steps for
//! each count, the second pass costs more than it saves. If there are very many steps, a plain count could overflow.
//!
//! ```text
//! bins = 0…; for i < n { bins[xs[i]] = min l (bins[xs[i]] + c) }
//! ⇒ if n <= (highest - l) / c && 4 * length bins <= n
//!     then { for i < n { bins[xs[i]] = bins[xs[i]] + c }; for j < length bins { bins[j] = min l bins[j] } }
//!     else { for i < n { bins[xs[i]] = min l (bins[xs[i]] + c) } }
//! ```

mod copy_pass;

use crate::concrete::{
    Block, End, Length, Loop, Memory, Plain, Position, Procedure, Program, Start, Step, Stmt,
    Worker, WrittenCount, operations,
};
use arrc_fusion::cnf::{Atom, Operation, Type, Var};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The counts are limited behind a pass that has at least this number of steps for each of them.
/// `scripts/bench clamped_histogram` has far more: 0.61 of the time of C at 20,000 steps, before 1.03 (least times,
/// AVX-512, other work on the machine). The limit was not measured by itself.
const STEPS_OF_EACH: i64 = 4;
/// A pass whose counts might leave the range of their type after fewer steps stays as it is. No benchmark shows it
/// alone.
const FEW: i64 = 1 << 20;

/// Rewrites the passes of a program that count up to a limit.
#[must_use]
pub fn clamps(mut program: Program<Plain>) -> Program<Plain> {
    for function in program.functions.values_mut() {
        block(&mut function.body, &mut function.tables.vars);
    }
    program
}

fn block(of: &mut Block<Plain>, vars: &mut PrimaryMap<VarId, Var>) {
    for mut step in std::mem::take(&mut of.steps) {
        step.blocks_mut().into_iter().for_each(|inside| block(inside, vars));
        if let Step::Pass(pass) = &step
            && let Some(counts) = ClampedCounts::of(pass, &of.steps, vars)
        {
            counts.versions(pass, &mut of.steps, vars);
        } else {
            of.steps.push(step);
        }
    }
}

/// An accumulator of a pass that is an array of counts with a limit.
struct ClampedCounts {
    acc: AccId,
    /// The initial counts.
    init: VarId,
    limit: ClampLimit,
    /// The most steps in which no count leaves the range of its type.
    most: i64,
    /// The pass without the limit.
    plain: Procedure<Plain>,
}

impl ClampedCounts {
    /// The counts of a pass. `before` are the steps of the block before it.
    fn of(
        pass: &Procedure<Plain>,
        before: &[Step<Plain>],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let is_flat =
            pass.nest.inner.is_empty() && !matches!(pass.nest.length, Length::Product(..));
        if !is_flat || !copy_pass::can_copy(pass) {
            return None;
        }
        pass.accs.keys().find_map(|acc| {
            let init = pass.start.iter().find_map(|start| match start {
                Start::NewAcc { acc: of, init: Atom::Var(init) } => (*of == acc).then_some(*init),
                Start::NewAcc { .. } | Start::CheckSize { .. } | Start::NewVec { .. } => None,
            })?;
            let Type::Array { elem, shape } = &vars[init].ty else { return None };
            let mut plain = pass.clone();
            let limit = without_limit(&mut plain.nest, acc)?;
            let most = limit.max_steps(*elem);
            let is_legal = shape.len() == 1 && most >= FEW && is_within(init, limit, before);
            is_legal.then_some(Self { acc, init, limit, most, plain })
        })
    }

    /// Adds both versions of the pass to the steps.
    fn versions(
        &self,
        pass: &Procedure<Plain>,
        steps: &mut Vec<Step<Plain>>,
        vars: &mut PrimaryMap<VarId, Var>,
    ) {
        let cond = self.condition(&pass.nest.length, steps, vars);
        let plain = copy_pass::copy(&self.plain, vars);
        let mut then = Block {
            results: plain.yields.iter().map(|&var| Atom::Var(var)).collect(),
            steps: vec![Step::Pass(plain.clone())],
        };
        for end in &plain.end {
            if let End::Read { result, acc } = end
                && *acc == self.acc
            {
                let (limited, pass) = self.limit.pass(*result, &pass.name, vars);
                let old = then.results.iter_mut().filter(|of| **of == Atom::Var(*result));
                old.for_each(|of| *of = Atom::Var(limited));
                then.steps.push(Step::Pass(pass));
            }
        }
        let same = copy_pass::copy(pass, vars);
        let otherwise = Block {
            results: same.yields.iter().map(|&var| Atom::Var(var)).collect(),
            steps: vec![Step::Pass(same)],
        };
        let takes = Vec::new();
        steps.push(Step::If { vars: pass.yields.clone(), cond, takes, then, otherwise });
    }

    /// Adds the steps that compute whether the counts are limited behind the pass.
    fn condition(
        &self,
        length: &Length,
        steps: &mut Vec<Step<Plain>>,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> Atom {
        let mut new = |ty| {
            let ty = Type::Scalar(ty);
            vars.push(Var { name: Name::new_static("t"), ty })
        };
        let number = match length {
            Length::Value(number) => *number,
            Length::Array(array) => {
                let var = new(Scalar::I64);
                steps.push(Step::Length { var, array: *array, dim: 0 });
                Atom::Var(var)
            }
            Length::Product(..) => unreachable!("the loop has one dimension"),
        };
        let counts = new(Scalar::I64);
        steps.push(Step::Length { var: counts, array: self.init, dim: 0 });
        let mut bin = |ty, op, args| {
            let var = new(ty);
            steps.push(Step::Scalar { var, op: Operation::Bin(op, args), span: self.limit.span });
            Atom::Var(var)
        };
        let constant = |number| Atom::Const(Const::i64(number));
        // An array is not so long that the product wraps.
        let each = bin(Scalar::I64, BinOp::Mul, [Atom::Var(counts), constant(STEPS_OF_EACH)]);
        let pays = bin(Scalar::Bool, BinOp::Le, [each, number]);
        let is_legal = bin(Scalar::Bool, BinOp::Le, [number, constant(self.most)]);
        bin(Scalar::Bool, BinOp::And, [pays, is_legal])
    }
}

/// The limit of a count: a step changes it to `op limit (count + add)`, where `op` is `min` or `max`, and the sum is
/// nearer to the limit or beyond it.
#[derive(Clone, Copy)]
struct ClampLimit {
    op: BinOp,
    limit: Const,
    add: Const,
    span: Span,
}

impl ClampLimit {
    /// Whether `op` leaves a count as it is.
    fn keeps(self, count: Const) -> bool {
        let [count, limit] = [count, self.limit].map(Const::as_i128);
        if self.op == BinOp::Min { count <= limit } else { count >= limit }
    }

    /// The most steps in which a count that is within the limit does not leave the range of its type.
    fn max_steps(self, ty: Scalar) -> i64 {
        let end = if self.op == BinOp::Min { Const::highest(ty) } else { Const::lowest(ty) };
        let [end, limit, add] = [end, self.limit, self.add].map(Const::as_i128);
        i64::try_from((end - limit) / add).unwrap_or(i64::MAX)
    }

    /// A pass that limits counts, and its result.
    fn pass(
        self,
        counts: VarId,
        name: &Name,
        vars: &mut PrimaryMap<VarId, Var>,
    ) -> (VarId, Procedure<Plain>) {
        let mut new = |name, ty| vars.push(Var { name: Name::new_static(name), ty });
        let element = Type::Scalar(self.limit.ty);
        let counter = new("k1_ix", Type::Scalar(Scalar::I64));
        let [count, param, result, limited] =
            ["s1_elem", "x", "t", "s2_elem"].map(|name| new(name, element.clone()));
        let vec = vars.push(vars[counts].clone());
        let args = [Atom::Const(self.limit), Atom::Var(param)];
        let step = Step::Scalar { var: result, op: Operation::Bin(self.op, args), span: self.span };
        let body = Block { steps: vec![step], results: vec![Atom::Var(result)] };
        let worker = Worker { params: vec![param], body };
        let index = Position::Var(counter);
        let length = Length::Array(counts);
        let memory = Memory::New;
        let pass = Procedure {
            name: Name::from(format!("{name}_limit")),
            accs: PrimaryMap::new(),
            slices: None,
            start: vec![Start::NewVec { vec, capacity: length.clone(), memory, span: self.span }],
            nest: Loop {
                counter,
                length,
                most: None,
                collapsed: 0,
                body: vec![
                    Stmt::Next { elem: count, index: index.clone(), array: counts },
                    Stmt::Apply { elems: vec![limited], worker, args: vec![Atom::Var(count)] },
                    Stmt::Write { vec, index, elem: Atom::Var(limited), placed: false },
                ],
                inner: Vec::new(),
                release: Vec::new(),
                ranges: Vec::new(),
            },
            end: vec![End::Slice { vec, length: WrittenCount::All }],
            yields: vec![vec],
        };
        (vec, pass)
    }
}

/// Lets the steps of a loop change an accumulator without its limit, and gives the limit. `None` if one step of the
/// loop changes several of its elements, or uses it in any other way.
fn without_limit(nest: &mut Loop<Plain>, acc: AccId) -> Option<ClampLimit> {
    let mut limit = None;
    for stmt in &mut nest.body {
        if let Stmt::Update { accs, worker, .. } = stmt
            && accs.contains(&acc)
        {
            if limit.is_some() || accs.len() > 1 {
                return None;
            }
            limit = Some(in_worker(worker)?);
        } else if matches!(stmt, Stmt::Current { acc: read, .. } if *read == acc) {
            return None;
        }
    }
    limit
}

/// As [`without_limit`], for the worker that changes the accumulator.
fn in_worker(worker: &mut Worker<Plain>) -> Option<ClampLimit> {
    if replacements(&worker.body) != 1 {
        return None;
    }
    let (limit, sum) = in_block(&mut worker.body)?;
    let mut uses = 0;
    worker.body.for_each_atom(&mut |atom| uses += usize::from(*atom == Atom::Var(sum)));
    drop_step(&mut worker.body, sum);
    // The index and the condition of an update must not depend on the counts.
    let only_adds = operations(worker, 1)? == [BinOp::Add];
    (uses == 0 && only_adds).then_some(limit)
}

/// How many steps of a block change elements of arrays.
fn replacements(block: &Block<Plain>) -> usize {
    let each = block.steps.iter().map(|step| match step.branches() {
        Some(branches) => branches.into_iter().map(replacements).sum(),
        None => usize::from(matches!(step, Step::Replace { .. })),
    });
    each.sum()
}

/// Lets the replacement of an element in a block store the sum instead of the limited sum. Gives the limit, and the
/// variable of the sum, which nothing uses any more.
fn in_block(block: &mut Block<Plain>) -> Option<(ClampLimit, VarId)> {
    for step in &mut block.steps {
        if let Step::If { then, otherwise, .. } = step
            && let Some(found) = in_block(then).or_else(|| in_block(otherwise))
        {
            return Some(found);
        }
    }
    let value = block.steps.iter().find_map(|step| {
        let Step::Replace { value: Atom::Var(value), .. } = step else { return None };
        Some(*value)
    })?;
    let (op, limit, sum, span) = with_constant(block, value)?;
    let (plus, add, count, _) = with_constant(block, sum)?;
    let add_is = add.as_i128();
    let towards = (op == BinOp::Min && add_is > 0) || (op == BinOp::Max && add_is < 0);
    if plus != BinOp::Add || !towards {
        return None;
    }
    let limited = block.steps.iter_mut().find(
        |step| matches!(step, Step::Scalar { var, op: Operation::Bin(..), .. } if *var == value),
    )?;
    let args = [Atom::Var(count), Atom::Const(add)];
    *limited = Step::Scalar { var: value, op: Operation::Bin(BinOp::Add, args), span };
    Some((ClampLimit { op, limit, add, span }, sum))
}

/// The operation on integers that gives a variable, its operand that is a constant, and the other one.
fn with_constant(block: &Block<Plain>, result: VarId) -> Option<(BinOp, Const, VarId, Span)> {
    block.steps.iter().find_map(|step| {
        let Step::Scalar { var, op: Operation::Bin(op, args), span } = step else { return None };
        let (constant, other) = match *args {
            [Atom::Const(constant), Atom::Var(other)]
            | [Atom::Var(other), Atom::Const(constant)] => (constant, other),
            [Atom::Const(_), Atom::Const(_)] | [Atom::Var(_), Atom::Var(_)] => return None,
        };
        let is_found = *var == result && constant.ty.is_integer();
        is_found.then_some((*op, constant, other, *span))
    })
}

/// Removes the operation that gives a variable.
fn drop_step(block: &mut Block<Plain>, result: VarId) {
    block.steps.retain(
        |step| !matches!(step, Step::Scalar { var, op: Operation::Bin(..), .. } if *var == result),
    );
    for step in &mut block.steps {
        step.blocks_mut().into_iter().for_each(|inside| drop_step(inside, result));
    }
}

/// Whether a pass of the block has filled an array with a constant that is within the limit.
fn is_within(array: VarId, limit: ClampLimit, before: &[Step<Plain>]) -> bool {
    let filled = before.iter().find_map(|step| {
        let Step::Pass(pass) = step else { return None };
        pass.yields.contains(&array).then_some(pass)
    });
    let Some(pass) = filled else { return false };
    // A pass writes every element of an array that it makes, but not of an accumulator.
    let is_made = pass.start.iter().any(
        |start| matches!(start, Start::NewVec { vec, memory: Memory::New, .. } if *vec == array),
    );
    let (mut constants, mut written) = (Vec::new(), Vec::new());
    pass.nest.for_each_stmt(&mut |stmt| {
        if let Stmt::Apply { elems, worker, .. } = stmt {
            let results = elems.iter().zip(&worker.body.results);
            constants.extend(results.filter_map(|(&elem, result)| match result {
                Atom::Const(constant) => Some((elem, *constant)),
                Atom::Var(_) => None,
            }));
        }
        if let Stmt::Write { vec, elem, .. } = stmt
            && *vec == array
        {
            written.push(match elem {
                Atom::Const(constant) => Some(*constant),
                Atom::Var(var) => constants.iter().find(|(of, _)| of == var).map(|(_, of)| *of),
            });
        }
    });
    let keeps = |count: &Option<Const>| count.is_some_and(|count| limit.keeps(count));
    is_made && !written.is_empty() && written.iter().all(keeps)
}
