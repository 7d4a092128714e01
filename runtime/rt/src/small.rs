//! The small buffers of a context, which compiled code takes and gives back without a lock.
//!
//! A small buffer is an ordinary buffer of the heap that stays with the context when it is freed: it then lies on the
//! free list of its size. The heap counts it as held as long as the context has it.
//!
//! Invariant: while a call runs, only the call's thread accesses the lists; between calls, only the thread that holds the
//! context ([`crate::cancel::StackLimit::hold`]). The counters may be read at any time. Each small buffer is on `all`; the free ones are on one of the
//! lists, too, and have one reference. A buffer that a call returns to its caller leaves both and is ordinary from then
//! on.
//!
//! ```text
//! arr_rt_alloc, 100 bytes   ⇒  the first buffer of list 2, which has room for 128 bytes; if there is none, a new one
//! arr_rt_release            ⇒  it is the first of list 2 again
//! ```

use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use arr_abi::layout;
use arr_abi::layout::{NEXT, SIZES, STEP_SHIFT};

use crate::buffer::{Buffer, OVERHEAD};
use crate::list::List;

/// A context's small buffers.
#[repr(C)]
pub(crate) struct Small {
    /// The part that compiled code uses.
    shared: layout::Small<Buffer>,
    /// All small buffers of the context.
    all: List,
    /// The bytes of all of them, overhead included.
    bytes: AtomicUsize,
}

/// A size of small buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// The number of its list.
    pub(crate) list: u32,
    /// The bytes of elements for which there is room.
    pub(crate) capacity: usize,
}

impl Size {
    /// The size class for `bytes` of elements, if a small buffer has room for them.
    pub(crate) fn of(bytes: usize) -> Option<Self> {
        let step = bytes >> STEP_SHIFT;
        let list = u32::try_from(step + 1).ok()?;
        (step < SIZES).then(|| Self { list, capacity: (step + 1) << STEP_SHIFT })
    }
}

impl Small {
    /// Makes one without buffers in its place.
    ///
    /// # Safety
    /// `place` can be written.
    pub(crate) unsafe fn init(place: *mut Self) {
        // SAFETY: by contract. All fields are numbers and pointers that may be zero.
        unsafe { place.write_bytes(0, 1) };
    }

    /// A free buffer for `bytes` of elements.
    pub(crate) fn take(&self, bytes: usize) -> Option<NonNull<Buffer>> {
        let head = self.head(Size::of(bytes)?.list)?;
        let buffer = NonNull::new(head.load(Ordering::Relaxed))?;
        // SAFETY: buffers on the lists are alive and free.
        unsafe {
            head.store(next(buffer).read(), Ordering::Relaxed);
            self.count(buffer);
        }
        Some(buffer)
    }

    /// Keeps a small buffer for the next array of its size.
    ///
    /// # Safety
    /// The buffer is one of these and is not used any more.
    pub(crate) unsafe fn give(&self, buffer: NonNull<Buffer>) {
        // SAFETY: by contract.
        unsafe {
            buffer.as_ref().count.set(1);
            add(&self.shared.returned, size(buffer));
            self.push(buffer);
        }
    }

    /// Adds a new buffer that the call will use.
    ///
    /// # Safety
    /// The buffer is new and on no list, and the heap counts it.
    pub(crate) unsafe fn adopt(&self, mut buffer: NonNull<Buffer>, list: u32) {
        // SAFETY: by contract.
        unsafe {
            buffer.as_mut().list = list;
            self.all.link(buffer);
            add(&self.bytes, size(buffer));
            self.count(buffer);
        }
    }

