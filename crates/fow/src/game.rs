use obscuro_game::{Game, Player, Turn};

use crate::consistent::Filter;
use crate::position::Status;
use crate::{Color, Move, Position, View};

/// Fog of War chess from a publicly known position, as the search sees it.
///
/// A state is a [`Position`]: the draws by repetition and by the fifty-move rule depend on the
/// history and are the referee's business.
#[derive(Clone, Debug)]
pub struct FowChess {
    start: Position,
}

impl FowChess {
    /// The game from a position that both players know.
    #[must_use]
    pub fn new(start: Position) -> Self {
        FowChess { start }
    }
}

impl Default for FowChess {
    fn default() -> Self {
        FowChess::new(Position::start())
    }
}

impl From<Color> for Player {
    fn from(color: Color) -> Player {
        match color {
            Color::White => Player::One,
            Color::Black => Player::Two,
        }
    }
}

impl From<Player> for Color {
    fn from(player: Player) -> Color {
        match player {
            Player::One => Color::White,
            Player::Two => Color::Black,
        }
    }
}

impl Game for FowChess {
    type State = Position;
    type Action = Move;
    type Observation = View;

    fn root(&self) -> Position {
        self.start
    }

    #[inline]
    fn turn(&self, state: &Position) -> Turn {
        match state.status() {
            Status::Ongoing => Turn::Player(state.turn().into()),
            Status::KingCaptured | Status::NoMoves => Turn::Terminal,
        }
    }

    #[inline]
    fn actions(&self, state: &Position, actions: &mut Vec<Move>) {
        state.for_each_move(|mv| actions.push(mv));
    }

    fn chance(&self, _state: &Position, _outcomes: &mut Vec<(Move, f64)>) {}

    #[inline]
    fn apply(&self, state: &Position, action: Move) -> Position {
        state.play(action)
    }

    #[inline]
    fn observe(&self, state: &Position, player: Player) -> View {
        state.view(player.into())
    }

    fn payoff(&self, state: &Position) -> f64 {
        // The side to move has lost its king, or has no move: either way it has lost.
        -Player::from(state.turn()).sign()
    }

    fn action_text(&self, state: &Position, action: Move) -> String {
        state.san(action)
    }

    fn observation_text(&self, observation: &View) -> String {
        crate::fen::write_placement(&observation.position, observation.visible(), '?')
    }

    fn state_text(&self, state: &Position) -> String {
        state.epd()
    }

    fn consistent_children(
        &self,
        parents: &[Position],
        own: Option<Move>,
        viewer: Player,
        seen: &View,
        children: &mut Vec<Position>,
    ) {
        let filter = Filter::new(seen);
        for parent in parents {
            match own {
                Some(mv) if parent.turn() == viewer.into() => {
                    filter.after_own(parent, mv, children);
                }
                None if parent.turn() != viewer.into() => {
                    filter.after_opponents(parent, children);
                }
                _ => {}
            }
        }
    }

    fn guess(
        &self,
        root: &Position,
        _viewer: Player,
        history: &[(Option<Move>, View)],
        n: usize,
        seed: u64,
    ) -> Vec<Position> {
        crate::guess::guess(root, history, n, seed)
    }

    fn resync(
        &self,
        root: &Position,
        _viewer: Player,
        history: &[(Option<Move>, View)],
        n: usize,
        seed: u64,
    ) -> Vec<Position> {
        crate::guess::place_many(root, history, n, seed)
    }
}
