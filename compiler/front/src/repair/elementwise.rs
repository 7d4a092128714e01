//! Repairs of an operator or a function of scalars that is applied to a whole array: the same for each element.
//!
//! Invariant: the code that is proposed is made of the user's own expressions, and was tried, as for rules.
//!
//! ```text
//! (xs - mean) / s, xs: [n]f64    ⇒   map (\x -> (x - mean) / s) xs
//! a * b, matrices                ⇒   mul a b, with `import "linalg"`; or map2 (map2 (*)) a b
//! f64.sqrt xs                    ⇒   map f64.sqrt xs
//! ```
//!
//! The largest expression around the error that has only operators of scalars is changed as a whole: a part of it would
//! leave an error in the rest.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "only a few kinds of expressions are made of scalars"
)]

use super::library::Library;
use super::sizes::path_to;
use super::{RemovedErrors, Repairer, Replacement, TrialOutcome, library};
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::diagnostics::{Change, Diagnostic, Edit, Subject};
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

/// How many changes are tried for an error.
const MOST: usize = 24;

/// How many changes are shown.
const SHOWN: usize = 2;

/// How many different operands an expression has at most.
const MAX_OPERANDS: usize = 4;

/// The longest code that stands in a sentence.
const SHORT: usize = 60;

/// The names of elements. Those that the expression uses are left out.
const ELEMENTS: [&str; 8] = ["x", "y", "u", "v", "x1", "y1", "x2", "y2"];

/// What most changes do.
const EACH: &str = "for each element";

/// A change that is tried.
struct Candidate {
    /// What it does, in words.
    what: &'static str,
    code: String,
    import: Option<String>,
}

impl Candidate {
    fn of_elements(code: String) -> Self {
        Self { what: EACH, code, import: None }
    }
}

impl Repairer<'_> {
    /// The error with code that applies the operator to each element, if such code has fewer errors.
    pub(super) fn elementwise(&mut self, error: &Diagnostic) -> Option<Replacement> {
        let place = error.primary.as_ref().filter(|_| error.about == Some(Subject::Array))?.span;
        let file = self.program.files.iter().find(|file| file.id == place.file)?;
        let text = &*self.sources.get(place.file).text;
        let path = path_to(file, place);
        let target = Target::new(&path, text, place)?;
        let candidates = target.candidates(&self.library());
        self.trials.begin();
        let (mut helps, mut best) = (Vec::new(), None::<TrialOutcome>);
        for candidate in candidates.into_iter().take(MOST) {
            let is_product = candidate.what != EACH;
            let (file, change) = (place.file, target.change(candidate));
            let Some((help, outcome)) = self.trials.try_change((file, text), change, 1, error)
            else {
                continue;
            };
            if best.as_ref().is_none_or(|known| outcome.is_better(known)) {
                best = Some(outcome);
            }
            helps.push(help);
            // More than one is shown only if they mean different things.
            if helps.len() == SHOWN || !is_product {
                break;
            }
        }
        self.trials.end();
        let removes = RemovedErrors::Tried(best?);
        Some(Replacement { diagnostic: Diagnostic { helps, ..error.clone() }, removes })
    }
}

/// The expression that is changed.
struct Target<'a> {
    text: &'a str,
    expr: &'a Expr,
    /// Whether the new code needs parentheses.
    is_inner: bool,
    /// The operands, each once, with their places: first the one that the error is about.
    operands: Vec<Vec<&'a Expr>>,
}

