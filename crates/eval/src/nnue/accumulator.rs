//! The sums of both halves along a line of moves, computed when they are asked for.

use arrayvec::ArrayVec;
use obscuro_fow::{Bitboard, Color, Kind, Position, Square};

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

/// A few inputs that come or go together.
type Inputs = ArrayVec<usize, 32>;

/// Makes `to` from `from` with some inputs more and some fewer.
fn update(
    network: &Network,
    simd: Simd,
    from: &Half,
    to: &mut Half,
    added: &Inputs,
    removed: &Inputs,
) {
    let columns = |inputs: &Inputs| -> ArrayVec<&Column, 32> {
        inputs.iter().map(|&i| &network.columns[i]).collect()
    };
    simd.accumulate(&from.sums, &mut to.sums, &columns(added), &columns(removed));
    to.psqt = from.psqt;
    for &i in added {
        for (sum, weight) in to.psqt.iter_mut().zip(&network.psqt[i]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &i in removed {
        for (sum, weight) in to.psqt.iter_mut().zip(&network.psqt[i]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
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

/// A piece that a move puts on a square or takes from it.
type Change = (Color, Kind, Square);

/// One position of the line.
struct Ply {
    position: Position,
    halves: [Half; 2],
    /// Which halves are computed.
    ready: [bool; 2],
    /// Which halves cannot be computed from those of the ply before: that side's king moved.
    cut: [bool; 2],
    added: ArrayVec<Change, 2>,
    removed: ArrayVec<Change, 2>,
}

impl Ply {
    fn empty() -> Ply {
        let half = Half { sums: Column::default(), psqt: [0; BUCKETS] };
        Ply {
            position: Position::start(),
            halves: [half.clone(), half],
            ready: [false; 2],
            cut: [true; 2],
            added: ArrayVec::new(),
            removed: ArrayVec::new(),
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

    /// Forgets all sums that were computed before.
    pub(super) fn forget(&mut self, network: &Network) {
        self.memory.fill(Remembered::empty(network));
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
        ply.added.clear();
        ply.removed.clear();
        ply.cut = COLORS.map(|color| parent.king(color) != child.king(color));
        // No move replaces a piece by another of its colour on the same square.
        let changed = COLORS.map(|color| parent.pieces(color) ^ child.pieces(color));
        for square in changed[0] | changed[1] {
            let fits = match (parent.piece_at(square), child.piece_at(square)) {
                (None, None) => Ok(()),
                (Some(old), None) => ply.removed.try_push((old.color, old.kind, square)),
                (None, Some(new)) => ply.added.try_push((new.color, new.kind, square)),
                (Some(old), Some(new)) => ply
                    .removed
                    .try_push((old.color, old.kind, square))
                    .and_then(|()| ply.added.try_push((new.color, new.kind, square))),
            };
            // More than a move can change: not a child, but any position can be served.
            if fits.is_err() {
                ply.cut = [true; 2];
                return;
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
            let Some(king) = ply.position.king(color) else { return };
            let outlook = Outlook::new(color, king);
            let inputs = |changes: &[Change]| -> Inputs {
                changes.iter().map(|&(c, kind, square)| outlook.feature(c, kind, square)).collect()
            };
            let (added, removed) = (inputs(&ply.added), inputs(&ply.removed));
            let half = &mut ply.halves[side];
            update(network, self.simd, &before.halves[side], half, &added, &removed);
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
        let (mut added, mut removed) = (Inputs::new(), Inputs::new());
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
