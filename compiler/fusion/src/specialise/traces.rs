//! `trace`: a value that is printed when it is computed.
//!
//! A trace is a call of the runtime with an effect. So it happens as often as the program says, and in its order. The
//! description of the value's type tells the runtime how to print the components ([`arr_abi::trace`]).
//!
//! Invariant: without traces, `trace name x` is `x`, and nothing of the call is left.
//!
//! ```text
//! trace "ps" ps   where ps: [n](i64, f64)   ⇒   #[effect(io)] external trace (name: []u8) (x0: []i64) (x1: []f64): ()
//!                                               described by [](i64,f64)
//! ```

use super::error::{Error, Eval};
use super::value::{Array, Column, Leaf, Value};
use super::{Specialiser, Traces};
use crate::cnf::{Atom, Callee, Component, External, Op, Type};
use crate::specialise::value_tree::Tree;
use arrc_front::effect::Effect;
use arrc_syntax::ids::ExternalId;
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// `trace name x`.
    pub(super) fn trace(
        &mut self,
        name: &Value<'a>,
        value: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        if self.traces == Traces::Printed {
            if value.leaves().into_iter().any(|leaf| matches!(leaf, Leaf::Fun(_))) {
                return Err(Box::new(Error::FunctionResult {
                    span,
                    what: "this traces".to_owned(),
                }));
            }
            let mut args = vec![Atom::Var(name.expect_array().vars()[0])];
            let described = described(value, &mut |leaf| self.described_leaf(leaf, &mut args));
            let callee = Callee::External(self.trace_of(described, &args, span));
            self.build.emit(Op::Call { callee, args, effect: Effect::Io }, Vec::new(), span);
        }
        Ok(value.clone())
    }

    /// The function that prints values of a type.
    fn trace_of(&mut self, described: String, args: &[Atom], span: Span) -> ExternalId {
        if let Some(known) = self.externals.trace(&described) {
            return known;
        }
        let components = args.iter().enumerate().map(|(at, &arg)| {
            let name = if at == 0 { "name".to_owned() } else { format!("x{}", at - 1) };
            let (elem, rank) = match self.build.type_of(arg) {
                Type::Scalar(elem) => (elem, 0),
                Type::Array { elem, shape } => (elem, shape.len()),
            };
            Component { name, elem, rank }
        });
        let inputs = components.collect();
        self.externals.declare_trace(|name| External {
            signature: format!("trace of {described}"),
            trace: Some(described),
            name,
            span,
            doc: None,
            effect: Effect::Io,
            inputs,
            outputs: Vec::new(),
            tags: Vec::new(),
        })
    }

    /// The description of a scalar or an array, whose components are added to the arguments.
    fn described_leaf(&self, leaf: &Leaf<'a>, args: &mut Vec<Atom>) -> String {
        match leaf {
            Leaf::Scalar(atom) => {
                args.push(*atom);
                self.build.scalar_of(*atom).to_string()
            }
            Leaf::Array(array) => self.described_array(array, args),
            Leaf::Fun(_) => panic!("a traced value was checked to be data"),
        }
    }

    fn described_array(&self, array: &Array, args: &mut Vec<Atom>) -> String {
        let elem = described(&array.elem, &mut |column| match column {
            Column::Scalar(var) => {
                args.push(Atom::Var(*var));
                self.build.elem_of(*var).to_string()
            }
            Column::Rows(rows) => self.described_array(rows, args),
        });
        format!("[]{elem}")
    }
}

/// The description of a nest, given that of a leaf.
fn described<T>(tree: &Tree<T>, leaf: &mut dyn FnMut(&T) -> String) -> String {
    match tree {
        Tree::Leaf(value) => leaf(value),
        Tree::Tuple(items) => format!("({})", list(items, leaf)),
        Tree::Record(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, field)| format!("{name}:{}", described(field, leaf)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Tree::Sum(sum) => {
            // The runtime knows the type of a tag.
            leaf(&sum.tag);
            let cases = sum.cases.iter();
            let cases = cases.map(|(name, payloads)| format!("{name}({})", list(payloads, leaf)));
            format!("<{}>", cases.collect::<Vec<_>>().join("|"))
        }
    }
}

fn list<T>(items: &[Tree<T>], leaf: &mut dyn FnMut(&T) -> String) -> String {
    items.iter().map(|item| described(item, leaf)).collect::<Vec<_>>().join(",")
}
