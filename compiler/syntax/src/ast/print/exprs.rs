//! Expressions as text.
//!
//! Invariant: as in [`super`]. An expression that reaches as far to the right as it can, such as a
//! `let`, stands in parentheses wherever something could follow it.
//!
//! ```text
//! Infix(If(c, a, b), +, d)   ⇒   (if c then a else b) + d
//! ```

use super::Printer;
use crate::ast::operators;
use crate::ast::operators::{Assoc, Fixity};
use crate::ast::{
    Accessor, Case, Dim, Expr, ExprKind, FloatLiteral, Ident, Literal, Loop, LoopForm, Pat,
    PatKind, QualName, Range, Slice, Type,
};
use crate::parse::text::escaped;
use crate::prim::Scalar;
use crate::stack::with_enough_stack;

/// The precedence of an expression, from loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// `let`, `if`, a function: takes all that follows.
    Open,
    /// `e : t`, `e :> t`.
    Ascribed,
    /// `a..<b`.
    Ranged,
    /// `e with x = e`.
    Updated,
    /// `a + b`; between infix operators, their fixity decides.
    Infix,
    /// `-x`.
    Prefixed,
    /// `f x`.
    Applied,
    /// All that needs no parentheses as an argument.
    Primary,
}

impl Printer {
    /// An expression that may take all text behind it.
    pub(super) fn expr(&mut self, expr: &Expr) {
        with_enough_stack(|| self.kind_of(expr));
    }

