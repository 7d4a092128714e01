//! The steps from form to form. A pass is a function: it consumes the old form and returns a new
//! one.
<<<<<<< HEAD

pub mod cluster;
pub mod parse;
pub mod rate;
pub mod simplify;
pub mod specialise;
=======
pub mod infer;
>>>>>>> aa2367a (Infer names, types and sizes)
