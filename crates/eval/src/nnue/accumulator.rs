//! The sums of both halves along a line of moves, computed when they are asked for.

use arrayvec::ArrayVec;
use obscuro_fow::{Bitboard, Color, Kind, Piece, Position};

use super::Parts;
use super::features::Outlook;
use super::layers::BUCKETS;
use super::simd::{Column, Simd};
use super::weights::Weights;

/// The sums of one half: what one side sees.
#[derive(Clone)]
struct Half<const W: usize> {
    sums: Column<W>,
    psqt: [i32; BUCKETS],
}

impl<const W: usize> Half<W> {
    fn empty(network: &Weights<W>) -> Self {
        Half { sums: (*network.biases).clone(), psqt: [0; BUCKETS] }
    }
}

/// Makes `to` from `from` with some inputs more and some fewer.
#[inline]
fn update<const W: usize>(
    network: &Weights<W>,
    simd: Simd,
    from: &Half<W>,
    to: &mut Half<W>,
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

/// The last position seen with a certain outlook, and its half: a refresh starts from there, which
/// is nearer than the empty board.
#[derive(Clone)]
struct Remembered<const W: usize> {
    half: Half<W>,
    pieces: [[Bitboard; 6]; 2],
}

impl<const W: usize> Remembered<W> {
    fn empty(network: &Weights<W>) -> Self {
        Remembered { half: Half::empty(network), pieces: [[Bitboard::EMPTY; 6]; 2] }
    }

    /// Goes back to the empty board.
    fn clear(&mut self, network: &Weights<W>) {
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
struct Ply<const W: usize> {
    position: Position,
    outlooks: [Option<Outlook>; 2],
    halves: [Half<W>; 2],
    /// Which halves are computed.
    ready: [bool; 2],
    /// Which halves cannot be computed from those of the ply before: that side's outlook is another.
    cut: [bool; 2],
    /// What the move does to each half; of no use where it is cut.
    changes: [Changes; 2],
    /// Whether what depends on the ply before is known: outlooks, cuts and changes.
    prepared: bool,
}

/// The inputs that a move adds and removes.
#[derive(Clone, Default)]
struct Changes {
    added: ArrayVec<usize, 2>,
    removed: ArrayVec<usize, 2>,
}

impl<const W: usize> Ply<W> {
    fn empty() -> Self {
        let half = Half { sums: Column::default(), psqt: [0; BUCKETS] };
        Ply {
            position: Position::start(),
            outlooks: [None; 2],
            halves: [half.clone(), half],
            ready: [false; 2],
            cut: [true; 2],
            changes: [Changes::default(), Changes::default()],
            prepared: false,
        }
    }
}

const COLORS: [Color; 2] = [Color::White, Color::Black];

/// How a side sees a position, if it has a king.
#[inline]
fn outlook<const W: usize>(
    network: &Weights<W>,
    position: &Position,
    color: Color,
) -> Option<Outlook> {
    position.king(color).map(|king| Outlook::new(network.kings, color, king))
}

/// Where what is remembered of an outlook is.
#[inline]
fn slot(color: Color, outlook: Outlook) -> usize {
    Outlook::SLOTS * color as usize + outlook.slot()
}

/// The positions from where the search began to where it is.
pub(super) struct Line<const W: usize> {
    simd: Simd,
    plies: Vec<Ply<W>>,
    /// How many of the plies there are beyond the first; memory of the others is kept.
    depth: usize,
    memory: Vec<Remembered<W>>,
}

impl<const W: usize> Line<W> {
    pub(super) fn new(network: &Weights<W>, simd: Simd) -> Self {
        Line {
            simd,
            plies: vec![Ply::empty()],
            depth: 0,
            memory: vec![Remembered::empty(network); 2 * Outlook::SLOTS],
        }
    }

    pub(super) fn simd(&self) -> Simd {
        self.simd
    }

    /// Forgets what would spare adding up all the sums of a position.
    pub(super) fn forget(&mut self, network: &Weights<W>, position: &Position) {
        for color in COLORS {
            if let Some(outlook) = outlook(network, position, color) {
                self.memory[slot(color, outlook)].clear(network);
            }
        }
    }

    pub(super) fn begin(&mut self, network: &Weights<W>, position: &Position) {
        self.depth = 0;
        let ply = &mut self.plies[0];
        ply.position = *position;
        ply.outlooks = COLORS.map(|color| outlook(network, position, color));
        ply.ready = [false; 2];
        ply.cut = [true; 2];
        ply.prepared = true;
    }

    /// Nothing but the position is noted: many are left again before they are asked about.
    #[inline]
    pub(super) fn push(&mut self, child: &Position) {
        self.depth += 1;
        if self.depth == self.plies.len() {
            self.plies.push(Ply::empty());
        }
        let ply = &mut self.plies[self.depth];
        ply.position = *child;
        ply.ready = [false; 2];
        ply.prepared = false;
    }

    /// Finds out what the moves up to the end of the line change.
    fn prepare(&mut self, network: &Weights<W>) {
        let mut first = self.depth;
        // The first ply is prepared from the beginning.
        while !self.plies[first].prepared {
            first -= 1;
        }
        for at in first + 1..=self.depth {
            self.prepare_one(network, at);
        }
    }

    fn prepare_one(&mut self, network: &Weights<W>, at: usize) {
        let (before, after) = self.plies.split_at_mut(at);
        let (before, ply) = (&before[at - 1], &mut after[0]);
        let (parent, child) = (&before.position, &ply.position);
        ply.prepared = true;
        ply.outlooks = COLORS.map(|color| outlook(network, child, color));
        ply.cut = [0, 1].map(|side| ply.outlooks[side] != before.outlooks[side]);
        for changes in &mut ply.changes {
            changes.added.clear();
            changes.removed.clear();
        }
        let outlooks = ply.outlooks.map(Option::unwrap_or_default);
        // No move replaces a piece by another of its colour on the same square.
        let [white, black] = COLORS.map(|color| parent.pieces(color) ^ child.pieces(color));
        let mut fits = true;
        for square in white | black {
            let (old, new) = (parent.piece_at(square), child.piece_at(square));
            for (changes, outlook) in ply.changes.iter_mut().zip(&outlooks) {
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
    pub(super) fn parts(&mut self, network: &Weights<W>) -> Parts {
        self.prepare(network);
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
    fn compute(&mut self, network: &Weights<W>, color: Color) {
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

    /// Computes one side's half of a ply from what is remembered of its outlook.
    fn refresh(&mut self, network: &Weights<W>, color: Color, at: usize) {
        let ply = &mut self.plies[at];
        let side = color as usize;
        ply.ready[side] = true;
        let Some(outlook) = ply.outlooks[side] else { return };
        let remembered = &mut self.memory[slot(color, outlook)];
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
