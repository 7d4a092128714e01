//! The values of variables, sizes and type parameters in one activation of a definition.
//!
//! Invariant: the first value whose type mentions a size determines it, and every later value agrees.
//!
//! ```text
//! learn([n]i64, an array of 3)   ⇒   n = 3        size n*n + 1   ⇒   10
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::eval::core::eval_value::{Shape, Value};
use indexmap::IndexMap;

use crate::core::{Def, Pat, Program, Size, SizeOrigin, Type};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{LocalId, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Const;

/// An environment: the values in scope. A clone is cheap, so each lambda keeps the environment in which it stands.
#[derive(Clone, Default)]
pub(super) struct Env<'a> {
    vars: Rc<BTreeMap<LocalId, Value<'a>>>,
    sizes: Rc<BTreeMap<SizeVar, i64>>,
    types: Rc<BTreeMap<TypeVar, Shape>>,
}

/// The size of rows whose size does not fit in an `i64`. An array with such rows is an error where it is made.
const NO_SIZE: i64 = -1;

/// Two values determine a size differently.
pub(super) struct SizeConflict {
    /// The size of this value.
    pub(super) found: i64,
    /// The size of the values before it.
    pub(super) wanted: i64,
}

impl<'a> Env<'a> {
    /// The scope of a definition's body.
    pub(super) fn of_types(types: impl IntoIterator<Item = (TypeVar, Shape)>) -> Self {
        Self { types: Rc::new(types.into_iter().collect()), ..Self::default() }
    }

