//! The sizes of an entry's arguments. The caller may pass arrays of any sizes, so they are checked.
//!
//! A size that stands alone in a dimension, as `n` in `[n]f64`, is the size of that dimension in the first argument
//! that has it. That the other arguments agree is checked before the entry's function runs. Every other size, such as
//! the `n+1` of `[n+1]f64`, or `m-n` where inference found that two arguments together are as long as a third, is
//! computed from such sizes, and the function itself compares it with the argument's dimension.
//!
//! Invariant: every size in a type has been checked against the arguments; no size is negative.
//!
//! ```text
//! entry f [n] (xs: [n+1]f64) (ys: [n]f64)
//! ⇒ xs: [k], ys: [n]; t = length xs; u = n + 1; v = t == u; assert v …; xs' = reshape xs: [n+1]
//! ```

use super::Specialiser;
use super::check::{By, Claim, number};
use super::error::Eval;
use super::tree::Tree;
use super::value::{Array, Column, Elem, Env, Leaf, Value};
use crate::diagnostics::Failure;
use crate::ids::{SizeVar, TypeVar, VarId};
use crate::ir::cnf::{self, Extent, SizeDef};
use crate::ir::core::{Def, Size, SizeOrigin, Type, TypeNames, size_text};
use crate::prim::BinOp;

impl<'a> Specialiser<'a> {
    /// Makes an extent for each size that stands alone in a dimension of a parameter.
    pub(super) fn plain_sizes(&mut self, env: &mut Env<'a>, def: &Def) {
        let mut dims = Vec::new();
        def.params.iter().for_each(|param| dimensions(&param.ty, &mut dims));
        for id in dims.into_iter().filter_map(Size::as_symbol) {
            let info = &self.core.sizes[id];
            if matches!(info.origin, SizeOrigin::Param) && !env.sizes.contains_key(&id) {
                let size = self.build.fresh_size(info.name.clone(), SizeDef::Param);
                env.sizes.insert(id, Extent::Size(size));
            }
        }
    }

    /// The extent of a dimension of an argument. It is the size in the type only if that needs no computation.
    pub(super) fn argument_extent(&mut self, env: &Env<'a>, size: &Size) -> Extent {
        let told = match (size.as_constant(), size.as_symbol()) {
            (Some(value), _) => Some(Extent::Const(value)).filter(|_| value >= 0),
            (None, Some(id)) => self.extent_of_var(env, id).filter(|&extent| self.is_given(extent)),
            (None, None) => None,
        };
        told.unwrap_or_else(|| Extent::Size(self.build.fresh_size("k", SizeDef::Param)))
    }

    /// Whether nothing is computed for the value of an extent.
    fn is_given(&self, extent: Extent) -> bool {
        match extent {
            Extent::Const(_) => true,
            Extent::Size(size) => match self.build.sizes[size].def {
                SizeDef::Param | SizeDef::Exists | SizeDef::Value(_) => true,
                SizeDef::Sum(..) | SizeDef::Product(..) => false,
            },
        }
    }

    /// The arguments with the sizes of the parameters' types, after checking that they have these sizes.
    pub(super) fn arguments(
        &mut self,
        env: &mut Env<'a>,
        def: &'a Def,
        args: Vec<Value<'a>>,
    ) -> Eval<Vec<Value<'a>>> {
        self.solve(env, def, &args);
        let mut checked = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            let arg =
                self.claimed(env, &param.ty, arg, Claim { by: By::Argument(def), span: def.span })?;
            self.bind(env, &param.pat, arg.clone());
            checked.push(arg);
        }
        Ok(checked)
    }

    /// Finds the sizes that stand alone nowhere, and checks that none is negative.
    fn solve(&mut self, env: &mut Env<'a>, def: &Def, args: &[Value<'a>]) {
        loop {
            let before = env.sizes.len();
            for (param, arg) in def.params.iter().zip(args) {
                self.learn(env, &param.ty, arg);
            }
            if env.sizes.len() == before && !self.divide(env, def, args) {
                break;
            }
        }
        for (id, extent) in env.sizes.clone() {
            // A number is checked where it becomes a size.
            let is_number = matches!(self.core.sizes[id].origin, SizeOrigin::Value(var) if env.vars.contains_key(&var));
            if !is_number
                && self.build.extent_bits(extent).is_none()
                && let Some(value) = self.build.size_value(extent, def.span)
            {
                let holds = self.build.bin(BinOp::Ge, value, number(0), def.span);
                let name = ArgumentNames { of: self, env, def }.size(id);
                self.check(holds, Failure::negative_parameter(&name, value), def.span);
            }
        }
    }

    /// Finds a size that occurs only multiplied by a number, as `k` in `[2*k]f64`; says whether there is one. That the
    /// number divides the dimension is checked where the dimension is compared with its type.
    fn divide(&mut self, env: &mut Env<'a>, def: &Def, args: &[Value<'a>]) -> bool {
        let mut found = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            extents(&param.ty, arg, &mut found);
        }
        let span = def.span;
        for (size, extent) in found {
            let mut untold = size.symbols();
            untold.retain(|&id| self.extent_of_var(env, id).is_none());
            let [id] = untold[..] else { continue };
            let Some(factor) = size.factor_of(id) else { continue };
            let rest = Size::symbol(id).times_constant(factor).minus(size);
            let Ok(rest) = self.value_of_size(env, &rest, span) else { continue };
            let whole = self.build.size_value(extent, span).expect("an array tells its sizes");
            let whole = self.build.size_sum(whole, rest, span);
            let value = self.build.bin(BinOp::Div, whole, number(factor), span);
            let extent = self.build.extent_of(value);
            env.sizes.insert(id, extent);
            return true;
        }
        false
    }

    /// Checks that a dimension of an argument has the size that the parameter's type says.
    pub(super) fn check_argument(
        &mut self,
        (env, def): (&Env<'a>, &Def),
        size: &Size,
        (array, depth): (&Array, usize),
    ) -> Eval<()> {
        let span = def.span;
        let found = self.build.size_value(array.size, span).expect("an array tells its sizes");
        let wanted = self.value_of_size(env, size, span)?;
        let holds = self.build.bin(BinOp::Eq, found, wanted, span);
        let name = self.dimension(array.vars()[0], depth);
        let size = size_text(size, &mut ArgumentNames { of: self, env, def });
        self.check(holds, Failure::argument(&name, found, &size, wanted), span);
        Ok(())
    }

    /// A dimension of an argument, as the user knows it.
    fn dimension(&self, array: VarId, depth: usize) -> String {
        let var = &self.build.vars[array];
        match &var.ty {
            cnf::Type::Array { shape, .. } if shape.len() > 1 => {
                format!("dimension {} of {}", depth + 1, var.name)
            }
            cnf::Type::Array { .. } | cnf::Type::Scalar(_) => var.name.to_string(),
        }
    }
}

