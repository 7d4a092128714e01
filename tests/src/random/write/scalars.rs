//! Scalars, and values that are made of them.
//!
//! Invariant: that of [`Writer`].

use arrc_syntax::prim::Scalar;

use super::Writer;
use crate::random::types::{SCALARS, Ty};

impl Writer<'_> {
    /// A value of a type without arrays.
    pub(super) fn value(&mut self, ty: &Ty, depth: u32) -> String {
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
            Ty::Choice => self.choice(depth),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Matrix(..) | Ty::Fun(..) => {
                panic!("{ty:?} is of scalars")
            }
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
    pub(super) fn scalar(&mut self, ty: Scalar, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.choose(22) {
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
                let f = self.lambda(&[&Ty::Scalar(ty)], |this| this.scalar(ty, depth - 1));
                let x = self.scalar(ty, depth - 1);
                self.pick(&["(twice F X)", "(repeat F 3 X)", "(X |> F)", "(flip const X (F X))"])
                    .replace('F', &f)
                    .replace('X', &x)
            }
            15 | 16 => self.repeated(ty, depth - 1),
            17 | 18 => self.matched(ty, depth - 1),
            19 => self.of_matrix(ty, depth - 1),
            20 => self.looked_up(ty, depth - 1),
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
                "(T.fma X Y X)",
                "(T.copysign X Y)",
                "(T.nextafter X Y)",
                "(T.hypot X Y)",
                "(T.cbrt X)",
                "(T.ldexp X (-3))",
                "(T.set_bit 3 X (T.get_bit 51 Y))",
                "(T.sinpi X)",
                "(T.erf X)",
                "(T.log1p (T.abs X))",
                "(X ** Y)",
                "(let p = X in let q = Y in T.(recip p + lerp 0 q 0.5))",
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
                "(X >>> (Y & 7))",
                "(T.i32 (T.popc X))",
                "(T.i32 (T.clz X - T.ctz Y))",
                "(T.mul_hi X Y)",
                "(T.mad_hi X Y 1)",
                "(T.set_bit 5 X (T.get_bit 2 Y))",
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
            let each = self.lambda(&[&elem], |this| this.scalar(ty, depth));
            let template = self.pick(&[
                "(any F A)",
                "(all F A)",
                "(reduce (||) false (map F A))",
                "(count F A > 1)",
                "(null (filter F A))",
            ]);
            return template.replace('F', &each).replace('A', &array);
        }
        let each = self.lambda(&[&elem], |this| this.scalar(ty, depth));
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
            let step = self.lambda(&[&acc, &elem], |this| this.scalar(ty, depth));
            let init = self.scalar(ty, depth);
            return format!("(fold {step} {init} {array})");
        }
        let both = Ty::Tuple(vec![acc, Ty::Scalar(self.pick(&SCALARS))]);
        let step = self.lambda(&[&both, &elem], |this| this.value(&both, depth));
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
            Ty::Fun(..)
            | Ty::Scalar(_)
            | Ty::Tuple(_)
            | Ty::Record(_)
            | Ty::Matrix(..)
            | Ty::Choice
            | Ty::Array(..) => None,
        });
        let Some((name, params)) = known else { return self.leaf(ty) };
        let args: Vec<String> = params.iter().map(|&ty| self.scalar(ty, depth)).collect();
        format!("({name} {})", args.join(" "))
    }
}

/// A literal, in parentheses if it begins with a sign.
fn signed(text: &str) -> String {
    if text.starts_with('-') { format!("({text})") } else { text.to_string() }
}
