//! Entries as the outside sees them: the C functions, what they check, and the object file.

use std::process::Command;

use crate::support::native::{CArray, arg, lend, link, load, options, out, run, runtime};
use crate::support::source::{Source, arr};
use arrc_llvm::{Cpu, Error, Module, OptLevel, Options};

/// A map, with other parameters that only determine sizes.
const SIZED: &str = "
entry sized [n] (xs: [n]f64) (ys: [n]f64) (m: i64) (zs: [m]f64) (four: [4]f64): [n]f64 =
  map (+ 1) xs
";

/// A map.
const INC: &str = "entry inc [n] (xs: [n]f64): [n]f64 = map (+ 1) xs";

fn compile(source: &Source, options: &Options) -> Result<Module, Error> {
    arrc_llvm::compile(&source.program, &source.sources, options)
}

#[test]
fn inputs_are_checked() {
    let native = load(SIZED, &options(OptLevel::O3));
    let data = [0.5; 16];
    let of = |length: usize| lend(&data[..length]);
    let call = |xs: CArray<f64, 1>, ys: CArray<f64, 1>, m: i64, rest: [CArray<f64, 1>; 2]| {
        let mut out_ys = CArray { data: data.as_ptr(), ..CArray::<f64, 1>::EMPTY };
        let [zs, four] = &rest;
        let inputs = [arg(&xs), arg(&ys), arg(&m), arg(zs), arg(four)];
        let result = native.call("sized", &[out(&mut out_ys)], &inputs);
        assert!(result.is_ok() || out_ys.data.is_null(), "a failing call zeroes its outputs");
        result.map(|()| native.take(&out_ys))
    };
    let failed = |what: &str| Err(format!("test.arr:2:7 {what}"));
    let good = [of(2), of(4)];
    assert_eq!(call(of(3), of(3), 2, good), Ok(vec![1.5; 3]));
    assert_eq!(call(of(3), of(4), 2, good), failed("4 [xs|ys] 3 4"));
    assert_eq!(call(of(3), of(3), 3, good), failed("4 [zs|its type [m]] 2 3"));
    assert_eq!(call(of(3), of(3), 2, [of(2), of(5)]), failed("4 [four|its type [4]] 5 4"));
    let null = |length: i64| CArray { data: std::ptr::null(), shape: [length], ..of(0) };
    assert_eq!(call(null(3), of(3), 2, good), failed("7 [xs] 3 0"));
    assert_eq!(call(of(3), null(-2), 2, good), failed("7 [ys] -2 0"));
    assert_eq!(call(null(0), null(0), 2, [of(2), of(4)]), Ok(vec![]));
}

#[test]
fn strides_are_followed() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let native = load(INC, &options(level));
        let data: Vec<f64> = (0..12).map(f64::from).collect();
        let call = |array: CArray<f64, 1>| {
            let mut ys = CArray::<f64, 1>::EMPTY;
            native.call("inc", &[out(&mut ys)], &[arg(&array)]).map(|()| native.take(&ys))
        };
        let (all, end) = (lend(&data), data[11..].as_ptr());
        assert_eq!(call(CArray { shape: [4], stride: [3], ..all }), Ok(vec![1.0, 4.0, 7.0, 10.0]));
        assert_eq!(
            call(CArray { data: end, shape: [3], stride: [-1], ..all }),
            Ok(vec![12.0, 11.0, 10.0])
        );
        assert_eq!(call(CArray { shape: [2], stride: [0], ..all }), Ok(vec![1.0, 1.0]));
        assert_eq!(call(CArray { shape: [1], stride: [0], ..all }), Ok(vec![1.0]));
        assert_eq!(call(CArray { shape: [0], stride: [9], ..all }), Ok(vec![]));
        native.limit(15);
        let error = call(CArray { shape: [2], stride: [2], ..all });
        assert_eq!(error, Err("test.arr:1:38 5 [a] 2 8".to_owned()), "nothing but the result");
    }
}

/// One struct may be input and output at once.
#[test]
fn an_output_may_replace_an_input() {
    let native = load(INC, &options(OptLevel::O3));
    let mut array = lend(&[1.0, 2.0]);
    let place = &raw mut array;
    native.call("inc", &[place.cast()], &[place.cast_const().cast()]).expect("no error");
    assert_eq!(native.take(&array), [2.0, 3.0]);
}

/// Every kind of parameter, in registers and on the stack.
const MIXED: &str = "
entry mixed [n] [rows] [columns] [k]
    (a: bool) (b: i8) (c: u16) (xs: [n]f64) (d: f32) (e: i64) (f: u8) (grid: [rows][columns]i16)
    (g: f64) (bs: [k]bool) (h: i16) (i: u32): (f64, [n]f64, bool, i8, [k]bool) =
  let whole = f64.i8 b + f64.u16 c + f64.i64 e + f64.u8 f + f64.i16 (grid[1, 2] + h) + f64.u32 i
  in (xs[2] + f64.f32 d + g + whole, xs, a != bs[1], b, bs)
";

