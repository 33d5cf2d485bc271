//! The solver on the growing tree: PCFR+ with partial pruning.
