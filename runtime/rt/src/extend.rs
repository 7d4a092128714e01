//! Arrays to which others are appended: an array that is not shared grows in place.
//!
//! Invariant: the buffer that is returned belongs to the caller alone, and is on the list of the running call. Other
//! owners of the old array see no change.
//!
//! ```text
//! xs ++ ys   xs of the caller, shared, or a part of another   ⇒  a copy, with room for ys
//!            room for ys behind xs                            ⇒  xs
//!            xs in pages of its own   ⇒  its pages, moved to where twice as many have room, or a copy in a block that
//!                                        the heap keeps
//!            else                     ⇒  a copy, with room for twice xs
//! ```

use core::ffi::c_void;
use core::ptr::NonNull;

use arr_abi::ErrorCode;
use arr_abi::layout::Site;

use crate::buffer::Buffer;
use crate::context::Context;
use crate::heap::Room;
use crate::message::Shortage;

/// A buffer that begins with the `used_bytes` bytes at `data`, with room for `more_bytes` behind them, which is not
/// shared; NULL if the context's error says why not. It takes the caller's reference to `owner`, the buffer of the
/// data, or NULL if the data is in foreign memory. If no bytes are used, `data` may be any pointer.
///
/// # Safety
/// `context` is from `arr_context_new`, `owner` NULL or alive and a reference of the caller's, the data readable, and `site`
/// NULL or a site with NULL or C strings. If the caller has the only reference to a buffer, the bytes behind the data are
/// not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_extend(
    context: *mut Context,
    owner: *mut Buffer,
    data: *const c_void,
    used_bytes: i64,
    more_bytes: i64,
    site: *const Site,
) -> *mut Buffer {
    // SAFETY: by contract.
    let Some(context) = (unsafe { context.as_ref() }) else { return core::ptr::null_mut() };
    let (Ok(used), Ok(more)) = (usize::try_from(used_bytes), usize::try_from(more_bytes)) else {
        // SAFETY: by contract.
        unsafe { context.fail(ErrorCode::Size.number(), site, used_bytes.min(more_bytes), 0) };
        return core::ptr::null_mut();
    };
    // The sum of two numbers below 2⁶³ does not overflow.
    let request = Request { data: data.cast(), used, needed: used + more };
    // SAFETY: by contract; the context keeps its heap alive.
    match unsafe { extended(context, NonNull::new(owner), request) } {
        Ok(buffer) => buffer.as_ptr(),
        Err(shortage) => {
            // SAFETY: by contract.
            unsafe { context.fail_for_memory(shortage, site) };
            core::ptr::null_mut()
        }
    }
}

/// A request for room.
#[derive(Clone, Copy)]
struct Request {
    /// The data that the buffer begins with.
    data: *const u8,
    /// The bytes of the data.
    used: usize,
    /// The bytes that it needs room for.
    needed: usize,
}

/// # Safety
/// As for [`arr_rt_extend`].
unsafe fn extended(
    context: &Context,
    owner: Option<NonNull<Buffer>>,
    request: Request,
) -> Result<NonNull<Buffer>, Shortage> {
    // SAFETY: by contract.
    unsafe {
        let Some(buffer) = owner else { return copied(context, request, request.needed) };
        let this = buffer.as_ref();
        let begins_here =
            request.used == 0 || core::ptr::eq(request.data, Buffer::elements(buffer).as_ptr());
        // Externals may give arrays of other contexts, which other threads may use.
        if !begins_here || !Buffer::is_alone(buffer) || this.heap != context.heap() {
            let new = copied(context, request, request.needed)?;
            context.release(buffer);
            return Ok(new);
        }
        // Compiled code first checks itself whether there is room, so it could use bytes that the heap counts as spare.
        if request.needed <= this.capacity && this.spare == 0 {
            return Ok(buffer);
        }
        grown(context, buffer, request)
    }
}

