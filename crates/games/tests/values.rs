//! The values of the small games lie between what either side can force, by a CFR+ that is written
//! for this test alone, and agree with the linear programs solved on `OpenSpiel`'s trees.

use std::collections::HashMap;

use obscuro_game::{Game, InfosetKey, Player, Turn};
use obscuro_games::{GameVisitor, load};
use serde_json::Value;

enum Node {
    Leaf(f64),
    Chance(Vec<(usize, f64)>),
    Decision { player: usize, infoset: usize, children: Vec<usize> },
}

/// An infoset with its strategy in this iteration, regrets and the sum of strategies.
#[derive(Clone)]
struct Infoset {
    strategy: Vec<f64>,
    regrets: Vec<f64>,
    sums: Vec<f64>,
}

impl Infoset {
    fn normalised(weights: &[f64]) -> Vec<f64> {
        let sum: f64 = weights.iter().sum();
        let uniform = 1.0 / weights.len() as f64;
        weights.iter().map(|w| if sum > 0.0 { w / sum } else { uniform }).collect()
    }
}

/// A whole tree; children come after their parent.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    infosets: [Vec<Infoset>; 2],
    keys: [HashMap<InfosetKey, usize>; 2],
}

impl Tree {
    fn add<G: Game>(&mut self, game: &G, state: &G::State, keys: [InfosetKey; 2]) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node::Leaf(0.0));
        let child = |tree: &mut Tree, action, mover| {
            let child = game.apply(state, action);
            let keys = Player::BOTH.map(|player| {
                let own = (mover == Some(player)).then_some(action);
                game.infoset(keys[player.index()], own, &game.observe(&child, player))
            });
            tree.add(game, &child, keys)
        };
        let node = match game.turn(state) {
            Turn::Terminal => Node::Leaf(game.payoff(state)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(state, &mut outcomes);
                Node::Chance(outcomes.iter().map(|o| (child(self, o.0, None), o.1)).collect())
            }
            Turn::Player(mover) => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                let player = mover.index();
                let fresh = self.infosets[player].len();
                let infoset = *self.keys[player].entry(keys[player]).or_insert(fresh);
                if infoset == fresh {
                    let zeros = vec![0.0; actions.len()];
                    let strategy = Infoset::normalised(&zeros);
                    let new = Infoset { strategy, regrets: zeros.clone(), sums: zeros };
                    self.infosets[player].push(new);
                }
                let children =
                    actions.iter().map(|&action| child(self, action, Some(mover))).collect();
                Node::Decision { player, infoset, children }
            }
        };
        self.nodes[at] = node;
        at
    }

    /// One CFR+ update of `me`; the value below `at` for the first player.
    fn update(&mut self, at: usize, me: usize, reach: [f64; 2], weight: f64) -> f64 {
        let node = std::mem::replace(&mut self.nodes[at], Node::Leaf(0.0));
        let value = match &node {
            Node::Leaf(payoff) => *payoff,
            Node::Chance(outcomes) => outcomes
                .iter()
                .map(|&(child, p)| {
                    let mut below = reach;
                    below[1 - me] *= p;
                    p * self.update(child, me, below, weight)
                })
                .sum(),
            Node::Decision { player, infoset, children } => {
                let strategy = self.infosets[*player][*infoset].strategy.clone();
                let values: Vec<f64> = (children.iter().zip(&strategy))
                    .map(|(&child, p)| {
                        let mut below = reach;
                        below[*player] *= p;
                        self.update(child, me, below, weight)
                    })
                    .collect();
                let mean: f64 = values.iter().zip(&strategy).map(|(v, p)| v * p).sum();
                if *player == me {
                    let sign = if me == 0 { 1.0 } else { -1.0 };
                    let known = &mut self.infosets[me][*infoset];
                    for (action, value) in values.iter().enumerate() {
                        known.regrets[action] += sign * reach[1 - me] * (value - mean);
                        known.sums[action] += weight * reach[me] * strategy[action];
                    }
                }
                mean
            }
        };
        self.nodes[at] = node;
        value
    }

    /// What `me` gets (first player's value) by the best response to the average of the other.
    fn best_response(&self, me: usize) -> f64 {
        let sign = if me == 0 { 1.0 } else { -1.0 };
        let mut reach = vec![1.0; self.nodes.len()];
        let average = |player: usize, infoset: usize| {
            Infoset::normalised(&self.infosets[player][infoset].sums)
        };
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.infosets[me].len()];
        for (at, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Leaf(_) => {}
                Node::Chance(outcomes) => {
                    for &(child, p) in outcomes {
                        reach[child] = reach[at] * p;
                    }
                }
                Node::Decision { player, infoset, children } if *player == me => {
                    members[*infoset].push(at);
                    for &child in children {
                        reach[child] = reach[at];
                    }
                }
                Node::Decision { player, infoset, children } => {
                    let strategy = average(*player, *infoset);
                    for (&child, p) in children.iter().zip(strategy) {
                        reach[child] = reach[at] * p;
                    }
                }
            }
        }
        // Values weighted by reach: an infoset's best action depends on infosets further down only.
        let mut best: Vec<Option<usize>> = vec![None; members.len()];
        self.respond(0, me, sign, &reach, &members, &mut best)
    }

    fn respond(
        &self,
        at: usize,
        me: usize,
        sign: f64,
        reach: &[f64],
        members: &[Vec<usize>],
        best: &mut [Option<usize>],
    ) -> f64 {
        match &self.nodes[at] {
            Node::Leaf(payoff) => reach[at] * payoff,
            Node::Chance(outcomes) => {
                outcomes.iter().map(|o| self.respond(o.0, me, sign, reach, members, best)).sum()
            }
            Node::Decision { player, infoset, children } if *player == me => {
                if best[*infoset].is_none() {
                    let mut values = vec![0.0; children.len()];
                    for &member in &members[*infoset] {
                        let Node::Decision { children, .. } = &self.nodes[member] else { continue };
                        for (value, &child) in values.iter_mut().zip(children) {
                            *value += sign * self.respond(child, me, sign, reach, members, best);
                        }
                    }
                    let top = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
                    best[*infoset] = top;
                }
                let action = best[*infoset].expect("every infoset has actions");
                self.respond(children[action], me, sign, reach, members, best)
            }
            Node::Decision { children, .. } => {
                children.iter().map(|&c| self.respond(c, me, sign, reach, members, best)).sum()
            }
        }
    }
}

