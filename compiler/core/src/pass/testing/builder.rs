//! Programs in combinator normal form, built by hand.
//!
//! Invariant: what is built here is what the front end would give: each variable is bound once, and
//! the types carry the sizes.
//!
//! ```text
//! p.array("xs", n); p.map("ys", p.section(Add, 1), &[xs])   ⇒   ys = map (+ 1) xs
//! ```

use crate::ids::{EntityRef, FileId, PrimaryMap, SizeId, VarId};
use crate::ir::cnf::{
    Atom, Bind, Block, Extent, Function, Op, Order, SizeDef, SizeInfo, Type, Var, Worker,
};
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::prim::{BinOp, Const, Scalar};
use crate::source::Span;

/// A function under construction.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) vars: PrimaryMap<VarId, Var>,
    pub(crate) sizes: PrimaryMap<SizeId, SizeInfo>,
    params: Vec<VarId>,
    blocks: Vec<Vec<Bind>>,
}

/// An `i64` constant.
pub(crate) fn int(value: i64) -> Atom {
    Atom::Const(Const::i64(value))
}

/// The empty place.
pub(crate) fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self { blocks: vec![Vec::new()], ..Self::default() }
    }

    pub(crate) fn size(&mut self, name: &str, def: SizeDef) -> SizeId {
        self.sizes.push(SizeInfo { name: Name::new(name), def })
    }

    /// An array parameter of a size of its own.
    pub(crate) fn input(&mut self, name: &str) -> VarId {
        let size = self.size(&format!("n_{name}"), SizeDef::Param);
        self.input_of(name, size)
    }

    /// An array parameter of that size.
    pub(crate) fn input_of(&mut self, name: &str, size: SizeId) -> VarId {
        let param = self.var(name, array(Scalar::I64, size));
        self.params.push(param);
        param
    }

    /// A scalar parameter.
    pub(crate) fn scalar(&mut self, name: &str, ty: Scalar) -> VarId {
        let param = self.var(name, Type::Scalar(ty));
        self.params.push(param);
        param
    }

    pub(crate) fn size_of(&self, array: VarId) -> SizeId {
        match &self.vars[array].ty {
            Type::Array { shape, .. } => match shape[0] {
                Extent::Size(size) => size,
                Extent::Const(value) => panic!("a test uses symbols for sizes, not {value}"),
            },
            Type::Scalar(scalar) => panic!("an array, not a {scalar}"),
        }
    }

    pub(crate) fn var(&mut self, name: &str, ty: Type) -> VarId {
        self.vars.push(Var { name: Name::new(name), ty })
    }

    /// Adds a binding to the block under construction.
    pub(crate) fn bind(&mut self, vars: Vec<VarId>, op: Op) {
        let bind = Bind { vars, op, span: nowhere() };
        self.blocks.last_mut().expect("a block is under construction").push(bind);
    }

    pub(crate) fn block(&mut self, build: impl FnOnce(&mut Self) -> Vec<Atom>) -> Block {
        self.blocks.push(Vec::new());
        let results = build(self);
        let binds = self.blocks.pop().expect("the block was begun above");
        Block { binds, results }
    }

    pub(crate) fn worker(
        &mut self,
        params: &[(&str, Scalar)],
        build: impl FnOnce(&mut Self, &[VarId]) -> Vec<Atom>,
    ) -> Worker {
        let params = params.iter().map(|&(name, ty)| self.var(name, Type::Scalar(ty)));
        let params = params.collect::<Vec<_>>();
        let body = self.block(|b| build(b, &params));
        Worker { params, body }
    }

    /// `(op constant)`.
    pub(crate) fn section(&mut self, op: BinOp, right: i64) -> Worker {
        self.worker(&[("x", Scalar::I64)], |b, params| {
            vec![b.bin("t", op, Atom::Var(params[0]), int(right))]
        })
    }

    /// `op` as a worker of two parameters.
    pub(crate) fn operator(&mut self, op: BinOp) -> Worker {
        self.worker(&[("x", Scalar::I64), ("y", Scalar::I64)], |b, params| {
            vec![b.bin("t", op, Atom::Var(params[0]), Atom::Var(params[1]))]
        })
    }

    pub(crate) fn bin(&mut self, name: &str, op: BinOp, left: Atom, right: Atom) -> Atom {
        let ty = op.result(self.scalar_of(left));
        let var = self.var(name, Type::Scalar(ty));
        self.bind(vec![var], Op::Bin(op, left, right));
        Atom::Var(var)
    }

    pub(crate) fn length(&mut self, name: &str, of: VarId) -> VarId {
        let var = self.var(name, Type::Scalar(Scalar::I64));
        self.bind(vec![var], Op::Length { array: of, dim: 0 });
        var
    }

    pub(crate) fn map(&mut self, name: &str, worker: Worker, inputs: &[VarId]) -> VarId {
        self.maps(&[name], worker, inputs)[0]
    }

    pub(crate) fn maps(&mut self, names: &[&str], worker: Worker, inputs: &[VarId]) -> Vec<VarId> {
        let size = self.size_of(inputs[0]);
        let vars = self.results(names, &worker, size);
        self.bind(vars.clone(), Op::Map { worker, inputs: inputs.to_vec() });
        vars
    }

    /// Keeps arrays by a predicate on `input`.
    pub(crate) fn filters(
        &mut self,
        names: &[&str],
        worker: Worker,
        input: VarId,
        keep: &[VarId],
    ) -> Vec<VarId> {
        let size = self.size(&format!("k_{}", names[0]), SizeDef::Exists);
        let vars = names.iter().map(|name| self.var(name, array(Scalar::I64, size)));
        let vars = vars.collect::<Vec<_>>();
        let op = Op::Filter { worker, inputs: vec![input], keep: keep.to_vec() };
        self.bind(vars.clone(), op);
        vars
    }

    pub(crate) fn filter(&mut self, name: &str, worker: Worker, input: VarId) -> VarId {
        self.filters(&[name], worker, input, &[input])[0]
    }

    pub(crate) fn reduce(&mut self, name: &str, op: BinOp, init: Atom, input: VarId) -> VarId {
        let worker = self.operator(op);
        self.fold(name, Order::Associative, worker, init, &[input])
    }

    pub(crate) fn fold(
        &mut self,
        name: &str,
        order: Order,
        worker: Worker,
        init: Atom,
        inputs: &[VarId],
    ) -> VarId {
        let ty = self.scalar_of(init);
        let var = self.var(name, Type::Scalar(ty));
        let op = Op::Fold { order, worker, init: vec![init], inputs: inputs.to_vec() };
        self.bind(vec![var], op);
        var
    }

    /// `generate`: its size is that value.
    pub(crate) fn generate(&mut self, name: &str, size: VarId, worker: Worker) -> VarId {
        let extent = self.size(&format!("n_{name}"), SizeDef::Value(size));
        let var = self.results(&[name], &worker, extent)[0];
        self.bind(vec![var], Op::Generate { size: Atom::Var(size), worker });
        var
    }

    pub(crate) fn gather(&mut self, name: &str, data: VarId, indices: VarId) -> VarId {
        let var = self.var(name, array(Scalar::I64, self.size_of(indices)));
        self.bind(vec![var], Op::Gather { data: vec![data], indices });
        var
    }

    pub(crate) fn cross(&mut self, names: [&str; 2], left: VarId, right: VarId) -> [VarId; 2] {
        let [l, r] = [left, right].map(|side| Extent::Size(self.size_of(side)));
        let size = self.size(&format!("n_{}", names[0]), SizeDef::Product(l, r));
        let vars = names.map(|name| self.var(name, array(Scalar::I64, size)));
        self.bind(vars.to_vec(), Op::Cross { left: vec![left], right: vec![right] });
        vars
    }

    /// The function of what has been built.
    pub(crate) fn function(mut self, name: &str, results: &[VarId]) -> Function {
        let binds = self.blocks.pop().expect("the function's block");
        let types = results.iter().map(|&result| self.vars[result].ty.clone()).collect();
        let results = results.iter().map(|&result| Atom::Var(result)).collect();
        Function {
            name: Name::new(name),
            span: nowhere(),
            params: self.params,
            owned: Vec::new(),
            body: Block { binds, results },
            results: types,
            tables: Tables { vars: self.vars, sizes: self.sizes },
            recursive: false,
        }
    }

    fn results(&mut self, names: &[&str], worker: &Worker, size: SizeId) -> Vec<VarId> {
        let types = worker.body.results.iter().map(|&result| self.scalar_of(result));
        let types = types.collect::<Vec<_>>();
        let vars = names.iter().zip(types).map(|(name, ty)| self.var(name, array(ty, size)));
        vars.collect()
    }

    fn scalar_of(&self, atom: Atom) -> Scalar {
        match atom {
            Atom::Const(value) => value.ty,
            Atom::Var(var) => self.vars[var].ty.as_scalar().expect("a scalar"),
        }
    }
}

fn array(elem: Scalar, size: SizeId) -> Type {
    Type::Array { elem, shape: vec![Extent::Size(size)] }
}
