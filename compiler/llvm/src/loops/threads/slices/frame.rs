//! The frame of a sliced pass: what its steps need from outside, as fields of a struct that all slices read.
//!
//! Each number and each pointer is a field of its own. The functions of the pass that read the frame are lowered before
//! it is filled, so that a field that none of them uses is not stored: most owners, and sizes that several arrays
//! share.
//!
//! LLVM is told which numbers are not negative, since it does not see the checks before the pass: so `0 <= k && k < n`
//! is one comparison.
//!
//! Invariant: [`SliceFrame::fill`] and [`SliceFrame::read`] visit the fields in the same order, sizes first. Once it
//! has been filled, no further function reads it.
//!
//! ```text
//! frame = { i64 n, ptr xs, ptr xs.owner, i64 length xs, ptr ys, … }   xs.owner is not stored, and length xs is n
//! ```

use std::cell::RefCell;
use std::collections::BTreeSet;

use arrc_fusion::cnf::{Atom, Extent, SizeDef, Type};
use arrc_loops::concrete::def_use::uses_in_nest;
use arrc_loops::concrete::{Memory, Start};
use arrc_syntax::ids::{SizeId, VarId};
use inkwell::types::{BasicTypeEnum, StructType};
use inkwell::values::{BasicValue, BasicValueEnum, PointerValue};

use crate::array::scratch_buffers::SharedPlaces;
use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::function::outlining::LiveIns;
use crate::loops::pass::Pass;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The bytes of sizes and pointers.
const WORD: u32 = 8;

/// The outer values that the steps need, as fields of a struct: sizes, then variables.
pub(super) struct SliceFrame<'ctx> {
    ty: StructType<'ctx>,
    sizes: Vec<SizeId>,
    vars: Vec<VarId>,
    /// The sizes of arrays among `vars`, and the numbers that define them: they are not negative.
    extents: BTreeSet<SizeId>,
    counts: BTreeSet<VarId>,
    /// The variables among `vars` that are vectors under construction.
    vectors: BTreeSet<VarId>,
    /// The vectors whose memory is a part of an array.
    windows: BTreeSet<VarId>,
    /// The vectors that begin where an array begins that the steps read, each with the array.
    over: Vec<(VarId, VarId)>,
    /// The vectors that are a part of an array that the steps read by all its indices.
    parts: Vec<PartOfArray>,
    /// The places of scratch buffers in the function around, which come last.
    shared: SharedPlaces<'ctx>,
    /// The fields, as the functions have loaded them: those of one function after those of another.
    loads: RefCell<Vec<BasicValueEnum<'ctx>>>,
}

