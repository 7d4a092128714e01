//! `partition` and `partition2`: one pass evaluates the predicates, and a filter takes each part.
//!
//! Invariant: a predicate is evaluated only for the elements for which the predicates before it do not hold. In the
//! type, the size of the last part is the size of the whole less those of the other parts. Here it is a new size, so
//! that the part's consumers still fuse with the filter.
//!
//! ```text
//! partition p xs   ⇒ f = map p xs; ks = filter by f of xs; os = filter by !f of xs
//! ```

use super::Specialiser;
use super::error::Eval;
use super::expected_result::CallSite;
use super::intrinsic::WorkerStreams;
use super::value::{Array, Value};
use crate::cnf::{Atom, Op, Type, Worker};
use crate::specialise::value_tree::Tree;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;

const FLAG: Type = Type::Scalar(Scalar::Bool);

impl<'a> Specialiser<'a> {
    /// The elements by the first of the predicates that holds, and those for which none does.
    pub(super) fn partition(
        &mut self,
        predicates: &[Value<'a>],
        array: &Array,
        span: Span,
    ) -> Eval<Value<'a>> {
        let flags = self.first_match_flags(predicates, array, span)?;
        let mut parts = Vec::new();
        for flag in &flags {
            parts.push(self.part(std::slice::from_ref(flag), array, span, |_, flags| flags[0]));
        }
        parts.push(self.part(&flags, array, span, |this, flags| this.none(flags, span)));
        Ok(Tree::Tuple(parts))
    }

    /// For each predicate an array that says whether it is the first to hold.
    fn first_match_flags(
        &mut self,
        predicates: &[Value<'a>],
        array: &Array,
        span: Span,
    ) -> Eval<Vec<VarId>> {
        self.build.open();
        let mut streams = WorkerStreams::default();
        let elem = self.element(&mut streams, array);
        let mut flags: Vec<Atom> = Vec::new();
        for predicate in predicates {
            let open = self.none(&flags, span);
            let ask = |this: &mut Self| {
                Ok(this.apply(predicate, vec![elem.clone()], CallSite::span(span))?.expect_scalar())
            };
            flags.push(self.short_circuit(BinOp::And, open, ask, span)?);
        }
        let types = vec![FLAG.array_of(array.size); flags.len()];
        let worker = Worker { params: streams.params, body: self.build.close(flags) };
        Ok(self.build.emit(Op::Map { worker, inputs: streams.inputs }, types, span))
    }

    /// The elements for which `holds` is true of the flags.
    fn part(
        &mut self,
        flags: &[VarId],
        array: &Array,
        span: Span,
        holds: impl FnOnce(&mut Self, &[Atom]) -> Atom,
    ) -> Value<'a> {
        self.build.open();
        let params: Vec<VarId> = flags.iter().map(|&flag| self.parameter(flag)).collect();
        let atoms: Vec<Atom> = params.iter().map(|&param| param.into()).collect();
        let flag = holds(self, &atoms);
        let worker = Worker { params, body: self.build.close(vec![flag]) };
        self.build_filter((worker, flags.to_vec()), array, span)
    }

    /// Whether none of the flags is set.
    fn none(&mut self, flags: &[Atom], span: Span) -> Atom {
        let any = flags.iter().copied().reduce(|any, flag| self.or_conditions(any, flag, span));
        let any = any.unwrap_or_else(|| Const::bool(false).into());
        self.build.un(UnOp::Not, any, span)
    }
}
