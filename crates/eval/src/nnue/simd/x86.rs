//! The arithmetic with the vector instructions of x86-64.
//!
//! Columns, activations and weights are arrays whose sizes are multiples of a register's; the
//! pointers stay within them.
#![allow(clippy::wildcard_imports, reason = "dozens of intrinsics, all with one prefix")]

/// The two sets of instructions differ in the register's size and in the dot product alone.
macro_rules! accumulate {
    ($features:literal, $register:ty, $load:ident, $store:ident, $add:ident, $sub:ident, $tile:literal) => {
        /// See [`Simd::accumulate`](super::super::Simd::accumulate).
        #[target_feature(enable = $features)]
        pub(in super::super) fn accumulate<const W: usize>(
            columns: &[Column<W>],
            from: &Column<W>,
            to: &mut Column<W>,
            added: &[usize],
            removed: &[usize],
        ) {
            const { assert!(W.is_multiple_of(LANES * 8)) }
            // As many registers at a time as there are, so that sums stay in them.
            if W.is_multiple_of(LANES * $tile) {
                tiles::<W, $tile>(columns, from, to, added, removed);
            } else {
                tiles::<W, 8>(columns, from, to, added, removed);
            }
        }

        const LANES: usize = size_of::<$register>() / 2;

        #[inline]
        #[target_feature(enable = $features)]
        fn tiles<const W: usize, const TILE: usize>(
            columns: &[Column<W>],
            from: &Column<W>,
            to: &mut Column<W>,
            added: &[usize],
            removed: &[usize],
        ) {
            for tile in 0..W / (LANES * TILE) {
                let at = |i: usize| (tile * TILE + i) * LANES;
                // SAFETY: at(i) + LANES is at most W, the length of every column.
                let load = |column: &Column<W>, i: usize| unsafe {
                    $load(column.0.as_ptr().add(at(i)).cast())
                };
                let mut sums: [$register; TILE] = std::array::from_fn(|i| load(from, i));
                for &number in added {
                    let column = &columns[number];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = $add(*sum, load(column, i));
                    }
                }
                for &number in removed {
                    let column = &columns[number];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = $sub(*sum, load(column, i));
                    }
                }
                for (i, sum) in sums.iter().enumerate() {
                    // SAFETY: as for the loads.
                    unsafe { $store(to.0.as_mut_ptr().add(at(i)).cast(), *sum) };
                }
            }
        }
    };
}

pub(super) mod avx512 {
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    use super::super::{Aligned, Column};
    use crate::nnue::layers::{FIRST, Stack, straight};

    accumulate!(
        "avx512f,avx512bw,avx512vl,avx512vnni",
        __m512i,
        _mm512_load_si512,
        _mm512_store_si512,
        _mm512_add_epi16,
        _mm512_sub_epi16,
        16
    );

    /// Up to this width it costs more to find out which inputs are zero than to multiply them.
    const DENSE: usize = 256;

