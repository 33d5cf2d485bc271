use std::path::PathBuf;

use thiserror::Error;

/// Why a file is not a network that can be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file could not be read.
    #[error("cannot read the network {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// Not a network, or one of another time.
    #[error(
        "the network has file version {found:#010x}; supported is {:#010x}, which \
         Stockfish 15.1 writes, and files that begin with {}",
        Self::VERSION,
        Self::MAGIC
    )]
    Version {
        /// What the file begins with.
        found: u32,
    },
    /// A network of another shape.
    #[error(
        "the network has architecture {found:#010x}; supported is {:#010x}, the one of Stockfish \
         15 and 15.1 (HalfKAv2_hm, 1024x2-15+1-32-1)",
        Self::ARCHITECTURE
    )]
    Architecture {
        /// The hash in the header.
        found: u32,
    },
    /// A network of our own of another version.
    #[error("the network begins with {found:?}; supported is {:?}", Self::MAGIC)]
    Magic {
        /// What the file begins with.
        found: String,
    },
    /// A network of our own of another shape.
    #[error("the network has {found} {what}; supported are {expected}")]
    Shape {
        /// What is counted.
        what: &'static str,
        /// How many the file says there are.
        found: u32,
        /// How many there must be.
        expected: usize,
    },
    /// The weights are not those that were written.
    #[error(
        "the network is corrupt: its weights have the checksum {found:#010x}, expected \
         {expected:#010x}"
    )]
    Checksum {
        /// The checksum of the weights.
        found: u32,
        /// The checksum that the file says they have.
        expected: u32,
    },
    /// The file ends too early.
    #[error("the network is truncated: {part} needs {needed} more bytes, found {found}")]
    Truncated {
        /// What was being read.
        part: &'static str,
        /// How many bytes it has.
        needed: usize,
        /// How many are left.
        found: usize,
    },
    /// A part does not begin with its own mark.
    #[error("the network is corrupt: {part} begins with {found:#010x}, expected {expected:#010x}")]
    Corrupt {
        /// Which part.
        part: &'static str,
        /// What it begins with.
        found: u32,
        /// What it should begin with.
        expected: u32,
    },
    /// There is more in the file than a network.
    #[error("the network is corrupt: {extra} bytes follow its end")]
    Trailing {
        /// How many.
        extra: usize,
    },
}

impl NetworkError {
    /// What networks of our own begin with.
    pub const MAGIC: &str = "OBSCURO1";
    /// The file version of Stockfish's networks that is supported.
    pub const VERSION: u32 = 0x7af3_2f20;
    /// The architecture of Stockfish's networks that is supported.
    pub const ARCHITECTURE: u32 = 0x1c10_2ef2;
}

/// Why settings cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SettingsError {
    /// The quiescence search would be too deep.
    #[error("the depth of the quiescence search must be 0 to {most}, found {found}")]
    Depth {
        /// What was asked for.
        found: u8,
        /// The most.
        most: u8,
    },
    /// No map onto [-1, +1].
    #[error("the scale must be a positive number of pawns, found {found}")]
    Scale {
        /// What was asked for.
        found: f32,
    },
    /// Too large a cache.
    #[error("the cache must have 2^0 to 2^{most} entries, found 2^{found}")]
    Cache {
        /// What was asked for.
        found: u8,
        /// The most.
        most: u8,
    },
}
