//! Games between simple players who see the board, and positions of them and near them.

use std::sync::Arc;

use obscuro_eval::{DepthOne, Network, NetworkEvaluator, Settings, SettingsError, SimpleEvaluator};
use obscuro_fow::{Kind, Move, Position};
use obscuro_game::SplitMix64;
use thiserror::Error;

use crate::material::Material;
use crate::mutate::{mutate, thinned};
use crate::wander::{can_take_king, is_capture, wander};
use crate::{Record, Source};

/// What plays the games with foresight of one move.
pub type Teacher = DepthOne<NetworkEvaluator>;

/// How games are played, and what is kept of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// How often a side plays at random, or takes what it can: its share of the players.
    pub random: f64,
    /// The share of the players who look one move ahead and count material.
    pub material: f64,
    /// The share of those who do with the simple evaluation; the rest does with the teacher, if
    /// there is one.
    pub simple: f64,
    /// How many games begin with pieces missing.
    pub thinned: f64,
    /// The chance that a position of a game is kept.
    pub keep: f64,
    /// How many positions near it are kept.
    pub wander: u16,
    /// The share of these in which pieces are taken away, or are put elsewhere.
    pub mutated: f64,
    /// After so many plies a game is drawn.
    pub most_plies: u16,
}

impl Default for Recipe {
    fn default() -> Self {
        Recipe {
            random: 0.05,
            material: 0.75,
            simple: 0.1,
            thinned: 0.1,
            keep: 0.6,
            wander: 5,
            mutated: 0.6,
            most_plies: 300,
        }
    }
}

/// Why a [`Recipe`] cannot be followed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecipeError {
    /// Not a share of something.
    #[error("{name} must be between 0 and 1, found {found}")]
    Share {
        /// Which number.
        name: &'static str,
        /// What it is.
        found: f64,
    },
    /// More than all.
    #[error("the shares of players must be at most 1 together, found {found}")]
    Players {
        /// Their sum.
        found: f64,
    },
    /// No position would ever be kept.
    #[error("keep and wander are both 0: nothing would be kept")]
    Nothing,
    /// Players would have no foresight.
    #[error(transparent)]
    Foresight(#[from] SettingsError),
    /// Games without moves.
    #[error("a game needs at least one ply")]
    Plies,
}

impl Recipe {
    fn check(&self) -> Result<(), RecipeError> {
        let shares = [
            ("random", self.random),
            ("material", self.material),
            ("simple", self.simple),
            ("thinned", self.thinned),
            ("keep", self.keep),
            ("mutated", self.mutated),
        ];
        if let Some(&(name, found)) = shares.iter().find(|(_, x)| !(0.0..=1.0).contains(x)) {
            return Err(RecipeError::Share { name, found });
        }
        let found = self.random + self.material + self.simple;
        if found > 1.0 {
            return Err(RecipeError::Players { found });
        }
        if self.keep == 0.0 && self.wander == 0 {
            return Err(RecipeError::Nothing);
        }
        if self.most_plies == 0 {
            return Err(RecipeError::Plies);
        }
        Ok(())
    }
}

/// How one side of a game chooses its moves.
#[derive(Clone, Copy)]
enum Player {
    Random,
    /// Takes the most valuable piece it can take.
    Greedy,
    /// Draws from the values of the children; now and then any move.
    Ahead {
        guide: Guide,
        temperature: f64,
        slips: f64,
    },
}

/// What a player values moves with.
#[derive(Clone, Copy)]
enum Guide {
    Material,
    Simple,
    Teacher,
}

/// Plays games and keeps positions.
pub struct Generator {
    recipe: Recipe,
    material: DepthOne<Material>,
    simple: DepthOne<SimpleEvaluator>,
    teacher: Option<Box<Teacher>>,
}

/// Plies of captures that players look at below each move.
const FORESIGHT: u8 = 4;
const NO_MOVES_THAT_COUNT: u32 = 100;
/// A side is far ahead if its best move is worth so much.
const FAR_AHEAD: f32 = 0.97;
/// Half the games end when a side was far ahead for so many of its moves in a row.
const RESIGNATION: u32 = 6;

