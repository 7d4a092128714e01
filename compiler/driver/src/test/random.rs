//! Generated values: `random input { [100]i64 f32 }`.
//!
//! Invariant: the same types at the same place always give the same values, on every machine. They are those of
//! `futhark dataset`: the value at place n is made with the seed n + 1, by the generator of Haskell's `random`. Integers
//! are distributed over their whole type, and floats over 0 to 1.

use arr_runtime::host::{ArrayData, ArrayValue, Scalar, ScalarValue, Value, ValueType};
use arr_runtime::text;

/// The maximum number of elements of a generated value. A larger number is probably a typing error.
const MAX_ELEMENTS: i64 = 1 << 30;

/// The value for a word of a random input: a generated value for a type with sizes, or the value of a literal.
///
/// # Errors
/// A sentence that says why the word does not fit `wanted`.
pub(crate) fn value(word: &str, place: usize, wanted: ValueType) -> Result<Value, String> {
    let is_literal = |first: char| first.is_ascii_digit() || first == '-';
    if word.starts_with(is_literal) || ["true", "false"].contains(&word) {
        return text::literal(word, wanted).map_err(|error| error.problem);
    }
    let (shape, name) = parse(word)?;
    let scalar = Scalar::from_name(name).ok_or_else(|| format!("`{name}` is no scalar type"))?;
    let rank = u32::try_from(shape.len()).map_err(|_| "it has too many dimensions".to_string())?;
    let ty = if rank == 0 { ValueType::Scalar(scalar) } else { ValueType::Array { scalar, rank } };
    if ty != wanted {
        return Err(format!("values of type {ty} would be made up"));
    }
    let count = shape.iter().try_fold(1_i64, |count, &size| {
        count.checked_mul(size).filter(|&count| count <= MAX_ELEMENTS)
    });
    let count = count.ok_or_else(|| format!("that is more than {MAX_ELEMENTS} elements"))?;
    debug_assert!(
        shape.iter().product::<i64>() == count,
        "the product was computed without overflow"
    );
    Ok(Random::new(place as u64 + 1).value(scalar, shape))
}

/// `[100][20]f64`: the sizes and the name.
fn parse(word: &str) -> Result<(Vec<i64>, &str), String> {
    let mut shape = Vec::new();
    let mut rest = word;
    while let Some(inside) = rest.strip_prefix('[') {
        let (size, after) =
            inside.split_once(']').ok_or_else(|| "`]` is missing after a size".to_string())?;
        let number = size.trim().parse().ok().filter(|&number: &i64| number >= 0);
        shape.push(number.ok_or_else(|| format!("`{size}` is no size; sizes are numbers here"))?);
        rest = after.trim_start();
    }
    Ok((shape, rest))
}

/// SplitMix (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), as in Haskell's `splitmix`.
pub(super) struct Random {
    state: u64,
    /// What the state grows by. It is odd.
    gamma: u64,
}

impl Random {
    /// A generator that depends on a number alone, as Haskell's `mkStdGen`.
    pub(super) fn new(seed: u64) -> Self {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let state = mixed(seed, [33, 33, 33], [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53]);
        let gamma = seed.wrapping_add(GOLDEN);
        let gamma = mixed(gamma, [30, 27, 31], [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb]) | 1;
        // A gamma whose bits change seldom would give numbers that are alike.
        let changes = (gamma ^ (gamma >> 1)).count_ones();
        Self { state, gamma: if changes >= 24 { gamma } else { gamma ^ 0xaaaa_aaaa_aaaa_aaaa } }
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(self.gamma);
        mixed(self.state, [33, 33, 33], [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53])
    }

