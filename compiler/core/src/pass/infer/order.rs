//! In which order definitions are looked at: what a definition uses comes before it.
//!
//! Invariant: of the prelude only what the file reaches is kept; definitions that reach each other
//! form one group.
//!
//! ```text
//! def f x = g x    def g x = h x    def h x = g x   ⇒   {g, h} recursive, {f}
//! ```

use indexmap::{IndexMap, IndexSet};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::builtin;
use crate::ids::{DefId, EntityRef, PrimaryMap};
use crate::ir::ast;
use crate::names::Name;
use crate::stack::deep;

/// The definitions that matter, and who calls whom.
#[derive(Debug, Default)]
pub(super) struct Globals<'a> {
    /// The definitions: those of the prelude that are reached, then those of the file.
    pub(super) defs: PrimaryMap<DefId, &'a ast::Def>,
    /// What a name means in the prelude.
    pub(super) prelude: IndexMap<Name, DefId>,
    /// What a name means in the file, if not what it means in the prelude.
    pub(super) file: IndexMap<Name, DefId>,
    /// Groups of definitions that reach each other, each after those that it uses.
    pub(super) groups: Vec<Group>,
    /// Every name of the prelude, for suggestions.
    pub(super) prelude_names: Vec<Name>,
    /// Definitions that share their name with an earlier one: both.
    pub(super) duplicates: Duplicates<'a>,
}

/// Pairs of places with the same name.
type Duplicates<'a> = Vec<(&'a ast::Ident, &'a ast::Ident)>;

/// Definitions that reach each other.
#[derive(Debug)]
pub(super) struct Group {
    /// In the order of the file.
    pub(super) defs: Vec<DefId>,
    /// Whether they do reach each other, or a single one itself.
    pub(super) recursive: bool,
}

/// Finds out which definitions matter, and orders them.
pub(super) fn globals<'a>(prelude: &'a ast::File, file: &'a ast::File) -> Globals<'a> {
    let mut globals = Globals::default();
    let library: IndexMap<&Name, &ast::Def> =
        defs(prelude).map(|def| (&def.name.name, def)).collect();
    let (own, duplicates) = own_defs(file);
    globals.duplicates = duplicates;
    globals.prelude_names = library.keys().map(|&name| name.clone()).collect();

    let uses: Vec<IndexSet<Name>> = own.iter().map(|def| names_in(def)).collect();
    let reached = reach(&library, &own, &uses);
    for (name, def) in library.iter().filter(|(name, _)| reached.contains_key(**name)) {
        globals.prelude.insert((*name).clone(), globals.defs.push(def));
    }
    for def in own {
        let id = globals.defs.push(def);
        globals.file.entry(def.name.name.clone()).or_insert(id);
    }
    let library_uses = globals.prelude.keys().map(|name| &reached[name]);
    let calls: Vec<&IndexSet<Name>> = library_uses.chain(&uses).collect();
    globals.groups = groups(&globals, &calls);
    globals
}

impl Globals<'_> {
    /// What a name means in a definition.
    pub(super) fn get(&self, from: DefId, name: &Name) -> Option<DefId> {
        let own = if self.is_prelude(from) { None } else { self.file.get(name) };
        own.or_else(|| self.prelude.get(name)).copied()
    }

    /// Whether a definition is one of the prelude's.
    pub(super) fn is_prelude(&self, def: DefId) -> bool {
        def.index() < self.prelude.len()
    }
}

/// The definitions of a file.
fn defs(file: &ast::File) -> impl Iterator<Item = &ast::Def> {
    file.decls.iter().filter_map(|decl| match decl {
        ast::Decl::Def(def) => Some(def),
        ast::Decl::Type(_) => None,
    })
}

/// The definitions of the file, and those that share their name with an earlier one.
fn own_defs(file: &ast::File) -> (Vec<&ast::Def>, Duplicates<'_>) {
    let mut first: IndexMap<&Name, &ast::Ident> = IndexMap::new();
    let mut duplicates = Vec::new();
    for def in defs(file) {
        match first.get(&def.name.name) {
            Some(earlier) => duplicates.push((*earlier, &def.name)),
            None => {
                first.insert(&def.name.name, &def.name);
            }
        }
    }
    (defs(file).collect(), duplicates)
}

