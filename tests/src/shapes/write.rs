//! The programs: an array of a small shape, made in each way, where an array may stand.
//!
//! Invariant: the text of a use depends on the shape, the maker and the base only, so that one entry serves all calls. The
//! results follow from the texts by the language's definition.
//!
//! ```text
//! shape 1, 1, a literal, from 5, appended to x   ⇒   [[5]] ++ x, which is [[5], [100]]
//! ```

use super::array::Array;

/// The definitions that every program begins with.
pub(super) const HELPERS: &str = "\
def passed [..s] (a: [..s]i64): [..s]i64 = a
def add1 [p] (a: [p]i64) (b: [p]i64): [p]i64 = map2 (+) a b
def add2 [p] [q] (a: [p][q]i64) (b: [p][q]i64): [p][q]i64 = map2 add1 a b
def add3 [p] [q] [r] (a: [p][q][r]i64) (b: [p][q][r]i64): [p][q][r]i64 = map2 add2 a b
def again1 [p] (n: i64) (a: [p]i64): [p]i64 =
  if n <= 0 then a else again1 (n - 1) (map_s (+ 1) a)
def again2 [p] [q] (n: i64) (a: [p][q]i64): [p][q]i64 =
  if n <= 0 then a else again2 (n - 1) (map_s (+ 1) a)
def again3 [p] [q] [r] (n: i64) (a: [p][q][r]i64): [p][q][r]i64 =
  if n <= 0 then a else again3 (n - 1) (map_s (+ 1) a)
";

/// The arguments of a call: `c`, `k`, `b` and `bs`. The argument `x` is [`given`].
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) chosen: bool,
    pub(super) steps: i64,
    pub(super) base: i64,
    pub(super) bases: Vec<i64>,
}

/// The calls of each entry.
pub(super) fn calls() -> [Call; 3] {
    [
        Call { chosen: true, steps: 2, base: 5, bases: vec![5, 8, 2] },
        Call { chosen: false, steps: 0, base: 7, bases: Vec::new() },
        Call { chosen: true, steps: 1, base: 0, bases: vec![3] },
    ]
}

/// The argument `x`: an array of the shape.
pub(super) fn given(shape: &[usize]) -> Array {
    Array::new(shape, |at| 100 + at)
}

/// How an array is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Maker {
    /// A literal of different elements.
    Literal,
    /// A literal of equal elements, so that its rows are equal.
    Equal,
    /// `replicate` in each dimension.
    Replicate,
    /// `tabulate` in each dimension.
    Tabulate,
}

impl Maker {
    pub(super) const ALL: [Self; 4] = [Self::Literal, Self::Equal, Self::Replicate, Self::Tabulate];
}

/// What the elements are counted from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Base {
    /// A number in the program.
    Constant,
    /// The variable `b`.
    Variable,
}

impl Base {
    pub(super) const ALL: [Self; 2] = [Self::Constant, Self::Variable];
}

/// Where an entry uses an array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    /// In the body of the entry.
    Top,
    /// In a step, whose number is `b`.
    Step,
}

impl Place {
    pub(super) const ALL: [Self; 2] = [Self::Top, Self::Step];
}

/// A use of an array, and its results.
pub(super) struct Use {
    pub(super) name: &'static str,
    pub(super) text: String,
    /// The components of the result, in order.
    pub(super) results: Vec<Array>,
    /// Whether a step can give the result: its sizes are known.
    pub(super) in_steps: bool,
}

/// A text, and the array that it is.
#[derive(Clone)]
struct Made {
    text: String,
    array: Array,
}

/// An array of a shape and a maker, in a call.
pub(super) struct Case<'a> {
    pub(super) shape: &'a [usize],
    pub(super) maker: Maker,
    pub(super) base: Base,
    pub(super) call: &'a Call,
}