/// The dimensions of the arrays in a type.
fn dimensions<'t>(ty: &'t Type, found: &mut Vec<&'t Size>) {
    match ty {
        Type::Scalar(_) | Type::Fun(..) | Type::Var(_) => {}
        Type::Tuple(types) => types.iter().for_each(|ty| dimensions(ty, found)),
        Type::Record(types) => types.values().for_each(|ty| dimensions(ty, found)),
        Type::Sum(types) => types.values().flatten().for_each(|ty| dimensions(ty, found)),
        Type::Array(size, elem) => {
            found.push(size);
            dimensions(elem, found);
        }
        Type::Exists(_, ty) => dimensions(ty, found),
    }
}

/// The dimensions of the arrays in a type, with their extents in a value.
fn extents<'t>(ty: &'t Type, value: &Value<'_>, found: &mut Vec<(&'t Size, Extent)>) {
    match (ty, value) {
        (Type::Array(size, elem), Tree::Leaf(Leaf::Array(array))) => {
            found.push((size, array.size));
            extents_of_elem(elem, &array.elem, found);
        }
        (Type::Tuple(types), Tree::Tuple(items)) => {
            types.iter().zip(items).for_each(|(ty, item)| extents(ty, item, found));
        }
        (Type::Record(types), Tree::Record(fields)) => {
            types.iter().for_each(|(name, ty)| extents(ty, &fields[name], found));
        }
        (Type::Sum(types), Tree::Sum(sum)) => {
            for (name, types) in types {
                types.iter().zip(&sum.cases[name]).for_each(|(ty, part)| extents(ty, part, found));
            }
        }
        (Type::Exists(_, ty), value) => extents(ty, value, found),
        (_, _) => {}
    }
}

fn extents_of_elem<'t>(ty: &'t Type, elem: &Elem, found: &mut Vec<(&'t Size, Extent)>) {
    match (ty, elem) {
        (Type::Array(size, inner), Tree::Leaf(Column::Rows(rows))) => {
            found.push((size, rows.size));
            extents_of_elem(inner, &rows.elem, found);
        }
        (Type::Tuple(types), Tree::Tuple(items)) => {
            types.iter().zip(items).for_each(|(ty, item)| extents_of_elem(ty, item, found));
        }
        (Type::Record(types), Tree::Record(fields)) => {
            types.iter().for_each(|(name, ty)| extents_of_elem(ty, &fields[name], found));
        }
        (Type::Sum(types), Tree::Sum(sum)) => {
            for (name, types) in types {
                let payloads = types.iter().zip(&sum.cases[name]);
                payloads.for_each(|(ty, part)| extents_of_elem(ty, part, found));
            }
        }
        (_, _) => {}
    }
}

/// The sizes of an entry's type as its caller knows them: by their names in the entry's header, or else by the
/// arguments that have these sizes.
struct ArgumentNames<'s, 'e, 'a> {
    of: &'s Specialiser<'a>,
    env: &'e Env<'a>,
    def: &'e Def,
}

impl TypeNames for ArgumentNames<'_, '_, '_> {
    fn size(&mut self, id: SizeVar) -> String {
        let info = &self.of.core.sizes[id];
        let witness = match self.env.sizes.get(&id) {
            Some(Extent::Size(size)) => self.of.build.witnesses[*size].first(),
            Some(Extent::Const(_)) | None => None,
        };
        match witness {
            Some(&(array, dim)) if !info.is_written(self.def) => {
                let name = &self.of.build.vars[array].name;
                format!("length {name}{}", "[0]".repeat(dim))
            }
            Some(_) | None => info.name.to_string(),
        }
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        self.of.core.types[var].to_string()
    }
}
