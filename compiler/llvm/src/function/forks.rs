//! Calls that may run at the same time. They become closures for the runtime where they have enough work, and plain
//! calls in their order elsewhere.
//!
//! The arguments are in a frame that all calls read, and each call stores its results in fields of its own. The frame
//! is in a function of its own, so that recursion without forks takes no more of the stack. A call that appends to the
//! result of the call before it does so if it follows that call in the same thread. Otherwise it appends to an empty
//! array, and its result is appended when all calls are done.
//!
//! The work of a call is the number of elements of the arrays that it gets, if the callee recurses, and otherwise the
//! estimated time of the callee, as a number of elements.
//!
//! Invariant: the arrays that other threads get are in buffers whose reference count several threads may change. So
//! no small buffer is passed to another thread.
//!
//! ```text
//! l = fork f xs; r = call f ys
//! ⇒ elements = min(length xs, length ys)     the sum of the lengths of all calls but the longest
//!   elements >= ctx.tasks_from && owners are not small ?
//!     arr.g.fork(ctx, xs, ys, &l, &r)        frame = { xs, ys }; arr_rt_fork(ctx, { arr.g.task, arr.g.task.1 }, frame)
//!     : { l = f xs; r = f ys }
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::layout::{ELEMENT, LIST, TASKS};
use arrc_fusion::cnf::{Atom, Callee, Type};
use arrc_loops::concrete::def_use::{defines, uses};
use arrc_loops::concrete::{ChainedAppend, Cost, Step, is_sliced};
use arrc_syntax::ids::VarId;
use indexmap::{IndexMap, IndexSet};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::StructType;
use inkwell::values::{FunctionValue, IntValue, PointerValue};

use super::record_fields::HandedValue;
use crate::code::{FunctionBuilder, OnFailure};
use crate::function::declare::declare_as;
use crate::function::function_body::Body;
use crate::loops::time;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// A call of a fork.
struct ForkedCall<'p> {
    step: &'p Step,
    /// The results of the call before, to which this call appends.
    chained: Vec<ChainedAppend>,
}

/// The arguments and results of all calls, as fields of a struct, and whether each call followed the one before it.
struct ForkFrame<'ctx> {
    ty: StructType<'ctx>,
    /// The arguments that are variables bound before the first call.
    vars: Vec<VarId>,
    /// The number of results of all calls.
    results: usize,
}

