//! Store coalescing: one store for the kept elements of two vectors of a step, while few elements are kept.
//!
//! A filter stores a whole vector at an unaligned address. A store of 64 bytes nearly always crosses a cache line, and
//! takes as long as two stores. Where a third of the elements or less is kept, two vectors together seldom keep more
//! elements than one vector has lanes. Then one permutation takes the elements out of both vectors, and one store
//! writes them. The permutation is the same for all arrays that the guard stores.
//!
//! A branch tests whether they fit. It is well predicted while it hardly ever goes the other way. So the test only
//! counts while few elements have been kept so far; otherwise the branch always goes to the separate stores.
//!
//! Invariant: either way stores the same elements at the same places.
//!
//! ```text
//! p = 0 1 0 0 0 0 0 1, q = 0 0 1 0 0 0 0 0      fits = popcount p + popcount q <= 8
//! order = entry p | entry q << 8 popcount p     bytes 1 7 10, of 0 to 15
//! store permuted x, order, y at j               if 3 j <= i and fits; else the vectors of x and y
//! ```

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::Stmt;
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, VectorValue};

use super::compaction::{Half, LANES, order};
use super::plan::Plan;
use super::state::KeptLanes;
use super::vector_loop::VectorLoop;
use crate::target::isa::Isa;
use crate::unit::built;

/// Stores are coalesced while at most one in this many elements is kept. `scripts/bench quadtree_cut` keeps a quarter:
/// 0.8 of the time of separate stores in the cache (AVX-512). The limit was not measured by itself.
const SPARSE: u64 = 3;

/// Whether the stores of a guard are coalesced: the machine has permutations of two vectors, and the vectors have that
/// shape. A single array gains nothing, and a fold in the guard needs the registers.
pub(super) fn coalesces_stores(plan: &Plan, isa: Isa, body: &[Stmt]) -> bool {
    let has_permutations = isa == Isa::Avx512 && (plan.lanes, plan.parts) == (LANES, 2);
    let is_fold = |stmt: &Stmt| matches!(stmt, Stmt::Update { .. });
    has_permutations
        && body.iter().filter(|stmt| is_write(stmt)).count() > 1
        && !body.iter().any(is_fold)
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// The statements of a guard, with the stores last and together.
    pub(super) fn coalesced_statements(&mut self, body: &'p [Stmt], kept: [KeptLanes<'ctx>; 2]) {
        let (writes, first): (Vec<_>, Vec<_>) = body.iter().partition(|stmt| is_write(stmt));
        self.each_part(&first, Some(&kept));
        let [together, apart, next] = ["vector.together", "vector.apart", "vector.stored"]
            .map(|name| self.pass.body.code.block(name));
        let code = &self.pass.body.code;
        code.branch(self.fits(kept), together, apart);
        code.b.position_at_end(together);
        self.write_both(&writes, kept);
        let code = &self.pass.body.code;
        code.jump(next);
        code.b.position_at_end(apart);
        self.each_part(&writes, Some(&kept));
        let code = &self.pass.body.code;
        code.jump(next);
        code.b.position_at_end(next);
    }

    /// Whether both parts keep no more than a vector has, and few are kept.
    fn fits(&self, kept: [KeptLanes<'ctx>; 2]) -> IntValue<'ctx> {
        let code = &self.pass.body.code;
        let [first, second] = kept.map(|kept| code.count_of(kept.bits));
        let count = code.add_index(first, second);
        let fits = code.compare(IntPredicate::ULE, count, code.size(u64::from(LANES)));
        let scaled = built(code.b.build_int_mul(kept[0].position, code.size(SPARSE), ""));
        let is_sparse = code.compare(IntPredicate::ULE, scaled, self.counted_steps());
        built(code.b.build_and(is_sparse, fits, ""))
    }

    /// Stores the kept elements of both parts.
    fn write_both(&mut self, writes: &[&'p Stmt], kept: [KeptLanes<'ctx>; 2]) {
        let order = self.order_of_both(kept);
        for stmt in writes {
            let Stmt::Write { vec, elem, .. } = stmt else { panic!("a store: {stmt:?}") };
            let lanes = self.permuted(*vec, *elem, order);
            self.store(*vec, lanes, kept[0].position);
        }
    }

    /// The lanes of the kept elements in both vectors, a byte each.
    fn order_of_both(&mut self, kept: [KeptLanes<'ctx>; 2]) -> VectorValue<'ctx> {
        let code = &mut self.pass.body.code;
        let ty = code.types.i64;
        let [low, high] =
            [(Half::First, kept[0].bits), (Half::Second, kept[1].bits)].map(|(half, bits)| {
                let entry = order(code.unit, half);
                // SAFETY: the table has an entry for each value of the bits.
                let entry = built(unsafe { code.b.build_in_bounds_gep(ty, entry, &[bits], "") });
                built(code.b.build_load(ty, entry, "")).into_int_value()
            });
        // If the first vector keeps 8 elements, the second keeps none. Its entry is 0 then, and any shift of it is
        // right.
        let first = code.count_of(kept[0].bits);
        let bits = built(code.b.build_left_shift(first, code.size(3), ""));
        let bits = built(code.b.build_and(bits, code.size(63), ""));
        let high = built(code.b.build_left_shift(high, bits, ""));
        let both = built(code.b.build_or(low, high, ""));
        built(code.b.build_bit_cast(both, code.types.i8.vec_type(LANES), "")).into_vector_value()
    }

    /// The elements of both parts in that order.
    fn permuted(&mut self, vec: VarId, elem: Atom, order: VectorValue<'ctx>) -> VectorValue<'ctx> {
        let [a, b] = [0, 1].map(|part| {
            self.part = part;
            self.in_memory(vec, elem)
        });
        let (code, ty) = (&self.pass.body.code, a.get_type());
        let (scalar, _) = self.pass.body.array_type(vec);
        let bits = std::num::NonZeroU32::new(8 * scalar.bytes()).expect("elements have a size");
        let own = code.unit.context.custom_width_int_type(bits).expect("integers are that wide");
        let (own, wide) = (own.vec_type(LANES), code.types.i64.vec_type(LANES));
        let words = |lanes| {
            let bits = built(code.b.build_bit_cast(lanes, own, "")).into_vector_value();
            built(code.b.build_int_z_extend_or_bit_cast(bits, wide, "")).into()
        };
        let order = built(code.b.build_int_z_extend(order, wide, "")).into();
        let name = "llvm.x86.avx512.vpermi2var.q.512";
        let moved = code.call_intrinsic(name, &[], &[words(a), order, words(b)]);
        let moved = moved.into_vector_value();
        let bits = built(code.b.build_int_truncate_or_bit_cast(moved, own, ""));
        built(code.b.build_bit_cast(bits, ty, "")).into_vector_value()
    }
}

fn is_write(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Write { .. })
}
