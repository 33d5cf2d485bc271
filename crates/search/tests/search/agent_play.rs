//! The agent in whole games: it repeats itself, plays on through chance, threads and silent plies,
//! and is not shaken by an observation that cannot be.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use obscuro_game::{Evaluator, Game, Player, SplitMix64, Turn, ZeroEvaluator};
use obscuro_games::{GameVisitor, KuhnPoker, LeducPoker, load};
use obscuro_search::agent::{Agent, AgentError, AgentSettings, SearchReport};
use obscuro_search::choose::{Iterate, Purification};
use obscuro_search::expand::evaluators::RandomRollouts;
use obscuro_search::expand::{Limits, Schedule};
use obscuro_search::subgame::{GadgetKind, Scope};

fn iterations(count: u64) -> Limits {
    Limits { iterations: Some(count), ..Limits::default() }
}

/// What of a report does not depend on the clock.
fn timeless<A: std::fmt::Debug>(report: &SearchReport<A>) -> String {
    let SearchReport { belief, sampled, carried_nodes, p_max, value, actions, growth, .. } = report;
    let g = (growth.nodes, growth.infosets, growth.expansions, growth.iterations, growth.visits);
    format!("{belief} {sampled} {carried_nodes} {p_max:?} {value:?} {actions:?} {g:?}")
}

/// Plays a game with two agents; what they reported and what it paid.
fn play<G: Game + Clone + 'static>(
    game: &G,
    settings: AgentSettings,
    limits: Limits,
    seed: u64,
) -> (Vec<String>, f64) {
    let game = Arc::new(game.clone());
    let mut rng = SplitMix64::new(seed);
    let mut agents: Vec<Agent<G>> = Player::BOTH
        .into_iter()
        .map(|player| {
            let evaluator: Box<dyn Evaluator<G>> = Box::new(RandomRollouts::new(3, 1));
            Agent::new(Arc::clone(&game), player, settings, evaluator).unwrap()
        })
        .collect();
    let mut state = game.root();
    let mut reports = Vec::new();
    loop {
        let (mover, action) = match game.turn(&state) {
            Turn::Terminal => return (reports, game.payoff(&state)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&state, &mut outcomes);
                (None, outcomes[rng.weighted(outcomes.iter().map(|outcome| outcome.1))].0)
            }
            Turn::Player(player) => {
                let agent = &mut agents[player.index()];
                let waiting = agent.fork().choose(limits, None).map(|decision| decision.action);
                let decision = agent.choose(limits, None).unwrap();
                let mut legal = Vec::new();
                game.actions(&state, &mut legal);
                assert_eq!(legal[decision.index], decision.action);
                assert_eq!(decision.report.actions.len(), legal.len());
                let played: f64 = decision.report.actions.iter().map(|a| a.played).sum();
                assert!((played - 1.0).abs() < 1e-9);
                assert!(decision.report.actions[decision.index].played > 0.0);
                assert!(agent.belief().contains(&state), "the truth is possible");
                if matches!(settings.schedule, Schedule::Deterministic { .. }) {
                    assert_eq!(waiting.unwrap(), decision.action, "a fork does the same");
                }
                reports.push(timeless(&decision.report));
                let other = &mut agents[player.other().index()];
                assert_eq!(other.choose(limits, None).map(|_| ()), Err(AgentError::NotOurTurn));
                (Some(player), decision.action)
            }
        };
        state = game.apply(&state, action);
        for agent in &mut agents {
            let own = (mover == Some(agent.player())).then_some(action);
            agent.observe(own, &game.observe(&state, agent.player())).unwrap();
        }
    }
}

/// Plays a few games with some settings.
struct Games(AgentSettings, Limits);

impl GameVisitor for Games {
    type Output = ();

    fn visit<G: Game + Clone + 'static>(self, game: &G) {
        for seed in 0..3 {
            let (reports, payoff) = play(game, self.0, self.1, seed);
            assert!(!reports.is_empty() && payoff.abs() <= game.max_payoff());
            if matches!(self.0.schedule, Schedule::Deterministic { .. }) {
                assert_eq!(play(game, self.0, self.1, seed), (reports, payoff), "bit for bit");
            }
        }
    }
}

const GAMES: [&str; 7] = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(num_cards=4,points_order=random)",
    "dark_hex(num_rows=2,num_cols=2)",
    "phantom_ttt",
    "phantom_ttt(gameversion=abrupt)",
];

