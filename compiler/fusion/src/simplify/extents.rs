//! Which scalars are the extent of an array, and which operations cannot fail since their sizes are extents.
//!
//! ```text
//! t = length xs; ys = generate n (\i -> 0)   ⇒   t is the extent of xs, and n is that of ys
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Extent, Op, SizeDef};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;

/// The scalars that are extents, of the bindings that were noted.
#[derive(Default)]
pub(super) struct Extents {
    lengths: IndexMap<VarId, Extent>,
}

impl Extents {
    /// Notes a binding of a length.
    pub(super) fn note(&mut self, bind: &Bind, tables: &Tables) {
        if let Some((array, dim)) = bind.op.length()
            && let Some(&extent) = tables.vars[array].ty.shape().get(dim)
        {
            self.lengths.insert(bind.vars[0], extent);
        }
    }

    /// The extent that a scalar is the value of.
    pub(super) fn of(&self, scalar: Atom) -> Option<Extent> {
        self.lengths.get(&scalar.as_var()?).copied()
    }

    /// Whether a scalar is the value of an extent.
    pub(super) fn is(&self, scalar: Atom, extent: Extent, tables: &Tables) -> bool {
        match (scalar, extent) {
            (Atom::Const(value), Extent::Const(extent)) => value.as_i128() == extent.into(),
            (Atom::Const(_), Extent::Size(_)) => false,
            (Atom::Var(var), Extent::Size(size))
                if tables.sizes[size].def == SizeDef::Value(var) =>
            {
                true
            }
            (Atom::Var(_), _) => self.of(scalar) == Some(extent),
        }
    }

    /// Whether an operation cannot fail: it is total, or all the steps and branches in it are.
    pub(super) fn cannot_fail(&self, op: &Op, tables: &Tables) -> bool {
        let inside = || {
            let mut binds = op.inner().into_iter().flat_map(|inner| &inner.block.binds);
            binds.all(|bind| self.cannot_fail(&bind.op, tables))
        };
        if let Op::Generate { size, .. } = op {
            return self.is_size(*size) && inside();
        }
        if matches!(
            op,
            Op::Map { .. } | Op::Filter { .. } | Op::Fold { .. } | Op::Scan { .. } | Op::If { .. }
        ) {
            return inside();
        }
        matches!(op, Op::Constant { .. } | Op::Append { .. } | Op::Sort { .. })
            || op.is_total(&tables.vars)
    }

    /// Whether a scalar cannot be negative, since it is an extent or such a constant.
    pub(super) fn is_size(&self, scalar: Atom) -> bool {
        match scalar {
            Atom::Const(value) => value.as_i128() >= 0,
            Atom::Var(_) => self.of(scalar).is_some(),
        }
    }
}
