//! The text of a failed call, written without taking memory.
//!
//! Invariant: a [`Message`] always ends in NUL and holds no other; what does not fit is cut at the
//! end of a character.
//!
//! ```text
//! site {hull.arr, "xs", 12, 9}, Index, 7, 5   hull.arr:12:9: index 7 is out of bounds for an array of length 5
//! ```

use core::ffi::{CStr, c_char};

use crate::codes::ErrorCode;

/// `arr_site`: a place in a program, and what is there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The source file's name.
    pub file: *const c_char,
    /// What the message names: a combinator, a function, a parameter, or two with `\n` between.
    pub what: *const c_char,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Room for a message. File names of any length are cut to [`FILE_ROOM`], so the rest fits.
const ROOM: usize = 1024;
/// The most bytes of a file name in a message; of a longer one the end is shown.
const FILE_ROOM: usize = 512;

/// A text of bounded length that C can read.
pub(crate) struct Message {
    bytes: [u8; ROOM],
    length: usize,
}

impl Message {
    /// The empty text.
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }

    /// For C, valid as long as the message is neither moved nor written.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }

    /// Writes why a call failed, over what was there.
    ///
    /// # Safety
    /// `site` is NULL or points to a [`Site`] whose texts are NULL or end in NUL.
    pub(crate) unsafe fn describe(&mut self, code: i32, site: *const Site, a: i64, b: i64) {
        self.clear();
        // SAFETY: by contract.
        let (site, what) = unsafe { (Place::of(site), text_at(site, |site| site.what)) };
        if let Some(place) = site {
            self.push_place(place);
        }
        self.push_reason(code, what, a, b);
    }

    /// Writes that memory for so many bytes is not there, over what was there.
    ///
    /// # Safety
    /// As for [`Self::describe`].
    pub(crate) unsafe fn describe_shortage(&mut self, shortage: Shortage, site: *const Site) {
        self.clear();
        // SAFETY: by contract.
        let (site, what) = unsafe { (Place::of(site), text_at(site, |site| site.what)) };
        if let Some(place) = site {
            self.push_place(place);
        }
        self.push_shortage(shortage, what);
    }

    /// Makes the text empty.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.end();
    }

    fn push_place(&mut self, place: Place<'_>) {
        let skipped = place.file.len().saturating_sub(FILE_ROOM);
        let start = (skipped..place.file.len()).find(|&at| is_start(place.file, at));
        if skipped > 0 {
            self.push("…".as_bytes());
        }
        self.push(place.file.get(start.unwrap_or(skipped)..).unwrap_or_default());
        self.push(b":");
        self.push_number(place.line.into());
        self.push(b":");
        self.push_number(place.column.into());
        self.push(b": ");
    }

    fn push_reason(&mut self, code: i32, what: &[u8], a: i64, b: i64) {
        let Some(code) = ErrorCode::from_number(code) else {
            return self.push_with("the call failed with code ", code.into());
        };
        match code {
            ErrorCode::Index => {
                self.push_with("index ", a.into());
                self.push_with(" is out of bounds for an array of length ", b.into());
            }
            ErrorCode::Division => self.push(b"division by zero"),
            ErrorCode::Size => {
                self.push_with("negative size ", a.into());
                self.push_after(" in ", what);
            }
            ErrorCode::Shape => self.push_shape(what, a, b),
            ErrorCode::Memory => {
                let bytes = u128::try_from(a).unwrap_or(0);
                self.push_shortage(Shortage { bytes, limit: 0, live: 0 }, what);
            }
            ErrorCode::Stack => {
                self.push(b"the recursion");
                self.push_after(" in ", what);
                self.push(b" is too deep for the stack");
            }
            ErrorCode::Argument => self.push_argument(what, a),
            ErrorCode::Busy => self.push(b"the context is in use by another call"),
            ErrorCode::Power => self.push_with("negative exponent ", a.into()),
        }
    }

    fn push_shape(&mut self, names: &[u8], a: i64, b: i64) {
        let mut names = names.splitn(2, |&byte| byte == b'\n');
        self.push_name(names.next().unwrap_or_default());
        self.push_with(" has size ", a.into());
        self.push(b" but ");
        self.push_name(names.next().unwrap_or_default());
        self.push_with(" has size ", b.into());
        self.push(b"; they must be equal");
    }

    /// A negative size is wrong in itself; otherwise the pointer is.
    fn push_argument(&mut self, what: &[u8], size: i64) {
        if size >= 0 {
            self.push(b"the pointer for ");
        }
        self.push_name(what);
        match size {
            ..0 => self.push_with(" has the negative size ", size.into()),
            0 => self.push(b" is NULL"),
            1.. => self.push_with(" is NULL, but its size is ", size.into()),
        }
    }

    fn push_shortage(&mut self, shortage: Shortage, what: &[u8]) {
        self.push(b"out of memory: ");
        self.push_digits(shortage.bytes);
        self.push(b" bytes");
        self.push_after(" for ", what);
        if shortage.limit > 0 {
            self.push(b" (");
            self.push_digits(to_u128(shortage.live));
            self.push(b" of the limit of ");
            self.push_digits(to_u128(shortage.limit));
            self.push(b" bytes are in use)");
        }
    }

    fn push_after(&mut self, before: &str, what: &[u8]) {
        if !what.is_empty() {
            self.push(before.as_bytes());
            self.push(what);
        }
    }

    fn push_name(&mut self, name: &[u8]) {
        self.push(if name.is_empty() { b"an argument" } else { name });
    }

    fn push_with(&mut self, before: &str, number: i128) {
        self.push(before.as_bytes());
        self.push_number(number);
    }

    fn push_number(&mut self, number: i128) {
        if number < 0 {
            self.push(b"-");
        }
        self.push_digits(number.unsigned_abs());
    }

    fn push_digits(&mut self, number: u128) {
        // No number of 128 bits has more than 39 digits.
        let mut digits = [b'0'; 40];
        let (mut rest, mut count) = (number, 0);
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
            rest /= 10;
            count += 1;
            if rest == 0 {
                break;
            }
        }
        self.push(digits.get(digits.len() - count..).unwrap_or_default());
    }

    fn push(&mut self, text: &[u8]) {
        let room = ROOM - 1 - self.length;
        let mut taken = text.len().min(room);
        while taken < text.len() && taken > 0 && !is_start(text, taken) {
            taken -= 1;
        }
        for (to, from) in self.bytes.iter_mut().skip(self.length).zip(text).take(taken) {
            *to = *from;
        }
        self.length += taken;
        self.end();
    }

    fn end(&mut self) {
        if let Some(end) = self.bytes.get_mut(self.length) {
            *end = 0;
        }
    }
}

