//! Functions in combinator normal form at random, without run-time errors: every choice is a number,
//! so that fewer and smaller numbers are simpler functions.
//!
//! Invariant: the function verifies, and its work is bounded.

use super::builder::{Builder, int};
use crate::ids::{SizeId, VarId};
use crate::ir::cnf::{Atom, Extent, Function, Op, Order, SizeDef, Type, Worker};
use crate::prim::BinOp::{self, Add, And, Gt, Lt, Max, Min, Mul, Sub};
use crate::prim::Scalar;

/// A function of two arrays and a scalar.
pub(crate) fn function(choices: &[u16]) -> Function {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let c = b.scalar("c", Scalar::I64);
    let mut random =
        Random { b, choices, arrays: vec![xs, ys], scalars: vec![c], made: 0, crosses: 0, deep: 0 };
    while !random.choices.is_empty() {
        random.step();
    }
    let Random { b, arrays, scalars, .. } = random;
    // Most of what is made last is yielded; what comes before may be used only inside.
    let results = arrays.iter().rev().take(3).chain(scalars.iter().rev().take(3));
    let results = results.copied().collect::<Vec<_>>();
    b.function("random", &results)
}

/// A function under construction, and the choices that are left.
struct Random<'a> {
    b: Builder,
    choices: &'a [u16],
    arrays: Vec<VarId>,
    scalars: Vec<VarId>,
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
            6 => self.iota(),
            7 => self.reversed(),
            8 => self.length(),
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

    fn array(&mut self) -> VarId {
        let index = self.choose(self.arrays.len());
        self.arrays[self.arrays.len() - 1 - index]
    }

    /// An array of the same size as that one.
    fn partner(&mut self, of: VarId) -> VarId {
        let size = self.b.size_of(of);
        let same = self.arrays.iter().copied().filter(|&other| self.b.size_of(other) == size);
        let same = same.collect::<Vec<_>>();
        let index = self.choose(same.len());
        same[same.len() - 1 - index]
    }

    fn atom(&mut self) -> Atom {
        let index = self.choose(self.scalars.len() + 1);
        self.scalars.get(index).map_or(int(3), |&scalar| Atom::Var(scalar))
    }

    fn op(&mut self) -> BinOp {
        [Add, Sub, Mul, Max, Min][self.choose(5)]
    }

    fn predicate(&mut self) -> Worker {
        let (op, bound) = ([Gt, Lt][self.choose(2)], self.atom());
        self.b.worker(&[("p", Scalar::I64)], |b, p| vec![b.bin("q", op, Atom::Var(p[0]), bound)])
    }

    fn map(&mut self) {
        let (input, op, by) = (self.array(), self.op(), self.atom());
        let worker =
            self.b.worker(&[("x", Scalar::I64)], |b, x| vec![b.bin("t", op, Atom::Var(x[0]), by)]);
        let name = self.name("map");
        let made = self.b.map(&name, worker, &[input]);
        self.arrays.push(made);
    }

    fn map2(&mut self) {
        let left = self.array();
        let right = self.partner(left);
        let op = self.op();
        let worker = self.b.operator(op);
        let name = self.name("both");
        let made = self.b.map(&name, worker, &[left, right]);
        self.arrays.push(made);
    }

    fn filter(&mut self) {
        let input = self.array();
        let worker = self.predicate();
        let name = self.name("kept");
        let made = self.b.filter(&name, worker, input);
        self.arrays.push(made);
    }

    fn filter_two(&mut self) {
        let input = self.array();
        let other = self.partner(input);
        let worker = self.predicate();
        let names = [self.name("kept"), self.name("kept")];
        let names = [names[0].as_str(), names[1].as_str()];
        let made = self.b.filters(&names, worker, input, &[input, other]);
        self.arrays.extend(made);
    }

    /// A part for each element: a range of a few, with two arrays, or what is kept of one.
    fn flatmap(&mut self) {
        self.crosses += 1;
        if self.crosses > 2 {
            return self.filter();
        }
        let (input, less) = (self.array(), self.predicate());
        let (op, kept) = (self.op(), self.choose(3) == 0);
        let worker = self.b.worker(&[("x", Scalar::I64)], |b, x| {
            let x = Atom::Var(x[0]);
            let low = b.bin("low", And, x, int(3));
            let Atom::Var(count) = low else { panic!("a variable was bound") };
            let same = b.worker(&[("i", Scalar::I64)], |_, i| vec![Atom::Var(i[0])]);
            let places = b.generate("places", count, same);
            let with = b.worker(&[("i", Scalar::I64)], |b, i| {
                let part = b.bin("part", op, x, Atom::Var(i[0]));
                vec![part, Atom::Var(i[0])]
            });
            let parts = b.maps(&["parts", "at"], with, &[places]);
            let parts =
                if kept { b.filters(&["few", "at"], less, parts[0], &parts) } else { parts };
            parts.into_iter().map(Atom::Var).collect()
        });
        let names = [self.name("flat"), self.name("flat")];
        let size = self.b.size(&format!("n_{}", names[0]), SizeDef::Exists);
        let made = names.map(|name| self.new_array(&name, size));
        self.b.bind(made.to_vec(), Op::FlatMap { worker, inputs: vec![input] });
        self.arrays.extend(made);
    }

    fn reduce(&mut self) {
        let (input, op) = (self.array(), [Add, Max][self.choose(2)]);
        let name = self.name("sum");
        let made = self.b.reduce(&name, op, int(0), input);
        self.scalars.push(made);
    }

    /// A strict fold with two accumulators.
    fn fold_two(&mut self) {
        let input = self.array();
        let params = [("a", Scalar::I64), ("b", Scalar::I64), ("x", Scalar::I64)];
        let worker = self.b.worker(&params, |b, p| {
            let [last, least, x] = [p[0], p[1], p[2]].map(Atom::Var);
            let next = b.bin("next", Sub, x, last);
            vec![next, b.bin("least", Min, least, x)]
        });
        let names = [self.name("last"), self.name("least")];
        let results = names.map(|name| self.b.var(&name, Type::Scalar(Scalar::I64)));
        let init = vec![int(1), self.atom()];
        let op = Op::Fold { order: Order::Strict, worker, init, inputs: vec![input] };
        self.b.bind(results.to_vec(), op);
        self.scalars.extend(results);
    }

    fn cross(&mut self) {
        self.crosses += 1;
        if self.crosses > 2 {
            return self.map();
        }
        let (left, right) = (self.array(), self.array());
        let names = [self.name("left"), self.name("right")];
        let made = self.b.cross([&names[0], &names[1]], left, right);
        self.arrays.extend(made);
    }

    /// Positions of an array, the last one first.
    fn iota(&mut self) {
        let made = self.positions();
        self.arrays.push(made);
    }

    fn positions(&mut self) -> VarId {
        let of = self.array();
        let names = [self.name("length"), self.name("positions")];
        let n = self.b.length(&names[0], of);
        let worker = self.b.worker(&[("i", Scalar::I64)], |b, i| {
            let last = b.bin("last", Sub, Atom::Var(n), int(1));
            vec![b.bin("j", Sub, last, Atom::Var(i[0]))]
        });
        self.scalars.push(n);
        self.b.generate(&names[1], n, worker)
    }

    /// A gather that cannot fail.
    fn reversed(&mut self) {
        let data = self.array();
        let names = [self.name("length"), self.name("back"), self.name("picked")];
        let n = self.b.length(&names[0], data);
        let worker = self.b.worker(&[("i", Scalar::I64)], |b, i| {
            let last = b.bin("last", Sub, Atom::Var(n), int(1));
            vec![b.bin("j", Sub, last, Atom::Var(i[0]))]
        });
        let indices = self.b.generate(&names[1], n, worker);
        let made = self.b.gather(&names[2], data, indices);
        self.arrays.extend([indices, made]);
    }

    fn length(&mut self) {
        let of = self.array();
        let name = self.name("length");
        let made = self.b.length(&name, of);
        self.scalars.push(made);
    }

    fn scalar(&mut self) {
        let (op, left, right) = (self.op(), self.atom(), self.atom());
        let name = self.name("s");
        if let Atom::Var(made) = self.b.bin(&name, op, left, right) {
            self.scalars.push(made);
        }
    }

    /// A map whose worker has combinators of its own.
    fn map_nested(&mut self) {
        self.deep += 1;
        if self.deep > 2 {
            return self.map();
        }
        let (input, whole) = (self.array(), self.array());
        let (op, less) = (self.op(), self.predicate());
        let worker = self.b.worker(&[("x", Scalar::I64)], |b, x| {
            let scaled = b.worker(&[("y", Scalar::I64)], |b, y| {
                vec![b.bin("z", op, Atom::Var(x[0]), Atom::Var(y[0]))]
            });
            let inner = b.map("inner", scaled, &[whole]);
            let few = b.filter("few", less, inner);
            let most = b.reduce("most", Max, Atom::Var(x[0]), few);
            let sum = b.reduce("sum", Add, int(0), inner);
            vec![b.bin("t", Add, Atom::Var(most), Atom::Var(sum))]
        });
        let name = self.name("nested");
        let made = self.b.map(&name, worker, &[input]);
        self.arrays.push(made);
    }

    /// A map that hands on one of its inputs, and makes one array twice.
    fn handed_on(&mut self) {
        let left = self.array();
        let right = self.partner(left);
        let params = [("x", Scalar::I64), ("y", Scalar::I64)];
        let worker = self.b.worker(&params, |b, p| {
            let sum = b.bin("sum", Add, Atom::Var(p[0]), Atom::Var(p[1]));
            vec![Atom::Var(p[1]), sum, sum]
        });
        let names = [self.name("same"), self.name("sums"), self.name("again")];
        let names = names.iter().map(String::as_str).collect::<Vec<_>>();
        let made = self.b.maps(&names, worker, &[left, right]);
        self.arrays.extend(made);
    }

    fn append(&mut self) {
        let (left, right) = (self.array(), self.array());
        let sides = [left, right].map(|side| Extent::Size(self.b.size_of(side)));
        let name = self.name("joined");
        let size = self.b.size(&format!("n_{name}"), SizeDef::Sum(sides[0], sides[1]));
        let made = self.new_array(&name, size);
        self.b.bind(vec![made], Op::Append { left: vec![left], right: vec![right] });
        self.arrays.push(made);
    }

    /// An `if` with an array of this size in one branch, and itself in the other.
    fn branch(&mut self) {
        let (input, op, by) = (self.array(), self.op(), self.atom());
        let name = self.name("either");
        let holds = format!("{name}_holds");
        let cond = self.b.bin(&holds, Gt, by, int(0));
        let then = self.b.block(|b| {
            let worker =
                b.worker(&[("x", Scalar::I64)], |b, x| vec![b.bin("t", op, Atom::Var(x[0]), by)]);
            let changed = b.map("changed", worker, &[input]);
            let sum = b.reduce("sum", Add, by, changed);
            vec![Atom::Var(changed), Atom::Var(sum)]
        });
        let otherwise = self.b.block(|_| vec![Atom::Var(input), by]);
        let size = self.b.size_of(input);
        let array = self.new_array(&name, size);
        let scalar = self.b.var(&format!("{name}_sum"), Type::Scalar(Scalar::I64));
        self.b.bind(vec![array, scalar], Op::If { cond, then, otherwise });
        self.arrays.push(array);
        self.scalars.push(scalar);
    }

    fn literal(&mut self) {
        let elems = vec![self.atom(), int(-1), self.atom()];
        let name = self.name("literal");
        // A size of its own, although it is known: sizes are symbols here.
        let size = self.b.size(&format!("n_{name}"), SizeDef::Exists);
        let made = self.new_array(&name, size);
        self.b.bind(vec![made], Op::Array { elem: Scalar::I64, elems });
        self.arrays.push(made);
    }

    /// A map whose worker asks for the length of another array.
    fn lengths_inside(&mut self) {
        let (input, of) = (self.array(), self.array());
        let worker = self.b.worker(&[("x", Scalar::I64)], |b, x| {
            let n = b.length("n", of);
            vec![b.bin("t", Add, Atom::Var(x[0]), Atom::Var(n))]
        });
        let name = self.name("longer");
        let made = self.b.map(&name, worker, &[input]);
        self.arrays.push(made);
    }

    fn new_array(&mut self, name: &str, size: SizeId) -> VarId {
        let shape = vec![Extent::Size(size)];
        self.b.var(name, Type::Array { elem: Scalar::I64, shape })
    }
}
