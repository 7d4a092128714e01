//! Gives a combinator in a block the positions that it counts through, in the same block.
//!
//! An inner `iota n` is the same expression as an outer one, so the elimination of common subexpressions shares one
//! array, which a pass would store for the other one. A copy in the inner block fuses with its combinator. Elimination
//! would undo this, so it comes last.
//!
//! The same holds for a range of constants that is a literal since its elements became scalars: a combinator that is
//! left counts through it, and no step stores it.
//!
//! Invariant: the copy has the same elements, and the number of them is in scope wherever the array is.
//!
//! ```text
//! a = generate n (\i -> i); b = map (\i -> { c = map (\j -> i * j) a; c }) a
//! ⇒ a = generate n (\i -> i); b = map (\i -> { d = generate n (\k -> k); c = map (\j -> i * j) d; c }) a
//!
//! a = [16, 17, 18]; w = fold (\w t -> …) v a   ⇒   b = generate 3 (\k -> k + 16); w = fold (\w t -> …) v b
//! ```

use indexmap::IndexMap;

use super::dead;
use crate::cnf::{
    Atom, Bind, Block, ElementWorker, Extent, Function, Op, Type, UNNAMED_ARRAY, Var, Worker,
};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// Gives each block the arrays of positions that its combinators read.
pub(super) fn give_own(function: &mut Function) {
    let mut iotas =
        IotaReplacer { tables: &mut function.tables, around: IndexMap::new(), literals: false };
    iotas.block(&mut function.body);
    if iotas.literals {
        dead::remove(function);
    }
}

struct IotaReplacer<'a> {
    tables: &'a mut Tables,
    /// The arrays of positions of this block and those around it.
    around: IndexMap<VarId, (Positions, Bind)>,
    /// A combinator no longer reads a literal.
    literals: bool,
}

/// The positions in an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Positions {
    /// They are generated.
    Generated(Atom),
    /// They are a literal with this count of numbers and this distance between two neighbours.
    Literal { first: Const, step: i64, count: i64 },
}

impl IotaReplacer<'_> {
    fn block(&mut self, block: &mut Block) {
        let outer = self.around.len();
        let mut own = IndexMap::new();
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            if let Some(ElementWorker { inputs, .. }) = bind.op.elements_mut() {
                for input in inputs {
                    let place = self.around.get_index_of(input);
                    let Some(place) = place.filter(|&at| at < outer || self.is_literal(at)) else {
                        continue;
                    };
                    self.literals |= self.is_literal(place);
                    *input = *own.entry(*input).or_insert_with(|| self.copy(place, &mut done));
                }
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            if let Some(positions) = positions(&bind) {
                self.around.insert(bind.vars[0], (positions, bind.clone()));
            }
            done.push(bind);
        }
        self.around.truncate(outer);
        block.binds = done;
    }

    fn is_literal(&self, place: usize) -> bool {
        matches!(self.around[place].0, Positions::Literal { .. })
    }

    /// Binds a copy of an array of positions.
    fn copy(&mut self, place: usize, done: &mut Vec<Bind>) -> VarId {
        let (positions, Bind { vars, span, .. }) = self.around[place].clone();
        let index = self.number("k");
        let (size, body) = match positions {
            Positions::Generated(size) => {
                (size, Block { binds: Vec::new(), results: vec![Atom::Var(index)] })
            }
            Positions::Literal { first, step, count } => {
                let size = Const::i64(count).into();
                let [scaled, moved] = ["t", "t"].map(|name| self.number(name));
                let step = Const::i64(step).into();
                let ops = [
                    (scaled, Op::bin(BinOp::Mul, Atom::Var(index), step)),
                    (moved, Op::bin(BinOp::Add, Atom::Var(scaled), first.into())),
                ];
                let binds = ops.map(|(var, op)| Bind { vars: vec![var], op, span });
                (size, Block { binds: binds.into(), results: vec![Atom::Var(moved)] })
            }
        };
        let array = self.tables.vars.push(self.tables.vars[vars[0]].clone());
        let op = Op::Generate { size, worker: Worker { params: vec![index], body } };
        done.push(Bind { vars: vec![array], op, span });
        array
    }

    fn number(&mut self, name: &str) -> VarId {
        self.tables.vars.push(Var { name: Name::new(name), ty: Type::Scalar(Scalar::I64) })
    }
}

/// How many positions there are in the array that a binding generates, if it generates nothing else.
pub(super) fn count(bind: &Bind) -> Option<Atom> {
    let Op::Generate { size, worker: Worker { params, body } } = &bind.op else { return None };
    let is_iota = body.binds.is_empty() && body.results[..] == [Atom::Var(params[0])];
    is_iota.then_some(*size)
}

/// A variable for an array of as many positions, and what makes it.
pub(super) fn generated(tables: &mut Tables, (extent, count): (Extent, Atom)) -> (VarId, Op) {
    let number = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
    let ty = number.ty.array_of(extent);
    let index = tables.vars.push(number);
    let body = Block { binds: Vec::new(), results: vec![Atom::Var(index)] };
    let array = tables.vars.push(Var { name: Name::new_static(UNNAMED_ARRAY), ty });
    (array, Op::Generate { size: count, worker: Worker { params: vec![index], body } })
}

/// The positions in the array that a binding makes, if there is nothing else in it.
fn positions(bind: &Bind) -> Option<Positions> {
    if let Some(size) = count(bind) {
        return Some(Positions::Generated(size));
    }
    let Op::Array { elem: Scalar::I64, elems } = &bind.op else { return None };
    let constant = |elem: &Atom| match elem {
        Atom::Const(value) => Some(*value),
        Atom::Var(_) => None,
    };
    let constants = elems.iter().map(constant).collect::<Option<Vec<Const>>>()?;
    let &[first, second, ..] = &constants[..] else { return None };
    let [first_bits, second_bits] = [first, second].map(|value| value.bits.cast_signed());
    let step = second_bits.wrapping_sub(first_bits);
    let goes_on = |pair: &[Const]| {
        pair[1].bits.cast_signed() == pair[0].bits.cast_signed().wrapping_add(step)
    };
    let count = i64::try_from(constants.len()).ok()?;
    constants.windows(2).all(goes_on).then_some(Positions::Literal { first, step, count })
}