    fn kind_of(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Let(..) | ExprKind::LetFun(..) | ExprKind::LetUpdate(..) => self.lets(expr),
            ExprKind::Loop(data) => self.print_loop(data),
            ExprKind::Lambda(params, result, body) => self.lambda(params, result.as_deref(), body),
            ExprKind::If(condition, yes, no) => {
                self.between("if ", condition.as_ref(), " then ", Self::nested);
                self.between("", yes.as_ref(), " else ", Self::nested);
                self.expr(no);
            }
            ExprKind::Match(value, cases) => self.cases(value, cases),
            ExprKind::Constructor(name, args) if !args.is_empty() => {
                self.constructor(name);
                self.arguments(args);
            }
            ExprKind::Ascribe(inner, ty) => {
                self.at_least(Precedence::Ascribed, inner);
                self.text(" : ");
                self.ty(ty);
            }
            ExprKind::Coerce(inner, ty) => {
                self.at_least(Precedence::Ascribed, inner);
                self.text(" :> ");
                self.ty(ty);
            }
            ExprKind::Range(range) => self.range(range),
            ExprKind::Assert(condition, value) => {
                self.text("assert ");
                self.at_least(Precedence::Primary, condition);
                self.text(" ");
                self.at_least(Precedence::Primary, value);
            }
            ExprKind::Update(whole, steps, value) => {
                self.at_least(Precedence::Updated, whole);
                self.text(" with ");
                self.first_step(steps);
                self.text(" = ");
                self.at_least(Precedence::Infix, value);
            }
            ExprKind::Infix(left, operator, right) => self.infix(left, operator, right),
            ExprKind::Neg(operand) => self.prefix("-", operand),
            ExprKind::Not(operand) => self.prefix("!", operand),
            ExprKind::Apply(function, args) => self.application(function, args),
            ExprKind::With(data) => self.with_loop(data),
            ExprKind::Attr(attr, body) => {
                self.attr(attr);
                self.text(" ");
                self.expr(body);
            }
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::Text(_)
            | ExprKind::Hole
            | ExprKind::SectionRight(..)
            | ExprKind::SectionLeft(..)
            | ExprKind::SectionPath(_)
            | ExprKind::Opened(..)
            | ExprKind::Constructor(..)
            | ExprKind::Tuple(_)
            | ExprKind::Record(_)
            | ExprKind::Array(_)
            | ExprKind::Index(..)
            | ExprKind::Slice(..)
            | ExprKind::Field(..)
            | ExprKind::Error => self.primary(&expr.kind),
        }
    }

    fn lambda(&mut self, params: &[Pat], result: Option<&Type>, body: &Expr) {
        self.text("\\");
        for (number, param) in params.iter().enumerate() {
            self.text(if number > 0 { " " } else { "" });
            self.param(param);
        }
        if let Some(ty) = result {
            self.text(": ");
            self.lambda_result(ty);
        }
        self.text(" -> ");
        self.expr(body);
    }

    fn application(&mut self, function: &Expr, args: &[Expr]) {
        // Without parentheses a constructor would take the arguments for its values.
        if matches!(function.kind, ExprKind::Constructor(..)) {
            self.between("(", function, ")", Self::expr);
        } else {
            self.at_least(Precedence::Primary, function);
        }
        self.arguments(args);
    }

    fn arguments(&mut self, args: &[Expr]) {
        for arg in args {
            self.text(" ");
            self.at_least(Precedence::Primary, arg);
        }
    }

    /// An expression that needs no parentheses as an argument.
    fn primary(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Literal(literal) => self.literal(*literal),
            ExprKind::Name(path) => self.path(path),
            ExprKind::SectionRight(operator, operand) => {
                self.text("(");
                self.operator(operator);
                self.between(" ", operand.as_ref(), ")", Self::expr);
            }
            ExprKind::SectionLeft(operand, operator) => {
                self.text("(");
                self.at_least(Precedence::Infix, operand);
                self.text(" ");
                self.operator(operator);
                self.text(")");
            }
            ExprKind::SectionPath(steps) => {
                let dot = if let Some(Accessor::At(_)) = steps.first() { "(." } else { "(" };
                self.text(dot);
                self.steps(steps);
                self.text(")");
            }
            ExprKind::Opened(module, body) => {
                self.path(module);
                self.between(".(", body.as_ref(), ")", Self::expr);
            }
            ExprKind::Text(text) => self.text(&format!("\"{}\"", escaped(text))),
            ExprKind::Hole => self.text("???"),
            ExprKind::Tuple(exprs) => {
                self.between("(", exprs, ")", |printer, exprs| printer.list(exprs, Self::expr))
            }
            ExprKind::Array(exprs) => {
                self.between("[", exprs, "]", |printer, exprs| printer.list(exprs, Self::expr))
            }
            ExprKind::Record(fields) => self.between("{", fields, "}", |printer, fields| {
                printer.list(fields, |printer, (name, value)| printer.record_field(name, value));
            }),
            ExprKind::Index(array, indices) => {
                self.base(array);
                self.between("[", indices, "]", |printer, indices| printer.indices(indices));
            }
            ExprKind::Slice(array, dims) => {
                self.base(array);
                self.between("[", dims, "]", |printer, dims| printer.list(dims, Self::dim));
            }
            ExprKind::Field(record, field) => {
                self.field_base(record, field);
                self.text(".");
                self.text(&field.name);
            }
            ExprKind::Constructor(name, _) => self.constructor(name),
            ExprKind::Error => self.text("_"),
            ExprKind::Let(..)
            | ExprKind::LetFun(..)
            | ExprKind::LetUpdate(..)
            | ExprKind::Lambda(..)
            | ExprKind::Match(..)
            | ExprKind::If(..)
            | ExprKind::Loop(_)
            | ExprKind::With(_)
            | ExprKind::Ascribe(..)
            | ExprKind::Coerce(..)
            | ExprKind::Range(_)
            | ExprKind::Assert(..)
            | ExprKind::Attr(..)
            | ExprKind::Update(..)
            | ExprKind::Infix(..)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Apply(..) => {
                unreachable!("only what is as tight as an atom is printed as one")
            }
        }
    }

    /// An expression, in parentheses if it is looser than its surroundings.
    pub(super) fn at_least(&mut self, surroundings: Precedence, expr: &Expr) {
        if tightness(&expr.kind) >= surroundings {
            self.expr(expr);
        } else {
            self.between("(", expr, ")", Self::nested);
        }
    }

    /// An expression in brackets. Its further lines are indented.
    pub(super) fn nested(&mut self, expr: &Expr) {
        self.indent += 2;
        self.expr(expr);
        self.indent -= 2;
    }

    /// A chain of `let`s, each on its own line. This is a loop, since such chains are long.
    fn lets(&mut self, expr: &Expr) {
        let mut rest = expr;
        loop {
            match &rest.kind {
                ExprKind::Let(pat, value, body) => {
                    self.between("let ", pat.as_ref(), " =", Self::pat);
                    self.body(value);
                    rest = body;
                }
                ExprKind::LetFun(def, body) => {
                    self.text("let ");
                    self.def(def);
                    rest = body;
                }
                ExprKind::LetUpdate(name, steps, value, body) => {
                    self.text("let ");
                    self.text(&name.name);
                    self.steps(steps);
                    self.text(" =");
                    self.body(value);
                    rest = body;
                }
                ExprKind::Literal(_)
                | ExprKind::Name(_)
                | ExprKind::Apply(..)
                | ExprKind::Infix(..)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::SectionRight(..)
                | ExprKind::SectionLeft(..)
                | ExprKind::SectionPath(_)
                | ExprKind::Opened(..)
                | ExprKind::Text(_)
                | ExprKind::Hole
                | ExprKind::Attr(..)
                | ExprKind::Lambda(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Constructor(..)
                | ExprKind::Tuple(_)
                | ExprKind::Record(_)
                | ExprKind::Update(..)
                | ExprKind::Loop(_)
                | ExprKind::With(_)
                | ExprKind::Array(_)
                | ExprKind::Index(..)
                | ExprKind::Slice(..)
                | ExprKind::Range(_)
                | ExprKind::Field(..)
                | ExprKind::Assert(..)
                | ExprKind::Coerce(..)
                | ExprKind::Ascribe(..)
                | ExprKind::Error => break,
            }
            self.line();
        }
        self.text("in ");
        self.expr(rest);
    }

    fn range(&mut self, range: &Range) {
        let Range { first, second, end: (end, _), last } = range;
        self.at_least(Precedence::Updated, first);
        if let Some(second) = second {
            self.text("..");
            self.at_least(Precedence::Infix, second);
        }
        self.text(end.sign());
        self.at_least(Precedence::Infix, last);
    }

    /// `x[i].y`: the first field has no dot, unless it is a number before another field: `0.1` would be one number.
    fn first_step(&mut self, steps: &[Accessor]) {
        match steps {
            [Accessor::Field(first), Accessor::Field(_), ..]
                if !operators::is_word(&first.name) =>
            {
                self.steps(steps);
            }
            [Accessor::Field(first), rest @ ..] => {
                self.text(&first.name);
                self.steps(rest);
            }
            _ => self.steps(steps),
        }
    }

    /// `.x[i].y`.
    fn steps(&mut self, steps: &[Accessor]) {
        for step in steps {
            match step {
                Accessor::Field(field) => {
                    self.text(".");
                    self.text(&field.name);
                }
                Accessor::At(dims) => {
                    self.between("[", dims, "]", |printer, dims| printer.list(dims, Self::dim));
                }
            }
        }
    }

    /// `i`, `i:j:s`.
    fn dim(&mut self, dim: &Dim) {
        match dim {
            Dim::Index(index) => self.at_least(Precedence::Infix, index),
            Dim::Slice(Slice { first, last, step, .. }) => {
                if let Some(first) = first {
                    self.at_least(Precedence::Infix, first);
                }
                self.text(":");
                if let Some(last) = last {
                    self.at_least(Precedence::Infix, last);
                }
                if let Some(step) = step {
                    self.text(":");
                    self.at_least(Precedence::Infix, step);
                }
            }
        }
    }

    fn print_loop(&mut self, data: &Loop) {
        self.text("loop ");
        if let PatKind::Sized(sizes, inner) = &data.pat.kind {
            self.sizes(sizes);
            self.param(inner);
        } else {
            self.param(&data.pat);
        }
        if let Some(init) = &data.init {
            self.text(" = ");
            self.nested(init);
        }
        match &data.form {
            LoopForm::For(counter, bound) => {
                self.text(&format!(" for {} < ", counter.name));
                self.nested(bound);
            }
            LoopForm::In(pat, array) => {
                self.between(" for ", pat, " in ", Self::param);
                self.nested(array);
            }
            LoopForm::While(condition) => self.between(" while ", condition, "", Self::nested),
        }
        self.text(" do ");
        self.expr(&data.body);
    }

    fn indices(&mut self, indices: &[Expr]) {
        self.list(indices, |printer, index| printer.at_least(Precedence::Infix, index));
    }

    fn infix(&mut self, left: &Expr, operator: &QualName, right: &Expr) {
        let fixity = operators::fixity(&operator.name.name);
        self.operand(left, fixity, Assoc::Left);
        self.text(" ");
        self.operator(operator);
        self.text(" ");
        self.operand(right, fixity, Assoc::Right);
    }

    /// An operand that stands on this side of an operator.
    fn operand(&mut self, operand: &Expr, outer: Fixity, side: Assoc) {
        let fits = if let ExprKind::Infix(_, operator, _) = &operand.kind {
            let inner = operators::fixity(&operator.name.name);
            inner.level > outer.level || (inner.level == outer.level && outer.assoc == side)
        } else {
            tightness(&operand.kind) > Precedence::Infix
        };
        if fits { self.expr(operand) } else { self.between("(", operand, ")", Self::nested) }
    }

    /// A prefix operator. Two signs without a space between them would be one operator, or would begin a comment.
    fn prefix(&mut self, sign: &str, operand: &Expr) {
        let begins_with_sign = matches!(operand.kind, ExprKind::Neg(_) | ExprKind::Not(_));
        self.text(sign);
        self.text(if begins_with_sign { " " } else { "" });
        self.at_least(Precedence::Prefixed, operand);
    }

    /// The expression before an index or a field. A number needs parentheses, since the brackets or the dot would
    /// belong to it.
    fn base(&mut self, expr: &Expr) {
        if matches!(expr.kind, ExprKind::Literal(_)) {
            self.between("(", expr, ")", Self::expr);
        } else {
            self.at_least(Precedence::Primary, expr);
        }
    }

    /// The expression before a field. A single name needs parentheses, since it would be a qualifier of the field.
    fn field_base(&mut self, expr: &Expr, field: &Ident) {
        if matches!(expr.kind, ExprKind::Name(_)) && operators::is_word(&field.name) {
            self.between("(", expr, ")", Self::expr);
        } else {
            self.base(expr);
        }
    }

    fn record_field(&mut self, name: &Ident, value: &Expr) {
        self.text(&name.name);
        let is_pun = matches!(&value.kind, ExprKind::Name(path) if path.quals.is_empty() && path.name.name == name.name);
        if !is_pun {
            self.text(" = ");
            self.expr(value);
        }
    }

    fn operator(&mut self, operator: &QualName) {
        let names = operator.quals.iter().chain([&operator.name]);
        let path: Vec<&str> = names.map(|name| name.name.as_str()).collect();
        let quote = if operators::is_word(&operator.name.name) { "`" } else { "" };
        self.text(&format!("{quote}{}{quote}", path.join(".")));
    }

    fn constructor(&mut self, name: &Ident) {
        self.text("#");
        self.text(&name.name);
    }

    /// `match e` with each case on a line of its own. A nested `match` takes all cases behind it, so only the last
    /// case may end in one without parentheses.
    fn cases(&mut self, value: &Expr, cases: &[Case]) {
        self.text("match ");
        self.at_least(Precedence::Ascribed, value);
        for (number, case) in cases.iter().enumerate() {
            self.line();
            self.between("case ", &case.pat, " ->", Self::case_pat);
            if number + 1 < cases.len() && tightness(&case.body.kind) == Precedence::Open {
                self.between(" (", &case.body, ")", Self::nested);
            } else {
                self.body(&case.body);
            }
        }
    }

    pub(super) fn literal(&mut self, literal: Literal) {
        let (digits, suffix) = match literal {
            Literal::Bool(value) => (value.to_string(), None),
            Literal::Int(value, suffix) => (value.to_string(), suffix),
            // The shortest digits that give the value back at its own precision.
            Literal::Float(value, Some(Scalar::F32)) => {
                (format!("{:?}", value.single), Some(Scalar::F32))
            }
            Literal::Float(value, suffix) => (float(value), suffix),
        };
        self.text(&digits);
        self.text(suffix.map_or("", Scalar::name));
    }
}

