//! The sums of both halves along a line of moves, computed when they are asked for.

use arrayvec::ArrayVec;
use obscuro_fow::{Bitboard, Color, Kind, Piece, Position, Square};

use super::features::Outlook;
use super::layers::BUCKETS;
use super::simd::{Column, Simd};
use super::{Network, Parts};

/// The sums of one half: what one side sees.
#[derive(Clone)]
struct Half {
    sums: Column,
    psqt: [i32; BUCKETS],
}

impl Half {
    fn empty(network: &Network) -> Half {
        Half { sums: (*network.biases).clone(), psqt: [0; BUCKETS] }
    }
}

/// Makes `to` from `from` with some inputs more and some fewer.
#[inline]
fn update(
    network: &Network,
    simd: Simd,
    from: &Half,
    to: &mut Half,
    added: &[usize],
    removed: &[usize],
) {
    simd.accumulate(&network.columns, &from.sums, &mut to.sums, added, removed);
    let mut psqt = from.psqt;
    for &i in added {
        for (sum, weight) in psqt.iter_mut().zip(&network.psqt[i]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &i in removed {
        for (sum, weight) in psqt.iter_mut().zip(&network.psqt[i]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
    to.psqt = psqt;
}

/// The last position seen with a king on a certain square, and its half: a refresh starts from
/// there, which is nearer than the empty board.
#[derive(Clone)]
struct Remembered {
    half: Half,
    pieces: [[Bitboard; 6]; 2],
}

impl Remembered {
    fn empty(network: &Network) -> Remembered {
        Remembered { half: Half::empty(network), pieces: [[Bitboard::EMPTY; 6]; 2] }
    }

    /// Goes back to the empty board.
    fn clear(&mut self, network: &Network) {
        self.half.sums.clone_from(&network.biases);
        self.half.psqt = [0; BUCKETS];
        self.pieces = [[Bitboard::EMPTY; 6]; 2];
    }

    /// How many pieces there are at only one of the two positions.
    fn distance(&self, position: &Position) -> u32 {
        let side = |color: Color| -> u32 {
            let own = position.pieces(color);
            let pieces = Kind::ALL.iter().zip(&self.pieces[color as usize]);
            pieces.map(|(&kind, &old)| ((position.kind(kind) & own) ^ old).len()).sum()
        };
        side(Color::White) + side(Color::Black)
    }
}

/// One position of the line.
struct Ply {
    position: Position,
    kings: [Option<Square>; 2],
    halves: [Half; 2],
    /// Which halves are computed.
    ready: [bool; 2],
    /// Which halves cannot be computed from those of the ply before: that side's king moved.
    cut: [bool; 2],
    /// What the move does to each half; of no use where it is cut.
    changes: [Changes; 2],
}

/// The inputs that a move adds and removes.
#[derive(Clone, Default)]
struct Changes {
    added: ArrayVec<usize, 2>,
    removed: ArrayVec<usize, 2>,
}

impl Ply {
    fn empty() -> Ply {
        let half = Half { sums: Column::default(), psqt: [0; BUCKETS] };
        Ply {
            position: Position::start(),
            kings: [None; 2],
            halves: [half.clone(), half],
            ready: [false; 2],
            cut: [true; 2],
            changes: [Changes::default(), Changes::default()],
        }
    }
}

const COLORS: [Color; 2] = [Color::White, Color::Black];

/// The positions from where the search began to where it is.
pub(super) struct Line {
    simd: Simd,
    plies: Vec<Ply>,
    /// How many of the plies there are beyond the first; memory of the others is kept.
    depth: usize,
    memory: Vec<Remembered>,
}

impl Line {
    pub(super) fn new(network: &Network, simd: Simd) -> Line {
        Line {
            simd,
            plies: vec![Ply::empty()],
            depth: 0,
            memory: vec![Remembered::empty(network); 2 * 64],
        }
    }

    pub(super) fn simd(&self) -> Simd {
        self.simd
    }

    /// Forgets what would spare adding up all the sums of a position.
    pub(super) fn forget(&mut self, network: &Network, position: &Position) {
        for color in COLORS {
            if let Some(king) = position.king(color) {
                self.memory[64 * color as usize + king.index()].clear(network);
            }
        }
    }

    pub(super) fn begin(&mut self, position: &Position) {
        self.depth = 0;
        let ply = &mut self.plies[0];
        ply.position = *position;
        ply.kings = COLORS.map(|color| position.king(color));
        ply.ready = [false; 2];
        ply.cut = [true; 2];
    }

    pub(super) fn push(&mut self, child: &Position) {
        self.depth += 1;
        if self.depth == self.plies.len() {
            self.plies.push(Ply::empty());
        }
        let (before, after) = self.plies.split_at_mut(self.depth);
        let (before, ply) = (&before[self.depth - 1], &mut after[0]);
        let parent = &before.position;
        ply.position = *child;
        ply.ready = [false; 2];
        ply.kings = COLORS.map(|color| child.king(color));
        ply.cut = [0, 1].map(|side| ply.kings[side] != before.kings[side]);
        for changes in &mut ply.changes {
            changes.added.clear();
            changes.removed.clear();
        }
        let outlooks = [0, 1].map(|side| {
            ply.kings[side].map_or_else(Outlook::default, |king| Outlook::new(COLORS[side], king))
        });
        // No move replaces a piece by another of its colour on the same square.
        let [white, black] = COLORS.map(|color| parent.pieces(color) ^ child.pieces(color));
        let mut fits = true;
        for square in white | black {
            let (old, new) = (parent.piece_at(square), child.piece_at(square));
            for (changes, outlook) in ply.changes.iter_mut().zip(outlooks) {
                let input = |piece: Piece| outlook.feature(piece.color, piece.kind, square);
                fits &= old.is_none_or(|old| changes.removed.try_push(input(old)).is_ok());
                fits &= new.is_none_or(|new| changes.added.try_push(input(new)).is_ok());
            }
        }
        // More than a move can change: not a child, but any position can be served.
        if !fits {
            ply.cut = [true; 2];
        }
    }

    pub(super) fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The network's output where the line ends.
    pub(super) fn parts(&mut self, network: &Network) -> Parts {
        for color in COLORS {
            self.compute(network, color);
        }
        let ply = &self.plies[self.depth];
        let (us, them) = match ply.position.turn() {
            Color::White => (&ply.halves[0], &ply.halves[1]),
            Color::Black => (&ply.halves[1], &ply.halves[0]),
        };
        let bucket = (ply.position.occupied().len() as usize).saturating_sub(1) / 4 % BUCKETS;
        Parts {
            material: us.psqt[bucket].wrapping_sub(them.psqt[bucket]) / 2,
            positional: self.simd.layers(&us.sums, &them.sums, &network.stacks[bucket]),
        }
    }

    /// Computes one side's half where the line ends, from the nearest that is there.
    fn compute(&mut self, network: &Network, color: Color) {
        let side = color as usize;
        let mut from = self.depth;
        while !self.plies[from].ready[side] {
            if self.plies[from].cut[side] {
                self.refresh(network, color, from);
            } else {
                from -= 1;
            }
        }
        for at in from + 1..=self.depth {
            let (before, after) = self.plies.split_at_mut(at);
            let (before, ply) = (&before[at - 1], &mut after[0]);
            let Changes { added, removed } = &ply.changes[side];
            let half = &mut ply.halves[side];
            update(network, self.simd, &before.halves[side], half, added, removed);
            ply.ready[side] = true;
        }
    }

    /// Computes one side's half of a ply from what is remembered of its king's square.
    fn refresh(&mut self, network: &Network, color: Color, at: usize) {
        let ply = &mut self.plies[at];
        let side = color as usize;
        ply.ready[side] = true;
        let Some(king) = ply.kings[side] else { return };
        let outlook = Outlook::new(color, king);
        let remembered = &mut self.memory[64 * side + king.index()];
        if remembered.distance(&ply.position) > ply.position.occupied().len() {
            remembered.clear(network);
        }
        let mut added = ArrayVec::<usize, 32>::new();
        let mut removed = ArrayVec::<usize, 32>::new();
        for (c, pieces) in COLORS.into_iter().zip(&mut remembered.pieces) {
            let own = ply.position.pieces(c);
            for (kind, old) in Kind::ALL.into_iter().zip(pieces) {
                let new = ply.position.kind(kind) & own;
                added.extend((new - *old).into_iter().map(|s| outlook.feature(c, kind, s)));
                removed.extend((*old - new).into_iter().map(|s| outlook.feature(c, kind, s)));
                *old = new;
            }
        }
        let half = &mut ply.halves[side];
        update(network, self.simd, &remembered.half, half, &added, &removed);
        remembered.half.clone_from(half);
    }
}
