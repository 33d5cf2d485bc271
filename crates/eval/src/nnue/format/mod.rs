//! The file formats: which it is, and what both have in common.

mod own;
mod stockfish;

use std::sync::Arc;

use super::features::KingBuckets;
use super::layers::{BUCKETS, FIRST, Raw, SECOND, Stack};
use super::simd::Column;
use super::weights::Weights;
use super::{Network, Shape};
use crate::NetworkError;

impl Network {
    /// Reads a network from the bytes of a file; the first of them tell its kind.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader { bytes, part: "the header" };
        Ok(if bytes.starts_with(own::FAMILY) {
            let (description, weights) = own::read(&mut reader)?;
            Network { description, shape: Shape::Own(Arc::new(weights)) }
        } else {
            let (description, weights) = stockfish::read(&mut reader)?;
            Network { description, shape: Shape::Stockfish(Arc::new(weights)) }
        })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    part: &'static str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], NetworkError> {
        let found = self.bytes.len();
        let (head, tail) = self.bytes.split_at_checked(len).ok_or(NetworkError::Truncated {
            part: self.part,
            needed: len,
            found,
        })?;
        self.bytes = tail;
        Ok(head)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        Ok(self.i32s::<1>()?[0] as u32)
    }

    /// A length, and a text of that length.
    fn description(&mut self) -> Result<String, NetworkError> {
        let len = self.u32()? as usize;
        self.part = "the description";
        Ok(String::from_utf8_lossy(self.take(len)?).into_owned())
    }

    fn i32s<const N: usize>(&mut self) -> Result<[i32; N], NetworkError> {
        let (words, _) = self.take(N * 4)?.as_chunks::<4>();
        Ok(std::array::from_fn(|i| i32::from_le_bytes(words[i])))
    }

    fn i8s(&mut self, len: usize) -> Result<Vec<i8>, NetworkError> {
        Ok(self.take(len)?.iter().map(|&byte| byte.cast_signed()).collect())
    }

    /// Reads one column after the other out of a part that was found complete.
    fn columns<const W: usize>(&mut self, count: usize) -> Result<Vec<Column<W>>, NetworkError> {
        let bytes = self.take(count * W * 2)?;
        let columns = bytes.chunks_exact(W * 2).map(|column| {
            let (pairs, _) = column.as_chunks::<2>();
            Column(std::array::from_fn(|i| i16::from_le_bytes(pairs[i])))
        });
        Ok(columns.collect())
    }

    /// Everything that follows the header, and nothing after it; `begin` reads what stands before
    /// the features and before each stack.
    fn weights<const W: usize>(
        &mut self,
        kings: &'static KingBuckets,
        begin: impl Fn(&mut Self, usize) -> Result<(), NetworkError>,
    ) -> Result<Weights<W>, NetworkError> {
        self.part = "the feature transformer";
        begin(self, 0)?;
        let biases = self.columns(1)?.into_iter().next().map(Box::new).unwrap_or_default();
        let columns = self.columns(kings.features())?;
        let mut psqt = Vec::with_capacity(kings.features());
        for _ in 0..kings.features() {
            psqt.push(self.i32s::<BUCKETS>()?);
        }
        self.part = "a layer stack";
        let mut stacks = Vec::with_capacity(BUCKETS);
        for bucket in 0..BUCKETS {
            begin(self, 1 + bucket)?;
            stacks.push(Stack::new(&Raw {
                first_biases: self.i32s::<FIRST>()?,
                first_weights: self.i8s(FIRST * W)?,
                second_biases: self.i32s::<SECOND>()?,
                second_weights: self.i8s(SECOND * SECOND)?,
                third_bias: self.i32s::<1>()?[0],
                third_weights: self.i8s(SECOND)?,
            }));
        }
        if !self.bytes.is_empty() {
            return Err(NetworkError::Trailing { extra: self.bytes.len() });
        }
        Ok(Weights { kings, biases, columns, psqt, stacks })
    }
}
