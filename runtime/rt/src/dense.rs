//! A dense copy of an array with strides.
//!
//! Invariant: reads exactly the elements that shape and strides name, and none if the array is
//! empty.
//!
//! ```text
//! shape [2, 2], strides [1, 2] over 1 2 3 4   becomes   1 3 2 4
//! ```

use core::ffi::c_void;
use core::ptr::NonNull;

use arr_abi::ErrorCode;
use arr_abi::layout::Site;

use crate::buffer::{Buffer, arr_rt_alloc};
use crate::context::Context;
use crate::sort::in_vectors;

/// The rows of a block of a matrix that lies in memory by columns: some cache lines of a column. No benchmark shows it
/// alone.
const ROWS: i64 = 32;

/// A row-major copy of an array of `rank` dimensions, in a buffer as of `arr_rt_alloc`; NULL if
/// the context's error says why not. Strides count elements, and may be negative.
///
/// # Safety
/// `context` is from `arr_context_new`, `shape` and `stride` have `rank` values each, and `data`
/// points to the elements that they name, of `elem_bytes` bytes each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_dense(
    context: *mut Context,
    data: *const c_void,
    shape: *const i64,
    stride: *const i64,
    rank: i64,
    elem_bytes: i64,
) -> *mut Buffer {
    let site = Site {
        file: core::ptr::null(),
        what: c"an input".as_ptr(),
        line: 0,
        column: 0,
        caller: core::ptr::null(),
    };
    // SAFETY: by contract.
    unsafe {
        let (shape, stride) = (slice_of(shape, rank), slice_of(stride, rank));
        let fault = match element_count(shape) {
            Err(negative) => Some(negative),
            Ok(count) if count > 0 && data.is_null() => Some(count),
            Ok(_) => None,
        };
        if let (Some(fault), Some(context)) = (fault, context.as_ref()) {
            context.fail(ErrorCode::Argument.number(), &raw const site, fault, 0);
            return core::ptr::null_mut();
        }
        let count = element_count(shape).unwrap_or(0);
        let buffer = arr_rt_alloc(context, count, elem_bytes, &raw const site);
        if let (Some(new), 1.., Ok(bytes)) =
            (NonNull::new(buffer), count, usize::try_from(elem_bytes))
        {
            Walk::new(shape, stride, bytes).dimension(
                0,
                data.cast(),
                Buffer::elements(new).as_ptr(),
            );
        }
        buffer
    }
}

/// Copies the elements of `count` positions of the first dimension, from `first` on, in row-major order.
///
/// # Safety
/// `shape` and `stride` have `rank` values each, at least one, and `data` points to the elements that they name, of
/// `elem_bytes` bytes each. There is room for the copies at `to`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_gather(
    data: *const c_void,
    shape: *const i64,
    stride: *const i64,
    rank: i64,
    elem_bytes: i64,
    first: i64,
    count: i64,
    to: *mut c_void,
) {
    // SAFETY: by contract.
    unsafe {
        let (shape, stride) = (slice_of(shape, rank), slice_of(stride, rank));
        let ([_, row @ ..], [outer, inner @ ..]) = (shape, stride) else { return };
        let bytes = usize::try_from(elem_bytes).unwrap_or(0);
        let rows = Walk::new(row, inner, bytes);
        let from = rows.step(data.cast(), first, *outer);
        if let ([columns], [apart]) = (row, inner)
            && outer.unsigned_abs() < apart.unsigned_abs()
        {
            rows.by_columns([count, *columns], [*outer, *apart], from, to.cast());
        } else if row.is_empty() {
            rows.row(count, *outer, from, to.cast());
        } else {
            let row = |to, index| rows.dimension(0, rows.step(from, index, *outer), to);
            (0..count).fold(to.cast(), row);
        }
    }
}

/// # Safety
/// `values` is NULL or has `rank` values.
pub(crate) unsafe fn slice_of<'a>(values: *const i64, rank: i64) -> &'a [i64] {
    match usize::try_from(rank) {
        // SAFETY: by contract.
        Ok(rank) if !values.is_null() => unsafe { core::slice::from_raw_parts(values, rank) },
        Ok(_) | Err(_) => &[],
    }
}

/// How many elements there are (at most `i64::MAX`, which no memory holds), or the negative size.
pub(crate) fn element_count(shape: &[i64]) -> Result<i64, i64> {
    match shape.iter().find(|&&size| size < 0) {
        Some(&negative) => Err(negative),
        None if shape.contains(&0) => Ok(0),
        None => Ok(shape.iter().fold(1, |count: i64, &size| count.saturating_mul(size))),
    }
}

