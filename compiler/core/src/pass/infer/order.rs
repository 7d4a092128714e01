//! In which order definitions are looked at: what a definition uses comes before it.
//!
//! Invariant: of the prelude only what the program reaches is kept; definitions that reach each other
//! form one group.
//!
//! ```text
//! def f x = g x    def g x = h x    def h x = g x   ⇒   {g, h} recursive, {f}
//! ```

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::builtin::Member;
use super::globals::{Globals, Path, Place, module_of};
use crate::ids::{DefId, EntityRef};
use crate::ir::ast;
use crate::names::Name;
use crate::stack::deep;

/// Definitions that reach each other.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// In the order of the program.
    pub(super) defs: Vec<DefId>,
    /// Whether they do reach each other, or a single one itself.
    pub(super) recursive: bool,
}

/// Keeps the definitions that matter, and orders them; the first `library` are the prelude's.
pub(super) fn order(mut globals: Globals<'_>, library: usize) -> Globals<'_> {
    let reached = reach(&globals, library);
    let new_ids = reached.keys().enumerate().map(|(new, &old)| (old, DefId::new(new)));
    let kept: IndexMap<DefId, DefId> = new_ids.collect();
    for (&old, &new) in kept.iter().take_while(|(old, _)| old.index() < library) {
        let name = globals.defs[old].name.name.clone();
        globals.prelude.entry(name).or_insert(new);
        globals.library += 1;
    }
    globals.keep(&kept);
    let calls = reached.into_iter().map(|(from, uses)| {
        (kept[&from], uses.into_iter().map(|to| kept[&to]).collect::<Vec<_>>())
    });
    globals.groups = groups(calls.collect());
    globals
}

/// The definitions of the program, those of the prelude that they reach, and what each uses.
fn reach(globals: &Globals<'_>, library: usize) -> BTreeMap<DefId, IndexSet<DefId>> {
    let is_reduce = |id: &DefId| globals.defs[*id].name.name == "reduce";
    let reduce = globals.defs.keys().take(library).find(is_reduce);
    let mut work: Vec<DefId> = globals.defs.keys().skip(library).collect();
    let mut reached = BTreeMap::new();
    while let Some(id) = work.pop() {
        if reached.contains_key(&id) {
            continue;
        }
        let mut uses = IndexSet::new();
        for path in names_in(globals.defs[id]) {
            uses.extend(match meaning(globals, globals.places[id], &path) {
                Path::Def(def, _) => Some(def),
                Path::Member(_, Member::Reduce(_), _) | Path::Reduce(_) => reduce,
                Path::Member(..)
                | Path::Module(_)
                | Path::NoMember { .. }
                | Path::Wrong
                | Path::Unknown => None,
            });
        }
        work.extend(&uses);
        reached.insert(id, uses);
    }
    reached
}

/// What a path means where it is used.
fn meaning(globals: &Globals<'_>, place: Place, used: &Use) -> Path {
    for (at, module) in used.opened.iter().enumerate() {
        let opened = used.opened[at + 1..].to_vec();
        let module = Use { path: module.clone(), opened, is_bound: false };
        if let Some(module) = module_of(meaning(globals, place, &module), &module.path)
            && let Some(found) = globals.exported_by(module, &used.path[0])
        {
            return globals.path_from(found, &used.path);
        }
    }
    if used.is_bound { Path::Unknown } else { globals.path(place, &used.path) }
}

/// Groups the definitions by who reaches whom, callees first.
fn groups(calls: Vec<(DefId, Vec<DefId>)>) -> Vec<Group> {
    let mut graph = DiGraphMap::<u32, ()>::new();
    for (from, uses) in calls {
        graph.add_node(from.as_u32());
        for to in uses {
            graph.add_edge(from.as_u32(), to.as_u32(), ());
        }
    }
    let mut groups = Vec::new();
    for mut members in tarjan_scc(&graph) {
        members.sort_unstable();
        let recursive = members.len() > 1 || graph.contains_edge(members[0], members[0]);
        let defs = members.into_iter().map(DefId::from_u32).collect();
        groups.push(Group { defs, recursive });
    }
    groups
}

/// Names, the first of which may be a module.
type Names = Vec<Name>;

/// A path that is used, and what could give its first name a meaning.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Use {
    path: Names,
    /// The modules that are opened around it, behind where the definition binds the name; from the inside
    /// out.
    opened: Vec<Names>,
    /// Whether the definition binds the name: then only these modules count.
    is_bound: bool,
}

/// The paths that a definition uses and that may be names of others.
fn names_in(def: &ast::Def) -> IndexSet<Use> {
    let mut uses = Uses::default();
    uses.def(def);
    uses.found
}

