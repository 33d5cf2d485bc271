use obscuro_game::Game;

use crate::dark_hex;
use crate::goofspiel::Goofspiel;
use crate::kuhn_poker::KuhnPoker;
use crate::leduc_poker::LeducPoker;
use crate::liars_dice::LiarsDice;
use crate::params::{GameError, Params};
use crate::phantom::PhantomGame;
use crate::phantom_ttt;

/// The wrapper in whose form `OpenSpiel` plays goofspiel one player after the other.
const TURN_BASED: &str = "turn_based_simultaneous_game";

/// Code that is generic over the game: what to do with one that is known by its name only.
pub trait GameVisitor {
    /// What it makes.
    type Output;

    /// Called with the game as its own type.
    fn visit<G: Game + Clone + 'static>(self, game: &G) -> Self::Output;
}

/// Makes [`AnyGame`] and all that lists the games from one table.
macro_rules! games {
    ($($(#[$doc:meta])* $variant:ident($game:ty) = $name:literal, $from_params:path;)*) => {
        /// A game of the registry.
        ///
        /// ```
        /// use obscuro_game::Game;
        /// use obscuro_games::{GameVisitor, load};
        ///
        /// struct CountActions;
        /// impl GameVisitor for CountActions {
        ///     type Output = usize;
        ///     fn visit<G: Game + Clone + 'static>(self, game: &G) -> usize {
        ///         let mut actions = Vec::new();
        ///         game.actions(&game.root(), &mut actions);
        ///         actions.len()
        ///     }
        /// }
        /// assert_eq!(load("dark_hex(num_rows=2,num_cols=2)")?.visit(CountActions), 4);
        /// # Ok::<(), obscuro_games::GameError>(())
        /// ```
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $($(#[$doc])* $variant($game),)*
        }

        impl AnyGame {
            /// Runs generic code on the game.
            pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
                match self {
                    $(AnyGame::$variant(game) => visitor.visit(game),)*
                }
            }

            fn from_params(params: &mut Params) -> Result<Option<AnyGame>, GameError> {
                match params.game() {
                    $($name => $from_params(params).map(|game| Some(AnyGame::$variant(game))),)*
                    _ => Ok(None),
                }
            }
        }

        /// The names of all games.
        pub const fn names() -> &'static [&'static str] {
            &[$($name),*]
        }
    };
}

// A new game, of whatever crate, needs one line here.
games! {
    /// Kuhn poker.
    KuhnPoker(KuhnPoker) = "kuhn_poker", KuhnPoker::from_params;
    /// Leduc poker.
    LeducPoker(LeducPoker) = "leduc_poker", LeducPoker::from_params;
    /// Liar's dice.
    LiarsDice(LiarsDice) = "liars_dice", LiarsDice::from_params;
    /// Goofspiel.
    Goofspiel(Goofspiel) = "goofspiel", Goofspiel::from_params;
    /// Phantom tic-tac-toe.
    PhantomTtt(PhantomGame) = "phantom_ttt", phantom_ttt::from_params;
    /// Dark hex.
    DarkHex(PhantomGame) = "dark_hex", dark_hex::from_params;
}

/// The game of this name with these parameters, as `OpenSpiel` writes them:
/// `"leduc_poker"`, `"liars_dice(dice_sides=4)"`. Parameters that are left out have `OpenSpiel`'s
/// defaults, but goofspiel has four cards, hidden bids and descending prizes.
///
/// ```
/// use obscuro_games::load;
/// assert!(load("goofspiel(num_cards=3,points_order=random)").is_ok());
/// assert!(load("leduk").unwrap_err().to_string().contains("leduc_poker"));
/// ```
pub fn load(text: &str) -> Result<AnyGame, GameError> {
    let mut params = Params::parse(text)?;
    if params.game() == TURN_BASED {
        let inner = params.text("game").unwrap_or_default();
        params.finish()?;
        params = Params::parse(&inner)?;
        if params.game() != "goofspiel" {
            return Err(GameError::BadValue {
                name: "game".into(),
                value: inner,
                expected: "goofspiel(...), the only game here with simultaneous moves".into(),
            });
        }
    }
    match AnyGame::from_params(&mut params)? {
        Some(game) => {
            params.finish()?;
            Ok(game)
        }
        None => Err(GameError::UnknownGame {
            name: params.game().into(),
            nearest: nearest(params.game(), names()).into(),
            known: names().join(", "),
        }),
    }
}

/// The word most like `word`, of at least one: by common pairs of letters, then by edits.
pub(crate) fn nearest<'a>(word: &str, words: &[&'a str]) -> &'a str {
    let likeness = |other: &str| {
        strsim::sorensen_dice(word, other) + strsim::normalized_damerau_levenshtein(word, other)
    };
    words.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default()
}
