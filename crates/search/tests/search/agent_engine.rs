//! What an engine needs besides a choice: thinking ahead, going on after nonsense, the weights of
//! the positions, an answer at any time, and roots made by hand.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use obscuro_fow::{Board, FowChess, Move, Position};
use obscuro_game::{Game, Player, ZeroEvaluator};
use obscuro_games::KuhnPoker;
use obscuro_search::agent::{
    Agent, AgentError, AgentSettings, Study, StudyAction, StudyError, StudyRoot,
};
use obscuro_search::belief::Exactness;
use obscuro_search::expand::{Limits, Schedule};

fn iterations(count: u64) -> Limits {
    Limits { iterations: Some(count), ..Limits::default() }
}

fn agent(player: Player, settings: AgentSettings) -> Agent<FowChess> {
    Agent::new(Arc::new(FowChess::default()), player, settings, Box::new(ZeroEvaluator)).unwrap()
}

/// Tells an agent of the moves of a game.
fn tell(agent: &mut Agent<FowChess>, board: &mut Board, moves: &str) {
    for text in moves.split(' ') {
        let mv: Move = text.parse().unwrap();
        let own = board.position().turn() == agent.player().into();
        board.push(mv).unwrap();
        agent.observe(own.then_some(mv), &board.position().view(agent.player().into())).unwrap();
    }
}

#[test]
fn what_was_thought_ahead_is_carried_over() {
    let mut board = Board::default();
    let mut agent = agent(Player::One, AgentSettings::default());
    agent.choose(iterations(50), None).unwrap();
    tell(&mut agent, &mut board, "e2e4");
    let ahead = agent.ponder(iterations(2_000), None).unwrap();
    assert_eq!(ahead.iterations, 2_000);
    tell(&mut agent, &mut board, "b8c6");
    assert_eq!(agent.ponder(iterations(1), None), Err(AgentError::OurTurn));
    let report = agent.choose(iterations(1), None).unwrap().report;
    // The positions after all answers that look alike are in the tree already.
    assert_eq!(report.sampled, 0, "{report:?}");
    assert!(report.belief > 10, "{report:?}");
    assert!(report.carried_nodes > 500, "{report:?}");
    assert!(report.times.search < Duration::from_secs(1));
}

#[test]
fn thinking_ahead_stops_when_it_is_told_to() {
    let mut agent = agent(
        Player::Two,
        AgentSettings {
            schedule: Schedule::Threaded { expanders: 1, settle: Duration::ZERO },
            ..AgentSettings::default()
        },
    );
    let stop = AtomicBool::new(false);
    let limits = Limits { time: Some(Duration::from_secs(600)), ..Limits::default() };
    let growth = std::thread::scope(|scope| {
        let thinking = scope.spawn(|| agent.ponder(limits, Some(&stop)));
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        thinking.join().unwrap().unwrap()
    });
    assert!(growth.elapsed < Duration::from_secs(60), "{growth:?}");
}

#[test]
fn an_agent_goes_on_from_a_position_that_contradicts_all_it_knew() {
    let mut board = Board::default();
    let mut agent = agent(Player::One, AgentSettings::default());
    tell(&mut agent, &mut board, "e2e4 b8c6");
    let known = agent.belief().len();
    let other: Board =
        "rnbqkb1r/pppp1ppp/5n2/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2".parse().unwrap();
    // It is White's own move that never was: the pawn stands on e5.
    let seen = other.position().view(obscuro_fow::Color::White);
    let wrong = agent.observe(Some("d2d4".parse().unwrap()), &seen);
    assert!(matches!(wrong, Err(AgentError::Belief(_))), "{wrong:?}");
    assert_eq!(agent.belief().len(), known);
    agent.resync(&seen).unwrap();
    assert!(agent.belief().exactness() != Exactness::Exact);
    for position in agent.belief().iter() {
        assert_eq!(position.view(obscuro_fow::Color::White), seen);
    }
    let mut board = other;
    tell(&mut agent, &mut board, "f6d5");
    let decision = agent.choose(iterations(100), None).unwrap();
    assert!(board.position().moves().contains(&decision.action));
    tell(&mut agent, &mut board, &decision.action.to_string());
}

