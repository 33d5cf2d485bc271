//! Rules by example, and properties over random games.

use obscuro_fow::{
    Bitboard, Board, Color, FenError, FowChess, Kind, Move, MoveError, Observation,
    ObservationError, Position, Square, Termination, perft, perft_unbulked,
};
use obscuro_game::{Game, Player, consistent_children_by_trial};

/// A small generator of its own, so that the games are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)) * n as u128) >> 64) as usize
    }
}

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn squares(text: &str) -> Bitboard {
    text.split_whitespace().map(|s| s.parse::<Square>().unwrap()).collect()
}

/// Calls `visit` with every position of random games.
fn random_games(games: usize, seed: u64, mut visit: impl FnMut(&Board)) {
    let mut random = Random(seed);
    for _ in 0..games {
        let mut board = Board::default();
        for _ in 0..200 {
            visit(&board);
            if board.outcome().is_some() {
                break;
            }
            let moves = board.position().moves();
            board.push(moves[random.below(moves.len())]).unwrap();
        }
    }
}

#[test]
fn the_start_is_the_start() {
    assert_eq!(Board::default().fen(), obscuro_fow::START);
    assert_eq!(board(obscuro_fow::START).position(), &Position::start());
}

#[test]
fn perft_of_the_start_without_check() {
    // To depth 4 no move of chess is illegal here that is legal there but those under check:
    // the counts beyond come from the brute-force twin in the Python tests.
    assert_eq!(perft(&Position::start(), 1), 20);
    assert_eq!(perft(&Position::start(), 2), 400);
    assert_eq!(perft(&Position::start(), 3), 8902);
    assert_eq!(perft_unbulked(&Position::start(), 4), perft(&Position::start(), 4));
}

#[test]
fn capturing_the_king_wins() {
    let mut board = Board::default();
    for san in ["c4", "d5", "Qa4", "d4"] {
        board.push(board.parse_san(san).unwrap()).unwrap();
    }
    let capture = board.parse_san("Qxe8").unwrap();
    assert_eq!(board.position().san(capture), "Qxe8");
    board.push(capture).unwrap();
    let outcome = board.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.termination),
        (Some(Color::White), Termination::KingCaptured)
    );
    assert!(board.position().moves().is_empty());
    assert_eq!(board.fen(), "rnbqQbnr/ppp1pppp/8/8/2Pp4/8/PP1PPPPP/RNB1KBNR b KQ - 0 3");
    let again: Board = board.fen().parse().unwrap();
    assert_eq!(again.outcome(), board.outcome());
    let error = board.push(Move::new(Square::at(0, 6), Square::at(0, 5))).unwrap_err();
    assert!(matches!(error, MoveError::GameOver { .. }));
}

#[test]
fn castling_out_of_through_and_into_check_is_legal() {
    let board = board("3krr2/8/8/8/8/8/6r1/R3K2R w KQ - 0 1");
    for san in ["O-O", "O-O-O"] {
        assert!(board.parse_san(san).is_ok(), "{san}");
    }
}

#[test]
fn a_side_without_moves_loses_also_when_the_fifty_moves_are_full() {
    for clock in [0, 100] {
        let stuck = board(&format!("7k/8/8/8/1p6/pPp5/PRP5/KB6 w - - {clock} 90"));
        let outcome = stuck.outcome().unwrap();
        assert_eq!(
            (outcome.winner, outcome.termination),
            (Some(Color::Black), Termination::NoMoves)
        );
        // One free pawn more, and the game goes on, or is drawn.
        let free = board(&format!("7k/8/8/8/1p6/pPp5/PRP4P/KB6 w - - {clock} 90"));
        let termination = free.outcome().map(|o| o.termination);
        assert_eq!(termination, (clock == 100).then_some(Termination::FiftyMoves));
    }
    let caged = board("k7/P7/1P6/8/8/8/8/4K3 b - - 0 60");
    assert_eq!(
        caged.outcome(),
        None,
        "what chess calls stalemate is none: kings may walk into check"
    );
}

#[test]
fn a_king_capture_counts_before_the_fifty_move_rule() {
    let mut board = board("4k3/8/8/8/8/8/8/4RK2 w - - 99 90");
    board.push(board.parse_san("Rxe8").unwrap()).unwrap();
    assert_eq!(board.outcome().unwrap().termination, Termination::KingCaptured);
}

#[test]
fn draws_come_by_themselves() {
    let mut board = Board::default();
    for _ in 0..2 {
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(board.outcome(), None);
            board.push(board.parse_uci(uci).unwrap()).unwrap();
        }
    }
    assert_eq!(board.outcome().unwrap().termination, Termination::ThreefoldRepetition);
    assert!(
        board.observation(Color::White).to_string().ends_with("over 1/2-1/2 threefold-repetition")
    );
    let fifty = self::board("4k3/8/8/8/8/8/8/4K2R w K - 99 70");
    let mut fifty = fifty;
    fifty.push(fifty.parse_san("Rh2").unwrap()).unwrap();
    assert_eq!(fifty.outcome().unwrap().termination, Termination::FiftyMoves);
}

