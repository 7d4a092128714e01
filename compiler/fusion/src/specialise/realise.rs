//! The parameters of a specialisation, made from the description of the arguments.
//!
//! Invariant: the parameters come in the order of the description's actual arguments.
//!
//! ```text
//! passed: 3, xs of class 0, k; fixed: \x -> x * k   ⇒ params n: i64, xs: [m]i64, k: i64
//! ```

use std::rc::Rc;

use indexmap::IndexMap;

use super::Specialiser;
use super::describe::{
    ArgumentSlot, CodeSlot, Description, FunSlot, LambdaSlot, SizeClass, SizeSlot, TyPart, TySlot,
};
use super::value::{Array, Callable, Closure, Column, Env, Leaf, Ty, TyLeaf, Value};
use crate::cnf::{Extent, SizeDef, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::core;
use arrc_front::core::{Size, UniquenessMarks};
use arrc_syntax::ids::{LocalId, SizeVar, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;

impl<'a> Specialiser<'a> {
    /// Makes the parameters of a specialisation, in the order of the description, and binds the
    /// definition's patterns to them.
    pub(super) fn realise(&mut self, def: &'a core::Def, description: &Description<'a>) -> Env<'a> {
        let mut env = Env::default();
        let mut extents = IndexMap::new();
        for (index, slots) in &description.args {
            let param = &def.params[*index];
            let mut realise = SlotRealiser {
                classes: &description.classes,
                extents: &mut extents,
                env: &mut env,
            };
            let value = realise.value(self, slots, "arg");
            let marks = UniquenessMarks::of_pattern(&param.pat, &self.core.vars);
            self.mark_owned(&marks, &value);
            let first = VarId::from_u32(0);
            self.name(&param.pat, &value, first);
            self.learn(&mut env, &param.ty, &value);
            self.bind(&mut env, &param.pat, value);
        }
        for (&var, slot) in def.types.iter().zip(&description.types) {
            let ty = realise_type(slot, &extents);
            env.types.insert(var, ty);
        }
        env
    }

    /// Makes the function own the marked arrays of a parameter.
    fn mark_owned(&mut self, marks: &UniquenessMarks, value: &Value<'a>) {
        match value {
            Tree::Leaf(Leaf::Array(array)) if *marks == UniquenessMarks::Unique => {
                scalars(array).into_iter().for_each(|param| self.build.mark_owned(param));
            }
            Tree::Leaf(Leaf::Array(_) | Leaf::Scalar(_) | Leaf::Fun(_)) => {}
            Tree::Tuple(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(at, item)| self.mark_owned(marks.item(at), item));
            }
            Tree::Record(fields) => {
                fields.iter().for_each(|(name, field)| self.mark_owned(marks.field(name), field));
            }
            Tree::Sum(sum) => {
                sum.cases.values().flatten().for_each(|payload| self.mark_owned(marks, payload));
            }
        }
    }

    /// The extent of a parameter's array: that of the size if it is known, or a new one.
    pub(super) fn declared_extent(&mut self, env: &mut Env<'a>, size: &Size) -> Extent {
        if let Some(extent) = self.extent_of_size(env, size) {
            return extent;
        }
        let name = self.size_name(size);
        let extent = Extent::Size(self.build.fresh_size(name, SizeDef::Param));
        self.learn_size(env, size, extent);
        extent
    }

    /// The name of a size: that of its first symbol.
    pub(super) fn size_name(&self, size: &Size) -> Name {
        let first = size.terms.keys().flatten().next();
        first.map_or_else(|| "k".into(), |&factor| self.core.sizes[factor].name.clone())
    }
}

/// Turns slots into parameters of the function that is built.
struct SlotRealiser<'d, 'a> {
    classes: &'d [SizeClass],
    extents: &'d mut IndexMap<usize, Extent>,
    env: &'d mut Env<'a>,
}

