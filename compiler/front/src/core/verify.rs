//! Checks that a core program is well-typed. All types are computed again from the bottom up.
//!
//! Invariant: a program that passes is well-typed, sizes included ([`sizes`]); each variable is bound once and in scope
//! where it is used; each size that is used as a value, or compared by `:>`, is known there; only definitions that are
//! marked as recursive reach themselves; each size of an entry's arguments is determined or compared
//! ([`verify_equations`]).
//!
//! ```text
//! x + true   ⇒   Err("… argument 1 of (+) is bool, not i64")
//! ```

mod defs;
mod sizes;
#[cfg(test)]
mod tests;
mod verify_equations;
mod verify_scope;
mod verify_types;

use self::verify_scope::Scope;
use super::{Body, Def, Expr, ExprKind, Generator, Loop, LoopForm, Pat, Program, Type, With};
use arrc_syntax::ids::DefId;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::stack::with_enough_stack;

/// Checks a program.
///
/// # Errors
/// The first error, as a sentence.
pub fn verify(program: &Program) -> Result<(), String> {
    verify_up_to_sizes(program)?;
    sizes::check(program)?;
    verify_equations::check(program)
}

/// Checks a program but for its sizes. The calls that `select` makes have types without the numbers that their results
/// depend on.
///
/// # Errors
/// The first error, as a sentence.
pub fn verify_up_to_sizes(program: &Program) -> Result<(), String> {
    let mut bound = verify_scope::BoundVars::default();
    for (id, def) in program.defs.iter() {
        let mut verifier = Verifier { program, scope: Scope::default(), bound: &mut bound };
        verifier.def(def).map_err(|wrong| format!("{id} {}: {wrong}", def.name))?;
    }
    defs::entries(program)?;
    defs::recursion(program)
}

/// The walk over one definition.
struct Verifier<'a> {
    program: &'a Program,
    scope: Scope,
    /// The variables of all definitions.
    bound: &'a mut verify_scope::BoundVars,
}

