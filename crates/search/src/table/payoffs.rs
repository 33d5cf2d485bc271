use super::tile::{TileBuilder, Tiles};
use super::walk::RawEnd;

/// A tile is worth its zeros if at least this part of it are entries.
const TILE_FILL: f64 = 0.35;
/// The largest tile, in entries.
const TILE_AREA: usize = 1 << 16;

/// The payoff matrix: the first player's expected payoff, chance weighed in, for every pair of
/// sequences at which the game ends.
///
/// The dense rectangles of it are kept as tiles, of which equal ones share their numbers; what is
/// left is kept as sparse rows, once by each player's sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct Payoffs {
    tiles: Tiles,
    rest: [SparseRows; 2],
    pub(super) entries: u64,
}

/// An entry of the payoff matrix.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) payoff: f64,
}

impl Payoffs {
    /// Sums up the ends of the game by pairs of sequences and lays the matrix out; `blocks` are
    /// the rows and columns that belong together.
    pub(super) fn new(
        ends: Vec<RawEnd>,
        renumbered: [&[u32]; 2],
        blocks: [&[u32]; 2],
        sequences: [usize; 2],
    ) -> Payoffs {
        let mut spare = Vec::new();
        let entries = merge(ends, renumbered, sequences, &mut spare);
        let count = entries.len() as u64;
        let (tiles, mut rest) = cut(&entries, blocks, sequences[1]);
        let by_row = SparseRows::new(rest.iter().map(|e| (e.row, e.column, e.payoff)));
        counting_sort(&mut rest, &mut spare, sequences[1], |entry| entry.column);
        let by_column = SparseRows::new(rest.iter().map(|e| (e.column, e.row, -e.payoff)));
        Payoffs { tiles, rest: [by_row, by_column], entries: count }
    }

    /// Adds to `gradient` what each sequence of player number `player` gains, for that player,
    /// against the other's plan.
    pub(super) fn accumulate(
        &self,
        player: usize,
        plan: &[f64],
        gradient: &mut [f64],
        prune: bool,
    ) {
        if prune {
            self.tiles.accumulate::<true>(player, plan, gradient);
        } else {
            self.tiles.accumulate::<false>(player, plan, gradient);
        }
        self.rest[player].accumulate(plan, gradient);
    }

    /// All entries that are not zero, in no particular order.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.tiles.entries().chain(self.rest[0].entries())
    }

    /// How many entries lie in tiles, zeros included, and how many numbers the tiles share.
    pub(super) fn tiled(&self) -> (usize, usize) {
        self.tiles.size()
    }
}

/// Entries sorted by row and column, one for each pair.
fn merge(
    ends: Vec<RawEnd>,
    renumbered: [&[u32]; 2],
    sequences: [usize; 2],
    spare: &mut Vec<Entry>,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = ends
        .into_iter()
        .map(|end| Entry {
            row: renumbered[0][end.sequences[0] as usize],
            column: renumbered[1][end.sequences[1] as usize],
            payoff: end.payoff,
        })
        .collect();
    counting_sort(&mut entries, spare, sequences[1], |entry| entry.column);
    counting_sort(&mut entries, spare, sequences[0], |entry| entry.row);
    entries.dedup_by(|later, kept| {
        let same = (later.row, later.column) == (kept.row, kept.column);
        if same {
            kept.payoff += later.payoff;
        }
        same
    });
    entries
}

/// A stable sort by a number below `limit`, by way of a second vector whose memory is kept.
fn counting_sort(
    entries: &mut Vec<Entry>,
    spare: &mut Vec<Entry>,
    limit: usize,
    key: impl Fn(&Entry) -> u32,
) {
    let mut places = vec![0u32; limit + 1];
    for entry in entries.iter() {
        places[key(entry) as usize + 1] += 1;
    }
    for i in 0..limit {
        places[i + 1] += places[i];
    }
    spare.resize(entries.len(), Entry::default());
    for entry in entries.iter() {
        let place = &mut places[key(entry) as usize];
        spare[*place as usize] = *entry;
        *place += 1;
    }
    std::mem::swap(entries, spare);
}

