/// An append-only store of blocks, each in one piece and found by its offset.
///
/// It belongs to one thread, so it may move when it grows; it grows by a quarter, as a long search
/// fills most of the memory.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<T> {
    elements: Vec<T>,
}

impl<T: Copy + Default> Blocks<T> {
    /// An empty store. No block begins at zero, which therefore can mean "none".
    pub(crate) fn new() -> Self {
        Blocks { elements: vec![T::default()] }
    }

    /// A new block of `size` zeros.
    pub(crate) fn push(&mut self, size: usize) -> u32 {
        let offset = self.elements.len();
        if offset + size > self.elements.capacity() {
            self.elements.reserve_exact(size.max(offset / 4).max(256));
        }
        self.elements.resize(offset + size, T::default());
        u32::try_from(offset).expect("fewer than 2^32 elements: the tree is full long before")
    }

    /// A store for as many elements as this one.
    pub(crate) fn fresh(&self) -> Self {
        let mut elements = Vec::with_capacity(self.elements.len());
        elements.push(T::default());
        Blocks { elements }
    }

    /// Appends a copy of another store's block.
    pub(crate) fn copy(&mut self, from: &Self, offset: u32, size: usize) -> u32 {
        let new = self.elements.len() as u32;
        self.elements.extend_from_slice(from.get(offset, size));
        new
    }

    #[inline]
    pub(crate) fn get(&self, offset: u32, size: usize) -> &[T] {
        &self.elements[offset as usize..offset as usize + size]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, offset: u32, size: usize) -> &mut [T] {
        &mut self.elements[offset as usize..offset as usize + size]
    }

    /// One element of a block.
    #[inline]
    pub(crate) fn at(&self, offset: u32) -> T {
        self.elements[offset as usize]
    }

    /// Reads something of every cache line of a block, to have it near when it is needed. What
    /// comes back is for `black_box`, so that the reading is not left out.
    #[inline]
    pub(crate) fn touch(&self, offset: u32, size: usize) -> u32
    where
        T: PartialEq,
    {
        let lines = self.get(offset, size).iter().step_by(64 / size_of::<T>());
        lines.map(|&element| u32::from(element == T::default())).sum()
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.elements.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap() {
        let mut blocks = Blocks::new();
        let mut model = Vec::new();
        for i in 1..2_000u32 {
            let size = [1, 35, 300, 5][(i % 4) as usize];
            let offset = blocks.push(size);
            assert!(offset > 0);
            assert!(blocks.get(offset, size).iter().all(|&x| x == 0));
            blocks.get_mut(offset, size).fill(i);
            model.push((offset, size, i));
        }
        let mut copy = blocks.fresh();
        for (offset, size, i) in model {
            assert!(blocks.get(offset, size).iter().all(|&x| x == i));
            assert_eq!(blocks.at(offset), i);
            let new = copy.copy(&blocks, offset, size);
            assert!(copy.get(new, size).iter().all(|&x| x == i));
        }
        assert_eq!(copy.elements, blocks.elements);
    }
}
