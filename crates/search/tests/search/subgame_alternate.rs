//! Alternate values and gifts: by hand on a game with chance, and on random games against every
//! strategy of ▼ tried out.

use std::collections::BTreeMap;

use crate::gt_common::random_game::RandomGame;
use crate::subgame_common::{Board, Explicit, chance, end, one, two};
use obscuro_game::{Game, InfosetKey, Player, SplitMix64, Turn};
use obscuro_games::KuhnPoker;
use obscuro_search::choose::Iterate;
use obscuro_search::solver::{Averaging, Solver, WholeGame};
use obscuro_search::subgame::{Alternate, AlternateValues, Blueprint, alternates};
use obscuro_search::tree::{Branch, NodeId};

/// Chance, 1/4 to 3/4, which both see the half of: ▲ sees it, ▼ does not. ▼ chooses a or b (J').
/// After a, ▲ continues or leaves (at either node); after that ▼ chooses l or r (J), not knowing
/// chance's outcome.
fn by_hand() -> Explicit {
    let last = |l: f64, r: f64| two([0, 2], vec![end(l), end(r)]);
    let middle =
        |sees: u8, l: f64, r: f64, leave: f64| one([sees, 1], vec![last(l, r), end(leave)]);
    let first = |sees: u8, middle: crate::subgame_common::Spec, b: f64| {
        two([sees, 0], vec![middle, end(b)])
    };
    Explicit(chance(vec![
        (0.25, first(1, middle(1, 1.0, -0.5, 0.25), -1.0)),
        (0.75, first(2, middle(2, -0.5, 0.75, 0.5), -0.25)),
    ]))
}

/// ▲ continues with 1/2 at the first node and with 1/3 at the second. ▼ plays a with 1/4, then l
/// with 3/5.
fn profile(board: &Board<Explicit>) -> Solver {
    board.profile(&[
        (&[0], &[0.25, 0.75]),
        (&[0, 0], &[0.5, 0.5]),
        (&[1, 0], &[1.0 / 3.0, 2.0 / 3.0]),
        (&[0, 0, 0], &[0.6, 0.4]),
    ])
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} in place of {expected}");
}

#[test]
fn values_and_gifts_are_in_one_unit() {
    let board = Board::new(by_hand());
    let solver = profile(&board);
    let roots = board.whole(Player::One);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    // J has the reaches x(h)·p(h): 1/2·1/4 and 1/3·3/4.
    let j = vec![(board.id(&[0, 0, 0]), 0.125), (board.id(&[1, 0, 0]), 0.25)];

    // u(x, y | J): the nodes are worth .6·1 − .4·.5 = .4 and −.6·.5 + .4·.75 = 0.
    let value = (0.125 * 0.4) / 0.375;
    // ucf(J'a) = 1/4·(½·.4 + ½·.25) + 3/4·(⅓·0 + ⅔·.5) = .08125 + .25 = .33125.
    // ucf(J'b) = −1/4·1 − 3/4·.25 = −.4375.
    // ucf(J') = ¼·.33125 − ¾·.4375 = −.2453125. By playing a, ▼ lost .5765625; that is counted at
    // J', where the others' reach is 1. At J it is .375.
    let gift = 0.576_562_5 / 0.375;
    let [found] = alternates(&blueprint, std::slice::from_ref(&j), AlternateValues::Profile)[..]
    else {
        panic!("one infoset, one answer");
    };
    close(found.value, value);
    close(found.gift, gift);
    close(found.alternate_value(), value - gift);

    // u*(x | J): l gives ▲ 1/8·1 − 1/4·½ = 0, r gives −1/8·½ + 1/4·¾ = .125. ▼ plays l.
    // ucf*(J'a) = 0 + 1/8·¼ + 1/2·½ = .28125, ucf*(J'b) = −.4375 = ucf*(J').
    let best = alternates(&blueprint, &[j], AlternateValues::BestResponse);
    close(best[0].value, 0.0);
    close(best[0].gift, 0.71875 / 0.375);
}

