//! A position with what is known of it, in 40 bytes.

use obscuro_fow::{Color, Position};

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// It occurred in a game.
    Game = 0,
    /// It is a few moves off a game.
    Wander = 1,
    /// It is such a one with pieces taken away, or elsewhere.
    Mutant = 2,
}

/// A position with its labels. All numbers are for the side to move.
///
/// In a file: the four words of [`Position::to_words`] (u64), static score (i16), score (i16), ply
/// (u16), outcome (i8) and source (u8), little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position: both kings are there.
    pub position: Position,
    /// The teacher's static score, within ±[`Record::MOST`]; [`Record::NONE`] before it was asked.
    pub static_score: i16,
    /// The score of the teacher's quiescence search; ±[`Record::DECIDED`] where the game is as
    /// good as over.
    pub score: i16,
    /// Plies from the beginning of the game.
    pub ply: u16,
    /// How the game ended: 1 won, 0 drawn, -1 lost.
    pub outcome: i8,
    /// Where the position comes from.
    pub source: Source,
}

impl Record {
    /// Bytes of a record in a file.
    pub const BYTES: usize = 40;
    /// The label of a position that has none yet.
    pub const NONE: i16 = i16::MIN;
    /// The score of a decided position.
    pub const DECIDED: i16 = i16::MAX;
    /// The largest score of others.
    pub const MOST: i32 = 32_000;

    /// The record as it is in a file.
    pub fn to_bytes(&self) -> [u8; Record::BYTES] {
        let mut bytes = [0; Record::BYTES];
        for (word, place) in self.position.to_words().iter().zip(bytes.as_chunks_mut::<8>().0) {
            *place = word.to_le_bytes();
        }
        bytes[32..34].copy_from_slice(&self.static_score.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.score.to_le_bytes());
        bytes[36..38].copy_from_slice(&self.ply.to_le_bytes());
        bytes[38] = self.outcome.cast_unsigned();
        bytes[39] = self.source as u8;
        bytes
    }

    /// The record that the bytes stand for; `None` if they are none, or if a king is missing.
    pub fn from_bytes(bytes: &[u8; Record::BYTES]) -> Option<Record> {
        let (words, _) = bytes.as_chunks::<8>();
        let words = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
        let position = Position::from_words(words)?;
        position.king(Color::White)?;
        position.king(Color::Black)?;
        let outcome = bytes[38].cast_signed();
        if !(-1..=1).contains(&outcome) {
            return None;
        }
        Some(Record {
            position,
            static_score: i16::from_le_bytes([bytes[32], bytes[33]]),
            score: i16::from_le_bytes([bytes[34], bytes[35]]),
            ply: u16::from_le_bytes([bytes[36], bytes[37]]),
            outcome,
            source: match bytes[39] {
                0 => Source::Game,
                1 => Source::Wander,
                2 => Source::Mutant,
                _ => return None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_it_was() {
        let record = Record {
            position: Position::start(),
            static_score: -1234,
            score: Record::DECIDED,
            ply: 517,
            outcome: -1,
            source: Source::Wander,
        };
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
    }

    #[test]
    fn bytes_that_are_no_record_are_refused() {
        let record = Record {
            position: Position::start(),
            static_score: 0,
            score: 0,
            ply: 0,
            outcome: 0,
            source: Source::Game,
        };
        let bytes = record.to_bytes();
        for (at, byte) in [(38, 2), (39, 3), (16, 0xff), (31, 0x0f)] {
            let mut broken = bytes;
            broken[at] = byte;
            assert_eq!(Record::from_bytes(&broken), None, "byte {at} is {byte}");
        }
        assert_eq!(Record::from_bytes(&[0; Record::BYTES]), None, "no kings");
    }
}
