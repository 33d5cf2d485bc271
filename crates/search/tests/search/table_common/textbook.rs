use std::collections::HashMap;
use std::hash::Hash;

use obscuro_game::{Game, InfosetKey, Player, Turn};

/// All that a player did and saw, ply by ply.
pub(crate) type View<G> = Vec<(Option<<G as Game>::Action>, <G as Game>::Observation)>;

/// CFR as it is written in books: recursion over histories, infosets in hash maps by the full
/// sequence of actions and observations.
pub(crate) struct Textbook<'a, G: Game> {
    game: &'a G,
    rule: Rule,
    iteration: u64,
    exponent: i32,
    pub infosets: [HashMap<View<G>, Infoset>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    Cfr,
    CfrPlus,
    Dcfr(f64, f64),
    PcfrPlus,
}

pub(crate) struct Infoset {
    pub key: InfosetKey,
    regrets: Vec<f64>,
    /// The last instantaneous regrets.
    last: Vec<f64>,
    now: Vec<f64>,
    average: Vec<f64>,
    predictive: bool,
    reach: f64,
}

impl Infoset {
    pub(crate) fn current(&self) -> Vec<f64> {
        let guess = |i: usize| if self.predictive { self.last[i] } else { 0.0 };
        normalise((0..self.regrets.len()).map(|i| (self.regrets[i] + guess(i)).max(0.0)).collect())
    }

    pub(crate) fn average(&self) -> Vec<f64> {
        normalise(self.average.clone())
    }
}

fn normalise(weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let count = weights.len() as f64;
    weights.into_iter().map(|w| if sum > 0.0 { w / sum } else { 1.0 / count }).collect()
}

/// A history: its state and what both players know of it.
pub(crate) struct Node<G: Game> {
    state: G::State,
    views: [View<G>; 2],
    keys: [InfosetKey; 2],
}

impl<G: Game> Node<G> {
    pub(crate) fn root(game: &G) -> Self {
        let state = game.root();
        let seen = Player::BOTH.map(|player| game.observe(&state, player));
        let keys = [InfosetKey::root(&seen[0]), InfosetKey::root(&seen[1])];
        Node { views: seen.map(|seen| vec![(None, seen)]), state, keys }
    }

    /// The children with chance's probabilities (1 where a player moves).
    pub(crate) fn children(&self, game: &G) -> Vec<(f64, Node<G>)> {
        let turn = game.turn(&self.state);
        let mut moves = Vec::new();
        if turn == Turn::Chance {
            game.chance(&self.state, &mut moves);
        } else {
            let mut actions = Vec::new();
            game.actions(&self.state, &mut actions);
            moves.extend(actions.into_iter().map(|action| (action, 1.0)));
        }
        let child = |(action, probability)| {
            let state = game.apply(&self.state, action);
            let (mut views, mut keys) = (self.views.clone(), self.keys);
            for player in Player::BOTH {
                let own = (turn == Turn::Player(player)).then_some(action);
                let seen = game.observe(&state, player);
                keys[player.index()] = keys[player.index()].extend(own.as_ref(), &seen);
                views[player.index()].push((own, seen));
            }
            (probability, Node { state, views, keys })
        };
        moves.into_iter().map(child).collect()
    }

    pub(crate) fn turn(&self, game: &G) -> Turn {
        game.turn(&self.state)
    }

    pub(crate) fn payoff(&self, game: &G) -> f64 {
        game.payoff(&self.state)
    }

    pub(crate) fn view(&self, player: Player) -> &View<G> {
        &self.views[player.index()]
    }

    pub(crate) fn key(&self, player: Player) -> InfosetKey {
        self.keys[player.index()]
    }
}