/// More room for a buffer with one reference.
///
/// # Safety
/// As for [`extended`], with such a buffer of the context's heap.
unsafe fn grown(
    context: &Context,
    buffer: NonNull<Buffer>,
    request: Request,
) -> Result<NonNull<Buffer>, Shortage> {
    // SAFETY: by contract. The elements of the buffer stay until they are copied.
    unsafe {
        let heap = context.heap();
        let buffer = heap.as_ref().stretch(buffer, request.used, request.needed);
        // Compiled code knows the room of a small buffer, so a request for such a buffer always exceeds it.
        if !buffer.as_ref().is_small() && request.needed <= Buffer::room(buffer) {
            heap.as_ref().widen(buffer, request.needed)?;
            return Ok(buffer);
        }
        // The room doubles each time, so that each element is copied once on average.
        let twice = buffer.as_ref().capacity.saturating_mul(2).max(request.needed);
        let from = Request { data: Buffer::elements(buffer).as_ptr(), ..request };
        let new =
            copied(context, from, twice).or_else(|_| copied(context, from, request.needed))?;
        context.release(buffer);
        Ok(new)
    }
}

/// The elements in a new buffer.
///
/// # Safety
/// The data is readable, and the capacity is large enough.
unsafe fn copied(
    context: &Context,
    request: Request,
    capacity: usize,
) -> Result<NonNull<Buffer>, Shortage> {
    // SAFETY: by contract; a new buffer is not where the data is, and compiled code runs in the thread of its call.
    unsafe {
        let new = context.allocate(capacity, Room::Exact)?;
        if request.used > 0 {
            Buffer::elements(new).as_ptr().copy_from_nonoverlapping(request.data, request.used);
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::buffer::{arr_rt_release, arr_rt_retain};
    use crate::memory::{HUGE, LARGE};
    use crate::slice::{arr_rt_detach, arr_rt_slice};
    use crate::testing::{SITE, TestContext};
    use arr_abi::layout::Options;

    fn size(bytes: usize) -> i64 {
        i64::try_from(bytes).expect("a small size")
    }

    fn data(buffer: NonNull<Buffer>) -> *mut u8 {
        // SAFETY: the tests' buffers are alive.
        unsafe { Buffer::elements(buffer) }.as_ptr()
    }

    /// Extends the elements in a buffer that begin at `at`.
    fn extend(
        context: &TestContext,
        buffer: NonNull<Buffer>,
        at: usize,
        [used, more]: [usize; 2],
    ) -> Option<NonNull<Buffer>> {
        let owner = buffer.as_ptr();
        // SAFETY: the context and the buffer are alive, and have that much.
        NonNull::new(unsafe {
            let data = data(buffer).add(at).cast();
            let site = &raw const SITE.0;
            arr_rt_extend(context.pointer(), owner, data, size(used), size(more), site)
        })
    }

    /// A buffer of `bytes` bytes, each a `7`.
    fn sevens(context: &TestContext, bytes: usize) -> NonNull<Buffer> {
        let buffer = context.alloc(size(bytes), 1).expect("memory for a test");
        // SAFETY: there is room for them.
        unsafe { data(buffer).write_bytes(7, bytes) };
        buffer
    }

    /// Whether the buffer begins with `bytes` sevens.
    fn has_sevens(buffer: NonNull<Buffer>, bytes: usize) -> bool {
        // SAFETY: the tests' buffers have that many elements.
        unsafe { core::slice::from_raw_parts(data(buffer), bytes) }.iter().all(|&byte| byte == 7)
    }

    fn leave_with_nothing(context: &TestContext) {
        let ok = context.leave(0);
        assert_eq!((ok, context.stats().bytes_live, context.stats().call_left_over), (0, 0, 0));
    }

    fn release(buffer: NonNull<Buffer>) {
        // SAFETY: the reference is the test's.
        unsafe { arr_rt_release(buffer.as_ptr()) };
    }

    #[test]
    fn steps_of_one_element_take_few_arrays() {
        for (steps, most) in [(1000, 10), (100_000, 16), (5_000_000, 24)] {
            let context = TestContext::new(&Options::new());
            context.enter();
            let mut buffer = sevens(&context, 8);
            for step in 1..steps {
                buffer = extend(&context, buffer, 0, [8 * step, 8]).expect("memory for a test");
                // SAFETY: there is room for it.
                unsafe { data(buffer).add(8 * step).write_bytes(7, 8) };
            }
            assert!(context.stats().call_allocations <= most);
            assert!(has_sevens(buffer, 8 * steps));
            let bytes = u64::try_from(8 * steps).expect("a small size");
            // Bytes that are appended to pages count when they are written.
            if cfg!(target_os = "linux") && 8 * steps > 4 * LARGE {
                assert!(context.stats().bytes_peak <= bytes + (1 << 20));
            }
            // SAFETY: alive.
            let given = unsafe { arr_rt_detach(buffer.as_ptr(), size(8 * steps)) };
            assert!(context.stats().bytes_live <= bytes + (1 << 20));
            assert_eq!(context.leave(0), 0);
            let given = NonNull::new(given).expect("never NULL");
            assert!(has_sevens(given, 8 * steps));
            release(given);
            assert_eq!(context.stats().bytes_live, 0);
        }
    }

    #[test]
    fn the_next_call_takes_what_the_last_one_kept() {
        let context = TestContext::new(&Options::new());
        let bytes = 1 << 20;
        for call in 0..10 {
            context.enter();
            let mut buffer = sevens(&context, 0);
            for used in (0..8 * bytes).step_by(1000) {
                buffer = extend(&context, buffer, 0, [used, 1000]).expect("memory for a test");
                // SAFETY: there is room for it.
                unsafe { data(buffer).add(used).write_bytes(7, 1000) };
            }
            assert!(has_sevens(buffer, 8 * bytes), "{call}");
            assert!(context.stats().bytes_peak <= 10 << 20);
            release(buffer);
            leave_with_nothing(&context);
            // A block of each size: half as much as the next one.
            assert!(context.stats().bytes_kept <= 20 << 20, "{call}");
        }
    }

    #[test]
    fn pages_move_with_what_is_in_them() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let (before, after) = (context.alloc(1, 8), context.alloc(1, 8));
        let mut buffer = sevens(&context, LARGE);
        let mut used = LARGE;
        let later = context.alloc(1, 8).expect("memory for a test");
        while used < 8 * HUGE {
            let room = 3 * used;
            buffer = extend(&context, buffer, 0, [used, room - used]).expect("memory for a test");
            assert!(has_sevens(buffer, used));
            let alignment = if room < HUGE { 4096 } else { 2 << 20 };
            assert!(buffer.as_ptr().addr() % alignment < 4096);
            // SAFETY: there is room, and the slack is ours, too.
            unsafe { data(buffer).add(used).write_bytes(7, room - used + 64) };
            used = room;
        }
        assert!(has_sevens(buffer, used));
        let in_use = u64::try_from(used).expect("a small size");
        assert!(context.stats().bytes_peak <= in_use + (1 << 20), "never both");
        // The list of the call is whole.
        let all = [before.expect("memory"), later, buffer, after.expect("memory")];
        all.into_iter().for_each(release);
        leave_with_nothing(&context);
    }

    #[test]
    fn a_call_that_fails_frees_what_has_grown() {
        let context = TestContext::new(&Options::new());
        context.enter();
        for bytes in [10, 1000, LARGE, HUGE] {
            let buffer = sevens(&context, bytes);
            assert!(extend(&context, buffer, 0, [bytes, 10 * bytes]).is_some());
        }
        assert_eq!((context.leave(1), context.stats().bytes_live), (1, 0));
        assert_eq!(context.stats().call_left_over, 4);
    }

    #[test]
    fn there_is_room_where_there_was() {
        let context = TestContext::new(&Options::new());
        context.enter();
        for bytes in [1000, LARGE, HUGE] {
            let buffer = sevens(&context, bytes);
            assert_eq!(extend(&context, buffer, 0, [bytes, 0]), Some(buffer));
            assert_eq!(extend(&context, buffer, 0, [bytes / 2, bytes / 2]), Some(buffer));
            // SAFETY: alive, and the slice takes its place.
            let slice = NonNull::new(unsafe { arr_rt_slice(buffer.as_ptr(), size(bytes / 4 * 3)) });
            assert_eq!(slice, Some(buffer));
            let quarter = [bytes / 4 * 3, bytes / 4];
            assert_eq!(extend(&context, buffer, 0, quarter), Some(buffer));
            assert!(has_sevens(buffer, bytes / 4 * 3));
            release(buffer);
        }
        leave_with_nothing(&context);
    }

    #[test]
    fn what_was_spared_is_used() {
        let context = TestContext::new(&Options::new());
        context.enter();
        let slices: Vec<_> = (0..4)
            .map(|_| {
                let buffer = sevens(&context, 255 << 10);
                // SAFETY: alive, and the slice takes its place.
                NonNull::new(unsafe { arr_rt_slice(buffer.as_ptr(), 1000) }).expect("never NULL")
            })
            .collect();
        let grown: Vec<_> = slices
            .iter()
            .map(|&slice| extend(&context, slice, 0, [1000, 254 << 10]).expect("there is room"))
            .collect();
        assert_eq!(slices, grown);
        // Now other buffers may have spare bytes again.
        let buffer = sevens(&context, 255 << 10);
        // SAFETY: alive, and the slice takes its place.
        assert_eq!(unsafe { arr_rt_slice(buffer.as_ptr(), 1000) }, buffer.as_ptr());
        release(buffer);
        grown.into_iter().for_each(release);
        leave_with_nothing(&context);
    }

    #[test]
    fn what_others_have_is_copied() {
        let context = TestContext::new(&Options::new());
        context.enter();
        for bytes in [0, 10, LARGE, HUGE] {
            // The buffer has another owner.
            let shared = sevens(&context, bytes);
            // SAFETY: alive.
            unsafe { arr_rt_retain(shared.as_ptr()) };
            let new = extend(&context, shared, 0, [bytes, 5]).expect("memory for a test");
            assert_ne!(new, shared);
            // SAFETY: there is room for it.
            unsafe { data(new).write_bytes(9, bytes + 5) };
            assert!(has_sevens(shared, bytes));
            release(new);
            // A part that does not begin where the buffer does.
            if bytes > 4 {
                let part = extend(&context, shared, 4, [bytes - 4, 5]).expect("memory for a test");
                assert!(part != shared && has_sevens(part, bytes - 4));
                release(part);
            } else {
                release(shared);
            }
            // The data is in the caller's memory.
            let own = vec![7_u8; bytes];
            let none = std::ptr::null_mut();
            let site = &raw const SITE.0;
            // SAFETY: the data is there.
            let new = NonNull::new(unsafe {
                arr_rt_extend(context.pointer(), none, own.as_ptr().cast(), size(bytes), 3, site)
            });
            assert!(has_sevens(new.expect("memory for a test"), bytes));
            new.into_iter().for_each(release);
        }
        // Nothing is used: nothing is read.
        let (none, site) = (std::ptr::null_mut(), &raw const SITE.0);
        let nowhere = std::ptr::without_provenance(1);
        // SAFETY: no data is needed.
        let new = unsafe { arr_rt_extend(context.pointer(), none, nowhere, 0, 8, site) };
        release(NonNull::new(new).expect("memory for a test"));
        let buffer = sevens(&context, 8);
        // SAFETY: as above.
        let same = unsafe {
            arr_rt_extend(context.pointer(), buffer.as_ptr(), nowhere, 0, 8, &raw const SITE.0)
        };
        assert_eq!(same, buffer.as_ptr());
        release(buffer);
        leave_with_nothing(&context);
    }

    #[test]
    fn buffers_of_other_contexts_are_copied() {
        let [context, other] = [(); 2].map(|()| TestContext::new(&Options::new()));
        other.enter();
        let theirs = sevens(&other, 1000);
        // SAFETY: alive.
        unsafe { arr_rt_detach(theirs.as_ptr(), 1000) };
        assert_eq!(other.leave(0), 0);
        context.enter();
        let ours = extend(&context, theirs, 0, [500, 100]).expect("memory for a test");
        assert!(ours != theirs && has_sevens(ours, 500));
        assert_eq!(other.stats().bytes_live, 0);
        release(ours);
        leave_with_nothing(&context);
    }

    #[test]
    fn the_limit_holds() {
        for (bytes, limit) in [(1000, 3000), (LARGE, 2 * LARGE), (8 * HUGE, 12 * HUGE)] {
            let options = Options { memory_limit: limit, ..Options::new() };
            let context = TestContext::new(&options);
            context.enter();
            let buffer = sevens(&context, bytes);
            // Twice as much is too much, but a little more is not.
            let buffer = extend(&context, buffer, 0, [bytes, 8]).expect("memory for a test");
            assert!(has_sevens(buffer, bytes));
            assert!(context.stats().bytes_live <= u64::try_from(limit).expect("small"));
            assert!(extend(&context, buffer, 0, [bytes + 8, limit]).is_none());
            assert_eq!(context.code(), ErrorCode::Memory.number());
            assert_eq!(context.leave(context.code()), ErrorCode::Memory.number());
            assert!(context.error().starts_with("f.arr:1:2: out of memory"));
            assert_eq!(context.stats().bytes_live, 0);
        }
    }

    #[test]
    fn sizes_that_cannot_be_are_errors() {
        let context = TestContext::new(&Options::new());
        for (used, more, code) in [
            (-1, 8, ErrorCode::Size),
            (8, -1, ErrorCode::Size),
            (8, i64::MIN, ErrorCode::Size),
            (8, i64::MAX, ErrorCode::Memory),
            (8, i64::MAX - 8, ErrorCode::Memory),
            (8, 1 << 60, ErrorCode::Memory),
        ] {
            for bytes in [8, LARGE, HUGE] {
                context.enter();
                let buffer = sevens(&context, bytes);
                // SAFETY: the context and the buffer are alive.
                let new = unsafe {
                    let (owner, site) = (buffer.as_ptr(), &raw const SITE.0);
                    arr_rt_extend(context.pointer(), owner, data(buffer).cast(), used, more, site)
                };
                assert!(new.is_null());
                assert_eq!(context.leave(context.code()), code.number());
                assert_eq!(context.stats().bytes_live, 0);
            }
        }
        // SAFETY: NULL is fine for a context.
        let none = unsafe {
            let (nobody, nowhere) = (std::ptr::null_mut(), std::ptr::null());
            arr_rt_extend(std::ptr::null_mut(), nobody, nowhere, 0, 0, std::ptr::null())
        };
        assert!(none.is_null());
    }

    #[test]
    fn a_hook_gives_all_memory() {
        static HELD: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "C" fn give(_: *mut c_void, bytes: usize) -> *mut c_void {
            HELD.fetch_add(bytes, Ordering::Relaxed);
            // SAFETY: plain allocation.
            unsafe { libc::malloc(bytes) }
        }
        unsafe extern "C" fn take(_: *mut c_void, memory: *mut c_void, bytes: usize) {
            HELD.fetch_sub(bytes, Ordering::Relaxed);
            // SAFETY: from `give`.
            unsafe { libc::free(memory) }
        }
        let options = Options { alloc: Some(give), free: Some(take), ..Options::new() };
        let context = TestContext::new(&options);
        let empty = HELD.load(Ordering::Relaxed);
        context.enter();
        let mut buffer = sevens(&context, 100);
        let mut used = 100;
        while used < HUGE {
            buffer = extend(&context, buffer, 0, [used, used]).expect("memory for a test");
            assert!(has_sevens(buffer, used));
            assert!(HELD.load(Ordering::Relaxed) >= empty + 2 * used);
            // SAFETY: there is room.
            unsafe { data(buffer).add(used).write_bytes(7, used) };
            used *= 2;
        }
        release(buffer);
        leave_with_nothing(&context);
        assert_eq!(HELD.load(Ordering::Relaxed), empty);
    }
}
