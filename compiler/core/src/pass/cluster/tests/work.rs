//! Large graphs: the bound on work.
