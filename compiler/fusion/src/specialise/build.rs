//! A function of `cnf` under construction: its variables, its sizes, and the blocks that are open.
//!
//! Invariant: a variable is in scope exactly while the block that binds it is open; sizes are interned,
//! so equal definitions have equal ids.
//!
//! ```text
//! open; emit(Bin(Add, x, 1)) ⇒ t; close([t])   ⇒ { t = x + 1; t }
//! ```

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::literal::Scalars;
use crate::cnf;
use crate::cnf::{
    Atom, Bind, Block, Extent, Function, Op, Operation, SizeDef, SizeInfo, Type, Var,
};
use crate::tables::Tables;
use arrc_front::eval::scalar;
use arrc_syntax::ids::{EntityRef, PrimaryMap, SecondaryMap, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Rounding, Scalar, UnOp};
use arrc_syntax::source::{CallId, Span};

/// A block, by its number in the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct BlockId(u32);

/// A function under construction.
pub(super) struct Builder {
    /// Every variable so far.
    pub(super) vars: PrimaryMap<VarId, Var>,
    /// Every size so far.
    pub(super) sizes: PrimaryMap<SizeId, SizeInfo>,
    /// How many bindings were emitted.
    pub(super) emitted: u32,
    /// The calls that lead to the emitted code.
    pub(super) calls: CallId,
    params: Vec<VarId>,
    /// The parameters whose memory the function owns.
    owned: Vec<VarId>,
    /// Which block binds each variable.
    home: SecondaryMap<VarId, BlockId>,
    /// In which block each size gets its value.
    pub(super) size_home: SecondaryMap<SizeId, BlockId>,
    /// Whether the name comes from the program, and is not a generated one.
    named: SecondaryMap<VarId, bool>,
    /// As in the finished tables.
    pub(super) in_sums: BTreeSet<VarId>,
    /// The scalars that are the value of an extent.
    pub(super) extents: SecondaryMap<VarId, Option<Extent>>,
    /// The arrays with a dimension of each size, in order of their making.
    pub(super) witnesses: SecondaryMap<SizeId, Vec<(VarId, usize)>>,
    /// The rows that are views: the array and the indices of each.
    rows: SecondaryMap<VarId, Option<(VarId, Vec<Atom>)>>,
    /// The arrays that are results of calls.
    given: SecondaryMap<VarId, bool>,
    /// The scalars of array literals, row by row.
    pub(super) literals: SecondaryMap<VarId, Option<Scalars>>,
    pub(super) interned: IndexMap<SizeDef, SizeId>,
    open: Vec<OpenBlock>,
    /// The nesting depth of each block; 0 is the body. A closed block has none.
    depths: Vec<Option<usize>>,
}

/// A block that is being filled.
struct OpenBlock {
    /// Its number, and those of the blocks that were merged into it.
    ids: Vec<BlockId>,
    binds: Vec<Bind>,
    /// Values of sizes that it has computed.
    sizes: IndexMap<Extent, Atom>,
}

impl Builder {
    /// A function without parameters, its body open.
    pub(super) fn new() -> Self {
        let mut builder = Self {
            vars: PrimaryMap::new(),
            sizes: PrimaryMap::new(),
            emitted: 0,
            calls: CallId::NONE,
            params: Vec::new(),
            owned: Vec::new(),
            home: SecondaryMap::new(),
            size_home: SecondaryMap::new(),
            named: SecondaryMap::new(),
            in_sums: BTreeSet::new(),
            extents: SecondaryMap::new(),
            witnesses: SecondaryMap::new(),
            rows: SecondaryMap::new(),
            given: SecondaryMap::new(),
            literals: SecondaryMap::new(),
            interned: IndexMap::new(),
            open: Vec::new(),
            depths: Vec::new(),
        };
        builder.open();
        builder
    }

    /// The finished function, whose body yields `results`.
    pub(super) fn finish(
        mut self,
        name: Name,
        span: Span,
        recursive: bool,
        results: Vec<Atom>,
    ) -> Function {
        let types = results.iter().map(|atom| self.type_of(*atom)).collect();
        let body = self.close(results);
        let named = self.vars.keys().filter(|&var| self.named[var]).collect();
        assert!(self.open.is_empty(), "every block inside a body is closed before the body");
        Function {
            name,
            span,
            params: self.params,
            owned: self.owned,
            body,
            results: types,
            tables: Tables { vars: self.vars, sizes: self.sizes, named, in_sums: self.in_sums },
            recursive,
        }
    }

    /// Adds a parameter of the function.
    pub(super) fn param(&mut self, name: impl Into<Name>, ty: Type) -> VarId {
        assert_eq!(self.open.len(), 1, "parameters are added before the body has blocks");
        let var = self.variable(ty, name.into());
        self.named[var] = true;
        self.params.push(var);
        var
    }

    /// Says that the function owns an array that is a parameter.
    pub(super) fn mark_owned(&mut self, param: VarId) {
        self.owned.push(param);
    }

