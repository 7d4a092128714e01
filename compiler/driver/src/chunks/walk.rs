//! A walk over the steps of a plan, in order.
//!
//! Invariant: a step runs when all earlier steps are done, so the length of every array is known.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use arr_runtime::host::{Call, ErrorCode, RunError, ScalarValue, Session, Value, ValueType, View};
use arrc_fusion::chunked::{
    Arg, Block, ChunkFold, Loop, Pass, PassResult, Plan, PlanLoopForm, PlanStep, Plans,
};
use arrc_fusion::cnf::Atom;
use arrc_pipeline::Compiled;
use arrc_syntax::ids::VarId;

use super::Options;
use super::column::{Column, Spool, folder};
use super::progress::Progress;
use crate::error::DriverError;
use crate::interpret::from_const;
use crate::native::Signature;
use crate::run::{failed, unwritable};

type Done<T> = Result<T, DriverError>;

/// The maximum depth of nested calls over chunks. Deeper calls take whole arrays.
const DEPTH: usize = 64;

/// The maximum number of bytes of a result that is kept in memory. Recursive programs have many results.
const HELD: usize = 1 << 16;

/// A value.
#[derive(Clone)]
pub(crate) enum Held {
    /// A scalar.
    Scalar(ScalarValue),
    /// An array.
    Array(Column),
}

impl Held {
    /// The value. An array is copied only if it has several pieces.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Scalar(scalar) => Value::Scalar(*scalar),
            Self::Array(column) => Value::Array(column.whole()),
        }
    }

    /// Frees the memory of elements that are in files.
    fn evict(&self) {
        if let Self::Array(column) = self {
            column.evict(0..column.length());
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Array(column) => column.bytes(),
        }
    }

    fn number(&self) -> i64 {
        match self {
            Self::Scalar(ScalarValue::I64(number)) => *number,
            Self::Scalar(_) | Self::Array(_) => unreachable!("sizes and counters are i64"),
        }
    }
}

impl From<Value> for Held {
    fn from(value: Value) -> Self {
        match value {
            Value::Scalar(scalar) => Self::Scalar(scalar),
            Value::Array(array) => Self::Array(array.into()),
        }
    }
}

/// A run of an entry.
pub(super) struct Walk<'a> {
    /// The plan that runs: the plan of the entry, or of a function that was called.
    frame: Frame<'a>,
    /// The number of active calls around it.
    depth: usize,
    plans: &'a Plans,
    /// The plans for which arrays that are needed whole were reported.
    told: HashSet<&'a str>,
    /// The types of the results of each function.
    outputs: HashMap<&'a str, Vec<ValueType>>,
    session: &'a Session<'a>,
    chunk: usize,
    folder: PathBuf,
    cancelled: &'a AtomicBool,
    pub(super) progress: Progress,
}

/// A plan that runs, and what its steps have defined.
struct Frame<'a> {
    plan: &'a Plan,
    values: HashMap<VarId, Held>,
    /// The lengths of arrays that are not stored.
    lengths: HashMap<VarId, i64>,
}

impl<'a> Frame<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, values: HashMap::new(), lengths: HashMap::new() }
    }
}

