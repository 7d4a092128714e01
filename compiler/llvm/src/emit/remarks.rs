//! Reads whether LLVM vectorised the loops that are left to it.
//!
//! The metadata of a loop survives all of LLVM's passes. The number of its note is added to it before they run. The
//! loop vectoriser marks every loop that it has dealt with.
//!
//! Invariant: the notes only say what the optimised program shows.
//!
//! ```text
//! br … !llvm.loop !7       !7 = distinct !{!7, !{!"arr.note", i32 2}}
//! ⇒ after the passes       !9 = distinct !{!9, !{!"arr.note", i32 2}, !{!"llvm.loop.isvectorized", i32 1}}
//! ```

use std::collections::BTreeMap;

use inkwell::context::Context;
use inkwell::llvm_sys::core::{LLVMReplaceMDNodeOperandWith, LLVMValueAsMetadata};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, InstructionValue, MetadataValue};

use crate::note::{Note, Outcome};

/// The name of the metadata for a note.
const NOTE: &str = "arr.note";
/// The metadata of a loop that LLVM does not unroll.
const ROLLED: &str = "llvm.loop.unroll.disable";
/// The metadata that the loop vectoriser adds.
const VECTORISED: &[u8] = b"llvm.loop.isvectorized";
/// The kind of metadata that loops have.
const LOOP: &str = "llvm.loop";

/// Marks the loop that a branch repeats with the number of its note.
pub(crate) fn mark(context: &Context, latch: InstructionValue<'_>, note: usize) {
    let number = u64::try_from(note).expect("a count is 64 bits");
    let number = context.i32_type().const_int(number, false);
    give(
        context,
        latch,
        &context.metadata_node(&[context.metadata_string(NOTE).into(), number.into()]),
    );
}

/// Tells LLVM not to unroll the loop that a branch repeats.
pub(crate) fn keep_rolled(context: &Context, latch: InstructionValue<'_>) {
    give(context, latch, &context.metadata_node(&[context.metadata_string(ROLLED).into()]));
}

/// Gives a loop a property.
fn give(context: &Context, latch: InstructionValue<'_>, property: &MetadataValue<'_>) {
    // The first operand of a loop's metadata is the metadata itself.
    let own = context.metadata_node(&[context.metadata_string(LOOP).into(), (*property).into()]);
    // SAFETY: both are metadata of this context, and the node has two operands.
    unsafe {
        LLVMReplaceMDNodeOperandWith(
            own.as_value_ref(),
            0,
            LLVMValueAsMetadata(own.as_value_ref()),
        );
    }
    latch.set_metadata(own, context.get_kind_id(LOOP)).expect("it is a node");
}

/// Completes the notes of an optimised module.
pub(super) fn read(module: &Module<'_>, notes: &mut [Note]) {
    let kind = module.get_context().get_kind_id(LOOP);
    let mut found: BTreeMap<u64, bool> = BTreeMap::new();
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let latches = blocks.filter_map(|block| block.get_terminator()?.get_metadata(kind));
    for latch in latches {
        let parts = nodes(latch);
        let vectorised = parts.iter().any(|part| name(part).is_some_and(|name| name == VECTORISED));
        for note in parts.iter().filter_map(number) {
            *found.entry(note).or_default() |= vectorised;
        }
    }
    for (at, note) in (0..).zip(notes) {
        note.outcome = Some(match found.get(&at) {
            Some(true) => Outcome::Vectorised,
            Some(false) => Outcome::OneByOne,
            None => Outcome::NoLoop,
        });
    }
}

/// The nodes that a loop's metadata consists of.
fn nodes(metadata: MetadataValue<'_>) -> Vec<Vec<BasicMetadataValueEnum<'_>>> {
    let own = metadata.as_value_ref();
    let parts = metadata.get_node_values().unwrap_or_default();
    let parts = parts.into_iter().filter_map(|part| {
        let BasicMetadataValueEnum::MetadataValue(part) = part else { return None };
        if part.as_value_ref() == own { None } else { part.get_node_values() }
    });
    parts.collect()
}

/// The text that a node begins with.
fn name(node: &[BasicMetadataValueEnum<'_>]) -> Option<Vec<u8>> {
    let BasicMetadataValueEnum::MetadataValue(name) = node.first()? else { return None };
    if name.is_string() { name.get_string_value().map(<[u8]>::to_vec) } else { None }
}

/// The number of the note that a node names.
fn number(node: &Vec<BasicMetadataValueEnum<'_>>) -> Option<u64> {
    let BasicMetadataValueEnum::IntValue(number) = node.get(1)? else { return None };
    if name(node)? == NOTE.as_bytes() { number.get_zero_extended_constant() } else { None }
}
