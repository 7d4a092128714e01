//! The names in the printed text.
//!
//! Invariant: within a definition different variables, sizes and type parameters have different
//! names, different from those of definitions and from keywords.
//!
//! ```text
//! two variables x, and a definition y   ⇒   x, x_1, y
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Body, Program, SizeOrigin};
use super::is_param;
use arrc_syntax::ast::operators::is_word;
use arrc_syntax::ids::{DefId, LocalId, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};

/// Words that cannot be names.
const WORDS: [&str; 25] = [
    "assert",
    "def",
    "entry",
    "intrinsic",
    "type",
    "let",
    "in",
    "if",
    "then",
    "else",
    "with",
    "true",
    "false",
    "loop",
    "for",
    "while",
    "do",
    "match",
    "case",
    "import",
    "module",
    "external",
    "open",
    "local",
    "_",
];

/// The names of one definition.
pub(super) struct DefNames<'a> {
    pub(super) program: &'a Program,
    used: BTreeSet<Name>,
    vars: BTreeMap<LocalId, Name>,
    sizes: BTreeMap<SizeVar, Name>,
    types: BTreeMap<TypeVar, Name>,
}

/// The names of the definitions. Where two would be the same, the second has a number. No definition has the sign of
/// a built-in operator: a module may define its own `+` and also use the built-in one.
pub(super) fn globals(program: &Program) -> BTreeMap<DefId, Name> {
    let keeps_name = |id: &DefId| {
        let is_named_outside =
            matches!(program.defs[*id].body, Body::Intrinsic(_) | Body::External(_));
        program.entries.contains(id) || is_named_outside
    };
    let (fixed, free): (Vec<DefId>, Vec<DefId>) = program.defs.keys().partition(keeps_name);
    // A definition whose name is the sign of a built-in operator gets another name, since it may stand beside uses of
    // the built-in operator.
    let signs = BinOp::ALL.iter().filter(|op| op.is_infix()).map(|op| op.name());
    let mut used: BTreeSet<Name> = signs.chain(["&&", "||"]).map(Name::from).collect();
    let mut names = BTreeMap::new();
    for id in fixed.into_iter().chain(free) {
        let name = unique(&program.defs[id].name, &used);
        used.insert(name.clone());
        names.insert(id, name);
    }
    names
}

impl<'a> DefNames<'a> {
    /// A table that has the names of the definitions only.
    pub(super) fn new(program: &'a Program, globals: &BTreeMap<DefId, Name>) -> Self {
        let words = WORDS.iter().copied().chain(Scalar::ALL.iter().map(|scalar| scalar.name()));
        let used = words.map(Name::from).chain(globals.values().cloned()).collect();
        Self {
            program,
            used,
            vars: BTreeMap::new(),
            sizes: BTreeMap::new(),
            types: BTreeMap::new(),
        }
    }

    /// The name of a variable that is bound here.
    pub(super) fn bind(&mut self, var: LocalId) -> Name {
        let name = self.take(&self.program.vars[var].name.clone());
        self.vars.insert(var, name.clone());
        name
    }

    /// Ends the scope of a variable. From here on, a size that is the value of this variable has no name.
    pub(super) fn leave(&mut self, var: LocalId) {
        self.vars.remove(&var);
    }

    /// The name of a variable that is in scope.
    pub(super) fn var(&self, var: LocalId) -> Name {
        self.vars.get(&var).cloned().unwrap_or_else(|| Name::from(var.to_string()))
    }

    /// The name of a size that is bound here.
    pub(super) fn declare_size(&mut self, size: SizeVar) -> Name {
        let name = self.take(&self.program.sizes[size].name.clone());
        self.sizes.insert(size, name.clone());
        name
    }

    /// The name of a size, if it has one here.
    pub(super) fn size(&self, size: SizeVar) -> Option<Name> {
        match self.program.sizes[size].origin {
            SizeOrigin::Value(var) if !self.sizes.contains_key(&size) => {
                self.vars.get(&var).cloned()
            }
            SizeOrigin::Value(_) | SizeOrigin::Param | SizeOrigin::Exists { .. } => {
                self.sizes.get(&size).cloned()
            }
        }
    }

    /// Whether a size is a parameter that has no name yet.
    pub(super) fn is_new_param(&self, size: SizeVar) -> bool {
        is_param(self.program, size) && !self.sizes.contains_key(&size)
    }

    /// Forgets the name of a size that a type binds.
    pub(super) fn forget_size(&mut self, size: SizeVar) {
        if let Some(name) = self.sizes.remove(&size) {
            self.used.remove(&name);
        }
    }

    /// The name of a type parameter.
    pub(super) fn type_param(&mut self, var: TypeVar) -> Name {
        if let Some(name) = self.types.get(&var) {
            return name.clone();
        }
        let name = self.take(&self.program.types[var].clone());
        self.types.insert(var, name.clone());
        name
    }

    fn take(&mut self, name: &Name) -> Name {
        let name = unique(name, &self.used);
        self.used.insert(name.clone());
        name
    }
}

/// A name that is not used yet: the wished one, or the wished one with a number.
fn unique(name: &Name, used: &BTreeSet<Name>) -> Name {
    let base = match name.as_str() {
        "" => "n",
        sign if !is_word(sign) => "op",
        word => word,
    };
    let numbered = (1..).map(|number| Name::from(format!("{base}_{number}")));
    std::iter::once(name.clone())
        .filter(|name| !name.is_empty())
        .chain([Name::from(base)])
        .chain(numbered)
        .find(|name| !used.contains(name))
        .expect("there is always a further number")
}
