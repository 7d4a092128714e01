//! From concrete procedures to object files.
