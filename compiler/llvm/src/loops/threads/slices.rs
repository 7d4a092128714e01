//! Passes in slices: the loop is a function of its own, which runs a range of steps.
//!
//! The runtime decides how many slices there are and which thread runs each. The outer values that the steps need are
//! in a frame that all slices read. A pass of one block is one call of the function, and the runtime is not asked. So
//! is a pass that needs no blocks, if its estimated time is below [`arr_abi::layout::SHORT`]. Such a call does not look
//! whether the call of the entry is cancelled: it ends soon, and loops of passes look in each iteration.
//!
//! Invariant: the slices of a pass write different elements; each block with accumulators begins with neutral ones. So
//! the results do not depend on the slices.
//!
//! ```text
//! for i < n { x = xs[i]; ys[i] = x + 1; s = s + x }
//! ⇒ frame = { n, xs, ys }
//!   i32 @arr.f.slice(ctx, frame, from, to, totals)   s = -0; for from <= i < to { … }; totals.s = s
//!   i32 @arr.f.join(ctx, frame, left, right)         left.s = left.s + right.s
//!   n <= 16384 ? arr.f.slice(ctx, frame, 0, n, totals) : arr_rt_slices(ctx, { slice, join, … }, frame, n, …, totals)
//!   s = s + totals.s
//! ```

mod changes;
mod frame;
mod shares;

use arr_abi::function::RuntimeFn;
use arr_abi::layout::SHORT;
use arrc_fusion::cnf::Atom;
use arrc_fusion::cnf::neutral;
use arrc_loops::concrete::{
    Combiner, Combiners, Complete, Cost, Length, ListedBins, Loop, Procedure, Range, RowLength,
    Slices, UNKNOWN, Variant,
};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::{BinOp, Const};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::types::StructType;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};

use self::frame::SliceFrame;
use super::carried_scans::CarriedScans;
use super::filled_vectors::FilledVectors;
use super::slice_functions::{declare, param};
use super::thread_bins::BinArrays;
use crate::array::scratch_buffers::SharedPlaces;
use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::loops::pass::{Grouping, Pass, SliceSteps};
use crate::loops::pass_scopes::lower_with_scopes;
use crate::loops::scalar::guards;
use crate::scalar::BinaryOperation;
use crate::unit::{Operations, built};
use crate::value::LoweredValue;

/// The most passes of a program whose functions of slices LLVM may inline where a pass is one block: it optimises the
/// loop a second time there. So a program of very many passes takes less time to compile. `scripts/bench compile pairs`
/// has such programs: 500 passes, each after the other, took 2.6 s to compile, before 3.7 (together with other
/// changes).
const INLINED: u32 = 64;

/// A pass that is lowered in slices.
struct SlicedPass<'ctx, 'p> {
    procedure: &'p Procedure,
    joins: Vec<Combiner<'p, Complete>>,
    binned: BinArrays<'ctx>,
    /// The bins whose changes can be listed, if there are any.
    listed: Option<ListedBins>,
    vectors: FilledVectors<'ctx>,
    carried: CarriedScans<'ctx>,
    frame: SliceFrame<'ctx>,
    /// The type of a block's accumulators in memory.
    totals: StructType<'ctx>,
}

/// Lowers the loop of a pass: afterwards the accumulators are those of all steps.
pub(in crate::loops) fn lower<'ctx>(pass: &mut Pass<'_, '_, 'ctx, '_>, slices: &Slices) {
    let sliced = SlicedPass::new(pass);
    let (slice, grouping, at_once) = sliced.define_slice(pass);
    let join = (!sliced.joins.is_empty()).then(|| sliced.define_join(pass));
    let chain = sliced.define_chain(pass, grouping);
    let changes = sliced.define_changes(pass);
    let parts = sliced.describe(pass.body, (slice, join), (chain, changes));
    let block = sliced.steps_of_block(pass.body, slices, at_once);
    sliced.call(pass, (slice, parts), block);
}

