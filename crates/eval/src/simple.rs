use obscuro_fow::{Color, Kind, Position};

use crate::StaticEvaluator;

/// The paper's simple evaluation: material, and the number of squares visible to each side.
///
/// Symmetric: the same position with colours exchanged has the same score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimpleEvaluator {
    /// Hundredths of a pawn for a pawn, knight, bishop, rook and queen.
    pub pieces: [i32; 5],
    /// Hundredths of a pawn for a visible square.
    pub square: i32,
}

impl Default for SimpleEvaluator {
    /// The usual piece values; 4 hundredths for a square.
    fn default() -> Self {
        SimpleEvaluator { pieces: [100, 320, 330, 500, 900], square: 4 }
    }
}

impl SimpleEvaluator {
    fn side(&self, position: &Position, color: Color) -> i32 {
        let own = position.pieces(color);
        let material: i32 = Kind::ALL
            .iter()
            .zip(self.pieces)
            .map(|(&kind, worth)| worth * (position.kind(kind) & own).len() as i32)
            .sum();
        material + self.square * position.vision(color).len() as i32
    }
}

impl StaticEvaluator for SimpleEvaluator {
    fn value(&mut self, position: &Position) -> i32 {
        let turn = position.turn();
        self.side(position, turn) - self.side(position, turn.other())
    }

    fn units_per_pawn(&self) -> f32 {
        100.0
    }

    fn fork(&self) -> Self {
        *self
    }
}
