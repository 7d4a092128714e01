//! The parts of a call's arguments that are passed at run time, and those that are fixed in the specialisation.
//!
//! Scalars and arrays are passed; functions are fixed, but what they capture is passed. Sizes are
//! described by classes: a size of the definition's types is one class, and so is each other extent
//! that captured arrays have.
//!
//! Invariant: calls with equal descriptions share a specialisation; the parts that differ between them are passed.
//!
//! ```text
//! each (\x -> x * k) 3 xs   ⇒ passed: 3, xs, k; fixed: the lambda
//! ```

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ptr;

use indexmap::IndexMap;

use super::Specialiser;
use super::value::{Array, Callable, Closure, Column, Leaf, Ty, TyLeaf, Value};
use crate::cnf::{Atom, Extent};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core;
use arrc_front::core::Size;
use arrc_syntax::ids::{DefId, LocalId, SizeVar, TypeVar};
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// One leaf of an argument, as the specialisation sees it.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum ArgumentSlot<'a> {
    /// A parameter.
    Scalar(Scalar),
    /// A parameter for each scalar of the elements; all have the size of the class.
    Array(usize, Box<Tree<ArgumentSlot<'a>>>),
    /// The function itself is fixed; the values that it captures are parameters.
    Fun(FunSlot<'a>),
}

/// A function argument.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct FunSlot<'a> {
    /// The code, without the captured values.
    pub(super) code: CodeSlot<'a>,
    /// The captured variables.
    pub(super) vars: Vec<(LocalId, Tree<ArgumentSlot<'a>>)>,
    /// The captured sizes.
    pub(super) sizes: Vec<(SizeVar, SizeSlot)>,
    /// The captured type parameters.
    pub(super) types: Vec<(TypeVar, TySlot)>,
    /// The type arguments, of a definition.
    pub(super) type_args: Vec<TySlot>,
    /// The arguments so far.
    pub(super) args: Vec<Tree<ArgumentSlot<'a>>>,
}

/// The code of a function argument.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum CodeSlot<'a> {
    /// A lambda.
    Lambda(LambdaSlot<'a>),
    /// A definition.
    Global(DefId),
    /// A scalar operator.
    Bin(BinOp),
    /// A scalar operator.
    Un(UnOp),
    /// `fma`.
    Fma,
}

/// A lambda: the same one only if it stands at the same place of the program.
pub(super) struct LambdaSlot<'a> {
    /// The whole lambda.
    pub(super) lambda: &'a core::Expr,
    /// Its parameters.
    pub(super) params: &'a [core::Param],
    /// Its body.
    pub(super) body: &'a core::Expr,
}

impl PartialEq for LambdaSlot<'_> {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.lambda, other.lambda)
    }
}

impl Eq for LambdaSlot<'_> {}

impl Hash for LambdaSlot<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.lambda, state);
    }
}

/// A captured size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SizeSlot {
    /// The size of other arguments.
    Class(usize),
    /// A parameter of its own, whose value defines this class.
    Scalar(usize),
}

/// A captured type, with classes for its extents.
pub(super) type TySlot = Tree<TyPart>;

/// A leaf of a captured type.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum TyPart {
    /// A scalar's.
    Scalar(Scalar),
    /// An array's. It has no class if no passed value has the size.
    Array(Option<usize>, Box<TySlot>),
    /// A function's.
    Fun,
}

/// The meaning of a class of sizes in the specialisation.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum SizeClass {
    /// A size of the definition's parameter types.
    Declared(Size),
    /// The size of captured arrays.
    Captured,
    /// Known when compiling.
    Const(i64),
    /// The value of a parameter.
    Scalar,
}

/// The description of a call's arguments: equal for calls that share a specialisation.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Description<'a> {
    /// The definition that is called.
    pub(super) def: DefId,
    /// The arguments with their places in the definition, in the order in which they are passed.
    pub(super) args: Vec<(usize, Tree<ArgumentSlot<'a>>)>,
    /// The type arguments.
    pub(super) types: Vec<TySlot>,
    /// The classes of sizes.
    pub(super) classes: Vec<SizeClass>,
}

/// The description of a call under construction.
#[derive(Default)]
struct DescriptionBuilder {
    /// The atoms that are passed.
    actuals: Vec<Atom>,
    classes: Vec<SizeClass>,
    /// The class of each extent of the caller.
    extents: IndexMap<Extent, usize>,
}

