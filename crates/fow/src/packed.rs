//! Positions as four words, for files of many positions.

use crate::{Bitboard, Color, Kind, Position};

impl Position {
    /// The position as four words: three planes of piece codes, and Black's pieces, with all empty
    /// squares as well if Black is to move.
    ///
    /// A square's code, its bits in the planes, is 0 for none, 1 to 6 for pawn to king, and 7 for a
    /// rook that can castle (first and last rank) or a pawn that can be taken en passant.
    ///
    /// ```
    /// use obscuro_fow::Position;
    /// let start = Position::start();
    /// assert_eq!(Position::from_words(start.to_words()), Some(start));
    /// assert_eq!(Position::from_words([0, 0, 0, 1]), None);
    /// ```
    pub fn to_words(&self) -> [u64; 4] {
        let [a, b, c] = self.planes;
        [a, b, c, self.black]
    }

    /// The position that the words stand for; `None` if there is none: a colour on an empty
    /// square, two kings of a side, more than 32 pieces, or several pawns that moved last.
    pub fn from_words([a, b, c, black]: [u64; 4]) -> Option<Position> {
        let position = Position { planes: [a, b, c], black };
        let occupied = position.occupied();
        let empty = black & !occupied.0;
        let kings = |color| (position.kind(Kind::King) & position.pieces(color)).len();
        let stale = Bitboard(position.special()) - (Bitboard::RANK_1 | Bitboard::RANK_8);
        let valid = (empty == 0 || empty == !occupied.0)
            && occupied.len() <= 32
            && kings(Color::White) <= 1
            && kings(Color::Black) <= 1
            && stale.len() <= 1;
        valid.then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Board, Position};

    #[test]
    fn every_part_of_a_position_is_in_its_words() {
        let fens = [
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            "8/8/8/8/8/8/8/4K3 b - - 0 1",
        ];
        for fen in fens {
            let position = *fen.parse::<Board>().unwrap().position();
            assert_eq!(Position::from_words(position.to_words()), Some(position), "{fen}");
        }
    }

    #[test]
    fn words_that_are_no_position_are_refused() {
        let king = 6u64;
        let planes = |squares: u64| {
            [king & 1, king >> 1 & 1, king >> 2].map(|bit| if bit == 1 { squares } else { 0 })
        };
        let [a, b, c] = planes(0b11);
        assert_eq!(Position::from_words([a, b, c, 0]), None, "two white kings");
        assert!(Position::from_words([a, b, c, 0b10]).is_some(), "one of each side");
        assert_eq!(Position::from_words([0xf_ffff_ffff, 0, 0, 0]), None, "36 pawns");
        assert_eq!(Position::from_words([1 << 8, 0, 0, 1 << 9]), None, "black on an empty square");
        let moved = 0x300 << 16;
        assert_eq!(Position::from_words([moved, moved, moved, 0]), None, "two pawns moved last");
    }
}
