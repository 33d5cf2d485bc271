use obscuro_game::Player;

use crate::table::{ProfileError, Strategy, Table};

/// A best response to the other player's strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct BestResponse {
    /// What the responding player gets, in that player's own terms.
    pub value: f64,
    /// The response: the probability, 0 or 1, of each sequence's last action. Of equally good
    /// actions the first is played, at unreachable infosets too.
    pub probabilities: Vec<f64>,
}

/// The best that `player` can do against the other player's part of `strategy`.
///
/// ```
/// use obscuro_game::Player;
/// use obscuro_games::KuhnPoker;
/// use obscuro_search::exact::best_response;
/// use obscuro_search::table::{Limits, Strategy, Table};
///
/// let table = Table::build(&KuhnPoker, Limits::default())?;
/// let response = best_response(&table, Player::One, &Strategy::uniform(&table))?;
/// assert!((response.value - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_response(
    table: &Table,
    player: Player,
    strategy: &Strategy,
) -> Result<BestResponse, ProfileError> {
    let plan = strategy.plan(table, player.other())?;
    Ok(respond(table, player, &plan))
}

/// The best response to a plan.
pub(super) fn respond(table: &Table, player: Player, plan: &[f64]) -> BestResponse {
    let treeplex = table.treeplex(player);
    let mut gains = vec![0.0; treeplex.sequences()];
    table.accumulate_gradient(player, plan, &mut gains);
    let mut probabilities = vec![0.0; treeplex.sequences()];
    probabilities[0] = 1.0;
    for group in treeplex.groups().iter().rev() {
        for infoset in group.infosets() {
            let (mut best, mut most) = (0, f64::NEG_INFINITY);
            for action in 0..group.actions {
                let sequence = group.sequence(infoset, action);
                if gains[sequence] > most {
                    (best, most) = (sequence, gains[sequence]);
                }
            }
            probabilities[best] = 1.0;
            gains[treeplex.parents()[infoset] as usize] += most;
        }
    }
    BestResponse { value: gains[0], probabilities }
}