/// Whether elements of that shape, with these strides, lie one after the other in row-major order.
pub(crate) fn is_dense(shape: &[i64], stride: &[i64]) -> bool {
    Walk::new(shape, stride, 1).dense_from == 0
}

/// Copies the elements to a place, in row-major order.
///
/// # Safety
/// The elements that shape and strides name can be read, and there is room for them.
pub(crate) unsafe fn row_major(
    data: *const u8,
    shape: &[i64],
    stride: &[i64],
    elem_bytes: i64,
    to: *mut u8,
) {
    let bytes = usize::try_from(elem_bytes).unwrap_or(0);
    // SAFETY: by contract.
    unsafe { Walk::new(shape, stride, bytes).dimension(0, data, to) };
}

/// A copy in progress.
struct Walk<'a> {
    shape: &'a [i64],
    stride: &'a [i64],
    elem_bytes: usize,
    /// From this dimension on, the elements already lie in row-major order.
    dense_from: usize,
    /// How many elements lie there together.
    run: i64,
}

impl<'a> Walk<'a> {
    fn new(shape: &'a [i64], stride: &'a [i64], elem_bytes: usize) -> Self {
        let mut run = 1_i64;
        let mut dense_from = shape.len();
        for (&size, &stride) in shape.iter().zip(stride).rev() {
            if size != 1 && stride != run {
                break;
            }
            run = run.saturating_mul(size);
            dense_from -= 1;
        }
        Self { shape, stride, elem_bytes, dense_from, run }
    }

    /// Copies the elements of dimensions `at` and below; returns the place of the next element.
    ///
    /// # Safety
    /// The elements can be read, and there is room for them.
    unsafe fn dimension(&self, at: usize, from: *const u8, mut to: *mut u8) -> *mut u8 {
        let (Some(&size), Some(&stride)) = (self.shape.get(at), self.stride.get(at)) else {
            // SAFETY: by contract there is an element here.
            return unsafe { self.elements(1, from, to) };
        };
        // SAFETY: by contract all the elements that are stepped to exist; offsets do not wrap
        // because they stay within one allocation.
        unsafe {
            if at >= self.dense_from {
                return self.elements(self.run, from, to);
            }
            if at + 1 == self.shape.len() {
                return self.row(size, stride, from, to);
            }
            if let ([columns], [inner]) = (&self.shape[at + 1..], &self.stride[at + 1..])
                && stride.unsigned_abs() < inner.unsigned_abs()
            {
                return self.by_columns([size, *columns], [stride, *inner], from, to);
            }
            for index in 0..size {
                to = self.dimension(at + 1, self.step(from, index, stride), to);
            }
            to
        }
    }

    /// Copies a matrix whose columns lie closer together than its rows: in each block of rows column after column, so that
    /// a cache line is read once.
    ///
    /// # Safety
    /// As for [`Self::dimension`].
    unsafe fn by_columns(
        &self,
        [rows, columns]: [i64; 2],
        strides: [i64; 2],
        from: *const u8,
        to: *mut u8,
    ) -> *mut u8 {
        let mut row = 0;
        while row < rows {
            let count = ROWS.min(rows - row);
            let (from, to) = (self.step(from, row, strides[0]), self.step(to, row, columns));
            // SAFETY: by contract.
            unsafe { self.transposed([count, columns], strides, from, to.cast_mut()) };
            row += count;
        }
        self.step(to, rows, columns).cast_mut()
    }

    /// # Safety
    /// As for [`Self::dimension`].
    unsafe fn transposed(&self, shape: [i64; 2], strides: [i64; 2], from: *const u8, to: *mut u8) {
        // SAFETY: by contract.
        unsafe {
            match self.elem_bytes {
                1 => self.transposed_of::<u8>(shape, strides, from, to),
                2 => self.transposed_of::<u16>(shape, strides, from, to),
                4 => self.transposed_of::<u32>(shape, strides, from, to),
                _ => self.transposed_of::<u64>(shape, strides, from, to),
            }
        }
    }

    /// # Safety
    /// As for [`Self::dimension`], with elements as long as `T`.
    unsafe fn transposed_of<T>(
        &self,
        [rows, columns]: [i64; 2],
        [outer, inner]: [i64; 2],
        from: *const u8,
        to: *mut u8,
    ) {
        let to: *mut T = to.cast();
        for column in 0..columns {
            let from = self.step(from, column, inner);
            let mut to = to.wrapping_offset(column as isize);
            for row in 0..rows {
                // SAFETY: by contract.
                unsafe {
                    to.write_unaligned(self.step(from, row, outer).cast::<T>().read_unaligned())
                };
                to = to.wrapping_offset(columns as isize);
            }
        }
    }

