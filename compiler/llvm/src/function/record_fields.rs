//! The fields of a record: the descriptors of the arrays to which functions append.
//!
//! Invariant: a field has the data, the owner and the length of one array of one dimension.
//!
//! ```text
//! record: { data, owner, length } of to[0], { data, owner, length } of to[1], …
//! ```

use inkwell::basic_block::BasicBlock;
use inkwell::values::PointerValue;

use crate::code::FunctionBuilder;
use crate::value::{Array, LoweredValue};

/// The descriptor of an array of one dimension in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordField<'ctx> {
    pub(super) record: PointerValue<'ctx>,
    pub(super) at: usize,
}

/// A value that a step hands on.
#[derive(Clone, Debug)]
pub(crate) enum HandedValue<'ctx> {
    /// In registers.
    Value(LoweredValue<'ctx>),
    /// In a record.
    Field(RecordField<'ctx>),
}

/// The words of a descriptor: data, owner and length.
const WORDS: usize = 3;

const WORD: usize = 8;

/// Where the owner and the length are in a descriptor.
const OWNER: usize = WORD;

const LENGTH: usize = 2 * WORD;

impl<'ctx> RecordField<'ctx> {
    /// The fields of a record.
    pub(crate) fn all(record: PointerValue<'ctx>, count: usize) -> impl Iterator<Item = Self> {
        (0..count).map(move |at| Self { record, at })
    }

    pub(super) fn place(self, code: &FunctionBuilder<'_, 'ctx, '_>) -> PointerValue<'ctx> {
        code.byte_offset(self.record, self.at * WORDS * WORD)
    }

    pub(super) fn load(self, code: &FunctionBuilder<'_, 'ctx, '_>) -> Array<'ctx> {
        let at = self.place(code);
        let word = |ty, offset| code.load_forwarded((ty, 8), code.byte_offset(at, offset));
        Array {
            data: word(code.types.ptr.into(), 0).into_pointer_value(),
            owner: word(code.types.ptr.into(), OWNER).into_pointer_value(),
            shape: vec![word(code.types.i64.into(), LENGTH).into_int_value()],
        }
    }

    pub(super) fn store(self, code: &FunctionBuilder<'_, 'ctx, '_>, array: &Array<'ctx>) {
        self.move_to(code, (array.data, array.owner));
        self.set_length(code, array);
    }

    /// Notes the memory of an array that has moved.
    pub(crate) fn move_to(
        self,
        code: &FunctionBuilder<'_, 'ctx, '_>,
        (data, owner): (PointerValue<'ctx>, PointerValue<'ctx>),
    ) {
        let at = self.place(code);
        code.store(at, data);
        code.store(code.byte_offset(at, OWNER), owner);
    }

    /// Notes the length of an array that has become longer in its place.
    pub(crate) fn set_length(self, code: &FunctionBuilder<'_, 'ctx, '_>, array: &Array<'ctx>) {
        let [length] = *array.shape else { panic!("arrays in records have one dimension") };
        code.store(code.byte_offset(self.place(code), LENGTH), length);
    }
}

impl<'ctx> HandedValue<'ctx> {
    /// The value in registers.
    pub(crate) fn value(self, code: &FunctionBuilder<'_, 'ctx, '_>) -> LoweredValue<'ctx> {
        match self {
            Self::Value(value) => value,
            Self::Field(field) => LoweredValue::Array(field.load(code)),
        }
    }

    pub(super) fn field(&self) -> Option<RecordField<'ctx>> {
        match self {
            Self::Value(_) => None,
            Self::Field(field) => Some(*field),
        }
    }
}

impl<'ctx> FunctionBuilder<'_, 'ctx, '_> {
    /// A record that has these arrays: that of the arrays, if they are in one already.
    pub(crate) fn record(&self, arrays: &[HandedValue<'ctx>]) -> PointerValue<'ctx> {
        if let Some(HandedValue::Field(RecordField { record, .. })) = arrays.first()
            && RecordField::all(*record, arrays.len())
                .eq(arrays.iter().filter_map(HandedValue::field))
        {
            return *record;
        }
        let words = u32::try_from(arrays.len() * WORDS).expect("a function has few parameters");
        let record = self.alloca(self.types.i64.array_type(words).into(), "record");
        self.fill(RecordField::all(record, arrays.len()).zip(arrays.to_vec()).collect());
        record
    }

    /// Stores arrays in fields. The arrays may be in these fields, in another order.
    pub(crate) fn fill(&self, fields: Vec<(RecordField<'ctx>, HandedValue<'ctx>)>) {
        let moved = fields.into_iter().filter(|(field, array)| array.field() != Some(*field));
        let values: Vec<_> = moved.map(|(field, array)| (field, array.value(self))).collect();
        for (field, value) in values {
            let LoweredValue::Array(array) = value else { panic!("fields have arrays") };
            field.store(self, &array);
        }
    }

    /// Adds steps to the end of a block that has its jump already.
    pub(super) fn before_jump<T>(&self, block: BasicBlock<'ctx>, add: impl FnOnce() -> T) -> T {
        let here = self.current_block();
        self.b.position_before(&block.get_terminator().expect("the block has ended"));
        let added = add();
        self.b.position_at_end(here);
        added
    }
}
