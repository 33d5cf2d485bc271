use std::collections::HashMap;

use foldhash::fast::FixedState;
use obscuro_game::{Game, InfosetKey, Player, Turn};

use super::{Counts, Limits, TableError};

/// How far the probabilities of a chance state may be from summing to one.
const CHANCE_TOLERANCE: f64 = 1e-9;

/// Tiles may double the entries of the payoff matrix, and their indexes have 32 bits.
const MAX_ENDS: u64 = 1 << 31;

/// What a walk over the whole game leaves behind, in the order of discovery.
#[derive(Debug, Default)]
pub(super) struct RawGame {
    pub(super) players: [RawPlayer; 2],
    /// One entry for each end of the game that chance can reach.
    pub(super) ends: Vec<RawEnd>,
    pub(super) counts: Counts,
}

/// A player's infosets with two or more actions, parents before children. A forced action makes
/// no sequence: the sequence before it goes on.
#[derive(Debug)]
pub(super) struct RawPlayer {
    pub(super) infosets: Vec<RawInfoset>,
    pub(super) sequences: u32,
    /// Child indexes from the root to the first state of each infoset, one after the other.
    pub(super) paths: Vec<u16>,
}

impl Default for RawPlayer {
    fn default() -> Self {
        RawPlayer { infosets: Vec::new(), sequences: 1, paths: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RawInfoset {
    pub(super) key: InfosetKey,
    /// The own sequence that leads here; 0 is the empty one.
    pub(super) parent: u32,
    /// The sequence of the first action; the others follow.
    pub(super) first: u32,
    pub(super) actions: u32,
    pub(super) path_end: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RawEnd {
    pub(super) sequences: [u32; 2],
    /// Payoff times the probability of chance's part in the history.
    pub(super) payoff: f64,
}

/// An infoset as the walk looks it up. Forced ones are remembered here alone.
#[derive(Clone, Copy)]
struct Seen {
    parent: u32,
    first: u32,
    actions_start: usize,
    actions: u32,
}

/// A history on the way down, and how many of its children are done.
struct Frame<S> {
    state: S,
    turn: Turn,
    keys: [InfosetKey; 2],
    sequences: [u32; 2],
    /// Probability of chance's part.
    reach: f64,
    /// The sequence of the first action, and the step to the next one (0 if forced).
    first: u32,
    step: u32,
    start: usize,
    next: usize,
    end: usize,
}

struct Walk<'a, G: Game> {
    game: &'a G,
    limits: Limits,
    raw: RawGame,
    seen: [HashMap<InfosetKey, Seen, FixedState>; 2],
    /// The actions of every infoset, to compare later states of it with.
    listed: [Vec<G::Action>; 2],
    stack: Vec<Frame<G::State>>,
    /// The children of the frames on the stack, with chance's probability (1 for a player's).
    moves: Vec<(G::Action, f64)>,
    path: Vec<u16>,
    scratch: Vec<G::Action>,
}

/// Visits every history of the game once.
///
/// No attempt is made to merge histories: both players' keys are extended at every ply, so two
/// histories share a state and both keys only if they differ in chance outcomes that neither
/// player ever tells apart, and those end in the same pair of sequences anyway.
pub(super) fn walk<G: Game>(game: &G, limits: Limits) -> Result<RawGame, TableError> {
    let mut walk = Walk {
        game,
        limits,
        raw: RawGame::default(),
        seen: [HashMap::default(), HashMap::default()],
        listed: [Vec::new(), Vec::new()],
        stack: Vec::new(),
        moves: Vec::new(),
        path: Vec::new(),
        scratch: Vec::new(),
    };
    let root = game.root();
    let keys = Player::BOTH.map(|player| InfosetKey::root(&game.observe(&root, player)));
    let turn = game.turn(&root);
    walk.count_history()?;
    walk.enter(root, turn, keys, [0, 0], 1.0)?;
    walk.run()?;
    walk.raw.counts.sequences = [0, 1].map(|player| u64::from(walk.raw.players[player].sequences));
    walk.raw.counts.infosets = [0, 1].map(|player| walk.seen[player].len() as u64);
    Ok(walk.raw)
}

impl<G: Game> Walk<'_, G> {
    fn run(&mut self) -> Result<(), TableError> {
        while let Some(frame) = self.stack.last_mut() {
            if frame.next == frame.end {
                self.moves.truncate(frame.start);
                self.stack.pop();
                self.path.pop();
                continue;
            }
            let index = frame.next - frame.start;
            let (action, probability) = self.moves[frame.next];
            frame.next += 1;
            if probability == 0.0 {
                continue;
            }
            let state = self.game.apply(&frame.state, action);
            let turn = self.game.turn(&state);
            let reach = frame.reach * probability;
            let mut sequences = frame.sequences;
            if let Turn::Player(player) = frame.turn {
                sequences[player.index()] = frame.first + frame.step * index as u32;
            }
            let mut keys = frame.keys;
            if turn != Turn::Terminal {
                for player in Player::BOTH {
                    let own = (frame.turn == Turn::Player(player)).then_some(&action);
                    let seen = self.game.observe(&state, player);
                    keys[player.index()] =
                        self.game.infoset(keys[player.index()], own.copied(), &seen);
                }
            }
            self.path.push(index as u16);
            self.count_history()?;
            self.enter(state, turn, keys, sequences, reach)?;
        }
        Ok(())
    }

    fn count_history(&mut self) -> Result<(), TableError> {
        let counts = &mut self.raw.counts;
        counts.histories += 1;
        counts.depth = counts.depth.max(self.path.len() as u64);
        if counts.histories > self.limits.max_histories {
            return Err(TableError::TooManyHistories { limit: self.limits.max_histories });
        }
        if self.path.len() > self.limits.max_depth {
            return Err(TableError::TooDeep { limit: self.limits.max_depth });
        }
        Ok(())
    }

    /// Records an end of the game, or puts the history on the stack with its children listed.
    fn enter(
        &mut self,
        state: G::State,
        turn: Turn,
        keys: [InfosetKey; 2],
        sequences: [u32; 2],
        reach: f64,
    ) -> Result<(), TableError> {
        let start = self.moves.len();
        let (mut first, mut step) = (0, 0);
        match turn {
            Turn::Terminal => {
                let payoff = self.game.payoff(&state);
                if !payoff.is_finite() {
                    let state = self.game.state_text(&state);
                    return Err(TableError::Payoff { payoff, state });
                }
                self.raw.counts.terminals += 1;
                if self.raw.counts.terminals > MAX_ENDS {
                    return Err(TableError::TooMany { what: "ends", limit: MAX_ENDS });
                }
                self.raw.ends.push(RawEnd { sequences, payoff: payoff * reach });
                self.path.pop();
                return Ok(());
            }
            Turn::Chance => self.list_chance(&state)?,
            Turn::Player(player) => {
                self.scratch.clear();
                self.game.actions(&state, &mut self.scratch);
                let parent = sequences[player.index()];
                (first, step) = self.infoset(&state, player, keys[player.index()], parent)?;
                self.moves.extend(self.scratch.iter().map(|&action| (action, 1.0)));
            }
        }
        let end = self.moves.len();
        if end == start {
            let mover = match turn {
                Turn::Player(player) => format!("action of player {player:?}"),
                _ => "chance outcome".to_owned(),
            };
            return Err(TableError::NoActions { mover, state: self.game.state_text(&state) });
        }
        if end - start > usize::from(u16::MAX) {
            let limit = u64::from(u16::MAX);
            return Err(TableError::TooMany { what: "children of one history", limit });
        }
        self.stack.push(Frame {
            state,
            turn,
            keys,
            sequences,
            reach,
            first,
            step,
            start,
            next: start,
            end,
        });
        Ok(())
    }

    fn list_chance(&mut self, state: &G::State) -> Result<(), TableError> {
        let start = self.moves.len();
        self.game.chance(state, &mut self.moves);
        self.raw.counts.chance_nodes += 1;
        let outcomes = &self.moves[start..];
        if let Some(bad) = outcomes.iter().find(|o| !(0.0..=1.0 + CHANCE_TOLERANCE).contains(&o.1))
        {
            let state = self.game.state_text(state);
            return Err(TableError::Probability { probability: bad.1, state });
        }
        let sum: f64 = outcomes.iter().map(|o| o.1).sum();
        if !outcomes.is_empty() && (sum - 1.0).abs() > CHANCE_TOLERANCE {
            return Err(TableError::ChanceSum { sum, state: self.game.state_text(state) });
        }
        Ok(())
    }

    /// Finds or makes the infoset; returns the sequence of its first action and the step between
    /// the sequences of its actions.
    fn infoset(
        &mut self,
        state: &G::State,
        player: Player,
        key: InfosetKey,
        parent: u32,
    ) -> Result<(u32, u32), TableError> {
        let actions = self.scratch.len() as u32;
        let listed = &mut self.listed[player.index()];
        if let Some(&seen) = self.seen[player.index()].get(&key) {
            if seen.parent != parent {
                let state = self.game.state_text(state);
                return Err(TableError::ImperfectRecall { player, key, state });
            }
            let expected = &listed[seen.actions_start..][..seen.actions as usize];
            if expected != self.scratch {
                let expected = format!("{expected:?}");
                let found = format!("{:?}", self.scratch);
                let state = self.game.state_text(state);
                return Err(TableError::ActionsDiffer { player, key, expected, found, state });
            }
            return Ok((seen.first, u32::from(actions > 1)));
        }
        let raw = &mut self.raw.players[player.index()];
        let actions_start = listed.len();
        listed.extend_from_slice(&self.scratch);
        let first = if actions > 1 {
            let first = raw.sequences;
            let Some(sequences) = first.checked_add(actions) else {
                let limit = u64::from(u32::MAX);
                return Err(TableError::TooMany { what: "sequences", limit });
            };
            raw.sequences = sequences;
            raw.paths.extend_from_slice(&self.path);
            let path_end = raw.paths.len();
            raw.infosets.push(RawInfoset { key, parent, first, actions, path_end });
            first
        } else {
            parent
        };
        self.seen[player.index()].insert(key, Seen { parent, first, actions_start, actions });
        Ok((first, u32::from(actions > 1)))
    }
}
