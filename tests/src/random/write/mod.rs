//! Writing a program from a list of choices.
//!
//! Invariant: the program is well-typed, ends soon, and fails at run time only where [`Writer::risky`] allows it. Every
//! choice is a number, and 0 where the choices have run out, so that fewer and smaller numbers are simpler programs.
//! Every expression is a name, a literal, or in parentheses.

mod arrays;
mod loops;
mod matrices;
mod parts;
mod scalars;
mod sums;

use arrc_front::eval::core::Component;
use arrc_front::eval::scalar::un;
use arrc_syntax::prim::{Const, Scalar, UnOp};

use super::types::{SCALARS, Ty};

/// The functions that every random program may call.
pub(super) const HELPERS: &str = "\
def twice 'a (f: a -> a) (x: a): a = f (f x)

def repeat 'a (f: a -> a) (k: i64) (x: a): a = if k <= 0 then x else repeat f (k - 1) (f x)

def grow [n] (p: i64 -> bool) (k: i64) (xs: [n]i64): ?[r].[r]i64 =
  if k <= 0 then xs
  else let ys = grow p (k - 1) (filter p xs ++ [k])
       in if length ys < 3 then ys ++ [n] else ys

def halve 'a [n] (xs: [n]a): ?[m].[m]a =
  if n <= 1 then xs else halve (map (\\i -> xs[2 * i]) (iota ((n + 1) / 2)))

def split 'a [n] (p: a -> bool) (xs: [n]a): ?[k][l].([k]a, [l]a) =
  (filter p xs, filter (\\x -> !(p x)) xs)

type choice = #none | #one i64 | #both i64 f64 | #flag bool

def other (c: choice): choice =
  match c
  case #none -> #one 1
  case #one k -> if k > 3 then #both k 0.5 else #flag (k > 1)
  case #both k x -> #flag (f64.i64 k < x)
  case #flag b -> if b then #none else #one 7

def even (k: i64): bool = k <= 0 || odd (k - 1)

def odd (k: i64): bool = k > 0 && even (k - 1)

#[noinline]
def summed [n] (xs: [n]i64): (i64, [n]i64) = (i64.sum xs, scan (+) 0 xs)

def swap 'a 'b ((x, y): (a, b)): (b, a) = (y, x)

";

/// The parameters of every random entry.
const PARAMETERS: &str = "[n] [m] (xs: [n]i64) (ys: [m]i64) (ps: [n](f64, i32)) \
     (rs: [m]{x: f64, y: bool}) (s: i64) (b: bool) (c: f64)";

/// The text of an entry.
pub(super) fn entry(name: &str, statements: &[Vec<u16>]) -> String {
    let mut writer = Writer::new();
    let mut text = format!("entry {name} {PARAMETERS} =\n");
    for choices in statements {
        writer.choices = choices;
        let statement = writer.statement();
        text.push_str(&format!("  let {statement}\n"));
    }
    let made = writer.scope.iter().skip(PARAMETER_COUNT).filter(|(_, ty)| ty.is_data());
    let mut results: Vec<&str> = made.rev().take(5).map(|(name, _)| name.as_str()).collect();
    results.reverse();
    let result = if results.is_empty() { "s".to_string() } else { results.join(", ") };
    if results.len() > 1 {
        return format!("{text}  in ({result})\n");
    }
    format!("{text}  in {result}\n")
}