/// The elements of one result in a chain of calls. Each call appends to the result of the call before it.
#[derive(Clone)]
struct ResultChain<'ctx> {
    /// The elements from the calls before those of `open`.
    done: Array<'ctx>,
    /// The elements from the last calls of the chain, which followed each other in the same thread.
    open: Array<'ctx>,
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers the calls of a fork.
    pub(crate) fn fork(&mut self, calls: &'p [Step]) {
        let tasks = self.tasks(calls);
        let made: Vec<_> = tasks.iter().flat_map(|task| defines(task.step)).collect();
        let chained: IndexSet<_> =
            tasks.iter().flat_map(|task| &task.chained).map(|chained| chained.array).collect();
        let results: Vec<_> = made.into_iter().filter(|var| !chained.contains(var)).collect();

        let blocks = ["fork", "forked", "in.order", "joined"];
        let [large, fork, plain, next] = blocks.map(|name| self.code.block(name));
        let measured =
            self.read_fields(tasks.iter().flat_map(|task| self.measures(task)).collect::<Vec<_>>());
        let elements = self.elements(&tasks);
        self.forget_fields(measured);
        self.code.branch(self.is_worth(elements), large, plain);
        self.code.b.position_at_end(large);
        let given = self.read_fields(arguments(&tasks));
        self.code.branch(self.are_shareable(&tasks), fork, plain);

        let sizes = self.sizes.clone();
        self.code.b.position_at_end(fork);
        let apart = self.call_fork(&tasks, &results);
        self.forget_fields(given);
        let apart = apart.into_iter().map(HandedValue::Value).collect();
        let from_fork = self.code.current_block();
        self.code.jump(next);
        self.sizes = sizes.clone();

        self.code.b.position_at_end(plain);
        calls.iter().for_each(|call| self.step(call));
        let in_order: Vec<_> = results.iter().map(|&var| self.held(Atom::Var(var))).collect();
        let from_plain = self.code.current_block();
        self.code.jump(next);
        self.sizes = sizes;

        self.code.b.position_at_end(next);
        let merged = self.merge_held([(apart, from_fork), (in_order, from_plain)]);
        for (&var, value) in results.iter().zip(merged) {
            self.bind_held(var, value);
        }
    }

    fn tasks(&self, calls: &'p [Step]) -> Vec<ForkedCall<'p>> {
        let program = self.code.unit.program;
        let before = std::iter::once(None).chain(calls.iter().map(Some));
        let tasks = calls.iter().zip(before).map(|(step, before)| {
            let chained = before.map_or_else(Vec::new, |before| program.chained(before, step));
            ForkedCall { step, chained }
        });
        tasks.collect()
    }

    /// The number of elements of all calls but the call with the most. If a call appends, they count half, since
    /// results are copied once more.
    fn elements(&self, tasks: &[ForkedCall<'p>]) -> IntValue<'ctx> {
        let code = &self.code;
        let none = code.size(0);
        let most = |a: IntValue<'ctx>, b: IntValue<'ctx>| {
            let args = [a.into(), b.into()];
            code.call_intrinsic("llvm.smax", &[code.types.i64.into()], &args).into_int_value()
        };
        let sizes = tasks.iter().map(|task| {
            if let Some(time) = self.time_of_part(task.step) {
                return built(code.b.build_int_unsigned_div(time, code.size(ELEMENT), "elements"));
            }
            let arrays = self.measures(task);
            let lengths = arrays.into_iter().map(|array| code.count(&self.array(array).shape));
            lengths.reduce(most).unwrap_or(none)
        });
        let sizes: Vec<_> = sizes.collect();
        let sum = sizes.iter().copied().fold(none, |a, b| code.add_index(a, b));
        let longest = sizes.into_iter().fold(none, most);
        let elements = built(code.b.build_int_sub(sum, longest, "elements"));
        let appends = u64::from(tasks.iter().any(|task| !task.chained.is_empty()));
        built(code.b.build_right_shift(elements, code.size(appends), false, "elements"))
    }

    /// The arrays whose lengths measure the work of a call.
    fn measures(&self, task: &ForkedCall<'p>) -> Vec<VarId> {
        self.code.unit.program.measures(self.function, task.step)
    }

    /// The estimated time of a call of a function that does not recurse, in picoseconds.
    fn time_of_part(&self, call: &Step) -> Option<IntValue<'ctx>> {
        let Step::Call { callee: Callee::Function(callee), args, .. } = call else { return None };
        let callee = &self.code.unit.program.functions[*callee];
        if callee.recursive {
            return None;
        }
        let given: IndexMap<_, _> =
            callee.params.iter().copied().zip(args.iter().copied()).collect();
        let cost = Cost::in_order(&callee.body.steps, &callee.tables.vars)
            .with_arguments(&given, &callee.tables);
        Some(time(self, &cost))
    }

    /// Whether this number of elements is worth several threads.
    fn is_worth(&self, elements: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.code;
        let from = code.load(code.types.i64, code.byte_offset(code.context, TASKS), "tasks.from");
        // If `from` is 0, no number of elements is worth it: `below` is the largest number then.
        let below = built(code.b.build_int_sub(from.into_int_value(), code.size(1), "tasks.below"));
        code.compare(IntPredicate::UGT, elements, below)
    }

    /// Whether none of the arrays that other threads get is in a small buffer.
    fn are_shareable(&self, tasks: &[ForkedCall<'p>]) -> IntValue<'ctx> {
        let code = &self.code;
        let chained =
            |task: &ForkedCall<'p>, var: VarId| task.chained.iter().any(|of| of.array == var);
        let given = tasks
            .iter()
            .skip(1)
            .flat_map(|task| uses(task.step).into_iter().filter(move |&var| !chained(task, var)));
        let arrays: IndexSet<_> = given.filter(|&var| self.type_of(var).is_array()).collect();
        built(code.b.build_not(self.any_small(arrays), ""))
    }

    /// Whether one of these arrays is in a small buffer, whose reference count only one thread may change.
    pub(crate) fn any_small(&self, arrays: impl IntoIterator<Item = VarId>) -> IntValue<'ctx> {
        let code = &self.code;
        let lists = arrays.into_iter().map(|var| {
            let owner = self.array(var).owner;
            let is_none = built(code.b.build_is_null(owner, ""));
            let none = code.unit.zero().into();
            let list = code.select(is_none, none, code.byte_offset(owner, LIST).into());
            code.load(code.types.i32, list.into_pointer_value(), "list").into_int_value()
        });
        let zero = code.types.i32.const_zero();
        let any = lists.fold(zero, |a, b| built(code.b.build_or(a, b, "")));
        code.compare(IntPredicate::NE, any, zero)
    }

    /// Defines the function that makes the calls at the same time, and calls it; gives the results.
    fn call_fork(
        &mut self,
        tasks: &[ForkedCall<'p>],
        results: &[VarId],
    ) -> Vec<LoweredValue<'ctx>> {
        let vars = arguments(tasks);
        let types: Vec<_> = results.iter().map(|&var| self.type_of(var)).collect();
        let given: Vec<_> = vars.iter().map(|&var| self.type_of(var)).collect();
        let name = format!("arr.{}.fork", self.function.name);
        let llvm = declare_as(self.code.unit, &name, &given, &types);
        llvm.add_attribute(AttributeLoc::Function, self.code.unit.attribute("noinline", 0));
        let mut inner = Body::new(self.code.unit, llvm, self.function);
        let outs = inner.bind_params(&[], &vars);
        inner.run_fork(tasks, vars.clone());
        let found: Vec<_> =
            results.iter().map(|&var| (inner.type_of(var), inner.var(var).clone())).collect();
        inner.return_results(&found, &outs);
        let args: Vec<_> = vars.iter().map(|&var| self.var(var).clone()).collect();
        self.code.call(llvm, &types, &args, None)
    }

    /// Makes the calls, and binds their results.
    fn run_fork(&mut self, tasks: &[ForkedCall<'p>], vars: Vec<VarId>) {
        let frame = ForkFrame::new(self, vars, tasks);
        let calls: Vec<_> = (0..tasks.len()).map(|at| frame.define(self, tasks, at)).collect();
        let elements = self.elements(tasks);
        let place = frame.fill(self);
        let forked = self.describe(&calls, self.are_sliced(tasks));
        let args = [self.code.context.into(), forked.into(), place.into(), elements.into()];
        let code = self.code.call_runtime(RuntimeFn::Fork, &args);
        self.code.check_code(code.into_int_value(), None);
        let mut chains: IndexMap<VarId, ResultChain<'ctx>> = IndexMap::new();
        for (at, task) in tasks.iter().enumerate() {
            for (result, var) in defines(task.step).into_iter().enumerate() {
                let field = frame.result(&self.code, place, tasks, (at, result));
                let value = self.code.load_result(self.type_of(var), field);
                let chained = task.chained.iter().find(|chained| chained.result == result);
                let Some(chained) = chained else {
                    self.bind(var, value);
                    continue;
                };
                let before = chains.swap_remove(&chained.array).unwrap_or_else(|| ResultChain {
                    done: empty_array(&self.code),
                    open: self.array(chained.array),
                });
                let follows = frame.follows(&self.code, place, at);
                let done = self.close(&before, follows, (var, task.step));
                let open = value.array(var).clone();
                chains.insert(var, ResultChain { done, open });
            }
        }
        let last = tasks.last().expect("a fork has calls").step;
        for (var, chain) in chains {
            let follows = self.code.types.i32.const_zero();
            let whole = self.close(&chain, follows, (var, last));
            self.bind(var, LoweredValue::Array(whole));
        }
    }

    /// The finished elements of a chain before its next call. If that call follows in the same thread, it has taken
    /// over `open`, and they are `done`. Otherwise they are `done` and `open`, one after the other.
    fn close(
        &mut self,
        chain: &ResultChain<'ctx>,
        follows: IntValue<'ctx>,
        (var, call): (VarId, &Step),
    ) -> Array<'ctx> {
        let Step::Call { span, .. } = call else { panic!("a fork has calls only") };
        let (elem, _) = self.array_type(var);
        let site = self.code.unit.site(*span, &self.function.tables.vars[var].name.clone());
        let blocks = ["apart", "first", "behind", "closed"];
        let [apart, first, behind, closed] = blocks.map(|name| self.code.block(name));
        let zero = self.code.types.i32.const_zero();
        let from_followed = self.code.current_block();
        self.code.branch(self.code.compare(IntPredicate::EQ, follows, zero), apart, closed);
        self.code.b.position_at_end(apart);
        let is_first = built(self.code.b.build_is_null(chain.done.data, ""));
        self.code.branch(is_first, first, behind);
        self.code.b.position_at_end(first);
        self.code.jump(closed);
        self.code.b.position_at_end(behind);
        let whole = self.append_array(elem, &chain.done, &chain.open, site);
        self.code.release(&chain.open);
        let from_behind = self.code.current_block();
        self.code.jump(closed);
        self.code.b.position_at_end(closed);
        let incoming = [(&chain.done, from_followed), (&chain.open, first), (&whole, from_behind)];
        self.code.merge_arrays(incoming)
    }

    /// Whether threads can share each loop of the functions that recurse in the calls.
    fn are_sliced(&self, tasks: &[ForkedCall<'p>]) -> bool {
        let functions = &self.code.unit.program.functions;
        tasks.iter().all(|task| {
            let Step::Call { callee: Callee::Function(callee), .. } = task.step else {
                return false;
            };
            functions[*callee].recursive && is_sliced(&functions[*callee].body)
        })
    }

    /// The description of the calls for the runtime: [`arr_abi::layout::Forked`].
    fn describe(&self, calls: &[FunctionValue<'ctx>], sliced: bool) -> PointerValue<'ctx> {
        let (code, ptr) = (&self.code, self.code.types.ptr);
        let pointer =
            |function: &FunctionValue<'ctx>| function.as_global_value().as_pointer_value();
        let list = ptr.const_array(&calls.iter().map(pointer).collect::<Vec<_>>());
        let list = code.unit.constant("tasks", &list).as_pointer_value();
        let count = code.size(u64::try_from(calls.len()).expect("a fork has few calls"));
        let sliced = code.types.i8.const_int(u64::from(sliced), false);
        let pace = code.unit.pace(&format!("arr.{}.pace", self.function.name));
        let pool = pointer(&code.unit.pool());
        let fields = [list.into(), count.into(), pace.into(), pool.into(), sliced.into()];
        let value = code.unit.context.const_struct(&fields, false);
        code.unit.constant("forked", &value).as_pointer_value()
    }
}

impl<'ctx> ForkFrame<'ctx> {
    fn new(body: &Body<'_, 'ctx, '_>, vars: Vec<VarId>, tasks: &[ForkedCall<'_>]) -> Self {
        let types = body.code.types;
        let results: Vec<_> = tasks.iter().flat_map(|task| defines(task.step)).collect();
        let fields = vars.iter().chain(&results).map(|&var| types.result(body.type_of(var)));
        let follows = tasks.iter().map(|_| types.i32.into());
        let fields: Vec<_> = fields.chain(follows).collect();
        let ty = body.code.unit.context.struct_type(&fields, false);
        Self { ty, vars, results: results.len() }
    }

    /// Makes the frame, and stores the arguments in it.
    fn fill(&self, body: &Body<'_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &body.code;
        let frame = code.alloca(self.ty.into(), "frame");
        for (at, &var) in self.vars.iter().enumerate() {
            code.store_result(body.type_of(var), body.var(var), self.field(code, frame, at));
        }
        frame
    }

    /// Defines the function that makes call `at`. It reads the arguments from the frame, and stores the results
    /// there.
    fn define<'p>(
        &self,
        body: &mut Body<'_, 'ctx, 'p>,
        tasks: &[ForkedCall<'p>],
        at: usize,
    ) -> FunctionValue<'ctx> {
        let types = body.code.types;
        let unit = &mut *body.code.unit;
        let params = [types.ptr.into(), types.ptr.into(), types.i32.into()];
        let signature = types.i32.fn_type(&params, false);
        let name = format!("arr.{}.task", body.function.name);
        let llvm = unit.module.add_function(&name, signature, Some(Linkage::Internal));
        unit.describe(llvm);
        let Step::Call { callee: Callee::Function(callee), args, span, .. } = tasks[at].step else {
            panic!("a fork calls functions only");
        };
        let site = unit.call_site(*span, *callee);
        let results: &'p [Type] = &unit.program.functions[*callee].results;
        let function = body.function;
        let mut code = FunctionBuilder::new(unit, llvm, OnFailure::Return);
        code.is_recursive = true;
        code.begin_lines(&name, *span);
        let frame = llvm.get_nth_param(1).expect("there are three").into_pointer_value();
        let follows = llvm.get_nth_param(2).expect("there are three").into_int_value();
        code.store(self.follows_place(&code, frame, at), follows);
        let arg = |&atom: &Atom| match atom {
            Atom::Const(value) => LoweredValue::Scalar(code.constant(value)),
            Atom::Var(var) => match self.vars.iter().position(|&other| other == var) {
                Some(place) => {
                    let ty = &function.tables.vars[var].ty;
                    code.load_result(ty, self.field(&code, frame, place))
                }
                None => {
                    let before = at.checked_sub(1).expect("the first call appends to nothing");
                    let result = defines(tasks[before].step).iter().position(|&of| of == var);
                    let result = result.expect("it appends to what the call before it gave");
                    let given = self.result(&code, frame, tasks, (before, result));
                    LoweredValue::Array(result_or_empty(
                        &code,
                        follows,
                        given,
                        &function.tables.vars[var].ty,
                    ))
                }
            },
        };
        let args = args.iter().map(arg).map(HandedValue::Value).collect();
        let values = code.call_function(*callee, args, site);
        for (result, (ty, value)) in results.iter().zip(values).enumerate() {
            let field = self.result(&code, frame, tasks, (at, result));
            code.store_result(ty, &value.value(&code), field);
        }
        built(code.b.build_return(Some(&types.i32.const_zero())));
        code.finish();
        llvm
    }

    /// The field of a result of a call.
    fn result(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
        tasks: &[ForkedCall<'_>],
        (task, result): (usize, usize),
    ) -> PointerValue<'ctx> {
        let before: usize = tasks[..task].iter().map(|task| defines(task.step).len()).sum();
        self.field(code, frame, self.vars.len() + before + result)
    }

    /// Whether a call followed the one before it in the same thread. Its results then contain those of that call.
    fn follows(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
        task: usize,
    ) -> IntValue<'ctx> {
        let place = self.follows_place(code, frame, task);
        code.load(code.types.i32, place, "follows").into_int_value()
    }

    fn follows_place(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
        task: usize,
    ) -> PointerValue<'ctx> {
        self.field(code, frame, self.vars.len() + self.results + task)
    }

    fn field(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
        at: usize,
    ) -> PointerValue<'ctx> {
        let at = u32::try_from(at).expect("a frame has few fields");
        built(code.b.build_struct_gep(self.ty, frame, at, ""))
    }
}

