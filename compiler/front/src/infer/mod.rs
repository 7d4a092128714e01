//! From the tree of the text to typed programs: names are resolved, types are inferred as by Hindley and Milner,
//! and sizes with them.
//!
//! Invariant: a program comes out only if nothing is wrong with it. Every error is reported, in the order of its
//! place, except an error that only follows from another one.
//!
//! ```text
//! def f xs = map2 (+) xs (filter (> 0) xs)
//! ⇒ error[A0301]: the arguments of `map2` have different sizes: `n` of xs, `k` of filter
//! ```
//!
//! How it works. [`environment::order`] puts callees before callers. A definition ([`decl`]) is walked once
//! ([`expr`]): each expression becomes a typed one whose types have metavariables ([`typed`]), and [`solve`] binds
//! these. An array's size is a polynomial over symbols. A size parameter, and a `?[k]` that is opened at a call, are
//! rigid: they equal nothing but themselves. The size parameters of a function that is called are metavariables. A
//! metavariable of a type remembers its bounds: to be a number, to have a field. After the walk of a definition, the
//! metavariables that are still open are generalised ([`generalise`]), and [`finish`] turns the typed expressions
//! into core.
//!
//! Who knows what. [`solve`] has the tables of types and sizes, and knows neither names nor messages. [`environment`]
//! has the names at a place, [`variables`] the variables of all definitions, [`def_state`] the state of one definition,
//! and [`report`] the errors. The `Checker` holds them together. Each other module has an `impl Checker` for one kind
//! of expression, type or check. [`error`] has a file for each family of errors. [`blame`] turns a clash of types
//! into an error, and [`cascading_errors`] leaves out the errors that only follow from another error.

mod annotation;
mod apply;
mod blame;
mod branches;
mod cascading_errors;
mod cases;
mod constant_sizes;
mod convert;
mod decl;
mod def_state;
mod defaults;
mod dimensions;
mod entry_check;
mod environment;
mod error;
mod expr;
mod external;
mod finish;
mod function;
mod generalise;
mod hidden;
mod holes;
mod letting;
mod local_instances;
mod loops;
mod marks;
mod name;
mod noting;
mod operator;
mod part;
mod pattern;
mod quotients;
mod ranks;
mod recursion;
mod report;
mod show;
mod similar;
mod solve;
mod sum;
#[cfg(test)]
pub(crate) mod tests;
mod type_limits;
mod typed;
mod update;
mod usefulness;
mod value;
mod variables;
mod vectors;
mod withs;

use self::def_state::DefState;
use self::defaults::Defaults;
use self::environment::Environment;
use self::error::Error;
use self::finish::IdTables;
use self::local_instances::LocalInstances;
use self::noting::Notes;
use self::ranks::RankInstances;
use self::report::Reporter;
use self::similar::SimilarNames;
use self::solve::Unifier;
use self::variables::Variables;
use indexmap::{IndexMap, IndexSet};

use crate::core;
use crate::core::Size;
use crate::places::Places;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::DefId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The typed program, if nothing is wrong with it, and its errors and warnings.
///
/// It has every definition of the files, and those of the prelude that they reach.
#[must_use]
pub fn infer(
    prelude: &ast::File,
    program: &ast::Program,
) -> (Option<core::Program>, Vec<Diagnostic>) {
    finished(Checker::new(prelude, program, SimilarNames::wanted()), prelude, program).0
}

/// As [`infer`], with what was found at the places of the files. `asked` is the place of a name that means nothing: the
/// names that could stand there are looked for.
#[must_use]
pub fn infer_places(
    prelude: &ast::File,
    program: &ast::Program,
    asked: Option<Span>,
) -> ((Option<core::Program>, Vec<Diagnostic>), Places) {
    let mut checker = Checker::new(prelude, program, SimilarNames::wanted());
    checker.notes = Some(Box::new(Notes::new(program, asked)));
    finished(checker, prelude, program)
}

