//! An upper bound of the number of arrays that a call allocates, as a formula in the sizes and numbers among its
//! arguments.
//!
//! Invariant: no call on one thread allocates more, as long as its scratch buffers do not grow, and the formula tells
//! how many may; on several threads, slices of a pass that run at the same time have scratch buffers of their own.
//! There is no formula if the trip count of a loop that allocates is not known before the call, if an array grows, or
//! if the function calls itself. Where code for long arrays allocates in each step, as a sort of 4,096 elements does,
//! there is a second formula for calls that do not reach it.
//!
//! ```text
//! as = newVecI (n); loop n { bs = newVecI (m) scratch; cs = newVecI (m) }   ⇒   n + 2
//! ```

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;

use super::limits::{ComparedConstants, Limits};
use arrc_fusion::cnf::{Atom, Callee, Extent, Operation, SizeDef, Var};
use arrc_fusion::tables::Tables;
use arrc_loops::concrete::def_use;
use arrc_loops::concrete::{
    Block, End, Function, Guard, Length, Loop, LoopForm, Memory, Nest, Procedure, Program, Start,
    Step, Stmt, Worker,
};
use arrc_syntax::ids::{AccId, FuncId, PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// A sum of products of sizes and numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllocationBound {
    /// The coefficient of each product. The names in a product are sorted.
    terms: BTreeMap<Vec<Name>, u64>,
    /// How many scratch buffers may grow. Each of them counts once in the sum.
    growing: u64,
    /// The bound for calls with short arrays only, if it has fewer sizes.
    short: Option<Box<ShortArraysBound>>,
}

/// The bound for calls with short arrays only.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ShortArraysBound {
    /// The condition on the sizes of arrays.
    condition: String,
    demand: AllocationBound,
}

impl AllocationBound {
    fn constant(count: u64) -> Self {
        Self::default().plus(&Self::term(Vec::new(), count))
    }

    fn symbol(name: &Name) -> Self {
        Self::term(vec![name.clone()], 1)
    }

    fn term(names: Vec<Name>, count: u64) -> Self {
        Self { terms: BTreeMap::from([(names, count)]), ..Self::default() }
    }

    fn is_none(&self) -> bool {
        self.terms.is_empty()
    }

    fn plus(mut self, other: &Self) -> Self {
        for (names, count) in &other.terms {
            let sum = self.terms.entry(names.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
        self.terms.retain(|_, count| *count > 0);
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut names = [&left[..], right].concat();
                names.sort();
                product = product.plus(&Self::term(names, a.saturating_mul(*b)));
            }
        }
        product
    }

    /// The formula as a bound: `no arrays`, `at most 1 array`,
    /// `at most n + 2 arrays, and more where a scratch buffer grows`.
    #[must_use]
    pub fn arrays(&self) -> String {
        if self.is_none() {
            return "no arrays".into();
        }
        let growth = match self.growing {
            0 => String::new(),
            1 => ", and more where a scratch buffer grows".into(),
            buffers => format!(", and more where {buffers} scratch buffers grow"),
        };
        let least = self.short.as_deref().map(|ShortArraysBound { condition, demand }| {
            format!("at most {} where {condition}, otherwise ", demand.counted())
        });
        format!("{}at most {}{growth}", least.unwrap_or_default(), self.counted())
    }

    /// The formula with its unit: `1 array`.
    fn counted(&self) -> String {
        let plural = if self.terms == Self::constant(1).terms { "" } else { "s" };
        format!("{self} array{plural}")
    }

    /// The bound for calls with short arrays only, or the only one.
    #[must_use]
    pub fn least(&self) -> &Self {
        self.short.as_ref().map_or(self, |short| &short.demand)
    }

    /// Whether a size is in the formula.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.terms.keys().all(Vec::is_empty)
    }

    /// How many scratch buffers may grow. The room of a buffer at least doubles each time, which takes another array.
    #[must_use]
    pub fn growing(&self) -> u64 {
        self.growing
    }

    /// An upper bound of both formulas.
    fn max(mut self, other: &Self) -> Self {
        for (names, count) in &other.terms {
            let most = self.terms.entry(names.clone()).or_default();
            *most = (*most).max(*count);
        }
        self
    }
}

