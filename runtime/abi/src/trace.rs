//! How a traced value is described to the runtime, which prints it.
//!
//! The description is the value's type without sizes. Each scalar in it stands for one component: a pointer to a scalar,
//! or, within arrays, to an array struct with as many dimensions as there are arrays around. Components are in the order
//! of the description. A sum has the component of its tag before those of its payloads.
//!
//! ```text
//! described = scalar                       i64, bool, f32 …
//!           | "[]" described               an array
//!           | "(" described, … ")"         a tuple
//!           | "{" name:described, … "}"    a record
//!           | "<" name(described, …)| … ">"   a sum; the tag counts its constructors from 0
//! [](i64,{x:f64}) of two components   ⇒   [(1, {x = 2.0}), (3, {x = 4.0})]
//! ```

/// The most scalars of a value that are all printed. Of a longer value, at most [`AT_EACH_END`] elements at both ends of
/// each array are.
pub const MOST: i64 = 100;

/// How many elements are printed at each end of an array of a long value.
pub const AT_EACH_END: i64 = 3;
