//! Checks of the equations of entries: they are computed again from the types.
//!
//! Invariant: each dimension of an argument is one equation. Each size parameter is determined once, from sizes that
//! are determined before it, and all sizes of a comparison are determined.
//!
//! ```text
//! entry f [n] (xs: [n]i64) (ys: [n]i64), both tell n   ⇒   Err("… n is determined twice")
//! ```

use super::super::{Def, Equation, EquationUse, Program, Projection, Size, SizeOrigin, Type};
use arrc_syntax::ids::SizeVar;

/// Checks the equations of all entries.
pub(super) fn check(program: &Program) -> Result<(), String> {
    for &id in &program.entries {
        let def = &program.defs[id];
        of_entry(program, def, &program.equations(def))
            .map_err(|wrong| format!("the equations of {}: {wrong}", def.name))?;
    }
    Ok(())
}

/// Checks the equations of an entry.
pub(super) fn of_entry(program: &Program, def: &Def, equations: &[Equation]) -> Result<(), String> {
    let mut dimensions = Vec::new();
    def.params.iter().for_each(|param| param.ty.dimensions(&mut dimensions));
    if dimensions.len() != equations.len() {
        let (wanted, found) = (dimensions.len(), equations.len());
        return Err(format!("there are {found} for {wanted} dimensions"));
    }
    let mut told: Vec<SizeVar> = Vec::new();
    for (at, Equation { param, path, size, role }) in equations.iter().enumerate() {
        let same = |other: &Equation| other.param == *param && other.path == *path;
        if equations[..at].iter().any(same) {
            return Err(format!("a dimension of argument {param} is there twice"));
        }
        let ty = &def.params.get(*param).ok_or_else(|| format!("no argument {param}"))?.ty;
        if array(ty, path) != Some(size) {
            return Err(format!("argument {param} has no such dimension"));
        }
        let is_told = |id: &SizeVar| {
            told.contains(id) || matches!(program.sizes[*id].origin, SizeOrigin::Value(_))
        };
        let mut open = size.symbols();
        open.retain(|id| !is_told(id));
        let rest = |id: SizeVar, factor: i64| size.minus(&Size::symbol(id).times_constant(factor));
        let (solved, factor) = match *role {
            EquationUse::Compared if open.is_empty() => continue,
            EquationUse::Compared => {
                return Err(format!("{open:?} of argument {param} are not known"));
            }
            EquationUse::Tells(id) if rest(id, -1).symbols().contains(&id) => (id, 1),
            EquationUse::Tells(id) => (id, -1),
            EquationUse::Divides(id, factor) => (id, factor),
        };
        let name = &program.sizes[solved].name;
        if !def.sizes.contains(&solved) {
            return Err(format!("{name} is no size parameter"));
        }
        if told.contains(&solved) {
            return Err(format!("{name} is determined twice"));
        }
        if open != [solved] || factor == 0 || rest(solved, factor).symbols().contains(&solved) {
            return Err(format!("argument {param} does not determine {name}"));
        }
        told.push(solved);
    }
    match def.sizes.iter().find(|id| !told.contains(id)) {
        Some(&id) => Err(format!("no argument determines {}", program.sizes[id].name)),
        None => Ok(()),
    }
}

/// The size of the array that a path leads to.
fn array<'t>(ty: &'t Type, path: &[Projection]) -> Option<&'t Size> {
    let Some((step, rest)) = path.split_first() else {
        return if let Type::Array(size, _) = ty { Some(size) } else { None };
    };
    let inside = match (ty, step) {
        (Type::Array(_, element), Projection::Element) => element,
        (Type::Tuple(items), Projection::Item(at)) => items.get(*at)?,
        (Type::Record(fields), Projection::Field(name)) => fields.get(name)?,
        (Type::Sum(constructors), Projection::Payload(name, at)) => {
            constructors.get(name)?.get(*at)?
        }
        (
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)
            | Type::Hidden(_),
            _,
        ) => return None,
    };
    array(inside, rest)
}
