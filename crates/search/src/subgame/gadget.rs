use crate::solver::{RootPolicy, RootStep};

/// A gain below this is none.
const ROUNDING: f64 = 1e-12;

/// Which gadget stands at the root of a subgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GadgetKind {
    /// Resolve while the opponent gains by entering somewhere, Maxmargin where our strategy is
    /// safe, and a smooth passage between: the paper's.
    #[default]
    Both,
    /// Resolve alone.
    Resolve,
    /// Maxmargin alone.
    Maxmargin,
}

/// The opponent's choice among the infosets J of J₀, by both gadgets at once over one tree.
///
/// *Resolve*: at every J a minimiser of two actions, to enter, worth u▼(J) + `v_alt(J)`, or to
/// exit, worth nothing. *Maxmargin*: one minimiser over J₀ with the same values. With `p_max` the
/// largest probability to enter, the weight of J is
/// `p_max · α(J) · P(enter at J) + (1 − p_max) · maxmargin(J)`.
///
/// Values are conditional on J: the roots of a group come with reaches that sum to one.
#[derive(Clone, Debug)]
pub struct Gadget {
    kind: GadgetKind,
    /// The alternate value of each J, in the searcher's view.
    alternate: Vec<f64>,
    /// α, the prior of Resolve.
    prior: Vec<f64>,
    /// At each J the probability to enter and the regrets of entering and of exiting.
    resolve: Vec<Matching>,
    maxmargin: Matching,
    p_max: f64,
    /// u▼(J) + `v_alt(J)` of the last iteration: minus the margin.
    gains: Vec<f64>,
}

impl Gadget {
    /// The gadget over groups with these alternate values, in the searcher's view, and this prior.
    pub fn new(kind: GadgetKind, alternate: Vec<f64>, prior: Vec<f64>) -> Self {
        debug_assert_eq!(alternate.len(), prior.len());
        let groups = alternate.len();
        Gadget {
            kind,
            alternate,
            resolve: vec![Matching::new(vec![1.0, 0.0]); groups],
            maxmargin: Matching::new(prior.clone()),
            prior,
            p_max: 1.0,
            gains: vec![0.0; groups],
        }
    }

    /// The largest probability with which the opponent enters in Resolve. Zero means that our
    /// strategy is safe: no J is worth more to the opponent than its alternate value.
    pub fn p_max(&self) -> f64 {
        match self.kind {
            GadgetKind::Maxmargin => 0.0,
            GadgetKind::Both | GadgetKind::Resolve => self.p_max,
        }
    }

    /// The margin of each J in the last iteration: u▲(J) − `v_alt(J)`.
    pub fn margins(&self) -> Vec<f64> {
        self.gains.iter().map(|gain| -gain).collect()
    }

    /// The alternate values, in the searcher's view.
    pub fn alternate_values(&self) -> &[f64] {
        &self.alternate
    }

    /// α.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    fn write(&mut self, weights: &mut [f64]) {
        self.p_max = self.resolve.iter().map(|m| m.strategy[0]).fold(0.0, f64::max);
        let share = match self.kind {
            GadgetKind::Both => self.p_max,
            GadgetKind::Resolve => 1.0,
            GadgetKind::Maxmargin => 0.0,
        };
        for (group, weight) in weights.iter_mut().enumerate() {
            let enter = self.resolve[group].strategy[0];
            let margin = self.maxmargin.strategy[group];
            *weight = share * self.prior[group] * enter + (1.0 - share) * margin;
        }
    }
}

impl RootPolicy for Gadget {
    fn start(&mut self, weights: &mut [f64], _scores: &mut [f64]) {
        self.write(weights);
    }

    fn update(&mut self, step: RootStep<'_>, weights: &mut [f64], scores: &mut [f64]) {
        for (group, score) in scores.iter_mut().enumerate() {
            let value = step.values[group] / step.reaches[group];
            let gain = value + self.alternate[group];
            // Regret matching does not know large from small: a margin that is zero but for
            // rounding must not make the opponent enter.
            let gain = if gain.abs() > ROUNDING { gain } else { 0.0 };
            self.gains[group] = gain;
            let resolve = &mut self.resolve[group];
            resolve.step(&[gain, 0.0]);
            if gain <= 0.0 && resolve.regrets == [0.0, 0.0] {
                // Nothing to gain, now and ever: safe.
                resolve.strategy = vec![0.0, 1.0];
            }
            // Two values in [-1, +1] were added, the second of which a gift may have lowered.
            *score = (gain / 2.0).max(-1.0);
        }
        self.maxmargin.step(&self.gains);
        self.write(weights);
    }
}