#[test]
fn a_sequence_that_is_no_mistake_gives_no_gift() {
    let board = Board::new(by_hand());
    let solver = profile(&board);
    let roots = board.whole(Player::One);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    // The end after b, as an infoset of ▼: reaches 1/4 and 3/4.
    let j = vec![(board.id(&[0, 1]), 0.25), (board.id(&[1, 1]), 0.75)];
    for kind in [AlternateValues::Profile, AlternateValues::BestResponse] {
        let found = alternates(&blueprint, std::slice::from_ref(&j), kind)[0];
        close(found.value, -0.4375);
        assert!(found.gift <= 0.0, "{}", found.gift);
    }
}

#[test]
fn huge_gifts_are_bounded() {
    close(Alternate { value: 0.5, gift: 1e9 }.alternate_value(), -3.0);
    close(Alternate { value: 0.5, gift: 0.0 }.alternate_value(), 0.5);
}

/// A game played out from its states alone: what ▼ of `play` gets ▲ of `profile`.
struct Reference<'a, G: Game> {
    game: &'a G,
    profile: &'a Profile,
    searcher: Player,
}

impl<G: Game> Reference<'_, G> {
    /// Σ of the others' reach times the value to the searcher below a node. ▼ plays as in
    /// `pure`, where that says something, and otherwise the profile.
    fn value(
        &self,
        state: &G::State,
        keys: [InfosetKey; 2],
        pure: &BTreeMap<InfosetKey, usize>,
    ) -> f64 {
        match self.game.turn(state) {
            Turn::Terminal => {
                let value = (self.game.payoff(state) / self.game.max_payoff()) as f32;
                self.searcher.sign() * f64::from(value)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let below = |(action, p)| p * self.below(state, keys, None, action, pure);
                outcomes.into_iter().map(below).sum()
            }
            Turn::Player(player) => {
                let mut actions = Vec::new();
                self.game.actions(state, &mut actions);
                let key = keys[player.index()];
                let mut strategy = self.profile[&(player.index(), key)].clone();
                if let Some(&action) = pure.get(&key)
                    && player != self.searcher
                {
                    strategy.fill(0.0);
                    strategy[action] = 1.0;
                }
                let below = |(&action, p): (&G::Action, f64)| {
                    if p > 0.0 {
                        p * self.below(state, keys, Some(player), action, pure)
                    } else {
                        0.0
                    }
                };
                actions.iter().zip(strategy).map(below).sum()
            }
        }
    }

    fn below(
        &self,
        state: &G::State,
        keys: [InfosetKey; 2],
        mover: Option<Player>,
        action: G::Action,
        pure: &BTreeMap<InfosetKey, usize>,
    ) -> f64 {
        let child = self.game.apply(state, action);
        let keys = Player::BOTH.map(|player| {
            let own = (mover == Some(player)).then_some(action);
            let seen = self.game.observe(&child, player);
            self.game.infoset(keys[player.index()], own, &seen)
        });
        self.value(&child, keys, pure)
    }
}

/// The least that ▲ can get from a sum of values if ▼ tries every pure strategy at `choices`.
fn least(
    choices: &[(InfosetKey, usize)],
    value: &mut dyn FnMut(&BTreeMap<InfosetKey, usize>) -> f64,
    pure: &mut BTreeMap<InfosetKey, usize>,
) -> f64 {
    let Some((&(key, actions), rest)) = choices.split_first() else { return value(pure) };
    let mut best = f64::INFINITY;
    for action in 0..actions {
        pure.insert(key, action);
        best = best.min(least(rest, value, pure));
    }
    pure.remove(&key);
    best
}

/// A profile at all infosets of both players, by the index of the player.
type Profile = BTreeMap<(usize, InfosetKey), Vec<f64>>;

