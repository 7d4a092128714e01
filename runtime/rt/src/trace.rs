//! Traces: values that are printed to standard error.
//!
//! Invariant: a line is written as a whole, unless it is longer than the room of a message. Of an array of any size a
//! bounded number of elements is printed.
//!
//! ```text
//! site {hull.arr, "[]i64", 12, 9}, "xs", 1 2 3   ⇒   [hull.arr:12:9] xs = [1, 2, 3]
//! ```

use core::ffi::{CStr, c_void};
use core::ops::RangeInclusive;

use arr_abi::layout::Site;
use arr_abi::scalar::{F32_DIGITS, F64_DIGITS};
use arr_abi::trace::{AT_EACH_END, MOST};

use crate::message::Message;

/// Prints a value with its place and its name. The site's text describes the value's type ([`arr_abi::trace`]).
///
/// # Safety
/// `site` is a site with C strings. `values` has pointers to the name, a dense array of bytes, and to the components
/// that the description needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn arr_rt_trace(site: *const Site, values: *const *const c_void) {
    // SAFETY: by contract.
    let (described, name) = unsafe {
        let name = Component { place: values.read().cast() };
        let described = CStr::from_ptr(site.read().what).to_bytes();
        let length = usize::try_from(name.size(0)).unwrap_or(0);
        let name = match length {
            0 => &[],
            1.. => core::slice::from_raw_parts(name.data::<u8>(1), length),
        };
        (described, name)
    };
    let mut line = Line(Message::EMPTY);
    // SAFETY: by contract; the components stand behind the name.
    let mut walk = unsafe { Walk::new(described, values.add(1), &mut line, Output::Count) };
    walk.value();
    let output = if walk.elements > MOST { Output::Ends } else { Output::All };
    // SAFETY: by contract.
    unsafe { line.begin(site, name) };
    // SAFETY: as above.
    unsafe { Walk::new(described, values.add(1), &mut line, output) }.value();
    line.push(b"\n");
    line.write();
}

/// A component: a scalar, or an array struct.
struct Component {
    place: *const u8,
}

impl Component {
    /// The size of a dimension of an array.
    ///
    /// # Safety
    /// It is an array with that dimension.
    unsafe fn size(&self, dimension: usize) -> i64 {
        // SAFETY: by contract; the sizes stand behind the data.
        unsafe { self.place.cast::<i64>().add(1 + dimension).read() }
    }

    /// The scalars: the one, or those of an array with that many dimensions.
    ///
    /// # Safety
    /// It has as many dimensions.
    unsafe fn data<T>(&self, rank: usize) -> *const T {
        match rank {
            0 => self.place.cast(),
            // SAFETY: by contract it is an array, which begins with its data.
            _ => unsafe { self.place.cast::<*const T>().read() },
        }
    }
}

/// The action of a walk on each scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// It skips them.
    Nothing,
    /// It counts them.
    Count,
    /// It prints them all.
    All,
    /// It prints those at the ends of long arrays.
    Ends,
}

/// A walk through a value and its description.
///
/// Invariant: the components are those that the description needs.
struct Walk<'a> {
    described: &'a [u8],
    /// The place in the description.
    at: usize,
    values: *const *const c_void,
    /// The next component.
    component: usize,
    /// How many arrays are around.
    depth: usize,
    /// The number of the element among the elements of all arrays around. For [`Output::Count`], how many there are.
    row: i64,
    /// How many scalars were counted.
    elements: i64,
    line: &'a mut Line,
    output: Output,
}

impl<'a> Walk<'a> {
    /// # Safety
    /// The values are the components that the description needs.
    unsafe fn new(
        described: &'a [u8],
        values: *const *const c_void,
        line: &'a mut Line,
        output: Output,
    ) -> Self {
        let row = i64::from(output == Output::Count);
        Self { described, at: 0, values, component: 0, depth: 0, row, elements: 0, line, output }
    }