impl Generator {
    /// A generator whose better players value positions with `teacher`, or all with the simple
    /// evaluation.
    pub fn new(recipe: &Recipe, teacher: Option<Arc<Network>>) -> Result<Self, RecipeError> {
        recipe.check()?;
        let settings = Settings { depth: FORESIGHT, ..Settings::default() };
        let teacher = match teacher {
            Some(network) => Some(DepthOne::new(NetworkEvaluator::new(network), settings)?),
            None => None,
        };
        Ok(Generator {
            recipe: *recipe,
            material: DepthOne::new(Material, settings)?,
            simple: DepthOne::new(SimpleEvaluator::default(), settings)?,
            teacher: teacher.map(Box::new),
        })
    }

    /// Exactly `count` records, without labels; the same for the same seed.
    pub fn run(&mut self, count: usize, seed: u64) -> Vec<Record> {
        let mut rng = SplitMix64::new(seed);
        let mut records = Vec::with_capacity(count + 512);
        while records.len() < count {
            self.game(&mut rng, &mut records);
        }
        records.truncate(count);
        records
    }

    fn player(&self, rng: &mut SplitMix64) -> Player {
        let draw = rng.unit();
        if draw < self.recipe.random {
            return if rng.below(2) == 0 { Player::Random } else { Player::Greedy };
        }
        // From 0.01, nearly the best move, to 0.3, among all but the worst: in equal ratios.
        let temperature = 0.01 * 30.0f64.powf(rng.unit());
        let slips = if rng.below(2) == 0 { 0.0 } else { 0.1 * rng.unit() };
        let simple = self.recipe.random + self.recipe.material;
        let guide = if draw < simple {
            Guide::Material
        } else if draw < simple + self.recipe.simple || self.teacher.is_none() {
            Guide::Simple
        } else {
            Guide::Teacher
        };
        Player::Ahead { guide, temperature, slips }
    }

    fn game(&mut self, rng: &mut SplitMix64, records: &mut Vec<Record>) {
        let first = records.len();
        let one = self.player(rng);
        // Mostly equals: games that stay open for long.
        let players = if rng.below(4) == 0 { [one, self.player(rng)] } else { [one, one] };
        let resigns = rng.below(2) == 0;
        let mut ahead = [0; 2];
        let mut position = Position::start();
        if rng.unit() < self.recipe.thinned {
            position = thinned(&position, rng);
        }
        // The first plies at random: no two games are alike.
        let opening = rng.below(10) as u16;
        let mut quiet = 0;
        let mut winner = None;
        for ply in 0..self.recipe.most_plies {
            let moves = position.moves();
            if position.king(position.turn()).is_none() || moves.is_empty() {
                winner = Some(position.turn().other());
                break;
            }
            if quiet >= NO_MOVES_THAT_COUNT {
                break;
            }
            self.keep(&position, ply, rng, records);
            let player = players[position.turn() as usize];
            let (mv, value) = if ply < opening {
                (moves[rng.below(moves.len())], None)
            } else {
                self.choose(player, &position, &moves, rng)
            };
            let turn = position.turn();
            let run = &mut ahead[turn as usize];
            *run = if value.is_some_and(|value| value > FAR_AHEAD) { *run + 1 } else { 0 };
            if resigns && *run >= RESIGNATION {
                winner = Some(turn);
                break;
            }
            let counts = is_capture(&position, mv)
                || position.kind_at(mv.from()).is_some_and(|kind| kind == Kind::Pawn);
            quiet = if counts { 0 } else { quiet + 1 };
            position = position.play(mv);
        }
        for record in &mut records[first..] {
            record.outcome = match winner {
                None => 0,
                Some(color) if color == record.position.turn() => 1,
                Some(_) => -1,
            };
        }
    }

    fn keep(&self, position: &Position, ply: u16, rng: &mut SplitMix64, records: &mut Vec<Record>) {
        let mut push = |position: Position, source| {
            // A search never asks for the value of a position in which the king can be taken.
            if !can_take_king(&position) {
                records.push(Record {
                    position,
                    static_score: Record::NONE,
                    score: Record::NONE,
                    ply,
                    outcome: 0,
                    source,
                });
            }
        };
        if rng.unit() < self.recipe.keep {
            push(*position, Source::Game);
        }
        for _ in 0..self.recipe.wander {
            let Some(near) = wander(position, rng) else { continue };
            if rng.unit() >= self.recipe.mutated {
                push(near, Source::Wander);
            } else if let Some(mutant) = mutate(&near, rng) {
                push(mutant, Source::Mutant);
            }
        }
    }

