//! Who attacks what, and the moves that quiescence searches.

use obscuro_fow::{Bitboard, Color, Kind, Move, Position, Square, attacks};

/// The sets of a position, taken apart once.
pub(crate) struct Sets {
    pub(crate) turn: Color,
    pub(crate) occupied: Bitboard,
    pub(crate) own: Bitboard,
    pub(crate) enemies: Bitboard,
    /// Pawns to kings, of both sides.
    pub(crate) kinds: [Bitboard; 6],
}

const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

impl Sets {
    #[inline]
    pub(crate) fn of(position: &Position) -> Sets {
        let turn = position.turn();
        Sets {
            turn,
            occupied: position.occupied(),
            own: position.pieces(turn),
            enemies: position.pieces(turn.other()),
            kinds: Kind::ALL.map(|kind| position.kind(kind)),
        }
    }

    #[inline]
    pub(crate) fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind as usize - 1]
    }

    /// The pieces of both sides that attack `target` where `occupied` is occupied.
    #[inline]
    pub(crate) fn attackers(&self, target: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(Kind::Queen);
        let (white, black) = match self.turn {
            Color::White => (self.own, self.enemies),
            Color::Black => (self.enemies, self.own),
        };
        // A pawn attacks a square that a pawn of the other side attacks it from.
        let pawns = attacked_by_pawns(target, Color::Black) & white
            | attacked_by_pawns(target, Color::White) & black;
        pawns & self.kind(Kind::Pawn)
            | attacks::knight(target) & self.kind(Kind::Knight)
            | attacks::bishop(target, occupied) & (self.kind(Kind::Bishop) | queens)
            | attacks::rook(target, occupied) & (self.kind(Kind::Rook) | queens)
            | attacks::king(target) & self.kind(Kind::King)
    }

    /// Whether the side to move can take the king of the other.
    #[inline]
    pub(crate) fn can_take_king(&self) -> bool {
        (self.kind(Kind::King) & self.enemies)
            .first()
            .is_some_and(|king| !(self.attackers(king, self.occupied) & self.own).is_empty())
    }

    /// Whether the side to move has a move after which its king cannot be taken at once.
    #[inline]
    pub(crate) fn has_safe_move(&self, position: &Position) -> bool {
        let Some(king) = (self.kind(Kind::King) & self.own).first() else { return false };
        let in_check = !(self.attackers(king, self.occupied) & self.enemies).is_empty();
        if !in_check && self.has_free_move(king) {
            return true;
        }
        position.moves().into_iter().any(|mv| !Sets::of(&position.play(mv)).can_take_king())
    }

    /// Whether some piece other than the king, and not in line with it, can move. When the king is
    /// not attacked, no such move opens a line to it. En passant is left out: it removes two
    /// pieces from a line.
    fn has_free_move(&self, king: Square) -> bool {
        let lined_up = attacks::queen(king, self.occupied) | king.into();
        let free = self.own - lined_up;
        let pawns = free & self.kind(Kind::Pawn);
        let ahead = match self.turn {
            Color::White => Bitboard(pawns.0 << 8),
            Color::Black => Bitboard(pawns.0 >> 8),
        };
        !(ahead - self.occupied).is_empty()
            || (free & self.kind(Kind::Knight))
                .into_iter()
                .any(|from| !(attacks::knight(from) - self.own).is_empty())
            || (free - pawns).into_iter().any(|from| !(self.reach(from) - self.own).is_empty())
    }

    /// The squares that a piece other than a pawn attacks.
    #[inline]
    fn reach(&self, from: Square) -> Bitboard {
        let is = |kind| self.kind(kind).contains(from);
        if is(Kind::Knight) {
            attacks::knight(from)
        } else if is(Kind::Bishop) {
            attacks::bishop(from, self.occupied)
        } else if is(Kind::Rook) {
            attacks::rook(from, self.occupied)
        } else if is(Kind::Queen) {
            attacks::queen(from, self.occupied)
        } else {
            attacks::king(from)
        }
    }

    /// All captures, en passant included, and promotions; what a pawn becomes is a queen. Sixteen
    /// pieces have at most eight captures each: there are no more than 128.
    #[inline]
    pub(crate) fn for_each_noisy_move(&self, position: &Position, mut each: impl FnMut(Move)) {
        for from in self.own - self.kind(Kind::Pawn) {
            for to in self.reach(from) & self.enemies {
                each(Move::new(from, to));
            }
        }
        let pawns = self.kind(Kind::Pawn) & self.own;
        let capturable = match position.en_passant_target() {
            Some(target) => self.enemies | target.into(),
            None => self.enemies,
        };
        let step = if self.turn == Color::White { 8 } else { -8 };
        let ahead = match self.turn {
            Color::White => Bitboard(pawns.0 << 8),
            Color::Black => Bitboard(pawns.0 >> 8),
        };
        let west = attacks::pawns_west(pawns, self.turn) & capturable;
        let east = attacks::pawns_east(pawns, self.turn) & capturable;
        for (targets, delta) in
            [(west, step - 1), (east, step + 1), ((ahead - self.occupied) & LAST_RANKS, step)]
        {
            for to in targets {
                let Some(from) = Square::new((to.index() as i32 - delta) as u8) else { continue };
                each(if LAST_RANKS.contains(to) {
                    Move::promoting(from, to, Kind::Queen)
                } else {
                    Move::new(from, to)
                });
            }
        }
    }
}

/// The squares that a pawn of a side attacks.
#[inline]
pub(crate) fn attacked_by_pawns(from: Square, color: Color) -> Bitboard {
    let pawn = Bitboard::from(from);
    attacks::pawns_west(pawn, color) | attacks::pawns_east(pawn, color)
}
