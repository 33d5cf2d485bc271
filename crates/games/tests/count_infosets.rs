//! Counts the decision infosets of the games whose trees are too large to walk: down each player's
//! own tree of infosets, with the states that are possible there, equal sets counted once.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use obscuro_game::{Game, Player, Turn};
use obscuro_games::{GameVisitor, load};
use serde_json::{Value, json};

type Set<T> = HashSet<T, FixedState>;

struct Infosets(Player);

impl GameVisitor for Infosets {
    type Output = u64;

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> u64 {
        let mut root = Set::default();
        root.insert(game.root());
        Count { game, player: self.0, known: HashMap::default() }.below(&root)
    }
}

struct Count<'g, G> {
    game: &'g G,
    player: Player,
    known: HashMap<u128, u64, FixedState>,
}

impl<G: Game> Count<'_, G> {
    /// Infosets at which the player moves, from the one with these states down.
    fn below(&mut self, belief: &Set<G::State>) -> u64 {
        let any = belief.iter().next().expect("a state");
        let mine = match self.game.turn(any) {
            Turn::Terminal => return 0,
            turn => turn == Turn::Player(self.player),
        };
        let key = fingerprint(belief);
        if let Some(&count) = self.known.get(&key) {
            return count;
        }
        let mut ways = vec![None];
        if mine {
            let mut actions = Vec::new();
            self.game.actions(any, &mut actions);
            ways = actions.into_iter().map(Some).collect();
        }
        let mut count = u64::from(mine);
        for own in ways {
            for next in self.news(own, belief) {
                count += self.below(&next);
            }
        }
        self.known.insert(key, count);
        count
    }

    /// The infosets of one news later, each as the set of its states.
    fn news(&self, own: Option<G::Action>, belief: &Set<G::State>) -> Vec<Set<G::State>> {
        let mut next: HashMap<G::Observation, Set<G::State>> = HashMap::new();
        let mut actions = Vec::new();
        let mut open: Vec<_> = belief.iter().cloned().collect();
        let mut unheard = Set::default();
        while let Some(state) = open.pop() {
            actions.clear();
            match own {
                Some(action) => actions.push(action),
                None if self.game.turn(&state) == Turn::Terminal => {}
                None => self.game.actions(&state, &mut actions),
            }
            for &action in &actions {
                let child = self.game.apply(&state, action);
                let seen = self.game.observe(&child, self.player);
                if own.is_some() || !self.game.is_silent(&seen) {
                    next.entry(seen).or_default().insert(child);
                } else if unheard.insert(child.clone()) {
                    open.push(child);
                }
            }
        }
        next.into_values().collect()
    }
}

/// The same for the same set in any order, and for no other set that is likely to occur.
fn fingerprint<S: std::hash::Hash>(set: &Set<S>) -> u128 {
    let half = |seed| {
        let hasher = FixedState::with_seed(seed);
        set.iter().map(|state| hasher.hash_one(state)).fold(0, u64::wrapping_add)
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}

#[test]
fn infosets_of_the_large_games_are_all_there() {
    let golden: Value = serde_json::from_str(include_str!("golden/openspiel.json")).expect("JSON");
    let mut counted = 0;
    for (name, game) in golden["games"].as_object().expect("games by name") {
        if let Some(wanted) = game.get("count") {
            let game = load(name).expect(name);
            let counts = Player::BOTH.map(|player| game.visit(Infosets(player)));
            assert_eq!(json!(counts), wanted["infosets"], "{name}");
            counted += 1;
        }
    }
    assert_eq!(counted, 5);
}
