//! Plays Fog of War chess against itself with a material evaluator, and prints where the time and
//! the memory of each search go: `fow_agent MOVES MILLISECONDS EXPANDERS` (0 expanders: one thread
//! for all).

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use obscuro_fow::{Color, FowChess, Kind, Move, Position};
use obscuro_game::{Evaluator, Game, Player, Turn};
use obscuro_search::agent::{Agent, AgentSettings};
use obscuro_search::expand::{Limits, Schedule};

/// Material and mobility of the pieces, squashed.
#[derive(Clone, Copy)]
struct Material;

impl Evaluator<FowChess> for Material {
    fn children(
        &mut self,
        _game: &FowChess,
        _state: &Position,
        _actions: &[Move],
        children: &[Position],
        values: &mut Vec<f32>,
    ) {
        let worth = [
            (Kind::Pawn, 1.0),
            (Kind::Knight, 3.0),
            (Kind::Bishop, 3.0),
            (Kind::Rook, 5.0),
            (Kind::Queen, 9.0),
        ];
        values.clear();
        values.extend(children.iter().map(|position| {
            let side = |color| -> f32 {
                let pieces = position.pieces(color);
                let men = worth.map(|(kind, w)| w * (position.kind(kind) & pieces).len() as f32);
                let seen = position.vision(color).len() as f32;
                men.iter().sum::<f32>() + 0.05 * seen
            };
            let x = (side(Color::White) - side(Color::Black)) / 6.0;
            x / (1.0 + x.abs())
        }));
    }

    fn fork(&self) -> Box<dyn Evaluator<FowChess>> {
        Box::new(*self)
    }
}

#[expect(clippy::print_stdout, reason = "the report is what it is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<u64> =
        std::env::args().skip(1).map(|argument| argument.parse()).collect::<Result<_, _>>()?;
    let &[moves, milliseconds, expanders] = &arguments[..] else {
        return Err("usage: fow_agent MOVES MILLISECONDS EXPANDERS".into());
    };
    let game = Arc::new(FowChess::default());
    let schedule = match expanders {
        0 => Schedule::Deterministic { walks: 8, iterations: 1 },
        n => Schedule::Threaded { expanders: n as usize, settle: Duration::from_millis(50) },
    };
    let settings = AgentSettings { schedule, ..AgentSettings::default() };
    let limits = Limits { time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
    let mut agents = Vec::new();
    for player in Player::BOTH {
        agents.push(Agent::new(Arc::clone(&game), player, settings, Box::new(Material))?);
    }
    println!(
        "ply move      |P| sampled carried(nodes,infosets) nodes infosets  MB expansions/s \
         iterations depth(mean,max) p_max value  observe construct search (ms)"
    );
    let mut state = game.root();
    for ply in 1..=moves {
        let Turn::Player(player) = game.turn(&state) else { break };
        let decision = agents[player.index()].choose(limits, None)?;
        let r = &decision.report;
        let g = &r.growth;
        println!(
            "{ply:3} {:6} {:7} {:4} {:8} {:6} {:8} {:6} {:5.0} {:8.0} {:6} {:5.1} {:3} {:6.3} {:6.3} {:6.1} {:6.1} {:6.1}",
            game.action_text(&state, decision.action),
            r.belief,
            r.sampled,
            r.carried_nodes,
            r.carried_infosets,
            g.nodes,
            g.infosets,
            g.bytes as f64 / 1e6,
            g.expansions as f64 / g.elapsed.as_secs_f64(),
            g.iterations,
            g.mean_depth,
            g.max_depth,
            r.p_max,
            r.value,
            r.times.observe.as_secs_f64() * 1e3,
            r.times.construct.as_secs_f64() * 1e3,
            r.times.search.as_secs_f64() * 1e3,
        );
        state = game.apply(&state, decision.action);
        for agent in &mut agents {
            let own = (agent.player() == player).then_some(decision.action);
            agent.observe(own, &game.observe(&state, agent.player()))?;
        }
    }
    Ok(())
}
