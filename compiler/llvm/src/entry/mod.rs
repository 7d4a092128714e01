//! Entries: the C functions that the outside calls.
//!
//! Invariant: a C function returns a code, leaves its outputs zeroed unless that is 0, and never
//! writes to its inputs; what it gives belongs to the caller and shares nothing with the inputs.
//!
//! ```text
//! entry f [n] (xs: [n]f64) (k: i64): [n]f64
//! ⇒ i32 @f(ctx, ptr out, ptr byval({ptr, [1 x i64], [1 x i64], ptr}) xs, i64 k)     as C declares it
//!   i32 @f__uniform(ctx, ptr outputs, ptr inputs)                                   for any signature
//!   i32 @f.call(ctx, ptr out, ptr xs, i64 k)                                        what both call
//! ```

mod abi;
mod call;
mod check;

use std::collections::BTreeSet;

use arr_abi::layout::UNIFORM;
use arrc_core::ir::cnf::{Entry, Type};
use arrc_core::ir::procedure::concrete::{Function, Program};

use crate::error::Error;
use crate::unit::Unit;

/// What every name of the runtime starts with.
const PREFIXES: [&str; 2] = ["arr_rt_", "arr_runtime_"];

/// The names of an entry's C functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symbols {
    /// The function as the header declares it.
    pub(crate) c: String,
    /// The function that takes arguments of any signature.
    pub(crate) uniform: String,
}

/// The names of every entry's C functions, which must differ from each other, from those of the C functions
/// that the program calls, and the runtime's.
pub(crate) fn symbols(program: &Program) -> Result<Vec<Symbols>, Error> {
    let mut taken = BTreeSet::new();
    let mut all = Vec::new();
    for entry in &program.entries {
        let c = entry.name.to_string();
        let uniform = format!("{c}{UNIFORM}");
        for symbol in [&c, &uniform] {
            if PREFIXES.iter().any(|prefix| symbol.starts_with(prefix)) {
                return Err(Error::ReservedSymbol { symbol: symbol.clone() });
            }
            if !taken.insert(symbol.clone()) {
                return Err(Error::SymbolClash { symbol: symbol.clone() });
            }
        }
        all.push(Symbols { c, uniform });
    }
    for external in program.externals.values() {
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

/// Defines an entry's functions.
pub(crate) fn define(unit: &mut Unit<'_, '_>, entry: &Entry, symbols: &Symbols) {
    let inner = call::define(unit, entry, symbols);
    abi::define_c(unit, entry, symbols, inner);
    abi::define_uniform(unit, entry, symbols, inner);
}

/// The types of an entry's inputs.
fn input_types(function: &Function) -> impl Iterator<Item = &Type> {
    function.params.iter().map(|&param| &function.vars[param].ty)
}
