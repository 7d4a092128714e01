//! Loops that copy a row of one array to a part of another one, as `a with [i, from:] = row` does: all elements at
//! once.
//!
//! Invariant: elements are copied at once only where every index is in bounds. Otherwise the loop runs, and fails at
//! the first index that is not.
//!
//! ```text
//! zs = loop ys for n do (\xs i -> { t = from + i; v = row[i]; zs = xs with [k, t] = v; yield (zs) })
//! ⇒ if from >= 0 && n <= length.1 ys - from && … { move n elements } else { the loop }; zs is ys
//! ```

use arrc_fusion::cnf::{Atom, Operation};
use arrc_loops::concrete::{LoopForm, Step, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Scalar};
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue, PointerValue};

use crate::function::function_body::Body;
use crate::scalar::vector_of;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// The most bytes that generated instructions move. The C library moves more. No benchmark shows it alone.
const FEW: u64 = 1024;

/// A loop that copies.
struct CopyLoop<'p> {
    count: Atom,
    from: CopiedRow<'p>,
    /// The last index is this atom plus the counter.
    start: Option<Atom>,
    to: CopiedRow<'p>,
}

/// A row of an array.
#[derive(Clone, Copy)]
struct CopiedRow<'p> {
    array: VarId,
    /// All indices but the last.
    indices: &'p [Atom],
}

/// The rows that a loop copies, if it does nothing else.
fn of<'p>(form: &LoopForm, worker: &'p Worker) -> Option<CopyLoop<'p>> {
    let &LoopForm::For { count } = form else { return None };
    let &[param, counter] = &worker.params[..] else { return None };
    let [before @ .., Step::Replace { var, array, indices, value, .. }] = &worker.body.steps[..]
    else {
        return None;
    };
    let (read, start) = match before {
        [read] => (read, None),
        [Step::Scalar { var, op: Operation::Bin(BinOp::Add, args), .. }, read]
        | [read, Step::Scalar { var, op: Operation::Bin(BinOp::Add, args), .. }] => {
            let start = other(*args, counter)?;
            (read, Some((Atom::Var(*var), start)))
        }
        _ => return None,
    };
    let Step::Index { var: elem, array: source, indices: places, .. } = read else { return None };
    let (&last, from) = places.split_last()?;
    let (&end, to) = indices.split_last()?;
    let own = [Some(param), Some(counter), start.and_then(|(sum, _)| sum.as_var())];
    let outside = |atom: &Atom| atom.as_var().is_none_or(|var| !own.contains(&Some(var)));
    let is_copy = *array == param
        && *source != param
        && *value == Atom::Var(*elem)
        && worker.body.results == [Atom::Var(*var)]
        && last == Atom::Var(counter)
        && end == start.map_or(Atom::Var(counter), |(sum, _)| sum)
        && from.iter().chain(to).all(outside);
    is_copy.then_some(CopyLoop {
        count,
        from: CopiedRow { array: *source, indices: from },
        start: start.map(|(_, start)| start),
        to: CopiedRow { array: param, indices: to },
    })
}

