//! Move generation, vision and observation of both sides.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use obscuro_fow::{Board, Color, Position, perft};

const POSITIONS: [&str; 6] = [
    obscuro_fow::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|fen| fen.parse::<Board>().ok()).map(|b| *b.position()).collect()
}

fn benches(c: &mut Criterion) {
    let positions = positions();
    assert_eq!(positions.len(), POSITIONS.len());
    let mut group = c.benchmark_group("fow");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("views of both sides", |b| {
        b.iter(|| {
            for position in &positions {
                black_box((position.view(Color::White), position.view(Color::Black)));
            }
        });
    });
    group.bench_function("moves", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(position.moves().len());
            }
        });
    });
    let nodes: u64 = positions.iter().map(|p| perft(p, 4)).sum();
    group.sample_size(10).throughput(Throughput::Elements(nodes));
    group.bench_function("perft 4, bulk", |b| {
        b.iter(|| positions.iter().map(|p| perft(p, 4)).sum::<u64>());
    });
    group.finish();
}

criterion_group!(fow, benches);
criterion_main!(fow);
