//! What a teacher says of positions.

use obscuro_eval::{DepthOne, StaticEvaluator, WIN};
use obscuro_fow::Position;

use crate::Record;

/// Gives records the static score and the quiescence score of a teacher.
pub fn label<S: StaticEvaluator>(records: &mut [Record], teacher: &mut DepthOne<S>) {
    for record in records {
        (record.static_score, record.score) = label_from(&record.position, teacher);
    }
}

/// The static score and the quiescence score of a position.
pub fn label_from<S: StaticEvaluator>(
    position: &Position,
    teacher: &mut DepthOne<S>,
) -> (i16, i16) {
    let score = teacher.score(position);
    let statics = teacher.statics();
    statics.begin(position);
    (clipped(statics.value(position)), clipped(score))
}

fn clipped(score: i32) -> i16 {
    if score.abs() >= WIN {
        return Record::DECIDED * score.signum() as i16;
    }
    score.clamp(-Record::MOST, Record::MOST) as i16
}
