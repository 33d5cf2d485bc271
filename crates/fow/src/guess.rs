//! Positions that a player may be in, made from what is visible and what must be left.

use obscuro_game::SplitMix64;

use crate::consistent::Filter;
use crate::{Bitboard, Color, Kind, Move, Position, Square, View};

/// Tries for each position wanted before giving up.
const TRIES: usize = 64;

/// The enemy's pieces by kind, as far as the viewer can count them.
///
/// A promotion shows when more pieces of a kind were seen at once, or captured in all, than there
/// were at the start; it is then taken from the pawns.
#[derive(Clone, Copy, Debug)]
struct Material([u32; 7]);

impl Material {
    fn at(root: &Position, color: Color) -> Material {
        let mut counts = [0; 7];
        for kind in Kind::ALL {
            counts[kind as usize] = (root.kind(kind) & root.pieces(color)).len();
        }
        Material(counts)
    }

    /// Takes away a piece that was captured, or that is seen and need not be placed.
    fn take(&mut self, kind: Kind) {
        let kind = if self.0[kind as usize] == 0 { Kind::Pawn } else { kind };
        self.0[kind as usize] = self.0[kind as usize].saturating_sub(1);
    }
}

/// The enemy pieces that are left and not visible, after the captures in `history`.
fn unseen(root: &Position, history: &[(Option<Move>, View)]) -> Option<(View, Material)> {
    let last = history.last()?.1;
    let enemy = last.viewer.other();
    let mut material = Material::at(root, enemy);
    let mut before = root.view(last.viewer);
    for (own, after) in history {
        if let Some(mv) = own {
            let en_passant = before.en_passant_target() == Some(mv.to())
                && before.position.kind_at(mv.from()) == Some(Kind::Pawn)
                && mv.from().file() != mv.to().file();
            if en_passant {
                material.take(Kind::Pawn);
            } else if let Some(piece) = before.piece_at(mv.to()) {
                material.take(piece.kind);
            }
        }
        before = *after;
    }
    for square in last.pieces(enemy) {
        if let Some(kind) = last.position.kind_at(square) {
            material.take(kind);
        }
    }
    Some((last, material))
}

/// Whether the viewer's own pieces can have come from those of the view before: by the own move, or
/// by the loss of one piece at most. Own pieces are never hidden, so what fails here is impossible
/// whatever stands in the fog.
fn own_pieces_follow(root: &Position, history: &[(Option<Move>, View)]) -> bool {
    let Some(((own, last), earlier)) = history.split_last() else { return false };
    let viewer = last.viewer;
    let before = earlier.last().map_or_else(|| root.view(viewer), |(_, view)| *view);
    let same_kinds = |position: &Position, squares: Bitboard| {
        squares.into_iter().all(|s| position.kind_at(s) == last.position.kind_at(s))
    };
    if let Some(mv) = own {
        let mut known = before.position;
        known.set_turn(viewer);
        let after = known.play(*mv);
        before.moves().contains(mv)
            && after.pieces(viewer) == last.pieces(viewer)
            && same_kinds(&after, last.pieces(viewer))
    } else {
        let kept = last.pieces(viewer);
        let lost = before.pieces(viewer) - kept;
        before.turn != viewer
            && !lost.is_many()
            && before.pieces(viewer).is_superset(kept)
            && same_kinds(&before.position, kept)
    }
}

/// [`place_many`], unless the own pieces show that the last view is impossible.
pub(crate) fn guess(
    root: &Position,
    history: &[(Option<Move>, View)],
    n: usize,
    seed: u64,
) -> Vec<Position> {
    if own_pieces_follow(root, history) { place_many(root, history, n, seed) } else { Vec::new() }
}

/// Up to `n` positions that show the viewer the last view, with the enemy pieces that must be left
/// placed at random in the fog. Hidden castling rights are taken to be lost.
pub(crate) fn place_many(
    root: &Position,
    history: &[(Option<Move>, View)],
    n: usize,
    seed: u64,
) -> Vec<Position> {
    let Some((view, material)) = unseen(root, history) else { return Vec::new() };
    let filter = Filter::new(&view);
    let mut rng = SplitMix64::new(seed);
    let mut found = Vec::with_capacity(n);
    for _ in 0..n.saturating_mul(TRIES) {
        if found.len() == n {
            break;
        }
        if let Some(position) = place(&view, material, &mut rng)
            && filter.fits(&position)
        {
            found.push(position);
        }
    }
    found
}

/// One placement; `None` if the pieces do not fill the squares that must be filled.
fn place(view: &View, material: Material, rng: &mut SplitMix64) -> Option<Position> {
    let enemy = view.viewer.other();
    let mut position = view.position;
    let mut must_fill = view.blockers();
    let mut free = view.fogged() - view.bare_diagonals();
    // Pieces first where there must be some, kings before all others so that they find a place.
    let mut pieces: Vec<Kind> = Vec::new();
    for kind in Kind::ALL.into_iter().rev() {
        pieces.extend(std::iter::repeat_n(kind, material.0[kind as usize] as usize));
    }
    for _ in 0..must_fill.len() {
        let square = pick(must_fill, rng)?;
        let fitting: Vec<usize> =
            (0..pieces.len()).filter(|&i| squares_for(pieces[i]).contains(square)).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = fitting[rng.below(fitting.len())];
        position.put(square, pieces.remove(at) as u64, enemy);
        must_fill = must_fill - square.into();
        free = free - square.into();
    }
    for kind in pieces {
        // A pawn without a free square has promoted, or is counted wrongly: leave it out.
        let Some(square) = pick(free & squares_for(kind), rng) else { continue };
        position.put(square, kind as u64, enemy);
        free = free - square.into();
    }
    position.set_turn(view.turn);
    Some(position)
}

fn squares_for(kind: Kind) -> Bitboard {
    match kind {
        Kind::Pawn => !(Bitboard::RANK_1 | Bitboard::RANK_8),
        _ => Bitboard::ALL,
    }
}

fn pick(set: Bitboard, rng: &mut SplitMix64) -> Option<Square> {
    let nth = if set.is_empty() { return None } else { rng.below(set.len() as usize) };
    set.into_iter().nth(nth)
}
