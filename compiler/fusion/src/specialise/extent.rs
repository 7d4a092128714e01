//! Extents: how sizes are made, compared and computed while a function is built.
//!
//! Invariant: a size is in scope while everything that its definition mentions is. Sums are kept
//! sorted, with their constant last, so that `(n + 1) - 1` is `n` again; products are kept as they
//! are, because they say which loop of a `cross` is the outer one.
//!
//! ```text
//! sum(n, 1) ⇒ k; sum(k, -1) ⇒ n        value of k ⇒ { t = length xs; u = t + 1; u }
//! ```

use super::build::Builder;
use super::value::Array;
use crate::cnf::{Atom, Extent, Op, SizeDef, SizeInfo, Summands, Type};
use arrc_syntax::ids::SizeId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// A term with at most this coefficient is added to a sum term by term. A larger multiple is computed by doubling.
/// `scripts/bench compile '++'` has larger ones: `arrc check` of 18 `x ++ x` takes 0.12 s, before 1.44 s (debug build,
/// together with the limit of the parts of an append).
const FEW: u64 = 3;

impl Builder {
    /// A new size: that of a parameter, or one that is known only when computed.
    pub(super) fn fresh_size(&mut self, name: impl Into<Name>, def: SizeDef) -> SizeId {
        let size = self.sizes.push(SizeInfo { name: name.into(), def });
        self.size_home[size] = self.current_block_id();
        size
    }

    /// The extent of an `i64` that is used as a size. A constant below zero fails at run time, where no array ever has
    /// that size.
    pub(super) fn extent_of(&mut self, atom: Atom) -> Extent {
        match atom {
            Atom::Const(value) => match i64::try_from(value.as_i128()) {
                Ok(value) if value >= 0 => Extent::Const(value),
                Ok(_) | Err(_) => Extent::Size(self.fresh_size("k", SizeDef::Exists)),
            },
            Atom::Var(var) => {
                if let Some(extent) = self.extents[var] {
                    return extent;
                }
                let extent = self.intern(SizeDef::Value(var));
                self.extents[var] = Some(extent);
                extent
            }
        }
    }

    /// The extent of one array after the other.
    pub(super) fn sum(&mut self, left: Extent, right: Extent) -> Extent {
        let mut sum = Summands::default();
        if ![left, right].into_iter().all(|part| sum.add(&self.sizes, part, 1)) {
            return self.intern(SizeDef::Sum(left, right));
        }
        let mut terms = Vec::new();
        for (term, count) in sum.counts {
            match count {
                // Part of the sum may be the extent of an array, and that is how its value is known.
                1..=FEW => terms.extend((0..count).map(|_| term)),
                _ => terms.push(self.multiple(term, count)),
            }
        }
        let terms = terms.into_iter().reduce(|sum, term| self.intern(SizeDef::Sum(sum, term)));
        match terms {
            None => Extent::Const(sum.constant),
            Some(terms) if sum.constant == 0 => terms,
            Some(terms) => self.intern(SizeDef::Sum(terms, Extent::Const(sum.constant))),
        }
    }

    /// The sum of an extent with itself, by doubling: `x ++ x` of each array before doubles the number, so a sum of
    /// single extents would be as long as the longest of the arrays.
    fn multiple(&mut self, term: Extent, count: u64) -> Extent {
        if count == 1 {
            return term;
        }
        let half = self.multiple(term, count / 2);
        let even = self.intern(SizeDef::Sum(half, half));
        if count.is_multiple_of(2) { even } else { self.intern(SizeDef::Sum(even, term)) }
    }

    /// The extent of a loop over the second inside one over the first.
    pub(super) fn product(&mut self, left: Extent, right: Extent) -> Extent {
        self.intern(SizeDef::Product(left, right))
    }

    /// The extent with the other sign, for sums.
    pub(super) fn negated(&mut self, extent: Extent) -> Extent {
        let mut summands = Summands::default();
        if !summands.add(&self.sizes, extent, 1) {
            return self.product(Extent::Const(-1), extent);
        }
        let mut sum = Extent::Const(0);
        for (term, count) in summands.counts {
            let term = self.product(Extent::Const(-1), term);
            let terms = self.multiple(term, count);
            sum = self.sum(sum, terms);
        }
        self.sum(sum, Extent::Const(-summands.constant))
    }

    /// Whether an extent is a constant or computed from numbers, so that another symbol may stand for the same number.
    pub(super) fn is_computed(&self, extent: Extent) -> bool {
        let Extent::Size(size) = extent else { return true };
        match self.sizes[size].def {
            SizeDef::Value(_) | SizeDef::Sum(..) | SizeDef::Product(..) => true,
            SizeDef::Param | SizeDef::Exists => false,
        }
    }

