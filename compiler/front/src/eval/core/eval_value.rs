//! Values of core expressions: scalars, tuples, records, sums, arrays and functions.
//!
//! Invariant: all elements of an array have the shape that the array says, also if it is empty; a function has fewer
//! arguments than it takes.
//!
//! ```text
//! map (\x -> [x, x]) (filter (> 9) [1, 2])   ⇒   Array { elem: [2]i64, elems: [] }
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::core::{Expr, Param};
use crate::eval::core::eval_scope::Env;
use arrc_syntax::ids::{DefId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::stack::with_enough_stack;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Scalar(Const),
    Tuple(Rc<Vec<Value<'a>>>),
    Record(Rc<IndexMap<Name, Value<'a>>>),
    Sum(Rc<Sum<'a>>),
    Array(Rc<Array<'a>>),
    Fun(Rc<Closure<'a>>),
}

/// A value of a sum: its constructor, and payloads for all constructors. The payloads of the other constructors are
/// zero, or any values from outside.
#[derive(Clone, Debug)]
pub(super) struct Sum<'a> {
    /// The index of the constructor among the names of all constructors.
    pub(super) tag: Const,
    /// The payloads of each constructor.
    pub(super) cases: BTreeMap<Name, Vec<Value<'a>>>,
}

/// An array.
#[derive(Clone, Debug)]
pub(super) struct Array<'a> {
    /// The shape of each element.
    pub(super) elem: Rc<Shape>,
    /// The elements.
    pub(super) elems: Vec<Value<'a>>,
}

/// The shape of a value: a type with known sizes.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    Scalar(Scalar),
    Tuple(Vec<Shape>),
    Record(IndexMap<Name, Shape>),
    Sum(BTreeMap<Name, Vec<Shape>>),
    Array(i64, Rc<Shape>),
    Fun,
}

/// A function, applied to some of its arguments.
#[derive(Clone)]
pub(super) struct Closure<'a> {
    /// Its code.
    pub(super) code: Callable<'a>,
    /// The arguments so far.
    pub(super) args: Vec<Value<'a>>,
}

/// The code of a function.
#[derive(Clone)]
pub(super) enum Callable<'a> {
    /// A lambda, with the scope in which it stands.
    Lambda(&'a [Param], &'a Expr, Env<'a>),
    /// A definition, with the shapes of its type parameters and the sizes that no argument determines.
    Global(DefId, Rc<Vec<Shape>>, Rc<Vec<(SizeVar, i64)>>),
    /// A scalar operator.
    Bin(BinOp),
    /// A scalar operator.
    Un(UnOp),
    /// `fma`.
    Fma,
}

impl<'a> Value<'a> {
    /// A truth value.
    pub(super) fn bool(value: bool) -> Self {
        Self::Scalar(Const::bool(value))
    }

    /// A size or a position.
    pub(super) fn count(count: usize) -> Self {
        Self::Scalar(Const::i64(i64::try_from(count).expect("an array is shorter than 2^63")))
    }

    /// A tuple.
    pub(super) fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Rc::new(items))
    }

    /// An array of these elements. Their shape is that of the first element, or `empty` if there is none.
    pub(super) fn array(elems: Vec<Self>, empty: impl FnOnce() -> Shape) -> Self {
        let elem = Rc::new(elems.first().map_or_else(empty, Self::shape));
        Self::Array(Rc::new(Array { elem, elems }))
    }

    /// A function without arguments.
    pub(super) fn code(code: Callable<'a>) -> Self {
        Self::Fun(Rc::new(Closure { code, args: Vec::new() }))
    }

    /// The shape of the value.
    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Scalar(value) => Shape::Scalar(value.ty),
            Self::Tuple(items) => Shape::Tuple(items.iter().map(Self::shape).collect()),
            Self::Record(fields) => Shape::Record(
                fields.iter().map(|(name, field)| (name.clone(), field.shape())).collect(),
            ),
            Self::Sum(sum) => {
                let all = |values: &Vec<Self>| values.iter().map(Self::shape).collect();
                let cases = sum.cases.iter().map(|(name, values)| (name.clone(), all(values)));
                Shape::Sum(cases.collect())
            }
            Self::Array(array) => Shape::Array(array.len(), array.elem.clone()),
            Self::Fun(_) => Shape::Fun,
        }
    }

    /// The value of a constructor with its payloads.
    pub(super) fn sum(types: BTreeMap<Name, Vec<Shape>>, name: &Name, payloads: Vec<Self>) -> Self {
        let tag = types.keys().position(|other| other == name);
        let Self::Scalar(tag) = Self::count(tag.expect("core is well-typed: it is of the sum"))
        else {
            unreachable!("a count is a scalar");
        };
        let blank = |shapes: Vec<Shape>| shapes.iter().map(Self::zero).collect();
        let mut cases: BTreeMap<Name, Vec<Self>> =
            types.into_iter().map(|(name, shapes)| (name, blank(shapes))).collect();
        cases.insert(name.clone(), payloads);
        Self::Sum(Rc::new(Sum { tag, cases }))
    }

    /// A value whose scalars are all zero.
    fn zero(shape: &Shape) -> Self {
        match shape {
            Shape::Scalar(scalar) => Self::Scalar(Const { ty: *scalar, bits: 0 }),
            Shape::Tuple(items) => Self::tuple(items.iter().map(Self::zero).collect()),
            Shape::Record(fields) => {
                let fields = fields.iter().map(|(name, field)| (name.clone(), Self::zero(field)));
                Self::Record(Rc::new(fields.collect()))
            }
            Shape::Sum(types) => {
                let all = |shapes: &Vec<Shape>| shapes.iter().map(Self::zero).collect();
                let cases = types.iter().map(|(name, shapes)| (name.clone(), all(shapes)));
                Self::Sum(Rc::new(Sum { tag: Const::i64(0), cases: cases.collect() }))
            }
            Shape::Array(size, elem) => {
                let count = usize::try_from(*size).expect("a size is not negative");
                let elems = vec![Self::zero(elem); count];
                Self::Array(Rc::new(Array { elem: elem.clone(), elems }))
            }
            Shape::Fun => panic!("core is well-typed: constructors hold data"),
        }
    }

    pub(super) fn expect_scalar(&self) -> Const {
        match self {
            Self::Scalar(value) => *value,
            Self::Tuple(_) | Self::Record(_) | Self::Sum(_) | Self::Array(_) | Self::Fun(_) => {
                panic!("core is well-typed: a scalar stands here, not {self:?}")
            }
        }
    }

    pub(super) fn expect_bool(&self) -> bool {
        self.expect_scalar().bits != 0
    }

    pub(super) fn expect_array(&self) -> &Rc<Array<'a>> {
        match self {
            Self::Array(array) => array,
            Self::Scalar(_) | Self::Tuple(_) | Self::Record(_) | Self::Sum(_) | Self::Fun(_) => {
                panic!("core is well-typed: an array stands here, not {self:?}")
            }
        }
    }

    pub(super) fn expect_fun(&self) -> &Rc<Closure<'a>> {
        match self {
            Self::Fun(fun) => fun,
            Self::Scalar(_) | Self::Tuple(_) | Self::Record(_) | Self::Sum(_) | Self::Array(_) => {
                panic!("core is well-typed: a function stands here, not {self:?}")
            }
        }
    }

    /// A field of a record, or a component of a tuple by its number.
    pub(super) fn field(&self, name: &str) -> &Self {
        let found = match self {
            Self::Record(fields) => fields.get(name),
            Self::Tuple(items) => name.parse().ok().and_then(|at: usize| items.get(at)),
            Self::Scalar(_) | Self::Sum(_) | Self::Array(_) | Self::Fun(_) => None,
        };
        found.unwrap_or_else(|| panic!("core is well-typed: {self:?} has {name}"))
    }
}

impl Sum<'_> {
    /// Whether the constructor of this name made the value. If the tag came from outside and stands for no
    /// constructor, none did.
    pub(super) fn is_made_by(&self, name: &Name) -> bool {
        let place = self.cases.keys().position(|other| other == name);
        place.and_then(|place| i128::try_from(place).ok()) == Some(self.tag.as_i128())
    }

    /// The constructor that made the value, with its payloads.
    pub(super) fn constructor(&self) -> Option<(&Name, &Vec<Value<'_>>)> {
        let place = usize::try_from(self.tag.as_i128()).ok()?;
        self.cases.iter().nth(place)
    }
}

impl Array<'_> {
    /// How many elements there are.
    pub(super) fn len(&self) -> i64 {
        i64::try_from(self.elems.len()).expect("an array is shorter than 2^63")
    }
}

impl fmt::Debug for Closure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a function with {} arguments", self.args.len())
    }
}

/// A function may hold a function, in chains of any length. Dropping a chain must not overflow the stack.
impl Drop for Closure<'_> {
    fn drop(&mut self) {
        let code = mem::replace(&mut self.code, Callable::Un(UnOp::Neg));
        let args = mem::take(&mut self.args);
        with_enough_stack(|| drop((code, args)));
    }
}
