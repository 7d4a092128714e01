//! Compiled programs as shared libraries, called through their uniform entries.
//!
//! Every call checks that only the outputs stay allocated, and that a failing call leaves no outputs.

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::process::Command;

use arrc_llvm::{Cpu, OptLevel, Options};
use libloading::Library;

use super::source::{self, Source};

/// An array as C has it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CArray<T, const R: usize> {
    pub(crate) data: *const T,
    pub(crate) shape: [i64; R],
    pub(crate) stride: [i64; R],
    pub(crate) owner: *mut c_void,
}

impl<T, const R: usize> CArray<T, R> {
    pub(crate) const EMPTY: Self =
        Self { data: std::ptr::null(), shape: [0; R], stride: [0; R], owner: std::ptr::null_mut() };
}

/// A slice as a dense array that is lent to a call.
pub(crate) fn lend<T>(elems: &[T]) -> CArray<T, 1> {
    let length = i64::try_from(elems.len()).expect("tests are small");
    CArray { data: elems.as_ptr(), shape: [length], stride: [1], owner: std::ptr::null_mut() }
}

/// A loaded program, and a context.
pub(crate) struct Native {
    library: Library,
    context: *mut c_void,
}

/// The options of a test: this machine, at a level.
pub(crate) fn options(opt_level: OptLevel) -> Options {
    Options { opt_level, cpu: Cpu::Native, ..Options::default() }
}

/// Compiles, links and loads a program in Arr.
pub(crate) fn load(text: &str, options: &Options) -> Native {
    link(&source::arr(text), options)
}

/// Compiles, links and loads a program.
pub(crate) fn link(source: &Source, options: &Options) -> Native {
    let Source { program, sources } = source;
    let module = arrc_llvm::compile(program, sources, options).expect("the program compiles");
    let folder = tempfile::tempdir().expect("a folder for the library");
    let object = folder.path().join("program.o");
    std::fs::write(&object, module.object()).expect("the object is written");
    let library = folder.path().join("program.so");
    run(Command::new("cc")
        .args(["-O1", "-g", "-fPIC", "-shared", "-o"])
        .arg(&library)
        .arg(&object)
        .arg(runtime())
        .arg("-lm"));
    // SAFETY: the library has no initialisers.
    let library = unsafe { Library::new(&library) }.expect("the library loads");
    let mut native = Native { library, context: std::ptr::null_mut() };
    native.context =
        native.call_test("test_context_new", |new: extern "C" fn() -> *mut c_void| new());
    native
}

/// The source of the runtime for tests.
pub(crate) fn runtime() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/support/runtime.c")
}

/// Runs a command, which must succeed without a message.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{command:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Native {
    /// Calls an entry; the error's text if it fails.
    pub(crate) fn call(
        &self,
        entry: &str,
        outputs: &[*mut c_void],
        inputs: &[*const c_void],
    ) -> Result<(), String> {
        type Uniform =
            unsafe extern "C" fn(*mut c_void, *const *mut c_void, *const *const c_void) -> i32;
        let name = format!("{entry}__uniform\0");
        // SAFETY: the compiler made it with this signature.
        let function =
            unsafe { self.library.get::<Uniform>(name.as_bytes()) }.expect("the entry exists");
        let live = self.live();
        // SAFETY: the test gives as many outputs and inputs as the entry has, of its types.
        let code = unsafe { function(self.context, outputs.as_ptr(), inputs.as_ptr()) };
        if code == 0 {
            return Ok(());
        }
        assert_eq!(self.live(), live, "a failing call leaves nothing behind");
        let message = self
            .call_test("test_message", |f: extern "C" fn(*mut c_void) -> *const c_char| {
                f(self.context)
            });
        // SAFETY: the runtime's message is a C string.
        Err(unsafe { CStr::from_ptr(message) }.to_str().expect("messages are text").to_owned())
    }

    /// How many buffers are alive.
    pub(crate) fn live(&self) -> i64 {
        self.call_test("test_live", |f: extern "C" fn(*mut c_void) -> i64| f(self.context))
    }

    /// Lets allocations of more than `bytes` bytes fail.
    pub(crate) fn limit(&self, bytes: i64) {
        self.call_test("test_limit", |f: extern "C" fn(*mut c_void, i64)| f(self.context, bytes));
    }

    /// The elements of an output, which is released.
    pub(crate) fn take<T: Copy, const R: usize>(&self, array: &CArray<T, R>) -> Vec<T> {
        assert!(!array.owner.is_null() && !array.data.is_null(), "an output has an owner");
        let mut stride = 1;
        for at in (0..R).rev() {
            assert_eq!(array.stride[at], stride, "an output is dense");
            stride *= array.shape[at];
        }
        let length = usize::try_from(stride).expect("no shape is negative");
        // SAFETY: the entry made `length` elements.
        let elems = unsafe { std::slice::from_raw_parts(array.data, length) }.to_vec();
        self.call_test("arr_rt_release", |f: extern "C" fn(*mut c_void)| f(array.owner));
        elems
    }

    fn call_test<F: Copy, T>(&self, name: &str, call: impl FnOnce(F) -> T) -> T {
        // SAFETY: the functions of the runtime for tests have the signatures given here.
        let function = unsafe { self.library.get::<F>(format!("{name}\0").as_bytes()) };
        call(*function.expect("the runtime for tests has it"))
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.live(), 0, "nothing is alive in the end");
        }
        self.call_test("test_context_free", |f: extern "C" fn(*mut c_void)| f(self.context));
    }
}

/// A pointer to an output.
pub(crate) fn out<T>(place: &mut T) -> *mut c_void {
    (&raw mut *place).cast()
}

/// A pointer to an input.
pub(crate) fn arg<T>(place: &T) -> *const c_void {
    (&raw const *place).cast()
}