impl<'a> SlotRealiser<'_, 'a> {
    fn value(
        &mut self,
        to: &mut Specialiser<'a>,
        slots: &Tree<ArgumentSlot<'a>>,
        name: &str,
    ) -> Value<'a> {
        slots.map(&mut |slot| match slot {
            ArgumentSlot::Scalar(scalar) => {
                Leaf::Scalar(to.build.param(name, Type::Scalar(*scalar)).into())
            }
            ArgumentSlot::Array(class, elem) => {
                Leaf::Array(self.array(to, (*class, elem), &[], name))
            }
            ArgumentSlot::Fun(fun) => Leaf::Fun(Rc::new(self.fun(to, fun))),
        })
    }

    fn array(
        &mut self,
        to: &mut Specialiser<'a>,
        (class, elem): (usize, &Tree<ArgumentSlot<'a>>),
        around: &[Extent],
        name: &str,
    ) -> Array {
        let size = self.extent(to, class);
        let shape = [around, &[size]].concat();
        let elem = elem.map(&mut |slot| match slot {
            ArgumentSlot::Scalar(elem) => {
                let ty = Type::Array { elem: *elem, shape: shape.clone() };
                Column::Scalar(to.build.param(name, ty))
            }
            ArgumentSlot::Array(class, elem) => {
                Column::Rows(Box::new(self.array(to, (*class, elem), &shape, name)))
            }
            ArgumentSlot::Fun(_) => panic!("elements are data"),
        });
        Array { size, elem }
    }

    fn extent(&mut self, to: &mut Specialiser<'a>, class: usize) -> Extent {
        if let Some(&extent) = self.extents.get(&class) {
            return extent;
        }
        let extent = match &self.classes[class] {
            SizeClass::Declared(size) => to.declared_extent(self.env, size),
            SizeClass::Captured => Extent::Size(to.build.fresh_size("k", SizeDef::Param)),
            SizeClass::Const(value) => Extent::Const(*value),
            SizeClass::Scalar => panic!("a class with a parameter is made with the parameter"),
        };
        self.extents.insert(class, extent);
        extent
    }

    fn fun(&mut self, to: &mut Specialiser<'a>, fun: &FunSlot<'a>) -> Closure<'a> {
        let vars: IndexMap<LocalId, Value<'a>> = fun
            .vars
            .iter()
            .map(|(var, slots)| {
                let name: Name = to.core.vars[*var].name.clone();
                (*var, self.value(to, slots, &name))
            })
            .collect();
        let mut sizes: IndexMap<SizeVar, Extent> =
            fun.sizes.iter().map(|(size, slot)| (*size, self.size(to, *size, *slot))).collect();
        let types = fun.types.iter().map(|(var, slot)| (*var, realise_type(slot, self.extents)));
        let code = match &fun.code {
            CodeSlot::Lambda(LambdaSlot { lambda, params, body }) => {
                for (&var, value) in &vars {
                    to.learn_value(&mut sizes, var, value);
                }
                let env = Rc::new(Env { vars, sizes, types: types.collect() });
                Callable::Lambda { lambda, params, body, env }
            }
            CodeSlot::Global(def) => {
                let args = fun.type_args.iter().map(|slot| realise_type(slot, self.extents));
                Callable::Global(*def, args.collect(), sizes.into_iter().collect())
            }
            CodeSlot::Bin(op) => Callable::Bin(*op),
            CodeSlot::Un(op) => Callable::Un(*op),
            CodeSlot::Fma => Callable::Fma,
        };
        let args = fun.args.iter().map(|slots| self.value(to, slots, "arg")).collect();
        Closure { code, args }
    }

    fn size(&mut self, to: &mut Specialiser<'a>, size: SizeVar, slot: SizeSlot) -> Extent {
        match slot {
            SizeSlot::Class(class) => self.extent(to, class),
            SizeSlot::Scalar(class) => {
                let name = to.core.sizes[size].name.clone();
                let param = to.build.param(name, Type::Scalar(Scalar::I64));
                let extent = to.build.extent_of(param.into());
                self.extents.insert(class, extent);
                extent
            }
        }
    }
}

/// The arrays of scalars that an array is stored as.
fn scalars(array: &Array) -> Vec<VarId> {
    let parts = array.elem.paths().into_iter();
    let of = |(_, part): (_, &Column)| match part {
        Column::Scalar(var) => vec![*var],
        Column::Rows(rows) => scalars(rows),
    };
    parts.flat_map(of).collect()
}

fn realise_type(slot: &TySlot, extents: &IndexMap<usize, Extent>) -> Ty {
    slot.map(&mut |part| match part {
        TyPart::Scalar(scalar) => TyLeaf::Scalar(*scalar),
        TyPart::Array(class, elem) => {
            let size = class.and_then(|class| extents.get(&class).copied());
            TyLeaf::Array(size, Box::new(realise_type(elem, extents)))
        }
        TyPart::Fun => TyLeaf::Fun,
    })
}
