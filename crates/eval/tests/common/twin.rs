//! The definition of a child's score, written down without any thought of speed: all moves are
//! played, nothing is cut off, and exchanges walk the rays of a plain board.

use obscuro_eval::WIN;
use obscuro_fow::{Color, Kind, Move, Piece, Position, Square};

/// The score of every child for the side to move.
pub(crate) fn scores(
    position: &Position,
    depth: u8,
    value: &mut dyn FnMut(&Position) -> i32,
) -> Vec<i32> {
    position.moves().into_iter().map(|mv| -quiet(&position.play(mv), depth, value)).collect()
}

fn takes_king(position: &Position) -> bool {
    position.moves().into_iter().any(|mv| position.kind_at(mv.to()) == Some(Kind::King))
}

fn quiet(position: &Position, depth: u8, value: &mut dyn FnMut(&Position) -> i32) -> i32 {
    if takes_king(position) {
        return WIN;
    }
    let moves = position.moves();
    if moves.iter().all(|&mv| takes_king(&position.play(mv))) {
        return -WIN;
    }
    let mut best = value(position);
    if depth > 0 {
        for &mv in &moves {
            let considered = match mv.promotion() {
                Some(kind) => kind == Kind::Queen,
                None => position.is_capture(mv) && exchange(position, mv) >= 0,
            };
            if considered {
                best = best.max(-quiet(&position.play(mv), depth - 1, value));
            }
        }
    }
    best
}

type Mailbox = [Option<Piece>; 64];

fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 100,
        Kind::Knight => 320,
        Kind::Bishop => 330,
        Kind::Rook => 500,
        Kind::Queen => 900,
        Kind::King => 20_000,
    }
}

/// What a capture gains if both sides go on taking on that square while it pays.
pub(crate) fn exchange(position: &Position, mv: Move) -> i32 {
    let mut board: Mailbox = [None; 64];
    for square in Square::all() {
        board[square.index()] = position.piece_at(square);
    }
    let mover = board[mv.from().index()].take().unwrap();
    let to = mv.to().index();
    let victim = if let Some(victim) = board[to] {
        worth(victim.kind)
    } else {
        // En passant: the pawn beside the captor.
        let beside = Square::at(mv.to().file(), mv.from().rank());
        board[beside.index()] = None;
        worth(Kind::Pawn)
    };
    board[to] = Some(mover);
    victim - reply(board, to, mover.color.other())
}

/// What `side` can gain by taking on `to`, or nothing.
fn reply(mut board: Mailbox, to: usize, side: Color) -> i32 {
    let attackers = (0..64).filter(|&from| {
        board[from].is_some_and(|piece| piece.color == side) && attacks(&board, from, to)
    });
    let Some(from) = attackers.min_by_key(|&from| (board[from].unwrap().kind, from)) else {
        return 0;
    };
    let victim = worth(board[to].unwrap().kind);
    board[to] = board[from].take();
    (victim - reply(board, to, side.other())).max(0)
}

fn attacks(board: &Mailbox, from: usize, to: usize) -> bool {
    let piece = board[from].unwrap();
    let (files, ranks) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
    let diagonal = files.abs() == ranks.abs();
    let straight = files == 0 || ranks == 0;
    let aligned = match piece.kind {
        Kind::Pawn => {
            let ahead = if piece.color == Color::White { 1 } else { -1 };
            return files.abs() == 1 && ranks == ahead;
        }
        Kind::Knight => return files.abs() * ranks.abs() == 2,
        Kind::King => return files.abs().max(ranks.abs()) == 1,
        Kind::Bishop => diagonal,
        Kind::Rook => straight,
        Kind::Queen => diagonal || straight,
    };
    let step = files.signum() + 8 * ranks.signum();
    let distance = files.abs().max(ranks.abs());
    aligned
        && distance > 0
        && (1..distance).all(|i| board[(from as i32 + i * step) as usize].is_none())
}
