//! Memory of the caller for the results of a call.
//!
//! Invariant: no pass writes to a destination that shares memory with another array of the call, since compiled code
//! assumes that the arrays of a pass do not overlap.
//!
//! ```text
//! destination 100..140, input with data 96, shape [2], stride [3], of 4 bytes: elements at 96 and 108   ⇒   they overlap
//! ```

use core::ffi::{c_int, c_void};

use arr_abi::layout::Destination;

use crate::dense::{element_count, slice_of};

/// How many destinations share memory with an array. Passes write to none of these: their results are copied at the end
/// of the call. Elements between those of an array with strides count as its memory.
///
/// # Safety
/// `destinations` points to `destination_count` destinations, and `shape` and `stride` point to `rank` values each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_overlap(
    destinations: *mut Destination,
    destination_count: i64,
    data: *const c_void,
    shape: *const i64,
    stride: *const i64,
    rank: i64,
    elem_bytes: i64,
) -> c_int {
    // SAFETY: by contract.
    let (shape, stride) = unsafe { (slice_of(shape, rank), slice_of(stride, rank)) };
    let [from, to] = extent(data.addr(), shape, stride, elem_bytes);
    let mut overlaps = 0;
    for at in 0..usize::try_from(destination_count).unwrap_or(0) {
        // SAFETY: by contract.
        let destination = unsafe { &mut *destinations.add(at) };
        let start = destination.data.addr();
        if destination.bytes > 0 && from < to && start < to && from < start + destination.bytes {
            destination.count = 0;
            destination.inputs += 1;
            overlaps += 1;
        }
    }
    overlaps
}

/// The first address of an array, and the one behind it.
fn extent(data: usize, shape: &[i64], stride: &[i64], elem_bytes: i64) -> [usize; 2] {
    if !matches!(element_count(shape), Ok(1..)) {
        return [data; 2];
    }
    let (mut before, mut behind) = (0_i64, 0_i64);
    for (size, stride) in shape.iter().zip(stride) {
        let last = (size - 1).saturating_mul(*stride);
        before = before.saturating_add(last.min(0));
        behind = behind.saturating_add(last.max(0));
    }
    let at = |elements: i64| {
        let bytes = elements.saturating_mul(elem_bytes);
        data.saturating_add_signed(isize::try_from(bytes).unwrap_or(isize::MAX))
    };
    [at(before), at(behind.saturating_add(1))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlaps(destination: [usize; 2], at: usize, shape: &[i64], stride: &[i64]) -> bool {
        let [from, bytes] = destination;
        let data = core::ptr::without_provenance_mut(from);
        let mut destination = Destination { data, count: 1, bytes, inputs: 0 };
        let rank = i64::try_from(shape.len()).expect("a small rank");
        let input = core::ptr::without_provenance(at);
        let (shape, stride) = (shape.as_ptr(), stride.as_ptr());
        // SAFETY: there is one destination, and the sizes are as many as the rank says.
        let count =
            unsafe { arr_rt_overlap(&raw mut destination, 1, input, shape, stride, rank, 8) };
        assert_eq!(
            (destination.count == 0, destination.inputs),
            (count == 1, usize::from(count == 1))
        );
        count == 1
    }

    #[test]
    fn arrays_overlap_where_they_share_bytes() {
        let destination = [800, 80];
        for (at, shape, stride, expected) in [
            (720, &[10][..], &[1][..], false),
            (728, &[10], &[1], true),
            (872, &[1], &[1], true),
            (880, &[1], &[1], false),
            (880, &[5], &[-1], true),
            (880, &[1], &[-1], false),
            (0, &[0], &[1], false),
            (800, &[0, 5], &[5, 1], false),
            (640, &[2, 3], &[18, 1], true),
            (640, &[2, 3], &[10, 1], false),
        ] {
            assert_eq!(overlaps(destination, at, shape, stride), expected, "{at} {shape:?}");
        }
        assert!(!overlaps([800, 0], 720, &[100], &[1]), "memory without bytes overlaps nothing");
    }
}
