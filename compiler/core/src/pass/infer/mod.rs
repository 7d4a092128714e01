//! From what was written to typed programs: names are resolved, types found as Hindley and Milner
//! do, and sizes with them.
//!
//! Invariant: a program comes out only if nothing is wrong with it; everything that is wrong is
//! reported, in the order of its place, and nothing that follows from something reported.
//!
//! ```text
//! def f xs = map2 (+) xs (filter (> 0) xs)
//! ⇒ error[A0301]: the arguments of `map2` have different sizes: `n` of xs, `k` of filter
//! ```
//!
//! How it works. [`order`] puts callees before callers. A definition ([`decl`]) is walked once
//! ([`expr`]): each expression becomes a typed one whose types have metavariables, and [`unify`]
//! binds these. An array's size is a polynomial over symbols ([`sizes`]): a size parameter and what
//! `?[k]` gives at a call are rigid, equal to nothing but themselves; the size parameters of a function
//! that is called are metavariables. A metavariable of a type remembers its bounds
//! ([`bounds`]): to be a number, to have a field. When the definition is walked, the open ones are generalised
//! ([`generalise`]) and the metavariables are replaced by what was found ([`finish`]).

mod annotation;
mod apply;
mod blame;
mod bounds;
mod builtin;
mod cases;
mod consequences;
mod convert;
mod copies;
mod decl;
mod defaults;
mod dimensions;
mod error;
mod expr;
mod external;
mod finish;
mod function;
mod generalise;
mod globals;
mod holes;
mod letting;
mod loops;
mod marks;
mod measure;
mod name;
mod operator;
mod order;
mod part;
mod pattern;
mod ranks;
mod scope;
mod show;
mod sizes;
mod subst;
mod sum;
mod typed;
mod unify;
mod update;
mod usefulness;
mod value;
mod vectors;
mod withs;

#[cfg(test)]
pub(crate) mod tests;

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use self::annotation::{Abbreviation, Brought};
use self::blame::Misfit;
use self::cases::Cover;
use self::copies::Copies;
use self::decl::Known;
use self::defaults::Defaults;
use self::error::Error;
use self::finish::Ids;
use self::function::LocalFunction;
use self::globals::{Globals, Module, Place};
use self::holes::Hole;
use self::ranks::Ranks;
use self::scope::Scope;
use self::sizes::Wanted;
use self::typed::Literal;
use self::unify::Unifier;
use self::value::Value;
use crate::diagnostics::Diagnostic;
use crate::ids::{DefId, EntityRef, FileId, LocalId, PrimaryMap, SecondaryMap, TypeId};
use crate::ir::ast;
use crate::ir::core::{self, Type};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// The typed program, if nothing is wrong with it, and what there is to say about it.
///
/// It has every definition of the files, and those of the prelude that they reach.
#[must_use]
pub fn infer(
    prelude: &ast::File,
    program: &ast::Program,
) -> (Option<core::Program>, Vec<Diagnostic>) {
    let mut checker = Checker::new(globals::globals(prelude, program), prelude.id);
    checker.errors.append(&mut checker.globals.errors);
    checker.abbreviations();
    let mut defs = checker.definitions();
    checker.distinct_symbols(program.root().id);
    let is_wrong = !checker.errors.iter().all(Error::is_warning);
    let diagnostics = consequences::causes(&mut checker);
    if is_wrong || defs.len() < checker.globals.defs.len() - checker.templates() {
        return (None, diagnostics);
    }
    let root = program.root().id;
    let is_entry = |id: &DefId| checker.globals.is_entry(*id, root);
    let entries: Vec<DefId> = defs.keys().copied().filter(is_entry).collect();
    let entries = checker.renumbered(&mut defs, entries);
    let files = std::iter::once(prelude).chain(&program.files);
    let program = core::Program {
        library: files.filter(|file| file.is_library).map(|file| file.id).collect(),
        entries,
        defs: defs.into_values().collect(),
        vars: checker.vars,
        sizes: checker.ids.sizes,
        types: checker.ids.types,
    };
    (Some(program), diagnostics)
}