impl fmt::Display for AllocationBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms = self.terms.iter().collect::<Vec<_>>();
        terms.sort_by_key(|(names, _)| std::cmp::Reverse(names.len()));
        let term = |(names, count): &(&Vec<Name>, &u64)| {
            let count = (**count > 1 || names.is_empty()).then(|| count.to_string());
            let names = names.iter().map(Name::to_string);
            count.into_iter().chain(names).collect::<Vec<_>>().join(" * ")
        };
        let terms = terms.iter().map(term).collect::<Vec<_>>();
        f.write_str(if terms.is_empty() { "0" } else { "" })?;
        f.write_str(&terms.join(" + "))
    }
}

/// The bound for a call of the function of this name. None if there is no such function or no bound is known.
#[must_use]
pub fn allocation_bound(program: &Program, name: &str) -> Option<AllocationBound> {
    let function = program.functions.values().find(|function| function.name == name)?;
    let (mut all, compared) = allocation_bound_below(program, function, None)?;
    for limit in compared.limits() {
        let (demand, _) = allocation_bound_below(program, function, Some(limit))?;
        if sizes(&demand) < sizes(&all) {
            let condition = compared.below(limit);
            all.short = Some(Box::new(ShortArraysBound { condition, demand }));
            break;
        }
    }
    Some(all)
}

/// The bound for a call in which all lengths are below the limit, if there is one, and the comparisons of lengths with
/// constants.
fn allocation_bound_below(
    program: &Program,
    function: &Function,
    limit: Option<u64>,
) -> Option<(AllocationBound, ComparedConstants)> {
    let limits = Limits::new(&function.tables, limit);
    let mut count = AllocationCounter::of(program, function, &function.params, limits);
    let own = count.block(&function.body)?;
    // The call copies each result that it does not own.
    let made = FreshArrays { program, vars: &function.tables.vars };
    let is_copied = |&&result: &&Atom| !made.is_made(&function.body, &[], result);
    let copies = function.body.results.iter().filter(is_copied).count();
    let more = count.buffers + u64::try_from(copies).unwrap_or(u64::MAX);
    let all = own.plus(&AllocationBound::constant(more));
    Some((AllocationBound { growing: count.growing, ..all }, count.limits.compared))
}

/// How many products of sizes are in a formula, each with its coefficient.
fn sizes(demand: &AllocationBound) -> u64 {
    let counts =
        demand.terms.iter().filter(|(names, _)| !names.is_empty()).map(|(_, count)| *count);
    counts.fold(0, u64::saturating_add)
}

/// Tells which arrays of a function are made by its steps.
#[derive(Clone, Copy)]
struct FreshArrays<'a> {
    program: &'a Program,
    vars: &'a PrimaryMap<VarId, Var>,
}

