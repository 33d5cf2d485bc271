use obscuro_game::{Evaluator, Game, Player, Turn};

/// A game with the shape of Fog of War chess and none of its rules: about 35 actions a node,
/// states of 32 bytes, a player learns little of what the other does, the game hardly ever ends.
#[derive(Clone, Debug)]
pub(crate) struct MockChess;

/// What each player knows (as a hash), the truth, the ply and a score.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MockState {
    views: [u64; 2],
    truth: u64,
    ply: u32,
    score: i32,
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(17)
}

impl Game for MockChess {
    type State = MockState;
    type Action = u16;
    type Observation = (u64, bool);

    fn root(&self) -> MockState {
        MockState { views: [1, 2], truth: 3, ply: 0, score: 0 }
    }

    fn turn(&self, state: &MockState) -> Turn {
        if state.truth.is_multiple_of(512) {
            Turn::Terminal
        } else {
            Turn::Player(Player::BOTH[state.ply as usize % 2])
        }
    }

    fn actions(&self, state: &MockState, actions: &mut Vec<u16>) {
        let view = state.views[state.ply as usize % 2];
        actions.extend(0..20 + (view >> 20) as u16 % 31);
    }

    fn chance(&self, _state: &MockState, _outcomes: &mut Vec<(u16, f64)>) {}

    fn apply(&self, state: &MockState, action: u16) -> MockState {
        let mover = state.ply as usize % 2;
        let truth = mix(state.truth, u64::from(action));
        let mut views = state.views;
        // The mover sees what follows from the move, the other one of three things.
        views[mover] = mix(views[mover], (u64::from(action) << 8) | (truth % 2));
        views[1 - mover] = mix(views[1 - mover], (truth >> 8) % 3);
        let step = (truth >> 16) as i32 % 1000;
        MockState { views, truth, ply: state.ply + 1, score: state.score + step }
    }

    fn observe(&self, state: &MockState, player: Player) -> (u64, bool) {
        (state.views[player.index()], self.turn(state) == Turn::Terminal)
    }

    fn payoff(&self, state: &MockState) -> f64 {
        if state.truth.is_multiple_of(1024) { 1.0 } else { -1.0 }
    }

    fn observation_text(&self, observation: &(u64, bool)) -> String {
        format!("{observation:?}")
    }

    fn state_text(&self, state: &MockState) -> String {
        format!("{state:?}")
    }
}

/// The score, squashed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MockEvaluator;

impl Evaluator<MockChess> for MockEvaluator {
    fn children(
        &mut self,
        _game: &MockChess,
        _state: &MockState,
        _actions: &[u16],
        children: &[MockState],
        values: &mut Vec<f32>,
    ) {
        values.clear();
        values.extend(children.iter().map(|child| {
            let x = child.score as f32 / 3000.0;
            x / (1.0 + x.abs())
        }));
    }

    fn fork(&self) -> Box<dyn Evaluator<MockChess>> {
        Box::new(*self)
    }
}
