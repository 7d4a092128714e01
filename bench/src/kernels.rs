//! What is measured: programs of the papers, each in Arr and as hand-fused C.

use arr_runtime::host::{ScalarType, Value, ValueType};

/// One kernel; `programs/NAME.arr` and `programs/NAME.c` have an entry of its name.
pub(crate) struct Kernel {
    /// The name.
    pub(crate) name: &'static str,
    /// The inputs for a number of elements.
    pub(crate) inputs: fn(usize) -> Vec<Value>,
    /// The types of the outputs.
    pub(crate) outputs: &'static [ValueType],
}

const I64: ValueType = ValueType::Scalar(ScalarType::I64);
const F64: ValueType = ValueType::Scalar(ScalarType::F64);
const I64S: ValueType = ValueType::Array { scalar: ScalarType::I64, rank: 1 };
const F64S: ValueType = ValueType::Array { scalar: ScalarType::F64, rank: 1 };

/// Every kernel.
pub(crate) const KERNELS: [Kernel; 5] = [
    // 002, section 6.1 (with two arrays).
    Kernel { name: "dot", inputs: |size| vec![floats(size, 1), floats(size, 2)], outputs: &[F64] },
    // 002, section 6.3.
    Kernel { name: "filter_sum", inputs: |size| vec![integers(size)], outputs: &[I64S, I64, I64] },
    // 002, section 6.4.
    Kernel { name: "filter_max", inputs: |size| vec![integers(size)], outputs: &[I64S, I64] },
    // 001, section 1.5.1.
    Kernel { name: "normalize2", inputs: |size| vec![integers(size)], outputs: &[I64S, I64S] },
    // 001, listing 1.4.
    Kernel {
        name: "hull_core",
        inputs: |size| vec![floats(size, 3), floats(size, 4)],
        outputs: &[F64S, F64S, F64, F64, F64],
    },
];

/// Integers of which about half are positive, in an order that no branch predictor learns.
fn integers(size: usize) -> Value {
    let mut state = 1_u64;
    let numbers = (0..size).map(|_| i64::try_from(next(&mut state) % 2001).expect("small") - 1000);
    Value::from(numbers.collect::<Vec<i64>>())
}

/// Floats between -1 and 1.
fn floats(size: usize, seed: u64) -> Value {
    let mut state = seed;
    #[allow(clippy::cast_precision_loss, reason = "53 bits are kept")]
    let numbers = (0..size).map(|_| (next(&mut state) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
    Value::from(numbers.collect::<Vec<f64>>())
}

/// A linear congruential generator, whose high bits are good enough for branches.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state ^ (*state >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
}
