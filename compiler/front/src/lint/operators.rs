//! What to write in place of a `reduce` or a `scan` whose operator is not associative.
//!
//! Invariant: a change is proposed only if it keeps the function that each element stands for: it applies the operator
//! from the left, or maps that function first and joins the results by an operation that is associative.
//!
//! ```text
//! reduce (\acc x -> if x > 0 then acc + 1 else acc) 0 xs   ⇒   count (\x -> x > 0) xs
//! reduce (\acc x -> acc + x * x) 0 xs                      ⇒   f64.sum (map (\x -> x * x) xs)
//! reduce (\x y -> y - x) 0 xs                              ⇒   fold (\x y -> y - x) 0 xs
//! ```

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "only a few kinds of expressions are calls or operations"
)]

use crate::parentheses::bare;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind, File, Literal, Pat, PatKind, QualName};
use arrc_syntax::diagnostics::{Change, Diagnostic, Edit};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::{Sources, Span};

/// The reduction that the mapped elements need: what an operator means that joins its first argument and a function of the
/// second one.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// The operation that joins them.
    pub op: BinOp,
    /// The type of both.
    pub ty: Scalar,
}

/// The warning that the operator of a call is not associative, with what to write in its place. `is_accepted` says whether
/// the program has no errors after a change.
#[must_use]
pub fn advised(
    (files, sources): (&[File], &Sources),
    warning: Diagnostic,
    (is_scan, joined): (bool, Option<Joined>),
    mut is_accepted: impl FnMut(&[Edit]) -> bool,
) -> Diagnostic {
    let Some(place) = warning.primary.as_ref().map(|label| label.span) else { return warning };
    let file = files.iter().find(|file| file.id == place.file);
    let call = file.and_then(|file| call_at(file, place));
    let (changes, words) = advice(call.as_ref(), &sources.get(place.file).text, is_scan, joined);
    let best = changes.into_iter().find_map(|one| one.tried(|change| is_accepted(&change.edits)));
    match best {
        Some(help) => warning.advise(help),
        None => warning.help(words),
    }
}

/// The warning that the initial value of a reduction is not neutral, with the call that begins with the neutral element.
#[must_use]
pub fn begun_neutrally(
    (files, sources): (&[File], &Sources),
    warning: Diagnostic,
    joined: Option<Joined>,
    mut is_accepted: impl FnMut(&[Edit]) -> bool,
) -> Diagnostic {
    let place = warning.primary.as_ref().map(|label| label.span);
    let change = place.zip(joined).and_then(|(place, joined)| {
        let call = call_at(files.iter().find(|file| file.id == place.file)?, place)?;
        let edit = call.begun_neutrally(&sources.get(place.file).text, joined)?;
        let text = "begin with the neutral element, and join the initial value to the result";
        Some(Change { text: text.to_owned(), edits: vec![edit] })
    });
    let help = change.and_then(|one| one.tried(|change| is_accepted(&change.edits)));
    match help {
        Some(help) => Diagnostic { helps: vec![help], ..warning },
        None => warning,
    }
}

/// What to write, the best first, and what to do in words.
fn advice(
    call: Option<&Call<'_>>,
    text: &str,
    is_scan: bool,
    joined: Option<Joined>,
) -> (Vec<Change>, &'static str) {
    let change = |words: &str, edit| Change { text: words.to_owned(), edits: vec![edit] };
    let mapped = joined.zip(call).and_then(|(joined, call)| {
        Some(change(&joined.words(is_scan), call.mapped(text, joined)?))
    });
    let words = match call {
        None => "make it associative, or apply it in a `loop`, whose steps run in order",
        Some(_) if is_scan => "write a `loop`, whose steps run in order",
        Some(_) => "write `fold`, which applies the operator from the left",
    };
    let folded = call
        .filter(|call| call.is_reduction())
        .map(|call| change(words, Edit { span: call.head.name.span, replacement: "fold".into() }));
    (mapped.into_iter().chain(folded).collect(), words)
}

