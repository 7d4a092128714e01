//! Appends of arrays.
//!
//! Invariant: each element is copied once, or stays where it is: an append that extends its first part takes over that
//! part's owner. A literal of scalars that is only appended, or a row of another literal, has no memory of its own.
//!
//! ```text
//! ys = [i]; zs = extend xs ++ ys; release ys   ⇒   %zs = %xs if its only owner has room for 8 * n + 8 bytes,
//!                                                        else arr_rt_extend(%xs, 8 * n, 8)
//!                                                  store i, %zs[n]
//! ```

use std::collections::HashSet;

use arrc_fusion::cnf::{Atom, Extent, Type};
use arrc_loops::concrete::def_use::uses;
use arrc_loops::concrete::{Block, Length, Memory, Step};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;
use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use crate::function::function_body::Body;
use crate::function::record_fields::RecordField;
use crate::unit::built;
use crate::value::{Array, LoweredValue};

/// A part of the appended elements.
enum AppendOperand<'ctx, 'p> {
    /// In memory.
    Array(Array<'ctx>),
    /// The elements of a literal.
    Literal(&'p [Atom]),
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Finds the literals of a block that need no memory: they consist of scalars, only appends and other literals use
    /// them, and the block releases them.
    pub(crate) fn note_literals(&mut self, block: &'p Block) {
        let mut literals = Vec::new();
        let mut released = HashSet::new();
        for step in &block.steps {
            if let Step::Array {
                var,
                elems,
                memory: Memory::New | Memory::Scratch | Memory::DoubleBuffer,
                ..
            } = step
                && self.is_flat(*var)
            {
                literals.push((*var, elems));
            } else if let Step::Release { array } = step {
                released.insert(*array);
            }
        }
        literals.retain(|(var, _)| released.contains(var));
        if literals.is_empty() {
            return;
        }
        let used: HashSet<VarId> = block.steps.iter().flat_map(used_as_array).collect();
        for (var, elems) in literals {
            if !used.contains(&var) {
                self.literals[var] = Some(elems);
            }
        }
    }

    /// Whether an array has one dimension, whose size the program defines.
    fn is_flat(&self, var: VarId) -> bool {
        match self.type_of(var) {
            Type::Array { shape, .. } => matches!(shape.as_slice(), [Extent::Const(_)]),
            Type::Scalar(_) => false,
        }
    }

    /// `var = part ++ part ++ …`. If it extends an array, the parts go behind that array, which gets room for more.
    pub(crate) fn append(
        &mut self,
        var: VarId,
        extends: Option<VarId>,
        (parts, room, cut): (&[VarId], &[Length], bool),
        memory: &Memory,
        span: Span,
    ) {
        let (elem, _) = self.array_type(var);
        let name = self.function.tables.vars[var].name.clone();
        let site = self.code.unit.site(span, &name);
        let parts: Vec<_> = extends.iter().chain(parts).map(|&part| self.part(part)).collect();
        let shape = self.appended_shape(&parts);
        let room = room.iter().map(|more| self.length(more)).reduce(|a, b| self.code.sum(a, b));
        if shape.len() > 1 {
            self.code.check_room(shape[0], site);
        }
        let mut at = self.code.size(0);
        // An array in a scratch buffer has no record: the record still describes the extended array, which has been
        // released.
        let is_scratch = matches!(memory, Memory::Scratch);
        let field = extends.and_then(|array| self.fields[array]).filter(|_| !is_scratch);
        let (new, behind) = match parts.as_slice() {
            [AppendOperand::Array(first), behind @ ..] if extends.is_some() => {
                at = self.code.count(&first.shape);
                let new = if is_scratch {
                    self.extended_in_scratch(var, elem, (first, behind), shape, site)
                } else {
                    self.extended(elem, (first, field), (behind, room), shape, site)
                };
                (new, behind)
            }
            all => {
                let length = room.map_or(shape[0], |room| self.code.sum(shape[0], room));
                let longer = [&[length], &shape[1..]].concat();
                let is_reserved = matches!(memory, Memory::New) && cut && room.is_some();
                let Array { data, owner, .. } = if is_reserved {
                    self.new_array(var, false, (elem, longer), site)
                } else {
                    self.memory_of(var, memory, (elem, longer), site)
                };
                (Array { data, owner, shape }, all)
            }
        };
        for part in behind {
            let to = self.code.element(elem, new.data, at);
            let count = match part {
                AppendOperand::Array(array) => {
                    self.code.copy_array(elem, array, to);
                    self.code.count(&array.shape)
                }
                AppendOperand::Literal(elems) => {
                    self.store_elements(elem, elems, to);
                    self.size_of(elems)
                }
            };
            at = self.code.add_index(at, count);
        }
        self.bind_longer(var, new, field);
    }

    /// Binds an array that has become longer, in its record if it is in one.
    fn bind_longer(&mut self, var: VarId, array: Array<'ctx>, field: Option<RecordField<'ctx>>) {
        match field {
            Some(field) => {
                field.set_length(&self.code, &array);
                self.bind_field(var, field);
            }
            None => self.bind(var, LoweredValue::Array(array)),
        }
    }

    /// An array appended to another one, whose memory the result takes over.
    pub(crate) fn append_array(
        &self,
        elem: Scalar,
        first: &Array<'ctx>,
        part: &Array<'ctx>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let parts = [AppendOperand::Array(first.clone()), AppendOperand::Array(part.clone())];
        let shape = self.appended_shape(&parts);
        let whole = self.extended(elem, (first, None), (&parts[1..], None), shape, site);
        let at = self.code.count(&first.shape);
        self.code.copy_array(elem, part, self.code.element(elem, whole.data, at));
        whole
    }

    /// The place behind the elements of an array, for a vector of that shape. It has no owner of its own.
    pub(crate) fn end_of(&self, array: VarId, shape: Vec<IntValue<'ctx>>) -> Array<'ctx> {
        let (elem, _) = self.array_type(array);
        let before = self.array(array);
        let data = self.code.element(elem, before.data, self.code.count(&before.shape));
        Array { data, owner: self.code.types.ptr.const_null(), shape }
    }

    /// `var = extend array ++ part placed`: the part is already in its place.
    pub(crate) fn join(&mut self, var: VarId, array: VarId, part: VarId) {
        let mut joined = self.array(array);
        let length = self.code.sum(joined.shape[0], self.array(part).shape[0]);
        joined.shape[0] = length;
        self.bind_longer(var, joined, self.fields[array]);
    }

    /// Gives back the room behind an array.
    pub(crate) fn shrink_if(&mut self, cut: bool, var: VarId) {
        if cut {
            let (elem, _) = self.array_type(var);
            self.read_fields([var]);
            let array = self.array(var);
            let array = self.code.shorten(elem, &array, array.shape[0]);
            self.bind(var, LoweredValue::Array(array));
        }
    }

    fn part(&self, part: VarId) -> AppendOperand<'ctx, 'p> {
        match self.literals[part] {
            Some(elems) => AppendOperand::Literal(elems),
            None => AppendOperand::Array(self.array(part)),
        }
    }

    /// The shape of the appended parts.
    fn appended_shape(&self, parts: &[AppendOperand<'ctx, 'p>]) -> Vec<IntValue<'ctx>> {
        let rows = parts.iter().find_map(|part| match part {
            AppendOperand::Array(array) => Some(array.shape[1..].to_vec()),
            AppendOperand::Literal(_) => None,
        });
        [vec![self.length_of(parts)], rows.unwrap_or_default()].concat()
    }

    /// How many elements the parts have. The sum may overflow although all parts are in memory, since several parts may
    /// be one array.
    fn length_of(&self, parts: &[AppendOperand<'ctx, 'p>]) -> IntValue<'ctx> {
        let lengths = parts.iter().map(|part| match part {
            AppendOperand::Array(array) => array.shape[0],
            AppendOperand::Literal(elems) => self.size_of(elems),
        });
        lengths.reduce(|a, b| self.code.sum(a, b)).unwrap_or_else(|| self.code.size(0))
    }

    fn size_of(&self, elems: &[Atom]) -> IntValue<'ctx> {
        self.code.size(u64::try_from(elems.len()).expect("64 bits count elements"))
    }

