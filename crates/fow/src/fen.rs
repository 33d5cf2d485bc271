//! FEN in and out, and what fog FEN shares with it.

use std::str::FromStr;

use crate::{Bitboard, Board, Color, FenError, Kind, Piece, Position, Square};

/// The FEN of the start of the game.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The most pieces that a side can have.
const MOST_PIECES: u32 = 16;

/// Reads the first field; `?` and `*` are fogged squares where `fog` allows them.
pub(crate) fn parse_placement(text: &str, fog: bool) -> Result<(Position, Bitboard), FenError> {
    let bad = |why: String| FenError::Placement { text: text.to_owned(), why };
    let mut position = Position::empty(Color::White);
    let mut fogged = Bitboard::EMPTY;
    let mut ranks = 0;
    for (row, line) in text.split('/').enumerate() {
        ranks += 1;
        if row >= 8 {
            continue;
        }
        let rank = 7 - row as u8;
        let mut file = 0;
        for letter in line.chars() {
            let width = match letter {
                '1'..='8' => letter as u8 - b'0',
                '?' | '*' if fog => {
                    fogged |= Square::at(file, rank).into();
                    1
                }
                _ => {
                    let piece = Piece::from_letter(letter).ok_or_else(|| {
                        bad(format!("{letter:?} is neither a piece nor a number of empty squares"))
                    })?;
                    if file < 8 {
                        position.put(Square::at(file, rank), piece.kind as u64, piece.color);
                    }
                    1
                }
            };
            file += width;
            if file > 8 {
                break;
            }
        }
        if file != 8 {
            return Err(bad(format!("rank {} does not have 8 squares", rank + 1)));
        }
    }
    if ranks != 8 {
        return Err(bad(format!("expected 8 ranks, found {ranks}")));
    }
    for color in [Color::White, Color::Black] {
        let own = position.pieces(color);
        if own.len() > MOST_PIECES {
            return Err(bad(format!("{color} has {} pieces, at most 16 are possible", own.len())));
        }
        if (own & position.kind(Kind::King)).is_many() {
            return Err(bad(format!("{color} has more than one king")));
        }
    }
    let stranded = position.kind(Kind::Pawn) & (Bitboard::RANK_1 | Bitboard::RANK_8);
    if let Some(square) = stranded.first() {
        return Err(bad(format!("a pawn cannot stand on {square}")));
    }
    Ok((position, fogged))
}

pub(crate) fn parse_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn { text: text.to_owned() }),
    }
}

/// Marks the rooks that may still castle.
pub(crate) fn parse_castling(position: &mut Position, text: &str) -> Result<(), FenError> {
    let bad = |why: String| FenError::Castling { text: text.to_owned(), why };
    if text == "-" {
        return Ok(());
    }
    let mut seen = String::new();
    for letter in text.chars() {
        if seen.contains(letter) {
            return Err(bad(format!("{letter} is repeated")));
        }
        seen.push(letter);
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = if color == Color::White { 0 } else { 7 };
        let file = match letter.to_ascii_uppercase() {
            'K' => 7,
            'Q' => 0,
            _ => return Err(bad("expected letters of KQkq, or -".to_owned())),
        };
        let (king, rook) = (Square::at(4, rank), Square::at(file, rank));
        if position.king(color) != Some(king)
            || position.piece_at(rook) != Some(Piece { color, kind: Kind::Rook })
        {
            return Err(bad(format!(
                "{letter} needs {color}'s king on {king} and a rook on {rook}"
            )));
        }
        position.put(rook, 7, color);
    }
    Ok(())
}

