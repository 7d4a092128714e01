//! Calls: arguments meet parameters, and results get their sizes.
//!
//! Lambdas among the arguments are typed last. So a lambda that does not fit the data is blamed for that, and the
//! data is not.
//!
//! Invariant: a `?[k]` in a result is opened at each call, to a size that no other call has.
//!
//! ```text
//! iota (n + 1)   ⇒   [n+1]i64          filter p xs   ⇒   [k]t, k made here by filter
//! ```

use super::Checker;
use super::error::{Callee, ConstraintSite, Origin, TypeError};
use super::name::function;
use super::solve::UnifyError;
use super::typed::{Expr, ExprKind};
use crate::core;
use crate::core::{Phase, Size, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, LocalId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use arrc_syntax::source::Span;

/// An argument of a call.
#[allow(clippy::large_enum_variant, reason = "an argument is used once, where it is made")]
pub(super) enum Arg<'e> {
    /// As written.
    Written(&'e ast::Expr),
    /// Typed already.
    Typed(Expr),
}

/// A call whose arguments are being typed.
struct Call<'e> {
    function: Expr,
    /// The type of the call with the arguments up to here.
    ty: Type,
    args: Vec<Option<Expr>>,
    /// Lambdas, with their places and the types of their parameters.
    late: Vec<(usize, &'e ast::Expr, Type)>,
    span: Span,
    /// Whether an argument has another type than it should.
    is_wrong: bool,
}

impl Checker<'_> {
    /// `f x y`, as written.
    pub(super) fn apply(&mut self, function: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let (Some(measure), [array]) = (self.measure(function), args) {
            let array = self.expr(array);
            return self.measured(measure, array, span);
        }
        let args = args.iter().map(Arg::Written).collect();
        if let Some(template) = self.shaped_def(function) {
            return self.apply_template(template, args, (function.span, span));
        }
        let function = self.expr(function);
        let trace = self.trace_of_debug(&function);
        let name = match args.first() {
            Some(Arg::Written(arg)) => shortened(&arg.to_string()),
            Some(Arg::Typed(_)) | None => String::new(),
        };
        let mut call = self.apply_to(function, args, span);
        if let (ExprKind::App(function, args), Some(trace)) = (&mut call.kind, trace) {
            args.insert(0, make_trace(function, trace, &name.into()));
        }
        call
    }

    /// `trace`, if a function is `dbg`.
    pub(super) fn trace_of_debug(&self, function: &Expr) -> Option<DefId> {
        let ExprKind::Global(def, _) = function.kind else { return None };
        self.names.globals.trace_of_debug(def)
    }

    /// A function applied to arguments that are typed already.
    pub(super) fn call(&mut self, function: Expr, args: Vec<Expr>, span: Span) -> Expr {
        self.apply_to(function, args.into_iter().map(Arg::Typed).collect(), span)
    }

    /// A function that is typed already, applied to an argument as written.
    pub(super) fn call_written(&mut self, function: Expr, arg: &ast::Expr, span: Span) -> Expr {
        self.apply_to(function, vec![Arg::Written(arg)], span)
    }

    /// An expression that is typed already, followed by an argument as written.
    pub(super) fn call_with(
        &mut self,
        function: Expr,
        first: Expr,
        second: &ast::Expr,
        span: Span,
    ) -> Expr {
        self.apply_to(function, vec![Arg::Typed(first), Arg::Written(second)], span)
    }

    pub(super) fn apply_to(&mut self, function: Expr, args: Vec<Arg<'_>>, span: Span) -> Expr {
        let ty = function.ty.clone();
        let (args_found, late) = (Vec::new(), Vec::new());
        let mut call = Call { function, ty, args: args_found, late, span, is_wrong: false };
        let given = args.len();
        for arg in args {
            self.argument(&mut call, arg, given);
        }
        for (position, written, param) in std::mem::take(&mut call.late) {
            let arg = self.expr_hint(written, Some(&param));
            self.check_argument(&mut call, position, &param, &arg);
            call.args[position] = Some(arg);
        }
        let maker = callee_name(self, &call.function).unwrap_or_else(|| "this call".into());
        let mut ty = self.u.open(&call.ty, &maker, span);
        // An error in a call is reported once. Errors that depend on the call are not reported.
        if call.is_wrong {
            ty = self.u.error_type();
        }
        let args = call.args.into_iter().map(|arg| arg.expect("every argument was looked at"));
        merged(call.function, args.collect(), ty, span)
    }

    /// One more argument.
    fn argument<'e>(&mut self, call: &mut Call<'e>, arg: Arg<'e>, given: usize) {
        match self.u.head(&call.ty) {
            Type::Fun(None, param, result) => match arg {
                Arg::Written(written) if is_function(written) => {
                    call.late.push((call.args.len(), written, *param));
                    call.args.push(None);
                    call.ty = *result;
                }
                arg @ (Arg::Written(_) | Arg::Typed(_)) => {
                    let arg = self.expected_argument(call, arg, &param);
                    call.args.push(Some(arg));
                    call.ty = *result;
                }
            },
            Type::Fun(Some(size), param, result) => {
                let mut arg = self.arg(arg, Some(&param));
                if self.u.as_scalar(&param) == Some(Scalar::I64) {
                    arg = self.as_i64(arg);
                }
                self.check_argument(call, call.args.len(), &param, &arg);
                call.ty = self.depend(call, size, &result, &arg);
                call.args.push(Some(arg));
            }
            Type::Var(var) if self.u.is_free(var) => {
                let arg = self.arg(arg, None);
                let result = self.u.fresh();
                self.u.at = call.span;
                let expected = function(std::slice::from_ref(&arg.ty), result.clone());
                if let Err(clash) = self.u.unify(&call.ty, &expected) {
                    self.not_applicable(call, &arg, given, clash);
                }
                call.ty = result;
                call.args.push(Some(arg));
            }
            Type::Exists(..) => {
                let maker = callee_name(self, &call.function).unwrap_or_else(|| "this call".into());
                call.ty = self.u.open(&call.ty, &maker, call.span);
                self.argument(call, arg, given);
            }
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Var(_)
            | Type::Hidden(_) => {
                let arg = self.arg(arg, None);
                if !self.u.is_error(&call.ty) {
                    self.not_a_function(call, &arg, given);
                }
                call.ty = self.u.error_type();
                call.args.push(Some(arg));
            }
        }
    }

    /// An argument for a parameter of type `param`.
    fn expected_argument(&mut self, call: &mut Call<'_>, arg: Arg<'_>, param: &Type) -> Expr {
        let arg = self.arg(arg, Some(param));
        self.check_argument(call, call.args.len(), param, &arg);
        arg
    }

    fn arg(&mut self, arg: Arg<'_>, hint: Option<&Type>) -> Expr {
        match arg {
            Arg::Written(written) => self.expr_hint(written, hint),
            Arg::Typed(expr) => expr,
        }
    }

    /// A result that mentions the value of an argument as a size.
    fn depend(&mut self, call: &Call<'_>, param: SizeVar, result: &Type, arg: &Expr) -> Type {
        let size = self.size_of_number(arg).unwrap_or_else(|| {
            let maker = callee_name(self, &call.function).unwrap_or_else(|| "this call".into());
            let name = self.u.sizes[param].info.name.clone();
            Size::symbol(self.u.rigid_size(name, SizeOrigin::Exists { maker }, call.span))
        });
        self.u.substitute(result, &[], &[(param, size)])
    }

    fn check_argument(&mut self, call: &mut Call<'_>, position: usize, param: &Type, arg: &Expr) {
        self.u.at = arg.span;
        if let Err(clash) = self.u.unify(param, &arg.ty) {
            call.is_wrong = true;
            let callee = self.callee(&call.function);
            let position = callee.given + position;
            let others = match clash {
                UnifyError::Sizes { .. } | UnifyError::Escape { .. } => self.others(call, position),
                UnifyError::Types { .. }
                | UnifyError::Infinite { .. }
                | UnifyError::TypeEscape { .. }
                | UnifyError::Operator { .. }
                | UnifyError::Field { .. }
                | UnifyError::Constructor { .. } => Vec::new(),
            };
            let place = ConstraintSite::Argument { span: arg.span, callee, position, others };
            self.clash(place, param, &arg.ty, clash);
        }
    }

    /// The arguments that share a size with the one at `position`.
    fn others(&self, call: &Call<'_>, position: usize) -> Vec<Origin> {
        let Some(ty) = self.declared_type(&call.function) else { return Vec::new() };
        let mut sizes = Vec::new();
        let mut rest = ty;
        while let Type::Fun(_, param, result) = rest {
            let mut found = Vec::new();
            self.u.sizes_of(&param, &mut found);
            sizes.push(found);
            rest = *result;
        }
        let Some(own) = sizes.get(position) else { return Vec::new() };
        let before = partial_args(&call.function).iter().map(|arg| arg.span);
        let args = before.chain(call.args.iter().map(|arg| match arg {
            Some(arg) => arg.span,
            None => call.span,
        }));
        let shares = |found: &Vec<SizeVar>| found.iter().any(|size| own.contains(size));
        args.zip(&sizes)
            .take(position)
            .filter(|(span, found)| *span != call.span && shares(found))
            .map(|(span, _)| (span, String::new()))
            .collect()
    }

    /// The type of a function as it was declared.
    fn declared_type(&self, function: &Expr) -> Option<Type> {
        match head(function) {
            CalledFunction::Global(def) => Some(self.names.interface(def)?.scheme.ty.clone()),
            CalledFunction::Var(var) => {
                let local = self.vars.functions.get(&var)?;
                Some(self.u.resolve(&local.ty))
            }
            CalledFunction::Operator(_) | CalledFunction::Other => None,
        }
    }

    /// The called function, for messages.
    fn callee(&self, function: &Expr) -> Callee {
        if let Some(name) = reduction(self, function) {
            let ty = Some(self.show(&function.ty));
            return Callee { name: Some(name), ty, ..Callee::default() };
        }
        let name = callee_name(self, function);
        let ty = self.declared_type(function).map(|ty| self.show(&ty));
        let given = partial_args(function).len();
        match head(function) {
            CalledFunction::Global(def) => {
                let known = self.names.interface(def);
                let params = known.map(|known| known.params.clone()).unwrap_or_default();
                let span = self.names.def(def).name.span;
                let declared = self.names.is_user(span).then_some(span);
                Callee { name, ty, declared, params, given }
            }
            CalledFunction::Var(var) => {
                let local = self.vars.functions.get(&var);
                let params = local.map(|local| local.params.clone()).unwrap_or_default();
                let declared = Some(self.vars[var].span);
                Callee { name, ty, declared, params, given }
            }
            CalledFunction::Operator(_) | CalledFunction::Other => {
                Callee { name, given, ..Callee::default() }
            }
        }
    }

    fn not_a_function(&mut self, call: &Call<'_>, arg: &Expr, given: usize) {
        let callee = self.callee(&call.function);
        let ty = match (self.u.as_free(&call.ty), self.u.scalars(&call.ty)) {
            (Some(_), Some(_)) if !self.u.is_literal(&call.ty) => "a number".to_owned(),
            _ => format!("`{}`", self.show(&call.ty)),
        };
        let takes = callee.given + call.args.len();
        let given = callee.given + given;
        let (function, extra) = (call.function.span, arg.span);
        self.report(TypeError::NotAFunction { callee, ty, function, extra, given, takes });
    }

    /// Reports a value that is applied, but is known not to be a function. The rest of its type is not known.
    fn not_applicable(&mut self, call: &Call<'_>, arg: &Expr, given: usize, clash: UnifyError) {
        match clash {
            UnifyError::Infinite { .. }
            | UnifyError::Escape { .. }
            | UnifyError::TypeEscape { .. } => {
                let place = ConstraintSite::Later { span: call.span };
                self.clash(place, &call.ty, &arg.ty, clash);
            }
            UnifyError::Types { .. }
            | UnifyError::Sizes { .. }
            | UnifyError::Operator { .. }
            | UnifyError::Field { .. }
            | UnifyError::Constructor { .. } => self.not_a_function(call, arg, given),
        }
    }
}

