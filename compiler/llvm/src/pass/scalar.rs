//! A pass as a scalar loop: one element a step. LLVM vectorises what it can.
//!
//! Invariant: accumulators and counters are allocas of the frame that only this pass touches, which
//! LLVM turns into registers; everything else is a value.
//!
//! ```text
//! ys = newVec n; s = newAcc 0       %ys = call @arr_rt_alloc(…)   store 0, %s
//! for i < n                         loop: %i = phi …
//!   x = next i xs                     %x = load …
//!   s := x + s; write i ys x          %s1 = load %s …  store …
//! ```

use std::rc::Rc;

use arrc_core::ids::{AccId, SecondaryMap, VarId};
use arrc_core::ir::cnf::{Atom, Order};
use arrc_core::ir::procedure::concrete::{
    End, Length, Loop, Nest, Position, Procedure, Start, Stmt, Worker, Written,
};
use arrc_core::prim::Scalar;
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::guard;
use crate::aliasing::Aliasing;
use crate::function::Body;
use crate::runtime::{Failure, RuntimeFn};
use crate::unit::built;
use crate::value::{Array, Value};

/// A pass that is being lowered.
pub(super) struct Pass<'b, 'u, 'ctx, 'p> {
    pub(super) body: &'b mut Body<'u, 'ctx, 'p>,
    procedure: &'p Procedure,
    /// Where each accumulator is.
    accs: SecondaryMap<AccId, Option<PointerValue<'ctx>>>,
}

/// Lowers a pass.
pub(super) fn lower<'ctx, 'p>(body: &mut Body<'_, 'ctx, 'p>, procedure: &'p Procedure) {
    let vectors = vectors_of(procedure);
    let aliasing = Aliasing::new(&mut body.code, &vectors, body.aliasing.as_deref());
    let outer = body.aliasing.replace(Rc::new(aliasing));
    let mut pass = Pass { body, procedure, accs: SecondaryMap::new() };
    pass.allocate_accs();
    for start in &procedure.start {
        pass.start(start);
    }
    pass.nest(&procedure.nest);
    for end in &procedure.end {
        pass.end(end);
    }
    pass.body.aliasing = outer;
}

