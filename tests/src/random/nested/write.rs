//! Writes random programs over arrays of two and three dimensions.
//!
//! Invariant: a program is well-typed, and no index is out of bounds. All floats are integers small enough that no sum
//! is rounded, so that a reduction gives the same bits in each order.

/// The types of elements.
const ELEMS: [&str; 4] = ["i64", "f64", "i32", "f32"];

/// The parameters of an entry over elements of a type.
fn parameters(elem: &str) -> String {
    let shapes = [
        "a: [n][m]",
        "s: [n][3]",
        "t: [2][n]",
        "c: [3][3]",
        "x: [n]",
        "b: [n][2][m]",
        "d: [n][3][3]",
    ];
    let arrays: Vec<String> = shapes.iter().map(|shape| format!("({shape}{elem})")).collect();
    format!("[n] [m] {}", arrays.join(" "))
}

/// The entry that a list of numbers makes.
pub(super) fn entry(name: &str, numbers: &[u16]) -> String {
    let mut writer = Writer {
        elem: ELEMS[0],
        numbers,
        at: 0,
        names: 0,
        entry: name,
        functions: String::new(),
        may_fail: false,
    };
    writer.elem = ELEMS[usize::from(writer.below(4))];
    writer.may_fail = writer.below(4) == 3;
    writer.entry()
}

/// A length of arrays inside a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Constant.
    Two,
    /// Constant.
    Three,
    /// The length of a parameter's rows.
    Row,
    /// The length of the array of a recursive function.
    Part,
}

impl Length {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Two => "2",
            Self::Three => "3",
            Self::Row => "m",
            Self::Part => "k",
        }
    }
}

/// The variables in scope at a place.
#[derive(Clone, Default)]
pub(super) struct Scope {
    scalars: Vec<String>,
    arrays: Vec<(String, Length)>,
    /// Arrays whose lengths depend on elements.
    pub(super) varied: Vec<String>,
}

impl Scope {
    pub(super) fn with_scalar(&self, name: &str) -> Self {
        let mut scope = self.clone();
        scope.scalars.push(name.to_owned());
        scope
    }

    pub(super) fn with_array(&self, name: &str, length: Length) -> Self {
        let mut scope = self.clone();
        scope.arrays.push((name.to_owned(), length));
        scope
    }
}

/// Writes a program from numbers.
pub(super) struct Writer<'a> {
    pub(super) elem: &'static str,
    numbers: &'a [u16],
    at: usize,
    names: usize,
    /// The name of the entry.
    pub(super) entry: &'a str,
    /// The functions that it calls.
    pub(super) functions: String,
    /// Whether indices may be out of bounds.
    pub(super) may_fail: bool,
}

