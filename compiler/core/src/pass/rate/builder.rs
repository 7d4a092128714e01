//! Blocks by hand, for the tests of `rate` and `cluster`.
//!
//! Invariant: what is built is well formed: each variable is bound once, before it is used, with a type
//! that agrees.
//!
//! ```text
//! let mut b = Builder::default(); let n = b.size("n"); let xs = b.param("xs", n);
//! let s = b.fold("s", &[xs], &[]); b.rate("f", &[s])
//! ```

use crate::ids::{FuncId, VarId};
use crate::ir::cnf::{
    Atom, Bind, Block, Callee, Extent, Op, Order, Prefix, SizeDef, SizeInfo, Type, Var, Worker,
};
use crate::ir::effect::Effect;
use crate::ir::graph::Graph;
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

/// A block while it is built.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    pub(crate) tables: Tables,
    pub(crate) binds: Vec<Bind>,
}

impl Builder {
    /// A size of a parameter.
    pub(crate) fn size(&mut self, name: &str) -> Extent {
        self.size_of(name, SizeDef::Param)
    }

    /// A size with a definition.
    pub(crate) fn size_of(&mut self, name: &str, def: SizeDef) -> Extent {
        Extent::Size(self.tables.sizes.push(SizeInfo { name: Name::new(name), def }))
    }

    /// An array from outside.
    pub(crate) fn param(&mut self, name: &str, size: Extent) -> VarId {
        self.array_var(name, &[size])
    }

    /// `name = map (\x… -> x + … + free) inputs`.
    pub(crate) fn map(&mut self, name: &str, inputs: &[VarId], free: &[VarId]) -> VarId {
        let out = self.array_var(name, &[self.extent(inputs[0])]);
        let worker = self.worker(inputs.len(), free);
        self.bind(&[out], Op::Map { worker, inputs: inputs.to_vec() });
        out
    }

    /// `name… = filter (\x… -> …) inputs keeping keep`, one result for each name.
    pub(crate) fn filter_keeping(
        &mut self,
        names: &[&str],
        inputs: &[VarId],
        keep: &[VarId],
        free: &[VarId],
    ) -> Vec<VarId> {
        let size = self.size_of(&format!("k_{}", names[0]), SizeDef::Exists);
        let outs: Vec<VarId> = names.iter().map(|name| self.array_var(name, &[size])).collect();
        let worker = self.worker(inputs.len(), free);
        let (inputs, keep) = (inputs.to_vec(), keep.to_vec());
        self.bind(&outs, Op::Filter { worker, inputs, keep });
        outs
    }

    /// `name = filter (\x -> …) input`.
    pub(crate) fn filter(&mut self, name: &str, input: VarId, free: &[VarId]) -> VarId {
        self.filter_keeping(&[name], &[input], &[input], free)[0]
    }

    /// `name = fold (\acc x… -> …) 0 inputs`.
    pub(crate) fn fold(&mut self, name: &str, inputs: &[VarId], free: &[VarId]) -> VarId {
        let out = self.scalar_var(name);
        let worker = self.worker(inputs.len() + 1, free);
        let (init, inputs) = (vec![Atom::Const(Const::i64(0))], inputs.to_vec());
        self.bind(&[out], Op::Fold { order: Order::Associative, worker, init, inputs });
        out
    }

    /// `name = scan (\acc x -> …) 0 input`.
    pub(crate) fn scan(&mut self, name: &str, input: VarId, free: &[VarId]) -> VarId {
        let out = self.array_var(name, &[self.extent(input)]);
        let worker = self.worker(2, free);
        let init = vec![Atom::Const(Const::i64(0))];
        self.bind(
            &[out],
            Op::Scan { prefix: Prefix::Inclusive, worker, init, inputs: vec![input] },
        );
        out
    }