#[test]
fn c_programs_call_entries() {
    let folder = tempfile::tempdir().expect("a folder");
    let caller = runtime().with_file_name("caller.c");
    for compiler in ["gcc", "clang-22"] {
        for level in [OptLevel::O0, OptLevel::O3] {
            let options = Options { opt_level: level, ..Options::default() };
            let mut source = arr(MIXED);
            for entry in &mut source.program.entries {
                entry.name = format!("my_{}", entry.name).into();
            }
            let module = compile(&source, &options).expect("compiles");
            let (object, program) = (folder.path().join("mixed.o"), folder.path().join("mixed"));
            std::fs::write(&object, module.object()).expect("the object is written");
            run(Command::new(compiler)
                .args(["-O2", "-Wall", "-Wextra", "-o"])
                .arg(&program)
                .args([&caller, &object, &runtime()])
                .arg("-lm"));
            let wide = 0x1234_5678_90ab_cdff_i64;
            let parts =
                [2.5, f64::from(wide as i8), f64::from((wide >> 8) as u16), 1.25, wide as f64];
            let more = [f64::from((wide >> 16) as u8), -6.0, 1e10, f64::from((wide >> 24) as i16)];
            let sum = parts.iter().chain(&more).sum::<f64>() + f64::from((wide >> 20) as u32);
            let expected = format!("0 {sum:.2} 1 -1\n0.5 1.5 2.5 3 1, 1 0\n0 alive\n");
            assert_eq!(run(&mut Command::new(&program)), expected, "{compiler}, {level:?}");
        }
    }
}

#[test]
fn structs_are_passed_as_the_targets_c_compilers_do() {
    for (triple, by_value) in [
        ("x86_64-unknown-linux-gnu", true),
        ("x86_64-apple-darwin", true),
        ("x86_64-pc-windows-msvc", false),
        ("aarch64-unknown-linux-gnu", false),
        ("aarch64-apple-darwin", false),
    ] {
        let options = Options { triple: Some(triple.to_owned()), ..Options::default() };
        let module = compile(&arr(MIXED), &options).expect("compiles");
        let ir = module.ir();
        let signature =
            ir.lines().find(|line| line.starts_with("define") && line.contains("@mixed("));
        let signature = signature.expect("the C function is there");
        assert_eq!(
            signature.contains("byval({ ptr, [2 x i64], [2 x i64], ptr }) align 8"),
            by_value
        );
        assert!(
            module.object().len() > 500 && module.assembly().contains("mixed__uniform"),
            "{triple}"
        );
    }
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    let make = || compile(&arr(SIZED), &options(OptLevel::O3)).expect("compiles");
    let (a, b) = (make(), make());
    assert_eq!((a.object(), a.assembly(), a.ir()), (b.object(), b.assembly(), b.ir()));
    assert_eq!(a.object(), a.object());
    assert!(a.object().starts_with(b"\x7fELF"));
}

#[test]
fn an_object_does_not_link_with_another_runtime() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = folder.path().join("sized.o");
    let module = compile(&arr(SIZED), &Options::default()).expect("compiles");
    std::fs::write(&object, module.object()).expect("the object is written");
    let main = folder.path().join("main.c");
    // The program calls nothing, so only the reference to the ABI could fail to link.
    std::fs::write(&main, "int sized(); int main(void) { return 0; }\n")
        .expect("the program is written");
    let text = std::fs::read_to_string(runtime()).expect("the runtime for tests");
    let other = folder.path().join("other.c");
    std::fs::write(&other, text.replace("arr_runtime_abi_10", "arr_runtime_abi_0"))
        .expect("written");
    let link = |runtime: &std::path::Path| {
        let mut cc = Command::new("cc");
        cc.args(["-Wl,--gc-sections", "-o"]).arg(folder.path().join("main"));
        cc.args([main.as_path(), &object, runtime]).arg("-lm").output().expect("cc runs")
    };
    assert!(link(&runtime()).status.success());
    let refused = link(&other);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("arr_runtime_abi_10"));
}

#[test]
fn names_of_c_functions_are_unique() {
    let named = |names: &[&str]| {
        let entry = |at| format!("entry f{at} (x: i64): i64 = x\n");
        let mut source = arr(&(0..names.len()).map(entry).collect::<String>());
        for (entry, name) in source.program.entries.iter_mut().zip(names) {
            entry.name = (*name).into();
        }
        source
    };
    let error = |names: &[&str]| {
        let module = compile(&named(names), &Options::default());
        module.map(|_| ()).expect_err("the names cannot be")
    };
    let clash = |symbol: &str| Error::SymbolClash { symbol: symbol.to_owned() };
    assert_eq!(error(&["f", "g", "f"]), clash("f"));
    assert_eq!(error(&["f", "f__uniform"]), clash("f__uniform"));
    let reserved = |symbol: &str| Error::ReservedSymbol { symbol: symbol.to_owned() };
    assert_eq!(error(&["arr_rt_alloc"]), reserved("arr_rt_alloc"));
    assert!(error(&["arr_rt_alloc"]).help().contains("prefix"));
    // A function may be named as one of libm, or as a keyword of LLVM.
    let native = link(&named(&["sin", "define", "ctx"]), &options(OptLevel::O3));
    for name in ["define", "ctx"] {
        let mut x = 0_i64;
        native.call(name, &[out(&mut x)], &[arg(&5_i64)]).expect("no error");
        assert_eq!(x, 5);
    }
    let known = Options { cpu: Cpu::Named("znver".to_owned()), ..Options::default() };
    assert!(matches!(compile(&named(&["f"]), &known), Err(Error::UnknownCpu { .. })));
}
