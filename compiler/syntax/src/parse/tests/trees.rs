//! How texts group: operators, applications, fields and indices, literals, types and patterns.
//!
//! Invariant: the notation here has parentheses around everything that is made of parts.
//!
//! ```text
//! "f x.y + 1"   ⇒   "((f x.y) + 1)"
//! ```

use super::{expr, good, shape};
use crate::ast::{
    Accessor, Decl, Dim, Expr, ExprKind, FloatLiteral, Literal, Loop, LoopForm, QualName, Type,
    TypeKind, With,
};
use crate::prim::Scalar;

/// The expression with all its parentheses.
fn grouped(expr: &Expr) -> String {
    let all =
        |exprs: &[Expr], between: &str| exprs.iter().map(grouped).collect::<Vec<_>>().join(between);
    let sign = |QualName { quals, name }: &QualName| {
        let quals: String = quals.iter().map(|qual| format!("{}.", qual.name)).collect();
        quals + &name.name
    };
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value, _)) => value.to_string(),
        ExprKind::Literal(Literal::Float(value, _)) => format!("{:?}", value.double),
        ExprKind::Literal(Literal::Bool(value)) => value.to_string(),
        ExprKind::Name(path) => sign(path),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Hole => "???".to_owned(),
        ExprKind::Attr(attr, body) => format!("(#{} {})", attr.name.name, grouped(body)),
        ExprKind::Apply(function, args) => format!("({} {})", grouped(function), all(args, " ")),
        ExprKind::Infix(left, op, right) => {
            format!("({} {} {})", grouped(left), sign(op), grouped(right))
        }
        ExprKind::Neg(operand) => format!("(-{})", grouped(operand)),
        ExprKind::Not(operand) => format!("(!{})", grouped(operand)),
        ExprKind::SectionRight(op, operand) => format!("(_ {} {})", sign(op), grouped(operand)),
        ExprKind::SectionLeft(operand, op) => format!("({} {} _)", grouped(operand), sign(op)),
        ExprKind::Opened(module, body) => format!("({}.{})", sign(module), grouped(body)),
        ExprKind::SectionPath(steps) => format!("(_{})", path(steps)),
        ExprKind::Lambda(params, result, body) => {
            let result = if result.is_some() { ": _" } else { "" };
            format!("(\\{}{result} -> {})", params.len(), grouped(body))
        }
        ExprKind::Let(_, value, body) => format!("(let {} in {})", grouped(value), grouped(body)),
        ExprKind::LetFun(def, body) => format!("(let {} in {})", def.name.name, grouped(body)),
        ExprKind::If(condition, yes, no) => {
            format!("(if {} {} {})", grouped(condition), grouped(yes), grouped(no))
        }
        ExprKind::Loop(data) => repeated(data),
        ExprKind::With(data) => with_loop(data),
        ExprKind::LetUpdate(name, steps, value, body) => {
            let (value, body) = (grouped(value), grouped(body));
            format!("(let {}{} = {value} in {body})", name.name, path(steps))
        }
        ExprKind::Match(value, cases) => {
            let cases = cases.iter().map(|case| format!(" | {}", grouped(&case.body)));
            format!("(match {}{})", grouped(value), cases.collect::<String>())
        }
        ExprKind::Constructor(name, args) if args.is_empty() => format!("#{}", name.name),
        ExprKind::Constructor(name, args) => format!("(#{} {})", name.name, all(args, " ")),
        ExprKind::Tuple(items) => format!("({})", all(items, ", ")),
        ExprKind::Array(items) => format!("[{}]", all(items, ", ")),
        ExprKind::Record(fields) => {
            let fields =
                fields.iter().map(|(name, value)| format!("{} = {}", name.name, grouped(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        ExprKind::Update(whole, steps, value) => {
            format!("({} with {} = {})", grouped(whole), path(steps), grouped(value))
        }
        ExprKind::Index(array, indices) => format!("{}[{}]", grouped(array), all(indices, ", ")),
        ExprKind::Field(record, field) => format!("<{}>.{}", grouped(record), field.name),
        ExprKind::Slice(array, dims) => {
            let dims = dims.iter().map(dim).collect::<Vec<_>>();
            format!("{}[{}]", grouped(array), dims.join(", "))
        }
        ExprKind::Range(range) => {
            let second =
                range.second.as_ref().map(|e| format!("..{}", grouped(e))).unwrap_or_default();
            let (first, last) = (grouped(&range.first), grouped(&range.last));
            format!("({first}{second}{}{last})", range.end.0.sign())
        }
        ExprKind::Assert(condition, value) => {
            format!("(assert {} {})", grouped(condition), grouped(value))
        }
        ExprKind::Coerce(inner, _) => format!("({} :> _)", grouped(inner)),
        ExprKind::Ascribe(inner, _) => format!("({} : _)", grouped(inner)),
        ExprKind::Error => "error".to_owned(),
    }
}

fn repeated(data: &Loop) -> String {
    let init = data.init.as_ref().map_or_else(String::new, grouped);
    let form = match &data.form {
        LoopForm::For(counter, bound) => format!("{} < {}", counter.name, grouped(bound)),
        LoopForm::In(_, array) => format!("in {}", grouped(array)),
        LoopForm::While(condition) => grouped(condition),
    };
    format!("(loop {init}; {form}; {})", grouped(&data.body))
}

fn with_loop(data: &With) -> String {
    let generators = data.generators.iter().map(|generator| {
        let bounds = generator.bounds().map(grouped).collect::<Vec<_>>().join(" ");
        format!("[{bounds}] {}", grouped(&generator.body))
    });
    let operators = data
        .operators
        .iter()
        .map(|operator| operator.kind.parts().map(grouped).collect::<Vec<_>>().join(" "));
    let [generators, operators] =
        [generators.collect::<Vec<_>>(), operators.collect()].map(|parts| parts.join("; "));
    format!("(with {generators} : {operators})")
}

fn path(steps: &[Accessor]) -> String {
    let step = |step: &Accessor| match step {
        Accessor::Field(field) => format!(".{}", field.name),
        Accessor::At(dims) => format!("[{}]", dims.iter().map(dim).collect::<Vec<_>>().join(", ")),
    };
    steps.iter().map(step).collect()
}

fn dim(dim: &Dim) -> String {
    let part = |part: &Option<Expr>| part.as_ref().map(grouped).unwrap_or_default();
    match dim {
        Dim::Index(index) => grouped(index),
        Dim::Slice(slice) => {
            format!("{}:{}:{}", part(&slice.first), part(&slice.last), part(&slice.step))
        }
    }
}

#[test]
fn ranges_are_looser_than_operators() {
    check(&[
        ("0..<n + 1", "(0..<(n + 1))"),
        ("a + 1..b...c |> f", "((a + 1)..b...(c |> f))"),
        ("n..>0 : t", "((n..>0) : _)"),
        ("xs :> t : u", "((xs :> _) : _)"),
        ("f (1...3) x", "(f (1...3) x)"),
        ("1...3.5", "(1...3.5)"),
    ]);
}

#[test]
fn slices_leave_out_what_they_like() {
    check(&[
        ("a[i:j]", "a[i:j:]"),
        ("a[:]", "a[::]"),
        ("a[i:]", "a[i::]"),
        ("a[:j:s]", "a[:j:s]"),
        ("a[::-1]", "a[::(-1)]"),
        ("a[i, 2:n - 1, ::s]", "a[i, 2:(n - 1):, ::s]"),
        ("a[i:j][k]", "a[i:j:][k]"),
        ("f a[1:] (b)", "(f a[1::] b)"),
    ]);
}

#[test]
fn assert_takes_a_condition_and_a_value() {
    check(&[
        ("assert (n > 0) xs[0] + 1", "((assert (n > 0) xs[0]) + 1)"),
        ("f (assert c x)", "(f (assert c x))"),
    ]);
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(grouped(&expr(text)), *expected, "for {text}");
    }
}

#[test]
fn loops_and_updates_reach_as_far_as_they_can() {
    check(&[
        ("loop x = 1 + 2 for i < n do x + i : t", "(loop (1 + 2); i < n; ((x + i) : _))"),
        (
            "loop x while x < n do loop y = x for (a, b) in f xs do a",
            "(loop ; (x < n); (loop x; in (f xs); a))",
        ),
        ("1 + loop x for i < n - 1 do x", "(1 + (loop ; i < (n - 1); x))"),
        ("a with [i] = b + 1 with x.y = 2", "((a with [i] = (b + 1)) with .x.y = 2)"),
        ("r with a.b[2].c = x", "(r with .a.b[2].c = x)"),
        ("xs with [i, 1:3] = ys", "(xs with [i, 1:3:] = ys)"),
        ("t with 0 = x", "(t with .0 = x)"),
        ("t with .0.1 = x", "(t with .0.1 = x)"),
        ("let xs[1].f = y in xs", "(let xs[1].f = y in xs)"),
        ("let r.a[:2] = y in r", "(let r.a[:2:] = y in r)"),
        ("let a[i, j] = 1 let b = 2 in a", "(let a[i, j] = 1 in (let 2 in a))"),
        ("f a with [0] = loop x for i < 2 do x", "((f a) with [0] = (loop ; i < 2; x))"),
    ]);
}

#[test]
fn operators_group_by_precedence() {
    check(&[
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a * b ** c / d", "((a * (b ** c)) / d)"),
        ("a ** b ** c", "((a ** b) ** c)"),
        ("a // b %% c % d", "(((a // b) %% c) % d)"),
        ("a << b + c >> d", "((a << (b + c)) >> d)"),
        ("a & b << c | d ^ e", "(((a & (b << c)) | d) ^ e)"),
        ("a < b & c == d", "((a < (b & c)) == d)"),
        ("a && b || c && d == e", "((a && b) || (c && (d == e)))"),
        ("f <| g <| a || b", "(f <| (g <| (a || b)))"),
        ("a |> f <| b |> g", "((a |> (f <| b)) |> g)"),
        ("a `f` b |> g `h` c", "((a f (b |> g)) h c)"),
        ("xs ++ ys ++ zs == zs", "(((xs ++ ys) ++ zs) == zs)"),
        ("f x ++ g y", "((f x) ++ (g y))"),
    ]);
}

#[test]
fn constructors_take_their_values_as_functions_do() {
    check(&[
        ("#some x + 1", "((#some x) + 1)"),
        ("f #none x", "(f #none x)"),
        ("f (#some x) #none", "(f (#some x) #none)"),
        ("#pair (f x) y.z", "(#pair (f x) y.z)"),
        ("#a #b #c", "(#a #b #c)"),
        ("-#a", "(-#a)"),
        ("(#a) x", "(#a x)"),
    ]);
}

#[test]
fn a_case_takes_what_follows_it() {
    check(&[
        ("match x case 0 -> a + b case -1 -> c", "(match x | (a + b) | c)"),
        ("1 + match x case _ -> a + b", "(1 + (match x | (a + b)))"),
        ("match x case #a -> match y case 0 -> a case _ -> b", "(match x | (match y | a | b))"),
        ("match x case #a y -> (match y case 0 -> a) case _ -> b", "(match x | (match y | a) | b)"),
        (
            "match f x case (y: i64) -> let z = y in z case _ -> b",
            "(match (f x) | (let y in z) | b)",
        ),
        ("if c then match x case _ -> a else b", "(if c (match x | a) b)"),
    ]);
}

#[test]
fn operators_of_the_user_bind_as_their_prefix() {
    check(&[
        ("a +* b *+ c", "(a +* (b *+ c))"),
        ("a **+ b * c", "((a **+ b) * c)"),
        ("a <+> b + c", "(a <+> (b + c))"),
        ("a >>> b + c", "(a >>> (b + c))"),
        ("a <|> b <|> c", "(a <|> (b <|> c))"),
        ("f >-> g |> h", "((f >-> g) |> h)"),
        ("a =+= b & c", "(a =+= (b & c))"),
        ("a !+ b & c", "(a !+ (b & c))"),
        ("a ||| b && c", "(a ||| (b && c))"),
    ]);
}

#[test]
fn prefixes_bind_tighter_than_operators_and_looser_than_arguments() {
    check(&[
        ("-a + b", "((-a) + b)"),
        ("-f x ** 2", "((-(f x)) ** 2)"),
        ("a - -b", "(a - (-b))"),
        ("- -a", "(-(-a))"),
        ("!a && !b.c[0]", "((!a) && (!b.c[0]))"),
        ("f -1", "(f - 1)"),
        ("f (-1)", "(f (-1))"),
    ]);
}

#[test]
fn parentheses_make_sections() {
    check(&[
        ("(+)", "+"),
        ("(-)", "-"),
        ("map (!) xs", "(map ! xs)"),
        ("(+ 1)", "(_ + 1)"),
        ("(+ 1 * 2)", "(_ + (1 * 2))"),
        ("(1 +)", "(1 + _)"),
        ("(a * b -)", "((a * b) - _)"),
        ("(- 1)", "(-1)"),
        ("(`f` x)", "(_ f x)"),
        ("(x `f`)", "(x f _)"),
        ("(.x)", "(_.x)"),
        ("(.0.y.1)", "(_.0.y.1)"),
        ("map (> 0) (a, (b), ())", "(map (_ > 0) (a, b, ()))"),
    ]);
}

#[test]
fn dots_are_qualifiers_fields_and_fractions() {
    check(&[
        ("f64.sqrt x", "(f64.sqrt x)"),
        ("p.x.y", "p.x.y"),
        ("l.0", "<l>.0"),
        ("l.0.x.1", "<<<l>.0>.x>.1"),
        ("l.0.1 + 1.0", "(<<l>.0>.1 + 1.0)"),
        ("(f x).y", "<(f x)>.y"),
        ("(p).x", "<p>.x"),
        ("a[0].x", "<a[0]>.x"),
        ("f a.b c.0", "(f a.b <c>.0)"),
    ]);
}

#[test]
fn a_bracket_without_a_space_indexes() {
    check(&[
        ("a[i]", "a[i]"),
        ("f [i]", "(f [i])"),
        ("f a[i, j + 1] [k]", "(f a[i, (j + 1)] [k])"),
        ("a[i][j]", "a[i][j]"),
        ("[1, 2][0]", "[1, 2][0]"),
        ("(f x)[0]", "(f x)[0]"),
        ("a[b[i]]", "a[b[i]]"),
        ("[[1], [2]]", "[[1], [2]]"),
        ("if a then[b] else[c]", "(if a [b] [c])"),
    ]);
}

#[test]
fn open_phrases_reach_to_the_right() {
    check(&[
        ("\\x -> x + 1 |> f", "(\\1 -> ((x + 1) |> f))"),
        ("a |> \\x (y: i64) -> x : i64", "(a |> (\\2 -> (x : _)))"),
        ("if a then b else c + d", "(if a b (c + d))"),
        ("a + if b then c else d", "(a + (if b c d))"),
        ("if a then b else if c then d else e", "(if a b (if c d e))"),
        ("let x = 1 in x + let y = 2 in y", "(let 1 in (x + (let 2 in y)))"),
        ("let x = 1 let f y = y let (a, b) = c in f x", "(let 1 in (let f in (let c in (f x))))"),
        ("let x = let y = 1 in y let z = 2 in z", "(let (let 1 in y) in (let 2 in z))"),
        ("let (+++) a b = a in 1 +++ 2", "(let +++ in (1 +++ 2))"),
    ]);
}

#[test]
fn updates_and_ascriptions_are_loosest() {
    check(&[
        ("r with x.y = a + b with z = c", "((r with .x.y = (a + b)) with .z = c)"),
        ("f r with x = a |> g", "((f r) with .x = (a |> g))"),
        ("a + b : i64", "((a + b) : _)"),
        ("r with x = 1 : t", "((r with .x = 1) : _)"),
        ("{x, y = a : t}", "{x = x, y = (a : _)}"),
        ("{}", "{}"),
    ]);
}

#[test]
fn numbers_have_values_and_suffixes() {
    let literal = |text: &str| {
        let ExprKind::Literal(literal) = expr(text).kind else { panic!("{text} is a literal") };
        literal
    };
    assert_eq!(literal("1_000"), Literal::Int(1000, None));
    assert_eq!(literal("0xFFu8"), Literal::Int(255, Some(Scalar::U8)));
    assert_eq!(literal("0x1f32"), Literal::Int(0x1f32, None));
    assert_eq!(literal("0b1010_0001i16"), Literal::Int(161, Some(Scalar::I16)));
    assert_eq!(literal("2f32"), Literal::Int(2, Some(Scalar::F32)));
    let float = |value, suffix| Literal::Float(FloatLiteral::new(value), suffix);
    assert_eq!(literal("1.5"), float(1.5, None));
    assert_eq!(literal("1_0.2_5e-1f64"), float(1.025, Some(Scalar::F64)));
    assert_eq!(literal("1e9"), float(1e9, None));
    assert_eq!(literal("1E+3f32"), float(1000.0, Some(Scalar::F32)));
    assert_eq!(literal("0.1f32"), float(f64::from(0.1f32), Some(Scalar::F32)));
    assert_eq!(literal("340282366920938463463374607431768211455"), Literal::Int(u128::MAX, None));
    assert_eq!(literal("true"), Literal::Bool(true));
}

#[test]
fn hexadecimal_floats_are_exact() {
    let float = |text: &str| {
        let ExprKind::Literal(Literal::Float(float, suffix)) = expr(text).kind else {
            panic!("{text} is a float");
        };
        (float.double, suffix)
    };
    assert_eq!(float("0x1.8p3"), (12.0, None));
    assert_eq!(float("0x1p-1074"), (5e-324, None));
    assert_eq!(float("0xA.8p0f32"), (10.5, Some(Scalar::F32)));
    assert_eq!(float("0x1_0.0_8p1_0f64"), (16416.0, Some(Scalar::F64)));
    assert_eq!(float("0x1.fffffffffffffp1023"), (f64::MAX, None));
    // Halves go to the even side, and more than a half goes up.
    assert_eq!(float("0x1.00000000000008p0"), (1.0, None));
    assert_eq!(float("0x1.000000000000080000000000000000000000001p0"), (1.0 + f64::EPSILON, None));
    assert_eq!(float("0x0.8p-1074"), (0.0, None));
    assert_eq!(float("0x0.80000001p-1074"), (5e-324, None));
}

/// A little more than the middle of two `f32`s is that middle as an `f64`, and would be rounded down.
#[test]
fn floats_are_rounded_once() {
    for text in ["1.000000059604644775390625001", "0x1.00000100000000000001p0"] {
        let ExprKind::Literal(Literal::Float(float, _)) = expr(text).kind else {
            panic!("{text} is a float");
        };
        assert_eq!(float.single, 1.0 + f32::EPSILON);
        assert_eq!(float.double, 1.0 + f64::from(f32::EPSILON) / 2.0);
    }
}

#[test]
fn types_group() {
    let cases = [
        ("a -> b -> c", "a -> (b -> c)"),
        ("[n][m]t -> u", "([n]([m]t)) -> u"),
        ("?[k][m].[k]a -> b", "?[k][m].(([k]a) -> b)"),
        ("a -> ?[k].[k]b", "a -> (?[k].([k]b))"),
        ("(n: i64) -> (m: i64) -> [n + m]t", "(n: i64) -> ((m: i64) -> ([n + m]t))"),
        ("[n]pair [m] i64 ('a) {x: t}", "[n](pair [m] i64 (a) {x: t})"),
        ("M.t", "((M.t))"),
        ("'a", "a"),
    ];
    for (text, grouped) in cases {
        let alias = |ty: &str| format!("type it = {ty}");
        assert_eq!(shape(&good(&alias(text))), shape(&good(&alias(grouped))), "for {text}");
    }
}

#[test]
fn patterns_bind_fields_by_name() {
    let with = |params: &str| shape(&good(&format!("def f {params} = 1")));
    assert_eq!(with("{x, y}"), with("{x = x, y = (y)}"));
    assert_eq!(with("{x: i64, y = (z: t, _)}"), with("{x = x: i64, y = ((z): t, _)}"));
    assert_eq!(with("((a, b): t)"), with("((((a), b)): t)"));
}

#[test]
fn spans_cover_the_text() {
    let text = "def f = (a + b) * c.0 -- end";
    let tree = good(text);
    let Some(Decl::Def(def)) = tree.decls.first() else { panic!("f is a definition") };
    let Some(Expr { kind: ExprKind::Infix(product, _, component), span }) = &def.body else {
        panic!("the body is a product")
    };
    let slice = |from: u32, to: u32| &text[from as usize..to as usize];
    assert_eq!(slice(def.span.start, def.span.end), "def f = (a + b) * c.0");
    assert_eq!(slice(span.start, span.end), "(a + b) * c.0");
    assert_eq!(slice(product.span.start, product.span.end), "(a + b)");
    assert_eq!(slice(component.span.start, component.span.end), "c.0");
}

#[test]
fn a_declaration_may_share_its_line() {
    let tree = good("def a = 1 def b = (2) type c = i64 entry d = 4");
    assert_eq!(tree.decls.len(), 4);
}

#[test]
fn an_unnamed_parameter_in_parentheses_is_no_named_one() {
    let tree = good("type it = (i64) -> (n: i64) -> i64");
    let Some(Decl::Type(def)) = tree.decls.first() else { panic!("it is a type") };
    let TypeKind::Fun(None, _, rest) = &def.body.kind else {
        panic!("the first parameter has no name")
    };
    let Type { kind: TypeKind::Fun(Some(name), ..), .. } = rest.as_ref() else {
        panic!("the second parameter has a name")
    };
    assert_eq!(name.name, "n");
}

#[test]
fn operators_bind_as_their_first_signs_do() {
    check(&[
        ("a +++ b *** c", "(a +++ (b *** c))"),
        ("a <+> b <*> c", "((a <+> b) <*> c)"),
        ("a <+> b + c", "(a <+> (b + c))"),
        ("a ** b ** c", "((a ** b) ** c)"),
        ("a || b && c", "(a || (b && c))"),
        ("a &&& b && c", "((a &&& b) && c)"),
        ("a == b & c", "(a == (b & c))"),
        ("a & b << c", "(a & (b << c))"),
        ("a << b + c", "(a << (b + c))"),
        ("a + b % c", "(a + (b % c))"),
        ("f <| g <| x", "(f <| (g <| x))"),
        ("x |> f |> g", "((x |> f) |> g)"),
        ("f <| x |> g", "((f <| x) |> g)"),
        ("f >-> g >-> h", "((f >-> g) >-> h)"),
        ("a `f` b + c", "(a f (b + c))"),
        ("a `m.f` b `g` c", "((a m.f b) g c)"),
        ("a m.+ b m.* c", "(a m.+ (b m.* c))"),
        ("a m.n.++ b", "(a m.n.++ b)"),
        ("m.(+) a b", "(m.+ a b)"),
        ("i64.(**) 2 3", "(i64.** 2 3)"),
        ("(m.+)", "m.+"),
    ]);
}

#[test]
fn prefixes_bind_between_application_and_operators() {
    check(&[
        ("-f x", "(-(f x))"),
        ("- x + y", "((-x) + y)"),
        ("-x ** y", "((-x) ** y)"),
        ("a - -b", "(a - (-b))"),
        ("!a && b", "((!a) && b)"),
        ("!f x", "(!(f x))"),
        ("f (-x) y", "(f (-x) y)"),
        ("-x.y", "(-x.y)"),
        ("-a[i]", "(-a[i])"),
        ("x + y : i64", "((x + y) : _)"),
    ]);
}

#[test]
fn sections_of_all_kinds() {
    check(&[
        ("(+ 1)", "(_ + 1)"),
        ("(1 +)", "(1 + _)"),
        ("(+)", "+"),
        ("(`f` 1)", "(_ f 1)"),
        ("(1 `f`)", "(1 f _)"),
        ("(m.+ 1)", "(_ m.+ 1)"),
        ("(1 `m.f`)", "(1 m.f _)"),
        ("(.x.y)", "(_.x.y)"),
        ("(.0)", "(_.0)"),
        ("(.[i])", "(_[i])"),
        ("(.a[0])", "(_.a[0])"),
        ("(.[0].f)", "(_[0].f)"),
        ("(.[i:j])", "(_[i:j:])"),
        ("(.x[1][2:].y)", "(_.x[1][2::].y)"),
        ("(.[i + 1, j])", "(_[(i + 1), j])"),
        ("(-)", "-"),
        ("(- 1)", "(-1)"),
        ("(x -)", "(x - _)"),
        ("(!)", "!"),
    ]);
}

#[test]
fn texts_characters_holes_and_attributes() {
    check(&[
        ("\"a b\"", "\"a b\""),
        ("'a'", "97"),
        ("'\\n'", "10"),
        ("'\\''", "39"),
        ("f ??? x", "(f ??? x)"),
        ("#[inline] f x + 1", "(#inline ((f x) + 1))"),
        ("g (#[noinline] f x)", "(g (#noinline (f x)))"),
    ]);
}
