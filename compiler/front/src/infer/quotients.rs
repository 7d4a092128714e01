//! How to convert an expression with a quotient of integers to a float: its operands, and not the quotient, which has lost what
//! is behind the point.
//!
//! Invariant: each value that is no literal is converted once, before the first division that it takes part in. A name
//! that a `let` gives to a quotient is converted where the `let` makes it, if all its uses are part of the expression.
//!
//! ```text
//! 1 / n                       ⇒   1 / f64.i64 n
//! map (\i -> i / n) (iota n)  ⇒   map (\i -> f64.i64 i / f64.i64 n) (iota n)
//! let m = a / b in m * 2      ⇒   let m = f64.i64 a / f64.i64 b in m * 2
//! ```

#![allow(clippy::wildcard_enum_match_arm, reason = "only a few kinds of expressions calculate")]

use super::error::{Origin, QuotedOperand};
use arrc_syntax::ast;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind, Literal, PatKind, QualName};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The operators whose result is a quotient if an operand is one.
const ARITHMETIC: [&str; 4] = ["+", "-", "*", "/"];

/// The functions whose first argument gives the elements of the result.
const ELEMENTWISE: [&str; 8] =
    ["map", "map2", "map3", "map4", "map5", "generate", "tabulate", "tabulate_2d"];

/// An expression, with the `let`s around it, inner ones first.
struct Place<'e> {
    expr: &'e Expr,
    lets: Vec<LetBinding<'e>>,
}

/// A name of one `let`.
#[derive(Clone, Copy)]
struct LetBinding<'e> {
    name: &'e Name,
    value: &'e Expr,
    body: &'e Expr,
}

/// The changes by which an expression at a place has the values of `function` without rounding, if it contains a
/// quotient. There are none if a quotient is also used as an integer.
pub(super) fn conversions(def: &ast::Def, at: Span, function: &str) -> Option<Vec<Origin>> {
    let place = Place::find(def.body.as_ref()?, at)?;
    Conversions::of(place.expr, place.lets, function)
}

/// As [`conversions`], for the elements of an array.
pub(super) fn of_elements(def: &ast::Def, at: Span, function: &str) -> Option<Vec<Origin>> {
    let place = Place::find(def.body.as_ref()?, at)?;
    Conversions::of(element(place.expr)?, place.lets, function)
}

/// The body of the lambda that makes the elements of an array.
fn element(expr: &Expr) -> Option<&Expr> {
    let call = match &expr.kind {
        ExprKind::Infix(_, sign, call) if sign.name.name == "|>" => call,
        _ => expr,
    };
    let ExprKind::Apply(function, args) = &call.kind else { return None };
    let ExprKind::Name(name) = &function.kind else { return None };
    let is_known = ELEMENTWISE.iter().any(|known| name.name.name == **known);
    let lambda = args.iter().find_map(|arg| match &arg.kind {
        ExprKind::Lambda(_, None, body) => Some(&**body),
        _ => None,
    });
    lambda.filter(|_| is_known)
}

impl<'e> Place<'e> {
    /// The outermost expression at a place.
    fn find(body: &'e Expr, at: Span) -> Option<Self> {
        let (mut node, mut lets) = (Node::Expr(body), Vec::new());
        loop {
            if let Node::Expr(expr) = node {
                if (expr.span.start, expr.span.end) == (at.start, at.end) {
                    lets.reverse();
                    return Some(Self { expr, lets });
                }
                // The user wrote that it is an integer.
                if matches!(&expr.kind, ExprKind::Ascribe(inner, _) if inner.span == at) {
                    return None;
                }
                if let ExprKind::Let(pat, value, body) = &expr.kind
                    && let PatKind::Name(name) = &pat.kind
                    && body.span.start <= at.start
                {
                    lets.push(LetBinding { name: &name.name, value, body });
                }
            }
            let is_around =
                |child: &Node<'_>| child.span().start <= at.start && at.end <= child.span().end;
            node = node.children().into_iter().find(is_around)?;
        }
    }
}

