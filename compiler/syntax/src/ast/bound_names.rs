//! The walk over names: where they are bound and where they are used.
//!
//! Invariant: a use of a name is reported after the bindings that are visible there. A scope ends before anything
//! behind it is reported.
//!
//! ```text
//! let n = length xs in (e :> [n]i64)   ⇒   uses length, xs; binds n; uses e, n; leaves n
//! ```

use super::visit::Node;
use super::{
    Attr, Def, Expr, ExprKind, Ident, Loop, LoopForm, Pat, PatKind, QualName, Type, TypeKind, With,
};
use crate::source::Span;
use crate::stack::with_enough_stack;

/// The kind of construct that binds a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinderKind {
    /// A parameter, or a size: a part of the function's interface.
    Parameter,
    /// The name of a `let` that updates the variable of this name.
    Updated,
    /// The whole pattern of a `let`.
    Let,
    /// A part of the pattern of a `let` or of a case.
    Part,
    /// A field of the same name in a pattern.
    Pun,
    /// A value that a loop carries.
    Carried,
    /// The counter of a loop, or the element in each step.
    Step,
}

impl BinderKind {
    /// The binder of a part of this pattern.
    fn in_pattern(self) -> Self {
        if self.is_local() { Self::Part } else { self }
    }

    /// Whether it is a binding inside of an expression, which may hide a parameter.
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Self::Let | Self::Part | Self::Pun)
    }
}

/// Receives the names of the walk, with their scopes.
pub trait ScopeVisitor {
    /// A state of the scopes, to return to.
    type Mark;

    /// A scope begins. The result goes to [`leave`](Self::leave).
    fn mark(&mut self) -> Self::Mark;

    /// The scope that began with this mark ends.
    fn leave(&mut self, mark: Self::Mark);

    /// The scope of a loop ends. The loop carries the names of this pattern.
    fn leave_loop(&mut self, mark: Self::Mark, _: &Pat) {
        self.leave(mark);
    }

    /// A name is bound.
    fn bind(&mut self, name: &Ident, how: BinderKind);

    /// A name is used that may be qualified.
    fn path(&mut self, path: &QualName);

    /// A variable is used.
    fn variable(&mut self, name: &Ident);

    /// A field of an expression is read. The expression is walked next. It may also be the name of a module.
    fn field(&mut self, _record: &Expr, _field: &Ident) {}

    /// An attribute.
    fn attribute(&mut self, _: &Attr) {}

    /// An expression begins in which the names of this module are in scope without a qualifier.
    fn open(&mut self, _module: &QualName) {}

    /// The expression of the last `open` ends.
    fn close(&mut self) {}
}

/// Walks over a function's parameters and its body. The function's own name is not bound here.
pub fn def(names: &mut impl ScopeVisitor, def: &Def) {
    let mark = names.mark();
    def.sizes.iter().for_each(|size| names.bind(size, BinderKind::Parameter));
    def.params.iter().for_each(|param| pattern(names, param, BinderKind::Parameter));
    def.result.iter().for_each(|result| ty(names, result));
    def.body.iter().for_each(|body| expr(names, body));
    names.leave(mark);
}

/// Walks over an expression. A chain of `let`s is walked in a loop, since programs have long ones.
pub fn expr(names: &mut impl ScopeVisitor, mut this: &Expr) {
    let mark = names.mark();
    loop {
        if let ExprKind::Let(pat, value, body) = &this.kind {
            expr(names, value);
            pattern(names, pat, BinderKind::Let);
            this = body;
        } else if let ExprKind::LetFun(function, body) = &this.kind {
            def(names, function);
            names.bind(&function.name, BinderKind::Let);
            this = body;
        } else if let ExprKind::LetUpdate(name, steps, value, body) = &this.kind {
            names.variable(name);
            steps
                .iter()
                .flat_map(|step| step.dims())
                .flat_map(|dim| dim.parts())
                .for_each(|part| expr(names, part));
            expr(names, value);
            names.bind(name, BinderKind::Updated);
            this = body;
        } else {
            break;
        }
    }
    with_enough_stack(|| scoped(names, this));
    names.leave(mark);
}

/// An expression that is no `let`.
fn scoped<N: ScopeVisitor>(names: &mut N, this: &Expr) {
    if let ExprKind::Lambda(params, result, body) = &this.kind {
        let mark = names.mark();
        params.iter().for_each(|param| pattern(names, param, BinderKind::Parameter));
        result.iter().for_each(|result| ty(names, result));
        expr(names, body);
        names.leave(mark);
    } else if let ExprKind::Loop(data) = &this.kind {
        loop_names(names, data);
    } else if let ExprKind::With(data) = &this.kind {
        with_loop(names, data);
    } else if let ExprKind::Opened(module, body) = &this.kind {
        names.open(module);
        expr(names, body);
        names.close();
    } else {
        if let ExprKind::Field(record, field) = &this.kind {
            names.field(record, field);
        }
        Node::Expr(this).children().into_iter().for_each(|part| node(names, part));
    }
}