/// Predictive regret matching plus over a few actions, the last utilities being the prediction.
#[derive(Clone, Debug)]
struct Matching {
    strategy: Vec<f64>,
    regrets: Vec<f64>,
}

impl Matching {
    fn new(strategy: Vec<f64>) -> Self {
        let regrets = vec![0.0; strategy.len()];
        Matching { strategy, regrets }
    }

    /// One step; where no regret is positive the strategy stays.
    fn step(&mut self, utilities: &[f64]) {
        let expected: f64 = self.strategy.iter().zip(utilities).map(|(p, u)| p * u).sum();
        for (regret, utility) in self.regrets.iter_mut().zip(utilities) {
            *regret = (*regret + utility - expected).max(0.0);
        }
        let predicted = |(regret, utility): (&f64, &f64)| (regret + utility - expected).max(0.0);
        let total: f64 = self.regrets.iter().zip(utilities).map(predicted).sum();
        if total > 0.0 {
            let next = self.regrets.iter().zip(utilities).map(|pair| predicted(pair) / total);
            self.strategy = next.collect();
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::*;

    /// Lets the opponent's groups be worth fixed values, and gives the weights after a while.
    fn weights(
        kind: GadgetKind,
        values: &[f64],
        alternate: &[f64],
        prior: &[f64],
    ) -> (Vec<f64>, f64) {
        let mut gadget = Gadget::new(kind, alternate.to_vec(), prior.to_vec());
        let n = values.len();
        let (mut weights, mut scores) = (vec![0.0; n], vec![0.0; n]);
        gadget.start(&mut weights, &mut scores);
        for iteration in 1..200 {
            let step = RootStep { iteration, values, reaches: &vec![1.0; n] };
            gadget.update(step, &mut weights, &mut scores);
        }
        assert_eq!(gadget.margins(), (0..n).map(|i| -values[i] - alternate[i]).collect::<Vec<_>>());
        (weights, gadget.p_max())
    }

    #[test]
    fn a_safe_strategy_leaves_resolve_and_the_worst_margin_is_chosen() {
        // Margins +0.3 and +0.1: in the opponent's view the groups are worth -0.5 and -0.2.
        let (weights, p_max) = weights(GadgetKind::Both, &[-0.5, -0.2], &[0.2, 0.1], &[0.5, 0.5]);
        assert_eq!(p_max, 0.0);
        assert_eq!(weights, [0.0, 1.0]);
    }

    #[test]
    fn an_unsafe_strategy_is_resolved_with_the_prior() {
        // Margins -0.1, +0.3 and -0.4: the opponent enters at the first and at the last.
        let (values, alternate) = ([0.1, -0.5, 0.6], [0.0, 0.2, -0.2]);
        let prior = [0.25, 0.25, 0.5];
        let (both, p_max) = weights(GadgetKind::Both, &values, &alternate, &prior);
        assert_eq!(p_max, 1.0);
        assert_eq!(both, [0.25, 0.0, 0.5]);
        let (resolve, _) = weights(GadgetKind::Resolve, &values, &alternate, &prior);
        assert_eq!(resolve, both);
        let (maxmargin, p_max) = weights(GadgetKind::Maxmargin, &values, &alternate, &prior);
        assert_eq!((maxmargin, p_max), (vec![0.0, 0.0, 1.0], 0.0));
    }

    #[test]
    fn the_passage_between_the_gadgets_is_smooth() {
        let mut gadget = Gadget::new(GadgetKind::Both, vec![0.0; 2], vec![0.5; 2]);
        gadget.resolve[0].strategy = vec![0.25, 0.75];
        gadget.resolve[1].strategy = vec![0.1, 0.9];
        gadget.maxmargin.strategy = vec![0.2, 0.8];
        let mut weights = vec![0.0; 2];
        gadget.write(&mut weights);
        let expected = [0.25 * 0.5 * 0.25 + 0.75 * 0.2, 0.25 * 0.5 * 0.1 + 0.75 * 0.8];
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((weight - expected).abs() < 1e-15);
        }
    }
}
