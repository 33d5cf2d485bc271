/// A member of the CFR family. Players always update in turn, the first player first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Regret matching (Zinkevich et al. 2007); uniform average.
    Cfr,
    /// Regret matching+, whose regrets never fall below zero (Tammelin 2014); linear average.
    CfrPlus,
    /// Discounted CFR (Brown and Sandholm 2019): after iteration t regrets above zero are
    /// multiplied by `t^alpha / (t^alpha + 1)`, those below by `t^beta / (t^beta + 1)`, and
    /// iteration t has weight `t^gamma` in the average.
    Dcfr {
        /// Exponent for regrets above zero.
        alpha: f64,
        /// Exponent for regrets below zero.
        beta: f64,
        /// Exponent of the average.
        gamma: f64,
    },
    /// Predictive regret matching+ (Farina et al. 2021) with an infoset's last counterfactual
    /// values as the prediction of its next; quadratic average.
    PcfrPlus,
}

impl Algorithm {
    /// Discounted CFR with the exponents that its authors recommend: 1.5, 0 and 2.
    pub const DCFR: Algorithm = Algorithm::Dcfr { alpha: 1.5, beta: 0.0, gamma: 2.0 };

    /// The exponent `p` of the average that is usual for the algorithm: iteration t has weight
    /// `t^p`.
    pub fn average_exponent(self) -> f64 {
        match self {
            Algorithm::Cfr => 0.0,
            Algorithm::CfrPlus => 1.0,
            Algorithm::Dcfr { gamma, .. } => gamma,
            Algorithm::PcfrPlus => 2.0,
        }
    }
}

/// What is left of regrets (above zero, below zero) after iteration `t` of discounted CFR.
pub(super) fn discounts(t: u64, alpha: f64, beta: f64) -> (f64, f64) {
    let t = t as f64;
    let kept = |exponent: f64| {
        let power = t.powf(exponent);
        if power.is_infinite() { 1.0 } else { power / (power + 1.0) }
    };
    (kept(alpha), kept(beta))
}
