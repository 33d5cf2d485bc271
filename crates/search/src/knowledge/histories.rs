use obscuro_game::{Game, InfosetKey, Player, Turn};

use super::Connectivity;

/// All histories of one length, with the infosets of both players.
///
/// A history is kept as the places of its actions among those that were possible.
#[derive(Clone, Debug)]
pub struct Histories {
    plies: usize,
    choices: Vec<u16>,
    graph: Connectivity,
}

/// Why the histories could not be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoriesError {
    /// Too many.
    #[error("there are more than {limit} histories of {plies} plies")]
    TooMany {
        /// The most that were allowed.
        limit: usize,
        /// Their length.
        plies: usize,
    },
    /// None is so long.
    #[error("no history of the game has {plies} plies")]
    None {
        /// The length asked for.
        plies: usize,
    },
}

impl Histories {
    /// The histories of a game with so many plies, outcomes of chance counted.
    pub fn new<G: Game>(game: &G, plies: usize, limit: usize) -> Result<Self, HistoriesError> {
        let root = game.root();
        let keys = Player::BOTH.map(|player| InfosetKey::root(&game.observe(&root, player)));
        let mut layer = vec![(root, keys)];
        let mut choices: Vec<u16> = Vec::new();
        for length in 0..plies {
            let (mut next, mut longer) = (Vec::new(), Vec::new());
            for (at, (state, keys)) in layer.iter().enumerate() {
                let mover = game.turn(state);
                for (choice, action) in possible(game, state).into_iter().enumerate() {
                    if next.len() == limit {
                        return Err(HistoriesError::TooMany { limit, plies: length + 1 });
                    }
                    let child = game.apply(state, action);
                    let keys = Player::BOTH.map(|player| {
                        let own = (mover == Turn::Player(player)).then_some(action);
                        game.infoset(keys[player.index()], own, &game.observe(&child, player))
                    });
                    longer.extend_from_slice(&choices[at * length..(at + 1) * length]);
                    longer.push(choice as u16);
                    next.push((child, keys));
                }
            }
            (layer, choices) = (next, longer);
        }
        if layer.is_empty() {
            return Err(HistoriesError::None { plies });
        }
        let graph = Connectivity::new(layer.into_iter().map(|(_, keys)| keys).collect());
        Ok(Histories { plies, choices, graph })
    }

    /// Who knows what at them: its nodes are the histories, in depth-first order.
    pub fn graph(&self) -> &Connectivity {
        &self.graph
    }

    /// The actions of a history in words, and the state that it leads to.
    pub fn history<G: Game>(&self, game: &G, number: usize) -> Option<(Vec<String>, G::State)> {
        let choices = self.choices.get(number * self.plies..(number + 1) * self.plies)?;
        let mut state = game.root();
        let mut words = Vec::new();
        for &choice in choices {
            let action = *possible(game, &state).get(usize::from(choice))?;
            words.push(game.action_text(&state, action));
            state = game.apply(&state, action);
        }
        Some((words, state))
    }

    /// The history with these actions, in words.
    pub fn find<G: Game>(&self, game: &G, words: &[String]) -> Option<usize> {
        let mut state = game.root();
        let mut wanted = Vec::new();
        for word in words {
            let actions = possible(game, &state);
            let choice = actions.iter().position(|&a| game.action_text(&state, a) == *word)?;
            wanted.push(choice as u16);
            state = game.apply(&state, actions[choice]);
        }
        let mut histories = self.choices.chunks_exact(self.plies.max(1));
        if self.plies == 0 { Some(0) } else { histories.position(|choices| choices == wanted) }
    }
}

/// What can happen at a state.
fn possible<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    match game.turn(state) {
        Turn::Player(_) => game.actions(state, &mut actions),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            actions.extend(outcomes.into_iter().filter(|o| o.1 > 0.0).map(|o| o.0));
        }
        Turn::Terminal => {}
    }
    actions
}
