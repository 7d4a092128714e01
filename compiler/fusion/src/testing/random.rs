//! Random functions in combinator normal form, as text, without run-time errors. Every choice is a number, so that
//! fewer and smaller numbers give simpler functions.
//!
//! Invariant: the function verifies, and its work is bounded.
//!
//! ```text
//! [0, 0, 1, 0]   ⇒   def random [n] [m] (xs: [n]i64) … = let map1: [m]i64 = map (\x -> x + c) ys in (map1, …)
//! ```

use std::fmt::Write;

/// A function of two arrays and a scalar.
pub fn function(choices: &[u16]) -> String {
    let array = |name: &str, size: &str| DeclaredArray { name: name.into(), size: size.into() };
    let mut random = Random {
        lines: String::new(),
        choices,
        arrays: vec![array("xs", "n"), array("ys", "m")],
        scalars: vec!["c".into()],
        made: 0,
        crosses: 0,
        deep: 0,
    };
    while !random.choices.is_empty() {
        random.step();
    }
    let Random { lines, arrays, scalars, .. } = random;
    // Most of the last arrays are yielded; earlier ones may be used only inside.
    let results = arrays.iter().rev().take(3).map(|array| (array.name.clone(), array.ty()));
    let scalars = scalars.iter().rev().take(3).map(|name| (name.clone(), "i64".into()));
    let (names, types): (Vec<_>, Vec<String>) = results.chain(scalars).unzip();
    let (names, types) = (names.join(", "), types.join(", "));
    let head = "def random [n] [m] (xs: [n]i64) (ys: [m]i64) (c: i64)";
    let body =
        if lines.is_empty() { format!("  ({names})") } else { format!("{lines}  in ({names})") };
    format!("{head}: ({types}) =\n{body}\n")
}

/// An array, and its size as it is written.
#[derive(Clone)]
struct DeclaredArray {
    name: String,
    size: String,
}

impl DeclaredArray {
    fn ty(&self) -> String {
        format!("[{}]i64", self.size)
    }
}

/// A function under construction, and the choices that are left.
struct Random<'a> {
    lines: String,
    choices: &'a [u16],
    arrays: Vec<DeclaredArray>,
    scalars: Vec<String>,
    made: u32,
    crosses: u32,
    deep: u32,
}

