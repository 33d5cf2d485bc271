use super::treeplex::Treeplex;

/// Infosets that are updated side by side: their sums fit into the first-level cache.
const LANES: usize = 64;

/// The part of a regret that regret matching plays.
#[inline]
pub(super) fn positive(regret: f64) -> f64 {
    if regret > 0.0 { regret } else { 0.0 }
}

/// What regret matching has learnt of a treeplex.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    /// One regret per sequence.
    pub(super) regrets: Vec<f64>,
    /// What is played in proportion to where that is not the regrets: empty unless predictive.
    pub(super) predicted: Vec<f64>,
    /// Per infoset, one over the sum of what is played in proportion to; zero if nothing is above
    /// zero, and then all actions are equally likely.
    scales: Vec<f64>,
}

impl Matcher {
    pub(super) fn new(treeplex: &Treeplex, predictive: bool) -> Self {
        let regrets = vec![0.0; treeplex.sequences];
        let predicted = if predictive { regrets.clone() } else { Vec::new() };
        Matcher { regrets, predicted, scales: vec![0.0; treeplex.infosets()] }
    }

    /// The current strategy at an infoset is in proportion to these, where they are above zero.
    pub(super) fn weights(&self) -> &[f64] {
        if self.predicted.is_empty() { &self.regrets } else { &self.predicted }
    }

    /// From the last infosets to the first: turns the gradient into counterfactual values under
    /// the current strategy, hands the value of each infoset up to its parent sequence, and
    /// updates every regret by `update(regret, instantaneous regret)`.
    ///
    /// A predictive matcher plays `[regret + instantaneous regret]⁺` next: it expects the next
    /// instantaneous regret to be this one. The gradient is zero afterwards.
    #[inline]
    pub(super) fn update(
        &mut self,
        treeplex: &Treeplex,
        gradient: &mut [f64],
        update: impl Fn(f64, f64) -> f64,
    ) {
        let predictive = !self.predicted.is_empty();
        for group in treeplex.groups.iter().rev() {
            let (above, gains) = gradient.split_at_mut(group.first_sequence);
            let gains = &mut gains[..group.actions * group.count];
            let regrets = &mut self.regrets[group.sequences()];
            let predicted: &mut [f64] =
                if predictive { &mut self.predicted[group.sequences()] } else { &mut [] };
            let parents = treeplex.parents[group.infosets()].chunks(LANES);
            let scales = self.scales[group.infosets()].chunks_mut(LANES);
            let uniform = 1.0 / group.actions as f64;
            for (chunk, (parents, scales)) in parents.zip(scales).enumerate() {
                let at = |action: usize| {
                    let start = action * group.count + chunk * LANES;
                    start..start + parents.len()
                };
                let played: &[f64] = if predictive { predicted } else { regrets };
                let mut values = [0.0; LANES];
                let mut sums = [0.0; LANES];
                for action in 0..group.actions {
                    let lines = played[at(action)].iter().zip(&gains[at(action)]);
                    for ((&weight, &gain), (value, sum)) in
                        lines.zip(values.iter_mut().zip(&mut sums))
                    {
                        *value += positive(weight) * gain;
                        *sum += gain;
                    }
                }
                for ((value, scale), sum) in values.iter_mut().zip(scales.iter()).zip(&sums) {
                    *value = if *scale == 0.0 { *sum * uniform } else { *value * *scale };
                }
                let mut totals = [0.0; LANES];
                for action in 0..group.actions {
                    let range = at(action);
                    let lines = regrets[range.clone()].iter_mut().zip(&mut gains[range.clone()]);
                    let lines = lines.zip(values.iter().zip(&mut totals));
                    if predictive {
                        for (((regret, gain), (value, total)), next) in
                            lines.zip(&mut predicted[range])
                        {
                            let instantaneous = *gain - value;
                            *regret = update(*regret, instantaneous);
                            *next = positive(*regret + instantaneous);
                            *total += *next;
                            *gain = 0.0;
                        }
                    } else {
                        for ((regret, gain), (value, total)) in lines {
                            *regret = update(*regret, *gain - value);
                            *total += positive(*regret);
                            *gain = 0.0;
                        }
                    }
                }
                for (scale, total) in scales.iter_mut().zip(&totals) {
                    *scale = if *total > f64::MIN_POSITIVE { 1.0 / *total } else { 0.0 };
                }
                for (&parent, value) in parents.iter().zip(&values) {
                    above[parent as usize] += value;
                }
            }
        }
        gradient[0] = 0.0;
    }