impl Case<'_> {
    /// The type of the array.
    pub(super) fn type_text(&self) -> String {
        type_text(self.shape)
    }

    /// The array, counted from a number above the base.
    fn made(&self, above: i64) -> Made {
        let from = match self.base {
            Base::Constant => 5 + above,
            Base::Variable => self.call.base + above,
        };
        let number = |add: i64| match self.base {
            Base::Constant => format!("{}i64", 5 + above + add),
            Base::Variable => format!("b + {}", above + add),
        };
        let differs = matches!(self.maker, Maker::Literal | Maker::Tabulate);
        let array = Array::new(self.shape, |at| if differs { from + at } else { from });
        let text = match self.maker {
            Maker::Literal => self.annotated(&literal(self.shape, 0, &number)),
            Maker::Equal => self.annotated(&literal(self.shape, 0, &|_| number(0))),
            Maker::Replicate => self
                .shape
                .iter()
                .rev()
                .fold(number(0), |inner, extent| format!("replicate {extent} ({inner})")),
            Maker::Tabulate => tabulated(self.shape, &number(0)),
        };
        Made { text: format!("({text})"), array }
    }

    /// The array of zeros, made in the same way.
    fn zeros(&self) -> Made {
        let array = Array::new(self.shape, |_| 0);
        let text = match self.maker {
            Maker::Literal | Maker::Equal => {
                self.annotated(&literal(self.shape, 0, &|_| "0i64".to_string()))
            }
            Maker::Replicate | Maker::Tabulate => {
                self.shape.iter().rev().fold("0i64".to_string(), |inner, extent| {
                    format!("replicate {extent} ({inner})")
                })
            }
        };
        Made { text: format!("({text})"), array }
    }

    /// The type says the extents of an array without elements.
    fn annotated(&self, literal: &str) -> String {
        let is_empty = self.shape.contains(&0);
        if is_empty { format!("{literal}: {}", self.type_text()) } else { literal.to_string() }
    }

    /// Every use of the array.
    pub(super) fn uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        self.whole(&mut uses);
        self.mapped(&mut uses);
        self.carried(&mut uses);
        self.parts(&mut uses);
        self.passed(&mut uses);
        uses
    }

    /// Results, branches and appends.
    fn whole(&self, uses: &mut Vec<Use>) {
        let (a, b, x) = (self.made(0), self.made(10), given(self.shape));
        let chosen =
            |yes: &Array, no: &Array| if self.call.chosen { yes.clone() } else { no.clone() };
        let (p, q) = (&a.text, &b.text);
        uses.extend([
            one("made", p.clone(), a.array.clone()),
            one("chosen_made", format!("if c then {p} else x"), chosen(&a.array, &x)),
            one("chosen_given", format!("if c then x else {p}"), chosen(&x, &a.array)),
            one("chosen_both", format!("if c then {p} else {q}"), chosen(&a.array, &b.array)),
            one("appended", format!("{p} ++ {q}"), a.array.append(&b.array)),
            one("appended_behind", format!("x ++ {p}"), x.append(&a.array)),
            one("appended_before", format!("{p} ++ x"), a.array.append(&x)),
            one("reversed", format!("reverse {p}"), {
                let rows: Vec<Array> = a.array.rows().into_iter().rev().collect();
                Array::stack(&self.shape[1..], &rows)
            }),
            Use {
                in_steps: false,
                ..one("kept", format!("filter (\\_ -> c) {p}"), {
                    let none = Array::stack(&self.shape[1..], &[]);
                    chosen(&a.array, &none)
                })
            },
        ]);
        if self.shape.len() > 1 {
            uses.extend([
                one("transposed", format!("transpose {p}"), a.array.transposed()),
                one("flattened", format!("flatten {p}"), a.array.flattened()),
            ]);
        }
    }

    /// Steps over the array, and steps that make it.
    fn mapped(&self, uses: &mut Vec<Use>) {
        let (a, b, x) = (self.made(0), self.made(10), given(self.shape));
        let (p, q, k) = (&a.text, &b.text, self.call.steps);
        let (rows, inner) = (a.array.rows(), &self.shape[1..]);
        let twice: Vec<Array> =
            rows.iter().map(|row| Array::stack(inner, &[row.clone(), row.clone()])).collect();
        let others = vec![b.array.clone(); rows.len()];
        let numbered: Vec<Array> = (0..2).map(|i| a.array.map(|elem| elem + i)).collect();
        uses.extend([
            one("mapped", format!("map_s (+ k) {p}"), a.array.map(|elem| elem + k)),
            one("mapped_both", format!("map2_s (-) x {p}"), x.zip(&a.array, |x, y| x - y)),
            one("mapped_rows", format!("map (\\r -> map_s (* 2) r) {p}"), a.array.map(|x| 2 * x)),
            one(
                "rows_twice",
                format!("map (\\r -> [r, r]) {p}"),
                Array::stack(&[&[2], inner].concat(), &twice),
            ),
            one("in_each_row", format!("map (\\_ -> {q}) {p}"), Array::stack(self.shape, &others)),
            one(
                "in_each_step",
                format!("tabulate 2 (\\i -> map_s (+ i) {p})"),
                Array::stack(self.shape, &numbered),
            ),
            one(
                "literal_of",
                format!("[{p}, x, {q}]"),
                Array::stack(self.shape, &[a.array.clone(), x.clone(), b.array.clone()]),
            ),
            one(
                "replicated",
                format!("replicate 2 {p}"),
                Array::stack(self.shape, &[a.array.clone(), a.array.clone()]),
            ),
            Use {
                results: vec![a.array.clone(), x.clone()],
                ..one("zipped", format!("zip {p} x"), x.clone())
            },
        ]);
    }

    /// Loops, reductions, scans and folds that carry the array.
    fn carried(&self, uses: &mut Vec<Use>) {
        let (a, b, z, x) = (self.made(0), self.made(10), self.zeros(), given(self.shape));
        let (p, q, zero, k) = (&a.text, &b.text, &z.text, self.call.steps);
        let rank = self.shape.len();
        let moved = (0..k).sum::<i64>();
        let both = a.array.zip(&x, |x, y| x + y);
        let added: i64 = self.call.bases.iter().sum();
        let swapped = if k % 2 == 0 { [&a, &b] } else { [&b, &a] };
        let stacked = |parts: &[&Array]| {
            let parts: Vec<Array> = parts.iter().map(|&part| part.clone()).collect();
            Array::stack(self.shape, &parts)
        };
        let prefixes = |exclusive: bool| {
            let mut sum = z.array.clone();
            let sums = self.call.bases.iter().map(|&base| {
                let before = sum.clone();
                sum = sum.map(|elem| elem + base);
                if exclusive { before } else { sum.clone() }
            });
            let sums: Vec<Array> = sums.collect();
            Array::stack(self.shape, &sums)
        };
        let made_of = format!("map (\\i -> map_s (\\_ -> i) {p}) bs");
        uses.extend([
            one(
                "loop",
                format!("loop y = {p} for i < k do map_s (+ i) y"),
                a.array.map(|elem| elem + moved),
            ),
            one(
                "loop_to",
                format!("loop y = x for _ < k do {p}"),
                if k > 0 { a.array.clone() } else { x.clone() },
            ),
            one(
                "loop_of_zeros",
                format!("loop y = {zero} for i < k do map2_s (+) y {p}"),
                a.array.map(|elem| k * elem),
            ),
            one(
                "while",
                format!("(loop (y, n) = ({p}, 0) while n < k do (map_s (* 2) y, n + 1)).0"),
                a.array.map(|elem| elem << k),
            ),
            Use {
                // The sizes of what is exchanged may change.
                in_steps: false,
                results: swapped.iter().map(|made| made.array.clone()).collect(),
                ..one(
                    "loop_exchanged",
                    format!("loop (y, z) = ({p}, {q}) for _ < k do (z, y)"),
                    x.clone(),
                )
            },
            one("reduce", format!("reduce add{rank} {zero} [{p}, x]"), both.clone()),
            one("reduce_given", format!("reduce add{rank} {zero} [x, x]"), x.map(|elem| 2 * elem)),
            one(
                "reduce_made",
                format!("reduce add{rank} {zero} ({made_of})"),
                z.array.map(|_| added),
            ),
            one("scan", format!("scan add{rank} {zero} [{p}, x]"), stacked(&[&a.array, &both])),
            one("scan_made", format!("scan add{rank} {zero} ({made_of})"), prefixes(false)),
            one(
                "exscan",
                format!("exscan add{rank} {zero} [{p}, x]"),
                stacked(&[&z.array, &a.array]),
            ),
            one("exscan_made", format!("exscan add{rank} {zero} ({made_of})"), prefixes(true)),
            one(
                "fold",
                format!("fold (\\acc v -> map_s (+ v) acc) {p} bs"),
                a.array.map(|elem| elem + added),
            ),
            one(
                "fold_to",
                format!("fold (\\_ _ -> {p}) x bs"),
                if self.call.bases.is_empty() { x } else { a.array.clone() },
            ),
        ]);
    }

    /// Elements, rows, slices, updates and sizes.
    fn parts(&self, uses: &mut Vec<Use>) {
        let (a, x) = (self.made(0), given(self.shape));
        let (p, k) = (&a.text, self.call.steps);
        let (rows, inner, first) = (a.array.rows(), &self.shape[1..], self.shape[0]);
        uses.extend([
            one("size", format!("length {p}"), Array::scalar(i64::try_from(first).expect("small"))),
            one("sum", format!("reduce_s (+) 0 {p}"), Array::scalar(a.array.sum())),
            one("none", format!("{p}[:0]"), Array::stack(inner, &[])),
        ]);
        if first == 0 {
            return;
        }
        let chosen = usize::try_from(k).expect("a count") % first;
        let (row, at) = (rows[chosen].clone(), format!("k % {first}"));
        let one_row = type_text(&[&[1], inner].concat());
        let mut replaced = rows.clone();
        replaced[chosen] = x.rows()[0].clone();
        uses.extend([
            one("first", format!("{p}[0]"), rows[0].clone()),
            one("row", format!("{p}[{at}]"), row.clone()),
            one(
                "row_mapped",
                format!("let r = {p}[{at}] in map_s (* 3) r"),
                row.map(|elem| 3 * elem),
            ),
            one("from", format!("{p}[1:]"), Array::stack(inner, &rows[1..])),
            one(
                "window",
                format!("{p}[{at}:({at}) + 1] :> {one_row}"),
                Array::stack(inner, std::slice::from_ref(&row)),
            ),
            one("replaced", format!("{p} with [{at}] = x[0]"), Array::stack(inner, &replaced)),
        ]);
        let [second, rest @ ..] = inner else { return };
        let all = |part: &dyn Fn(&Array) -> Array, shape: &[usize]| {
            let parts: Vec<Array> = rows.iter().map(part).collect();
            Array::stack(shape, &parts)
        };
        uses.push(one("no_columns", format!("{p}[:, :0]"), {
            all(&|_| Array::stack(rest, &[]), &[&[0], rest].concat())
        }));
        if *second > 0 {
            let last = second - 1;
            uses.extend([
                one("row_of_row", format!("{p}[{at}, {last}]"), row.rows()[last].clone()),
                one(
                    "column",
                    format!("{p}[:, {last}]"),
                    all(&|row| row.rows()[last].clone(), rest),
                ),
                one("columns", format!("{p}[:, 1:]"), {
                    all(&|row| Array::stack(rest, &row.rows()[1..]), &[&[last], rest].concat())
                }),
            ]);
        }
    }

    /// Functions, tuples and records.
    fn passed(&self, uses: &mut Vec<Use>) {
        let (a, b, x) = (self.made(0), self.made(10), given(self.shape));
        let (p, q, k, rank) = (&a.text, &b.text, self.call.steps, self.shape.len());
        let made_in_steps = vec![a.array.clone(); self.call.bases.len()];
        let (yes, no) = if self.call.chosen { (&a.array, &x) } else { (&x, &b.array) };
        uses.extend([
            one("passed", format!("passed {p}"), a.array.clone()),
            one("called", format!("again{rank} k {p}"), a.array.map(|elem| elem + k)),
            one("field", format!("(let r = {{p = {p}, q = x}} in r.p)"), a.array.clone()),
            one(
                "field_of_steps",
                format!("map (\\r -> r.p) (map (\\i -> {{p = {p}, q = i}}) bs)"),
                Array::stack(self.shape, &made_in_steps),
            ),
            Use {
                results: vec![a.array.clone(), b.array.clone()],
                ..one("tuple", format!("({p}, {q})"), x.clone())
            },
            Use {
                results: vec![yes.clone(), no.clone()],
                ..one(
                    "records",
                    format!("if c then {{p = {p}, q = x}} else {{p = x, q = {q}}}"),
                    x.clone(),
                )
            },
        ]);
    }
}