/// Cuts the dense rectangles out; returns them and the other entries that are not zero.
fn cut(entries: &[Entry], blocks: [&[u32]; 2], columns: usize) -> (Tiles, Vec<Entry>) {
    let mut block_of = vec![0u32; columns];
    for (block, ends) in blocks[1].windows(2).enumerate() {
        block_of[ends[0] as usize..ends[1] as usize].fill(block as u32);
    }
    let mut builder = TileBuilder::default();
    let mut rest = Vec::new();
    let mut dense = Vec::new();
    // Per block of columns: how many entries the rows have there; then, where in `dense` the tile
    // starts, plus one, or zero if there is none.
    let mut marks = vec![0usize; blocks[1].len()];
    let mut touched: Vec<u32> = Vec::new();
    let mut left = entries;
    for rows in blocks[0].windows(2) {
        let here;
        (here, left) = left.split_at(end_of_rows(left, rows[1]));
        for entry in here {
            let block = block_of[entry.column as usize];
            if marks[block as usize] == 0 {
                touched.push(block);
            }
            marks[block as usize] += 1;
        }
        let height = (rows[1] - rows[0]) as usize;
        let width = |block: u32| {
            let ends = &blocks[1][block as usize..][..2];
            (ends[1] - ends[0]) as usize
        };
        dense.clear();
        touched.retain(|&block| {
            let area = height * width(block);
            let count = std::mem::take(&mut marks[block as usize]);
            let worth = area > 1 && area <= TILE_AREA && count as f64 >= TILE_FILL * area as f64;
            if worth {
                marks[block as usize] = dense.len() + 1;
                dense.resize(dense.len() + area, 0.0);
            }
            worth
        });
        for entry in here {
            let block = block_of[entry.column as usize];
            if let Some(start) = marks[block as usize].checked_sub(1) {
                let row = (entry.row - rows[0]) as usize;
                let column = (entry.column - blocks[1][block as usize]) as usize;
                dense[start + row * width(block) + column] = entry.payoff;
            } else if entry.payoff != 0.0 {
                rest.push(*entry);
            }
        }
        for block in touched.drain(..) {
            let start = std::mem::take(&mut marks[block as usize]) - 1;
            let numbers = &dense[start..start + height * width(block)];
            builder.add(rows[0], blocks[1][block as usize], width(block), numbers);
        }
    }
    (builder.finish(), rest)
}

/// How many of the sorted entries lie in rows before `row`.
fn end_of_rows(entries: &[Entry], row: u32) -> usize {
    entries.iter().position(|entry| entry.row >= row).unwrap_or(entries.len())
}

