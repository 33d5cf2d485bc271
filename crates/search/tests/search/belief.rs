//! The belief against exhaustive replay, and over whole games of Fog of War chess.

use std::collections::HashSet;
use std::sync::Arc;

use obscuro_fow::{Board, Color, FowChess, Move, Position, View};
use obscuro_game::{Game, Player, SplitMix64};
use obscuro_search::belief::{Belief, BeliefError, BeliefSettings, Exactness};

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

/// A random game: the moves with the position after each.
fn random_game(start: &Board, plies: usize, rng: &mut SplitMix64) -> Vec<(Move, Position)> {
    let mut board = start.clone();
    let mut game = Vec::new();
    while game.len() < plies && board.outcome().is_none() {
        let moves = board.position().moves();
        let mv = moves[rng.below(moves.len())];
        board.push(mv).unwrap();
        game.push((mv, *board.position()));
    }
    game
}

fn belief(start: &Board, viewer: Player, cap: usize, threads: usize) -> Belief<FowChess> {
    let game = Arc::new(FowChess::new(*start.position()));
    let settings = BeliefSettings { cap, threads, seed: 3 };
    Belief::new(game, viewer, *start.position(), settings)
}

/// Goes through a game; `check` is called after every ply.
fn follow(
    start: &Board,
    game: &[(Move, Position)],
    belief: &mut Belief<FowChess>,
    mut check: impl FnMut(usize, &Position, &View, &Belief<FowChess>),
) {
    let viewer: Color = belief.viewer().into();
    let mut turn = start.position().turn();
    for (ply, (mv, after)) in game.iter().enumerate() {
        let view = after.view(viewer);
        belief.advance((turn == viewer).then_some(*mv), &view).unwrap();
        check(ply, after, &view, belief);
        turn = turn.other();
    }
}

/// All positions that the observations allow, found by playing out every line from the start.
fn exhaustive(
    start: &Position,
    viewer: Color,
    own: &[Option<Move>],
    seen: &[View],
) -> HashSet<Position> {
    let Some((last, before)) = seen.split_last() else { return HashSet::from([*start]) };
    let mut all = HashSet::new();
    for parent in exhaustive(start, viewer, &own[..before.len()], before) {
        for mv in parent.moves() {
            let child = parent.play(mv);
            if own[before.len()].is_none_or(|own| own == mv) && child.view(viewer) == *last {
                all.insert(child);
            }
        }
    }
    all
}

#[test]
fn equals_exhaustive_replay() {
    let starts = [
        obscuro_fow::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/8/2n5/3p4/8/1B6/4P3/4K2R b K - 0 1",
    ];
    let mut rng = SplitMix64::new(1);
    for round in 0..24 {
        let start = board(starts[round % 3]);
        let viewer = Player::BOTH[round / 3 % 2];
        let game = random_game(&start, 7, &mut rng);
        let mut belief = belief(&start, viewer, 4_000_000, 1 + round % 2);
        let (mut own, mut seen) = (Vec::new(), Vec::new());
        follow(&start, &game, &mut belief, |ply, _, view, belief| {
            let mover = if ply == 0 { *start.position() } else { game[ply - 1].1 }.turn();
            own.push((mover == viewer.into()).then_some(game[ply].0));
            seen.push(*view);
            let expected = exhaustive(start.position(), viewer.into(), &own, &seen);
            let found: HashSet<Position> = belief.iter().copied().collect();
            assert_eq!(found.len(), belief.len(), "no duplicates");
            assert!(found == expected, "{} positions, expected {}", found.len(), expected.len());
            assert_eq!(belief.exactness(), Exactness::Exact);
        });
    }
}

#[test]
fn always_contains_the_truth_while_it_is_exact() {
    let start = Board::default();
    let mut rng = SplitMix64::new(2);
    let mut exact_plies = 0;
    for round in 0..20 {
        let game = random_game(&start, 120, &mut rng);
        let mut belief = belief(&start, Player::BOTH[round % 2], 60_000, 2);
        follow(&start, &game, &mut belief, |_, truth, view, belief| {
            assert!(!belief.is_empty() && belief.len() <= 60_000);
            assert!(belief.iter().all(|p| p.view(view.viewer()) == *view));
            if belief.exactness() == Exactness::Exact {
                exact_plies += 1;
                assert!(belief.contains(truth));
                assert!(
                    belief.get(belief.len() - 1).is_some() && belief.get(belief.len()).is_none()
                );
            }
        });
    }
    assert!(exact_plies > 200, "{exact_plies}");
}

