use obscuro_game::{Game, Player, Turn};

use super::Table;

/// An infoset in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Whose infoset it is.
    pub player: Player,
    /// What the player saw and did: observations, and own actions as `> action`, in order.
    /// Observations without text are left out.
    pub sequence: Vec<String>,
    /// The actions, in the order of the infoset's sequences.
    pub actions: Vec<String>,
    /// One of the states that the player may be in, with all that is hidden.
    pub example: String,
}

impl Table {
    /// Puts an infoset into words by replaying one history of it; `game` is the game that the
    /// table was built from. `None` if there is no such infoset, or if the game is another one.
    pub fn label<G: Game>(&self, game: &G, player: Player, infoset: usize) -> Option<Label> {
        let treeplex = self.treeplex(player);
        if infoset >= treeplex.infosets() {
            return None;
        }
        let mut state = game.root();
        let mut sequence = vec![game.observation_text(&game.observe(&state, player))];
        let mut actions = Vec::new();
        let mut outcomes = Vec::new();
        for &step in treeplex.path(infoset) {
            actions.clear();
            let turn = game.turn(&state);
            match turn {
                Turn::Terminal => return None,
                Turn::Chance => {
                    outcomes.clear();
                    game.chance(&state, &mut outcomes);
                    actions.extend(outcomes.iter().map(|outcome| outcome.0));
                }
                Turn::Player(_) => game.actions(&state, &mut actions),
            }
            let action = *actions.get(usize::from(step))?;
            if turn == Turn::Player(player) {
                sequence.push(format!("> {}", game.action_text(&state, action)));
            }
            state = game.apply(&state, action);
            sequence.push(game.observation_text(&game.observe(&state, player)));
        }
        if game.turn(&state) != Turn::Player(player) {
            return None;
        }
        sequence.retain(|text| !text.is_empty());
        actions.clear();
        game.actions(&state, &mut actions);
        if actions.len() != treeplex.group_of(infoset).actions {
            return None;
        }
        let actions = actions.iter().map(|&action| game.action_text(&state, action)).collect();
        Some(Label { player, sequence, actions, example: game.state_text(&state) })
    }
}
