//! Loading games by name, and what bad names are told.

use obscuro_games::{AnyGame, GameError, load, names};

#[test]
fn every_name_loads_with_its_defaults() {
    for name in names() {
        load(name).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(matches!(load(" dark_hex( board_size = 2 ) "), Ok(AnyGame::DarkHex(_))));
    let goofspiel = "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3))";
    assert!(matches!(load(goofspiel), Ok(AnyGame::Goofspiel(_))));
}

#[test]
fn errors_say_what_was_wrong_and_what_was_expected() {
    for (text, message) in [
        ("leduc", "there is no game \"leduc\"; did you mean \"leduc_poker\"?"),
        ("darkhex(num_rows=2)", "did you mean \"dark_hex\"?"),
        ("dark_hex(rows=2)", "dark_hex has no parameter \"rows\"; did you mean \"num_rows\"?"),
        ("liars_dice(dice_sides=7)", "dice_sides is \"7\", expected 2 to 6"),
        ("liars_dice(dice_sides=six)", "dice_sides is \"six\", expected a whole number"),
        ("liars_dice(numdice=2)", "numdice is \"2\", expected 1"),
        ("goofspiel(points_order=up)", "expected descending or ascending or random"),
        ("goofspiel(imp_info=False)", "imp_info is \"False\", expected True"),
        ("dark_hex(num_rows=5,num_cols=5)", "num_rows * num_cols is \"25\", expected 2 to 16"),
        ("kuhn_poker(players=3)", "players is \"3\", expected 2"),
        ("kuhn_poker(players=2", "it does not end in )"),
        ("kuhn_poker(players)", "\"players\" has no ="),
        ("kuhn_poker(players=2,players=2)", "players is there twice"),
        ("kuhn_poker(players=2))(", "it does not end in )"),
        ("kuhn_poker(players=2)(=)", "the parentheses do not match"),
        ("", "the name is not a word"),
        ("turn_based_simultaneous_game(game=kuhn_poker)", "expected goofspiel(...)"),
    ] {
        let error = load(text).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert!(matches!(load("chess"), Err(GameError::UnknownGame { .. })));
}
