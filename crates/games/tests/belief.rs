//! The states that `consistent_children` follows, news by news, are all the states in which a
//! player can be who saw what they saw: against grouping all histories by infoset.

use std::collections::{HashMap, HashSet};

use obscuro_game::{Game, InfosetKey, Player, Turn};
use obscuro_games::{GameVisitor, load};

/// Both players' infosets and the own plies in them.
type Knows = [(InfosetKey, u32); 2];

/// The states of an infoset's nodes and the own plies before them.
type Nodes<S> = (HashSet<S>, u32);

struct Compare<'g, G: Game> {
    game: &'g G,
    depth: u32,
    /// By player and infoset, where the player moves.
    nodes: HashMap<(Player, InfosetKey), Nodes<G::State>>,
    /// By player and infoset: the states at the last news, followed.
    beliefs: HashMap<(Player, InfosetKey), Vec<G::State>>,
}

impl<G: Game> Compare<'_, G> {
    fn visit(&mut self, state: &G::State, knows: Knows, plies: u32) {
        let turn = self.game.turn(state);
        if let Turn::Player(player) = turn {
            let (key, own) = knows[player.index()];
            let (states, plies) = self.nodes.entry((player, key)).or_default();
            states.insert(state.clone());
            *plies = own;
        }
        if turn == Turn::Terminal || plies == self.depth {
            return;
        }
        let mut actions = Vec::new();
        if turn == Turn::Chance {
            let mut outcomes = Vec::new();
            self.game.chance(state, &mut outcomes);
            actions.extend(outcomes.iter().map(|outcome| outcome.0));
        } else {
            self.game.actions(state, &mut actions);
        }
        for action in actions {
            let child = self.game.apply(state, action);
            let knows = Player::BOTH.map(|player| {
                let (before, plies) = knows[player.index()];
                let own = (turn == Turn::Player(player)).then_some(action);
                let seen = self.game.observe(&child, player);
                let after = self.game.infoset(before, own, &seen);
                if after != before && !self.beliefs.contains_key(&(player, after)) {
                    let mut next = Vec::new();
                    let belief = &self.beliefs[&(player, before)];
                    self.game.consistent_children(belief, own, player, &seen, &mut next);
                    self.beliefs.insert((player, after), next);
                }
                (after, plies + u32::from(own.is_some()))
            });
            self.visit(&child, knows, plies + 1);
        }
    }
}

/// Compares at all infosets with so few own plies that all their nodes are within the depth.
struct Belief {
    depth: u32,
    own_plies: u32,
}

impl GameVisitor for Belief {
    type Output = usize;

    fn visit<G: Game + Clone + 'static>(self, game: &G) -> usize {
        let depth = self.depth;
        let mut compare = Compare { game, depth, nodes: HashMap::new(), beliefs: HashMap::new() };
        let root = game.root();
        let knows = Player::BOTH.map(|player| {
            let key = InfosetKey::root(&game.observe(&root, player));
            compare.beliefs.insert((player, key), vec![root.clone()]);
            (key, 0)
        });
        compare.visit(&root, knows, 0);
        let mut compared = 0;
        for (infoset, (states, own)) in &compare.nodes {
            if *own <= self.own_plies {
                let belief: HashSet<_> = compare.beliefs[infoset].iter().cloned().collect();
                assert!(belief == *states, "{} and {} states", belief.len(), states.len());
                compared += 1;
            }
        }
        compared
    }
}

#[test]
fn beliefs_are_the_states_of_the_infoset() {
    for (name, depth, own_plies, infosets) in [
        ("kuhn_poker", 9, 9, 12),
        ("leduc_poker", 99, 99, 936),
        ("liars_dice(dice_sides=3)", 99, 99, 192),
        ("goofspiel(num_cards=3,points_order=random)", 99, 99, 90),
        ("dark_hex(num_rows=2,num_cols=2)", 99, 99, 134),
        // After one own ply the opponent can fail once, so all nodes are within five plies.
        // One: the start and nine cells. Two: the first turn, nine failures and nine successes.
        ("phantom_ttt", 5, 1, 29),
        // One again and Two after a success also know whether the opponent failed.
        ("phantom_ttt(obstype=reveal-numturns)", 5, 1, 47),
        ("phantom_ttt(gameversion=abrupt)", 5, 1, 29),
    ] {
        let compared = load(name).expect(name).visit(Belief { depth, own_plies });
        assert_eq!(compared, infosets, "{name}");
    }
}