impl Joined {
    fn words(self, is_scan: bool) -> String {
        let what = match self.op {
            BinOp::Mul => "multiplies the first argument by a function of the element",
            BinOp::Max | BinOp::Min => "compares the first argument with a function of the element",
            _ => "adds a function of the element to the first argument",
        };
        let then = if is_scan { "scan" } else { "combine" };
        format!("the operator {what}: map that function first, and {then} its results")
    }

    /// The neutral element as a text.
    fn neutral(self) -> Option<String> {
        let ty = self.ty.name();
        match self.op {
            BinOp::Add => Some("0".into()),
            BinOp::Mul => Some("1".into()),
            BinOp::Max => Some(format!("{ty}.lowest")),
            BinOp::Min => Some(format!("{ty}.highest")),
            _ => None,
        }
    }

    /// The operation on two texts.
    pub(super) fn text(self, left: &str, right: &str) -> String {
        if self.op.is_infix() {
            format!("{left} {} {right}", self.op.name())
        } else {
            format!("{} ({left}) ({right})", self.function())
        }
    }

    /// The operation as a function.
    pub(super) fn function(self) -> String {
        if self.op.is_infix() {
            format!("({})", self.op.name())
        } else {
            format!("{}.{}", self.ty.name(), self.op.name())
        }
    }
}

/// A call of a function of an operator, an initial value and an array: of `reduce`, `scan` or their like.
pub(super) struct Call<'a> {
    pub(super) span: Span,
    pub(super) head: &'a QualName,
    pub(super) operator: &'a Expr,
    pub(super) init: &'a Expr,
    /// The array, and whether it stands before `|>`.
    pub(super) array: &'a Expr,
    pub(super) is_piped: bool,
}

/// The call of `reduce`, `scan` or their like that takes all of a place.
fn call_at(file: &File, place: Span) -> Option<Call<'_>> {
    let meant = |expr| Call::of(expr).filter(|call| call.is_reduction() || call.is_scan());
    expression_at(file, place, meant)
}

/// The first result for an expression that takes all of a place.
pub(super) fn expression_at<'a, T>(
    file: &'a File,
    place: Span,
    result: impl Fn(&'a Expr) -> Option<T>,
) -> Option<T> {
    let mut nodes: Vec<Node<'_>> = file.decls.iter().map(Node::Decl).collect();
    while let Some(node) = nodes.pop() {
        let span = node.span();
        if let Node::Expr(expr) = node
            && span == place
            && let Some(found) = result(expr)
        {
            return Some(found);
        }
        if span.start <= place.start && place.end <= span.end {
            nodes.extend(node.children());
        }
    }
    None
}

impl<'a> Call<'a> {
    pub(super) fn of(expr: &'a Expr) -> Option<Self> {
        let (function, args, piped) = match &expr.kind {
            ExprKind::Apply(function, args) => (function, args, None),
            ExprKind::Infix(array, sign, call) if *sign.name.name == *"|>" => match &call.kind {
                ExprKind::Apply(function, args) => (function, args, Some(&**array)),
                _ => return None,
            },
            _ => return None,
        };
        let ExprKind::Name(head) = &function.kind else { return None };
        let (operator, init, array) = match (args.as_slice(), piped) {
            ([operator, init], Some(array)) | ([operator, init, array], None) => {
                (operator, init, array)
            }
            _ => return None,
        };
        let is_piped = piped.is_some();
        Some(Self { span: expr.span, head, operator, init, array, is_piped })
    }

    fn is_reduction(&self) -> bool {
        ["reduce", "reduce_comm"].iter().any(|name| *self.head.name.name == **name)
    }

    fn is_scan(&self) -> bool {
        ["scan", "exscan"].iter().any(|name| *self.head.name.name == **name)
    }

