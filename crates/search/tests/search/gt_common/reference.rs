use std::collections::HashMap;

use obscuro_game::{Game, InfosetKey, Player, Turn};

/// A strategy profile: for every infoset the probabilities of its actions.
pub(crate) type Profile = Vec<Vec<f64>>;

/// A node of a game written out in full.
pub(crate) enum Node {
    Terminal(f64),
    Chance(Vec<(f64, usize)>),
    Player { player: Player, infoset: usize, children: Vec<usize> },
}

pub(crate) struct Infoset {
    pub(crate) player: Player,
    pub(crate) key: InfosetKey,
    pub(crate) actions: usize,
    pub(crate) nodes: Vec<usize>,
}

/// A game written out in full. Infosets are told apart by the sequences themselves; the hashed
/// key is kept to find them in a tree.
pub(crate) struct Full {
    pub(crate) nodes: Vec<Node>,
    pub(crate) infosets: Vec<Infoset>,
}

type Sequence<G> = Vec<(Option<<G as Game>::Action>, <G as Game>::Observation)>;

struct Builder<'a, G: Game> {
    game: &'a G,
    full: Full,
    known: HashMap<(Player, Sequence<G>), usize>,
}

impl<G: Game> Builder<'_, G> {
    fn add(&mut self, state: &G::State, seen: &[Sequence<G>; 2], keys: [InfosetKey; 2]) -> usize {
        let game = self.game;
        let id = self.full.nodes.len();
        self.full.nodes.push(Node::Terminal(0.0));
        let node = match game.turn(state) {
            // As the tree stores it.
            Turn::Terminal => {
                Node::Terminal(f64::from((game.payoff(state) / game.max_payoff()) as f32))
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(state, &mut outcomes);
                let child = |(action, p)| (p, self.below(state, seen, keys, None, action));
                Node::Chance(outcomes.into_iter().map(child).collect())
            }
            Turn::Player(player) => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                let place = (player, seen[player.index()].clone());
                let infoset = *self.known.entry(place).or_insert(self.full.infosets.len());
                if infoset == self.full.infosets.len() {
                    let key = keys[player.index()];
                    let (actions, nodes) = (actions.len(), Vec::new());
                    self.full.infosets.push(Infoset { player, key, actions, nodes });
                }
                self.full.infosets[infoset].nodes.push(id);
                let child = |action| self.below(state, seen, keys, Some(player), action);
                Node::Player { player, infoset, children: actions.into_iter().map(child).collect() }
            }
        };
        self.full.nodes[id] = node;
        id
    }

    fn below(
        &mut self,
        state: &G::State,
        seen: &[Sequence<G>; 2],
        keys: [InfosetKey; 2],
        mover: Option<Player>,
        action: G::Action,
    ) -> usize {
        let child = self.game.apply(state, action);
        let mut seen = seen.clone();
        let mut keys = keys;
        for player in Player::BOTH {
            let own = (mover == Some(player)).then_some(action);
            let observation = self.game.observe(&child, player);
            keys[player.index()] = keys[player.index()].extend(own.as_ref(), &observation);
            seen[player.index()].push((own, observation));
        }
        self.add(&child, &seen, keys)
    }
}

impl Full {
    pub(crate) fn new<G: Game>(game: &G) -> Full {
        let full = Full { nodes: Vec::new(), infosets: Vec::new() };
        let mut builder = Builder { game, full, known: HashMap::new() };
        let root = game.root();
        let first = Player::BOTH.map(|player| game.observe(&root, player));
        let keys = [InfosetKey::root(&first[0]), InfosetKey::root(&first[1])];
        builder.add(&root, &first.map(|observation| vec![(None, observation)]), keys);
        builder.full
    }

    pub(crate) fn uniform(&self) -> Profile {
        self.infosets.iter().map(|i| vec![1.0 / i.actions as f64; i.actions]).collect()
    }

    /// The first player's expected value of a node.
    pub(crate) fn value(&self, profile: &Profile, node: usize) -> f64 {
        match &self.nodes[node] {
            Node::Terminal(payoff) => *payoff,
            Node::Chance(children) => {
                children.iter().map(|&(p, c)| p * self.value(profile, c)).sum()
            }
            Node::Player { infoset, children, .. } => (0..children.len())
                .map(|a| profile[*infoset][a] * self.value(profile, children[a]))
                .sum(),
        }
    }

    /// For every node the probability that all but `player` play to it.
    fn others_reach(&self, profile: &Profile, player: Player) -> Vec<f64> {
        let mut reach = vec![0.0; self.nodes.len()];
        reach[0] = 1.0;
        // Children come after their parents.
        for node in 0..self.nodes.len() {
            match &self.nodes[node] {
                Node::Terminal(_) => {}
                Node::Chance(children) => {
                    for &(p, child) in children {
                        reach[child] = reach[node] * p;
                    }
                }
                Node::Player { player: mover, infoset, children } => {
                    for (a, &child) in children.iter().enumerate() {
                        let p = if *mover == player { 1.0 } else { profile[*infoset][a] };
                        reach[child] = reach[node] * p;
                    }
                }
            }
        }
        reach
    }

