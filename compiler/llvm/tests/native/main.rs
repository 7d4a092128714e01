//! Compiled programs, called: what they compute, which errors they report, and how their loops are lowered.

mod entries;
mod extremes;
mod flatmaps;
mod gathers;
mod nested;
mod overlaps;
mod passes;
mod reductions;
mod row_addresses;
mod rows;
mod scalars;
mod steps;
mod store_coalescing;
mod strips;
mod sums_of_bytes;
mod support;
mod switches;
mod updates;
mod vectors;
mod whole_stores;