    /// The call with the function of the elements mapped first.
    fn mapped(&self, text: &str, joined: Joined) -> Option<Edit> {
        let ExprKind::Lambda(params, _, body) = &self.operator.kind else { return None };
        let [acc, element] = params.as_slice() else { return None };
        let parts = LambdaParts { text, joined, acc: bound_name(acc)? };
        let parameter = parts.within(element.span);
        let is_whole = self.is_reduction() && is_neutral(self.init, joined);
        let (function, last) = match parts.counted(body).filter(|_| is_whole) {
            Some(condition) => {
                (format!("count (\\{parameter} -> {condition})"), from_count(joined.ty))
            }
            None => {
                let function = format!("map (\\{parameter} -> {})", parts.element(body)?);
                let reduction = joined.op.row().reduction.filter(|_| is_whole);
                let last = reduction.map_or_else(
                    || self.joining(joined, &parts.within(self.init.span)),
                    |reduction| format!("{}.{reduction}", joined.ty.name()),
                );
                (function, Some(last))
            }
        };
        let composed = self.composed(&function, last, &parts.within(self.array.span));
        let replacement = if self.is_enclosed() { format!("({composed})") } else { composed };
        Some(Edit { span: self.span, replacement })
    }

    /// A reduction that begins with the neutral element, joined to the initial value.
    fn begun_neutrally(&self, text: &str, joined: Joined) -> Option<Edit> {
        let part = |start: u32, end: u32| text.get(start as usize..end as usize);
        let (span, init) = (self.span, self.init.span);
        let neutral = joined.neutral().filter(|_| self.is_reduction())?;
        let (before, after) = (part(span.start, init.start)?, part(init.end, span.end)?);
        let call = format!("{before}{neutral}{after}");
        let call = if self.is_piped { format!("({call})") } else { call };
        let replacement = format!("({})", joined.text(part(init.start, init.end)?, &call));
        Some(Edit { span, replacement })
    }

    /// Whether the place has parentheses around the call.
    pub(super) fn is_enclosed(&self) -> bool {
        let first = if self.is_piped { self.array.span } else { self.head.span() };
        self.span.start < first.start
    }

    /// The same combinator with the operation that is meant.
    fn joining(&self, joined: Joined, init: &str) -> String {
        format!("{} {} {init}", self.head.name.name, joined.function())
    }

    /// A function of the array, and another one of its result, written as the call is.
    fn composed(&self, first: &str, last: Option<String>, array: &str) -> String {
        match (last, self.is_piped) {
            (None, true) => format!("{array} |> {first}"),
            (Some(last), true) => format!("{array} |> {first} |> {last}"),
            (None, false) => format!("{first} {array}"),
            (Some(last), false) => format!("{last} ({first} {array})"),
        }
    }
}

/// The conversion of a count to a type, if it needs one.
fn from_count(ty: Scalar) -> Option<String> {
    (ty != Scalar::I64).then(|| format!("{}.i64", ty.name()))
}

/// The name that a pattern binds, if it is one name.
pub(super) fn bound_name(pat: &Pat) -> Option<&Name> {
    match &pat.kind {
        PatKind::Name(name) => Some(&name.name),
        PatKind::Typed(pat, _) => bound_name(pat),
        _ => None,
    }
}

/// Whether an expression is the literal that is neutral for a sum or a product.
pub(super) fn is_neutral(init: &Expr, joined: Joined) -> bool {
    let neutral: u8 = match joined.op {
        BinOp::Add => 0,
        BinOp::Mul => 1,
        _ => return false,
    };
    match &init.kind {
        ExprKind::Literal(Literal::Int(value, _)) => *value == u128::from(neutral),
        ExprKind::Literal(Literal::Float(value, _)) => {
            value.double.to_bits() == f64::from(neutral).to_bits()
        }
        _ => false,
    }
}

/// The parts of an operator that is a lambda.
pub(super) struct LambdaParts<'a> {
    pub(super) text: &'a str,
    pub(super) joined: Joined,
    /// The accumulator.
    pub(super) acc: &'a Name,
}

/// The text of a place.
pub(super) fn within(text: &str, place: Span) -> &str {
    text.get(place.start as usize..place.end as usize).unwrap_or_default()
}

/// What a step joins to the accumulator.
enum Added {
    /// It keeps the accumulator.
    Nothing,
    /// A value in which the accumulator does not occur.
    Value(String),
}

