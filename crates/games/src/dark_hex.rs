use obscuro_game::Player;

use crate::params::{GameError, Params};
use crate::phantom::{GameVersion, ObsType, PhantomGame};

/// Cells of the largest board.
const MAX_CELLS: u8 = 16;

/// `dark_hex`: hex in the dark. The first player connects the top row to the bottom row, the
/// second the left column to the right one.
///
/// In `OpenSpiel` the players of `dark_hex` always know how many plies were made, in the classical
/// version too, although its default `obstype` is called `reveal-nothing`. There the count stands
/// for itself: the player forgets when it rose, and the game has imperfect recall on larger
/// boards. Players do not forget here, so both observation types of `OpenSpiel` are this one game,
/// which is its `reveal-numturns`; on the board of 2 × 2 all are the same.
pub fn dark_hex(rows: u8, cols: u8, version: GameVersion) -> Result<PhantomGame, GameError> {
    GameError::check_range("num_rows", i64::from(rows), 1..=8)?;
    GameError::check_range("num_cols", i64::from(cols), 1..=8)?;
    let cells = i64::from(rows) * i64::from(cols);
    GameError::check_range("num_rows * num_cols", cells, 2..=i64::from(MAX_CELLS))?;
    let board = Board::new(rows, cols);
    let won = |stones, player| board.connects(stones, player);
    Ok(PhantomGame::new((rows, cols), version, ObsType::RevealNumTurns, cell_text, won))
}

pub(crate) fn from_params(params: &mut Params) -> Result<PhantomGame, GameError> {
    let versions = [("cdh", GameVersion::Classical), ("adh", GameVersion::Abrupt)];
    let size = params.int("board_size", 3, 1..=8)?;
    let rows = params.int("num_rows", size, 1..=8)?;
    let cols = params.int("num_cols", size, 1..=8)?;
    params.obs_type()?;
    dark_hex(rows as u8, cols as u8, params.choice("gameversion", &versions)?)
}

fn cell_text(cell: u8, cols: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % cols), cell / cols + 1)
}

/// The edges of a board as bit masks, for flood fill.
struct Board {
    cols: u8,
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

impl Board {
    fn new(rows: u8, cols: u8) -> Self {
        let top = (1 << cols) - 1;
        let left = (0..rows).fold(0, |mask, row| mask | 1 << (row * cols));
        let (right, bottom) = (left << (cols - 1), top << ((rows - 1) * cols));
        Board { cols, left, right, top, bottom }
    }

    fn connects(&self, stones: u16, player: Player) -> bool {
        let stones = u32::from(stones);
        let (start, goal) = match player {
            Player::One => (self.top, self.bottom),
            Player::Two => (self.left, self.right),
        };
        let mut reached = stones & start;
        loop {
            let next = (reached | self.neighbours(reached)) & stones;
            if next == reached {
                return reached & goal != 0;
            }
            reached = next;
        }
    }

    /// The six neighbours: left and right, above and above right, below and below left.
    fn neighbours(&self, cells: u32) -> u32 {
        let (not_left, not_right) = (cells & !self.left, cells & !self.right);
        (not_left >> 1)
            | (not_right << 1)
            | (cells >> self.cols)
            | (not_right << 1 >> self.cols)
            | (cells << self.cols)
            | (not_left << self.cols >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_board_has_exactly_one_winner() {
        for (rows, cols) in [(2, 2), (3, 3), (2, 3), (4, 3), (4, 4)] {
            let board = Board::new(rows, cols);
            let all = ((1u32 << (rows * cols)) - 1) as u16;
            for stones in 0..=all {
                let one = board.connects(stones, Player::One);
                let two = board.connects(all & !stones, Player::Two);
                assert_ne!(one, two, "{rows}x{cols} {stones:b}");
            }
        }
    }
}