impl FreshArrays<'_> {
    /// Whether a result of a block is a scalar, an array that the block made, or one of the arrays `own`.
    fn is_made(self, block: &Block, own: &[VarId], result: Atom) -> bool {
        let vars = self.vars;
        let Some(var) = result.as_var().filter(|&var| vars[var].ty.is_array()) else {
            return true;
        };
        let place = |results: &[VarId]| results.iter().position(|&result| result == var);
        let made = |result: Atom| self.is_made(block, own, result);
        let yields = |Worker { body, .. }: &Worker, own: &[VarId], place: usize| {
            self.is_made(body, own, body.results[place])
        };
        let maker = block.steps.iter().find(|step| def_use::defines(step).contains(&var));
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others give what somebody else has")]
        match maker {
            None => own.contains(&var),
            Some(
                Step::Array { .. }
                | Step::Sort { .. }
                | Step::Copy { .. }
                | Step::Append { .. }
                | Step::Unique { .. },
            ) => true,
            Some(Step::Replace { array, .. }) => made(Atom::Var(*array)),
            Some(Step::If { vars: results, then, otherwise, .. }) => {
                let makes = |at: usize, block: &Block| self.is_made(block, &[], block.results[at]);
                place(results).is_some_and(|at| makes(at, then) && makes(at, otherwise))
            }
            Some(Step::Loop { vars: results, init, worker, .. }) => {
                let mut own: Vec<bool> = init.iter().map(|&init| made(init)).collect();
                // Steps may exchange arrays.
                loop {
                    let params = worker.params.iter().zip(&own).filter(|(_, own)| **own);
                    let params: Vec<_> = params.map(|(&param, _)| param).collect();
                    let next = own.iter().enumerate();
                    let next = next.map(|(at, own)| *own && yields(worker, &params, at)).collect();
                    if own == next {
                        break;
                    }
                    own = next;
                }
                place(results).is_some_and(|at| own[at])
            }
            Some(Step::Pass(pass)) => {
                let acc = pass.end.iter().find_map(|end| match end {
                    End::Read { result, acc } if *result == var => Some(*acc),
                    End::Read { .. } | End::Slice { .. } => None,
                });
                acc.is_none_or(|acc| accumulates(pass, acc, made, yields))
            }
            Some(Step::Call { vars: results, callee: Callee::Function(callee), args, .. })
                if self.program.is_part(*callee) =>
            {
                let part = &self.program.functions[*callee];
                let given = part.params.iter().zip(args).filter(|(_, arg)| made(**arg));
                let given: Vec<_> = given.map(|(&param, _)| param).collect();
                let within = Self { vars: &part.tables.vars, ..self };
                place(results)
                    .is_some_and(|at| within.is_made(&part.body, &given, part.body.results[at]))
            }
            Some(_) => false,
        }
    }
}

/// Whether the initial value of an accumulator is an array that was made, and each step makes the next array or keeps
/// one of the accumulators for which this holds.
fn accumulates(
    pass: &Procedure,
    acc: AccId,
    made: impl Fn(Atom) -> bool,
    yields: impl Fn(&Worker, &[VarId], usize) -> bool,
) -> bool {
    let mut own: Vec<AccId> = Vec::new();
    own.extend(pass.start.iter().filter_map(|start| match start {
        Start::NewAcc { acc, init } => made(*init).then_some(*acc),
        Start::NewVec { .. } | Start::CheckSize { .. } => None,
    }));
    loop {
        let before = own.len();
        pass.nest.for_each_stmt(&mut |stmt| {
            let Stmt::Update { accs, worker, .. } = stmt else { return };
            let (of_accs, elems) = worker.params.split_at(accs.len());
            let params = accs.iter().zip(of_accs).filter(|(acc, _)| own.contains(acc));
            let params: Vec<_> = params.map(|(_, &param)| param).chain(elems.to_vec()).collect();
            let lost =
                accs.iter().enumerate().filter(|&(place, _)| !yields(worker, &params, place));
            lost.for_each(|(_, lost)| own.retain(|acc| acc != lost));
        });
        if own.len() == before {
            return own.contains(&acc);
        }
    }
}

struct AllocationCounter<'a> {
    program: &'a Program,
    function: &'a Function,
    /// The variables that are symbols in formulas.
    symbols: &'a [VarId],
    /// The known values of scalars.
    known: IndexMap<VarId, AllocationBound>,
    /// The number of scratch buffers, which all steps share.
    buffers: u64,
    /// How many of them have lengths that are not known before the call, and may differ between steps.
    growing: u64,
    limits: Limits,
}

impl<'a> AllocationCounter<'a> {
    fn of(
        program: &'a Program,
        function: &'a Function,
        symbols: &'a [VarId],
        limits: Limits,
    ) -> Self {
        let known = IndexMap::new();
        Self { program, function, symbols, known, buffers: 0, growing: 0, limits }
    }

    fn tables(&self) -> &Tables {
        &self.function.tables
    }

