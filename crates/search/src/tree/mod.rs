//! The shared, append-only tree arena.
