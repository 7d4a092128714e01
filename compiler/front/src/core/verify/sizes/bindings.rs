//! The rules for calls, and for expressions with regions of their own: functions, branches, loops and with-loops.
//!
//! Invariant: a symbol that a region makes stands in no type outside of the region, except where the place of the
//! region makes it again from the region's value.
//!
//! ```text
//! loop xs: [m]t = xs0 for … do filter p xs   ⇒   xs0: [m0]t, the body: [m1]t, all of it: [k]t
//! ```

use super::super::super::{
    Expr, Generator, Loop, LoopForm, Operator, Param, Pat, Size, SizeOrigin, Type, With,
};
use super::relate::{SizeBindings, TypeRelation};
use super::{SizeVerifier, free_sizes};
use arrc_syntax::ids::SizeVar;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A branch: a value with its pattern, if it has one, and its expression.
pub(super) type Branch<'p> = (Option<(&'p Pat, &'p Expr)>, &'p Expr);

impl<'p> SizeVerifier<'p> {
    /// A call. The value of an argument may be a size of the result.
    pub(super) fn call(
        &mut self,
        function: &'p Expr,
        args: &'p [Expr],
        ty: &Type,
    ) -> Result<(), String> {
        self.expr(function)?;
        args.iter().try_for_each(|arg| self.expr(arg))?;
        let mut relation = self.relation();
        let (mut names, mut asked) = (SizeBindings::new(), Vec::new());
        let mut rest = &function.ty;
        for (position, arg) in args.iter().enumerate() {
            if let Type::Exists(sizes, body) = rest {
                asked.extend(relation.ask_for(sizes, &mut names));
                rest = body;
            }
            let Type::Fun(own, from, to) = rest else {
                return Err(format!("{rest:?} is applied to argument {position}"));
            };
            relation
                .related((&arg.ty, &SizeBindings::new()), (from, &names))
                .map_err(|wrong| format!("argument {position}: {wrong}"))?;
            if let Some(own) = own {
                match self.values.of_expr(arg) {
                    Some(size) => names.push((self.values.representative(*own), size)),
                    None => asked.extend(relation.ask_for(&[*own], &mut names)),
                }
            }
            rest = to;
        }
        if let Type::Exists(sizes, body) = rest {
            asked.extend(relation.ask_for(sizes, &mut names));
            rest = body;
        }
        let told = self.fits_named(relation, (rest, &names), ty)?;
        self.define_sizes(&asked, &told)
    }

    /// A function. The sizes of its parameters that have no value around it may be any.
    pub(super) fn lambda(
        &mut self,
        params: &'p [Param],
        body: &'p Expr,
        ty: &Type,
        span: Span,
    ) -> Result<(), String> {
        let around = self.regions.enter();
        let result = self.inside(params, body, span);
        let own = self.function_type(params, &body.ty);
        let fits = result.and_then(|()| self.fits(&own, ty));
        self.regions.here = around;
        fits
    }

    fn inside(&mut self, params: &'p [Param], body: &'p Expr, span: Span) -> Result<(), String> {
        for param in params {
            let mut given = Vec::new();
            free_sizes(&param.ty, &mut |id| given.push(id));
            given.retain(|&id| self.is_open(id));
            given.into_iter().for_each(|id| self.regions.define_by_caller(id));
            self.mention(&param.ty, &[], span);
            self.pattern(&param.pat, &param.ty, span)?;
        }
        self.expr(body)
    }

    /// The type of a function. Its result may mention the numbers that it is applied to.
    pub(super) fn function_type(&self, params: &[Param], result: &Type) -> Type {
        params.iter().rev().fold(result.clone(), |result, Param { pat, ty }| {
            let own = if let Pat::Var(var, _) = pat {
                self.values.symbols(*var).first().copied()
            } else {
                None
            };
            let mut is_used = false;
            free_sizes(&result, &mut |id| is_used |= Some(self.values.representative(id)) == own);
            Type::Fun(own.filter(|_| is_used), Box::new(ty.clone()), Box::new(result))
        })
    }

