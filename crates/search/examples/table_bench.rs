//! Times building and solving a table; prints one JSON object.
//!
//! `table_bench GAME [ALGORITHM [SECONDS [EXPLOITABILITY ...]]]` measures iterations per second for
//! about that many seconds and, from a fresh start, the time to each exploitability (in the game's
//! units, checks not counted).

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use obscuro_game::Game;
use obscuro_games::{GameVisitor, load};
use obscuro_search::exact::exploitability;
use obscuro_search::table::{Algorithm, Limits, Solver, Table};

struct Settings {
    game: String,
    algorithm: Algorithm,
    prune: bool,
    time: Duration,
    targets: Vec<f64>,
}

/// Seconds and iterations to each target, `None` if it took too long.
type Reached = Vec<Option<(f64, u64)>>;

struct Build;

impl GameVisitor for Build {
    type Output = Result<Table, Box<dyn Error>>;

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> Self::Output {
        let limits = Limits { max_histories: 200_000_000, ..Limits::default() };
        Ok(Table::build(game, limits)?)
    }
}

fn settings() -> Result<Settings, Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let game =
        arguments.next().ok_or("usage: table_bench GAME [ALGORITHM [SECONDS [TARGET ...]]]")?;
    let name = arguments.next().unwrap_or_else(|| "cfr+".into());
    let (name, prune) = name.strip_suffix("-pruned").map_or((name.as_str(), false), |n| (n, true));
    let algorithm = match name {
        "cfr" => Algorithm::Cfr,
        "cfr+" => Algorithm::CfrPlus,
        "dcfr" => Algorithm::DCFR,
        "pcfr+" => Algorithm::PcfrPlus,
        _ => return Err(format!("algorithm {name:?}: expected cfr, cfr+, dcfr or pcfr+").into()),
    };
    let time = Duration::from_secs_f64(arguments.next().map_or(Ok(2.0), |text| text.parse())?);
    let targets = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    Ok(Settings { game, algorithm, prune, time, targets })
}

/// Iterations per second, from batches that double until the time is used up.
fn rate(table: &Table, settings: &Settings) -> f64 {
    let mut solver = Solver::new(table, settings.algorithm).with_pruning(settings.prune);
    solver.run(1);
    let (start, mut batch) = (Instant::now(), 1);
    while start.elapsed() < settings.time {
        solver.run(batch);
        batch = (batch * 2).min((solver.iterations() / 8).max(1));
    }
    (solver.iterations() - 1) as f64 / start.elapsed().as_secs_f64()
}

/// For each target: seconds and iterations until the average strategy is that good.
fn times(table: &Table, settings: &Settings) -> Result<Reached, Box<dyn Error>> {
    let mut solver = Solver::new(table, settings.algorithm).with_pruning(settings.prune);
    let mut spent = Duration::ZERO;
    let mut reached = Vec::new();
    for &target in &settings.targets {
        loop {
            if exploitability(table, &solver.average_strategy())?.mean() <= target {
                reached.push(Some((spent.as_secs_f64(), solver.iterations())));
                break;
            }
            if spent > 10 * settings.time {
                reached.push(None);
                break;
            }
            let start = Instant::now();
            solver.run((solver.iterations() / 10).max(1));
            spent += start.elapsed();
        }
    }
    Ok(reached)
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let settings = settings()?;
    let game = load(&settings.game)?;
    let start = Instant::now();
    let table = game.visit(Build)?;
    let build = start.elapsed().as_secs_f64();
    let counts = table.counts();
    let rate = rate(&table, &settings);
    let mut reached = String::new();
    for (target, time) in settings.targets.iter().zip(times(&table, &settings)?) {
        let (seconds, iterations) =
            time.map_or(("null".into(), "null".into()), |t| (t.0.to_string(), t.1.to_string()));
        let comma = if reached.is_empty() { "" } else { ", " };
        write!(
            reached,
            "{comma}{{\"exploitability\": {target}, \"seconds\": {seconds}, \"iterations\": {iterations}}}"
        )?;
    }
    println!(
        "{{\"game\": {:?}, \"histories\": {}, \"terminals\": {}, \"infosets\": {:?}, \
         \"sequences\": {:?}, \"payoff_entries\": {}, \"tiled\": {}, \"numbers\": {}, \
         \"build_seconds\": {build}, \"iterations_per_second\": {rate}, \"reached\": [{reached}]}}",
        settings.game,
        counts.histories,
        counts.terminals,
        counts.infosets,
        counts.sequences,
        counts.payoff_entries,
        table.tiled_entries().0,
        table.tiled_entries().1,
    );
    Ok(())
}
