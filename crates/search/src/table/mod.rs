//! A whole game as a compact table, and the CFR family on it.
