//! Limits of the size of types.
//!
//! A type is a tree without sharing, so a few lines can define a type that does not fit into memory.
//!
//! The size of an array is a sum of products, and grows in the same way.
//!
//! Invariant: every size that is too large was reported. No expression, and no use of an abbreviation, has a type of
//! more than [`LARGEST_TYPE`] parts, or one that is deeper than [`DEEPEST_TYPE`]. This check takes no more steps than
//! these limits.
//!
//! ```text
//! let b = (a, a) let c = (b, b) let d = (c, c) …   ⇒   error[A0406]
//! ```

use super::Checker;
use super::error::{SizeError, TypeError};
use crate::core::Type;
use arrc_syntax::ids::TypeVar;
use arrc_syntax::source::Span;

/// The most parts that a type may have: scalars, tuples, arrays and so on.
pub(super) const LARGEST_TYPE: usize = 10_000;
/// The most parts of a type that may be nested in one another.
pub(super) const DEEPEST_TYPE: usize = 256;

impl Checker<'_> {
    /// Whether the type of the expression at `span` is too large. That is reported once.
    pub(super) fn is_too_large(&mut self, ty: &Type, span: Span) -> bool {
        self.expands_too_far(ty, &[], span)
    }

    /// Whether a type with `types` in the place of its variables is too large. That is reported.
    pub(super) fn expands_too_far(
        &mut self,
        ty: &Type,
        types: &[(TypeVar, Type)],
        span: Span,
    ) -> bool {
        let mut left = LARGEST_TYPE;
        let fits = self.u.fits(ty, types, DEEPEST_TYPE, &mut left);
        if !fits {
            self.reports.push_oversized(TypeError::TypeTooLarge { span, deep: left > 0 });
        }
        !fits
    }

    /// Whether a size became too large in the type of the expression at `span`. That is reported.
    pub(super) fn has_too_large_size(&mut self, ty: &Type, span: Span) -> bool {
        if let Type::Array(size, _) = self.u.head_ref(ty) {
            self.u.resolve_size(size);
        }
        let has = self.u.has_too_large.replace(false);
        if has {
            self.reports.push_oversized(SizeError::SizeTooLarge { span, written: None });
        }
        has
    }
}

#[cfg(test)]
mod tests {
    use super::DEEPEST_TYPE;
    use crate::infer::tests::check;

    /// The diagnostics of a program with `start`, then `line` for 0 up to `count`, then `end`.
    fn told(start: &str, count: usize, line: impl Fn(usize) -> String, end: &str) -> Vec<String> {
        let lines: String = (0..count).map(line).collect();
        let told = check(&format!("{start}{lines}{end}")).err().unwrap_or_default();
        let headlines = told.lines().filter(|line| line.starts_with("error"));
        headlines.map(ToOwned::to_owned).collect()
    }

    const TOO_LARGE: [&str; 1] = ["error[A0406]: this has a type of more than 10000 parts"];

    #[test]
    fn a_type_that_doubles_at_each_step_is_told_once() {
        let body = "entry demo (x0: i64): i64 =\n";
        let pair = |at: usize| format!("  let x{} = (x{at}, x{at})\n", at + 1);
        let none: [&str; 0] = [];
        assert_eq!(told(body, 12, pair, "in x0"), none);
        assert_eq!(told(body, 39, pair, "in x0"), TOO_LARGE);
        let record = |at: usize| format!("  let x{} = {{a = x{at}, b = x{at}}}\n", at + 1);
        assert_eq!(told(body, 39, record, "in x0"), TOO_LARGE);
        let def = |at: usize| format!("def f{} (x: i64) = (f{at} x, f{at} x)\n", at + 1);
        assert_eq!(told("def f0 (x: i64) = x\n", 39, def, ""), TOO_LARGE);
        let ty = |at: usize| format!("type t{} = (t{at}, t{at})\n", at + 1);
        assert_eq!(told("type t0 = i64\n", 39, ty, ""), TOO_LARGE);
        let pipe = |_| " |> (\\x -> (x, x))".to_owned();
        assert_eq!(told("def f (x: i64) = x", 39, pipe, ""), TOO_LARGE);
        let map = |at: usize| format!("  let x{} = map (\\x -> (x, x)) x{at}\n", at + 1);
        assert_eq!(told("def f (x0: []i64) =\n", 39, map, "in x0"), TOO_LARGE);
    }

    #[test]
    fn types_that_grow_by_unification_are_told() {
        let params: String = (0..40).map(|at| format!(" x{at}")).collect();
        let branch = |at: usize| format!("if b then x{} else (x{at}, x{at}),\n", at + 1);
        assert_eq!(told(&format!("def f b{params} = ("), 39, branch, "b)"), TOO_LARGE);
    }

    #[test]
    fn a_large_argument_of_a_large_abbreviation_is_not_put_in() {
        let ty = |at: usize| format!("type t{} 'a = (t{at} a, t{at} a)\n", at + 1);
        assert_eq!(told("type t0 'a = a\n", 11, ty, "type big = t11 (t11 i64)"), TOO_LARGE);
    }

    #[test]
    fn a_type_that_is_too_deep_is_told() {
        let record = |at: usize| format!("  let x{} = {{a = x{at}}}\n", at + 1);
        let body = "entry demo (x0: i64): i64 =\n";
        let none: [&str; 0] = [];
        assert_eq!(told(body, DEEPEST_TYPE - 1, record, "in x0"), none);
        assert_eq!(
            told(body, DEEPEST_TYPE, record, "in x0"),
            ["error[A0406]: the parts of this type stand in one another more than 256 times"]
        );
    }
}