/// The variables among the arguments of the calls that are bound before the first call.
fn arguments(tasks: &[ForkedCall<'_>]) -> Vec<VarId> {
    let made: IndexSet<_> = tasks.iter().flat_map(|task| defines(task.step)).collect();
    let used: IndexSet<_> = tasks.iter().flat_map(|task| uses(task.step)).collect();
    used.into_iter().filter(|var| !made.contains(var)).collect()
}

/// The result of the call before, if this call follows it, and an empty array otherwise. In that case another thread
/// may be writing the result, so it is not read.
fn result_or_empty<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    follows: IntValue<'ctx>,
    given: PointerValue<'ctx>,
    ty: &Type,
) -> Array<'ctx> {
    let [behind, next] = ["behind", "next"].map(|name| code.block(name));
    let nothing = empty_array(code);
    let before = code.current_block();
    let is_apart = code.compare(IntPredicate::EQ, follows, code.types.i32.const_zero());
    code.branch(is_apart, next, behind);
    code.b.position_at_end(behind);
    let LoweredValue::Array(given) = code.load_result(ty, given) else {
        panic!("calls append to arrays")
    };
    let from_behind = code.current_block();
    code.jump(next);
    code.b.position_at_end(next);
    code.merge_arrays([(&nothing, before), (&given, from_behind)])
}

/// An array of one dimension without elements, to which a call appends.
fn empty_array<'ctx>(code: &FunctionBuilder<'_, 'ctx, '_>) -> Array<'ctx> {
    let null = code.types.ptr.const_null();
    Array { data: null, owner: null, shape: vec![code.size(0)] }
}
