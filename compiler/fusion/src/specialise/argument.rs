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
use super::check::{SizeClaim, SizeRequirement, number};
use super::error::Eval;
use super::value::{Array, Column, Env, Leaf, Value};
use crate::cnf;
use crate::cnf::{Extent, SizeDef};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{
    Def, Equation, EquationUse, Projection, Size, SizeOrigin, TypeNames, size_text,
};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{SizeVar, TypeVar, VarId};
use arrc_syntax::prim::BinOp;
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// Makes an extent for each size that stands alone in a dimension of a parameter.
    pub(super) fn plain_sizes(&mut self, env: &mut Env<'a>, def: &Def) {
        for Equation { size, role, .. } in self.core.equations(def) {
            if let EquationUse::Tells(id) = role
                && size.as_symbol() == Some(id)
            {
                let name = self.core.sizes[id].name.clone();
                let size = self.build.fresh_size(name, SizeDef::Param);
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
            let arg = self.check_claim(
                env,
                &param.ty,
                arg,
                SizeClaim { by: SizeRequirement::Argument(def), span: def.span },
            )?;
            self.bind(env, &param.pat, arg.clone());
            checked.push(arg);
        }
        Ok(checked)
    }

    /// Computes the sizes that stand alone nowhere, and checks that none is negative. That a number divides a dimension
    /// is checked where the dimension is compared with its type.
    fn solve(&mut self, env: &mut Env<'a>, def: &Def, args: &[Value<'a>]) {
        for Equation { param, path, size, role } in self.core.equations(def) {
            let Some(id) = role.determined_size().filter(|id| !env.sizes.contains_key(id)) else {
                continue;
            };
            let extent = extent_at(&args[param], &path);
            match role {
                EquationUse::Tells(_) | EquationUse::Compared => {
                    self.learn_size(env, &size, extent)
                }
                EquationUse::Divides(_, factor) => {
                    let rest = Size::symbol(id).times_constant(factor).minus(&size);
                    let quotient = self.quotient(env, (extent, &rest), factor, def.span);
                    env.sizes.extend(quotient.map(|quotient| (id, quotient)));
                }
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

    /// The sum of a dimension and a size, divided by a number.
    fn quotient(
        &mut self,
        env: &Env<'a>,
        (extent, rest): (Extent, &Size),
        factor: i64,
        span: Span,
    ) -> Option<Extent> {
        let rest = self.value_of_size(env, rest, span).ok()?;
        let whole = self.build.size_value(extent, span).expect("an array tells its sizes");
        let whole = self.build.size_sum(whole, rest, span);
        let value = self.build.bin(BinOp::Div, whole, number(factor), span);
        Some(self.build.extent_of(value))
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

/// The extent of the array that a path leads to.
fn extent_at(value: &Value<'_>, path: &[Projection]) -> Extent {
    let (Leaf::Array(array), mut path) = leaf_at(value, path) else {
        panic!("a dimension is that of an array");
    };
    let mut array: &Array = array;
    while let [Projection::Element, inside @ ..] = path {
        let (Column::Rows(rows), rest) = leaf_at(&array.elem, inside) else {
            panic!("a dimension is that of an array");
        };
        (array, path) = (rows, rest);
    }
    array.size
}

/// The leaf that a path leads to, and the rest of the path.
fn leaf_at<'t, 'p, L>(
    mut tree: &'t Tree<L>,
    mut path: &'p [Projection],
) -> (&'t L, &'p [Projection]) {
    loop {
        tree = match (tree, path) {
            (Tree::Leaf(leaf), _) => return (leaf, path),
            (Tree::Tuple(items), [Projection::Item(at), ..]) => &items[*at],
            (Tree::Record(fields), [Projection::Field(name), ..]) => &fields[name],
            (Tree::Sum(sum), [Projection::Payload(name, at), ..]) => &sum.cases[name][*at],
            (Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_), _) => {
                panic!("an argument has its type")
            }
        };
        path = &path[1..];
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