/// Digits that give back both values of a float.
fn float(value: FloatLiteral) -> String {
    let shortest = format!("{:?}", value.double);
    if shortest.parse() == Ok(value.single) {
        return shortest;
    }
    // The number is so near to the middle between two `f32`s that its `f64` is exactly the middle. One more digit
    // behind the 53 bits says on which side of the middle it is.
    let bits = value.double.to_bits();
    let mantissa = (bits & ((1 << 52) - 1)) | 1 << 52;
    let exponent = i64::try_from(bits >> 52 & 0x7ff).expect("11 bits") - 1075;
    if f64::from(value.single) > value.double {
        format!("0x{mantissa:x}.1p{exponent}")
    } else {
        format!("0x{:x}.fp{exponent}", mantissa - 1)
    }
}

pub(super) fn tightness(kind: &ExprKind) -> Precedence {
    match kind {
        ExprKind::Let(..)
        | ExprKind::LetFun(..)
        | ExprKind::LetUpdate(..)
        | ExprKind::Loop(_)
        | ExprKind::Lambda(..)
        | ExprKind::Attr(..)
        | ExprKind::Match(..)
        | ExprKind::If(..) => Precedence::Open,
        ExprKind::Constructor(_, args) if !args.is_empty() => Precedence::Applied,
        ExprKind::Ascribe(..) | ExprKind::Coerce(..) => Precedence::Ascribed,
        ExprKind::Range(_) => Precedence::Ranged,
        ExprKind::Update(..) => Precedence::Updated,
        ExprKind::Infix(..) => Precedence::Infix,
        ExprKind::Neg(_) | ExprKind::Not(_) => Precedence::Prefixed,
        ExprKind::Apply(..) | ExprKind::Assert(..) | ExprKind::With(_) => Precedence::Applied,
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::SectionRight(..)
        | ExprKind::SectionLeft(..)
        | ExprKind::SectionPath(_)
        | ExprKind::Opened(..)
        | ExprKind::Text(_)
        | ExprKind::Hole
        | ExprKind::Constructor(..)
        | ExprKind::Tuple(_)
        | ExprKind::Record(_)
        | ExprKind::Array(_)
        | ExprKind::Index(..)
        | ExprKind::Slice(..)
        | ExprKind::Field(..)
        | ExprKind::Error => Precedence::Primary,
    }
}
