//! The quickest evaluation that still plays like somebody: material, and how far forward and how
//! central it stands.

use obscuro_eval::StaticEvaluator;
use obscuro_fow::{Bitboard, Color, Kind, Position};

const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);
const INNER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Guides players through many games in little time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material;

fn side(position: &Position, color: Color) -> i32 {
    let own = position.pieces(color);
    let count = |kind| (position.kind(kind) & own).len() as i32;
    let pieces = own - position.kind(Kind::Pawn) - position.kind(Kind::King);
    let pawns = position.kind(Kind::Pawn) & own;
    // The far half of the board, and the fourth of it that is next to promotion.
    let (far, farthest) = match color {
        Color::White => (0xffff_ffff_0000_0000, 0xffff_0000_0000_0000),
        Color::Black => (0x0000_0000_ffff_ffff, 0x0000_0000_0000_ffff),
    };
    let king = position.kind(Kind::King) & own;
    let many = i32::from(position.occupied().len() > 16);
    100 * count(Kind::Pawn)
        + 320 * count(Kind::Knight)
        + 330 * count(Kind::Bishop)
        + 500 * count(Kind::Rook)
        + 900 * count(Kind::Queen)
        + 8 * (pieces & CENTRE).len() as i32
        + 12 * (own & INNER).len() as i32
        + 15 * (pawns & Bitboard(far)).len() as i32
        + 40 * (pawns & Bitboard(farthest)).len() as i32
        - 30 * many * (king & CENTRE).len() as i32
}

impl StaticEvaluator for Material {
    #[inline]
    fn value(&mut self, position: &Position) -> i32 {
        let turn = position.turn();
        side(position, turn) - side(position, turn.other())
    }

    fn units_per_pawn(&self) -> f32 {
        100.0
    }

    fn fork(&self) -> Self {
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obscuro_fow::Board;

    #[test]
    fn both_sides_are_valued_alike() {
        let value = |fen: &str| Material.value(fen.parse::<Board>().unwrap().position());
        assert_eq!(value("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"), 0);
        assert_eq!(
            value("4k3/1P6/8/3q4/8/8/8/4K3 w - - 0 1"),
            value("4k3/8/8/8/3Q4/8/1p6/4K3 b - - 0 1")
        );
        assert!(value("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1") > 800);
    }
}
