//! The transposition of a matrix, as a binding.
//!
//! ```text
//! t = generate m (\j -> generate n (\i -> a[i, j]))
//! ```

use crate::cnf::{Atom, Bind, Block, Op, Type, UNNAMED_ARRAY, UNNAMED_SCALAR, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The matrix whose elements a binding transposes, with the sizes of the result.
pub(super) fn of(bind: &Bind) -> Option<(VarId, [Atom; 2])> {
    let Op::Generate { size: columns, worker } = &bind.op else { return None };
    let is_length = |bind: &&Bind| bind.op.length().is_some();
    let binds = worker.body.binds.iter().skip_while(is_length).collect::<Vec<_>>();
    let ([outer], [Bind { vars: made, op: Op::Generate { size: rows, worker: inner }, .. }]) =
        (&worker.params[..], &binds[..])
    else {
        return None;
    };
    let ([row], [Bind { vars: read, op: Op::Index { array, indices, .. }, .. }]) =
        (&inner.params[..], &inner.body.binds[..])
    else {
        return None;
    };
    let plain = indices[..] == [Atom::Var(*row), Atom::Var(*outer)]
        && inner.body.results[..] == [Atom::Var(read[0])]
        && worker.body.results[..] == [Atom::Var(made[0])];
    plain.then_some((*array, [*columns, *rows]))
}

/// The binding of a variable, the transposed matrix, where the result has these sizes.
pub(super) fn bind(
    vars: &mut PrimaryMap<VarId, Var>,
    (var, matrix): (VarId, VarId),
    [columns, rows]: [Atom; 2],
    span: Span,
) -> Bind {
    let column = vars[var].ty.element().expect("a matrix has rows");
    let [number, scalar] = [Scalar::I64, column.scalars()].map(Type::Scalar);
    let new =
        [("j", number.clone()), ("i", number), (UNNAMED_SCALAR, scalar), (UNNAMED_ARRAY, column)];
    let [j, i, element, column] =
        new.map(|(name, ty)| vars.push(Var { name: Name::new_static(name), ty }));
    let indices = vec![Atom::Var(i), Atom::Var(j)];
    let read = Op::Index { array: matrix, indices, inside: true };
    let read = Bind { vars: vec![element], op: read, span };
    let inner = Bind { vars: vec![column], op: generate(rows, i, read), span };
    Bind { vars: vec![var], op: generate(columns, j, inner), span }
}

/// `generate size (\index -> what the binding makes)`.
pub(super) fn generate(size: Atom, index: VarId, bind: Bind) -> Op {
    let results = vec![Atom::Var(bind.vars[0])];
    let worker = Worker { params: vec![index], body: Block { binds: vec![bind], results } };
    Op::Generate { size, worker }
}
