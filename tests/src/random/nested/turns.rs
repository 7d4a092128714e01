//! Writes loops whose turns hand arrays to each other: they gather from the arrays of the turn before, exchange them, append to
//! them, or keep them.

use super::write::{Length, Scope, Writer};

impl Writer<'_> {
    /// A number of turns.
    fn count(&mut self, scope: &Scope) -> String {
        if self.below(3) > 0 {
            return (self.below(4)).to_string();
        }
        let count = self.scalar(scope, 0);
        self.position(&count, 4)
    }

    /// The head of a loop: `for` or `while`, with its initial values and the condition. The last part is the next value of the counter.
    fn head(
        &mut self,
        scope: &Scope,
        (names, types, inits): (&[String], &str, &[String]),
    ) -> (String, String, String) {
        let turn = self.name("q");
        let count = self.count(scope);
        let pattern = |more: Option<String>| {
            let names = names.iter().map(|name| format!("({name}: {types})"));
            let names: Vec<String> = names.chain(more).collect();
            if let [one] = names.as_slice() {
                one.clone()
            } else {
                format!("({})", names.join(", "))
            }
        };
        let init = |more: Option<String>| {
            let inits: Vec<String> = inits.iter().cloned().chain(more).collect();
            if let [one] = inits.as_slice() {
                one.clone()
            } else {
                format!("({})", inits.join(", "))
            }
        };
        if self.below(3) > 0 {
            let head = format!("loop {} = {} for {turn} < {count} do ", pattern(None), init(None));
            return (head, turn, String::new());
        }
        let limit = self.below(90);
        let condition = format!("{turn} < {count} && {} < {limit}", self.sum(&names[0]));
        let pattern = pattern(Some(format!("({turn}: i64)")));
        let head = format!("loop {pattern} = {} while {condition} do ", init(Some("0".to_owned())));
        let next = format!("{turn} + 1");
        (head, turn, next)
    }

    /// A loop with one to three arrays of that length. The first one begins as `first`, if that is given.
    pub(super) fn turns(
        &mut self,
        length: Length,
        scope: &Scope,
        depth: u16,
        first: Option<&str>,
    ) -> String {
        let count = usize::from(1 + self.below(3));
        let names: Vec<String> = (0..count).map(|_| self.name("v")).collect();
        let mut inits: Vec<String> = Vec::new();
        for at in 0..count {
            inits.push(match (at, first) {
                (0, Some(first)) => first.to_owned(),
                (1, _) if self.below(2) == 0 => inits[0].clone(),
                (_, _) => self.array(length, scope, depth.saturating_sub(1)),
            });
        }
        let types = format!("[{}]{}", length.text(), self.elem);
        let (head, turn, counter) = self.head(scope, (&names, &types, &inits));
        let mut inside = scope.with_scalar(&self.elem_of(&turn));
        for name in &names {
            inside = inside.with_array(name, length);
        }
        let mut next: Vec<String> = names
            .iter()
            .map(|_| self.next(length, &inside, depth.saturating_sub(1), &names))
            .collect();
        let is_for = counter.is_empty();
        next.extend((!is_for).then_some(counter));
        let body = if let [one] = next.as_slice() {
            one.clone()
        } else {
            format!("({})", next.join(", "))
        };
        let whole = format!("({head}{body})");
        if count == 1 && is_for {
            return whole;
        }
        let results: Vec<String> = next.iter().map(|_| self.name("r")).collect();
        let (one, other) = (self.below(3), self.below(3));
        let [one, other] = [one, other].map(|at| &results[usize::from(at) % count]);
        let result = if one == other { one.clone() } else { self.gathered(length, one, other) };
        format!("(let ({}) = {whole} in {result})", results.join(", "))
    }

    /// An array that gathers from two arrays of its length.
    fn gathered(&mut self, length: Length, one: &str, other: &str) -> String {
        let (name, size) = (self.name("j"), length.text());
        let at = match self.below(4) {
            0 => format!("({name} + {}) % {size}", self.below(4)),
            1 => format!("i64.max 0 ({name} - {})", self.below(4)),
            2 => format!("({name} + {}) % {size}", self.position(&format!("{one}[{name}]"), 8)),
            _ if self.may_fail => format!("{name} + {}", self.below(2)),
            _ => format!("{size} - 1 - {name}"),
        };
        let op = ["+", "-", "*"][usize::from(self.below(3))];
        let elem = self.limited(&format!("{one}[{name}] {op} {other}[{at}]"));
        format!("tabulate {size} (\\{name} -> {elem})")
    }

    /// The next array of a loop, from those of the turn before.
    fn next(&mut self, length: Length, scope: &Scope, depth: u16, names: &[String]) -> String {
        let most = u16::try_from(names.len()).expect("few names");
        let mut known = || names[usize::from(self.below(most))].clone();
        let [one, other] = [known(), known()];
        let choice = if depth == 0 { self.below(4) } else { self.below(12) };
        match choice {
            0 | 1 | 4 => self.gathered(length, &one, &other),
            2 => one,
            3 => {
                let (x, y) = (self.name("x"), self.name("y"));
                let elem = self.limited(&format!("{x} * 2 - {y}"));
                format!("map2 (\\{x} {y} -> {elem}) {one} {other}")
            }
            5 => {
                let [then, otherwise] = [0; 2].map(|_| self.next(length, scope, depth - 1, names));
                let condition = self.scalar(scope, depth - 1);
                format!("(if {condition} > 2 then {then} else {otherwise})")
            }
            6 => {
                let (name, made) = (self.name("t"), self.next(length, scope, depth - 1, names));
                let scope = scope.with_array(&name, length);
                let names = [std::slice::from_ref(&name), names].concat();
                let rest = self.next(length, &scope, depth - 1, &names);
                format!("(let {name} = {made} in {rest})")
            }
            7 | 8 => self.turns(length, scope, depth - 1, Some(&one)),
            9 => {
                let (at, value) = (self.below(2), self.scalar(scope, depth - 1));
                match length {
                    Length::Two | Length::Three => format!("({one} with [{at}] = {value})"),
                    Length::Row | Length::Part => format!("reverse {one}"),
                }
            }
            10 => {
                format!("reduce (map2 (\\x y -> {})) {one} [{other}, {one}]", self.limited("x + y"))
            }
            _ => {
                let made = self.array(length, scope, depth - 1);
                let name = self.name("t");
                let rest = self.gathered(length, &one, &name);
                format!("(let {name} = {made} in {rest})")
            }
        }
    }

    /// A loop over arrays whose lengths differ between turns. The first array begins as `first` if there is one.
    pub(super) fn varied_turns(
        &mut self,
        scope: &Scope,
        depth: u16,
        first: Option<&str>,
    ) -> String {
        let count = usize::from(1 + self.below(2));
        let names: Vec<String> = (0..count).map(|_| self.name("v")).collect();
        let mut inits: Vec<String> = Vec::new();
        for at in 0..count {
            inits.push(match (at, first) {
                (0, Some(first)) => first.to_owned(),
                (1, _) if self.below(2) == 0 => inits[0].clone(),
                (_, _) => self.varied(scope, depth.saturating_sub(1)),
            });
        }
        let types = format!("[]{}", self.elem);
        let (head, turn, counter) = self.head(scope, (&names, &types, &inits));
        let mut inside = scope.with_scalar(&self.elem_of(&turn));
        inside.varied.extend(names.iter().cloned());
        let mut next: Vec<String> = names
            .iter()
            .map(|_| self.next_varied(&inside, depth.saturating_sub(1), &names))
            .collect();
        let is_for = counter.is_empty();
        next.extend((!is_for).then_some(counter));
        let body = if let [one] = next.as_slice() {
            one.clone()
        } else {
            format!("({})", next.join(", "))
        };
        let whole = format!("({head}{body})");
        if count == 1 && is_for {
            return whole;
        }
        let results: Vec<String> = next.iter().map(|_| self.name("r")).collect();
        let (one, other) = (self.below(2), self.below(2));
        let [one, other] = [one, other].map(|at| &results[usize::from(at) % count]);
        let result = if one == other { one.clone() } else { self.limited_append(one, other) };
        format!("(let ({}) = {whole} in {result})", results.join(", "))
    }

    /// An append that is not made to a long array.
    fn limited_append(&self, one: &str, other: &str) -> String {
        format!("(if length {one} < 40 && length {other} < 40 then {one} ++ {other} else {one})")
    }

    /// The next array of a loop, whose length may be another one.
    fn next_varied(&mut self, scope: &Scope, depth: u16, names: &[String]) -> String {
        let most = u16::try_from(names.len()).expect("few names");
        let mut known = || names[usize::from(self.below(most))].clone();
        let [one, other] = [known(), known()];
        let choice = if depth == 0 { self.below(6) } else { self.below(15) };
        match choice {
            0 | 6 => {
                let value = self.scalar(scope, depth.saturating_sub(1));
                format!("{one} ++ [{value}]")
            }
            1 => self.limited_append(&one, &other),
            2 => one,
            3 => {
                let (name, by) = (self.name("j"), self.below(4));
                let elem = format!("{one}[{name}] + {one}[({name} + {by}) % length {one}]");
                let elem = self.limited(&elem);
                format!("tabulate (length {one}) (\\{name} -> {elem})")
            }
            4 => {
                let name = self.name("j");
                let elem = self.limited(&format!("{one}[2 * {name}] - {one}[2 * {name} + 1]"));
                format!("tabulate (length {one} / 2) (\\{name} -> {elem})")
            }
            5 => {
                let name = self.name("e");
                let kept = self.scalar(&scope.with_scalar(&name), depth.saturating_sub(1));
                format!("filter (\\{name} -> {kept} + {name} > 1) {one}")
            }
            7 => {
                let [then, otherwise] = [0; 2].map(|_| self.next_varied(scope, depth - 1, names));
                let condition = self.scalar(scope, depth - 1);
                format!("(if {condition} > 2 then {then} else {otherwise})")
            }
            8 => {
                let (name, made) = (self.name("t"), self.next_varied(scope, depth - 1, names));
                let mut scope = scope.clone();
                scope.varied.push(name.clone());
                let names = [std::slice::from_ref(&name), names].concat();
                let rest = self.next_varied(&scope, depth - 1, &names);
                format!("(let {name} = {made} in {rest})")
            }
            9 | 10 => self.varied_turns(scope, depth - 1, Some(&one)),
            12 => {
                let by = format!("i64.min {} (length {one})", self.below(3));
                format!("{one}[{by}:] ++ {one}[:{by}]")
            }
            13 => format!("{one} ++ {other}[:i64.min 3 (length {other})]"),
            11 => format!("({one})[i64.min 1 (length {one}):]"),
            _ => {
                let made = self.varied(scope, depth - 1);
                let name = self.name("t");
                format!("(let {name} = {made} in {})", self.limited_append(&one, &name))
            }
        }
    }

    /// A loop over two matrices of `rows` and `columns`, the first of which begins as `first`.
    pub(super) fn planes(&mut self, first: &str, [rows, columns]: [&str; 2]) -> String {
        let names = [self.name("g"), self.name("h")];
        let types = format!("[{rows}][{columns}]{}", self.elem);
        let turn = self.name("q");
        let other = format!("map (\\row -> map (* 2) row) {first}");
        let next: Vec<String> = names
            .iter()
            .map(|_| {
                let [one, other] = [0; 2].map(|_| names[usize::from(self.below(2))].clone());
                match self.below(6) {
                    0 | 1 => {
                        let (down, right) = (self.below(3), self.below(3));
                        let at = format!("[(i + {down}) % {rows}, (j + {right}) % {columns}]");
                        let elem = self.limited(&format!("{one}[i, j] - {other}{at}"));
                        format!("tabulate_2d {rows} {columns} (\\i j -> {elem})")
                    }
                    2 => one,
                    3 => format!("reverse {one}"),
                    4 => {
                        let row = self.name("r");
                        let scope = Scope::default().with_scalar(&self.elem_of(&turn));
                        let made = self.scalar(&scope, 2);
                        let elem = self.limited(&format!("{made} + x"));
                        format!("map (\\{row} -> map (\\x -> {elem}) {row}) {other}")
                    }
                    _ => format!("(if {turn} % 2 == 0 then {one} else {other})"),
                }
            })
            .collect();
        let [one, other_name] = &names;
        let result = self.below(2);
        format!(
            "(loop (({one}: {types}), ({other_name}: {types})) = ({first}, {other}) for {turn} < {} do ({})).{result}",
            self.below(5),
            next.join(", ")
        )
    }

    /// A recursive function over an array whose calls become tasks. The result is the function, with its first arguments.
    pub(super) fn recursion(&mut self) -> String {
        let (walk, elem) = (self.name("walk"), self.elem);
        let name = format!("{}_{walk}", self.entry);
        let scope =
            Scope::default().with_array("part", Length::Part).with_scalar(&self.elem_of("d"));
        let base = if self.below(2) == 0 {
            self.varied_turns(&scope, 2, Some("part"))
        } else {
            self.turns(Length::Part, &scope, 2, Some("part"))
        };
        let step = self.turns(Length::Part, &scope, 2, Some("part"));
        self.functions.push_str(&format!(
            "def {name} [k] (m: i64) (c: [3][3]{elem}) (d: i64) (part: [k]{elem}): []{elem} =\n  if d < 1 || k < 2 then {base}\n  else let t = {step} in {name} m c (d - 1) (take (k / 2) t) ++ {name} m c (d - 1) (drop (k / 2) t)\n"
        ));
        format!("{name} m c")
    }

    /// The composition of the permutations that rows are, or something like them.
    pub(super) fn composition(&mut self) -> String {
        let how = ["reduce", "scan", "fold"][usize::from(self.below(3))];
        let index = self.position("x", 64);
        format!(
            "{how} (\\f g -> tabulate m (\\j -> f[g[j]])) (iota m) (map (\\row -> map (\\x -> {index} % m) row) a)"
        )
    }
}
