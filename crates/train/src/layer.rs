//! The first layer of the default network in floating point: a sum of a few rows of a large
//! table for each side, clipped, and multiplied in pairs; forwards and backwards.
//!
//! It takes rows where a general library would multiply matrices, and keeps the sums for the way
//! back. 1.0 stands for 127 of the integers.

use std::thread;

use crate::inputs::{END, FEATURES, MOST, PLANES, STACKS};

/// Sums of one side.
pub const WIDTH: usize = 256;
const HALF: usize = WIDTH / 2;
/// The integer product is divided by 128, and 127 stands for one.
const PRODUCT: f32 = 127.0 / 128.0;
/// The material of the side to move counts, and that of the other against it; half of each.
const SIGNS: [f32; 2] = [0.5, -0.5];

/// The inputs of some positions, and the layer's numbers.
#[derive(Clone, Copy)]
pub struct Layer<'a> {
    /// As [`inputs`](crate::inputs::inputs()) gives them, for one position after the other.
    pub features: &'a [u16],
    /// The stack of each position.
    pub stacks: &'a [u8],
    /// What each input adds to the sums.
    pub weights: &'a [f32],
    /// What the sums begin with.
    pub biases: &'a [f32],
    /// What each input adds to the material, for each stack.
    pub psqt: &'a [f32],
}

/// The derivatives of the loss; what is found is added to what is there.
pub struct Gradients<'a> {
    /// By the weights.
    pub weights: &'a mut [f32],
    /// By the biases.
    pub biases: &'a mut [f32],
    /// By the material.
    pub psqt: &'a mut [f32],
}

impl Layer<'_> {
    /// Whether all lengths are as they must be for `positions` positions, and all inputs exist.
    pub fn fits(&self, positions: usize) -> bool {
        self.features.len() == positions * 2 * MOST
            && self.stacks.len() == positions
            && self.weights.len() == FEATURES * WIDTH
            && self.biases.len() == WIDTH
            && self.psqt.len() == FEATURES * STACKS
            && self.stacks.iter().all(|&stack| usize::from(stack) < STACKS)
            && self.features.iter().all(|&f| f == END || usize::from(f) < FEATURES)
    }

    /// Computes the sums (2 × [`WIDTH`] for each position), their products ([`WIDTH`], the side to
    /// move first) and half the difference of the material.
    ///
    /// # Panics
    /// If the layer does not fit, or an output is too short.
    pub fn forward(
        &self,
        sums: &mut [f32],
        products: &mut [f32],
        material: &mut [f32],
        threads: usize,
    ) {
        let rows = self.stacks.len().div_ceil(threads.max(1)).max(1);
        let parts = sums
            .chunks_mut(rows * 2 * WIDTH)
            .zip(products.chunks_mut(rows * WIDTH))
            .zip(material.chunks_mut(rows))
            .zip(self.parts(rows));
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for (((sums, products), material), part) in parts {
                if threads <= 1 {
                    part.forward_rows(sums, products, material);
                } else {
                    workers.push(scope.spawn(move || part.forward_rows(sums, products, material)));
                }
            }
            for worker in workers {
                worker.join().expect("the layer fits");
            }
        });
    }

    /// Adds up the derivatives, from those by the products and by the material.
    ///
    /// # Panics
    /// If the layer does not fit, or a slice is too short.
    pub fn backward(
        &self,
        sums: &[f32],
        by_products: &[f32],
        by_material: &[f32],
        gradients: &mut Gradients<'_>,
        threads: usize,
    ) {
        let rows = self.stacks.len().div_ceil(threads.max(1)).max(1);
        let mut parts = sums
            .chunks(rows * 2 * WIDTH)
            .zip(by_products.chunks(rows * WIDTH))
            .zip(by_material.chunks(rows))
            .zip(self.parts(rows));
        let Some((((s, p), m), first)) = parts.next() else { return };
        thread::scope(|scope| {
            let workers: Vec<_> = parts
                .map(|(((sums, products), material), part)| {
                    scope.spawn(move || {
                        let mut own = Owned::default();
                        part.backward_rows(sums, products, material, &mut own.borrow());
                        own
                    })
                })
                .collect();
            first.backward_rows(s, p, m, gradients);
            // In the order of the positions: the same numbers every time.
            for worker in workers {
                worker.join().expect("the layer fits").add_to(gradients);
            }
        });
    }

    fn parts(&self, rows: usize) -> impl Iterator<Item = Layer<'_>> {
        let features = self.features.chunks(rows * 2 * MOST);
        features.zip(self.stacks.chunks(rows)).map(|(features, stacks)| Layer {
            features,
            stacks,
            ..*self
        })
    }

    fn forward_rows(&self, sums: &mut [f32], products: &mut [f32], material: &mut [f32]) {
        let (weights, _) = self.weights.as_chunks::<WIDTH>();
        let (psqt, _) = self.psqt.as_chunks::<STACKS>();
        let (sums, _) = sums.as_chunks_mut::<WIDTH>();
        let (products, _) = products.as_chunks_mut::<HALF>();
        material.fill(0.0);
        for half in self.by_bucket() {
            let (row, sign) = (half / 2, SIGNS[half % 2]);
            let stack = usize::from(self.stacks[row]);
            let sums = &mut sums[half];
            sums.copy_from_slice(self.biases);
            for &feature in self.half(half) {
                for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(feature)]) {
                    *sum += weight;
                }
                material[row] += sign * psqt[usize::from(feature)][stack];
            }
            let (left, right) = sums.split_at(HALF);
            for ((product, a), b) in products[half].iter_mut().zip(left).zip(right) {
                *product = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0) * PRODUCT;
            }
        }
    }

    fn backward_rows(
        &self,
        sums: &[f32],
        by_products: &[f32],
        by_material: &[f32],
        gradients: &mut Gradients<'_>,
    ) {
        let (sums, _) = sums.as_chunks::<WIDTH>();
        let (by_products, _) = by_products.as_chunks::<HALF>();
        let (by_weights, _) = gradients.weights.as_chunks_mut::<WIDTH>();
        let (by_psqt, _) = gradients.psqt.as_chunks_mut::<STACKS>();
        for half in self.by_bucket() {
            let (row, sign) = (half / 2, SIGNS[half % 2]);
            let stack = usize::from(self.stacks[row]);
            let by_sums = through_products(&sums[half], &by_products[half]);
            for (gradient, by_sum) in gradients.biases.iter_mut().zip(&by_sums) {
                *gradient += by_sum;
            }
            for &feature in self.half(half) {
                let by_row = &mut by_weights[usize::from(feature)];
                for (gradient, by_sum) in by_row.iter_mut().zip(&by_sums) {
                    *gradient += by_sum;
                }
                by_psqt[usize::from(feature)][stack] += sign * by_material[row];
            }
        }
    }

    /// The sides of all positions, those with the king in the same bucket one after the other: the
    /// rows of one bucket fit into the cache, those of all do not.
    fn by_bucket(&self) -> Vec<usize> {
        let mut halves: Vec<usize> = (0..2 * self.stacks.len()).collect();
        halves.sort_by_key(|&half| usize::from(self.features[half * MOST]) / PLANES);
        halves
    }

    /// The inputs of one side.
    fn half(&self, half: usize) -> &[u16] {
        let features = &self.features[half * MOST..(half + 1) * MOST];
        let end = features.iter().position(|&feature| feature == END).unwrap_or(MOST);
        &features[..end]
    }
}

