//! What core expressions evaluate to: scalars and arrays that the emitted program computes, in
//! tuples, records and functions that exist only here.
//!
//! Invariant: every array of an [`Array`] has the size as its outermost extent, and the sizes of the rows as the
//! others; a [`Closure`] has fewer arguments than it takes.
//!
//! ```text
//! [n](i64, [m]{x: f64, y: f64})   three arrays: [n]i64, [n][m]f64, [n][m]f64
//! ```

use std::rc::Rc;

use indexmap::IndexMap;

use crate::cnf::{Atom, Extent};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_syntax::ids::{DefId, LocalId, SizeVar, TypeVar, VarId};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};

/// A value.
pub(super) type Value<'a> = Tree<Leaf<'a>>;

/// A value that is no tuple, no record and no sum.
#[derive(Clone, Debug)]
pub(super) enum Leaf<'a> {
    /// A scalar.
    Scalar(Atom),
    /// An array.
    Array(Array),
    /// A function.
    Fun(Rc<Closure<'a>>),
}

/// An array: one array of scalars for each scalar in an element.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Array {
    /// How many elements.
    pub(super) size: Extent,
    /// The components of the elements.
    pub(super) elem: Elem,
}

/// The columns of an array.
pub(super) type Elem = Tree<Column>;

/// A column: one component of all elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Column {
    /// A scalar in each element: the array of all of them.
    Scalar(VarId),
    /// An array in each element: rows.
    Rows(Box<Array>),
}

/// A function, applied to some of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Closure<'a> {
    /// Its code.
    pub(super) code: Callable<'a>,
    /// The arguments so far.
    pub(super) args: Vec<Value<'a>>,
}

/// The code of a function.
#[derive(Clone, Debug)]
pub(super) enum Callable<'a> {
    /// A lambda, with the part of its environment that it uses.
    Lambda {
        /// The whole lambda.
        lambda: &'a core::Expr,
        /// Its parameters.
        params: &'a [core::Param],
        /// Its body.
        body: &'a core::Expr,
        /// What it uses.
        env: Rc<Env<'a>>,
    },
    /// A definition, at these types, and with the sizes that the place determines and no argument does.
    Global(DefId, Vec<Ty>, Vec<(SizeVar, Extent)>),
    /// A scalar operator.
    Bin(BinOp),
    /// A scalar operator.
    Un(UnOp),
    /// `fma`.
    Fma,
}

/// The values of core's names at one place, in one activation.
#[derive(Clone, Default, Debug)]
pub(super) struct Env<'a> {
    /// Variables of core.
    pub(super) vars: IndexMap<LocalId, Value<'a>>,
    /// Sizes of core, as extents of the function that is built.
    pub(super) sizes: IndexMap<SizeVar, Extent>,
    /// Type parameters.
    pub(super) types: IndexMap<TypeVar, Ty>,
}

/// A type of core, evaluated.
pub(super) type Ty = Tree<TyLeaf>;

/// A type that is no tuple, no record and no sum.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TyLeaf {
    /// A scalar's.
    Scalar(Scalar),
    /// An array's, with its elements'; without its size if no evaluated value has determined it.
    Array(Option<Extent>, Box<Ty>),
    /// A function's.
    Fun,
}

impl<'a> Value<'a> {
    /// A scalar.
    pub(super) fn scalar(atom: impl Into<Atom>) -> Self {
        Self::Leaf(Leaf::Scalar(atom.into()))
    }

    /// An array.
    pub(super) fn array(size: Extent, elem: Elem) -> Self {
        Self::Leaf(Leaf::Array(Array { size, elem }))
    }

    /// A function without arguments.
    pub(super) fn code(code: Callable<'a>) -> Self {
        Self::Leaf(Leaf::Fun(Rc::new(Closure { code, args: Vec::new() })))
    }

    /// The scalar that a well-typed program has here.
    pub(super) fn expect_scalar(&self) -> Atom {
        match self {
            Self::Leaf(Leaf::Scalar(atom)) => *atom,
            Self::Leaf(Leaf::Array(_) | Leaf::Fun(_))
            | Self::Tuple(_)
            | Self::Record(_)
            | Self::Sum(_) => {
                panic!("core is well-typed: a scalar stands here, not {self:?}")
            }
        }
    }

