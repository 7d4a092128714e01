//! From core to combinator normal form, by normalisation by evaluation (`docs/dev/fusion.md`).
//!
//! An expression of core is evaluated to a [`value::Value`]: tuples, records and functions are values
//! that exist while compiling, scalars and arrays are variables of the function that is being
//! [`build`](build::Builder)t, and evaluating an operation emits its binding. So every call is inlined;
//! only a call of a recursive definition becomes a call, of a function that is specialised to the
//! types and the functions that it is called with.
//!
//! Invariant: the result verifies as `cnf`; each scalar and array of a value is computed once.
//!
//! ```text
//! let left = filter (\(_, d) -> d > 0) (zip ps (map (area a b) ps))
//! ⇒ d                          = map (\p_x p_y -> …) ps_x ps_y
//!   left_0_x, left_0_y, left_1 = filter (\d -> d > 0.0) d keeping ps_x ps_y d
//! ```

mod apply;
mod argument;
mod branch;
mod build;
mod call;
mod carried_sizes;
mod check;
mod comparison;
mod describe;
mod dispatch;
mod entry;
mod entry_signature;
mod env;
mod error;
mod expected_result;
mod expr;
mod extent;
mod external;
mod flatmap;
mod free;
mod intrinsic;
mod literal;
mod loops;
mod matching;
mod order_bits;
mod partition_op;
mod range;
mod realise;
mod size;
mod slice_expr;
mod sorting_network;
mod specialisations;
mod tags;
#[cfg(test)]
mod tests;
mod traces;
mod update;
mod value;
mod value_tree;
mod withs;

use std::rc::Rc;

use indexmap::IndexMap;

use self::build::Builder;
use self::error::{Error, Eval};
use self::external::Externals;
use self::free::Free;
use self::specialisations::{Pending, Specialisations};
use self::value::{Leaf, Value};
use crate::cnf;
use crate::cnf::Atom;
use arrc_front::core;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::{DefId, LocalId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::{Calls, Span};

/// How many specialisations of one definition may need each other in a chain.
const MAX_CHAIN: usize = 40;
/// How many bindings one function may have.
const MAX_BINDS: u32 = 400_000;
/// How many expressions may be evaluated for one function.
const MAX_STEPS: u32 = 20_000_000;
/// How many leaves a tuple or a record may have.
const MAX_LEAVES: usize = 100_000;

/// What becomes of the traces of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Traces {
    /// They are left out.
    #[default]
    Removed,
    /// They print their values.
    Printed,
}

impl Traces {
    /// Printed if they are asked for.
    #[must_use]
    pub fn asked(are_asked: bool) -> Self {
        if are_asked { Self::Printed } else { Self::Removed }
    }
}

/// Specialises a program: the entries, and what they need.
///
/// # Errors
/// The errors that make entries impossible to compile, in the order of the text: functions as data, specialisation
/// without an end.
pub fn specialise(core: &core::Program, traces: Traces) -> Result<cnf::Program, Vec<Diagnostic>> {
    let mut specialiser = Specialiser::new(core, traces);
    for &entry in &core.entries {
        if let Err(error) = specialiser.entry(entry) {
            specialiser.errors.push(*error);
        }
    }
    while let Some(pending) = specialiser.functions.pop() {
        if let Err(error) = specialiser.function(pending) {
            if matches!(*error, Error::Endless { .. }) {
                specialiser.functions.drop_pending();
            }
            specialiser.errors.push(*error);
        }
    }
    specialiser.finish()
}

/// The state of specialising one program.
struct Specialiser<'a> {
    core: &'a core::Program,
    /// The function that is being built.
    build: Builder,
    /// The function that evaluation is in.
    present: CurrentFunction,
    /// All functions.
    functions: Specialisations<'a>,
    entries: Vec<cnf::Entry>,
    /// The C functions that are called so far.
    externals: Externals,
    traces: Traces,
    /// What each lambda uses, by the lambda's address.
    lambdas: IndexMap<*const core::Expr, Rc<Free>>,
    /// The sizes whose values are variables.
    integers: IndexMap<LocalId, SizeVar>,
    /// The calls whose functions were evaluated in the place of the call.
    calls: Calls,
    errors: Vec<Error>,
}