#[test]
fn deterministic_agents_repeat_themselves_in_every_game() {
    for name in GAMES {
        let mut settings = AgentSettings { sample: 20, ..AgentSettings::default() };
        load(name).unwrap().visit(Games(settings, iterations(60)));
        settings.blueprint = Some(iterations(100));
        settings.subgame.scope = Scope::Klss;
        settings.iterate = Iterate::Average;
        load(name).unwrap().visit(Games(settings, iterations(40)));
    }
}

#[test]
fn every_setting_plays() {
    for scope in [Scope::Klss, Scope::Common, Scope::Kluss { k: 1 }, Scope::Kluss { k: 4 }] {
        for gadget in [GadgetKind::Both, GadgetKind::Resolve, GadgetKind::Maxmargin] {
            for purification in [Purification::Full, Purification::Stable, Purification::Off] {
                let mut settings = AgentSettings { purification, ..AgentSettings::default() };
                settings.subgame.scope = scope;
                settings.subgame.gadget = gadget;
                for name in ["leduc_poker", "phantom_ttt"] {
                    load(name).unwrap().visit(Games(settings, iterations(15)));
                }
            }
        }
    }
}

#[test]
fn threaded_agents_play_every_game() {
    let schedule = Schedule::Threaded { expanders: 2, settle: Duration::from_millis(2) };
    let settings = AgentSettings { schedule, ..AgentSettings::default() };
    let limits = Limits { time: Some(Duration::from_millis(8)), ..Limits::default() };
    for name in GAMES {
        load(name).unwrap().visit(Games(settings, limits));
    }
}

fn kuhn(player: Player) -> Agent<KuhnPoker> {
    let settings = AgentSettings::default();
    Agent::new(Arc::new(KuhnPoker), player, settings, Box::new(ZeroEvaluator)).unwrap()
}

#[test]
fn an_impossible_observation_changes_nothing() {
    let game = KuhnPoker;
    let mut agent = kuhn(Player::One);
    // We hold the king. Later we are told that we hold the jack.
    let deal = [2, 0].iter().fold(game.root(), |state, &card| {
        let state = game.apply(&state, card);
        agent.observe(None, &game.observe(&state, Player::One)).unwrap();
        state
    });
    let other = [0, 2, 1].iter().fold(game.root(), |state, &action| game.apply(&state, action));
    let before = (agent.key(), agent.belief().len(), agent.belief().plies());
    let expected = timeless(&agent.fork().choose(iterations(50), None).unwrap().report);
    let wrong = agent.observe(Some(1), &game.observe(&other, Player::One));
    assert!(matches!(wrong, Err(AgentError::Belief(_))), "{wrong:?}");
    assert_eq!((agent.key(), agent.belief().len(), agent.belief().plies()), before);
    assert_eq!(timeless(&agent.choose(iterations(50), None).unwrap().report), expected);
    let next = game.apply(&deal, 1);
    agent.observe(Some(1), &game.observe(&next, Player::One)).unwrap();
}

#[test]
fn a_search_without_limits_is_refused_and_changes_nothing() {
    let mut agent = kuhn(Player::One);
    let game = KuhnPoker;
    let mut state = game.root();
    for card in [1, 0] {
        state = game.apply(&state, card);
        agent.observe(None, &game.observe(&state, Player::One)).unwrap();
    }
    assert!(matches!(agent.choose(Limits::default(), None), Err(AgentError::Growth(_))));
    assert!(agent.choose(iterations(10), None).is_ok());
}

#[test]
fn a_search_that_is_stopped_at_once_still_answers() {
    let mut agent = kuhn(Player::One);
    let game = KuhnPoker;
    let mut state = game.root();
    for card in [1, 0] {
        state = game.apply(&state, card);
        agent.observe(None, &game.observe(&state, Player::One)).unwrap();
    }
    let decision = agent.choose(iterations(1_000_000), Some(&AtomicBool::new(true))).unwrap();
    // It has looked at its actions all the same.
    assert!(decision.report.growth.iterations <= 8, "{:?}", decision.report.growth);
    assert!(decision.report.actions.iter().all(|action| action.value.is_some()));
}

#[test]
fn the_whole_strategy_covers_what_the_agent_can_reach() {
    let settings = AgentSettings {
        blueprint: Some(iterations(500)),
        purification: Purification::Off,
        ..AgentSettings::default()
    };
    let evaluator = Box::new(ZeroEvaluator);
    let agent = Agent::new(Arc::new(LeducPoker), Player::Two, settings, evaluator).unwrap();
    let whole = agent.fork().whole_strategy(iterations(30)).unwrap();
    assert_eq!(whole, agent.whole_strategy(iterations(30)).unwrap());
    // Their first turn: six cards (pairs of three ranks), after a call or a raise.
    assert!(whole.len() > 6 * 2);
    for strategy in whole.values() {
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