    /// Whether an array is in memory whatever uses it: it is a parameter, or the result of a call.
    pub(super) fn is_stored(&self, array: VarId) -> bool {
        self.given[array] || self.params.contains(&array)
    }

    /// Opens a block inside the present one.
    pub(super) fn open(&mut self) {
        let number =
            u32::try_from(self.depths.len()).expect("a function has fewer blocks than that");
        let id = BlockId(number);
        self.depths.push(Some(self.open.len()));
        self.open.push(OpenBlock { ids: vec![id], binds: Vec::new(), sizes: IndexMap::new() });
    }

    /// Closes the present block.
    pub(super) fn close(&mut self, results: Vec<Atom>) -> Block {
        let open = self.open.pop().expect("a block is open while one is closed");
        for id in open.ids {
            self.depths[id.0 as usize] = None;
        }
        Block { binds: open.binds, results }
    }

    /// The bindings of the present block.
    pub(super) fn binds(&self) -> &[Bind] {
        &self.current_block().binds
    }

    /// Closes the present block and continues the one around with its bindings.
    pub(super) fn merge(&mut self) {
        let inner = self.open.pop().expect("a block is open while one is merged");
        for id in &inner.ids {
            self.depths[id.0 as usize] = Some(self.open.len() - 1);
        }
        let outer = self.present_mut();
        outer.ids.extend(inner.ids);
        outer.binds.extend(inner.binds);
        outer.sizes.extend(inner.sizes);
    }

    /// Adds a variable to the present block, without binding it.
    pub(super) fn variable(&mut self, ty: Type, generated: Name) -> VarId {
        if let Type::Array { shape, .. } = &ty {
            for (dim, extent) in shape.iter().enumerate() {
                if let Extent::Size(size) = *extent {
                    self.witnesses[size].push((self.vars.next_key(), dim));
                }
            }
        }
        let var = self.vars.push(Var { name: generated, ty });
        self.home[var] = self.current_block_id();
        var
    }

    /// Appends a binding to the present block.
    pub(super) fn emit(&mut self, op: Op, types: Vec<Type>, span: Span) -> Vec<VarId> {
        let vars: Vec<_> = types
            .into_iter()
            .map(|ty| {
                let generated =
                    if ty.is_array() { cnf::UNNAMED_ARRAY } else { cnf::UNNAMED_SCALAR };
                self.variable(ty, generated.into())
            })
            .collect();
        self.emitted += 1;
        if let Op::Call { .. } = op {
            vars.iter().for_each(|&var| self.given[var] = true);
        }
        let span = Span { calls: self.calls, ..span };
        self.present_mut().binds.push(Bind { vars: vars.clone(), op, span });
        vars
    }

    /// Appends a binding that was made for a block inside this one.
    pub(super) fn append_to_current(&mut self, bind: Bind) {
        for &var in &bind.vars {
            self.home[var] = self.current_block_id();
        }
        self.present_mut().binds.push(bind);
    }

    /// Appends a binding with one result.
    pub(super) fn emit_one(&mut self, op: Op, ty: Type, span: Span) -> VarId {
        self.emit(op, vec![ty], span)[0]
    }

    /// `array[i, …]`: an element or a row. An element of a row that this function has taken from an array is read from
    /// the array. `inside` says that the program has checked the indices before.
    pub(super) fn index(
        &mut self,
        array: VarId,
        indices: &[Atom],
        inside: bool,
        span: Span,
    ) -> VarId {
        let (array, indices, inside) = match &self.rows[array] {
            Some((whole, before)) if self.depth_of(array) == Some(self.open.len() - 1) => {
                (*whole, [before, indices].concat(), false)
            }
            Some(_) | None => (array, indices.to_vec(), inside),
        };
        let mut ty = self.vars[array].ty.clone();
        for _ in &indices {
            ty = ty.element().expect("core is well-typed: an array has a dimension for each index");
        }
        let op = Op::Index { array, indices: indices.clone(), inside };
        let var = self.emit_one(op, ty, span);
        if self.vars[var].ty.is_array() {
            self.rows[var] = Some((array, indices));
        }
        var
    }

    /// The elements of an array in that shape.
    pub(super) fn reshaped(&mut self, array: VarId, shape: &[Extent], span: Span) -> VarId {
        let ty = Type::Array { elem: self.elem_of(array), shape: shape.to_vec() };
        if self.vars[array].ty == ty {
            return array;
        }
        let value = |&extent: &Extent| {
            let value = self.size_value(extent, span);
            value.expect("the extents of an array in scope have values in scope")
        };
        let shape = shape.iter().map(value).collect();
        self.emit_one(Op::Reshape { array, shape }, ty, span)
    }

