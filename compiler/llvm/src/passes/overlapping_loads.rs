//! Reads of vectors that overlap, as lanes of two of them.
//!
//! A stencil reads elements at several distances from its position: five loads, each an element behind the one before.
//! A vector as wide as a cache line is nearly always in two lines, so each load takes the time of two. The first and
//! the last of the vectors have the elements of those between, and one instruction takes lanes of two vectors.
//!
//! Invariant: values stay the same. No load is added, and none is made earlier than an instruction that may write what
//! it reads, or not return. In a loop of one block, each iteration runs all loads.
//!
//! ```text
//! %a = load <8 x double>, ptr %p - 8         %a = load <8 x double>, ptr %p - 8
//! %b = load <8 x double>, ptr %p             %c = load <8 x double>, ptr %p + 8
//! %c = load <8 x double>, ptr %p + 8    ⇒    %b = shufflevector %a, %c, <1, 2, 3, 4, 5, 6, 7, 14>
//! ```

use indexmap::{IndexMap, IndexSet};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum, VectorType};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue,
    InstructionOpcode, InstructionValue, IntValue, MetadataValue, Operand, PointerValue,
    VectorValue,
};

use crate::target::isa::Isa;
use crate::unit::built;

/// The limit of the number of instructions that an address is computed by, as far as they are looked at. It bounds the
/// time of the compiler.
const DEEPEST: usize = 16;

/// The most groups of loads that go on behind a store. Each of them has a vector in a register meanwhile.
/// `scripts/bench clamp_3_f64` shows the effect of another number. Not measured by itself.
const MOST_OPEN: usize = 4;

/// The operations whose time a division takes. `scripts/bench tomcatv` divides. Not measured by itself.
const DIVISION: u32 = 8;

/// The bytes of the narrowest elements whose lanes the instructions take.
const LEAST_ELEMENT: i64 = 4;

/// Replaces loads of vectors whose elements other loads read.
///
/// Only AVX-512 takes any lanes of two vectors by one instruction, and has vectors as wide as a cache line. With
/// narrower vectors, fewer loads are in two lines, and an instruction takes lanes within halves.
pub(crate) fn reuse_overlapping_loads(module: &Module<'_>, isa: Isa) {
    match isa {
        Isa::Sse2 | Isa::Ssse3 | Isa::Avx2 | Isa::Neon => {}
        Isa::Avx512 => {
            let functions = module.get_functions();
            for block in functions.flat_map(|function| function.get_basic_blocks()) {
                if is_loop(block) && waits_for_loads(block) {
                    in_loop(&module.get_context(), block);
                }
            }
        }
    }
}

/// Whether a block is a loop without other blocks.
fn is_loop(block: BasicBlock<'_>) -> bool {
    let Some(end) = block.get_terminator() else { return false };
    end.get_operands()
        .flatten()
        .any(|operand| matches!(operand, Operand::Block(next) if next == block))
}

/// Whether the loads of vectors take longer than the operations on them, since taking lanes is such an operation. A
/// load from two lines takes the time of two operations. `scripts/bench clamp_2_f64` has few operations: 0.76 of the
/// time of C at 20,000 steps, before 1.15 (AVX-512, least times on a quiet machine). The elimination of
/// `scripts/bench tomcatv` has many: with lanes, it took 2 to 5 % longer.
fn waits_for_loads(block: BasicBlock<'_>) -> bool {
    let (mut loads, mut operations) = (0_u32, 0_u32);
    for instruction in block.get_instructions() {
        #[allow(clippy::wildcard_enum_match_arm, reason = "LLVM has many instructions")]
        match (instruction.get_type(), instruction.get_opcode()) {
            (AnyTypeEnum::VectorType(_), InstructionOpcode::Load) => loads += 1,
            (AnyTypeEnum::VectorType(_), InstructionOpcode::FDiv) => operations += DIVISION,
            (AnyTypeEnum::VectorType(_), InstructionOpcode::Phi) => {}
            (AnyTypeEnum::VectorType(_), _) => operations += 1,
            _ => {}
        }
    }
    operations <= 2 * loads
}

