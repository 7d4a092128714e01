//! Any tree prints as a text that reads back as the same tree.
//!
//! Invariant: the trees here are those that texts can give: tuples have not one component, a section
//! does not subtract, and names are no keywords.
//!
//! ```text
//! tree ⇒ text ⇒ the same tree
//! ```

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{good, shape};
use crate::ast;
use crate::ast::{
    Accessor, Attr, Bound, Case, Decl, Def, DefKind, Dim, Expr, ExprKind, File, FloatLiteral,
    Generator, Ident, Import, Include, IndexName, Lift, Literal, Local, Loop, LoopForm, ModuleDef,
    ModuleExpr, ModuleParam, ModuleSpec, ModuleType, ModuleTypeDef, Open, Operator, OperatorKind,
    Pat, PatKind, QualName, Range, RangeEnd, Refinement, Sign, Size, Slice, Spec, Type, TypeArg,
    TypeDef, TypeKind, TypeSpec, With,
};
use crate::ids::{EntityRef, FileId};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

const OPERATORS: &[&str] = &[
    "+", "*", "**", "//", "<+>", "==", "<|", "|>", "<|>", "&&", "||", "++", ">>", "&", "=+", "!=",
    "f", "g'",
];

/// What trees of all kinds need at their deepest, in a build without optimisation.
const STACK: usize = 1 << 26;

#[test]
fn trees_survive_printing() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let config =
            ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(decls in vec(decl(), 0..3))| {
            let tree = File { id: FileId::new(0), decls, gaps: ast::UnparsedRegions::default(), is_library: false, is_in_order: false };
            let text = tree.to_string();
            prop_assert_eq!(shape(&tree), shape(&good(&text)), "{}", text);
        });
    });
    thread.expect("the system gives a thread").join().expect("every tree survives");
}

/// All places are the same: the trees are compared without them.
fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

fn at(name: &str) -> Ident {
    Ident { name: Name::new(name), span: nowhere() }
}

fn name() -> impl Strategy<Value = Ident> {
    select(&["x", "y", "zs", "_a", "b'", "i64", "f64"][..]).prop_map(at)
}

/// `'b'` would be a character.
fn type_name() -> impl Strategy<Value = Ident> {
    select(&["a", "t", "_a", "bc'"][..]).prop_map(at)
}

fn field() -> impl Strategy<Value = Ident> {
    select(&["x", "y", "0", "1"][..]).prop_map(at)
}

fn operator() -> impl Strategy<Value = Ident> {
    prop_oneof![9 => select(OPERATORS).prop_map(at), 1 => Just(at("-"))]
}

fn qual_operator() -> impl Strategy<Value = QualName> {
    let quals = prop_oneof![4 => Just(Vec::new()), 1 => vec(name(), 1..3)];
    // Behind qualifiers, an operator may begin with any sign.
    (quals, operator()).prop_map(|(quals, name)| QualName { quals, name })
}

/// `(- x)` is no section.
fn right_operator() -> impl Strategy<Value = QualName> {
    let is_section = |op: &QualName| !op.quals.is_empty() || op.name.name != "-";
    qual_operator().prop_filter("a section does not subtract", is_section)
}

fn attr() -> impl Strategy<Value = Attr> {
    let leaf = name().prop_map(|name| Attr { name, args: Vec::new(), span: nowhere() });
    (name(), vec(leaf, 0..3)).prop_map(|(name, args)| Attr { name, args, span: nowhere() })
}

fn text() -> impl Strategy<Value = Name> {
    select(&["", "abc", "a \"b\" \\", "tab\tline\n\u{7}", "é∀"][..]).prop_map(Name::new)
}

fn path() -> impl Strategy<Value = QualName> {
    (vec(name(), 0..3), name()).prop_map(|(quals, name)| QualName { quals, name })
}

