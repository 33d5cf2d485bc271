use obscuro_game::{Game, Player, Turn};

/// A random tree with chance, decisions of both players (some of them forced) and observations
/// that hide much of it. Payoffs are from -1 to 1, some of them zero.
#[derive(Clone, Debug)]
pub(crate) struct RandomGame {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    turn: Turn,
    children: Vec<(usize, f64)>,
    /// What each player sees, beside whether and how they can move.
    symbols: [u8; 2],
    payoff: f64,
}

/// The splitmix64 generator.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl RandomGame {
    /// A game of at most `depth` plies with up to `branching` children at a node.
    pub(crate) fn new(seed: u64, depth: u32, branching: u64) -> RandomGame {
        let mut game = RandomGame { nodes: Vec::new() };
        game.grow(&mut Random(seed), depth, branching);
        game
    }

    fn grow(&mut self, random: &mut Random, depth: u32, branching: u64) -> usize {
        let turn = match random.below(12) {
            _ if depth == 0 => Turn::Terminal,
            0 => Turn::Terminal,
            1..=3 => Turn::Chance,
            4..=7 => Turn::Player(Player::One),
            _ => Turn::Player(Player::Two),
        };
        let symbols = [0, 1].map(|_| random.below(5).saturating_sub(3) as u8);
        let payoff = if random.below(5) == 0 { 0.0 } else { random.unit() * 2.0 - 1.0 };
        let index = self.nodes.len();
        self.nodes.push(Node { turn, children: Vec::new(), symbols, payoff });
        if turn != Turn::Terminal {
            let weights: Vec<f64> =
                (0..=random.below(branching)).map(|_| 0.1 + random.unit()).collect();
            let sum: f64 = weights.iter().sum();
            for weight in weights {
                let child = self.grow(random, depth - 1, branching);
                self.nodes[index].children.push((child, weight / sum));
            }
        }
        index
    }

    pub(crate) fn histories(&self) -> usize {
        self.nodes.len()
    }
}

impl Game for RandomGame {
    type State = usize;
    type Action = u8;
    /// A symbol, and the number of own actions.
    type Observation = (u8, u8);

    fn root(&self) -> usize {
        0
    }

    fn turn(&self, state: &usize) -> Turn {
        self.nodes[*state].turn
    }

    fn actions(&self, state: &usize, actions: &mut Vec<u8>) {
        actions.extend(0..self.nodes[*state].children.len() as u8);
    }

    fn chance(&self, state: &usize, outcomes: &mut Vec<(u8, f64)>) {
        let children = self.nodes[*state].children.iter().enumerate();
        outcomes.extend(children.map(|(i, child)| (i as u8, child.1)));
    }

    fn apply(&self, state: &usize, action: u8) -> usize {
        self.nodes[*state].children[action as usize].0
    }

    fn observe(&self, state: &usize, player: Player) -> (u8, u8) {
        let node = &self.nodes[*state];
        let own = if node.turn == Turn::Player(player) { node.children.len() as u8 } else { 0 };
        (node.symbols[player.index()], own)
    }

    fn payoff(&self, state: &usize) -> f64 {
        self.nodes[*state].payoff
    }

    fn observation_text(&self, observation: &(u8, u8)) -> String {
        format!("{}/{}", observation.0, observation.1)
    }

    fn state_text(&self, state: &usize) -> String {
        format!("node {state}")
    }
}