/// Memory for a call of the function of slices, or of the runtime.
struct CallPlaces<'ctx> {
    frame: PointerValue<'ctx>,
    totals: PointerValue<'ctx>,
    bins: PointerValue<'ctx>,
    filled: PointerValue<'ctx>,
    carries: PointerValue<'ctx>,
}

impl<'ctx, 'p> SlicedPass<'ctx, 'p> {
    fn new(pass: &Pass<'_, '_, 'ctx, 'p>) -> Self {
        let (procedure, body) = (pass.procedure, &*pass.body);
        let combiners = procedure.combiners(&body.function.tables.vars);
        let combiners =
            combiners.unwrap_or_else(|| panic!("{} is sliced, so it joins", procedure.name));
        let listed = procedure.listed(&combiners);
        let Combiners { joins, bins, filled, scans } = combiners;
        let types = body.code.types;
        let accs = joins.iter().flat_map(|join| join.accs());
        let accs = accs.map(|&acc| types.memory(pass.acc_type(acc)));
        let totals = body.code.unit.context.struct_type(&accs.collect::<Vec<_>>(), false);
        let binned = BinArrays::new(pass, bins);
        let vectors = FilledVectors::new(&body.code, filled);
        let carried = CarriedScans::new(pass, scans);
        let frame = SliceFrame::of(pass);
        Self { procedure, joins, binned, listed, vectors, carried, frame, totals }
    }

    /// The accumulators that join.
    fn joined_accs(&self) -> impl Iterator<Item = AccId> {
        self.joins.iter().flat_map(|join| join.accs()).copied()
    }

    /// The function that runs a range of steps, and leaves the accumulators in memory. With it, the order in which it
    /// combines elements, and the number of steps that run at once.
    fn define_slice(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
    ) -> (FunctionValue<'ctx>, Option<Grouping>, Option<u32>) {
        let types = pass.body.code.types;
        let params = [
            types.ptr.into(),
            types.ptr.into(),
            types.i64.into(),
            types.i64.into(),
            types.ptr.into(),
            types.ptr.into(),
            types.ptr.into(),
            types.ptr.into(),
        ];
        let llvm = declare(pass.body, "slice", &params);
        if pass.body.code.unit.passes > INLINED {
            let noinline = pass.body.code.unit.attribute("noinline", 0);
            llvm.add_attribute(AttributeLoc::Function, noinline);
        }
        let (mut inner, shared) = self.begin(pass.body, llvm);
        inner.begin_scratch_of(&self.procedure.nest, &shared);
        let [from, to] = [2, 3].map(|at| param(llvm, at).into_int_value());
        let [totals, bins, filled, carries] =
            [4, 5, 6, 7].map(|at| param(llvm, at).into_pointer_value());
        let (mut grouping, mut at_once) = (None, None);
        lower_with_scopes(&mut inner, self.procedure, |pass| {
            pass.allocate_accs();
            // Some counters are in no result, so no block begins with them.
            guards::counters(&self.procedure.nest)
                .into_iter()
                .for_each(|acc| pass.zero_counter(acc));
            self.begin_accs(pass);
            self.binned.begin(pass, bins);
            self.vectors.begin(pass, filled);
            self.carried.begin(pass, carries);
            let first = self.vectors.first_step(&pass.body.code, filled).unwrap_or(from);
            pass.slice = Some(SliceSteps { from, to, first, is_strip: false });
            pass.outermost(&self.procedure.nest);
            (grouping, at_once) = (pass.grouping, pass.at_once);
            self.vectors.give_counts(pass, filled);
            self.carried.end(pass, carries);
            for acc in self.joined_accs() {
                let value = pass.body.code.in_memory(pass.acc_type(acc), pass.acc(acc));
                pass.body.code.store(self.total(&pass.body.code, totals, acc), value);
            }
        });
        inner.end_scratch();
        inner.return_results(&[], &[]);
        (llvm, grouping, at_once)
    }