fn in_loop<'ctx>(context: &ContextRef<'ctx>, block: BasicBlock<'ctx>) {
    let scopes = AliasScopes::of(context);
    let mut groups: Vec<LoadGroup<'ctx>> = Vec::new();
    let end = |groups: &mut Vec<LoadGroup<'ctx>>| {
        groups.drain(..).for_each(|group| group.replace(context));
    };
    for (order, instruction) in block.get_instructions().enumerate().collect::<Vec<_>>() {
        if let Some((near, load)) = GroupedLoad::of(instruction, order) {
            let may_join = |group: &LoadGroup<'ctx>| {
                group.near == near
                    && group.stores.iter().all(|store| scopes.are_apart(store, instruction))
            };
            match groups.iter_mut().rfind(|group| may_join(group)) {
                Some(group) => group.loads.push(load),
                None => groups.push(LoadGroup { near, loads: vec![load], stores: Vec::new() }),
            }
        } else if instruction.get_opcode() == InstructionOpcode::Store {
            let open = groups.iter().filter(|group| group.loads.len() > 1).count();
            match scopes.written(instruction).filter(|_| open <= MOST_OPEN) {
                Some(store) => {
                    groups.iter_mut().for_each(|group| group.stores.push(store.clone()));
                }
                None => end(&mut groups),
            }
        } else if may_write(instruction) {
            end(&mut groups);
        }
    }
    end(&mut groups);
}

/// The alias scopes of instructions.
struct AliasScopes {
    /// The kinds of metadata: the scopes of an access, and those of the accesses that it is apart from.
    own: u32,
    others: u32,
}

/// The scopes of a store.
type ScopeList<'ctx> = Vec<MetadataValue<'ctx>>;

impl AliasScopes {
    fn of(context: &ContextRef<'_>) -> Self {
        Self { own: context.get_kind_id("alias.scope"), others: context.get_kind_id("noalias") }
    }

    /// The scopes of a store, if it has some.
    fn written<'ctx>(&self, store: InstructionValue<'ctx>) -> Option<ScopeList<'ctx>> {
        if store.get_volatile() != Ok(false) {
            return None;
        }
        Some(scopes(store, self.own)).filter(|scopes| !scopes.is_empty())
    }

    /// Whether a store with these scopes writes nothing that the instruction reads.
    fn are_apart(&self, store: &ScopeList<'_>, load: InstructionValue<'_>) -> bool {
        let others = scopes(load, self.others);
        store.iter().all(|scope| others.contains(scope))
    }
}

fn scopes(access: InstructionValue<'_>, kind: u32) -> Vec<MetadataValue<'_>> {
    let list = access.get_metadata(kind).and_then(MetadataValue::get_node_values);
    let scope = |value| match value {
        BasicMetadataValueEnum::MetadataValue(scope) => Some(scope),
        BasicMetadataValueEnum::ArrayValue(_)
        | BasicMetadataValueEnum::IntValue(_)
        | BasicMetadataValueEnum::FloatValue(_)
        | BasicMetadataValueEnum::PointerValue(_)
        | BasicMetadataValueEnum::StructValue(_)
        | BasicMetadataValueEnum::VectorValue(_)
        | BasicMetadataValueEnum::ScalableVectorValue(_) => None,
    };
    list.into_iter().flatten().filter_map(scope).collect()
}

/// Whether an instruction may write memory or not return.
fn may_write(instruction: InstructionValue<'_>) -> bool {
    #[allow(clippy::wildcard_enum_match_arm, reason = "LLVM has many instructions")]
    match instruction.get_opcode() {
        InstructionOpcode::Call => {
            let call = CallSiteValue::try_from(instruction).ok();
            let called = call.and_then(|call| call.get_called_fn_value());
            let kind = Attribute::get_named_enum_kind_id("memory");
            // This number says that a function accesses no memory.
            let is_pure = called.is_some_and(|called| {
                let memory = called.get_enum_attribute(AttributeLoc::Function, kind);
                let is_intrinsic = called.get_name().to_bytes().starts_with(b"llvm.");
                is_intrinsic && memory.is_some_and(|memory| memory.get_enum_value() == 0)
            });
            !is_pure
        }
        InstructionOpcode::Fence
        | InstructionOpcode::AtomicRMW
        | InstructionOpcode::AtomicCmpXchg
        | InstructionOpcode::VAArg => true,
        // An atomic load is no load of a vector.
        _ => false,
    }
}

/// An address without its constant part: a pointer, and numbers with the bytes that each counts for.
#[derive(PartialEq, Eq)]
struct Address<'ctx> {
    base: PointerValue<'ctx>,
    terms: IndexMap<IntValue<'ctx>, i64>,
}

