//! Speed and memory of the growing tree on a game with the shape of Fog of War chess.
//!
//! Prints, at 10⁵, 10⁶ and 10⁷ nodes: expansions a second, solver iterations and node visits a
//! second, memory per node as counted and as the operating system sees it. Then a threaded search.
//! `cargo bench -p obscuro-search --bench growing_tree [-- largest] [solver]`
#![expect(clippy::print_stdout, reason = "it is what a benchmark is for")]
#![allow(missing_docs, reason = "a program, not a library")]

#[path = "../tests/search/gt_common/mock.rs"]
mod mock;

use std::time::{Duration, Instant};

use mock::{MockChess, MockEvaluator};
use obscuro_search::expand::{Exploration, Growth, Limits, Schedule};
use obscuro_search::solver::{Averaging, Roots, Solver, WholeGame};
use obscuro_search::tree::Tree;

/// Measurements of the solver's rate, of which the best counts.
const ROUNDS: usize = 6;

/// Resident memory in bytes, where the system tells it.
fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<f64>().ok()? * 4096.0)
}

/// Seconds that this thread has been on a processor, which other programs on the machine do not
/// lengthen; or wall time where the system does not tell.
fn cpu(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = text.ok().and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |ns: f64| ns * 1e-9)
}

fn growth<'a>(
    tree: &'a Tree<MockChess>,
    roots: &'a Roots,
    schedule: Schedule,
    limits: Limits,
) -> Growth<'a, MockChess> {
    let exploration = Exploration::default();
    Growth { game: &MockChess, tree, roots, exploration, schedule, limits, seed: 1, stop: None }
}

fn sizes(largest: u32) {
    println!("one thread, processor time; expansions: the time of the solver taken off");
    println!(
        "{:>9} {:>9} {:>7} {:>6} {:>12} {:>9} {:>11} {:>13} {:>8} {:>8}",
        "nodes",
        "infosets",
        "depth",
        "max",
        "expansions/s",
        "iter/s",
        "visits/iter",
        "visits/s",
        "B/node",
        "RSS/node"
    );
    let start = Instant::now();
    let before = resident();
    let tree = Tree::new(&MockChess, 0.0).expect("a tree with one node");
    let roots = Roots::whole(&tree).expect("it has a root");
    let mut solver = Solver::new(Averaging::Off);
    for nodes in [100_000, 1_000_000, 10_000_000].into_iter().filter(|&n| n <= largest) {
        // Grown without the solver but for one iteration in 1000 walks, whose time is taken off.
        let schedule = Schedule::Deterministic { walks: 1000, iterations: 1 };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let begin = cpu(start);
        let report = growth(&tree, &roots, schedule, limits)
            .run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut ())
            .expect("the mock keeps its contract");
        let grown = cpu(start) - begin;

        // The best of some rounds: other programs share the memory.
        let mut best = (f64::INFINITY, 0.0, 0.0);
        for _ in 0..ROUNDS {
            let (iterations, visits) = (solver.iterations(), solver.visits());
            let begin = cpu(start);
            while cpu(start) - begin < 0.4 {
                solver.iterate(&tree, &roots, &mut WholeGame);
            }
            let seconds = cpu(start) - begin;
            let iterations = (solver.iterations() - iterations) as f64;
            let visits = (solver.visits() - visits) as f64;
            if seconds / visits < best.0 {
                best = (seconds / visits, visits / iterations, iterations / seconds);
            }
        }
        let (per_visit, visits, iterations) = best;
        let solving = report.visits as f64 * per_visit;
        let rss = resident().zip(before).map_or(f64::NAN, |(now, then)| now - then);
        println!(
            "{:>9} {:>9} {:>7.2} {:>6} {:>12.0} {:>9.1} {:>11.0} {:>13.3e} {:>8.1} {:>8.1}",
            report.nodes,
            report.infosets,
            report.mean_depth,
            report.max_depth,
            report.expansions as f64 / (grown - solving).max(1e-9),
            iterations,
            visits,
            1.0 / per_visit,
            (tree.bytes() + solver.bytes()) as f64 / f64::from(report.nodes),
            rss / f64::from(report.nodes),
        );
    }
}

fn threaded() {
    println!("threads: one solver and n expanders, 5 seconds");
    for expanders in [1, 2] {
        let tree = Tree::new(&MockChess, 0.0).expect("a tree with one node");
        let roots = Roots::whole(&tree).expect("it has a root");
        let mut solver = Solver::new(Averaging::Off);
        let schedule = Schedule::Threaded { expanders, settle: Duration::from_millis(250) };
        let time = Some(Duration::from_secs(5));
        let limits = Limits { time, nodes: Some(20_000_000), ..Limits::default() };
        let report = growth(&tree, &roots, schedule, limits)
            .run(&mut solver, &mut WholeGame, &mut MockEvaluator, &mut ())
            .expect("the mock keeps its contract");
        println!(
            "{expanders} expanders: {} nodes, {} infosets, {} iterations, {:.3e} visits/s, mean depth {:.2}, max {}, idle {:?}",
            report.nodes,
            report.infosets,
            report.iterations,
            report.visits as f64 / report.elapsed.as_secs_f64(),
            report.mean_depth,
            report.max_depth,
            report.idle_walks,
        );
    }
}

fn main() {
    let largest = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(10_000_000);
    sizes(largest);
    if !std::env::args().any(|word| word == "solver") {
        threaded();
    }
}
