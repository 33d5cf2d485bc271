//! The sums of both halves along a line of moves, computed when they are asked for.

use arrayvec::ArrayVec;
use obscuro_fow::{Bitboard, Color, Kind, Position};

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
}

/// One position of the line.
struct Ply {
    position: Position,
    halves: [Half; 2],
    /// Which halves are computed.
    ready: [bool; 2],
    /// Which halves cannot be computed from those of the ply before: that side's king moved.
    cut: [bool; 2],
    /// For each half that is not cut, the inputs that come and that go.
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
            halves: [half.clone(), half],
            ready: [false; 2],
            cut: [true; 2],
            changes: [Changes::default(), Changes::default()],
        }
    }
}

impl Changes {
    /// The changes on some squares; `None` if they are more than a move makes: then `child` is not
    /// one, but any position can be served.
    #[inline]
    fn between(
        parent: &Position,
        child: &Position,
        squares: Bitboard,
        outlook: Outlook,
    ) -> Option<Changes> {
        let mut changes = Changes::default();
        for square in squares {
            if let Some(old) = parent.piece_at(square) {
                changes.removed.try_push(outlook.feature(old.color, old.kind, square)).ok()?;
            }
            if let Some(new) = child.piece_at(square) {
                changes.added.try_push(outlook.feature(new.color, new.kind, square)).ok()?;
            }
        }
        Some(changes)
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
                let remembered = &mut self.memory[64 * color as usize + king.index()];
                remembered.half.sums.clone_from(&network.biases);
                remembered.half.psqt = [0; BUCKETS];
                remembered.pieces = [[Bitboard::EMPTY; 6]; 2];
            }
        }
    }

    pub(super) fn begin(&mut self, position: &Position) {
        self.depth = 0;
        let ply = &mut self.plies[0];
        ply.position = *position;
        ply.ready = [false; 2];
        ply.cut = [true; 2];
    }

    pub(super) fn push(&mut self, child: &Position) {
        let parent = self.plies[self.depth].position;
        self.depth += 1;
        if self.depth == self.plies.len() {
            self.plies.push(Ply::empty());
        }
        let ply = &mut self.plies[self.depth];
        ply.position = *child;
        ply.ready = [false; 2];
        // No move replaces a piece by another of its colour on the same square.
        let [white, black] = COLORS.map(|color| parent.pieces(color) ^ child.pieces(color));
        let squares = white | black;
        for color in COLORS {
            let side = color as usize;
            let king = child.king(color).filter(|&king| parent.king(color) == Some(king));
            let changes = king.and_then(|king| {
                let outlook = Outlook::new(color, king);
                Changes::between(&parent, child, squares, outlook)
            });
            ply.cut[side] = changes.is_none();
            if let Some(changes) = changes {
                ply.changes[side] = changes;
            }
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
        let Some(king) = ply.position.king(color) else { return };
        let outlook = Outlook::new(color, king);
        let remembered = &mut self.memory[64 * side + king.index()];
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