/// Whether a name means something in the module of a scalar type.
pub(crate) fn is_scalar_member(name: &str) -> bool {
    Scalar::ALL.into_iter().any(|scalar| builtin::member(scalar, name).is_some())
}

/// The state of the walk over a program.
struct Checker<'a> {
    /// Metavariables, and what they stand for.
    u: Unifier,
    /// The names of the definition that is being walked.
    scope: Scope,
    /// The definitions.
    globals: Globals<'a>,
    /// The facts on each definition that was walked.
    known: SecondaryMap<DefId, Option<Rc<Known>>>,
    /// The type abbreviations of the prelude and the files.
    abbreviations: PrimaryMap<TypeId, Abbreviation<'a>>,
    /// Every variable.
    vars: PrimaryMap<LocalId, core::VarInfo>,
    /// What a variable is as a size.
    values: SecondaryMap<LocalId, Value>,
    /// Local functions, for messages.
    local_params: IndexMap<LocalId, LocalFunction>,
    /// The holes of the definition that is being walked.
    holes: Vec<Hole>,
    /// Local functions that hold for many types, and their uses.
    copies: Copies,
    /// The ids of finished definitions.
    ids: Ids,
    /// The parameters around the place that is walked, for messages.
    params: Vec<(LocalId, Type)>,
    /// The local functions around the place that is walked, by name.
    local_functions: Vec<Name>,
    /// The definition that is being walked.
    current: DefId,
    /// The sizes that abbreviations bring into the result that is read, if one is.
    brought: Option<Brought>,
    /// Definitions with shape parameters, and their instances.
    ranks: Ranks,
    /// The place of the definition that is walked, among the declarations.
    place: Place,
    /// The modules that are opened around the place that is walked.
    opened: Vec<Module>,
    /// The file that is not the user's.
    prelude: FileId,
    /// Sets of patterns of the definition that is walked; each has to cover its type.
    covers: Vec<Cover>,
    /// Literals in its patterns, with their types and places.
    literal_patterns: Vec<(Literal, Type, Span)>,
    /// The types that definitions have by default.
    defaults: Defaults,
    /// The sizes in the definition that is walked that the places of calls have to tell.
    wanted: Vec<Wanted>,
    /// Whether a type or the size of an array was too large: it is told once, as types that are made of it are as large
    /// again.
    is_oversized: bool,
    /// The variables that names stand for, by the places of these, in the definition that is walked.
    uses: IndexMap<Span, LocalId>,
    /// The variables with a type error that is reported already.
    misfits: IndexSet<Misfit>,
    /// The errors.
    errors: Vec<Error>,
}

impl<'a> Checker<'a> {
    fn new(globals: Globals<'a>, prelude: FileId) -> Self {
        Self {
            u: Unifier::new(Span::new(prelude, 0, 0)),
            scope: Scope::default(),
            globals,
            known: SecondaryMap::new(),
            abbreviations: PrimaryMap::new(),
            vars: PrimaryMap::new(),
            values: SecondaryMap::new(),
            local_params: IndexMap::new(),
            holes: Vec::new(),
            copies: Copies::default(),
            ids: Ids::default(),
            params: Vec::new(),
            local_functions: Vec::new(),
            current: DefId::new(0),
            brought: None,
            ranks: Ranks::default(),
            place: Place::default(),
            opened: Vec::new(),
            prelude,
            covers: Vec::new(),
            literal_patterns: Vec::new(),
            defaults: Defaults::default(),
            wanted: Vec::new(),
            is_oversized: false,
            uses: IndexMap::new(),
            misfits: IndexSet::new(),
            errors: Vec::new(),
        }
    }

    /// Remembers something wrong.
    fn report(&mut self, error: Error) {
        self.errors.push(error);
    }
}
