//! The values of children: against the plain twin, and the rules of king capture.

#![expect(clippy::float_cmp, reason = "the values of decided games are exact")]

mod common;

use std::sync::{Arc, LazyLock};

use common::{FENS, position, random_positions, twin};
use obscuro_eval::{
    DepthOne, Network, NetworkEvaluator, Settings, SettingsError, Simd, SimpleEvaluator,
    StaticEvaluator, WIN, ZeroStatic,
};
use obscuro_fow::{Color, FowChess, Kind, Position};
use obscuro_game::{Evaluator, Game, Player};

static NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| Arc::new(Network::parse(&common::random_network(9)).unwrap()));

fn scores<S: StaticEvaluator>(evaluator: &mut DepthOne<S>, position: &Position) -> Vec<i32> {
    let children: Vec<_> = position.moves().iter().map(|&mv| position.play(mv)).collect();
    let mut scores = Vec::new();
    evaluator.scores(position, &children, &mut scores);
    scores
}

fn with_depth(depth: u8) -> Settings {
    Settings { depth, ..Settings::default() }
}

/// Material and visible squares, for the side to move, counted one by one.
fn plain_simple(position: &Position) -> i32 {
    let side = |color: Color| {
        let mut score = 4 * position.view(color).visible().into_iter().count() as i32;
        for square in position.pieces(color) {
            score += match position.kind_at(square).unwrap() {
                Kind::Pawn => 100,
                Kind::Knight => 320,
                Kind::Bishop => 330,
                Kind::Rook => 500,
                Kind::Queen => 900,
                Kind::King => 0,
            };
        }
        score
    };
    side(position.turn()) - side(position.turn().other())
}

#[test]
fn scores_with_the_simple_evaluation_equal_the_twin() {
    for depth in [0, 1, 2, 3, 5] {
        let mut evaluator = DepthOne::new(SimpleEvaluator::default(), with_depth(depth)).unwrap();
        for line in random_positions(28, 60) {
            for position in line.iter().step_by(if depth > 3 { 7 } else { 2 }) {
                if position.occupied().len() > 20 && depth > 3 || position.moves().len() > 80 {
                    continue;
                }
                let expected = twin::scores(position, depth, &mut plain_simple);
                assert_eq!(scores(&mut evaluator, position), expected, "{}", position.epd());
            }
        }
    }
}

#[test]
fn scores_with_a_network_equal_the_twin_with_all_instructions_and_a_cache() {
    let mut anew = NetworkEvaluator::with_simd(Arc::clone(&NETWORK), Simd::PORTABLE);
    let mut value = |position: &Position| anew.parts(position).unwrap().score();
    for simd in Simd::available() {
        let statics = NetworkEvaluator::with_simd(Arc::clone(&NETWORK), simd);
        let mut plain = DepthOne::new(statics.fork(), with_depth(3)).unwrap();
        let cached = Settings { cache_bits: Some(10), ..with_depth(3) };
        let mut cached = DepthOne::new(statics, cached).unwrap();
        for line in random_positions(14, 60) {
            for position in line.iter().step_by(9).filter(|p| p.moves().len() < 80) {
                let expected = twin::scores(position, 3, &mut value);
                assert_eq!(scores(&mut plain, position), expected, "{}", position.epd());
                assert_eq!(scores(&mut cached, position), expected, "{}", position.epd());
            }
        }
    }
}

fn values_by_move(fen: &str) -> Vec<(String, f32)> {
    let position = position(fen);
    let mut evaluator = DepthOne::new(ZeroStatic, Settings::default()).unwrap();
    let values = evaluator.values(&position);
    position.moves().iter().map(ToString::to_string).zip(values).collect()
}

#[test]
fn taking_the_king_wins_and_leaving_the_own_king_loses() {
    for (mv, value) in values_by_move("4k3/8/8/8/8/8/4Q3/4K2r w - - 0 1") {
        // White is in check, and can take the king at once.
        let expected = if mv == "e2e8" {
            1.0
        } else if ["e1d2", "e1f2", "e2f1"].contains(&mv.as_str()) {
            0.0
        } else {
            -1.0
        };
        assert_eq!(value, expected, "{mv}");
    }
}