/// The called function.
enum CalledFunction {
    Global(DefId),
    Var(LocalId),
    /// A scalar operation, by its name within the type's module.
    Operator(Operation),
    Other,
}

/// A scalar operation.
enum Operation {
    Un(UnOp),
    Bin(BinOp),
    Fma,
}

/// The called function, before any argument.
fn head(function: &Expr) -> CalledFunction {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no name")]
    match &function.kind {
        ExprKind::Global(def, _) => CalledFunction::Global(*def),
        ExprKind::Var(used) => CalledFunction::Var(used.var),
        ExprKind::UnOp(op) => CalledFunction::Operator(Operation::Un(*op)),
        ExprKind::BinOp(op) => CalledFunction::Operator(Operation::Bin(*op)),
        ExprKind::Fma => CalledFunction::Operator(Operation::Fma),
        ExprKind::App(inner, _) => head(inner),
        _ => CalledFunction::Other,
    }
}

/// The name of the called function, if it has one.
fn callee_name(checker: &Checker<'_>, function: &Expr) -> Option<Name> {
    let operand = || match checker.u.head(&function.ty) {
        Type::Fun(_, from, _) => checker.u.as_scalar(&from),
        Type::Scalar(_)
        | Type::Tuple(_)
        | Type::Record(_)
        | Type::Sum(_)
        | Type::Array(..)
        | Type::Var(_)
        | Type::Exists(..)
        | Type::Hidden(_) => None,
    };
    if let Some(name) = reduction(checker, function) {
        return Some(name);
    }
    match head(function) {
        CalledFunction::Global(def) => Some(checker.names.def(def).name.name.clone()),
        CalledFunction::Var(var) => Some(checker.vars[var].name.clone()),
        CalledFunction::Operator(Operation::Un(op)) => {
            let from = operand()?;
            Some(format!("{}.{}", op.module(from), op.name_on(from)).into())
        }
        CalledFunction::Operator(Operation::Fma) => Some(format!("{}.fma", operand()?).into()),
        CalledFunction::Operator(Operation::Bin(op)) => Some(match operand() {
            Some(module) if !op.is_infix() => format!("{module}.{}", op.name()).into(),
            Some(_) | None => op.name().into(),
        }),
        CalledFunction::Other => None,
    }
}

