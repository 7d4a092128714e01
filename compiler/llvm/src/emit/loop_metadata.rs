//! The metadata of loops: what they tell LLVM's passes, and [`super::remarks`].
//!
//! Invariant: a property that is given to a loop keeps those that the loop has.
//!
//! ```text
//! br … !llvm.loop !7       !7 = distinct !{!7, !{!"llvm.loop.unroll.count", i32 4}, !{!"arr.note", i32 2}}
//! ```

use inkwell::context::Context;
use inkwell::llvm_sys::core::{LLVMReplaceMDNodeOperandWith, LLVMValueAsMetadata};
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, InstructionValue, MetadataValue};

/// The kind of metadata that loops have.
pub(super) const LOOP: &str = "llvm.loop";
/// The name of the metadata for a note.
pub(super) const NOTE: &str = "arr.note";
/// The metadata of a loop that LLVM does not unroll.
const ROLLED: &str = "llvm.loop.unroll.disable";
/// The metadata of a loop that LLVM runs one step at a time: the lanes of its vectors, and the steps that it mixes.
const SINGLE: [&str; 2] = ["llvm.loop.vectorize.width", "llvm.loop.interleave.count"];
/// The metadata of a loop that LLVM does not unroll if it has an unknown number of steps.
const ROLLED_IF_UNKNOWN: &str = "llvm.loop.unroll.runtime.disable";
/// The metadata with the number of steps in an iteration of an unrolled loop.
const UNROLLED: &str = "llvm.loop.unroll.count";

/// Marks the loop that a branch repeats with the number of its note.
pub(crate) fn mark(context: &Context, latch: InstructionValue<'_>, note: usize) {
    let number = u32::try_from(note).expect("a program has fewer notes than that");
    add_property(context, latch, &numbered(context, NOTE, number));
}

/// Tells LLVM not to unroll the loop that a branch repeats.
pub(crate) fn keep_rolled(context: &Context, latch: InstructionValue<'_>) {
    add_property(context, latch, &context.metadata_node(&[context.metadata_string(ROLLED).into()]));
}

/// Tells LLVM that the loop that a branch repeats has few steps, so that neither vectors nor iterations of several
/// steps pay.
pub(crate) fn has_few_steps(context: &Context, latch: InstructionValue<'_>) {
    for property in SINGLE {
        add_property(context, latch, &numbered(context, property, 1));
    }
    let rolled = context.metadata_string(ROLLED_IF_UNKNOWN).into();
    add_property(context, latch, &context.metadata_node(&[rolled]));
}

/// Tells LLVM to run some steps of the loop that a branch repeats in each iteration, also if steps can fail.
pub(crate) fn unroll(context: &Context, latch: InstructionValue<'_>, steps: u32) {
    add_property(context, latch, &numbered(context, UNROLLED, steps));
}

fn numbered<'ctx>(context: &'ctx Context, name: &str, number: u32) -> MetadataValue<'ctx> {
    let number = context.i32_type().const_int(number.into(), false);
    context.metadata_node(&[context.metadata_string(name).into(), number.into()])
}

/// Gives a loop a property.
fn add_property(context: &Context, latch: InstructionValue<'_>, property: &MetadataValue<'_>) {
    let kind = context.get_kind_id(LOOP);
    // The first operand of a loop's metadata is the metadata itself.
    let mut parts: Vec<BasicMetadataValueEnum<'_>> = vec![context.metadata_string(LOOP).into()];
    let before = latch.get_metadata(kind);
    parts.extend(before.into_iter().flat_map(properties).map(BasicMetadataValueEnum::from));
    parts.push((*property).into());
    let own = context.metadata_node(&parts);
    // SAFETY: both are metadata of this context, and the node has operands.
    unsafe {
        LLVMReplaceMDNodeOperandWith(
            own.as_value_ref(),
            0,
            LLVMValueAsMetadata(own.as_value_ref()),
        );
    }
    latch.set_metadata(own, kind).expect("it is a node");
}

/// The properties in a loop's metadata.
pub(super) fn properties(metadata: MetadataValue<'_>) -> impl Iterator<Item = MetadataValue<'_>> {
    let own = metadata.as_value_ref();
    let parts = metadata.get_node_values().unwrap_or_default();
    parts.into_iter().filter_map(move |part| {
        let BasicMetadataValueEnum::MetadataValue(part) = part else { return None };
        (part.as_value_ref() != own).then_some(part)
    })
}
