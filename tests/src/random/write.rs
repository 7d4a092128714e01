//! Writing a program from a list of choices.
//!
//! Invariant: the program is well-typed, ends soon, and fails at run time only where [`Writer::risky`]
//! lets it. Every choice is a number, and 0 where the choices have run out, so that fewer and smaller
//! numbers are simpler programs. Every expression is a name, a literal, or in parentheses.

use arrc_core::eval::core::Component;
use arrc_core::eval::scalar::un;
use arrc_core::prim::{Const, Scalar, UnOp};

use super::types::{SCALARS, Ty};

/// What every random program may call.
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
    /// How often arrays may still become longer than what they are made of.
    growth: u32,
    /// How many functions of combinators are around the present place.
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

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn fresh_size(&mut self) -> u32 {
        self.sizes += 1;
        self.sizes - 1
    }

    /// Whether to leave out what keeps an operation from failing.
    fn risky(&mut self) -> bool {
        self.choose(40) == 39
    }

    /// What stands behind a `let`; binds it.
    fn statement(&mut self) -> String {
        match self.choose(12) {
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
                let keep = self.lambda(&[elem.clone()], |this| this.scalar(Scalar::Bool, 2));
                let sizes = [self.fresh_size(), self.fresh_size()];
                let [left, right] = sizes.map(|size| self.bind("v", Ty::array(size, elem.clone())));
                format!("({left}, {right}) = split {keep} {array}")
            }
            10 => {
                let (array, size, elem) = self.array(2);
                let types = [self.element(), self.element()];
                let tuple = Ty::Tuple(types.to_vec());
                let make = self.lambda(&[elem], |this| this.value(&tuple, 2));
                let [left, right] = types.map(|ty| self.bind("v", Ty::array(size, ty)));
                format!("({left}, {right}) = unzip (map {make} {array})")
            }
            _ => {
                let cond = self.scalar(Scalar::Bool, 2);
                let (array, size, elem) = self.known_array();
                let ty = self.pick(&SCALARS);
                let [first, second] = [self.scalar(ty, 2), self.scalar(ty, 2)];
                let other = self.lambda(&[elem.clone()], |this| this.value(&elem, 1));
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

    /// A local function; binds it.
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
        let name = self.bind("f", Ty::Fun(types, result));
        format!("{name}{params}: {} = {body}", result.name())
    }

    /// A lambda; tuples are sometimes taken apart by its patterns.
    fn lambda(&mut self, types: &[Ty], body: impl FnOnce(&mut Self) -> String) -> String {
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
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Array(..) | Ty::Fun(..) => {
                self.bind("x", ty.clone())
            }
        }
    }

    /// A type that arrays can be of.
    fn element(&mut self) -> Ty {
        match self.choose(8) {
            0..=2 => Ty::Scalar(Scalar::I64),
            3 | 4 => Ty::Scalar(self.pick(&SCALARS)),
            5 => Ty::Tuple((0..2).map(|_| Ty::Scalar(self.pick(&SCALARS))).collect()),
            6 => {
                let names = self.pick(&[["x", "y"], ["y", "x"]]);
                Ty::Record(names.map(|name| (name, Ty::Scalar(self.pick(&SCALARS)))).to_vec())
            }
            _ => Ty::Tuple(vec![self.element(), Ty::Scalar(Scalar::I64)]),
        }
    }

    /// A value of a type without arrays.
    fn value(&mut self, ty: &Ty, depth: u32) -> String {
        if let Ty::Scalar(scalar) = ty {
            return self.scalar(*scalar, depth);
        }
        let known: Vec<String> =
            self.scope.iter().filter(|(_, own)| own == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.choose(3) == 0 {
            return known[known.len() - 1 - self.choose(known.len())].clone();
        }
        if depth > 0 && self.choose(4) == 3 {
            let cond = self.scalar(Scalar::Bool, depth - 1);
            let (then, otherwise) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
            return format!("(if {cond} then {then} else {otherwise})");
        }
        match ty {
            Ty::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|ty| self.value(ty, depth)).collect();
                format!("({})", items.join(", "))
            }
            Ty::Record(fields) => self.record(fields, known.last(), depth),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Fun(..) => panic!("{ty:?} is of scalars"),
        }
    }

    fn record(
        &mut self,
        fields: &[(&'static str, Ty)],
        known: Option<&String>,
        depth: u32,
    ) -> String {
        if let (Some(known), 1) = (known, self.choose(2)) {
            let (name, ty) = &fields[self.choose(fields.len())];
            return format!("({known} with {name} = {})", self.value(ty, depth));
        }
        let fields: Vec<String> =
            fields.iter().map(|(name, ty)| format!("{name} = {}", self.value(ty, depth))).collect();
        format!("{{{}}}", fields.join(", "))
    }

    /// A scalar of a type.
    fn scalar(&mut self, ty: Scalar, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.choose(16) {
            0..=2 => self.leaf(ty),
            3..=6 => self.operation(ty, depth - 1),
            7 => self.conversion(ty, depth - 1),
            8 => {
                let cond = self.scalar(Scalar::Bool, depth - 1);
                let (then, otherwise) = (self.scalar(ty, depth - 1), self.scalar(ty, depth - 1));
                format!("(if {cond} then {then} else {otherwise})")
            }
            9 => {
                let own = self.pick(&SCALARS);
                let value = self.scalar(own, depth - 1);
                let before = self.scope.len();
                let name = self.bind("z", Ty::Scalar(own));
                let body = self.scalar(ty, depth - 1);
                self.scope.truncate(before);
                format!("(let {name} = {value} in {body})")
            }
            10 => self.reduce(ty, depth - 1),
            11 => self.fold(ty, depth - 1),
            12 => self.index(ty, depth - 1),
            13 => self.call(ty, depth - 1),
            14 => {
                let f = self.lambda(&[Ty::Scalar(ty)], |this| this.scalar(ty, depth - 1));
                let x = self.scalar(ty, depth - 1);
                self.pick(&["(twice F X)", "(repeat F 3 X)", "(X |> F)", "(flip const X (F X))"])
                    .replace('F', &f)
                    .replace('X', &x)
            }
            _ => {
                let before = self.scope.len();
                let function = self.function(depth - 1);
                let body = self.call(ty, depth - 1);
                self.scope.truncate(before);
                format!("(let {function} in {body})")
            }
        }
    }

    /// A variable, a part of one, or a literal.
    fn leaf(&mut self, ty: Scalar) -> String {
        let mut known: Vec<String> = Vec::new();
        for (name, own) in self.scope.iter().rev() {
            known.extend(own.paths(ty).into_iter().map(|path| format!("{name}{path}")));
        }
        let index = self.choose(known.len() + 1);
        if index < known.len() { known.swap_remove(index) } else { self.literal(ty) }
    }

    fn literal(&mut self, ty: Scalar) -> String {
        let name = ty.name();
        if ty == Scalar::Bool {
            return self.pick(&["true", "false"]).to_string();
        }
        if ty.is_float() {
            let digits = self.pick(&["0.0", "1.5", "-2.25", "3.0", "1e9", "-0.5"]);
            return signed(&format!("{digits}{name}"));
        }
        let digits = self.pick(&["0", "1", "2", "3", "7", "100", "-1", "-5"]);
        let digits = if ty.is_signed() { digits } else { digits.trim_start_matches('-') };
        signed(&format!("{digits}{name}"))
    }

    fn operation(&mut self, ty: Scalar, depth: u32) -> String {
        let name = ty.name();
        if ty == Scalar::Bool {
            return self.truth(depth);
        }
        let (x, y) = (self.scalar(ty, depth), self.scalar(ty, depth));
        let template = if ty.is_float() {
            self.pick(&[
                "(X + Y)",
                "(X - Y)",
                "(X * Y)",
                "(X / Y)",
                "(-X)",
                "(T.max X Y)",
                "(T.min X Y)",
                "(T.abs X)",
                "(T.floor X)",
                "(T.sqrt (T.abs X))",
            ])
        } else if self.risky() {
            self.pick(&["(X / Y)", "(X % Y)", "(X // Y)", "(X %% Y)"])
        } else {
            self.pick(&[
                "(X + Y)",
                "(X - Y)",
                "(X * Y)",
                // No square is one less than 0, so that nothing is divided by 0.
                "(X / (Y * Y + 1))",
                "(X % (Y * Y + 1))",
                "(X // (Y * Y + 1))",
                "(X %% (Y * Y + 1))",
                "(T.max X Y)",
                "(T.min X Y)",
                "(X & Y)",
                "(X ^ Y)",
                "(X << (Y & 7))",
                "(X >> (Y & 7))",
                "(-X)",
            ])
        };
        template.replace('X', &x).replace('Y', &y).replace('T', name)
    }

    fn truth(&mut self, depth: u32) -> String {
        let own = self.pick(&[Scalar::I64, Scalar::Bool, Scalar::F64, Scalar::U8, Scalar::I32]);
        if own == Scalar::Bool {
            let (x, y) = (self.scalar(own, depth), self.scalar(own, depth));
            let template = self.pick(&["(X && Y)", "(X || Y)", "(!X)", "(X == Y)", "(X != Y)"]);
            return template.replace('X', &x).replace('Y', &y);
        }
        if self.choose(6) == 5 {
            let ty = self.element();
            let (x, y) = (self.value(&ty, depth), self.value(&ty, depth));
            return self.pick(&["(X == Y)", "(X != Y)"]).replace('X', &x).replace('Y', &y);
        }
        let (x, y) = (self.scalar(own, depth), self.scalar(own, depth));
        let sign = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({x} {sign} {y})")
    }

    fn conversion(&mut self, ty: Scalar, depth: u32) -> String {
        let from = self.pick(&SCALARS);
        let value = self.scalar(from, depth);
        format!("({}.{} {value})", ty.name(), from.name())
    }

    /// A reduction, whose function is associative: sums of floats are of small integers.
    fn reduce(&mut self, ty: Scalar, depth: u32) -> String {
        let (array, _, elem) = self.array(depth);
        let name = ty.name();
        if ty == Scalar::Bool {
            let each = self.lambda(&[elem], |this| this.scalar(ty, depth));
            let template = self.pick(&[
                "(any F A)",
                "(all F A)",
                "(reduce (||) false (map F A))",
                "(count F A > 1)",
                "(null (filter F A))",
            ]);
            return template.replace('F', &each).replace('A', &array);
        }
        let each = self.lambda(&[elem], |this| this.scalar(ty, depth));
        let mut templates = vec![
            "(reduce T.max T.lowest (map F A))",
            "(T.minimum (map F A))",
            "((reduce (\\(x, i) (y, j) -> if x < y || (x == y && i < j) then (x, i) else (y, j)) \
             (T.highest, i64.highest) (map_index (\\i x -> (x, i)) (map F A))).0)",
        ];
        if ty.is_float() {
            templates.push("(T.sum (map (\\x -> T.i64 (i64.T (F x) % 64)) A))");
        } else {
            templates.extend(["(reduce (+) 0 (map F A))", "(T.product (map F A))"]);
            templates.push("(reduce_comm (^) 0 (map F A))");
        }
        self.pick(&templates).replace('F', &each).replace('A', &array).replace('T', name)
    }

    fn fold(&mut self, ty: Scalar, depth: u32) -> String {
        let (array, _, elem) = self.array(depth);
        let acc = Ty::Scalar(ty);
        if self.choose(2) == 0 {
            let step = self.lambda(&[acc, elem], |this| this.scalar(ty, depth));
            let init = self.scalar(ty, depth);
            return format!("(fold {step} {init} {array})");
        }
        let both = Ty::Tuple(vec![acc, Ty::Scalar(self.pick(&SCALARS))]);
        let step = self.lambda(&[both.clone(), elem], |this| this.value(&both, depth));
        let init = self.value(&both, depth);
        format!("((fold {step} {init} {array}).0)")
    }

    /// An element of an array in scope.
    fn index(&mut self, ty: Scalar, depth: u32) -> String {
        let mut known = Vec::new();
        for (name, own) in self.scope.iter().rev() {
            if let Ty::Array(_, elem) = own {
                known.extend(elem.paths(ty).into_iter().map(|path| (name.clone(), path)));
            }
        }
        if known.is_empty() {
            return self.leaf(ty);
        }
        let (array, path) = known.swap_remove(self.choose(known.len()));
        let index = self.scalar(Scalar::I64, depth);
        if self.risky() {
            return format!("{array}[{index}]{path}");
        }
        let otherwise = self.leaf(ty);
        format!(
            "(if length {array} > 0 then {array}[{index} % length {array}]{path} else {otherwise})"
        )
    }

    /// A call of a function in scope.
    fn call(&mut self, ty: Scalar, depth: u32) -> String {
        let known = self.scope.iter().rev().find_map(|(name, own)| match own {
            Ty::Fun(params, result) if *result == ty => Some((name.clone(), params.clone())),
            Ty::Fun(..) | Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Array(..) => None,
        });
        let Some((name, params)) = known else { return self.leaf(ty) };
        let args: Vec<String> = params.iter().map(|&ty| self.scalar(ty, depth)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// An array of any type.
    fn array(&mut self, depth: u32) -> Array {
        if depth == 0 {
            return self.known_array();
        }
        match self.choose(20) {
            0 | 1 => self.known_array(),
            2..=5 => self.map(depth - 1),
            6 | 7 => {
                let (array, _, elem) = self.array(depth - 1);
                let keep = self.lambda(&[elem.clone()], |this| this.scalar(Scalar::Bool, 2));
                (format!("(filter {keep} {array})"), self.fresh_size(), elem)
            }
            8 => self.map2(depth - 1),
            9 => self.generated(depth - 1),
            10 => self.append(depth - 1),
            11 => self.gather(depth - 1),
            12 => self.cross(),
            13 => self.literals(depth - 1),
            14 => {
                let cond = self.scalar(Scalar::Bool, depth - 1);
                let (array, _, elem) = self.array(depth - 1);
                let keep = self.lambda(&[elem.clone()], |this| this.scalar(Scalar::Bool, 1));
                let text = format!("(if {cond} then {array} else filter {keep} {array})");
                (text, self.fresh_size(), elem)
            }
            15 => {
                let (array, size, elem) = self.array(depth - 1);
                (format!("(indexed {array})"), size, Ty::Tuple(vec![int(), elem]))
            }
            16 => {
                let (array, _, elem) = self.array(depth - 1);
                (format!("(halve {array})"), self.fresh_size(), elem)
            }
            17 => self.swapped(depth - 1),
            18 => self.grown(depth - 1),
            _ => {
                let before = self.scope.len();
                let ty = self.element();
                let value = self.value(&ty, depth - 1);
                let name = self.bind("z", ty);
                let (array, size, elem) = self.array(depth - 1);
                self.scope.truncate(before);
                (format!("(let {name} = {value} in {array})"), size, elem)
            }
        }
    }

    fn known_array(&mut self) -> Array {
        let known: Vec<Array> = self
            .scope
            .iter()
            .rev()
            .filter_map(|(name, ty)| match ty {
                Ty::Array(size, elem) => Some((name.clone(), *size, Ty::clone(elem))),
                Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Fun(..) => None,
            })
            .collect();
        let index = self.choose(known.len());
        known.into_iter().nth(index).expect("the parameters are in scope")
    }

    fn map(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        // A function in scope, with all but its last argument.
        let partial = self.scope.iter().rev().find_map(|(name, own)| match own {
            Ty::Fun(params, result)
                if params.last().map(|&ty| Ty::Scalar(ty)) == Some(elem.clone()) =>
            {
                Some((name.clone(), params.clone(), *result))
            }
            Ty::Fun(..) | Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Array(..) => None,
        });
        if let (Some((name, params, result)), 1) = (partial, self.choose(2)) {
            let (_, first) = params.split_last().expect("a function has parameters");
            let args: Vec<String> = first.iter().map(|&ty| self.scalar(ty, depth)).collect();
            let function = format!("({})", [&[name], args.as_slice()].concat().join(" "));
            return (format!("(map {function} {array})"), size, Ty::Scalar(result));
        }
        let result = self.element();
        let each = self.lambda(&[elem], |this| this.value(&result, 2));
        (
            self.pick(&["(map F A)", "(A |> map F)"]).replace('F', &each).replace('A', &array),
            size,
            result,
        )
    }

    /// Two arrays of one size.
    fn map2(&mut self, depth: u32) -> Array {
        let (left, size, x) = self.array(depth);
        let partner = self.scope.iter().rev().find_map(|(name, ty)| match ty {
            Ty::Array(own, elem) if *own == size => Some((name.clone(), Ty::clone(elem))),
            Ty::Array(..) | Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Fun(..) => None,
        });
        let Some((right, y)) = partner else { return (left, size, x) };
        if self.choose(3) == 2 {
            return (format!("(zip {left} {right})"), size, Ty::Tuple(vec![x, y]));
        }
        let result = self.element();
        let each = self.lambda(&[x, y], |this| this.value(&result, 2));
        (format!("(map2 {each} {left} {right})"), size, result)
    }

    fn generated(&mut self, depth: u32) -> Array {
        let count = self.scalar(Scalar::I64, depth);
        // Never many: compiled code would count to the highest number.
        let risk = if self.risky() { " - 2" } else { "" };
        let count = format!("({count} % 5{risk})");
        let size = self.fresh_size();
        match self.choose(3) {
            0 => (format!("(iota {count})"), size, int()),
            1 => {
                let elem = self.element();
                let each = self.lambda(&[int()], |this| this.value(&elem, 2));
                (format!("(generate {count} {each})"), size, elem)
            }
            _ => {
                let elem = self.element();
                let value = self.value(&elem, depth);
                (format!("(replicate {count} {value})"), size, elem)
            }
        }
    }

    fn append(&mut self, depth: u32) -> Array {
        let (left, size, elem) = self.array(depth);
        if self.growth == 0 {
            return (left, size, elem);
        }
        self.growth -= 1;
        let right = if self.choose(2) == 0 {
            format!("[{}]", self.value(&elem, depth))
        } else {
            let (other, _, own) = self.array(depth);
            let each = self.lambda(&[own], |this| this.value(&elem, 1));
            format!("map {each} {other}")
        };
        (format!("({left} ++ {right})"), self.fresh_size(), elem)
    }

    fn gather(&mut self, depth: u32) -> Array {
        let (array, _, elem) = self.known_array();
        let (places, size, own) = self.array(depth);
        let place = self.lambda(&[own], |this| this.scalar(Scalar::I64, 1));
        if self.risky() {
            return (format!("(gather {array} (map {place} {places}))"), size, elem);
        }
        let last = self.value(&elem, 1);
        let text = format!(
            "(gather ({array} ++ [{last}]) (map (\\i -> {place} i % (length {array} + 1)) {places}))"
        );
        (text, size, elem)
    }

    fn cross(&mut self) -> Array {
        let (left, size, x) = self.known_array();
        if self.growth == 0 || self.workers > 0 {
            return (left, size, x);
        }
        self.growth -= 1;
        let (right, _, y) = self.known_array();
        (format!("(cross {left} {right})"), self.fresh_size(), Ty::Tuple(vec![x, y]))
    }

    fn literals(&mut self, depth: u32) -> Array {
        let elem = self.element();
        let count = self.choose(3) + 1;
        let elems: Vec<String> = (0..count).map(|_| self.value(&elem, depth)).collect();
        (format!("[{}]", elems.join(", ")), self.fresh_size(), elem)
    }

    fn swapped(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        match elem {
            Ty::Tuple(mut items) if items.len() == 2 => {
                items.reverse();
                (format!("(map swap {array})"), size, Ty::Tuple(items))
            }
            elem => (array, size, elem),
        }
    }

    fn grown(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        if elem != int() || self.growth == 0 {
            return (array, size, elem);
        }
        self.growth -= 1;
        let keep = self.lambda(&[int()], |this| this.scalar(Scalar::Bool, 1));
        (format!("(grow {keep} 2 {array})"), self.fresh_size(), elem)
    }
}

fn int() -> Ty {
    Ty::Scalar(Scalar::I64)
}

/// A literal, in parentheses if it begins with a sign.
fn signed(text: &str) -> String {
    if text.starts_with('-') { format!("({text})") } else { text.to_string() }
}
