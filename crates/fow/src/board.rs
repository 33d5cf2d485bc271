use std::fmt;

use crate::position::Status;
use crate::{Color, Move, MoveError, Observation, Position, Square};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// A king was captured.
    KingCaptured,
    /// The side to move had no legal move, and lost.
    NoMoves,
    /// The position occurred for the third time: a draw.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move: a draw.
    FiftyMoves,
}

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 4] = [
        Termination::KingCaptured,
        Termination::NoMoves,
        Termination::ThreefoldRepetition,
        Termination::FiftyMoves,
    ];

    /// The word for it in an observation's text.
    pub const fn word(self) -> &'static str {
        match self {
            Termination::KingCaptured => "king-captured",
            Termination::NoMoves => "no-moves",
            Termination::ThreefoldRepetition => "threefold-repetition",
            Termination::FiftyMoves => "fifty-moves",
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub termination: Termination,
}

impl Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.result(), self.termination.word())
    }
}

/// A game in progress as its referee sees it: the position, the clocks and how it came about.
#[derive(Clone, Debug)]
pub struct Board {
    position: Position,
    halfmoves: u32,
    fullmoves: u32,
    past: Vec<Past>,
}

#[derive(Clone, Copy, Debug)]
struct Past {
    position: Position,
    halfmoves: u32,
    mv: Move,
}

impl Default for Board {
    fn default() -> Self {
        Board::from_parts(Position::start(), 0, 1)
    }
}

impl Board {
    /// A game that starts from a position.
    #[must_use]
    pub fn from_parts(position: Position, halfmoves: u32, fullmoves: u32) -> Board {
        Board { position, halfmoves, fullmoves, past: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Half-moves since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move, counted up after Black's.
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// The moves played so far.
    pub fn played(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.past.iter().map(|past| past.mv)
    }

    /// The position that the game started from, with its clocks.
    #[must_use]
    pub fn root(&self) -> Board {
        let mut board = self.clone();
        while board.pop().is_some() {}
        board
    }

    /// The FEN. The en-passant square is given only if it can be used.
    #[must_use]
    pub fn fen(&self) -> String {
        format!("{} {} {}", self.position.epd(), self.halfmoves, self.fullmoves)
    }

    /// How often the position has occurred, this time counted.
    pub fn repetitions(&self) -> usize {
        // An irreversible move ends the search: no earlier position can be equal.
        let reversible = (self.halfmoves as usize).min(self.past.len());
        let recent = &self.past[self.past.len() - reversible..];
        1 + recent.iter().filter(|past| past.position == self.position).count()
    }

    /// How the game ended, if it did. A king capture or a side without moves counts before a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let opponent = Some(self.position.turn().other());
        let (winner, termination) = match self.position.status() {
            Status::KingCaptured => (opponent, Termination::KingCaptured),
            Status::NoMoves => (opponent, Termination::NoMoves),
            Status::Ongoing if self.repetitions() >= 3 => (None, Termination::ThreefoldRepetition),
            Status::Ongoing if self.halfmoves >= 100 => (None, Termination::FiftyMoves),
            Status::Ongoing => return None,
        };
        Some(Outcome { winner, termination })
    }

    /// Checks that a move can be played.
    pub fn check(&self, mv: Move) -> Result<(), MoveError> {
        if let Some(outcome) = self.outcome() {
            return Err(MoveError::GameOver { outcome });
        }
        if !self.position.is_legal(mv) {
            return Err(MoveError::Illegal { text: mv.to_string(), fen: self.fen() });
        }
        Ok(())
    }

    /// Plays a move, after [`Board::check`].
    pub fn push(&mut self, mv: Move) -> Result<(), MoveError> {
        self.check(mv)?;
        let next = self.position.play(mv);
        let capture = next.occupied().len() < self.position.occupied().len();
        let pawn = self.position.kind_at(mv.from()) == Some(crate::Kind::Pawn);
        self.past.push(Past { position: self.position, halfmoves: self.halfmoves, mv });
        self.halfmoves = if capture || pawn { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u32::from(self.position.turn() == Color::Black);
        self.position = next;
        Ok(())
    }

    /// Takes the last move back.
    pub fn pop(&mut self) -> Option<Move> {
        let past = self.past.pop()?;
        self.fullmoves -= u32::from(past.position.turn() == Color::Black);
        self.halfmoves = past.halfmoves;
        self.position = past.position;
        Some(past.mv)
    }

    /// Where the last ply captured a piece of `color`.
    pub fn captured(&self, color: Color) -> Option<Square> {
        let past = self.past.last()?;
        let mover = past.position.turn();
        if mover == color {
            return None;
        }
        (past.position.pieces(color) - self.position.pieces(color)).first()
    }

    /// What a player is given after the last ply, and at the start.
    #[must_use]
    pub fn observation(&self, viewer: Color) -> Observation {
        Observation {
            view: self.position.view(viewer),
            captured: self.captured(viewer),
            outcome: self.outcome(),
            fullmoves: self.fullmoves,
        }
    }
}
