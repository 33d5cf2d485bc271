//! The regret minimisers of the infosets.

use super::blocks::Blocks;
use super::regret::Played;
use crate::tree::InfosetId;

/// The place of an infoset that the solver has not met.
const UNMET: u32 = u32::MAX;

/// The regret minimiser of an infoset.
///
/// Its numbers are in the rows of [`Rows`], one place an action, from `slot` on.
/// It fills one cache line, which is all that a pass reads of an infoset of the other player at
/// which one action is played, or two.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Minimiser {
    /// Σ of the others' reach over the nodes visited in the pass `stamp`. The number of a pass
    /// comes again after 2³² of them, which is days.
    pub(crate) reach: f64,
    pub(crate) stamp: u32,
    pub(crate) average_stamp: u32,
    pub(crate) slot: u32,
    pub(crate) actions: u32,
    /// How many actions the current strategy plays.
    pub(crate) support: u32,
    /// The number of the infoset in the tree.
    pub(crate) infoset: u32,
    /// The first two of them, as in the row.
    pub(crate) first: [Played; 2],
}

impl Minimiser {
    /// An action of the support.
    #[inline]
    pub(crate) fn played(&self, rows: &Rows, place: u32) -> Played {
        match self.first.get(place as usize) {
            Some(&played) => played,
            None => rows.played.at(self.slot + place),
        }
    }

    /// Takes over the first of the support from the row.
    #[inline]
    pub(crate) fn keep_first(&mut self, row: &[Played]) {
        for (first, &played) in self.first.iter_mut().zip(row) {
            *first = played;
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.actions as usize
    }
}

/// All regret minimisers, in the order in which a pass comes to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Minimisers {
    list: Vec<Minimiser>,
    /// The place in the list of every infoset of the tree, by its number.
    places: Vec<u32>,
}

impl Minimisers {
    /// The place of an infoset that the solver has met.
    pub(crate) fn place(&self, infoset: InfosetId) -> Option<u32> {
        self.places.get(infoset.index()).copied().filter(|&place| place != UNMET)
    }

    pub(crate) fn of(&self, infoset: InfosetId) -> Option<&Minimiser> {
        Some(self.at(self.place(infoset)?))
    }

    pub(crate) fn of_mut(&mut self, infoset: InfosetId) -> Option<&mut Minimiser> {
        let place = self.place(infoset)?;
        Some(self.at_mut(place))
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    pub(crate) fn at(&self, place: u32) -> &Minimiser {
        &self.list[place as usize]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, place: u32) -> &mut Minimiser {
        &mut self.list[place as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Minimiser> {
        self.list.iter()
    }

    /// Adds the minimiser of an infoset that is not among them yet, and gives its place.
    pub(crate) fn push(&mut self, minimiser: Minimiser) -> u32 {
        let (number, place) = (minimiser.infoset as usize, self.list.len() as u32);
        if self.places.len() <= number {
            self.places.resize(number + 1, UNMET);
        }
        self.places[number] = place;
        self.list.push(minimiser);
        place
    }

    /// None, with room for as many as these.
    pub(crate) fn fresh(&self) -> Self {
        let list = Vec::with_capacity(self.list.len());
        Minimisers { list, places: vec![UNMET; self.places.len()] }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Minimiser>() + self.places.capacity() * size_of::<u32>()
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

    /// None, with room for as many as these.
    pub(crate) fn fresh(&self) -> Self {
        Rows {
            played: self.played.fresh(),
            values: self.values.fresh(),
            regrets: self.regrets.fresh(),
            averages: self.averages.fresh(),
        }
    }

    /// Appends a copy of another store's slot, and gives the new one.
    pub(crate) fn copy(&mut self, from: &Rows, old: u32, count: usize, averaging: bool) -> u32 {
        if averaging {
            self.averages.copy(&from.averages, old, count);
        }
        self.values.copy(&from.values, old, count);
        self.regrets.copy(&from.regrets, old, count);
        self.played.copy(&from.played, old, count)
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