    /// The outputs of the first layer from all inputs, zero or not.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn dense<const W: usize>(us: &Column<W>, them: &Column<W>, stack: &Stack<W>) -> __m512i {
        const { assert!(W.is_multiple_of(128)) }
        let mut inputs = Aligned([MaybeUninit::<u8>::uninit(); W]);
        for (half, sums) in [us, them].into_iter().enumerate() {
            for block in 0..W / 128 {
                let packed = block_of_products(sums, block);
                // SAFETY: the blocks of both halves are W bytes.
                unsafe {
                    let at = half * W / 2 + 64 * block;
                    _mm512_store_si512(inputs.0.as_mut_ptr().add(at).cast(), packed);
                }
            }
        }
        // SAFETY: 16 numbers of 32 bits, aligned.
        let biases = unsafe { _mm512_load_si512(stack.first_biases.0.as_ptr().cast()) };
        // Four sums at a time, since one dot product takes longer than issuing the next.
        let mut sums =
            [biases, _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()];
        for number in 0..W / 4 {
            // SAFETY: all W inputs are written; the weights of a chunk are 64 bytes of 16 * W, aligned.
            unsafe {
                let input = inputs.0.as_ptr().add(4 * number).cast::<[u8; 4]>().read();
                let weights = stack.first_weights.0.as_ptr().add(4 * number).cast();
                let input = _mm512_set1_epi32(i32::from_le_bytes(input));
                let sum = &mut sums[number % 4];
                *sum = _mm512_dpbusd_epi32(*sum, input, _mm512_load_si512(weights));
            }
        }
        _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]))
    }

    /// 64 products of clipped sums; see [`portable`](super::super::portable).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn block_of_products<const W: usize>(sums: &Column<W>, block: usize) -> __m512i {
        assert!(block < W / 128);
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(127));
        // Packing works within quarters of the register: this puts them in order.
        let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        let clipped = |at: usize| {
            // SAFETY: there are W / 128 blocks in each half of the sums, so that at is at most
            // W - 32.
            let sums = unsafe { _mm512_load_si512(sums.0.as_ptr().add(at).cast()) };
            _mm512_min_epi16(_mm512_max_epi16(sums, zero), most)
        };
        let product = |at: usize| {
            _mm512_srli_epi16::<7>(_mm512_mullo_epi16(clipped(at), clipped(at + W / 2)))
        };
        let packed = _mm512_packus_epi16(product(64 * block), product(64 * block + 32));
        _mm512_permutexvar_epi64(order, packed)
    }

    /// The inputs of the first layer, and which of their chunks of four are not all zero.
    struct Inputs<const W: usize> {
        chunks: Aligned<[MaybeUninit<u8>; W]>,
        /// Of these W / 4 + 16 are used: every lane of a vector is written, though only the active
        /// ones count.
        active: [MaybeUninit<u32>; W],
        count: usize,
    }

    /// Clips and multiplies; see [`portable`](super::super::portable).
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn products<const W: usize>(us: &Column<W>, them: &Column<W>, inputs: &mut Inputs<W>) {
        const { assert!(W.is_multiple_of(128) && W / 4 + 16 <= W) }
        let mut numbers = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        let mut count = 0;
        for (half, sums) in [us, them].into_iter().enumerate() {
            for block in 0..W / 128 {
                let packed = block_of_products(sums, block);
                let mask = _mm512_test_epi32_mask(packed, packed);
                let active = _mm512_maskz_compress_epi32(mask, numbers);
                // SAFETY: the blocks of both halves are W bytes. `count` is at most the number
                // of chunks before this block's, and its 16 fit behind them.
                unsafe {
                    let at = half * W / 2 + 64 * block;
                    _mm512_store_si512(inputs.chunks.0.as_mut_ptr().add(at).cast(), packed);
                    _mm512_storeu_si512(inputs.active.as_mut_ptr().add(count).cast(), active);
                }
                count += mask.count_ones() as usize;
                numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
            }
        }
        inputs.count = count;
    }

    /// See [`Simd::layers`](super::super::Simd::layers).
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    pub(in super::super) fn layers<const W: usize>(
        us: &Column<W>,
        them: &Column<W>,
        stack: &Stack<W>,
    ) -> i32 {
        if W <= DENSE {
            return finish(dense(us, them, stack), stack);
        }
        let mut inputs = Inputs {
            chunks: Aligned([MaybeUninit::uninit(); W]),
            active: [MaybeUninit::uninit(); W],
            count: 0,
        };
        products(us, them, &mut inputs);
        let contribution = |sum, number: &MaybeUninit<u32>| {
            // SAFETY: `products` has written all chunks and the first `count` numbers, which are
            // below W / 4; the weights of a chunk are 64 bytes of 16 * W, aligned.
            unsafe {
                let number = number.assume_init() as usize;
                let input = inputs.chunks.0.as_ptr().add(4 * number).cast::<[u8; 4]>().read();
                let weights = stack.first_weights.0.as_ptr().add(4 * number).cast();
                let input = _mm512_set1_epi32(i32::from_le_bytes(input));
                _mm512_dpbusd_epi32(sum, input, _mm512_load_si512(weights))
            }
        };
        // Four sums at a time, since one dot product takes longer than issuing the next.
        let mut sums = [_mm512_setzero_si512(); 4];
        let (fours, rest) = inputs.active[..inputs.count].as_chunks::<4>();
        for four in fours {
            for (sum, number) in sums.iter_mut().zip(four) {
                *sum = contribution(*sum, number);
            }
        }
        for number in rest {
            sums[0] = contribution(sums[0], number);
        }
        // SAFETY: 16 numbers of 32 bits, aligned.
        let biases = unsafe { _mm512_load_si512(stack.first_biases.0.as_ptr().cast()) };
        let left = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), biases);
        let sum = _mm512_add_epi32(left, _mm512_add_epi32(sums[2], sums[3]));
        finish(sum, stack)
    }

    /// All that follows the first layer, whose outputs are `first`; see
    /// [`squeeze`](crate::nnue::layers::squeeze) and [`Stack::finish`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn finish<const W: usize>(first: __m512i, stack: &Stack<W>) -> i32 {
        let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi32(127));
        let clip =
            |sums| _mm512_min_epi32(_mm512_max_epi32(_mm512_srai_epi32::<6>(sums), zero), most);
        // Past 2^13 the square is clipped all the same.
        let bound = _mm512_set1_epi32(1 << 13);
        let small = _mm512_max_epi32(_mm512_sub_epi32(zero, bound), _mm512_min_epi32(first, bound));
        let squared = _mm512_srli_epi32::<19>(_mm512_mullo_epi32(small, small));
        let mut inputs = Aligned([[0; FIRST]; 2]);
        let [left, right] = &mut inputs.0;
        // SAFETY: 16 bytes each.
        unsafe {
            let squared = _mm512_cvtepi32_epi8(_mm512_min_epi32(squared, most));
            _mm_store_si128(left.as_mut_ptr().cast(), squared);
            _mm_store_si128(right.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(clip(first)));
        }
        let (chunks, _) = inputs.0.as_flattened().as_chunks::<4>();

        let mut total = zero;
        for half in 0..2 {
            let load = |at: *const i32| {
                // SAFETY: each half of the biases and of the third layer's weights is 64 bytes,
                // aligned.
                unsafe { _mm512_load_si512(at.add(16 * half).cast()) }
            };
            // Two sums, since one dot product takes longer than issuing the next.
            let mut sums = [load(stack.second_biases.0.as_ptr()), zero];
            for (i, (chunk, weights)) in chunks.iter().zip(&stack.second_weights).enumerate() {
                let input = _mm512_set1_epi32(i32::from_le_bytes(*chunk));
                // SAFETY: each half of the weights of a chunk is 64 bytes, aligned.
                let weights =
                    unsafe { _mm512_load_si512(weights.0.as_ptr().add(64 * half).cast()) };
                sums[i % 2] = _mm512_dpbusd_epi32(sums[i % 2], input, weights);
            }
            let second = clip(_mm512_add_epi32(sums[0], sums[1]));
            let weights = load(stack.third_weights.0.as_ptr());
            total = _mm512_add_epi32(total, _mm512_mullo_epi32(second, weights));
        }
        let last = _mm_extract_epi32::<3>(_mm512_extracti32x4_epi32::<3>(first));
        stack.third_bias.wrapping_add(_mm512_reduce_add_epi32(total)).wrapping_add(straight(last))
    }
}

