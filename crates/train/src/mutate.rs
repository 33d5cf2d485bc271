//! Positions that no game has led to: pieces gone, elsewhere, or of another kind.
//!
//! A network that has seen only positions of games learns the games; a few changes to each
//! make it learn what each piece is worth where it stands.

use obscuro_fow::{Color, Kind, Position};
use obscuro_game::SplitMix64;

/// Most changes to one position.
const MOST: usize = 6;

/// The position with one to six changes; both kings stay on the board. Nobody can castle or take
/// en passant any more. `None` if that is no position.
pub(crate) fn mutate(position: &Position, rng: &mut SplitMix64) -> Option<Position> {
    let turn = position.turn();
    let mut squares: [Option<(Kind, Color)>; 64] = [None; 64];
    for square in position.occupied() {
        squares[square.index()] = position.piece_at(square).map(|piece| (piece.kind, piece.color));
    }
    for _ in 0..=rng.below(MOST) {
        change(&mut squares, rng);
    }
    from_squares(&squares, turn)
}

fn change(squares: &mut [Option<(Kind, Color)>; 64], rng: &mut SplitMix64) {
    let pieces = squares.iter().flatten().count();
    let chosen = rng.below(pieces.max(1));
    let Some((at, (kind, color))) = squares
        .iter()
        .enumerate()
        .filter_map(|(at, piece)| piece.map(|piece| (at, piece)))
        .nth(chosen)
    else {
        return;
    };
    let officer = !matches!(kind, Kind::Pawn | Kind::King);
    match rng.below(8) {
        0..3 if kind != Kind::King => squares[at] = None,
        3 if officer => {
            let kinds = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
            squares[at] = Some((kinds[rng.below(4)], color));
        }
        _ => {
            let to = rng.below(64);
            let fits = kind != Kind::Pawn || (8..56).contains(&to);
            if squares[to].is_none() && fits {
                squares[to] = squares[at].take();
            }
        }
    }
}

fn from_squares(squares: &[Option<(Kind, Color)>; 64], turn: Color) -> Option<Position> {
    let mut words = [0u64; 4];
    for (at, piece) in squares.iter().enumerate() {
        let bit = 1 << at;
        match piece {
            Some((kind, color)) => {
                for (plane, word) in words[..3].iter_mut().enumerate() {
                    *word |= (*kind as u64 >> plane & 1) * bit;
                }
                words[3] |= u64::from(*color == Color::Black) * bit;
            }
            None => words[3] |= u64::from(turn == Color::Black) * bit,
        }
    }
    Position::from_words(words)
}

/// The position with some pieces less, of one side or both; all kings stay, and those who stand at
/// home with their rooks can castle as before.
pub(crate) fn thinned(position: &Position, rng: &mut SplitMix64) -> Position {
    let mut words = position.to_words();
    let empty = if position.turn() == Color::Black { !0 } else { 0 };
    for color in [Color::White, Color::Black] {
        let share = rng.unit() * rng.unit();
        for square in position.pieces(color) {
            if position.kind_at(square) != Some(Kind::King) && rng.unit() < share {
                let bit = 1 << square.index();
                for word in &mut words[..3] {
                    *word &= !bit;
                }
                words[3] = words[3] & !bit | empty & bit;
            }
        }
    }
    Position::from_words(words).unwrap_or(*position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use obscuro_fow::{Bitboard, Board, Square};

    const BUSY: &str = "r3k2r/pP4pp/8/3pP3/4q3/2N5/PP1B2PP/R3K2R w KQkq d6 0 1";

    #[test]
    fn changes_are_few_and_keep_both_kings() {
        let position = *BUSY.parse::<Board>().unwrap().position();
        let mut rng = SplitMix64::new(5);
        let mut fewer = 0;
        for _ in 0..500 {
            let mutant = mutate(&position, &mut rng).unwrap();
            assert_eq!(mutant.turn(), position.turn());
            assert!(mutant.king(Color::White).is_some() && mutant.king(Color::Black).is_some());
            assert!(mutant.castling_rooks().is_empty() && mutant.en_passant_pawn().is_none());
            assert!((mutant.kind(Kind::Pawn) & (Bitboard::RANK_1 | Bitboard::RANK_8)).is_empty());
            let differs = |square: &Square| mutant.piece_at(*square) != position.piece_at(*square);
            let changed = Square::all().filter(differs).count();
            assert!(changed <= 2 * MOST, "{changed} squares");
            fewer += usize::from(mutant.occupied().len() < position.occupied().len());
        }
        assert!((100..500).contains(&fewer), "{fewer}");
    }

    #[test]
    fn thinned_positions_have_fewer_pieces_and_the_same_turn() {
        for fen in [BUSY, &BUSY.replace(" w KQkq d6", " b KQkq -")] {
            let position = *fen.parse::<Board>().unwrap().position();
            let mut rng = SplitMix64::new(6);
            let mut fewer = 0;
            for _ in 0..100 {
                let thin = thinned(&position, &mut rng);
                assert_eq!(thin.turn(), position.turn());
                assert_eq!((thin.occupied() - position.occupied()).len(), 0);
                assert!(thin.king(Color::White).is_some() && thin.king(Color::Black).is_some());
                fewer += usize::from(thin != position);
            }
            assert!(fewer > 50, "{fewer}");
        }
    }
}
