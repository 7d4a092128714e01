//! The order in which definitions are walked: the definitions that a definition uses come before it.
//!
//! Invariant: only those definitions of the prelude are kept that the program reaches. Definitions that reach each
//! other form one group.
//!
//! ```text
//! def f x = g x    def g x = h x    def h x = g x   ⇒   {g, h} recursive, {f}
//! ```

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::builtin::Member;
use super::globals::{DeclPlace, DefOrigin, GlobalMeaning, Globals, ResolvedPath, module_of};
use arrc_syntax::ast;
use arrc_syntax::ast::bound_names;
use arrc_syntax::ast::bound_names::{BinderKind, ScopeVisitor};
use arrc_syntax::ids::{DefId, EntityRef};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// Definitions that reach each other.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// In the order of the program.
    pub(crate) defs: Vec<DefId>,
    /// Whether they reach each other. For a single definition, whether it reaches itself.
    pub(crate) recursive: bool,
}

/// Keeps the definitions that the program needs, and orders them. The first `library` definitions are the prelude's.
pub(crate) fn order(mut globals: Globals<'_>, library: usize) -> Globals<'_> {
    let reached = reachable_defs(&globals, library);
    let new_ids = reached.keys().enumerate().map(|(new, &old)| (old, DefId::new(new)));
    let kept: IndexMap<DefId, DefId> = new_ids.collect();
    for (&old, &new) in kept.iter().take_while(|(old, _)| old.index() < library) {
        let name = globals.defs[old].name.name.clone();
        globals.prelude.entry(name).or_insert(new);
        globals.library += 1;
    }
    globals.retain_defs(&kept);
    let calls = reached.into_iter().map(|(from, uses)| {
        (kept[&from], uses.into_iter().map(|to| kept[&to]).collect::<Vec<_>>())
    });
    globals.groups = groups(calls.collect());
    globals
}

/// The definitions of the prelude that select elements of a sorted array. They do not use `sort` by that name: else
/// they would form a group with it.
const SELECTION: [&str; 11] = [
    "for_ranks",
    "at_rank",
    "first_rank",
    "last_rank",
    "first_of",
    "rest_of",
    "highest_of",
    "slice_to",
    "slice_from",
    "slice_of",
    "highest_to",
];

/// Those that arrays sorted by a key need as well.
const OF_KEYS: [&str; 3] = ["with_positions", "ranked", "ranked_one"];

/// The definitions of the program and those of the prelude that they reach, each with the definitions that it uses.
fn reachable_defs(globals: &Globals<'_>, library: usize) -> BTreeMap<DefId, IndexSet<DefId>> {
    let in_prelude = |name: &str| {
        globals.defs.keys().take(library).find(|id| globals.defs[*id].name.name == name)
    };
    let reduce = in_prelude("reduce");
    let checked = globals.defs.keys().filter(|&id| globals.origins[id] == DefOrigin::Checked);
    let checked: IndexMap<Span, DefId> =
        checked.map(|id| (globals.defs[id].span, id)).rev().collect();
    let mut work: Vec<DefId> = globals.defs.keys().skip(library).collect();
    let mut reached = BTreeMap::new();
    while let Some(id) = work.pop() {
        if reached.contains_key(&id) {
            continue;
        }
        let mut uses = IndexSet::new();
        // What gives a value of a module type is walked before that value, and what was checked before it is applied.
        uses.extend(globals.values.get(&id).and_then(|value| match value.given {
            Some(GlobalMeaning::Def(def)) => Some(def),
            Some(GlobalMeaning::Member(_, Member::Reduce(_))) => reduce,
            Some(GlobalMeaning::Member(..) | GlobalMeaning::Module(_)) | None => None,
        }));
        if globals.origins[id] == DefOrigin::Applied {
            uses.extend(checked.get(&globals.defs[id].span));
        }
        for path in names_in(globals.defs[id]) {
            uses.extend(match meaning(globals, globals.places[id], &path) {
                ResolvedPath::Def(def, _) => Some(def),
                ResolvedPath::Member(_, Member::Reduce(_), _) | ResolvedPath::Reduce(_) => reduce,
                ResolvedPath::Member(..)
                | ResolvedPath::Module(_)
                | ResolvedPath::NoMember { .. }
                | ResolvedPath::Wrong
                | ResolvedPath::Unknown => None,
            });
        }
        // `select` puts these in place of a sort.
        let name = &globals.defs[id].name.name;
        let (is_sort, is_keyed) = (name == "sort", name == "sort_by_key");
        if (is_sort || is_keyed) && id.index() < library {
            let of_keys = OF_KEYS.iter().filter(|_| is_keyed);
            uses.extend(SELECTION.iter().chain(of_keys).filter_map(|&name| in_prelude(name)));
        }
        work.extend(&uses);
        reached.insert(id, uses);
    }
    reached
}

/// The meaning of a path where it is used.
fn meaning(globals: &Globals<'_>, place: DeclPlace, used: &PathUse) -> ResolvedPath {
    for (at, module) in used.opened.iter().enumerate() {
        let opened = used.opened[at + 1..].to_vec();
        let module = PathUse { path: module.clone(), opened, is_bound: false };
        if let Some(module) = module_of(meaning(globals, place, &module), &module.path)
            && let Some(found) = globals.exported_by(module, &used.path[0])
        {
            return globals.path_from(found, &used.path);
        }
    }
    if used.is_bound { ResolvedPath::Unknown } else { globals.path(place, &used.path) }
}

/// Groups the definitions that reach each other, callees first.
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

/// The names of a dotted path. The first name may be that of a module.
type DottedPath = Vec<Name>;

/// A path that is used, and the modules that may give its first name a meaning.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct PathUse {
    path: DottedPath,
    /// The modules that are opened around it, from the inside out. If the definition binds the name, only modules
    /// that are opened inside that binding are here.
    opened: Vec<DottedPath>,
    /// Whether the definition binds the name: then only the modules in `opened` count.
    is_bound: bool,
}

