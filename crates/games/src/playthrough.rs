use std::fmt::Write;

use obscuro_game::{Game, Player, SplitMix64, Turn};

/// One random game in text: every state with what both players see, the choices, and what was
/// done. The same for the same seed everywhere, so that a file of it shows any change of a game.
pub fn playthrough<G: Game>(game: &G, seed: u64) -> String {
    let mut text = String::new();
    write_game(game, seed, &mut text).expect("a string takes all that is written");
    text
}

fn write_game<G: Game>(game: &G, seed: u64, text: &mut String) -> std::fmt::Result {
    let mut rng = SplitMix64::new(seed);
    let mut state = game.root();
    // Who made the last ply: a silent observation is one after somebody else's.
    let mut mover = None;
    for ply in 0.. {
        writeln!(text, "ply {ply}: {}", game.state_text(&state))?;
        for player in Player::BOTH {
            let seen = game.observe(&state, player);
            let silent = mover != Some(player) && ply > 0 && game.is_silent(&seen);
            let told = if silent { "hears nothing, knows" } else { "sees" };
            writeln!(text, "  {player:?} {told}: {}", game.observation_text(&seen))?;
        }
        let action = match game.turn(&state) {
            Turn::Terminal => {
                return writeln!(text, "payoff {:+}", game.payoff(&state));
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&state, &mut outcomes);
                let list = outcomes.iter().map(|&(action, probability)| {
                    format!("{} ({probability:.4})", game.action_text(&state, action))
                });
                writeln!(text, "  chance: {}", list.collect::<Vec<_>>().join(", "))?;
                mover = None;
                outcomes[rng.weighted(outcomes.iter().map(|outcome| outcome.1))].0
            }
            Turn::Player(player) => {
                let mut actions = Vec::new();
                game.actions(&state, &mut actions);
                let list = actions.iter().map(|&action| game.action_text(&state, action));
                writeln!(text, "  {player:?} can: {}", list.collect::<Vec<_>>().join(", "))?;
                mover = Some(player);
                actions[rng.below(actions.len())]
            }
        };
        writeln!(text, "> {}", game.action_text(&state, action))?;
        state = game.apply(&state, action);
    }
    Ok(())
}