fn one(name: &'static str, text: String, array: Array) -> Use {
    Use { name, text, results: vec![array], in_steps: true }
}

/// The type of the arrays of a shape.
pub(super) fn type_text(shape: &[usize]) -> String {
    let extents: String = shape.iter().map(|extent| format!("[{extent}]")).collect();
    format!("{extents}i64")
}

/// A literal whose first element has this number.
fn literal(shape: &[usize], first: i64, elem: &dyn Fn(i64) -> String) -> String {
    let [extent, inner @ ..] = shape else { return elem(first) };
    let size: usize = inner.iter().product();
    let part = |at: usize| {
        let skipped = i64::try_from(at * size).expect("the array is small");
        literal(inner, first + skipped, elem)
    };
    format!("[{}]", (0..*extent).map(part).collect::<Vec<_>>().join(", "))
}

/// Elements that count row by row.
fn tabulated(shape: &[usize], first: &str) -> String {
    let mut sum = first.to_string();
    for dim in 0..shape.len() {
        let size: usize = shape[dim + 1..].iter().product();
        sum.push_str(&format!(" + i{dim} * {size}"));
    }
    (0..shape.len())
        .rev()
        .fold(sum, |inner, dim| format!("tabulate {} (\\i{dim} -> {inner})", shape[dim]))
}
