//! Networks: what is refused, and that all ways to compute one give the same numbers.

mod common;

use std::sync::{Arc, LazyLock};

use obscuro_eval::{Network, NetworkError, NetworkEvaluator, Simd, StaticEvaluator};
use obscuro_fow::{Color, Position};

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| common::random_network(7));
static OWN_BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| common::random_own_network(8));
static NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| Arc::new(Network::parse(&BYTES).unwrap()));
static OWN: LazyLock<Arc<Network>> =
    LazyLock::new(|| Arc::new(Network::parse(&OWN_BYTES).unwrap()));

/// A network of each shape.
fn networks() -> [&'static Arc<Network>; 2] {
    [&NETWORK, &OWN]
}

fn alive(position: &Position) -> bool {
    position.king(Color::White).is_some() && position.king(Color::Black).is_some()
}

#[test]
fn the_description_is_read() {
    for network in networks() {
        assert_eq!(network.description(), "random");
    }
}

#[test]
fn the_first_bytes_tell_the_shape() {
    let shapes = networks().map(|network| (network.width(), network.king_buckets()));
    assert_eq!(shapes, [(1024, 32), (256, 16)]);
}

#[test]
fn files_that_are_no_network_are_refused_with_the_reason() {
    let text = |bytes: &[u8]| Network::parse(bytes).unwrap_err().to_string();
    assert_eq!(text(&[]), "the network is truncated: the header needs 4 more bytes, found 0");
    assert_eq!(
        text(b"rnbqkbnr"),
        "the network has file version 0x71626e72; supported is 0x7af32f20, which Stockfish 15.1 \
         writes, and files that begin with OBSCURO1"
    );
    let mut other = BYTES[..64].to_vec();
    other[4] ^= 1;
    assert_eq!(
        text(&other),
        "the network has architecture 0x1c102ef3; supported is 0x1c102ef2, the one of Stockfish \
         15 and 15.1 (HalfKAv2_hm, 1024x2-15+1-32-1)"
    );
    let path = std::path::Path::new("no/such/file.nnue");
    assert!(matches!(Network::open(path), Err(NetworkError::Io { .. })));
}

#[test]
fn a_network_cut_off_anywhere_is_truncated() {
    let len = BYTES.len();
    for cut in
        [3, 7, 11, 15, 21, 25, 3000, 1_000_000, len / 2, len - 141_000, len - 17_000, len - 1]
    {
        let found = Network::parse(&BYTES[..cut]);
        assert!(matches!(found, Err(NetworkError::Truncated { .. })), "{cut}: {found:?}");
    }
}

#[test]
fn a_part_out_of_place_is_corrupt() {
    let len = BYTES.len();
    for (at, part) in [(18, "the feature transformer"), (len - 17_640, "a layer stack")] {
        let mut bytes = BYTES.clone();
        bytes[at] ^= 0x10;
        let found = Network::parse(&bytes);
        assert!(matches!(found, Err(NetworkError::Corrupt { part: p, .. }) if p == part));
    }
    let mut longer = BYTES.clone();
    longer.extend([0; 3]);
    assert!(matches!(Network::parse(&longer), Err(NetworkError::Trailing { extra: 3 })));
    // A length of the description that reaches beyond the file.
    let mut bytes = BYTES.clone();
    bytes[11] = 0xff;
    assert!(matches!(Network::parse(&bytes), Err(NetworkError::Truncated { .. })));
}

