//! Predictive regret matching plus, on the slices of one infoset.

/// What the counterfactual values may be off by, relative to the largest of an infoset.
const ROUNDING: f64 = 1e-14;

/// An action of the support of a current strategy. Supports are small: most actions of a large
/// infoset are not played, and a pass reads no more than this.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Played {
    pub(crate) probability: f64,
    pub(crate) action: u32,
}

/// Σ of the values of the actions, weighted by a strategy.
#[inline]
fn expected(support: &[Played], values: &[f64]) -> f64 {
    support.iter().map(|played| played.probability * values[played.action as usize]).sum()
}

/// One step of predictive regret matching plus. Gives the size of the new support.
///
/// `strategy` has room for every action, of which the first `support` are in use. `values` are the
/// counterfactual values of the actions, the first player's; `sign` makes them the acting
/// player's. The prediction of the next values is these values, so the predicted regret is the
/// regret just seen, and nothing need be kept for it: with r the regret, z ← [z + r]⁺ and
/// x ∝ [z + r]⁺.
///
/// If that is zero everywhere, theory allows any strategy. No action was better than what was
/// played, so x stays: it is a best response to the values, as the first strategy on the best
/// child is. A uniform strategy would throw that away.
///
/// Regrets within the rounding of the values count as zero: where two actions are worth exactly
/// the same, the last bit of a sum would otherwise become a whole strategy.
#[inline]
pub(crate) fn predictive_step(
    strategy: &mut [Played],
    support: usize,
    regrets: &mut [f64],
    values: &[f64],
    sign: f64,
) -> usize {
    let value = expected(&strategy[..support], values);
    let largest = values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
    let rounding = ROUNDING * largest;
    let regret_of = |v: f64| {
        let regret = sign * (v - value);
        if regret.abs() > rounding { regret } else { 0.0 }
    };
    // Four strands, so that it runs in vector registers.
    let mut sums = [0.0; 4];
    let body = regrets.len() / 4 * 4;
    let (regrets_4, regrets_rest) = regrets.split_at_mut(body);
    let (values_4, values_rest) = values.split_at(body);
    for (z, v) in regrets_4.chunks_exact_mut(4).zip(values_4.chunks_exact(4)) {
        for i in 0..4 {
            let regret = regret_of(v[i]);
            z[i] = (z[i] + regret).max(0.0);
            sums[i] += (z[i] + regret).max(0.0);
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (z, &v) in regrets_rest.iter_mut().zip(values_rest) {
        let regret = regret_of(v);
        *z = (*z + regret).max(0.0);
        sum += (*z + regret).max(0.0);
    }
    if sum <= 0.0 {
        return support;
    }
    let scale = 1.0 / sum;
    let mut support = 0;
    for (group, (regrets, values)) in regrets.chunks(64).zip(values.chunks(64)).enumerate() {
        // Who is played cannot be foreseen: a bit for each action costs less than a branch.
        let mut played = 0u64;
        for (i, (z, &v)) in regrets.iter().zip(values).enumerate() {
            played |= u64::from(z + regret_of(v) > 0.0) << i;
        }
        while played != 0 {
            let i = played.trailing_zeros() as usize;
            played &= played - 1;
            let probability = (regrets[i] + regret_of(values[i])) * scale;
            strategy[support] = Played { probability, action: (64 * group + i) as u32 };
            support += 1;
        }
    }
    support
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::*;
    use obscuro_game::SplitMix64;

    /// The definition, one line a formula, with the prediction kept and subtracted as in the
    /// paper of PCFR+.
    fn textbook(x: &[f64], z: &[f64], utilities: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = x.len();
        let expected: f64 = (0..n).map(|a| x[a] * utilities[a]).sum();
        let next: Vec<f64> =
            (0..n).map(|a| f64::max(z[a] + utilities[a] - expected, 0.0)).collect();
        let prediction = utilities;
        let predicted: f64 = (0..n).map(|a| x[a] * prediction[a]).sum();
        let theta: Vec<f64> =
            (0..n).map(|a| f64::max(next[a] + prediction[a] - predicted, 0.0)).collect();
        let norm: f64 = theta.iter().sum();
        let x = if norm > 0.0 { theta.iter().map(|t| t / norm).collect() } else { x.to_vec() };
        (x, next)
    }

    /// The step on a strategy written out.
    fn step(x: &mut [f64], z: &mut [f64], values: &[f64], sign: f64) -> usize {
        let mut strategy: Vec<Played> = (0..x.len())
            .filter(|&a| x[a] > 0.0)
            .map(|a| Played { probability: x[a], action: a as u32 })
            .collect();
        let support = strategy.len();
        strategy.resize(x.len(), Played::default());
        let support = predictive_step(&mut strategy, support, z, values, sign);
        x.fill(0.0);
        for played in &strategy[..support] {
            x[played.action as usize] = played.probability;
        }
        support
    }

    #[test]
    fn equals_the_textbook_for_any_number_of_actions() {
        let mut rng = SplitMix64::new(5);
        for n in 1..70 {
            let mut x = vec![0.0; n];
            x[rng.below(n)] = 1.0;
            let mut z = vec![0.0; n];
            let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
            for _ in 0..50 {
                let values: Vec<f64> = (0..n).map(|_| rng.unit() - 0.5).collect();
                let utilities: Vec<f64> = values.iter().map(|v| v * sign).collect();
                let (x_want, z_want) = textbook(&x, &z, &utilities);
                let support = step(&mut x, &mut z, &values, sign);
                assert_eq!(support, x_want.iter().filter(|p| **p > 0.0).count());
                for a in 0..n {
                    assert!((x[a] - x_want[a]).abs() < 1e-12 && (z[a] - z_want[a]).abs() < 1e-12);
                }
                (x, z) = (x_want, z_want);
            }
        }
    }

    #[test]
    fn a_best_response_stays() {
        let (mut x, mut z) = ([0.0, 1.0, 0.0], [0.0; 3]);
        step(&mut x, &mut z, &[-0.5, 0.25, 0.125], 1.0);
        assert_eq!((x, z), ([0.0, 1.0, 0.0], [0.0; 3]));
        step(&mut x, &mut z, &[-0.5, 0.25, 0.125], -1.0);
        assert_eq!(z, [0.75, 0.0, 0.125]);
    }

    #[test]
    fn the_last_bit_of_a_tie_changes_nothing() {
        let tied = 0.1 + 0.2;
        for values in [[0.008, 0.3, tied], [0.008, tied, 0.3]] {
            let (mut x, mut z) = ([0.0, 1.0, 0.0], [0.0; 3]);
            step(&mut x, &mut z, &values, 1.0);
            assert_eq!((x, z), ([0.0, 1.0, 0.0], [0.0; 3]));
        }
        // A small regret that is no rounding counts.
        let (mut x, mut z) = ([0.0, 1.0, 0.0], [0.0; 3]);
        step(&mut x, &mut z, &[0.0, 0.3, 0.3 + 1e-12], 1.0);
        assert_eq!(x, [0.0, 0.0, 1.0]);
    }
}