impl<'a> Target<'a> {
    fn new(path: &[Node<'a>], text: &'a str, place: Span) -> Option<Self> {
        let exprs = path.iter().filter_map(|node| match node {
            Node::Expr(expr) => Some(*expr),
            _ => None,
        });
        let exprs: Vec<&Expr> = exprs.collect();
        let inner = exprs.iter().rposition(|expr| is_of_scalars(expr) || calls(expr))?;
        let around = exprs[..inner].iter().rev().take_while(|expr| is_of_scalars(expr)).count();
        let at = if is_of_scalars(exprs[inner]) { inner - around } else { inner };
        let expr = exprs[at];
        let is_operand = |around: &&Expr| {
            matches!(
                around.kind,
                ExprKind::Apply(..) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Neg(_)
            )
        };
        let begin = part(text, 0, expr.span.start);
        let is_inner = at > 0 && is_operand(&exprs[at - 1]) && !begin.trim_end().ends_with('(');
        let mut target = Self { text, expr, is_inner, operands: Vec::new() };
        target.collect(expr);
        let about = |operands: &Vec<&Expr>| {
            !operands.iter().any(|one| one.span.start <= place.start && place.end <= one.span.end)
        };
        target.operands.sort_by_key(about);
        (target.operands.len() <= MAX_OPERANDS).then_some(target)
    }

    /// Adds the operands of an expression.
    fn collect(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Infix(left, _, right) if is_of_scalars(expr) => {
                self.collect(left);
                self.collect(right);
            }
            ExprKind::Neg(operand) => self.collect(operand),
            ExprKind::Apply(_, args) if expr.span == self.expr.span || is_of_scalars(expr) => {
                args.iter().for_each(|arg| self.collect(arg));
            }
            ExprKind::Literal(_) | ExprKind::Lambda(..) => {}
            _ => {
                let text = self.slice(expr.span);
                let known = self.operands.iter().position(|one| self.slice(one[0].span) == text);
                match known {
                    Some(known) => self.operands[known].push(expr),
                    None => self.operands.push(vec![expr]),
                }
            }
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        part(self.text, span.start, span.end)
    }

    /// An operand as the argument of a function.
    fn argument(&self, expr: &Expr) -> String {
        let text = self.slice(expr.span);
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => text.to_owned(),
            ExprKind::Array(_) | ExprKind::Tuple(_) => text.to_owned(),
            _ if without_parentheses(text) != text => text.to_owned(),
            _ => format!("({text})"),
        }
    }

    /// The changes to try, the most likely ones first.
    fn candidates(&self, library: &Library<'_>) -> Vec<Candidate> {
        let mut found = Vec::new();
        if let ExprKind::Infix(left, op, right) = &self.expr.kind {
            let (left, right) = (self.argument(left), self.argument(right));
            let sign = op.name.name.as_str();
            if sign == "*" {
                found.extend(self.products(library, &left, &right));
            }
            let pair = format!("{left} {right}");
            if self.operands.len() == 2 && left != right {
                found.push(Candidate::of_elements(format!("map2 ({sign}) {pair}")));
                found.push(Candidate::of_elements(format!("map2 (map2 ({sign})) {pair}")));
            }
        }
        found.extend(self.of_call());
        found.extend(self.of_one());
        found.extend(self.of_two());
        found
    }

    /// The products of linear algebra.
    fn products(&self, library: &Library<'_>, left: &str, right: &str) -> Vec<Candidate> {
        let product = |name: &str, what| {
            let named = library.named(self.expr.span.file, format!("{name} {left} {right}"));
            Candidate { what, code: named.text, import: named.import }
        };
        vec![
            product("mul", "the product of matrices"),
            product("matvec", "the product of a matrix and a vector"),
            product("dot", "the product of vectors"),
        ]
    }

    /// `map f xs` of `f xs`, and `map2 f xs ys` of `f xs ys`.
    fn of_call(&self) -> Vec<Candidate> {
        let ExprKind::Apply(_, args) = &self.expr.kind else { return Vec::new() };
        let Some(last) = args.last() else { return Vec::new() };
        let before = |arg: &Expr| {
            let text = part(self.text, self.expr.span.start, arg.span.start);
            text.trim_end_matches(['(', ' ', '\n', '\r', '\t'])
        };
        let grouped = |text: &str| {
            if text.contains(char::is_whitespace) { format!("({text})") } else { text.to_owned() }
        };
        let function = grouped(before(last));
        let last = self.argument(last);
        let mut found =
            vec![format!("map {function} {last}"), format!("map (map {function}) {last}")];
        if let [.., first, _] = &**args {
            let (function, first) = (grouped(before(first)), self.argument(first));
            found.push(format!("map2 {function} {first} {last}"));
        }
        found.into_iter().map(Candidate::of_elements).collect()
    }

