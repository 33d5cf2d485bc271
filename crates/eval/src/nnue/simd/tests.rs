use obscuro_game::SplitMix64;

use super::super::layers::{FIRST, Raw, SECOND, Stack};
use super::{Column, Simd};

fn column<const W: usize>(rng: &mut SplitMix64, size: i64) -> Column<W> {
    Column(std::array::from_fn(|_| {
        (rng.below(2 * size as usize + 1) as i64 - size).clamp(-32768, 32767) as i16
    }))
}

fn bytes(rng: &mut SplitMix64, len: usize) -> Vec<i8> {
    (0..len).map(|_| rng.next_u64() as i8).collect()
}

fn stack<const W: usize>(rng: &mut SplitMix64, bias: usize) -> Stack<W> {
    let number = |rng: &mut SplitMix64| rng.below(2 * bias) as i32 - bias as i32;
    Stack::new(&Raw {
        first_biases: std::array::from_fn::<_, FIRST, _>(|_| number(rng)),
        first_weights: bytes(rng, FIRST * W),
        second_biases: std::array::from_fn::<_, SECOND, _>(|_| number(rng)),
        second_weights: bytes(rng, SECOND * SECOND),
        third_bias: number(rng),
        third_weights: bytes(rng, SECOND),
    })
}

#[test]
fn all_instructions_add_the_same_columns_even_past_the_range() {
    add_the_same::<1024>();
    add_the_same::<256>();
}

fn add_the_same<const W: usize>() {
    let mut rng = SplitMix64::new(1);
    for (added, removed) in [(0, 0), (1, 1), (1, 2), (2, 2), (2, 1), (32, 0), (0, 32), (7, 9)] {
        for size in [300, 32768] {
            let from: Column<W> = column(&mut rng, size);
            let columns: Vec<_> = (0..added + removed).map(|_| column(&mut rng, size)).collect();
            let numbers: Vec<_> = (0..columns.len()).collect();
            let sums = Simd::available().into_iter().map(|simd| {
                let mut to = Column::default();
                let (plus, minus) = numbers.split_at(added);
                simd.accumulate(&columns, &from, &mut to, plus, minus);
                to.0
            });
            let sums: Vec<_> = sums.collect();
            let expected: Vec<i16> = (0..W)
                .map(|i| {
                    let plus: i64 = columns[..added].iter().map(|c| i64::from(c.0[i])).sum();
                    let minus: i64 = columns[added..].iter().map(|c| i64::from(c.0[i])).sum();
                    (i64::from(from.0[i]) + plus - minus) as i16
                })
                .collect();
            assert!(sums.iter().all(|sums| sums[..] == expected[..]));
        }
    }
}

#[test]
fn all_instructions_compute_the_same_layers_at_every_density() {
    compute_the_same::<1024>();
    compute_the_same::<256>();
}

fn compute_the_same<const W: usize>() {
    let mut rng = SplitMix64::new(2);
    for size in [0, 3, 40, 127, 128, 400, 5000, 32768] {
        for bias in [1, 3000, 1 << 22, 1 << 30] {
            let stack: Stack<W> = stack(&mut rng, bias);
            for _ in 0..20 {
                let (us, them) = (column(&mut rng, size), column(&mut rng, size));
                let outputs: Vec<_> = Simd::available()
                    .into_iter()
                    .map(|simd| simd.layers(&us, &them, &stack))
                    .collect();
                assert!(outputs.iter().all(|&o| o == outputs[0]), "{outputs:?} of size {size}");
            }
        }
    }
}

#[test]
fn the_extremes_of_sums_and_weights_do_not_saturate() {
    do_not_saturate::<1024>();
    do_not_saturate::<256>();
}

fn do_not_saturate<const W: usize>() {
    let most = Column([127; W]);
    for weight in [-128, 127] {
        let stack = Stack::new(&Raw {
            first_biases: [0; FIRST],
            first_weights: vec![weight; FIRST * W],
            second_biases: [0; SECOND],
            second_weights: vec![weight; SECOND * SECOND],
            third_bias: 0,
            third_weights: vec![weight; SECOND],
        });
        // Every product is 126; the straight output alone is W * 126 * weight * 9600 / 8128.
        let straight = W as i64 * 126 * i64::from(weight) * 9600 / 8128;
        let squared_and_straight: i64 = if weight > 0 { 30 * 127 } else { 15 * 127 };
        let second = ((squared_and_straight * i64::from(weight)) >> 6).clamp(0, 127);
        let expected = straight + 32 * second * i64::from(weight);
        for simd in Simd::available() {
            assert_eq!(i64::from(simd.layers(&most, &most, &stack)), expected, "{}", simd.name());
        }
    }
}