/// The results of the chunks of a pass so far.
struct Given {
    /// For each result that is an array: the file to which it is written.
    spools: Vec<Option<Spool>>,
    /// For each fold: its accumulators, or none before the first chunk.
    folds: Vec<Vec<Value>>,
    carries: Vec<Value>,
    /// For each result that is a length: the sum so far.
    lengths: Vec<i64>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        compiled: &'a Compiled,
        session: &'a Session<'a>,
        options: &Options<'_>,
        cancelled: &'a AtomicBool,
        progress: Progress,
    ) -> Self {
        let program = &compiled.program;
        let outputs = program
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), Signature::new(program, entry).outputs));
        Self {
            frame: Frame::new(plan),
            depth: 0,
            plans: &compiled.passes,
            told: HashSet::new(),
            outputs: outputs.collect(),
            session,
            chunk: options.chunk,
            folder: folder(options.output),
            cancelled,
            progress,
        }
    }

    /// Binds the parameters to these inputs.
    pub(super) fn bind_inputs(&mut self, inputs: Vec<Value>) {
        self.bind(&self.frame.plan.params, inputs.into_iter().map(Held::from));
        for value in self.frame.values.values() {
            // The check of truth values has read the file into memory.
            value.evict();
        }
    }

    /// Reports the inputs that are larger than a chunk and needed whole.
    pub(super) fn tell_whole(&mut self) {
        if !self.told.insert(&self.frame.plan.entry) {
            return;
        }
        let mut whole = Vec::new();
        wholes(&self.frame.plan.body, &mut whole);
        for &param in &self.frame.plan.params {
            if let Some(Held::Array(column)) = self.frame.values.get(&param)
                && whole.contains(&param)
                && column.bytes() > self.chunk
            {
                self.progress.whole(self.name(param), column.bytes());
            }
        }
    }

    /// Runs all steps.
    pub(super) fn run(&mut self) -> Done<Vec<Held>> {
        self.block(&self.frame.plan.body)
    }

    fn block(&mut self, block: &Block) -> Done<Vec<Held>> {
        block.steps.iter().try_for_each(|step| self.step(step))?;
        Ok(self.atoms(&block.results))
    }

    fn step(&mut self, step: &PlanStep) -> Done<()> {
        match step {
            PlanStep::Pass(pass) => self.pass(pass)?,
            PlanStep::Once { function, args, outs } => {
                let args: Vec<Value> = args.iter().map(|&arg| self.argument(arg)).collect();
                let results = self.whole(function, &args)?;
                self.bind(outs, results);
            }
            PlanStep::Call { function, args, outs, ends } => {
                let args = self.atoms(args);
                for end in ends {
                    self.frame.values.remove(end);
                }
                let results = self.called(function, args)?;
                self.bind(outs, results);
            }
            PlanStep::Element { array, indices, out } => {
                let scalar = self.element(*array, indices)?;
                self.bind(&[*out], [Held::Scalar(scalar)]);
            }
            PlanStep::Append { left, right, outs } => {
                let pairs = left.iter().zip(right);
                let joined: Vec<Held> = pairs
                    .map(|(&left, &right)| {
                        let (left, right) = (self.column(left).clone(), self.column(right).clone());
                        Held::Array(left.append(right))
                    })
                    .collect();
                self.bind(outs, joined);
            }
            PlanStep::If { cond, then, otherwise, outs } => {
                let holds = matches!(self.atom(*cond), Held::Scalar(ScalarValue::Bool(true)));
                let results = self.block(if holds { then } else { otherwise })?;
                self.bind(outs, results);
            }
            PlanStep::Loop(of) => self.turns(of)?,
        }
        Ok(())
    }

    /// Calls a function. It runs over chunks if an argument is larger than a chunk.
    fn called(&mut self, function: &str, args: Vec<Held>) -> Done<Vec<Held>> {
        let is_large = args.iter().any(|arg| arg.bytes() > self.chunk);
        if !is_large || self.depth == DEPTH {
            let values: Vec<Value> = args.iter().map(Held::value).collect();
            let results = self.whole(function, &values);
            args.iter().for_each(Held::evict);
            return results;
        }
        let plan = self.plans.of(function).expect("a function that is called has a plan");
        let around = std::mem::replace(&mut self.frame, Frame::new(plan));
        self.depth += 1;
        self.bind(&plan.params, args);
        self.tell_whole();
        let results = self.run();
        self.depth -= 1;
        self.frame = around;
        results
    }

    /// Calls a function on whole arrays.
    fn whole(&self, function: &str, args: &[Value]) -> Done<Vec<Held>> {
        let mut call = self.prepare(function, args)?;
        call.run().map_err(failed)?;
        call.views().iter().map(|view| self.hold(view)).collect()
    }

    fn turns(&mut self, of: &Loop) -> Done<()> {
        let mut carried = self.atoms(&of.init);
        let count = match &of.form {
            PlanLoopForm::For { count, .. } => self.atom(*count).number(),
            PlanLoopForm::While { .. } => i64::MAX,
        };
        for turn in 0..count {
            match &of.form {
                PlanLoopForm::For { counter, .. } => {
                    self.bind(&[*counter], [Held::Scalar(ScalarValue::I64(turn))]);
                }
                PlanLoopForm::While { params, cond } => {
                    self.bind(params, carried.clone());
                    let goes_on = self.block(cond)?;
                    if !matches!(goes_on[..], [Held::Scalar(ScalarValue::Bool(true))]) {
                        break;
                    }
                }
            }
            self.bind(&of.params, carried);
            carried = self.block(&of.body)?;
        }
        self.bind(&of.outs, carried);
        Ok(())
    }

    fn pass(&mut self, pass: &Pass) -> Done<()> {
        let reads: Vec<VarId> = pass.args.iter().filter_map(|arg| arg.chunk()).collect();
        let total = self.total(pass, &reads)?;
        let row = |read: &VarId| self.column(*read).bytes() / total.max(1);
        let most = (self.chunk / reads.iter().map(row).max().unwrap_or(8).max(1)).max(1);
        let bytes = reads.iter().map(|&read| self.column(read).bytes()).sum();
        self.progress.pass(bytes);
        let mut given = Given {
            spools: pass.outs.iter().map(|_| None).collect(),
            folds: Vec::new(),
            carries: pass.carries.iter().map(|carry| self.atom(carry.init).value()).collect(),
            lengths: vec![0; pass.outs.len()],
        };
        // A pass without steps runs once, on an empty chunk: it gives empty arrays and neutral elements.
        let mut first = 0;
        loop {
            let range = first..total.min(first + most);
            self.chunk(pass, &reads, &range, total, &mut given)?;
            first = range.end;
            if first == total {
                break;
            }
        }
        self.progress.done();
        self.give(pass, given)
    }

    /// The trip count of a pass.
    fn total(&self, pass: &Pass, reads: &[VarId]) -> Done<usize> {
        if let Some(count) = pass.count {
            return Ok(usize::try_from(self.atom(count).number()).unwrap_or(0));
        }
        let length = self.column(reads[0]).length();
        for &read in reads {
            let other = self.column(read).length();
            if other != length {
                let [one, two] = [reads[0], read].map(|read| self.name(read));
                return Err(failed(RunError {
                    code: Some(ErrorCode::Shape),
                    message: format!(
                        "`{one}` has the length {length}, and `{two}` the length {other}"
                    ),
                }));
            }
        }
        Ok(length)
    }

    /// Runs a pass for the steps in a range.
    fn chunk(
        &mut self,
        pass: &Pass,
        reads: &[VarId],
        range: &Range<usize>,
        total: usize,
        given: &mut Given,
    ) -> Done<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            let message = "the call was cancelled".to_owned();
            return Err(failed(RunError { code: Some(ErrorCode::Cancelled), message }));
        }
        let number =
            |number: usize| Value::from(i64::try_from(number).expect("lengths of arrays are i64"));
        let args: Vec<Value> = pass
            .args
            .iter()
            .map(|&arg| match arg {
                Arg::Chunk(array) => Value::Array(self.column(array).cut(range.clone())),
                Arg::Total => number(total),
                Arg::Offset => number(range.start),
                Arg::Count => number(range.len()),
                Arg::Carry(carry) => given.carries[carry].clone(),
                Arg::Value(_) | Arg::Extent(..) => self.argument(arg),
            })
            .collect();
        let mut call = self.prepare(&pass.function, &args)?;
        call.run().map_err(failed)?;
        let views = call.views();
        let mut accs = HashMap::new();
        for (at, (out, view)) in pass.outs.iter().zip(&views).enumerate() {
            match *out {
                PassResult::Array(_) => self.push(&mut given.spools[at], view)?,
                PassResult::Fold(var) => {
                    accs.insert(var, view.to_value());
                }
                PassResult::Length(_) => given.lengths[at] += Held::from(view.to_value()).number(),
                PassResult::Carry(carry) => given.carries[carry] = view.to_value(),
            }
        }
        let is_first = given.folds.is_empty();
        for (at, fold) in pass.folds.iter().enumerate() {
            let accs = fold.outs.iter().map(|out| accs[out].clone()).collect();
            if is_first {
                given.folds.push(accs);
            } else {
                let before = std::mem::take(&mut given.folds[at]);
                given.folds[at] = self.combine(fold, before, accs)?;
            }
        }
        drop(views);
        drop(call);
        for &read in reads {
            let column = self.column(read);
            column.evict(range.clone());
            let bytes = column.bytes() / total.max(1) * range.len();
            self.progress.chunk(bytes);
        }
        Ok(())
    }

    /// Appends a chunk to the file of an array.
    fn push(&self, spool: &mut Option<Spool>, view: &View<'_>) -> Done<()> {
        let io = unwritable(self.folder.clone());
        let spool = match spool {
            Some(spool) => spool,
            None => {
                let new = Spool::new(&self.folder, view.elements().ty(), &view.shape()[1..]);
                spool.insert(new.map_err(&io)?)
            }
        };
        spool.push(view).map_err(&io)
    }

    /// Combines the accumulators of neighbouring chunks.
    fn combine(&self, fold: &ChunkFold, left: Vec<Value>, right: Vec<Value>) -> Done<Vec<Value>> {
        let env = fold.env.iter().map(|&arg| self.argument(arg));
        let args: Vec<Value> = left.into_iter().chain(right).chain(env).collect();
        let mut call = self.prepare(&fold.combine, &args)?;
        call.run().map_err(failed)?;
        Ok(call.outputs())
    }

    /// Binds the results of a pass.
    fn give(&mut self, pass: &Pass, given: Given) -> Done<()> {
        let Given { spools, folds, carries, lengths } = given;
        for (fold, accs) in pass.folds.iter().zip(folds) {
            self.bind(&fold.outs, accs.into_iter().map(Held::from));
        }
        for (carry, value) in pass.carries.iter().zip(carries) {
            self.bind(&[carry.out], [Held::from(value)]);
        }
        for ((out, spool), length) in pass.outs.iter().zip(spools).zip(lengths) {
            match (*out, spool) {
                (PassResult::Array(var), Some(spool)) => {
                    let column = spool.finish().map_err(unwritable(self.folder.clone()))?;
                    self.bind(&[var], [Held::Array(column)]);
                }
                (PassResult::Length(var), _) => {
                    self.frame.lengths.insert(var, length);
                }
                (PassResult::Array(_) | PassResult::Fold(_) | PassResult::Carry(_), _) => {}
            }
        }
        Ok(())
    }

    fn prepare<'c>(&'c self, function: &str, args: &'c [Value]) -> Done<Call<'c>> {
        self.session.prepare(function, args, &self.outputs[function]).map_err(failed)
    }

    /// A result. It stays in memory if it is small, and goes to a file otherwise.
    fn hold(&self, view: &View<'_>) -> Done<Held> {
        if view.scalar().is_some() || view.elements().bytes().len() <= HELD.min(self.chunk) {
            return Ok(view.to_value().into());
        }
        let mut spool = None;
        self.push(&mut spool, view)?;
        let spool = spool.expect("it was just made");
        Ok(Held::Array(spool.finish().map_err(unwritable(self.folder.clone()))?))
    }

    /// An argument that is the same for all chunks.
    fn argument(&self, arg: Arg) -> Value {
        match arg {
            Arg::Value(var) => self.frame.values[&var].value(),
            Arg::Extent(var, dim) => Value::from(self.extent(var, dim)),
            Arg::Chunk(_) | Arg::Total | Arg::Offset | Arg::Count | Arg::Carry(_) => {
                unreachable!("only passes have chunks")
            }
        }
    }

    fn extent(&self, var: VarId, dim: usize) -> i64 {
        match self.frame.lengths.get(&var) {
            Some(&length) if dim == 0 => length,
            Some(_) | None => self.column(var).extent(dim),
        }
    }

    fn element(&self, array: VarId, indices: &[Atom]) -> Done<ScalarValue> {
        let column = self.column(array);
        let shape = column.shape();
        let mut place = 0;
        let mut row = 0..0;
        for (dim, (index, &size)) in indices.iter().zip(&shape).enumerate() {
            let index = self.atom(*index).number();
            if !(0..size).contains(&index) {
                return Err(failed(RunError {
                    code: Some(ErrorCode::Index),
                    message: format!("index {index} is out of bounds for length {size}"),
                }));
            }
            let index = usize::try_from(index).expect("it is in bounds");
            if dim == 0 {
                row = index..index + 1;
            } else {
                place = place * usize::try_from(size).expect("it is in bounds") + index;
            }
        }
        Ok(column.cut(row).data().get(place).expect("it is in bounds"))
    }

    fn column(&self, var: VarId) -> &Column {
        match &self.frame.values[&var] {
            Held::Array(column) => column,
            Held::Scalar(_) => unreachable!("only arrays have chunks"),
        }
    }

    fn atom(&self, atom: Atom) -> Held {
        match atom {
            Atom::Const(value) => Held::Scalar(from_const(value)),
            Atom::Var(var) => self.frame.values[&var].clone(),
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> Vec<Held> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    fn bind(&mut self, vars: &[VarId], values: impl IntoIterator<Item = Held>) {
        self.frame.values.extend(vars.iter().copied().zip(values));
    }

    fn name(&self, var: VarId) -> &str {
        &self.frame.plan.values[&var].name
    }
}

/// Collects the variables that the functions of a block take whole, and not in chunks.
fn wholes(block: &Block, into: &mut Vec<VarId>) {
    for step in &block.steps {
        match step {
            PlanStep::Pass(Pass { args, .. }) | PlanStep::Once { args, .. } => {
                into.extend(args.iter().filter_map(|arg| arg.value()));
            }
            PlanStep::If { then, otherwise, .. } => {
                wholes(then, into);
                wholes(otherwise, into);
            }
            PlanStep::Loop(of) => {
                if let PlanLoopForm::While { cond, .. } = &of.form {
                    wholes(cond, into);
                }
                wholes(&of.body, into);
            }
            PlanStep::Call { .. } | PlanStep::Element { .. } | PlanStep::Append { .. } => {}
        }
    }
}
