//! Arrays to which functions append: their descriptors are in a record that the calls share.
//!
//! A recursive function that appends its results to arrays passes these arrays on to its calls. As values, the data,
//! owner and length of each would be copied to each call and back. So the caller has a record of them, and its calls
//! get the record's address: a call that appends nothing copies nothing, and an append that has room changes a length.
//!
//! Invariant: a field has the descriptor of one array, the last one that was appended to it. That array has no other
//! use than those that end it, or read it before they do. Other steps than calls, appends and choices read the
//! descriptor to registers before they begin.
//!
//! ```text
//! divide (ps : *[n]f64) (to : *[k]f64) (to.2 : *[k_2]i64) : (++[k]f64, ++[k_2]i64)
//! ⇒ fastcc i32 @arr.divide(ptr ctx, ptr ps, ptr ps.owner, i64 n, ptr to)     to[0] = {data, owner, length}, to[1] = …
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Step;
use arrc_loops::concrete::def_use::uses;
use arrc_syntax::ids::VarId;
use inkwell::basic_block::BasicBlock;
use inkwell::values::PointerValue;

use crate::function::function_body::Body;
use crate::function::record_fields::{HandedValue, RecordField};
use crate::value::LoweredValue;
impl<'ctx> Body<'_, 'ctx, '_> {
    /// The value of an atom as it is handed on.
    pub(crate) fn held(&self, atom: Atom) -> HandedValue<'ctx> {
        match atom {
            Atom::Var(var) => match self.fields[var] {
                Some(field) => HandedValue::Field(field),
                None => HandedValue::Value(self.var(var).clone()),
            },
            Atom::Const(_) => HandedValue::Value(self.atom(atom)),
        }
    }

    /// Binds a variable to a value that a step hands on.
    pub(crate) fn bind_held(&mut self, var: VarId, held: HandedValue<'ctx>) {
        match held {
            HandedValue::Value(value) => self.bind(var, value),
            HandedValue::Field(field) => self.bind_field(var, field),
        }
    }

    pub(crate) fn bind_field(&mut self, var: VarId, field: RecordField<'ctx>) {
        // Its size may be in the types of other arrays.
        self.bind_same(var, LoweredValue::Array(field.load(&self.code)));
        self.values[var] = None;
        self.fields[var] = Some(field);
    }

    /// Reads those of the variables that are in records to registers. Returns them.
    pub(crate) fn read_fields(&mut self, vars: impl IntoIterator<Item = VarId>) -> Vec<VarId> {
        let mut read = Vec::new();
        for var in vars {
            if let Some(field) = self.fields[var]
                && self.values[var].is_none()
            {
                self.values[var] = Some(LoweredValue::Array(field.load(&self.code)));
                read.push(var);
            }
        }
        read
    }

    /// Forgets these values, since they are valid in one step only.
    pub(crate) fn forget_fields(&mut self, read: Vec<VarId>) {
        for var in read {
            if self.fields[var].is_some() {
                self.values[var] = None;
            }
        }
    }

    /// The variables that a step needs in registers.
    pub(crate) fn in_registers(step: &Step) -> Vec<VarId> {
        match step {
            // Its blocks and the call read what they need.
            Step::If { .. } | Step::Call { .. } => Vec::new(),
            Step::Scalar { .. }
            | Step::Index { .. }
            | Step::Row { .. }
            | Step::Slice { .. }
            | Step::Length { .. }
            | Step::Assert { .. }
            | Step::Append { .. }
            | Step::Array { .. }
            | Step::Sort { .. }
            | Step::Constant { .. }
            | Step::Reshape { .. }
            | Step::Loop { .. }
            | Step::Replace { .. }
            | Step::Copy { .. }
            | Step::Unique { .. }
            | Step::Share { .. }
            | Step::Release { .. }
            | Step::Pass(_) => uses(step).into_iter().collect(),
        }
    }

    /// The values that come from either of two blocks, which end with their jumps here. An array that is in a record on
    /// one way is in that record on the other way too.
    pub(crate) fn merge_held(
        &self,
        incoming: [(Vec<HandedValue<'ctx>>, BasicBlock<'ctx>); 2],
    ) -> Vec<HandedValue<'ctx>> {
        let [(a, from_a), (b, from_b)] = incoming;
        assert_eq!(a.len(), b.len(), "branches yield as many values");
        let fields = common_fields(&a, &b);
        let settle = |held: Vec<HandedValue<'ctx>>, block| {
            self.code.before_jump(block, || {
                let (moved, kept): (Vec<_>, Vec<_>) =
                    fields.iter().copied().zip(held).partition(|(field, _)| field.is_some());
                let kept: Vec<_> =
                    kept.into_iter().map(|(_, held)| held.value(&self.code)).collect();
                let moved = moved.into_iter().filter_map(|(field, held)| Some((field?, held)));
                self.code.fill(moved.collect());
                kept
            })
        };
        let mut values = settle(a, from_a).into_iter().zip(settle(b, from_b));
        let merged = fields.iter().map(|field| match field {
            Some(field) => HandedValue::Field(*field),
            None => {
                let (a, b) = values.next().expect("each way has a value");
                HandedValue::Value(self.merge([(a, from_a), (b, from_b)]))
            }
        });
        merged.collect()
    }

    /// Ends the function with its results: those that it appends are in the record that it got.
    pub(crate) fn give_held(
        self,
        results: Vec<HandedValue<'ctx>>,
        (record, outs): (Option<PointerValue<'ctx>>, &[PointerValue<'ctx>]),
    ) {
        let appends = &self.function.appends;
        let mut given = Vec::new();
        let mut appended = Vec::new();
        for (at, (ty, held)) in self.function.results.iter().zip(results).enumerate() {
            match (appends.iter().position(|&result| result == at), record) {
                (Some(at), Some(record)) => appended.push((RecordField { record, at }, held)),
                (Some(_) | None, _) => given.push((ty, held.value(&self.code))),
            }
        }
        self.code.fill(appended);
        self.return_results(&given, outs);
    }
}

/// For each value, the field in which it is on both ways, if there is one. No field has two of the values.
fn common_fields<'ctx>(
    a: &[HandedValue<'ctx>],
    b: &[HandedValue<'ctx>],
) -> Vec<Option<RecordField<'ctx>>> {
    let pairs = || a.iter().zip(b).map(|(a, b)| (a.field(), b.field()));
    let mut fields: Vec<_> = pairs().map(|(a, b)| a.filter(|_| a == b)).collect();
    for (at, (a, b)) in pairs().enumerate() {
        let free = |field: &RecordField<'ctx>| !fields.contains(&Some(*field));
        let chosen = fields[at].or_else(|| a.filter(free)).or_else(|| b.filter(free));
        fields[at] = chosen;
    }
    fields
}
