//! Checks of the sizes of an entry's arguments against the entry's type, before anything runs.
//!
//! Invariant: after the checks, the arguments have the sizes that their types say.
//!
//! ```text
//! f [n] (xs: [n+1]f64) (ys: [n]f64)   of 2 and 2 elements   ⇒ xs has size 2 but its type [n+1] has size 3
//! ```

use std::collections::BTreeMap;

use arr_abi::ErrorCode;

use super::Run;
use super::entry::{Component, ordered};
use crate::core::{Def, Program, Size, SizeOrigin, Type, TypeNames, size_text};
use crate::eval::core::eval_scope::Env;
use crate::eval::run_error::RunError;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A dimension of an argument.
struct Dimension<'a> {
    /// The size in the type.
    size: &'a Size,
    /// The size of the argument.
    found: i64,
    /// Its name in messages.
    name: String,
    /// The expression whose value it is.
    text: String,
}

/// The check of an entry's arguments, with the sizes that are known so far.
pub(super) struct ArgumentCheck<'a> {
    program: &'a Program,
    def: &'a Def,
    span: Span,
    /// The variables and the sizes.
    pub(super) scope: Env<'a>,
    /// For each size, the dimension that determined it: its name in messages, and its expression.
    told: BTreeMap<SizeVar, [String; 2]>,
    /// The dimensions that are compared when all arguments are known.
    later: Vec<Dimension<'a>>,
}

impl<'a> ArgumentCheck<'a> {
    /// A check in which nothing is known yet.
    pub(super) fn new(program: &'a Program, def: &'a Def) -> Self {
        let (told, later, span) = (BTreeMap::new(), Vec::new(), def.span);
        Self { program, def, span, scope: Env::default(), told, later }
    }

    /// Checks the dimensions of an argument whose size is a constant or a name. The first dimension with a name
    /// determines the value of the name.
    pub(super) fn plain(&mut self, ty: &'a Type, args: &[Component], name: &str) -> Run<()> {
        let mut found = Vec::new();
        dimensions(ty, &mut Vec::new(), name, &mut args.iter(), &mut found);
        // All components of one array must have the same size.
        for (at, one) in found.iter().enumerate() {
            let is_other = |other: &&Dimension<'_>| std::ptr::eq(one.size, other.size);
            if let Some(other) = found[..at].iter().find(is_other)
                && other.found != one.found
            {
                let names = [other.name.clone(), one.name.clone()];
                return Err(self.differ(&names, [other.found, one.found]));
            }
        }
        for dimension in found {
            let Dimension { size, found, ref name, ref text } = dimension;
            let is_plain = size.as_symbol().is_some() || size.as_constant().is_some();
            match self.scope.size(self.program, size) {
                Some(wanted) if is_plain && wanted != found => {
                    let told = size.as_symbol().and_then(|id| self.told.get(&id));
                    let other = told.map(|[told, _]| [told.clone(), name.clone()]);
                    return Err(match other {
                        Some(names) => self.differ(&names, [wanted, found]),
                        None => self.differ(&[name.clone(), self.declared(size)], [found, wanted]),
                    });
                }
                Some(_) if is_plain => {}
                None if size.as_symbol().is_some_and(|id| self.is_param(id)) => {
                    let names = [name.clone(), text.clone()];
                    self.told.extend(size.as_symbol().map(|id| (id, names)));
                    self.learn(size, found);
                }
                Some(_) | None => self.later.push(dimension),
            }
        }
        Ok(())
    }

