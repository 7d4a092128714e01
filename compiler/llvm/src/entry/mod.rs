//! Entries: the C functions that the outside calls.
//!
//! Invariant: a C function returns a code, leaves its outputs zeroed unless the code is 0, and never writes to its
//! inputs. The outputs belong to the caller and share no memory with the inputs. Functions whose names end with `_into`
//! write arrays to memory that the caller gives, and leave the structs of these arrays as they are unless the code is 0.
//!
//! ```text
//! entry f [n] (xs: [n]f64) (k: i64): [n]f64
//! ⇒ i32 @f(ctx, ptr out, ptr byval({ptr, [1 x i64], [1 x i64], ptr}) xs, i64 k)     as C declares it
//!   i32 @f__uniform(ctx, ptr outputs, ptr inputs)                                   for any signature
//!   i32 @f_into(…), i32 @f__uniform_into(…)                                         the same, to memory of the caller
//!   i32 @f.call(ctx, ptr out, ptr xs, i64 k, i1 into)                               what all of them call
//! ```

mod abi;
mod call;
mod check;
mod destinations;
pub(crate) mod jumps;
mod results;
mod signature;

pub(crate) use check::is_dense;
pub(crate) use signature::{Symbols, symbols};

use arrc_fusion::cnf::Entry;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

use crate::unit::Unit;

/// Defines an entry's functions.
pub(crate) fn define(unit: &mut Unit<'_, '_>, entry: &Entry, symbols: &Symbols) {
    let inner = call::define(unit, entry, symbols);
    let mut others = vec![
        abi::define_c(unit, entry, &symbols.c, (inner, false)),
        abi::define_uniform(unit, entry, &symbols.uniform, (inner, false)),
    ];
    if let Some([c, uniform]) = &symbols.into {
        others.push(abi::define_c(unit, entry, c, (inner, true)));
        others.push(abi::define_uniform(unit, entry, uniform, (inner, true)));
    }
    let function = &unit.program.functions[entry.function];
    if function.params.len() + function.results.len() > MANY {
        [inner].into_iter().chain(others).for_each(|defined| leave_as_is(unit, defined));
    }
}

/// The functions of an entry with more inputs and outputs are not optimised. They only check arguments and pass them
/// on, and LLVM's time for them grows with the square of the number of checks.
/// `scripts/bench compile 'arrays that an entry'` has such entries: 500 arrays took 6.2 s before.
const MANY: usize = 48;

/// Makes LLVM generate code for a function without optimising it.
fn leave_as_is<'ctx>(unit: &Unit<'ctx, '_>, function: FunctionValue<'ctx>) {
    for attribute in ["noinline", "optnone"] {
        function.add_attribute(AttributeLoc::Function, unit.attribute(attribute, 0));
    }
}