/// Collects the names that are used and not bound.
#[derive(Default)]
struct Uses {
    found: IndexSet<Use>,
    bound: IndexMap<Name, u32>,
    order: Vec<Name>,
    /// The modules that are opened here, and how many names were bound before that.
    opened: Vec<(Names, usize)>,
}

impl Uses {
    fn def(&mut self, def: &ast::Def) {
        let mark = self.order.len();
        def.sizes.iter().for_each(|size| self.bind(size));
        def.params.iter().for_each(|param| self.pattern(param));
        def.result.iter().for_each(|ty| self.ty(ty));
        def.body.iter().for_each(|body| self.expr(body));
        self.leave(mark);
    }

    fn expr(&mut self, expr: &ast::Expr) {
        deep(|| self.parts(expr));
    }

    fn parts(&mut self, expr: &ast::Expr) {
        use ast::ExprKind as E;
        match &expr.kind {
            E::Literal(_) | E::Text(_) | E::Hole | E::Error => {}
            E::Name(name) => self.path(name),
            E::Apply(function, args) => {
                self.expr(function);
                args.iter().for_each(|arg| self.expr(arg));
            }
            E::Infix(left, op, right) => {
                self.expr(left);
                self.path(op);
                self.expr(right);
            }
            E::Neg(operand) | E::Not(operand) => self.expr(operand),
            E::SectionRight(op, operand) | E::SectionLeft(operand, op) => {
                self.path(op);
                self.expr(operand);
            }
            E::SectionPath(steps) => self.steps(steps),
            E::Attr(_, body) => self.expr(body),
            E::Opened(module, body) => {
                let names = module.quals.iter().chain([&module.name]);
                let names = names.map(|part| part.name.clone()).collect();
                self.opened.push((names, self.order.len()));
                self.expr(body);
                self.opened.pop();
            }
            E::Lambda(params, result, body) => {
                let mark = self.order.len();
                params.iter().for_each(|param| self.pattern(param));
                result.iter().for_each(|result| self.ty(result));
                self.expr(body);
                self.leave(mark);
            }
            E::Let(..) | E::LetFun(..) | E::LetUpdate(..) => self.lets(expr),
            E::Loop(data) => self.repeated(data),
            E::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            E::Match(value, cases) => {
                self.expr(value);
                for case in cases {
                    let mark = self.order.len();
                    self.pattern(&case.pat);
                    self.expr(&case.body);
                    self.leave(mark);
                }
            }
            E::Constructor(_, items) | E::Tuple(items) | E::Array(items) => {
                items.iter().for_each(|item| self.expr(item));
            }
            E::Record(fields) => fields.iter().for_each(|(_, field)| self.expr(field)),
            E::Update(whole, steps, value) => {
                self.expr(whole);
                self.steps(steps);
                self.expr(value);
            }
            E::Index(array, indices) => {
                self.expr(array);
                indices.iter().for_each(|index| self.expr(index));
            }
            E::Field(record, field) => {
                if let E::Name(name) = &record.kind {
                    let names = name.quals.iter().chain([&name.name, field]);
                    self.names(names.map(|part| part.name.clone()).collect());
                }
                self.expr(record);
            }
            E::Slice(array, dims) => {
                self.expr(array);
                dims.iter().flat_map(ast::Dim::parts).for_each(|part| self.expr(part));
            }
            E::Range(range) => {
                self.expr(&range.first);
                range.second.iter().for_each(|second| self.expr(second));
                self.expr(&range.last);
            }
            E::Assert(condition, value) => {
                self.expr(condition);
                self.expr(value);
            }
            E::Ascribe(inner, ty) | E::Coerce(inner, ty) => {
                self.expr(inner);
                self.ty(ty);
            }
        }
    }

    /// A chain of `let`s, which may be long.
    fn lets(&mut self, mut expr: &ast::Expr) {
        let mark = self.order.len();
        loop {
            if let ast::ExprKind::Let(pat, value, body) = &expr.kind {
                self.expr(value);
                self.pattern(pat);
                expr = body;
            } else if let ast::ExprKind::LetFun(def, body) = &expr.kind {
                self.def(def);
                self.bind(&def.name);
                expr = body;
            } else if let ast::ExprKind::LetUpdate(name, steps, value, body) = &expr.kind {
                self.name(&name.name);
                self.steps(steps);
                self.expr(value);
                self.bind(name);
                expr = body;
            } else {
                break self.expr(expr);
            }
        }
        self.leave(mark);
    }

    fn steps(&mut self, steps: &[ast::Step]) {
        let dims = steps.iter().flat_map(ast::Step::dims);
        dims.flat_map(ast::Dim::parts).for_each(|part| self.expr(part));
    }

