use std::fmt;

use crate::board::{Outcome, Termination};
use crate::fen::{
    parse_castling, parse_en_passant, parse_move_number, parse_placement, parse_turn,
    write_castling, write_en_passant, write_placement,
};
use crate::position::Status;
use crate::{Bitboard, Color, FenError, ObservationError, Square, View};

/// What a player is given after every ply: their view of the position, and what they are told.
///
/// It is written as a fog FEN, followed by what was told if there is anything:
/// `FOGFEN [captured SQUARE] [over RESULT REASON]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// What the position shows.
    pub view: View,
    /// Where the last ply captured one of the viewer's pieces.
    pub captured: Option<Square>,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
    /// The number of the move.
    pub fullmoves: u32,
}

impl Observation {
    /// The fog FEN: a FEN of what the player may know, with `fog` (`?` or `*`) for fogged squares.
    #[must_use]
    pub fn fog_fen(&self, fog: char) -> String {
        let view = &self.view;
        format!(
            "{} {} {} {} - {}",
            write_placement(&view.position, view.visible(), fog),
            view.turn.letter(),
            write_castling(&view.position),
            write_en_passant(view.en_passant_target()),
            self.fullmoves
        )
    }

    /// Reads what [`Observation`] writes; the viewer is not part of the text.
    pub fn parse(text: &str, viewer: Color) -> Result<Observation, ObservationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < 6 {
            return Err(ObservationError::Fields { text: text.to_owned(), found: words.len() });
        }
        let (captured, outcome) = parse_told(&words[6..])?;
        let mut view = parse_view(&words, viewer)?;
        if words[4] != "-" {
            let (field, expected) = ("half-move clock", "-");
            return Err(FenError::Clock { field, text: words[4].to_owned(), expected }.into());
        }
        let fullmoves = parse_move_number(words[5])?;
        check_vision(&view, text)?;
        view.status = match outcome.map(|o| o.termination) {
            Some(Termination::KingCaptured) => Status::KingCaptured,
            Some(Termination::NoMoves) => Status::NoMoves,
            _ => Status::Ongoing,
        };
        Ok(Observation { view, captured, outcome, fullmoves })
    }
}

fn parse_view(words: &[&str], viewer: Color) -> Result<View, ObservationError> {
    let (mut position, fogged) = parse_placement(words[0], true)?;
    let turn = parse_turn(words[1])?;
    parse_castling(&mut position, words[2])?;
    let enemy_rights = position.castling_rooks() - position.pieces(viewer);
    if !enemy_rights.is_empty() {
        let why = format!("{}'s rights are hidden from {viewer}", viewer.other());
        return Err(FenError::Castling { text: words[2].to_owned(), why }.into());
    }
    parse_en_passant(&mut position, turn, words[3])?;
    if words[3] != "-" && (turn != viewer || position.en_passant_pawn().is_none()) {
        let why = format!("{viewer} cannot capture there");
        return Err(FenError::EnPassant { text: words[3].to_owned(), why }.into());
    }
    Ok(View { position, visible: (!fogged).0, viewer, turn, status: Status::Ongoing })
}

fn parse_told(mut words: &[&str]) -> Result<(Option<Square>, Option<Outcome>), ObservationError> {
    let bad = |words: &[&str]| ObservationError::Told { text: words.join(" ") };
    let mut captured = None;
    let mut outcome = None;
    while !words.is_empty() {
        words = match *words {
            ["captured", square, ref rest @ ..] if captured.is_none() => {
                captured = Some(square.parse().map_err(|_| bad(words))?);
                rest
            }
            ["over", result, reason, ref rest @ ..] if outcome.is_none() => {
                let winner = match result {
                    "1-0" => Some(Color::White),
                    "0-1" => Some(Color::Black),
                    "1/2-1/2" => None,
                    _ => return Err(bad(words)),
                };
                let termination = Termination::ALL.into_iter().find(|t| t.word() == reason);
                let termination = termination.ok_or_else(|| bad(words))?;
                let decisive =
                    matches!(termination, Termination::KingCaptured | Termination::NoMoves);
                if decisive != winner.is_some() {
                    return Err(bad(words));
                }
                outcome = Some(Outcome { winner, termination });
                rest
            }
            _ => return Err(bad(words)),
        };
    }
    Ok((captured, outcome))
}

/// The visible squares must be those that the own pieces see, whatever is in the fog.
fn check_vision(view: &View, text: &str) -> Result<(), ObservationError> {
    let mut known = view.position;
    for square in view.blockers() {
        known.put(square, crate::Kind::Pawn as u64, view.viewer.other());
    }
    let seen = known.vision(view.viewer);
    let error = |square, should| {
        Err(ObservationError::Vision { square, should, viewer: view.viewer, text: text.to_owned() })
    };
    if let Some(square) = (seen - view.visible()).first() {
        return error(square, "must");
    }
    match (view.visible() - seen).first() {
        Some(square) => error(square, "cannot"),
        None => Ok(()),
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fog_fen('?'))?;
        if let Some(square) = self.captured {
            write!(f, " captured {square}")?;
        }
        if let Some(outcome) = self.outcome {
            write!(f, " over {outcome}")?;
        }
        Ok(())
    }
}

impl View {
    /// Where the viewer has nothing and sees nothing.
    pub fn fogged(&self) -> Bitboard {
        !self.visible()
    }
}