impl<'a> Specialiser<'a> {
    /// Describes the arguments of a call; returns also the atoms that are passed.
    pub(super) fn describe(
        &mut self,
        id: DefId,
        types: &[Ty],
        args: &[Value<'a>],
        span: Span,
    ) -> (Description<'a>, Vec<Atom>) {
        let def = &self.core.defs[id];
        let mut description = DescriptionBuilder::default();
        let mut slots = Vec::new();
        // Functions come last: the sizes that they need may be those of arrays that are passed anyway.
        let is_fun = |&index: &usize| matches!(def.params[index].ty, core::Type::Fun(..));
        let (funs, data): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(is_fun);
        for index in [data, funs].concat() {
            let ty = &def.params[index].ty;
            let slot = self.describe_declared(&mut description, ty, &args[index], span);
            slots.push((index, slot));
        }
        let types = types.iter().map(|ty| description.ty(ty)).collect();
        let DescriptionBuilder { actuals, classes, .. } = description;
        (Description { def: id, args: slots, types, classes }, actuals)
    }

    /// Describes an argument whose type is written in the definition.
    fn describe_declared(
        &mut self,
        description: &mut DescriptionBuilder,
        ty: &'a core::Type,
        value: &Value<'a>,
        span: Span,
    ) -> Tree<ArgumentSlot<'a>> {
        match (ty, value) {
            (core::Type::Array(..), Tree::Leaf(Leaf::Array(array))) => {
                Tree::Leaf(self.describe_array(description, Some(ty), array))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                let slots = types
                    .iter()
                    .zip(items)
                    .map(|(ty, item)| self.describe_declared(description, ty, item, span))
                    .collect();
                Tree::Tuple(slots)
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                let slots = fields
                    .iter()
                    .map(|(name, field)| {
                        let ty = &types[name];
                        (name.clone(), self.describe_declared(description, ty, field, span))
                    })
                    .collect();
                Tree::Record(slots)
            }
            (core::Type::Sum(types), Tree::Sum(sum)) => {
                let tag = self.describe_leaf(description, &sum.tag, span);
                let mut cases = BTreeMap::new();
                for (name, payloads) in &sum.cases {
                    let pairs = types[name].iter().zip(payloads);
                    let slots = pairs
                        .map(|(ty, payload)| self.describe_declared(description, ty, payload, span))
                        .collect();
                    cases.insert(name.clone(), slots);
                }
                Tree::Sum(Box::new(Sum { tag, cases }))
            }
            (_, value) => self.describe_value(description, value, span),
        }
    }

