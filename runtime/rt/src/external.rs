//! Functions of C that compiled programs call (`external` in Arr): the memory of their results, and the reports of
//! their failures.
//!
//! Invariant: memory that an external allocates by [`arr_buffer_new`] is on the list of the running call, so it is
//! freed if the call fails, whatever the external did with it. When compiled code sees a result, it is dense and in a
//! buffer of the call, or empty.
//!
//! ```text
//! int median(arr_context *ctx, double *out, arr_f64_1d xs) { return arr_context_fail(ctx, "no numbers"); }
//! ⇒ stats.arr:3:40: the external `median` failed: no numbers
//! ```

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::NonNull;

use arr_abi::ErrorCode;
use arr_abi::layout::{ArrayField, Site};

use crate::buffer::{Buffer, arr_rt_release};
use crate::context::Context;
use crate::dense::{element_count, is_dense, row_major};
use crate::heap::{Heap, Room};
use crate::message::Refused;

/// Notes why the running external fails, and returns the code that it must return.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`, `text` is NULL or ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_context_fail(context: *mut Context, text: *const c_char) -> c_int {
    // SAFETY: by contract.
    if let (Some(context), false) = (unsafe { context.as_ref() }, text.is_null()) {
        // SAFETY: by contract.
        context.say(ErrorCode::External, unsafe { CStr::from_ptr(text) }.to_bytes());
    }
    ErrorCode::External.number()
}

/// Memory for a result of the external that is running: of that shape, dense. Gives the first element and the buffer of
/// the elements; NULL if there is no memory, a size is negative, `owner` is NULL, or no call runs: then the external
/// returns a code, and the message says why.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `shape` has `rank` values; `owner` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_buffer_new(
    context: *mut Context,
    shape: *const i64,
    rank: i64,
    elem_bytes: i64,
    owner: *mut *mut Buffer,
) -> *mut c_void {
    // SAFETY: by contract.
    unsafe {
        let context = context.as_ref();
        if owner.is_null() {
            if let Some(context) = context {
                context.say(ErrorCode::Argument, b"the pointer for the owner of an array is NULL");
            }
            return core::ptr::null_mut();
        }
        owner.write(core::ptr::null_mut());
        let Some(context) = context else { return core::ptr::null_mut() };
        if !context.stack_limit.has_call() {
            return core::ptr::null_mut();
        }
        let count = match element_count(sizes(shape, rank)) {
            Ok(count) => count,
            Err(negative) => {
                context.say_size(negative);
                return core::ptr::null_mut();
            }
        };
        match Heap::allocate_elements(context.heap(), count, elem_bytes, Room::Exact) {
            Ok(buffer) => {
                owner.write(buffer.as_ptr());
                Buffer::elements(buffer).as_ptr().cast()
            }
            Err(shortage) => {
                context.say_shortage(shortage);
                core::ptr::null_mut()
            }
        }
    }
}

/// Notes that an external returned another code than 0, and gives the code that the call fails with. The
/// site's text is the external's name.
///
/// # Safety
/// `context` is NULL or from `arr_context_new`; `site` is NULL or a site with NULL or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_external_failed(
    context: *mut Context,
    code: c_int,
    site: *const Site,
) -> c_int {
    // SAFETY: by contract.
    match unsafe { context.as_ref() } {
        // SAFETY: by contract.
        Some(context) => unsafe { context.fail_external(code, site) },
        None => ErrorCode::External.number(),
    }
}

/// Takes over an array from an external. It stays as it is if it is dense and begins at the first element of its
/// buffer. Otherwise it is copied, and the original is released. Gives 0, or the code that the call fails with. The
/// site's text is the external's name.
///
/// # Safety
/// `context` is from `arr_context_new`; `array` is an array struct of `rank` dimensions, with elements of
/// `elem_bytes` bytes where its shape and strides say; `site` as for `arr_rt_fail`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_take(
    context: *mut Context,
    array: *mut c_void,
    rank: i64,
    elem_bytes: i64,
    site: *const Site,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let Some(context) = context.as_ref() else { return ErrorCode::Argument.number() };
        let given = Given::read(array, rank);
        let (shape, stride) = (sizes(given.shape, rank), sizes(given.stride, rank));
        let data = given.data.read();
        let refused = match element_count(shape) {
            Err(negative) => Some(Refused::Negative(negative)),
            Ok(count) if count > 0 && data.is_null() => Some(Refused::NoData(count)),
            Ok(_) => None,
        };
        if let Some(refused) = refused {
            return context.refuse_external(refused, site);
        }
        let count = element_count(shape).unwrap_or(0);
        let owner = given.owner.read();
        if is_dense(shape, stride) && holds(owner, data, count, elem_bytes) {
            return 0;
        }
        let copy = match Heap::allocate_elements(context.heap(), count, elem_bytes, Room::Exact) {
            Ok(buffer) => buffer,
            Err(shortage) => {
                context.fail_for_memory(shortage, site);
                return ErrorCode::Memory.number();
            }
        };
        if count > 0 {
            row_major(data, shape, stride, elem_bytes, Buffer::elements(copy).as_ptr());
        }
        arr_rt_release(owner);
        given.data.write(Buffer::elements(copy).as_ptr());
        given.owner.write(copy.as_ptr());
        0
    }
}