    /// The function that combines the accumulators of a block with those of the blocks before it. Passes whose
    /// accumulators are of the same types and join by the same operations share it.
    fn define_join(&self, pass: &mut Pass<'_, '_, 'ctx, 'p>) -> FunctionValue<'ctx> {
        let Some(key) = self.operations(pass) else { return self.new_join(pass) };
        if let Some(&join) = pass.body.code.unit.joins.get(&key) {
            return join;
        }
        let join = self.new_join(pass);
        pass.body.code.unit.joins.insert(key, join);
        join
    }

    /// The operations that join the accumulators, if no worker is needed for that.
    fn operations(&self, pass: &Pass<'_, '_, 'ctx, 'p>) -> Option<Operations> {
        let by = |join: &Combiner<'_, Complete>| match *join {
            Combiner::By(acc, op) => Some((pass.acc_type(acc), op)),
            Combiner::Worker(..) => None,
        };
        self.joins.iter().map(by).collect()
    }

    fn new_join(&self, pass: &mut Pass<'_, '_, 'ctx, 'p>) -> FunctionValue<'ctx> {
        let ptr = pass.body.code.types.ptr.into();
        let llvm = declare(pass.body, "join", &[ptr; 4]);
        let (mut inner, _) = self.begin(pass.body, llvm);
        let workers = self.joins.iter().filter_map(|join| match *join {
            Combiner::Worker(_, worker) => Some(worker),
            Combiner::By(..) => None,
        });
        inner.begin_scratch_of_workers(workers);
        let [left, right] = [2, 3].map(|at| param(llvm, at).into_pointer_value());
        lower_with_scopes(&mut inner, self.procedure, |pass| {
            for join in &self.joins {
                let [a, b] = [left, right].map(|totals| self.load(pass, totals, join.accs()));
                for (&acc, joined) in join.accs().iter().zip(self.join(pass, join, a, b)) {
                    let value = pass.body.code.in_memory(pass.acc_type(acc), joined);
                    pass.body.code.store(self.total(&pass.body.code, left, acc), value);
                }
            }
        });
        inner.end_scratch();
        inner.return_results(&[], &[]);
        llvm
    }

    /// The functions that compute what steps add to accumulators that steps read, and combine both. There are none if
    /// floats would be combined in another order than in the slices themselves: then one thread runs all steps.
    fn define_chain(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        grouping: Option<Grouping>,
    ) -> Option<[FunctionValue<'ctx>; 2]> {
        if self.carried.is_empty() {
            return None;
        }
        let (sum, of_sum) = self.define_sum(pass, grouping);
        let is_same = grouping == of_sum && !matches!(grouping, None | Some(Grouping::Depends));
        (is_same || self.carried.is_exact()).then(|| [sum, self.define_carry(pass)])
    }

    /// The function that computes what a range of steps adds.
    fn define_sum(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        grouping: Option<Grouping>,
    ) -> (FunctionValue<'ctx>, Option<Grouping>) {
        let types = pass.body.code.types;
        let params = [
            types.ptr.into(),
            types.ptr.into(),
            types.i64.into(),
            types.i64.into(),
            types.ptr.into(),
        ];
        let llvm = declare(pass.body, "sum", &params);
        let [from, to] = [2, 3].map(|at| param(llvm, at).into_int_value());
        let sums = param(llvm, 4).into_pointer_value();
        let only = self.procedure.restricted_to_scans(self.carried.scans());
        let only = pass.body.code.unit.made.push_get(Box::new(only));
        let notes = pass.body.code.unit.notes.len();
        let (mut inner, shared) = self.begin(pass.body, llvm);
        inner.begin_scratch_of(&only.nest, &shared);
        let mut of_sum = None;
        lower_with_scopes(&mut inner, only, |pass| {
            pass.required_grouping = grouping.filter(|_| !self.carried.is_exact());
            // The sums have the bits that the slices compute.
            pass.body.keeps_order = !self.carried.is_exact();
            pass.allocate_accs();
            guards::counters(&only.nest).into_iter().for_each(|acc| pass.zero_counter(acc));
            self.carried.begin_sums(pass);
            pass.slice = Some(SliceSteps { from, to, first: from, is_strip: false });
            pass.outermost(&only.nest);
            of_sum = pass.grouping;
            self.carried.end_sums(pass, sums);
        });
        inner.end_scratch();
        inner.return_results(&[], &[]);
        // The notes on the slices say how the pass runs.
        pass.body.code.unit.notes.truncate(notes);
        (llvm, of_sum)
    }

    /// The function that combines the carries of a block with what the block adds.
    fn define_carry(&self, pass: &mut Pass<'_, '_, 'ctx, 'p>) -> FunctionValue<'ctx> {
        let ptr = pass.body.code.types.ptr.into();
        let llvm = declare(pass.body, "carry", &[ptr; 4]);
        let (mut inner, _) = self.begin(pass.body, llvm);
        let pointers = [2, 3].map(|at| param(llvm, at).into_pointer_value());
        lower_with_scopes(&mut inner, self.procedure, |pass| self.carried.join(pass, pointers));
        inner.return_results(&[], &[]);
        llvm
    }

    /// The body of a function, whose variables and sizes come from the frame, and the places of scratch buffers.
    fn begin<'b>(
        &self,
        body: &'b mut Body<'_, 'ctx, 'p>,
        llvm: FunctionValue<'ctx>,
    ) -> (Body<'b, 'ctx, 'p>, SharedPlaces<'ctx>) {
        let literals = body.literals.clone();
        let is_recursive = body.code.is_recursive;
        let mut inner = Body::new(body.code.unit, llvm, body.function);
        inner.code.is_recursive = is_recursive;
        inner.literals = literals;
        let shared = self.frame.read(&mut inner, param(llvm, 1).into_pointer_value());
        (inner, shared)
    }

    /// The neutral values of the accumulators.
    fn begin_accs(&self, pass: &Pass<'_, '_, 'ctx, 'p>) {
        for join in &self.joins {
            for &acc in join.accs() {
                let init = pass.init(acc).unwrap_or(Const::i64(0).into());
                let first = match join {
                    Combiner::By(_, op) => neutral(*op, pass.acc_type(acc), init)
                        .unwrap_or_else(|| panic!("{op:?} joins, so it has a neutral element")),
                    Combiner::Worker(..) => init,
                };
                pass.set_acc(acc, pass.body.scalar(first));
            }
        }
    }

    /// The steps of a block. Without accumulators, results do not depend on this number, so that a block has whole
    /// vectors.
    fn steps_of_block(
        &self,
        body: &Body<'_, 'ctx, '_>,
        slices: &Slices,
        at_once: Option<u32>,
    ) -> IntValue<'ctx> {
        let block = steps_of_block(body, slices);
        match at_once {
            Some(steps) if self.joins.is_empty() => {
                body.code.at_least(block, body.code.size(steps.into()))
            }
            Some(_) | None => block,
        }
    }

    /// Whether steps run in blocks: their accumulators join, or are carried from one block to the next.
    fn needs_blocks(&self) -> bool {
        !self.joins.is_empty() || !self.carried.is_empty()
    }

    /// Runs all steps: by one call of the function of slices, or by the runtime. Each way has memory of its own, so
    /// that LLVM keeps the values in registers where it inlines the function.
    fn call(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        (slice, parts): (FunctionValue<'ctx>, PointerValue<'ctx>),
        block: IntValue<'ctx>,
    ) {
        let steps = pass.length(&self.procedure.nest.length);
        let nest = &self.procedure.nest;
        let cost = time(pass.body, &Cost::of_step(nest, &pass.body.function.tables.vars));
        let busy = active_steps(pass.body, nest, steps);
        let firsts: Vec<_> = self.joined_accs().map(|acc| pass.acc(acc)).collect();
        let code = &pass.body.code;
        let [one, many, next] =
            ["slice.one", "slice.many", "slice.next"].map(|name| code.block(name));
        let is_block = code.compare(IntPredicate::ULE, steps, block);
        let is_alone = shares::shares(self.procedure)
            .then(|| pass.body.any_small(self.frame.arrays(pass.body)));
        let is_one = match self.needs_blocks() {
            true => is_block,
            false => {
                let is_one = built(code.b.build_or(is_block, is_short(code, busy, cost), ""));
                is_alone.map_or(is_one, |is_alone| built(code.b.build_or(is_one, is_alone, "")))
            }
        };
        code.branch(is_one, one, many);

        code.b.position_at_end(one);
        let places = self.begin_places(pass);
        let CallPlaces { frame, totals, bins, filled, carries } = places;
        let args = [
            code.context.into(),
            frame.into(),
            code.size(0).into(),
            steps.into(),
            totals.into(),
            bins.into(),
            filled.into(),
            carries.into(),
        ];
        let result = built(code.b.build_call(slice, &args, "code"));
        let result = result.try_as_basic_value().expect_basic("functions return a code");
        code.check_code(result.into_int_value(), None);
        self.take(pass, &places);
        code.jump(next);

        code.b.position_at_end(many);
        let places = self.begin_places(pass);
        let cost = average(code, [steps, busy, cost]);
        let none = code.size(0).into();
        let cost = is_alone
            .map_or(cost, |is_alone| code.select(is_alone, none, cost.into()).into_int_value());
        let trips = trips_in_memory(code, [steps, block, cost]);
        let CallPlaces { frame, totals, bins, filled, carries } = places;
        let args = [code.context, parts, trips, frame, totals, bins, filled, carries];
        let result = code.call_runtime(RuntimeFn::Slices, &args.map(Into::into));
        code.end_slot(trips);
        code.check_code(result.into_int_value(), None);
        self.take(pass, &places);
        code.jump(next);

        code.b.position_at_end(next);
        self.join_totals(pass, firsts);
    }

    /// Stores the values that the steps need.
    fn begin_places(&self, pass: &Pass<'_, '_, 'ctx, 'p>) -> CallPlaces<'ctx> {
        let code = &pass.body.code;
        let totals = match self.joins.is_empty() {
            true => code.types.ptr.const_null(),
            false => code.slot(self.totals.into(), "totals"),
        };
        CallPlaces {
            frame: self.frame.fill(pass.body),
            totals,
            bins: self.binned.describe(pass),
            filled: self.vectors.describe(pass),
            carries: self.carried.describe(pass),
        }
    }

    /// Sets the accumulators to what all steps have left; those that join, to the totals of the steps.
    fn take(&self, pass: &Pass<'_, '_, 'ctx, 'p>, places: &CallPlaces<'ctx>) {
        let CallPlaces { frame, totals, bins, filled, carries } = *places;
        for acc in self.joined_accs() {
            pass.set_acc(acc, self.load(pass, totals, &[acc])[0]);
        }
        self.vectors.take_counts(pass, filled);
        self.carried.take(pass, carries);
        for place in [frame, totals, bins, filled, carries] {
            pass.body.code.end_slot(place);
        }
    }

    /// The description of the pass for the runtime: [`arr_abi::layout::SlicedPass`].
    fn describe(
        &self,
        body: &mut Body<'_, 'ctx, 'p>,
        (slice, join): (FunctionValue<'ctx>, Option<FunctionValue<'ctx>>),
        (chain, changes): (Option<[FunctionValue<'ctx>; 2]>, Option<[FunctionValue<'ctx>; 2]>),
    ) -> PointerValue<'ctx> {
        let binning = self.binned.define(body);
        let code = &body.code;
        let pointer = |function: FunctionValue<'ctx>| function.as_global_value().as_pointer_value();
        let optional = |function: Option<FunctionValue<'ctx>>| {
            function.map_or_else(|| code.types.ptr.const_null(), pointer)
        };
        let both = |of: Option<[FunctionValue<'ctx>; 2]>| {
            of.map_or([None; 2], |two| two.map(Some)).map(optional)
        };
        let [sum, carry] = both(chain);
        let [first, merge] = both(binning);
        let [list, make] = both(changes);
        let carried = self.carried.ty().size_of().expect("accumulators are sized");
        let bytes = self.totals.size_of().expect("accumulators are sized");
        let pace = code.unit.pace(&format!("{}.pace", slice.get_name().to_string_lossy()));
        let fields = [
            pointer(slice).into(),
            optional(join).into(),
            bytes.into(),
            code.size(self.binned.count()).into(),
            first.into(),
            merge.into(),
            list.into(),
            make.into(),
            code.size(self.vectors.count()).into(),
            sum.into(),
            carry.into(),
            carried.into(),
            pace.into(),
            pointer(code.unit.pool()).into(),
        ];
        let name = format!("{}.sliced", slice.get_name().to_string_lossy());
        let value = code.unit.context.const_struct(&fields, false);
        code.unit.constant(&name, &value).as_pointer_value()
    }

    /// Combines the accumulators before the first step with the totals of all steps.
    fn join_totals(&self, pass: &mut Pass<'_, '_, 'ctx, 'p>, firsts: Vec<BasicValueEnum<'ctx>>) {
        let mut firsts = firsts.into_iter();
        for join in &self.joins {
            let firsts: Vec<_> = firsts.by_ref().take(join.accs().len()).collect();
            if let Combiner::By(acc, _) = *join {
                let all = vec![pass.acc(acc)];
                let result = self.join(pass, join, firsts, all);
                pass.set_acc(acc, result[0]);
            }
        }
    }

    fn load(
        &self,
        pass: &Pass<'_, '_, 'ctx, 'p>,
        totals: PointerValue<'ctx>,
        accs: &[AccId],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let code = &pass.body.code;
        let load =
            |&acc: &AccId| code.load_scalar(pass.acc_type(acc), self.total(code, totals, acc));
        accs.iter().map(load).collect()
    }

    /// The address of an accumulator of a block.
    fn total(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        totals: PointerValue<'ctx>,
        acc: AccId,
    ) -> PointerValue<'ctx> {
        let at = self.joined_accs().position(|other| other == acc);
        let at = u32::try_from(at.expect("the accumulator joins")).expect("there are few");
        built(code.b.build_struct_gep(self.totals, totals, at, ""))
    }

    fn join(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        join: &Combiner<'p, Complete>,
        left: Vec<BasicValueEnum<'ctx>>,
        right: Vec<BasicValueEnum<'ctx>>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        match *join {
            Combiner::By(acc, op) => vec![self.combine(pass, (acc, op), [left[0], right[0]])],
            Combiner::Worker(_, worker) => {
                let args = left.into_iter().chain(right);
                for (&param, arg) in worker.params.iter().zip(args) {
                    pass.body.bind_same(param, LoweredValue::Scalar(arg));
                }
                let results = pass.body.block(&worker.body);
                results
                    .into_iter()
                    .zip(&worker.params)
                    .map(|(result, &var)| result.scalar(var))
                    .collect()
            }
        }
    }

    fn combine(
        &self,
        pass: &mut Pass<'_, '_, 'ctx, 'p>,
        (acc, op): (AccId, BinOp),
        args: [BasicValueEnum<'ctx>; 2],
    ) -> BasicValueEnum<'ctx> {
        let (ty, span) = (pass.acc_type(acc), pass.body.function.span);
        pass.body.code.binary(BinaryOperation { op, ty, args, span })
    }
}