#[test]
fn mate_and_stalemate_are_lost_for_the_side_to_move() {
    let mate = values_by_move("k7/8/1K6/8/8/8/8/7R w - - 0 1");
    assert!(mate.contains(&("h1h8".to_owned(), 1.0)), "{mate:?}");
    let stalemate = values_by_move("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1");
    assert!(stalemate.contains(&("c1c7".to_owned(), 1.0)), "{stalemate:?}");
    // Mated already: every move leaves the king to be taken.
    let mated = values_by_move("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert!(!mated.is_empty() && mated.iter().all(|v| v.1 == -1.0), "{mated:?}");
}

#[test]
fn a_child_without_moves_is_won() {
    // Black's pieces block each other, whatever White does.
    let position = position("8/8/8/8/4K3/8/pppppppp/kbbbbbbb w - - 0 1");
    assert!(position.moves().iter().all(|&mv| position.play(mv).moves().is_empty()));
    let mut evaluator = DepthOne::new(SimpleEvaluator::default(), Settings::default()).unwrap();
    assert_eq!(evaluator.values(&position), [1.0; 8]);
}

#[test]
fn castling_out_of_and_through_attack_is_valued() {
    let values = values_by_move("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1");
    assert!(values.contains(&("e1g1".to_owned(), 0.0)), "{values:?}");
    let checked = values_by_move("4k3/8/8/8/8/4r3/8/4K2R w K - 0 1");
    assert!(checked.contains(&("e1g1".to_owned(), 0.0)), "{checked:?}");
}

#[test]
fn the_simple_evaluation_is_symmetric() {
    let mirrored = |position: &Position| {
        let fen = position.epd();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swapped = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(swapped).collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        let target = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
        common::position(&format!("{} {turn} {} {target}", ranks.join("/"), swapped(fields[2])))
    };
    let mut statics = SimpleEvaluator::default();
    let mut nonzero = 0;
    for position in random_positions(30, 60).into_iter().flatten() {
        if position.status() != obscuro_fow::Status::Ongoing {
            continue;
        }
        let value = statics.value(&position);
        assert_eq!(value, statics.value(&mirrored(&position)), "{}", position.epd());
        assert_eq!(value, plain_simple(&position));
        nonzero += usize::from(value != 0);
    }
    assert!(nonzero > 500);
}

#[test]
fn the_interface_of_the_search_gets_the_first_players_values() {
    let game = FowChess::default();
    let mut direct = DepthOne::new(SimpleEvaluator::default(), Settings::default()).unwrap();
    let mut evaluator: Box<dyn Evaluator<FowChess>> = Evaluator::fork(&direct);
    for fen in FENS {
        let position = position(fen);
        let mut actions = Vec::new();
        game.actions(&position, &mut actions);
        let children: Vec<_> = actions.iter().map(|&a| game.apply(&position, a)).collect();
        let mut values = vec![5.0];
        evaluator.children(&game, &position, &actions, &children, &mut values);
        let sign = Player::from(position.turn()).sign() as f32;
        let expected: Vec<f32> = direct.values(&position).iter().map(|v| v * sign).collect();
        assert_eq!(values, expected, "{fen}");
        assert!(values.iter().all(|v| (-1.0..=1.0).contains(v)));
    }
}

#[test]
fn asking_again_in_another_order_gives_the_same() {
    let statics = NetworkEvaluator::new(Arc::clone(&NETWORK));
    let settings = Settings { cache_bits: Some(8), ..Settings::default() };
    let mut evaluator = DepthOne::new(statics, settings).unwrap();
    let positions: Vec<_> = random_positions(6, 50).into_iter().flatten().step_by(5).collect();
    let forth: Vec<_> = positions.iter().map(|p| evaluator.values(p)).collect();
    let mut back: Vec<_> = positions.iter().rev().map(|p| evaluator.values(p)).collect();
    back.reverse();
    assert_eq!(forth, back);
}

#[test]
fn decided_scores_alone_are_worth_one() {
    assert_eq!(obscuro_eval::squash(WIN, 361.0, 2.0), 1.0);
    assert_eq!(obscuro_eval::squash(-WIN, 361.0, 2.0), -1.0);
    assert!(obscuro_eval::squash(WIN - 1, 361.0, 2.0) < 1.0);
    assert!(obscuro_eval::squash(1 - WIN, 361.0, 2.0) > -1.0);
    let halfway = obscuro_eval::squash(361, 361.0, 2.0);
    assert!((halfway - 0.5f32.tanh()).abs() < 1e-6);
}

#[test]
fn settings_out_of_range_are_refused() {
    let error = |settings| DepthOne::new(ZeroStatic, settings).err();
    let defaults = Settings::default();
    assert_eq!(error(with_depth(33)), Some(SettingsError::Depth { found: 33, most: 32 }));
    assert_eq!(
        error(Settings { scale: 0.0, ..defaults }),
        Some(SettingsError::Scale { found: 0.0 })
    );
    assert!(error(Settings { scale: f32::NAN, ..defaults }).is_some());
    assert_eq!(
        error(Settings { cache_bits: Some(40), ..defaults }),
        Some(SettingsError::Cache { found: 40, most: 28 })
    );
    assert_eq!(error(defaults), None);
}
