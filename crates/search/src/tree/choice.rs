use std::sync::atomic::{AtomicU32, Ordering};

/// A choice among actions, as it is shared between the solver and the expanders: an infoset, or
/// the opponent's choice at the root of a subgame.
///
/// The solver writes the current strategy and the value of each action, and the expanders read
/// them; the expanders write the statistics. Everything is relaxed: a reader may
/// see some actions of one iteration and some of the next, and two expanders may lose a count to
/// each other, which costs nothing but a little noise. The solver reads nothing back.
#[derive(Debug)]
pub struct Choice {
    probabilities: Box<[AtomicU32]>,
    values: Box<[AtomicU32]>,
    visits: AtomicU32,
    stats: Box<[ActionStats]>,
}

/// N(I,a), and the running mean and sum of squared deviations of the values seen at an action.
#[derive(Debug)]
struct ActionStats {
    visits: AtomicU32,
    mean: AtomicU32,
    squares: AtomicU32,
}

/// When the value of an action is a sample for its variance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Samples {
    /// When the action is chosen. σ of an action that is not chosen stays, the exploration term
    /// grows with √N, and every action is tried again and again, as the paper's theorem needs.
    #[default]
    WhenChosen,
    /// Whenever the infoset is visited, the paper's words. The two prior samples are then soon
    /// outnumbered, σ falls like 1/N, and the exploration term goes to zero: an action that was
    /// undervalued at first may never be tried.
    EveryVisit,
}

/// The prior samples −1 and +1 of every action (paper, B.3.3).
const PRIOR_SAMPLES: f32 = 2.0;
/// Their sum of squared deviations from their mean, zero.
const PRIOR_SQUARES: f32 = 2.0;

impl Choice {
    /// A choice with the strategy `strategy(action)` and the action values `values`, never visited.
    pub(crate) fn new(values: &[f32], strategy: impl Fn(usize) -> f32) -> Self {
        let probabilities = (0..values.len()).map(|a| AtomicU32::new(strategy(a).to_bits()));
        let stats = values.iter().map(|_| ActionStats {
            visits: AtomicU32::new(0),
            mean: AtomicU32::new(0f32.to_bits()),
            squares: AtomicU32::new(PRIOR_SQUARES.to_bits()),
        });
        Choice {
            probabilities: probabilities.collect(),
            values: values.iter().map(|value| AtomicU32::new(value.to_bits())).collect(),
            visits: AtomicU32::new(0),
            stats: stats.collect(),
        }
    }

    /// A copy of everything, statistics included.
    pub(crate) fn copy(&self) -> Self {
        let word = |w: &AtomicU32| AtomicU32::new(w.load(Ordering::Relaxed));
        Choice {
            probabilities: self.probabilities.iter().map(word).collect(),
            values: self.values.iter().map(word).collect(),
            visits: word(&self.visits),
            stats: self
                .stats
                .iter()
                .map(|s| ActionStats {
                    visits: word(&s.visits),
                    mean: word(&s.mean),
                    squares: word(&s.squares),
                })
                .collect(),
        }
    }

    /// The number of actions.
    #[inline]
    pub fn actions(&self) -> usize {
        self.values.len()
    }

    /// The current probability of an action.
    #[inline]
    pub fn probability(&self, action: usize) -> f32 {
        f32::from_bits(self.probabilities[action].load(Ordering::Relaxed))
    }

    /// u(x, y | I, a), the first player's value of an action when the solver last saw it.
    #[inline]
    pub fn value(&self, action: usize) -> f32 {
        f32::from_bits(self.values[action].load(Ordering::Relaxed))
    }

    /// N(I), how often expanders came through.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// N(I, a), how often expanders went on with an action.
    #[inline]
    pub fn action_visits(&self, action: usize) -> u32 {
        self.stats[action].visits.load(Ordering::Relaxed)
    }