    /// Removes a buffer that the call uses. It is an ordinary buffer from now on.
    ///
    /// # Safety
    /// The buffer is one of these.
    pub(crate) unsafe fn let_go(&self, mut buffer: NonNull<Buffer>) {
        // SAFETY: by contract.
        let size = unsafe {
            self.all.unlink(buffer);
            buffer.as_mut().list = 0;
            size(buffer)
        };
        // Ordinary buffers have as many bytes more from now on as small ones have less. So the greatest sum of both stays the same if the
        // peak of the small ones changes with them.
        let peak = self.peak().max(self.live());
        self.shared.peak.store(peak - size, Ordering::Relaxed);
        add(&self.shared.returned, size);
        // A thread that sees the new bytes sees the new peak, since it reads the bytes first.
        self.bytes.store(self.bytes() - size, Ordering::Release);
    }

    /// Calls a function with each buffer in use, which may be removed meanwhile.
    ///
    /// # Safety
    /// The context is of this thread.
    pub(crate) unsafe fn each_used(&self, mut act: impl FnMut(NonNull<Buffer>)) {
        let mark = |count| {
            for head in &self.shared.lists {
                let mut at = head.load(Ordering::Relaxed);
                while let Some(free) = NonNull::new(at) {
                    // SAFETY: buffers on the lists are alive and free.
                    unsafe {
                        free.as_ref().count.set(count);
                        at = next(free).read();
                    }
                }
            }
        };
        mark(0);
        self.all.each(|buffer| {
            // SAFETY: buffers on the list are alive.
            if unsafe { buffer.as_ref() }.count.get() > 0 {
                act(buffer);
            }
        });
        mark(1);
    }

    /// Ends a call: every buffer becomes free. Gives how many were in use.
    ///
    /// # Safety
    /// The buffers are not used any more.
    pub(crate) unsafe fn end(&self) -> u64 {
        if self.live() == 0 {
            return 0;
        }
        let mut left_over = 0;
        // SAFETY: buffers on the lists are alive, and by contract not in use.
        unsafe {
            for head in &self.shared.lists {
                while let Some(free) = NonNull::new(head.load(Ordering::Relaxed)) {
                    head.store(next(free).read(), Ordering::Relaxed);
                    left_over -= 1;
                }
            }
            self.all.each(|buffer| {
                left_over += 1;
                buffer.as_ref().count.set(1);
                self.push(buffer);
            });
        }
        self.shared.returned.store(self.shared.taken.load(Ordering::Relaxed), Ordering::Relaxed);
        u64::try_from(left_over).unwrap_or(0)
    }

    /// Removes free buffers until those that stay have no more than `most` bytes.
    ///
    /// # Safety
    /// `free` frees the memory of a buffer.
    pub(crate) unsafe fn shrink(&self, most: usize, mut free: impl FnMut(NonNull<Buffer>)) {
        for head in &self.shared.lists {
            let mut kept = core::ptr::null_mut();
            // SAFETY: buffers on the lists are alive and not in use.
            unsafe {
                while let Some(buffer) = NonNull::new(head.load(Ordering::Relaxed)) {
                    head.store(next(buffer).read(), Ordering::Relaxed);
                    if self.bytes() > most {
                        self.all.unlink(buffer);
                        subtract(&self.bytes, size(buffer));
                        free(buffer);
                    } else {
                        next(buffer).write(kept);
                        kept = buffer.as_ptr();
                    }
                }
            }
            head.store(kept, Ordering::Relaxed);
        }
    }

