//! Sorts of few keys by networks of minima and maxima.
//!
//! Each column of a square of vectors is sorted, and the square is transposed: each vector is in order then. Runs of vectors are merged, two
//! at a time: one of them is reversed, so that both together ascend and then descend. What half of them are exchanged with the other half is
//! again of that form, and so on.
//!
//! Invariant: which keys are compared depends on their number alone. Keys that are missing in the last vector count as the last ones.
//!
//! ```text
//! 1 4 | 2 3   reversed 1 4 | 3 2   exchanged 1 2 | 3 4
//! ```

use super::lanes::{Lanes, exchange};

/// The most vectors that are sorted. `scripts/bench sort_i64` shows the effect of another number. Not measured by
/// itself.
pub(super) const ROWS: usize = 32;

/// Puts the keys of `COUNT` vectors in order, if they ascend and then descend, or the other way round.
#[inline(always)]
unsafe fn merge_bitonic<L: Lanes, const COUNT: usize>(rows: *mut L) {
    // SAFETY: by contract.
    unsafe {
        let mut apart = COUNT / 2;
        while apart > 0 {
            for at in 0..COUNT {
                if at & apart == 0 {
                    exchange(rows, at, at + apart);
                }
            }
            apart /= 2;
        }
        for at in 0..COUNT {
            *rows.add(at) = (*rows.add(at)).merged();
        }
    }
}

/// Merges each two runs of `RUN` vectors of `COUNT` vectors.
#[inline(always)]
unsafe fn merge_each<L: Lanes, const RUN: usize, const COUNT: usize>(rows: *mut L) {
    // SAFETY: by contract.
    unsafe {
        let mut start = 0;
        while start + 2 * RUN <= COUNT {
            let left = rows.add(start);
            let right = left.add(RUN);
            let mut turned = [*right; RUN];
            for at in 0..RUN {
                *turned.get_unchecked_mut(at) = (*right.add(RUN - 1 - at)).reversed();
            }
            for at in 0..RUN {
                let (x, y) = (*left.add(at), *turned.get_unchecked(at));
                *left.add(at) = x.min(y);
                *right.add(at) = x.max(y);
            }
            merge_bitonic::<L, RUN>(left);
            merge_bitonic::<L, RUN>(right);
            start += 2 * RUN;
        }
    }
}

/// Puts the keys of at most eight vectors in order, in registers.
#[inline(always)]
unsafe fn sort_registers<L: Lanes, const COUNT: usize>(rows: *mut L) {
    // SAFETY: by contract.
    unsafe {
        if COUNT < L::COUNT {
            for at in 0..COUNT {
                *rows.add(at) = (*rows.add(at)).sorted();
            }
        } else {
            let mut at = 0;
            while at < COUNT {
                L::sort_square(rows.add(at));
                at += L::COUNT;
            }
        }
        merge_each::<L, 1, COUNT>(rows);
        merge_each::<L, 2, COUNT>(rows);
        merge_each::<L, 4, COUNT>(rows);
    }
}

/// Loads `count` keys to `rows` vectors. The rest of them is [`Lanes::LAST`].
#[inline(always)]
unsafe fn load<L: Lanes>(keys: *const L::Key, count: usize, to: *mut L, rows: usize) {
    let whole = count / L::COUNT;
    // SAFETY: by contract.
    unsafe {
        for at in 0..whole {
            *to.add(at) = L::load(keys.add(at * L::COUNT));
        }
        if whole < rows {
            let at = whole * L::COUNT;
            *to.add(whole) = L::load_some(keys.add(at), count - at);
        }
        for at in whole + 1..rows {
            *to.add(at) = L::all(L::LAST);
        }
    }
}

/// Stores the first `count` keys of vectors.
#[inline(always)]
unsafe fn store<L: Lanes>(rows: *const L, keys: *mut L::Key, count: usize) {
    let whole = count / L::COUNT;
    let from: *const L::Key = rows.cast();
    // SAFETY: by contract.
    unsafe {
        for at in 0..whole {
            (*rows.add(at)).store(keys.add(at * L::COUNT));
        }
        if whole > 0 {
            let last = count - L::COUNT;
            L::load(from.add(last)).store(keys.add(last));
            return;
        }
        for at in 0..count {
            *keys.add(at) = *from.add(at);
        }
    }
}

/// Sorts keys of at most `COUNT` vectors.
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn sort_up_to<L: Lanes, const COUNT: usize>(keys: *mut L::Key, count: usize) {
    // SAFETY: by contract.
    unsafe {
        let mut rows = [L::all(L::LAST); COUNT];
        let rows = rows.as_mut_ptr();
        load(keys, count, rows, COUNT);
        sort_registers::<L, COUNT>(rows);
        store(rows, keys, count);
    }
}

/// Sorts the keys of eight vectors.
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn sort_eight<L: Lanes>(rows: *mut [L; 8]) {
    // SAFETY: by contract.
    unsafe {
        let mut own = *rows;
        sort_registers::<L, 8>(own.as_mut_ptr());
        *rows = own;
    }
}

/// As [`merge_bitonic`], of eight vectors.
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn merge_eight<L: Lanes>(rows: *mut [L; 8]) {
    // SAFETY: by contract.
    unsafe {
        let mut own = *rows;
        merge_bitonic::<L, 8>(own.as_mut_ptr());
        *rows = own;
    }
}

/// Merges two runs of `run` vectors each: 8, 16 …
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
unsafe fn merge_runs<L: Lanes>(rows: *mut L, run: usize) {
    // SAFETY: by contract.
    unsafe {
        for at in 0..run / 2 {
            let (left, right) = (rows.add(at), rows.add(run - 1 - at));
            let (a, b) = (*left, *right);
            let (c, d) = ((*left.add(run)).reversed(), (*right.add(run)).reversed());
            *left = a.min(d);
            *right = b.min(c);
            *left.add(run) = a.max(d);
            *right.add(run) = b.max(c);
        }
        let mut apart = run / 2;
        while apart > 4 {
            let mut start = 0;
            while start < 2 * run {
                for at in start..start + apart {
                    exchange(rows, at, at + apart);
                }
                start += 2 * apart;
            }
            apart /= 2;
        }
        let mut at = 0;
        while at < 2 * run {
            merge_eight::<L>(rows.add(at).cast());
            at += 8;
        }
    }
}

/// Sorts keys of at most [`ROWS`] vectors.
#[target_feature(enable = "avx2,popcnt")]
pub(super) unsafe fn sort_few<L: Lanes>(keys: *mut L::Key, count: usize) {
    let needed = count.div_ceil(L::COUNT);
    // SAFETY: by contract.
    unsafe {
        match needed {
            0..=1 => return sort_up_to::<L, 1>(keys, count),
            2 => return sort_up_to::<L, 2>(keys, count),
            3..=4 => return sort_up_to::<L, 4>(keys, count),
            5..=8 => return sort_up_to::<L, 8>(keys, count),
            _ => {}
        }
        let mut rows = [L::all(L::LAST); ROWS];
        let rows = rows.as_mut_ptr();
        let needed = needed.next_multiple_of(8);
        load(keys, count, rows, needed);
        let mut at = 0;
        while at < needed {
            sort_eight::<L>(rows.add(at).cast());
            at += 8;
        }
        let mut run = 8;
        while run < needed {
            let mut at = 0;
            while at + run < needed {
                merge_runs(rows.add(at), run);
                at += 2 * run;
            }
            run *= 2;
        }
        store(rows, keys, count);
    }
}
