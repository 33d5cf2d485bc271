use obscuro_fow::{FowChess, Move, Position};
use obscuro_game::Evaluator;

use crate::cache::Cache;
use crate::quiescence::Quiescence;
use crate::{SettingsError, StaticEvaluator, WIN, squash};

/// The deepest quiescence search there is.
const MOST_DEPTH: u8 = 32;

/// How children are valued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most plies of captures below a child: 0 to 32.
    pub depth: u8,
    /// The advantage, in pawns, that is worth tanh(1) = 0.76: see [`squash`](crate::squash()).
    pub scale: f32,
    /// A cache of children's scores has 2 to the power of this many entries of 40 bytes; `None`:
    /// no cache.
    pub cache_bits: Option<u8>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { depth: 8, scale: 2.0, cache_bits: None }
    }
}

/// Depth-1 `MultiPV` with quiescence: values every child of a position.
///
/// A child in which the mover's king can be taken is worth -1 to the mover, one in which the
/// opponent's king is gone, or cannot be kept from being taken, is worth +1; see
/// [`squash`](crate::squash()) for the others. One thread's own: after the first call nothing is
/// allocated any more.
pub struct DepthOne<S> {
    statics: S,
    settings: Settings,
    cache: Option<Cache>,
    nodes: u64,
    scores: Vec<i32>,
}

impl<S: StaticEvaluator> DepthOne<S> {
    /// An evaluator that searches with `statics` at the leaves.
    pub fn new(statics: S, settings: Settings) -> Result<Self, SettingsError> {
        if settings.depth > MOST_DEPTH {
            return Err(SettingsError::Depth { found: settings.depth, most: MOST_DEPTH });
        }
        if !(settings.scale > 0.0 && settings.scale.is_finite()) {
            return Err(SettingsError::Scale { found: settings.scale });
        }
        let most = Cache::MOST_BITS;
        if let Some(found) = settings.cache_bits.filter(|&bits| bits > most) {
            return Err(SettingsError::Cache { found, most });
        }
        Ok(DepthOne::checked(statics, settings))
    }

    fn checked(statics: S, settings: Settings) -> Self {
        let cache = settings.cache_bits.map(Cache::new);
        DepthOne { statics, settings, cache, nodes: 0, scores: Vec::with_capacity(256) }
    }

    /// An equal evaluator that remembers nothing.
    #[must_use]
    pub fn fresh(&self) -> Self {
        DepthOne::checked(self.statics.fork(), self.settings)
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// How many positions all searches so far have looked at, children included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The static evaluator.
    pub fn statics(&mut self) -> &mut S {
        &mut self.statics
    }

    /// Appends the score of every child to `scores`, for the side to move at `position`.
    ///
    /// Scores are in the static evaluator's units; those of decided children are ±[`WIN`].
    pub fn scores(&mut self, position: &Position, children: &[Position], scores: &mut Vec<i32>) {
        self.statics.begin(position);
        let mut search = Quiescence { statics: &mut self.statics, nodes: 0 };
        let depth = self.settings.depth;
        for child in children {
            if child.king(child.turn()).is_none() {
                scores.push(WIN);
                continue;
            }
            let mut score = || {
                search.statics.push(child);
                let score = -search.search(child, -WIN, WIN, depth);
                search.statics.pop();
                score
            };
            scores.push(match &mut self.cache {
                Some(cache) => cache.get(child, score),
                None => score(),
            });
        }
        self.nodes += search.nodes;
    }

    /// The score of the position itself for the side to move, by quiescence; ±[`WIN`] where the
    /// game is over or as good as over.
    pub fn score(&mut self, position: &Position) -> i32 {
        if position.king(position.turn()).is_none() {
            return -WIN;
        }
        self.statics.begin(position);
        let mut search = Quiescence { statics: &mut self.statics, nodes: 0 };
        let score = search.search(position, -WIN, WIN, self.settings.depth);
        self.nodes += search.nodes;
        score
    }

    /// The value of every child for the side to move, in the order of [`Position::moves`].
    #[must_use]
    pub fn values(&mut self, position: &Position) -> Vec<f32> {
        let children: Vec<_> = position.moves().iter().map(|&mv| position.play(mv)).collect();
        let mut scores = Vec::with_capacity(children.len());
        self.scores(position, &children, &mut scores);
        scores.into_iter().map(|score| self.squash(score)).collect()
    }

    /// The value of a score under these settings.
    #[inline]
    pub fn squash(&self, score: i32) -> f32 {
        squash(score, self.statics.units_per_pawn(), self.settings.scale)
    }
}

impl<S: StaticEvaluator + 'static> Evaluator<FowChess> for DepthOne<S> {
    fn children(
        &mut self,
        _game: &FowChess,
        state: &Position,
        _actions: &[Move],
        children: &[Position],
        values: &mut Vec<f32>,
    ) {
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        self.scores(state, children, &mut scores);
        let sign = obscuro_game::Player::from(state.turn()).sign() as f32;
        values.clear();
        values.extend(scores.iter().map(|&score| sign * self.squash(score)));
        self.scores = scores;
    }

    fn fork(&self) -> Box<dyn Evaluator<FowChess>> {
        Box::new(self.fresh())
    }
}
