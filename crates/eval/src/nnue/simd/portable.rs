//! The arithmetic in plain code.

use super::super::layers::{FIRST, SECOND, Stack, squeeze};
use super::Column;

pub(super) fn accumulate<const W: usize>(
    columns: &[Column<W>],
    from: &Column<W>,
    to: &mut Column<W>,
    added: &[usize],
    removed: &[usize],
) {
    to.0 = from.0;
    for &i in added {
        for (sum, weight) in to.0.iter_mut().zip(&columns[i].0) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &i in removed {
        for (sum, weight) in to.0.iter_mut().zip(&columns[i].0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// The products of the clipped first and second half of the sums, from 0 to 126.
fn products<const W: usize>(sums: &Column<W>, out: &mut [u8]) {
    let (left, right) = sums.0.split_at(W / 2);
    for ((out, &a), &b) in out.iter_mut().zip(left).zip(right) {
        *out = (i32::from(a.clamp(0, 127)) * i32::from(b.clamp(0, 127)) / 128) as u8;
    }
}

pub(super) fn layers<const W: usize>(us: &Column<W>, them: &Column<W>, stack: &Stack<W>) -> i32 {
    let mut inputs = [0u8; W];
    let (ours, theirs) = inputs.split_at_mut(W / 2);
    products(us, ours);
    products(them, theirs);
    let mut first = stack.first_biases.0;
    for (chunk, weights) in inputs.as_chunks::<4>().0.iter().zip(stack.first_chunks()) {
        if *chunk != [0; 4] {
            add_chunk::<FIRST, 64>(&mut first, *chunk, weights);
        }
    }
    let mut second = stack.second_biases.0;
    let inputs = squeeze(&first);
    for (chunk, weights) in inputs.0.as_chunks::<4>().0.iter().zip(&stack.second_weights) {
        add_chunk::<SECOND, 128>(&mut second, *chunk, &weights.0);
    }
    stack.finish(&first, &second)
}

/// Adds what four inputs contribute to each of `N` outputs.
fn add_chunk<const N: usize, const M: usize>(
    out: &mut [i32; N],
    inputs: [u8; 4],
    weights: &[i8; M],
) {
    for (sum, weights) in out.iter_mut().zip(weights.as_chunks::<4>().0) {
        for (&input, &weight) in inputs.iter().zip(weights) {
            *sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
        }
    }
}