impl<'ctx> SliceFrame<'ctx> {
    /// The frame of the values that the loop of a pass needs.
    pub(super) fn of(pass: &Pass<'_, '_, 'ctx, '_>) -> Self {
        let (procedure, body) = (pass.procedure, &*pass.body);
        let [used, shaped] = uses_in_nest(&procedure.nest);
        let started = procedure.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, .. } => Some(*vec),
            Start::NewAcc { init: Atom::Var(init), .. } => Some(*init),
            Start::NewAcc { init: Atom::Const(_), .. } | Start::CheckSize { .. } => None,
        });
        let mut needs = LiveIns::default();
        let used: Vec<_> = used.into_iter().chain(started).collect();
        body.need_all(
            used.iter().copied(),
            shaped.into_iter().chain(used.iter().copied()),
            &mut needs,
        );
        let LiveIns { vars, sizes } = body.bound(needs);
        let (sizes, vars): (Vec<_>, Vec<_>) =
            (sizes.into_iter().collect(), vars.into_iter().collect());
        let of_sizes = sizes.iter().map(|_| body.code.types.i64.into());
        let of_vars = vars.iter().flat_map(|&var| fields_of(&body.code, body.type_of(var)));
        let shared = body.shared_places(&procedure.nest);
        let places = shared.iter().map(|_| body.code.types.ptr.into());
        let fields: Vec<_> = of_sizes.chain(of_vars.map(|(ty, _)| ty)).chain(places).collect();
        let ty = body.code.unit.context.struct_type(&fields, false);
        let is_vector = |var: &VarId| matches!(body.var(*var), LoweredValue::Vector(_));
        let vectors: BTreeSet<_> = vars.iter().copied().filter(is_vector).collect();
        let arrays = vars.iter().filter(|var| !vectors.contains(var));
        let extents = arrays
            .flat_map(|&var| body.type_of(var).shape())
            .filter_map(|extent| if let Extent::Size(size) = extent { Some(*size) } else { None });
        let extents: BTreeSet<_> = extents.collect();
        let counts =
            extents.iter().filter_map(|&size| match body.function.tables.sizes[size].def {
                SizeDef::Value(var) => Some(var),
                SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
            });
        let counts = counts.collect();
        let windows = procedure.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, memory: Memory::Part(_), .. } => Some(*vec),
            Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
        });
        let windows = windows.collect();
        let over = procedure.start.iter().filter_map(|start| begins_with(start, body));
        let over = over.filter(|(_, array)| vars.contains(array)).collect();
        let parts = procedure.start.iter().filter_map(|start| PartOfArray::of(start, body));
        let parts = parts.filter(|part| part.is_known(&vars)).collect();
        let loads = RefCell::default();
        Self { ty, sizes, vars, extents, counts, vectors, windows, over, parts, shared, loads }
    }

    /// The arrays that all slices read.
    pub(super) fn arrays(&self, body: &Body<'_, 'ctx, '_>) -> Vec<VarId> {
        let is_array = |var: &VarId| matches!(body.var(*var), LoweredValue::Array(_));
        self.vars.iter().copied().filter(is_array).collect()
    }

    /// Makes the frame, and stores the values that its functions use.
    pub(super) fn fill(&self, body: &Body<'_, 'ctx, '_>) -> PointerValue<'ctx> {
        let code = &body.code;
        let frame = code.slot(self.ty.into(), "frame");
        let sizes = self.sizes.iter().map(|&size| {
            let size = body.sizes[size].expect("a size of the frame is known");
            vec![size.into()]
        });
        let vars = self.vars.iter().map(|&var| match body.var(var) {
            LoweredValue::Scalar(value) => {
                vec![code.in_memory(body.type_of(var).scalars(), *value)]
            }
            LoweredValue::Array(array) | LoweredValue::Vector(array) => words(array),
        });
        let shared = self.shared.iter().map(|(_, place)| (*place).into());
        let values = sizes.chain(vars).flatten().chain(shared);
        for ((at, field), value) in self.fields(code, frame).into_iter().enumerate().zip(values) {
            if self.is_used(at) {
                code.store(field, value);
            }
        }
        frame
    }

    /// Binds the sizes and variables to the values in the fields of the frame. Gives the places of scratch buffers.
    pub(super) fn read(
        &self,
        body: &mut Body<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
    ) -> SharedPlaces<'ctx> {
        let mut fields = self.fields(&body.code, frame).into_iter();
        let mut load = |code: &FunctionBuilder<'_, 'ctx, '_>, ty| {
            let value = code.load_forwarded(ty, fields.next().expect("there is a field for each"));
            self.loads.borrow_mut().push(value);
            value
        };
        for &size in &self.sizes {
            let value = load(&body.code, (body.code.types.i64.into(), WORD));
            if self.extents.contains(&size) {
                body.code.is_not_negative(value);
            }
            body.sizes[size] = Some(value.into_int_value());
        }
        for &var in &self.vars {
            let ty = body.type_of(var);
            let parts = fields_of(&body.code, ty).into_iter();
            let mut parts =
                parts.map(|part| load(&body.code, part)).collect::<Vec<_>>().into_iter();
            let mut next = || parts.next().expect("a value has a part");
            let value = match ty {
                Type::Scalar(scalar) => {
                    let value = next();
                    if self.counts.contains(&var) {
                        body.code.is_not_negative(value);
                    }
                    LoweredValue::Scalar(body.code.in_register(*scalar, value))
                }
                Type::Array { .. } => {
                    let [data, owner] = [next(), next()].map(BasicValueEnum::into_pointer_value);
                    let shape = parts.map(BasicValueEnum::into_int_value).collect();
                    LoweredValue::Array(Array { data, owner, shape })
                }
            };
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
        let place = |&(array, _): &(VarId, PointerValue<'ctx>)| {
            (array, load(&body.code, (body.code.types.ptr.into(), WORD)).into_pointer_value())
        };
        self.shared.iter().map(place).collect()
    }

    /// Gives each array that a vector goes over the pointer of that vector, and each vector that is a part of an array
    /// the address in that array. Two pointers from the frame look different to LLVM, which would run the steps one at a time where it finds out that the elements are the same.
    fn share_pointers(&self, body: &mut Body<'_, 'ctx, '_>) {
        for &(vec, array) in &self.over {
            let data = body.var(vec).vector(vec).data;
            let array_there = Array { data, ..body.var(array).array(array).clone() };
            body.bind(array, LoweredValue::Array(array_there));
        }
        for PartOfArray { vec, array, indices } in &self.parts {
            let row = body.index_inside(*array, indices);
            let data = row.array(*array).data;
            let vector = Array { data, ..body.var(*vec).vector(*vec).clone() };
            body.bind(*vec, LoweredValue::Vector(vector));
        }
    }

    /// Whether a function of the pass uses the field.
    fn is_used(&self, field: usize) -> bool {
        let loads = self.loads.borrow();
        let count = usize::try_from(self.ty.count_fields()).expect("a frame has few fields");
        let mut loads = loads.iter().skip(field).step_by(count);
        loads.any(|load| {
            let load = load.as_instruction_value().expect("a load is an instruction");
            load.get_first_use().is_some()
        })
    }

    fn fields(
        &self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        frame: PointerValue<'ctx>,
    ) -> Vec<PointerValue<'ctx>> {
        let field = |at: u32| built(code.b.build_struct_gep(self.ty, frame, at, ""));
        (0..self.ty.count_fields()).map(field).collect()
    }
}

