use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::payoffs::Entry;

/// Dense rectangles of the payoff matrix, by shape.
#[derive(Clone, Debug, Default)]
pub(super) struct Tiles {
    shapes: Vec<Shape>,
    places: Vec<Place>,
    /// The numbers, tile after tile, equal tiles once. First for the first player's gradient:
    /// column by column; then for the second player's: negated, row by row.
    numbers: [Vec<f64>; 2],
}

/// Tiles with the same numbers of rows and columns.
#[derive(Clone, Debug)]
struct Shape {
    rows: usize,
    columns: usize,
    tiles: Range<usize>,
}

/// Where a tile is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The first row and the first column.
    first: [u32; 2],
    /// Where its numbers start.
    numbers: u32,
}

impl Tiles {
    /// Adds the tiles' part of the gradient of player number `player`. With `PRUNE`, tiles that
    /// the plan never reaches are skipped.
    pub(super) fn accumulate<const PRUNE: bool>(
        &self,
        player: usize,
        plan: &[f64],
        gradient: &mut [f64],
    ) {
        for shape in &self.shapes {
            let (own, other) = match player {
                0 => (shape.rows, shape.columns),
                _ => (shape.columns, shape.rows),
            };
            let pass = Pass {
                tiles: &self.places[shape.tiles.clone()],
                numbers: &self.numbers[player],
                player,
                other,
            };
            match own {
                1 => pass.fixed::<1, PRUNE>(plan, gradient),
                2 => pass.fixed::<2, PRUNE>(plan, gradient),
                3 => pass.fixed::<3, PRUNE>(plan, gradient),
                4 => pass.fixed::<4, PRUNE>(plan, gradient),
                5 => pass.fixed::<5, PRUNE>(plan, gradient),
                6 => pass.fixed::<6, PRUNE>(plan, gradient),
                7 => pass.fixed::<7, PRUNE>(plan, gradient),
                8 => pass.fixed::<8, PRUNE>(plan, gradient),
                _ => pass.any::<PRUNE>(own, plan, gradient),
            }
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.shapes.iter().flat_map(move |shape| {
            self.places[shape.tiles.clone()].iter().flat_map(move |tile| {
                let numbers =
                    &self.numbers[0][tile.numbers as usize..][..shape.rows * shape.columns];
                let place = move |i: usize| {
                    let (row, column) = (i % shape.rows, i / shape.rows);
                    (tile.first[0] + row as u32, tile.first[1] + column as u32)
                };
                numbers.iter().enumerate().filter(|(_, number)| **number != 0.0).map(
                    move |(i, &payoff)| {
                        let (row, column) = place(i);
                        Entry { row, column, payoff }
                    },
                )
            })
        })
    }

    /// How many entries the tiles cover, and how many numbers they share.
    pub(super) fn size(&self) -> (usize, usize) {
        let covered =
            self.shapes.iter().map(|shape| shape.rows * shape.columns * shape.tiles.len()).sum();
        (covered, self.numbers[0].len())
    }
}

/// The tiles of one shape, seen from one player.
struct Pass<'a> {
    tiles: &'a [Place],
    numbers: &'a [f64],
    player: usize,
    /// The other player's sequences in a tile.
    other: usize,
}

impl Pass<'_> {
    /// For tiles with `OWN` own sequences: their sums stay in registers.
    fn fixed<const OWN: usize, const PRUNE: bool>(&self, plan: &[f64], gradient: &mut [f64]) {
        for tile in self.tiles {
            let plan = &plan[tile.first[1 - self.player] as usize..][..self.other];
            if PRUNE && plan.iter().all(|&reach| reach == 0.0) {
                continue;
            }
            let numbers = &self.numbers[tile.numbers as usize..][..OWN * self.other];
            let (lines, _) = numbers.as_chunks::<OWN>();
            let mut sums = [0.0; OWN];
            for (line, reach) in lines.iter().zip(plan) {
                for (sum, number) in sums.iter_mut().zip(line) {
                    *sum += number * reach;
                }
            }
            let own = &mut gradient[tile.first[self.player] as usize..][..OWN];
            for (gain, sum) in own.iter_mut().zip(sums) {
                *gain += sum;
            }
        }
    }

    /// For tiles with any number of own sequences.
    fn any<const PRUNE: bool>(&self, own: usize, plan: &[f64], gradient: &mut [f64]) {
        for tile in self.tiles {
            let plan = &plan[tile.first[1 - self.player] as usize..][..self.other];
            let gradient = &mut gradient[tile.first[self.player] as usize..][..own];
            let numbers = &self.numbers[tile.numbers as usize..][..own * self.other];
            for (line, &reach) in numbers.chunks_exact(own).zip(plan) {
                if PRUNE && reach == 0.0 {
                    continue;
                }
                for (gain, number) in gradient.iter_mut().zip(line) {
                    *gain += number * reach;
                }
            }
        }
    }
}

/// Collects tiles in any order.
#[derive(Default)]
pub(super) struct TileBuilder {
    tiles: Vec<(usize, usize, Place)>,
    numbers: [Vec<f64>; 2],
    /// Tiles by the hash of their numbers: indexes into `tiles`.
    known: HashMap<u64, Vec<u32>, FixedState>,
}

impl TileBuilder {
    /// Adds a tile from its numbers, row by row.
    pub(super) fn add(&mut self, row: u32, column: u32, width: usize, dense: &[f64]) {
        let height = dense.len() / width;
        let bits = |i: usize| dense[i].to_bits();
        let hash = FixedState::default()
            .hash_one((width, (0..dense.len()).map(bits).collect::<Vec<u64>>()));
        let same = self.known.entry(hash).or_default();
        let known = same.iter().map(|&i| &self.tiles[i as usize]).find(|(rows, columns, tile)| {
            let numbers = self.numbers[1][tile.numbers as usize..].iter();
            (*rows, *columns) == (height, width)
                && numbers.zip(dense).all(|(a, b)| a.to_bits() == (-b).to_bits())
        });
        let numbers = if let Some((_, _, tile)) = known {
            tile.numbers
        } else {
            let start = self.numbers[0].len() as u32;
            for column in 0..width {
                self.numbers[0].extend((0..height).map(|row| dense[row * width + column]));
            }
            self.numbers[1].extend(dense.iter().map(|payoff| -payoff));
            same.push(self.tiles.len() as u32);
            start
        };
        self.tiles.push((height, width, Place { first: [row, column], numbers }));
    }

    pub(super) fn finish(mut self) -> Tiles {
        self.tiles.sort_by_key(|(rows, columns, tile)| (*rows, *columns, tile.first));
        let mut shapes: Vec<Shape> = Vec::new();
        let mut start = 0;
        for same in self.tiles.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let tiles = start..start + same.len();
            start = tiles.end;
            shapes.push(Shape { rows: same[0].0, columns: same[0].1, tiles });
        }
        let places = self.tiles.into_iter().map(|(_, _, place)| place).collect();
        Tiles { shapes, places, numbers: self.numbers }
    }
}