    /// The first part in memory of one owner, with room for the others behind it. If the first part is in a record, the
    /// record gets the new memory.
    fn extended(
        &self,
        elem: Scalar,
        (first, field): (&Array<'ctx>, Option<RecordField<'ctx>>),
        (behind, room): (&[AppendOperand<'ctx, 'p>], Option<IntValue<'ctx>>),
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let code = &self.code;
        let used = code.byte_count(elem, code.count(&first.shape));
        let behind = self.length_of(behind);
        let length = room.map_or(behind, |room| code.sum(behind, room));
        let more = [&[length], &first.shape[1..]].concat();
        let more = code.product(code.count(&more), code.size(u64::from(elem.bytes())));
        let owner = self.with_room((first, field), [used, more], site);
        Array { data: code.elements(owner), owner, shape }
    }

    /// The first part in a scratch buffer, with room for the others behind it.
    fn extended_in_scratch(
        &self,
        var: VarId,
        elem: Scalar,
        (first, behind): (&Array<'ctx>, &[AppendOperand<'ctx, 'p>]),
        shape: Vec<IntValue<'ctx>>,
        site: PointerValue<'ctx>,
    ) -> Array<'ctx> {
        let code = &self.code;
        let used = code.byte_count(elem, code.count(&first.shape));
        let more = [&[self.length_of(behind)], &first.shape[1..]].concat();
        let more = code.product(code.count(&more), code.size(u64::from(elem.bytes())));
        let owner = self.scratch_room_of(var, first, [used, more], site);
        let data = code.elements(owner);
        Array { data, owner: code.types.ptr.const_null(), shape }
    }

    /// The buffer of an array that ends, if it has one owner and room for more bytes; else the buffer that the runtime
    /// makes of it.
    fn with_room(
        &self,
        (array, field): (&Array<'ctx>, Option<RecordField<'ctx>>),
        [used, more]: [IntValue<'ctx>; 2],
        site: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let code = &self.code;
        let [owned, extend, room] = ["owned", "extend", "room"].map(|name| code.block(name));
        let foreign = built(code.b.build_is_null(array.owner, ""));
        code.branch(foreign, extend, owned);
        code.b.position_at_end(owned);
        let ok = [
            code.has_one_owner(array.owner),
            code.compare(IntPredicate::SLE, code.sum(used, more), code.capacity(array.owner)),
            code.same_place(array.data, code.elements(array.owner)),
        ];
        let ok = ok.into_iter().reduce(|a, b| built(code.b.build_and(a, b, ""))).expect("three");
        code.branch(ok, room, extend);
        code.b.position_at_end(extend);
        let longer = code.extend(array, [used, more], site);
        if let Some(field) = field {
            field.move_to(code, (code.elements(longer), longer));
        }
        let extended = code.current_block();
        code.jump(room);
        code.b.position_at_end(room);
        let phi = built(code.b.build_phi(code.types.ptr, "owner"));
        phi.add_incoming(&[(&array.owner, owned), (&longer, extended)]);
        phi.as_basic_value().into_pointer_value()
    }

    /// Writes scalars to consecutive places.
    fn store_elements(&self, elem: Scalar, elems: &[Atom], to: PointerValue<'ctx>) {
        for (at, &value) in (0..).zip(elems) {
            let place = self.code.element(elem, to, self.code.size(at));
            self.code.store(place, self.code.in_memory(elem, self.scalar(value)));
        }
    }
}

/// The variables that a step needs as arrays.
fn used_as_array(step: &Step) -> Vec<VarId> {
    if let Step::Append { extends, .. } = step {
        // An array that is extended is in memory.
        extends.iter().copied().collect()
    } else if let Step::Release { .. } | Step::Array { .. } = step {
        // A literal stores the elements of its rows.
        Vec::new()
    } else {
        uses(step).into_iter().collect()
    }
}
