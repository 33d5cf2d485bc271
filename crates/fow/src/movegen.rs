//! The legal moves of Fog of War chess: what chess calls pseudo-legal, castling out of, through
//! and into attack included.

use arrayvec::ArrayVec;

use crate::attacks::{self, forward, pawns_east, pawns_west};
use crate::{Bitboard, Color, Kind, Move, Position, Square};

/// The moves of a position. No position with 16 pieces a side has more.
pub type Moves = ArrayVec<Move, 512>;

/// What generating moves needs to know, computed once a position.
pub(crate) struct Side {
    pub(crate) turn: Color,
    pub(crate) own: Bitboard,
    pub(crate) occupied: Bitboard,
    /// Where a pawn may capture: enemies, and the en-passant target.
    pub(crate) capturable: Bitboard,
    pub(crate) pawns: Bitboard,
    pub(crate) kings: Bitboard,
}

impl Side {
    #[inline]
    pub(crate) fn to_move(position: &Position) -> Side {
        let turn = position.turn();
        let mut side = Side::seen_by(position, turn);
        // The en-passant pawn stands on rank 4 or 5, its target next to it behind the pawn.
        let pawn = position.special() & (Bitboard::RANK_4 | Bitboard::RANK_5).0;
        side.capturable |= Bitboard(pawn).shift(forward(turn));
        side
    }

    /// The same for a side that need not be to move; it has no en passant.
    #[inline]
    pub(crate) fn seen_by(position: &Position, color: Color) -> Side {
        let own = position.pieces(color);
        let occupied = position.occupied();
        Side {
            turn: color,
            own,
            occupied,
            capturable: occupied - own,
            pawns: position.kind(Kind::Pawn) & own,
            kings: position.kind(Kind::King) & own,
        }
    }

    /// Where pawns can go straight ahead, by one and by two squares.
    #[inline]
    pub(crate) fn pushes(&self) -> (Bitboard, Bitboard) {
        let step = forward(self.turn);
        let third = match self.turn {
            Color::White => Bitboard(0xff << 16),
            Color::Black => Bitboard(0xff << 40),
        };
        let single = self.pawns.shift(step) - self.occupied;
        let double = (single & third).shift(step) - self.occupied;
        (single, double)
    }

    /// Where castling takes the king.
    #[inline]
    pub(crate) fn castlings(&self, position: &Position) -> Bitboard {
        let rooks = (position.castling_rooks() & self.own).0;
        let shift = if self.turn == Color::White { 0 } else { 56 };
        let occupied = self.occupied.0 >> shift;
        let mut targets = 0;
        if rooks >> shift & 0x80 != 0 && occupied & 0x60 == 0 {
            targets |= 0x40;
        }
        if rooks >> shift & 0x01 != 0 && occupied & 0x0e == 0 {
            targets |= 0x04;
        }
        Bitboard(targets << shift)
    }
}

/// The squares that pieces other than pawns attack, one call of `visit` a piece.
#[inline]
pub(crate) fn for_each_piece(
    position: &Position,
    own: Bitboard,
    occupied: Bitboard,
    mut visit: impl FnMut(Square, Bitboard),
) {
    let [a, b, c] = position.planes;
    let special = a & b & c;
    // Diagonal movers have the codes 3 and 5, straight ones 4, 5 and 7 on a back rank.
    let queens = a & !b & c;
    let diagonal = Bitboard(a & b & !c | queens) & own;
    let back_ranks = Bitboard::RANK_1 | Bitboard::RANK_8;
    let straight = Bitboard(!a & !b & c | queens | special & back_ranks.0) & own;
    for from in Bitboard(!a & b & !c) & own {
        visit(from, attacks::knight(from));
    }
    for from in diagonal - straight {
        visit(from, attacks::bishop(from, occupied));
    }
    for from in straight - diagonal {
        visit(from, attacks::rook(from, occupied));
    }
    for from in Bitboard(queens) & own {
        visit(from, attacks::queen(from, occupied));
    }
    for from in Bitboard(!a & b & c) & own {
        visit(from, attacks::king(from));
    }
}

const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

impl Position {
    /// The moves of the side to move; none once its king was captured.
    ///
    /// The order depends on nothing but the set of moves and the own pieces.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// Calls `visit` with each move, in the order of [`Position::moves`].
    #[inline]
    pub(crate) fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let side = Side::to_move(self);
        let Some(king) = side.kings.first() else { return };
        for_each_piece(self, side.own, side.occupied, |from, attacks| {
            for to in attacks - side.own {
                visit(Move::new(from, to));
            }
        });
        for to in side.castlings(self) {
            visit(Move::new(king, to));
        }
        let step = forward(side.turn);
        let (single, double) = side.pushes();
        let mut pawn_moves = |targets: Bitboard, delta: i32| {
            for to in targets - LAST_RANKS {
                visit(Move::new(Square::wrap((to.index() as i32 - delta) as u32), to));
            }
            for to in targets & LAST_RANKS {
                let from = Square::wrap((to.index() as i32 - delta) as u32);
                for kind in Kind::PROMOTIONS {
                    visit(Move::promoting(from, to, kind));
                }
            }
        };
        pawn_moves(pawns_west(side.pawns, side.turn) & side.capturable, step - 1);
        pawn_moves(pawns_east(side.pawns, side.turn) & side.capturable, step + 1);
        pawn_moves(single, step);
        pawn_moves(double, 2 * step);
    }

    /// The number of moves, counted without making a list.
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        let side = Side::to_move(self);
        if side.kings.is_empty() {
            return 0;
        }
        let mut count = side.castlings(self).len();
        for_each_piece(self, side.own, side.occupied, |_, attacks| {
            count += (attacks - side.own).len();
        });
        let (single, double) = side.pushes();
        let west = pawns_west(side.pawns, side.turn) & side.capturable;
        let east = pawns_east(side.pawns, side.turn) & side.capturable;
        let promoting =
            (single & LAST_RANKS).len() + (west & LAST_RANKS).len() + (east & LAST_RANKS).len();
        count + single.len() + double.len() + west.len() + east.len() + 3 * promoting
    }

    /// Whether the side to move has a king and a move.
    #[inline]
    #[must_use]
    pub fn has_moves(&self) -> bool {
        let side = Side::to_move(self);
        if side.kings.is_empty() {
            return false;
        }
        if !side.pushes().0.is_empty() {
            return true;
        }
        let captures = pawns_west(side.pawns, side.turn) | pawns_east(side.pawns, side.turn);
        if !(captures & side.capturable).is_empty() {
            return true;
        }
        let mut any = false;
        for_each_piece(self, side.own, side.occupied, |_, attacks| {
            any |= !(attacks - side.own).is_empty();
        });
        // Castling needs a free square beside the king, where the king could go as well.
        any
    }

    /// Whether a move is legal here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut found = false;
        self.for_each_move(|legal| found |= legal == mv);
        found
    }
}