/// How a pass runs, as [`arr_abi::layout::Trips`] describes it: its trip count, the steps of a block, and the time of a
/// step.
fn trips_in_memory<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    fields: [IntValue<'ctx>; 3],
) -> PointerValue<'ctx> {
    let ty = code.unit.context.struct_type(&[code.types.i64.into(); 3], false);
    let trips = code.slot(ty.into(), "trips");
    for (at, field) in (0..).zip(fields) {
        code.store(built(code.b.build_struct_gep(ty, trips, at, "")), field);
    }
    trips
}

/// The steps of a block of accumulators.
fn steps_of_block<'ctx>(body: &Body<'_, 'ctx, '_>, slices: &Slices) -> IntValue<'ctx> {
    let code = &body.code;
    let elems = match &slices.row {
        None => return code.size(slices.block.into()),
        Some(RowLength::Steps(steps)) => trips(body, steps),
        Some(RowLength::Of(array)) => code.count(&body.array(*array).shape[1..]),
    };
    let elems = code.at_least(elems, code.size(1));
    let steps = built(code.b.build_int_unsigned_div(code.size(slices.block.into()), elems, ""));
    code.at_least(steps, code.size(Slices::LEAST_STEPS.into()))
}

/// The trip count of a loop in a step, which is at least 0.
fn trips<'ctx>(body: &Body<'_, 'ctx, '_>, steps: &Length) -> IntValue<'ctx> {
    match steps {
        Length::Array(_) => body.length(steps),
        Length::Value(_) => body.code.at_least_zero(body.length(steps)),
        Length::Product(left, right) => body.code.product(trips(body, left), trips(body, right)),
    }
}

