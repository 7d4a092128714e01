//! Sorts of numbers: calls of the runtime.
//!
//! Invariant: the result has memory of its own, and the numbers that are sorted stay as they are. A sort that stops,
//! since its call is cancelled, fails here.
//!
//! ```text
//! ys = sort_up xs 0 n   ⇒   ys = alloc n; arr_rt_sort_32(xs, ys, n, 0, n, FLOAT)
//! ```

use arr_abi::function::RuntimeFn;
use arr_abi::sorting::{DOWN, FLOAT, UNSIGNED};
use arrc_front::core::Direction;
use arrc_front::sorting::Sorting;
use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Memory;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

use crate::function::function_body::Body;
use crate::value::Array;

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Numbers in order, or their positions, in that memory.
    pub(crate) fn sort(
        &mut self,
        var: VarId,
        (sorting, array, window): (Sorting, VarId, [Atom; 2]),
        memory: &'p Memory,
        span: Span,
    ) -> Array<'ctx> {
        let name = self.function.tables.vars[var].name.clone();
        let site = self.code.unit.site(span, &name);
        let from = self.array(array);
        let (elem, _) = self.array_type(array);
        let to = self.memory_of(var, memory, (sorting.gives(elem), from.shape.clone()), site);
        let order = self.code.types.i32.const_int(order(sorting, elem), false);
        let context = self.code.context;
        let arrays = [context.into(), from.data.into(), to.data.into(), from.shape[0].into()];
        let window = window.map(|at| self.int(at).into());
        if sorting.positions {
            let args = [&arrays[..], &[order.into()]].concat();
            self.code.run_runtime(RuntimeFn::Order, &args);
        } else {
            let args = [&arrays[..], &window, &[order.into()]].concat();
            self.code.run_runtime(sort_of(elem), &args);
        }
        self.code.check_cancelled();
        to
    }
}

/// The function that sorts numbers of a type.
fn sort_of(elem: Scalar) -> RuntimeFn {
    match elem.bytes() {
        4 => RuntimeFn::Sort32,
        _ if elem.is_float() => RuntimeFn::SortF64,
        _ => RuntimeFn::Sort64,
    }
}

/// The order, as the runtime takes it.
fn order(sorting: Sorting, elem: Scalar) -> u64 {
    let facts = [
        (sorting.direction == Direction::Down, DOWN),
        (!elem.is_float() && !elem.is_signed(), UNSIGNED),
        (elem.is_float(), FLOAT),
    ];
    let order: i32 = facts.iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact).sum();
    u64::try_from(order).expect("an order is a sum of facts")
}