    /// Copies elements that lie `stride` apart.
    ///
    /// # Safety
    /// As for [`Self::dimension`].
    unsafe fn row(&self, size: i64, stride: i64, from: *const u8, to: *mut u8) -> *mut u8 {
        // SAFETY: by contract; elements may be unaligned.
        unsafe {
            match self.elem_bytes {
                1 => self.row_of::<u8>(size, stride, from, to),
                2 => self.row_of::<u16>(size, stride, from, to),
                4 => self.row_of::<u32>(size, stride, from, to),
                8 => self.row_of::<u64>(size, stride, from, to),
                _ => (0..size)
                    .fold(to, |to, index| self.elements(1, self.step(from, index, stride), to)),
            }
        }
    }

    /// # Safety
    /// As for [`Self::dimension`], with elements as long as `T`.
    unsafe fn row_of<T>(&self, size: i64, stride: i64, from: *const u8, to: *mut u8) -> *mut u8 {
        // SAFETY: by contract. LLVM makes vectors where it knows the stride, as of the numbers in structs of few numbers.
        let copy = move || unsafe {
            match stride {
                1 => self.elements(size, from, to),
                -1 => apart::<T>(size, -1, from, to),
                2 => apart::<T>(size, 2, from, to),
                3 => apart::<T>(size, 3, from, to),
                4 => apart::<T>(size, 4, from, to),
                _ => apart::<T>(size, stride, from, to),
            }
        };
        in_vectors(usize::try_from(size).unwrap_or(0), copy)
    }

    /// Copies `count` elements that lie together.
    ///
    /// # Safety
    /// As for [`Self::dimension`].
    unsafe fn elements(&self, count: i64, from: *const u8, to: *mut u8) -> *mut u8 {
        let bytes = usize::try_from(count).unwrap_or(0) * self.elem_bytes;
        // SAFETY: by contract; memory that was just allocated overlaps nothing.
        unsafe {
            from.copy_to_nonoverlapping(to, bytes);
            to.add(bytes)
        }
    }

    /// The element `index` strides from `from`. The compiler must not assume that the offset stays inside an allocation
    /// of *ours*, since the memory belongs to the caller.
    fn step(&self, from: *const u8, index: i64, stride: i64) -> *const u8 {
        let elements = index.wrapping_mul(stride) as isize;
        from.wrapping_offset(elements.wrapping_mul(self.elem_bytes as isize))
    }
}

