//! Property-based tests: an entry that takes any value has to give `true` for values that are made up. If it gives
//! `false`, a smaller value is looked for.
//!
//! Invariant: the same seed gives the same values.
//!
//! ```text
//! #[prop(gen(sorted), shrink(shorter), size(20))]      values come from `sorted 20 seed`
//! ```

use arr_runtime::host::{ScalarValue, Value, ValueType};
use arr_runtime::text;
use arrc_syntax::ast::Attr;
use arrc_syntax::prim::Scalar;

use super::child::list;
use super::protocol::Mismatch;
use super::random::Random;
use super::script::Caller;
use crate::native::Signature;

/// How many values a property is tested with.
const CANDIDATES: usize = 100;
/// The size of values unless the property says another one.
const SIZE: i64 = 50;
/// How often a shrinker is called. It might go on for ever.
const STEPS: usize = 1000;
/// How often a shrinker may fail to make the value smaller before the smallest is told.
const TRIES: usize = 100;

/// A property, and the entries that its attribute names.
pub(super) struct Property<'s, 'e> {
    pub(super) entry: &'s Signature<'e>,
    pub(super) generator: Option<&'s Signature<'e>>,
    pub(super) shrinker: Option<&'s Signature<'e>>,
    pub(super) size: i64,
}

/// A property that cannot be tested, in a sentence.
type Wrong = String;

impl<'s, 'e> Property<'s, 'e> {
    /// The property of an entry with these attributes.
    pub(super) fn new(
        entry: &'s Signature<'e>,
        attributes: &[Attr],
        signatures: &'s [Signature<'e>],
    ) -> Result<Self, Wrong> {
        let name = &entry.entry.name;
        if entry.outputs != [ValueType::Scalar(Scalar::Bool)] {
            return Err(format!("`{name}` does not give a `bool`"));
        }
        let Some(prop) = attributes.iter().find(|attr| attr.name.name == "prop") else {
            return Err(format!("`{name}` has no attribute `#[prop]`"));
        };
        let argument =
            |key: &str| prop.args.iter().find(|attr| attr.name.name == key)?.args.first();
        let named = |key: &str| -> Result<Option<&'s Signature<'e>>, Wrong> {
            let Some(argument) = argument(key) else { return Ok(None) };
            let wanted = &argument.name.name;
            let found = signatures.iter().find(|signature| signature.entry.name == *wanted);
            found.map(Some).ok_or_else(|| format!("there is no entry `{wanted}`"))
        };
        let (generator, shrinker) = (named("gen")?, named("shrink")?);
        let size = argument("size").map(|size| size.name.name.parse());
        let size = size.transpose().map_err(|_| "the size of a property is a number".to_owned())?;
        let property = Self { entry, generator, shrinker, size: size.unwrap_or(SIZE) };
        property.check()?;
        Ok(property)
    }

    /// Checks the types of the other entries.
    fn check(&self) -> Result<(), Wrong> {
        let values = &self.entry.inputs;
        if let Some(generator) = self.generator
            && (generator.inputs.len() != 2 || generator.outputs != *values)
        {
            let name = &generator.entry.name;
            return Err(format!(
                "the generator `{name}` does not take a size and a seed, and give the value"
            ));
        }
        if let Some(shrinker) = self.shrinker
            && (shrinker.outputs != *values
                || shrinker.inputs.len() != values.len() + 1
                || !shrinker.inputs.starts_with(values))
        {
            let name = &shrinker.entry.name;
            return Err(format!(
                "the shrinker `{name}` does not take a value and a number, and give a value"
            ));
        }
        Ok(())
    }

    /// Tests the property.
    pub(super) fn test(&self, seed: u64, caller: &Caller<'_>) -> Result<(), Mismatch> {
        let mut random = Random::new(seed);
        for count in 1..=CANDIDATES {
            let seed = random.next();
            let value = self.made(self.size, seed, caller)?;
            if self.holds(&value, caller)? {
                continue;
            }
            let smallest = match self.shrinker {
                Some(shrinker) => self.shrunk(shrinker, value, &mut random, caller)?,
                None => self.smaller(value, seed, caller)?,
            };
            return Err(Mismatch {
                expected: format!("`{}` gives true for every value", self.entry.entry.name),
                got: format!("false for {}, after {count} of {CANDIDATES} values", list(&smallest)),
                differs: String::new(),
            });
        }
        Ok(())
    }

    /// A value of a size.
    fn made(&self, size: i64, seed: u64, caller: &Caller<'_>) -> Result<Vec<Value>, Mismatch> {
        if let Some(generator) = self.generator {
            let inputs = [
                number(size.unsigned_abs(), generator.inputs[0]),
                number(seed, generator.inputs[1]),
            ];
            return call(generator, &inputs, caller);
        }
        let mut random = Random::new(seed);
        let value = |&ty: &ValueType| {
            let (scalar, rank) = match ty {
                ValueType::Scalar(scalar) => (scalar, 0),
                ValueType::Array { scalar, rank } => (scalar, rank as usize),
            };
            Random::new(random.next()).value(scalar, vec![size; rank])
        };
        Ok(self.entry.inputs.iter().map(value).collect())
    }

    fn holds(&self, value: &[Value], caller: &Caller<'_>) -> Result<bool, Mismatch> {
        let found = call(self.entry, value, caller)?;
        Ok(found == [Value::Scalar(ScalarValue::Bool(true))])
    }

    /// The last value that the shrinker makes of one for which the property does not hold.
    fn shrunk(
        &self,
        shrinker: &Signature<'_>,
        mut value: Vec<Value>,
        random: &mut Random,
        caller: &Caller<'_>,
    ) -> Result<Vec<Value>, Mismatch> {
        let mut tries = 0;
        for _ in 0..STEPS {
            if tries == TRIES {
                break;
            }
            let ty = shrinker.inputs[value.len()];
            let inputs = [&value[..], &[number(random.next(), ty)]].concat();
            let next = call(shrinker, &inputs, caller)?;
            if next == value || self.holds(&next, caller)? {
                tries += 1;
            } else {
                (value, tries) = (next, 0);
            }
        }
        Ok(value)
    }

    /// The value of the smallest size, made with the same seed, for which the property does not hold.
    fn smaller(
        &self,
        mut value: Vec<Value>,
        seed: u64,
        caller: &Caller<'_>,
    ) -> Result<Vec<Value>, Mismatch> {
        for size in (0..self.size).rev() {
            let next = self.made(size, seed, caller)?;
            if !self.holds(&next, caller)? {
                value = next;
            }
        }
        Ok(value)
    }
}

/// A size or a seed as a value of a type. Its lowest bits are taken.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the lowest bits are meant"
)]
fn number(number: u64, ty: ValueType) -> Value {
    let bits = match ty {
        ValueType::Scalar(Scalar::I32) => i128::from(number as i32),
        ValueType::Scalar(Scalar::I64) => i128::from(number as i64),
        ValueType::Scalar(Scalar::U32) => i128::from(number as u32),
        ValueType::Scalar(_) | ValueType::Array { .. } => i128::from(number),
    };
    text::literal(&bits.to_string(), ty).unwrap_or_else(|_| number.into())
}

fn call(
    entry: &Signature<'_>,
    inputs: &[Value],
    caller: &Caller<'_>,
) -> Result<Vec<Value>, Mismatch> {
    let name = &entry.entry.name;
    (caller.call)(name, inputs, &entry.outputs).map_err(|error| Mismatch {
        expected: format!("`{name}` gives a value for {}", list(inputs)),
        got: format!("the error `{}`", error.message),
        differs: String::new(),
    })
}