#[test]
fn a_tiny_sample_never_dies_of_a_true_observation() {
    let start = Board::default();
    let mut rng = SplitMix64::new(3);
    let mut kinds = [0; 3];
    for round in 0..12 {
        let game = random_game(&start, 80, &mut rng);
        let mut belief = belief(&start, Player::BOTH[round % 2], 8, 1);
        follow(&start, &game, &mut belief, |_, _, view, belief| {
            assert!((1..=8).contains(&belief.len()));
            assert!(belief.iter().all(|p| p.view(view.viewer()) == *view));
            kinds[belief.exactness() as usize] += 1;
        });
    }
    assert!(kinds[Exactness::Sample as usize] > 100, "{kinds:?}");
}

/// Chess in which nothing leads to one particular view: a belief that reaches it has died out,
/// and replaying the game does not help.
struct Blocked(FowChess, View);

impl Game for Blocked {
    type State = Position;
    type Action = Move;
    type Observation = View;
    fn root(&self) -> Position {
        self.0.root()
    }
    fn turn(&self, state: &Position) -> obscuro_game::Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &Position, actions: &mut Vec<Move>) {
        self.0.actions(state, actions);
    }
    fn chance(&self, _: &Position, _: &mut Vec<(Move, f64)>) {}
    fn apply(&self, state: &Position, action: Move) -> Position {
        self.0.apply(state, action)
    }
    fn observe(&self, state: &Position, player: Player) -> View {
        self.0.observe(state, player)
    }
    fn payoff(&self, state: &Position) -> f64 {
        self.0.payoff(state)
    }
    fn observation_text(&self, observation: &View) -> String {
        self.0.observation_text(observation)
    }
    fn state_text(&self, state: &Position) -> String {
        self.0.state_text(state)
    }
    fn consistent_children(
        &self,
        parents: &[Position],
        own: Option<Move>,
        viewer: Player,
        seen: &View,
        children: &mut Vec<Position>,
    ) {
        if *seen != self.1 {
            self.0.consistent_children(parents, own, viewer, seen, children);
        }
    }
    fn guess(
        &self,
        root: &Position,
        viewer: Player,
        history: &[(Option<Move>, View)],
        n: usize,
        seed: u64,
    ) -> Vec<Position> {
        self.0.guess(root, viewer, history, n, seed)
    }
}

#[test]
fn guesses_agree_with_what_is_seen_and_with_the_material() {
    let start = Board::default();
    let mut rng = SplitMix64::new(4);
    let game_rules = FowChess::default();
    let mut guessed = 0;
    for round in 0..20 {
        let viewer = Player::BOTH[round % 2];
        let color: Color = viewer.into();
        let game = random_game(&start, 100, &mut rng);
        let mut history = Vec::new();
        let mut turn = Color::White;
        for (mv, after) in &game {
            history.push(((turn == color).then_some(*mv), after.view(color)));
            turn = turn.other();
            let guesses = game_rules.guess(start.position(), viewer, &history, 5, 9);
            for position in &guesses {
                assert_eq!(position.view(color), after.view(color));
                let left = |p: &Position| p.pieces(color.other()).len();
                assert!(left(position) <= left(after), "{} {}", position.epd(), after.epd());
                guessed += usize::from(left(position) == left(after));
            }
            assert!(!guesses.is_empty(), "{}", after.epd());
        }
    }
    assert!(guessed > 5_000, "{guessed}");
}

