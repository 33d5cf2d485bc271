use std::hash::{Hash, Hasher};

use crate::attacks::{self, forward};
use crate::{Bitboard, Color, Kind, Move, Piece, Square};

/// A position: pieces, side to move, castling and en-passant rights, in 32 bytes.
///
/// Three bit planes give each square a code (0 empty, 1 to 6 a [`Kind`], 7 see below), a fourth
/// says which pieces are black; on *empty* squares that fourth plane is set if Black is to move.
/// Code 7 on a back rank is a rook that may still castle, code 7 elsewhere is a pawn that can be
/// taken en passant *now*. So there is exactly one representation of a position, and two positions
/// are equal if they are equal to the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) planes: [u64; 3],
    pub(crate) black: u64,
}

/// How a game stands, as far as the position alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side to move has a king and a move.
    Ongoing,
    /// The king of the side to move was captured.
    KingCaptured,
    /// The side to move has no legal move, and has lost.
    NoMoves,
}

/// Word by word: the derived one would hash the planes as a slice of bytes, which is slower.
impl Hash for Position {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in [self.planes[0], self.planes[1], self.planes[2], self.black] {
            state.write_u64(word);
        }
    }
}

const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

impl Position {
    /// The start of the game.
    #[must_use]
    pub fn start() -> Position {
        const BACK: u64 = 0x8100_0000_0000_0081;
        const PAWNS: u64 = 0x00ff_0000_0000_ff00;
        const fn both(files: u64) -> u64 {
            files | files << 56
        }
        Position {
            planes: [
                PAWNS | BACK | both(0b0010_1100),
                BACK | both(0b0111_0110),
                BACK | both(0b0001_1000),
            ],
            black: 0xffff << 48,
        }
    }

    pub(crate) fn empty(turn: Color) -> Position {
        let mut position = Position { planes: [0; 3], black: 0 };
        position.set_turn(turn);
        position
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        if self.black & !self.occupied().0 == 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub(crate) fn set_turn(&mut self, turn: Color) {
        let occupied = self.occupied().0;
        self.black &= occupied;
        if turn == Color::Black {
            self.black |= !occupied;
        }
    }

    /// The pieces of one side.
    #[inline]
    pub fn pieces(&self, color: Color) -> Bitboard {
        let occupied = self.occupied().0;
        match color {
            Color::White => Bitboard(occupied & !self.black),
            Color::Black => Bitboard(occupied & self.black),
        }
    }

    /// The squares with code 7.
    #[inline]
    pub(crate) fn special(&self) -> u64 {
        self.planes[0] & self.planes[1] & self.planes[2]
    }

    /// The pieces of a kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        let [a, b, c] = self.planes;
        Bitboard(match kind {
            Kind::Pawn => a & !b & !c | a & b & c & !BACK_RANKS,
            Kind::Knight => !a & b & !c,
            Kind::Bishop => a & b & !c,
            Kind::Rook => !a & !b & c | a & b & c & BACK_RANKS,
            Kind::Queen => a & !b & c,
            Kind::King => !a & b & c,
        })
    }