    /// The empirical variance of the values that expanders saw at an action, the two prior samples
    /// included. It is the same for both players. `samples` must be what the visits were counted
    /// with.
    #[inline]
    pub fn variance(&self, action: usize, samples: Samples) -> f32 {
        let squares = f32::from_bits(self.stats[action].squares.load(Ordering::Relaxed));
        let count = match samples {
            Samples::WhenChosen => self.action_visits(action),
            Samples::EveryVisit => self.visits(),
        };
        squares / (count as f32 + PRIOR_SAMPLES)
    }

    /// Written by the solver alone.
    #[inline]
    pub(crate) fn publish(&self, action: usize, probability: f32, value: f32) {
        self.publish_probability(action, probability);
        self.values[action].store(value.to_bits(), Ordering::Relaxed);
    }

    /// Reads something of every cache line that a publication writes; see the solver's blocks.
    #[inline]
    pub(crate) fn touch(&self) -> u32 {
        let lines = self.values.iter().step_by(16);
        lines.map(|value| value.load(Ordering::Relaxed) & 1).sum()
    }

    /// Written by the solver alone.
    #[inline]
    pub(crate) fn publish_probability(&self, action: usize, probability: f32) {
        self.probabilities[action].store(probability.to_bits(), Ordering::Relaxed);
    }

    /// Written by the solver alone: the values of all actions.
    #[inline]
    pub(crate) fn publish_values(&self, values: impl Iterator<Item = f32>) {
        for (place, value) in self.values.iter().zip(values) {
            place.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Counts a visit that went on with `action`, and takes present values as samples.
    pub(crate) fn visit(&self, action: usize, samples: Samples) {
        let visits = self.visits() + 1;
        let chosen = self.action_visits(action) + 1;
        match samples {
            Samples::WhenChosen => self.sample(action, chosen),
            Samples::EveryVisit => {
                for action in 0..self.actions() {
                    self.sample(action, visits);
                }
            }
        }
        self.stats[action].visits.store(chosen, Ordering::Relaxed);
        self.visits.store(visits, Ordering::Relaxed);
    }

    /// Takes the present value of an action as the sample of this number.
    fn sample(&self, action: usize, number: u32) {
        let stats = &self.stats[action];
        let value = self.value(action);
        let mean = f32::from_bits(stats.mean.load(Ordering::Relaxed));
        let squares = f32::from_bits(stats.squares.load(Ordering::Relaxed));
        let next = mean + (value - mean) / (number as f32 + PRIOR_SAMPLES);
        stats.mean.store(next.to_bits(), Ordering::Relaxed);
        let squares = squares + (value - mean) * (value - next);
        stats.squares.store(squares.to_bits(), Ordering::Relaxed);
    }

    /// Memory held besides the struct, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[AtomicU32]>(&self.probabilities)
            + size_of_val::<[AtomicU32]>(&self.values)
            + size_of_val::<[ActionStats]>(&self.stats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_is_that_of_the_samples_and_the_two_priors() {
        for when in [Samples::WhenChosen, Samples::EveryVisit] {
            let choice = Choice::new(&[0.5, -0.25], |a| if a == 0 { 1.0 } else { 0.0 });
            let mut samples = [vec![-1.0, 1.0], vec![-1.0, 1.0]];
            for i in 0..200 {
                for (a, seen) in samples.iter_mut().enumerate() {
                    let count = seen.len() as f64;
                    let mean = seen.iter().sum::<f64>() / count;
                    let variance = seen.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
                    assert!((f64::from(choice.variance(a, when)) - variance).abs() < 1e-5);
                    let value = ((i * 7 + a * 3) % 11) as f32 / 11.0 - 0.5;
                    choice.publish(a, 0.5, value);
                    if when == Samples::EveryVisit || a == i % 2 {
                        seen.push(f64::from(value));
                    }
                }
                choice.visit(i % 2, when);
            }
            let visits = [choice.action_visits(0), choice.action_visits(1)];
            assert_eq!((choice.visits(), visits), (200, [100, 100]));
        }
    }
}