impl Verifier<'_> {
    fn def(&mut self, def: &Def) -> Result<(), String> {
        self.scope.types.extend(&def.types);
        self.scope.sizes.extend(&def.sizes);
        for param in &def.params {
            self.pattern(&param.pat, &param.ty)?;
            self.type_vars(&param.ty)?;
        }
        self.type_vars(&def.result)?;
        match &def.body {
            Body::Intrinsic(_) => Ok(()),
            Body::External(_) => defs::external(def),
            Body::Expr(body) => {
                self.expr(body)?;
                verify_types::check_equal_types(&def.result, &body.ty)
                    .map_err(|wrong| format!("its result: {wrong}"))
            }
        }
    }

    /// An expression, whose parts are checked first. A chain of `let` is a loop, since it may be long.
    fn expr(&mut self, mut expr: &Expr) -> Result<(), String> {
        let mark = self.scope.mark();
        loop {
            self.type_vars(&expr.ty)?;
            let ExprKind::Let(pat, value, body) = &expr.kind else { break };
            self.expr(value)?;
            self.scope.learn(self.program, &value.ty);
            self.pattern(pat, &value.ty)?;
            verify_types::check_equal_types(&expr.ty, &body.ty)
                .map_err(|wrong| format!("the body of let: {wrong}"))?;
            expr = body;
        }
        let result = self.parts(expr).and_then(|()| self.node(expr));
        self.scope.leave(mark);
        result.map_err(|wrong| format!("{wrong} (at {}..{})", expr.span.start, expr.span.end))
    }

    /// The parts of an expression, in its scope.
    fn parts(&mut self, expr: &Expr) -> Result<(), String> {
        if let ExprKind::Lambda(params, body) = &expr.kind {
            let mark = self.scope.mark();
            for param in params {
                self.scope.learn(self.program, &param.ty);
                self.pattern(&param.pat, &param.ty)?;
            }
            let result = with_enough_stack(|| self.expr(body));
            self.scope.leave(mark);
            return result;
        }
        if let ExprKind::Loop(data) = &expr.kind {
            let mark = self.scope.mark();
            let result = with_enough_stack(|| self.verify_loop(data));
            self.scope.leave(mark);
            return result;
        }
        if let ExprKind::Match(value, cases) = &expr.kind {
            with_enough_stack(|| self.expr(value))?;
            return cases.iter().try_for_each(|case| {
                let mark = self.scope.mark();
                self.pattern(&case.pat, &value.ty)?;
                let result = with_enough_stack(|| self.expr(&case.body));
                self.scope.leave(mark);
                result
            });
        }
        if let ExprKind::With(data) = &expr.kind {
            return with_enough_stack(|| self.with_loop(data));
        }
        let mut result = Ok(());
        expr.for_each_child(&mut |child| {
            if result.is_ok() {
                result = with_enough_stack(|| self.expr(child));
            }
        });
        result
    }

    /// A loop, whose pattern is bound for its condition and its body.
    fn verify_loop(&mut self, data: &Loop) -> Result<(), String> {
        let Loop { pat, ty, init, form, body } = data;
        self.expr(init)?;
        verify_types::check_equal_types(ty, &init.ty)?;
        // The sizes of the carried values are known in the condition and in the body.
        match form {
            LoopForm::For(counter, bound) => {
                self.expr(bound)?;
                self.scope.learn(self.program, ty);
                self.pattern(pat, ty)?;
                self.pattern(counter, &bound.ty)?;
            }
            LoopForm::In(each, array) => {
                self.expr(array)?;
                self.scope.learn(self.program, ty);
                self.pattern(pat, ty)?;
                let Type::Array(_, element) = &array.ty else {
                    return Err(format!("a loop over {:?}", array.ty));
                };
                self.pattern(each, element)?;
            }
            LoopForm::While(condition) => {
                self.scope.learn(self.program, ty);
                self.pattern(pat, ty)?;
                self.expr(condition)?;
                verify_types::check_equal_types(&Type::Scalar(Scalar::Bool), &condition.ty)?;
            }
        }
        self.expr(body)?;
        verify_types::check_equal_types(ty, &body.ty)
    }

    /// A with-loop, whose generators bind the index for their bodies.
    fn with_loop(&mut self, data: &With) -> Result<(), String> {
        data.outer().try_for_each(|part| self.expr(part))?;
        let index = Type::Scalar(Scalar::I64);
        let bounds = data.generators.iter().flat_map(Generator::bounds);
        let mut numbers = data.shape.iter().flatten().chain(bounds);
        numbers.try_for_each(|number| verify_types::check_equal_types(&index, &number.ty))?;
        for generator in &data.generators {
            let grid = generator.grid.iter().flatten().map(Vec::len);
            let mut lengths = grid.chain([generator.lower.len(), generator.upper.len()]);
            if lengths.any(|length| length != generator.index.len()) {
                return Err("a bound of another rank than the index".to_owned());
            }
            let mark = self.scope.mark();
            generator.index.iter().try_for_each(|pat| self.pattern(pat, &index))?;
            let result = self.expr(&generator.body);
            self.scope.leave(mark);
            result?;
        }
        Ok(())
    }

    /// An expression whose parts have been checked.
    fn node(&self, expr: &Expr) -> Result<(), String> {
        let ty = &expr.ty;
        match &expr.kind {
            ExprKind::Const(constant) => {
                verify_types::check_equal_types(&Type::Scalar(constant.ty), ty)
            }
            ExprKind::Var(var) => verify_types::check_equal_types(self.scope.var(*var)?, ty),
            ExprKind::Size(size) => {
                self.scope.size(self.program, size)?;
                verify_types::check_equal_types(&Type::Scalar(Scalar::I64), ty)
            }
            ExprKind::Global(def, args) => self.global(*def, args, ty),
            ExprKind::BinOp(op) => verify_types::binary(*op, ty),
            ExprKind::UnOp(op) => verify_types::unary(*op, ty),
            ExprKind::Fma => verify_types::fma(ty),
            ExprKind::AndAlso(left, right) | ExprKind::OrElse(left, right) => {
                let bool = Type::Scalar(Scalar::Bool);
                [&left.ty, &right.ty, ty]
                    .into_iter()
                    .try_for_each(|ty| verify_types::check_equal_types(&bool, ty))
            }
            ExprKind::App(function, args) => verify_types::call(&function.ty, args, ty),
            ExprKind::Lambda(params, body) => {
                let params = params.iter().map(|param| &param.ty);
                verify_types::check_equal_types(&verify_types::function(params, &body.ty), ty)
            }
            ExprKind::Let(_, _, body) => verify_types::check_equal_types(&body.ty, ty),
            ExprKind::If(condition, then, otherwise) => {
                verify_types::check_equal_types(&Type::Scalar(Scalar::Bool), &condition.ty)?;
                verify_types::check_equal_types(&then.ty, ty)?;
                verify_types::check_equal_types(&otherwise.ty, ty)
            }
            ExprKind::Loop(data) => verify_types::check_equal_types(&data.ty, ty),
            ExprKind::With(data) => verify_types::with_loop(data, ty),
            ExprKind::Match(_, cases) => {
                cases.iter().try_for_each(|case| verify_types::check_equal_types(ty, &case.body.ty))
            }
            ExprKind::Coerce(inner) => {
                let mut sizes = Vec::new();
                inner.ty.paired_sizes(ty, &mut sizes);
                // The run-time check of `:>` needs the values of these sizes at this place.
                let mut compared = sizes.into_iter().filter(|(own, wanted)| own != wanted);
                compared.try_for_each(|(_, wanted)| self.scope.size(self.program, wanted))?;
                verify_types::data(expr)
            }
            ExprKind::Constructor(..)
            | ExprKind::Tuple(_)
            | ExprKind::Record(_)
            | ExprKind::Item(..)
            | ExprKind::Field(..)
            | ExprKind::Update(..)
            | ExprKind::Array(_)
            | ExprKind::Text(_)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Range(_)
            | ExprKind::Assert(_) => verify_types::data(expr),
        }
    }

    fn global(&self, def: DefId, args: &[Type], ty: &Type) -> Result<(), String> {
        let callee = self.program.defs.get(def).ok_or_else(|| format!("there is no {def}"))?;
        if callee.types.len() != args.len() {
            return Err(format!(
                "{} has {} types, not {}",
                callee.name,
                callee.types.len(),
                args.len()
            ));
        }
        let params = callee.params.iter().map(|param| &param.ty);
        let whole = verify_types::function(params, &callee.result);
        verify_types::check_equal_types(&verify_types::instance(&whole, &callee.types, args), ty)
            .map_err(|wrong| format!("{}: {wrong}", callee.name))
    }

    /// Binds the variables of a pattern.
    fn pattern(&mut self, pat: &Pat, ty: &Type) -> Result<(), String> {
        match pat {
            Pat::Wild => Ok(()),
            Pat::Var(var, own) => {
                verify_types::check_equal_types(own, ty)
                    .map_err(|wrong| format!("{var}: {wrong}"))?;
                self.bound.bind(*var)?;
                self.scope.bind(*var, own.clone());
                Ok(())
            }
            Pat::Tuple(items) => {
                if let Type::Tuple(types) = ty
                    && types.len() == items.len()
                {
                    return items
                        .iter()
                        .zip(types)
                        .try_for_each(|(item, ty)| self.pattern(item, ty));
                }
                Err(format!("a pattern of {} for {ty:?}", items.len()))
            }
            Pat::Record(fields) => fields
                .iter()
                .try_for_each(|(name, field)| self.pattern(field, verify_types::field(ty, name)?)),
            Pat::Constructor(name, pats) => {
                let payloads = verify_types::payloads(ty, name, pats.len())?;
                pats.iter().zip(payloads).try_for_each(|(pat, ty)| self.pattern(pat, ty))
            }
            Pat::Const(value, own) => {
                verify_types::check_equal_types(own, ty)?;
                verify_types::check_equal_types(&Type::Scalar(value.ty), ty)
            }
        }
    }

    /// Checks that a type has only the definition's type parameters in it.
    fn type_vars(&self, ty: &Type) -> Result<(), String> {
        match ty {
            Type::Scalar(_) => Ok(()),
            Type::Tuple(items) => items.iter().try_for_each(|ty| self.type_vars(ty)),
            Type::Record(fields) => fields.values().try_for_each(|ty| self.type_vars(ty)),
            Type::Sum(constructors) => {
                constructors.values().flatten().try_for_each(|ty| self.type_vars(ty))
            }
            Type::Array(_, body) | Type::Exists(_, body) => self.type_vars(body),
            Type::Fun(_, from, to) => {
                self.type_vars(from)?;
                self.type_vars(to)
            }
            Type::Var(var) if self.scope.types.contains(var) => Ok(()),
            Type::Var(var) => Err(format!("{var} is no type parameter of it")),
            Type::Hidden(hidden) => Err(format!("{} is hidden", hidden.name)),
        }
    }
}

/// Whether an operator takes operands of any type without functions.
fn is_equality(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Ne)
}
