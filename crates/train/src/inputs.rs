//! What the default network sees of a position: for each side, one input for every piece.
//!
//! A side sees the board turned so that it plays upwards and mirrored so that its king is on the
//! files e to h. Its king's square gives one of [`BUCKETS`] sets of inputs.

use obscuro_fow::{Color, Kind, Position, Square};

/// Sets of inputs, by the square of the viewer's king.
pub const BUCKETS: usize = 16;
/// Inputs of one set: eleven kinds of piece on 64 squares; the two kings share one.
pub const PLANES: usize = 11 * 64;
/// All inputs of one side.
pub const FEATURES: usize = BUCKETS * PLANES;
/// Stacks of layers, by the number of pieces.
pub const STACKS: usize = 8;
/// The most inputs that one side can have.
pub const MOST: usize = 32;
/// What follows the last input of a side.
pub const END: u16 = u16::MAX;

/// The inputs of the side to move, then those of the other, each followed by [`END`] where there
/// is room; and the stack. `None` if a king is missing.
pub fn inputs(position: &Position) -> Option<([u16; 2 * MOST], u8)> {
    let mut features = [END; 2 * MOST];
    let turn = position.turn();
    for (viewer, half) in [turn, turn.other()].into_iter().zip(features.chunks_exact_mut(MOST)) {
        let king = position.king(viewer)?;
        let outlook = Outlook::new(viewer, king);
        let mut places = half.iter_mut();
        for color in [viewer, viewer.other()] {
            let pieces = position.pieces(color);
            for kind in Kind::ALL {
                let base = outlook.plane(color, kind);
                for square in position.kind(kind) & pieces {
                    *places.next()? = base + u16::from(square.index() as u8 ^ outlook.flip);
                }
            }
        }
    }
    Some((features, (position.occupied().len() as u8 - 1) / 4))
}

struct Outlook {
    viewer: Color,
    flip: u8,
    base: usize,
}

impl Outlook {
    fn new(viewer: Color, king: Square) -> Outlook {
        let turned = if viewer == Color::White { 0 } else { 56 };
        let mirrored = if king.file() < 4 { 7 } else { 0 };
        let flip = turned | mirrored;
        Outlook { viewer, flip, base: bucket(king.index() as u8 ^ flip) * PLANES }
    }

    /// The first input for pieces of this kind.
    fn plane(&self, color: Color, kind: Kind) -> u16 {
        let enemy = kind != Kind::King && color != self.viewer;
        (self.base + 64 * (2 * (kind as usize - 1) + usize::from(enemy))) as u16
    }
}

/// The set of inputs for a king that is seen on this square, which is on the files e to h.
fn bucket(seen: u8) -> usize {
    let (rank, file) = (usize::from(seen / 8), usize::from(7 - seen % 8));
    match rank {
        0 => file,
        1 => 4 + file,
        2 => 8 + file / 2,
        3 => 10 + file / 2,
        4 | 5 => 12 + file / 2,
        _ => 14 + file / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obscuro_fow::Board;

    fn of(fen: &str) -> ([u16; 2 * MOST], u8) {
        inputs(fen.parse::<Board>().unwrap().position()).unwrap()
    }

    #[test]
    fn the_start_looks_the_same_to_both() {
        let (features, stack) = inputs(&Position::start()).unwrap();
        let (mut us, mut them) = (features[..MOST].to_vec(), features[MOST..].to_vec());
        us.sort_unstable();
        them.sort_unstable();
        assert_eq!(us, them);
        assert_eq!(stack, 7);
        // The own king: e1, in set 3.
        assert!(us.contains(&((3 * PLANES + 10 * 64 + 4) as u16)));
    }

    #[test]
    fn colours_exchanged_and_files_mirrored_change_nothing() {
        let sorted = |fen| {
            let (features, stack) = of(fen);
            let mut halves = [features[..MOST].to_vec(), features[MOST..].to_vec()];
            for half in &mut halves {
                half.sort_unstable();
            }
            (halves, stack)
        };
        let one = sorted("8/1k6/8/2p5/3N4/8/6K1/8 w - - 0 1");
        assert_eq!(one, sorted("8/6k1/8/3n4/2P5/8/1K6/8 b - - 0 1"));
        assert_eq!(one, sorted("8/6k1/8/5p2/4N3/8/1K6/8 w - - 0 1"));
    }

    #[test]
    fn every_square_of_the_king_has_its_set() {
        let sets: Vec<usize> = (0..64).filter(|square| square % 8 >= 4).map(bucket).collect();
        assert_eq!(sets[..8], [3, 2, 1, 0, 7, 6, 5, 4]);
        assert_eq!(sets[8..16], [9, 9, 8, 8, 11, 11, 10, 10]);
        assert_eq!(sets[16..24], [13, 13, 12, 12, 13, 13, 12, 12]);
        assert_eq!(sets[24..], [15, 15, 14, 14, 15, 15, 14, 14]);
    }

    #[test]
    fn without_a_king_there_are_none() {
        let board: Board = "8/8/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
        assert_eq!(inputs(board.position()), None);
    }
}