/// The changes so far.
struct Conversions<'e, 'f> {
    function: &'f str,
    lets: Vec<LetBinding<'e>>,
    edits: Vec<Origin>,
    /// The names of quotients, and how often each was met.
    names: Vec<(LetBinding<'e>, usize)>,
    /// Whether a quotient was found.
    is_quotient: bool,
}

impl<'e, 'f> Conversions<'e, 'f> {
    fn of(expr: &'e Expr, lets: Vec<LetBinding<'e>>, function: &'f str) -> Option<Vec<Origin>> {
        let (edits, names) = (Vec::new(), Vec::new());
        let mut found = Self { function, lets, edits, names, is_quotient: false };
        found.value(expr);
        let is_whole =
            |(binding, met): &(LetBinding<'_>, usize)| uses(binding.body, binding.name) == *met;
        let edits = if found.names.iter().all(is_whole) { found.edits } else { Vec::new() };
        found.is_quotient.then_some(edits)
    }

    /// Converts the values from which an expression is calculated.
    fn value(&mut self, expr: &'e Expr) {
        match &expr.kind {
            ExprKind::Infix(left, sign, right) if is_arithmetic(sign) => {
                self.is_quotient |= sign.name.name == "/";
                self.value(left);
                self.value(right);
            }
            ExprKind::Neg(operand) => self.value(operand),
            ExprKind::If(_, then, otherwise) => {
                self.value(then);
                self.value(otherwise);
            }
            ExprKind::Match(_, cases) => cases.iter().for_each(|case| self.value(&case.body)),
            ExprKind::Let(pat, value, body) => {
                if let PatKind::Name(name) = &pat.kind {
                    self.lets.insert(0, LetBinding { name: &name.name, value, body });
                }
                self.value(body);
            }
            ExprKind::Literal(Literal::Int(_, None)) => {}
            ExprKind::Name(path) if path.quals.is_empty() => self.name(expr, &path.name.name),
            _ => self.convert(expr),
        }
    }

    /// Converts a name, or once the value that a `let` gives to it.
    fn name(&mut self, expr: &'e Expr, name: &Name) {
        let Some(at) = self.lets.iter().position(|binding| binding.name == name) else {
            return self.convert(expr);
        };
        let binding = self.lets[at];
        if !has_quotient(binding.value, &self.lets[at + 1..]) {
            return self.convert(expr);
        }
        let is_same =
            |(other, _): &&mut (LetBinding<'_>, usize)| other.value.span == binding.value.span;
        if let Some((_, met)) = self.names.iter_mut().find(is_same) {
            *met += 1;
            return;
        }
        self.names.push((binding, 1));
        let inner = self.lets.drain(..=at).collect::<Vec<_>>();
        self.value(binding.value);
        self.lets.splice(0..0, inner);
    }

    fn convert(&mut self, expr: &Expr) {
        self.edits.extend(QuotedOperand::of(expr).apply(self.function));
    }
}

fn is_arithmetic(sign: &QualName) -> bool {
    ARITHMETIC.iter().any(|known| sign.name.name == **known)
}

/// Whether an expression is calculated from a quotient, or from a name of one in the `let`s around it.
fn has_quotient(expr: &Expr, lets: &[LetBinding<'_>]) -> bool {
    match &expr.kind {
        ExprKind::Infix(left, sign, right) if is_arithmetic(sign) => {
            sign.name.name == "/" || has_quotient(left, lets) || has_quotient(right, lets)
        }
        ExprKind::Neg(operand) => has_quotient(operand, lets),
        ExprKind::Name(path) if path.quals.is_empty() => {
            let at = lets.iter().position(|binding| *binding.name == path.name.name);
            at.is_some_and(|at| has_quotient(lets[at].value, &lets[at + 1..]))
        }
        _ => false,
    }
}

/// How often a name occurs.
fn uses(expr: &Expr, name: &Name) -> usize {
    let (mut nodes, mut count) = (vec![Node::Expr(expr)], 0);
    while let Some(node) = nodes.pop() {
        if let Node::Path(path) = node {
            let head = path.quals.first().unwrap_or(&path.name);
            count += usize::from(head.name == *name);
        }
        nodes.extend(node.children());
    }
    count
}
