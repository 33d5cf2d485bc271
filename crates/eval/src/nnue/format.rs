//! The file format.

use super::Network;
use super::features::FEATURES;
use super::layers::{BUCKETS, FIRST, Raw, SECOND, Stack};
use super::simd::{Column, WIDTH};
use crate::NetworkError;

const FEATURES_HASH: u32 = 0x7f23_44b8;
const STACK_HASH: u32 = 0x6333_6a4a;

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

    fn mark(&mut self, expected: u32) -> Result<(), NetworkError> {
        let found = self.u32()?;
        if found == expected {
            Ok(())
        } else {
            Err(NetworkError::Corrupt { part: self.part, found, expected })
        }
    }

    fn i32s<const N: usize>(&mut self) -> Result<[i32; N], NetworkError> {
        let (words, _) = self.take(N * 4)?.as_chunks::<4>();
        Ok(std::array::from_fn(|i| i32::from_le_bytes(words[i])))
    }

    fn i8s(&mut self, len: usize) -> Result<Vec<i8>, NetworkError> {
        Ok(self.take(len)?.iter().map(|&byte| byte.cast_signed()).collect())
    }

    /// Reads one column after the other out of a part that was found complete.
    fn columns(&mut self, count: usize) -> Result<Vec<Column>, NetworkError> {
        let bytes = self.take(count * WIDTH * 2)?;
        let columns = bytes.chunks_exact(WIDTH * 2).map(|column| {
            let (pairs, _) = column.as_chunks::<2>();
            Column(std::array::from_fn(|i| i16::from_le_bytes(pairs[i])))
        });
        Ok(columns.collect())
    }
}

impl Network {
    /// Reads a network from the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader { bytes, part: "the header" };
        let found = reader.u32()?;
        if found != NetworkError::VERSION {
            return Err(NetworkError::Version { found });
        }
        let found = reader.u32()?;
        if found != NetworkError::ARCHITECTURE {
            return Err(NetworkError::Architecture { found });
        }
        let len = reader.u32()? as usize;
        reader.part = "the description";
        let description = String::from_utf8_lossy(reader.take(len)?).into_owned();

        reader.part = "the feature transformer";
        reader.mark(FEATURES_HASH)?;
        let biases = reader.columns(1)?;
        let columns = reader.columns(FEATURES)?;
        let mut psqt = Vec::with_capacity(FEATURES);
        for _ in 0..FEATURES {
            psqt.push(reader.i32s::<BUCKETS>()?);
        }
        reader.part = "a layer stack";
        let mut stacks = Vec::with_capacity(BUCKETS);
        for _ in 0..BUCKETS {
            reader.mark(STACK_HASH)?;
            stacks.push(Stack::new(&Raw {
                first_biases: reader.i32s::<FIRST>()?,
                first_weights: reader.i8s(FIRST * WIDTH)?,
                second_biases: reader.i32s::<SECOND>()?,
                second_weights: reader.i8s(SECOND * SECOND)?,
                third_bias: reader.i32s::<1>()?[0],
                third_weights: reader.i8s(SECOND)?,
            }));
        }
        if !reader.bytes.is_empty() {
            return Err(NetworkError::Trailing { extra: reader.bytes.len() });
        }
        let biases = biases.into_iter().next().map(Box::new).unwrap_or_default();
        Ok(Network { description, biases, columns, psqt, stacks })
    }
}
