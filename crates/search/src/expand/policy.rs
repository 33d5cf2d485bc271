use obscuro_game::{Player, SplitMix64};

use crate::tree::{Choice, Samples};

/// Which player explores, the rest playing their current strategies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exploring {
    /// One player at a time, in turn: one-sided GT-CFR, the paper's.
    #[default]
    OneSided,
    /// Both players always: GT-CFR as first described.
    TwoSided,
}

/// What σ is in the exploration term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// The empirical variance, the paper's word.
    #[default]
    Variance,
    /// Its square root.
    Deviation,
}

/// The numbers of the exploring player's policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploration {
    /// Who explores.
    pub exploring: Exploring,
    /// C of PUCT, in units of the largest payoff.
    pub c: f64,
    /// σ of PUCT.
    pub spread: Spread,
    /// Of which values.
    pub samples: Samples,
}

impl Default for Exploration {
    fn default() -> Self {
        Exploration {
            exploring: Exploring::OneSided,
            c: 1.0,
            spread: Spread::Variance,
            samples: Samples::WhenChosen,
        }
    }
}

/// `x̃_sample` = ½·Max + ½·PUCT (paper, B.3.3): the exploring player's action.
pub(crate) fn explore(
    choice: &Choice,
    player: Player,
    exploration: &Exploration,
    rng: &mut SplitMix64,
) -> usize {
    if rng.next_u64() >> 63 == 0 { max(choice, rng) } else { puct(choice, player, exploration) }
}

/// Uniform over the support of the current strategy.
fn max(choice: &Choice, rng: &mut SplitMix64) -> usize {
    let support = || (0..choice.actions()).filter(|&action| choice.probability(action) > 0.0);
    let size = support().count();
    if size == 0 {
        return rng.below(choice.actions());
    }
    // The solver may have changed the support between the two looks.
    support().nth(rng.below(size)).unwrap_or_else(|| rng.below(choice.actions()))
}

/// The first action with the largest u(I,a) + C·σ(I,a)·√N(I) / (1 + N(I,a)).
fn puct(choice: &Choice, player: Player, exploration: &Exploration) -> usize {
    let sign = player.sign() as f32;
    let scale = exploration.c as f32 * (choice.visits() as f32).sqrt();
    let mut best = (f32::NEG_INFINITY, 0);
    for action in 0..choice.actions() {
        let variance = choice.variance(action, exploration.samples);
        let spread = match exploration.spread {
            Spread::Variance => variance,
            Spread::Deviation => variance.max(0.0).sqrt(),
        };
        let bonus = scale * spread / (1.0 + choice.action_visits(action) as f32);
        let score = sign * choice.value(action) + bonus;
        if score > best.0 {
            best = (score, action);
        }
    }
    best.1
}

/// An action of the current strategy.
pub(crate) fn follow(choice: &Choice, rng: &mut SplitMix64) -> usize {
    let probability = |action| choice.probability(action);
    let total: f32 = (0..choice.actions()).map(probability).sum();
    if total <= 0.0 {
        // Read while the solver moved the whole weight from one action to another.
        return rng.below(choice.actions());
    }
    let scale = 1.0 / f64::from(total);
    rng.weighted((0..choice.actions()).map(|action| f64::from(probability(action)) * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice() -> Choice {
        // Support: actions 0 and 2; the best for player one is 1, for player two 3.
        let strategy = [0.75, 0.0, 0.25, 0.0];
        Choice::new(&[0.1, 0.5, 0.0, -0.9], |action| strategy[action])
    }

    fn counts(mut draw: impl FnMut(&mut SplitMix64) -> usize) -> [u32; 4] {
        let mut rng = SplitMix64::new(1);
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            counts[draw(&mut rng)] += 1;
        }
        counts
    }

    fn near(got: [u32; 4], probabilities: [f64; 4]) {
        for (count, p) in got.into_iter().zip(probabilities) {
            assert!((f64::from(count) / 40_000.0 - p).abs() < 0.015, "{got:?}");
        }
    }

    #[test]
    fn following_draws_the_current_strategy() {
        near(counts(|rng| follow(&choice(), rng)), [0.75, 0.0, 0.25, 0.0]);
    }

    #[test]
    fn exploring_is_half_the_support_and_half_puct() {
        let exploration = Exploration::default();
        let draw = |player| counts(|rng| explore(&choice(), player, &exploration, rng));
        near(draw(Player::One), [0.25, 0.5, 0.25, 0.0]);
        near(draw(Player::Two), [0.25, 0.0, 0.25, 0.5]);
    }

    #[test]
    fn puct_is_the_formula() {
        for (spread, samples) in [
            (Spread::Variance, Samples::WhenChosen),
            (Spread::Deviation, Samples::WhenChosen),
            (Spread::Variance, Samples::EveryVisit),
        ] {
            let exploration = Exploration { c: 0.7, spread, samples, ..Exploration::default() };
            let choice = choice();
            let values = [0.1f64, 0.5, 0.0, -0.9];
            let mut seen = [0; 4];
            for n in 0..300 {
                // Values do not change, so the samples of an action are ±1 and its value k times.
                let score = |a: usize| {
                    let k = if samples == Samples::EveryVisit { n } else { seen[a] };
                    let k = f64::from(k);
                    let mean = k * values[a] / (k + 2.0);
                    let variance = (2.0 + k * values[a].powi(2)) / (k + 2.0) - mean * mean;
                    let sigma = if spread == Spread::Variance { variance } else { variance.sqrt() };
                    -values[a] + 0.7 * sigma * f64::from(n).sqrt() / (1.0 + f64::from(seen[a]))
                };
                let chosen = puct(&choice, Player::Two, &exploration);
                assert!((0..4).all(|a| score(a) <= score(chosen) + 1e-4), "{n}");
                choice.visit(chosen, samples);
                seen[chosen] += 1;
            }
            // See `Samples`: every action is tried, or not.
            let all = seen.iter().all(|&n| n > 0);
            assert_eq!(all, samples == Samples::WhenChosen, "{seen:?}");
        }
    }
}