fn vectors_of(procedure: &Procedure) -> Vec<VarId> {
    let vector = |start: &Start| match start {
        Start::NewVec { vec, .. } => Some(*vec),
        Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    };
    procedure.start.iter().filter_map(vector).collect()
}

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    fn allocate_accs(&mut self) {
        for (id, acc) in self.procedure.accs.iter() {
            let ty = self.body.code.types.scalar(self.acc_type(id));
            self.accs[id] = Some(self.body.code.alloca(ty, &acc.name));
        }
    }

    /// Entry counters start at 0; all other accumulators have a [`Start::NewAcc`] after that.
    fn zero_counter(&self, acc: AccId) {
        self.set_acc(acc, self.body.code.size(0).into());
    }

    fn start(&mut self, start: &'p Start) {
        match start {
            Start::CheckSize { size, span } => {
                let word = self.body.code.unit.first_word(*span);
                let site = self.body.code.unit.site(*span, &word);
                let size = self.body.int(*size);
                let code = &self.body.code;
                let ok = code.compare(IntPredicate::SGE, size, code.size(0));
                code.check(ok, Failure::Size, site, [size, code.size(0)]);
            }
            Start::NewVec { vec, capacity, span } => {
                let name = self.body.function.vars[*vec].name.clone();
                let site = self.body.code.unit.site(*span, &name);
                let (elem, dimensions) = self.body.array_type(*vec);
                let shape = self.shape(capacity, dimensions);
                let vector = self.body.code.allocate(elem, shape, site);
                self.body.bind(*vec, Value::Vector(vector));
            }
            Start::NewAcc { acc, init } => self.set_acc(*acc, self.body.scalar(*init)),
        }
    }

    fn nest(&mut self, nest: &'p Loop) {
        for counter in guard::counters(nest) {
            self.zero_counter(counter);
        }
        self.counted(nest);
    }

    fn counted(&mut self, nest: &'p Loop) {
        let length = self.length(&nest.length);
        let counted = self.body.code.begin_loop(length);
        self.body.bind(nest.counter, Value::Scalar(counted.counter.into()));
        self.inside(&nest.body, &nest.inner);
        self.body.code.end_loop(&counted);
    }

    /// The body of a loop or guard, and what is nested in it.
    pub(super) fn inside(&mut self, body: &'p [Stmt], inner: &'p [Nest]) {
        for stmt in body {
            self.stmt(stmt);
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => self.counted(nest),
                Nest::Guard(guard) => self.guard(guard),
            }
        }
    }

    pub(super) fn stmt(&mut self, stmt: &'p Stmt) {
        match stmt {
            Stmt::Next { elem, index, array } => {
                let (scalar, _) = self.body.array_type(*array);
                let array = self.body.array(*array);
                let index = self.position(index);
                let value = self.body.read_element(scalar, &array, index);
                self.body.bind(*elem, Value::Scalar(value));
            }
            Stmt::Position { elem, index } => {
                let index = self.position(index);
                self.body.bind_same(*elem, Value::Scalar(index.into()));
            }
            Stmt::Copy { elem, from } => {
                let value = self.body.atom(*from);
                self.body.bind_same(*elem, value);
            }
            Stmt::Apply { elems, worker, args } => {
                let args = args.iter().map(|&arg| self.body.scalar(arg)).collect();
                for (&elem, result) in elems.iter().zip(self.apply(worker, args)) {
                    self.body.bind_same(elem, result);
                }
            }
            Stmt::Read { elem, array, index, span } => {
                let value = self.body.index(*array, &[*index], *span);
                self.body.bind(*elem, Value::Scalar(value));
            }
            Stmt::Update { accs, order, worker, args } => {
                let args = args.iter().map(|&arg| self.body.scalar(arg)).collect();
                let results = self.update(accs, *order, worker, args);
                for (&acc, result) in accs.iter().zip(results) {
                    self.set_acc(acc, result);
                }
            }
            Stmt::Write { vec, index, elem } => self.write(*vec, index, *elem),
        }
    }

    /// The new values of accumulators.
    pub(super) fn update(
        &mut self,
        accs: &[AccId],
        order: Order,
        worker: &'p Worker,
        elems: Vec<BasicValueEnum<'ctx>>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        for &param in worker.params.iter().take(accs.len()) {
            self.body.free_order[param] = match order {
                Order::Strict => false,
                Order::Associative | Order::Commutative => true,
            };
        }
        let mut args: Vec<_> = accs.iter().map(|&acc| self.acc(acc)).collect();
        args.extend(elems);
        let results = self.apply(worker, args);
        results
            .iter()
            .zip(&worker.body.results)
            .map(|(result, atom)| scalar_of(result, *atom))
            .collect()
    }

    fn apply(&mut self, worker: &'p Worker, args: Vec<BasicValueEnum<'ctx>>) -> Vec<Value<'ctx>> {
        assert_eq!(worker.params.len(), args.len(), "a worker has as many arguments as parameters");
        for (&param, arg) in worker.params.iter().zip(args) {
            self.body.bind_same(param, Value::Scalar(arg));
        }
        self.body.block(&worker.body)
    }

    pub(super) fn write(&mut self, vec: VarId, index: &Position, elem: Atom) {
        let (scalar, _) = self.body.array_type(vec);
        let index = self.position(index);
        let code = &self.body.code;
        let at = code.element(scalar, self.body.var(vec).vector(vec).data, index);
        let value = code.to_memory(scalar, self.body.scalar(elem));
        let store = built(code.b.build_store(at, value));
        if let Some(aliasing) = &self.body.aliasing {
            aliasing.describe_store(code, store, vec);
        }
    }

    fn end(&mut self, end: &'p End) {
        match end {
            End::Read { result, acc } => {
                let value = self.acc(*acc);
                self.body.bind(*result, Value::Scalar(value));
            }
            End::Slice { vec, length } => {
                let vector = self.body.var(*vec).vector(*vec).clone();
                let array = match length {
                    Written::All => vector,
                    Written::Counted(counter) => self.slice(*vec, &vector, *counter),
                };
                self.body.bind(*vec, Value::Array(array));
            }
        }
    }

    /// A vector cut to what was written, which may move it.
    fn slice(&self, vec: VarId, vector: &Array<'ctx>, counter: AccId) -> Array<'ctx> {
        let (elem, dimensions) = self.body.array_type(vec);
        assert_eq!(dimensions, 1, "only vectors are cut, and {vec} is none");
        let code = &self.body.code;
        let count = self.acc(counter).into_int_value();
        let args = [vector.owner.into(), code.byte_count(elem, count).into()];
        let owner = code.call_runtime(RuntimeFn::Slice, &args).into_pointer_value();
        Array { data: code.elements(owner), owner, shape: vec![count] }
    }

    /// The extents of an array that has `length` elements: the factors, if it has several dimensions.
    fn shape(&self, length: &Length, dimensions: usize) -> Vec<IntValue<'ctx>> {
        if dimensions == 1 {
            return vec![self.length(length)];
        }
        let mut factors = Vec::new();
        self.factors(length, &mut factors);
        assert_eq!(
            factors.len(),
            dimensions,
            "the length of an array is the product of its extents"
        );
        factors
    }

    fn factors(&self, length: &Length, into: &mut Vec<IntValue<'ctx>>) {
        match length {
            Length::Array(_) | Length::Value(_) => into.push(self.length(length)),
            Length::Product(a, b) => {
                self.factors(a, into);
                self.factors(b, into);
            }
        }
    }

    fn length(&self, length: &Length) -> IntValue<'ctx> {
        match length {
            Length::Array(array) => self.body.var(*array).array(*array).shape[0],
            Length::Value(size) => self.body.int(*size),
            Length::Product(a, b) => self.body.code.product(self.length(a), self.length(b)),
        }
    }

    fn position(&self, position: &Position) -> IntValue<'ctx> {
        match position {
            Position::Var(var) => self.body.int(Atom::Var(*var)),
            Position::Product { outer, length, inner } => {
                let code = &self.body.code;
                let row = code.mul_index(self.body.int(Atom::Var(*outer)), self.length(length));
                code.add_index(row, self.body.int(Atom::Var(*inner)))
            }
        }
    }

    /// The first value of an accumulator; none for an entry counter.
    pub(super) fn init(&self, acc: AccId) -> Option<Atom> {
        self.procedure.start.iter().find_map(|start| match start {
            Start::NewAcc { acc: new, init } if *new == acc => Some(*init),
            Start::NewAcc { .. } | Start::CheckSize { .. } | Start::NewVec { .. } => None,
        })
    }

    pub(super) fn acc_type(&self, acc: AccId) -> Scalar {
        self.procedure.accs[acc].ty.as_scalar().unwrap_or_else(|| panic!("{acc} is a scalar"))
    }

    /// The value of an accumulator.
    pub(super) fn acc(&self, acc: AccId) -> BasicValueEnum<'ctx> {
        let name = &self.procedure.accs[acc].name;
        self.body.code.load(
            self.body.code.types.scalar(self.acc_type(acc)),
            self.acc_place(acc),
            name,
        )
    }

    /// Changes the value of an accumulator.
    pub(super) fn set_acc(&self, acc: AccId, value: BasicValueEnum<'ctx>) {
        self.body.code.store(self.acc_place(acc), value);
    }

    fn acc_place(&self, acc: AccId) -> PointerValue<'ctx> {
        self.accs[acc]
            .unwrap_or_else(|| panic!("{acc} is an accumulator of {}", self.procedure.name))
    }
}

fn scalar_of<'ctx>(value: &Value<'ctx>, atom: Atom) -> BasicValueEnum<'ctx> {
    match value {
        Value::Scalar(scalar) => *scalar,
        Value::Array(_) | Value::Vector(_) => panic!("an accumulator is a scalar, not {atom:?}"),
    }
}
