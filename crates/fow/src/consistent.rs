//! The belief's fast path: the children of a position that fit what a player sees, found by set
//! operations before any child is built.
//!
//! What is visible is known to the square. Sliders, knights and kings see the same squares from
//! any position that agrees with the player on the visible ones, because a ray ends on a visible
//! square; so the rest of the view comes down to the pawns: a fogged square in front of one must
//! hold an enemy, a fogged square diagonally before one must not.

use crate::attacks::{self, forward, pawns_east, pawns_west};
use crate::movegen::{Side, for_each_piece};
use crate::position::Status;
use crate::{Bitboard, Color, Kind, Move, Position, Square, View};

const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

/// What a view demands of a position, as sets of squares.
pub(crate) struct Filter {
    seen: View,
    viewer: Color,
    visible: Bitboard,
    own: Bitboard,
    enemies: Bitboard,
    own_pawns: Bitboard,
    /// Fogged squares that must hold enemies.
    blockers: Bitboard,
    /// Fogged squares that cannot.
    bare: Bitboard,
    en_passant: Option<Square>,
}

impl Filter {
    pub(crate) fn new(seen: &View) -> Filter {
        let viewer = seen.viewer;
        let own = seen.pieces(viewer);
        Filter {
            seen: *seen,
            viewer,
            visible: seen.visible(),
            own,
            enemies: seen.pieces(viewer.other()),
            own_pawns: seen.position.kind(Kind::Pawn) & own,
            blockers: seen.blockers(),
            bare: seen.bare_diagonals(),
            en_passant: seen.position.en_passant_pawn(),
        }
    }

    /// The three kind planes with the hidden rights taken out, as in a view.
    #[inline]
    fn shown(&self, position: &Position) -> [u64; 3] {
        let [mut a, mut b, mut c] = position.planes;
        let special = a & b & c;
        if special != 0 {
            let own = position.pieces(self.viewer).0;
            let enemy_rooks = special & BACK_RANKS & !own;
            let own_pawn = special & !BACK_RANKS & own;
            a &= !enemy_rooks;
            b &= !(enemy_rooks | own_pawn);
            c &= !own_pawn;
        }
        [a, b, c]
    }

    /// The squares on which a position shows the viewer something else than was seen.
    #[inline]
    fn differences(&self, position: &Position) -> Bitboard {
        let shown = self.shown(position);
        let seen = &self.seen.position;
        let kinds =
            (shown[0] ^ seen.planes[0]) | (shown[1] ^ seen.planes[1]) | (shown[2] ^ seen.planes[2]);
        let colors = position.pieces(Color::Black) ^ seen.pieces(Color::Black);
        (Bitboard(kinds) | colors) & self.visible
    }

    /// Whether a position shows the viewer exactly what was seen.
    pub(crate) fn fits(&self, position: &Position) -> bool {
        let enemies = position.pieces(self.viewer.other());
        let own_turn = position.turn() == self.viewer;
        self.differences(position).is_empty()
            && position.pieces(self.viewer) == self.own
            && position.turn() == self.seen.turn
            && enemies.is_superset(self.blockers)
            && (enemies & self.bare).is_empty()
            && (!own_turn || position.en_passant_pawn() == self.en_passant)
            && position.status() == self.seen.status
    }

    /// The child by the viewer's own move, if it fits.
    pub(crate) fn after_own(&self, parent: &Position, mv: Move, children: &mut Vec<Position>) {
        let child = parent.play(mv);
        if self.fits(&child) {
            children.push(child);
        }
    }

    /// The children by any move of the opponent that fit.
    #[inline]
    pub(crate) fn after_opponents(&self, parent: &Position, children: &mut Vec<Position>) {
        let opponent = self.viewer.other();
        let side = Side::to_move(parent);
        if side.kings.is_empty() || self.seen.turn != self.viewer {
            return;
        }
        let enemies = side.own;
        let lost = parent.pieces(self.viewer) - self.own;
        if lost.is_many() {
            return;
        }
        self.rare_moves(parent, &side, lost, children);

        // An ordinary move empties one square and fills one. Where the parent differs from what
        // was seen tells which.
        // Own pieces differ only where one was lost, and in castling rights lost with the king.
        let differences = self.differences(parent) - self.own;
        let appeared = differences & self.enemies;
        let vanished = differences & enemies;
        let must_fill = appeared | (self.blockers - enemies) | lost;
        let must_leave = vanished | (self.bare & enemies);
        if must_fill.is_many()
            || must_leave.is_many()
            || !(appeared & vanished).is_empty()
            || !(must_leave & self.blockers).is_empty()
            || !(must_fill & self.bare).is_empty()
            // A visible square that must be filled is one that was seen filled.
            || !((must_fill & self.visible) - appeared).is_empty()
            || !(differences - appeared - vanished - lost).is_empty()
        {
            return;
        }
        let from_mask =
            if must_leave.is_empty() { enemies - self.visible - self.blockers } else { must_leave };
        let to_mask = if must_fill.is_empty() {
            !(self.visible | self.bare | parent.occupied())
        } else {
            must_fill
        };
        if from_mask.is_empty() || to_mask.is_empty() {
            return;
        }
        let arrived = appeared.first().and_then(|square| self.seen.position.kind_at(square));
        self.piece_moves(parent, &side, from_mask, to_mask, arrived, children);
        self.pawn_moves(parent, opponent, &side, from_mask, to_mask, arrived, children);
    }