    /// An operation on one scalar, computed here if the operand is constant.
    pub(super) fn un(&mut self, op: UnOp, x: Atom, span: Span) -> Atom {
        match x {
            Atom::Const(value) => Atom::Const(scalar::un(op, value)),
            Atom::Var(_) if op == UnOp::To(self.scalar_of(x)) => x,
            Atom::Var(_) => {
                let ty = Type::Scalar(op.result(self.scalar_of(x)));
                Atom::Var(self.emit_one(Op::un(op, x), ty, span))
            }
        }
    }

    /// An operation on two scalars, computed here if the operands are constant.
    pub(super) fn bin(&mut self, op: BinOp, x: Atom, y: Atom, span: Span) -> Atom {
        if let (Atom::Const(left), Atom::Const(right)) = (x, y)
            && let Ok(value) = scalar::bin(op, left, right)
        {
            return Atom::Const(value);
        }
        let ty = Type::Scalar(op.result(self.scalar_of(x)));
        let var = self.emit_one(Op::bin(op, x, y), ty, span);
        self.extents[var] = self.linear(op, x, y);
        Atom::Var(var)
    }

    /// `a * b + c`, computed here if the operands are constant.
    pub(super) fn fma(&mut self, args: [Atom; 3], span: Span) -> Atom {
        if let [Atom::Const(a), Atom::Const(b), Atom::Const(c)] = args {
            return Atom::Const(scalar::fma(a, b, c));
        }
        let ty = Type::Scalar(self.scalar_of(args[0]));
        Atom::Var(self.emit_one(Op::Scalar(Operation::MulAdd(Rounding::Once, args)), ty, span))
    }

    /// The extent of a sum or difference of extents. Products do not become extents: a product of two extents as a size
    /// stands for a `cross`.
    fn linear(&mut self, op: BinOp, x: Atom, y: Atom) -> Option<Extent> {
        let known = |builder: &Self, atom| match atom {
            Atom::Const(value) if value.ty == Scalar::I64 => {
                i64::try_from(value.as_i128()).ok().map(Extent::Const)
            }
            Atom::Const(_) => None,
            Atom::Var(var) => builder.extents[var],
        };
        let (x, y) = (known(self, x)?, known(self, y)?);
        if op == BinOp::Add {
            return Some(self.sum(x, y));
        }
        if let (BinOp::Sub, Extent::Const(value)) = (op, y) {
            return Some(self.sum(x, Extent::Const(value.checked_neg()?)));
        }
        None
    }

    /// The type of an atom.
    pub(super) fn type_of(&self, atom: Atom) -> Type {
        atom.ty(&self.vars)
    }

    /// The type of a scalar atom.
    pub(super) fn scalar_of(&self, atom: Atom) -> Scalar {
        self.type_of(atom).as_scalar().expect("core is well-typed: a scalar stands here")
    }

    /// The elements' type of an array.
    pub(super) fn elem_of(&self, array: VarId) -> Scalar {
        match &self.vars[array].ty {
            Type::Array { elem, .. } => *elem,
            Type::Scalar(_) => panic!("core is well-typed: {array} is an array"),
        }
    }

    /// The type of an array of rank one.
    pub(super) fn array_type(elem: Scalar, size: Extent) -> Type {
        Type::Array { elem, shape: vec![size] }
    }

    /// Gives the variable this name if it was made since `mark`, or has only a generated name.
    pub(super) fn rename(&mut self, var: VarId, name: &str, mark: VarId) {
        if var.index() >= mark.index() || !self.named[var] {
            self.vars[var].name = name.into();
            self.named[var] = true;
        }
    }

    /// The next variable: those made from now on are not below it.
    pub(super) fn next_var(&self) -> VarId {
        self.vars.next_key()
    }

    /// The present block.
    pub(super) fn current_block_id(&self) -> BlockId {
        self.current_block().ids[0]
    }

    /// The nesting depth of the block, if it is open; 0 is the body.
    pub(super) fn depth(&self, block: BlockId) -> Option<usize> {
        self.depths[block.0 as usize]
    }

    /// The block of that depth.
    pub(super) fn block_at(&self, depth: usize) -> BlockId {
        self.open[depth].ids[0]
    }

    /// Whether the block that binds the variable is open.
    pub(super) fn in_scope(&self, var: VarId) -> bool {
        self.depth(self.home[var]).is_some()
    }

    /// The nesting depth of the variable's block.
    pub(super) fn depth_of(&self, var: VarId) -> Option<usize> {
        self.depth(self.home[var])
    }

    /// The value of the size, if an open block has already computed it.
    pub(super) fn cached(&self, extent: Extent) -> Option<Atom> {
        self.open.iter().rev().find_map(|open| open.sizes.get(&extent).copied())
    }

    /// Remembers the value of a size in the present block.
    pub(super) fn cache(&mut self, extent: Extent, value: Atom) {
        self.present_mut().sizes.insert(extent, value);
    }

    fn current_block(&self) -> &OpenBlock {
        self.open.last().expect("a function that is built has an open block")
    }

    fn present_mut(&mut self) -> &mut OpenBlock {
        self.open.last_mut().expect("a function that is built has an open block")
    }
}