fn literal() -> impl Strategy<Value = Literal> {
    let suffix = || option::of(select(&Scalar::ALL[1..]));
    let float = prop_oneof![Just(None), Just(Some(Scalar::F64))];
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        (any::<u128>(), suffix()).prop_map(|(value, suffix)| Literal::Int(value, suffix)),
        (0..100u128, suffix()).prop_map(|(value, suffix)| Literal::Int(value, suffix)),
        (prop::num::f64::POSITIVE, float)
            .prop_map(|(value, suffix)| Literal::Float(FloatLiteral::new(value), suffix)),
        prop::num::f32::POSITIVE
            .prop_map(|value| Literal::Float(FloatLiteral::new(value.into()), Some(Scalar::F32))),
        (prop::num::f32::NORMAL, any::<bool>()).prop_map(|(value, up)| {
            // Beside the middle of two neighbours.
            let value = value.abs().min(f32::MAX / 2.0);
            let single = if up { value.next_up() } else { value };
            let double = f64::midpoint(value.into(), value.next_up().into());
            Literal::Float(FloatLiteral { double, single }, None)
        }),
    ]
}

/// Finite, and never one item.
fn several<T: std::fmt::Debug + Clone>(
    item: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Vec<T>> {
    prop_oneof![Just(Vec::new()), vec(item, 2..4)]
}

fn ty(leaf_size: BoxedStrategy<Size>) -> BoxedStrategy<Type> {
    let kind = |kind| Type { kind, span: nowhere() };
    let leaf = path().prop_map(move |path| kind(TypeKind::Name(path, Vec::new())));
    leaf.prop_recursive(3, 12, 3, move |ty| {
        let arg = prop_oneof![
            ty.clone().prop_map(TypeArg::Type),
            leaf_size.clone().prop_map(TypeArg::Size)
        ];
        prop_oneof![
            (path(), vec(arg, 0..3)).prop_map(|(path, args)| TypeKind::Name(path, args)),
            several(ty.clone()).prop_map(TypeKind::Tuple),
            vec((name(), ty.clone()), 0..3).prop_map(TypeKind::Record),
            (leaf_size.clone(), ty.clone())
                .prop_map(|(size, ty)| TypeKind::Array(size, Box::new(ty))),
            (option::of(name()), ty.clone(), ty.clone()).prop_map(|(name, a, b)| TypeKind::Fun(
                name,
                Box::new(a),
                Box::new(b)
            )),
            vec((name(), vec(ty.clone(), 0..3)), 1..3).prop_map(TypeKind::Sum),
            ty.clone().prop_map(|ty| TypeKind::Unique(Box::new(ty))),
            (vec(name(), 1..3), ty).prop_map(|(sizes, ty)| TypeKind::Exists(sizes, Box::new(ty))),
        ]
        .prop_map(kind)
    })
    .boxed()
}

fn simple_type() -> BoxedStrategy<Type> {
    let size = prop_oneof![
        Just(Size::Infer(nowhere())),
        name().prop_map(Size::Shape),
        simple_expr().prop_map(|expr| Size::Expr(Box::new(expr))),
    ];
    ty(size.boxed())
}

fn pat() -> BoxedStrategy<Pat> {
    let kind = |kind| Pat { kind, span: nowhere() };
    let sign = || select(&[Sign::Plus, Sign::Minus][..]);
    let leaf = prop_oneof![
        2 => Just(PatKind::Wild),
        2 => name().prop_map(PatKind::Name),
        1 => (literal(), sign()).prop_map(|(literal, sign)| PatKind::Literal(literal, sign)),
    ]
    .prop_map(kind);
    leaf.prop_recursive(3, 8, 3, move |pat| {
        prop_oneof![
            several(pat.clone()).prop_map(PatKind::Tuple),
            vec((name(), pat.clone()), 0..3).prop_map(PatKind::Record),
            (name(), vec(pat.clone(), 0..3)).prop_map(|(c, pats)| PatKind::Constructor(c, pats)),
            (pat, simple_type()).prop_map(|(pat, ty)| PatKind::Typed(Box::new(pat), ty)),
        ]
        .prop_map(kind)
    })
    .boxed()
}

fn simple_expr() -> BoxedStrategy<Expr> {
    let kind = |kind| Expr { kind, span: nowhere() };
    let leaf = prop_oneof![
        4 => literal().prop_map(ExprKind::Literal),
        4 => path().prop_map(ExprKind::Name),
        1 => text().prop_map(ExprKind::Text),
        1 => Just(ExprKind::Hole),
    ];
    leaf.prop_map(kind).boxed()
}

fn expr() -> BoxedStrategy<Expr> {
    simple_expr()
        .prop_recursive(5, 40, 3, |expr| {
            let one = || expr.clone().prop_map(Box::new);
            let applied = prop_oneof![
                (one(), vec(expr.clone(), 1..3)).prop_map(|(f, args)| ExprKind::Apply(f, args)),
                (one(), qual_operator(), one()).prop_map(|(a, op, b)| ExprKind::Infix(a, op, b)),
                (one(), qual_operator(), one()).prop_map(|(a, op, b)| ExprKind::Infix(a, op, b)),
                one().prop_map(ExprKind::Neg),
                one().prop_map(ExprKind::Not),
                (right_operator(), one()).prop_map(|(op, e)| ExprKind::SectionRight(op, e)),
                (one(), qual_operator()).prop_map(|(e, op)| ExprKind::SectionLeft(e, op)),
                steps(&expr).prop_map(ExprKind::SectionPath),
                (path(), expr.clone())
                    .prop_map(|(module, body)| ExprKind::Opened(module, Box::new(body))),
                qual_operator().prop_map(ExprKind::Name).prop_filter(
                    "a name in backquotes stands between operands",
                    |kind| !matches!(kind,
                    ExprKind::Name(path) if ast::operators::is_word(&path.name.name))
                ),
            ];
            let open = prop_oneof![
                (vec(pat(), 1..3), option::of(simple_type().prop_map(Box::new)), one())
                    .prop_map(|(params, ty, body)| ExprKind::Lambda(params, ty, body)),
                (pat().prop_map(Box::new), one(), one())
                    .prop_map(|(pat, value, body)| ExprKind::Let(pat, value, body)),
                (local(one()), one()).prop_map(|(def, body)| ExprKind::LetFun(Box::new(def), body)),
                (one(), one(), one()).prop_map(|(c, a, b)| ExprKind::If(c, a, b)),
                (attr(), one()).prop_map(|(attr, body)| ExprKind::Attr(attr, body)),
                repeated(expr.clone()).prop_map(|data| ExprKind::Loop(Box::new(data))),
                with_loop(expr.clone()).prop_map(|data| ExprKind::With(Box::new(data))),
                (name(), steps(&expr), one(), one())
                    .prop_map(|(a, steps, e, body)| ExprKind::LetUpdate(a, steps, e, body)),
                (one(), vec(case(expr.clone()), 1..3)).prop_map(|(e, c)| ExprKind::Match(e, c)),
            ];
            let structured = prop_oneof![
                several(expr.clone()).prop_map(ExprKind::Tuple),
                vec((name(), expr.clone()), 0..3).prop_map(ExprKind::Record),
                vec(expr.clone(), 0..3).prop_map(ExprKind::Array),
                (name(), vec(expr.clone(), 0..3)).prop_map(|(c, e)| ExprKind::Constructor(c, e)),
                (one(), steps(&expr), one())
                    .prop_map(|(whole, steps, e)| ExprKind::Update(whole, steps, e)),
                (one(), vec(expr.clone(), 1..3))
                    .prop_map(|(a, indices)| ExprKind::Index(a, indices)),
                (one(), vec(dim(&expr), 0..2), slice(&expr))
                    .prop_map(|(a, dims, last)| ExprKind::Slice(a, [dims, vec![last]].concat())),
                range(&expr).prop_map(|range| ExprKind::Range(Box::new(range))),
                (one(), one()).prop_map(|(c, e)| ExprKind::Assert(c, e)),
                (one(), simple_type()).prop_map(|(e, ty)| ExprKind::Coerce(e, ty)),
                (one(), field()).prop_map(|(e, field)| ExprKind::Field(e, field)),
                (one(), simple_type()).prop_map(|(e, ty)| ExprKind::Ascribe(e, ty)),
            ];
            let [applied, open, structured] = [applied.boxed(), open.boxed(), structured.boxed()];
            prop_oneof![applied, open, structured].prop_map(|kind| Expr { kind, span: nowhere() })
        })
        .boxed()
}

fn slice(expr: &BoxedStrategy<Expr>) -> BoxedStrategy<Dim> {
    let part = || option::of(expr.clone());
    (part(), part(), part())
        .prop_map(|(first, last, step)| Dim::Slice(Slice { first, last, step, span: nowhere() }))
        .boxed()
}

fn dim(expr: &BoxedStrategy<Expr>) -> BoxedStrategy<Dim> {
    prop_oneof![expr.clone().prop_map(Dim::Index), slice(expr)].boxed()
}

fn steps(expr: &BoxedStrategy<Expr>) -> BoxedStrategy<Vec<Accessor>> {
    let step =
        prop_oneof![field().prop_map(Accessor::Field), vec(dim(expr), 1..3).prop_map(Accessor::At)];
    vec(step, 1..4).boxed()
}

fn range(expr: &BoxedStrategy<Expr>) -> BoxedStrategy<Range> {
    let end = select(&[RangeEnd::With, RangeEnd::Below, RangeEnd::Above][..]);
    (expr.clone(), option::of(expr.clone()), end, expr.clone())
        .prop_map(|(first, second, end, last)| Range { first, second, end: (end, nowhere()), last })
        .boxed()
}

/// Boxed: the trees of its parts would take much stack.
fn repeated(expr: BoxedStrategy<Expr>) -> BoxedStrategy<Loop> {
    let form = prop_oneof![
        (name(), expr.clone()).prop_map(|(counter, bound)| LoopForm::For(counter, bound)),
        (pat(), expr.clone()).prop_map(|(pat, array)| LoopForm::In(pat, array)),
        expr.clone().prop_map(LoopForm::While),
    ]
    .boxed();
    (pat(), option::of(expr.clone()), form, expr)
        .prop_map(|(pat, init, form, body)| Loop { pat, init, form, body })
        .boxed()
}

/// Boxed, as loops are.
fn with_loop(expr: BoxedStrategy<Expr>) -> BoxedStrategy<With> {
    let end = |expr: &BoxedStrategy<Expr>| prop_oneof![1 => Just(Bound::Edge(nowhere())), 2 => expr.clone().prop_map(Bound::Expr)];
    let index = prop_oneof![
        name().prop_map(IndexName::Vector),
        vec(option::of(name()), 1..3).prop_map(|names| IndexName::Components(names, nowhere())),
    ];
    let part = || option::of(expr.clone());
    let strict = || select(&[true, false][..]);
    let ends = ((end(&expr), strict()), index, (strict(), end(&expr))).boxed();
    let generator = (ends, part(), part(), expr.clone()).prop_map(|(ends, step, width, body)| {
        let ((lower, is_above), index, (is_below, upper)) = ends;
        let span = nowhere();
        Generator { lower, is_above, index, is_below, upper, step, width, body, span }
    });
    let kind = prop_oneof![
        (expr.clone(), part()).prop_map(|(shape, default)| OperatorKind::Genarray(shape, default)),
        expr.clone().prop_map(OperatorKind::Modarray),
        (expr.clone(), expr).prop_map(|(op, neutral)| OperatorKind::Fold(op, neutral)),
    ];
    let operator = kind.prop_map(|kind| Operator { kind, span: nowhere() });
    (vec(generator.boxed(), 1..3), vec(operator.boxed(), 1..3))
        .prop_map(|(generators, operators)| With { generators, operators })
        .boxed()
}

fn case(body: impl Strategy<Value = Expr>) -> impl Strategy<Value = Case> {
    (pat(), body).prop_map(|(pat, body)| Case { pat, body, span: nowhere() })
}

/// A local function: it has a parameter, or it would be a pattern.
fn local(body: impl Strategy<Value = Box<Expr>>) -> impl Strategy<Value = Def> {
    let parts = (
        binder(),
        vec(name(), 0..2),
        vec(type_name(), 0..2),
        vec(pat(), 1..3),
        option::of(simple_type()),
        body,
    );
    parts.prop_map(|(name, sizes, types, params, result, body)| Def {
        kind: DefKind::Def,
        doc: None,
        attrs: Vec::new(),
        name,
        shapes: sizes.iter().skip(1).cloned().collect(),
        sizes: sizes.into_iter().take(1).collect(),
        types,
        params,
        result,
        body: Some(*body),
        span: nowhere(),
    })
}

fn binder() -> impl Strategy<Value = Ident> {
    prop_oneof![3 => name(), 1 => select(&["+", "<+>", "-", "|>"][..]).prop_map(at)]
}

fn doc() -> impl Strategy<Value = Option<String>> {
    option::of(
        select(&["One line.", "Two\nlines", "  indented\n\n and more", ""][..])
            .prop_map(str::to_owned),
    )
}

fn decl() -> impl Strategy<Value = Decl> {
    let def = (local(expr().prop_map(Box::new)), doc(), vec(attr(), 0..3), 0..4);
    let def = def.prop_map(|(def, doc, attrs, kind)| {
        let (kind, body) = match kind {
            0 => (DefKind::Def, def.body),
            1 => (DefKind::Entry, def.body),
            2 => (DefKind::External, None),
            _ => (DefKind::Intrinsic, None),
        };
        Decl::Def(Def { kind, body, doc, attrs, ..def })
    });
    let parts = (name(), doc(), vec(name(), 0..2), vec(type_name(), 0..2), simple_type());
    let type_def = parts.prop_map(|(name, doc, sizes, types, body)| {
        Decl::Type(TypeDef { doc, name, sizes, types, body, span: nowhere() })
    });
    let plain = prop_oneof![6 => def, 2 => type_def, 2 => opening(), 2 => signature()];
    plain.prop_recursive(3, 6, 3, |decl| {
        let head = (name(), doc(), vec(module_param(), 0..2), option::of(module_type()));
        let module = (head, vec(decl.clone(), 0..3), option::of(path()));
        let module = module.prop_map(|((name, doc, params, ascription), decls, function)| {
            let body = ModuleExpr::Body(decls, nowhere());
            let body = match function.map(ModuleExpr::Name) {
                Some(f) => ModuleExpr::Apply(Box::new(f), Box::new(body), nowhere()),
                None => body,
            };
            Decl::Module(ModuleDef { doc, name, params, ascription, body, span: nowhere() })
        });
        let is_local = |decl: &Decl| matches!(decl, Decl::Local(_));
        let local = decl.prop_filter("one `local` is enough", move |decl| !is_local(decl));
        let local =
            local.prop_map(|decl| Decl::Local(Local { decl: Box::new(decl), span: nowhere() }));
        prop_oneof![module, local]
    })
}

fn signature() -> impl Strategy<Value = Decl> {
    (name(), doc(), any_module_type()).prop_map(|(name, doc, body)| {
        Decl::ModuleType(ModuleTypeDef { doc, name, body, span: nowhere() })
    })
}

fn module_param() -> impl Strategy<Value = ModuleParam> {
    (name(), any_module_type()).prop_map(|(name, ty)| ModuleParam { name, ty, span: nowhere() })
}

/// A module type, also one of parametric modules.
fn any_module_type() -> impl Strategy<Value = ModuleType> {
    let function = (option::of(name()), module_type(), module_type());
    let function = function.prop_map(|(name, takes, gives)| {
        ModuleType::Function(name, Box::new(takes), Box::new(gives), nowhere())
    });
    prop_oneof![2 => module_type(), 1 => function]
}

fn module_type() -> BoxedStrategy<ModuleType> {
    path()
        .prop_map(ModuleType::Name)
        .prop_recursive(2, 8, 3, |ty| {
            let specs = vec(spec(ty.clone().boxed()), 0..3);
            let specs = specs.prop_map(|specs| ModuleType::Specs(specs, nowhere()));
            let refinement = (path(), vec(name(), 0..2), vec(type_name(), 0..2), simple_type());
            let with = (ty, refinement).prop_map(|(ty, (name, sizes, types, body))| {
                let refinement = Refinement { name, sizes, types, body, span: nowhere() };
                ModuleType::With(Box::new(ty), Box::new(refinement), nowhere())
            });
            prop_oneof![specs, with]
        })
        .boxed()
}

fn spec(ty: BoxedStrategy<ModuleType>) -> impl Strategy<Value = Spec> {
    let binders = || (vec(name(), 0..2), vec(type_name(), 0..2));
    let value = (binder(), binders(), simple_type()).prop_map(|(name, (sizes, types), result)| {
        Spec::Value(Def {
            kind: DefKind::Value,
            doc: None,
            attrs: Vec::new(),
            name,
            sizes,
            shapes: Vec::new(),
            types,
            params: Vec::new(),
            result: Some(result),
            body: None,
            span: nowhere(),
        })
    });
    let lift = select(&[Lift::Data, Lift::Sized, Lift::Any][..]);
    let abstract_type = (lift, name(), binders(), option::of(simple_type()));
    let abstract_type = abstract_type.prop_map(|(lift, name, (sizes, types), body)| {
        Spec::Type(TypeSpec { lift, name, sizes, types, body, span: nowhere() })
    });
    let module = (name(), ty.clone())
        .prop_map(|(name, ty)| Spec::Module(ModuleSpec { name, ty, span: nowhere() }));
    let include = ty.prop_map(|ty| Spec::Include(Include { ty, span: nowhere() }));
    prop_oneof![value, abstract_type, module, include]
}

/// A declaration of other files' and modules' names.
fn opening() -> impl Strategy<Value = Decl> {
    let import = || text().prop_map(|path| Import { path, path_span: nowhere(), span: nowhere() });
    let module = move || {
        let plain =
            prop_oneof![path().prop_map(ModuleExpr::Name), import().prop_map(ModuleExpr::Import)];
        plain.prop_recursive(3, 6, 2, |module| {
            let boxed = || module.clone().prop_map(Box::new);
            prop_oneof![
                (boxed(), boxed()).prop_map(|(f, m)| ModuleExpr::Apply(f, m, nowhere())),
                (boxed(), module_type()).prop_map(|(m, ty)| ModuleExpr::Ascribe(
                    m,
                    Box::new(ty),
                    nowhere()
                )),
                (module_param(), option::of(module_type()), boxed()).prop_map(|(param, ty, m)| {
                    ModuleExpr::Function(Box::new(param), ty.map(Box::new), m, nowhere())
                }),
            ]
        })
    };
    let alias = (name(), doc(), vec(module_param(), 0..2), option::of(module_type()), module());
    let alias = alias.prop_map(|(name, doc, params, ascription, body)| {
        Decl::Module(ModuleDef { doc, name, params, ascription, body, span: nowhere() })
    });
    prop_oneof![
        import().prop_map(Decl::Import),
        module().prop_map(|module| Decl::Open(Open { module, span: nowhere() })),
        alias,
    ]
}
