//! Checks the marks of uniqueness: an array that was consumed may not be used again.
//!
//! To pass an array for a parameter marked `*` consumes it: the function owns its memory from there on. So
//! does a `loop` or a `let` that names it with a mark, and an update of an array that has such a name. Memory that is
//! consumed, and all arrays that may lie in it, must not be used afterwards on any path; and a function may not consume
//! memory that it does not own: a parameter without a mark, a constant, an array from outside of a loop or of a
//! function that may run again. A result that a function declares with a mark shares memory with nothing.
//!
//! Updates of arrays without marks consume nothing: such arrays are values, and are copied where that is needed.
//!
//! Invariant: the program stays as it is; marks never change what it means. The marks of the prelude are
//! trusted.
//!
//! ```text
//! def f [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1
//! let ys = f xs in ys[0] + xs[0]   ⇒   error[A0326]: `xs` is used after it was consumed
//! ```

mod call;
mod memory;
mod state;
#[cfg(test)]
mod tests;
mod unique_loops;
mod unique_walk;
mod uniqueness_error;

use self::memory::{Aliases, AllocSite, AllocSites};
use self::state::{Consumption, EnclosingScope, ScopeKind};
use self::uniqueness_error::Error;

use crate::core::{Body, Def, Program};
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::{FileId, LocalId, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// The errors of the marks of a program, sorted by place. The marks of `prelude` are trusted.
#[must_use]
pub fn unique(program: &Program, prelude: FileId) -> Vec<Diagnostic> {
    let mut walk = UniquenessChecker {
        program,
        prelude,
        memories: AllocSites::default(),
        values: SecondaryMap::new(),
        consumed: BTreeMap::new(),
        scopes: Vec::new(),
        told: BTreeSet::new(),
        errors: Vec::new(),
    };
    for def in program.defs.values() {
        if def.span.file != prelude {
            walk.def(def);
        }
    }
    let mut found: Vec<Diagnostic> = walk.errors.into_iter().map(Diagnostic::from).collect();
    arrc_syntax::diagnostics::sort(&mut found);
    found
}

/// The walk over a program, in the order of evaluation.
struct UniquenessChecker<'p> {
    program: &'p Program,
    prelude: FileId,
    memories: AllocSites,
    /// The value of each variable.
    values: SecondaryMap<LocalId, Option<Aliases>>,
    /// The memory that was consumed on the way here, and how.
    consumed: BTreeMap<AllocSite, Consumption>,
    /// The functions and loops around.
    scopes: Vec<EnclosingScope>,
    /// The memory whose use was reported already.
    told: BTreeSet<AllocSite>,
    errors: Vec<Error>,
}

impl<'p> UniquenessChecker<'p> {
    fn def(&mut self, def: &'p Def) {
        let Body::Expr(body) = &def.body else { return };
        self.consumed.clear();
        self.enter(ScopeKind::Definition, def.span);
        for param in &def.params {
            self.parameter(&param.pat, &param.ty);
        }
        let result = self.expr(body);
        self.result(&result, &def.marks, body, &def.name);
        self.leave();
    }
}