    /// Castling and en passant touch more than two squares: they are played and looked at whole.
    #[inline]
    fn rare_moves(
        &self,
        parent: &Position,
        side: &Side,
        lost: Bitboard,
        children: &mut Vec<Position>,
    ) {
        if lost.is_empty() {
            let castlings = side.castlings(parent);
            for (to, king) in castlings.into_iter().zip(side.kings.into_iter().cycle()) {
                self.after_own(parent, Move::new(king, to), children);
            }
        } else if let Some(pawn) = parent.en_passant_pawn()
            && lost.contains(pawn)
        {
            let target = Square::wrap(pawn.index() as u32 ^ 8);
            let target_set = Bitboard::from(target);
            // Seen from the target, the capturing pawns stand where the viewer's would capture.
            let sources = pawns_west(target_set, self.viewer) | pawns_east(target_set, self.viewer);
            for from in sources & side.pawns {
                self.after_own(parent, Move::new(from, target), children);
            }
        }
    }

    #[inline]
    fn piece_moves(
        &self,
        parent: &Position,
        side: &Side,
        from_mask: Bitboard,
        to_mask: Bitboard,
        arrived: Option<Kind>,
        children: &mut Vec<Position>,
    ) {
        if self.en_passant.is_some() {
            return;
        }
        let movers = match arrived {
            Some(kind) => from_mask & parent.kind(kind),
            None => from_mask,
        };
        for_each_piece(parent, movers, side.occupied, |from, attacks| {
            for to in attacks & to_mask {
                children.push(parent.play(Move::new(from, to)));
            }
        });
    }

    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one call site, in the hot path")]
    fn pawn_moves(
        &self,
        parent: &Position,
        opponent: Color,
        side: &Side,
        from_mask: Bitboard,
        to_mask: Bitboard,
        arrived: Option<Kind>,
        children: &mut Vec<Position>,
    ) {
        let last_ranks = Bitboard(BACK_RANKS);
        let movers = Side { pawns: side.pawns & from_mask, ..*side };
        if movers.pawns.is_empty() {
            return;
        }
        let step = forward(opponent);
        let (single, double) = movers.pushes();
        let beside_own_pawns = {
            let west = (self.own_pawns - Bitboard::FILE_A).shift(-1);
            let east = (self.own_pawns - Bitboard::FILE_H).shift(1);
            west | east
        };
        // A double step next to an own pawn is the one that can be taken en passant.
        let double = match self.en_passant {
            Some(pawn) => double & Bitboard::from(pawn),
            None => double - beside_own_pawns,
        };
        let mut visit = |targets: Bitboard, delta: i32| {
            for to in targets & to_mask {
                let from = Square::wrap((to.index() as i32 - delta) as u32);
                if last_ranks.contains(to) {
                    for kind in Kind::PROMOTIONS {
                        if arrived.is_none_or(|seen| seen == kind) {
                            children.push(parent.play(Move::promoting(from, to, kind)));
                        }
                    }
                } else if arrived.is_none_or(|seen| seen == Kind::Pawn) {
                    children.push(parent.play(Move::new(from, to)));
                }
            }
        };
        visit(double, 2 * step);
        if self.en_passant.is_some() {
            return;
        }
        let viewers = parent.pieces(self.viewer);
        visit(single, step);
        visit(attacks::pawns_west(movers.pawns, opponent) & viewers, step - 1);
        visit(attacks::pawns_east(movers.pawns, opponent) & viewers, step + 1);
    }
}

impl View {
    /// Whether the game goes on after this.
    pub fn is_ongoing(&self) -> bool {
        self.status == Status::Ongoing
    }
}