/// The function that evaluation is in.
#[derive(Default)]
struct CurrentFunction {
    /// The definition that it is of.
    name: Name,
    /// The specialisations that led to it, oldest first.
    chain: Vec<DefId>,
    /// The bindings that are being evaluated, outermost first.
    lets: Vec<Name>,
    /// How many expressions were evaluated.
    steps: u32,
}

impl CurrentFunction {
    /// Nothing is evaluated yet.
    fn new(name: Name, chain: Vec<DefId>) -> Self {
        Self { name, chain, ..Self::default() }
    }
}

impl<'a> Specialiser<'a> {
    fn new(core: &'a core::Program, traces: Traces) -> Self {
        Self {
            core,
            build: Builder::new(),
            present: CurrentFunction::default(),
            functions: Specialisations::new(
                core.entries.iter().map(|&def| core.defs[def].name.clone()).collect(),
            ),
            entries: Vec::new(),
            externals: Externals::new(core),
            traces,
            lambdas: IndexMap::new(),
            integers: (core.sizes.iter())
                .filter_map(|(size, info)| match info.origin {
                    core::SizeOrigin::Value(var) => Some((var, size)),
                    core::SizeOrigin::Param | core::SizeOrigin::Exists { .. } => None,
                })
                .collect(),
            calls: Calls::default(),
            errors: Vec::new(),
        }
    }

    /// Builds a specialisation of a recursive definition.
    fn function(&mut self, pending: Pending<'a>) -> Eval<()> {
        let Pending { func, name, def, build, mut env, chain } = pending;
        let data = &self.core.defs[def];
        self.begin(build, CurrentFunction::new(data.name.clone(), chain));
        let core::Body::Expr(body) = &data.body else {
            panic!("an intrinsic is not recursive, and {} is", data.name);
        };
        let result = self.eval(&mut env, body)?;
        let results: Vec<_> = result.leaves().into_iter().map(atoms).collect();
        let build = std::mem::replace(&mut self.build, Builder::new());
        let function = build.finish(name, data.span, data.recursive, results.concat());
        self.functions.define(func, function);
        Ok(())
    }

    /// Starts another function.
    fn begin(&mut self, build: Builder, present: CurrentFunction) {
        self.build = build;
        self.present = present;
    }

    fn finish(self) -> Result<cnf::Program, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            let mut diagnostics: Vec<Diagnostic> = Vec::new();
            for error in self.errors {
                let diagnostic = error.into();
                // The same place may be inlined into several entries.
                if !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
            diagnostics
                .sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
            return Err(diagnostics);
        }
        let Self { functions, externals, entries, calls, .. } = self;
        let mut functions = functions.finish();
        cnf::mark_effects(&mut functions);
        Ok(cnf::Program { functions, externals: externals.finish(), entries, calls })
    }

    /// The innermost binding that is being evaluated.
    fn binding(&self) -> Option<Name> {
        self.present.lets.last().cloned()
    }

    /// Checks that a value does not have too many leaves. A few calls of polymorphic functions that double their
    /// argument would make more than fit into memory.
    fn not_too_large(&self, value: &Value<'_>, span: Span) -> Eval<()> {
        if value.exceeds(MAX_LEAVES) {
            return Err(Box::new(Error::TooLarge { span, entry: self.present.name.clone() }));
        }
        Ok(())
    }

    /// Counts a step of evaluation.
    fn step(&mut self, span: Span) -> Eval<()> {
        self.present.steps += 1;
        if self.present.steps > MAX_STEPS || self.build.emitted > MAX_BINDS {
            return Err(Box::new(Error::TooLarge { span, entry: self.present.name.clone() }));
        }
        Ok(())
    }
}

/// The atoms of a leaf that is data.
fn atoms(leaf: &Leaf<'_>) -> Vec<Atom> {
    match leaf {
        Leaf::Scalar(atom) => vec![*atom],
        Leaf::Array(array) => array.vars().into_iter().map(Atom::Var).collect(),
        Leaf::Fun(_) => panic!("core is well-typed: only data is passed out of a function"),
    }
}