/// Arguments for [`PARAMETERS`], with arrays of these lengths.
pub(super) fn arguments(n: i64, m: i64) -> Vec<Component> {
    let array = |elem: Scalar, length: i64, value: fn(i64) -> f64| {
        let data = (0..length).map(|at| un(UnOp::To(elem), Const::float(Scalar::F64, value(at))));
        Component { elem, shape: vec![length], data: data.collect() }
    };
    let scalar = |value: Const| Component { elem: value.ty, shape: Vec::new(), data: vec![value] };
    vec![
        array(Scalar::I64, n, |at| [3.0, -7.0, 0.0, 12.0, 5.0][place(at)]),
        array(Scalar::I64, m, |at| [-1.0, 4.0, 4.0, 100.0, 2.0][place(at)]),
        array(Scalar::F64, n, |at| [0.5, -2.0, 1e12, -0.0, 3.25][place(at)]),
        array(Scalar::I32, n, |at| [-5.0, 9.0, 2_147_483_647.0, 0.0, 1.0][place(at)]),
        array(Scalar::F64, m, |at| [7.5, 7.5, -1.0, f64::NAN, 0.0][place(at)]),
        array(Scalar::Bool, m, |at| [1.0, 0.0, 0.0, 1.0, 1.0][place(at)]),
        scalar(Const::i64(n - 3)),
        scalar(Const::bool(n > m)),
        scalar(Const::float(Scalar::F64, -1.5)),
    ]
}

fn place(at: i64) -> usize {
    usize::try_from(at % 5).expect("a position is not negative")
}

/// How many variables the parameters bind.
const PARAMETER_COUNT: usize = 7;

/// A program under construction, and the choices that are left for the statement.
struct Writer<'a> {
    choices: &'a [u16],
    scope: Vec<(String, Ty)>,
    /// How many names were made.
    names: u32,
    /// How many sizes of arrays there are.
    sizes: u32,
    /// How often an array may still become longer than its operands.
    growth: u32,
    /// The number of enclosing functions of combinators.
    workers: u32,
}

/// An array's text, size and element.
type Array = (String, u32, Ty);

