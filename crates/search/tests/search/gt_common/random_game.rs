use obscuro_game::{Game, Player, Turn};

/// A random game: whether it is chance's turn or a player's, how many actions there are, who sees what of them and the payoffs
/// are drawn from the seed. Payoffs are multiples of 1/64, so that sums of them are exact.
#[derive(Clone, Debug)]
pub(crate) struct RandomGame {
    pub(crate) seed: u64,
    pub(crate) plies: usize,
    /// The most actions of a node.
    pub(crate) width: u64,
}

/// All actions so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct History(pub Vec<u8>);

fn mix(words: &[u64]) -> u64 {
    let mut hash = 0x1234_5678_9abc_def1_u64;
    for &word in words {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 13
}

impl RandomGame {
    fn of(&self, what: u64, state: &History) -> u64 {
        let mut words = vec![self.seed, what, state.0.len() as u64];
        words.extend(state.0.iter().map(|&a| u64::from(a)));
        mix(&words)
    }

    /// Depends on the depth alone, so that both players know it.
    fn at_depth(&self, what: u64, depth: usize) -> u64 {
        mix(&[self.seed, what, depth as u64])
    }

    fn count(&self, depth: usize) -> u64 {
        2 + self.at_depth(1, depth) % (self.width - 1)
    }
}

impl Game for RandomGame {
    type State = History;
    type Action = u8;
    type Observation = (usize, bool, u64);

    fn root(&self) -> History {
        History(Vec::new())
    }

    fn turn(&self, state: &History) -> Turn {
        let depth = state.0.len();
        if depth == self.plies || depth > 2 && self.of(2, state).is_multiple_of(6) {
            return Turn::Terminal;
        }
        match self.at_depth(3, depth) % 5 {
            0 => Turn::Chance,
            _ => Turn::Player(Player::BOTH[depth % 2]),
        }
    }

    fn actions(&self, state: &History, actions: &mut Vec<u8>) {
        actions.extend(0..self.count(state.0.len()) as u8);
    }

    fn chance(&self, state: &History, outcomes: &mut Vec<(u8, f64)>) {
        let count = self.count(state.0.len()) as u8;
        // A half, a quarter, ..., and the last once more.
        for i in 0..count {
            outcomes.push((i, 0.5f64.powi(i32::from(if i + 1 < count { i + 1 } else { i }))));
        }
    }

    fn apply(&self, state: &History, action: u8) -> History {
        let mut next = state.clone();
        next.0.push(action);
        next
    }

    fn observe(&self, state: &History, player: Player) -> (usize, bool, u64) {
        let depth = state.0.len();
        let Some(&last) = state.0.last() else { return (0, false, 0) };
        let last = u64::from(last);
        let seen = match self.at_depth(4 + player.index() as u64, depth) % 4 {
            0 => last,
            1 => last % 2,
            _ => 0,
        };
        (depth, self.turn(state) == Turn::Terminal, seen)
    }

    fn payoff(&self, state: &History) -> f64 {
        (self.of(9, state) % 129) as f64 / 64.0 - 1.0
    }

    fn observation_text(&self, observation: &Self::Observation) -> String {
        format!("{observation:?}")
    }

    fn state_text(&self, state: &History) -> String {
        format!("{state:?}")
    }
}