    /// Checks the other dimensions, when all arguments are known.
    pub(super) fn computed(&mut self) -> Run<()> {
        let later = std::mem::take(&mut self.later);
        // A dimension may determine a size that is no dimension by itself, if it is the only unknown one.
        for _ in &later {
            later.iter().for_each(|dimension| self.learn(dimension.size, dimension.found));
            let program = self.program;
            later.iter().find(|one| self.scope.divide(program, one.size, one.found));
        }
        for id in later.iter().flat_map(|dimension| dimension.size.symbols()) {
            let value = self.scope.size(self.program, &Size::symbol(id));
            if let Some(value) = value.filter(|value| self.is_param(id) && *value < 0) {
                let name = ArgumentSizeNames(self).size(id);
                let failure = Failure::negative_parameter(&name, value);
                return Err(RunError::failed(&failure, self.span));
            }
        }
        for Dimension { size, found, name, .. } in later {
            let wanted = self.scope.exact_size(self.program, size);
            let wanted = wanted.expect("core is well-typed: the arguments tell their sizes");
            let wanted = wanted.map_err(|large| RunError::failed(&large, self.span))?;
            if wanted != found {
                return Err(self.differ(&[name, self.declared(size)], [found, wanted]));
            }
        }
        Ok(())
    }

    /// Whether arrays determine the size. The other sizes in the types of parameters are values of parameters.
    fn is_param(&self, id: SizeVar) -> bool {
        matches!(self.program.sizes[id].origin, SizeOrigin::Param)
    }

    fn learn(&mut self, size: &Size, found: i64) {
        // A size that is known already is compared by the caller.
        let _ = self.scope.learn_size(self.program, size, found);
    }

    fn declared(&self, size: &Size) -> String {
        format!("its type [{}]", size_text(size, &mut ArgumentSizeNames(self)))
    }

    fn differ(&self, names: &[String; 2], [a, b]: [i64; 2]) -> RunError {
        RunError::about(ErrorCode::Shape, &names.join("\n"), [a.into(), b.into()], self.span)
    }
}

/// The names of sizes in messages to the entry's caller: the name in the source if there is one, and otherwise the
/// argument that has the size.
struct ArgumentSizeNames<'c, 'a>(&'c ArgumentCheck<'a>);

impl TypeNames for ArgumentSizeNames<'_, '_> {
    fn size(&mut self, id: SizeVar) -> String {
        let info = &self.0.program.sizes[id];
        match self.0.told.get(&id) {
            Some([_, text]) if !info.is_written(self.0.def) => text.clone(),
            Some(_) | None => info.name.to_string(),
        }
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        self.0.program.types[var].to_string()
    }
}

/// The dimensions of an argument's components; `dims` are its outer dimensions.
fn dimensions<'a, 'c>(
    ty: &'a Type,
    dims: &mut Vec<&'a Size>,
    name: &str,
    args: &mut impl Iterator<Item = &'c Component>,
    found: &mut Vec<Dimension<'a>>,
) {
    match ty {
        Type::Scalar(elem) => {
            let arg = args.next().expect("there is an argument for each component");
            assert_eq!(
                (*elem, dims.len()),
                (arg.elem, arg.shape.len()),
                "an argument has its type"
            );
            for (at, (&size, &has)) in dims.iter().zip(&arg.shape).enumerate() {
                let text = format!("length {name}{}", "[0]".repeat(at));
                let name = match dims.len() {
                    1 => name.to_owned(),
                    _ => format!("dimension {} of {name}", at + 1),
                };
                found.push(Dimension { size, found: has, name, text });
            }
        }
        Type::Tuple(types) => {
            for (at, ty) in types.iter().enumerate() {
                dimensions(ty, dims, &format!("{name}_{at}"), args, found);
            }
        }
        Type::Record(types) => {
            for (field, ty) in types {
                dimensions(ty, dims, &format!("{name}_{field}"), args, found);
            }
        }
        Type::Sum(types) => {
            let tag = format!("{name}_tag");
            dimensions(&Type::Scalar(Scalar::I64), dims, &tag, args, found);
            for (constructor, ty) in ordered(types) {
                dimensions(ty, dims, &format!("{name}_{constructor}"), args, found);
            }
        }
        Type::Array(size, elem) => {
            dims.push(size);
            dimensions(elem, dims, name, args, found);
            dims.pop();
        }
        Type::Exists(_, ty) => dimensions(ty, dims, name, args, found),
        Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => panic!("an entry takes data, not {ty:?}"),
    }
}