    fn block(&mut self, block: &Block) -> Option<AllocationBound> {
        let mut sum = AllocationBound::default();
        for step in &block.steps {
            sum = sum.plus(&self.step(step)?);
        }
        Some(sum)
    }

    fn step(&mut self, step: &Step) -> Option<AllocationBound> {
        if let Some((var, operation)) = step.operation() {
            if let Some(value) = self.operation(operation) {
                self.known.insert(var, value);
            }
            let vars = &self.function.tables.vars;
            let text = |length: VarId| {
                let formula = self.known.get(&length).filter(|formula| !formula.is_constant());
                let given =
                    || self.symbols.contains(&length).then(|| vars[length].name.to_string());
                formula.map(ToString::to_string).or_else(given)
            };
            self.limits.operation(var, operation, text);
            return Some(AllocationBound::default());
        }
        if let Step::If { cond, then, otherwise, .. } = step {
            return match self.limits.decision(*cond) {
                Some(true) => self.block(then),
                Some(false) => self.block(otherwise),
                None => Some(self.block(then)?.max(&self.block(otherwise)?)),
            };
        }
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others allocate nothing")]
        match step {
            Step::Length { var, array, dim } => {
                self.limits.length(*var);
                if let Some(value) = self.extent(self.tables().vars[*array].ty.shape()[*dim]) {
                    self.known.insert(*var, value);
                }
                Some(AllocationBound::default())
            }
            Step::Array { elems, .. } if elems.is_empty() => Some(AllocationBound::default()),
            Step::Array { var, memory, .. }
            | Step::Sort { var, memory, .. }
            | Step::Copy { var, memory, .. } => Some(self.memory(memory, *var)),
            Step::Append { placed: true, .. } => Some(AllocationBound::default()),
            Step::Append { var, memory, .. } => Some(self.memory(memory, *var)),
            Step::Unique { .. } => Some(AllocationBound::constant(1)),
            Step::Call { callee: Callee::Function(callee), args, .. } => self.part(*callee, args),
            Step::Call { vars, callee: Callee::External(_), .. } => {
                let scalars = vars.iter().all(|&var| !self.tables().vars[var].ty.is_array());
                scalars.then(AllocationBound::default)
            }
            Step::Loop { form, worker, .. } => {
                let each = self.block(&worker.body)?;
                match form {
                    LoopForm::For { count } => self.repeated(each, |this| this.scalar(*count)),
                    LoopForm::While { cond } => {
                        let each = each.plus(&self.block(&cond.body)?);
                        self.repeated(each, |_| None)
                    }
                }
            }
            Step::Pass(pass) => self.pass(pass),
            _ => Some(AllocationBound::default()),
        }
    }

    /// The allocations of a call of a part of the function.
    fn part(&mut self, callee: FuncId, args: &[Atom]) -> Option<AllocationBound> {
        if !self.program.is_part(callee) {
            return None;
        }
        let function = &self.program.functions[callee];
        let limits = self.limits.of_call(&function.tables, &function.params, args);
        let mut count = AllocationCounter::of(self.program, function, &[], limits);
        let params = function.params.iter().zip(args);
        count.known = params.filter_map(|(&of, &arg)| Some((of, self.scalar(arg)?))).collect();
        let own = count.block(&function.body);
        self.limits.compared.extend(count.limits.compared);
        self.buffers += count.buffers;
        self.growing += count.growing;
        own
    }

    /// The allocations of a step times the number of steps.
    fn repeated(
        &self,
        each: AllocationBound,
        steps: impl FnOnce(&Self) -> Option<AllocationBound>,
    ) -> Option<AllocationBound> {
        if each.is_none() { Some(each) } else { Some(each.times(&steps(self)?)) }
    }

    /// The allocation of an array in this memory.
    fn memory(&mut self, memory: &Memory, array: VarId) -> AllocationBound {
        let buffers = match memory {
            Memory::Scratch => 1,
            Memory::DoubleBuffer => 2,
            Memory::New
            | Memory::Row(_)
            | Memory::Over(_)
            | Memory::Behind(_)
            | Memory::Part(_) => 0,
        };
        let shape = self.tables().vars[array].ty.shape();
        let is_known = shape.iter().all(|&extent| self.extent(extent).is_some());
        self.buffers += buffers;
        self.growing += if is_known { 0 } else { buffers };
        AllocationBound::constant(u64::from(matches!(memory, Memory::New)))
    }