    /// Describes a captured value, or a value whose type is a type parameter.
    fn describe_value(
        &mut self,
        description: &mut DescriptionBuilder,
        value: &Value<'a>,
        span: Span,
    ) -> Tree<ArgumentSlot<'a>> {
        value.map(&mut |leaf| self.describe_leaf(description, leaf, span))
    }

    fn describe_leaf(
        &mut self,
        description: &mut DescriptionBuilder,
        leaf: &Leaf<'a>,
        span: Span,
    ) -> ArgumentSlot<'a> {
        match leaf {
            Leaf::Scalar(atom) => {
                let scalar = self.build.scalar_of(*atom);
                description.actuals.push(*atom);
                ArgumentSlot::Scalar(scalar)
            }
            Leaf::Array(array) => self.describe_array(description, None, array),
            Leaf::Fun(fun) => ArgumentSlot::Fun(self.describe_fun(description, fun, span)),
        }
    }

    /// Describes an array, whose type may be written in the definition.
    fn describe_array(
        &self,
        description: &mut DescriptionBuilder,
        ty: Option<&core::Type>,
        array: &Array,
    ) -> ArgumentSlot<'a> {
        let (class, elem_ty) = match ty {
            Some(core::Type::Array(size, elem)) => {
                (description.declared(size, array.size), Some(&**elem))
            }
            Some(_) | None => (description.captured(array.size), None),
        };
        // Rows have a written type only outside of tuples; rows in tuples are told apart by their extents.
        let rows_ty = elem_ty.filter(|_| matches!(array.elem, Tree::Leaf(_)));
        let elem = array.elem.map(&mut |part| match part {
            Column::Scalar(var) => {
                let scalar = self.build.elem_of(*var);
                description.actuals.push(Atom::Var(*var));
                ArgumentSlot::Scalar(scalar)
            }
            Column::Rows(rows) => self.describe_array(description, rows_ty, rows),
        });
        ArgumentSlot::Array(class, Box::new(elem))
    }

    fn describe_fun(
        &mut self,
        description: &mut DescriptionBuilder,
        fun: &Closure<'a>,
        span: Span,
    ) -> FunSlot<'a> {
        let (mut vars, mut sizes) = (Vec::new(), Vec::new());
        let (mut types, mut type_args) = (Vec::new(), Vec::new());
        let code = match &fun.code {
            Callable::Lambda { lambda, params, body, env } => {
                let free = self.free(lambda);
                for (&var, value) in &env.vars {
                    vars.push((var, self.describe_value(description, value, span)));
                }
                for (&size, &needed) in &free.sizes {
                    if let Some(&extent) = env.sizes.get(&size)
                        && let Some(slot) = self.describe_size(description, extent, needed, span)
                    {
                        sizes.push((size, slot));
                    }
                }
                for (&var, ty) in &env.types {
                    types.push((var, description.ty(ty)));
                }
                CodeSlot::Lambda(LambdaSlot { lambda, params, body })
            }
            Callable::Global(def, args, told) => {
                for ty in args {
                    type_args.push(description.ty(ty));
                }
                for &(size, extent) in told {
                    if let Some(slot) = self.describe_size(description, extent, true, span) {
                        sizes.push((size, slot));
                    }
                }
                CodeSlot::Global(*def)
            }
            Callable::Bin(op) => CodeSlot::Bin(*op),
            Callable::Un(op) => CodeSlot::Un(*op),
            Callable::Fma => CodeSlot::Fma,
        };
        let args = fun.args.iter().map(|arg| self.describe_value(description, arg, span)).collect();
        FunSlot { code, vars, sizes, types, type_args, args }
    }

    /// Describes a captured size. It is the size of an array that is passed anyway, or, if its value is needed, an
    /// argument of its own.
    fn describe_size(
        &mut self,
        description: &mut DescriptionBuilder,
        extent: Extent,
        needed: bool,
        span: Span,
    ) -> Option<SizeSlot> {
        let known = matches!(extent, Extent::Const(_)) || description.extents.contains_key(&extent);
        if known {
            let class = description.captured(extent);
            return Some(SizeSlot::Class(class));
        }
        let value = needed.then(|| self.build.size_value(extent, span)).flatten()?;
        let class = description.class(SizeClass::Scalar);
        description.extents.insert(extent, class);
        description.actuals.push(value);
        Some(SizeSlot::Scalar(class))
    }
}

impl DescriptionBuilder {
    fn class(&mut self, class: SizeClass) -> usize {
        self.classes.push(class);
        self.classes.len() - 1
    }

    /// The class of a size that the definition's types mention.
    fn declared(&mut self, size: &Size, extent: Extent) -> usize {
        let known = self
            .classes
            .iter()
            .position(|class| matches!(class, SizeClass::Declared(other) if other == size));
        let class = known.unwrap_or_else(|| self.class(SizeClass::Declared(size.clone())));
        self.extents.entry(extent).or_insert(class);
        class
    }

    /// The class of an extent that captured arrays have.
    fn captured(&mut self, extent: Extent) -> usize {
        if let Some(&class) = self.extents.get(&extent) {
            return class;
        }
        let class = match extent {
            Extent::Const(value) => self.class(SizeClass::Const(value)),
            Extent::Size(_) => self.class(SizeClass::Captured),
        };
        self.extents.insert(extent, class);
        class
    }

    fn ty(&mut self, ty: &Ty) -> TySlot {
        ty.map(&mut |leaf| match leaf {
            TyLeaf::Scalar(scalar) => TyPart::Scalar(*scalar),
            TyLeaf::Array(size, elem) => {
                let known = |size: &Extent| {
                    matches!(size, Extent::Const(_)) || self.extents.contains_key(size)
                };
                let class = size.filter(known).map(|size| self.captured(size));
                TyPart::Array(class, Box::new(self.ty(elem)))
            }
            TyLeaf::Fun => TyPart::Fun,
        })
    }
}