    /// From the first infosets to the last: the plan of the current strategy, which is added to
    /// the average with a weight.
    #[inline]
    pub(super) fn realise(
        &self,
        treeplex: &Treeplex,
        plan: &mut [f64],
        average: &mut [f64],
        average_weight: f64,
    ) {
        plan[0] = 1.0;
        average[0] += average_weight;
        let weights = self.weights();
        for group in &treeplex.groups {
            let (above, plan) = plan.split_at_mut(group.first_sequence);
            let plan = &mut plan[..group.actions * group.count];
            let average = &mut average[group.sequences()];
            let weights = &weights[group.sequences()];
            let parents = treeplex.parents[group.infosets()].chunks(LANES);
            let scales = self.scales[group.infosets()].chunks(LANES);
            let uniform = 1.0 / group.actions as f64;
            for (chunk, (parents, scales)) in parents.zip(scales).enumerate() {
                let at = |action: usize| {
                    let start = action * group.count + chunk * LANES;
                    start..start + parents.len()
                };
                // What a weight is multiplied by, and what is added: one of them is zero.
                let mut factors = [0.0; LANES];
                let mut evens = [0.0; LANES];
                for (factor, &parent) in factors.iter_mut().zip(parents) {
                    *factor = above[parent as usize];
                }
                for ((factor, even), &scale) in factors.iter_mut().zip(&mut evens).zip(scales) {
                    *even = if scale == 0.0 { *factor * uniform } else { 0.0 };
                    *factor *= scale;
                }
                for action in 0..group.actions {
                    let lines = weights[at(action)].iter().zip(&mut plan[at(action)]);
                    let lanes = factors.iter().zip(&evens);
                    for (((&weight, reach), (factor, even)), average) in
                        lines.zip(lanes).zip(&mut average[at(action)])
                    {
                        *reach = positive(weight) * factor + even;
                        *average += average_weight * *reach;
                    }
                }
            }
        }
    }
}

/// The plan of a behavioural strategy.
pub(super) fn plan(treeplex: &Treeplex, probabilities: &[f64]) -> Vec<f64> {
    let mut plan = vec![0.0; treeplex.sequences];
    plan[0] = 1.0;
    for group in &treeplex.groups {
        for (lane, &parent) in treeplex.parents[group.infosets()].iter().enumerate() {
            for action in 0..group.actions {
                let sequence = group.sequence(group.first_infoset + lane, action);
                plan[sequence] = plan[parent as usize] * probabilities[sequence];
            }
        }
    }
    plan
}

/// The behavioural strategy of nonnegative weights on sequences: at each infoset in proportion to
/// the weights of its sequences, even where they are all zero.
pub(super) fn behaviour(treeplex: &Treeplex, weights: &[f64]) -> Vec<f64> {
    let mut probabilities = vec![1.0; treeplex.sequences];
    for group in &treeplex.groups {
        for infoset in group.infosets() {
            let total: f64 =
                (0..group.actions).map(|a| positive(weights[group.sequence(infoset, a)])).sum();
            for action in 0..group.actions {
                let sequence = group.sequence(infoset, action);
                probabilities[sequence] = if total > f64::MIN_POSITIVE {
                    positive(weights[sequence]) / total
                } else {
                    1.0 / group.actions as f64
                };
            }
        }
    }
    probabilities
}
