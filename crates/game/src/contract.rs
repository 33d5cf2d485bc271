use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::{Game, InfosetKey, Player, SplitMix64, Turn, consistent_children_by_trial};

/// A playout longer than this is taken to be endless.
const MAX_PLIES: usize = 10_000;
/// States of an infoset that are followed beside the true one.
const MAX_BELIEF: usize = 128;

/// A rule of [`Game`] that a game can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Chance outcomes are distinct; their probabilities are not negative and sum to one.
    Chance,
    /// A player to move has an action, and the actions are distinct.
    Actions,
    /// The same question about the same state has the same answer.
    Deterministic,
    /// All states of a player's infoset agree on whether it is their turn, and on the actions.
    OwnTurnKnown,
    /// One infoset has one past: equal observations and actions hash equally, others do not.
    PerfectRecall,
    /// A silent observation is not one of a player to move and not one of a game that is over.
    Silence,
    /// The payoff is a number not above [`Game::max_payoff`] in size.
    Payoff,
    /// [`Game::consistent_children`] gives exactly the states that trying every action gives.
    ConsistentChildren,
    /// The game ends.
    Ends,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Chance => "chance outcomes must be distinct, with probabilities that sum to one",
            Rule::Actions => "a player to move must have actions, all distinct",
            Rule::Deterministic => "the same state must give the same answer every time",
            Rule::OwnTurnKnown => "what a player saw must determine their turn and their actions",
            Rule::PerfectRecall => "an infoset must have one past",
            Rule::Silence => "a turn to move and the end must be news",
            Rule::Payoff => "a payoff must be a number of at most max_payoff in size",
            Rule::ConsistentChildren => "consistent_children must be all children that look so",
            Rule::Ends => "every playout must end",
        })
    }
}

/// What [`check_game`] found: the rule, what exactly, and the playout that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractViolation {
    /// The rule that is broken.
    pub rule: Rule,
    /// What was found instead.
    pub found: String,
    /// The plies up to it, one a line, with both players' observations.
    pub playout: String,
}

impl fmt::Display for ContractViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, but {}\nthe playout:\n{}", self.rule, self.found, self.playout)
    }
}

impl std::error::Error for ContractViolation {}

/// Plays `playouts` random games and checks every rule of [`Game`] at every state, for the true
/// state and for others that a player cannot tell from it.
///
/// What one playout cannot show may stay hidden: the more playouts, the more infosets are met
/// again. With the same seed the playouts are the same.
pub fn check_game<G: Game>(game: &G, playouts: u32, seed: u64) -> Result<(), ContractViolation> {
    let mut check = Check {
        game,
        rng: SplitMix64::new(seed),
        pasts: [HashMap::new(), HashMap::new()],
        turns: [HashMap::new(), HashMap::new()],
        plies: Vec::new(),
    };
    for _ in 0..playouts {
        check.playout().map_err(|(rule, found)| ContractViolation {
            rule,
            found,
            playout: check.text(),
        })?;
    }
    Ok(())
}

type Broken = (Rule, String);

fn require(holds: bool, rule: Rule, found: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err((rule, found())) }
}

/// What made an infoset: the one before it, the own action and the observation.
type Past<G> = (Option<InfosetKey>, Option<<G as Game>::Action>, <G as Game>::Observation);

/// What was done, and by whom (`None`: chance).
type Step<G> = (<G as Game>::Action, Option<Player>);

/// What one player knows during a playout.
struct Mind<S> {
    infoset: InfosetKey,
    /// States at the last news, the true one among them.
    belief: Vec<S>,
}

struct Check<'g, G: Game> {
    game: &'g G,
    rng: SplitMix64,
    pasts: [HashMap<InfosetKey, Past<G>>; 2],
    /// The actions at an infoset, empty when the player is not to move.
    turns: [HashMap<InfosetKey, Vec<G::Action>>; 2],
    plies: Vec<(G::State, Option<G::Action>)>,
}

