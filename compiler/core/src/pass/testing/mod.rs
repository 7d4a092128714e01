//! What the tests of passes share: functions built by hand or at random, and their way to loop nests.

mod builder;
mod random;
mod way;

pub(crate) use builder::{Builder, int};
pub(crate) use random::function;
pub(crate) use way::{Forms, forms, forms_by, ints};
