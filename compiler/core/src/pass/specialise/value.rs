//! What core expressions evaluate to: scalars and arrays that the emitted program computes, in
//! tuples, records and functions that exist only here.
//!
//! Invariant: every array of one [`Array`] has its size; a [`Fun`] has fewer arguments than it takes.

use std::rc::Rc;

use indexmap::IndexMap;

use super::tree::Tree;
use crate::ids::{DefId, SizeId, TypeVar, VarId};
use crate::ir::cnf::{Atom, Extent};
use crate::ir::core;
use crate::prim::{BinOp, Scalar, UnOp};

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
    Fun(Rc<Fun<'a>>),
}

/// An array of scalars, tuples or records: one array of scalars for each leaf of an element.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Array {
    /// How many elements.
    pub(super) size: Extent,
    /// The arrays of `cnf`.
    pub(super) elem: Tree<VarId>,
}

/// A function, applied to some of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Fun<'a> {
    /// What it does.
    pub(super) code: Code<'a>,
    /// The arguments so far.
    pub(super) args: Vec<Value<'a>>,
}

/// What a function does.
#[derive(Clone, Debug)]
pub(super) enum Code<'a> {
    /// A lambda, with what it uses of the places around it.
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
    /// A definition.
    Global(DefId, Vec<Ty>),
    /// A scalar operator.
    Bin(BinOp),
    /// A scalar operator.
    Un(UnOp),
}

/// What the names of core stand for, at one place of one activation.
#[derive(Clone, Default, Debug)]
pub(super) struct Env<'a> {
    /// Variables of core.
    pub(super) vars: IndexMap<VarId, Value<'a>>,
    /// Sizes of core, as extents of the function that is built.
    pub(super) sizes: IndexMap<SizeId, Extent>,
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
    /// An array's; without its size if nothing that was evaluated has told it.
    Array(Option<Extent>, Tree<Scalar>),
    /// A function's.
    Fun,
}

impl<'a> Value<'a> {
    /// A scalar.
    pub(super) fn scalar(atom: impl Into<Atom>) -> Self {
        Self::Leaf(Leaf::Scalar(atom.into()))
    }

    /// An array.
    pub(super) fn array(size: Extent, elem: Tree<VarId>) -> Self {
        Self::Leaf(Leaf::Array(Array { size, elem }))
    }

    /// A function without arguments.
    pub(super) fn code(code: Code<'a>) -> Self {
        Self::Leaf(Leaf::Fun(Rc::new(Fun { code, args: Vec::new() })))
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
    pub(super) fn expect_fun(&self) -> &Rc<Fun<'a>> {
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