    /// The array that a well-typed program has here.
    pub(super) fn expect_array(&self) -> &Array {
        match self {
            Self::Leaf(Leaf::Array(array)) => array,
            Self::Leaf(Leaf::Scalar(_) | Leaf::Fun(_))
            | Self::Tuple(_)
            | Self::Record(_)
            | Self::Sum(_) => {
                panic!("core is well-typed: an array stands here, not {self:?}")
            }
        }
    }

    /// The function that a well-typed program has here.
    pub(super) fn expect_fun(&self) -> &Rc<Closure<'a>> {
        match self {
            Self::Leaf(Leaf::Fun(fun)) => fun,
            Self::Leaf(Leaf::Scalar(_) | Leaf::Array(_))
            | Self::Tuple(_)
            | Self::Record(_)
            | Self::Sum(_) => {
                panic!("core is well-typed: a function stands here, not {self:?}")
            }
        }
    }
}

impl Array {
    /// The arrays of `cnf`.
    pub(super) fn vars(&self) -> Vec<VarId> {
        self.parts().into_iter().map(|(_, var, _)| var).collect()
    }

    /// The arrays of `cnf`, each with its path in an element and its shape.
    pub(super) fn parts(&self) -> Vec<(String, VarId, Vec<Extent>)> {
        let mut parts = Vec::new();
        self.collect("", &[], &mut parts);
        parts
    }

    fn collect(
        &self,
        path: &str,
        around: &[Extent],
        parts: &mut Vec<(String, VarId, Vec<Extent>)>,
    ) {
        let shape = [around, &[self.size]].concat();
        for (inner, part) in self.elem.paths() {
            let path = format!("{path}{inner}");
            match part {
                Column::Scalar(var) => parts.push((path, *var, shape.clone())),
                Column::Rows(rows) => rows.collect(&path, &shape, parts),
            }
        }
    }

    /// The same array, made of other arrays of `cnf`.
    pub(super) fn refill(&self, vars: &mut impl Iterator<Item = VarId>) -> Self {
        let elem = self.elem.map(&mut |part| match part {
            Column::Scalar(_) => Column::Scalar(vars.next().expect("one array for each component")),
            Column::Rows(rows) => Column::Rows(Box::new(rows.refill(&mut *vars))),
        });
        Self { size: self.size, elem }
    }

    /// An array of that size with the element type of this array, made of other arrays of `cnf`.
    pub(super) fn resized(&self, size: Extent, vars: impl IntoIterator<Item = VarId>) -> Self {
        Self { size, ..self.refill(&mut vars.into_iter()) }
    }

    /// The array with other sizes at all depths.
    pub(super) fn map_sizes(&self, f: &mut impl FnMut(Extent) -> Extent) -> Self {
        let size = f(self.size);
        let elem = self.elem.map(&mut |part| match part {
            Column::Scalar(var) => Column::Scalar(*var),
            Column::Rows(rows) => Column::Rows(Box::new(rows.map_sizes(&mut *f))),
        });
        Self { size, elem }
    }

    /// An element, where these variables stand for its components.
    pub(super) fn element<'a>(&self, vars: &mut impl Iterator<Item = VarId>) -> Value<'a> {
        self.elem.map(&mut |part| match part {
            Column::Scalar(_) => {
                Leaf::Scalar(vars.next().expect("one variable for each component").into())
            }
            Column::Rows(rows) => Leaf::Array(rows.refill(&mut *vars)),
        })
    }

    /// The array of that size whose elements have the form of this value, made of the arrays `outs` of `cnf`.
    pub(super) fn of(size: Extent, element: &Value<'_>, outs: Vec<VarId>) -> Self {
        let mut outs = outs.into_iter();
        let elem = element.map(&mut |leaf| match leaf {
            Leaf::Scalar(_) => Column::Scalar(outs.next().expect("one array for each component")),
            Leaf::Array(rows) => Column::Rows(Box::new(rows.refill(&mut outs))),
            Leaf::Fun(_) => panic!("elements were checked to be data"),
        });
        Self { size, elem }
    }
}
