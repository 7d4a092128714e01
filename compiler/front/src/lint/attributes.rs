//! Attributes that mean nothing to the compiler.
//!
//! Invariant: an attribute that this compiler or Futhark's knows is not reported. The attributes `trace` and `break`
//! are: without them, a program of Futhark behaves differently when it is debugged.
//!
//! ```text
//! #[nolinine] def f x = …   ⇒   warning[A0703]: `nolinine` is no attribute that the compiler knows
//! ```

use super::Linter;
use arrc_syntax::ast::Attr;
use arrc_syntax::diagnostics::{Code, Diagnostic, nearest};
use arrc_syntax::names::Name;

/// The attributes that have an effect.
const MEANINGFUL: [&str; 3] = ["effect", "noinline", "prop"];

/// The attributes that other compilers of such programs know, and that have no effect here.
const ACCEPTED: [&str; 8] = [
    "inline",
    "unroll",
    "sequential",
    "sequential_inner",
    "sequential_outer",
    "incremental_flattening",
    "opaque",
    "unsafe",
];

impl Linter<'_> {
    /// Reports an unknown attribute.
    pub(super) fn check_attribute(&mut self, attr: &Attr) {
        let known: Vec<Name> =
            MEANINGFUL.iter().chain(&ACCEPTED).map(|&name| name.into()).collect();
        let name = &attr.name.name;
        if known.contains(name) {
            return;
        }
        let span = attr.name.span;
        let message = format!("`{name}` is no attribute that the compiler knows");
        let warning = Diagnostic::warning(Code::UNKNOWN_ATTRIBUTE, span, message)
            .label("changes nothing")
            .note(format!(
                "{} are known; {} are accepted, and change nothing",
                listed(&MEANINGFUL),
                listed(&ACCEPTED)
            ));
        self.warnings.push(match nearest(name, &known).first() {
            Some(near) => warning.fix(format!("write `{near}`"), [(span, near.to_string())]),
            None => warning.help("remove it"),
        });
    }
}

/// `a`, `b` and `c`.
fn listed(names: &[&str]) -> String {
    enumeration(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// As [`listed`], for names that are already in quotes.
pub(super) fn enumeration(quoted: &[String]) -> String {
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
