//! Every game keeps the rules of the interface, and plays as it did before.

use obscuro_game::{Game, PlyLimit, check_game};
use obscuro_games::{GameVisitor, load, names, playthrough};

/// File name and game of every golden playthrough.
const GAMES: &[(&str, &str)] = &[
    ("kuhn_poker", "kuhn_poker"),
    ("leduc_poker", "leduc_poker"),
    ("liars_dice", "liars_dice"),
    ("liars_dice_4_reset_quantity", "liars_dice(dice_sides=4,bidding_rule=reset-quantity)"),
    ("goofspiel", "goofspiel"),
    ("goofspiel_5_random", "goofspiel(num_cards=5,points_order=random)"),
    ("goofspiel_3_difference", "goofspiel(num_cards=3,returns_type=point_difference)"),
    ("phantom_ttt", "phantom_ttt"),
    ("phantom_ttt_numturns", "phantom_ttt(obstype=reveal-numturns)"),
    ("phantom_ttt_abrupt", "phantom_ttt(gameversion=abrupt)"),
    ("dark_hex_2x2", "dark_hex(num_rows=2,num_cols=2)"),
    ("dark_hex", "dark_hex"),
    ("dark_hex_abrupt", "dark_hex(gameversion=adh)"),
];

struct Check;

impl GameVisitor for Check {
    type Output = ();

    fn visit<G: Game + Clone + 'static>(self, game: &G) {
        check_game(game, 300, 1).unwrap_or_else(|violation| panic!("{violation}"));
        let limited = PlyLimit::new(game.clone(), 5);
        check_game(&limited, 100, 2).unwrap_or_else(|violation| panic!("{violation}"));
    }
}

struct Playthrough;

impl GameVisitor for Playthrough {
    type Output = String;

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> String {
        [0, 1].map(|seed| format!("seed {seed}\n{}", playthrough(game, seed))).concat()
    }
}

#[test]
fn every_game_is_here() {
    for name in names() {
        assert!(GAMES.iter().any(|(file, _)| file.starts_with(name)), "{name}");
    }
}

#[test]
fn games_keep_the_contract() {
    for (_, name) in GAMES {
        load(name).expect(name).visit(Check);
    }
}

/// With `UPDATE_GOLDEN` set in the environment the files are written instead.
#[test]
fn playthroughs_are_as_before() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (file, name) in GAMES {
        let text = format!("{name}\n{}", load(name).expect(name).visit(Playthrough));
        let path = folder.join(format!("{file}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &text).expect("the golden folder can be written");
        }
        let golden = std::fs::read_to_string(&path).expect("a golden file for every game");
        assert_eq!(text, golden, "{file}");
    }
}
