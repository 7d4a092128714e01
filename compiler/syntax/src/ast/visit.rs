//! The children of each node of a tree, in the order of the text.
//!
//! Invariant: this is the only place that lists the parts of declarations, expressions, patterns and types. All
//! simple walks use it.
//!
//! ```text
//! x + f y: the expression x, the path (+), the expression f y
//! ```

use super::{
    Accessor, Attr, Case, Decl, Def, Dim, Expr, ExprKind, Generator, Ident, Loop, LoopForm,
    ModuleDef, ModuleExpr, ModuleParam, ModuleType, Pat, PatKind, QualName, Refinement, Size, Spec,
    Type, TypeArg, TypeDef, TypeKind, TypeSpec, With,
};
use crate::source::Span;

/// A node of the tree: anything with a span.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A declaration.
    Decl(&'a Decl),
    /// A local function.
    Def(&'a Def),
    /// An expression.
    Expr(&'a Expr),
    /// A pattern.
    Pat(&'a Pat),
    /// A type.
    Type(&'a Type),
    /// The name of a binding, of a field or of a constructor.
    Ident(&'a Ident),
    /// A use of a name, with its qualifiers.
    Path(&'a QualName),
    /// A module.
    Module(&'a ModuleExpr),
    /// The parameter of a module.
    ModuleParam(&'a ModuleParam),
    /// A module type.
    ModuleType(&'a ModuleType),
    /// An item of a module type.
    Spec(&'a Spec),
    /// A type that `with` fixes in a module type.
    Refinement(&'a Refinement),
    /// An attribute.
    Attr(&'a Attr),
    /// A case of a `match`.
    Case(&'a Case),
    /// A size that is left to be inferred.
    Infer(Span),
}

impl<'a> Node<'a> {
    /// Its place.
    #[must_use]
    pub fn span(self) -> Span {
        match self {
            Self::Decl(decl) => decl.span(),
            Self::Def(def) => def.span,
            Self::Module(module) => module.span(),
            Self::ModuleParam(param) => param.span,
            Self::ModuleType(ty) => ty.span(),
            Self::Spec(spec) => spec_span(spec),
            Self::Refinement(refinement) => refinement.span,
            Self::Attr(attr) => attr.span,
            Self::Expr(expr) => expr.span,
            Self::Pat(pat) => pat.span,
            Self::Type(ty) => ty.span,
            Self::Ident(ident) => ident.span,
            Self::Path(path) => path.span(),
            Self::Case(case) => case.span,
            Self::Infer(span) => span,
        }
    }

    /// The node in words, with its span, for error messages.
    #[must_use]
    pub fn words(self) -> String {
        let kind = match self {
            Self::Decl(_) => "declaration",
            Self::Def(_) => "local function",
            Self::Expr(_) => "expression",
            Self::Pat(_) => "pattern",
            Self::Type(_) => "type",
            Self::Ident(_) | Self::Path(_) => "name",
            Self::Module(_) => "module",
            Self::ModuleParam(_) => "parameter of a module",
            Self::ModuleType(_) => "module type",
            Self::Spec(_) => "item of a module type",
            Self::Refinement(_) => "refinement",
            Self::Attr(_) => "attribute",
            Self::Case(_) => "case",
            Self::Infer(_) => "size",
        };
        let span = self.span();
        format!("the {kind} at {}..{} of {}", span.start, span.end, span.file)
    }

    /// The children, in the order of the text.
    #[must_use]
    pub fn children(self) -> Vec<Self> {
        match self {
            Self::Decl(Decl::Def(def)) | Self::Def(def) => def_children(def),
            Self::Decl(Decl::Type(def)) => type_def_children(def),
            Self::Decl(Decl::Module(def)) => module_children(def),
            Self::Decl(Decl::ModuleType(def)) => {
                vec![Node::Ident(&def.name), Node::ModuleType(&def.body)]
            }
            Self::Decl(Decl::Open(open)) => vec![Node::Module(&open.module)],
            Self::Decl(Decl::Import(_)) => Vec::new(),
            Self::Decl(Decl::Local(local)) => vec![Node::Decl(&local.decl)],
            Self::Module(ModuleExpr::Body(decls, _)) => decls.iter().map(Node::Decl).collect(),
            Self::Module(ModuleExpr::Name(path)) | Self::ModuleType(ModuleType::Name(path)) => {
                vec![Self::Path(path)]
            }
            Self::Module(ModuleExpr::Apply(function, given, _)) => {
                vec![Self::Module(function), Self::Module(given)]
            }
            Self::Module(ModuleExpr::Ascribe(module, ty, _)) => {
                vec![Self::Module(module), Self::ModuleType(ty)]
            }
            Self::Module(ModuleExpr::Function(param, result, body, _)) => {
                let result = result.as_deref().map(Node::ModuleType);
                let param = Self::ModuleParam(param);
                [param].into_iter().chain(result).chain([Self::Module(body)]).collect()
            }
            Self::ModuleParam(param) => vec![Node::Ident(&param.name), Node::ModuleType(&param.ty)],
            Self::ModuleType(ModuleType::Specs(specs, _)) => specs.iter().map(Node::Spec).collect(),
            Self::ModuleType(ModuleType::With(ty, refinement, _)) => {
                vec![Self::ModuleType(ty), Self::Refinement(refinement)]
            }
            Self::ModuleType(ModuleType::Function(name, param, result, _)) => {
                let name = name.iter().map(Node::Ident);
                name.chain([param, result].map(|ty| Node::ModuleType(ty))).collect()
            }
            Self::Spec(spec) => spec_children(spec),
            Self::Refinement(refinement) => {
                let Refinement { name, sizes, types, body, .. } = refinement;
                let binders = binders(sizes.iter(), types);
                [Node::Path(name)].into_iter().chain(binders).chain([Node::Type(body)]).collect()
            }
            Self::ModuleType(ModuleType::Error(_)) => Vec::new(),
            Self::Path(path) => path.quals.iter().chain([&path.name]).map(Node::Ident).collect(),
            Self::Module(ModuleExpr::Import(_) | ModuleExpr::Error(_)) => Vec::new(),
            Self::Attr(attr) => [Node::Ident(&attr.name)]
                .into_iter()
                .chain(attr.args.iter().map(Node::Attr))
                .collect(),
            Self::Expr(expr) => expr_children(expr),
            Self::Pat(pat) => pat_children(pat),
            Self::Type(ty) => type_children(ty),
            Self::Case(case) => vec![Node::Pat(&case.pat), Node::Expr(&case.body)],
            Self::Ident(_) | Self::Infer(_) => Vec::new(),
        }
    }
}

fn def_children(def: &Def) -> Vec<Node<'_>> {
    let mut head = vec![Node::Ident(&def.name)];
    head.extend(binders(def.sizes.iter().chain(&def.shapes), &def.types));
    head.extend(def.params.iter().map(Node::Pat));
    // The name of an operator may stand between its parameters.
    head.sort_by_key(|node| node.span());
    let mut children: Vec<Node<'_>> = def.attrs.iter().map(Node::Attr).collect();
    children.extend(head);
    children.extend(def.result.as_ref().map(Node::Type));
    children.extend(def.body.as_ref().map(Node::Expr));
    children
}

fn module_children(def: &ModuleDef) -> Vec<Node<'_>> {
    let mut children = vec![Node::Ident(&def.name)];
    children.extend(def.params.iter().map(Node::ModuleParam));
    children.extend(def.ascription.as_ref().map(Node::ModuleType));
    children.push(Node::Module(&def.body));
    children
}

fn spec_span(spec: &Spec) -> Span {
    match spec {
        Spec::Value(def) => def.span,
        Spec::Type(spec) => spec.span,
        Spec::Module(spec) => spec.span,
        Spec::Include(include) => include.span,
    }
}

fn spec_children(spec: &Spec) -> Vec<Node<'_>> {
    match spec {
        Spec::Value(def) => def_children(def),
        Spec::Type(TypeSpec { name, sizes, types, body, .. }) => {
            let binders = binders(sizes.iter(), types);
            let body = body.as_ref().map(Node::Type);
            [Node::Ident(name)].into_iter().chain(binders).chain(body).collect()
        }
        Spec::Module(spec) => vec![Node::Ident(&spec.name), Node::ModuleType(&spec.ty)],
        Spec::Include(include) => vec![Node::ModuleType(&include.ty)],
    }
}

fn type_def_children(def: &TypeDef) -> Vec<Node<'_>> {
    let mut children = vec![Node::Ident(&def.name)];
    children.extend(binders(def.sizes.iter(), &def.types));
    children.push(Node::Type(&def.body));
    children
}

/// Size and type parameters in the order of the text, in which they may be mixed.
fn binders<'a>(sizes: impl Iterator<Item = &'a Ident>, types: &'a [Ident]) -> Vec<Node<'a>> {
    let mut binders: Vec<&Ident> = sizes.chain(types).collect();
    binders.sort_by_key(|binder| binder.span);
    binders.into_iter().map(Node::Ident).collect()
}

fn expr_children(expr: &Expr) -> Vec<Node<'_>> {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Text(_) | ExprKind::Hole | ExprKind::Error => Vec::new(),
        ExprKind::Name(path) => vec![Node::Path(path)],
        ExprKind::Apply(function, args) => exprs([function.as_ref()].into_iter().chain(args)),
        ExprKind::Infix(left, operator, right) => {
            vec![Node::Expr(left), Node::Path(operator), Node::Expr(right)]
        }
        ExprKind::Neg(operand) | ExprKind::Not(operand) => vec![Node::Expr(operand)],
        ExprKind::SectionRight(operator, operand) => {
            vec![Node::Path(operator), Node::Expr(operand)]
        }
        ExprKind::SectionLeft(operand, operator) => {
            vec![Node::Expr(operand), Node::Path(operator)]
        }
        ExprKind::SectionPath(steps) => steps.iter().flat_map(step_children).collect(),
        ExprKind::Opened(module, body) => vec![Node::Path(module), Node::Expr(body)],
        ExprKind::Attr(attr, body) => vec![Node::Attr(attr), Node::Expr(body)],
        ExprKind::Lambda(params, result, body) => {
            let head = params.iter().map(Node::Pat).chain(result.as_deref().map(Node::Type));
            head.chain([Node::Expr(body)]).collect()
        }
        ExprKind::Let(pat, value, body) => {
            vec![Node::Pat(pat), Node::Expr(value), Node::Expr(body)]
        }
        ExprKind::LetFun(def, body) => vec![Node::Def(def), Node::Expr(body)],
        ExprKind::If(condition, yes, no) => exprs([condition.as_ref(), yes, no]),
        ExprKind::Match(value, cases) => {
            [Node::Expr(value)].into_iter().chain(cases.iter().map(Node::Case)).collect()
        }
        ExprKind::Constructor(name, args) => {
            [Node::Ident(name)].into_iter().chain(exprs(args)).collect()
        }
        ExprKind::Tuple(items) | ExprKind::Array(items) => exprs(items),
        ExprKind::Record(fields) => fields
            .iter()
            .flat_map(|(name, value)| field_children(name, value.span, Node::Expr(value)))
            .collect(),
        ExprKind::Update(whole, steps, value) => {
            let steps = steps.iter().flat_map(step_children);
            [Node::Expr(whole)].into_iter().chain(steps).chain([Node::Expr(value)]).collect()
        }
        ExprKind::Index(array, indices) => exprs([array.as_ref()].into_iter().chain(indices)),
        ExprKind::Loop(data) => loop_children(data),
        ExprKind::With(data) => with_children(data),
        ExprKind::LetUpdate(name, steps, value, body) => {
            let steps = steps.iter().flat_map(step_children);
            let rest = [value, body].map(|expr| Node::Expr(expr));
            [Node::Ident(name)].into_iter().chain(steps).chain(rest).collect()
        }
        ExprKind::Field(record, field) => vec![Node::Expr(record), Node::Ident(field)],
        ExprKind::Slice(array, dims) => {
            [Node::Expr(array)].into_iter().chain(dims.iter().flat_map(dim_children)).collect()
        }
        ExprKind::Range(range) => {
            exprs([&range.first].into_iter().chain(&range.second).chain([&range.last]))
        }
        ExprKind::Assert(condition, value) => exprs([condition.as_ref(), value]),
        ExprKind::Ascribe(inner, ty) | ExprKind::Coerce(inner, ty) => {
            vec![Node::Expr(inner), Node::Type(ty)]
        }
    }
}

fn loop_children(data: &Loop) -> Vec<Node<'_>> {
    let mut children = vec![Node::Pat(&data.pat)];
    children.extend(data.init.iter().map(Node::Expr));
    children.extend(match &data.form {
        LoopForm::For(counter, bound) => vec![Node::Ident(counter), Node::Expr(bound)],
        LoopForm::In(pat, array) => vec![Node::Pat(pat), Node::Expr(array)],
        LoopForm::While(condition) => vec![Node::Expr(condition)],
    });
    children.push(Node::Expr(&data.body));
    children
}

fn with_children(data: &With) -> Vec<Node<'_>> {
    let mut children = Vec::new();
    for Generator { lower, index, upper, step, width, body, .. } in &data.generators {
        children.extend(lower.expr().map(Node::Expr));
        children.extend(index.names().map(Node::Ident));
        children.extend(upper.expr().into_iter().chain(step).chain(width).map(Node::Expr));
        children.push(Node::Expr(body));
    }
    let operators = data.operators.iter().flat_map(|operator| operator.kind.parts());
    children.extend(operators.map(Node::Expr));
    children
}

fn exprs<'a>(items: impl IntoIterator<Item = &'a Expr>) -> Vec<Node<'a>> {
    items.into_iter().map(Node::Expr).collect()
}

fn step_children(step: &Accessor) -> Vec<Node<'_>> {
    match step {
        Accessor::Field(field) => vec![Node::Ident(field)],
        Accessor::At(dims) => dims.iter().flat_map(dim_children).collect(),
    }
}

fn dim_children(dim: &Dim) -> Vec<Node<'_>> {
    exprs(dim.parts())
}

/// The children of a field. In a punned field the name is also the value, so both begin at the same place.
fn field_children<'a>(name: &'a Ident, at: Span, value: Node<'a>) -> Vec<Node<'a>> {
    if name.span.start == at.start { vec![value] } else { vec![Node::Ident(name), value] }
}

fn pat_children(pat: &Pat) -> Vec<Node<'_>> {
    match &pat.kind {
        PatKind::Wild | PatKind::Literal(..) | PatKind::Error => Vec::new(),
        PatKind::Name(name) => vec![Node::Ident(name)],
        PatKind::Constructor(name, pats) => {
            [Node::Ident(name)].into_iter().chain(pats.iter().map(Node::Pat)).collect()
        }
        PatKind::Tuple(pats) => pats.iter().map(Node::Pat).collect(),
        PatKind::Record(fields) => fields
            .iter()
            .flat_map(|(name, pat)| field_children(name, pat.span, Node::Pat(pat)))
            .collect(),
        PatKind::Typed(inner, ty) => vec![Node::Pat(inner), Node::Type(ty)],
        PatKind::Sized(sizes, inner) => {
            sizes.iter().map(Node::Ident).chain([Node::Pat(inner)]).collect()
        }
    }
}

