//! Recognises positions that are linear in an index, and sizes that are the size of a series less some elements.
//!
//! Invariant: for any other expression the answer is `None` or `false`, so that the array stays in memory.
//!
//! ```text
//! at = i * 2; at' = 1 + at        ⇒   base 1, stride 2
//! n = length ys; m = n - k        ⇒   k elements are left out of ys
//! ```

use crate::cnf::{Atom, Bind, Block, Extent, Op};
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};

/// An affine index, the position that a step reads: `base + i * stride`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AffineIndex {
    pub(crate) base: Atom,
    pub(crate) stride: i64,
}

impl AffineIndex {
    /// The form of an atom in the body of a worker, given the worker's index.
    pub(crate) fn of(body: &Block, index: VarId, atom: Atom) -> Option<Self> {
        let zero = Atom::Const(Const::i64(0));
        if atom == Atom::Var(index) {
            return Some(Self { base: zero, stride: 1 });
        }
        let bind = maker(&body.binds, atom)?;
        let outer = |atom: Atom| {
            let is_own = atom == Atom::Var(index) || maker(&body.binds, atom).is_some();
            (!is_own).then_some(atom)
        };
        match bind.op.binary()? {
            (BinOp::Add, [x, y]) => {
                let (inner, base) = match (outer(x), outer(y)) {
                    (None, Some(base)) => (x, base),
                    (Some(base), None) => (y, base),
                    (None, None) | (Some(_), Some(_)) => return None,
                };
                let inner = Self::of(body, index, inner)?;
                let is_natural = constant(base).is_none_or(|base| base >= 0);
                (inner.base == zero && is_natural).then_some(Self { base, ..inner })
            }
            (BinOp::Mul, [x, stride]) if x == Atom::Var(index) => {
                let stride = constant(stride).filter(|&stride| stride > 1)?;
                Some(Self { base: zero, stride })
            }
            _ => None,
        }
    }

    /// The base, if it is a constant.
    pub(crate) fn constant(self) -> Option<i64> {
        constant(self.base)
    }
}

/// Relates the sizes in a block to the size of a series.
pub(crate) struct SizeRelations<'a> {
    pub(crate) block: &'a Block,
    /// The size of the series.
    pub(crate) extent: Extent,
    pub(crate) tables: &'a Tables,
}

/// The number of elements of the series that a size leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OmittedCount(Atom);

impl OmittedCount {
    pub(crate) fn constant(self) -> Option<i64> {
        constant(self.0)
    }
}

impl PartialEq<Atom> for OmittedCount {
    fn eq(&self, other: &Atom) -> bool {
        self.0 == *other
    }
}

impl SizeRelations<'_> {
    /// `x`, if a size is the size of the series minus `x`.
    pub(crate) fn omitted_count(&self, size: Atom) -> Option<OmittedCount> {
        if self.is_length(size) {
            return Some(OmittedCount(Const::i64(0).into()));
        }
        match maker(&self.block.binds, size)?.op.binary()? {
            (BinOp::Sub, [length, left]) => self.is_length(length).then_some(OmittedCount(left)),
            (BinOp::Add, [length, more]) => {
                let left = constant(more)?.checked_neg()?;
                self.is_length(length).then_some(OmittedCount(Const::i64(left).into()))
            }
            _ => None,
        }
    }

    /// Whether an index is that of the last of `size` elements.
    pub(crate) fn is_before(&self, index: Atom, size: Atom) -> bool {
        let constant = |atom| self.omitted_count(atom).and_then(OmittedCount::constant);
        let is_left = match (constant(index), constant(size)) {
            (Some(index), Some(size)) => index == size + 1,
            (None, _) | (_, None) => false,
        };
        let one = Atom::Const(Const::i64(1));
        let bind = maker(&self.block.binds, index);
        is_left || bind.is_some_and(|bind| bind.op.binary() == Some((BinOp::Sub, [size, one])))
    }

    /// Whether a size is the number of the positions `base`, `base + stride`, … up to the end of the series: `if base
    /// == n then 0 else (n - base - 1) // stride + 1`.
    pub(crate) fn is_rounded_up(&self, size: Atom, base: Atom, stride: i64) -> bool {
        self.rounded_up(size, base, stride).unwrap_or(false)
    }

    fn rounded_up(&self, size: Atom, base: Atom, stride: i64) -> Option<bool> {
        let Op::If { cond, then, otherwise } = &maker(&self.block.binds, size)?.op else {
            return None;
        };
        let inner = |atom| maker(&otherwise.binds, atom).or_else(|| maker(&self.block.binds, atom));
        let (BinOp::Eq, ends) = inner(*cond)?.op.binary()? else { return None };
        let empty = ends.contains(&base) && ends.iter().any(|&end| self.is_length(end));
        let none = then.results == [Const::i64(0).into()];
        let (BinOp::Add, [steps, one]) = inner(*otherwise.results.first()?)?.op.binary()? else {
            return None;
        };
        let (BinOp::Quot, [before, by]) = inner(steps)?.op.binary()? else { return None };
        let last = match (constant(base), self.omitted_count(before)) {
            (Some(base), Some(left)) => left.constant() == Some(base + 1),
            _ => {
                let (op, [distance, by_one]) = inner(before)?.op.binary()?;
                let one = if op == BinOp::Sub { 1 } else { -1 };
                let is_one = matches!(op, BinOp::Sub | BinOp::Add) && constant(by_one) == Some(one);
                is_one && self.omitted_count(distance).is_some_and(|left| left == base)
            }
        };
        Some(empty && none && constant(one) == Some(1) && constant(by) == Some(stride) && last)
    }

    /// Whether a scalar is known only after the pass of the series. It then depends on an array of that size, whose
    /// length only the pass determines.
    pub(crate) fn is_known_late(&self, atom: Atom) -> bool {
        let mut open: Vec<VarId> = atom.as_var().into_iter().collect();
        let mut met = Vec::new();
        while let Some(var) = open.pop() {
            if met.contains(&var) {
                continue;
            }
            met.push(var);
            if self.tables.vars[var].ty.shape().first() == Some(&self.extent)
                && super::series::is_rigid(self.block, var)
            {
                return true;
            }
            open.extend(maker(&self.block.binds, Atom::Var(var)).into_iter().flat_map(uses::free));
        }
        false
    }

    fn is_length(&self, atom: Atom) -> bool {
        let of = |bind: &Bind| bind.op.length();
        match maker(&self.block.binds, atom).and_then(of) {
            Some((array, 0)) => self.tables.vars[array].ty.shape().first() == Some(&self.extent),
            Some(_) | None => false,
        }
    }
}

fn maker(binds: &[Bind], atom: Atom) -> Option<&Bind> {
    let var = atom.as_var()?;
    binds.iter().find(|bind| bind.vars.contains(&var))
}

fn constant(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Const(value) => i64::try_from(value.as_i128()).ok(),
        Atom::Var(_) => None,
    }
}