    /// For every infoset of `player` their own probability of playing to it.
    fn own_reach(&self, profile: &Profile, player: Player) -> Vec<f64> {
        let mut reach = vec![1.0; self.nodes.len()];
        let mut own = vec![0.0; self.infosets.len()];
        for node in 0..self.nodes.len() {
            match &self.nodes[node] {
                Node::Terminal(_) => {}
                Node::Chance(children) => {
                    for &(_, child) in children {
                        reach[child] = reach[node];
                    }
                }
                Node::Player { player: mover, infoset, children } => {
                    if *mover == player {
                        own[*infoset] = reach[node];
                    }
                    for (a, &child) in children.iter().enumerate() {
                        let p = if *mover == player { profile[*infoset][a] } else { 1.0 };
                        reach[child] = reach[node] * p;
                    }
                }
            }
        }
        own
    }

    /// The value, to `player` and in their view, of the best response to the other's strategy.
    pub(crate) fn best_response(&self, profile: &Profile, player: Player) -> f64 {
        let reach = self.others_reach(profile, player);
        let mut chosen = vec![None; self.infosets.len()];
        self.response(&reach, &mut chosen, player, 0)
    }

    /// Counterfactual value of a node to the responder, actions chosen once for each infoset.
    fn response(
        &self,
        reach: &[f64],
        chosen: &mut Vec<Option<usize>>,
        player: Player,
        node: usize,
    ) -> f64 {
        match &self.nodes[node] {
            Node::Terminal(payoff) => player.sign() * reach[node] * payoff,
            Node::Chance(children) => {
                children.iter().map(|c| self.response(reach, chosen, player, c.1)).sum()
            }
            Node::Player { player: mover, infoset, children } if *mover == player => {
                let action = chosen[*infoset].unwrap_or_else(|| {
                    let total = |a: usize, chosen: &mut Vec<Option<usize>>| -> f64 {
                        let nodes = &self.infosets[*infoset].nodes;
                        let child = |n: &usize| match &self.nodes[*n] {
                            Node::Player { children, .. } => children[a],
                            _ => unreachable!("an infoset holds nodes of its player"),
                        };
                        nodes.iter().map(|n| self.response(reach, chosen, player, child(n))).sum()
                    };
                    let values: Vec<f64> = (0..children.len()).map(|a| total(a, chosen)).collect();
                    (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap()
                });
                chosen[*infoset] = Some(action);
                self.response(reach, chosen, player, children[action])
            }
            Node::Player { children, .. } => {
                children.iter().map(|&c| self.response(reach, chosen, player, c)).sum()
            }
        }
    }

    /// What the player who gains more can gain by deviating, in units of the largest payoff.
    pub(crate) fn exploitability(&self, profile: &Profile) -> f64 {
        let value = self.value(profile, 0);
        let gain = |player: Player| self.best_response(profile, player) - player.sign() * value;
        gain(Player::One).max(gain(Player::Two))
    }
}

/// PCFR+ as it is in the books: alternating, no pruning, everything recomputed from the strategy.
/// Where the books leave a choice it is the solver's: an infoset that nobody reaches is left alone,
/// a strategy without positive regret stays, and a regret within rounding is none.
pub(crate) struct Textbook {
    pub(crate) profile: Profile,
    pub(crate) regrets: Profile,
    pub(crate) sums: Profile,
    iteration: u32,
}

impl Textbook {
    pub(crate) fn new(start: Profile) -> Self {
        let zeros: Profile = start.iter().map(|x| vec![0.0; x.len()]).collect();
        Textbook { regrets: zeros.clone(), sums: zeros, profile: start, iteration: 0 }
    }

    /// Updates both players; averages are linear, in sequence form.
    pub(crate) fn iterate(&mut self, full: &Full) {
        self.iteration += 1;
        for player in Player::BOTH {
            let other = player.other();
            let own = full.own_reach(&self.profile, other);
            for (i, infoset) in full.infosets.iter().enumerate() {
                if infoset.player == other {
                    for (sum, x) in self.sums[i].iter_mut().zip(&self.profile[i]) {
                        *sum += f64::from(self.iteration) * own[i] * x;
                    }
                }
            }
            let reach = full.others_reach(&self.profile, player);
            let before = self.profile.clone();
            for (i, infoset) in full.infosets.iter().enumerate() {
                if infoset.player != player || infoset.nodes.iter().all(|&n| reach[n] == 0.0) {
                    continue;
                }
                let mut utilities = vec![0.0; infoset.actions];
                for &node in &infoset.nodes {
                    let Node::Player { children, .. } = &full.nodes[node] else { continue };
                    for (utility, &child) in utilities.iter_mut().zip(children) {
                        *utility += player.sign() * reach[node] * full.value(&before, child);
                    }
                }
                let expected: f64 = utilities.iter().zip(&before[i]).map(|(u, x)| u * x).sum();
                let rounding = 1e-14 * utilities.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                let predicted: Vec<f64> = (0..infoset.actions)
                    .map(|a| {
                        let regret = utilities[a] - expected;
                        let regret = if regret.abs() > rounding { regret } else { 0.0 };
                        self.regrets[i][a] = f64::max(self.regrets[i][a] + regret, 0.0);
                        f64::max(self.regrets[i][a] + regret, 0.0)
                    })
                    .collect();
                let sum: f64 = predicted.iter().sum();
                if sum > 0.0 {
                    self.profile[i] = predicted.iter().map(|p| p / sum).collect();
                }
            }
        }
    }
}
