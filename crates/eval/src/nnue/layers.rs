//! The small layers: as many products as sums, 15 + 1, 30 (15 squared, 15 straight), 32, 1.

use super::simd::Aligned;

/// Stacks of layers, chosen by the number of pieces.
pub(crate) const BUCKETS: usize = 8;
/// Outputs of the first layer; the last of them goes straight to the end.
pub(crate) const FIRST: usize = 16;
/// Inputs (two of them are always zero) and outputs of the second layer.
pub(crate) const SECOND: usize = 32;

/// A stack as it is in the file, row by row.
pub(crate) struct Raw {
    pub(crate) first_biases: [i32; FIRST],
    pub(crate) first_weights: Vec<i8>,
    pub(crate) second_biases: [i32; SECOND],
    pub(crate) second_weights: Vec<i8>,
    pub(crate) third_bias: i32,
    pub(crate) third_weights: Vec<i8>,
}

/// A stack as the arithmetic wants it: for four inputs at a time, their weights for all outputs.
pub(crate) struct Stack<const W: usize> {
    pub(crate) first_biases: Aligned<[i32; FIRST]>,
    /// Four rows of the array are a chunk: 64 bytes.
    pub(crate) first_weights: Box<Aligned<[[i8; FIRST]; W]>>,
    pub(crate) second_biases: Aligned<[i32; SECOND]>,
    pub(crate) second_weights: [Aligned<[i8; 4 * SECOND]>; SECOND / 4],
    pub(crate) third_bias: i32,
    pub(crate) third_weights: Aligned<[i32; SECOND]>,
}

/// `[output][input]` into `[output][4 of the inputs]`, for the chunk of inputs `chunk`.
fn interleaved<const N: usize>(rows: &[i8], columns: usize, chunk: usize) -> Aligned<[i8; N]> {
    Aligned(std::array::from_fn(|i| rows[i / 4 * columns + 4 * chunk + i % 4]))
}

/// The columns of the second layer in the order of [`squeeze`]: two of them count for nothing.
fn spread(rows: &[i8]) -> Vec<i8> {
    let column = |row: &[i8], input: usize| match input {
        0..=14 => row[input],
        16..=30 => row[input - 1],
        _ => 0,
    };
    rows.chunks_exact(SECOND).flat_map(|row| (0..SECOND).map(move |i| column(row, i))).collect()
}

impl<const W: usize> Stack<W> {
    pub(crate) fn new(raw: &Raw) -> Self {
        let mut first_weights = Box::new(Aligned([[0; FIRST]; W]));
        let chunks = first_weights.0.as_flattened_mut().as_chunks_mut::<{ 4 * FIRST }>().0;
        for (number, chunk) in chunks.iter_mut().enumerate() {
            *chunk = interleaved(&raw.first_weights, W, number).0;
        }
        Stack {
            first_biases: Aligned(raw.first_biases),
            first_weights,
            second_biases: Aligned(raw.second_biases),
            second_weights: std::array::from_fn(|chunk| {
                interleaved(&spread(&raw.second_weights), SECOND, chunk)
            }),
            third_bias: raw.third_bias,
            third_weights: Aligned(std::array::from_fn(|i| i32::from(raw.third_weights[i]))),
        }
    }

    /// The weights of the first layer, four inputs at a time.
    #[inline]
    pub(crate) fn first_chunks(&self) -> &[[i8; 4 * FIRST]] {
        self.first_weights.0.as_flattened().as_chunks().0
    }

    /// The output, from those of the first two layers.
    #[inline]
    pub(crate) fn finish(&self, first: &[i32; FIRST], second: &[i32; SECOND]) -> i32 {
        let mut sum = self.third_bias;
        for (&input, &weight) in second.iter().zip(&self.third_weights.0) {
            sum = sum.wrapping_add((input >> 6).clamp(0, 127) * weight);
        }
        sum.wrapping_add(straight(first[FIRST - 1]))
    }
}

/// What the last output of the first layer adds to the end.
#[inline]
pub(crate) fn straight(output: i32) -> i32 {
    // 600 * 16 units are 127 * 64 in the scale of the first layer.
    (i64::from(output) * 9600 / 8128) as i32
}

/// The inputs of the second layer: the outputs of the first squared, then straight, clipped. The
/// last of each sixteen does not count.
#[inline]
pub(crate) fn squeeze(first: &[i32; FIRST]) -> Aligned<[u8; SECOND]> {
    let mut inputs = Aligned([0; SECOND]);
    let (squared, straight) = inputs.0.split_at_mut(FIRST);
    for (i, &sum) in first.iter().enumerate() {
        // Past 2^13 the square is clipped all the same.
        let small = sum.clamp(-(1 << 13), 1 << 13);
        squared[i] = ((small * small) >> 19).min(127) as u8;
        straight[i] = (sum >> 6).clamp(0, 127) as u8;
    }
    inputs
}