/// A random profile, and a solver that plays it.
fn random_profile<G: Game>(board: &Board<G>, seed: u64) -> (Solver, Profile) {
    let mut rng = SplitMix64::new(seed);
    let mut solver = Solver::new(Averaging::Off);
    let mut profile = BTreeMap::new();
    for (id, infoset) in board.tree.infosets() {
        // Now and then an action that is never played.
        let mut weights: Vec<f64> = infoset.actions().iter().map(|_| rng.below(4) as f64).collect();
        weights[0] += 1.0;
        let total: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= total;
        }
        solver.set_strategy(&board.tree, id, &weights).unwrap();
        profile.insert((infoset.player().index(), infoset.key()), weights);
    }
    (solver, profile)
}

/// Compares all alternates at one depth of a game with the reference. How many, and how many of
/// them with a gift.
fn compare<G: Game + Clone>(game: &G, searcher: Player, depth: usize, seed: u64) -> (u32, u32) {
    let board = Board::new(game.clone());
    let opponent = searcher.other();
    let theirs = board.tree.infosets().filter(|infoset| infoset.1.player() == opponent);
    if theirs.map(|infoset| infoset.1.actions().len() as f64).product::<f64>() > 5e3 {
        return (0, 0); // Too many to try out.
    }
    let (solver, profile) = random_profile(&board, seed);
    let roots = board.whole(searcher);
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Last);
    let reference = Reference { game, profile: &profile, searcher };
    let node = |id: NodeId| board.tree.node(id).unwrap();
    let keys = |id: NodeId| Player::BOTH.map(|player| node(id).key(player));
    // The reach of everybody but ▼, from the profile and not from the solver.
    let reach = |id: NodeId| {
        let (mut at, mut reach) = (node(id), 1.0);
        while let Some((above, action)) = at.parent() {
            match at.siblings().branch() {
                Branch::Chance(outcomes) => reach *= outcomes[action].1,
                Branch::Player(player, _) if *player == searcher => {
                    reach *= profile[&(player.index(), above.key(*player))][action];
                }
                _ => {}
            }
            at = above;
        }
        reach
    };
    // ▼'s infosets to act at, below some nodes.
    let choices = |nodes: &[NodeId]| {
        let mut found = BTreeMap::new();
        let mut pending = nodes.to_vec();
        while let Some(id) = pending.pop() {
            let Some(expansion) = node(id).expansion() else { continue };
            if matches!(expansion.branch(), Branch::Player(player, _) if *player == opponent) {
                found.insert(node(id).key(opponent), expansion.len());
            }
            pending.extend(expansion.children());
        }
        found.into_iter().collect::<Vec<_>>()
    };
    let mut groups: BTreeMap<InfosetKey, Vec<(NodeId, f64)>> = BTreeMap::new();
    for (path, &id) in &board.nodes {
        if path.len() == depth && reach(id) > 0.0 {
            groups.entry(node(id).key(opponent)).or_default().push((id, reach(id)));
        }
    }
    let (mut count, mut gifts) = (0, 0);
    for members in groups.values() {
        let total: f64 = members.iter().map(|member| member.1).sum();
        for kind in [AlternateValues::Profile, AlternateValues::BestResponse] {
            let found = alternates(&blueprint, std::slice::from_ref(members), kind)[0];
            let sum = |nodes: &[(NodeId, f64)], fixed: Option<(InfosetKey, usize)>| {
                let ids: Vec<NodeId> = nodes.iter().map(|node| node.0).collect();
                let mut value = |pure: &BTreeMap<InfosetKey, usize>| -> f64 {
                    let at = |&(id, reach): &(NodeId, f64)| {
                        reach * reference.value(node(id).state(), keys(id), pure)
                    };
                    nodes.iter().map(at).sum()
                };
                let mut pure: BTreeMap<_, _> = fixed.into_iter().collect();
                match kind {
                    AlternateValues::Profile => value(&pure),
                    AlternateValues::BestResponse => {
                        let mut open = choices(&ids);
                        open.retain(|choice| fixed.is_none_or(|fixed| fixed.0 != choice.0));
                        least(&open, &mut value, &mut pure)
                    }
                }
            };
            let value = sum(members, None) / total;
            close(found.value, value);
            // J'a' ⪯ J, along one history.
            let mut gift = 0.0;
            let mut at = node(members[0].0);
            while let Some((above, action)) = at.parent() {
                if matches!(at.siblings().branch(), Branch::Player(p, _) if *p == opponent) {
                    let key = above.key(opponent);
                    let all: Vec<(NodeId, f64)> = board
                        .nodes
                        .values()
                        .filter(|&&id| {
                            node(id).key(opponent) == key && node(id).expansion().is_some()
                        })
                        .map(|&id| (id, reach(id)))
                        .filter(|n| n.1 > 0.0)
                        .collect();
                    let difference = sum(&all, Some((key, action))) - sum(&all, None);
                    gift += difference.max(0.0);
                }
                at = above;
            }
            close(found.gift, gift / total);
            count += 1;
            gifts += u32::from(gift > 1e-6);
        }
    }
    (count, gifts)
}

