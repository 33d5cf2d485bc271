/// A node of a [`Tree`](super::Tree): a history of the game, not a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// An infoset of a [`Tree`](super::Tree) at which its player acts and a node is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InfosetId(u32);

/// The expansion of a node: its place in the tree's log of expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(u32);

macro_rules! dense_id {
    ($($id:ident)*) => {$(
        impl $id {
            /// The id with this number.
            #[inline]
            pub(crate) const fn new(number: u32) -> Self {
                $id(number)
            }

            /// The number: ids are given out from zero on.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            #[inline]
            pub(crate) const fn get(self) -> u32 {
                self.0
            }
        }
    )*};
}

dense_id!(NodeId InfosetId ExpansionId);
