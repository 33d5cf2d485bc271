//! What phantom tic-tac-toe and dark hex have in common: two players put stones on a board and
//! neither sees the other's, except by trying a cell that is taken.

use std::sync::Arc;

use obscuro_game::{Game, Player, Turn};

/// What happens to a player who tries a cell that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameVersion {
    /// They try again.
    Classical,
    /// They lose the turn.
    Abrupt,
}

/// What the players are told beside the results of their own tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObsType {
    /// Nothing: the opponent's failed tries stay unheard.
    RevealNothing,
    /// That the opponent tried a cell, each time.
    RevealNumTurns,
}

/// A board game played in the dark: `phantom_ttt` or `dark_hex`.
///
/// Actions are cell numbers, row by row. In the classical version with
/// [`ObsType::RevealNothing`] the opponent's failed tries are silent plies (see [`Game`]).
#[derive(Clone, Debug)]
pub struct PhantomGame {
    pub(crate) cells: u8,
    pub(crate) cols: u8,
    pub(crate) version: GameVersion,
    pub(crate) obs: ObsType,
    /// For each set of cells, bit p: player p has won who holds it.
    pub(crate) wins: Arc<[u8]>,
    pub(crate) cell_text: fn(cell: u8, cols: u8) -> String,
}

/// The stones, and what each player has tried. Sets of cells are bit masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhantomState {
    stones: [u16; 2],
    tried: [u16; 2],
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    ToMove(Player),
    Won(Player),
    Drawn,
}

/// The own stones, the opponent's that were found, and whose turn it is or who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PhantomObservation {
    own: u16,
    found: u16,
    viewer: Player,
    status: Status,
}

impl PhantomGame {
    /// The game on a board of `rows` × `cols`, won by the player whose stones `won` says.
    pub(crate) fn new(
        (rows, cols): (u8, u8),
        version: GameVersion,
        obs: ObsType,
        cell_text: fn(u8, u8) -> String,
        won: impl Fn(u16, Player) -> bool,
    ) -> Self {
        let cells = rows * cols;
        let win = |stones: u32| {
            let bit = |player: Player| u8::from(won(stones as u16, player)) << player.index();
            bit(Player::One) | bit(Player::Two)
        };
        let wins = (0..1u32 << cells).map(win).collect();
        PhantomGame { cells, cols, version, obs, wins, cell_text }
    }

    fn all(&self) -> u16 {
        u16::MAX >> (16 - self.cells)
    }

    fn board_text(&self, symbol: impl Fn(u16) -> char) -> String {
        let mut text = String::new();
        for cell in 0..self.cells {
            if cell > 0 && cell % self.cols == 0 {
                text.push('/');
            }
            text.push(symbol(1 << cell));
        }
        text
    }
}

impl Game for PhantomGame {
    type State = PhantomState;
    type Action = u8;
    type Observation = PhantomObservation;

    fn root(&self) -> PhantomState {
        PhantomState { stones: [0; 2], tried: [0; 2], status: Status::ToMove(Player::One) }
    }

    #[inline]
    fn turn(&self, state: &PhantomState) -> Turn {
        match state.status {
            Status::ToMove(player) => Turn::Player(player),
            Status::Won(_) | Status::Drawn => Turn::Terminal,
        }
    }

    #[inline]
    fn actions(&self, state: &PhantomState, actions: &mut Vec<u8>) {
        if let Status::ToMove(player) = state.status {
            let mut open = self.all() & !state.tried[player.index()];
            while open != 0 {
                actions.push(open.trailing_zeros() as u8);
                open &= open - 1;
            }
        }
    }

    fn chance(&self, _state: &PhantomState, _outcomes: &mut Vec<(u8, f64)>) {}

    #[inline]
    fn apply(&self, state: &PhantomState, cell: u8) -> PhantomState {
        let mut next = *state;
        let Status::ToMove(player) = state.status else { return next };
        let (me, stone) = (player.index(), 1 << cell);
        next.tried[me] |= stone;
        let taken = state.stones[1 - me] & stone != 0;
        if !taken {
            next.stones[me] |= stone;
            if self.wins[usize::from(next.stones[me])] >> me & 1 == 1 {
                next.status = Status::Won(player);
                return next;
            }
            if next.stones[0] | next.stones[1] == self.all() {
                next.status = Status::Drawn;
                return next;
            }
        }
        if !taken || self.version == GameVersion::Abrupt {
            next.status = Status::ToMove(player.other());
        }
        next
    }

    #[inline]
    fn observe(&self, state: &PhantomState, player: Player) -> PhantomObservation {
        let (me, other) = (player.index(), player.other().index());
        PhantomObservation {
            own: state.stones[me],
            found: state.tried[me] & state.stones[other],
            viewer: player,
            status: state.status,
        }
    }

    #[inline]
    fn is_silent(&self, seen: &PhantomObservation) -> bool {
        self.obs == ObsType::RevealNothing && seen.status == Status::ToMove(seen.viewer.other())
    }

    fn payoff(&self, state: &PhantomState) -> f64 {
        match state.status {
            Status::Won(player) => player.sign(),
            Status::ToMove(_) | Status::Drawn => 0.0,
        }
    }

    fn action_text(&self, state: &PhantomState, cell: u8) -> String {
        let text = (self.cell_text)(cell, self.cols);
        match state.status {
            Status::ToMove(Player::One) => format!("x({text})"),
            _ => format!("o({text})"),
        }
    }

    fn observation_text(&self, seen: &PhantomObservation) -> String {
        let [own, found] = if seen.viewer == Player::One { ['x', 'o'] } else { ['o', 'x'] };
        let board = self.board_text(|cell| match (seen.own & cell, seen.found & cell) {
            (0, 0) => '.',
            (0, _) => found,
            _ => own,
        });
        format!("{board} {}", status_text(seen.status))
    }

    /// Capital letters: found by the opponent.
    fn state_text(&self, state: &PhantomState) -> String {
        let [one, two] = state.stones;
        let found = [one & state.tried[1], two & state.tried[0]];
        let board = self.board_text(|cell| {
            let symbol = if one & cell != 0 {
                'x'
            } else if two & cell != 0 {
                'o'
            } else {
                '.'
            };
            if (found[0] | found[1]) & cell == 0 { symbol } else { symbol.to_ascii_uppercase() }
        });
        format!("{board} {}", status_text(state.status))
    }
}

fn status_text(status: Status) -> &'static str {
    match status {
        Status::ToMove(Player::One) => "x to move",
        Status::ToMove(Player::Two) => "o to move",
        Status::Won(Player::One) => "x won",
        Status::Won(Player::Two) => "o won",
        Status::Drawn => "drawn",
    }
}
