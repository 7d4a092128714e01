//! The C headers agree with `arr_abi`.
//!
//! Invariant: a C compiler compares every function, every struct with its fields, and the array structs; a difference
//! does not compile.

mod support;

use arr_abi::function::{Function, PublicFn, RuntimeFn};
use arr_abi::layout::{ArrayField, Layout, Options, STACK_LIMIT, Site, Stats};
use support::{compiler, folder_with_headers};

/// `int arr_rt_enter(arr_context *)`, as a claim that the compiler checks.
fn function(function: Function) -> String {
    let Function { name, params, result, .. } = function;
    let params: Vec<_> = params.iter().map(|param| param.c).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    claim(&format!("_Generic(&{name}, {} (*)({params}): 1, default: 0)", result.c))
}

/// The size of a struct, and the name, place and type of each field.
fn layout<T: Layout>() -> String {
    let mut text = claim(&format!("sizeof({}) == {}", T::NAME, size_of::<T>()));
    for field in T::FIELDS {
        let (name, of, c) = (field.name, T::NAME, field.ty.c);
        text += &claim(&format!("offsetof({of}, {name}) == {}", field.offset));
        text +=
            &claim(&format!("_Generic(&(({of} *)0)->{name}, __typeof__({c}) *: 1, default: 0)"));
    }
    text
}

fn array(name: &str, rank: usize) -> String {
    let field = |field: ArrayField| {
        let c = format!("{field:?}").to_lowercase();
        claim(&format!("offsetof({name}, {c}) == {}", 8 * field.word(rank)))
    };
    let size = claim(&format!("sizeof({name}) == {}", 8 * ArrayField::words(rank)));
    ArrayField::ALL.map(field).concat() + &size
}

fn claim(truth: &str) -> String {
    format!("_Static_assert({truth}, \"as arr_abi says\");\n")
}

/// The messages of a C compiler about the headers with claims about them.
fn errors(claims: &str) -> String {
    let folder = folder_with_headers();
    let source = folder.path().join("claims.c");
    let text = format!(
        "#include \"generated.h\"\n#include \"again.h\"\n#include \"arr_rt.h\"\n{claims}\
         int main(void) {{ return 0; }}\n"
    );
    std::fs::write(&source, text).expect("a file for a test");
    let mut compile = compiler("cc", "-std=c11", folder.path());
    let output = compile.arg("-fsyntax-only").arg(&source).output().expect("a C compiler");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn c_declares_what_the_crate_declares() {
    let compiled = RuntimeFn::ALL.map(|name| function(name.function())).concat();
    let public = PublicFn::ALL.map(|name| function(name.function())).concat();
    let structs = layout::<Site>() + &layout::<Options>() + &layout::<Stats>();
    let head = claim(&format!("offsetof(arr_context_head, stack_limit) == {STACK_LIMIT}"));
    let arrays = array("arr_f64_1d", 1) + &array("arr_i64_2d", 2) + &array("arr_f32_4d", 4);
    assert_eq!(errors(&[compiled, public, structs, head, arrays].concat()), "");
}

#[test]
fn what_differs_is_found() {
    let enter = function(Function {
        params: RuntimeFn::Retain.function().params,
        ..RuntimeFn::Enter.function()
    });
    let claims = [enter, claim("offsetof(arr_site, line) == 8"), array("arr_i64_2d", 3)];
    for claim in claims {
        assert!(errors(&claim).contains("as arr_abi says"), "{claim}");
    }
}
