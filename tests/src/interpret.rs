//! The reference interpreter behind the host's values.

use arr_runtime::host::{ArrayData, ScalarValue, Value, ValueType};
use arrc::interpret;
use arrc_core::ids::DefId;
use arrc_core::ir::clusters::Strategy;
use arrc_core::ir::core;
use arrc_core::pipeline::{self, Options};
use arrc_core::source::Sources;

/// A typed program.
pub struct Program {
    core: core::Program,
    sources: Sources,
}

impl Program {
    /// Takes a text as far as the compiler checks it.
    ///
    /// # Errors
    /// Its diagnostics, as one text.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut sources = Sources::default();
        let file = sources.add("program.arr", text);
        let options = Options { strategy: Strategy::None, ..Options::default() };
        let compiled = pipeline::compile(&mut sources, file, &options)
            .map_err(|errors| format!("{errors:?}"))?;
        Ok(Self { core: compiled.core, sources })
    }

    /// The types of an entry's inputs and outputs.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn types(&self, entry: &str) -> Result<(Vec<ValueType>, Vec<ValueType>), String> {
        Ok(interpret::types(&self.core, self.entry(entry)?))
    }

    /// Calls an entry.
    ///
    /// # Errors
    /// The run-time error's message, as compiled code words it.
    pub fn call(&self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        let entry = self.entry(entry)?;
        interpret::call(&self.core, &self.sources, entry, inputs).map_err(|error| error.message)
    }

    fn entry(&self, name: &str) -> Result<DefId, String> {
        interpret::entry(&self.core, name).ok_or_else(|| format!("there is no entry {name}"))
    }
}

/// The shape and the elements of a value of floats.
#[must_use]
pub fn floats(value: &Value) -> Option<(Vec<i64>, Vec<f64>)> {
    let (shape, data) = match value {
        Value::Scalar(scalar) => (Vec::new(), ArrayData::collect(scalar.ty(), [*scalar]).ok()?),
        Value::Array(array) => (array.shape().to_vec(), array.data().clone()),
    };
    let floats = (0..data.len()).map(|at| match data.get(at)? {
        ScalarValue::F32(value) => Some(f64::from(value)),
        ScalarValue::F64(value) => Some(value),
        ScalarValue::Bool(_)
        | ScalarValue::I8(_)
        | ScalarValue::I16(_)
        | ScalarValue::I32(_)
        | ScalarValue::I64(_)
        | ScalarValue::U8(_)
        | ScalarValue::U16(_)
        | ScalarValue::U32(_)
        | ScalarValue::U64(_) => None,
    });
    Some((shape, floats.collect::<Option<Vec<f64>>>()?))
}