/// What loads of a group have in common.
#[derive(PartialEq, Eq)]
struct LoadPattern<'ctx> {
    place: Address<'ctx>,
    ty: VectorType<'ctx>,
}

struct GroupedLoad<'ctx> {
    load: InstructionValue<'ctx>,
    /// Its distance from the place, in bytes.
    distance: i64,
    /// Its number in the block.
    order: usize,
}

/// Loads in the order of the block, at known distances from each other. Nothing between them writes what they read.
struct LoadGroup<'ctx> {
    near: LoadPattern<'ctx>,
    loads: Vec<GroupedLoad<'ctx>>,
    /// The stores since the first load.
    stores: Vec<ScopeList<'ctx>>,
}

impl<'ctx> GroupedLoad<'ctx> {
    fn of(load: InstructionValue<'ctx>, order: usize) -> Option<(LoadPattern<'ctx>, Self)> {
        if load.get_opcode() != InstructionOpcode::Load || load.get_volatile() != Ok(false) {
            return None;
        }
        let AnyTypeEnum::VectorType(ty) = load.get_type() else { return None };
        let element = bytes_of(ty.get_element_type()).filter(|&bytes| bytes >= LEAST_ELEMENT)?;
        if element * i64::from(ty.get_size()) != i64::from(Isa::Avx512.register()) {
            return None;
        }
        let (place, distance) = place_of(address_of(load)?);
        Some((LoadPattern { place, ty }, Self { load, distance, order }))
    }

    fn lanes(&self) -> VectorValue<'ctx> {
        // SAFETY: the load is of a vector.
        unsafe { VectorValue::new(self.load.as_value_ref()) }
    }
}

impl<'ctx> LoadGroup<'ctx> {
    /// Replaces loads by lanes of others. A load that has the lanes is made where they are needed first.
    fn replace(mut self, context: &ContextRef<'ctx>) {
        self.loads.sort_by_key(|load| load.distance);
        self.loads.dedup_by_key(|load| load.distance);
        let pairs = self.pairs();
        let kept: IndexSet<usize> = pairs.iter().flatten().copied().collect();
        let b = context.create_builder();
        for at in kept {
            let users = pairs.iter().filter(|pair| pair.contains(&at));
            let users = users.flat_map(|&[from, to]| &self.loads[from + 1..to]);
            let first = users.min_by_key(|user| user.order).expect("a pair has loads between");
            let kept = &self.loads[at];
            if kept.order < first.order {
                continue;
            }
            b.position_before(&first.load);
            let base = address_of(first.load).expect("it is a load");
            let offset = (kept.distance - first.distance).cast_unsigned();
            let offset = context.i64_type().const_int(offset, false);
            // SAFETY: a load at this address follows, and nothing is between that may end the function.
            let address = built(unsafe { b.build_gep(context.i8_type(), base, &[offset], "") });
            kept.load.remove_from_basic_block();
            b.insert_instruction(&kept.load, None);
            assert!(kept.load.set_operand(0, address), "a load has an address");
        }
        for [from, to] in pairs {
            for load in &self.loads[from + 1..to] {
                b.position_before(&load.load);
                let lanes = self.lanes_between(context, [from, to], load.distance);
                let [low, high] = [from, to].map(|at| self.loads[at].lanes());
                let taken = built(b.build_shuffle_vector(low, high, lanes, ""));
                let taken = taken.as_instruction_value().expect("it is no constant");
                load.load.replace_all_uses_with(&taken);
                load.load.erase_from_basic_block();
            }
        }
    }

