//! The host calls a shared library that has the runtime inside, made as the driver makes them.
//!
//! Invariant: values that the host returns stay valid after the library is unloaded.

mod support;

use std::path::PathBuf;

use arr_runtime::header;
use arr_runtime::host::{
    ArrayData, ArrayValue, ErrorCode, HostError, Library, RunError, Scalar, Session,
    SessionOptions, Value, ValueType,
};
use support::{compiler, folder_with_headers, run, runtime, sources};
use tempfile::TempDir;

const VECTOR: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 1 };
const MATRIX: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 2 };
const NUMBER: ValueType = ValueType::Scalar(Scalar::F64);
const COUNT: ValueType = ValueType::Scalar(Scalar::I64);
const TRUTH: ValueType = ValueType::Scalar(Scalar::Bool);

/// A shared library that exports its entries and what the header declares, and the folder it is in.
fn shared_library() -> (TempDir, PathBuf) {
    let folder = folder_with_headers();
    let library = folder.path().join("libtest.so");
    let script = folder.path().join("exports");
    let symbols = header::EXPORTED.iter().chain(&["*__uniform"]).map(|name| format!("{name}; "));
    let text = format!("{{ global: {}local: *; }};\n", symbols.collect::<String>());
    std::fs::write(&script, text).expect("a file for a test");
    let mut link = compiler("cc", "-std=c99", folder.path());
    link.args(["-shared", "-fPIC", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,--no-undefined"]);
    link.arg(format!("-Wl,--version-script={}", script.display()));
    link.arg(sources().join("library.c")).arg(runtime(folder.path()));
    run(link.args(["-lm", "-lpthread", "-o"]).arg(&library));
    (folder, library)
}

#[test]
fn values_come_back() {
    let (_folder, path) = shared_library();
    let library = Library::open(&path).expect("a library of this version");
    let evens = library.call("evens", &[Value::from(7_i64)], &[VECTOR]);
    assert_eq!(evens, Ok(vec![Value::from(vec![0_i64, 2, 4, 6])]));
    let none = library.call("evens", &[Value::from(0_i64)], &[VECTOR]);
    assert_eq!(none, Ok(vec![Value::from(Vec::<i64>::new())]));
    let xs = Value::from(vec![1.5, 2.5]);
    assert_eq!(
        library.call("at", &[xs, Value::from(1_i64)], &[NUMBER]),
        Ok(vec![Value::from(2.5)])
    );

    let matrix = |shape: [i64; 2], values: [i64; 6]| {
        let array = ArrayValue::new(shape.to_vec(), ArrayData::I64(values.to_vec().into()));
        Value::Array(array.expect("six elements"))
    };
    let inputs = [matrix([2, 3], [1, 2, 3, 4, 5, 6]), Value::from(false)];
    let transposed = library.call("transpose", &inputs, &[MATRIX, TRUTH]);
    drop(library);
    assert_eq!(transposed, Ok(vec![matrix([3, 2], [1, 4, 2, 5, 3, 6]), Value::from(false)]));
}

#[test]
fn failures_come_back_with_code_and_message() {
    let (_folder, path) = shared_library();
    let library = Library::open(&path).expect("a library of this version");
    let session = Session::new(&library, &SessionOptions::default()).expect("memory for a test");
    let inputs = [Value::from(vec![1.5, 2.5]), Value::from(2_i64)];
    let expected = RunError {
        code: Some(ErrorCode::Index),
        message: "test.arr:4:9: index 2 is out of bounds for an array of length 2".to_owned(),
    };
    assert_eq!(session.call("at", &inputs, &[NUMBER]), Err(expected));
    assert_eq!(session.stats().bytes_live, 0);
    let missing = session.call("nothing", &[], &[]).expect_err("there is no such entry");
    assert_eq!(missing.message, "the library has no entry nothing");
}

#[test]
fn limits_hold() {
    let (_folder, path) = shared_library();
    let library = Library::open(&path).expect("a library of this version");
    let options = SessionOptions {
        memory_limit: Some(100_000),
        stack_limit: Some(50_000),
        ..SessionOptions::default()
    };
    let session = Session::new(&library, &options).expect("memory for a test");
    let many = session.call("evens", &[Value::from(10_000_i64)], &[VECTOR]);
    assert_eq!(many.map_err(|error| error.code), Err(Some(ErrorCode::Memory)));
    let deep = session.call("depth", &[Value::from(1_000_000_i64)], &[COUNT]);
    assert_eq!(deep.map_err(|error| error.code), Err(Some(ErrorCode::Stack)));
    assert_eq!(
        session.call("depth", &[Value::from(10_i64)], &[COUNT]),
        Ok(vec![Value::from(10_i64)])
    );
}

#[test]
fn deep_recursion_ends_well_on_small_stacks_too() {
    let (_folder, path) = shared_library();
    let deep = move || {
        let library = Library::open(&path).expect("a library of this version");
        library.call("depth", &[Value::from(i64::MAX)], &[COUNT]).map_err(|error| error.code)
    };
    for stack in [256 << 10, 16 << 20] {
        let thread = std::thread::Builder::new().stack_size(stack).spawn(deep.clone());
        let result = thread.expect("a thread for a test").join().expect("no panic");
        assert_eq!(result, Err(Some(ErrorCode::Stack)));
    }
}

#[test]
fn a_prepared_call_runs_again_and_again() {
    let (_folder, path) = shared_library();
    let library = Library::open(&path).expect("a library of this version");
    let session = Session::new(&library, &SessionOptions::default()).expect("memory for a test");
    let inputs = [Value::from(1000_i64)];
    let mut call = session.prepare("evens", &inputs, &[VECTOR]).expect("an entry of the library");
    for _ in 0..3 {
        call.run().expect("nothing to fail");
        let stats = session.stats();
        assert_eq!((stats.call_allocations, stats.call_left_over), (2, 1));
        assert!(stats.bytes_live <= 8000 + 128, "one output at a time");
    }
    assert_eq!(call.outputs(), [Value::from((0..500).map(|n| 2 * n).collect::<Vec<i64>>())]);
    drop(call);
    assert_eq!(session.stats().bytes_live, 0);
}

#[test]
fn what_is_no_library_is_refused() {
    let (folder, _path) = shared_library();
    let text = folder.path().join("text.so");
    std::fs::write(&text, "no library").expect("a file for a test");
    assert!(matches!(Library::open(&text), Err(HostError::Load { .. })));
    assert!(matches!(Library::open(&folder.path().join("none.so")), Err(HostError::Load { .. })));

    let source = folder.path().join("other.c");
    std::fs::write(&source, "int other(void);\nint other(void) { return 1; }\n")
        .expect("a file for a test");
    let other = folder.path().join("other.so");
    run(compiler("cc", "-std=c99", folder.path())
        .args(["-shared", "-fPIC", "-o"])
        .arg(&other)
        .arg(&source));
    let refused = Library::open(&other).expect_err("not of arrc");
    assert!(
        refused
            .to_string()
            .ends_with("is no library of this version of arrc: it lacks arr_runtime_abi_10")
    );
}