    /// The value of a variable.
    pub(super) fn var(&self, var: LocalId) -> &Value<'a> {
        self.vars.get(&var).unwrap_or_else(|| panic!("core is resolved: {var} is bound"))
    }

    /// The value of a variable, if it is bound here.
    pub(super) fn bound(&self, var: LocalId) -> Option<&Value<'a>> {
        self.vars.get(&var)
    }

    /// Binds the variables of a pattern, and the sizes in their types.
    pub(super) fn bind(&mut self, program: &Program, pat: &Pat, value: &Value<'a>) {
        self.bind_each(pat, value, &mut |scope, ty, value| scope.learn(program, ty, value));
    }

    /// Binds the variables of a pattern, and no sizes.
    pub(super) fn bind_vars(&mut self, pat: &Pat, value: &Value<'a>) {
        self.bind_each(pat, value, &mut |_, _, _| {});
    }

    /// Binds the variables of a pattern, after calling `before` with the type and the value of each.
    fn bind_each(
        &mut self,
        pat: &Pat,
        value: &Value<'a>,
        before: &mut dyn FnMut(&mut Self, &Type, &Value<'a>),
    ) {
        match (pat, value) {
            (Pat::Wild, _) => {}
            (Pat::Var(var, ty), value) => {
                before(self, ty, value);
                Rc::make_mut(&mut self.vars).insert(*var, value.clone());
            }
            (Pat::Tuple(pats), Value::Tuple(items)) => {
                for (pat, item) in pats.iter().zip(items.iter()) {
                    self.bind_each(pat, item, before);
                }
            }
            (Pat::Record(pats), value) => {
                for (name, pat) in pats {
                    self.bind_each(pat, value.field(name), before);
                }
            }
            (Pat::Constructor(name, pats), Value::Sum(sum)) => {
                for (pat, payload) in pats.iter().zip(&sum.cases[name]) {
                    self.bind_each(pat, payload, before);
                }
            }
            (Pat::Const(..), _) => {}
            (Pat::Tuple(_) | Pat::Constructor(..), value) => {
                panic!("core is well-typed: {value:?} matches its pattern")
            }
        }
    }

    /// Learns the sizes that a value of this type determines.
    ///
    /// # Panics
    /// If the value does not have the sizes that its type says.
    pub(super) fn learn(&mut self, program: &Program, ty: &Type, value: &Value<'a>) {
        if has_sizes(ty) {
            self.learn_sizes(program, ty, &value.shape());
        }
    }

    /// Whether the value of a size is known.
    pub(super) fn knows(&self, size: SizeVar) -> bool {
        self.sizes.contains_key(&size)
    }

    /// Learns the sizes that the shape of a value of this type determines.
    pub(super) fn learn_sizes(&mut self, program: &Program, ty: &Type, shape: &Shape) {
        match (ty, shape) {
            (Type::Array(size, elem), Shape::Array(found, own)) => {
                if let Err(SizeConflict { found, wanted }) = self.learn_size(program, size, *found)
                {
                    panic!("core is well-typed: an array of {found} has size {wanted}");
                }
                self.learn_sizes(program, elem, own);
            }
            (Type::Tuple(types), Shape::Tuple(items)) => {
                for (ty, item) in types.iter().zip(items) {
                    self.learn_sizes(program, ty, item);
                }
            }
            (Type::Record(types), Shape::Record(fields)) => {
                for (name, ty) in types {
                    self.learn_sizes(program, ty, &fields[name]);
                }
            }
            (Type::Sum(types), Shape::Sum(cases)) => {
                for (name, types) in types {
                    for (ty, payload) in types.iter().zip(&cases[name]) {
                        self.learn_sizes(program, ty, payload);
                    }
                }
            }
            (Type::Exists(_, ty), shape) => self.learn_sizes(program, ty, shape),
            (Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Hidden(_), _) => {}
            (Type::Array(..) | Type::Tuple(_) | Type::Record(_) | Type::Sum(_), shape) => {
                panic!("core is well-typed: {shape:?} is of type {ty:?}")
            }
        }
    }

    /// Learns that a size is `found`. If one symbol in it is not known and stands alone, its value is solved for. If
    /// all symbols are known, the values must agree.
    pub(super) fn learn_size(
        &mut self,
        program: &Program,
        size: &Size,
        found: i64,
    ) -> Result<(), SizeConflict> {
        let unknown: Vec<SizeVar> =
            size.symbols().into_iter().filter(|&id| self.symbol(program, id).is_none()).collect();
        match unknown.as_slice() {
            [] => match self.size(program, size) {
                Some(wanted) if wanted != found => Err(SizeConflict { found, wanted }),
                Some(_) | None => Ok(()),
            },
            [id] => {
                let coefficient = size.terms.get(&vec![*id]).copied().unwrap_or(0);
                let rest = size.minus(&Size::symbol(*id).times_constant(coefficient));
                if coefficient.abs() == 1
                    && let Some(rest) = self.size(program, &rest)
                {
                    let value = found.wrapping_sub(rest).wrapping_mul(coefficient);
                    Rc::make_mut(&mut self.sizes).insert(*id, value);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Learns the only unknown symbol in a size, if a number is multiplied with it. Returns whether there is such a
    /// symbol. A later comparison of the dimension with its type finds out whether the number divides it.
    pub(super) fn divide(&mut self, program: &Program, size: &Size, found: i64) -> bool {
        let mut unknown = size.symbols();
        unknown.retain(|&id| self.symbol(program, id).is_none());
        let [id] = unknown[..] else { return false };
        let Some(factor) = size.factor_of(id) else { return false };
        let rest = size.minus(&Size::symbol(id).times_constant(factor));
        let Some(rest) = self.exact_size(program, &rest) else { return false };
        // If the rest is too large, the later comparison of the dimension reports it.
        let value = found.wrapping_sub(rest.unwrap_or(0)).wrapping_div_euclid(factor);
        Rc::make_mut(&mut self.sizes).insert(id, value);
        true
    }

    /// The sizes of a definition that no argument determines, from the type at which it is used.
    pub(super) fn size_arguments(
        &self,
        program: &Program,
        def: &Def,
        instance: &Type,
    ) -> Vec<(SizeVar, i64)> {
        let told = def.size_arguments(instance).into_iter();
        told.filter_map(|(size, own)| Some((size, self.size(program, &own)?))).collect()
    }

    /// The known ones among some sizes, with their values.
    pub(super) fn known_sizes(&self, sizes: &[SizeVar]) -> Vec<(SizeVar, i64)> {
        sizes.iter().filter_map(|size| Some((*size, *self.sizes.get(size)?))).collect()
    }

    /// Learns sizes that the use of a definition determines.
    pub(super) fn learn_arguments(&mut self, sizes: &[(SizeVar, i64)]) {
        if !sizes.is_empty() {
            Rc::make_mut(&mut self.sizes).extend(sizes.iter().copied());
        }
    }

    /// The value of a size, if all its symbols are known. The error is that it does not fit in an `i64`.
    pub(super) fn exact_size(
        &self,
        program: &Program,
        size: &Size,
    ) -> Option<Result<i64, Failure<i64>>> {
        let values = size.symbols().into_iter().map(|id| Some((id, self.symbol(program, id)?)));
        let values: BTreeMap<SizeVar, i64> = values.collect::<Option<_>>()?;
        Some(size.value(|id| values[&id]))
    }

    /// The value of a size with wrapping `i64` arithmetic, if all its symbols are known. So two sizes that inference
    /// finds equal always have equal values.
    pub(super) fn size(&self, program: &Program, size: &Size) -> Option<i64> {
        let mut sum = 0i64;
        for (factors, coefficient) in &size.terms {
            let mut product = *coefficient;
            for &factor in factors {
                product = product.wrapping_mul(self.symbol(program, factor)?);
            }
            sum = sum.wrapping_add(product);
        }
        Some(sum)
    }

    fn symbol(&self, program: &Program, id: SizeVar) -> Option<i64> {
        if let Some(&known) = self.sizes.get(&id) {
            return Some(known);
        }
        match program.sizes[id].origin {
            SizeOrigin::Value(var) => {
                self.vars.get(&var).map(|value| integer(value.expect_scalar()))
            }
            SizeOrigin::Param | SizeOrigin::Exists { .. } => None,
        }
    }

    /// The shape of the values of a type. A size that does not fit in an `i64` is [`NO_SIZE`]. An unknown size
    /// belongs to the rows of an empty array, and is 0.
    pub(super) fn shape(&self, program: &Program, ty: &Type) -> Shape {
        match ty {
            Type::Scalar(scalar) => Shape::Scalar(*scalar),
            Type::Tuple(types) => {
                Shape::Tuple(types.iter().map(|ty| self.shape(program, ty)).collect())
            }
            Type::Record(types) => Shape::Record(
                types.iter().map(|(name, ty)| (name.clone(), self.shape(program, ty))).collect(),
            ),
            Type::Sum(types) => Shape::Sum(self.cases(program, types)),
            Type::Array(size, elem) => Shape::Array(
                self.exact_size(program, size).map_or(0, |size| size.unwrap_or(NO_SIZE)),
                Rc::new(self.shape(program, elem)),
            ),
            Type::Fun(..) => Shape::Fun,
            Type::Var(var) => self
                .types
                .get(var)
                .unwrap_or_else(|| panic!("core is well-typed: {var} stands for a type"))
                .clone(),
            Type::Exists(_, ty) => self.shape(program, ty),
            Type::Hidden(hidden) => hidden.gone(),
        }
    }
}

impl Env<'_> {
    /// The shapes of the payloads of each constructor of a sum.
    pub(super) fn cases(
        &self,
        program: &Program,
        types: &IndexMap<Name, Vec<Type>>,
    ) -> BTreeMap<Name, Vec<Shape>> {
        let all = |types: &Vec<Type>| types.iter().map(|ty| self.shape(program, ty)).collect();
        types.iter().map(|(name, types)| (name.clone(), all(types))).collect()
    }
}

/// Whether values of the type determine sizes.
fn has_sizes(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => false,
        Type::Tuple(items) => items.iter().any(has_sizes),
        Type::Record(fields) => fields.values().any(has_sizes),
        Type::Sum(types) => types.values().flatten().any(has_sizes),
        Type::Array(..) => true,
        Type::Exists(_, body) => has_sizes(body),
    }
}

/// The value of an integer as a size. A `u64` that does not fit in an `i64` becomes negative, which is no valid size.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn integer(value: Const) -> i64 {
    value.as_i128() as i64
}
