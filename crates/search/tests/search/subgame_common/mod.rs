//! Little games written out by hand, a solver with a given profile on them, and the paper's
//! figure 2.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::collections::HashMap;

use obscuro_game::{Game, InfosetKey, Player, Turn, ZeroEvaluator};
use obscuro_search::expand::{Expander, Exploration};
use obscuro_search::solver::{Averaging, Root, Roots, Solver};
use obscuro_search::tree::{Branch, NodeId, Tree};

/// A node: what the two players see at it, and what comes below.
#[derive(Clone, Debug)]
pub(crate) struct Spec(pub [u8; 2], pub Below);

#[derive(Clone, Debug)]
pub(crate) enum Below {
    End(f64),
    Chance(Vec<(f64, Spec)>),
    Player(Player, Vec<Spec>),
}

pub(crate) fn end(payoff: f64) -> Spec {
    Spec([0, 0], Below::End(payoff))
}

pub(crate) fn one(seen: [u8; 2], below: Vec<Spec>) -> Spec {
    Spec(seen, Below::Player(Player::One, below))
}

pub(crate) fn two(seen: [u8; 2], below: Vec<Spec>) -> Spec {
    Spec(seen, Below::Player(Player::Two, below))
}

pub(crate) fn chance(below: Vec<(f64, Spec)>) -> Spec {
    Spec([0, 0], Below::Chance(below))
}

/// A game written out; a state is the path to it.
#[derive(Clone, Debug)]
pub(crate) struct Explicit(pub Spec);

impl Explicit {
    fn at(&self, path: &[u8]) -> &Spec {
        path.iter().fold(&self.0, |spec, &action| match &spec.1 {
            Below::Chance(below) => &below[action as usize].1,
            Below::Player(_, below) => &below[action as usize],
            Below::End(_) => panic!("no action at the end"),
        })
    }
}

impl Game for Explicit {
    type State = Vec<u8>;
    type Action = u8;
    type Observation = (Option<Player>, usize, u8);

    fn root(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, state: &Vec<u8>) -> Turn {
        match &self.at(state).1 {
            Below::End(_) => Turn::Terminal,
            Below::Chance(_) => Turn::Chance,
            Below::Player(player, _) => Turn::Player(*player),
        }
    }
    fn actions(&self, state: &Vec<u8>, actions: &mut Vec<u8>) {
        let Below::Player(_, below) = &self.at(state).1 else { return };
        actions.extend(0..below.len() as u8);
    }
    fn chance(&self, state: &Vec<u8>, outcomes: &mut Vec<(u8, f64)>) {
        let Below::Chance(below) = &self.at(state).1 else { return };
        outcomes.extend((0..).zip(below).map(|(action, outcome)| (action, outcome.0)));
    }
    fn apply(&self, state: &Vec<u8>, action: u8) -> Vec<u8> {
        [&state[..], &[action]].concat()
    }
    fn observe(&self, state: &Vec<u8>, player: Player) -> Self::Observation {
        let spec = self.at(state);
        let (turn, actions) = match &spec.1 {
            Below::Player(mover, below) if *mover == player => (Some(*mover), below.len()),
            Below::Player(mover, _) => (Some(*mover), 0),
            Below::Chance(_) | Below::End(_) => (None, 0),
        };
        (turn, actions, spec.0[player.index()])
    }
    fn payoff(&self, state: &Vec<u8>) -> f64 {
        let Below::End(payoff) = self.at(state).1 else { return 0.0 };
        payoff
    }
    fn observation_text(&self, observation: &Self::Observation) -> String {
        format!("{observation:?}")
    }
    fn state_text(&self, state: &Vec<u8>) -> String {
        format!("{state:?}")
    }
}

/// A game with all its nodes in a tree.
pub(crate) struct Board<G: Game> {
    pub(crate) game: G,
    pub(crate) tree: Tree<G>,
    pub(crate) nodes: HashMap<Vec<usize>, NodeId>,
}

impl<G: Game> Board<G> {
    pub(crate) fn new(game: G) -> Self {
        let tree = Tree::new(&game, 0.0).unwrap();
        let roots = Roots::whole(&tree).unwrap();
        let mut expander = Expander::new(&game, &tree, &roots, Exploration::default(), 0);
        let mut nodes = HashMap::new();
        let mut pending = vec![(Vec::new(), tree.roots()[0])];
        while let Some((path, id)) = pending.pop() {
            expander.expand_leaf(id, &mut ZeroEvaluator).unwrap();
            if let Some(expansion) = tree.node(id).unwrap().expansion() {
                for (action, child) in expansion.children().enumerate() {
                    pending.push(([&path[..], &[action]].concat(), child));
                }
            }
            nodes.insert(path, id);
        }
        drop(expander);
        Board { game, tree, nodes }
    }

    pub(crate) fn id(&self, path: &[usize]) -> NodeId {
        self.nodes[path]
    }

    pub(crate) fn key(&self, player: Player, path: &[usize]) -> InfosetKey {
        self.tree.node(self.id(path)).unwrap().key(player)
    }

    /// The root layer of the whole game for a searcher.
    pub(crate) fn whole(&self, searcher: Player) -> Roots {
        let root = Root { node: self.tree.roots()[0], group: 0, reach: 1.0 };
        Roots::new(&self.tree, searcher, vec![root]).unwrap()
    }

    /// A solver that plays `profile` at the infosets of these nodes.
    pub(crate) fn profile(&self, profile: &[(&[usize], &[f64])]) -> Solver {
        let mut solver = Solver::new(Averaging::Quadratic);
        for (path, strategy) in profile {
            let expansion = self.tree.node(self.id(path)).unwrap().expansion().unwrap();
            let Branch::Player(_, infoset) = expansion.branch() else { panic!("nobody's turn") };
            solver.set_strategy(&self.tree, *infoset, strategy).unwrap();
        }
        solver
    }
}

/// The paper's figure 2: chance, five nodes of ▲ labelled 0, 1, 2, 3 and ∞, some nodes of ▼. The
/// infosets of ▼ below join the first two nodes of ▲ and the next two.
pub(crate) fn figure_2() -> Explicit {
    let leaf = |see| Spec([9, see], Below::End(0.0));
    let twos = |see| Spec([0, see], Below::Player(Player::Two, vec![end(1.0), end(-1.0)]));
    let branch = |mine, theirs, below| one([mine, theirs], below);
    let fifth = 0.2;
    Explicit(chance(vec![
        (fifth, branch(0, 0, vec![twos(0), twos(1)])),
        (fifth, branch(1, 0, vec![twos(0), leaf(2)])),
        (fifth, branch(1, 1, vec![leaf(2), twos(0)])),
        (fifth, branch(2, 1, vec![twos(0), leaf(2)])),
        (fifth, branch(3, 2, vec![leaf(0), leaf(1)])),
    ]))
}