    /// The bytes of all buffers, those in use and the free ones.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Acquire)
    }

    /// The bytes of the buffers in use.
    pub(crate) fn live(&self) -> usize {
        let returned = self.shared.returned.load(Ordering::Relaxed);
        self.shared.taken.load(Ordering::Relaxed).wrapping_sub(returned)
    }

    /// The most bytes that were in use at once since the last [`Self::look`].
    pub(crate) fn peak(&self) -> usize {
        self.shared.peak.load(Ordering::Relaxed)
    }

    /// Begins to measure the peak anew.
    pub(crate) fn look(&self) {
        self.shared.peak.store(self.live(), Ordering::Relaxed);
    }

    /// How many buffers the calls took, and how many bytes these had.
    pub(crate) fn taken(&self) -> [usize; 2] {
        [&self.shared.allocations, &self.shared.taken]
            .map(|counter| counter.load(Ordering::Relaxed))
    }

    /// The first free buffer of a list.
    fn head(&self, list: u32) -> Option<&AtomicPtr<Buffer>> {
        self.shared.lists.get(usize::try_from(list).ok()?)
    }

    /// # Safety
    /// As for [`Self::give`], and the buffer is on none of the free lists.
    unsafe fn push(&self, buffer: NonNull<Buffer>) {
        // SAFETY: by contract; there is a list of that number.
        unsafe {
            if let Some(head) = self.head(buffer.as_ref().list) {
                next(buffer).write(head.load(Ordering::Relaxed));
                head.store(buffer.as_ptr(), Ordering::Relaxed);
            }
        }
    }

    /// Counts a buffer that the call takes.
    ///
    /// # Safety
    /// The buffer is alive.
    unsafe fn count(&self, buffer: NonNull<Buffer>) {
        add(&self.shared.allocations, 1);
        // SAFETY: by contract.
        add(&self.shared.taken, unsafe { size(buffer) });
        self.shared.peak.store(self.peak().max(self.live()), Ordering::Relaxed);
    }
}

/// The place in a free buffer of the pointer to the next one of its list.
///
/// # Safety
/// The buffer is alive, and its elements are not used.
unsafe fn next(buffer: NonNull<Buffer>) -> NonNull<*mut Buffer> {
    // SAFETY: each buffer has more bytes than that.
    unsafe { buffer.cast::<u8>().add(NEXT) }.cast()
}

/// The bytes that a buffer takes.
///
/// # Safety
/// The buffer is alive.
unsafe fn size(buffer: NonNull<Buffer>) -> usize {
    // SAFETY: by contract.
    unsafe { buffer.as_ref() }.capacity + OVERHEAD
}

/// Adds to a counter. Only one thread at a time writes it, so an atomic addition is not needed.
fn add(counter: &AtomicUsize, more: usize) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(more), Ordering::Relaxed);
}

