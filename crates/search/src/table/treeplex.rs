use std::ops::Range;

use obscuro_game::InfosetKey;

/// A player's decisions in sequence form.
///
/// Sequence 0 is the empty one; every infoset with two or more actions adds one sequence per
/// action. (A forced action adds none: the sequence before it goes on.) Infosets come in
/// [groups](Group), parents before children.
#[derive(Clone, Debug, Default)]
pub struct Treeplex {
    pub(super) groups: Vec<Group>,
    pub(super) sequences: usize,
    /// The sequence that leads to each infoset.
    pub(super) parents: Vec<u32>,
    pub(super) keys: Vec<InfosetKey>,
    /// Where each infoset's example history starts and ends in `path_steps`.
    pub(super) paths: Vec<(usize, usize)>,
    pub(super) path_steps: Vec<u16>,
}

/// Infosets with equally many actions and equally many own infosets before them. None follows
/// another, so they are updated side by side: the sequences of their first actions lie next to
/// each other, then those of their second actions, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Actions of each infoset.
    pub actions: usize,
    /// Infosets in the group.
    pub count: usize,
    /// Index of the first infoset.
    pub first_infoset: usize,
    /// Sequence of the first action of the first infoset.
    pub first_sequence: usize,
}

impl Group {
    /// The indexes of the group's infosets.
    pub fn infosets(&self) -> Range<usize> {
        self.first_infoset..self.first_infoset + self.count
    }

    /// The group's sequences: action by action, infoset by infoset.
    pub fn sequences(&self) -> Range<usize> {
        self.first_sequence..self.first_sequence + self.actions * self.count
    }

    /// The sequence of an action at an infoset of the group.
    #[inline]
    pub fn sequence(&self, infoset: usize, action: usize) -> usize {
        self.first_sequence + action * self.count + infoset - self.first_infoset
    }
}

impl Treeplex {
    /// The number of infosets with two or more actions.
    pub fn infosets(&self) -> usize {
        self.parents.len()
    }

    /// The number of sequences, the empty one included.
    pub fn sequences(&self) -> usize {
        self.sequences
    }

    /// The groups, parents before children.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The sequence that leads to each infoset.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The key of each infoset, by which it is known outside of the table.
    pub fn keys(&self) -> &[InfosetKey] {
        &self.keys
    }

    /// The group of an infoset.
    pub fn group_of(&self, infoset: usize) -> &Group {
        let after = self.groups.partition_point(|group| group.first_infoset <= infoset);
        &self.groups[after - 1]
    }

    /// The sequences of an infoset, one per action in the game's order.
    pub fn sequences_of(&self, infoset: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let group = *self.group_of(infoset);
        (0..group.actions).map(move |action| group.sequence(infoset, action))
    }

    /// The infoset and action that a sequence ends with; `None` for the empty sequence.
    pub fn last_of(&self, sequence: usize) -> Option<(usize, usize)> {
        let after = self.groups.partition_point(|group| group.first_sequence <= sequence);
        let group = self.groups.get(after.checked_sub(1)?)?;
        let place = sequence - group.first_sequence;
        Some((group.first_infoset + place % group.count, place / group.count))
    }

    /// The child indexes that lead from the root to a history in the infoset.
    pub fn path(&self, infoset: usize) -> &[u16] {
        let (start, end) = self.paths[infoset];
        &self.path_steps[start..end]
    }
}