    fn values(&mut self, guide: Guide, position: &Position) -> Vec<f32> {
        match (guide, &mut self.teacher) {
            (Guide::Material, _) => self.material.values(position),
            (Guide::Teacher, Some(teacher)) => teacher.values(position),
            (Guide::Simple | Guide::Teacher, _) => self.simple.values(position),
        }
    }

    /// A move, and what the player holds the best move to be worth.
    fn choose(
        &mut self,
        player: Player,
        position: &Position,
        moves: &[Move],
        rng: &mut SplitMix64,
    ) -> (Move, Option<f32>) {
        let any = (moves[rng.below(moves.len())], None);
        let (values, temperature) = match player {
            Player::Random => return any,
            Player::Greedy => {
                let worth = |mv: &Move| position.kind_at(mv.to()).map_or(0, |kind| kind as u8);
                let best = moves.iter().map(worth).max().unwrap_or(0);
                let first = rng.below(moves.len());
                let mut turned = moves[first..].iter().chain(&moves[..first]);
                return turned.find(|mv| worth(mv) == best).map_or(any, |&mv| (mv, None));
            }
            Player::Ahead { slips, .. } if rng.unit() < slips => return any,
            Player::Ahead { guide, temperature, .. } => (self.values(guide, position), temperature),
        };
        let best = values.iter().copied().fold(-1.0, f32::max);
        let weight = |value: f32| (f64::from(value - best) / temperature).exp();
        let sum: f64 = values.iter().map(|&value| weight(value)).sum();
        let chosen = rng.weighted(values.iter().map(|&value| weight(value) / sum));
        (moves[chosen], Some(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obscuro_fow::Color;

    fn run(count: usize, seed: u64) -> Vec<Record> {
        Generator::new(&Recipe::default(), None).unwrap().run(count, seed)
    }

    #[test]
    fn the_seed_decides_everything() {
        assert_eq!(run(3000, 1), run(3000, 1));
        assert_ne!(run(3000, 1), run(3000, 2));
    }

    #[test]
    fn positions_are_of_all_kinds() {
        let records = run(30_000, 3);
        assert_eq!(records.len(), 30_000);
        let count = |test: &dyn Fn(&Record) -> bool| records.iter().filter(|r| test(r)).count();
        assert_eq!(count(&|r| can_take_king(&r.position)), 0);
        assert_eq!(count(&|r| Record::from_bytes(&r.to_bytes()) != Some(*r)), 0);
        let in_check = |r: &Record| {
            let position = r.position;
            let king = position.king(position.turn()).unwrap();
            let mut words = position.to_words();
            let empty = !position.occupied().0;
            words[3] ^= empty;
            let passed = Position::from_words(words).unwrap();
            passed.moves().iter().any(|mv| mv.to() == king)
        };
        assert!(count(&in_check) > 1000, "{}", count(&in_check));
        for pieces in [1..9, 9..17, 17..25, 25..33] {
            let n = count(&|r| pieces.contains(&r.position.occupied().len()));
            assert!(n > 500, "{n} with {pieces:?} pieces");
        }
        // Few of the recipe's games are drawn.
        for (outcome, least) in [(-1, 1000), (0, 100), (1, 1000)] {
            let n = count(&|r| r.outcome == outcome);
            assert!(n > least, "{n} with outcome {outcome}");
        }
        for (source, least) in
            [(Source::Game, 3000), (Source::Wander, 5000), (Source::Mutant, 5000)]
        {
            let n = count(&|r| r.source == source);
            assert!(n > least, "{n} from {source:?}");
        }
        assert!(count(&|r| r.position.turn() == Color::Black) > 12_000);
    }

    #[test]
    fn a_recipe_that_cannot_be_followed_is_refused() {
        let base = Recipe::default();
        for (recipe, message) in [
            (Recipe { keep: 1.5, ..base }, "keep must be between 0 and 1, found 1.5"),
            (Recipe { random: 0.5, ..base }, "at most 1 together, found 1.35"),
            (Recipe { keep: 0.0, wander: 0, ..base }, "nothing would be kept"),
            (Recipe { most_plies: 0, ..base }, "at least one ply"),
        ] {
            let error = Generator::new(&recipe, None).err().unwrap();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
