//! Types and sizes of core, evaluated in an environment, and the sizes that values determine.
//!
//! Invariant: a size parameter stands for the extent of the first array that was bound to it.
//!
//! ```text
//! learn([n]i64, an array of k3)  ⇒ n = k3        size [n*m + 1] ⇒ sum(product(k3, k4), 1)
//! ```

use indexmap::IndexMap;

use super::Specialiser;
use super::check::number;
use super::error::{Error, Eval};
use super::value::{Column, Elem, Env, Leaf, Ty, TyLeaf, Value};
use crate::cnf::{Atom, Extent};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core::{Def, Pat, Size, SizeOrigin, Type};
use arrc_syntax::ids::{LocalId, SizeVar, VarId};
use arrc_syntax::prim::{Scalar, UnOp};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// Binds the variables of a pattern, and the sizes that its types mention.
    pub(super) fn bind(&mut self, env: &mut Env<'a>, pat: &'a Pat, value: Value<'a>) {
        match (pat, value) {
            (Pat::Wild, _) => {}
            (Pat::Var(var, ty), value) => {
                self.learn(env, ty, &value);
                self.learn_value(&mut env.sizes, *var, &value);
                env.vars.insert(*var, value);
            }
            (Pat::Tuple(pats), Tree::Tuple(items)) => {
                for (pat, item) in pats.iter().zip(items) {
                    self.bind(env, pat, item);
                }
            }
            (Pat::Record(pats), Tree::Record(mut fields)) => {
                for (name, pat) in pats {
                    let field =
                        fields.remove(name).expect("core is well-typed: the field is there");
                    self.bind(env, pat, field);
                }
            }
            (Pat::Constructor(name, pats), Tree::Sum(mut sum)) => {
                let payloads =
                    sum.cases.remove(name).expect("core is well-typed: the constructor is there");
                for (pat, payload) in pats.iter().zip(payloads) {
                    self.bind(env, pat, payload);
                }
            }
            (Pat::Const(..), _) => {}
            (Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..), value) => {
                panic!("core is well-typed: {value:?} matches its pattern")
            }
        }
    }

    /// Binds the variables of a pattern, and no sizes. So a size that is the value of a variable is not learned from an
    /// array before that variable is bound.
    pub(super) fn bind_vars(&self, env: &mut Env<'a>, pat: &Pat, value: &Value<'a>) {
        match (pat, value) {
            (Pat::Var(var, _), value) => {
                env.vars.insert(*var, value.clone());
            }
            (Pat::Tuple(pats), Tree::Tuple(items)) => {
                pats.iter().zip(items).for_each(|(pat, item)| self.bind_vars(env, pat, item));
            }
            (Pat::Record(pats), Tree::Record(fields)) => {
                pats.iter().for_each(|(name, pat)| self.bind_vars(env, pat, &fields[name]));
            }
            (Pat::Constructor(name, pats), Tree::Sum(sum)) => {
                let payloads = pats.iter().zip(&sum.cases[name]);
                payloads.for_each(|(pat, payload)| self.bind_vars(env, pat, payload));
            }
            (Pat::Wild | Pat::Const(..), _) => {}
            (Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..), value) => {
                panic!("core is well-typed: {value:?} matches its pattern")
            }
        }
    }

    /// Binds the size whose value is a variable of an integer type other than `i64`. The sizes of `i64` variables are
    /// evaluated at their uses.
    pub(super) fn learn_value(
        &mut self,
        sizes: &mut IndexMap<SizeVar, Extent>,
        var: LocalId,
        value: &Value<'a>,
    ) {
        let Some(&size) = self.integers.get(&var) else { return };
        let Tree::Leaf(Leaf::Scalar(number)) = *value else { return };
        if self.build.scalar_of(number) != Scalar::I64 {
            let span = self.core.vars[var].span;
            let number = self.build.un(UnOp::To(Scalar::I64), number, span);
            sizes.insert(size, self.build.extent_of(number));
        }
    }

    /// Names the variables that a pattern binds, if they were made since `mark`, or have no name yet. A pattern of the
    /// library gives no names, since the user does not know them.
    pub(super) fn name(&mut self, pat: &Pat, value: &Value<'a>, mark: VarId) {
        match (pat, value) {
            (Pat::Var(var, _), value) => {
                let local = &self.core.vars[*var];
                if !self.core.library.contains(&local.span.file) {
                    self.name_value(&local.name, value, mark);
                }
            }
            (Pat::Tuple(pats), Tree::Tuple(items)) => {
                for (pat, item) in pats.iter().zip(items) {
                    self.name(pat, item, mark);
                }
            }
            (Pat::Record(pats), Tree::Record(fields)) => {
                for (name, pat) in pats {
                    self.name(pat, &fields[name], mark);
                }
            }
            (Pat::Constructor(name, pats), Tree::Sum(sum)) => {
                for (pat, payload) in pats.iter().zip(&sum.cases[name]) {
                    self.name(pat, payload, mark);
                }
            }
            (
                Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..),
                _,
            ) => {}
        }
    }

    fn name_value(&mut self, name: &str, value: &Value<'a>, mark: VarId) {
        for (path, leaf) in value.paths() {
            match leaf {
                Leaf::Scalar(Atom::Var(var)) => {
                    self.build.rename(*var, &format!("{name}{path}"), mark);
                }
                Leaf::Array(array) => {
                    for (inner, var, _) in array.parts() {
                        self.build.rename(var, &format!("{name}{path}{inner}"), mark);
                    }
                }
                Leaf::Scalar(Atom::Const(_)) | Leaf::Fun(_) => {}
            }
        }
    }

    /// Binds the sizes and type parameters that a value of this type determines.
    pub(super) fn learn(&mut self, env: &mut Env<'a>, ty: &Type, value: &Value<'a>) {
        match (ty, value) {
            (Type::Array(size, elem), Tree::Leaf(Leaf::Array(array))) => {
                self.learn_size(env, size, array.size);
                if mentions_more(elem) {
                    let elem_ty = self.type_of_elem(&array.elem);
                    self.learn_type(env, elem, &elem_ty);
                }
            }
            (Type::Tuple(types), Tree::Tuple(items)) => {
                for (ty, item) in types.iter().zip(items) {
                    self.learn(env, ty, item);
                }
            }
            (Type::Record(types), Tree::Record(fields)) => {
                for (name, ty) in types {
                    self.learn(env, ty, &fields[name]);
                }
            }
            (Type::Sum(types), Tree::Sum(sum)) => {
                for (name, types) in types {
                    for (ty, payload) in types.iter().zip(&sum.cases[name]) {
                        self.learn(env, ty, payload);
                    }
                }
            }
            (Type::Exists(_, ty), value) => self.learn(env, ty, value),
            (Type::Var(var), value) => {
                if !env.types.contains_key(var) {
                    let ty = self.type_of_value(value);
                    env.types.insert(*var, ty);
                }
            }
            (Type::Scalar(_) | Type::Fun(..) | Type::Hidden(_), _) => {}
            (Type::Array(..) | Type::Tuple(_) | Type::Record(_) | Type::Sum(_), value) => {
                panic!("core is well-typed: {value:?} has its type {ty:?}")
            }
        }
    }

    /// As [`Self::learn`], from a type.
    pub(super) fn learn_type(&mut self, env: &mut Env<'a>, ty: &Type, found: &Ty) {
        match (ty, found) {
            (Type::Array(size, elem), Tree::Leaf(TyLeaf::Array(extent, found))) => {
                if let Some(extent) = extent {
                    self.learn_size(env, size, *extent);
                }
                self.learn_type(env, elem, found);
            }
            (Type::Tuple(types), Tree::Tuple(items)) => {
                for (ty, item) in types.iter().zip(items) {
                    self.learn_type(env, ty, item);
                }
            }
            (Type::Record(types), Tree::Record(fields)) => {
                for (name, ty) in types {
                    self.learn_type(env, ty, &fields[name]);
                }
            }
            (Type::Sum(types), Tree::Sum(sum)) => {
                for (name, types) in types {
                    for (ty, payload) in types.iter().zip(&sum.cases[name]) {
                        self.learn_type(env, ty, payload);
                    }
                }
            }
            (Type::Exists(_, ty), found) => self.learn_type(env, ty, found),
            (Type::Var(var), found) => {
                if !env.types.contains_key(var) {
                    env.types.insert(*var, found.clone());
                }
            }
            (Type::Scalar(_) | Type::Fun(..) | Type::Hidden(_), _) => {}
            (Type::Array(..) | Type::Tuple(_) | Type::Record(_) | Type::Sum(_), found) => {
                panic!("core is well-typed: {found:?} is the type {ty:?}")
            }
        }
    }

    /// Solves `size = extent` for the one size that is not bound yet, if it stands alone.
    pub(super) fn learn_size(&mut self, env: &mut Env<'a>, size: &Size, extent: Extent) {
        let mut unbound = None;
        for (factors, coefficient) in &size.terms {
            for &factor in factors {
                if self.extent_of_var(env, factor).is_none() {
                    if unbound.is_some() || factors.len() != 1 || coefficient.abs() != 1 {
                        return;
                    }
                    unbound = Some((factor, *coefficient));
                }
            }
        }
        let Some((unbound, coefficient)) = unbound else {
            return;
        };
        let rest = size.minus(&Size::symbol(unbound).times_constant(coefficient));
        let solved = if coefficient == 1 {
            let rest = self.extent_of_size(env, &rest.times_constant(-1));
            self.build.sum(extent, rest.expect("the other sizes are bound"))
        } else {
            let rest = self.extent_of_size(env, &rest).expect("the other sizes are bound");
            let less = self.build.negated(extent);
            self.build.sum(rest, less)
        };
        env.sizes.insert(unbound, solved);
    }

    /// The extent that a size stands for, if all its factors are bound.
    pub(super) fn extent_of_size(&mut self, env: &Env<'a>, size: &Size) -> Option<Extent> {
        let mut sum = Extent::Const(0);
        for (factors, coefficient) in &size.terms {
            let mut product = None;
            for &factor in factors {
                let factor = self.extent_of_var(env, factor)?;
                product = Some(match product {
                    None => factor,
                    Some(product) => self.build.product(product, factor),
                });
            }
            let term = match product {
                None => Extent::Const(*coefficient),
                Some(product) if *coefficient == 1 => product,
                Some(product) => self.build.product(Extent::Const(*coefficient), product),
            };
            sum = self.build.sum(sum, term);
        }
        Some(sum)
    }

    /// The extent that one size symbol stands for.
    pub(super) fn extent_of_var(&mut self, env: &Env<'a>, size: SizeVar) -> Option<Extent> {
        if let Some(&extent) = env.sizes.get(&size) {
            return Some(extent);
        }
        match self.core.sizes[size].origin {
            SizeOrigin::Value(var) => {
                let atom = env.vars.get(&var)?.expect_scalar();
                Some(self.build.extent_of(atom))
            }
            SizeOrigin::Param | SizeOrigin::Exists { .. } => None,
        }
    }

    /// The value of a size, as an `i64`.
    pub(super) fn value_of_size(&mut self, env: &Env<'a>, size: &Size, span: Span) -> Eval<Atom> {
        let mut sum = number(0);
        for (index, (factors, coefficient)) in size.terms.iter().rev().enumerate() {
            let mut product = number(*coefficient);
            for &factor in factors {
                let value = self.value_of_var(env, factor, span)?;
                product = self.build.size_product(product, value, span);
            }
            sum = if index == 0 { product } else { self.build.size_sum(sum, product, span) };
        }
        Ok(sum)
    }

    fn value_of_var(&mut self, env: &Env<'a>, size: SizeVar, span: Span) -> Eval<Atom> {
        let info = &self.core.sizes[size];
        if let SizeOrigin::Value(var) = info.origin
            && let Some(value) = env.vars.get(&var).map(Value::expect_scalar)
            && self.build.scalar_of(value) == Scalar::I64
        {
            return Ok(value);
        }
        let extent = env.sizes.get(&size).copied();
        let value = extent.and_then(|extent| self.build.size_value(extent, span));
        value.ok_or_else(|| self.undetermined_size(size, span))
    }

    /// The error that nothing determines a size whose value is needed.
    pub(super) fn undetermined_size(&self, size: SizeVar, span: Span) -> Box<Error> {
        let info = &self.core.sizes[size];
        Box::new(Error::UntoldSize { span, name: info.name.clone(), declared: info.span })
    }

    /// The sizes of a definition that no argument determines, from the type at which the definition is used.
    pub(super) fn size_arguments(
        &mut self,
        env: &Env<'a>,
        def: &'a Def,
        instance: &Type,
    ) -> Vec<(SizeVar, Extent)> {
        let told = def.size_arguments(instance).into_iter();
        told.filter_map(|(size, own)| Some((size, self.extent_of_size(env, &own)?))).collect()
    }

    /// A type of core, evaluated.
    pub(super) fn eval_type(&mut self, env: &Env<'a>, ty: &Type, span: Span) -> Eval<Ty> {
        Ok(match ty {
            Type::Scalar(scalar) => Tree::Leaf(TyLeaf::Scalar(*scalar)),
            Type::Tuple(types) => Tree::Tuple(
                types.iter().map(|ty| self.eval_type(env, ty, span)).collect::<Eval<_>>()?,
            ),
            Type::Record(types) => Tree::Record(
                types
                    .iter()
                    .map(|(name, ty)| Ok((name.clone(), self.eval_type(env, ty, span)?)))
                    .collect::<Eval<_>>()?,
            ),
            Type::Sum(types) => {
                let mut cases = std::collections::BTreeMap::new();
                for (name, types) in types {
                    let types = types.iter().map(|ty| self.eval_type(env, ty, span));
                    cases.insert(name.clone(), types.collect::<Eval<_>>()?);
                }
                Tree::Sum(Box::new(Sum { tag: TyLeaf::Scalar(Scalar::I64), cases }))
            }
            Type::Array(size, elem) => {
                let elem = self.eval_type(env, elem, span)?;
                self.check_element(&elem, span)?;
                Tree::Leaf(TyLeaf::Array(self.extent_of_size(env, size), Box::new(elem)))
            }
            Type::Fun(..) => Tree::Leaf(TyLeaf::Fun),
            Type::Hidden(hidden) => hidden.gone(),
            Type::Var(var) => env
                .types
                .get(var)
                .unwrap_or_else(|| panic!("core is well-typed: {var} stands for a type"))
                .clone(),
            Type::Exists(_, ty) => self.eval_type(env, ty, span)?,
        })
    }

    /// An error unless elements can be of this type.
    pub(super) fn check_element(&self, ty: &Ty, span: Span) -> Eval<()> {
        let binding = self.binding();
        let leaves = ty.leaves();
        if leaves.is_empty() {
            return Err(Box::new(Error::UnitElement { span, binding }));
        }
        if leaves.contains(&&TyLeaf::Fun) {
            return Err(Box::new(Error::FunctionElement { span, binding }));
        }
        Ok(())
    }

    /// The type of a value.
    pub(super) fn type_of_value(&self, value: &Value<'a>) -> Ty {
        value.map(&mut |leaf| match leaf {
            Leaf::Scalar(atom) => TyLeaf::Scalar(self.build.scalar_of(*atom)),
            Leaf::Array(array) => {
                TyLeaf::Array(Some(array.size), Box::new(self.type_of_elem(&array.elem)))
            }
            Leaf::Fun(_) => TyLeaf::Fun,
        })
    }

    /// The type of an array's elements.
    fn type_of_elem(&self, elem: &Elem) -> Ty {
        elem.map(&mut |part| match part {
            Column::Scalar(var) => TyLeaf::Scalar(self.build.elem_of(*var)),
            Column::Rows(rows) => {
                TyLeaf::Array(Some(rows.size), Box::new(self.type_of_elem(&rows.elem)))
            }
        })
    }
}

/// Whether an element's type mentions sizes or type parameters.
fn mentions_more(elem: &Type) -> bool {
    match elem {
        Type::Scalar(_) | Type::Fun(..) | Type::Hidden(_) => false,
        Type::Tuple(types) => types.iter().any(mentions_more),
        Type::Record(types) => types.values().any(mentions_more),
        Type::Sum(types) => types.values().flatten().any(mentions_more),
        Type::Array(..) | Type::Var(_) | Type::Exists(..) => true,
    }
}
