//! Indices and slices that are out of bounds for every input.
//!
//! Such a position and the size are both constants, or they differ by a known constant, as in `xs[n]` of `[n]t`. If
//! evaluation always reaches the position, it fails, so this is an error. Behind a condition it is a warning: the
//! condition may be there to exclude exactly this case, and then the program is correct.
//!
//! Invariant: the program stays as it is, and a position that may be in bounds for some input is never reported.
//!
//! ```text
//! let xs = [1, 2, 3] in xs[3]   ⇒   error[A0350]: index 3 is out of bounds for an array of length 3
//! ```

mod index_error;
mod index_value;
#[cfg(test)]
mod tests;

use self::index_error::Report;
use self::index_value::KnownValues;
use crate::core::{Accessor, Body, Dim, Expr, ExprKind, LoopForm, Program, Size, Type};
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

/// The positions of a program that are out of bounds, sorted by place. The prelude is not checked.
#[must_use]
pub fn indices(program: &Program, prelude: FileId) -> Vec<Diagnostic> {
    let mut walk =
        BoundsChecker { program, values: KnownValues::of(program), guard: None, found: Vec::new() };
    for def in program.defs.values().filter(|def| def.span.file != prelude) {
        if let Body::Expr(body) = &def.body {
            walk.expr(body);
        }
    }
    let mut found = walk.found;
    diagnostics::sort(&mut found);
    // Core has one copy of a local function for each of its types.
    found.dedup_by_key(|report| report.primary.as_ref().map(|label| label.span));
    found
}

/// The walk over a program.
struct BoundsChecker<'p> {
    program: &'p Program,
    values: KnownValues<'p>,
    /// The condition that decides whether evaluation gets here.
    guard: Option<Span>,
    found: Vec<Diagnostic>,
}

impl<'p> BoundsChecker<'p> {
    /// An expression. A chain of `let`s is walked in a loop, since programs have long ones.
    fn expr(&mut self, mut expr: &'p Expr) {
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            self.expr(value);
            self.values.bind(pat, value);
            expr = body;
        }
        with_enough_stack(|| self.kind(expr));
    }

    fn kind(&mut self, expr: &'p Expr) {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others decide nothing about indices"
        )]
        match &expr.kind {
            ExprKind::AndAlso(left, right) | ExprKind::OrElse(left, right) => {
                self.expr(left);
                self.guarded(left.span, right);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.guarded(condition.span, then);
                self.guarded(condition.span, otherwise);
            }
            ExprKind::Match(value, cases) => {
                self.expr(value);
                cases.iter().for_each(|case| self.guarded(value.span, &case.body));
            }
            ExprKind::Loop(data) => {
                self.expr(&data.init);
                match &data.form {
                    LoopForm::For(_, over) | LoopForm::In(_, over) => {
                        self.expr(over);
                        self.expr(&data.body);
                    }
                    LoopForm::While(condition) => {
                        self.expr(condition);
                        self.guarded(condition.span, &data.body);
                    }
                }
            }
            ExprKind::Index(array, indices) => {
                self.parts(expr);
                let mut ty = &array.ty;
                for index in indices {
                    ty = self.index(array, ty, index);
                }
            }
            ExprKind::Slice(array, dims) => {
                self.parts(expr);
                self.dims(array, &array.ty, dims);
            }
            ExprKind::Update(whole, steps, _) => {
                self.parts(expr);
                self.path(whole, steps);
            }
            _ => self.parts(expr),
        }
    }

    fn parts(&mut self, expr: &'p Expr) {
        expr.for_each_child(&mut |child| self.expr(child));
    }

    /// An expression that is evaluated only if a condition allows it.
    fn guarded(&mut self, condition: Span, expr: &'p Expr) {
        let around = self.guard.replace(condition);
        self.expr(expr);
        self.guard = around;
    }

    /// The path of an update, up to its first slice. Later steps refer to a part of the slice.
    fn path(&mut self, whole: &'p Expr, steps: &'p [Accessor]) {
        let mut ty = &whole.ty;
        for step in steps {
            ty = match (step, ty) {
                (Accessor::Item(at), Type::Tuple(items)) => &items[*at],
                (Accessor::Field(name), Type::Record(fields)) => &fields[name],
                (Accessor::At(dims), _) => {
                    let element = self.dims(whole, ty, dims);
                    if dims.iter().any(|dim| matches!(dim, Dim::Slice { .. })) {
                        return;
                    }
                    element
                }
                (Accessor::Item(_) | Accessor::Field(_), _) => {
                    panic!("core is well-typed: a path fits")
                }
            };
        }
    }

    /// Checks the positions of an array of type `ty` in `whole`. Returns the type of the elements.
    fn dims(&mut self, whole: &'p Expr, mut ty: &'p Type, dims: &'p [Dim]) -> &'p Type {
        for dim in dims {
            ty = match dim {
                Dim::Index(index) => self.index(whole, ty, index),
                Dim::Slice { first, last, step } => {
                    self.slice(whole, ty, [first.as_ref(), last.as_ref(), step.as_ref()])
                }
            };
        }
        ty
    }

    /// Checks one index of an array of type `ty` in `whole`. Returns the type of the elements.
    fn index(&mut self, whole: &'p Expr, ty: &'p Type, index: &'p Expr) -> &'p Type {
        let (size, element) = array(ty);
        if let Some(value) = self.values.of_expr(index)
            && is_outside(&value, size)
        {
            let report = self.report(whole, ty);
            self.found.push(report.index(&KnownPosition { expr: index, value }));
        }
        element
    }

    /// Checks one slice of an array of type `ty` in `whole`. Returns the type of the elements.
    fn slice(
        &mut self,
        whole: &'p Expr,
        ty: &'p Type,
        [first, last, step]: [Option<&'p Expr>; 3],
    ) -> &'p Type {
        let (size, element) = array(ty);
        let position = |bound: Option<&'p Expr>| match bound {
            None => Some(None),
            Some(expr) => {
                self.values.of_expr(expr).map(|value| Some(KnownPosition { expr, value }))
            }
        };
        if let (Some(is_forward), Some(first), Some(last)) =
            (is_forward(step), position(first), position(last))
        {
            let value =
                |bound: &Option<KnownPosition<'_>>| bound.as_ref().map(|bound| bound.value.clone());
            if is_slice_outside(value(&first), value(&last), is_forward, size) {
                let report = self.report(whole, ty);
                self.found.push(report.slice(&KnownSlice { first, last, is_forward }));
            }
        }
        element
    }

    fn report(&self, array: &'p Expr, ty: &'p Type) -> Report<'p> {
        let is_whole = std::ptr::eq(ty, &raw const array.ty);
        Report { program: self.program, array, ty, is_whole, guard: self.guard }
    }
}