/// The result of a walk over all definitions.
fn finished(
    mut checker: Checker<'_>,
    prelude: &ast::File,
    program: &ast::Program,
) -> ((Option<core::Program>, Vec<Diagnostic>), Places) {
    checker.abbreviations();
    let mut defs = checker.definitions();
    checker.distinct_symbols(program.root().id);
    let places = checker.take_places();
    let is_wrong = !checker.reports.all().iter().all(Error::is_warning);
    let errors = std::mem::take(&mut checker.reports).into_errors();
    let diagnostics = cascading_errors::causes(errors, &checker.names.globals);
    let all = checker.names.globals.defs.keys();
    let dropped = all.filter(|&id| checker.is_only_checked(id)).count() + checker.templates();
    if is_wrong || defs.len() + dropped < checker.names.globals.defs.len() {
        return ((None, diagnostics), places);
    }
    let root = program.root().id;
    let is_entry = |id: &DefId| checker.names.globals.is_entry(*id, root);
    let entries: Vec<DefId> = defs.keys().copied().filter(is_entry).collect();
    let entries = checker.renumbered(&mut defs, entries);
    let files = std::iter::once(prelude).chain(&program.files);
    let program = core::Program {
        library: files.filter(|file| file.is_library).map(|file| file.id).collect(),
        entries,
        defs: defs.into_values().collect(),
        vars: checker.vars.into_all(),
        sizes: checker.ids.sizes,
        types: checker.ids.types,
    };
    ((Some(program), diagnostics), places)
}

/// The errors and warnings of a program, without similar names for those that mean nothing.
#[must_use]
pub(crate) fn errors(prelude: &ast::File, program: &ast::Program) -> Vec<Diagnostic> {
    let mut checker = Checker::new(prelude, program, SimilarNames::unwanted());
    checker.abbreviations();
    checker.definitions();
    checker.distinct_symbols(program.root().id);
    let errors = std::mem::take(&mut checker.reports).into_errors();
    cascading_errors::causes(errors, &checker.names.globals)
}

/// Whether a name means something in the module of a scalar type.
pub(crate) fn is_scalar_member(name: &str) -> bool {
    Scalar::ALL.into_iter().any(|scalar| environment::builtin::member(scalar, name).is_some())
}

/// The state of the walk over a program. Each component has its own: the unifier knows neither names nor messages, and
/// the environment knows no metavariables.
struct Checker<'a> {
    /// Types and sizes: metavariables, and what they stand for.
    u: Unifier,
    /// Names, and the definitions behind them.
    names: Environment<'a>,
    /// The variables of all definitions.
    vars: Variables,
    /// The definition that is walked.
    walk: DefState,
    /// Polymorphic local functions.
    copies: LocalInstances,
    /// Definitions with shape parameters, and their instances.
    ranks: RankInstances,
    /// The types that definitions have by default.
    defaults: Defaults,
    /// The ids of finished definitions.
    ids: IdTables,
    /// The errors that were reported.
    reports: Reporter,
    /// The texts of definitions that have errors, and may be read again.
    wrong_texts: IndexSet<Span>,
    /// The values of module types, and the values of modules, that have different types.
    different: IndexSet<(Span, Span)>,
    /// The sizes that definitions are the values of, as far as their texts say.
    constants: IndexMap<DefId, Option<Size>>,
    /// The names that are similar to those that mean nothing.
    similar: SimilarNames,
    /// What is found at the places of the files, if somebody asks for it.
    notes: Option<Box<Notes>>,
}

impl<'a> Checker<'a> {
    fn new(prelude: &'a ast::File, program: &'a ast::Program, similar: SimilarNames) -> Self {
        let mut globals = environment::globals::globals(prelude, program);
        let prelude = prelude.id;
        let reports = std::mem::take(&mut globals.reports);
        Self {
            u: Unifier::new(Span::new(prelude, 0, 0)),
            names: Environment::new(globals, prelude),
            vars: Variables::default(),
            walk: DefState::default(),
            copies: LocalInstances::default(),
            ranks: RankInstances::default(),
            defaults: Defaults::default(),
            ids: IdTables::default(),
            reports,
            wrong_texts: IndexSet::new(),
            different: IndexSet::new(),
            constants: IndexMap::new(),
            similar,
            notes: None,
        }
    }

    /// Adds an error or a warning to the reports.
    fn report(&mut self, error: impl Into<Error>) {
        self.reports.push(error);
    }
}
