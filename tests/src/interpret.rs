//! The reference interpreter behind the host's values.

use arr_runtime::host::{ArrayData, ScalarType, ScalarValue, Value, ValueType};
use arrc_core::eval::cnf as eval;
use arrc_core::ir::cnf::{self, Type};
use arrc_core::pipeline;
use arrc_core::source::Sources;

/// A program in combinator normal form.
pub struct Program {
    cnf: cnf::Program,
    sources: Sources,
}

impl Program {
    /// Takes a text as far as the interpreter needs it.
    ///
    /// # Errors
    /// Its diagnostics, as one text.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut sources = Sources::default();
        let file = sources.add("program.arr", text);
        let cnf =
            pipeline::normal_form(&mut sources, file).map_err(|errors| format!("{errors:?}"))?;
        Ok(Self { cnf, sources })
    }

    /// The types of an entry's inputs and outputs.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn types(&self, entry: &str) -> Result<(Vec<ValueType>, Vec<ValueType>), String> {
        let function = &self.cnf.functions[self.function(entry)?];
        let inputs = function.params.iter().map(|&param| value_type(&function.vars[param].ty));
        Ok((inputs.collect(), function.results.iter().map(value_type).collect()))
    }

    fn function(&self, entry: &str) -> Result<arrc_core::ids::FuncId, String> {
        let found = self.cnf.entries.iter().find(|candidate| candidate.name == entry);
        found.map(|entry| entry.function).ok_or_else(|| format!("there is no entry {entry}"))
    }
}

fn value_type(ty: &Type) -> ValueType {
    let scalar = |name| ScalarType::from_name(name).expect("the host knows every scalar type");
    match ty {
        Type::Scalar(ty) => ValueType::Scalar(scalar(ty.name())),
        Type::Array { elem, shape } => ValueType::Array {
            scalar: scalar(elem.name()),
            rank: u32::try_from(shape.len()).expect("ranks are small"),
        },
    }
}
