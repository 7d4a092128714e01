//! Positions in the result of a filter or a flatmap, computed in the pass that makes the result (002, appendix A.6).
//!
//! `generate (length ys) f` waits for `ys`, whose length is not known before. A counting scan of `ys` makes the
//! positions a series of the same rate, in the same pass. `fuse` recognises that scan ([`counts`]), which reads no
//! element of `ys`.
//!
//! Invariant: the positions are an array of the size of `ys`.
//!
//! ```text
//! ys = filter p xs; n = length ys; is = generate n (\i -> f i)
//! ⇒ ys = filter p xs; at = exscan (\i y -> i + 1) 0 ys; is = map f at
//! ```

use crate::cnf::{Atom, Bind, Block, Op, ScanKind, Type, Var, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The array whose length is the size of a `generate`. It must be the result of a filter or a flatmap of the block,
/// or be made from such a result element by element.
pub(super) fn of(block: &Block, bind: &Bind) -> Option<VarId> {
    let Op::Generate { size: Atom::Var(size), .. } = bind.op else { return None };
    let maker = |var: VarId| block.binds.iter().find(|bind| bind.vars.contains(&var));
    let (array, 0) = maker(size)?.op.length()? else { return None };
    let mut from = array;
    while let Some(bind) = maker(from) {
        if bind.op.kind()?.is_transducer() {
            return Some(array);
        }
        from = bind.op.streams().first().copied().filter(|_| bind.op.makes_each())?;
    }
    None
}

/// The block in which each `generate` of that length is a `map` over the positions in the array.
pub(super) fn rewrite(block: &Block, at: usize, tables: &mut Tables) -> Option<Block> {
    let array = of(block, &block.binds[at])?;
    let Op::Generate { size: length, .. } = block.binds[at].op else { return None };
    let positions = scan(array, block.binds[at].span, tables)?;
    let is = positions.vars.clone();
    let mut binds = block.binds.clone();
    for bind in &mut binds[at..] {
        if let Op::Generate { size, worker } = &bind.op
            && *size == length
        {
            bind.op = Op::Map { worker: worker.clone(), inputs: is.clone() };
        }
    }
    binds.insert(at, positions);
    Some(Block { binds, results: block.results.clone() })
}

/// The block in which no `generate` waits for a filter only because of its length.
pub(super) fn rewrite_all(mut block: Block, tables: &mut Tables) -> Block {
    while let Some(at) = block.binds.iter().position(|bind| of(&block, bind).is_some())
        && let Some(rewritten) = rewrite(&block, at, tables)
    {
        block = rewritten;
    }
    block
}

/// The positions in an array, as a scan of it.
pub(super) fn scan(array: VarId, span: Span, tables: &mut Tables) -> Option<Bind> {
    let number = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
    let [before, after] = [(); 2].map(|()| tables.vars.push(number.clone()));
    let Var { name, ty } = tables.vars[array].clone();
    let size = *ty.shape().first()?;
    let elem = tables.vars.push(Var { name, ty: ty.element()? });
    let positions =
        tables.vars.push(Var { name: Name::new_static("is"), ty: number.ty.array_of(size) });
    let one = Atom::Const(Const::i64(1));
    let count = Bind { vars: vec![after], op: Op::bin(BinOp::Add, Atom::Var(before), one), span };
    let body = Block { binds: vec![count], results: vec![Atom::Var(after)] };
    let op = Op::Scan {
        prefix: ScanKind::Exclusive,
        worker: Worker { params: vec![before, elem], body },
        init: vec![Atom::Const(Const::i64(0))],
        inputs: vec![array],
    };
    Some(Bind { vars: vec![positions], op, span })
}

/// Whether a scan gives the positions of the elements.
#[must_use]
pub(crate) fn counts(prefix: ScanKind, worker: &Worker, init: &[Atom]) -> bool {
    let zero = Atom::Const(Const::i64(0));
    let ([before, _], [bind], [result]) =
        (&worker.params[..], &worker.body.binds[..], &worker.body.results[..])
    else {
        return false;
    };
    let one = Atom::Const(Const::i64(1));
    prefix == ScanKind::Exclusive
        && *init == [zero]
        && bind.op == Op::bin(BinOp::Add, Atom::Var(*before), one)
        && bind.vars.iter().any(|&var| Atom::Var(var) == *result)
}
