//! Checks while a program runs: the assertions of combinator normal form and of concrete programs. Both forms embed
//! this type.
//!
//! Invariant: everything that both forms ask about an assertion is answered here. `form/signature.rs` reads it.
//!
//! ```text
//! assert t else index "index " i " is out of bounds"   ⇒   fails with the code Index unless t holds
//! ```

use super::Atom;
use super::print::scalar::argument;
use arrc_front::eval::run_error::RunError;
use arrc_front::eval::scalar;
use arrc_syntax::check::{self, Piece};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// A condition, and how the call fails unless it holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assertion {
    /// The condition.
    pub cond: Atom,
    /// The error and its message otherwise.
    pub failure: Failure<Atom>,
}

impl Assertion {
    /// The condition, and the values in the message.
    pub fn args(&self) -> impl Iterator<Item = &Atom> {
        std::iter::once(&self.cond).chain(Piece::values(&self.failure.message))
    }

    /// The condition and the values in the message, to be changed.
    pub fn args_mut(&mut self) -> impl Iterator<Item = &mut Atom> {
        let values = self.failure.message.iter_mut().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Value(value) => Some(value),
        });
        std::iter::once(&mut self.cond).chain(values)
    }

    /// Whether the operands have the right types, which `scalar` gives.
    ///
    /// # Errors
    /// If the condition is no truth value, or `scalar` gives an error.
    pub fn check(
        &self,
        mut scalar: impl FnMut(Atom) -> Result<Scalar, String>,
    ) -> Result<(), String> {
        if scalar(self.cond)? != Scalar::Bool {
            return Err("what is asserted is a bool".into());
        }
        self.args().try_for_each(|&value| scalar(value).map(drop))
    }

    /// Evaluates the assertion; `value` gives the values of the operands.
    ///
    /// # Errors
    /// The failure, if the condition does not hold.
    pub fn hold(&self, value: impl Fn(Atom) -> Const, span: Span) -> Result<(), RunError> {
        if value(self.cond).bits != 0 {
            return Ok(());
        }
        let Failure { code, message } = &self.failure;
        let text = check::render(message, |&atom| scalar::shown(value(atom)));
        Err(RunError::check(*code, text, span))
    }

    /// The assertion as text; `atom` gives the text of an operand.
    pub fn show(&self, mut atom: impl FnMut(Atom) -> String) -> String {
        let cond = atom(self.cond);
        let Failure { code, message } = &self.failure;
        let message = check::quoted(message, |&value| argument(atom(value)));
        format!("assert {cond} else {} {message}", code.name())
    }
}
