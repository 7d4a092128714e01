//! The text of a failed call, written without allocating memory.
//!
//! Invariant: a [`Message`] always ends in NUL and contains no other NUL. A text that does not fit is cut at the end of
//! a character.
//!
//! ```text
//! site {hull.arr, "xs", 12, 9}, Index, 7, 5   hull.arr:12:9: index 7 is out of bounds for an array of length 5
//! … copied from the call of side in line 20     in side, called at hull.arr:20:3
//! ```

use core::ffi::{CStr, c_char, c_int};
use core::ops::RangeInclusive;

use arr_abi::ErrorCode;
use arr_abi::layout::Site;
use arr_abi::reason::{self, Words};
use arr_abi::scalar::{F32_DIGITS, F64_DIGITS};

/// Room for a message. File names of any length are cut to [`FILE_ROOM`], so the rest fits.
const ROOM: usize = 4096;
/// The most calls that a message lists; further calls are counted.
const MAX_CALLS: u32 = 8;
/// The most bytes of a file name in a message; of a longer one the end is shown.
const FILE_ROOM: usize = 512;

/// A text of bounded length that C can read.
pub(crate) struct Message {
    bytes: [u8; ROOM],
    length: usize,
    /// The calls that the failure has passed through.
    calls: u32,
}

impl Message {
    /// The empty text.
    pub(crate) const EMPTY: Self = Self { bytes: [0; ROOM], length: 0, calls: 0 };

    /// Makes the empty text in its place.
    ///
    /// # Safety
    /// `place` can be written.
    pub(crate) unsafe fn init(place: *mut Self) {
        // SAFETY: by contract; zeros are a message, the empty one.
        unsafe { place.write_bytes(0, 1) };
    }

