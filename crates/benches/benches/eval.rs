//! Static evaluations and children, with the network that the environment variable
//! `OBSCURO_NETWORK` names; without it, with the simple evaluation alone.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use obscuro_eval::{
    DepthOne, Network, NetworkEvaluator, Settings, Simd, SimpleEvaluator, StaticEvaluator,
};
use obscuro_fow::{Board, Position};

const POSITIONS: [&str; 6] = [
    obscuro_fow::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// The positions with their children.
fn families() -> Vec<(Position, Vec<Position>)> {
    let family = |fen: &&str| {
        let position = *fen.parse::<Board>().ok()?.position();
        let children = position.moves().iter().map(|&mv| position.play(mv)).collect();
        Some((position, children))
    };
    POSITIONS.iter().filter_map(family).collect()
}

fn children<S: StaticEvaluator>(c: &mut Criterion, name: &str, statics: S) {
    let families = families();
    let Ok(mut evaluator) = DepthOne::new(statics, Settings::default()) else { return };
    let mut scores = Vec::new();
    let mut group = c.benchmark_group("children calls");
    group.throughput(Throughput::Elements(families.len() as u64));
    group.bench_function(name, |b| {
        b.iter(|| {
            for (position, children) in &families {
                scores.clear();
                evaluator.scores(position, children, &mut scores);
                black_box(&scores);
            }
        });
    });
}

fn statics(c: &mut Criterion, simd: Simd, network: &Arc<Network>) {
    let families = families();
    let mut evaluator = NetworkEvaluator::with_simd(Arc::clone(network), simd);
    let mut group = c.benchmark_group("static evaluations");
    group.throughput(Throughput::Elements(families.len() as u64));
    group.bench_function(format!("anew, {}", simd.name()), |b| {
        b.iter(|| {
            for (position, _) in &families {
                black_box(evaluator.parts_anew(position));
            }
        });
    });
    group.bench_function(format!("from the last with that king, {}", simd.name()), |b| {
        b.iter(|| {
            for (position, _) in &families {
                black_box(evaluator.parts(position));
            }
        });
    });
    let count: usize = families.iter().map(|f| f.1.len()).sum();
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function(format!("one move on, {}", simd.name()), |b| {
        b.iter(|| {
            for (position, children) in &families {
                evaluator.begin(position);
                for child in children {
                    evaluator.push(child);
                    black_box(evaluator.parts_here());
                    evaluator.pop();
                }
            }
        });
    });
}

fn benches(c: &mut Criterion) {
    children(c, "simple", SimpleEvaluator::default());
    let Some(path) = std::env::var_os("OBSCURO_NETWORK") else { return };
    let network = Network::open(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
    let network = Arc::new(network);
    for simd in Simd::available() {
        statics(c, simd, &network);
        let evaluator = NetworkEvaluator::with_simd(Arc::clone(&network), simd);
        children(c, simd.name(), evaluator);
    }
}

criterion_group!(all, benches);
criterion_main!(all);