impl Writer<'_> {
    /// A number below a bound; 0 when there are no more numbers, which is always the smallest choice.
    pub(super) fn below(&mut self, bound: u16) -> u16 {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        number % bound
    }

    pub(super) fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    fn length(&mut self) -> Length {
        [Length::Three, Length::Two, Length::Row][usize::from(self.below(3))]
    }

    fn entry(&mut self) -> String {
        let results: Vec<String> = (0..=self.below(2)).map(|_| self.result()).collect();
        let (functions, name) = (&self.functions, self.entry);
        let parameters = parameters(self.elem);
        format!("{functions}entry {name} {parameters} = ({})\n", results.join(",\n  "))
    }

    fn is_int(&self) -> bool {
        matches!(self.elem, "i64" | "i32")
    }

    /// The conversion of a position to an element.
    pub(super) fn elem_of(&self, position: &str) -> String {
        if self.elem == "i64" {
            position.to_owned()
        } else {
            format!("({}.i64 {position})", self.elem)
        }
    }

    /// The conversion of an element to a number below a power of two.
    pub(super) fn position(&self, elem: &str, bound: u32) -> String {
        let elem = if self.elem == "i64" {
            elem.to_owned()
        } else {
            format!("(i64.{} {elem})", self.elem)
        };
        format!("({elem} & {})", bound - 1)
    }

    /// A number, limited if it is a float: floats stay exact.
    pub(super) fn limited(&self, number: &str) -> String {
        let elem = self.elem;
        match elem {
            "f32" | "f64" => format!("({elem}.max (-9) ({elem}.min 9 ({number})))"),
            _ => format!("({number})"),
        }
    }

    pub(super) fn sum(&self, array: &str) -> String {
        self.limited(&format!("{}.sum ({array})", self.elem))
    }

    fn most(&self, array: &str) -> String {
        format!("(reduce {}.max (-99) ({array}))", self.elem)
    }

    /// A product of two numbers of a depth. In f64, products of the smallest numbers need no limit.
    fn product(&self, left: &str, right: &str, depth: u16) -> String {
        let product = format!("({left} * {right})");
        if self.elem == "f64" && depth == 0 { product } else { self.limited(&product) }
    }

    fn result(&mut self) -> String {
        let row = self.name("r");
        let over = |length| Scope::default().with_array(&row, length);
        let scope = over(Length::Row);
        match self.below(24) {
            21..=23 => self.of_matrix(),
            20 => self.planes("a", ["n", "m"]),
            15 => self.turns(Length::Row, &Scope::default(), 4, None),
            16 => self.varied_turns(&Scope::default(), 4, None),
            17 => match self.below(3) {
                0 => format!("{} 3 x", self.recursion()),
                1 => {
                    let name = self.recursion();
                    format!("map (\\{row} -> {}) a", self.sum(&format!("{name} 2 {row}")))
                }
                _ => self.composition(),
            },
            18 => format!("flatmap (\\{row} -> {}) a", self.varied_turns(&scope, 3, None)),
            19 => {
                let made = self.turns(Length::Row, &scope, 3, None);
                let number = self.scalar(&scope, 2);
                format!("unzip (map (\\{row} -> ({made}, {number})) a)")
            }
            0 => format!("map (\\{row} -> {}) a", self.scalar(&scope, 3)),
            1 => {
                let length = self.length();
                format!("map (\\{row} -> {}) s", self.array(length, &over(Length::Three), 3))
            }
            2 => format!("map (\\{row} -> {}) (transpose t)", self.scalar(&over(Length::Two), 3)),
            3 => {
                let made = self.array(Length::Row, &scope, 2);
                format!("reduce (map2 (+)) (replicate m 0) (map (\\{row} -> {made}) a)")
            }
            4 => {
                let made = self.array(Length::Three, &scope, 2);
                format!("scan (map2 (+)) [0, 0, 0] (map (\\{row} -> {made}) a)")
            }
            5 => {
                let acc = self.name("acc");
                let step = self.array(
                    Length::Three,
                    &over(Length::Three).with_array(&acc, Length::Three),
                    2,
                );
                format!("fold (\\{acc} {row} -> {step}) [1, 2, 3] s")
            }
            6 => {
                let (i, j) = (self.name("i"), self.name("j"));
                let scope = self.positions(&[&i, &j]);
                format!("tabulate_2d n 3 (\\{i} {j} -> {} + s[{i}, {j}])", self.scalar(&scope, 3))
            }
            7 => {
                let x = self.name("x");
                let made = self.scalar(&scope.with_scalar(&x), 3);
                self.sum(&format!("map2 (\\{row} {x} -> {made}) a x"))
            }
            8 => {
                let made = self.array(Length::Row, &scope, 2);
                let rows = format!("map (\\{row} -> {made}) a");
                self.columns(&rows)
            }
            _ => self.result_3d(&row),
        }
    }

    /// The sums or the largest elements of columns.
    fn columns(&mut self, rows: &str) -> String {
        let made = if self.below(2) == 0 { self.sum("col") } else { self.most("col") };
        format!("map (\\col -> {made}) (transpose ({rows}))")
    }

    /// A result from an array of three dimensions. `row` is a new name.
    fn result_3d(&mut self, row: &str) -> String {
        let plane = self.name("p");
        let over = |length| Scope::default().with_array(row, length);
        match self.below(7) {
            6 => {
                let made = self.planes(&plane, ["2", "m"]);
                format!("map (\\{plane} -> {made}) b")
            }
            0 => {
                let made = self.scalar(&over(Length::Row), 3);
                format!("map (\\{plane} -> map (\\{row} -> {made}) {plane}) b")
            }
            1 => {
                let length = self.length();
                let made = self.array(length, &over(Length::Three), 2);
                format!("map (\\{plane} -> map (\\{row} -> {made}) {plane}) d")
            }
            2 => {
                let made = self.array(Length::Row, &over(Length::Row), 2);
                let columns = self.columns(&format!("map (\\{row} -> {made}) {plane}"));
                format!("map (\\{plane} -> {columns}) b")
            }
            3 => {
                let [i, j, k] = ["i", "j", "k"].map(|of| self.name(of));
                let scope = self.positions(&[&i, &j, &k]);
                let made = self.scalar(&scope, 3);
                format!("tabulate_3d n 2 m (\\{i} {j} {k} -> {made} + b[{i}, {j}, {k}])")
            }
            4 => {
                let made = self.array(Length::Row, &over(Length::Row), 2);
                let zero = "replicate 2 (replicate m 0)";
                format!(
                    "reduce (map2 (map2 (+))) ({zero}) (map (\\{plane} -> map (\\{row} -> {made}) {plane}) b)"
                )
            }
            _ => {
                let e = self.name("e");
                let made = self.scalar(&Scope::default().with_scalar(&e), 2);
                let sum = self.sum(&format!("map (\\{e} -> {made}) (flatten {plane})"));
                format!("map (\\{plane} -> {sum}) b")
            }
        }
    }

    /// A matrix of `n` rows of length `m`, in parentheses: each level is made from the rows or columns of the one before.
    fn matrix(&mut self, depth: u16) -> String {
        if depth == 0 {
            return "a".to_owned();
        }
        let before = self.matrix(depth - 1);
        let made = match self.below(10) {
            0 => {
                let row = self.name("r");
                let scope = Scope::default().with_array(&row, Length::Row);
                format!("map (\\{row} -> {}) {before}", self.array(Length::Row, &scope, 1))
            }
            1 => format!("scan (map2 (+)) (replicate m 0) {before}"),
            2 => format!("transpose (map (scan (+) 0) (transpose {before}))"),
            3 => format!("exscan (map2 {}.max) (replicate m 0) {before}", self.elem),
            4 => format!("transpose (map reverse (transpose {before}))"),
            5 => format!("reverse {before}"),
            6 => format!("unflatten (scan (+) 0 (flatten {before}))"),
            7 => format!("map (sort (<=)) {before}"),
            // A sum that is the same in each step.
            8 => {
                let [row, all] = ["r", "all"].map(|of| self.name(of));
                let sum = self.sum(&format!("flatten {all}"));
                format!("(let {all} = {before} in map (\\{row} -> map (+ {sum}) {row}) {all})")
            }
            _ => format!("map2 (map2 (-)) {before} a"),
        };
        // Sums of sums of floats could be rounded.
        if self.elem.starts_with('f') {
            let small = self.elem_of(&self.position("e", 64));
            return format!("(map (map (\\e -> {small})) ({made}))");
        }
        format!("({made})")
    }

    /// A result that is computed from such a matrix.
    fn of_matrix(&mut self) -> String {
        let depth = 1 + self.below(3);
        let matrix = self.matrix(depth);
        let [row, all] = ["r", "all"].map(|of| self.name(of));
        let number = self.scalar(&Scope::default().with_array(&row, Length::Row), 2);
        match self.below(6) {
            0 => matrix,
            1 | 2 => format!("map (\\{row} -> {number}) {matrix}"),
            3 => self.columns(&matrix),
            4 => self.sum(&format!("flatten {matrix}")),
            _ => format!(
                "(let {all} = {matrix} in (map (\\{row} -> {number}) {all}, reduce (map2 (+)) (replicate m 0) {all}))"
            ),
        }
    }

    /// A scope of positions.
    fn positions(&self, names: &[&str]) -> Scope {
        let scalars = names.iter().map(|name| self.elem_of(name)).collect();
        Scope { scalars, ..Scope::default() }
    }

    /// A number.
    pub(super) fn scalar(&mut self, scope: &Scope, depth: u16) -> String {
        let choice = if depth == 0 { self.below(2) } else { self.below(10) };
        match choice {
            0 => match scope.scalars.len() {
                0 => (self.below(9)).to_string(),
                count => {
                    let count = u16::try_from(count).expect("few names");
                    scope.scalars[usize::from(self.below(count))].clone()
                }
            },
            1 => self.below(9).to_string(),
            2 => {
                let op = self.below(if self.may_fail && self.is_int() { 4 } else { 3 });
                let [left, right] = [0; 2].map(|_| self.scalar(scope, depth - 1));
                match op {
                    3 => format!("({left} / {right})"),
                    0 => format!("({left} + {right})"),
                    1 => format!("({left} - {right})"),
                    _ => self.product(&left, &right, depth - 1),
                }
            }
            3 => {
                let length = [Length::Three, Length::Two][usize::from(self.below(2))];
                let array = self.array(length, scope, depth - 1);
                let name = self.name("v");
                format!("(let {name} = {array} in {name}[{}])", self.below(2))
            }
            4 => {
                let (array, at) =
                    (self.array(Length::Three, scope, depth - 1), self.scalar(scope, depth - 1));
                let name = self.name("v");
                let bound = if self.may_fail { 4 } else { 2 };
                format!("(let {name} = {array} in {name}[{}])", self.position(&at, bound))
            }
            5 => {
                let length = self.length();
                let array = self.array(length, scope, depth - 1);
                self.sum(&array)
            }
            6 => {
                let name = self.name("k");
                let (count, made) = (
                    self.scalar(scope, depth - 1),
                    self.scalar(&scope.with_scalar(&self.elem_of(&name)), depth - 1),
                );
                let count = self.position(&count, 4);
                self.sum(&format!("scan (+) 0 (map (\\{name} -> {made}) (iota {count}))"))
            }
            7 => {
                let length = self.length();
                let array = self.array(length, scope, depth - 1);
                self.most(&array)
            }
            _ => {
                let array = self.varied(scope, depth - 1);
                self.taken(&array, scope, depth - 1)
            }
        }
    }

    /// A number from an array whose length is known only in the step.
    fn taken(&mut self, array: &str, scope: &Scope, depth: u16) -> String {
        match self.below(4) {
            0 => self.sum(array),
            1 => self.most(array),
            choice => {
                let (at, name) = (self.scalar(scope, depth), self.name("v"));
                let at = self.position(&at, 8);
                let length = self.elem_of(&format!("(length {name})"));
                let sum = if choice == 2 { "0".to_owned() } else { self.sum(&name) };
                let elem = self.limited(&format!("{name}[{at} % length {name}] + {sum}"));
                format!("(let {name} = {array} in if length {name} > 0 then {elem} else {length})")
            }
        }
    }

    /// An array whose length depends on elements.
    pub(super) fn varied(&mut self, scope: &Scope, depth: u16) -> String {
        let choice = if depth == 0 { self.below(2) } else { self.below(14) };
        match choice {
            11 | 12 => self.varied_turns(scope, depth - 1, None),
            0 | 13 if !scope.varied.is_empty() => {
                let at = u16::try_from(scope.varied.len()).expect("few names");
                scope.varied[usize::from(self.below(at))].clone()
            }
            0 | 1 => {
                let (name, count) = (self.name("j"), self.scalar(scope, depth.saturating_sub(1)));
                let count = self.position(&count, 16);
                let scope = scope.with_scalar(&self.elem_of(&name));
                let made = self.scalar(&scope, depth.saturating_sub(1));
                format!("tabulate {count} (\\{name} -> {made})")
            }
            2 => {
                let (name, array) = (self.name("e"), self.either(scope, depth - 1));
                let kept = self.scalar(&scope.with_scalar(&name), depth - 1);
                format!("filter (\\{name} -> {kept} > 1) ({array})")
            }
            3 => {
                let (name, array) = (self.name("e"), self.varied(scope, depth - 1));
                let made = self.scalar(&scope.with_scalar(&name), depth - 1);
                format!("map (\\{name} -> {made}) ({array})")
            }
            4 => format!("scan (+) 0 ({})", self.varied(scope, depth - 1)),
            5 => {
                let [left, right] = [0; 2].map(|_| self.either(scope, depth - 1));
                format!("(({left}) ++ ({right}))")
            }
            6 => format!("reverse ({})", self.varied(scope, depth - 1)),
            7 => format!("sort (<=) ({})", self.varied(scope, depth - 1)),
            8 => {
                let (name, array) = (self.name("e"), self.either(scope, depth - 1));
                let part = self.either(&scope.with_scalar(&name), depth - 1);
                format!("flatmap (\\{name} -> {part}) ({array})")
            }
            9 => {
                let [then, otherwise] = [0; 2].map(|_| self.varied(scope, depth - 1));
                format!("(if {} > 2 then {then} else {otherwise})", self.scalar(scope, depth - 1))
            }
            _ => {
                let (name, turn) = (self.name("v"), self.name("q"));
                let (init, count) = (self.varied(scope, depth - 1), self.scalar(scope, depth - 1));
                let count = self.position(&count, 4);
                let behind = self.scalar(&scope.with_scalar(&self.elem_of(&turn)), depth - 1);
                format!("(loop {name} = {init} for {turn} < {count} do {name} ++ [{behind}])")
            }
        }
    }

    /// An array of a constant length, or one whose length depends on elements.
    fn either(&mut self, scope: &Scope, depth: u16) -> String {
        if self.below(2) == 0 {
            self.varied(scope, depth)
        } else {
            let length = self.length();
            self.array(length, scope, depth)
        }
    }

    /// An array of that length.
    pub(super) fn array(&mut self, length: Length, scope: &Scope, depth: u16) -> String {
        let choice = if depth == 0 { self.below(2) } else { self.below(12) };
        let known = scope.arrays.iter().rev().find(|(_, of)| *of == length);
        match (choice, known) {
            (0, Some((name, _))) => name.clone(),
            (0 | 1, _) => {
                let name = self.name("j");
                let made =
                    self.scalar(&scope.with_scalar(&self.elem_of(&name)), depth.saturating_sub(1));
                format!("tabulate {} (\\{name} -> {made})", length.text())
            }
            (9 | 10, _) => self.turns(length, scope, depth - 1, None),
            (2, _) if length == Length::Three => {
                let elems = [0; 3].map(|_| self.scalar(scope, depth - 1));
                format!("[{}]", elems.join(", "))
            }
            (2 | 3, _) => {
                let name = self.name("e");
                let array = self.array(length, scope, depth - 1);
                let made = self.scalar(&scope.with_scalar(&name), depth - 1);
                format!("map (\\{name} -> {made}) ({array})")
            }
            (4, _) => format!("scan (+) 0 ({})", self.array(length, scope, depth - 1)),
            (5, _) if matches!(length, Length::Two | Length::Three) => {
                let array = self.array(length, scope, depth - 1);
                let (at, value) = (self.below(2), self.scalar(scope, depth - 1));
                let name = self.name("v");
                format!("(let {name} = {array} in {name} with [{at}] = {value})")
            }
            (5 | 6, _) => {
                let [then, otherwise] = [0; 2].map(|_| self.array(length, scope, depth - 1));
                format!("(if {} > 2 then {then} else {otherwise})", self.scalar(scope, depth - 1))
            }
            (7, _) => {
                let (name, init) = (self.name("v"), self.array(length, scope, depth - 1));
                let step = self.array(length, &scope.with_array(&name, length), depth - 1);
                let (size, elem) = (length.text(), self.elem);
                format!("(loop ({name}: [{size}]{elem}) = {init} for _q < 2 do {step})")
            }
            (_, _) => {
                let row = self.name("w");
                let scope = scope.with_array(&row, Length::Three);
                let made = self.array(length, &scope, depth - 1);
                let zero = format!("(replicate {} 0)", length.text());
                format!("reduce (map2 (+)) {zero} (map (\\{row} -> {made}) c)")
            }
        }
    }
}
