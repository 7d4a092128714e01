//! Random programs over arrays: specialised and simplified, they keep their meaning and verify.

use super::{call, int, ints};

/// What a program has in scope.
#[derive(Default)]
struct Scope {
    /// Arrays of `i64`, each with the number of its size.
    arrays: Vec<(String, usize)>,
    scalars: Vec<String>,
    sizes: usize,
    text: String,
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn array(&mut self, scope: &Scope) -> (String, usize) {
        self.pick(&scope.arrays).clone()
    }

    fn scalar(&mut self, scope: &Scope) -> String {
        if self.below(3) == 0 {
            (self.below(9)).to_string()
        } else {
            self.pick(&scope.scalars).clone()
        }
    }

    /// An expression over `x` and what is in scope.
    fn worker(&mut self, scope: &Scope) -> String {
        let s = self.scalar(scope);
        let templates = [
            "x + S",
            "x * 3 - S",
            "if x > S then x else S",
            "S",
            "(x % 5) * (x % 5)",
            "x",
            "if x > 0 && x % 2 == 0 then x // 2 else 3 * x + 1",
            "i64.max x S - (x + S - S)",
        ];
        self.pick(&templates).replace('S', &s)
    }

    fn program(&mut self) -> String {
        let mut scope = Scope {
            arrays: vec![("xs".into(), 0), ("ys".into(), 1)],
            scalars: vec!["n".into(), "s".into()],
            sizes: 2,
            text: String::new(),
        };
        for number in 0..9 {
            self.statement(&mut scope, number);
        }
        let (a, b) = (self.array(&scope), self.array(&scope));
        let result =
            if a.1 == b.1 { format!("({}, [], ", a.0) } else { format!("({}, {}, ", a.0, b.0) };
        let sum = scope.scalars.join(" + ");
        format!(
            "def rep (g: i64 -> i64) (k: i64) (x: i64): i64 =\n\
             if k <= 0 then x else rep g (k - 1) (g x)\n\
             def grow [n] (g: i64 -> bool) (k: i64) (xs: [n]i64): ?[r].[r]i64 =\n\
             if k == 0 then xs else let r = grow g (k - 1) (filter g xs ++ [k])\n\
             in if length r < 3 then r ++ [n] else r\n\
             entry f [n] [m] (xs: [n]i64) (ys: [m]i64) (s: i64): ?[p][q].([p]i64, [q]i64, i64) =\n\
             {}in {result}{sum})",
            scope.text
        )
    }

    fn statement(&mut self, scope: &mut Scope, number: usize) {
        let ((a, size), (b, other)) = (self.array(scope), self.array(scope));
        let (w, s) = (self.worker(scope), self.scalar(scope));
        let name = format!("v{number}");
        let new = scope.sizes;
        scope.sizes += 1;
        let (text, sizes) = match self.below(14) {
            0 | 1 => (format!("map (\\x -> {w}) {a}"), Some(size)),
            2 => (format!("filter (\\x -> x % 3 != {s} % 3) {a}"), Some(new)),
            3 if size == other => (format!("map2 (\\x y -> y - ({w})) {a} {b}"), Some(size)),
            4 => (format!("reduce (+) 0 {a}"), None),
            5 => (format!("fold (\\acc x -> acc * 3 + ({w})) {s} {a}"), None),
            6 => (format!("iota (({s}) % 4 + 1)"), Some(new)),
            7 => {
                (format!("take_some {a} ++ filter (> 2) {b}").replace("take_some ", ""), Some(new))
            }
            8 => (
                format!("gather ({a} ++ [7]) (map (\\i -> i % (length {a} + 1)) {b})"),
                Some(other),
            ),
            9 => (
                format!("map (\\x -> reduce (+) x (map (* x) (filter (> {s}) {b}))) {a}"),
                Some(size),
            ),
            10 => (
                format!("if {s} > 2 then {a} else {b}"),
                Some(if size == other { size } else { new }),
            ),
            11 => (format!("rep (\\x -> {w}) 3 {s}"), None),
            12 => (format!("grow (\\x -> x > {s}) 3 {a}"), Some(new)),
            _ => (
                format!(
                    "let (p, q) = fold (\\(p, q) x -> (q + ({w}), p)) (0, {s}) {a} in p * 2 + q"
                ),
                None,
            ),
        };
        scope.text.push_str(&format!("let {name} = {text}\n"));
        match sizes {
            Some(size) => scope.arrays.push((name, size)),
            None => scope.scalars.push(name),
        }
    }
}

#[test]
fn random_programs_keep_their_meaning() {
    let mut random = Random(0xbeef77);
    let mut ran = 0;
    for _ in 0..400 {
        let text = random.program();
        let args = [ints(&[3, -1, 4, 1, -5]), ints(&[9, 2, 6]), int(5)];
        // `call` compares the program before and after it is simplified, and verifies both.
        ran += usize::from(call(&text, "f", &args).is_ok());
    }
    assert!(ran > 350, "nearly every program runs: {ran}");
}