/// The paths that a definition uses and that may mean other definitions.
fn names_in(def: &ast::Def) -> IndexSet<PathUse> {
    let mut uses = FreeNames::default();
    bound_names::def(&mut uses, def);
    uses.found
}

/// Collects the names that are used and not bound.
#[derive(Default)]
struct FreeNames {
    found: IndexSet<PathUse>,
    bound: IndexMap<Name, u32>,
    order: Vec<Name>,
    /// The modules that are opened here. The number with each counts the names that were bound before it was opened.
    opened: Vec<(DottedPath, usize)>,
}

impl FreeNames {
    /// Records the use of a dotted path, unless the definition binds its first name.
    fn names(&mut self, names: DottedPath) {
        let is_bound = self.is_bound(&names[0]);
        let opened = self.opened_behind(is_bound.then_some(&names[0]));
        if !is_bound || !opened.is_empty() {
            self.found.insert(PathUse { path: names, opened, is_bound });
        }
    }

    /// The modules that are opened here, from the inside out. If a name is bound, only modules that are opened inside
    /// that binding.
    fn opened_behind(&self, bound: Option<&Name>) -> Vec<DottedPath> {
        if self.opened.is_empty() {
            return Vec::new();
        }
        let bound_at = bound.and_then(|bound| self.order.iter().rposition(|name| name == bound));
        let is_behind = |before: usize| bound_at.is_none_or(|bound_at| bound_at < before);
        let opened = self.opened.iter().rev().filter(|(_, before)| is_behind(*before));
        opened.map(|(module, _)| module.clone()).collect()
    }

    fn is_bound(&self, name: &Name) -> bool {
        self.bound.get(name).is_some_and(|&count| count > 0)
    }
}

impl ScopeVisitor for FreeNames {
    type Mark = usize;

    fn mark(&mut self) -> usize {
        self.order.len()
    }

    fn leave(&mut self, mark: usize) {
        for name in self.order.split_off(mark) {
            *self.bound.get_mut(&name).expect("what is left was bound") -= 1;
        }
    }

    fn bind(&mut self, name: &ast::Ident, _: BinderKind) {
        *self.bound.entry(name.name.clone()).or_insert(0) += 1;
        self.order.push(name.name.clone());
    }

    fn path(&mut self, path: &ast::QualName) {
        self.names(names_of(path));
    }

    fn variable(&mut self, name: &ast::Ident) {
        self.names(vec![name.name.clone()]);
    }

    fn field(&mut self, record: &ast::Expr, field: &ast::Ident) {
        if let ast::ExprKind::Name(path) = &record.kind {
            let mut names = names_of(path);
            names.push(field.name.clone());
            self.names(names);
        }
    }

    fn open(&mut self, module: &ast::QualName) {
        self.opened.push((names_of(module), self.order.len()));
    }

    fn close(&mut self) {
        self.opened.pop();
    }
}

fn names_of(path: &ast::QualName) -> DottedPath {
    path.quals.iter().chain([&path.name]).map(|part| part.name.clone()).collect()
}
