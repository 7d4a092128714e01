//! Size inference (001, section 1.3) on top of the extents that the types carry: equalities that the
//! combinators imply are solved by union-find over the sizes' symbols.
//!
//! The front end has checked every program, so a rigid size that is equated with another is trusted:
//! nothing is rejected here.
//!
//! Invariant: `resolve` gives equal results exactly for extents that were found equal; products are
//! taken apart, and are not commutative.
//!
//! ```text
//! ys = map f xs; cs = cross xs ys     -- xs : [n], ys : [k1], cs : [k2], k2 exists
//! ⇒ k1 ↦ n, k2 ↦ n × n
//! ```

use std::collections::BTreeMap;

use crate::cnf;
use crate::cnf::{Bind, Block, Extent, SizeDef, SizeInfo, TripCount, Type};
use crate::graph::Iteration;
use arrc_syntax::ids::{PrimaryMap, SecondaryMap, SizeId, VarId};

/// The solved sizes of a block.
pub(super) struct SolvedSizes<'a> {
    vars: &'a PrimaryMap<VarId, cnf::Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// Union-find: towards the representative, which has the lowest id.
    parents: SecondaryMap<SizeId, Option<SizeId>>,
    /// The constant or the product that a class is equal to, by its representative; no entry if neither is known.
    known: BTreeMap<SizeId, ClassValue>,
}

/// The constant or the product that a class of sizes is equal to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ClassValue {
    Const(i64),
    Product(Extent, Extent),
}

impl<'a> SolvedSizes<'a> {
    /// Collects and solves the constraints of the block (001, figure 1.4).
    pub(super) fn infer(
        block: &Block,
        vars: &'a PrimaryMap<VarId, cnf::Var>,
        sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    ) -> Self {
        let known = (sizes.iter())
            .filter_map(|(id, info)| match info.def {
                SizeDef::Product(left, right) => Some((id, ClassValue::Product(left, right))),
                SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists | SizeDef::Sum(..) => None,
            })
            .collect();
        let mut inferred = Self { vars, sizes, parents: SecondaryMap::new(), known };
        for bind in &block.binds {
            inferred.constrain(bind);
        }
        while inferred.unify_congruent() {}
        inferred
    }

    /// The extent, resolved.
    pub(super) fn resolve(&self, extent: Extent) -> Iteration {
        let Extent::Size(size) = extent else { return Iteration::Extent(extent) };
        let size = self.find(size);
        match self.known.get(&size) {
            None => Iteration::Extent(Extent::Size(size)),
            Some(ClassValue::Const(value)) => Iteration::Extent(Extent::Const(*value)),
            Some(ClassValue::Product(left, right)) => {
                Iteration::Cross(Box::new(self.resolve(*left)), Box::new(self.resolve(*right)))
            }
        }
    }

    /// The sizes of an array's dimensions, resolved, outermost first.
    pub(super) fn shape(&self, array: VarId) -> Vec<Iteration> {
        match &self.vars[array].ty {
            Type::Scalar(_) => panic!("{array} is used as an array and is a scalar"),
            Type::Array { shape, .. } => shape.iter().map(|&extent| self.resolve(extent)).collect(),
        }
    }

    /// The size of an array's outermost dimension, resolved.
    pub(super) fn outer(&self, array: VarId) -> Iteration {
        self.resolve(self.extent(array))
    }

    fn constrain(&mut self, bind: &Bind) {
        for arrays in bind.op.equal_sizes(&bind.vars) {
            self.all_equal(&arrays);
        }
        if let Some(TripCount::Pairs(left, right)) = bind.op.steps()
            && let Some(&out) = bind.vars.first()
        {
            let product = ClassValue::Product(self.extent(left), self.extent(right));
            self.learn(self.extent(out), product);
        }
        if let Some((array, dim)) = bind.op.length() {
            self.length(array, dim, &bind.vars);
        }
    }