    /// A value of a type; a scalar if the shape is empty.
    pub(super) fn value(&mut self, scalar: Scalar, shape: Vec<i64>) -> Value {
        if shape.is_empty() {
            return Value::Scalar(self.scalar(scalar));
        }
        let count: i64 = shape.iter().product();
        let scalars = (0..count).map(|_| self.scalar(scalar));
        let data = ArrayData::collect(scalar, scalars).expect("each scalar was made of this type");
        Value::Array(ArrayValue::new(shape, data).expect("there are as many as the shape says"))
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        reason = "as many bits are taken as the type has"
    )]
    fn scalar(&mut self, ty: Scalar) -> ScalarValue {
        let bits = self.next();
        match ty {
            Scalar::Bool => ScalarValue::Bool(bits & 1 == 1),
            // A signed number is the least one plus an unsigned number.
            Scalar::I8 => ScalarValue::I8((bits as i8) ^ i8::MIN),
            Scalar::I16 => ScalarValue::I16((bits as i16) ^ i16::MIN),
            Scalar::I32 => ScalarValue::I32((bits as i32) ^ i32::MIN),
            Scalar::I64 => ScalarValue::I64((bits as i64) ^ i64::MIN),
            Scalar::U8 => ScalarValue::U8(bits as u8),
            Scalar::U16 => ScalarValue::U16(bits as u16),
            Scalar::U32 => ScalarValue::U32(bits as u32),
            Scalar::U64 => ScalarValue::U64(bits),
            // The range is from 1 down to 0.
            Scalar::F32 => ScalarValue::F32(1.0 - bits as u32 as f32 / u32::MAX as f32),
            Scalar::F64 => ScalarValue::F64(1.0 - bits as f64 / u64::MAX as f64),
        }
    }
}

/// The bits, shifted and multiplied so that each depends on all.
fn mixed(mut bits: u64, shifts: [u32; 3], factors: [u64; 2]) -> u64 {
    for (shift, factor) in shifts.into_iter().zip(factors) {
        bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
    }
    bits ^ (bits >> shifts[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers in the documentation of Haskell's `random` for `mkStdGen 137` and `mkStdGen 217`.
    #[test]
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "as in Haskell")]
    fn the_generator_is_haskells() {
        let mut random = Random::new(137);
        assert_eq!(random.next() as i64, 7_879_794_327_570_578_227);
        assert_eq!(
            (random.state, random.gamma),
            (11_285_859_549_637_045_894, 7_641_485_672_361_121_627)
        );
        let mut random = Random::new(217);
        let bytes: Vec<i8> = (0..5).map(|_| random.next() as i8).collect();
        assert_eq!(bytes, [-74, 37, -50, -2, 3]);
        let mut random = Random::new(137);
        let truths: Vec<bool> = (0..9).map(|_| random.next() & 1 == 1).collect();
        assert_eq!(truths, [true, true, true, true, false, true, true, false, false]);
    }

    #[test]
    fn the_same_values_come_every_time() {
        let ty = ValueType::Array { scalar: Scalar::F64, rank: 2 };
        let first = value("[2][3]f64", 0, ty).expect("a type");
        assert_eq!(value("[2][3]f64", 0, ty), Ok(first.clone()));
        assert_ne!(value("[2][3]f64", 1, ty), Ok(first.clone()));
        let Value::Array(array) = first else { panic!("an array was asked for") };
        assert_eq!(array.shape(), [2, 3]);
        for at in 0..6 {
            let Some(ScalarValue::F64(float)) = array.data().get(at) else { panic!("floats") };
            assert!((0.0..=1.0).contains(&float));
        }
    }

    #[test]
    fn what_is_no_type_is_said() {
        let i64s = ValueType::Array { scalar: Scalar::I64, rank: 1 };
        let cases = [
            ("[n]i64", "`n` is no size; sizes are numbers here"),
            ("[3", "`]` is missing after a size"),
            ("[3]int", "`int` is no scalar type"),
            ("[3]f64", "values of type []f64 would be made up"),
            ("[9000000000]i64", "that is more than 1073741824 elements"),
        ];
        for (word, problem) in cases {
            assert_eq!(value(word, 0, i64s), Err(problem.to_string()));
        }
        assert_eq!(value("7", 0, ValueType::Scalar(Scalar::U8)), Ok(Value::from(7_u8)));
    }
}
