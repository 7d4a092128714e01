//! Arrays.
//!
//! Invariant: that of [`Writer`]; arrays with one number for their size have one size.

use arrc_syntax::prim::Scalar;

use super::{Array, Writer, int};
use crate::random::types::Ty;

impl Writer<'_> {
    /// An array of any type.
    pub(super) fn array(&mut self, depth: u32) -> Array {
        if depth == 0 {
            return self.known_array();
        }
        match self.choose(38) {
            0 | 1 => self.known_array(),
            2..=5 => self.map(depth - 1),
            6 | 7 => {
                let (array, _, elem) = self.array(depth - 1);
                let keep = self.lambda(&[&elem], |this| this.scalar(Scalar::Bool, 2));
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
                let keep = self.lambda(&[&elem], |this| this.scalar(Scalar::Bool, 1));
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
            19 | 20 => self.updated(depth - 1),
            21 => self.repeated_array(depth - 1),
            22 | 23 => self.scanned(depth - 1),
            24 | 25 => self.part(depth - 1),
            26 => self.scattered(depth - 1),
            27 => self.ordered(depth - 1),
            28..=31 => self.array_of_matrix(depth - 1),
            32 | 33 => self.flattened(depth - 1),
            34..=36 => self.by_index(depth - 1),
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

    pub(super) fn known_array(&mut self) -> Array {
        let known: Vec<Array> = self
            .scope
            .iter()
            .rev()
            .filter_map(|(name, ty)| match ty {
                Ty::Array(size, elem) => Some((name.clone(), *size, Ty::clone(elem))),
                Ty::Scalar(_)
                | Ty::Tuple(_)
                | Ty::Record(_)
                | Ty::Matrix(..)
                | Ty::Choice
                | Ty::Fun(..) => None,
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
            Ty::Fun(..)
            | Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Matrix(..)
            | Ty::Choice
            | Ty::Array(..) => None,
        });
        if let (Some((name, params, result)), 1) = (partial, self.choose(2)) {
            let (_, first) = params.split_last().expect("a function has parameters");
            let args: Vec<String> = first.iter().map(|&ty| self.scalar(ty, depth)).collect();
            let function = format!("({})", [&[name], args.as_slice()].concat().join(" "));
            return (format!("(map {function} {array})"), size, Ty::Scalar(result));
        }
        let result = self.element();
        let each = self.lambda(&[&elem], |this| this.value(&result, 2));
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
            Ty::Array(..)
            | Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Matrix(..)
            | Ty::Choice
            | Ty::Fun(..) => None,
        });
        let Some((right, y)) = partner else { return (left, size, x) };
        if self.choose(3) == 2 {
            return (format!("(zip {left} {right})"), size, Ty::Tuple(vec![x, y]));
        }
        let result = self.element();
        let each = self.lambda(&[&x, &y], |this| this.value(&result, 2));
        (format!("(map2 {each} {left} {right})"), size, result)
    }

    fn generated(&mut self, depth: u32) -> Array {
        let count = self.scalar(Scalar::I64, depth);
        // The number is always small, since compiled code would count up to a large one.
        let risk = if self.risky() { " - 2" } else { "" };
        let count = format!("({count} % 5{risk})");
        let size = self.fresh_size();
        match self.choose(3) {
            0 => (format!("(iota {count})"), size, int()),
            1 => {
                let elem = self.element();
                let each = self.lambda(&[&int()], |this| this.value(&elem, 2));
                (format!("(generate {count} {each})"), size, elem)
            }
            _ => {
                let elem = self.element();
                let value = self.value(&elem, depth);
                (format!("(replicate {count} {value})"), size, elem)
            }
        }
    }

    /// Elements at computed positions of an array that is made just before.
    fn by_index(&mut self, depth: u32) -> Array {
        let before = self.scope.len();
        let (array, size, elem) = self.array(depth);
        let name = self.bind("z", Ty::array(size, elem.clone()));
        let result = self.element();
        let each = self.lambda(&[&elem, &elem], |this| this.value(&result, 2));
        self.scope.truncate(before);
        let places = [
            "i",
            "(length Z - 1 - i)",
            "(if i == 0 then 0 else i - 1)",
            "(i64.min (i + 1) (length Z - 1))",
        ];
        let (first, second) = (self.pick(&places), self.pick(&places));
        let second = if self.risky() { "(i + 1)" } else { second };
        let text = format!(
            "(let Z = {array} in generate (length Z) (\\i -> {each} Z[{first}] Z[{second}]))"
        );
        (text.replace('Z', &name), self.fresh_size(), result)
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
            let each = self.lambda(&[&own], |this| this.value(&elem, 1));
            format!("map {each} {other}")
        };
        (format!("({left} ++ {right})"), self.fresh_size(), elem)
    }

    fn gather(&mut self, depth: u32) -> Array {
        let (array, _, elem) = self.known_array();
        let (places, size, own) = self.array(depth);
        let place = self.lambda(&[&own], |this| this.scalar(Scalar::I64, 1));
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

    /// A part for each element: a few elements, or a filter of an outer array.
    fn flattened(&mut self, depth: u32) -> Array {
        let (array, _, own) = self.array(depth);
        if self.growth == 0 || self.workers > 0 {
            let keep = self.lambda(&[&own], |this| this.scalar(Scalar::Bool, 1));
            return (format!("(filter {keep} {array})"), self.fresh_size(), own);
        }
        self.growth -= 1;
        let elem = self.element();
        let each = self.lambda(&[&own], |this| this.flat_part(&elem, 2));
        (format!("(flatmap {each} {array})"), self.fresh_size(), elem)
    }

    /// A few elements, with at most `depth` parts in each other.
    fn flat_part(&mut self, elem: &Ty, depth: u32) -> String {
        match self.choose(if depth > 0 { 6 } else { 4 }) {
            0 => {
                let (first, second) = (self.value(elem, 1), self.value(elem, 1));
                format!("[{first}, {second}]")
            }
            1 => {
                let (cond, only) = (self.scalar(Scalar::Bool, 1), self.value(elem, 1));
                format!("if {cond} then [{only}] else []")
            }
            2 => self.few(elem),
            3 => {
                let all = self.few(elem);
                let keep = self.lambda(&[elem], |this| this.scalar(Scalar::Bool, 1));
                format!("filter {keep} ({all})")
            }
            4 => {
                let (left, right) =
                    (self.flat_part(elem, depth - 1), self.flat_part(elem, depth - 1));
                format!("({left}) ++ ({right})")
            }
            _ => {
                let of = self.few(&int());
                let each = self.lambda(&[&int()], |this| this.flat_part(elem, depth - 1));
                format!("flatmap {each} ({of})")
            }
        }
    }

    /// A map of at most three positions.
    fn few(&mut self, elem: &Ty) -> String {
        let count = self.scalar(Scalar::I64, 1);
        let risk = if self.risky() { " - 1" } else { "" };
        let one = self.lambda(&[&int()], |this| this.value(elem, 1));
        format!("map {one} (iota (({count} & 3){risk}))")
    }

    fn swapped(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        match &elem {
            Ty::Tuple(items) if items.len() == 2 => {
                let swapped = items.iter().rev().cloned().collect();
                (format!("(map swap {array})"), size, Ty::Tuple(swapped))
            }
            Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Array(..)
            | Ty::Matrix(..)
            | Ty::Choice
            | Ty::Fun(..) => (array, size, elem),
        }
    }

    fn grown(&mut self, depth: u32) -> Array {
        let (array, size, elem) = self.array(depth);
        if elem != int() || self.growth == 0 {
            return (array, size, elem);
        }
        self.growth -= 1;
        let keep = self.lambda(&[&int()], |this| this.scalar(Scalar::Bool, 1));
        (format!("(grow {keep} 2 {array})"), self.fresh_size(), elem)
    }
}
