//! Checks of the sizes in a core program.
//!
//! Each expression has a rule that says which sizes must be equal. Two sizes are equal if they are the same polynomial
//! after the values of variables are put in. Sizes differ in two places only: the arguments of an entry, which are
//! compared before it runs, and `:>`. The rules share no code with the unification of inference.
//!
//! A symbol is made at one place: by the call of a function whose result is `?[k]`, a loop, an `if` whose branches
//! differ, a range, a slice, or a with-loop. It is used only where it has this one value ([`regions`]).
//!
//! Invariant: if a program passes, an array has the sizes of its type whenever it has a value.
//!
//! ```text
//! map2 (+) xs ys, xs: [n]i64, ys: [m]i64   ⇒   Err("… the sizes [n] and [m] differ")
//! ```

mod bindings;
mod nodes;
mod parts;
mod regions;
mod relate;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use self::regions::Regions;
use self::relate::{FreshSymbols, SizeBindings, TypeRelation};
use self::values::SizeValues;
use super::super::{Body, Def, Expr, ExprKind, Pat, Program, Size, SizeOrigin, Type};
use arrc_syntax::ids::{LocalId, SizeVar};
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

/// Checks the sizes of a program whose types are right up to sizes.
pub(super) fn check(program: &Program) -> Result<(), String> {
    let (owned, symbols) = (owned(program), values::symbols(program));
    for (id, def) in program.defs.iter() {
        let mut sizes = SizeVerifier {
            program,
            owned: &owned,
            def,
            values: SizeValues::new(program, &symbols),
            fresh: FreshSymbols::after(program.sizes.len() + program.vars.len()),
            regions: Regions::new(),
            vars: BTreeMap::new(),
        };
        sizes.def().map_err(|wrong| format!("{id} {}: {wrong}", def.name))?;
    }
    Ok(())
}

/// The size parameters of all definitions.
fn owned(program: &Program) -> BTreeSet<SizeVar> {
    program.defs.values().flat_map(|def| def.sizes.iter().copied()).collect()
}

/// The walk over one definition.
struct SizeVerifier<'p> {
    program: &'p Program,
    /// The size parameters of all definitions.
    owned: &'p BTreeSet<SizeVar>,
    def: &'p Def,
    values: SizeValues<'p>,
    fresh: FreshSymbols,
    regions: Regions,
    vars: BTreeMap<LocalId, VariableType<'p>>,
}

/// A variable in scope.
#[derive(Clone)]
struct VariableType<'p> {
    ty: &'p Type,
    /// The sizes that each use may choose, if it is a function.
    chosen: Vec<SizeVar>,
}

impl<'p> SizeVerifier<'p> {
    fn def(&mut self) -> Result<(), String> {
        let def = self.def;
        for &size in &def.sizes {
            self.regions.define(size, &[])?;
        }
        for param in &def.params {
            self.mention(&param.ty, &[], def.span);
            self.pattern(&param.pat, &param.ty, def.span)?;
        }
        let Body::Expr(body) = &def.body else { return Ok(()) };
        self.expr(body)?;
        self.fits(&body.ty, &def.result).map_err(|wrong| format!("its result: {wrong}"))?;
        self.mention(&def.result, &[], def.span);
        self.check_symbol_scopes()
    }

    /// Checks that each symbol was used where it has one value.
    fn check_symbol_scopes(&self) -> Result<(), String> {
        for (id, span) in self.regions.uses_out_of_scope() {
            let is_open = matches!(self.program.sizes[id].origin, SizeOrigin::Param)
                && !self.owned.contains(&id);
            // Inference leaves a size open that nothing determines, as that of the rows of an unused `[]`. What holds
            // here holds for every value of it.
            if !is_open {
                let text = self.values.text(&Size::symbol(id));
                return Err(format!(
                    "the size {text} has no value here (at {}..{})",
                    span.start, span.end
                ));
            }
        }
        Ok(())
    }