impl LambdaParts<'_> {
    /// The text of a part of the call.
    fn within(&self, part: Span) -> String {
        within(self.text, part).to_owned()
    }

    /// The condition under which the operator adds 1, if that is all it does.
    fn counted(&self, body: &Expr) -> Option<String> {
        let ExprKind::If(condition, then, otherwise) = &body.kind else { return None };
        if self.joined.op != BinOp::Add || self.uses_acc(condition) {
            return None;
        }
        let is_one = |added: &str| ["1", "1.0"].contains(&added);
        let condition = self.within(condition.span);
        match (self.added(then)?, self.added(otherwise)?) {
            (Added::Value(one), Added::Nothing) if is_one(&one) => Some(condition),
            (Added::Nothing, Added::Value(one)) if is_one(&one) => Some(format!("!({condition})")),
            _ => None,
        }
    }

    /// What the operator joins to the accumulator, as a text in which the accumulator does not occur.
    pub(super) fn element(&self, body: &Expr) -> Option<String> {
        match &body.kind {
            ExprKind::If(condition, then, otherwise) if !self.uses_acc(condition) => {
                let (then, otherwise) = (self.element(then)?, self.element(otherwise)?);
                let condition = self.within(condition.span);
                Some(format!("if {condition} then {then} else {otherwise}"))
            }
            ExprKind::Let(pat, value, rest) if self.is_other(pat) && !self.uses_acc(value) => {
                let (pat, value) = (self.within(pat.span), self.within(value.span));
                Some(format!("let {pat} = {value} in {}", self.element(rest)?))
            }
            _ => match self.added(body)? {
                Added::Nothing => self.joined.neutral(),
                Added::Value(value) => Some(value),
            },
        }
    }

    /// Whether a pattern binds another name than the accumulator's.
    fn is_other(&self, pat: &Pat) -> bool {
        bound_name(pat).is_some_and(|name| name != self.acc)
    }

    /// What an expression joins to the accumulator.
    fn added(&self, expr: &Expr) -> Option<Added> {
        if self.is_acc(expr) {
            return Some(Added::Nothing);
        }
        let [left, right] = self.operands(expr)?;
        let other = match (self.is_acc(left), self.is_acc(right)) {
            (true, false) => Some(right),
            (false, true) => Some(left),
            _ => None,
        };
        if let Some(other) = other.filter(|other| !self.uses_acc(other)) {
            return Some(Added::Value(bare(&self.within(other.span)).to_owned()));
        }
        let (left_added, right_added) = match (self.uses_acc(left), self.uses_acc(right)) {
            (true, false) => (self.added(left)?, Added::Value(self.within(right.span))),
            (false, true) => (Added::Value(self.within(left.span)), self.added(right)?),
            _ => return None,
        };
        Some(match (left_added, right_added) {
            (Added::Nothing, other) | (other, Added::Nothing) => other,
            (Added::Value(left), Added::Value(right)) => {
                Added::Value(self.joined.text(&left, &right))
            }
        })
    }

    /// The operands of the operation.
    fn operands<'e>(&self, expr: &'e Expr) -> Option<[&'e Expr; 2]> {
        match &expr.kind {
            ExprKind::Infix(left, sign, right) if *sign.name.name == *self.joined.op.name() => {
                Some([left, right])
            }
            ExprKind::Apply(function, args)
                if self.within(function.span) == self.joined.function() =>
            {
                let [left, right] = args.as_slice() else { return None };
                Some([left, right])
            }
            _ => None,
        }
    }

    fn is_acc(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if name.quals.is_empty() && name.name.name == *self.acc)
    }

    /// Whether the accumulator's name occurs in an expression.
    fn uses_acc(&self, expr: &Expr) -> bool {
        let mut nodes = vec![Node::Expr(expr)];
        while let Some(node) = nodes.pop() {
            let name = match node {
                Node::Path(path) => Some(path.quals.first().unwrap_or(&path.name)),
                Node::Ident(ident) => Some(ident),
                _ => None,
            };
            if name.is_some_and(|name| name.name == *self.acc) {
                return true;
            }
            nodes.extend(node.children());
        }
        false
    }
}