/// The fields of an array struct.
struct Given {
    data: *mut *mut u8,
    shape: *mut i64,
    stride: *mut i64,
    owner: *mut *mut Buffer,
}

impl Given {
    /// # Safety
    /// `array` is an array struct of `rank` dimensions.
    unsafe fn read(array: *mut c_void, rank: i64) -> Self {
        let rank = usize::try_from(rank).unwrap_or(0);
        // SAFETY: the struct has as many words.
        let field = |field: ArrayField| unsafe { array.cast::<u64>().add(field.word(rank)) };
        Self {
            data: field(ArrayField::Data).cast(),
            shape: field(ArrayField::Shape).cast(),
            stride: field(ArrayField::Stride).cast(),
            owner: field(ArrayField::Owner).cast(),
        }
    }
}

/// Whether the elements begin with the first element of a buffer.
///
/// # Safety
/// `owner` is NULL or alive.
unsafe fn holds(owner: *mut Buffer, data: *mut u8, count: i64, elem_bytes: i64) -> bool {
    let Some(buffer) = NonNull::new(owner) else { return false };
    let bytes = usize::try_from(count.saturating_mul(elem_bytes)).unwrap_or(usize::MAX);
    // SAFETY: by contract.
    unsafe { Buffer::elements(buffer).as_ptr() == data && bytes <= buffer.as_ref().capacity }
}

