//! The names and the types of an entry's functions.
//!
//! Invariant: no two C functions have one name, and none has a name of the runtime.
//!
//! ```text
//! entry f [n] (xs: [n]f64): f64      ⇒   f, f__uniform; i32 (ptr ctx, ptr out, ptr xs)
//!                                        arr_0123_f, arr_0123_f__uniform, with unique names that begin with arr_0123_
//! entry g [n] (xs: [n]f64): [n]f64   ⇒   g, g__uniform, g_into, g__uniform_into
//! ```

use std::collections::BTreeSet;

use arr_abi::layout::SUFFIXES;
use arrc_fusion::cnf::Type;
use arrc_loops::concrete::{Function, Program};
use inkwell::types::BasicMetadataTypeEnum;

use crate::error::Error;
use crate::options::Names;
use crate::unit::Unit;

/// The prefixes of the runtime's names.
const PREFIXES: [&str; 2] = ["arr_rt_", "arr_runtime_"];

/// The names of an entry's C functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symbols {
    /// The function as the header declares it.
    pub(crate) c: String,
    /// The function that takes arguments of any signature.
    pub(crate) uniform: String,
    /// The same two, for results in memory of the caller. None if there is no array among the results.
    pub(crate) into: Option<[String; 2]>,
}

impl Symbols {
    /// All of them.
    pub(crate) fn all(self) -> impl Iterator<Item = String> {
        [self.c, self.uniform].into_iter().chain(self.into.into_iter().flatten())
    }
}

/// Whether an entry gives arrays, which can be in memory of its caller.
pub(crate) fn gives_arrays(function: &Function) -> bool {
    function.results.iter().any(Type::is_array)
}

/// The names of every entry's C functions, which must differ from each other, from those of the C functions
/// that the program calls, and the runtime's. The plain names must differ even if only the unique ones are defined.
pub(crate) fn symbols(program: &Program, names: &Names) -> Result<Vec<Symbols>, Error> {
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for entry in &program.entries {
        let [[c, uniform], into] =
            SUFFIXES.map(|kind| kind.map(|suffix| format!("{}{suffix}", entry.name)));
        let into = Some(into).filter(|_| gives_arrays(&program.functions[entry.function]));
        for symbol in [&c, &uniform].into_iter().chain(into.iter().flatten()) {
            if PREFIXES.iter().any(|prefix| symbol.starts_with(prefix)) {
                return Err(Error::ReservedSymbol { symbol: symbol.clone() });
            }
            if !taken.insert(symbol.clone()) {
                return Err(Error::SymbolClash { symbol: symbol.clone() });
            }
        }
        let before = |symbol: String| format!("{}{symbol}", names.before());
        let into = into.map(|both| both.map(before));
        all.push(Symbols { c: before(c), uniform: before(uniform), into });
    }
    for external in program.c_functions() {
        let symbol = external.name.to_string();
        if PREFIXES.iter().any(|prefix| symbol.starts_with(prefix)) {
            return Err(Error::ReservedSymbol { symbol });
        }
        if !taken.insert(symbol.clone()) {
            return Err(Error::SymbolClash { symbol });
        }
    }
    Ok(all)
}

/// The types of an entry's inputs.
pub(super) fn input_types(function: &Function) -> impl Iterator<Item = &Type> {
    function.params.iter().map(|&param| &function.tables.vars[param].ty)
}

/// The signature of the function that both call: arrays by pointer, scalars by value as in memory.
pub(super) fn params<'ctx>(
    unit: &Unit<'ctx, '_>,
    function: &Function,
) -> Vec<BasicMetadataTypeEnum<'ctx>> {
    let ptr = unit.types.ptr;
    let outs = function.results.iter().map(|_| ptr.into());
    let ins = input_types(function).map(|ty| match ty {
        Type::Scalar(scalar) => unit.types.memory(*scalar).into(),
        Type::Array { .. } => ptr.into(),
    });
    std::iter::once(ptr.into()).chain(outs).chain(ins).collect()
}
