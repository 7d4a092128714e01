//! The walk over expressions: the memory that each may share, and the memory that it consumes.
//!
//! Invariant: a branch does not see what the other branches consume. After a choice, everything is consumed that one of
//! its branches consumes.
//!
//! ```text
//! if c then f xs else xs   ⇒   with f: *[n]i64 -> *[n]i64, {new, xs}, and xs is consumed
//! ```

use super::UniquenessChecker;
use super::call::tail;
use super::memory::{Aliases, AllocSite, PointsTo, SiteInfo, SiteKind};
use super::state::{Consumer, Consumption, ScopeKind, name_of};
use crate::core::{
    Accessor, Body, Case, Dim, Expr, ExprKind, Param, Pat, Type, UniquenessMarks, With,
};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

impl<'p> UniquenessChecker<'p> {
    /// An expression, which is used.
    pub(super) fn expr(&mut self, mut expr: &'p Expr) -> Aliases {
        while let ExprKind::Let(pat, value, body) = &expr.kind {
            self.binding(pat, value);
            expr = body;
        }
        let value = with_enough_stack(|| self.kind(expr));
        value.shaped(&expr.ty)
    }

    /// `let pat = value`.
    fn binding(&mut self, pat: &'p Pat, value: &'p Expr) {
        let bound = if let (Pat::Var(var, _), ExprKind::Lambda(params, body)) = (pat, &value.kind) {
            let mut marks = &self.program.vars[*var].marks;
            params.iter().for_each(|_| marks = marks.parts().1);
            let name = self.program.vars[*var].name.clone();
            self.lambda(params, body, (marks, &name), value)
        } else {
            self.expr(value)
        };
        self.bind(pat, bound, value);
    }