/// The name of a built-in `reduce op ne`, such as `f64.sum`. All parts of its expansion have the place of the name.
fn reduction(checker: &Checker<'_>, function: &Expr) -> Option<Name> {
    let [op, _] = partial_args(function) else { return None };
    let ExprKind::BinOp(operator) = op.kind else { return None };
    if op.span != function.span {
        return None;
    }
    let name = operator.row().reduction?;
    let Type::Fun(_, number, _) = checker.u.head(&op.ty) else { return None };
    let module = checker.u.as_scalar(&number);
    Some(module.map_or_else(|| name.into(), |module| format!("{module}.{name}").into()))
}

/// The arguments that a partial application already has.
fn partial_args(function: &Expr) -> &[Expr] {
    if let ExprKind::App(_, args) = &function.kind { args } else { &[] }
}

/// A call. If its function is a partial application, both become one call.
fn merged(function: Expr, args: Vec<Expr>, ty: Type, span: Span) -> Expr {
    let is_partial = matches!(function.ty, Type::Fun(..));
    let (function, args) = match function {
        Expr { kind: ExprKind::App(inner, mut before), .. } if is_partial => {
            before.extend(args);
            (inner, before)
        }
        function => (Box::new(function), args),
    };
    Expr { kind: ExprKind::App(function, args), ty, span }
}

/// Makes `trace` of the function `dbg`, and gives the first argument of `trace`, the name.
pub(super) fn make_trace<P: Phase>(
    dbg: &mut core::Expr<P>,
    trace: DefId,
    name: &Name,
) -> core::Expr<P> {
    let name = Checker::text(name, dbg.span);
    if let core::ExprKind::Global(def, _) = &mut dbg.kind {
        *def = trace;
    }
    dbg.ty = Type::Fun(None, Box::new(name.ty.clone()), Box::new(dbg.ty.clone()));
    name
}

/// The text of an expression in one line, cut after some characters.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// Whether an argument is written as a function. Such arguments are typed after the data.
fn is_function(arg: &ast::Expr) -> bool {
    matches!(
        arg.kind,
        ast::ExprKind::Lambda(..)
            | ast::ExprKind::SectionRight(..)
            | ast::ExprKind::SectionLeft(..)
            | ast::ExprKind::SectionPath(_)
    )
}
