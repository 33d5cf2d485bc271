//! The gadgets against a brute-force solution of the paper's objectives.
//!
//! Chance draws J, which ▼ sees and ▲ does not; ▲ chooses a; the game pays u(a, J). With the
//! alternate values v(J) the margins are M(J) = Σ x(a)·u(a, J) − v(J).

use crate::subgame_common::{Board, Explicit, chance, end, one};
use obscuro_game::{Player, SplitMix64};
use obscuro_search::solver::{Averaging, Root, RootPolicy, RootStep, Roots, Solver};
use obscuro_search::subgame::{Gadget, GadgetKind, Prior};

/// Payoffs by J and a.
type Matrix = [[f64; 3]; 4];

fn margins(u: &Matrix, v: &[f64; 4], x: &[f64]) -> [f64; 4] {
    std::array::from_fn(|j| (0..3).map(|a| x[a] * u[j][a]).sum::<f64>() - v[j])
}

fn worst(margins: [f64; 4]) -> f64 {
    margins.into_iter().fold(f64::INFINITY, f64::min)
}

fn resolve(prior: &[f64], margins: [f64; 4]) -> f64 {
    prior.iter().zip(margins).map(|(alpha, margin)| alpha * margin.min(0.0)).sum()
}

/// The largest value of an objective over a grid of strategies.
fn brute_force(objective: impl Fn(&[f64]) -> f64) -> f64 {
    const STEPS: u32 = 200;
    let mut best = f64::NEG_INFINITY;
    for i in 0..=STEPS {
        for j in 0..=STEPS - i {
            let share = |k: u32| f64::from(k) / f64::from(STEPS);
            best = best.max(objective(&[share(i), share(j), share(STEPS - i - j)]));
        }
    }
    best
}

/// The average strategy of ▲ in the subgame with this gadget, and the gadget at the end.
fn solve(u: &Matrix, gadget: Gadget) -> (Vec<f64>, Gadget) {
    let below = |j: usize| one([0, j as u8], u[j].iter().map(|&payoff| end(payoff)).collect());
    let board = Board::new(Explicit(chance((0..4).map(|j| (0.25, below(j))).collect())));
    let root = |j| Root { node: board.id(&[j]), group: j, reach: 1.0 };
    let roots = Roots::new(&board.tree, Player::One, (0..4).map(root).collect()).unwrap();
    let mut solver = Solver::new(Averaging::Quadratic);
    let mut gadget = gadget;
    for _ in 0..20_000 {
        solver.iterate(&board.tree, &roots, &mut gadget);
    }
    let infoset = board.tree.find_infoset(Player::One, board.key(Player::One, &[0])).unwrap();
    (solver.average(infoset).unwrap(), gadget)
}

fn random(rng: &mut SplitMix64, shift: f64) -> (Matrix, [f64; 4]) {
    let mut number = || (rng.below(65) as f64 - 32.0) / 32.0;
    let u = std::array::from_fn(|_| std::array::from_fn(|_| number()));
    // What a strategy reaches, shifted: with a negative shift all margins can be positive, with a
    // positive one not.
    let x = [0.5, 0.25, 0.25];
    (u, margins(&u, &[-shift; 4], &x))
}

#[test]
fn maxmargin_maximises_the_smallest_margin() {
    let mut rng = SplitMix64::new(3);
    for round in 0..12 {
        let (u, v) = random(&mut rng, [-0.1, 0.0, 0.2][round % 3]);
        let gadget = Gadget::new(GadgetKind::Maxmargin, v.to_vec(), vec![0.25; 4]);
        let (x, gadget) = solve(&u, gadget);
        let best = brute_force(|x| worst(margins(&u, &v, x)));
        let found = worst(margins(&u, &v, &x));
        assert!((found - best).abs() < 0.01, "round {round}: {found} against {best}");
        assert!(gadget.p_max() <= 0.0);
    }
}

#[test]
fn resolve_maximises_the_mean_of_the_negative_margins() {
    let mut rng = SplitMix64::new(4);
    for round in 0..12 {
        let (u, v) = random(&mut rng, 0.3);
        let prior = Prior::Mixed.of(&[4.0, 2.0, 1.0, 1.0]);
        assert_eq!(prior, [0.375, 0.25, 0.1875, 0.1875]);
        let gadget = Gadget::new(GadgetKind::Resolve, v.to_vec(), prior.clone());
        let (x, _) = solve(&u, gadget);
        let best = brute_force(|x| resolve(&prior, margins(&u, &v, x)));
        let found = resolve(&prior, margins(&u, &v, &x));
        assert!(found <= best + 0.01 && found > best - 0.01, "round {round}: {found}, {best}");
    }
}

#[test]
fn both_end_in_maxmargin_where_it_is_safe_to_and_in_resolve_where_not() {
    let mut rng = SplitMix64::new(5);
    let (mut safe, mut unsafe_) = (0, 0);
    for round in 0..12 {
        let (u, v) = random(&mut rng, if round % 2 == 0 { -0.2 } else { 0.3 });
        let gadget = Gadget::new(GadgetKind::Both, v.to_vec(), vec![0.25; 4]);
        let (x, gadget) = solve(&u, gadget);
        let maxmargin = brute_force(|x| worst(margins(&u, &v, x)));
        let found = margins(&u, &v, &x);
        if maxmargin > 0.05 {
            safe += 1;
            assert!(gadget.p_max() <= 0.0, "round {round}");
            assert!((worst(found) - maxmargin).abs() < 0.02, "round {round}");
        } else if maxmargin < -0.05 {
            unsafe_ += 1;
            assert!(gadget.p_max() > 0.0, "round {round}");
            let best = brute_force(|x| resolve(&[0.25; 4], margins(&u, &v, x)));
            assert!((resolve(&[0.25; 4], found) - best).abs() < 0.02, "round {round}");
        }
        // The gadget tells the margins of the current strategy, which solves to its own accuracy.
        assert_eq!(gadget.margins().len(), 4);
    }
    assert!(safe >= 3 && unsafe_ >= 3, "{safe} {unsafe_}");
}

#[test]
fn margins_of_zero_are_safe() {
    let mut gadget = Gadget::new(GadgetKind::Both, vec![0.1, 0.3], vec![0.5; 2]);
    let (mut weights, mut scores) = ([0.0; 2], [0.0; 2]);
    gadget.start(&mut weights, &mut scores);
    for iteration in 1..10 {
        // ▼'s values: minus ours, which are the alternate values but for rounding.
        let values = [-0.1, -(0.1 + 0.2)];
        gadget.update(
            RootStep { iteration, values: &values, reaches: &[1.0; 2] },
            &mut weights,
            &mut scores,
        );
        assert!(gadget.p_max() <= 0.0, "{iteration}");
    }
}