    fn repeated(&mut self, data: &ast::Loop) {
        let mark = self.order.len();
        match &data.init {
            Some(init) => self.expr(init),
            None => self.pattern_names(&data.pat),
        }
        match &data.form {
            ast::LoopForm::For(counter, bound) => {
                self.expr(bound);
                self.pattern(&data.pat);
                self.bind(counter);
            }
            ast::LoopForm::In(each, array) => {
                self.expr(array);
                self.pattern(&data.pat);
                self.pattern(each);
            }
            ast::LoopForm::While(condition) => {
                self.pattern(&data.pat);
                self.expr(condition);
            }
        }
        self.expr(&data.body);
        self.leave(mark);
    }

    /// The names of a pattern that stands for the value of the same form.
    fn pattern_names(&mut self, pat: &ast::Pat) {
        let mut names = Vec::new();
        super::pattern::names_of(pat, &mut names);
        names.into_iter().for_each(|name| self.name(&name.name));
    }

    fn pattern(&mut self, pat: &ast::Pat) {
        match &pat.kind {
            ast::PatKind::Wild | ast::PatKind::Literal(..) | ast::PatKind::Error => {}
            ast::PatKind::Constructor(_, pats) => pats.iter().for_each(|pat| self.pattern(pat)),
            ast::PatKind::Name(name) => self.bind(name),
            ast::PatKind::Tuple(items) => items.iter().for_each(|item| self.pattern(item)),
            ast::PatKind::Record(fields) => {
                fields.iter().for_each(|(_, field)| self.pattern(field));
            }
            ast::PatKind::Sized(sizes, inner) => {
                sizes.iter().for_each(|size| self.bind(size));
                self.pattern(inner);
            }
            ast::PatKind::Typed(inner, ty) => {
                self.ty(ty);
                self.pattern(inner);
            }
        }
    }

    /// A type: its sizes may use names.
    fn ty(&mut self, ty: &ast::Type) {
        use ast::TypeKind as T;
        match &ty.kind {
            T::Name(_, args) => args.iter().for_each(|arg| match arg {
                ast::TypeArg::Type(ty) => self.ty(ty),
                ast::TypeArg::Size(size) => self.size(size),
            }),
            T::Tuple(items) => items.iter().for_each(|item| self.ty(item)),
            T::Record(fields) => fields.iter().for_each(|(_, field)| self.ty(field)),
            T::Sum(constructors) => {
                constructors.iter().flat_map(|(_, types)| types).for_each(|ty| self.ty(ty));
            }
            T::Array(size, element) => {
                self.size(size);
                self.ty(element);
            }
            T::Fun(param, from, to) => {
                let mark = self.order.len();
                self.ty(from);
                param.iter().for_each(|param| self.bind(param));
                self.ty(to);
                self.leave(mark);
            }
            T::Exists(sizes, body) => {
                let mark = self.order.len();
                sizes.iter().for_each(|size| self.bind(size));
                self.ty(body);
                self.leave(mark);
            }
            T::Unique(ty) => self.ty(ty),
            T::Error => {}
        }
    }

    fn size(&mut self, size: &ast::Size) {
        match size {
            ast::Size::Infer(_) => {}
            ast::Size::Expr(expr) => self.expr(expr),
        }
    }

    fn path(&mut self, path: &ast::QualName) {
        let names = path.quals.iter().chain([&path.name]);
        self.names(names.map(|part| part.name.clone()).collect());
    }

    fn name(&mut self, name: &Name) {
        self.names(vec![name.clone()]);
    }

    /// Names, the first of which may be a variable.
    fn names(&mut self, names: Names) {
        let is_bound = self.is_bound(&names[0]);
        let bound_at = self.order.iter().rposition(|name| *name == names[0]).filter(|_| is_bound);
        let is_behind = |before: usize| bound_at.is_none_or(|bound_at| bound_at < before);
        let opened = self.opened.iter().rev().filter(|(_, before)| is_behind(*before));
        let opened: Vec<_> = opened.map(|(module, _)| module.clone()).collect();
        if !is_bound || !opened.is_empty() {
            self.found.insert(Use { path: names, opened, is_bound });
        }
    }

    fn is_bound(&self, name: &Name) -> bool {
        self.bound.get(name).is_some_and(|&count| count > 0)
    }

    fn bind(&mut self, name: &ast::Ident) {
        *self.bound.entry(name.name.clone()).or_insert(0) += 1;
        self.order.push(name.name.clone());
    }

    fn leave(&mut self, mark: usize) {
        for name in self.order.split_off(mark) {
            *self.bound.get_mut(&name).expect("what is left was bound") -= 1;
        }
    }
}
