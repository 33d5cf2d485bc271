use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// log₂ of the size of the first chunk; each further chunk is twice as large as the one before.
const FIRST_BITS: u32 = 6;
const CHUNKS: usize = (32 - FIRST_BITS) as usize;

/// A table of 2³² − 64 places in chunks that never move.
///
/// A place is there from [`Chunks::ensure`] on, and its type must bear being written while it is
/// read: an atomic, or a [`OnceLock`].
#[derive(Debug)]
pub(crate) struct Chunks<T> {
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
}

/// The chunk of a place, and where in the chunk it is.
#[inline]
fn locate(index: u32) -> Option<(usize, usize)> {
    let shifted = index.checked_add(1 << FIRST_BITS)?;
    let bit = shifted.ilog2();
    Some(((bit - FIRST_BITS) as usize, (shifted - (1 << bit)) as usize))
}

impl<T: Default> Chunks<T> {
    pub(crate) fn new() -> Self {
        Chunks { chunks: [const { OnceLock::new() }; CHUNKS] }
    }

    /// The place, if its chunk exists.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let (chunk, offset) = locate(index)?;
        Some(&self.chunks[chunk].get()?[offset])
    }

    /// The place, whose chunk is made if it does not exist. Waits only for another thread that is
    /// making the same chunk.
    ///
    /// # Panics
    ///
    /// If the index is above the largest place.
    pub(crate) fn ensure(&self, index: u32) -> &T {
        let (chunk, offset) = locate(index).expect("the table has fewer than 2^32 - 64 places");
        let make = || (0..1usize << (chunk as u32 + FIRST_BITS)).map(|_| T::default()).collect();
        &self.chunks[chunk].get_or_init(make)[offset]
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.iter().filter_map(OnceLock::get).map(|c| size_of_val::<[T]>(c)).sum()
    }
}

/// An append-only list whose elements never move and never change hands.
///
/// A writer reserves a number and sets the element once; readers see the element whole or not at
/// all.
#[derive(Debug)]
pub(crate) struct Log<T> {
    places: Chunks<OnceLock<T>>,
    reserved: AtomicU32,
}

impl<T> Log<T> {
    pub(crate) fn new() -> Self {
        Log { places: Chunks::new(), reserved: AtomicU32::new(0) }
    }

    /// A number that nobody else gets, below `limit`.
    pub(crate) fn reserve(&self, limit: u32) -> Option<u32> {
        // Relaxed: the number alone is exchanged here.
        self.reserved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < limit).then_some(n + 1))
            .ok()
    }

    /// Writes the element of a reserved number, once.
    pub(crate) fn set(&self, number: u32, element: T) {
        let free = self.places.ensure(number).set(element).is_ok();
        debug_assert!(free, "a reserved number has one owner, who sets it once");
    }

    /// The element, if it is written.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.places.get(number)?.get()
    }

    /// Numbers given out so far; the last few may not be written yet.
    pub(crate) fn len(&self) -> u32 {
        self.reserved.load(Ordering::Relaxed)
    }

    /// Memory held by the list itself, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.places.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_one_another_through_the_chunks() {
        let mut expected = (0, 0);
        for index in 0..10_000 {
            assert_eq!(locate(index), Some(expected), "{index}");
            expected.1 += 1;
            if expected.1 == 64 << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert_eq!(locate(u32::MAX), None);
        assert_eq!(locate(u32::MAX - 64), Some((CHUNKS - 1, (1 << 31) - 1)));
    }

    #[test]
    fn equals_a_vector() {
        let log = Log::new();
        let mut model = Vec::new();
        for i in 0..5_000u64 {
            assert_eq!(log.reserve(5_000), Some(i as u32));
            assert_eq!(log.get(i as u32), None);
            log.set(i as u32, i * i);
            model.push(i * i);
        }
        assert_eq!(log.reserve(5_000), None);
        assert!((0..5_000).all(|i| log.get(i) == Some(&model[i as usize])));
        assert_eq!(log.get(5_000), None);
    }

    #[test]
    fn elements_stay_where_they_are() {
        let log = Log::new();
        let first = log.reserve(u32::MAX).unwrap();
        log.set(first, String::from("first"));
        let address = std::ptr::from_ref(log.get(first).unwrap());
        for _ in 0..10_000 {
            let number = log.reserve(u32::MAX).unwrap();
            log.set(number, String::new());
        }
        assert!(std::ptr::eq(address, log.get(first).unwrap()));
    }
}