impl Writer<'_> {
    fn new() -> Self {
        let scalar = Ty::Scalar;
        let pair = Ty::Tuple(vec![scalar(Scalar::F64), scalar(Scalar::I32)]);
        let record = Ty::Record(vec![("x", scalar(Scalar::F64)), ("y", scalar(Scalar::Bool))]);
        let scope = vec![
            ("c".to_string(), scalar(Scalar::F64)),
            ("b".to_string(), scalar(Scalar::Bool)),
            ("s".to_string(), scalar(Scalar::I64)),
            ("rs".to_string(), Ty::array(1, record)),
            ("ps".to_string(), Ty::array(0, pair)),
            ("ys".to_string(), Ty::array(1, scalar(Scalar::I64))),
            ("xs".to_string(), Ty::array(0, scalar(Scalar::I64))),
        ];
        assert_eq!(scope.len(), PARAMETER_COUNT, "every parameter is in scope");
        Self { choices: &[], scope, names: 0, sizes: 2, growth: 3, workers: 0 }
    }

    /// A number below `bound`.
    fn choose(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(first) % bound
    }

    /// One of these.
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.choose(items.len())]
    }

    /// A new name. The stem is not `f` or `i`, which a number could make the name of a scalar type.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn fresh_size(&mut self) -> u32 {
        self.sizes += 1;
        self.sizes - 1
    }

    /// Whether to leave out the guard that keeps an operation from failing.
    fn risky(&mut self) -> bool {
        self.choose(40) == 39
    }

    /// The text behind a `let`, whose name is bound.
    fn statement(&mut self) -> String {
        match self.choose(14) {
            0..=4 => {
                let (text, size, elem) = self.array(3);
                let name = self.bind("v", Ty::array(size, elem));
                format!("{name} = {text}")
            }
            5 | 6 => {
                let ty = self.pick(&SCALARS);
                let text = self.scalar(ty, 3);
                let name = self.bind("s", Ty::Scalar(ty));
                format!("{name} = {text}")
            }
            7 => {
                let ty = self.element();
                let text = self.value(&ty, 2);
                let name = self.bind("t", ty);
                format!("{name} = {text}")
            }
            8 => self.function(2),
            9 => {
                let (array, _, elem) = self.array(2);
                let keep = self.lambda(&[&elem], |this| this.scalar(Scalar::Bool, 2));
                let sizes = [self.fresh_size(), self.fresh_size()];
                let [left, right] = sizes.map(|size| self.bind("v", Ty::array(size, elem.clone())));
                format!("({left}, {right}) = split {keep} {array}")
            }
            10 => {
                let (array, size, elem) = self.array(2);
                let types = [self.element(), self.element()];
                let tuple = Ty::Tuple(types.to_vec());
                let make = self.lambda(&[&elem], |this| this.value(&tuple, 2));
                let [left, right] = types.map(|ty| self.bind("v", Ty::array(size, ty)));
                format!("({left}, {right}) = unzip (map {make} {array})")
            }
            11 | 12 => {
                let (text, rows, columns, elem) = self.matrix(2);
                let name = self.bind("m", Ty::Matrix(rows, columns, Box::new(elem)));
                format!("{name} = {text}")
            }
            _ => {
                let cond = self.scalar(Scalar::Bool, 2);
                let (array, size, elem) = self.known_array();
                let ty = self.pick(&SCALARS);
                let [first, second] = [self.scalar(ty, 2), self.scalar(ty, 2)];
                let other = self.lambda(&[&elem], |this| this.value(&elem, 1));
                let result = self.bind("v", Ty::array(size, elem));
                let scalar = self.bind("s", Ty::Scalar(ty));
                let otherwise = format!("(map {other} {array}, {second})");
                format!("({result}, {scalar}) = if {cond} then ({array}, {first}) else {otherwise}")
            }
        }
    }

    /// Binds a new variable.
    fn bind(&mut self, stem: &str, ty: Ty) -> String {
        let name = self.fresh(stem);
        self.scope.push((name.clone(), ty));
        name
    }

    /// A local function, whose name is bound.
    fn function(&mut self, depth: u32) -> String {
        let count = self.choose(2) + 1;
        let types: Vec<Scalar> = (0..count).map(|_| self.pick(&SCALARS)).collect();
        let result = self.pick(&SCALARS);
        let before = self.scope.len();
        let mut params = String::new();
        for &ty in &types {
            let name = self.bind("a", Ty::Scalar(ty));
            params.push_str(&format!(" ({name}: {})", ty.name()));
        }
        let body = self.scalar(result, depth);
        self.scope.truncate(before);
        let name = self.bind("fun", Ty::Fun(types, result));
        format!("{name}{params}: {} = {body}", result.name())
    }

    /// A lambda; tuples are sometimes taken apart by its patterns.
    fn lambda(&mut self, types: &[&Ty], body: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.scope.len();
        let patterns: Vec<String> = types.iter().map(|ty| self.pattern(ty)).collect();
        self.workers += 1;
        let body = body(self);
        self.workers -= 1;
        self.scope.truncate(before);
        format!("(\\{} -> {body})", patterns.join(" "))
    }

    fn pattern(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Tuple(items) if self.choose(2) == 1 => {
                let items: Vec<String> = items.iter().map(|ty| self.pattern(ty)).collect();
                format!("({})", items.join(", "))
            }
            Ty::Record(fields) if self.choose(2) == 1 => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| format!("{name} = {}", self.pattern(ty)))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Array(..)
            | Ty::Matrix(..)
            | Ty::Choice
            | Ty::Fun(..) => self.bind("x", ty.clone()),
        }
    }

    /// A type that arrays can be of.
    fn element(&mut self) -> Ty {
        match self.choose(9) {
            0..=2 => Ty::Scalar(Scalar::I64),
            3 | 4 => Ty::Scalar(self.pick(&SCALARS)),
            5 => Ty::Tuple((0..2).map(|_| Ty::Scalar(self.pick(&SCALARS))).collect()),
            6 => {
                let names = self.pick(&[["x", "y"], ["y", "x"]]);
                Ty::Record(names.map(|name| (name, Ty::Scalar(self.pick(&SCALARS)))).to_vec())
            }
            7 => Ty::Choice,
            _ => Ty::Tuple(vec![self.element(), Ty::Scalar(Scalar::I64)]),
        }
    }
}

fn int() -> Ty {
    Ty::Scalar(Scalar::I64)
}
