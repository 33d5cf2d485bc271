//! The games are the same games as `OpenSpiel`'s: tree by tree, infoset by infoset.
//!
//! `golden/openspiel.json` is what `tests/peers/openspiel_games.py` printed; this repeats its walk
//! on the native games.

use std::collections::HashMap;

use obscuro_game::{Game, InfosetKey, Player, Turn};
use obscuro_games::{GameVisitor, load};
use serde_json::{Value, json};

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/openspiel.json")).expect("the script prints JSON")
}

/// The running hash of the script.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        let value = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
        self.0 = value ^ (value >> 32);
    }

    fn add_real(&mut self, number: f64) {
        self.add((number * f64::from(1 << 30)).round() as i64 as u64);
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

struct Walk<'g, G: Game> {
    game: &'g G,
    depth: u64,
    width: usize,
    tree: Hash,
    partition: Hash,
    nodes: u64,
    terminals: u64,
    chance: u64,
    infosets: [HashMap<InfosetKey, u64>; 2],
}

impl<G: Game> Walk<'_, G> {
    fn visit(&mut self, state: &G::State, plies: u64, keys: [InfosetKey; 2]) {
        self.nodes += 1;
        let deeper = self.depth == 0 || plies < self.depth;
        match self.game.turn(state) {
            Turn::Terminal => {
                self.terminals += 1;
                self.tree.add(1);
                self.tree.add_real(self.game.payoff(state));
            }
            Turn::Chance => {
                self.chance += 1;
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                self.tree.add(2);
                self.tree.add(outcomes.len() as u64);
                for &(action, probability) in &outcomes {
                    self.tree.add(id(action));
                    self.tree.add_real(probability);
                }
                for &(action, _) in outcomes.iter().filter(|_| deeper) {
                    self.child(state, action, None, plies, keys);
                }
            }
            Turn::Player(player) => {
                let known = &mut self.infosets[player.index()];
                let fresh = known.len() as u64;
                let number = *known.entry(keys[player.index()]).or_insert(fresh);
                self.partition.add(player.index() as u64);
                self.partition.add(number);
                let mut actions = Vec::new();
                self.game.actions(state, &mut actions);
                self.tree.add(3 + player.index() as u64);
                self.tree.add(actions.len() as u64);
                for &action in &actions {
                    self.tree.add(id(action));
                }
                let width = if self.width == 0 { actions.len() } else { self.width };
                for &action in actions.iter().take(width).filter(|_| deeper) {
                    self.child(state, action, Some(player), plies, keys);
                }
            }
        }
    }

    fn child(
        &mut self,
        state: &G::State,
        action: G::Action,
        mover: Option<Player>,
        plies: u64,
        keys: [InfosetKey; 2],
    ) {
        let child = self.game.apply(state, action);
        let keys = Player::BOTH.map(|player| {
            let own = (mover == Some(player)).then_some(action);
            self.game.infoset(keys[player.index()], own, &self.game.observe(&child, player))
        });
        self.visit(&child, plies + 1, keys);
    }
}

/// The number of an action, which every native game has.
fn id(action: impl std::fmt::Debug) -> u64 {
    format!("{action:?}").parse().expect("actions are numbers")
}

struct Measure {
    depth: u64,
    width: usize,
}

impl GameVisitor for Measure {
    type Output = Value;

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> Value {
        let mut walk = Walk {
            game,
            depth: self.depth,
            width: self.width,
            tree: Hash::new(),
            partition: Hash::new(),
            nodes: 0,
            terminals: 0,
            chance: 0,
            infosets: [HashMap::new(), HashMap::new()],
        };
        let root = game.root();
        let keys = Player::BOTH.map(|player| InfosetKey::root(&game.observe(&root, player)));
        walk.visit(&root, 0, keys);
        json!({
            "depth": self.depth,
            "width": self.width,
            "nodes": walk.nodes,
            "terminals": walk.terminals,
            "chance": walk.chance,
            "infosets": walk.infosets.map(|known| known.len()),
            "tree": walk.tree.text(),
            "partition": walk.partition.text(),
        })
    }
}

#[test]
fn trees_and_infosets_are_those_of_openspiel() {
    let golden = golden();
    let mut walks = 0;
    for (name, game) in golden["games"].as_object().expect("games by name") {
        let Some(wanted) = game["walks"].as_array() else { continue };
        let game = load(name).expect(name);
        for wanted in wanted {
            let depth = wanted["depth"].as_u64().expect("a number");
            let width = wanted["width"].as_u64().expect("a number") as usize;
            let mut wanted = wanted.clone();
            wanted.as_object_mut().expect("an object").remove("strings");
            assert_eq!(game.visit(Measure { depth, width }), wanted, "{name}");
            walks += 1;
        }
    }
    assert!(walks >= 30, "{walks}");
}

/// Why classical dark hex is compared with what a player of `OpenSpiel` knows who remembers.
#[test]
fn only_classical_dark_hex_forgets_in_openspiel() {
    let mut forgetful = Vec::new();
    for (name, game) in golden()["games"].as_object().expect("games by name") {
        let mut walks = game["walks"].as_array().into_iter().flatten();
        if walks.any(|walk| walk["strings"] != walk["infosets"]) {
            forgetful.push(name.clone());
        }
    }
    assert_eq!(
        forgetful,
        [
            "dark_hex(gameversion=cdh,num_cols=3,num_rows=3,obstype=reveal-nothing)",
            "dark_hex(gameversion=cdh,num_cols=4,num_rows=3)",
        ]
    );
}

/// Nodes and terminals of the tree, counted once for each state.
struct Count;

impl GameVisitor for Count {
    type Output = [u64; 2];

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> [u64; 2] {
        fn below<G: Game>(
            game: &G,
            state: &G::State,
            known: &mut HashMap<G::State, [u64; 2], foldhash::fast::RandomState>,
        ) -> [u64; 2] {
            if game.turn(state) == Turn::Terminal {
                return [1, 1];
            }
            if let Some(&counts) = known.get(state) {
                return counts;
            }
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let mut sum = [1, 0];
            for action in actions {
                let [nodes, terminals] = below(game, &game.apply(state, action), known);
                sum = [sum[0] + nodes, sum[1] + terminals];
            }
            known.insert(state.clone(), sum);
            sum
        }
        below(game, &game.root(), &mut HashMap::default())
    }
}

#[test]
fn all_histories_of_the_large_games_are_there() {
    let golden = golden();
    let mut counted = 0;
    for (name, game) in golden["games"].as_object().expect("games by name") {
        if let Some(wanted) = game.get("count") {
            let counts = load(name).expect(name).visit(Count);
            assert_eq!(json!(counts), json!([wanted["nodes"], wanted["terminals"]]), "{name}");
            counted += 1;
        }
    }
    assert_eq!(counted, 5);
}
