use crate::attacks::{pawns_east, pawns_west};
use crate::movegen::{Side, for_each_piece};
use crate::position::Status;
use crate::{Bitboard, Color, Position, Square};

impl Position {
    /// The squares a player sees: their own pieces and every square onto which one of these can
    /// legally move (paper, appendix A).
    ///
    /// For the side that is not to move these are the moves it would have if it were. A pawn sees
    /// straight ahead only where it can go and sideways only what it can take; if it can take en
    /// passant, the target square and the pawn that would be taken are seen.
    #[inline]
    #[must_use]
    pub fn vision(&self, viewer: Color) -> Bitboard {
        let side = Side::seen_by(self, viewer);
        let mut seen = side.own;
        for_each_piece(self, side.own, side.occupied, |_, attacks| seen |= attacks);
        let (single, double) = side.pushes();
        let diagonals = pawns_west(side.pawns, viewer) | pawns_east(side.pawns, viewer);
        seen |= single | double | (diagonals & side.capturable);
        if let Some(pawn) = self.en_passant_pawn()
            && !side.own.contains(pawn)
        {
            seen |= Bitboard::from(pawn) | Bitboard::from(Square::wrap(pawn.index() as u32 ^ 8));
        }
        seen
    }

    /// What the position shows a player.
    #[inline]
    #[must_use]
    pub fn view(&self, viewer: Color) -> View {
        let visible = self.vision(viewer).0;
        let turn = self.turn();
        let own = self.pieces(viewer).0;
        let [mut a, mut b, mut c] = self.planes;
        // Whether an enemy rook may castle is hidden; whether the own pawn just moved can be
        // taken en passant would tell of a hidden pawn.
        let special = a & b & c;
        let back_ranks = LAST_RANKS;
        let enemy_rooks = special & back_ranks & !own;
        let own_pawn = special & !back_ranks & own;
        a &= !enemy_rooks;
        b &= !(enemy_rooks | own_pawn);
        c &= !own_pawn;
        View {
            position: Position {
                planes: [a & visible, b & visible, c & visible],
                black: self.black & self.occupied().0 & visible,
            },
            visible,
            viewer,
            turn,
            status: self.status(),
        }
    }
}

const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// What a position shows a player: a function of the position, and the same for any two
/// positions that the player cannot tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The visible pieces; enemy castling rights are never in it, and nobody is to move.
    pub(crate) position: Position,
    pub(crate) visible: u64,
    pub(crate) viewer: Color,
    pub(crate) turn: Color,
    pub(crate) status: Status,
}

impl View {
    /// Whose view it is.
    pub fn viewer(&self) -> Color {
        self.viewer
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares that are not in the fog.
    pub fn visible(&self) -> Bitboard {
        Bitboard(self.visible)
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The visible pieces of one side.
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.position.pieces(color)
    }

    /// The visible piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<crate::Piece> {
        self.position.piece_at(square)
    }

    /// The viewer's rooks that may still castle.
    pub fn castling_rooks(&self) -> Bitboard {
        self.position.castling_rooks()
    }

    /// The square onto which the viewer can take en passant.
    pub fn en_passant_target(&self) -> Option<Square> {
        self.position.en_passant_target()
    }

    /// The viewer's legal moves: none unless it is the viewer's turn.
    #[must_use]
    pub fn moves(&self) -> crate::Moves {
        let mut moves = crate::Moves::new();
        if self.turn != self.viewer {
            return moves;
        }
        // Everything a move of the viewer depends on is visible, but for what blocks a pawn.
        let mut known = self.position;
        for square in self.blockers() {
            known.put(square, crate::Kind::Pawn as u64, self.viewer.other());
        }
        known.set_turn(self.viewer);
        known.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The fogged squares in front of own pawns, which must hold enemy pieces: an empty one would
    /// be seen.
    #[inline]
    pub(crate) fn blockers(&self) -> Bitboard {
        let visible = Bitboard(self.visible);
        let own = self.position.pieces(self.viewer);
        let pawns = self.position.kind(crate::Kind::Pawn) & own;
        let step = crate::attacks::forward(self.viewer);
        let single = pawns.shift(step);
        let (third, occupied) = match self.viewer {
            Color::White => (Bitboard(0xff << 16), self.position.occupied()),
            Color::Black => (Bitboard(0xff << 40), self.position.occupied()),
        };
        let double = (single & third & (visible - occupied)).shift(step);
        (single | double) - visible
    }

    /// The fogged squares that own pawns attack, which cannot hold enemy pieces: one would be
    /// seen.
    #[inline]
    pub(crate) fn bare_diagonals(&self) -> Bitboard {
        let pawns = self.position.kind(crate::Kind::Pawn) & self.position.pieces(self.viewer);
        (pawns_west(pawns, self.viewer) | pawns_east(pawns, self.viewer)) - Bitboard(self.visible)
    }
}