    #[inline]
    pub(crate) fn code(&self, square: Square) -> u64 {
        let [a, b, c] = self.planes;
        let s = square.index();
        (a >> s & 1) | (b >> s & 1) << 1 | (c >> s & 1) << 2
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        // A table instead of branches, which are hard to predict here.
        const KINDS: [Option<Kind>; 9] = [
            None,
            Some(Kind::Pawn),
            Some(Kind::Knight),
            Some(Kind::Bishop),
            Some(Kind::Rook),
            Some(Kind::Queen),
            Some(Kind::King),
            Some(Kind::Pawn),
            Some(Kind::Rook),
        ];
        let code = self.code(square) as usize;
        let on_back_rank = (BACK_RANKS >> square.index() & 1) as usize;
        KINDS[code + (code / 7 & on_back_rank)]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_at(square)?;
        let black = self.black >> square.index() & 1 == 1;
        Some(Piece { color: if black { Color::Black } else { Color::White }, kind })
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, code: u64, color: Color) {
        let s = square.index();
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & !(1 << s) | (code >> i & 1) << s;
        }
        self.black = self.black & !(1 << s) | u64::from(color == Color::Black) << s;
    }

    /// The king's square; `None` once it was captured.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.kind(Kind::King) & self.pieces(color)).first()
    }

    /// The rooks that may still castle, of both sides.
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        Bitboard(self.special() & BACK_RANKS)
    }

    /// The pawn that the side to move can take en passant.
    #[inline]
    pub fn en_passant_pawn(&self) -> Option<Square> {
        Bitboard(self.special() & !BACK_RANKS).first()
    }

    /// The square that the capturing pawn goes to.
    #[inline]
    pub fn en_passant_target(&self) -> Option<Square> {
        self.en_passant_pawn().map(|pawn| Square::wrap(pawn.index() as u32 ^ 8))
    }

    /// Whether the game is decided by the position alone.
    #[inline]
    pub fn status(&self) -> Status {
        if self.king(self.turn()).is_none() {
            Status::KingCaptured
        } else if self.has_moves() {
            Status::Ongoing
        } else {
            Status::NoMoves
        }
    }

    /// A hash that is the same on every machine and in every run.
    #[inline]
    pub fn key(&self) -> u64 {
        let mut hash = 0x9e37_79b9_7f4a_7c15u64;
        for word in [self.planes[0], self.planes[1], self.planes[2], self.black] {
            let product = u128::from(hash ^ word) * 0xa076_1d64_78bd_642f;
            hash = (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32);
        }
        hash ^ hash >> 32
    }

    /// The position after a move, which must be one of [`Position::moves`].
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let turn = self.turn();
        let mut planes = self.planes;
        let mut black = self.black;
        let mut code = self.code(from);
        let (from_bit, to_bit) = (1u64 << from.index(), 1u64 << to.index());

        // Last ply's en-passant pawn is a plain pawn from now on.
        let stale = self.special() & !BACK_RANKS;
        planes[1] &= !stale;
        planes[2] &= !stale;

        // Rooks cannot castle with a king that is gone.
        if self.code(to) == Kind::King as u64 {
            let rooks =
                self.special() & BACK_RANKS & if turn == Color::White { black } else { !black };
            planes[0] &= !rooks;
            planes[1] &= !rooks;
        }

        let mut removed = from_bit | to_bit;
        // A second piece that a move puts on the board: the castling rook.
        let mut rook_bit = 0;
        if code == Kind::Pawn as u64 || code == 7 && from_bit & BACK_RANKS == 0 {
            code = Kind::Pawn as u64;
            let step = to.index() as i32 - from.index() as i32;
            if let Some(kind) = mv.promotion() {
                code = kind as u64;
            } else if step.abs() == 16 {
                let own = if turn == Color::White { !black } else { black };
                let pawns = Bitboard(planes[0] & !planes[1] & !planes[2] & !own);
                let beside = attacks::pawns_west(Bitboard(to_bit), turn)
                    | attacks::pawns_east(Bitboard(to_bit), turn);
                if !(beside.shift(-forward(turn)) & pawns).is_empty() {
                    code = 7;
                }
            } else if stale != 0 && step & 7 != 0 && self.occupied().0 & to_bit == 0 {
                removed |= stale;
            }
        } else if code == 7 {
            code = Kind::Rook as u64;
        } else if code == Kind::King as u64 {
            let back_rank = if turn == Color::White { 0xff } else { 0xff << 56 };
            let rooks = self.special() & back_rank;
            planes[0] &= !rooks;
            planes[1] &= !rooks;
            let step = to.index() as i32 - from.index() as i32;
            if step == 2 {
                removed |= to_bit << 1;
                rook_bit = to_bit >> 1;
            } else if step == -2 {
                removed |= to_bit >> 2;
                rook_bit = to_bit << 1;
            }
        }

        for (i, plane) in planes.iter_mut().enumerate() {
            *plane = *plane & !removed | (code >> i & 1) << to.index();
        }
        planes[2] |= rook_bit;
        let occupied = planes[0] | planes[1] | planes[2];
        // Black's pieces, and the empty squares if Black is to move next.
        black = match turn {
            Color::White => black & !removed & occupied | !occupied,
            Color::Black => (black & !removed | to_bit | rook_bit) & occupied,
        };
        Position { planes, black }
    }
}