    /// `m = length xs` makes every size that is the value of `m` the size of `xs`.
    fn length(&mut self, array: VarId, dim: usize, vars: &[VarId]) {
        let Type::Array { shape, .. } = &self.vars[array].ty else {
            panic!("the length of {array}, which is a scalar")
        };
        let extent = shape[dim];
        for (size, info) in self.sizes {
            if matches!(info.def, SizeDef::Value(var) if vars.contains(&var)) {
                self.equal(Extent::Size(size), extent);
            }
        }
    }

    fn all_equal(&mut self, arrays: &[VarId]) {
        let Some((&first, others)) = arrays.split_first() else { return };
        for &other in others {
            self.equal(self.extent(first), self.extent(other));
        }
    }

    fn equal(&mut self, left: Extent, right: Extent) {
        match (left, right) {
            // Equated constants are equal, or the front end would have complained.
            (Extent::Const(_), Extent::Const(_)) => {}
            (Extent::Const(value), size) | (size, Extent::Const(value)) => {
                self.learn(size, ClassValue::Const(value));
            }
            (Extent::Size(left), Extent::Size(right)) => self.union(left, right),
        }
    }

    fn learn(&mut self, extent: Extent, known: ClassValue) {
        let Extent::Size(size) = extent else { return };
        let size = self.find(size);
        match (self.known.get(&size).copied(), known) {
            (None, _) | (Some(ClassValue::Product(..)), ClassValue::Const(_)) => {
                self.known.insert(size, known);
            }
            (Some(ClassValue::Product(l1, r1)), ClassValue::Product(l2, r2)) => {
                self.equal(l1, l2);
                self.equal(r1, r2);
            }
            (Some(ClassValue::Const(_)), _) => {}
        }
        self.drop_circular(size);
    }

    /// A coercion may claim what only holds for small sizes, such as n × n = n: then the product stays
    /// a symbol.
    fn drop_circular(&mut self, size: SizeId) {
        let size = self.find(size);
        if let Some(&ClassValue::Product(left, right)) = self.known.get(&size)
            && (self.occurs(size, left) || self.occurs(size, right))
        {
            self.known.remove(&size);
        }
    }

    /// Whether a class occurs in what an extent resolves to.
    fn occurs(&self, class: SizeId, extent: Extent) -> bool {
        let Extent::Size(size) = extent else { return false };
        let size = self.find(size);
        size == class
            || match self.known.get(&size) {
                None | Some(ClassValue::Const(_)) => false,
                Some(&ClassValue::Product(left, right)) => {
                    self.occurs(class, left) || self.occurs(class, right)
                }
            }
    }

    fn union(&mut self, left: SizeId, right: SizeId) {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return;
        }
        let (keep, drop) = (left.min(right), left.max(right));
        self.parents[drop] = Some(keep);
        let known = self.known.remove(&drop);
        self.drop_circular(keep);
        if let Some(known) = known {
            self.learn(Extent::Size(keep), known);
        }
    }

    /// Sizes with the same definition in equal parts are equal. Whether anything was learned.
    fn unify_congruent(&mut self) -> bool {
        let mut seen: BTreeMap<(Iteration, Iteration), SizeId> = BTreeMap::new();
        let mut values: BTreeMap<VarId, SizeId> = BTreeMap::new();
        let mut learned = false;
        for (size, info) in self.sizes {
            let same = match info.def {
                SizeDef::Param | SizeDef::Exists | SizeDef::Product(..) => continue,
                SizeDef::Value(var) => *values.entry(var).or_insert(size),
                SizeDef::Sum(left, right) => {
                    let key = (self.resolve(left), self.resolve(right));
                    *seen.entry(key).or_insert(size)
                }
            };
            if self.find(same) != self.find(size) {
                self.union(same, size);
                learned = true;
            }
        }
        learned
    }

    fn find(&self, size: SizeId) -> SizeId {
        std::iter::successors(Some(size), |&size| self.parents[size])
            .last()
            .expect("there is always the size itself")
    }

    fn extent(&self, array: VarId) -> Extent {
        match &self.vars[array].ty {
            Type::Scalar(_) => panic!("{array} is used as an array and is a scalar"),
            Type::Array { shape, .. } => *shape.first().expect("an array has a dimension"),
        }
    }
}