/// Copies elements that lie `stride` elements apart. Returns the place behind the copies.
///
/// # Safety
/// The elements can be read, and there is room for them.
#[inline(always)]
unsafe fn apart<T>(size: i64, stride: i64, from: *const u8, to: *mut u8) -> *mut u8 {
    let (mut from, mut to): (*const T, *mut T) = (from.cast(), to.cast());
    for _ in 0..size {
        // SAFETY: by contract; elements may be unaligned. The place behind the last one is not read.
        unsafe {
            to.write_unaligned(from.read_unaligned());
            to = to.add(1);
        }
        from = from.wrapping_offset(stride as isize);
    }
    to.cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestContext;
    use arr_abi::layout::Options;

    fn dense<T: Copy>(data: &[T], at: usize, shape: &[i64], stride: &[i64]) -> Vec<T> {
        let context = TestContext::new(&Options::new());
        context.enter();
        let rank = i64::try_from(shape.len()).expect("a small rank");
        let bytes = i64::try_from(size_of::<T>()).expect("a small element");
        let count = usize::try_from(shape.iter().product::<i64>()).expect("a small shape");
        // SAFETY: the tests name elements of `data`.
        let copy = unsafe {
            let from = data.as_ptr().add(at).cast();
            let buffer =
                arr_rt_dense(context.pointer(), from, shape.as_ptr(), stride.as_ptr(), rank, bytes);
            let elements = Buffer::elements(NonNull::new(buffer).expect("memory for a test"));
            std::slice::from_raw_parts(elements.cast::<T>().as_ptr(), count).to_vec()
        };
        assert_eq!(context.leave(0), 0);
        copy
    }

    #[test]
    fn elements_come_in_row_major_order() {
        let data: Vec<i32> = (0..24).collect();
        assert_eq!(dense(&data, 0, &[24], &[1]), data);
        assert_eq!(dense(&data, 0, &[2, 3, 4], &[12, 4, 1]), data);
        assert_eq!(dense(&data, 23, &[4], &[-1]), [23, 22, 21, 20]);
        assert_eq!(dense(&data, 0, &[3, 2], &[1, 3]), [0, 3, 1, 4, 2, 5]);
        assert_eq!(
            dense(&data, 1, &[2, 3], &[12, 1]),
            [1, 2, 3, 13, 14, 15],
            "rows of a wider array"
        );
        assert_eq!(dense(&data, 0, &[2, 2, 2], &[12, 2, 1]), [0, 1, 2, 3, 12, 13, 14, 15]);
        assert_eq!(dense(&data, 5, &[3], &[0]), [5, 5, 5]);
        assert_eq!(dense(&data, 7, &[], &[]), [7]);
        assert_eq!(dense(&data, 0, &[1, 3], &[99, 2]), [0, 2, 4]);
    }

    fn gathered(data: &[i32], shape: &[i64], stride: &[i64], steps: [i64; 2]) -> Vec<i32> {
        let row: i64 = shape[1..].iter().product();
        let mut to = vec![-1; usize::try_from(steps[1] * row).expect("a small shape")];
        let rank = i64::try_from(shape.len()).expect("a small rank");
        let (shape, stride) = (shape.as_ptr(), stride.as_ptr());
        let [first, count] = steps;
        // SAFETY: the tests name elements of `data`, and there is room for them.
        unsafe {
            let to = to.as_mut_ptr().cast();
            arr_rt_gather(data.as_ptr().cast(), shape, stride, rank, 4, first, count, to);
        }
        to
    }

    #[test]
    fn some_steps_are_gathered() {
        let data: Vec<i32> = (0..24).collect();
        assert_eq!(gathered(&data, &[8], &[3], [2, 3]), [6, 9, 12]);
        assert_eq!(gathered(&data, &[24], &[1], [20, 4]), [20, 21, 22, 23]);
        assert_eq!(gathered(&data, &[4, 3], &[1, 4], [1, 2]), [1, 5, 9, 2, 6, 10]);
        assert_eq!(gathered(&data, &[4, 3], &[6, 2], [3, 1]), [18, 20, 22]);
        assert_eq!(
            gathered(&data, &[2, 3, 4], &[1, 8, 2], [1, 1]),
            (1..24).step_by(2).collect::<Vec<_>>()
        );
        assert_eq!(gathered(&data, &[8], &[3], [8, 0]), []);
    }

    #[test]
    fn matrices_by_columns_are_copied_in_blocks() {
        let (rows, columns) = (100, 7);
        let data: Vec<i32> = (0..rows * columns).collect();
        let copy = dense(&data, 0, &[rows.into(), columns.into()], &[1, rows.into()]);
        let expected =
            (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
        assert_eq!(copy, expected.collect::<Vec<_>>());
    }

    #[test]
    fn every_element_size_is_copied() {
        assert_eq!(dense(&[1_u8, 2, 3], 0, &[2], &[2]), [1, 3]);
        assert_eq!(dense(&[1_u16, 2, 3], 0, &[2], &[2]), [1, 3]);
        assert_eq!(dense(&[1.5_f64, 2.5, 3.5], 0, &[2], &[2]), [1.5, 3.5]);
        assert_eq!(
            dense(&[[1_u8, 2, 3], [4, 5, 6], [7, 8, 9]], 0, &[2], &[2]),
            [[1, 2, 3], [7, 8, 9]]
        );
    }

    #[test]
    fn bad_inputs_are_errors() {
        let context = TestContext::new(&Options::new());
        let none = std::ptr::null();
        for (shape, message) in [
            ([-1_i64, 2], "an input has the negative size -1"),
            ([3, 2], "the pointer for an input is NULL, but its size is 6"),
        ] {
            context.enter();
            // SAFETY: two sizes and strides; nothing is read.
            let buffer = unsafe {
                arr_rt_dense(context.pointer(), none, shape.as_ptr(), [2_i64, 1].as_ptr(), 2, 8)
            };
            assert!(buffer.is_null());
            assert_eq!(context.leave(context.code()), ErrorCode::Argument.number());
            assert_eq!(context.error(), message);
        }
        context.enter();
        let huge = [i64::MAX, i64::MAX];
        // SAFETY: two sizes and strides; nothing is read, since there is no memory for a copy.
        let buffer = unsafe {
            arr_rt_dense(
                context.pointer(),
                [0_u8].as_ptr().cast(),
                huge.as_ptr(),
                [1_i64, 1].as_ptr(),
                2,
                8,
            )
        };
        assert!(buffer.is_null());
        assert_eq!(context.leave(context.code()), ErrorCode::Memory.number());

        context.enter();
        // SAFETY: an empty array has no elements to read.
        let buffer = unsafe {
            arr_rt_dense(
                context.pointer(),
                none,
                [0_i64, i64::MAX].as_ptr(),
                [1_i64, 1].as_ptr(),
                2,
                8,
            )
        };
        assert!(!buffer.is_null());
        assert_eq!(context.leave(0), 0);
        assert_eq!(context.stats().bytes_live, 0);
    }
}