impl Random<'_> {
    /// A number below `bound`.
    fn choose(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(first) % bound
    }

    fn step(&mut self) {
        match self.choose(18) {
            0 => self.map(),
            1 => self.map2(),
            2 => self.filter(),
            3 => self.reduce(),
            4 => self.fold_two(),
            5 => self.cross(),
            6 => {
                self.positions();
            }
            7 => self.reversed(),
            8 => {
                self.length();
            }
            9 => self.scalar(),
            10 => self.map_nested(),
            11 => self.handed_on(),
            12 => self.append(),
            13 => self.branch(),
            14 => self.literal(),
            15 => self.filter_two(),
            16 => self.flatmap(),
            _ => self.lengths_inside(),
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    fn array(&mut self) -> DeclaredArray {
        let index = self.choose(self.arrays.len());
        self.arrays[self.arrays.len() - 1 - index].clone()
    }

    /// An array of the same size as that one.
    fn partner(&mut self, of: &DeclaredArray) -> DeclaredArray {
        let same = self.arrays.iter().filter(|other| other.size == of.size).cloned();
        let same = same.collect::<Vec<_>>();
        let index = self.choose(same.len());
        same[same.len() - 1 - index].clone()
    }

    fn atom(&mut self) -> String {
        let index = self.choose(self.scalars.len() + 1);
        self.scalars.get(index).cloned().unwrap_or_else(|| "3i64".into())
    }

    /// An operation on two operands.
    fn op(&mut self) -> impl Fn(&str, &str) -> String + use<> {
        let op = ["+", "-", "*", "i64.max", "i64.min"][self.choose(5)];
        move |left, right| match op.len() {
            1 => format!("{left} {op} {right}"),
            _ => format!("{op} {left} {right}"),
        }
    }

    fn predicate(&mut self) -> String {
        let (op, bound) = ([">", "<"][self.choose(2)], self.atom());
        format!("p {op} {bound}")
    }

    /// Binds arrays of one size.
    fn bind(&mut self, stems: &[&str], size: &str, op: &str) -> Vec<DeclaredArray> {
        let names: Vec<_> = stems.iter().map(|stem| self.name(stem)).collect();
        let made = names.into_iter().map(|name| DeclaredArray { name, size: size.to_owned() });
        let made = made.collect::<Vec<_>>();
        let binders = made.iter().map(|array| format!("{}: {}", array.name, array.ty()));
        self.line(&format!("({})", binders.collect::<Vec<_>>().join(", ")), op);
        self.arrays.extend(made.iter().cloned());
        made
    }

    /// Binds a scalar.
    fn bind_scalar(&mut self, stem: &str, op: &str) -> String {
        let name = self.name(stem);
        self.line(&name, op);
        self.scalars.push(name.clone());
        name
    }

    fn line(&mut self, pattern: &str, op: &str) {
        writeln!(self.lines, "  let {pattern} = {op}").expect("a text grows");
    }

    /// A size that only its array has.
    fn new_size(&mut self) -> String {
        self.name("k")
    }

    fn map(&mut self) {
        let (input, op, by) = (self.array(), self.op(), self.atom());
        let DeclaredArray { name, size } = input;
        self.bind(&["map"], &size, &format!("map (\\x -> {}) {name}", op("x", &by)));
    }

    fn map2(&mut self) {
        let left = self.array();
        let right = self.partner(&left);
        let op = self.op()("x", "y");
        let op = format!("map2 (\\x y -> {op}) {} {}", left.name, right.name);
        self.bind(&["both"], &left.size, &op);
    }

    fn filter(&mut self) {
        let (input, keep, size) = (self.array(), self.predicate(), self.new_size());
        self.bind(&["kept"], &size, &format!("filter (\\p -> {keep}) {}", input.name));
    }

    fn filter_two(&mut self) {
        let input = self.array();
        let other = self.partner(&input);
        let (keep, size) = (self.predicate(), self.new_size());
        let (input, other) = (input.name, other.name);
        let op = format!("unzip (filter (\\p -> {keep}) {input} keeping (zip {input} {other}))");
        self.bind(&["kept", "kept"], &size, &op);
    }

    /// A flatmap. The part of each element is a short range in two arrays, or a filter of one array.
    fn flatmap(&mut self) {
        self.crosses += 1;
        if self.crosses > 2 {
            return self.filter();
        }
        let (input, less) = (self.array(), self.predicate());
        let (op, kept) = (self.op()("x", "i"), self.choose(3) == 0);
        let few = if kept {
            format!("let (few, ats) = unzip (filter (\\p -> {less}) parts keeping (zip parts at))")
        } else {
            "let few = map (\\p -> p) parts\n      let ats = map (\\p -> p) at".to_owned()
        };
        let size = self.new_size();
        let op = format!(
            "unzip (flatmap (\\x ->
      let low = x & 3i64
      let places = generate low (\\i -> i)
      let (parts, at) = unzip (map (\\i ->
          let part = {op}
          in (part, i)) places)
      {few}
      in (few, ats)) {})",
            input.name
        );
        self.bind(&["flat", "flat"], &size, &op);
    }

    fn reduce(&mut self) {
        let (input, op) = (self.array(), ["x + y", "i64.max x y"][self.choose(2)]);
        self.bind_scalar("sum", &format!("reduce (\\x y -> {op}) 0i64 {}", input.name));
    }

    /// A strict fold with two accumulators.
    fn fold_two(&mut self) {
        let (input, init) = (self.array(), self.atom());
        let (last, least) = (self.name("last"), self.name("least"));
        let op = format!(
            "fold (\\(a, b) x ->
      let next = x - a
      let less = i64.min b x
      in (next, less)) (1i64, {init}) {}",
            input.name
        );
        self.line(&format!("({last}, {least})"), &op);
        self.scalars.extend([last, least]);
    }

    fn cross(&mut self) {
        self.crosses += 1;
        if self.crosses > 2 {
            return self.map();
        }
        let (left, right) = (self.array(), self.array());
        let size = format!("({}) * ({})", left.size, right.size);
        self.bind(&["left", "right"], &size, &format!("cross {} {}", left.name, right.name));
    }

    /// Positions of an array, the last one first.
    fn positions(&mut self) -> DeclaredArray {
        let n = self.length();
        let op = format!(
            "generate {n} (\\i ->
      let last = {n} - 1i64
      let j = last - i
      in j)"
        );
        self.bind(&["positions"], &n, &op).remove(0)
    }

    /// A gather that cannot fail.
    fn reversed(&mut self) {
        let positions = self.positions();
        let of = self.lines.lines().rev().find_map(|line| line.split_once(" = length "));
        let data = of.map(|(_, data)| data.to_owned()).expect("positions begin with a length");
        self.bind(&["picked"], &positions.size, &format!("gather {data} {}", positions.name));
    }

    fn length(&mut self) -> String {
        let of = self.array();
        self.bind_scalar("length", &format!("length {}", of.name))
    }

    fn scalar(&mut self) {
        let (op, left, right) = (self.op(), self.atom(), self.atom());
        self.bind_scalar("s", &op(&left, &right));
    }

    /// A map whose worker has combinators of its own.
    fn map_nested(&mut self) {
        self.deep += 1;
        if self.deep > 2 {
            return self.map();
        }
        let (input, whole) = (self.array(), self.array());
        let (op, less) = (self.op()("x", "y"), self.predicate());
        let op = format!(
            "map (\\x ->
      let inner = map (\\y -> {op}) {}
      let few = filter (\\p -> {less}) inner
      let most = reduce (\\a b -> i64.max a b) x few
      let sum = reduce (\\a b -> a + b) 0i64 inner
      let t = most + sum
      in t) {}",
            whole.name, input.name
        );
        self.bind(&["nested"], &input.size, &op);
    }

    /// A map that hands on one of its inputs, and makes one array twice.
    fn handed_on(&mut self) {
        let left = self.array();
        let right = self.partner(&left);
        let op = format!(
            "unzip3 (map2 (\\x y ->
      let sum = x + y
      in (y, sum, sum)) {} {})",
            left.name, right.name
        );
        self.bind(&["same", "sums", "again"], &left.size, &op);
    }

    fn append(&mut self) {
        let (left, right) = (self.array(), self.array());
        let size = format!("({}) + ({})", left.size, right.size);
        self.bind(&["joined"], &size, &format!("{} ++ {}", left.name, right.name));
    }

    /// An `if` with an array of this size in one branch, and itself in the other.
    fn branch(&mut self) {
        let (input, op, by) = (self.array(), self.op()("x", "by"), self.atom());
        let (holds, name, sum) = (self.name("holds"), self.name("either"), self.name("sum"));
        let op = op.replace("by", &by);
        self.line(&holds, &format!("{by} > 0i64"));
        let made = DeclaredArray { name, size: input.size.clone() };
        let value = format!(
            "if {holds} then
      let changed = map (\\x -> {op}) {}
      let sum = reduce (\\a b -> a + b) {by} changed
      in (changed, sum)
    else
      ({}, {by})",
            input.name, input.name
        );
        self.line(&format!("({}: {}, {sum})", made.name, made.ty()), &value);
        self.arrays.push(made);
        self.scalars.push(sum);
    }

    fn literal(&mut self) {
        let elems = [self.atom(), "-1i64".to_owned(), self.atom()].join(", ");
        self.bind(&["literal"], "3", &format!("array [{elems}]"));
    }

    /// A map whose worker asks for the length of another array.
    fn lengths_inside(&mut self) {
        let (input, of) = (self.array(), self.array());
        let op = format!(
            "map (\\x ->
      let len = length {}
      let t = x + len
      in t) {}",
            of.name, input.name
        );
        self.bind(&["longer"], &input.size, &op);
    }
}
