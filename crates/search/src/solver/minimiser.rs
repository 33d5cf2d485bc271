//! The regret minimisers of the infosets.

use super::blocks::Blocks;
use super::regret::Played;

/// The slot of an infoset that the solver has not met.
pub(crate) const NONE: u32 = 0;

/// The regret minimiser of an infoset.
///
/// Its numbers are in the rows of [`Rows`], one place an action, from `slot` on.
/// It fills one cache line, which is all that a pass reads of an infoset of the other player at
/// which one action is played.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Minimiser {
    /// Σ of the others' reach over the nodes visited in the pass `stamp`.
    pub(crate) reach: f64,
    pub(crate) stamp: u64,
    pub(crate) average_stamp: u64,
    pub(crate) slot: u32,
    pub(crate) actions: u32,
    /// How many actions the current strategy plays.
    pub(crate) support: u32,
    /// The first of them, as in the row.
    pub(crate) first: Played,
}

impl Minimiser {
    pub(crate) fn is_known(&self) -> bool {
        self.slot != NONE
    }

    /// An action of the support.
    #[inline]
    pub(crate) fn played(&self, rows: &Rows, place: u32) -> Played {
        if place == 0 { self.first } else { rows.played.at(self.slot + place) }
    }

    pub(crate) fn count(&self) -> usize {
        self.actions as usize
    }
}

/// The numbers of all infosets, row by row, with the same slots in every row.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The support of the current strategy x, in the first places of a slot.
    pub(crate) played: Blocks<Played>,
    /// The last counterfactual values.
    pub(crate) values: Blocks<f64>,
    /// The regrets z.
    pub(crate) regrets: Blocks<f64>,
    /// The average strategy, not divided by its sum; empty if it is not kept.
    pub(crate) averages: Blocks<f64>,
}

impl Rows {
    pub(crate) fn new() -> Self {
        Rows {
            played: Blocks::new(),
            values: Blocks::new(),
            regrets: Blocks::new(),
            averages: Blocks::new(),
        }
    }

    pub(crate) fn push(&mut self, count: usize, averaging: bool) -> u32 {
        if averaging {
            self.averages.push(count);
        }
        self.values.push(count);
        self.regrets.push(count);
        self.played.push(count)
    }

    /// Overwrites a slot with another solver's.
    pub(crate) fn overwrite(
        &mut self,
        slot: u32,
        from: &Rows,
        old: u32,
        count: usize,
        averaging: bool,
    ) {
        if averaging {
            self.averages.get_mut(slot, count).copy_from_slice(from.averages.get(old, count));
        }
        self.values.get_mut(slot, count).copy_from_slice(from.values.get(old, count));
        self.regrets.get_mut(slot, count).copy_from_slice(from.regrets.get(old, count));
        self.played.get_mut(slot, count).copy_from_slice(from.played.get(old, count));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.played.bytes() + self.values.bytes() + self.regrets.bytes() + self.averages.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimiser_fills_a_cache_line() {
        assert_eq!(size_of::<Minimiser>(), 64);
    }
}