#[test]
fn own_networks_that_cannot_be_used_are_refused_with_the_reason() {
    let text = |bytes: &[u8]| Network::parse(bytes).unwrap_err().to_string();
    let len = OWN_BYTES.len();
    let weights = 8 + 4 * 4 + 6 + 4;
    for cut in [7, 8, 11, 23, 25, weights - 1, weights, 3000, 1_000_000, len - 20_000, len - 1] {
        let found = Network::parse(&OWN_BYTES[..cut]);
        assert!(matches!(found, Err(NetworkError::Truncated { .. })), "{cut}: {found:?}");
    }
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = OWN_BYTES.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        text(&bytes)
    };
    assert_eq!(changed(7, b"2"), "the network begins with \"OBSCURO2\"; supported is \"OBSCURO1\"");
    assert_eq!(changed(9, &[2]), "the network has 512 sums in each half; supported are 256");
    assert_eq!(changed(12, &[32]), "the network has 32 king buckets; supported are 16");
    assert_eq!(changed(16, &[4]), "the network has 4 stacks; supported are 8");
    let mut longer = OWN_BYTES.clone();
    longer.extend([0; 3]);
    assert_eq!(text(&longer), "the network is corrupt: 3 bytes follow its end");
    for at in [weights - 4, weights, len / 2, len - 1] {
        let mut bytes = OWN_BYTES.clone();
        bytes[at] ^= 0x10;
        let found = Network::parse(&bytes);
        assert!(matches!(found, Err(NetworkError::Checksum { .. })), "{at}: {found:?}");
    }
}

#[test]
fn sums_carried_along_games_equal_sums_added_up_anew() {
    let all = networks().map(|network| Simd::available().into_iter().map(move |s| (network, s)));
    for (network, simd) in all.into_iter().flatten() {
        let mut anew = NetworkEvaluator::with_simd(Arc::clone(network), Simd::PORTABLE);
        let mut here = NetworkEvaluator::with_simd(Arc::clone(network), simd);
        for (seed, line) in common::random_positions(20, 80).into_iter().enumerate() {
            here.begin(&line[0]);
            for (ply, position) in line.iter().enumerate().filter(|(_, p)| alive(p)) {
                if ply > 0 {
                    here.push(position);
                }
                // Some plies are passed by: later ones then catch up.
                if (ply + seed) % 3 != 0 {
                    assert_eq!(Some(here.parts_here()), anew.parts_anew(position), "{seed} {ply}");
                }
            }
            for (ply, position) in line.iter().enumerate().rev().filter(|(_, p)| alive(p)) {
                assert_eq!(Some(here.parts_here()), anew.parts_anew(position), "{seed} {ply}");
                if ply > 0 {
                    here.pop();
                }
            }
        }
    }
}

#[test]
fn positions_that_are_no_child_are_served_all_the_same() {
    for network in networks() {
        let mut here = NetworkEvaluator::new(Arc::clone(network));
        let mut anew = NetworkEvaluator::new(Arc::clone(network));
        here.begin(&common::position(common::FENS[0]));
        for fen in common::FENS {
            let position = common::position(fen);
            here.push(&position);
            assert_eq!(Some(here.parts_here()), anew.parts_anew(&position), "{fen}");
        }
    }
}

#[test]
fn colours_exchanged_give_the_same_output() {
    // The network sees the board from the side to move.
    for network in networks() {
        let mut evaluator = NetworkEvaluator::new(Arc::clone(network));
        let white = evaluator.parts(&common::position("4k3/2n5/8/8/3P4/1B6/6P1/2K5 w - - 0 1"));
        let black = evaluator.parts(&common::position("2k5/6p1/1b6/3p4/8/8/2N5/4K3 b - - 0 1"));
        assert_eq!(white, black);
        assert!(white.is_some());
    }
}

#[test]
fn a_position_without_a_king_has_no_value_but_does_no_harm() {
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&NETWORK));
    let lost = common::position("8/8/8/8/8/8/5q2/4K3 b - - 0 1".replace('q', "k").as_str());
    let taken = lost.play("f2e1".parse().unwrap());
    assert!(taken.king(Color::White).is_none());
    assert_eq!(evaluator.parts(&taken), None);
    evaluator.begin(&lost);
    evaluator.push(&taken);
    let _ = evaluator.parts_here();
    let start = Position::start();
    let mut fresh = NetworkEvaluator::new(Arc::clone(&NETWORK));
    assert_eq!(evaluator.parts(&start), fresh.parts_anew(&start));
}
