//! What the tests share: positions, a network made of random numbers, and a plain twin.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod twin;

use obscuro_fow::{Board, Position};
use obscuro_game::SplitMix64;

pub(crate) fn position(fen: &str) -> Position {
    *fen.parse::<Board>().unwrap().position()
}

/// Positions with castling, promotions, en passant, kings in check, adjacent and about to be
/// taken.
pub(crate) const FENS: [&str; 14] = [
    obscuro_fow::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/4Q3/8/8/8/8/4q3/R3K2R w KQkq - 0 1",
    "8/8/3kK3/3p4/2P1P3/8/8/8 b - - 0 1",
    "4k3/1P4P1/8/8/8/8/1p4p1/4K3 b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "8/8/8/8/8/p1p5/P1P5/K1k5 w - - 0 1",
    "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
];

/// Positions on the way of random games with many captures, kings left in check and taken.
pub(crate) fn random_positions(games: u64, plies: usize) -> Vec<Vec<Position>> {
    let game = |seed| {
        let mut rng = SplitMix64::new(seed);
        let mut line = vec![position(FENS[seed as usize % FENS.len()])];
        for _ in 0..plies {
            let here = line[line.len() - 1];
            let moves = here.moves();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> =
                moves.iter().copied().filter(|&mv| here.is_capture(mv)).collect();
            let mv = if captures.is_empty() || rng.unit() < 0.7 {
                moves[rng.below(moves.len())]
            } else {
                captures[rng.below(captures.len())]
            };
            line.push(here.play(mv));
        }
        line
    };
    (0..games).map(game).collect()
}

fn put(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend(number.to_le_bytes());
}

/// The bytes of a network of Stockfish's shape, of random weights.
pub(crate) fn random_network(seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(47_001_450);
    put(&mut bytes, 0x7af3_2f20);
    put(&mut bytes, 0x1c10_2ef2);
    put(&mut bytes, 6);
    bytes.extend(b"random");
    random_weights(&mut bytes, seed, 1024, 22_528, Some((0x7f23_44b8, 0x6333_6a4a)));
    bytes
}

/// The bytes of a network of our own shape, of random weights.
pub(crate) fn random_own_network(seed: u64) -> Vec<u8> {
    let mut weights = Vec::with_capacity(6_300_000);
    random_weights(&mut weights, seed, 256, 11_264, None);
    let mut bytes = b"OBSCURO1".to_vec();
    for number in [256, 16, 8, 6] {
        put(&mut bytes, number);
    }
    bytes.extend(b"random");
    put(&mut bytes, crc(&weights));
    bytes.extend(weights);
    bytes
}

/// CRC-32, bit by bit.
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

fn random_weights(
    bytes: &mut Vec<u8>,
    seed: u64,
    width: usize,
    features: usize,
    marks: Option<(u32, u32)>,
) {
    let mut rng = SplitMix64::new(seed);
    if let Some((mark, _)) = marks {
        put(bytes, mark);
    }
    // Sums of some thirty weights shall often lie between 0 and 127.
    for _ in 0..(width + features * width) / 4 {
        let word = rng.next_u64();
        for i in 0..4 {
            bytes.extend(((word >> (16 * i) & 63) as i16 - 31).to_le_bytes());
        }
    }
    for _ in 0..features * 8 {
        put(bytes, (rng.below(4001) as i32 - 2000).cast_unsigned());
    }
    for _ in 0..8 {
        if let Some((_, mark)) = marks {
            put(bytes, mark);
        }
        for (rows, columns) in [(16, width), (32, 32), (1, 32)] {
            for _ in 0..rows {
                put(bytes, (rng.below(8001) as i32 - 4000).cast_unsigned());
            }
            bytes.extend((0..rows * columns).map(|_| rng.next_u64() as u8));
        }
    }
}