    /// A type with sizes put in, and with new symbols where it binds symbols itself.
    pub(super) fn renamed(&self, ty: &Type, names: &SizeBindings) -> Type {
        let go = |ty: &Type| self.renamed(ty, names);
        match ty {
            Type::Scalar(scalar) => Type::Scalar(*scalar),
            Type::Var(var) => Type::Var(*var),
            Type::Hidden(hidden) => hidden.gone(),
            Type::Tuple(items) => Type::Tuple(items.iter().map(go).collect()),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, ty)| (name.clone(), go(ty))).collect())
            }
            Type::Sum(constructors) => {
                let constructors = constructors.iter();
                let renamed = constructors.map(|(name, types)| {
                    let types = types.iter().map(go).collect();
                    (name.clone(), types)
                });
                Type::Sum(renamed.collect())
            }
            Type::Array(size, element) => {
                Type::Array(self.relation().resolve(size, names), Box::new(go(element)))
            }
            Type::Fun(own, from, to) => {
                let from = Box::new(go(from));
                let (own, names) = self.rename_bound(own.as_slice(), names);
                Type::Fun(own.first().copied(), from, Box::new(self.renamed(to, &names)))
            }
            Type::Exists(own, body) => {
                let (own, names) = self.rename_bound(own, names);
                Type::Exists(own, Box::new(self.renamed(body, &names)))
            }
        }
    }

    /// New symbols for those that a type binds.
    fn rename_bound(&self, own: &[SizeVar], names: &SizeBindings) -> (Vec<SizeVar>, SizeBindings) {
        let mut names = names.clone();
        let fresh = own.iter().map(|&id| {
            let symbol = self.fresh.symbol();
            names.push((self.values.representative(id), Size::symbol(symbol)));
            symbol
        });
        (fresh.collect(), names)
    }

    /// The branches of an `if` or a `match` of type `ty`. A size of the type that no place has made is that of the
    /// branch that is taken.
    pub(super) fn branches(&mut self, branches: &[Branch<'p>], ty: &Type) -> Result<(), String> {
        let mut regions = Vec::new();
        for (matched, body) in branches {
            let around = self.regions.here;
            // The only case of a `match` always runs.
            if branches.len() > 1 {
                self.regions.enter();
            }
            regions.push(self.regions.here);
            let result = match matched {
                Some((pat, value)) => self.matched(pat, value, body.span),
                None => Ok(()),
            };
            let result = result.and_then(|()| self.expr(body));
            self.regions.here = around;
            result?;
        }
        let made = self.sizes_without_value(ty);
        for ((_, body), &region) in branches.iter().zip(&regions) {
            let mut relation = self.relation();
            let mut names = SizeBindings::new();
            let asked = relation.ask_for(&made, &mut names);
            relation.related((&body.ty, &SizeBindings::new()), (ty, &names))?;
            let told = relation.solve()?;
            for (&id, asked) in made.iter().zip(&asked) {
                if self.regions.is_made_in(id, region) && told.get(asked) != Some(&Size::symbol(id))
                {
                    return Err(format!("the size {id} of a branch is another size behind it"));
                }
            }
        }
        made.into_iter().try_for_each(|id| self.regions.define(id, &regions))
    }

    /// The computed sizes in a type that have no value here.
    fn sizes_without_value(&self, ty: &Type) -> Vec<SizeVar> {
        let mut found: Vec<SizeVar> = Vec::new();
        free_sizes(ty, &mut |id| {
            let info = self.program.sizes.get(id);
            let is_computed =
                info.is_some_and(|info| matches!(info.origin, SizeOrigin::Exists { .. }));
            if is_computed && self.is_open(id) && !found.contains(&id) {
                found.push(id);
            }
        });
        found
    }

    /// A loop of type `ty`. A size of the carried values that has no value around the loop may differ from step to
    /// step.
    pub(super) fn verify_loop(
        &mut self,
        data: &'p Loop,
        ty: &Type,
        span: Span,
    ) -> Result<(), String> {
        self.expr(&data.init)?;
        if let LoopForm::For(_, over) | LoopForm::In(_, over) = &data.form {
            self.expr(over)?;
        }
        let around = self.regions.enter();
        let carried = self.sizes_without_value(&data.ty);
        let result = self.step(data, &carried, span);
        self.regions.here = around;
        result?;
        self.carried(&data.init.ty, data, &carried)
            .map_err(|wrong| format!("the initial value: {wrong}"))?;
        let mut relation = self.relation();
        let mut names = SizeBindings::new();
        let asked = relation.ask_for(&carried, &mut names);
        let told = self.fits_named(relation, (&data.ty, &names), ty)?;
        self.define_sizes(&asked, &told)
    }

    /// The body of a loop.
    fn step(&mut self, data: &'p Loop, carried: &[SizeVar], span: Span) -> Result<(), String> {
        carried.iter().try_for_each(|&id| self.regions.define(id, &[]))?;
        self.mention(&data.ty, &[], span);
        self.pattern(&data.pat, &data.ty, span)?;
        match &data.form {
            LoopForm::For(counter, bound) => self.pattern(counter, &bound.ty, span)?,
            LoopForm::In(each, array) => {
                let Type::Array(_, element) = &array.ty else {
                    return Err(format!("a loop over {:?}", array.ty));
                };
                self.pattern(each, element, span)?;
            }
            LoopForm::While(condition) => self.expr(condition)?,
        }
        self.expr(&data.body)?;
        self.carried(&data.body.ty, data, carried)
            .map_err(|wrong| format!("the body of a loop: {wrong}"))
    }

    /// A value of the type `found` must be a carried value, for some sizes.
    fn carried(&self, found: &Type, data: &Loop, carried: &[SizeVar]) -> Result<(), String> {
        let mut relation = self.relation();
        let mut names = SizeBindings::new();
        relation.ask_for(carried, &mut names);
        relation.related((found, &SizeBindings::new()), (&data.ty, &names))?;
        relation.solve().map(|_| ())
    }

    /// A with-loop of type `ty`.
    pub(super) fn with_loop(&mut self, data: &'p With, ty: &Type) -> Result<(), String> {
        data.outer().try_for_each(|part| self.expr(part))?;
        let mut relation = self.relation();
        let (mut sizes, mut asked) = (Vec::new(), Vec::new());
        for number in data.shape.iter().flatten() {
            sizes.push(self.values.of_expr(number).unwrap_or_else(|| {
                let id = relation.unknown();
                asked.push(id);
                Size::symbol(id)
            }));
        }
        let mut elements = Vec::new();
        for (operator, result) in data.operators.iter().zip(data.results(ty)) {
            elements.push(operated(&mut relation, operator, (result, &sizes))?.clone());
        }
        let told = relation.solve()?;
        self.define_sizes(&asked, &told)?;
        let wanted =
            if elements.len() == 1 { elements.swap_remove(0) } else { Type::Tuple(elements) };
        data.generators.iter().try_for_each(|generator| self.generator(generator, &wanted))
    }

    fn generator(&mut self, generator: &'p Generator, wanted: &Type) -> Result<(), String> {
        let around = self.regions.enter();
        let index = Type::Scalar(Scalar::I64);
        let mut pats = generator.index.iter();
        let result = pats
            .try_for_each(|pat| self.pattern(pat, &index, generator.span))
            .and_then(|()| self.expr(&generator.body));
        self.regions.here = around;
        result?;
        self.fits(&generator.body.ty, wanted).map_err(|wrong| format!("a generator: {wrong}"))
    }
}

/// An operator of a with-loop whose result has the type `result`. Returns the type of its elements.
fn operated<'t>(
    relation: &mut TypeRelation<'_>,
    operator: &Operator,
    (result, sizes): (&'t Type, &[Size]),
) -> Result<&'t Type, String> {
    let none = SizeBindings::new();
    let mut element = result;
    if let Operator::Genarray(_) | Operator::Modarray(_) = operator {
        for size in sizes {
            let Type::Array(own, inner) = element else {
                return Err(format!("an index space of rank {} gives {result:?}", sizes.len()));
            };
            relation.equal(size.clone(), relation.resolve(own, &none));
            element = inner;
        }
    }
    match operator {
        Operator::Genarray(None) => {}
        Operator::Genarray(Some(default)) => relation.fits(&default.ty, element)?,
        Operator::Modarray(array) => relation.fits(&array.ty, result)?,
        Operator::Fold(op, neutral) => {
            let taken = [result, result].into_iter();
            relation.fits(&op.ty, &crate::core::verify::verify_types::function(taken, result))?;
            relation.fits(&neutral.ty, result)?;
        }
    }
    Ok(element)
}