/// Checks the en-passant square for the side to move and marks its pawn, if it can be taken.
pub(crate) fn parse_en_passant(
    position: &mut Position,
    turn: Color,
    text: &str,
) -> Result<(), FenError> {
    let bad = |why: String| FenError::EnPassant { text: text.to_owned(), why };
    if text == "-" {
        return Ok(());
    }
    let target: Square = text.parse().map_err(|_| bad("expected a square or -".to_owned()))?;
    let rank = if turn == Color::White { 5 } else { 2 };
    if target.rank() != rank {
        return Err(bad(format!("expected a square of rank {}", rank + 1)));
    }
    let pawn = Square::wrap(target.index() as u32 ^ 8);
    let came_from = Square::wrap((2 * target.index() - pawn.index()) as u32);
    let enemy = Piece { color: turn.other(), kind: Kind::Pawn };
    if position.piece_at(pawn) != Some(enemy)
        || position.occupied().contains(target)
        || position.occupied().contains(came_from)
    {
        return Err(bad(format!("no pawn can just have moved from {came_from} to {pawn}")));
    }
    let own_pawns = position.kind(Kind::Pawn) & position.pieces(turn);
    let beside = |step: i16| {
        let square = Square::wrap((pawn.index() as i16 + step) as u32);
        square.rank() == pawn.rank() && own_pawns.contains(square)
    };
    if beside(-1) || beside(1) {
        position.put(pawn, 7, turn.other());
    }
    Ok(())
}

pub(crate) fn write_placement(position: &Position, visible: Bitboard, fog: char) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = Square::at(file, rank);
            let letter = if visible.contains(square) {
                position.piece_at(square).map(Piece::letter)
            } else {
                Some(fog)
            };
            match letter {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text.push((b'0' + empty) as char);
                        empty = 0;
                    }
                    text.push(letter);
                }
            }
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

pub(crate) fn write_castling(position: &Position) -> String {
    let rooks = position.castling_rooks();
    let mut text = String::new();
    for (letter, file, rank) in [('K', 7, 0), ('Q', 0, 0), ('k', 7, 7), ('q', 0, 7)] {
        if rooks.contains(Square::at(file, rank)) {
            text.push(letter);
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

pub(crate) fn write_en_passant(target: Option<Square>) -> String {
    target.map_or_else(|| "-".to_owned(), |square| square.to_string())
}

pub(crate) fn parse_move_number(text: &str) -> Result<u32, FenError> {
    parse_number(text, "move number", "a number from 1 on").and_then(|number| {
        if number == 0 {
            let field = "move number";
            return Err(FenError::Clock {
                field,
                text: text.to_owned(),
                expected: "a number from 1 on",
            });
        }
        Ok(number)
    })
}

fn parse_number(text: &str, field: &'static str, expected: &'static str) -> Result<u32, FenError> {
    let digits = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    let error = || FenError::Clock { field, text: text.to_owned(), expected };
    if digits { text.parse().map_err(|_| error()) } else { Err(error()) }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Board, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        if !(4..=6).contains(&fields.len()) {
            return Err(FenError::Fields { fen: fen.to_owned(), found: fields.len() });
        }
        let (mut position, _) = parse_placement(fields[0], false)?;
        let turn = parse_turn(fields[1])?;
        if position.king(turn.other()).is_none() {
            let why = format!("{} has no king, but {turn} is to move", turn.other());
            return Err(FenError::Placement { text: fields[0].to_owned(), why });
        }
        parse_castling(&mut position, fields[2])?;
        parse_en_passant(&mut position, turn, fields[3])?;
        position.set_turn(turn);
        let halfmoves = fields
            .get(4)
            .map_or(Ok(0), |text| parse_number(text, "half-move clock", "a number from 0 on"))?;
        let fullmoves = fields.get(5).map_or(Ok(1), |text| parse_move_number(text))?;
        Ok(Board::from_parts(position, halfmoves, fullmoves))
    }
}

impl Position {
    /// The first four fields of the FEN.
    #[must_use]
    pub fn epd(&self) -> String {
        format!(
            "{} {} {} {}",
            write_placement(self, Bitboard::ALL, '?'),
            self.turn().letter(),
            write_castling(self),
            write_en_passant(self.en_passant_target())
        )
    }
}
