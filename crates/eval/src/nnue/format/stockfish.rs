//! Stockfish 15.1's format: each part begins with a mark of its own.

use super::Reader;
use crate::NetworkError;
use crate::nnue::features::KingBuckets;
use crate::nnue::weights::{STOCKFISH_WIDTH, Weights};

const FEATURES_HASH: u32 = 0x7f23_44b8;
const STACK_HASH: u32 = 0x6333_6a4a;

/// The description and the weights.
pub(super) fn read(
    reader: &mut Reader<'_>,
) -> Result<(String, Weights<STOCKFISH_WIDTH>), NetworkError> {
    let found = reader.u32()?;
    if found != NetworkError::VERSION {
        return Err(NetworkError::Version { found });
    }
    let found = reader.u32()?;
    if found != NetworkError::ARCHITECTURE {
        return Err(NetworkError::Architecture { found });
    }
    let description = reader.description()?;
    let weights = reader.weights(KingBuckets::STOCKFISH, |reader, part| {
        let expected = if part == 0 { FEATURES_HASH } else { STACK_HASH };
        let found = reader.u32()?;
        if found == expected {
            Ok(())
        } else {
            Err(NetworkError::Corrupt { part: reader.part, found, expected })
        }
    })?;
    Ok((description, weights))
}