    /// The pairs of loads that have all elements of those between them. The loads are in order of their distances.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let (element, wide) = (self.element(), i64::from(Isa::Avx512.register()));
        let mut pairs = Vec::new();
        let mut from = 0;
        while from + 1 < self.loads.len() {
            let start = self.loads[from].distance;
            let behind = self.loads[from..].iter().take_while(|load| {
                load.distance <= start + wide && (load.distance - start) % element == 0
            });
            let to = from + behind.count() - 1;
            if to > from + 1 {
                pairs.push([from, to]);
            }
            from = to.max(from + 1);
        }
        pairs
    }

    /// The lanes of two loads that are the elements at a distance between theirs.
    fn lanes_between(
        &self,
        context: &ContextRef<'ctx>,
        [from, to]: [usize; 2],
        distance: i64,
    ) -> VectorValue<'ctx> {
        let count = i64::from(self.near.ty.get_size());
        let steps = |at: i64| (at - self.loads[from].distance) / self.element();
        let (skipped, apart) = (steps(distance), steps(self.loads[to].distance));
        let lanes = (skipped..skipped + count).map(|lane| {
            let lane = if lane < count { lane } else { count + lane - apart };
            context.i32_type().const_int(lane.cast_unsigned(), false)
        });
        VectorType::const_vector(&lanes.collect::<Vec<_>>())
    }

    /// The bytes of an element.
    fn element(&self) -> i64 {
        bytes_of(self.near.ty.get_element_type()).expect("elements of loads are numbers")
    }
}

fn address_of(load: InstructionValue<'_>) -> Option<PointerValue<'_>> {
    match load.get_operand(0)? {
        Operand::Value(BasicValueEnum::PointerValue(address)) => Some(address),
        Operand::Value(_) | Operand::Block(_) => None,
    }
}

/// A number's size.
fn bytes_of(ty: BasicTypeEnum<'_>) -> Option<i64> {
    match ty {
        BasicTypeEnum::FloatType(ty) => Some(i64::from(ty.get_bit_width() / 8)),
        BasicTypeEnum::IntType(ty) => {
            let bits = ty.get_bit_width();
            bits.is_multiple_of(8).then_some(i64::from(bits / 8))
        }
        BasicTypeEnum::ArrayType(_)
        | BasicTypeEnum::PointerType(_)
        | BasicTypeEnum::ScalableVectorType(_)
        | BasicTypeEnum::StructType(_)
        | BasicTypeEnum::VectorType(_) => None,
    }
}

/// An address as a place and the distance from it, in bytes. Addresses are computed modulo 2⁶⁴, and so are their parts.
fn place_of(address: PointerValue<'_>) -> (Address<'_>, i64) {
    let mut place = Address { base: address, terms: IndexMap::new() };
    let mut distance = 0_i64;
    for _ in 0..DEEPEST {
        let Some((base, index, scale)) = step_of(place.base) else { break };
        place.base = base;
        let (index, constant) = sum_of(index);
        distance = distance.wrapping_add(constant.wrapping_mul(scale));
        if let Some(index) = index {
            let term = place.terms.entry(index).or_insert(0);
            *term = term.wrapping_add(scale);
        }
    }
    (place, distance)
}

/// An address that is computed from another one: that, an index, and the bytes that it counts for.
fn step_of(address: PointerValue<'_>) -> Option<(PointerValue<'_>, IntValue<'_>, i64)> {
    let step = address.as_instruction()?;
    let scale = bytes_of(step.get_gep_source_element_type().ok()?)?;
    if step.get_num_operands() != 2 {
        return None;
    }
    match [step.get_operand(0)?, step.get_operand(1)?] {
        [
            Operand::Value(BasicValueEnum::PointerValue(base)),
            Operand::Value(BasicValueEnum::IntValue(index)),
        ] if index.get_type().get_bit_width() == 64 => Some((base, index, scale)),
        _ => None,
    }
}

/// A number as a sum of another one and a constant.
fn sum_of(mut number: IntValue<'_>) -> (Option<IntValue<'_>>, i64) {
    let mut constant = 0_i64;
    for _ in 0..DEEPEST {
        if let Some(value) = number.get_sign_extended_constant() {
            return (None, constant.wrapping_add(value));
        }
        let Some(sum) = number.as_instruction() else { break };
        if sum.get_opcode() != InstructionOpcode::Add {
            break;
        }
        let (
            Some(Operand::Value(BasicValueEnum::IntValue(rest))),
            Some(Operand::Value(BasicValueEnum::IntValue(added))),
        ) = (sum.get_operand(0), sum.get_operand(1))
        else {
            break;
        };
        let Some(added) = added.get_sign_extended_constant() else { break };
        constant = constant.wrapping_add(added);
        number = rest;
    }
    (Some(number), constant)
}
