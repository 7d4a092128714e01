//! Expressions of several clauses: `let`, `if`, `match`, `loop`, `with`, and chains of operators.
//!
//! Invariant: long chains are walked with loops. If the clauses take several lines, each begins one, in one column.
//!
//! ```text
//! if a then x      let y = f x      xs
//! else y           in g y           |> map f
//! ```

use arrc_syntax::ast::operators;
use arrc_syntax::ast::operators::Assoc;
use arrc_syntax::ast::{
    Bound, Case, Expr, ExprKind, Generator, IndexName, Loop, LoopForm, Operator, OperatorKind,
    QualName, With,
};

use crate::layout::{Commas, Doc, Gap, Layout};

impl<'a> Layout<'a> {
    /// A chain of `let`s and its result.
    pub(crate) fn lets(&mut self, expr: &Expr) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = expr;
        loop {
            let (binding, body) = if let ExprKind::Let(pat, value, body) = &rest.kind {
                let head = self.token().append(self.gap(Gap::Space)).append(self.pat(pat));
                let head = head.append(self.then(Gap::Space));
                (head.append(self.value(value)), body)
            } else if let ExprKind::LetFun(def, body) = &rest.kind {
                let word = self.token().append(self.gap(Gap::Space));
                (word.append(self.definition(def)), body)
            } else if let ExprKind::LetUpdate(_, steps, value, body) = &rest.kind {
                let head = self.token().append(self.then(Gap::Space));
                let head = head.append(self.gap(Gap::Tight)).append(self.path(steps));
                let head = head.append(self.then(Gap::Space));
                (head.append(self.value(value)), body)
            } else {
                unreachable!("a chain of bindings goes on with one")
            };
            doc = doc.append(binding);
            let goes_on = matches!(
                body.kind,
                ExprKind::Let(..) | ExprKind::LetFun(..) | ExprKind::LetUpdate(..)
            ) && self.is_bare(body);
            rest = body;
            if !goes_on {
                break;
            }
            if self.next() == "in" {
                doc = doc.append(self.then(Gap::Space));
            }
            doc = doc.append(self.gap(Gap::Step));
        }
        let word = self.gap(Gap::Step).append(self.token());
        let result = self.gap(Gap::Space).append(self.expr(rest).align()).nest(3);
        doc.append(word).append(result).group().align()
    }

    /// `if`, with all `else if` of its chain.
    pub(crate) fn conditional(&mut self, expr: &Expr) -> Doc<'a> {
        let mut doc = self.nil();
        let mut rest = expr;
        while let ExprKind::If(condition, yes, no) = &rest.kind {
            let head = self.token().append(self.gap(Gap::Space));
            let head = head.append(self.expr(condition).align());
            // A branch on lines of its own leaves `then` on the line of the condition.
            let is_below = self.tokens().begins_line(self.at() + 1);
            let gap = self.gap(if is_below { Gap::Space } else { Gap::Line });
            let then = gap.append(self.branch(yes));
            doc = doc.append(head.append(then).group()).append(self.gap(Gap::Line));
            if !matches!(no.kind, ExprKind::If(..)) || !self.is_bare(no) {
                doc = doc.append(self.branch(no));
                break;
            }
            doc = doc.append(self.token()).append(self.gap(Gap::Space));
            rest = no;
        }
        doc.group().align()
    }

    /// `then` or `else`, and what stands behind it.
    fn branch(&mut self, value: &Expr) -> Doc<'a> {
        let word = self.token();
        if self.begins_line() {
            return word.append(self.gap(Gap::Line).append(self.expr(value)).nest(2));
        }
        word.append(self.gap(Gap::Space)).append(self.expr(value).align())
    }

    /// `match` with its cases.
    pub(crate) fn cases(&mut self, value: &Expr, cases: &[Case]) -> Doc<'a> {
        let word = self.token().append(self.gap(Gap::Space));
        let head = word.append(self.expr(value).align());
        let doc = cases.iter().fold(head, |doc, Case { pat, body, .. }| {
            let word = self.gap(Gap::Step).append(self.token()).append(self.gap(Gap::Space));
            let head = word.append(self.pat(pat)).append(self.then(Gap::Space));
            doc.append(head).append(self.value(body))
        });
        doc.group().align()
    }

    /// A loop: the body of one that takes several lines is indented from the line where the loop begins.
    pub(crate) fn loops(&mut self, data: &Loop) -> Doc<'a> {
        let Loop { pat, init, form, body } = data;
        let mut head = self.token().append(self.gap(Gap::Space)).append(self.pat(pat));
        if let Some(init) = init {
            head = head.append(self.then(Gap::Space));
            head = head.append(self.gap(Gap::Line).append(self.expr(init)).group().nest(4));
        }
        let word = self.gap(Gap::Line).append(self.token()).append(self.gap(Gap::Space));
        let form = word.append(match form {
            LoopForm::For(_, bound) => {
                let counter = self.token().append(self.then(Gap::Space));
                counter.append(self.gap(Gap::Space)).append(self.expr(bound).align())
            }
            LoopForm::In(pat, array) => {
                let pat = self.pat(pat).append(self.then(Gap::Space));
                pat.append(self.gap(Gap::Space)).append(self.expr(array).align())
            }
            LoopForm::While(condition) => self.expr(condition).align(),
        });
        let head = head.append(form.nest(4)).append(self.then(Gap::Space)).group();
        head.append(self.value(body))
    }

    /// Operators of one level, each before its right operand.
    pub(crate) fn chain(&mut self, expr: &Expr) -> Doc<'a> {
        let (first, rest) = self.operands(expr);
        let is_pipeline = rest.iter().all(|(operator, _)| operator.name.name == "|>");
        let mut doc = self.expr(first);
        for (_, operand) in rest {
            let operator = self.before_operator().append(self.token());
            let part = operator.append(self.gap(Gap::Space)).append(self.expr(operand));
            doc = doc.append(if is_pipeline { part } else { part.group() });
        }
        if is_pipeline { doc.group().align() } else { doc.align() }
    }

    /// The operands of a chain without parentheses.
    fn operands<'e>(&self, expr: &'e Expr) -> (&'e Expr, Vec<(&'e QualName, &'e Expr)>) {
        let ExprKind::Infix(left, operator, right) = &expr.kind else {
            unreachable!("a chain has an operator")
        };
        let fixity = operators::fixity(&operator.name.name);
        let of_level = |expr: &'e Expr| {
            let ExprKind::Infix(left, operator, right) = &expr.kind else { return None };
            let is_same = operators::fixity(&operator.name.name) == fixity && self.is_bare(expr);
            is_same.then_some((left.as_ref(), operator, right.as_ref()))
        };
        let mut rest = Vec::new();
        match fixity.assoc {
            Assoc::Left => {
                rest.push((operator, right.as_ref()));
                let mut first = left.as_ref();
                while let Some((left, operator, right)) = of_level(first) {
                    rest.push((operator, right));
                    first = left;
                }
                rest.reverse();
                (first, rest)
            }
            Assoc::Right => {
                let (mut operator, mut last) = (operator, right.as_ref());
                while let Some((left, next, right)) = of_level(last) {
                    rest.push((operator, left));
                    (operator, last) = (next, right);
                }
                rest.push((operator, last));
                (left, rest)
            }
        }
    }

    /// `with { … } : …`.
    pub(crate) fn with_loop(&mut self, data: &With) -> Doc<'a> {
        let mut doc = self.token().append(self.then(Gap::Space)).append(self.gap(Gap::Space));
        let mut generators = self.nil();
        for (number, generator) in data.generators.iter().enumerate() {
            if number > 0 {
                generators = generators.append(self.then(Gap::Tight)).append(self.gap(Gap::Line));
            }
            generators = generators.append(self.generator(generator));
        }
        if self.next() == ";" {
            generators = generators.append(self.then(Gap::Tight));
        }
        doc = doc.append(generators.group().align()).append(self.then(Gap::Space));
        let mut operation = self.gap(Gap::Line).append(self.token()).append(self.gap(Gap::Space));
        operation = operation.append(match data.operators.as_slice() {
            [operator] => self.operation(operator),
            operators => self.brackets(operators, Commas::Alike, Self::operation),
        });
        doc.append(operation.nest(2)).group().align()
    }

    fn generator(&mut self, generator: &Generator) -> Doc<'a> {
        let open = self.token().append(self.gap(Gap::Tight));
        let mut head = self.bound(&generator.lower);
        let index = self.gap(Gap::Line).append(self.token()).append(self.gap(Gap::Space));
        let index = index.append(match &generator.index {
            IndexName::Vector(_) => self.token(),
            IndexName::Components(..) => self.tight_brackets(),
        });
        head = head.append(index.group());
        let upper = self.gap(Gap::Line).append(self.token()).append(self.gap(Gap::Space));
        head = head.append(upper.append(self.bound(&generator.upper)).group());
        for part in generator.step.iter().chain(&generator.width) {
            let word = self.gap(Gap::Line).append(self.token()).append(self.gap(Gap::Space));
            head = head.append(word.append(self.expr(part)).group());
        }
        let head = open.append(head.align()).append(self.then(Gap::Tight));
        head.append(self.then(Gap::Space)).append(self.value(&generator.body))
    }

    fn bound(&mut self, bound: &Bound) -> Doc<'a> {
        match bound {
            Bound::Edge(_) => self.token(),
            Bound::Expr(expr) => self.expr(expr),
        }
    }

    fn operation(&mut self, operator: &Operator) -> Doc<'a> {
        let word = self.token().append(self.gap(Gap::Space));
        word.append(match &operator.kind {
            OperatorKind::Modarray(array) => self.expr(array),
            kind @ (OperatorKind::Genarray(..) | OperatorKind::Fold(..)) => {
                let parts: Vec<&Expr> = kind.parts().collect();
                self.brackets(&parts, Commas::Alike, |layout, part| layout.expr(part))
            }
        })
    }
}