/// A part of an expression. Of these parts only a case of a `match` has a scope of its own.
fn node(names: &mut impl ScopeVisitor, part: Node<'_>) {
    match part {
        Node::Expr(part) => expr(names, part),
        Node::Type(part) => ty(names, part),
        Node::Path(path) => names.path(path),
        Node::Attr(attr) => names.attribute(attr),
        Node::Case(case) => {
            let mark = names.mark();
            pattern(names, &case.pat, BinderKind::Part);
            expr(names, &case.body);
            names.leave(mark);
        }
        Node::Ident(_)
        | Node::Infer(_)
        | Node::Pat(_)
        | Node::Def(_)
        | Node::Decl(_)
        | Node::Module(_)
        | Node::ModuleParam(_)
        | Node::ModuleType(_)
        | Node::Spec(_)
        | Node::Refinement(_) => {}
    }
}

/// A loop. A part of the carried values may be used for the result alone.
fn loop_names(names: &mut impl ScopeVisitor, data: &Loop) {
    match &data.init {
        Some(init) => expr(names, init),
        None => own_value(names, &data.pat),
    }
    if let LoopForm::For(_, over) | LoopForm::In(_, over) = &data.form {
        expr(names, over);
    }
    let mark = names.mark();
    pattern(names, &data.pat, BinderKind::Carried);
    match &data.form {
        LoopForm::For(counter, _) => names.bind(counter, BinderKind::Step),
        LoopForm::In(pat, _) => pattern(names, pat, BinderKind::Step),
        LoopForm::While(condition) => expr(names, condition),
    }
    expr(names, &data.body);
    names.leave_loop(mark, &data.pat);
}

/// A with-loop. The index of a generator need not be used, since it also says where the generator is.
fn with_loop(names: &mut impl ScopeVisitor, data: &With) {
    for generator in &data.generators {
        generator.bounds().for_each(|bound| expr(names, bound));
        let mark = names.mark();
        generator.index.names().for_each(|name| names.bind(name, BinderKind::Parameter));
        expr(names, &generator.body);
        names.leave(mark);
    }
    let operators = data.operators.iter().flat_map(|operator| operator.kind.parts());
    operators.for_each(|part| expr(names, part));
}

/// The names of a pattern that is also the initial value of its loop.
fn own_value(names: &mut impl ScopeVisitor, pat: &Pat) {
    if let PatKind::Name(name) = &pat.kind {
        names.variable(name);
    }
    for part in Node::Pat(pat).children() {
        if let Node::Pat(pat) = part {
            own_value(names, pat);
        }
    }
}

/// Visits the names that a pattern binds, and the types in it.
pub fn pattern(names: &mut impl ScopeVisitor, pat: &Pat, how: BinderKind) {
    match &pat.kind {
        PatKind::Wild | PatKind::Literal(..) | PatKind::Error => {}
        PatKind::Name(name) => names.bind(name, how),
        PatKind::Tuple(pats) | PatKind::Constructor(_, pats) => {
            pats.iter().for_each(|pat| pattern(names, pat, how.in_pattern()));
        }
        PatKind::Record(fields) => {
            for (field, pat) in fields {
                let pun = binds_at(pat, field.span);
                pattern(names, pat, if pun { BinderKind::Pun } else { how.in_pattern() });
            }
        }
        PatKind::Sized(sizes, pat) => {
            sizes.iter().for_each(|size| names.bind(size, BinderKind::Parameter));
            pattern(names, pat, how);
        }
        PatKind::Typed(pat, written) => {
            ty(names, written);
            pattern(names, pat, how);
        }
    }
}

/// Whether a pattern is the name at this span: in `{x}` the field `x` is bound to its own name.
fn binds_at(pat: &Pat, span: Span) -> bool {
    match &pat.kind {
        PatKind::Name(name) => name.span == span,
        PatKind::Typed(pat, _) | PatKind::Sized(_, pat) => binds_at(pat, span),
        PatKind::Wild
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Constructor(..)
        | PatKind::Literal(..)
        | PatKind::Error => false,
    }
}

/// Walks over the names in the sizes of a type, but not over the names of types.
pub fn ty(names: &mut impl ScopeVisitor, this: &Type) {
    let mark = names.mark();
    if let TypeKind::Fun(name, param, result) = &this.kind {
        ty(names, param);
        name.iter().for_each(|name| names.bind(name, BinderKind::Parameter));
        ty(names, result);
    } else {
        if let TypeKind::Exists(sizes, _) = &this.kind {
            sizes.iter().for_each(|size| names.bind(size, BinderKind::Parameter));
        }
        for part in Node::Type(this).children() {
            if let Node::Type(part) = part {
                ty(names, part);
            } else if let Node::Expr(size) = part {
                expr(names, size);
            }
        }
    }
    names.leave(mark);
}
