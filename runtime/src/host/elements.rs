//! The elements of an array: in memory of their own, or in a file that is mapped into memory.
//!
//! Invariant: mapped elements lie inside their map, aligned, and every pattern of bits is a value of their
//! type, or was checked to be one. The map lives as long as they do.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use memmap2::{Mmap, UncheckedAdvice};

/// Elements that can be read as a slice.
#[derive(Clone)]
pub struct Elements<T>(Store<T>);

#[derive(Clone)]
enum Store<T> {
    Owned { values: Arc<Vec<T>>, at: usize, count: usize },
    Mapped { map: Arc<Mmap>, at: usize, count: usize },
}

/// A type whose values are patterns of bits in a file.
///
/// # Safety
/// Where [`valid`](Mappable::valid) holds of bytes, they are values of the type, one after the other.
pub unsafe trait Mappable: Copy {
    /// Whether bytes are values of the type.
    fn valid(_: &[u8]) -> bool {
        true
    }
}

macro_rules! mappable {
    ($($rust:ident)*) => {$(
        // SAFETY: each pattern of bits is a value.
        unsafe impl Mappable for $rust {}
    )*};
}

mappable! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

// SAFETY: the two bytes are checked for.
unsafe impl Mappable for bool {
    fn valid(bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| byte <= 1)
    }
}

impl<T: Mappable> Elements<T> {
    /// The elements at a range of bytes of a map; `None` if they are not aligned there, if the range is
    /// no multiple of their size or not inside the map, or if the bytes are no values of the type.
    pub(crate) fn mapped(map: &Arc<Mmap>, range: Range<usize>) -> Option<Self> {
        let bytes = map.get(range.clone())?;
        let aligned = bytes.as_ptr().cast::<T>().is_aligned();
        let whole = bytes.len().is_multiple_of(size_of::<T>());
        (aligned && whole && T::valid(bytes)).then(|| {
            let count = bytes.len() / size_of::<T>();
            Self(Store::Mapped { map: Arc::clone(map), at: range.start, count })
        })
    }
}

impl<T> Elements<T> {
    /// Some of the elements, in the same memory.
    ///
    /// # Panics
    /// If the range is not inside.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len(), "the range is inside");
        let count = range.len();
        Self(match &self.0 {
            Store::Owned { values, at, .. } => {
                Store::Owned { values: Arc::clone(values), at: at + range.start, count }
            }
            Store::Mapped { map, at, .. } => {
                let at = at + range.start * size_of::<T>();
                Store::Mapped { map: Arc::clone(map), at, count }
            }
        })
    }

    /// Gives back the memory of elements in a file. They are read again when they are used.
    pub(super) fn evict(&self) {
        let Store::Mapped { map, at, count } = &self.0 else { return };
        // SAFETY: the map is of a file and not written to, so its pages come back with the same content.
        let _is_advice = unsafe {
            map.unchecked_advise_range(UncheckedAdvice::DontNeed, *at, count * size_of::<T>())
        };
    }
}

impl<T> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Store::Owned { values, at, count } => &values[*at..][..*count],
            Store::Mapped { map, at, count } => {
                // SAFETY: by the invariant; nothing writes to a map.
                unsafe { std::slice::from_raw_parts(map.as_ptr().add(*at).cast(), *count) }
            }
        }
    }
}

impl<T> From<Vec<T>> for Elements<T> {
    fn from(values: Vec<T>) -> Self {
        let count = values.len();
        Self(Store::Owned { values: Arc::new(values), at: 0, count })
    }
}

impl<T> FromIterator<T> for Elements<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Vec::from_iter(values).into()
    }
}

impl<T: PartialEq> PartialEq for Elements<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: fmt::Debug> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_aligned_values_are_mapped() {
        let file = tempfile::NamedTempFile::new().expect("a file for a test");
        std::fs::write(file.path(), [1, 0, 1, 0, 2, 0, 0, 0]).expect("it is written");
        // SAFETY: no one else knows the file.
        let map = Arc::new(unsafe { Mmap::map(file.as_file()) }.expect("it is mapped"));
        let numbers = Elements::<u16>::mapped(&map, 2..6).expect("two numbers");
        assert_eq!(numbers[..], [1, 2]);
        assert!(Elements::<u16>::mapped(&map, 1..5).is_none(), "not aligned");
        assert!(Elements::<u16>::mapped(&map, 0..3).is_none(), "half a number");
        assert!(Elements::<u16>::mapped(&map, 6..10).is_none(), "outside");
        let truths = Elements::<bool>::mapped(&map, 0..4).expect("all are 0 or 1");
        assert_eq!(truths[..], [true, false, true, false]);
        assert!(Elements::<bool>::mapped(&map, 0..5).is_none(), "2 is no truth value");
    }
}