/// What the second and the first player's average strategies hold the first player to.
struct Bounds(u32);

impl GameVisitor for Bounds {
    type Output = [f64; 2];

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> [f64; 2] {
        let mut tree = Tree::default();
        let root = game.root();
        let keys = Player::BOTH.map(|player| InfosetKey::root(&game.observe(&root, player)));
        tree.add(game, &root, keys);
        for iteration in 1..=self.0 {
            for me in 0..2 {
                tree.update(0, me, [1.0; 2], f64::from(iteration));
                for known in &mut tree.infosets[me] {
                    known.regrets.iter_mut().for_each(|r| *r = r.max(0.0));
                    known.strategy = Infoset::normalised(&known.regrets);
                }
            }
        }
        [tree.best_response(1), tree.best_response(0)]
    }
}

#[test]
fn values_are_those_of_the_linear_programs() {
    let golden: Value = serde_json::from_str(include_str!("golden/openspiel.json")).expect("JSON");
    let mut solved = 0;
    for (name, game) in golden["games"].as_object().expect("games by name") {
        let Some(value) = game["value"].as_f64() else { continue };
        let [low, high] = load(name).expect(name).visit(Bounds(1000));
        assert!(low - 1e-9 <= value && value <= high + 1e-9, "{name}: {low} {value} {high}");
        assert!(high - low < 0.005, "{name}: {low} {high}");
        solved += 1;
    }
    assert!(solved >= 12, "{solved}");
}

#[test]
fn published_values() {
    let golden: Value = serde_json::from_str(include_str!("golden/openspiel.json")).expect("JSON");
    let value = |name: &str| golden["games"][name]["value"].as_f64().expect("a value");
    assert!((value("kuhn_poker") + 1.0 / 18.0).abs() < 1e-9);
    assert!((value("leduc_poker") + 0.085_606_424).abs() < 1e-8);
}
