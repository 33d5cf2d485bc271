use obscuro_game::{Evaluator, Game, Player, SplitMix64, Turn};

use super::policy::{Exploration, Exploring, explore, follow};
use crate::solver::Roots;
use crate::tree::{
    Branch, Child, LinkState, MAX_CHILDREN, MAX_DEPTH, NodeId, Place, Tree, TreeError,
};

/// How a walk of an expander ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// At a leaf, which now has children.
    Expanded {
        /// The leaf.
        node: NodeId,
        /// Plies below the roots.
        depth: u32,
    },
    /// At the end of a game.
    Terminal,
    /// At an expanded node that the solver has not come to yet.
    New,
    /// At a leaf that another thread is expanding.
    Claimed,
    /// At the largest depth.
    TooDeep,
}

/// One expander: it walks down from the roots and expands the leaf at which it arrives.
pub struct Expander<'a, G: Game> {
    game: &'a G,
    tree: &'a Tree<G>,
    roots: &'a Roots,
    exploration: Exploration,
    rng: SplitMix64,
    /// Who explores on the next walk, when one side does.
    side: Player,
    scratch: Scratch<G>,
}

/// Memory that expansions use again and again.
struct Scratch<G: Game> {
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
    states: Vec<G::State>,
    values: Vec<f32>,
}

