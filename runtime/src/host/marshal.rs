//! Values in the form of the C ABI.
//!
//! Invariant: a slot lies where its address was taken as long as it is not moved into a call's
//! result; arrays are structs of words, since their size depends on the rank.
//!
//! ```text
//! [][]f64   data  shape[0]  shape[1]  stride[0]  stride[1]  owner     eight bytes each
//! ```

use std::borrow::Cow;
use std::ffi::c_void;

use super::guard::{Guard, Guarded};
use super::value::{ArrayValue, ScalarValue, Slice, Value, ValueType};
use super::view::View;
use arr_abi::layout::ArrayField;
use arr_rt::buffer::Buffer;

/// The memory of a scalar or an array struct. It is boxed, so that moving a slot does not move the memory.
pub(super) struct Slot {
    ty: ValueType,
    words: Box<[u64]>,
    /// The elements of an input, or of an output in memory of the caller, where they are guarded.
    guarded: Option<Guarded>,
}

impl Slot {
    /// The slot of an input, which points into `value`, or to a copy of its elements beside a guard.
    pub(super) fn input(value: &Value, guard: Option<Guard>) -> Self {
        let ty = value.ty();
        let mut words = match value {
            Value::Scalar(scalar) => scalar_words(*scalar),
            Value::Array(array) => array_words(array),
        };
        let guarded = guard.zip(elements(value)).map(|(guard, (data, bytes))| {
            // SAFETY: these are the elements of the array.
            let copy = unsafe { Guarded::copy(guard, data, bytes) };
            let copy = copy.expect("there is memory for a copy of an input");
            words[0] = word(copy.address().expose_provenance());
            copy
        });
        Self { ty, words, guarded }
    }

    /// The slot of an output, empty.
    pub(super) fn output(ty: ValueType) -> Self {
        Self { ty, words: vec![0; word_count(ty)].into(), guarded: None }
    }

    /// The slot of an output in memory of the caller: as many elements as an earlier result has, beside a guard. A pattern
    /// fills the memory, so that an element that is not written shows.
    pub(super) fn lent(result: &Value) -> Self {
        let slot = Self::input(result, Some(Guard::Behind));
        slot.guarded.iter().for_each(|memory| memory.fill(0xa5));
        slot
    }

    /// The slot of an output in the memory of an input, which has to be guarded: then it is a copy that nothing else uses.
    pub(super) fn over(input: &Self) -> Self {
        assert!(input.guarded.is_some(), "memory that a call writes belongs to the call");
        Self { ty: input.ty, words: input.words.clone(), guarded: None }
    }

    /// For an input: its address.
    pub(super) fn address(&self) -> *const c_void {
        self.words.as_ptr().cast()
    }

    /// For an output: its address.
    pub(super) fn address_mut(&mut self) -> *mut c_void {
        self.words.as_mut_ptr().cast()
    }

    /// Empties an output and gives the buffer that it held; NULL if there was none.
    pub(super) fn take_owner(&mut self) -> *mut Buffer {
        let owner = match self.ty {
            ValueType::Scalar(_) => 0,
            ValueType::Array { rank, .. } => self.words[ArrayField::Owner.word(dimensions(rank))],
        };
        self.words.fill(0);
        pointer(owner)
    }

    /// The value that a call wrote to an output.
    ///
    /// # Safety
    /// A call that returned 0 wrote a value of the slot's type here, whose memory is alive and is not
    /// written to as long as the view is used.
    ///
    /// # Panics
    /// If the output is not dense, or has a negative size, which cannot happen.
    pub(super) unsafe fn view(&self) -> View<'_> {
        let (scalar, shape, address, count) = match self.ty {
            ValueType::Scalar(scalar) => (scalar, Vec::new(), self.words.as_ptr().cast(), 1),
            ValueType::Array { scalar, rank } => {
                let rank = dimensions(rank);
                let field = |field: ArrayField| &self.words[field.word(rank)..][..rank];
                let shape = field(ArrayField::Shape).iter().map(|word| word.cast_signed());
                let (shape, stride): (Vec<i64>, _) = (shape.collect(), field(ArrayField::Stride));
                let count =
                    dense_count(&shape, stride).expect("outputs are dense in row-major order");
                (scalar, shape, pointer::<u8>(self.words[0]).cast_const(), count)
            }
        };
        // SAFETY: by contract there are that many elements, densely.
        View::new(Cow::Owned(shape), unsafe { Slice::at(scalar, address, count) })
    }
}

