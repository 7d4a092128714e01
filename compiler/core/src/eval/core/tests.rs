//! Programs, and what they mean.
