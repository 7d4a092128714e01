//! The lengths of a cluster's arrays, without storing the arrays.
//!
//! Invariant: the binding of a length that is known before the pass uses only variables that the pass uses from
//! outside.
//!
//! ```text
//! ys = map f xs;     l = length ys     ⇒ l = length xs
//! zs = filter p xs;  l = length zs     ⇒ in the pass: l <= fold k2 with (\n -> n + 1) and 0
//! ```

use crate::cnf::{Assertion, Atom, Bind, Block, FoldOrder, Op, Type, Var, Worker};
use crate::fuse::size_values::{copy, new_length};
use crate::process::{Operator, Rate};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// A scalar of the block that is the length of an array of the cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct LengthOf {
    /// The scalar.
    pub(super) var: VarId,
    /// The array.
    pub(super) array: VarId,
    /// The place of the length in the source.
    pub(super) span: Span,
}

/// The way in which the block gets to know a length.
pub(super) enum Length {
    /// These scalar bindings compute it before the pass.
    Known(Vec<Bind>),
    /// The pass counts it.
    Counted,
    /// It is read from the array, which is in memory.
    Stored,
}

/// Bindings that make `var` the length of a rate, if it is known before the pass.
pub(super) fn known(
    rates: &PrimaryMap<RateId, Rate>,
    rate: RateId,
    var: VarId,
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Option<Vec<Bind>> {
    let bind = |op| Bind { vars: vec![var], op, span };
    match rates[rate] {
        Rate::Array(array) => Some(vec![bind(Op::Length { array, dim: 0 })]),
        Rate::Count { size, .. } => Some(vec![bind(copy(size))]),
        Rate::Selected { .. } | Rate::Expanded { .. } => None,
        Rate::Product(left, right) => {
            let factors = [left, right].map(|factor| (factor, new_length(vars)));
            let mut binds = Vec::new();
            for (factor, length) in factors {
                binds.extend(known(rates, factor, length, span, vars)?);
            }
            let [left, right] = factors.map(|(_, length)| Atom::Var(length));
            binds.push(bind(Op::bin(BinOp::Mul, left, right)));
            Some(binds)
        }
    }
}

/// An operator that adds up the numbers of steps that the parts of an expanded rate have.
pub(super) fn total(
    var: VarId,
    outer: RateId,
    counts: SeriesId,
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Operator {
    let mut number = |name| {
        let ty = Type::Scalar(Scalar::I64);
        vars.push(Var { name: Name::new_static(name), ty })
    };
    let [before, part, after] = ["count", "part", "count"].map(&mut number);
    let holds = vars.push(Var { name: Name::new_static("t"), ty: Type::Scalar(Scalar::Bool) });
    let [sum, least] = [Atom::Var(after), Atom::Const(Const::i64(0))];
    let failure = Failure::size_overflow(Atom::Var(before), '+', Atom::Var(part));
    let bind = |vars, op| Bind { vars, op, span };
    let body = Block {
        binds: vec![
            bind(vec![after], Op::bin(BinOp::Add, Atom::Var(before), Atom::Var(part))),
            bind(vec![holds], Op::bin(BinOp::Ge, sum, least)),
            bind(vec![], Op::Assert(Assertion { cond: Atom::Var(holds), failure })),
        ],
        results: vec![sum],
    };
    Operator::Fold {
        results: vec![var],
        rate: outer,
        order: FoldOrder::Strict,
        worker: Worker { params: vec![before, part], body },
        init: vec![least],
        ins: vec![counts],
        span,
    }
}

/// An operator that counts the steps of a rate.
pub(super) fn count(
    var: VarId,
    rate: RateId,
    span: Span,
    vars: &mut PrimaryMap<VarId, Var>,
) -> Operator {
    let count = Var { name: Name::new_static("count"), ty: Type::Scalar(Scalar::I64) };
    let [before, after] = [vars.push(count.clone()), vars.push(count)];
    let [zero, one] = [0, 1].map(|value| Atom::Const(Const::i64(value)));
    let op = Op::bin(BinOp::Add, Atom::Var(before), one);
    let body = Block {
        binds: vec![Bind { vars: vec![after], op, span }],
        results: vec![Atom::Var(after)],
    };
    Operator::Fold {
        results: vec![var],
        rate,
        order: FoldOrder::Commutative,
        worker: Worker { params: vec![before], body },
        init: vec![zero],
        ins: Vec::new(),
        span,
    }
}