/// How much memory was wanted, and what there was.
#[derive(Clone, Copy)]
pub(crate) struct Shortage {
    /// Bytes that were asked for.
    pub(crate) bytes: u128,
    /// What the context may use, if that was the reason; else 0.
    pub(crate) limit: usize,
    /// What the context had in use.
    pub(crate) live: usize,
}

/// A site's place, if it names a file.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a [u8],
    line: u32,
    column: u32,
}

impl Place<'_> {
    /// # Safety
    /// As for [`Message::describe`].
    unsafe fn of(site: *const Site) -> Option<Self> {
        // SAFETY: by contract.
        let file = unsafe { text_at(site, |site| site.file) };
        if file.is_empty() {
            return None;
        }
        // SAFETY: a file was found, so the site is not NULL.
        let Site { line, column, .. } = unsafe { site.read() };
        Some(Self { file, line, column })
    }
}

/// A text of a site; empty if there is none.
///
/// # Safety
/// As for [`Message::describe`].
unsafe fn text_at<'a>(site: *const Site, text: fn(Site) -> *const c_char) -> &'a [u8] {
    if site.is_null() {
        return &[];
    }
    // SAFETY: not NULL, so a site.
    let text = text(unsafe { site.read() });
    if text.is_null() {
        return &[];
    }
    // SAFETY: not NULL, so it ends in NUL.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

fn to_u128(bytes: usize) -> u128 {
    u128::try_from(bytes).unwrap_or(u128::MAX)
}

/// Whether a character starts at `at`, in UTF-8.
fn is_start(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(code: i32, file: &CStr, what: &CStr, a: i64, b: i64) -> String {
        let site = Site { file: file.as_ptr(), what: what.as_ptr(), line: 12, column: 9 };
        let mut message = Message::new();
        // SAFETY: the site's texts end in NUL.
        unsafe { message.describe(code, &raw const site, a, b) };
        // SAFETY: a message ends in NUL.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) };
        text.to_str().expect("messages of UTF-8 names are UTF-8").to_owned()
    }

    #[test]
    fn every_code_has_its_words() {
        let cases = [
            (ErrorCode::Index, c"xs", 7, 5, "index 7 is out of bounds for an array of length 5"),
            (ErrorCode::Division, c"", 0, 0, "division by zero"),
            (ErrorCode::Size, c"iota", -3, 0, "negative size -3 in iota"),
            (
                ErrorCode::Shape,
                c"xs\nys",
                3,
                4,
                "xs has size 3 but ys has size 4; they must be equal",
            ),
            (ErrorCode::Memory, c"map", 80, 0, "out of memory: 80 bytes for map"),
            (ErrorCode::Stack, c"side", 0, 0, "the recursion in side is too deep for the stack"),
            (ErrorCode::Argument, c"xs", -1, 0, "xs has the negative size -1"),
            (ErrorCode::Argument, c"xs", 0, 0, "the pointer for xs is NULL"),
            (ErrorCode::Argument, c"xs", 4, 0, "the pointer for xs is NULL, but its size is 4"),
            (ErrorCode::Busy, c"", 0, 0, "the context is in use by another call"),
            (ErrorCode::Power, c"", -2, 0, "negative exponent -2"),
        ];
        for (code, what, a, b, expected) in cases {
            let expected = format!("quickhull.arr:12:9: {expected}");
            assert_eq!(described(code.number(), c"quickhull.arr", what, a, b), expected);
        }
        assert_eq!(described(99, c"", c"", 0, 0), "the call failed with code 99");
    }

    #[test]
    fn without_a_site_the_reason_stands_alone() {
        let mut message = Message::new();
        // SAFETY: NULL is a site that says nothing.
        unsafe { message.describe(ErrorCode::Size.number(), std::ptr::null(), -1, 0) };
        // SAFETY: a message ends in NUL.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) };
        assert_eq!(text, c"negative size -1");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let file = std::ffi::CString::new("ä".repeat(3000)).expect("no NUL");
        let text = described(2, &file, c"", 0, 0);
        assert!(text.starts_with("…ä") && text.ends_with("ä:12:9: division by zero"), "{text}");
        let what = std::ffi::CString::new(format!("a{}", "ä".repeat(3000))).expect("no NUL");
        let text = described(3, c"f.arr", &what, -1, 0);
        assert!(text.starts_with("f.arr:12:9: negative size -1 in aä") && text.ends_with('ä'));
        assert!(text.len() < ROOM && text.len() > ROOM - 4);
    }
}
