//! `flatmap`: appends the arrays that a function makes from the elements.
//!
//! Invariant: the function is applied once; the worker yields the components of the inner array, all of one length.
//!
//! ```text
//! flatmap (\x -> replicate x (x, 1)) xs
//! ⇒ ys, ones = flatmap (\x -> { a, b = generate x (\i -> x, 1); a, b }) xs
//! ```

use super::Specialiser;
use super::error::Eval;
use super::expected_result::CallSite;
use super::intrinsic::WorkerStreams;
use super::value::{Array, Value};
use crate::cnf::{Extent, Op, SizeDef, Worker};
use arrc_syntax::ids::VarId;

impl<'a> Specialiser<'a> {
    /// The arrays that `f` makes from the elements, joined. The size of the result is known only at run time.
    pub(super) fn flatmap(
        &mut self,
        f: &Value<'a>,
        array: &Array,
        at: CallSite<'_, 'a>,
    ) -> Eval<Value<'a>> {
        self.build.open();
        let mut streams = WorkerStreams::default();
        let elem = self.element(&mut streams, array);
        let part = self.apply(f, vec![elem], CallSite::span(at.span))?.expect_array().clone();
        let parts = part.vars();
        let elems: Vec<VarId> = parts.iter().map(|&part| self.parameter(part)).collect();
        let element = part.element(&mut elems.into_iter());
        let results = parts.into_iter().map(Into::into).collect();
        let worker = Worker { params: streams.params, body: self.build.close(results) };
        let size = Extent::Size(self.build.fresh_size("k", SizeDef::Exists));
        self.emit_arrays(Op::FlatMap { worker, inputs: streams.inputs }, size, &element, at)
    }
}