    fn pass(&mut self, pass: &Procedure) -> Option<AllocationBound> {
        let mut sum = AllocationBound::default();
        let growing = pass.growing();
        for start in &pass.start {
            if let Start::NewVec { vec, memory, .. } = start {
                if growing.contains(vec) && matches!(memory, Memory::New) {
                    return None;
                }
                sum = sum.plus(&self.memory(memory, *vec));
            }
        }
        Some(sum.plus(&self.nest(&pass.nest)?))
    }

    fn nest(&mut self, nest: &Loop) -> Option<AllocationBound> {
        let mut each = AllocationBound::default();
        for (body, inner) in nest.variants() {
            each = each.max(&self.inside(body, inner)?);
        }
        self.repeated(each, |this| this.length(&nest.length))
    }

    fn inside(&mut self, body: &[Stmt], inner: &[Nest]) -> Option<AllocationBound> {
        let mut sum = AllocationBound::default();
        for stmt in body {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                sum = sum.plus(&self.block(&worker.body)?);
            }
        }
        for nest in inner {
            sum = sum.plus(&match nest {
                Nest::Loop(nest) => self.nest(nest)?,
                Nest::Guard(Guard { body, inner, .. }) => self.inside(body, inner)?,
            });
        }
        Some(sum)
    }

    fn length(&self, length: &Length) -> Option<AllocationBound> {
        match length {
            Length::Array(array) => {
                self.tables().vars[*array].ty.shape().first().and_then(|&of| self.extent(of))
            }
            Length::Value(value) => self.scalar(*value),
            Length::Product(left, right) => Some(self.length(left)?.times(&self.length(right)?)),
        }
    }

    fn extent(&self, extent: Extent) -> Option<AllocationBound> {
        let size = match extent {
            Extent::Const(count) => {
                return u64::try_from(count).ok().map(AllocationBound::constant);
            }
            Extent::Size(size) => &self.tables().sizes[size],
        };
        match size.def {
            SizeDef::Param => Some(AllocationBound::symbol(&size.name)),
            SizeDef::Exists => None,
            SizeDef::Value(var) => self.scalar(var.into()),
            SizeDef::Sum(left, right) => {
                let [left, right] = SizeDef::both([left, right], |part| self.extent(part));
                Some(left?.plus(&right?))
            }
            SizeDef::Product(left, right) => {
                let [left, right] = SizeDef::both([left, right], |part| self.extent(part));
                Some(left?.times(&right?))
            }
        }
    }

    fn scalar(&self, atom: Atom) -> Option<AllocationBound> {
        let var = match atom {
            Atom::Const(value) => return constant(value),
            Atom::Var(var) => var,
        };
        let name = &self.tables().vars[var].name;
        let param = || self.symbols.contains(&var).then(|| AllocationBound::symbol(name));
        self.known.get(&var).cloned().or_else(param)
    }

    fn operation(&self, operation: Operation) -> Option<AllocationBound> {
        match operation {
            Operation::Un(UnOp::To(Scalar::I64), arg) => self.scalar(arg),
            Operation::Bin(BinOp::Add, [left, right]) => {
                Some(self.scalar(left)?.plus(&self.scalar(right)?))
            }
            Operation::Bin(BinOp::Mul, [left, right]) => {
                Some(self.scalar(left)?.times(&self.scalar(right)?))
            }
            Operation::Un(..) | Operation::Bin(..) | Operation::MulAdd(..) => None,
        }
    }
}

fn constant(value: Const) -> Option<AllocationBound> {
    let integer = value.ty.is_integer().then(|| value.as_i128())?;
    u64::try_from(integer).ok().map(AllocationBound::constant)
}
