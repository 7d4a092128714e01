//! The statements of a fold in a step that run across lanes.
//!
//! Invariant: the fold has no nests of its own, and its steps release nothing.
//!
//! ```text
//! loopI k (m) body { … } range from 1 to m - 1 { t = inside a[k - 1]; … }        ⇒   t = inside a[k - 1]; …
//! ```

use arrc_loops::concrete::{Loop, Range, Stmt};

/// The statements of an inner fold, if it can run across lanes. If the loop has a range, they are those of the range,
/// in which every index is in bounds.
pub(super) fn inner_body(nest: &Loop) -> Option<&[Stmt]> {
    let flat = nest.inner.is_empty() && nest.release.is_empty();
    match inner_range(nest) {
        _ if !flat => None,
        None => Some(&nest.body),
        Some(range) => match range.variants.as_slice() {
            [variant] => {
                (variant.inner.is_empty() && variant.release.is_empty()).then_some(&variant.body)
            }
            _ => None,
        },
    }
}

/// The range whose statements the lanes run for all steps. If a loop has several ranges, none is likely to be the whole
/// loop.
pub(super) fn inner_range(nest: &Loop) -> Option<&Range> {
    match nest.ranges.as_slice() {
        [range] => Some(range),
        [] | [_, _, ..] => None,
    }
}
