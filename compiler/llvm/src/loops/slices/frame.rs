//! The frame of a sliced pass: what its steps need from outside, as fields of a struct that all slices read.
//!
//! Invariant: [`Frame::fill`] and [`Frame::read`] visit the fields in the same order, sizes first.
//!
//! ```text
//! frame = { i64 n, ptr xs, ptr ys }
//! ```

use std::collections::BTreeSet;

use arrc_core::ids::{SizeId, VarId};
use arrc_core::ir::cnf::Atom;
use arrc_core::ir::procedure::concrete::mentions::uses_in_nest;
use arrc_core::ir::procedure::concrete::{Memory, Start};
use inkwell::types::StructType;
use inkwell::values::PointerValue;

use crate::code::Code;
use crate::function::Body;
use crate::function::parts::Needs;
use crate::loops::pass::Pass;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The outer values that the steps need, as fields of a struct: sizes, then variables.
pub(super) struct Frame<'ctx> {
    ty: StructType<'ctx>,
    sizes: Vec<SizeId>,
    vars: Vec<VarId>,
    /// The variables among `vars` that are vectors under construction.
    vectors: BTreeSet<VarId>,
    /// The vectors whose memory is a part of an array.
    windows: BTreeSet<VarId>,
    /// The vectors that begin where an array begins that the steps read, each with the array.
    over: Vec<(VarId, VarId)>,
}

impl<'ctx> Frame<'ctx> {
    /// The frame of the values that the loop of a pass needs.
    pub(super) fn of(pass: &Pass<'_, '_, 'ctx, '_>) -> Self {
        let (procedure, body) = (pass.procedure, &*pass.body);
        let [used, shaped] = uses_in_nest(&procedure.nest);
        let started = procedure.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, .. } => Some(*vec),
            Start::NewAcc { init: Atom::Var(init), .. } => Some(*init),
            Start::NewAcc { init: Atom::Const(_), .. } | Start::CheckSize { .. } => None,
        });
        let mut needs = Needs::default();
        let used: Vec<_> = used.into_iter().chain(started).collect();
        body.need_all(
            used.iter().copied(),
            shaped.into_iter().chain(used.iter().copied()),
            &mut needs,
        );
        let Needs { vars, sizes } = body.bound(needs);
        let (sizes, vars): (Vec<_>, Vec<_>) =
            (sizes.into_iter().collect(), vars.into_iter().collect());
        let types = body.code.types;
        let of_sizes = sizes.iter().map(|_| types.i64.into());
        let of_vars = vars.iter().map(|&var| types.result(body.type_of(var)));
        let fields: Vec<_> = of_sizes.chain(of_vars).collect();
        let ty = body.code.unit.context.struct_type(&fields, false);
        let is_vector = |var: &VarId| matches!(body.var(*var), LoweredValue::Vector(_));
        let vectors = vars.iter().copied().filter(is_vector).collect();
        let windows = procedure.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, memory: Memory::Part(_), .. } => Some(*vec),
            Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
        });
        let windows = windows.collect();
        let over = procedure.start.iter().filter_map(|start| begins_with(start, body));
        let over = over.filter(|(_, array)| vars.contains(array)).collect();
        Self { ty, sizes, vars, vectors, windows, over }
    }

    /// Makes the frame, and stores the values in its fields.
    pub(super) fn fill(&self, body: &Body<'_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &body.code;
        let frame = code.slot(self.ty.into(), "frame");
        let mut fields = self.fields(code, frame).into_iter();
        let mut next = || fields.next().expect("there is a field for each");
        for &size in &self.sizes {
            code.store(next(), body.sizes[size].expect("a size of the frame is known"));
        }
        for &var in &self.vars {
            let value = match body.var(var) {
                LoweredValue::Vector(array) => LoweredValue::Array(array.clone()),
                value @ (LoweredValue::Scalar(_) | LoweredValue::Array(_)) => value.clone(),
            };
            code.store_result(body.type_of(var), &value, next());
        }
        frame
    }

    /// Binds the sizes and variables to the values in the fields of the frame.
    pub(super) fn read(&self, body: &mut Body<'_, 'ctx, '_>, frame: PointerValue<'ctx>) {
        let mut fields = self.fields(&body.code, frame).into_iter();
        let mut next = || fields.next().expect("there is a field for each");
        for &size in &self.sizes {
            let value = body.code.load(body.code.types.i64, next(), "size");
            body.sizes[size] = Some(value.into_int_value());
        }
        for &var in &self.vars {
            let value = body.code.load_result(body.type_of(var), next());
            // The rows of a window are as far apart as the rows of its array, whatever size the window's own rows
            // have.
            let is_window = self.windows.contains(&var);
            let value = if is_window { value } else { body.with_known_sizes(var, value) };
            let value = match value {
                LoweredValue::Array(vector) if self.vectors.contains(&var) => {
                    LoweredValue::Vector(vector)
                }
                value @ (LoweredValue::Scalar(_)
                | LoweredValue::Array(_)
                | LoweredValue::Vector(_)) => value,
            };
            body.bind(var, value);
        }
        self.share_pointers(body);
    }

    /// Gives each array that a vector goes over the pointer of that vector. Two pointers from the frame look different to LLVM,
    /// which would run the steps one at a time where it finds out that the elements are the same.
    fn share_pointers(&self, body: &mut Body<'_, 'ctx, '_>) {
        for &(vec, array) in &self.over {
            let data = body.var(vec).vector(vec).data;
            let array_there = Array { data, ..body.var(array).array(array).clone() };
            body.bind(array, LoweredValue::Array(array_there));
        }
    }

    fn fields(
        &self,
        code: &Code<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
    ) -> Vec<PointerValue<'ctx>> {
        let field = |at: u32| built(code.b.build_struct_gep(self.ty, frame, at, ""));
        (0..self.ty.count_fields()).map(field).collect()
    }
}

/// The vector and the array of a start whose first elements have the same address. The elements of a window may be read by the
/// whole array, which begins elsewhere.
fn begins_with(start: &Start, body: &Body<'_, '_, '_>) -> Option<(VarId, VarId)> {
    match start {
        Start::NewVec { vec, memory: Memory::Over(array), .. } => Some((*vec, *array)),
        Start::NewVec { vec, memory: Memory::Part(part), .. } => {
            let is_whole_row = part.indices.len() < body.type_of(part.array).rank();
            part.view.filter(|_| is_whole_row).map(|view| (*vec, view))
        }
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    }
}