#[test]
fn the_weights_of_the_positions_are_of_the_infoset_and_sum_to_one() {
    let mut board = Board::default();
    let mut agent = agent(Player::Two, AgentSettings { sample: 16, ..AgentSettings::default() });
    assert!(agent.weighted_states().iter().all(|state| state.1 >= 0.0));
    tell(&mut agent, &mut board, "g1f3");
    agent.choose(iterations(300), None).unwrap();
    let weighted = agent.weighted_states();
    let (states, weights): (Vec<Position>, Vec<f64>) = weighted.into_iter().unzip();
    assert_eq!(states.len(), 16);
    assert_eq!(states.iter().collect::<HashSet<_>>().len(), 16);
    assert!(states.iter().all(|state| agent.belief().contains(state)));
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{weights:?}");
}

/// Kuhn poker after the deal of one of two cards to the first player, who has bet; the second
/// player holds the queen.
fn kuhn(knows: bool, kings: f64) -> Study<KuhnPoker> {
    let root = |card: usize, probability| {
        let state = [card, 1, 1].iter().fold(KuhnPoker.root(), |state, &action| {
            let mut actions = Vec::new();
            KuhnPoker.actions(&state, &mut actions);
            let mut outcomes = Vec::new();
            KuhnPoker.chance(&state, &mut outcomes);
            let action = outcomes
                .iter()
                .map(|outcome| outcome.0)
                .chain(actions)
                .find(|&found| usize::from(found) == action);
            KuhnPoker.apply(&state, action.unwrap())
        });
        let theirs = if knows { card as u64 } else { 7 };
        StudyRoot { state, infosets: [card as u64, theirs], probability }
    };
    let roots = vec![root(2, kings), root(0, 1.0 - kings)];
    let settings = AgentSettings::default();
    let mut study =
        Study::new(Arc::new(KuhnPoker), roots, settings, Box::new(ZeroEvaluator)).unwrap();
    study.search(iterations(500), None).unwrap();
    study
}

fn bet(strategy: &[StudyAction<u8>]) -> f64 {
    strategy.iter().find(|action| action.action == 1).unwrap().probability
}

#[test]
fn a_study_knows_who_knows_what() {
    // A call costs one more: it pays if the jack is likelier than one time in four.
    let doubtful = kuhn(false, 0.8);
    assert!(bet(&doubtful.strategy(0, &[]).unwrap()) < 0.01);
    assert_eq!(doubtful.strategy(0, &[]).unwrap(), doubtful.strategy(1, &[]).unwrap());
    assert!((doubtful.value() - 0.5).abs() < 0.01, "{}", doubtful.value());
    let curious = kuhn(false, 0.7);
    assert!(bet(&curious.strategy(0, &[]).unwrap()) > 0.99);
    // They lose two to a king and win two of a jack, of the largest payoff, which is two.
    assert!((curious.value() - 0.4).abs() < 0.01, "{}", curious.value());
    let informed = kuhn(true, 0.8);
    assert!(bet(&informed.strategy(0, &[]).unwrap()) < 0.01);
    assert!(bet(&informed.strategy(1, &[]).unwrap()) > 0.99);
    assert!((informed.value() - (0.8 * 0.5 - 0.2)).abs() < 0.01, "{}", informed.value());
}

#[test]
fn a_study_says_what_is_wrong_with_a_question() {
    let study = kuhn(true, 0.5);
    assert!(matches!(study.strategy(2, &[]), Err(StudyError::NoSuchRoot { found: 2, roots: 2 })));
    assert!(matches!(study.strategy(0, &[5]), Err(StudyError::NotLegal { ply: 1 })));
    assert_eq!(study.strategy(0, &[1]).unwrap(), Vec::new());
    assert!(study.strategy(0, &[1, 1]).is_err());
}
