//! Calls in blocks of several sizes: whether the results depend on how the elements of reductions and scans are grouped.
//!
//! Invariant: only calls of programs with an operator whose laws are in doubt are made again, and only those that are short. A
//! call that fails in blocks is not judged.
//!
//! ```text
//! entry f [n] (xs: [n]i64): i64 = reduce (\x y -> x - y) 0 xs, of [1, 2, 3]   ⇒   -6 in one block, and 0 in blocks of 2
//! ```

use arr_runtime::host::Value;
use arrc_fusion::cnf;
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::source::Span;

use super::compare::{self, Tolerance};
use crate::interpret::call_in_blocks;

/// The numbers of elements in blocks.
const SIZES: [usize; 3] = [1, 2, 3];

/// The results with a size of blocks that gives others than one block does.
pub(super) struct Differs {
    block: usize,
    whole: Vec<Value>,
    grouped: Vec<Value>,
}

/// Whether the results of a call depend on the size of blocks by more than rounding.
pub(super) fn differs(
    program: &cnf::Program,
    entry: &str,
    inputs: &[Value],
    tolerance: Tolerance,
) -> Option<Differs> {
    let whole = call_in_blocks(program, entry, inputs, None)?;
    SIZES.into_iter().find_map(|block| {
        let grouped = call_in_blocks(program, entry, inputs, Some(block))?;
        compare::difference(&whole, &grouped, tolerance)?;
        Some(Differs { block, whole: whole.clone(), grouped })
    })
}

impl Differs {
    /// What the user is told about a call of an entry.
    pub(super) fn diagnostic(
        &self,
        entry: &str,
        span: Span,
        list: impl Fn(&[Value]) -> String,
    ) -> Diagnostic {
        let elements = if self.block == 1 { "element" } else { "elements" };
        let message = format!("the results of `{entry}` depend on how elements are grouped");
        Diagnostic::warning(Code::NOT_ASSOCIATIVE, span, message)
            .label("a `reduce` or a `scan` in it has an operator that is not associative, or an initial value that is not neutral")
            .note(format!(
                "a test gives {} in one block, and {} in blocks of {} {elements}",
                list(&self.whole),
                list(&self.grouped),
                self.block
            ))
            .help("`arrc check --strict` looks for the operator; `fold` applies one from the left")
    }
}
