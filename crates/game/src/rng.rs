/// A small random generator (`SplitMix64`) that gives the same numbers everywhere: for playouts and
/// tests, not for secrets.
///
/// ```
/// use obscuro_game::SplitMix64;
/// let (mut a, mut b) = (SplitMix64::new(7), SplitMix64::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index below `n`, which is not zero; the bias is below 2⁻⁶⁴·n.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// An index drawn with these weights, which sum to one or nearly so.
    pub fn weighted(&mut self, weights: impl ExactSizeIterator<Item = f64>) -> usize {
        let mut left = self.unit();
        let mut last = 0;
        for (i, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = i;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_are_the_published_ones() {
        let mut rng = SplitMix64::new(1234567);
        assert_eq!(rng.next_u64(), 6457827717110365317);
        assert_eq!(rng.next_u64(), 3203168211198807973);
    }

    #[test]
    fn weighted_follows_the_weights_and_skips_zero() {
        let mut rng = SplitMix64::new(3);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[rng.weighted([0.25, 0.0, 0.75, 0.0].into_iter())] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!((2300..2700).contains(&counts[0]), "{counts:?}");
    }
}
