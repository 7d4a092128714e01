//! The sizes of what loops carry: each dimension of a carried array, at every depth, has the size of core's type.
//!
//! Invariant: a size that is known around the loop is the same in all steps and after the loop. Each other size is a
//! new one in a step, and another new one after the loop. Equal sizes in a step are equal after the loop.
//!
//! ```text
//! loop x = xs for i < k do map f x      x: [n][m]t in each step, and after the loop
//! loop x = xs for i < k do x[:, 1:]     x: [n][m1]t in each step, and [n][m2]t after the loop
//! ```

use super::Specialiser;
use super::value::{Array, Column, Env, Leaf, Value};
use crate::cnf::{Extent, SizeDef, Type};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core;

/// The size and the elements' type of an array's type.
type ArrayTypeParts<'t> = (&'t core::Size, &'t core::Type);

impl<'a> Specialiser<'a> {
    /// Parameters for a step, of the form of the initial value and with the sizes of the type. New sizes are bound in
    /// the environment of the step.
    pub(super) fn carried(
        &mut self,
        env: &mut Env<'a>,
        ty: &core::Type,
        init: &Value<'a>,
    ) -> Value<'a> {
        each_leaf(ty, init, &mut |ty, leaf| match leaf {
            Leaf::Scalar(atom) => {
                let ty = self.build.type_of(*atom);
                Leaf::Scalar(self.build.variable(ty, "x".into()).into())
            }
            Leaf::Array(array) => {
                let sized = self.carried_sizes(env, ty, array);
                let vars = sized.parts().into_iter().map(|(_, var, shape)| {
                    let ty = Type::Array { elem: self.build.elem_of(var), shape };
                    self.build.variable(ty, "a".into())
                });
                let vars: Vec<_> = vars.collect();
                Leaf::Array(sized.refill(&mut vars.into_iter()))
            }
            Leaf::Fun(_) => panic!("functions are not carried"),
        })
    }

    /// The array with the sizes of a step. Nothing changes about an array of a type parameter's type.
    fn carried_sizes(
        &mut self,
        env: &mut Env<'a>,
        ty: Option<ArrayTypeParts<'_>>,
        array: &Array,
    ) -> Array {
        let Some((size, elem)) = ty else { return array.clone() };
        let extent = self.extent_of_size(env, size);
        let extent = extent.unwrap_or_else(|| {
            let fresh = Extent::Size(self.build.fresh_size("m", SizeDef::Exists));
            self.learn_size(env, size, fresh);
            fresh
        });
        let elem = each_leaf(elem, &array.elem, &mut |ty, column| match column {
            Column::Scalar(var) => Column::Scalar(*var),
            Column::Rows(rows) => Column::Rows(Box::new(self.carried_sizes(env, ty, rows))),
        });
        Array { size: extent, elem }
    }

    /// Whether each array that a loop carries has in every step the sizes that it has at first.
    pub(super) fn keeps_sizes(&mut self, env: &Env<'a>, ty: &core::Type, init: &Value<'a>) -> bool {
        let mut keeps = true;
        each_leaf(ty, init, &mut |ty, leaf| {
            if let Leaf::Array(array) = leaf {
                keeps &= self.keeps_array(env, ty, array);
            }
        });
        keeps
    }

    fn keeps_array(
        &mut self,
        env: &Env<'a>,
        ty: Option<ArrayTypeParts<'_>>,
        array: &Array,
    ) -> bool {
        let Some((size, elem)) = ty else { return true };
        let mut keeps = self.extent_of_size(env, size) == Some(array.size);
        each_leaf(elem, &array.elem, &mut |ty, column| {
            if let Column::Rows(rows) = column {
                keeps &= self.keeps_array(env, ty, rows);
            }
        });
        keeps
    }

    /// The carried value after the loop. A size that is known only in a step has become a new size.
    pub(super) fn after(&mut self, carried: &Value<'a>) -> Value<'a> {
        let mut new: Vec<(Extent, Extent)> = Vec::new();
        carried.map(&mut |leaf| match leaf {
            Leaf::Array(array) => Leaf::Array(array.map_sizes(&mut |inside| {
                if self.build.extent_in_scope(inside) {
                    return inside;
                }
                if let Some(&(_, after)) = new.iter().find(|&&(known, _)| known == inside) {
                    return after;
                }
                let after = Extent::Size(self.build.fresh_size("m", SizeDef::Exists));
                new.push((inside, after));
                after
            })),
            Leaf::Scalar(_) | Leaf::Fun(_) => leaf.clone(),
        })
    }
}

/// The sizes that a type tells of the dimensions of each leaf of a value, outer ones first.
pub(super) fn told_sizes(ty: &core::Type, value: &Value<'_>) -> Vec<Vec<Option<core::Size>>> {
    let mut told = Vec::new();
    each_leaf(ty, value, &mut |ty, leaf| {
        let mut sizes = Vec::new();
        if let Leaf::Array(array) = leaf {
            told_dimensions(ty, array, &mut sizes);
        }
        told.push(sizes);
    });
    told
}

fn told_dimensions(
    ty: Option<ArrayTypeParts<'_>>,
    array: &Array,
    told: &mut Vec<Option<core::Size>>,
) {
    told.push(ty.map(|(size, _)| size.clone()));
    let mut row = |ty: Option<ArrayTypeParts<'_>>, column: &Column| {
        if let Column::Rows(rows) = column {
            told_dimensions(ty, rows, told);
        }
    };
    match ty {
        Some((_, elem)) => {
            each_leaf(elem, &array.elem, &mut row);
        }
        None => array.elem.leaves().into_iter().for_each(|column| row(None, column)),
    }
}

/// The tree with other leaves. Each is made with its type, if that is an array's.
fn each_leaf<T, U>(
    ty: &core::Type,
    tree: &Tree<T>,
    f: &mut impl FnMut(Option<ArrayTypeParts<'_>>, &T) -> U,
) -> Tree<U> {
    match (ty, tree) {
        (core::Type::Array(size, elem), Tree::Leaf(leaf)) => {
            Tree::Leaf(f(Some((size, elem)), leaf))
        }
        (core::Type::Tuple(types), Tree::Tuple(items)) => {
            let parts = types.iter().zip(items);
            Tree::Tuple(parts.map(|(ty, item)| each_leaf(ty, item, &mut *f)).collect())
        }
        (core::Type::Record(types), Tree::Record(fields)) => {
            let fields = fields.iter();
            let fields =
                fields.map(|(name, field)| (name.clone(), each_leaf(&types[name], field, &mut *f)));
            Tree::Record(fields.collect())
        }
        (core::Type::Sum(types), Tree::Sum(sum)) => {
            let tag = f(None, &sum.tag);
            let cases = sum.cases.iter().map(|(name, payloads)| {
                let parts = types[name].iter().zip(payloads);
                (name.clone(), parts.map(|(ty, part)| each_leaf(ty, part, &mut *f)).collect())
            });
            Tree::Sum(Box::new(Sum { tag, cases: cases.collect() }))
        }
        (core::Type::Exists(_, ty), tree) => each_leaf(ty, tree, f),
        (_, tree) => tree.map(&mut |leaf| f(None, leaf)),
    }
}