    /// Changes that take one operand apart.
    fn of_one(&self) -> Vec<Candidate> {
        let [x, ..] = self.elements();
        let one = |operands: &Vec<&Expr>| {
            let body = self.with_names(&[(operands, x)]);
            let array = self.argument(operands[0]);
            let function = format!("(\\{x} -> {body})");
            [format!("map {function} {array}"), format!("map (map {function}) {array}")]
        };
        self.operands.iter().flat_map(one).map(Candidate::of_elements).collect()
    }

    /// Changes that take two operands apart.
    fn of_two(&self) -> Vec<Candidate> {
        let [x, y] = self.elements();
        let mut found = Vec::new();
        for (at, one) in self.operands.iter().enumerate() {
            for other in &self.operands[at + 1..] {
                // In the order in which they are written.
                let is_first = one[0].span.start < other[0].span.start;
                let (one, other) = if is_first { (one, other) } else { (other, one) };
                let body = self.with_names(&[(one, x), (other, y)]);
                let function = format!("(\\{x} {y} -> {body})");
                let arrays = format!("{} {}", self.argument(one[0]), self.argument(other[0]));
                found.push(format!("map2 {function} {arrays}"));
                found.push(format!("map2 (map2 {function}) {arrays}"));
            }
        }
        found.into_iter().map(Candidate::of_elements).collect()
    }

    /// Names for elements that the expression does not use.
    fn elements(&self) -> [&'static str; 2] {
        let text = self.slice(self.expr.span);
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let used: Vec<&str> = text.split(|c| !is_in_name(c)).collect();
        let mut free = ELEMENTS.into_iter().filter(|name| !used.contains(name));
        let mut next = || free.next().unwrap_or("element");
        [next(), next()]
    }

    /// The expression with names in the place of operands.
    fn with_names(&self, names: &[(&Vec<&Expr>, &str)]) -> String {
        let places = names
            .iter()
            .flat_map(|(operands, name)| operands.iter().map(move |operand| (operand.span, *name)));
        let mut places: Vec<(Span, &str)> = places.collect();
        places.sort_by_key(|(span, _)| span.start);
        let (mut out, mut at) = (String::new(), self.expr.span.start);
        for (span, name) in places {
            out.push_str(part(self.text, at, span.start));
            out.push_str(name);
            at = span.end;
        }
        out.push_str(part(self.text, at, self.expr.span.end));
        without_parentheses(&out).to_owned()
    }

    /// A change in words.
    fn change(&self, Candidate { what, code, import }: Candidate) -> Change {
        let is_short = code.chars().count() <= SHORT && !code.contains(['\n', '\r']);
        let text = if is_short { format!("{what}: `{code}`") } else { what.to_owned() };
        let replacement = if self.is_inner { format!("({code})") } else { code };
        let text = match &import {
            Some(import) => format!("{text}, with `{import}`"),
            None => text,
        };
        let span = self.expr.span;
        let mut edits = vec![Edit { span, replacement }];
        edits.extend(import.map(|import| library::insert(span.file, &import)));
        Change { text, edits }
    }
}

/// A part of a text; nothing if the places are those of a mistake, which need not be in order.
fn part(text: &str, start: u32, end: u32) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

/// A text without the parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_usize;
    let is_closed = |c| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
        true
    };
    if inner.chars().all(is_closed) { inner } else { text }
}

/// Whether an expression applies an operator or a function that only scalars have.
fn is_of_scalars(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Infix(_, op, _) => {
            op.quals.is_empty()
                && BinOp::ALL.iter().any(|known| known.is_infix() && known.name() == op.name.name)
        }
        ExprKind::Neg(_) => true,
        ExprKind::Apply(function, _) => {
            matches!(
                &function.kind,
                ExprKind::Name(name) if name.quals.iter().any(|module| Scalar::from_name(&module.name).is_some())
            ) || matches!(
                &function.kind,
                ExprKind::Field(module, _) if matches!(
                    &module.kind,
                    ExprKind::Name(name) if Scalar::from_name(&name.name.name).is_some()
                )
            )
        }
        _ => false,
    }
}

/// Whether an expression applies a function.
fn calls(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Apply(..))
}