/// The prelude's definitions that are reached from the file's, with the names they use.
fn reach(
    library: &IndexMap<&Name, &ast::Def>,
    own: &[&ast::Def],
    uses: &[IndexSet<Name>],
) -> IndexMap<Name, IndexSet<Name>> {
    let own: IndexSet<&Name> = own.iter().map(|def| &def.name.name).collect();
    let is_library = |name: &&Name| !own.contains(name);
    let mut work: Vec<Name> = uses.iter().flatten().filter(is_library).cloned().collect();
    let mut reached = IndexMap::new();
    while let Some(name) = work.pop() {
        let Some(def) = library.get(&name) else { continue };
        if reached.contains_key(&name) {
            continue;
        }
        let names = names_in(def);
        work.extend(names.iter().cloned());
        reached.insert(name, names);
    }
    reached
}

/// Groups the definitions by who reaches whom, callees first.
fn groups(globals: &Globals<'_>, calls: &[&IndexSet<Name>]) -> Vec<Group> {
    let mut graph = DiGraphMap::<u32, ()>::new();
    for (from, names) in globals.defs.keys().zip(calls) {
        graph.add_node(from.as_u32());
        for to in names.iter().filter_map(|name| globals.get(from, name)) {
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

/// The names that a definition uses and does not bind itself.
fn names_in(def: &ast::Def) -> IndexSet<Name> {
    let mut uses = Uses::default();
    uses.def(def);
    uses.found
}

/// Collects the names that are used and not bound.
#[derive(Default)]
struct Uses {
    found: IndexSet<Name>,
    bound: IndexMap<Name, u32>,
    order: Vec<Name>,
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
            E::Literal(_) | E::SectionField(_) | E::Error => {}
            E::Name(name) => self.path(name),
            E::Apply(function, args) => {
                self.expr(function);
                args.iter().for_each(|arg| self.expr(arg));
            }
            E::Infix(left, op, right) => {
                self.expr(left);
                self.name(&op.name);
                self.expr(right);
            }
            E::Neg(operand) | E::Not(operand) => self.expr(operand),
            E::SectionRight(op, operand) | E::SectionLeft(operand, op) => {
                self.name(&op.name);
                self.expr(operand);
            }
            E::Lambda(params, body) => {
                let mark = self.order.len();
                params.iter().for_each(|param| self.pattern(param));
                self.expr(body);
                self.leave(mark);
            }
            E::Let(..) | E::LetFun(..) | E::LetReplace(..) => self.lets(expr),
            E::Loop(data) => self.repeated(data),
            E::Replace(array, indices, value) => {
                self.expr(array);
                indices.iter().for_each(|index| self.expr(index));
                self.expr(value);
            }
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
            E::Update(record, _, value) => {
                self.expr(record);
                self.expr(value);
            }
            E::Index(array, indices) => {
                self.expr(array);
                indices.iter().for_each(|index| self.expr(index));
            }
            E::Field(record, field) => {
                if let E::Name(name) = &record.kind {
                    self.qualified(&name.name.name, &field.name);
                }
                self.expr(record);
            }
            E::Ascribe(inner, ty) => {
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
            } else if let ast::ExprKind::LetReplace(array, indices, value, body) = &expr.kind {
                self.name(&array.name);
                indices.iter().for_each(|index| self.expr(index));
                self.expr(value);
                self.bind(array);
                expr = body;
            } else {
                break self.expr(expr);
            }
        }
        self.leave(mark);
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
            T::Error => {}
        }
    }

    fn size(&mut self, size: &ast::Size) {
        match size {
            ast::Size::Infer(_) => {}
            ast::Size::Expr(expr) => self.expr(expr),
        }
    }

    fn path(&mut self, name: &ast::QualName) {
        match name.quals.first() {
            Some(head) => self.qualified(&head.name, &name.name.name),
            None => self.name(&name.name.name),
        }
    }

    /// `head.member`, where `head` may be a variable or a scalar type.
    fn qualified(&mut self, head: &Name, member: &Name) {
        if !self.is_bound(head) {
            self.found.extend(builtin::member_needs(head, member));
        }
        self.name(head);
    }

    fn name(&mut self, name: &Name) {
        if !self.is_bound(name) {
            self.found.insert(name.clone());
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