pub(super) mod avx2 {
    use std::arch::x86_64::*;

    use super::super::{Aligned, Column};
    use crate::nnue::layers::{FIRST, SECOND, Stack, squeeze};

    accumulate!(
        "avx2",
        __m256i,
        _mm256_load_si256,
        _mm256_store_si256,
        _mm256_add_epi16,
        _mm256_sub_epi16,
        8
    );

    /// See [`portable`](super::super::portable); 32 products at a time.
    #[target_feature(enable = "avx2")]
    fn products<const W: usize>(sums: &Column<W>, out: &mut [u8; W], offset: usize) {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(127));
        let clipped = |at: usize| {
            // SAFETY: at is at most W - 16.
            let sums = unsafe { _mm256_load_si256(sums.0.as_ptr().add(at).cast()) };
            _mm256_min_epi16(_mm256_max_epi16(sums, zero), most)
        };
        let product = |at: usize| {
            _mm256_srli_epi16::<7>(_mm256_mullo_epi16(clipped(at), clipped(at + W / 2)))
        };
        let out = &mut out[offset..offset + W / 2];
        for (i, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let packed = _mm256_packus_epi16(product(32 * i), product(32 * i + 16));
            // Packing works within halves of the register: put the quarters in order.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            // SAFETY: `out` is 32 bytes.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), packed) };
        }
    }

    /// `sum` plus the products of four inputs and eight outputs' weights.
    ///
    /// Inputs are below 128, so that two products fit 16 bits.
    #[target_feature(enable = "avx2")]
    fn dot(sum: __m256i, inputs: [u8; 4], weights: &[i8; 32]) -> __m256i {
        let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs));
        // SAFETY: 32 bytes.
        let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
        let pairs = _mm256_maddubs_epi16(inputs, weights);
        _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    #[target_feature(enable = "avx2")]
    fn load(from: &[i32; 8]) -> __m256i {
        // SAFETY: 32 bytes.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    fn store(to: &mut [i32; 8], sum: __m256i) {
        // SAFETY: 32 bytes.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), sum) };
    }

    /// See [`Simd::layers`](super::super::Simd::layers).
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn layers<const W: usize>(
        us: &Column<W>,
        them: &Column<W>,
        stack: &Stack<W>,
    ) -> i32 {
        let mut inputs = Aligned([0; W]);
        products(us, &mut inputs.0, 0);
        products(them, &mut inputs.0, W / 2);

        let (chunks, _) = inputs.0.as_chunks::<4>();
        let weights = stack.first_chunks();
        let mut sums = [_mm256_setzero_si256(); 4];
        let mut add = |number: usize, at: usize| {
            let (halves, _) = weights[number].as_chunks::<32>();
            sums[at] = dot(sums[at], chunks[number], &halves[0]);
            sums[at + 1] = dot(sums[at + 1], chunks[number], &halves[1]);
        };
        for (block, bytes) in inputs.0.as_chunks::<32>().0.iter().enumerate() {
            // SAFETY: 32 bytes.
            let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
            let active = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
            let mut mask = _mm256_movemask_ps(_mm256_castsi256_ps(active)) as u32;
            // Two at a time, into different sums.
            while mask != 0 {
                add(8 * block + mask.trailing_zeros() as usize, 0);
                mask &= mask - 1;
                if mask == 0 {
                    break;
                }
                add(8 * block + mask.trailing_zeros() as usize, 2);
                mask &= mask - 1;
            }
        }
        let mut first = Aligned([0; FIRST]);
        let (biases, _) = stack.first_biases.0.as_chunks::<8>();
        for (i, out) in first.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let sum = _mm256_add_epi32(sums[i], sums[i + 2]);
            store(out, _mm256_add_epi32(sum, load(&biases[i])));
        }

        let inputs = squeeze(&first.0);
        let mut second = Aligned([0; SECOND]);
        let (biases, _) = stack.second_biases.0.as_chunks::<8>();
        for (i, out) in second.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut sum = load(&biases[i]);
            for (chunk, weights) in inputs.0.as_chunks::<4>().0.iter().zip(&stack.second_weights) {
                sum = dot(sum, *chunk, &weights.0.as_chunks::<32>().0[i]);
            }
            store(out, sum);
        }
        stack.finish(&first.0, &second.0)
    }
}