    /// The value that is described at this place.
    fn value(&mut self) {
        match self.peek() {
            b'[' => self.array(),
            b'(' => self.list(b'(', b')', b"(", b")"),
            b'{' => self.record(),
            b'<' => self.sum(),
            _ => self.scalar(),
        }
    }

    fn array(&mut self) {
        self.at += b"[]".len();
        let (start, row) = ((self.at, self.component), self.row);
        // SAFETY: each description of an element has a component, an array with the dimensions around.
        let size = unsafe { self.next().size(self.depth) };
        self.depth += 1;
        if matches!(self.output, Output::Nothing | Output::Count) || size <= 0 {
            self.push(b"[]");
            self.row = row.saturating_mul(size);
            let output = if size > 0 { self.output } else { Output::Nothing };
            self.with(output, Self::value);
        } else {
            self.push(b"[");
            let mut element = 0;
            while element < size {
                if element > 0 {
                    self.push(b", ");
                }
                if self.output == Output::Ends && element == AT_EACH_END && size > 2 * AT_EACH_END {
                    self.push("…, ".as_bytes());
                    element = size - AT_EACH_END;
                }
                (self.at, self.component) = start;
                self.row = row * size + element;
                self.value();
                element += 1;
            }
            self.push(b"]");
        }
        self.depth -= 1;
        self.row = row;
    }

    /// Values between two signs, with other signs around in the output.
    fn list(&mut self, open: u8, close: u8, before: &[u8], after: &[u8]) {
        self.skip(open);
        self.push(before);
        let mut is_first = true;
        while !self.take(close) {
            if !is_first {
                self.skip(b',');
                self.push(b", ");
            }
            is_first = false;
            self.value();
        }
        self.push(after);
    }

    fn record(&mut self) {
        self.skip(b'{');
        self.push(b"{");
        let mut is_first = true;
        while !self.take(b'}') {
            if !is_first {
                self.skip(b',');
                self.push(b", ");
            }
            is_first = false;
            let name = self.word();
            self.skip(b':');
            self.push(name);
            self.push(b" = ");
            self.value();
        }
        self.push(b"}");
    }

    /// A constructor with its payloads. Those of the others are skipped.
    fn sum(&mut self) {
        self.skip(b'<');
        let (output, mut left) = (self.output, 0);
        if matches!(output, Output::All | Output::Ends) {
            // SAFETY: the component of the tag comes first.
            left = unsafe { self.next().data::<i64>(self.depth).offset(self.offset()).read() };
        } else {
            self.count();
        }
        self.component += 1;
        while !self.take(b'>') {
            self.take(b'|');
            let chosen = if left == 0 { output } else { Output::Nothing };
            self.with(chosen, Self::constructor);
            left -= 1;
        }
    }

    fn constructor(&mut self) {
        let name = self.word();
        self.push(b"#");
        self.push(name);
        self.skip(b'(');
        while !self.take(b')') {
            self.take(b',');
            self.push(b" ");
            if self.peek() == b'<' {
                self.list_of_one();
            } else {
                self.value();
            }
        }
    }

    /// A sum in parentheses.
    fn list_of_one(&mut self) {
        self.push(b"(");
        self.value();
        self.push(b")");
    }

    fn scalar(&mut self) {
        let ty = self.word();
        match self.output {
            Output::Nothing => {}
            Output::Count => self.count(),
            // SAFETY: the component is of this type, and has an element for each row.
            Output::All | Output::Ends => unsafe { self.print(ty) },
        }
        self.component += 1;
    }

