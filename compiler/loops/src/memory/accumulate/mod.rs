//! Recursive functions that append the results of their own calls. Each gets the array to which it appends as a
//! parameter, and writes its elements behind that array.
//!
//! Without this, each element is copied once for each call that it is returned through, and the results of the calls
//! are in memory together with the append. The idea is tail recursion modulo a constructor (Friedman, Wise: Unwinding
//! structured recursions into iterations, 1974), where the constructor is `++`.
//!
//! Invariant: `f args` is `f' args []`, and `f' args to` is `to ++ f args`. A step moves only before a call,
//! and only if it cannot fail.
//!
//! ```text
//! f xs    = if … { yield xs }       else { … l = f a;    r = f b;     z = l ++ x ++ r; yield z }
//! f' xs t = if … { yield t ++ xs }  else { … l = f' a t; m = l ++ x;  r = f' b m;      yield r }
//! ```

mod append_chains;
mod append_results;
mod candidates;
mod fresh_variables;
mod topological_order;

use indexmap::IndexSet;

use self::candidates::candidates;
use self::fresh_variables::FreshVariables;
use crate::concrete::{Function, Program, Ranged};
use arrc_fusion::cnf::SizeDef;

/// Makes recursive functions that append the results of their calls append in place.
#[must_use]
pub fn accumulate(program: Program<Ranged>) -> Program<Ranged> {
    let accumulated = candidates(&program);
    let Program { functions, externals, entries, calls } = program;
    let functions = functions.into_iter().map(|(id, function)| {
        let mut function = with_array_params(function, &accumulated[id]);
        let Function { body, tables, .. } = &mut function;
        append_chains::inside(body, &accumulated, &mut FreshVariables { tables });
        function
    });
    Program { functions: functions.collect(), externals, entries, calls }
}

/// The function with an additional parameter for each of these results: the array to append to.
fn with_array_params(
    mut function: Function<Ranged>,
    results: &IndexSet<usize>,
) -> Function<Ranged> {
    let Function { span, body, tables, results: types, .. } = &mut function;
    let mut fresh = FreshVariables { tables };
    let mut params = Vec::new();
    for &at in results {
        let to = fresh.array(&types[at], SizeDef::Param, "to");
        types[at] = fresh.tables.vars[to].ty.clone();
        append_results::append_result(body, at, to, *span, &mut fresh);
        params.push(to);
    }
    function.appends = results.iter().copied().collect();
    function.params.extend(&params);
    function.owned.extend(&params);
    function
}
