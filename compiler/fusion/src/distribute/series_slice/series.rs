//! Series: arrays whose elements come one after the other, and cannot be computed by index.
//!
//! Invariant: a delayed array has at each position the element of the original array a fixed number of steps earlier.
//! Its first elements, for which there is none, may be anything.
//!
//! ```text
//! ys = filter p xs
//! ⇒ begun = map true ys; _, before = exscan (\b x c y -> (b || c, if c then y else x)) (false, 0) begun ys
//! ```

use crate::cnf::{Atom, Bind, Block, Kind, Op, ScanKind, Type, Var, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The binding that makes an array, and where it is.
pub(crate) fn maker(block: &Block, array: VarId) -> Option<(usize, &Bind)> {
    block.binds.iter().enumerate().find(|(_, bind)| bind.vars.contains(&array))
}

/// Whether an array comes from a filter, a flatmap or a scan of the block through combinators that make an element in
/// each step.
pub(crate) fn is_made(block: &Block, array: VarId) -> bool {
    comes_from(block, array, |kind| kind.is_transducer() || kind == Kind::Scan)
}

/// Whether an array comes from a filter or a flatmap. Its length is then known only at the end of the pass.
pub(crate) fn is_rigid(block: &Block, array: VarId) -> bool {
    comes_from(block, array, Kind::is_transducer)
}

fn comes_from(block: &Block, array: VarId, is_source: impl Fn(Kind) -> bool) -> bool {
    let mut from = array;
    while let Some((_, bind)) = maker(block, from) {
        let Some(kind) = bind.op.kind() else { return false };
        if is_source(kind) {
            return true;
        }
        let input = bind.op.streams().first().copied().filter(|_| bind.op.makes_each());
        let Some(input) = input else { return false };
        from = input;
    }
    false
}

/// The array in which each element of another array comes `steps` steps later.
pub(crate) fn delayed(
    array: VarId,
    steps: i64,
    span: Span,
    done: &mut Vec<Bind>,
    tables: &mut Tables,
) -> Option<VarId> {
    let mut last = array;
    for _ in 0..steps {
        last = delayed_once(last, span, done, tables)?;
    }
    Some(last)
}

fn delayed_once(
    array: VarId,
    span: Span,
    done: &mut Vec<Bind>,
    tables: &mut Tables,
) -> Option<VarId> {
    let Var { name, ty } = tables.vars[array].clone();
    let size = *ty.shape().first()?;
    let elem = ty.element()?;
    let scalar = elem.as_scalar()?;
    let flag = Type::Scalar(Scalar::Bool);
    let begun = Name::new_static("begun");
    let mut new =
        |name: &Name, ty: &Type| tables.vars.push(Var { name: name.clone(), ty: ty.clone() });
    let element = new(&name, &elem);
    let flags = new(&begun, &flag.array_of(size));
    let yes = Atom::Const(Const::bool(true));
    let body = Block { binds: Vec::new(), results: vec![yes] };
    let op = Op::Map { worker: Worker { params: vec![element], body }, inputs: vec![array] };
    done.push(Bind { vars: vec![flags], op, span });

    let params = [&flag, &elem, &flag, &elem].map(|ty| new(&name, ty));
    let [has, x, comes, y] = params;
    let (either, last) = (new(&begun, &flag), new(&name, &elem));
    let yields = |var| Block { binds: Vec::new(), results: vec![Atom::Var(var)] };
    let choose = Op::If { cond: Atom::Var(comes), then: yields(y), otherwise: yields(x) };
    let binds = vec![
        Bind { vars: vec![either], op: Op::bin(BinOp::Or, Atom::Var(has), Atom::Var(comes)), span },
        Bind { vars: vec![last], op: choose, span },
    ];
    let body = Block { binds, results: vec![Atom::Var(either), Atom::Var(last)] };
    let results = [new(&begun, &flag.array_of(size)), new(&name, &ty)];
    let op = Op::Scan {
        prefix: ScanKind::Exclusive,
        worker: Worker { params: params.to_vec(), body },
        init: vec![Const::bool(false).into(), Const { ty: scalar, bits: 0 }.into()],
        inputs: vec![flags, array],
    };
    done.push(Bind { vars: results.to_vec(), op, span });
    Some(results[1])
}