    /// Takes over another text.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.bytes = other.bytes;
        self.length = other.length;
        self.calls = other.calls;
    }

    /// For C, valid as long as the message is neither moved nor written.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }

    /// Writes why a call failed, over the text that was there.
    ///
    /// # Safety
    /// `site` is NULL or points to a [`Site`] whose texts are NULL or end in NUL.
    pub(crate) unsafe fn describe(&mut self, code: i32, site: *const Site, a: i64, b: i64) {
        // SAFETY: by contract.
        let what = unsafe { self.begin(site) };
        self.push_reason(code, what, a, b);
        // SAFETY: by contract.
        unsafe { self.push_callers(site) };
    }

    /// Writes why a call failed in the words of its site, over the text that was there. In these the bytes 1 to
    /// 5 stand for values: an `i64`, a `u64`, a truth value, an `f64` and an `f32` by their bits.
    ///
    /// # Safety
    /// As for [`Self::describe`]; `values` points to as many values as the text has places.
    pub(crate) unsafe fn describe_with(&mut self, site: *const Site, mut values: *const u64) {
        // SAFETY: by contract.
        let mut what = unsafe { self.begin(site) };
        while let Some(at) = what.iter().position(|byte| (1..=5).contains(byte)) {
            let (text, rest) = what.split_at(at);
            let Some((&kind, rest)) = rest.split_first() else { break };
            self.push(text);
            // SAFETY: by contract there is a value for each place.
            let value = unsafe { values.read() };
            // SAFETY: at most one past the last value.
            values = unsafe { values.add(1) };
            self.push_value(kind, value);
            what = rest;
        }
        self.push(what);
        // SAFETY: by contract.
        unsafe { self.push_callers(site) };
    }

    /// Adds a call that the failure passes through, and those whose functions it was copied into.
    ///
    /// # Safety
    /// As for [`Self::describe`]; `what` is the function that was called.
    pub(crate) unsafe fn push_call(&mut self, mut site: *const Site) {
        loop {
            // SAFETY: by contract.
            let (place, what) = unsafe { (SourcePlace::of(site), text_at(site, |site| site.what)) };
            let Some(place) = place else { return };
            self.calls = self.calls.saturating_add(1);
            if self.calls <= MAX_CALLS {
                self.push(b"\n  in ");
                self.push(what);
                self.push(b", called at ");
                self.push_place(place);
            }
            // SAFETY: a place was found, so the site is not NULL.
            site = unsafe { site.read() }.caller;
        }
    }

    /// Ends the message of a failed call.
    pub(crate) fn finish(&mut self) {
        match self.calls.saturating_sub(MAX_CALLS) {
            0 => {}
            more @ 1..2000 => {
                self.push_with("\n  and ", more.into());
                self.push(b" more calls");
            }
            // The exact number, which depends on the size of the stack, would not help.
            2000.. => self.push(b"\n  and thousands more calls"),
        }
    }

    /// Writes the place of a site over the text that was there, and gives the site's text.
    ///
    /// # Safety
    /// As for [`Self::describe`].
    unsafe fn begin<'a>(&mut self, site: *const Site) -> &'a [u8] {
        self.clear();
        // SAFETY: by contract.
        let (place, what) = unsafe { (SourcePlace::of(site), text_at(site, |site| site.what)) };
        if let Some(place) = place {
            self.push_place(place);
            self.push(b": ");
        }
        what
    }

    /// # Safety
    /// As for [`Self::describe`].
    unsafe fn push_callers(&mut self, site: *const Site) {
        if !site.is_null() {
            // SAFETY: by contract.
            unsafe { self.push_call(site.read().caller) };
        }
    }

    fn push_value(&mut self, kind: u8, value: u64) {
        match kind {
            1 => self.push_number(value.cast_signed().into()),
            2 => self.push_digits(value.into()),
            3 => self.push(if value == 0 { b"false" } else { b"true" }),
            4 => self.push_float(f64::from_bits(value), F64_DIGITS),
            // The bits are in the lower half, which the cast keeps.
            _ => {
                let value = f32::from_bits((value & 0xffff_ffff) as u32);
                self.push_float(value.into(), F32_DIGITS);
            }
        }
    }

    /// A float with the fewest digits of this range that distinguish it from all others. The interpreter writes the same
    /// text.
    pub(crate) fn push_float(&mut self, value: f64, digits: RangeInclusive<u8>) {
        if value.is_nan() {
            // C may write a sign.
            return self.push(b"nan");
        }
        let mut text = [0u8; 40];
        let narrow = digits == F32_DIGITS;
        for digits in digits {
            // SAFETY: there is room for the text, which ends in NUL.
            let read = unsafe {
                libc::snprintf(
                    text.as_mut_ptr().cast(),
                    text.len(),
                    c"%.*g".as_ptr(),
                    c_int::from(digits),
                    value,
                );
                libc::strtod(text.as_ptr().cast(), core::ptr::null_mut())
            };
            #[allow(clippy::cast_possible_truncation, reason = "the value was an f32")]
            let same = if narrow { read as f32 == value as f32 } else { read == value };
            if same {
                break;
            }
        }
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(0);
        let text = text.get(..length).unwrap_or_default();
        self.push(text);
        if text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') {
            self.push(b".0");
        }
    }

    /// Writes that there is no memory for a number of bytes, over the text that was there.
    ///
    /// # Safety
    /// As for [`Self::describe`].
    pub(crate) unsafe fn describe_shortage(&mut self, shortage: Shortage, site: *const Site) {
        // SAFETY: by contract.
        let what = unsafe { self.begin(site) };
        self.push_shortage(shortage, what);
        // SAFETY: by contract.
        unsafe { self.push_callers(site) };
    }

    /// Writes a text, over the text that was there.
    pub(crate) fn say(&mut self, text: &[u8]) {
        self.clear();
        self.push(text);
    }

    /// Writes that there is no array of that size, over the text that was there.
    pub(crate) fn say_size(&mut self, size: i64) {
        self.clear();
        self.push_with("an array of the negative size ", size.into());
    }

    /// Writes that an external failed, in its words or with its code, over the text that was there.
    ///
    /// # Safety
    /// As for [`Self::describe`]; the site's text is the external's name.
    pub(crate) unsafe fn describe_external(&mut self, said: &Self, code: i32, site: *const Site) {
        // SAFETY: by contract.
        unsafe { self.begin_external(site) };
        match said.bytes.get(..said.length) {
            Some(text) if !text.is_empty() => {
                self.push(b" failed: ");
                self.push(text);
            }
            Some(_) | None => self.push_with(" failed with the code ", code.into()),
        }
        // SAFETY: by contract.
        unsafe { self.push_callers(site) };
    }

    /// Writes that an external gave an invalid array, over the text that was there.
    ///
    /// # Safety
    /// As for [`Self::describe_external`].
    pub(crate) unsafe fn describe_refused(&mut self, refused: Refused, site: *const Site) {
        // SAFETY: by contract.
        unsafe { self.begin_external(site) };
        match refused {
            Refused::Negative(size) => {
                self.push_with(" gave an array with the negative size ", size.into());
            }
            Refused::NoData(count) => {
                self.push_with(" gave an array of ", count.into());
                self.push(b" elements, but its data is NULL");
            }
        }
        // SAFETY: by contract.
        unsafe { self.push_callers(site) };
    }

    /// # Safety
    /// As for [`Self::describe_external`].
    unsafe fn begin_external(&mut self, site: *const Site) {
        // SAFETY: by contract.
        let what = unsafe { self.begin(site) };
        self.push(b"the external `");
        self.push(what);
        self.push(b"`");
    }

    /// Makes the text empty.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.calls = 0;
        self.end();
    }

    fn push_place(&mut self, place: SourcePlace<'_>) {
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
    }

    fn push_reason(&mut self, code: i32, what: &[u8], a: i64, b: i64) {
        match ErrorCode::from_number(code) {
            Some(code) => reason::write(self, code, what, [a.into(), b.into()]),
            None => self.push_with("the call failed with code ", code.into()),
        }
    }

    fn push_shortage(&mut self, shortage: Shortage, what: &[u8]) {
        let bytes = i128::try_from(shortage.bytes).unwrap_or(i128::MAX);
        reason::write(self, ErrorCode::Memory, what, [bytes, 0]);
        if shortage.limit > 0 {
            self.push(b" (");
            self.push_digits(to_u128(shortage.live));
            self.push(b" of the limit of ");
            self.push_digits(to_u128(shortage.limit));
            self.push(b" bytes are in use)");
        }
    }

    fn push_with(&mut self, before: &str, number: i128) {
        self.push(before.as_bytes());
        self.push_number(number);
    }

    pub(crate) fn push_number(&mut self, number: i128) {
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

    /// Writes the place of a site behind the text.
    ///
    /// # Safety
    /// As for [`Self::describe`].
    pub(crate) unsafe fn push_site(&mut self, site: *const Site) {
        // SAFETY: by contract.
        if let Some(place) = unsafe { SourcePlace::of(site) } {
            self.push_place(place);
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Whether there is room for some short texts only.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.length > ROOM / 2
    }

    /// Writes a text behind the text.
    pub(crate) fn push(&mut self, text: &[u8]) {
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

impl Words for Message {
    fn text(&mut self, text: &[u8]) {
        self.push(text);
    }

    fn number(&mut self, number: i128) {
        self.push_number(number);
    }
}

/// Why the result of an external is not a valid array.
#[derive(Clone, Copy)]
pub(crate) enum Refused {
    /// A size is negative.
    Negative(i64),
    /// There are elements, this many, and no pointer to them.
    NoData(i64),
}

/// How much memory was requested, and how much there was.
#[derive(Clone, Copy)]
pub(crate) struct Shortage {
    /// Bytes that were asked for.
    pub(crate) bytes: u128,
    /// The memory limit of the context, if that was the reason; otherwise 0.
    pub(crate) limit: usize,
    /// The bytes that the context had in use.
    pub(crate) live: usize,
}

/// A site's place, if it names a file.
#[derive(Clone, Copy)]
struct SourcePlace<'a> {
    file: &'a [u8],
    line: u32,
    column: u32,
}

impl SourcePlace<'_> {
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
        let site = Site {
            file: file.as_ptr(),
            what: what.as_ptr(),
            line: 12,
            column: 9,
            caller: std::ptr::null(),
        };
        let mut message = empty();
        // SAFETY: the site's texts end in NUL.
        unsafe { message.describe(code, &raw const site, a, b) };
        // SAFETY: a message ends in NUL.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) };
        text.to_str().expect("messages of UTF-8 names are UTF-8").to_owned()
    }

    fn empty() -> Message {
        let mut message = std::mem::MaybeUninit::uninit();
        // SAFETY: the message is made before it is used.
        unsafe {
            Message::init(message.as_mut_ptr());
            message.assume_init()
        }
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
    fn values_stand_where_the_text_says() {
        let site = |what: &'static CStr| Site {
            file: c"f.arr".as_ptr(),
            what: what.as_ptr(),
            line: 1,
            column: 2,
            caller: std::ptr::null(),
        };
        let said = |what: &'static CStr, values: &[u64]| {
            let mut message = empty();
            let site = site(what);
            // SAFETY: the site's texts end in NUL, and there is a value for each place.
            unsafe { message.describe_with(&raw const site, values.as_ptr()) };
            // SAFETY: a message ends in NUL.
            unsafe { CStr::from_ptr(message.as_ptr()) }.to_str().expect("UTF-8").to_owned()
        };
        assert_eq!(
            said(c"no \x01 of \x02", &[u64::MAX, u64::MAX]),
            format!("f.arr:1:2: no -1 of {}", u64::MAX)
        );
        assert_eq!(said(c"\x03 \x03", &[0, 1]), "f.arr:1:2: false true");
        let floats = [0.1, -2.0, 1e300, f64::INFINITY].map(f64::to_bits);
        assert_eq!(said(c"\x04 \x04 \x04 \x04", &floats), "f.arr:1:2: 0.1 -2.0 1e+300 inf");
        assert_eq!(said(c"\x05", &[u64::from(0.1f32.to_bits())]), "f.arr:1:2: 0.1");
    }

    #[test]
    fn calls_are_told_and_then_counted() {
        let place = |what: &'static CStr, line, caller| Site {
            file: c"f.arr".as_ptr(),
            what: what.as_ptr(),
            line,
            column: 1,
            caller,
        };
        let outer = place(c"g", 9, std::ptr::null());
        let inner = place(c"", 3, &raw const outer);
        let mut message = empty();
        // SAFETY: the sites' texts end in NUL.
        unsafe {
            message.describe(ErrorCode::Division.number(), &raw const inner, 0, 0);
            for _ in 0..10 {
                message.push_call(&raw const outer);
            }
        }
        message.finish();
        // SAFETY: a message ends in NUL.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) }.to_str().expect("UTF-8");
        let calls = "\n  in g, called at f.arr:9:1".repeat(8);
        assert_eq!(text, format!("f.arr:3:1: division by zero{calls}\n  and 3 more calls"));
    }

    #[test]
    fn without_a_site_the_reason_stands_alone() {
        let mut message = empty();
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
