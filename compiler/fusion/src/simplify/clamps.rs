//! Floats that become 64-bit integers within limits of 32 bits become 32-bit integers, which are limited and widened.
//!
//! Positions are `i64`, so programs convert a float to 64 bits and limit it to the positions of an array. Most
//! processors convert vectors of floats to 32 bits only. A conversion saturates, so the limits give the same number of
//! either width; NaN gives 0 in both.
//!
//! Invariant: the integer is the same for every float. Both limits fit in 32 bits, and the lower limit is not above the
//! upper one.
//!
//! ```text
//! t = i64.f64 x; u = i64.min 63 t; v = i64.max 0 u
//! ⇒ t = i32.f64 x; u = i32.min 63 t; w = i32.max 0 u; v = i64.i32 w
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Function, Op, Operation, Type, Var};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Interval, Scalar, UnOp};

/// Narrows conversions within limits; says whether anything changed.
pub(super) fn narrow(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut clamps =
        ClampSimplifier { tables: &mut function.tables, defs: IndexMap::new(), changed: false };
    clamps.block(&mut body);
    let changed = clamps.changed;
    function.body = body;
    changed
}

struct ClampSimplifier<'a> {
    tables: &'a mut Tables,
    /// The scalar operations that bind variables.
    defs: IndexMap<VarId, Op>,
    changed: bool,
}

/// A float whose integer is kept within limits.
struct Clamp {
    float: Atom,
    /// The limits in the order in which they apply.
    limits: [(BinOp, Const); 2],
}

impl ClampSimplifier<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            if let Some(clamp) = self.clamp(&bind.op) {
                self.changed = true;
                bind.op = self.narrowed(&clamp, &bind, &mut done);
            }
            if matches!(bind.op, Op::Scalar(Operation::Un(..) | Operation::Bin(..))) {
                self.defs.insert(bind.vars[0], bind.op.clone());
            }
            done.push(bind);
        }
        block.binds = done;
    }

    /// The limits that an operation and the one before it set to a converted float.
    fn clamp(&self, op: &Op) -> Option<Clamp> {
        let (outer, limited) = limit(op)?;
        let (inner, converted) = limit(self.defs.get(&limited)?)?;
        let Op::Scalar(Operation::Un(UnOp::To(Scalar::I64), float)) = self.defs.get(&converted)?
        else {
            return None;
        };
        let limits = [inner, outer];
        let (low, high) = match [inner.0, outer.0] {
            [BinOp::Max, BinOp::Min] => (inner.1, outer.1),
            [BinOp::Min, BinOp::Max] => (outer.1, inner.1),
            _ => return None,
        };
        let limited = Interval { low: low.as_i128(), high: high.as_i128() };
        let fits = Interval::of_type(Scalar::I32)?.contains(limited) && limited.low <= limited.high;
        (fits && self.type_of(*float)?.is_float()).then_some(Clamp { float: *float, limits })
    }

    /// The operation that widens the limited integer of 32 bits, which is appended.
    fn narrowed(&mut self, clamp: &Clamp, bind: &Bind, done: &mut Vec<Bind>) -> Op {
        let mut bound = |op| {
            let ty = Type::Scalar(Scalar::I32);
            let var = self.tables.vars.push(Var { name: Name::new_static("t"), ty });
            done.push(Bind { vars: vec![var], op, span: bind.span });
            Atom::Var(var)
        };
        let integer = bound(Op::un(UnOp::To(Scalar::I32), clamp.float));
        let limited = clamp.limits.iter().fold(integer, |integer, &(op, limit)| {
            bound(Op::bin(op, Const::int(Scalar::I32, limit.as_i128()).into(), integer))
        });
        Op::un(UnOp::To(Scalar::I64), limited)
    }

    fn type_of(&self, atom: Atom) -> Option<Scalar> {
        match atom {
            Atom::Const(value) => Some(value.ty),
            Atom::Var(var) => self.tables.vars[var].ty.as_scalar(),
        }
    }
}

/// The limit that an operation sets to a variable.
fn limit(op: &Op) -> Option<((BinOp, Const), VarId)> {
    let (Op::Scalar(Operation::Bin(
        op @ (BinOp::Min | BinOp::Max),
        [Atom::Const(limit), Atom::Var(var)],
    ))
    | Op::Scalar(Operation::Bin(
        op @ (BinOp::Min | BinOp::Max),
        [Atom::Var(var), Atom::Const(limit)],
    ))) = *op
    else {
        return None;
    };
    (limit.ty == Scalar::I64).then_some(((op, limit), var))
}