/// Rows of a sparse matrix, empty ones left out.
#[derive(Clone, Debug, Default)]
struct SparseRows {
    rows: Vec<u32>,
    /// Where each row's entries end.
    ends: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseRows {
    /// Rows from entries (row, column, value) sorted by row.
    fn new(entries: impl Iterator<Item = (u32, u32, f64)>) -> Self {
        let mut sparse = SparseRows::default();
        for (row, column, value) in entries {
            if sparse.rows.last() != Some(&row) {
                sparse.rows.push(row);
                sparse.ends.push(sparse.columns.len() as u32);
            }
            sparse.columns.push(column);
            sparse.values.push(value);
            if let Some(end) = sparse.ends.last_mut() {
                *end += 1;
            }
        }
        sparse
    }

    fn accumulate(&self, plan: &[f64], gradient: &mut [f64]) {
        let (mut columns, mut values) = (self.columns.as_slice(), self.values.as_slice());
        let mut start = 0;
        for (&row, &end) in self.rows.iter().zip(&self.ends) {
            let length = (end - start) as usize;
            start = end;
            let (here, later) = columns.split_at(length);
            let (numbers, more) = values.split_at(length);
            (columns, values) = (later, more);
            gradient[row as usize] += dot(here, numbers, plan);
        }
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        self.rows.iter().zip(starts.zip(&self.ends)).flat_map(move |(&row, (start, &end))| {
            (start as usize..end as usize).map(move |i| Entry {
                row,
                column: self.columns[i],
                payoff: self.values[i],
            })
        })
    }
}

/// The product of a sparse row with the plan, in two sums that do not wait for each other.
#[inline]
fn dot(columns: &[u32], values: &[f64], plan: &[f64]) -> f64 {
    let (pairs, last) = columns.as_chunks::<2>();
    let (numbers, number) = values.as_chunks::<2>();
    let (mut even, mut odd) = (0.0, 0.0);
    for (column, value) in pairs.iter().zip(numbers) {
        even += value[0] * plan[column[0] as usize];
        odd += value[1] * plan[column[1] as usize];
    }
    if let ([column], [value]) = (last, number) {
        even += value * plan[*column as usize];
    }
    even + odd
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below `limit` that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % limit
        }
    }

    /// Starts of blocks of up to 12 sequences, and the end of the last.
    fn blocks(numbers: &mut Numbers) -> Vec<u32> {
        let mut starts = vec![0, 1];
        for _ in 0..8 {
            starts.push(starts[starts.len() - 1] + 1 + numbers.below(12) as u32);
        }
        starts
    }

    /// Products with matrices of dense, sparse and empty blocks, against the definition.
    #[test]
    fn products_are_those_of_the_plain_matrix() {
        for seed in 0..60 {
            let mut numbers = Numbers(seed);
            let cuts = [blocks(&mut numbers), blocks(&mut numbers)];
            let sizes = [0, 1].map(|player: usize| cuts[player][9] as usize);
            let mut plain = vec![vec![0.0; sizes[1]]; sizes[0]];
            let mut ends = Vec::new();
            for rows in cuts[0].windows(2) {
                for columns in cuts[1].windows(2) {
                    let density = [0, 0, 1, 5, 10][numbers.below(5) as usize];
                    for row in rows[0]..rows[1] {
                        for column in columns[0]..columns[1] {
                            while numbers.below(10) < density && numbers.below(8) > 0 {
                                let payoff = numbers.below(5) as f64 - 2.0;
                                plain[row as usize][column as usize] += payoff;
                                ends.push(RawEnd { sequences: [row, column], payoff });
                            }
                        }
                    }
                }
            }
            // The walk's numbers run backwards here.
            let turned = sizes.map(|size| (0..size as u32).rev().collect::<Vec<u32>>());
            for end in &mut ends {
                for (sequence, size) in end.sequences.iter_mut().zip(sizes) {
                    *sequence = size as u32 - 1 - *sequence;
                }
            }
            let payoffs = Payoffs::new(ends, [&turned[0], &turned[1]], [&cuts[0], &cuts[1]], sizes);
            assert!(payoffs.tiled().0 > 0 && !payoffs.rest[0].rows.is_empty());

            let mut plan = |size| (0..size).map(|_| numbers.below(3) as f64).collect::<Vec<f64>>();
            let plans = sizes.map(&mut plan);
            for prune in [false, true] {
                let mut gains = sizes.map(|size| vec![1.0; size]);
                payoffs.accumulate(0, &plans[1], &mut gains[0], prune);
                payoffs.accumulate(1, &plans[0], &mut gains[1], prune);
                for row in 0..sizes[0] {
                    let sum: f64 = (0..sizes[1]).map(|c| plain[row][c] * plans[1][c]).sum();
                    assert!((gains[0][row] - 1.0 - sum).abs() < 1e-9);
                }
                for column in 0..sizes[1] {
                    let sum: f64 = (0..sizes[0]).map(|r| plain[r][column] * plans[0][r]).sum();
                    assert!((gains[1][column] - 1.0 + sum).abs() < 1e-9);
                }
            }
            for entry in payoffs.entries() {
                plain[entry.row as usize][entry.column as usize] -= entry.payoff;
            }
            assert!(plain.iter().flatten().all(|left| *left == 0.0));
        }
    }
}