/// # Safety
/// `values` has `rank` values.
unsafe fn sizes<'a>(values: *const i64, rank: i64) -> &'a [i64] {
    match usize::try_from(rank) {
        // SAFETY: by contract.
        Ok(rank) if !values.is_null() => unsafe { core::slice::from_raw_parts(values, rank) },
        Ok(_) | Err(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::arr_rt_detach;
    use crate::testing::{SITE, TestContext};
    use arr_abi::layout::Options;

    /// `arr_i64_1d`.
    #[repr(C)]
    struct Array1 {
        data: *mut i64,
        shape: [i64; 1],
        stride: [i64; 1],
        owner: *mut Buffer,
    }

    fn new(context: &TestContext, length: i64) -> Array1 {
        let mut owner = std::ptr::null_mut();
        // SAFETY: one size, and a place for the owner.
        let data =
            unsafe { arr_buffer_new(context.pointer(), &raw const length, 1, 8, &raw mut owner) };
        Array1 { data: data.cast(), shape: [length], stride: [1], owner }
    }

    fn take(context: &TestContext, array: &mut Array1) -> c_int {
        let array: *mut Array1 = array;
        // SAFETY: an array of one dimension.
        unsafe { arr_rt_take(context.pointer(), array.cast(), 1, 8, &raw const SITE.0) }
    }

    fn elements(array: &Array1) -> Vec<i64> {
        let length = usize::try_from(array.shape[0]).expect("a size");
        // SAFETY: dense, after it was taken.
        unsafe { std::slice::from_raw_parts(array.data, length) }.to_vec()
    }

    #[test]
    fn what_was_allocated_here_is_taken_as_it_is() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let mut array = new(&context, 3);
        // SAFETY: three elements.
        unsafe { std::slice::from_raw_parts_mut(array.data, 3) }.copy_from_slice(&[4, 5, 6]);
        let owner = array.owner;
        assert_eq!((take(&context, &mut array), elements(&array)), (0, vec![4, 5, 6]));
        assert_eq!(array.owner, owner);
        // SAFETY: the only reference.
        unsafe { arr_rt_release(owner) };
        assert_eq!(context.leave(0), 0);
        assert_eq!((context.stats().bytes_live, context.stats().call_left_over), (0, 0));
    }

    #[test]
    fn what_lies_elsewhere_or_with_gaps_is_copied() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let mut own = [1, 2, 3, 4, 5];
        let data = own.as_mut_ptr();
        let null = std::ptr::null_mut();
        let mut array = Array1 { data, shape: [3], stride: [2], owner: null };
        assert_eq!((take(&context, &mut array), elements(&array)), (0, vec![1, 3, 5]));

        let mut gaps = new(&context, 4);
        // SAFETY: four elements.
        unsafe { std::slice::from_raw_parts_mut(gaps.data, 4) }.copy_from_slice(&[7, 8, 9, 10]);
        (gaps.shape, gaps.stride) = ([2], [2]);
        assert_eq!((take(&context, &mut gaps), elements(&gaps)), (0, vec![7, 9]));

        let mut long = new(&context, 2);
        // SAFETY: two elements.
        unsafe { std::slice::from_raw_parts_mut(long.data, 2) }.copy_from_slice(&[1, 2]);
        (long.data, long.shape) = (data, [5]);
        assert_eq!((take(&context, &mut long), elements(&long)), (0, vec![1, 2, 3, 4, 5]));
        for array in [array, gaps, long] {
            // SAFETY: the only references.
            unsafe { arr_rt_release(array.owner) };
        }
        assert_eq!(context.leave(0), 0);
        assert_eq!((context.stats().bytes_live, context.stats().call_left_over), (0, 0));
    }

    #[test]
    fn what_no_array_is_is_refused() {
        let context = TestContext::new(&Options::new());
        let null: *mut Buffer = std::ptr::null_mut();
        for (shape, message) in [
            (-2, "f.arr:1:2: the external `iota` gave an array with the negative size -2"),
            (3, "f.arr:1:2: the external `iota` gave an array of 3 elements, but its data is NULL"),
        ] {
            context.enter();
            let mut array = Array1 { data: null.cast(), shape: [shape], stride: [1], owner: null };
            let code = take(&context, &mut array);
            assert_eq!((code, context.leave(code)), (14, 14));
            assert_eq!(context.error(), message);
        }
        context.enter();
        let mut empty = Array1 { data: null.cast(), shape: [0], stride: [1], owner: null };
        assert_eq!(take(&context, &mut empty), 0);
        assert_eq!(context.leave(0), 0);
        assert_eq!(context.stats().bytes_live, 0);
    }

    fn failed(context: &TestContext, code: c_int) -> (c_int, String) {
        // SAFETY: a context in a call.
        let code = unsafe { arr_rt_external_failed(context.pointer(), code, &raw const SITE.0) };
        assert_eq!(context.leave(code), code);
        (code, context.error())
    }

    #[test]
    fn a_failure_has_the_externals_words_or_its_code() {
        let context = TestContext::new(&Options { memory_limit: 1000, ..Options::new() });
        context.enter();
        // SAFETY: a text of C.
        let code = unsafe { arr_context_fail(context.pointer(), c"no numbers".as_ptr()) };
        let text = "f.arr:1:2: the external `iota` failed: no numbers";
        assert_eq!((code, failed(&context, code)), (14, (14, text.to_owned())));

        context.enter();
        let text = "f.arr:1:2: the external `iota` failed with the code -7";
        assert_eq!(failed(&context, -7), (14, text.to_owned()));

        context.enter();
        assert!(new(&context, 500).data.is_null());
        let (code, text) = failed(&context, ErrorCode::Memory.number());
        assert_eq!(code, ErrorCode::Memory.number());
        assert_eq!(
            text,
            "f.arr:1:2: the external `iota` failed: out of memory: 4000 bytes \
             (0 of the limit of 1000 bytes are in use)"
        );
        context.enter();
        assert!(new(&context, -1).data.is_null());
        let text = "f.arr:1:2: the external `iota` failed: an array of the negative size -1";
        assert_eq!(failed(&context, 1), (14, text.to_owned()));
        assert_eq!(context.stats().bytes_live, 0);
    }

    #[test]
    fn an_array_without_a_place_for_its_owner_is_a_wrong_argument() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let (shape, null) = ([3_i64], std::ptr::null_mut());
        // SAFETY: one size; the owner is NULL.
        let data = unsafe { arr_buffer_new(context.pointer(), shape.as_ptr(), 1, 8, null) };
        assert!(data.is_null());
        let text =
            "f.arr:1:2: the external `iota` failed: the pointer for the owner of an array is NULL";
        assert_eq!(failed(&context, 14), (ErrorCode::Argument.number(), text.to_owned()));
        // SAFETY: NULL is fine.
        unsafe { assert!(arr_buffer_new(null.cast(), shape.as_ptr(), 1, 8, null).is_null()) };
    }

    #[test]
    fn what_a_failing_external_allocated_is_freed() {
        let context = TestContext::new(&Options::new());
        context.enter();
        assert!(!new(&context, 5).data.is_null());
        assert_eq!(failed(&context, 1).0, 14);
        assert_eq!(context.stats().bytes_live, 0);
    }

    #[test]
    fn outside_a_call_there_is_no_memory() {
        let context = TestContext::new(&Options::new());
        assert!(new(&context, 5).data.is_null());
        context.enter();
        let given = new(&context, 5);
        // SAFETY: alive.
        unsafe { arr_rt_detach(given.owner, 40) };
        assert_eq!(context.leave(0), 0);
        // SAFETY: the only reference.
        unsafe { arr_rt_release(given.owner) };
        assert_eq!(context.stats().bytes_live, 0);
    }
}