fn type_children(ty: &Type) -> Vec<Node<'_>> {
    match &ty.kind {
        TypeKind::Error => Vec::new(),
        TypeKind::Name(path, args) => {
            let args = args.iter().map(|arg| match arg {
                TypeArg::Type(ty) => Node::Type(ty),
                TypeArg::Size(size) => size_node(size),
            });
            [Node::Path(path)].into_iter().chain(args).collect()
        }
        TypeKind::Tuple(types) => types.iter().map(Node::Type).collect(),
        TypeKind::Record(fields) => {
            fields.iter().flat_map(|(name, ty)| [Node::Ident(name), Node::Type(ty)]).collect()
        }
        TypeKind::Sum(constructors) => constructors
            .iter()
            .flat_map(|(name, types)| {
                [Node::Ident(name)].into_iter().chain(types.iter().map(Node::Type))
            })
            .collect(),
        TypeKind::Unique(marked) => vec![Node::Type(marked)],
        TypeKind::Array(size, element) => vec![size_node(size), Node::Type(element)],
        TypeKind::Fun(name, param, result) => {
            let name = name.iter().map(Node::Ident);
            name.chain([Node::Type(param.as_ref()), Node::Type(result)]).collect()
        }
        TypeKind::Exists(sizes, body) => {
            sizes.iter().map(Node::Ident).chain([Node::Type(body)]).collect()
        }
    }
}

fn size_node(size: &Size) -> Node<'_> {
    match size {
        Size::Infer(span) => Node::Infer(*span),
        Size::Shape(name) => Node::Ident(name),
        Size::Expr(expr) => Node::Expr(expr),
    }
}
