use std::collections::{HashMap, HashSet};

use obscuro_game::{Game, InfosetKey, Turn};

use super::{Agent, AgentError};
use crate::expand::Limits;

/// An agent's strategy at each of its infosets, by infoset.
pub type WholeStrategy = HashMap<InfosetKey, Vec<f64>>;

impl<G: Game> Agent<G> {
    /// What the agent plays at every infoset that it can reach from here: it is asked at each,
    /// having played and seen what leads there.
    ///
    /// For small games; searches must be deterministic, or the strategy is one among many. What is
    /// given is what is played, purification included.
    pub fn whole_strategy(self, limits: Limits) -> Result<WholeStrategy, AgentError> {
        let mut found = HashMap::new();
        let mut pending = vec![self];
        while let Some(mut agent) = pending.pop() {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for state in agent.belief.iter() {
                match agent.game.turn(state) {
                    Turn::Player(player) if player == agent.player => ours.push(state.clone()),
                    Turn::Terminal => {}
                    Turn::Player(_) | Turn::Chance => theirs.push(state.clone()),
                }
            }
            let unseen = agent.news(theirs);
            for seen in unseen {
                let mut next = agent.fork();
                next.observe(None, &seen)?;
                pending.push(next);
            }
            if ours.is_empty() {
                continue;
            }
            let decision = agent.choose(limits, None)?;
            let played: Vec<f64> = decision.report.actions.iter().map(|a| a.played).collect();
            found.insert(agent.key, played);
            for action in decision.report.actions.iter().filter(|action| action.played > 0.0) {
                let after = ours.iter().map(|state| agent.game.apply(state, action.action));
                let seen: HashSet<G::Observation> =
                    after.map(|state| agent.game.observe(&state, agent.player)).collect();
                for seen in seen {
                    let mut next = agent.fork();
                    next.observe(Some(action.action), &seen)?;
                    pending.push(next);
                }
            }
        }
        Ok(found)
    }

    /// All that we may see next while others move, from these states.
    fn news(&self, mut states: Vec<G::State>) -> HashSet<G::Observation> {
        let mut news = HashSet::new();
        let mut known: HashSet<G::State> = HashSet::new();
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        while let Some(state) = states.pop() {
            actions.clear();
            outcomes.clear();
            match self.game.turn(&state) {
                Turn::Chance => {
                    self.game.chance(&state, &mut outcomes);
                    actions.extend(outcomes.iter().filter(|o| o.1 > 0.0).map(|o| o.0));
                }
                Turn::Player(player) if player != self.player => {
                    self.game.actions(&state, &mut actions);
                }
                Turn::Player(_) | Turn::Terminal => {}
            }
            for &action in &actions {
                let child = self.game.apply(&state, action);
                let seen = self.game.observe(&child, self.player);
                if !self.game.is_silent(&seen) {
                    news.insert(seen);
                } else if known.insert(child.clone()) {
                    states.push(child);
                }
            }
        }
        news
    }
}