impl<G: Game> Check<'_, G> {
    fn playout(&mut self) -> Result<(), Broken> {
        let mut state = self.game.root();
        self.plies.clear();
        self.plies.push((state.clone(), None));
        require(self.game.root() == state, Rule::Deterministic, || "the root changed".into())?;
        let mut minds = Player::BOTH.map(|player| {
            let seen = self.game.observe(&state, player);
            Mind { infoset: InfosetKey::root(&seen), belief: vec![state.clone()] }
        });
        for player in Player::BOTH {
            let seen = self.see(&state, player)?;
            let key = minds[player.index()].infoset;
            self.remember(player, key, (None, None, seen))?;
            self.own_turn(player, key, &state)?;
        }
        for _ in 0..MAX_PLIES {
            let Some((action, mover)) = self.step(&state)? else {
                return self.end(&state);
            };
            let child = self.game.apply(&state, action);
            let again = self.game.apply(&state, action);
            self.plies.push((child.clone(), Some(action)));
            require(again == child, Rule::Deterministic, || {
                "the same action led to two different states".into()
            })?;
            for player in Player::BOTH {
                let own = (mover == Some(player)).then_some(action);
                self.advance(player, own, &child, &mut minds[player.index()])?;
            }
            state = child;
        }
        Err((Rule::Ends, format!("this one has not after {MAX_PLIES} plies")))
    }

    /// A random action at `state` and who takes it, or nothing at the end.
    fn step(&mut self, state: &G::State) -> Result<Option<Step<G>>, Broken> {
        let turn = self.game.turn(state);
        require(self.game.turn(state) == turn, Rule::Deterministic, || "the turn changed".into())?;
        match turn {
            Turn::Terminal => Ok(None),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let sum: f64 = outcomes.iter().map(|o| o.1).sum();
                require((sum - 1.0).abs() < 1e-9, Rule::Chance, || {
                    format!("{outcomes:?} sum to {sum}")
                })?;
                require(outcomes.iter().all(|o| o.1 >= 0.0), Rule::Chance, || {
                    format!("one of {outcomes:?} is negative")
                })?;
                let distinct: HashSet<_> = outcomes.iter().map(|o| o.0).collect();
                require(distinct.len() == outcomes.len(), Rule::Chance, || {
                    format!("an outcome is there twice: {outcomes:?}")
                })?;
                let drawn = self.rng.weighted(outcomes.iter().map(|o| o.1));
                Ok(Some((outcomes[drawn].0, None)))
            }
            Turn::Player(player) => {
                let actions = self.actions(state);
                require(!actions.is_empty(), Rule::Actions, || "there is none".into())?;
                let distinct: HashSet<_> = actions.iter().copied().collect();
                require(distinct.len() == actions.len(), Rule::Actions, || {
                    format!("one is there twice: {actions:?}")
                })?;
                Ok(Some((actions[self.rng.below(actions.len())], Some(player))))
            }
        }
    }

    fn actions(&self, state: &G::State) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        actions
    }

    fn see(&self, state: &G::State, player: Player) -> Result<G::Observation, Broken> {
        let seen = self.game.observe(state, player);
        require(self.game.observe(state, player) == seen, Rule::Deterministic, || {
            format!("player {player:?} saw two different things")
        })?;
        Ok(seen)
    }

    fn end(&self, state: &G::State) -> Result<(), Broken> {
        let (payoff, most) = (self.game.payoff(state), self.game.max_payoff());
        require(most.is_finite() && most > 0.0, Rule::Payoff, || format!("max_payoff is {most}"))?;
        // Not a number fails here too.
        require(payoff.abs() <= most * (1.0 + 1e-12), Rule::Payoff, || {
            format!("this one is {payoff} and max_payoff is {most}")
        })
    }

    /// Takes a player through one ply that led to `truth`.
    fn advance(
        &mut self,
        player: Player,
        own: Option<G::Action>,
        truth: &G::State,
        mind: &mut Mind<G::State>,
    ) -> Result<(), Broken> {
        let seen = self.see(truth, player)?;
        let to_move = self.game.turn(truth) == Turn::Player(player);
        if self.game.is_silent(&seen) {
            let over = self.game.turn(truth) == Turn::Terminal;
            require(!to_move && !over, Rule::Silence, || format!("not so for player {player:?}"))?;
            if own.is_none() {
                return self.own_turn(player, mind.infoset, truth);
            }
        }
        let infoset = self.game.infoset(mind.infoset, own, &seen);
        self.remember(player, infoset, (Some(mind.infoset), own, seen.clone()))?;
        mind.infoset = infoset;
        mind.belief = self.consistent(player, own, &seen, truth, &mind.belief)?;
        for state in std::iter::once(truth).chain(&mind.belief) {
            self.own_turn(player, infoset, state)?;
        }
        Ok(())
    }

    /// The next belief, by the game's own method, checked against trying everything.
    fn consistent(
        &mut self,
        player: Player,
        own: Option<G::Action>,
        seen: &G::Observation,
        truth: &G::State,
        belief: &[G::State],
    ) -> Result<Vec<G::State>, Broken> {
        let (mut given, mut tried) = (Vec::new(), Vec::new());
        self.game.consistent_children(belief, own, player, seen, &mut given);
        consistent_children_by_trial(self.game, belief, own, player, seen, &mut tried);
        let all: HashSet<_> = given.iter().collect();
        require(all.contains(truth), Rule::ConsistentChildren, || {
            format!("the true state is missing for player {player:?}")
        })?;
        let wanted: HashSet<_> = tried.iter().collect();
        if let Some(other) = all.difference(&wanted).next() {
            let text = self.game.state_text(other);
            return Err((Rule::ConsistentChildren, format!("{player:?} was also given\n{text}")));
        }
        if let Some(other) = wanted.difference(&all).next() {
            let text = self.game.state_text(other);
            return Err((Rule::ConsistentChildren, format!("{player:?} was not given\n{text}")));
        }
        // In the order given, for a playout that is the same in every run.
        let mut known = HashSet::new();
        let mut next: Vec<_> = given.iter().filter(|&s| known.insert(s)).cloned().collect();
        while next.len() > MAX_BELIEF {
            let out = self.rng.below(next.len());
            next.swap_remove(out);
        }
        if !next.contains(truth) {
            next.push(truth.clone());
        }
        Ok(next)
    }

    fn remember(&mut self, player: Player, key: InfosetKey, past: Past<G>) -> Result<(), Broken> {
        let known = self.pasts[player.index()].entry(key).or_insert_with(|| past.clone());
        require(*known == past, Rule::PerfectRecall, || {
            format!("two pasts of player {player:?} have the same infoset: do Eq and Hash agree?")
        })?;
        // A fresh clone must lead to the same key.
        let (before, own, seen) = past;
        let again = match before {
            None => InfosetKey::root(&seen),
            Some(before) => self.game.infoset(before, own, &seen),
        };
        require(again == key, Rule::PerfectRecall, || {
            format!("equal observations of player {player:?} hash differently")
        })
    }

    fn own_turn(
        &mut self,
        player: Player,
        key: InfosetKey,
        state: &G::State,
    ) -> Result<(), Broken> {
        let mine = self.game.turn(state) == Turn::Player(player);
        let actions = if mine { self.actions(state) } else { Vec::new() };
        require(!mine || self.actions(state) == actions, Rule::Deterministic, || {
            "the actions changed".into()
        })?;
        let known = self.turns[player.index()].entry(key).or_insert_with(|| actions.clone());
        require(*known == actions, Rule::OwnTurnKnown, || {
            let text = self.game.state_text(state);
            format!(
                "in one infoset player {player:?} can do {known:?} and elsewhere {actions:?} \
                 (nothing means: not to move), the latter at\n{text}"
            )
        })
    }

    fn text(&self) -> String {
        let line = |(ply, (state, action)): (usize, &(G::State, Option<G::Action>))| {
            let done = match action {
                Some(action) => self.game.action_text(&self.plies[ply - 1].0, *action),
                None => "the start".into(),
            };
            let [one, two] = Player::BOTH
                .map(|player| self.game.observation_text(&self.game.observe(state, player)));
            format!("{ply:3}. {done} | One sees {one} | Two sees {two}\n")
        };
        self.plies.iter().enumerate().map(line).collect()
    }
}