/// The estimated time of a step, in picoseconds.
pub(crate) fn time<'ctx>(body: &Body<'_, 'ctx, '_>, cost: &Cost) -> IntValue<'ctx> {
    let code = &body.code;
    cost.loops.iter().fold(code.size(cost.own.max(1)), |sum, (length, step)| {
        let steps = known(body, length).unwrap_or_else(|| code.size(UNKNOWN));
        code.sum(sum, code.product(code.at_least_zero(steps), time(body, step)))
    })
}

/// How many steps of a loop take time: those of some ranges leave everything as it is.
fn active_steps<'ctx>(
    body: &Body<'_, 'ctx, '_>,
    nest: &Loop,
    steps: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let code = &body.code;
    let is_idle =
        |range: &&Range| range.period.is_none() && range.variants.iter().all(Variant::is_empty);
    let idle = nest.ranges.iter().filter(is_idle).map(|range| {
        let [from, to] = [range.from, range.to].map(|bound| body.int(bound));
        code.at_least_zero(built(code.b.build_int_sub(to, from, "")))
    });
    match idle.reduce(|sum, steps| code.sum(sum, steps)) {
        Some(idle) => code.at_least_zero(built(code.b.build_int_sub(steps, idle, ""))),
        None => steps,
    }
}

/// Whether the estimated time of these steps is below the limit under which a pass never runs on several threads. The
/// limit also bounds how long a cancelled call goes on.
fn is_short<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    steps: IntValue<'ctx>,
    time: IntValue<'ctx>,
) -> IntValue<'ctx> {
    let limit = code.load(code.types.i64, code.byte_offset(code.context, SHORT), "short");
    let work = code.product(steps, time);
    code.compare(IntPredicate::ULT, work, limit.into_int_value())
}

/// The average time of the steps of a loop in which only the busy ones take time.
fn average<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    [steps, busy, time]: [IntValue<'ctx>; 3],
) -> IntValue<'ctx> {
    /// The denominator of the fraction of steps that take time.
    const WHOLE: u64 = 256;
    if busy == steps {
        return time;
    }
    let part = code.product(busy, code.size(WHOLE));
    let part = built(code.b.build_int_unsigned_div(part, steps, ""));
    let parts = code.product(time, part);
    code.at_least(built(code.b.build_int_unsigned_div(parts, code.size(WHOLE), "")), code.size(1))
}

/// A length, if it is known before the pass.
fn known<'ctx>(body: &Body<'_, 'ctx, '_>, length: &Length) -> Option<IntValue<'ctx>> {
    let is_bound = |var: VarId| body.values[var].is_some();
    let is_known = match length {
        Length::Array(array) => is_bound(*array),
        Length::Value(Atom::Var(var)) => is_bound(*var),
        Length::Value(Atom::Const(_)) => true,
        Length::Product(left, right) => {
            return Some(body.code.product(known(body, left)?, known(body, right)?));
        }
    };
    is_known.then(|| body.length(length))
}