fn word_count(ty: ValueType) -> usize {
    match ty {
        ValueType::Scalar(_) => 1,
        ValueType::Array { rank, .. } => ArrayField::words(dimensions(rank)),
    }
}

fn dimensions(rank: u32) -> usize {
    usize::try_from(rank).expect("a rank fits into a machine word")
}

/// A scalar as it lies in memory; bytes behind its size are zero.
fn scalar_words(scalar: ScalarValue) -> Box<[u64]> {
    let (mut memory, bytes) = ([0; 8], scalar.as_slice().bytes());
    memory[..bytes.len()].copy_from_slice(bytes);
    Box::new([u64::from_ne_bytes(memory)])
}

fn array_words(array: &ArrayValue) -> Box<[u64]> {
    let mut strides = vec![1_i64; array.shape().len()];
    for at in (1..strides.len()).rev() {
        // The sizes of an empty array may overflow when multiplied; its strides are not used.
        strides[at - 1] = strides[at].wrapping_mul(array.shape()[at]);
    }
    let mut words = vec![word(array.data().as_slice().bytes().as_ptr().expose_provenance())];
    words.extend(array.shape().iter().chain(&strides).map(|word| word.cast_unsigned()));
    words.push(0);
    words.into()
}

/// The first element of an array, and the number of bytes of the elements.
fn elements(value: &Value) -> Option<(*const u8, usize)> {
    match value {
        Value::Scalar(_) => None,
        Value::Array(array) => {
            let bytes = array.data().as_slice().bytes();
            Some((bytes.as_ptr(), bytes.len()))
        }
    }
}

fn word(address: usize) -> u64 {
    u64::try_from(address).expect("64-bit addresses")
}

/// How many elements a dense array has; `None` if it is not dense. Dimensions of size 1 have any
/// stride, and so have those of an empty array.
fn dense_count(shape: &[i64], stride: &[u64]) -> Option<usize> {
    if shape.iter().any(|&size| size < 0) {
        return None;
    }
    if shape.contains(&0) {
        return Some(0);
    }
    let mut count = 1_i64;
    for (&size, stride) in shape.iter().zip(stride).rev() {
        if size != 1 && stride.cast_signed() != count {
            return None;
        }
        count = count.checked_mul(size)?;
    }
    usize::try_from(count).ok()
}

/// A pointer that C wrote into a word.
fn pointer<T>(word: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(usize::try_from(word).expect("64-bit addresses"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{ArrayData, Scalar};

    #[test]
    fn an_input_reads_back() {
        let matrix =
            ArrayValue::new(vec![2, 3], ArrayData::F32(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into()));
        let values = [
            Value::Array(matrix.expect("2 times 3 is 6")),
            Value::from(vec![true, false]),
            Value::from(Vec::<u64>::new()),
            Value::from(-7_i16),
            Value::from(true),
            Value::from(-0.1_f64),
            Value::from(1.5_f32),
        ];
        for value in values {
            let slot = Slot::input(&value, None);
            // SAFETY: inputs are dense, and alive here.
            assert_eq!(unsafe { slot.view() }.to_value(), value);
        }
    }

    #[test]
    fn the_struct_is_that_of_the_header() {
        let value = Value::from(vec![1.0_f64, 2.0]);
        let slot = Slot::input(&value, None);
        assert_eq!(slot.words[1..], [2, 1, 0], "shape, stride, owner");
        let ty = ValueType::Array { scalar: Scalar::F64, rank: 3 };
        assert_eq!(Slot::output(ty).words.len(), 8);
    }

    #[test]
    fn only_dense_outputs_count() {
        assert_eq!(dense_count(&[2, 3], &[3, 1]), Some(6));
        assert_eq!(dense_count(&[2, 3], &[1, 2]), None);
        assert_eq!(dense_count(&[1, 3], &[77, 1]), Some(3));
        assert_eq!(dense_count(&[i64::MAX, 0, i64::MAX], &[5, 5, 5]), Some(0));
        assert_eq!(dense_count(&[-1], &[1]), None);
    }
}