/// A position whose value is known.
struct KnownPosition<'p> {
    expr: &'p Expr,
    value: Size,
}

/// A slice that takes every element between its bounds, and whose bounds are known.
struct KnownSlice<'p> {
    first: Option<KnownPosition<'p>>,
    last: Option<KnownPosition<'p>>,
    is_forward: bool,
}

/// Whether a slice is out of bounds for every array of this size. A slice without elements never is.
fn is_slice_outside(
    first: Option<Size>,
    last: Option<Size>,
    is_forward: bool,
    size: &Size,
) -> bool {
    // A downward slice from `i` to `j` has the elements from `j + 1` up to, but without, `i + 1`.
    let behind = |bound: Option<Size>| bound.map(|bound| bound.plus(&Size::constant(1)));
    let (low, high) = if is_forward { (first, last) } else { (behind(last), behind(first)) };
    let (low, high) = (low.unwrap_or_default(), high.unwrap_or_else(|| size.clone()));
    let below = low.as_constant().filter(|&low| low <= 0);
    let above = high.minus(size).as_constant().filter(|&over| over >= 0);
    let is_too_far = below.is_some_and(|low| low < 0) || above.is_some_and(|over| over > 0);
    match high.minus(&low).as_constant() {
        Some(0) => false,
        Some(count) => count < 0 || is_too_far,
        // The slice certainly has elements if it starts at or before the beginning, ends at or behind the end, and
        // goes beyond one of them.
        None => below.is_some() && above.is_some() && is_too_far,
    }
}

/// Whether an index is out of bounds for every array of this size.
fn is_outside(index: &Size, size: &Size) -> bool {
    let is_negative = index.as_constant().is_some_and(|index| index < 0);
    is_negative || index.minus(size).as_constant().is_some_and(|over| over >= 0)
}

/// The size of an array, and the type of its elements.
fn array(ty: &Type) -> (&Size, &Type) {
    let Type::Array(size, element) = ty else {
        panic!("core is well-typed: what has positions is an array");
    };
    (size, element)
}

/// The direction of a slice that takes every element.
fn is_forward(step: Option<&Expr>) -> Option<bool> {
    let Some(step) = step else { return Some(true) };
    let ExprKind::Const(step) = step.kind else { return None };
    [(Const::i64(1), true), (Const::i64(-1), false)]
        .into_iter()
        .find_map(|(by, is_forward)| (step == by).then_some(is_forward))
}
