use crate::params::{GameError, Params};
use crate::phantom::{GameVersion, ObsType, PhantomGame};

/// Rows, columns and diagonals of the board of 3 × 3.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// `phantom_ttt`: tic-tac-toe in the dark.
#[must_use]
pub fn phantom_ttt(version: GameVersion, obs: ObsType) -> PhantomGame {
    let won = |stones: u16, _| LINES.iter().any(|line| stones & line == *line);
    PhantomGame::new(
        (3, 3),
        version,
        obs,
        |cell, cols| format!("{},{}", cell / cols, cell % cols),
        won,
    )
}

pub(crate) fn from_params(params: &mut Params) -> Result<PhantomGame, GameError> {
    let versions = [("classical", GameVersion::Classical), ("abrupt", GameVersion::Abrupt)];
    let version = params.choice("gameversion", &versions)?;
    Ok(phantom_ttt(version, params.obs_type()?))
}
