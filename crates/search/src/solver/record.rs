//! The solver's own copy of the tree's shape: plain words, laid out for its passes.

use obscuro_game::{Game, Player};

use super::blocks::Blocks;
use crate::tree::{Expansion, ExpansionId};

/// Words before the values of a record.
pub(crate) const HEADER: usize = 6;

/// Who chooses at a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Chooser {
    One = 0,
    Two = 1,
    Chance = 2,
    Root = 3,
}

impl From<Player> for Chooser {
    fn from(player: Player) -> Self {
        match player {
            Player::One => Chooser::One,
            Player::Two => Chooser::Two,
        }
    }
}

/// The first words of a record.
///
/// A record is the solver's copy of an expansion, in one block of words: this head, the leaf value
/// of every child (the bits of an f32; zero once the child is expanded), and a bit for every child
/// that is expanded. The offsets of the children's own records are apart, as most records have
/// none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) expansion: ExpansionId,
    /// The place of the infoset's minimiser, if a player chooses.
    pub(crate) minimiser: u32,
    /// Where the infoset's numbers are, or the probabilities of chance.
    pub(crate) slot: u32,
    pub(crate) chooser: Chooser,
    pub(crate) seen: bool,
    pub(crate) count: usize,
    /// How many children are expanded.
    pub(crate) expanded: u32,
    /// Where the offsets of the children's records are, zero for a leaf; if any is expanded.
    pub(crate) links: u32,
}

/// The words of a record with so many children.
pub(crate) fn size(count: usize) -> usize {
    HEADER + count + count.div_ceil(32)
}

const SEEN: u32 = 1 << 2;
const COUNT_SHIFT: u32 = 3;

/// All records.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    pub(crate) words: Blocks<u32>,
    pub(crate) links: Blocks<u32>,
    /// The record of every expansion, in the order of the log.
    pub(crate) offsets: Vec<u32>,
    /// How many records there were when they were last laid out in order.
    pub(crate) laid_out: usize,
}

impl Records {
    pub(crate) fn new() -> Self {
        Records { words: Blocks::new(), links: Blocks::new(), offsets: Vec::new(), laid_out: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    #[inline]
    pub(crate) fn head(&self, record: u32) -> Head {
        let words = self.words.get(record, HEADER);
        let chooser = match words[3] & 3 {
            0 => Chooser::One,
            1 => Chooser::Two,
            2 => Chooser::Chance,
            _ => Chooser::Root,
        };
        Head {
            expansion: ExpansionId::new(words[0]),
            minimiser: words[1],
            slot: words[2],
            chooser,
            seen: words[3] & SEEN != 0,
            count: (words[3] >> COUNT_SHIFT) as usize,
            expanded: words[4],
            links: words[5],
        }
    }

    #[inline]
    pub(crate) fn set_seen(&mut self, record: u32) {
        self.words.get_mut(record, HEADER)[3] |= SEEN;
    }

    /// The leaf values of a record's children, as the bits of f32.
    #[inline]
    pub(crate) fn values(&self, record: u32, count: usize) -> &[u32] {
        self.words.get(record + HEADER as u32, count)
    }

    /// The leaf value of one child.
    #[inline]
    pub(crate) fn value(&self, record: u32, child: usize) -> f64 {
        f64::from(f32::from_bits(self.words.at(record + (HEADER + child) as u32)))
    }

    /// Which children are expanded, 32 to a word.
    #[inline]
    pub(crate) fn expanded(&self, record: u32, count: usize) -> &[u32] {
        self.words.get(record + (HEADER + count) as u32, count.div_ceil(32))
    }

    /// The record of one child, or zero.
    #[inline]
    pub(crate) fn below(&self, head: Head, child: usize) -> u32 {
        if head.links == 0 { 0 } else { self.links.at(head.links + child as u32) }
    }

    /// The record of an expansion.
    #[inline]
    pub(crate) fn of(&self, expansion: ExpansionId) -> Option<u32> {
        self.offsets.get(expansion.index()).copied()
    }

    pub(crate) fn push<G: Game>(
        &mut self,
        expansion: &Expansion<G>,
        chooser: Chooser,
        minimiser: u32,
        slot: u32,
    ) {
        let count = expansion.len();
        let record = self.words.push(size(count));
        let words = self.words.get_mut(record, size(count));
        let seen = if expansion.is_new() { 0 } else { SEEN };
        let shape = chooser as u32 | seen | (count as u32) << COUNT_SHIFT;
        words[..HEADER].copy_from_slice(&[expansion.id.get(), minimiser, slot, shape, 0, 0]);
        for (word, child) in words[HEADER..].iter_mut().zip(&expansion.children) {
            *word = child.value.to_bits();
        }
        self.offsets.push(record);
        if let Some(place) = expansion.place {
            let above = self.offsets[place.expansion.index()];
            let mut head = self.head(above);
            if head.links == 0 {
                head.links = self.links.push(head.count);
            }
            self.links.get_mut(head.links + place.index, 1)[0] = record;
            let words = self.words.get_mut(above, size(head.count));
            let index = place.index as usize;
            words[4] += 1;
            words[5] = head.links;
            words[HEADER + index] = 0f32.to_bits();
            words[HEADER + head.count + index / 32] |= 1 << (index % 32);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let offsets = self.offsets.capacity() * size_of::<u32>();
        self.words.bytes() + self.links.bytes() + offsets
    }
}
