//! The arithmetic: the same numbers with three sets of instructions.
//!
//! The only module of this crate with unsafe code. [`portable`] is plain and defines the numbers;
//! tests find the others equal to it.
#![expect(unsafe_code, reason = "vector instructions; each call and pointer says why it is sound")]

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::layers::Stack;

/// One number for each of the `W` sums of one half of a network: the weights of an input, or the
/// sums themselves. `W` is a multiple of 256.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Column<const W: usize>(pub(crate) [i16; W]);

impl<const W: usize> Default for Column<W> {
    fn default() -> Self {
        const { assert!(W.is_multiple_of(256), "whole registers of all instructions") }
        Column([0; W])
    }
}

/// Bytes that vector instructions read.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// The instructions that the arithmetic uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(Level);

/// A [`Simd`] is made only with a level that the processor has: what the unsafe calls rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// Plain code, as fast as the compiler makes it.
    pub const PORTABLE: Simd = Simd(Level::Portable);

    /// The fastest that this processor has.
    #[must_use]
    pub fn detect() -> Simd {
        Simd::available().pop().unwrap_or(Simd::PORTABLE)
    }

    /// All that this processor has, slowest first.
    #[must_use]
    pub fn available() -> Vec<Simd> {
        let mut all = vec![Simd::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Simd(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                all.push(Simd(Level::Avx512));
            }
        }
        all
    }

    /// `portable`, `AVX2` or `AVX-512 VNNI`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512 VNNI",
        }
    }

    /// `to` becomes `from` plus the columns `added` minus the columns `removed`, modulo 2^16.
    #[inline]
    pub(crate) fn accumulate<const W: usize>(
        self,
        columns: &[Column<W>],
        from: &Column<W>,
        to: &mut Column<W>,
        added: &[usize],
        removed: &[usize],
    ) {
        match self.0 {
            Level::Portable => portable::accumulate(columns, from, to, added, removed),
            // SAFETY: the level says that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { x86::avx2::accumulate(columns, from, to, added, removed) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { x86::avx512::accumulate(columns, from, to, added, removed) },
        }
    }

    /// What the layers make of the sums of both halves, those of the side to move first.
    #[inline]
    pub(crate) fn layers<const W: usize>(
        self,
        us: &Column<W>,
        them: &Column<W>,
        stack: &Stack<W>,
    ) -> i32 {
        match self.0 {
            Level::Portable => portable::layers(us, them, stack),
            // SAFETY: the level says that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { x86::avx2::layers(us, them, stack) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { x86::avx512::layers(us, them, stack) },
        }
    }
}

#[cfg(test)]
mod tests;
