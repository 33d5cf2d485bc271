//! Our own format: a magic word, the shape, a description, and weights with a checksum.

use super::Reader;
use crate::NetworkError;
use crate::nnue::features::KingBuckets;
use crate::nnue::layers::BUCKETS;
use crate::nnue::weights::{OWN_WIDTH, Weights};

/// What files of all versions of the format begin with.
pub(super) const FAMILY: &[u8] = b"OBSCURO";

/// The description and the weights.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<(String, Weights<OWN_WIDTH>), NetworkError> {
    let magic = reader.take(NetworkError::MAGIC.len())?;
    if magic != NetworkError::MAGIC.as_bytes() {
        let found = String::from_utf8_lossy(magic).into_owned();
        return Err(NetworkError::Magic { found });
    }
    let kings = KingBuckets::OWN;
    for (what, expected) in
        [("sums in each half", OWN_WIDTH), ("king buckets", kings.count()), ("stacks", BUCKETS)]
    {
        let found = reader.u32()?;
        if found as usize != expected {
            return Err(NetworkError::Shape { what, found, expected });
        }
    }
    let description = reader.description()?;
    reader.part = "the checksum";
    let expected = reader.u32()?;
    let rest = reader.bytes;
    let weights = reader.weights(kings, |_, _| Ok(()))?;
    // Last, since a file of another length has another checksum too.
    let found = crc32fast::hash(rest);
    if found == expected {
        Ok((description, weights))
    } else {
        Err(NetworkError::Checksum { found, expected })
    }
}