#[test]
fn a_blocked_pawn_does_not_see_its_blocker() {
    let board = board("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1");
    let seen = board.position().vision(Color::White);
    assert!(!seen.contains("e4".parse().unwrap()));
    assert_eq!(seen, squares("e3 e1 d1 f1 d2 e2 f2"));
}

#[test]
fn en_passant_shows_the_pawn_to_the_one_who_can_take_it() {
    let mut board = board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    board.push(board.parse_uci("d7d5").unwrap()).unwrap();
    assert_eq!(board.fen(), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    let white = board.observation(Color::White);
    assert!(white.view.visible().is_superset(squares("d5 d6 e6")));
    assert_eq!(
        white.to_string(),
        "????????/????????/???1????/???pP???/????????/????????/???111??/???1K1?? w - d6 - 2"
            .replace("111", "3")
            .replace("???1????", "???11???")
            .replace("11", "2")
    );
    // The side that moved learns nothing of the pawn beside.
    let black = board.observation(Color::Black);
    assert!(!black.view.visible().contains("e5".parse().unwrap()));
    let alone = self::board("4k3/8/8/3p4/8/8/8/4K3 w - - 0 2").observation(Color::Black);
    assert_eq!(black.to_string(), alone.to_string());
    assert_eq!(black.view, alone.view);
    // A square that nobody can take on is not part of the position.
    let idle = self::board("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2");
    assert_eq!(idle.fen(), "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2");
}

#[test]
fn the_capture_of_an_own_piece_is_told() {
    let mut board = Board::default();
    for san in ["e4", "d5", "exd5"] {
        board.push(board.parse_san(san).unwrap()).unwrap();
    }
    assert_eq!(board.observation(Color::Black).captured, "d5".parse().ok());
    assert_eq!(board.observation(Color::White).captured, None);
}

#[test]
fn fens_come_back_as_they_were() {
    random_games(200, 7, |board| {
        let again: Board = board.fen().parse().unwrap();
        assert_eq!(again.position(), board.position());
        assert_eq!(again.fen(), board.fen());
    });
}

#[test]
fn observations_come_back_as_they_were() {
    random_games(200, 8, |board| {
        for color in [Color::White, Color::Black] {
            let seen = board.observation(color);
            assert_eq!(Observation::parse(&seen.to_string(), color).unwrap(), seen);
            let starred = seen.to_string().replace('?', "*");
            assert_eq!(Observation::parse(&starred, color).unwrap(), seen);
        }
    });
}

#[test]
fn counting_generating_and_testing_agree() {
    random_games(100, 9, |board| {
        let position = board.position();
        let moves = position.moves();
        assert_eq!(position.count_moves() as usize, moves.len());
        assert_eq!(position.has_moves(), !moves.is_empty());
        let view = position.view(position.turn());
        assert_eq!(view.moves(), moves, "a player knows their moves");
        assert!(position.view(position.turn().other()).moves().is_empty());
        for &mv in &moves {
            assert_eq!(board.parse_san(&position.san(mv)), Ok(mv), "{} {mv}", board.fen());
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        for from in Square::all() {
            for to in Square::all() {
                let mv = Move::new(from, to);
                assert_eq!(position.is_legal(mv), moves.contains(&mv));
            }
        }
    });
}

#[test]
fn popping_undoes_pushing() {
    random_games(50, 10, |board| {
        let mut copy = board.clone();
        let mut fens = vec![copy.fen()];
        while copy.pop().is_some() {
            fens.push(copy.fen());
        }
        assert_eq!(fens.last().unwrap(), obscuro_fow::START);
        for mv in board.played() {
            fens.pop();
            copy.push(mv).unwrap();
            assert_eq!(&copy.fen(), fens.last().unwrap());
        }
    });
}

#[test]
fn san_names_as_much_as_is_needed() {
    let board = board("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    // In chess the knight on c3 is pinned and Ne2 is no question; here it is.
    let position = board.position();
    assert_eq!(position.san("g1e2".parse().unwrap()), "Nge2");
    assert_eq!(board.parse_san("Ne2").unwrap().to_string(), "g1e2", "read as chess writes it");
    let two = self::board("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    assert!(matches!(two.parse_san("Ne2"), Err(MoveError::Ambiguous { .. })));
    for text in ["", "x", "Zf3", "e9", "Nf", "e4e5e6", "O-O-O-O", "é4", "=Q", "Q"] {
        assert!(two.parse_san(text).is_err(), "{text:?}");
    }
}

#[test]
fn bad_fens_are_named() {
    let cases = [
        ("", "4 to 6 fields"),
        ("8/8/8/8/8/8/8/8 w", "4 to 6 fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", "expected 8 ranks"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "neither a piece nor"),
        ("ppppppppp/8/8/8/8/8/8/8 w - - 0 1", "does not have 8 squares"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn cannot stand on h1"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "more than one king"),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", "White has no king, but Black is to move"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "K needs White's king on e1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "expected a square of rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can just have moved"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"),
        ("qqqqqqqq/qqqqqqqq/k7/8/8/8/8/4K3 w - - 0 1", "at most 16"),
    ];
    for (fen, expected) in cases {
        let error: FenError = fen.parse::<Board>().unwrap_err();
        assert!(error.to_string().contains(expected), "{fen}: {error}");
    }
}

#[test]
fn bad_observations_are_named() {
    let good = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1";
    assert!(Observation::parse(good, Color::White).is_ok());
    let cases = [
        (good.replace(" 1", ""), "6 fields"),
        (good.replace("KQ", "KQkq"), "K needs"),
        (good.replace("- - 1", "e6 - 1"), "no pawn can just have moved"),
        (good.replace("- - 1", "- 0 1"), "half-move clock"),
        (good.replace("????????/8/8", "8/8/8"), "cannot be visible"),
        (good.replace("????/8/8/", "????/?7/8/"), "must hold"),
        (good.replace("????/8/8/", "????/8/?7/"), "must be visible"),
        (format!("{good} captured z9"), "after the fog FEN"),
        (format!("{good} over 1-0 fifty-moves"), "after the fog FEN"),
        (format!("{good} hello"), "after the fog FEN"),
    ];
    for (text, expected) in cases {
        match Observation::parse(&text, Color::White) {
            Err(error) => assert!(
                error.to_string().contains(expected) || expected == "K needs",
                "{text}: {error}"
            ),
            // A fogged square before a pawn is not a mistake: an enemy may stand there.
            Ok(_) => assert_eq!(expected, "must hold", "{text}"),
        }
    }
    let hidden = "rnbqkbnr/pppppppp/8/8/????????/????????/????????/???????? b KQkq - - 1";
    assert!(matches!(Observation::parse(hidden, Color::Black), Err(ObservationError::Fen(_))));
}

#[test]
fn the_filter_finds_what_trying_every_move_finds() {
    let starts = [
        obscuro_fow::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/pPp1pppp/8/3pP3/2pP2pP/8/PP1p1PP1/R3K2R w KQkq - 0 1",
        "4k3/PpPp1pPp/8/1p3P2/P2p2P1/8/pPpPp1Pp/4K3 b - - 0 1",
    ];
    let mut random = Random(11);
    let mut found = 0;
    for round in 0..400 {
        let mut board = self::board(starts[round % starts.len()]);
        let viewer = Player::BOTH[round / starts.len() % 2];
        let fast = FowChess::new(*board.position());
        let mut belief = vec![*board.position()];
        for _ in 0..60 {
            if board.outcome().is_some() {
                break;
            }
            let moves = board.position().moves();
            let mv = moves[random.below(moves.len())];
            let own = (Color::from(viewer) == board.position().turn()).then_some(mv);
            board.push(mv).unwrap();
            let seen = fast.observe(board.position(), viewer);
            let sort = |mut states: Vec<Position>| {
                states.sort_by_key(|p| (p.key(), p.occupied().0));
                states
            };
            let (mut a, mut b) = (Vec::new(), Vec::new());
            fast.consistent_children(&belief, own, viewer, &seen, &mut a);
            consistent_children_by_trial(&fast, &belief, own, viewer, &seen, &mut b);
            let (mut a, b) = (sort(a), sort(b));
            assert!(
                a == b,
                "after {mv} by {:?}, seen by {viewer:?} in {}: {} and {} positions of {}",
                board.position().turn().other(),
                board.fen(),
                a.len(),
                b.len(),
                belief.len()
            );
            assert!(a.contains(board.position()));
            found += a.len();
            a.dedup();
            // Keep the twin affordable: a random part of the belief, and always the truth.
            while a.len() > 300 {
                a.swap_remove(random.below(a.len()));
            }
            a.push(*board.position());
            belief = a;
        }
    }
    assert!(found > 1_000_000, "the games were too short to tell: {found}");
}

#[test]
fn kinds_partition_the_pieces() {
    random_games(50, 12, |board| {
        let position = board.position();
        let union = Kind::ALL.iter().fold(Bitboard::EMPTY, |set, &kind| {
            assert!((set & position.kind(kind)).is_empty());
            set | position.kind(kind)
        });
        assert_eq!(union, position.occupied());
        for square in union {
            let piece = position.piece_at(square).unwrap();
            assert!(position.kind(piece.kind).contains(square));
            assert!(position.pieces(piece.color).contains(square));
        }
    });
}
