use super::treeplex::{Group, Treeplex};
use super::walk::{RawEnd, RawPlayer};

/// The component of a sequence after which the game never ends.
const NONE: u32 = u32::MAX;

/// A player's treeplex, and where each sequence of the walk went.
pub(super) struct Ordered {
    pub(super) treeplex: Treeplex,
    /// The new number of each sequence of the walk.
    pub(super) renumbered: Vec<u32>,
    /// Starts of the runs of sequences that belong together (same group, action and component),
    /// and the end of the last.
    pub(super) blocks: Vec<u32>,
}

/// Numbers both players' infosets and sequences so that what is used together lies together.
///
/// Sequences of the two players that meet at an end of the game are connected; a connected
/// component is what is common knowledge when the game ends there (in poker: a line of betting
/// and the open cards). A player's infosets are sorted by level, by number of actions, and then
/// by the components below them, so that a component's part of the payoff matrix is one dense
/// rectangle and the infosets of a group can be updated side by side.
pub(super) fn order(players: [RawPlayer; 2], ends: &[RawEnd]) -> [Ordered; 2] {
    let offset = players[0].sequences;
    let mut components = Components::new((players[0].sequences + players[1].sequences) as usize);
    for end in ends {
        components.join(end.sequences[0], offset + end.sequences[1]);
    }
    let mut met = vec![false; components.parent.len()];
    for end in ends {
        met[end.sequences[0] as usize] = true;
        met[(offset + end.sequences[1]) as usize] = true;
    }
    let mut component: Vec<u32> = (0..met.len() as u32)
        .map(|node| if met[node as usize] { components.find(node) } else { NONE })
        .collect();
    let second = component.split_off(offset as usize);
    let [one, two] = players;
    [order_player(one, &component), order_player(two, &second)]
}

fn order_player(raw: RawPlayer, component: &[u32]) -> Ordered {
    let sort_keys = sort_keys(&raw, component);
    let mut permutation: Vec<u32> = (0..raw.infosets.len() as u32).collect();
    permutation.sort_unstable_by_key(|&i| (sort_keys[i as usize], i));

    let mut renumbered = vec![0u32; raw.sequences as usize];
    let mut groups = Vec::new();
    let mut blocks = vec![0];
    let mut next = 1;
    let same = |i: u32| (sort_keys[i as usize].0, sort_keys[i as usize].1);
    let mut first_infoset = 0;
    for members in permutation.chunk_by(|&i, &j| same(i) == same(j)) {
        let actions = raw.infosets[members[0] as usize].actions as usize;
        let group =
            Group { actions, count: members.len(), first_infoset, first_sequence: next as usize };
        for action in 0..actions as u32 {
            let mut last = None;
            for &member in members {
                let old = raw.infosets[member as usize].first + action;
                if last != Some(component[old as usize]) {
                    blocks.push(next);
                    last = Some(component[old as usize]);
                }
                renumbered[old as usize] = next;
                next += 1;
            }
        }
        first_infoset += group.count;
        groups.push(group);
    }
    blocks.push(next);

    let mut treeplex = Treeplex { groups, sequences: next as usize, ..Treeplex::default() };
    for &i in &permutation {
        let infoset = raw.infosets[i as usize];
        let path_start = if i == 0 { 0 } else { raw.infosets[i as usize - 1].path_end };
        treeplex.parents.push(renumbered[infoset.parent as usize]);
        treeplex.keys.push(infoset.key);
        treeplex.paths.push((path_start, infoset.path_end));
    }
    treeplex.path_steps = raw.paths;
    Ordered { treeplex, renumbered, blocks }
}

/// By what infosets are sorted: level, number of actions, smallest component below.
fn sort_keys(raw: &RawPlayer, component: &[u32]) -> Vec<(u32, u32, u32)> {
    // Levels of the sequences: parents come before children in the walk.
    let mut level = vec![0u32; raw.sequences as usize];
    for infoset in &raw.infosets {
        let own = level[infoset.parent as usize] + 1;
        level[infoset.first as usize..][..infoset.actions as usize].fill(own);
    }
    let mut below = component.to_vec();
    for infoset in raw.infosets.iter().rev() {
        let sequences = &below[infoset.first as usize..][..infoset.actions as usize];
        let least = sequences.iter().copied().min().unwrap_or(NONE);
        let parent = &mut below[infoset.parent as usize];
        *parent = least.min(*parent);
    }
    raw.infosets
        .iter()
        .map(|infoset| {
            let sequences = &below[infoset.first as usize..][..infoset.actions as usize];
            let least = sequences.iter().copied().min().unwrap_or(NONE);
            (level[infoset.first as usize], infoset.actions, least)
        })
        .collect()
}

/// Disjoint sets; a set is named by its smallest member.
struct Components {
    parent: Vec<u32>,
}

impl Components {
    fn new(nodes: usize) -> Self {
        Components { parent: (0..nodes as u32).collect() }
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (least, greatest) = (a.min(b), a.max(b));
        self.parent[greatest as usize] = least;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_named_by_their_smallest_member() {
        let mut components = Components::new(6);
        components.join(5, 2);
        components.join(4, 5);
        components.join(0, 1);
        let found: Vec<u32> = (0..6).map(|node| components.find(node)).collect();
        assert_eq!(found, [0, 0, 2, 3, 2, 2]);
    }
}