    /// Prints the scalar of this row.
    ///
    /// # Safety
    /// The next component has scalars of this type.
    unsafe fn print(&mut self, ty: &[u8]) {
        let component = self.next();
        macro_rules! read {
            ($ty:ty) => {
                // SAFETY: by contract.
                unsafe { component.data::<$ty>(self.depth).offset(self.offset()).read() }
            };
        }
        match ty {
            b"bool" => self.push(if read!(u8) == 0 { b"false" } else { b"true" }),
            b"i8" => self.line.number(read!(i8).into()),
            b"i16" => self.line.number(read!(i16).into()),
            b"i32" => self.line.number(read!(i32).into()),
            b"i64" => self.line.number(read!(i64).into()),
            b"u8" => self.line.number(read!(u8).into()),
            b"u16" => self.line.number(read!(u16).into()),
            b"u32" => self.line.number(read!(u32).into()),
            b"u64" => self.line.number(read!(u64).into()),
            b"f32" => self.line.float(read!(f32).into(), F32_DIGITS),
            _ => self.line.float(read!(f64), F64_DIGITS),
        }
    }

    fn count(&mut self) {
        if self.output == Output::Count {
            self.elements = self.elements.saturating_add(self.row);
        }
    }

    /// Does something with another output.
    fn with(&mut self, output: Output, body: fn(&mut Self)) {
        let before = core::mem::replace(&mut self.output, output);
        body(self);
        self.output = before;
    }

    fn next(&self) -> Component {
        // SAFETY: there is a component for each that the description needs.
        Component { place: unsafe { self.values.add(self.component).read() }.cast() }
    }

    fn offset(&self) -> isize {
        isize::try_from(self.row).unwrap_or(0)
    }

    fn push(&mut self, text: &[u8]) {
        if matches!(self.output, Output::All | Output::Ends) {
            self.line.push(text);
        }
    }

    fn peek(&self) -> u8 {
        self.described.get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, sign: u8) -> bool {
        // At the end of the description, everything is closed.
        let is_there = self.peek() == sign || self.at >= self.described.len();
        if is_there {
            self.at += 1;
        }
        is_there
    }

    fn skip(&mut self, sign: u8) {
        debug_assert_eq!(self.peek(), sign);
        self.at += 1;
    }

    /// The name at this place.
    fn word(&mut self) -> &'a [u8] {
        let rest = self.described.get(self.at..).unwrap_or_default();
        let is_end = |byte: &u8| b"[](){}<>|,:".contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }
}

/// A line of output.
struct Line(Message);

impl Line {
    /// The place and the name.
    ///
    /// # Safety
    /// `site` is a site with C strings.
    unsafe fn begin(&mut self, site: *const Site, name: &[u8]) {
        self.push(b"[");
        // SAFETY: by contract.
        unsafe { self.0.push_site(site) };
        self.push(b"] ");
        if !name.is_empty() {
            for &byte in name {
                // No name controls a terminal.
                self.push(&[if byte.is_ascii_control() { b'?' } else { byte }]);
            }
            self.push(b" = ");
        }
    }

    fn push(&mut self, text: &[u8]) {
        self.make_room();
        self.0.push(text);
    }

    fn number(&mut self, number: i128) {
        self.make_room();
        self.0.push_number(number);
    }

    fn float(&mut self, number: f64, digits: RangeInclusive<u8>) {
        self.make_room();
        self.0.push_float(number, digits);
    }

    /// Makes room for a short text.
    fn make_room(&mut self) {
        if self.0.is_nearly_full() {
            self.write();
        }
    }

    /// Writes what there is.
    fn write(&mut self) {
        let mut rest = self.0.text();
        while !rest.is_empty() {
            // SAFETY: the bytes are there.
            let written =
                unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len()) };
            match usize::try_from(written) {
                Ok(1..) => rest = rest.get(written.unsigned_abs()..).unwrap_or_default(),
                // A signal interrupted it.
                Err(_) if is_interrupted() => {}
                // Nobody reads the output.
                Ok(_) | Err(_) => break,
            }
        }
        self.0.clear();
    }
}

/// Whether a signal came before the last system call did anything.
fn is_interrupted() -> bool {
    // SAFETY: the thread has an error number.
    unsafe { libc::__errno_location().read() == libc::EINTR }
}
