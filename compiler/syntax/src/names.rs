//! Names as the user wrote them.

pub use smol_str::SmolStr as Name;
