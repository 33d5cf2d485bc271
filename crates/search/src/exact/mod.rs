//! Exact reference algorithms on a table: best response, exploitability, sequence-form matrices.