impl<'a, G: Game> Textbook<'a, G>
where
    View<G>: Hash + Eq,
{
    pub(crate) fn new(game: &'a G, rule: Rule) -> Self {
        let exponent = match rule {
            Rule::Cfr => 0,
            Rule::CfrPlus => 1,
            Rule::Dcfr(..) | Rule::PcfrPlus => 2,
        };
        let infosets = [HashMap::new(), HashMap::new()];
        Textbook { game, rule, iteration: 0, exponent, infosets }
    }

    pub(crate) fn iterate(&mut self) {
        self.iteration += 1;
        for player in Player::BOTH {
            self.cfr(player, &Node::root(self.game), 1.0, 1.0);
            self.update(player);
            self.add_to_average(player, &Node::root(self.game), 1.0);
            for infoset in self.infosets[player.index()].values_mut() {
                let weight = (self.iteration as f64).powi(self.exponent) * infoset.reach;
                let current = infoset.current();
                for (sum, probability) in infoset.average.iter_mut().zip(current) {
                    *sum += weight * probability;
                }
            }
        }
    }

    fn infoset(&mut self, player: Player, node: &Node<G>, actions: usize) -> &mut Infoset {
        let predictive = self.rule == Rule::PcfrPlus;
        let zeros = vec![0.0; actions];
        self.infosets[player.index()].entry(node.view(player).clone()).or_insert_with(|| Infoset {
            key: node.key(player),
            regrets: zeros.clone(),
            last: zeros.clone(),
            now: zeros.clone(),
            average: zeros,
            predictive,
            reach: 0.0,
        })
    }

    /// The value of a history for `me`, whose regrets are noted on the way.
    fn cfr(&mut self, me: Player, node: &Node<G>, own: f64, others: f64) -> f64 {
        match node.turn(self.game) {
            Turn::Terminal => me.sign() * node.payoff(self.game),
            Turn::Chance => {
                let children = node.children(self.game);
                children.iter().map(|(p, child)| p * self.cfr(me, child, own, others * p)).sum()
            }
            Turn::Player(mover) => {
                let children = node.children(self.game);
                let strategy = self.infoset(mover, node, children.len()).current();
                let mut values = Vec::new();
                for ((_, child), p) in children.iter().zip(&strategy) {
                    let reach = if mover == me { (own * p, others) } else { (own, others * p) };
                    values.push(self.cfr(me, child, reach.0, reach.1));
                }
                let value = values.iter().zip(&strategy).map(|(v, p)| v * p).sum();
                if mover == me {
                    let infoset = self.infoset(me, node, children.len());
                    for (now, v) in infoset.now.iter_mut().zip(values) {
                        *now += others * (v - value);
                    }
                }
                value
            }
        }
    }

    fn update(&mut self, player: Player) {
        let t = self.iteration as f64;
        for infoset in self.infosets[player.index()].values_mut() {
            let now = std::mem::replace(&mut infoset.now, vec![0.0; infoset.regrets.len()]);
            for (regret, now) in infoset.regrets.iter_mut().zip(&now) {
                *regret += now;
                match self.rule {
                    Rule::Cfr => {}
                    Rule::CfrPlus | Rule::PcfrPlus => *regret = regret.max(0.0),
                    Rule::Dcfr(alpha, _) if *regret > 0.0 => {
                        *regret *= t.powf(alpha) / (t.powf(alpha) + 1.0);
                    }
                    Rule::Dcfr(_, beta) => *regret *= t.powf(beta) / (t.powf(beta) + 1.0),
                }
            }
            infoset.last = now;
        }
    }

    fn add_to_average(&mut self, me: Player, node: &Node<G>, own: f64) {
        let children = node.children(self.game);
        let mut strategy = vec![1.0; children.len()];
        match node.turn(self.game) {
            Turn::Terminal => return,
            Turn::Player(mover) if mover == me => {
                let infoset = self.infoset(me, node, children.len());
                infoset.reach = own;
                strategy = infoset.current();
            }
            _ => {}
        }
        for ((_, child), p) in children.iter().zip(strategy) {
            self.add_to_average(me, child, own * p);
        }
    }
}

/// The first player's value of a history under a behavioural profile.
pub(crate) fn expected_value<G: Game>(
    game: &G,
    node: &Node<G>,
    profile: &impl Fn(Player, &Node<G>, usize) -> Vec<f64>,
) -> f64 {
    let turn = node.turn(game);
    if turn == Turn::Terminal {
        return node.payoff(game);
    }
    let children = node.children(game);
    let strategy = match turn {
        Turn::Player(mover) => profile(mover, node, children.len()),
        _ => vec![1.0; children.len()],
    };
    children
        .iter()
        .zip(strategy)
        .map(|((chance, child), p)| chance * p * expected_value(game, child, profile))
        .sum()
}

/// The most that `me` gets against `profile` with any pure strategy, all of which are tried;
/// `None` if there are more than `limit`.
pub(crate) fn brute_force_best_response<G: Game>(
    game: &G,
    me: Player,
    profile: &impl Fn(Player, &Node<G>, usize) -> Vec<f64>,
    limit: u64,
) -> Option<f64>
where
    View<G>: Hash + Eq,
{
    let mut sizes: Vec<u64> = Vec::new();
    let mut places: HashMap<View<G>, usize> = HashMap::new();
    let mut open = vec![Node::root(game)];
    while let Some(node) = open.pop() {
        if node.turn(game) == Turn::Terminal {
            continue;
        }
        let children = node.children(game);
        if node.turn(game) == Turn::Player(me) && !places.contains_key(node.view(me)) {
            places.insert(node.view(me).clone(), sizes.len());
            sizes.push(children.len() as u64);
        }
        open.extend(children.into_iter().map(|(_, child)| child));
    }
    let count = sizes.iter().try_fold(1u64, |product, size| product.checked_mul(*size))?;
    if count > limit {
        return None;
    }
    let value = |number: u64| {
        let mut number = number;
        let choices: Vec<u64> = sizes
            .iter()
            .map(|size| {
                let choice = number % size;
                number /= size;
                choice
            })
            .collect();
        let mixed = |player: Player, node: &Node<G>, actions: usize| {
            if player != me {
                return profile(player, node, actions);
            }
            let choice = choices[places[node.view(me)]];
            (0..actions as u64).map(|action| f64::from(u8::from(action == choice))).collect()
        };
        me.sign() * expected_value(game, &Node::root(game), &mixed)
    };
    (0..count).map(value).max_by(f64::total_cmp)
}
