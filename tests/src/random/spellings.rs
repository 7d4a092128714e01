//! Random programs over the elements of two matrices, each in many spellings: by indices, with rows that have names, by
//! `map` and `zip`, by helpers, by with-loops, between transposes, with operands exchanged.
//!
//! Invariant: the spellings of a program read and write the same elements, have equal plans for vectors and equal kinds
//! of memory ([`spellings::check`]), and give the results of the interpreter.
//!
//! ```text
//! tabulate n (\i -> let r = a[i] in tabulate m (\j -> r[j] * b[i, j]))      map2 (map2 (*)) a b
//! ```

use std::process::Command;

use libtest_mimic::Failed;

use super::in_batches;
use crate::spellings;
use crate::tools::{arrc, succeed};

/// Random programs in all spellings.
pub(super) fn agree() -> Result<(), Failed> {
    in_batches(6, 12..40, |recipes| {
        let programs = recipes.iter().enumerate().map(|(at, recipe)| program(at, recipe));
        let text: String = programs.collect();
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("spellings.arr");
        std::fs::write(&path, &text)?;
        let checked = spellings::check(&path);
        let tested = succeed(Command::new(arrc()).arg("test").arg(&path)).map(drop);
        checked.and(tested).map_err(|why| {
            format!("{}\nin\n{text}", why.message().unwrap_or("the spellings differ")).into()
        })
    })
}

/// The spellings of a map and of sums of rows of one expression.
fn program(at: usize, recipe: &[u16]) -> String {
    let mut numbers = recipe.iter().copied().chain(std::iter::repeat(0));
    let expr = Expr::new(&mut || numbers.next().unwrap_or_default(), 0);
    let helper = format!("e{at}");
    let body = expr.text("x", "y", false);
    let mut text = format!("def {helper} (x: f64) (y: f64): f64 = {body}\n");
    text.push_str(&entries(&format!("map{at}"), "[n][m]f64", &maps(&expr, &helper)));
    text.push_str(&entries(&format!("sums{at}"), "[n]f64", &sums(&expr, &helper)));
    text
}

/// One entry for each spelling, with their test.
fn entries(name: &str, ty: &str, spellings: &[String]) -> String {
    let names = (0..spellings.len()).map(|number| format!("{name}s{number}"));
    let names = names.collect::<Vec<_>>();
    let head = format!(
        "-- ==\n-- entry: {}\n-- random input {{ [7][9]f64 [7][9]f64 }} auto output\n",
        names.join(" ")
    );
    let entry = |(name, body): (&String, &String)| {
        format!("entry {name} [n] [m] (a: [n][m]f64) (b: [n][m]f64): {ty} = {body}\n")
    };
    head + &names.iter().zip(spellings).map(entry).collect::<String>()
}

/// An expression over an element of each matrix.
enum Expr {
    X,
    Y,
    Number(&'static str),
    /// An operator, or a function of two arguments.
    Bin(&'static str, Box<[Expr; 2]>),
}

impl Expr {
    /// An expression that has both elements.
    fn new(next: &mut impl FnMut() -> u16, depth: u32) -> Self {
        const OPS: [&str; 5] = ["+", "*", "-", "f64.min", "f64.max"];
        if depth == 0 {
            let op = OPS[usize::from(next()) % OPS.len()];
            let sides = [Self::new(next, 1), Self::new(next, 1)];
            let [left, right] = sides.map(Box::new);
            return Self::Bin(
                op,
                Box::new([
                    Self::Bin("*", Box::new([Self::X, *left])),
                    Self::Bin("+", Box::new([Self::Y, *right])),
                ]),
            );
        }
        match next() % 8 {
            _ if depth > 3 => Self::X,
            0 | 1 => Self::X,
            2 | 3 => Self::Y,
            4 => Self::Number(["2.0", "0.5", "3.0"][usize::from(next() % 3)]),
            _ => {
                let op = OPS[usize::from(next()) % OPS.len()];
                Self::Bin(op, Box::new([Self::new(next, depth + 1), Self::new(next, depth + 1)]))
            }
        }
    }

    /// The expression with these elements. The operands of sums and products may be exchanged.
    fn text(&self, x: &str, y: &str, exchanged: bool) -> String {
        match self {
            Self::X => x.to_owned(),
            Self::Y => y.to_owned(),
            Self::Number(number) => (*number).to_owned(),
            Self::Bin(op, sides) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| side.text(x, y, exchanged));
                match *op {
                    "+" | "*" if exchanged => format!("({b} {op} {a})"),
                    "+" | "*" | "-" => format!("({a} {op} {b})"),
                    function => format!("({function} {a} {b})"),
                }
            }
        }
    }
}

/// The matrix of the expression of all elements.
fn maps(expr: &Expr, e: &str) -> Vec<String> {
    let of = |x: &str, y: &str| expr.text(x, y, false);
    vec![
        format!("tabulate_2d n m (\\i j -> {})", of("a[i, j]", "b[i, j]")),
        format!("tabulate n (\\i -> tabulate m (\\j -> {}))", of("a[i][j]", "b[i, j]")),
        format!(
            "tabulate n (\\i -> let r = a[i] let q = b[i] in tabulate m (\\j -> {}))",
            of("r[j]", "q[j]")
        ),
        format!("map2 (\\r q -> map2 (\\x y -> {}) r q) a b", of("x", "y")),
        format!("map (\\(r, q) -> map (\\(x, y) -> {}) (zip r q)) (zip a b)", of("x", "y")),
        format!("map2 (\\r q -> tabulate m (\\j -> {})) a b", of("r[j]", "q[j]")),
        format!("map2 (map2 {e}) a b"),
        format!("transpose (map2 (map2 {e}) (transpose a) (transpose b))"),
        format!("map (\\i -> map2 {e} a[i] b[i]) (iota n)"),
        format!("tabulate_2d n m (\\i j -> {})", expr.text("a[i + 0, j]", "b[i, 0 + j]", true)),
        format!(
            "with {{ (. <= [i, j] <= .) : {} }} : genarray ([n, m], 0.0)",
            of("a[i, j]", "b[i, j]")
        ),
        format!("map2 (\\r q -> map2 {e} r q) a (transpose (transpose b))"),
    ]
}

/// The sums of the rows of that matrix.
fn sums(expr: &Expr, e: &str) -> Vec<String> {
    let of = |x: &str, y: &str| expr.text(x, y, false);
    vec![
        format!("tabulate n (\\i -> f64.sum (tabulate m (\\j -> {})))", of("a[i, j]", "b[i, j]")),
        format!("map2 (\\r q -> f64.sum (map2 {e} r q)) a b"),
        format!("tabulate n (\\i -> let r = a[i] in f64.sum (map2 {e} r b[i]))"),
        format!("map f64.sum (map2 (map2 {e}) a b)"),
        format!(
            "map (\\i -> reduce (+) 0 (map (\\j -> {}) (iota m))) (iota n)",
            of("a[i, j]", "b[i, j]")
        ),
        format!(
            "map (\\(r, q) -> f64.sum (map (\\(x, y) -> {}) (zip r q))) (zip a b)",
            of("x", "y")
        ),
        format!(
            "map2 (\\r q -> f64.sum (tabulate m (\\j -> {}))) a b",
            expr.text("r[j]", "q[j]", true)
        ),
    ]
}