/// The derivatives by the sums of one side.
fn through_products(sums: &[f32; WIDTH], by_products: &[f32; HALF]) -> [f32; WIDTH] {
    let mut by_sums = [0.0; WIDTH];
    let (left, right) = by_sums.split_at_mut(HALF);
    let open = |sum: f32| if sum > 0.0 && sum < 1.0 { PRODUCT } else { 0.0 };
    for i in 0..HALF {
        let (a, b) = (sums[i], sums[HALF + i]);
        left[i] = by_products[i] * b.clamp(0.0, 1.0) * open(a);
        right[i] = by_products[i] * a.clamp(0.0, 1.0) * open(b);
    }
    by_sums
}

/// The derivatives that one thread finds.
struct Owned {
    weights: Vec<f32>,
    biases: Vec<f32>,
    psqt: Vec<f32>,
}

impl Default for Owned {
    fn default() -> Self {
        Owned {
            weights: vec![0.0; FEATURES * WIDTH],
            biases: vec![0.0; WIDTH],
            psqt: vec![0.0; FEATURES * STACKS],
        }
    }
}

impl Owned {
    fn borrow(&mut self) -> Gradients<'_> {
        Gradients { weights: &mut self.weights, biases: &mut self.biases, psqt: &mut self.psqt }
    }

    fn add_to(&self, gradients: &mut Gradients<'_>) {
        let pairs = [
            (&mut *gradients.weights, &self.weights),
            (&mut *gradients.biases, &self.biases),
            (&mut *gradients.psqt, &self.psqt),
        ];
        for (to, from) in pairs {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        }
    }
}