    /// An expression, whose parts are checked first. A chain of `let` is a loop, since it may be long.
    fn expr(&mut self, mut expr: &'p Expr) -> Result<(), String> {
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            self.binding(pat, value)?;
            let fits = self.fits(&body.ty, &expr.ty);
            fits.map_err(|wrong| at(format!("the body of let: {wrong}"), expr.span))?;
            self.mention(&expr.ty, &[], expr.span);
            expr = body;
        }
        with_enough_stack(|| self.node(expr)).map_err(|wrong| at(wrong, expr.span))?;
        self.mention(&expr.ty, &[], expr.span);
        Ok(())
    }

    /// `let pat = value`.
    fn binding(&mut self, pat: &'p Pat, value: &'p Expr) -> Result<(), String> {
        if let (Pat::Var(var, ty), ExprKind::Lambda(params, body)) = (pat, &value.kind) {
            let mut chosen = Vec::new();
            free_sizes(ty, &mut |id| {
                if self.is_open(id) && !self.regions.is_mentioned(id) && !chosen.contains(&id) {
                    chosen.push(id);
                }
            });
            with_enough_stack(|| self.lambda(params, body, &value.ty, value.span))
                .map_err(|wrong| at(wrong, value.span))?;
            self.mention(&value.ty, &chosen, value.span);
            self.fits(&value.ty, ty).map_err(|wrong| at(wrong, value.span))?;
            self.mention(ty, &chosen, value.span);
            self.bind(*var, ty, chosen);
            return Ok(());
        }
        with_enough_stack(|| self.expr(value))?;
        self.matched(pat, value, value.span)
    }

    /// Binds the variables of a pattern for the value of an expression.
    fn matched(&mut self, pat: &'p Pat, value: &Expr, span: Span) -> Result<(), String> {
        self.pattern(pat, &value.ty, span)?;
        if let Pat::Var(var, _) = pat {
            self.values.bind(*var, value);
        }
        Ok(())
    }

    /// Binds the variables of a pattern for a value of type `ty`.
    fn pattern(&mut self, pat: &'p Pat, ty: &Type, span: Span) -> Result<(), String> {
        match (pat, ty) {
            (Pat::Wild | Pat::Const(..), _) => Ok(()),
            (Pat::Var(var, own), _) => {
                self.bind(*var, own, Vec::new());
                self.mention(own, &[], span);
                self.fits(ty, own).map_err(|wrong| at(format!("{var}: {wrong}"), span))
            }
            (Pat::Tuple(items), Type::Tuple(types)) => {
                let mut items = items.iter().zip(types);
                items.try_for_each(|(item, ty)| self.pattern(item, ty, span))
            }
            (Pat::Record(fields), Type::Record(types)) => {
                let mut fields = fields.iter();
                fields.try_for_each(|(name, field)| self.pattern(field, &types[name], span))
            }
            (Pat::Constructor(name, pats), Type::Sum(constructors)) => {
                let mut pats = pats.iter().zip(&constructors[name]);
                pats.try_for_each(|(pat, ty)| self.pattern(pat, ty, span))
            }
            (Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..), _) => {
                Err(format!("a pattern for {ty:?}"))
            }
        }
    }

    fn bind(&mut self, var: LocalId, ty: &'p Type, chosen: Vec<SizeVar>) {
        for &id in self.values.symbols(var) {
            self.regions.define_by_caller(id);
        }
        self.vars.insert(var, VariableType { ty, chosen });
    }

    /// A value of the type `found` must be a value of the type `expected`.
    fn fits(&self, found: &Type, expected: &Type) -> Result<(), String> {
        let mut relation = self.relation();
        relation.fits(found, expected)?;
        relation.solve().map(|_| ())
    }

    /// As [`Self::fits`], where sizes are bound around the found type.
    fn fits_named(
        &self,
        mut relation: TypeRelation<'_>,
        (found, names): (&Type, &SizeBindings),
        expected: &Type,
    ) -> Result<BTreeMap<SizeVar, Size>, String> {
        relation.related((found, names), (expected, &SizeBindings::new()))?;
        relation.solve()
    }

    fn relation(&self) -> TypeRelation<'_> {
        TypeRelation::new(&self.values, &self.fresh)
    }

    /// Whether a place here may make the symbol, or the caller of a function may choose it.
    fn is_open(&self, id: SizeVar) -> bool {
        self.values.variable(id).is_none() && !self.regions.is_made(id)
    }

    /// Makes the symbols that were found for the sizes of a result.
    fn define_sizes(
        &mut self,
        asked: &[SizeVar],
        told: &BTreeMap<SizeVar, Size>,
    ) -> Result<(), String> {
        let mut made = Vec::new();
        for size in asked.iter().filter_map(|id| told.get(id)) {
            let symbol = size.as_symbol().filter(|&id| {
                matches!(self.program.sizes.get(id), Some(info) if matches!(info.origin, SizeOrigin::Exists { .. }))
            });
            let Some(id) = symbol.filter(|id| !made.contains(id)) else {
                return Err(format!(
                    "a size that is made here has the name {}",
                    self.values.text(size)
                ));
            };
            self.regions.define(id, &[])?;
            made.push(id);
        }
        Ok(())
    }

    /// The sizes in a type are used here, except those in `except`.
    fn mention(&mut self, ty: &Type, except: &[SizeVar], span: Span) {
        free_sizes(ty, &mut |id| {
            if !except.contains(&id) {
                self.regions.mention(id, span);
            }
        });
    }
}

/// The symbols in a type that the type does not bind itself.
fn free_sizes(ty: &Type, found: &mut dyn FnMut(SizeVar)) {
    match ty {
        Type::Scalar(_) | Type::Var(_) => {}
        Type::Hidden(hidden) => hidden.gone(),
        Type::Tuple(items) => items.iter().for_each(|ty| free_sizes(ty, found)),
        Type::Record(fields) => fields.values().for_each(|ty| free_sizes(ty, found)),
        Type::Sum(constructors) => {
            constructors.values().flatten().for_each(|ty| free_sizes(ty, found));
        }
        Type::Array(size, element) => {
            size.symbols().into_iter().for_each(&mut *found);
            free_sizes(element, found);
        }
        Type::Fun(own, from, to) => {
            free_sizes(from, found);
            free_sizes(to, &mut |id| {
                if Some(id) != *own {
                    found(id);
                }
            });
        }
        Type::Exists(own, body) => free_sizes(body, &mut |id| {
            if !own.contains(&id) {
                found(id);
            }
        }),
    }
}

/// An error with its place.
fn at(wrong: String, span: Span) -> String {
    if wrong.ends_with(')') && wrong.contains(" (at ") {
        return wrong;
    }
    format!("{wrong} (at {}..{})", span.start, span.end)
}