#[test]
fn an_impossible_observation_is_an_error_and_changes_nothing() {
    let start = Board::default();
    let mut belief = belief(&start, Player::One, 1000, 1);
    let mut other = start.clone();
    other.push("e2e4".parse().unwrap()).unwrap();
    let after_e4 = other.position().view(Color::White);
    let error = belief.advance(Some("d2d4".parse().unwrap()), &after_e4).unwrap_err();
    let BeliefError::Impossible { ply, ref own, .. } = error;
    assert_eq!(ply, 1);
    assert!(own.contains("d2d4"), "{error}");
    assert_eq!((belief.len(), belief.plies()), (1, 0));
    belief.advance(Some("e2e4".parse().unwrap()), &after_e4).unwrap();
    assert_eq!((belief.len(), belief.plies()), (1, 1));
    assert!(belief.contains(other.position()));
    // Black's pawn cannot be on e4 two plies after the start.
    let nonsense = board("rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert!(belief.advance(None, &nonsense.position().view(Color::White)).is_err());
    assert_eq!((belief.len(), belief.plies()), (1, 1));
}

#[test]
fn a_sample_depends_on_the_set_and_the_seed_alone() {
    let start = Board::default();
    let mut rng = SplitMix64::new(5);
    let game = random_game(&start, 9, &mut rng);
    let (mut one, mut two) =
        (belief(&start, Player::One, 4_000_000, 1), belief(&start, Player::One, 4_000_000, 2));
    follow(&start, &game, &mut one, |_, _, _, _| {});
    follow(&start, &game, &mut two, |_, _, _, _| {});
    assert_eq!(one.sample(100, 7), two.sample(100, 7));
    assert_ne!(one.sample(100, 7), one.sample(100, 8));
    let sample = one.sample(100, 7);
    assert_eq!(sample.iter().collect::<HashSet<_>>().len(), sample.len().min(100));
    assert_eq!(one.sample(usize::MAX >> 1, 0).len(), one.len());
}

#[test]
fn an_impossible_observation_is_an_error_for_a_sample_too() {
    let start = Board::default();
    let game = locked_pawns(31, &mut SplitMix64::new(8));
    let mut belief = belief(&start, Player::One, 5_000, 2);
    follow(&start, &game[..30], &mut belief, |_, _, _, _| {});
    assert_eq!(belief.exactness(), Exactness::Sample);
    let before: HashSet<Position> = belief.iter().copied().collect();
    let (mv, after) = game[30];
    // Own pieces that the own move does not explain, and an own move that is not seen.
    let elsewhere = Board::default();
    for (own, seen) in [
        (Some(mv), elsewhere.position().view(Color::White)),
        (None, after.view(Color::White)),
        (Some(mv), game[29].1.view(Color::White)),
    ] {
        assert!(belief.advance(own, &seen).is_err(), "{own:?}");
        assert_eq!(belief.iter().copied().collect::<HashSet<_>>(), before);
        assert_eq!(belief.plies(), 30);
    }
    belief.advance(Some(mv), &after.view(Color::White)).unwrap();
}

/// The paper's appendix C: all pawns are locked by 1.a4 a5 2.b4 b5 ... 8.h4 h5, then both sides
/// shuffle behind them.
fn locked_pawns(plies: usize, rng: &mut SplitMix64) -> Vec<(Move, Position)> {
    let mut board = Board::default();
    let mut game = Vec::new();
    for ply in 0..plies {
        let white = ply % 2 == 0;
        let mv = if ply < 16 {
            let file = (b'a' + (ply / 2) as u8) as char;
            let text = if white { format!("{file}2{file}4") } else { format!("{file}7{file}5") };
            text.parse().unwrap()
        } else {
            let behind = |mv: &Move| if white { mv.to().rank() < 3 } else { mv.to().rank() > 4 };
            let quiet: Vec<Move> = board.position().moves().into_iter().filter(behind).collect();
            quiet[rng.below(quiet.len())]
        };
        board.push(mv).unwrap();
        game.push((mv, *board.position()));
    }
    game
}

#[test]
fn locked_pawns_stay_within_the_cap() {
    let cap = 100_000;
    let start = Board::default();
    let mut belief = belief(&start, Player::One, cap, 2);
    let mut largest = 0;
    let game = locked_pawns(36, &mut SplitMix64::new(6));
    follow(&start, &game, &mut belief, |_, _, _, belief| {
        largest = largest.max(belief.len());
        assert!(!belief.is_empty() && belief.len() <= cap);
    });
    assert!(largest > cap / 2, "the position should have outgrown the cap: {largest}");
    assert_eq!(belief.exactness(), Exactness::Sample);
}

#[test]
fn a_sample_that_cannot_be_rebuilt_is_guessed() {
    let start = Board::default();
    let game = locked_pawns(30, &mut SplitMix64::new(7));
    let (mv, last) = game[game.len() - 1];
    let blocked = Blocked(FowChess::default(), last.view(Color::White));
    let settings = BeliefSettings { cap: 50_000, threads: 2, seed: 3 };
    let mut belief = Belief::new(Arc::new(blocked), Player::One, *start.position(), settings);
    for (ply, (mv, after)) in game.iter().enumerate() {
        belief.advance((ply % 2 == 0).then_some(*mv), &after.view(Color::White)).unwrap();
    }
    assert_eq!(belief.exactness(), Exactness::Guess, "after {mv}");
    assert!(belief.iter().all(|p| p.view(Color::White) == last.view(Color::White)));
    assert!(belief.len() > 1000);
}