    /// `name = map (\x -> a row) input`.
    pub(crate) fn map_rows(&mut self, name: &str, input: VarId, width: Extent) -> VarId {
        let out = self.array_var(name, &[self.extent(input), width]);
        let (param, row) = (self.scalar_var("p"), self.array_var("row", &[width]));
        let body = Block { binds: vec![], results: vec![Atom::Var(row)] };
        let worker = Worker { params: vec![param], body };
        self.bind(&[out], Op::Map { worker, inputs: vec![input] });
        out
    }

    /// `name = fold (\acc row -> …) start rows`, where a row is folded with a row.
    pub(crate) fn fold_rows(&mut self, name: &str, rows: VarId) -> VarId {
        let Type::Array { shape, .. } = &self.tables.vars[rows].ty else {
            panic!("{rows} is a scalar")
        };
        let width = shape[1];
        let start = self.param("start", width);
        let [acc, row, out] = ["acc", "row", name].map(|name| self.array_var(name, &[width]));
        let body = Block { binds: vec![], results: vec![Atom::Var(row)] };
        let worker = Worker { params: vec![acc, row], body };
        let init = vec![Atom::Var(start)];
        let op = Op::Fold { order: Order::Strict, worker, init, inputs: vec![rows] };
        self.bind(&[out], op);
        out
    }

    /// `name = generate size (\i -> …)`, where the size is the value of a scalar.
    pub(crate) fn generate(&mut self, name: &str, size: VarId, free: &[VarId]) -> VarId {
        let extent = self.size_of(&format!("k_{name}"), SizeDef::Value(size));
        let out = self.array_var(name, &[extent]);
        let worker = self.worker(1, free);
        self.bind(&[out], Op::Generate { size: Atom::Var(size), worker });
        out
    }

    /// `name = gather data indices`.
    pub(crate) fn gather(&mut self, name: &str, data: VarId, indices: VarId) -> VarId {
        let out = self.array_var(name, &[self.extent(indices)]);
        self.bind(&[out], Op::Gather { data: vec![data], indices });
        out
    }

    /// `left', right' = cross left right`, called `name_0` and `name_1`.
    pub(crate) fn cross(&mut self, name: &str, left: VarId, right: VarId) -> [VarId; 2] {
        let product = SizeDef::Product(self.extent(left), self.extent(right));
        let size = self.size_of(&format!("k_{name}"), product);
        let outs = ["0", "1"].map(|side| self.array_var(&format!("{name}_{side}"), &[size]));
        self.bind(&outs, Op::Cross { left: vec![left], right: vec![right] });
        outs
    }

    /// `name = f args`, an array of its own size.
    pub(crate) fn call_array(&mut self, name: &str, args: &[VarId]) -> VarId {
        let size = self.size_of(&format!("k_{name}"), SizeDef::Exists);
        let out = self.array_var(name, &[size]);
        self.call(&[out], args);
        out
    }

    /// `name = f args`, a scalar.
    pub(crate) fn call_scalar(&mut self, name: &str, args: &[VarId]) -> VarId {
        let out = self.scalar_var(name);
        self.call(&[out], args);
        out
    }

    /// `name = map (\x… -> f x…) inputs`, where the call of `f` has an effect.
    pub(crate) fn map_with_effect(&mut self, name: &str, inputs: &[VarId]) -> VarId {
        let out = self.map(name, inputs, &[]);
        let call = self.effect();
        self.effect_in_last(call);
        out
    }

    /// `name = filter (\x -> f x) input`, where the call of `f` has an effect.
    pub(crate) fn filter_with_effect(&mut self, name: &str, input: VarId) -> VarId {
        let out = self.filter(name, input, &[]);
        let call = self.effect();
        self.effect_in_last(call);
        out
    }

    /// `name = fold (\acc x -> f acc x) 0 input`, where the call of `f` has an effect.
    pub(crate) fn fold_with_effect(&mut self, name: &str, input: VarId) -> VarId {
        let out = self.fold(name, &[input], &[]);
        let call = self.effect();
        self.effect_in_last(call);
        out
    }

    /// `f`, which has an effect and gives nothing.
    pub(crate) fn call_with_effect(&mut self) {
        let call = self.effect();
        self.binds.push(call);
    }