/// The atom that an addition adds to a variable.
fn other(args: [Atom; 2], var: VarId) -> Option<Atom> {
    let this = Atom::Var(var);
    match args {
        [a, b] if a == this && b != this => Some(b),
        [a, b] if b == this && a != this => Some(a),
        _ => None,
    }
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers a loop; returns its final values.
    pub(crate) fn repeat_or_copy(
        &mut self,
        form: &'p LoopForm,
        init: &[LoweredValue<'ctx>],
        worker: &'p Worker,
    ) -> Vec<LoweredValue<'ctx>> {
        let (Some(copies), [LoweredValue::Array(whole)]) = (of(form, worker), init) else {
            return self.repeat(form, init, worker);
        };
        let source = self.array(copies.from.array);
        let count = self.int(copies.count);
        let start = copies.start.map_or(self.code.size(0), |start| self.int(start));
        let all = self.fits(&copies, [&source, whole], [start, count]);
        let code = &self.code;
        let [at_once, one_by_one, done] =
            ["copy", "copy.each", "copied"].map(|name| code.block(name));
        code.branch(all, at_once, one_by_one);
        code.b.position_at_end(at_once);
        let (elem, _) = self.array_type(copies.to.array);
        let from = self.row(copies.from, &source, elem);
        let to = code.element(elem, self.row(copies.to, whole, elem), start);
        self.move_row(elem, [from, to], count);
        code.jump(done);
        code.b.position_at_end(one_by_one);
        self.repeat(form, init, worker);
        self.code.jump(done);
        self.code.b.position_at_end(done);
        // It was changed in place.
        init.to_vec()
    }

    /// Moves at least a vector of elements. With few elements, the last vector may overlap the one before it.
    fn move_row(&self, elem: Scalar, [from, to]: [PointerValue<'ctx>; 2], count: IntValue<'ctx>) {
        let code = &self.code;
        let [few, many, moved] =
            ["copy.few", "copy.many", "copy.moved"].map(|name| code.block(name));
        let bytes = code.byte_count(elem, count);
        code.branch(code.compare(IntPredicate::ULE, bytes, code.size(FEW)), few, many);
        code.b.position_at_end(many);
        built(code.b.build_memmove(to, elem.bytes(), from, elem.bytes(), bytes));
        code.jump(moved);
        code.b.position_at_end(few);
        let lanes = self.lanes_of(elem);
        let ty = vector_of(code.types.memory(elem), lanes);
        let last = built(code.b.build_int_sub(count, code.size(lanes.into()), ""));
        let header = code.block("copy.vector");
        code.jump(header);
        code.b.position_at_end(header);
        let counter = built(code.b.build_phi(code.types.i64, "at"));
        counter.add_incoming(&[(&code.size(0), few)]);
        let at = counter.as_basic_value().into_int_value();
        let i64 = code.types.i64.into();
        let first = code.call_intrinsic("llvm.umin", &[i64], &[at.into(), last.into()]);
        let [from, to] = [from, to].map(|row| code.element(elem, row, first.into_int_value()));
        let loaded = built(code.b.build_load(ty, from, ""));
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(elem.bytes()).expect("loads have an alignment");
        let store = built(code.b.build_store(to, loaded));
        store.set_alignment(elem.bytes()).expect("stores have an alignment");
        let next = code.add_index(at, code.size(lanes.into()));
        counter.add_incoming(&[(&next, header)]);
        code.branch(code.compare(IntPredicate::ULT, next, count), header, moved);
        code.b.position_at_end(moved);
    }

    /// How many elements a vector has.
    fn lanes_of(&self, elem: Scalar) -> u32 {
        self.code.unit.isa.register() / elem.bytes()
    }

    /// Whether all elements are in bounds, where they are read and where they go, and fill a vector.
    fn fits(
        &self,
        copies: &CopyLoop<'_>,
        [source, whole]: [&Array<'ctx>; 2],
        [start, count]: [IntValue<'ctx>; 2],
    ) -> IntValue<'ctx> {
        let code = &self.code;
        // The comparison is unsigned, so a negative number is large.
        let within = |a, b| code.compare(IntPredicate::ULE, a, b);
        let mut all = Vec::new();
        let mut last =
            [source, whole].into_iter().zip([copies.from, copies.to]).map(|(array, row)| {
                let (&length, extents) = array.shape.split_last().expect("arrays have a dimension");
                for (&index, &extent) in row.indices.iter().zip(extents) {
                    all.push(code.compare(IntPredicate::ULT, self.int(index), extent));
                }
                length
            });
        let [from, to] = [last.next(), last.next()].map(|length| length.expect("there are two"));
        drop(last);
        let room = built(code.b.build_int_sub(to, start, ""));
        all.extend([within(start, to), within(count, room)]);
        let (elem, _) = self.array_type(copies.to.array);
        let least = code.size(self.lanes_of(elem).into());
        all.push(code.compare(IntPredicate::SGE, count, least));
        all.into_iter()
            .fold(within(count, from), |all, also| built(code.b.build_and(all, also, "")))
    }

    /// The address of a row whose indices are in bounds.
    fn row(&self, row: CopiedRow<'_>, array: &Array<'ctx>, elem: Scalar) -> PointerValue<'ctx> {
        let code = &self.code;
        let mut at = code.size(0);
        for (&index, &extent) in row.indices.iter().zip(&array.shape) {
            at = code.add_index(code.mul_index(at, extent), self.int(index));
        }
        let length = array.shape.last().expect("arrays have a dimension");
        code.element(elem, array.data, code.mul_index(at, *length))
    }
}