/// The fields of a value: the type of each in memory, and its bytes.
fn fields_of<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    ty: &Type,
) -> Vec<(BasicTypeEnum<'ctx>, u32)> {
    let types = code.types;
    match ty {
        Type::Scalar(scalar) => vec![(types.memory(*scalar), scalar.bytes())],
        Type::Array { shape, .. } => {
            let pointers = [(types.ptr.into(), WORD); 2];
            let sizes = shape.iter().map(|_| (types.i64.into(), WORD));
            pointers.into_iter().chain(sizes).collect()
        }
    }
}

/// The parts of an array, in the order of [`fields_of`].
fn words<'ctx>(array: &Array<'ctx>) -> Vec<BasicValueEnum<'ctx>> {
    let sizes = array.shape.iter().map(|&size| size.into());
    [array.data.into(), array.owner.into()].into_iter().chain(sizes).collect()
}

/// A vector that is a part of an array, which the steps read by all its indices.
struct PartOfArray {
    vec: VarId,
    array: VarId,
    /// The indices of the part.
    indices: Vec<Atom>,
}

impl PartOfArray {
    fn of(start: &Start, body: &Body<'_, '_, '_>) -> Option<Self> {
        let Start::NewVec { vec, memory: Memory::Part(part), .. } = start else { return None };
        let is_row = part.indices.len() < body.type_of(part.array).rank();
        let reads = is_row && part.view == Some(part.array);
        reads.then(|| Self { vec: *vec, array: part.array, indices: part.indices.clone() })
    }

    /// Whether a function with these variables can compute the address.
    fn is_known(&self, vars: &[VarId]) -> bool {
        let used = self.indices.iter().filter_map(Atom::as_var);
        used.chain([self.vec, self.array]).all(|var| vars.contains(&var))
    }
}

/// The vector and the array of a start whose first elements have the same address. The elements of a part may be read by
/// the whole array, which begins elsewhere.
fn begins_with(start: &Start, body: &Body<'_, '_, '_>) -> Option<(VarId, VarId)> {
    match start {
        Start::NewVec { vec, memory: Memory::Over(array), .. } => Some((*vec, *array)),
        Start::NewVec { vec, memory: Memory::Part(part), .. } => {
            let is_whole_row = part.indices.len() < body.type_of(part.array).rank();
            let view = part.view.filter(|&view| is_whole_row && view != part.array);
            view.map(|view| (*vec, view))
        }
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    }
}
