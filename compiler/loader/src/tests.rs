//! Objects of the C compiler. It makes every kind of reference that a compiler for this machine makes.

use std::process::Command;

use crate::{Code, Linked, LoadError, symbols};

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
    // SAFETY: the programs of these tests define the function with this type.
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
        let code = Code::load(&object(PROGRAM, options), &Linked::default()).expect("it loads");
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
    let code = Code::load(&object, &Linked::default()).expect("it loads");
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
    use arr_abi::function::{PublicFn, RuntimeFn};
    for name in RuntimeFn::NAMES.iter().chain(&PublicFn::NAMES) {
        assert!(symbols::runtime(name).is_some(), "{name}");
    }
    assert!(symbols::c("memcpy").is_some() && symbols::c("sin").is_some());
    assert_eq!(symbols::runtime("arr_rt_no_such_function"), None);
}

/// The error of loading a C program.
fn refused(c: &str, options: &[&str]) -> String {
    let error = Code::load(&object(c, options), &Linked::default());
    error.expect_err("it cannot be loaded").to_string()
}

#[test]
fn what_cannot_be_loaded_is_an_error() {
    let missing = "long nowhere(long); long f(long x) { return nowhere(x); }";
    let program = "`the program`";
    assert_eq!(
        refused(missing, &["-fPIC"]),
        "`the program` refers to `nowhere`, which nothing defines: link the file that does as well"
    );
    let thread = refused("__thread long x; long f(long y) { return x += y; }", &["-fPIC"]);
    assert_eq!(
        thread,
        format!("{program}: it has variables of threads: make a shared library of the file")
    );
    let start = "static long x; long f(long y) { return x + y; }
        __attribute__((constructor)) static void begin(void) { x = 7; }";
    assert!(refused(start, &["-fPIC"]).contains("it has code that runs when it is loaded"));
    let fixed = "long xs[9]; long f(long y) { return xs[y]; }";
    let text = refused(fixed, &["-fno-pic", "-no-pie"]);
    assert!(
        text.ends_with("as only programs can (reference 11): compile it with `-fPIC`"),
        "{text}"
    );
    let common = refused("long x; long f(long y) { return x + y; }", &["-fPIC", "-fcommon"]);
    assert!(common.contains("compile the file with `-fno-common`"), "{common}");
    let error = Code::load(b"not an object", &Linked::default()).expect_err("it is none");
    assert!(matches!(error, LoadError::Malformed { .. }), "{error}");
}

#[test]
fn files_refer_to_each_other() {
    let mut linked = Linked::default();
    let one = "long other(long); long count; long one(long x) { count++; return x ? other(x - 1) : count; }
        __attribute__((weak)) long weak(void) { return 1; }";
    let other = "long one(long); extern long count; long weak(void) { return 2; }
        long other(long x) { count += 10; return x ? one(x - 1) : count * weak(); }";
    linked.object("one.o", &object(one, &["-fPIC"])).expect("it is an object");
    linked.object("other.o", &object(other, &["-fPIC"])).expect("it is an object");
    assert!(linked.defines("one") && linked.defines("count") && !linked.defines("memcpy"));
    let program = object("long one(long); long f(long x) { return one(x); }", &["-fPIC"]);
    let code = Code::load(&program, &linked).expect("it loads");
    assert_eq!([call(&code, 0), call(&code, 3)], [1, 46]);
    // A second load has its own variables.
    assert_eq!(call(&Code::load(&program, &linked).expect("it loads"), 0), 1);
    linked.object("again.o", &object(one, &["-fPIC"])).expect("it is an object");
    assert_eq!(
        Code::load(&program, &linked).expect_err("two define it").to_string(),
        "`one` is defined in `one.o` and in `again.o`: leave one of them out"
    );
}

/// A static library of C programs.
fn archive(programs: &[&str], kind: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let path = folder.path().join("lib.a");
    let mut ar = Command::new("ar");
    ar.arg(kind).arg(&path);
    for (number, program) in programs.iter().enumerate() {
        let member = folder.path().join(format!("m{number}.o"));
        std::fs::write(&member, object(program, &["-fPIC"])).expect("a file for a test");
        ar.arg(member);
    }
    assert!(ar.status().expect("ar runs").success());
    std::fs::read(path).expect("ar wrote it")
}

#[test]
fn of_static_libraries_what_is_needed_is_loaded() {
    let members = [
        "long unused(long x) { extern long nowhere(long); return nowhere(x); }",
        "long deep(long x) { return 10 * x; }",
        "long deep(long); long near(long x) { return deep(x) + 1; }",
        "int arr_rt_enter(void *); int arr_context_fail(void *context, const char *text) { return 7; }",
    ];
    let mut linked = Linked::default();
    linked.archive("lib.a", &archive(&members, "rcs")).expect("it is one");
    assert!(linked.defines("near") && linked.defines("unused"));
    let program = object(
        "long near(long); int arr_context_fail(void *, const char *);
         long f(long x) { return x ? near(x) : arr_context_fail(0, 0); }",
        &["-fPIC"],
    );
    let code = Code::load(&program, &linked).expect("it loads");
    assert_eq!([call(&code, 4), call(&code, 0)], [41, 14]);
    let error = linked.archive("thin.a", &archive(&members, "rcsT")).expect_err("it is thin");
    assert!(error.to_string().contains("make it again by `ar rcs`"), "{error}");
    let error = linked.object("fail.o", &object(members[3], &["-fPIC"])).expect_err("it is taken");
    assert!(
        error.to_string().contains("a function of the runtime, which is there already"),
        "{error}"
    );
}

#[test]
fn shared_libraries_are_loaded_by_the_system() {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let path = folder.path().join("liblast.so");
    let source = folder.path().join("last.c");
    let c = "static __thread long last; long swap(long x) { long y = last; last = x; return y; }";
    std::fs::write(&source, c).expect("a file for a test");
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-o"]).arg(&path).arg(source);
    assert!(gcc.status().expect("gcc runs").success());
    let mut linked = Linked::default();
    linked.library(path.to_str().expect("a path of text")).expect("it is one");
    let program = object("long swap(long); long f(long x) { return swap(x); }", &["-fPIC"]);
    let code = Code::load(&program, &linked).expect("it loads");
    assert_eq!([call(&code, 4), call(&code, 5)], [0, 4]);
    let error = linked.library("/there/is/no/lib.so").expect_err("there is none");
    assert!(error.to_string().contains("No such file"), "{error}");
}

#[test]
fn broken_objects_do_not_crash() {
    let whole = object(PROGRAM, &["-fPIC"]);
    for length in (0..whole.len()).step_by(7) {
        let _ = Code::load(&whole[..length], &Linked::default());
    }
    let mut bytes = whole.clone();
    for at in 0..bytes.len().min(4000) {
        for change in [1, 0x80, 0xff] {
            bytes[at] ^= change;
            let _ = Code::load(&bytes, &Linked::default());
            bytes[at] ^= change;
        }
    }
}