impl<G: Game> Default for Scratch<G> {
    fn default() -> Self {
        Scratch {
            actions: Vec::new(),
            outcomes: Vec::new(),
            states: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<'a, G: Game> Expander<'a, G> {
    /// An expander whose random choices depend on `seed` alone.
    pub fn new(
        game: &'a G,
        tree: &'a Tree<G>,
        roots: &'a Roots,
        exploration: Exploration,
        seed: u64,
    ) -> Self {
        let rng = SplitMix64::new(seed);
        Expander {
            game,
            tree,
            roots,
            exploration,
            rng,
            side: Player::One,
            scratch: Scratch::default(),
        }
    }

    /// Lets `side` explore on the next walk. The sides change with every walk.
    #[must_use]
    pub fn beginning_with(mut self, side: Player) -> Self {
        self.side = side;
        self
    }

    /// One walk. The visits that it counts on its way stay, wherever it ends.
    pub fn walk(&mut self, evaluator: &mut dyn Evaluator<G>) -> Result<Walk, TreeError> {
        let side = self.side;
        self.side = side.other();
        let Some(mut place) = self.root(side) else { return Ok(Walk::Terminal) };
        loop {
            let Some(siblings) = self.tree.expansion_by_id(place.expansion) else {
                return Ok(Walk::Claimed);
            };
            let child = &siblings.children[place.index as usize];
            let expansion = match child.link.load() {
                LinkState::Terminal => return Ok(Walk::Terminal),
                LinkState::Claimed => return Ok(Walk::Claimed),
                LinkState::Open => return self.arrive(place, evaluator),
                LinkState::Expanded(number) => self.tree.expansion_by_number(number),
            };
            let Some(expansion) = expansion else { return Ok(Walk::Claimed) };
            if expansion.is_new() {
                return Ok(Walk::New);
            }
            let index = match expansion.branch() {
                Branch::Root => 0,
                Branch::Chance(outcomes) => self.rng.weighted(outcomes.iter().map(|o| o.1)),
                &Branch::Player(player, infoset) => match self.tree.infoset(infoset) {
                    Some(infoset) => self.choose(infoset.choice(), player, side),
                    None => return Ok(Walk::Claimed),
                },
            };
            place = Place { expansion: expansion.id, index: index as u32 };
        }
    }

    /// An action at a choice of `player`, counted.
    fn choose(&mut self, choice: &crate::tree::Choice, player: Player, side: Player) -> usize {
        let explores = player == side || self.exploration.exploring == Exploring::TwoSided;
        let action = if explores {
            explore(choice, player, &self.exploration, &mut self.rng)
        } else {
            follow(choice, &mut self.rng)
        };
        choice.visit(action, self.exploration.samples);
        action
    }

    /// The root of a walk: the opponent chooses the group, chance the node.
    fn root(&mut self, side: Player) -> Option<Place> {
        let group = match self.roots.groups() {
            1 => 0,
            _ => self.choose(self.roots.choice(), self.roots.searcher().other(), side),
        };
        let roots = self.roots.group(group);
        let total: f64 = roots.iter().map(|root| root.reach).sum();
        let index = self.rng.weighted(roots.iter().map(|root| root.reach / total));
        Some(self.tree.node(roots[index].node)?.place())
    }

    /// Expands one leaf without a walk, whether the solver has come to it or not.
    pub fn expand_leaf(
        &mut self,
        node: NodeId,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Result<Walk, TreeError> {
        let place = self.tree.node(node).ok_or(TreeError::NoSuchNode(node))?.place();
        if self.tree.node(node).is_some_and(|node| node.is_terminal()) {
            return Ok(Walk::Terminal);
        }
        self.arrive(place, evaluator)
    }

    /// Expands the leaf at `place`, unless another thread is quicker.
    fn arrive(
        &mut self,
        place: Place,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Result<Walk, TreeError> {
        let Some(siblings) = self.tree.expansion_by_id(place.expansion) else {
            return Ok(Walk::Claimed);
        };
        let node = siblings.child(place.index as usize);
        let depth = if siblings.place.is_none() { 0 } else { u32::from(siblings.depth) + 1 };
        if depth >= MAX_DEPTH {
            return Ok(Walk::TooDeep);
        }
        let leaf = &siblings.children[place.index as usize];
        if !leaf.link.claim() {
            return Ok(Walk::Claimed);
        }
        // Gives the claim back if anything goes wrong, a panic of the evaluator included.
        let claim = Claim { leaf, expanded: false };
        self.expand(place, leaf, depth as u16, evaluator)?;
        claim.keep();
        Ok(Walk::Expanded { node, depth })
    }

    /// Adds all children of a claimed leaf, valued by one call of the evaluator.
    fn expand(
        &mut self,
        place: Place,
        leaf: &Child<G>,
        depth: u16,
        evaluator: &mut dyn Evaluator<G>,
    ) -> Result<(), TreeError> {
        let game = self.game;
        let Scratch { actions, outcomes, states, values } = &mut self.scratch;
        actions.clear();
        outcomes.clear();
        states.clear();
        values.clear();
        let player = match game.turn(&leaf.state) {
            Turn::Player(player) => {
                game.actions(&leaf.state, actions);
                Some(player)
            }
            Turn::Chance | Turn::Terminal => {
                game.chance(&leaf.state, outcomes);
                check_chance(outcomes)?;
                actions.extend(outcomes.iter().map(|outcome| outcome.0));
                None
            }
        };
        if actions.is_empty() {
            let what = if player.is_some() { "legal action" } else { "chance outcome" };
            return Err(TreeError::NoActions { what });
        }
        if actions.len() > MAX_CHILDREN {
            return Err(TreeError::TooManyActions { got: actions.len() });
        }
        states.extend(actions.iter().map(|&action| game.apply(&leaf.state, action)));
        evaluator.children(game, &leaf.state, actions, states, values);
        if values.len() != states.len() {
            return Err(TreeError::ValueCount { expected: states.len(), got: values.len() });
        }
        let mut children = Vec::with_capacity(states.len());
        for ((state, action), &value) in states.drain(..).zip(&*actions).zip(&*values) {
            let keys = Player::BOTH.map(|viewer| {
                let own = (player == Some(viewer)).then_some(*action);
                game.infoset(leaf.keys[viewer.index()], own, &game.observe(&state, viewer))
            });
            children.push(Tree::make_child(game, state, keys, value)?);
        }
        let branch = match player {
            Some(player) => {
                let key = leaf.keys[player.index()];
                Branch::Player(player, self.tree.intern(player, key, actions, &children)?)
            }
            None => Branch::Chance(outcomes.as_slice().into()),
        };
        self.tree.append(Some(place), depth, branch, children)?;
        Ok(())
    }
}

/// A claim on a leaf that is given back unless it is kept.
struct Claim<'t, G: Game> {
    leaf: &'t Child<G>,
    expanded: bool,
}

impl<G: Game> Claim<'_, G> {
    fn keep(mut self) {
        self.expanded = true;
    }
}

impl<G: Game> Drop for Claim<'_, G> {
    fn drop(&mut self) {
        if !self.expanded {
            self.leaf.link.unclaim();
        }
    }
}

fn check_chance<A>(outcomes: &[(A, f64)]) -> Result<(), TreeError> {
    let sum: f64 = outcomes.iter().map(|outcome| outcome.1).sum();
    let valid = outcomes.iter().all(|outcome| outcome.1 >= 0.0) && (sum - 1.0).abs() < 1e-9;
    // Without any outcome the sum says nothing; that is an error of its own.
    if valid || outcomes.is_empty() { Ok(()) } else { Err(TreeError::Chance { sum }) }
}