fn subtract(counter: &AtomicUsize, less: usize) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_sub(less), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::{arr_buffer_release, arr_rt_release, arr_rt_retain};
    use crate::context::arr_context_trim;
    use crate::slice::arr_rt_detach;
    use crate::testing::TestContext;
    use arr_abi::layout::Options;

    fn small(context: &TestContext, bytes: i64) -> NonNull<Buffer> {
        context.alloc(bytes, 1).expect("memory for a test")
    }

    fn release(buffer: NonNull<Buffer>) {
        // SAFETY: alive, and the reference is the test's.
        unsafe { arr_rt_release(buffer.as_ptr()) };
    }

    fn return_to_caller(buffer: NonNull<Buffer>, bytes: i64) {
        // SAFETY: alive.
        let same = unsafe { arr_rt_detach(buffer.as_ptr(), bytes) };
        assert_eq!(same, buffer.as_ptr(), "small buffers do not move");
    }

    #[test]
    fn sizes_have_room() {
        for bytes in 0..SIZES << STEP_SHIFT {
            let size = Size::of(bytes).expect("it is small");
            assert!(size.capacity > bytes && size.capacity <= bytes + 64);
            assert_eq!(size.capacity, usize::try_from(size.list).expect("few lists") * 64);
        }
        for bytes in [SIZES << STEP_SHIFT, 1 << 40, usize::MAX] {
            assert_eq!(Size::of(bytes), None);
        }
    }

    #[test]
    fn the_next_array_takes_what_was_given_back() {
        let context = TestContext::new(&Options::new());
        let mut first = None;
        for _ in 0..3 {
            context.enter();
            let buffers = [10, 100, 1023, 20].map(|bytes| small(&context, bytes));
            assert_eq!(*first.get_or_insert(buffers), buffers, "as in the call before");
            release(buffers[0]);
            assert_eq!(small(&context, 0), buffers[0]);
            assert_ne!(small(&context, 64), buffers[0]);
            assert_eq!(context.stats().call_allocations, 6);
            // SAFETY: alive.
            unsafe { arr_rt_retain(buffers[0].as_ptr()) };
            buffers.into_iter().for_each(release);
            release(buffers[0]);
            assert_eq!(context.stats().call_bytes, 64 + 128 + 1024 + 64 + 64 + 128);
            assert_eq!(context.stats().bytes_live, 128 + 128, "one is left");
            assert_eq!((context.leave(0), context.stats().call_left_over), (0, 1));
            assert_eq!(context.stats().bytes_live, 0);
        }
        assert_eq!(context.stats().bytes_kept, 64 + 2 * 128 + 1024 + 64 + 5 * 128);
        // SAFETY: the context is alive.
        unsafe { arr_context_trim(context.pointer()) };
        assert_eq!(context.stats().bytes_kept, 0);
    }

    #[test]
    fn a_failing_call_frees_those_in_use() {
        let context = TestContext::new(&Options::new());
        for _ in 0..3 {
            context.enter();
            let buffers: Vec<_> = (0..30).map(|count| small(&context, count * 10)).collect();
            for &buffer in &buffers[..10] {
                release(buffer);
            }
            for &buffer in &buffers[10..20] {
                // SAFETY: alive.
                unsafe { arr_rt_retain(buffer.as_ptr()) };
            }
            assert_eq!(context.leave(2), 2);
            assert_eq!((context.stats().call_left_over, context.stats().bytes_live), (20, 0));
        }
    }

    #[test]
    fn returned_ones_leave_the_context() {
        let context = TestContext::new(&Options::new());
        let mut returned = Vec::new();
        for _ in 0..3 {
            context.enter();
            let buffers = [1, 2, 3].map(|bytes| small(&context, bytes));
            assert!(returned.iter().all(|buffer| !buffers.contains(buffer)));
            return_to_caller(buffers[1], 2);
            returned.push(buffers[1]);
            release(buffers[0]);
            release(buffers[2]);
            assert_eq!((context.leave(0), context.stats().call_left_over), (0, 0));
        }
        assert_eq!(context.stats().bytes_live, 3 * 192);
        context.enter();
        let kept = small(&context, 1);
        let addresses: Vec<_> =
            returned.iter().map(|buffer| buffer.as_ptr().expose_provenance()).collect();
        let freeing = std::thread::spawn(move || {
            for address in addresses {
                // SAFETY: the only reference; the context is not needed.
                unsafe {
                    let buffer = std::ptr::with_exposed_provenance_mut(address);
                    arr_buffer_release(std::ptr::null_mut(), buffer);
                }
            }
        });
        freeing.join().expect("nothing panics");
        assert_eq!(context.stats().bytes_live, 192);
        return_to_caller(kept, 1);
        assert_eq!(context.leave(0), 0);
        drop(context);
        release(kept);
    }

    #[test]
    fn trimming_leaves_the_buffers_of_a_call() {
        let context = TestContext::new(&Options::new());
        // SAFETY: the context is alive.
        let trim = || unsafe { arr_context_trim(context.pointer()) };
        context.enter();
        let buffers = [1, 2, 3].map(|bytes| small(&context, bytes));
        release(buffers[0]);
        trim();
        assert_eq!(context.stats().bytes_kept, 192, "the call may take it at any time");
        assert_eq!(small(&context, 1), buffers[0]);
        assert_eq!((context.leave(0), context.stats().bytes_kept), (0, 3 * 192));
        trim();
        assert_eq!(context.stats().bytes_kept, 0);
        context.enter();
        assert_eq!(context.leave(0), 0);
    }

    #[test]
    fn the_peak_counts_what_is_returned_once() {
        let context = TestContext::new(&Options::new());
        let mut returned = Vec::new();
        for before in 0..3 {
            context.enter();
            let buffers = [1, 2, 3].map(|bytes| small(&context, bytes));
            release(buffers[0]);
            return_to_caller(buffers[1], 2);
            assert_eq!(context.stats().bytes_peak, (before + 3) * 192);
            assert_eq!(context.stats().bytes_live, (before + 2) * 192);
            let more = [1, 2, 3].map(|bytes| small(&context, bytes));
            assert_eq!(context.stats().bytes_peak, (before + 5) * 192);
            more.into_iter().chain([buffers[2]]).for_each(release);
            assert_eq!((context.leave(0), context.stats().bytes_live), (0, (before + 1) * 192));
            assert_eq!(context.stats().bytes_peak, (before + 5) * 192);
            context.enter();
            assert_eq!((context.leave(0), context.stats().bytes_peak), (0, (before + 1) * 192));
            returned.push(buffers[1]);
        }
        returned.into_iter().for_each(release);
        assert_eq!(context.stats().bytes_live, 0);
    }

    #[test]
    fn the_peak_is_that_of_all_buffers_together() {
        let context = TestContext::new(&Options::new());
        context.enter();
        // 10 small buffers, then a large one when 9 are freed, then 5 more small ones.
        let many: Vec<_> = (0..10).map(|_| small(&context, 1)).collect();
        many[1..].iter().copied().for_each(release);
        let large = small(&context, 1000 * 8);
        assert_eq!(context.stats().bytes_peak, 192 + 8000 + 128);
        let more: Vec<_> = (0..5).map(|_| small(&context, 1)).collect();
        assert_eq!(context.stats().bytes_peak, 6 * 192 + 8000 + 128);
        release(large);
        more.into_iter().for_each(release);
        let last: Vec<_> = (0..50).map(|_| small(&context, 1)).collect();
        assert_eq!(context.stats().bytes_peak, 51 * 192);
        return_to_caller(last[0], 1);
        assert_eq!(context.stats().bytes_peak, 51 * 192);
        assert_eq!(context.leave(1), 1);
        assert_eq!((context.stats().bytes_peak, context.stats().bytes_live), (51 * 192, 192));
        release(last[0]);
        assert_eq!((context.stats().bytes_peak, context.stats().bytes_live), (51 * 192, 0));
    }

    #[test]
    fn free_ones_make_room_under_a_limit() {
        let context = TestContext::new(&Options { memory_limit: 10_000, ..Options::new() });
        for _ in 0..2 {
            context.enter();
            let many: Vec<_> = (0..52).map(|_| small(&context, 1)).collect();
            assert!(context.alloc(1, 1).is_none(), "{:?}", context.stats());
            let (kept, gone) = many.split_at(2);
            gone.iter().copied().for_each(release);
            let large = context.alloc(10_000 - 2 * 192 - 128, 1);
            assert!(large.is_some(), "{:?}", context.stats());
            assert!(context.alloc(1, 1).is_none());
            large.into_iter().for_each(release);
            kept.iter().copied().for_each(release);
            assert_eq!(context.leave(context.code()), 5);
            assert_eq!(context.stats().bytes_live, 0);
        }
    }

    #[test]
    fn few_bytes_stay_after_a_call() {
        for (pool_limit, most) in [(0, 1 << 20), (1, 0), (10_000, 10_000)] {
            let context = TestContext::new(&Options { pool_limit, ..Options::new() });
            context.enter();
            let many: Vec<_> = (0..10_000).map(|bytes| small(&context, bytes % 1024)).collect();
            many.into_iter().for_each(release);
            assert_eq!(context.stats().bytes_live, 0);
            assert!(context.stats().bytes_kept > 5 << 20);
            assert_eq!((context.leave(0), context.stats().call_left_over), (0, 0));
            assert!(context.stats().bytes_kept <= 2 * most, "{:?}", context.stats());
        }
    }
}