#[test]
fn random_games_agree_with_every_strategy_tried_out() {
    let (mut count, mut gifts) = (0, 0);
    for seed in 0..25 {
        let game = RandomGame { seed, plies: 5, width: 2 };
        for searcher in Player::BOTH {
            for depth in [1, 2, 3, 4] {
                let found = compare(&game, searcher, depth, seed);
                count += found.0;
                gifts += found.1;
            }
        }
    }
    assert!(count > 500 && gifts > 100, "{count} {gifts}");
}

#[test]
fn kuhn_agrees_as_well() {
    for searcher in Player::BOTH {
        for depth in 2..5 {
            let (count, gifts) = compare(&KuhnPoker, searcher, depth, 3);
            assert!(count > 0 && (depth < 4 || gifts > 0));
        }
    }
}

#[test]
fn at_an_equilibrium_both_kinds_agree_and_played_sequences_give_nothing() {
    let board = Board::new(KuhnPoker);
    let roots = board.whole(Player::One);
    let mut solver = Solver::new(Averaging::Quadratic);
    for _ in 0..20_000 {
        solver.iterate(&board.tree, &roots, &mut WholeGame);
    }
    let blueprint = Blueprint::new(&board.tree, &solver, &roots, Iterate::Average);
    let mut groups: BTreeMap<InfosetKey, (Vec<(NodeId, f64)>, bool)> = BTreeMap::new();
    for (path, &id) in &board.nodes {
        // After the cards and two actions: ▲ passed, ▼ bet or passed.
        if path.len() != 4 || path[2] != 0 {
            continue;
        }
        let mut reach = 1.0 / 6.0;
        let mut node = board.tree.node(id).unwrap();
        let mut played = true;
        while let Some((above, action)) = node.parent() {
            if let Branch::Player(player, infoset) = *node.siblings().branch() {
                let probability = solver.average(infoset).unwrap()[action];
                match player {
                    Player::One => reach *= probability,
                    Player::Two => played &= probability > 0.05,
                }
            }
            node = above;
        }
        let key = board.tree.node(id).unwrap().key(Player::Two);
        let group = groups.entry(key).or_insert_with(|| (Vec::new(), played));
        group.0.push((id, reach));
    }
    let members: Vec<_> = groups.values().map(|group| group.0.clone()).collect();
    let profile = alternates(&blueprint, &members, AlternateValues::Profile);
    let best = alternates(&blueprint, &members, AlternateValues::BestResponse);
    let mut played = 0;
    for ((profile, best), group) in profile.iter().zip(&best).zip(groups.values()) {
        if group.1 {
            played += 1;
            assert!((profile.value - best.value).abs() < 1e-2, "{profile:?} {best:?}");
            assert!(profile.gift < 1e-2 && best.gift < 1e-2, "{profile:?} {best:?}");
        }
    }
    assert!(played >= 3, "{played} of {}", groups.len());
    // A king that does not bet, a queen that does: mistakes.
    assert!(profile.iter().any(|alternate| alternate.gift > 0.05));
}