    fn effect(&mut self) -> Bind {
        self.call(&[], &[]);
        let mut call = self.binds.pop().expect("the call was bound");
        if let Op::Call { effect, .. } = &mut call.op {
            *effect = Effect::Io;
        }
        call
    }

    /// Puts the call into the worker of the last binding.
    fn effect_in_last(&mut self, call: Bind) {
        let last = self.binds.last_mut().expect("there is a binding");
        for worker in last.op.workers_mut() {
            worker.body.binds.insert(0, call.clone());
        }
    }

    /// `name = left + right`.
    pub(crate) fn add(&mut self, name: &str, left: VarId, right: VarId) -> VarId {
        let out = self.scalar_var(name);
        self.bind(&[out], Op::Bin(BinOp::Add, Atom::Var(left), Atom::Var(right)));
        out
    }

    /// `name = length array`.
    pub(crate) fn length(&mut self, name: &str, array: VarId) -> VarId {
        let out = self.scalar_var(name);
        self.bind(&[out], Op::Length { array, dim: 0 });
        out
    }

    /// `name = array[0]`.
    pub(crate) fn index(&mut self, name: &str, array: VarId) -> VarId {
        let out = self.scalar_var(name);
        self.bind(&[out], Op::Index { array, indices: vec![Atom::Const(Const::i64(0))] });
        out
    }

    /// Any binding.
    pub(crate) fn bind(&mut self, vars: &[VarId], op: Op) {
        let span = Span::new(crate::ids::FileId::from_u32(0), 0, 0);
        self.binds.push(Bind { vars: vars.to_vec(), op, span });
    }

    /// A new array variable.
    pub(crate) fn array_var(&mut self, name: &str, shape: &[Extent]) -> VarId {
        let ty = Type::Array { elem: Scalar::I64, shape: shape.to_vec() };
        self.tables.vars.push(Var { name: Name::new(name), ty })
    }

    /// A new scalar variable.
    pub(crate) fn scalar_var(&mut self, name: &str) -> VarId {
        self.tables.vars.push(Var { name: Name::new(name), ty: Type::Scalar(Scalar::I64) })
    }

    /// A worker that adds its parameters, the free scalars, and the first elements of the free arrays.
    pub(crate) fn worker(&mut self, params: usize, free: &[VarId]) -> Worker {
        let params: Vec<VarId> = (0..params).map(|_| self.scalar_var("p")).collect();
        let outer = std::mem::take(&mut self.binds);
        let mut sum = params[0];
        for &more in params[1..].iter().chain(free) {
            let more =
                if self.tables.vars[more].ty.is_array() { self.index("e", more) } else { more };
            sum = self.add("s", sum, more);
        }
        let binds = std::mem::replace(&mut self.binds, outer);
        Worker { params, body: Block { binds, results: vec![Atom::Var(sum)] } }
    }

    /// The size of an array.
    pub(crate) fn extent(&self, array: VarId) -> Extent {
        match &self.tables.vars[array].ty {
            Type::Array { shape, .. } => shape[0],
            Type::Scalar(_) => panic!("{array} is a scalar"),
        }
    }

    /// The block, yielding the results given.
    pub(crate) fn block(&self, results: &[VarId]) -> Block {
        Block {
            binds: self.binds.clone(),
            results: results.iter().map(|&var| Atom::Var(var)).collect(),
        }
    }

    /// The graph of the block.
    pub(crate) fn graph(&self, name: &str, results: &[VarId]) -> Graph {
        let graph = super::rate(name.to_owned(), self.block(results), &self.tables);
        if let Err(error) = graph.verify() {
            panic!("{error}\n{graph}");
        }
        graph
    }

    fn call(&mut self, outs: &[VarId], args: &[VarId]) {
        let args = args.iter().map(|&var| Atom::Var(var)).collect();
        self.bind(
            outs,
            Op::Call { callee: Callee::Function(FuncId::from_u32(0)), args, effect: Effect::Pure },
        );
    }
}