    /// Whether everything that the extent's value needs is in scope.
    pub(super) fn extent_in_scope(&self, extent: Extent) -> bool {
        self.extent_depth(extent).is_some()
    }

    /// The value of an extent, as an `i64`; none if nothing in scope determines it.
    pub(super) fn size_value(&mut self, extent: Extent, span: Span) -> Option<Atom> {
        let Extent::Size(size) = extent else {
            return Some(self.constant(extent));
        };
        if let Some(value) = self.cached(extent) {
            return Some(value);
        }
        let def = self.sizes[size].def.clone();
        if let SizeDef::Value(var) = def
            && self.in_scope(var)
        {
            return Some(var.into());
        }
        // An array that is not in memory may be longer than any `i64`.
        let computed = match (self.stored(size), def) {
            (None, SizeDef::Sum(left, right)) => self.both(left, right, span, Self::size_sum),
            (None, SizeDef::Product(left, right)) if self.is_matrix(left, right) => {
                self.both(left, right, span, |builder, rows, columns, span| {
                    builder.bin(BinOp::Mul, rows, columns, span)
                })
            }
            (None, SizeDef::Product(left, right)) => {
                self.both(left, right, span, Self::size_product)
            }
            (Some(_), _) | (None, SizeDef::Param | SizeDef::Exists | SizeDef::Value(_)) => None,
        };
        let value = match computed {
            Some(value) => value,
            None => self.size_from_array(size, span)?,
        };
        if let Atom::Var(var) = value {
            self.extents[var].get_or_insert(extent);
        }
        self.cache(extent, value);
        Some(value)
    }

    /// The value of a size, from an array in scope that has it.
    fn size_from_array(&mut self, size: SizeId, span: Span) -> Option<Atom> {
        let witnesses = || self.witnesses[size].iter().copied();
        let witness = witnesses().find(|&(array, _)| self.in_scope(array));
        let (array, dim) = self.stored(size).or(witness)?;
        Some(self.emit_one(Op::Length { array, dim }, Type::Scalar(Scalar::I64), span).into())
    }

    /// The array with other extents, which are known to be equal at run time.
    ///
    /// Sizes that core proves equal are nearly always one symbol here too; where they are not, such
    /// as `n * m` and `m * n`, the array gets another name with the other extents.
    pub(super) fn aligned(&mut self, array: &Array, other: &Array, span: Span) -> Array {
        let shapes = other.parts().into_iter().map(|(_, _, shape)| shape);
        let vars = array.vars().into_iter().zip(shapes);
        let vars: Vec<_> = vars.map(|(var, shape)| self.reshaped(var, &shape, span)).collect();
        other.refill(&mut vars.into_iter())
    }

    fn both(
        &mut self,
        left: Extent,
        right: Extent,
        span: Span,
        join: impl FnOnce(&mut Self, Atom, Atom, Span) -> Atom,
    ) -> Option<Atom> {
        let left = self.size_value(left, span)?;
        let right = self.size_value(right, span)?;
        Some(join(self, left, right, span))
    }

    fn constant(&self, extent: Extent) -> Atom {
        match extent {
            Extent::Const(value) => Const::i64(value).into(),
            Extent::Size(size) => panic!("{size} is no constant extent"),
        }
    }

    /// The size of that definition.
    fn intern(&mut self, def: SizeDef) -> Extent {
        if let Some(&size) = self.interned.get(&def) {
            return Extent::Size(size);
        }
        let (name, depth) = match &def {
            SizeDef::Value(var) => (self.vars[*var].name.clone(), self.depth_of(*var)),
            SizeDef::Sum(left, right) | SizeDef::Product(left, right) => {
                let depths = (self.extent_depth(*left), self.extent_depth(*right));
                ("k".into(), depths.0.zip(depths.1).map(|(left, right)| left.max(right)))
            }
            SizeDef::Param | SizeDef::Exists => panic!("only sizes with a definition are interned"),
        };
        let depth = depth.expect("a size is made of what is in scope");
        let size = self.sizes.push(SizeInfo { name, def: def.clone() });
        self.size_home[size] = self.block_at(depth);
        self.interned.insert(def, size);
        Extent::Size(size)
    }

    fn extent_depth(&self, extent: Extent) -> Option<usize> {
        match extent {
            Extent::Const(_) => Some(0),
            Extent::Size(size) => self.depth(self.size_home[size]),
        }
    }
}