    fn kind(&mut self, expr: &'p Expr) -> Aliases {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Size(_)
            | ExprKind::BinOp(_)
            | ExprKind::UnOp(_)
            | ExprKind::Fma => Aliases::scalar(),
            ExprKind::Var(_) | ExprKind::Item(..) | ExprKind::Field(..) => {
                let value = self.place(expr);
                self.check_use(&value, expr);
                self.function_value(expr, &UniquenessMarks::None);
                value
            }
            ExprKind::Global(def, _) => {
                let def = &self.program.defs[*def];
                self.function_value(expr, &UniquenessMarks::None);
                if !def.params.is_empty() || matches!(def.body, Body::Intrinsic(_)) {
                    return Aliases::scalar();
                }
                let value = self.fresh_value(&expr.ty, def.span, SiteKind::Constant);
                value.all().iter().for_each(|&it| self.memories[it].name = Some(def.name.clone()));
                value
            }
            ExprKind::App(function, args) => self.call(expr, function, args),
            ExprKind::Lambda(params, body) => {
                self.function_value(expr, &UniquenessMarks::None);
                self.lambda(params, body, (&UniquenessMarks::None, &"".into()), expr)
            }
            ExprKind::Let(..) => panic!("chains of `let` are walked in a loop"),
            ExprKind::AndAlso(left, right) | ExprKind::OrElse(left, right) => {
                self.expr(left);
                self.branches(&[&**right], |walk, right| (walk.expr(right), *right))
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.branches(&[&**then, otherwise], |walk, branch| (walk.expr(branch), *branch))
            }
            ExprKind::Match(value, cases) => self.cases(value, cases),
            ExprKind::Tuple(items) => {
                Aliases::Tuple(items.iter().map(|item| self.expr(item)).collect())
            }
            ExprKind::Record(fields) => {
                let fields = fields.iter();
                Aliases::Record(
                    fields.map(|(name, field)| (name.clone(), self.expr(field))).collect(),
                )
            }
            ExprKind::Update(whole, steps, value) => self.updated(expr, whole, steps, value),
            ExprKind::Loop(data) => self.check_loop(expr, data),
            ExprKind::With(data) => self.with_loop(expr, data),
            ExprKind::Constructor(_, items) => self.all(items),
            ExprKind::Array(items) => {
                self.all(items);
                self.fresh_value(&expr.ty, expr.span, SiteKind::Fresh)
            }
            ExprKind::Text(_) => self.fresh_value(&expr.ty, expr.span, SiteKind::Fresh),
            ExprKind::Range(range) => {
                range.parts().for_each(|part| drop(self.expr(part)));
                self.fresh_value(&expr.ty, expr.span, SiteKind::Fresh)
            }
            ExprKind::Index(array, indices) => {
                let array = self.expr(array);
                self.all(indices);
                array
            }
            ExprKind::Slice(array, dims) => {
                let array = self.expr(array);
                dims.iter().flat_map(Dim::parts).for_each(|part| drop(self.expr(part)));
                array
            }
            ExprKind::Coerce(inner) => self.expr(inner),
            ExprKind::Assert(assert) => {
                self.expr(&assert.condition);
                self.expr(&assert.value)
            }
        }
    }

    /// A with-loop: its results are new arrays, and its bodies run for each index.
    fn with_loop(&mut self, whole: &'p Expr, data: &'p With) -> Aliases {
        for part in data.outer() {
            self.expr(part);
        }
        for generator in &data.generators {
            let before = self.consumed.clone();
            self.enter(ScopeKind::Loop, whole.span);
            for pat in &generator.index {
                self.named(pat, &Type::Scalar(Scalar::I64), SiteKind::Fresh);
            }
            self.expr(&generator.body);
            self.leave();
            self.consumed = before;
        }
        self.fresh_value(&whole.ty, whole.span, SiteKind::Fresh)
    }

    /// A variable or a part of one, which does not count as used yet.
    pub(super) fn place(&mut self, expr: &'p Expr) -> Aliases {
        let value = if let ExprKind::Var(var) = &expr.kind {
            self.values[*var].clone().unwrap_or_else(Aliases::scalar)
        } else if let ExprKind::Item(tuple, at) = &expr.kind {
            self.place(tuple).item(*at)
        } else if let ExprKind::Field(record, name) = &expr.kind {
            self.place(record).field(name)
        } else {
            return self.expr(expr);
        };
        value.shaped(&expr.ty)
    }

    /// Everything that some expressions may share memory with.
    fn all(&mut self, items: &'p [Expr]) -> Aliases {
        let mut all = PointsTo::new();
        for item in items {
            all.extend(self.expr(item).all());
        }
        Aliases::Data(all)
    }

    /// `whole with x[i].y = value`: the first array on the way is updated.
    fn updated(
        &mut self,
        expr: &Expr,
        whole: &'p Expr,
        steps: &'p [Accessor],
        value: &'p Expr,
    ) -> Aliases {
        let old = self.expr(whole);
        let parts = steps.iter().flat_map(Accessor::dims).flat_map(Dim::parts);
        parts.for_each(|part| drop(self.expr(part)));
        let new = self.expr(value);
        let array = steps.iter().position(|step| matches!(step, Accessor::At(_)));
        let Some(array) = array else { return old.updated(steps, new) };
        let way = &steps[..array];
        let part = way.iter().fold(old.clone(), |part, step| part.part(step));
        // The value may have consumed the array.
        self.check_use(&part, whole);
        let name = name_of(self, whole).map(|name| format!("{name}{}", written(way)));
        let how = Consumption { span: whole.span, by: Consumer::Update, name };
        let kind = if self.update(&part.all(), &how) { SiteKind::Marked } else { SiteKind::Fresh };
        let made = self.new_site(None, expr.span, kind);
        old.updated(way, Aliases::Data(PointsTo::from([made])))
    }

    /// Alternative paths: one is taken.
    fn branches<T>(
        &mut self,
        ways: &[T],
        mut walk: impl FnMut(&mut Self, &T) -> (Aliases, &'p Expr),
    ) -> Aliases {
        let before = self.consumed.clone();
        let mut after = before.clone();
        let mut value: Option<Aliases> = None;
        for way in ways {
            self.consumed.clone_from(&before);
            let (one, body) = walk(self, way);
            self.check_use(&one, tail(body));
            value = Some(match value {
                Some(value) => value.or(one),
                None => one,
            });
            for (memory, how) in std::mem::take(&mut self.consumed) {
                after.entry(memory).or_insert(how);
            }
        }
        let consumed = after.keys().filter(|memory| !before.contains_key(memory)).copied();
        let consumed = consumed.collect::<Vec<_>>();
        self.consumed = after;
        self.transferred(value.unwrap_or_else(Aliases::scalar), &consumed)
    }

    /// Memory that one branch consumes and another one gives belongs to the result, so it must have no other use.
    fn transferred(&mut self, value: Aliases, consumed: &[AllocSite]) -> Aliases {
        let mut value = value;
        for &memory in consumed {
            if value.all().contains(&memory) {
                let SiteInfo { name, span, kind } = self.memories[memory].clone();
                let own = self.new_site(name, span, kind);
                let parts = value.leaves().into_iter().cloned().map(|mut places| {
                    if places.remove(&memory) {
                        places.insert(own);
                    }
                    places
                });
                let parts = parts.collect::<Vec<_>>();
                value = value.with(&mut parts.into_iter());
            }
        }
        value
    }

    fn cases(&mut self, subject: &'p Expr, cases: &'p [Case]) -> Aliases {
        let value = self.expr(subject);
        let ways: Vec<&'p Case> = cases.iter().collect();
        self.branches(&ways, |walk, case| {
            walk.bind(&case.pat, value.clone(), subject);
            (walk.expr(&case.body), &case.body)
        })
    }

    /// Binds the names of a pattern; a name with a mark owns its value.
    pub(super) fn bind(&mut self, pat: &'p Pat, value: Aliases, from: &Expr) {
        match pat {
            Pat::Wild | Pat::Const(..) => {}
            Pat::Var(var, ty) => {
                let info = &self.program.vars[*var];
                let value = value.shaped(ty);
                self.name_sites(&value, &info.name);
                let by = Consumer::Let(info.name.clone());
                let value = self.owned(&value, &info.marks, by, from);
                self.call_marked(&value, &info.name, info.span);
                self.values[*var] = Some(value);
            }
            Pat::Tuple(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.bind(item, value.item(at), from);
                }
            }
            Pat::Record(fields) => {
                fields.iter().for_each(|(name, pat)| self.bind(pat, value.field(name), from));
            }
            Pat::Constructor(_, pats) => {
                pats.iter().for_each(|pat| self.bind(pat, Aliases::Data(value.all()), from));
            }
        }
    }

    /// The value with memory of its own in its marked parts, which are consumed.
    pub(super) fn owned(
        &mut self,
        value: &Aliases,
        marks: &UniquenessMarks,
        by: Consumer,
        from: &Expr,
    ) -> Aliases {
        let how = Consumption { span: from.span, by, name: name_of(self, from) };
        let parts = value.marked(marks).into_iter();
        let parts = parts.map(|(places, marked)| (places.clone(), marked)).collect::<Vec<_>>();
        let mut owned = Vec::new();
        for (places, marked) in parts {
            if marked && !places.is_empty() {
                self.consume(&places, &how);
                owned.push(PointsTo::from([self.new_site(None, from.span, SiteKind::Marked)]));
            } else {
                owned.push(places);
            }
        }
        value.with(&mut owned.into_iter())
    }

    fn call_marked(&mut self, value: &Aliases, name: &Name, span: Span) {
        for memory in value.all() {
            let info = &mut self.memories[memory];
            if info.kind == SiteKind::Marked && info.name.is_none() {
                (info.name, info.span) = (Some(name.clone()), span);
            }
        }
    }

    /// Binds a parameter. Its arrays belong to the caller or, where they are marked, to the function.
    pub(super) fn parameter(&mut self, pat: &'p Pat, ty: &Type) -> Aliases {
        self.named(pat, ty, SiteKind::Parameter)
    }

    /// Binds the names of a pattern to new memory: of `kind`, or marked where the names are. Gives the whole value.
    pub(super) fn named(&mut self, pat: &'p Pat, ty: &Type, kind: SiteKind) -> Aliases {
        match (pat, ty) {
            (Pat::Var(var, _), ty) => {
                let info = &self.program.vars[*var];
                let value = Aliases::of(ty, &info.marks, &mut |marked| {
                    let kind = if marked { SiteKind::Marked } else { kind };
                    PointsTo::from([self.new_site(Some(info.name.clone()), info.span, kind)])
                });
                self.values[*var] = Some(value.clone());
                value
            }
            (Pat::Tuple(items), Type::Tuple(types)) => {
                let items = items.iter().zip(types);
                Aliases::Tuple(items.map(|(item, ty)| self.named(item, ty, kind)).collect())
            }
            (Pat::Record(pats), Type::Record(types)) => {
                let field = |(name, ty): (&Name, &Type)| {
                    let pat = pats.iter().find(|(field, _)| field == name);
                    let pat = pat.map_or(&Pat::Wild, |(_, pat)| pat);
                    (name.clone(), self.named(pat, ty, kind))
                };
                Aliases::Record(types.iter().map(field).collect())
            }
            (
                Pat::Wild | Pat::Const(..) | Pat::Constructor(..) | Pat::Tuple(_) | Pat::Record(_),
                ty,
            ) => {
                let around = self.scopes.last().expect("names are bound in a scope");
                let value = self.fresh_value(ty, around.span, kind);
                self.payloads(pat, &value.all());
                value
            }
        }
    }

    /// Binds the names of the fields of a constructor. Each of them may be in the memory of the whole.
    fn payloads(&mut self, pat: &'p Pat, places: &PointsTo) {
        match pat {
            Pat::Wild | Pat::Const(..) => {}
            Pat::Var(var, ty) => {
                self.values[*var] = Some(Aliases::Data(places.clone()).shaped(ty));
            }
            Pat::Tuple(pats) | Pat::Constructor(_, pats) => {
                pats.iter().for_each(|pat| self.payloads(pat, places));
            }
            Pat::Record(fields) => {
                fields.iter().for_each(|(_, pat)| self.payloads(pat, places));
            }
        }
    }

    /// A function, as the outer memory that it uses. Where `marks` say so, its result must not be shared.
    pub(super) fn lambda(
        &mut self,
        params: &'p [Param],
        body: &'p Expr,
        (marks, name): (&UniquenessMarks, &Name),
        whole: &Expr,
    ) -> Aliases {
        let before = self.consumed.clone();
        self.enter(ScopeKind::Function, whole.span);
        for param in params {
            self.parameter(&param.pat, &param.ty);
        }
        let result = self.expr(body);
        self.result(&result, marks, body, name);
        let scope = self.leave();
        self.consumed = before;
        Aliases::Data(scope.seen.into_keys().collect())
    }
}

/// `.x.0`: the fields of a path.
fn written(fields: &[Accessor]) -> String {
    let field = |step: &Accessor| match step {
        Accessor::Item(at) => format!(".{at}"),
        Accessor::Field(name) => format!(".{name}"),
        Accessor::At(_) => String::new(),
    };
    fields.iter().map(field).collect()
}
