//! Standard algebraic notation. Disambiguation counts every Fog of War move; a king is captured
//! like any other piece, and nothing marks a check: there is none.

use crate::{Board, Kind, Move, MoveError, Position, Square};

/// What a SAN move says, before it is looked up among the legal ones.
struct Pattern {
    kind: Kind,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    promotion: Option<Kind>,
    capture: bool,
}

impl Position {
    /// A legal move in SAN.
    #[must_use]
    pub fn san(&self, mv: Move) -> String {
        let Some(kind) = self.kind_at(mv.from()) else { return mv.to_string() };
        let (from, to) = (mv.from(), mv.to());
        if kind == Kind::King && from.file().abs_diff(to.file()) == 2 {
            return if to.file() == 6 { "O-O" } else { "O-O-O" }.to_owned();
        }
        let en_passant = kind == Kind::Pawn && from.file() != to.file();
        let capture = en_passant || self.occupied().contains(to);
        let mut text = String::new();
        if kind == Kind::Pawn {
            if capture {
                text.push(file_letter(from));
            }
        } else {
            text.push(kind.letter());
            text.push_str(&self.disambiguation(kind, mv));
        }
        if capture {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.letter());
        }
        text
    }

    fn disambiguation(&self, kind: Kind, mv: Move) -> String {
        let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
        self.for_each_move(|other| {
            let from = other.from();
            if other.to() == mv.to() && from != mv.from() && self.kind_at(from) == Some(kind) {
                rivals = true;
                same_file |= from.file() == mv.from().file();
                same_rank |= from.rank() == mv.from().rank();
            }
        });
        let square = mv.from().to_string();
        match (rivals, same_file, same_rank) {
            (false, ..) => String::new(),
            (true, false, _) => square[..1].to_owned(),
            (true, true, false) => square[1..].to_owned(),
            (true, true, true) => square,
        }
    }

    /// The moves that a SAN move can mean.
    fn candidates(&self, text: &str) -> Result<Vec<Move>, MoveError> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let castling = match bare {
            "O-O" | "0-0" | "o-o" => Some(6),
            "O-O-O" | "0-0-0" | "o-o-o" => Some(2),
            _ => None,
        };
        let mut moves: Vec<Move> = self.moves().into_iter().collect();
        if let Some(file) = castling {
            moves.retain(|mv| {
                self.kind_at(mv.from()) == Some(Kind::King)
                    && mv.from().file().abs_diff(mv.to().file()) == 2
                    && mv.to().file() == file
            });
            return Ok(moves);
        }
        let pattern =
            parse_pattern(bare).ok_or_else(|| MoveError::San { text: text.to_owned() })?;
        moves.retain(|mv| {
            let from = mv.from();
            self.kind_at(from) == Some(pattern.kind)
                && mv.to() == pattern.to
                && mv.promotion() == pattern.promotion
                && pattern.from_file.is_none_or(|file| file == from.file())
                && pattern.from_rank.is_none_or(|rank| rank == from.rank())
                // A pawn that captures names its file; castling is not written as a king's move.
                && (pattern.kind != Kind::Pawn || pattern.from_file.is_some() || from.file() == mv.to().file())
                && (pattern.kind != Kind::King || from.file().abs_diff(mv.to().file()) != 2)
                && (!pattern.capture || self.is_capture(*mv))
        });
        Ok(moves)
    }

    /// Whether a legal move captures.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.occupied().contains(mv.to())
            || self.kind_at(mv.from()) == Some(Kind::Pawn) && mv.from().file() != mv.to().file()
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

fn parse_pattern(text: &str) -> Option<Pattern> {
    if !text.is_ascii() {
        return None;
    }
    let (kind, rest) = match text.chars().next()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => (Kind::from_letter(letter)?, &text[1..]),
        'P' => (Kind::Pawn, &text[1..]),
        _ => (Kind::Pawn, text),
    };
    let (rest, promotion) = match rest.char_indices().next_back()? {
        (at, letter) if kind == Kind::Pawn && letter.is_ascii_alphabetic() => {
            let promotion = Kind::from_letter(letter).filter(|k| Kind::PROMOTIONS.contains(k))?;
            (rest[..at].strip_suffix('=').unwrap_or(&rest[..at]), Some(promotion))
        }
        _ => (rest, None),
    };
    let at = rest.len().checked_sub(2)?;
    let to: Square = rest[at..].parse().ok()?;
    let mut pattern =
        Pattern { kind, from_file: None, from_rank: None, to, promotion, capture: false };
    let mut origin = &rest[..at];
    if let Some(stripped) = origin.strip_suffix('x') {
        pattern.capture = true;
        origin = stripped;
    } else if let Some(stripped) = origin.strip_suffix('-') {
        origin = stripped;
    }
    match *origin.as_bytes() {
        [] => {}
        [file @ b'a'..=b'h'] => pattern.from_file = Some(file - b'a'),
        [rank @ b'1'..=b'8'] => pattern.from_rank = Some(rank - b'1'),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            pattern.from_file = Some(file - b'a');
            pattern.from_rank = Some(rank - b'1');
        }
        _ => return None,
    }
    Some(pattern)
}

impl Board {
    /// Reads a move in SAN.
    ///
    /// Others write SAN by the rules of chess, where a pinned piece does not count: a move that is
    /// ambiguous here but leaves the own king safe in one reading only is read as that one.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        if let Some(outcome) = self.outcome() {
            return Err(MoveError::GameOver { outcome });
        }
        let position = self.position();
        let mut candidates = position.candidates(text)?;
        if candidates.len() > 1 {
            let safe: Vec<Move> =
                candidates.iter().copied().filter(|&mv| leaves_king_safe(position, mv)).collect();
            if safe.len() == 1 {
                candidates = safe;
            }
        }
        match candidates[..] {
            [mv] => Ok(mv),
            [] => Err(MoveError::Illegal { text: text.to_owned(), fen: self.fen() }),
            _ => {
                let list: Vec<String> = candidates.iter().map(Move::to_string).collect();
                let (text, fen) = (text.to_owned(), self.fen());
                Err(MoveError::Ambiguous { text, fen, candidates: list.join(" or ") })
            }
        }
    }

    /// Reads a move in UCI notation and checks that it can be played.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let mv: Move = text.parse()?;
        self.check(mv)?;
        Ok(mv)
    }
}

fn leaves_king_safe(position: &Position, mv: Move) -> bool {
    let next = position.play(mv);
    let king = next.king(position.turn());
    let mut safe = true;
    next.for_each_move(|reply| safe &= Some(reply.to()) != king);
    safe
}
