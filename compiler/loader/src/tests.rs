//! Objects of the C compiler: it makes every reference that a compiler of this machine makes.

use std::process::Command;

use crate::{Code, LoadError, runtime_or_c};

/// The object file of a C program, compiled with these options.
fn object(c: &str, options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let [source, object] = ["a.c", "a.o"].map(|name| folder.path().join(name));
    std::fs::write(&source, c).expect("a file for a test");
    let mut gcc = Command::new("gcc");
    gcc.args(options).args(["-O2", "-c", "-o"]).arg(&object).arg(&source);
    assert!(gcc.status().expect("gcc runs").success());
    std::fs::read(object).expect("gcc wrote it")
}

/// The function `f` of a program.
fn call(code: &Code, argument: i64) -> i64 {
    let address = code.address("f").expect("the program has it");
    // SAFETY: the programs of these tests define it so.
    let f: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(address) };
    f(argument)
}

const PROGRAM: &str = r#"
    #include <string.h>
    static const char *const names[] = {"one", "three", "fifteen"};
    static long counter = 40;
    long shared = 2;
    static long zero[1000];
    long step(long x) { return ++counter + shared + zero[x & 7]; }
    long f(long x) {
        char text[16];
        switch (x) {
        case 0: return step(x);
        case 1: return strlen(names[x]);
        case 2: memcpy(text, names[2], 8); return strlen(text);
        case 3: return 333;
        case 4: return 4444;
        case 5: return (long)names[0][1];
        default: return -1;
        }
    }
"#;

#[test]
fn functions_constants_and_data_are_where_they_are_referred_to() {
    for options in
        [&["-fPIC"][..], &["-fPIC", "-fno-builtin"], &["-fPIC", "-fno-plt", "-fno-builtin"]]
    {
        let code = Code::load(&object(PROGRAM, options), &runtime_or_c).expect("it loads");
        let results = [0, 0, 1, 2, 3, 4, 5, 6].map(|argument| call(&code, argument));
        assert_eq!(results, [43, 44, 5, 7, 333, 4444, i64::from(b'n'), -1], "{options:?}");
        assert_eq!(code.address("names"), None);
        assert!(code.address("shared").is_some());
    }
}

#[test]
fn the_runtime_is_the_one_of_this_process() {
    let object = object(
        "int arr_rt_enter(void *); void *arr_rt_alloc(void *, long, long, const void *);
         int arr_rt_leave(void *, int);
         extern const unsigned ABI; const unsigned *const used = &ABI;
         long f(long context) {
             if (arr_rt_enter((void *)context)) return -1;
             void *buffer = arr_rt_alloc((void *)context, 10, 8, 0);
             return arr_rt_leave((void *)context, buffer ? 7 : 8);
         }",
        &["-fPIC", concat!("-DABI=", arr_abi::symbol!())],
    );
    let code = Code::load(&object, &runtime_or_c).expect("it loads");
    // SAFETY: no options; the context is used by one call at a time, and freed once.
    unsafe {
        let context = arr_rt::context::arr_context_new(std::ptr::null());
        assert_eq!(call(&code, i64::try_from(context.expose_provenance()).expect("small")), 7);
        assert_eq!(call(&code, 0), -1);
        arr_rt::context::arr_context_free(context);
    }
}

#[test]
fn every_function_of_the_runtime_is_known() {
    for name in arr_abi::function::RuntimeFn::NAMES {
        assert!(runtime_or_c(name).is_some(), "{name}");
    }
    assert!(runtime_or_c("memcpy").is_some() && runtime_or_c("sin").is_some());
    assert_eq!(runtime_or_c("arr_rt_no_such_function"), None);
}

#[test]
fn what_cannot_be_loaded_is_an_error() {
    let missing = object("long nowhere(long); long f(long x) { return nowhere(x); }", &["-fPIC"]);
    let error = Code::load(&missing, &runtime_or_c).expect_err("it is not defined");
    assert!(matches!(&error, LoadError::Undefined { symbol } if symbol == "nowhere"), "{error}");
    let thread = object("__thread long x; long f(long y) { return x += y; }", &["-fPIC"]);
    let error = Code::load(&thread, &runtime_or_c).expect_err("it has variables of threads");
    assert!(error.to_string().contains("variables of threads"), "{error}");
    let error = Code::load(b"not an object", &runtime_or_c).expect_err("it is none");
    assert!(matches!(error, LoadError::Malformed(_)), "{error}");
}

#[test]
fn broken_objects_do_not_crash() {
    let whole = object(PROGRAM, &["-fPIC"]);
    for length in (0..whole.len()).step_by(7) {
        let _ = Code::load(&whole[..length], &runtime_or_c);
    }
    let mut bytes = whole.clone();
    for at in 0..bytes.len().min(4000) {
        for change in [1, 0x80, 0xff] {
            bytes[at] ^= change;
            let _ = Code::load(&bytes, &runtime_or_c);
            bytes[at] ^= change;
        }
    }
}
