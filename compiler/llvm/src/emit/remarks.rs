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

use inkwell::module::Module;
use inkwell::values::BasicMetadataValueEnum;

use super::loop_metadata;
use super::loop_metadata::{LOOP, NOTE};
use crate::note::{Note, Outcome};

/// The metadata that the loop vectoriser adds.
const VECTORISED: &[u8] = b"llvm.loop.isvectorized";
/// Completes the notes of an optimised module.
pub(super) fn read(module: &Module<'_>, notes: &mut [Note]) {
    let kind = module.get_context().get_kind_id(LOOP);
    let mut found: BTreeMap<u64, bool> = BTreeMap::new();
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let latches = blocks.filter_map(|block| block.get_terminator()?.get_metadata(kind));
    for latch in latches {
        let parts: Vec<_> =
            loop_metadata::properties(latch).filter_map(|part| part.get_node_values()).collect();
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
