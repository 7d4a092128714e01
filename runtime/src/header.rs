//! The C declarations that generated headers contain.
//!
//! Invariant: each part stands in an include guard of its own, so that several generated headers
//! can be included together; after [`runtime_part`], any array parts in any order.
//!
//! ```text
//! array_part(F64, 1)   typedef struct arr_f64_1d { double *data; int64_t shape[1]; … } arr_f64_1d;
//! ```

use arr_abi::function::PublicFn;
use arr_abi::{ErrorCode, Scalar};

/// The functions that [`runtime_part`] declares and the runtime defines. A shared library exports them. Its link
/// command requests them (`-u`), since its own code may not refer to them.
pub const FUNCTIONS: [&str; PublicFn::ALL.len()] = PublicFn::NAMES;

/// The exports of a shared library besides its entries and their `NAME__uniform`, in the syntax of the linker's version
/// scripts: [`FUNCTIONS`], and the symbols by which [`crate::host`] recognises the runtime.
pub const EXPORTED: [&str; 4] =
    ["arr_context_*", "arr_buffer_*", "arr_version", "arr_runtime_abi_*"];

/// Contexts, errors and options: the first part of every generated header.
#[must_use]
pub fn runtime_part() -> String {
    let codes = ErrorCode::ALL.map(|code| {
        let (meaning, number) = (code.meaning(), code.number());
        format!("    /*{meaning} */\n    {} = {number}", c_code(code))
    });
    include_str!("../include/arr_runtime.h.in").replace("@CODES@", &codes.join(",\n"))
}

/// The C name of a code, such as `ARR_ERROR_INDEX`.
fn c_code(code: ErrorCode) -> String {
    format!("ARR_ERROR_{}", code.name().to_uppercase())
}

/// The functions that compiled code calls, in C. They are no part of generated headers.
#[must_use]
pub fn compiled_code_part() -> String {
    include_str!("../include/arr_rt.h").to_owned()
}

/// One array type: its struct, `…_borrow` and `…_free`.
///
/// # Panics
/// If `rank` is 0: a scalar is no array.
#[must_use]
pub fn array_part(scalar: Scalar, rank: u32) -> String {
    assert!(rank > 0, "a scalar is no array");
    let name = array_type(scalar, rank);
    let parameters: Vec<String> =
        (0..rank).map(|at| format!("int64_t {}", size(at, rank))).collect();
    let dimensions =
        if rank == 1 { "1 dimension".to_owned() } else { format!("{rank} dimensions") };
    include_str!("../include/arr_array.h.in")
        .replace("@GUARD@", &format!("{scalar}_{rank}D").to_uppercase())
        .replace("@NAME@", &name)
        .replace("@C@", scalar.c_name())
        .replace("@RANK@", &rank.to_string())
        .replace("@DIMENSIONS@", &dimensions)
        .replace("@ELEMENT@", &element(rank))
        .replace("@PARAMETERS@", &parameters.join(", "))
        .replace("@ASSIGNMENTS@", &assignments("array.", rank))
        .replace("@NEW_ASSIGNMENTS@", &assignments("array->", rank))
        .replace("@ZEROS@", &zeros(rank))
}

/// The C name of an array type, such as `arr_f64_1d`.
#[must_use]
pub fn array_type(scalar: Scalar, rank: u32) -> String {
    format!("arr_{scalar}_{rank}d")
}

/// The name of a size: `n`, or `n0`, `n1`, … if there are several.
fn size(at: u32, rank: u32) -> String {
    if rank == 1 { "n".to_owned() } else { format!("n{at}") }
}

/// The position of an element: `(i0, i1) is data[i0 * stride[0] + i1 * stride[1]]`.
fn element(rank: u32) -> String {
    if rank == 1 {
        return "i is data[i * stride[0]]".to_owned();
    }
    let indices: Vec<String> = (0..rank).map(|at| format!("i{at}")).collect();
    let terms: Vec<String> = (0..rank).map(|at| format!("i{at} * stride[{at}]")).collect();
    format!("({}) is\n * data[{}]", indices.join(", "), terms.join(" + "))
}

fn assignments(array: &str, rank: u32) -> String {
    let shape = (0..rank).map(|at| format!("    {array}shape[{at}] = {};", size(at, rank)));
    let stride = (0..rank).rev().map(|at| match at + 1 {
        inner if inner == rank => format!("    {array}stride[{at}] = 1;"),
        inner => {
            format!("    {array}stride[{at}] = {array}stride[{inner}] * {};", size(inner, rank))
        }
    });
    shape.chain(stride).collect::<Vec<_>>().join("\n")
}

fn zeros(rank: u32) -> String {
    let lines = (0..rank).map(|at| format!("        array->shape[{at}] = 0;"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_complete() {
        for rank in 1..=4 {
            let part = array_part(Scalar::F64, rank);
            assert!(!part.contains('@'), "{part}");
            assert!(part.contains(&format!("#ifndef ARR_ARRAY_F64_{rank}D")));
            assert!(part.contains(&format!("double *data;\n    int64_t shape[{rank}];")));
        }
        let matrix = array_part(Scalar::I32, 2);
        assert!(matrix.contains("arr_i32_2d_borrow(const int32_t *data, int64_t n0, int64_t n1)"));
        assert!(
            matrix.contains("array.stride[1] = 1;\n    array.stride[0] = array.stride[1] * n1;")
        );
    }

    #[test]
    fn every_function_is_listed() {
        let header = runtime_part();
        let ends = header.lines().filter(|line| line.ends_with(");"));
        let declared = ends.filter(|line| !line.starts_with(' ') && !line.starts_with("typedef"));
        assert_eq!(declared.count(), FUNCTIONS.len());
        for name in FUNCTIONS {
            assert!(header.contains(&format!("{name}(")), "the header lacks {name}");
        }
    }

    #[test]
    fn headers_need_only_the_three_includes() {
        let header = runtime_part();
        let includes: Vec<&str> =
            header.lines().filter(|line| line.starts_with("#include")).collect();
        assert_eq!(
            includes,
            ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
        );
    }
}
