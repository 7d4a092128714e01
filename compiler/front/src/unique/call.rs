//! Calls, and functions as values.
//!
//! Invariant: an argument for a parameter with a mark is consumed after all arguments are computed, and no other
//! argument may share its memory.
//!
//! ```text
//! def f [n] (xs: *[n]i64) (ys: [n]i64): [n]i64
//! f xs ys   ⇒   xs is consumed; the result may be in the memory of ys
//! ```

use super::UniquenessChecker;
use super::memory::{Aliases, AllocSite, PointsTo, SiteInfo, SiteKind, holds};
use super::state::{Consumer, Consumption, name_of};
use crate::core::{Expr, ExprKind, Param, Type, UniquenessMarks};
use crate::unique::uniqueness_error::{Error, Sharing};
use arrc_syntax::names::Name;

/// A function that is called.
struct Callee {
    name: Name,
    /// One for each parameter.
    params: Vec<UniquenessMarks>,
    result: UniquenessMarks,
    /// Whether it belongs to the prelude, and so updates as `with` does.
    is_update: bool,
}

impl<'p> UniquenessChecker<'p> {
    /// A call. The function may itself be the result of a call.
    pub(super) fn call(
        &mut self,
        whole: &'p Expr,
        mut function: &'p Expr,
        args: &'p [Expr],
    ) -> Aliases {
        let mut args: Vec<&'p Expr> = args.iter().collect();
        while let ExprKind::App(inner, first) = &function.kind {
            args = first.iter().chain(args).collect();
            function = inner;
        }
        let callee = self.callee(function, args.len());
        let captured = self.function(function);
        let mut values = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            values
                .push(self.argument(arg, callee.params.get(at).unwrap_or(&UniquenessMarks::None)));
        }
        // A later argument may have consumed an earlier one.
        for (value, arg) in values.iter().zip(&args) {
            self.check_use(value, arg);
        }
        let kept = self.pass(&callee, &args, &values, &whole.ty);
        let kind = if kept.is_update { SiteKind::Marked } else { SiteKind::Fresh };
        let shared: PointsTo = kept.places.union(&captured).copied().collect();
        let own = |walk: &mut Self| PointsTo::from([walk.new_site(None, whole.span, kind)]);
        Aliases::of(&whole.ty, &callee.result, &mut |marked| {
            if marked || shared.is_empty() { own(self) } else { shared.clone() }
        })
    }

    /// The called function, and the facts on its marks.
    fn callee(&self, function: &Expr, args: usize) -> Callee {
        let (name, marks, is_update) = match self.declared(function) {
            Some((name, marks, is_update)) => (name, marks, is_update),
            None => ("the function".into(), UniquenessMarks::None, false),
        };
        let mut params = Vec::new();
        let mut rest = &marks;
        for _ in 0..args {
            let (param, result) = rest.parts();
            params.push(param.clone());
            rest = result;
        }
        Callee { name, params, result: rest.clone(), is_update }
    }

    /// The marks of a function, by its name, and whether it belongs to the prelude.
    fn declared(&self, function: &Expr) -> Option<(Name, UniquenessMarks, bool)> {
        let of = |params: &[Param]| -> Vec<UniquenessMarks> {
            params
                .iter()
                .map(|param| UniquenessMarks::of_pattern(&param.pat, &self.program.vars))
                .collect()
        };
        if let ExprKind::Global(def, _) = &function.kind {
            let def = &self.program.defs[*def];
            let marks = UniquenessMarks::functions(of(&def.params), def.marks.clone());
            Some((def.name.clone(), marks, def.span.file == self.prelude))
        } else if let ExprKind::Var(var) = &function.kind {
            let info = &self.program.vars[*var];
            matches!(function.ty, Type::Fun(..))
                .then(|| (info.name.clone(), info.marks.clone(), false))
        } else if let ExprKind::Lambda(params, _) = &function.kind {
            Some((
                "the function".into(),
                UniquenessMarks::functions(of(params), UniquenessMarks::None),
                false,
            ))
        } else {
            None
        }
    }

    /// The outer memory that a called function uses.
    fn function(&mut self, function: &'p Expr) -> PointsTo {
        if let ExprKind::Global(def, _) = &function.kind
            && !self.program.defs[*def].params.is_empty()
        {
            return PointsTo::new();
        }
        if let ExprKind::Var(_) = &function.kind {
            let value = self.place(function);
            self.check_use(&value, function);
            return value.all();
        }
        if let ExprKind::Lambda(params, body) = &function.kind {
            let name = Name::from("the function");
            return self.lambda(params, body, (&UniquenessMarks::None, &name), function).all();
        }
        self.expr(function).all()
    }

    /// An argument for a parameter with these marks.
    fn argument(&mut self, arg: &'p Expr, marks: &UniquenessMarks) -> Aliases {
        if !matches!(arg.ty, Type::Fun(..)) {
            return self.expr(arg);
        }
        self.function_value(arg, marks);
        if let ExprKind::Lambda(params, body) = &arg.kind {
            let mut result = marks;
            params.iter().for_each(|_| result = result.parts().1);
            return self.lambda(params, body, (result, &"the function".into()), arg);
        }
        let value = self.function(arg);
        Aliases::Data(value)
    }

    /// A function that is not called here. Its callers know only the marks in the type that is expected at this place.
    pub(super) fn function_value(&mut self, function: &'p Expr, expected: &UniquenessMarks) {
        let Some((name, given, is_update)) = self.declared(function) else { return };
        let (mut given, mut expected, mut ty) = (&given, expected, &function.ty);
        while let Type::Fun(_, _, result) = ty {
            let (param, rest) = given.parts();
            if !is_update && !covers(expected.parts().0, param) {
                let name = name.clone();
                self.errors.push(Error::ConsumingFunction { name, span: function.span });
                return;
            }
            (given, expected, ty) = (rest, expected.parts().1, result);
        }
        let is_lambda = matches!(function.kind, ExprKind::Lambda(..));
        if !is_lambda && holds(ty) && !covers(given, expected) {
            let (span, how) = (function.span, Sharing::Function(name));
            self.errors.push(Error::Shared { span, how, is_name: true });
        }
    }

    /// Passes the arguments of a call: memory that is not consumed may be that of the call's result.
    fn pass(
        &mut self,
        callee: &Callee,
        args: &[&'p Expr],
        values: &[Aliases],
        result: &Type,
    ) -> RetainedMemory {
        let mut kept = RetainedMemory { places: PointsTo::new(), is_update: false };
        for (at, (value, arg)) in values.iter().zip(args).enumerate() {
            let name = name_of(self, arg);
            for (places, marked) in value.marked(&callee.params[at]) {
                if !marked {
                    if may_give(&arg.ty, result) {
                        kept.places.extend(places);
                    }
                } else if callee.is_update {
                    let how =
                        Consumption { span: arg.span, by: Consumer::Update, name: name.clone() };
                    kept.is_update |= self.update(places, &how);
                } else {
                    let by = Consumer::Call(callee.name.clone());
                    let how = Consumption { span: arg.span, by, name: name.clone() };
                    self.alone(places, at, (args, values), &how);
                    self.consume(places, &how);
                }
            }
        }
        kept
    }

    /// Reports other arguments that may share the memory of a consumed array.
    fn alone(
        &mut self,
        places: &PointsTo,
        at: usize,
        (args, values): (&[&'p Expr], &[Aliases]),
        how: &Consumption,
    ) {
        for (other, (value, arg)) in values.iter().zip(args).enumerate() {
            let both = value.all().intersection(places).next().copied();
            if let Some(memory) = both.filter(|_| other != at) {
                self.used(memory, name_of(self, arg), arg.span, how.clone());
            }
        }
    }

    /// Checks the result of a function: where it is marked, its memory must not be shared.
    pub(super) fn result(
        &mut self,
        value: &Aliases,
        marks: &UniquenessMarks,
        body: &'p Expr,
        name: &Name,
    ) {
        let last = tail(body);
        self.check_use(value, last);
        let parts = value.marked(marks);
        for (at, (places, marked)) in parts.iter().enumerate() {
            if !marked {
                continue;
            }
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: PointsTo = others.flat_map(|(_, (places, _))| (*places).clone()).collect();
            let shared = places.iter().find_map(|&memory| self.sharing(memory, &others));
            if let Some(how) = shared {
                let part = component(last, value, at);
                let (span, is_name) = (part.span, name_of(self, part).is_some());
                self.errors.push(Error::Result { span, name: name.clone(), how, is_name });
                return;
            }
        }
    }

    /// Why the result shares memory outside of the function, if it does.
    fn sharing(&self, memory: AllocSite, others: &PointsTo) -> Option<Sharing> {
        let SiteInfo { name, span, kind } = self.memories[memory].clone();
        match kind {
            SiteKind::Parameter => return Some(Sharing::Parameter { name, span }),
            SiteKind::Constant => return Some(Sharing::Constant { name, span }),
            SiteKind::Fresh | SiteKind::Marked => {}
        }
        if self.is_outside(memory) {
            return Some(Sharing::Outside { name, span });
        }
        others.contains(&memory).then_some(Sharing::Twice { name, span })
    }
}

/// The memory of the arguments that is not consumed, and whether anything is updated.
struct RetainedMemory {
    places: PointsTo,
    is_update: bool,
}

/// Whether the result of a call may share memory with an argument of this type, or with the results of an argument that
/// is a function. An array of a higher rank cannot be made from an argument without a copy.
fn may_give(arg: &Type, result: &Type) -> bool {
    let Type::Fun(_, _, given) = arg else { return true };
    let mut given = &**given;
    while let Type::Fun(_, _, rest) | Type::Exists(_, rest) = given {
        given = rest;
    }
    let Some((_, highest)) = ranks(given) else { return false };
    ranks(result).is_some_and(|(lowest, _)| highest >= lowest)
}

/// The lowest and the highest rank of arrays in values of a type; none if such values contain no arrays. A type
/// parameter counts as an element, and a function as any rank.
fn ranks(ty: &Type) -> Option<(usize, usize)> {
    let all = |types: &mut dyn Iterator<Item = &Type>| {
        let ranks = types.filter_map(ranks);
        ranks.reduce(|(low, high), (lower, higher)| (low.min(lower), high.max(higher)))
    };
    match ty {
        Type::Scalar(_) => None,
        Type::Var(_) => Some((0, 0)),
        Type::Fun(..) => Some((0, usize::MAX)),
        Type::Array(_, element) => {
            let (low, high) = ranks(element).unwrap_or((0, 0));
            Some((low + 1, high.saturating_add(1)))
        }
        Type::Tuple(items) => all(&mut items.iter()),
        Type::Record(fields) => all(&mut fields.values()),
        Type::Sum(constructors) => all(&mut constructors.values().flatten()),
        Type::Exists(_, body) => ranks(body),
        Type::Hidden(hidden) => hidden.gone(),
    }
}

/// Whether marks include all others.
fn covers(marks: &UniquenessMarks, others: &UniquenessMarks) -> bool {
    match (marks, others) {
        (_, UniquenessMarks::None) | (UniquenessMarks::Unique, _) => true,
        (_, UniquenessMarks::Unique) => false,
        (marks, UniquenessMarks::Tuple(items)) => {
            items.iter().enumerate().all(|(at, item)| covers(marks.item(at), item))
        }
        (marks, UniquenessMarks::Record(fields)) => {
            fields.iter().all(|(name, field)| covers(marks.field(name), field))
        }
        // The marks of parameters that are functions are not compared.
        (_, UniquenessMarks::Fun(..)) => true,
    }
}

/// The last expression of a body.
pub(super) fn tail(mut expr: &Expr) -> &Expr {
    while let ExprKind::Let(_, _, body) = &expr.kind {
        expr = body;
    }
    expr
}

/// The part of a result, if it is written, or all of it.
pub(super) fn component<'e>(last: &'e Expr, value: &Aliases, at: usize) -> &'e Expr {
    if let (ExprKind::Tuple(items), Aliases::Tuple(values)) = (&last.kind, value) {
        let mut before = 0;
        for (item, value) in items.iter().zip(values) {
            before += value.leaves().len();
            if at < before {
                return item;
            }
        }
    }
    last
}
