"""The analysis of finished games: what it finds, and that each side knows only what it saw."""

import threading
from collections import Counter
from dataclasses import replace

import chess
import numpy as np
import pytest

import human_games
from obscuro.analysis import (
    AnalysedGame,
    Analysis,
    AnalysisSettings,
    Analyst,
    Background,
    BeliefReport,
    PlyReport,
    Thresholds,
    read_games,
)
from obscuro.analysis.side import Side
from obscuro.errors import AnalysisError
from obscuro.fow import STARTING_FEN, Board
from obscuro.players import Limits

NODES = 250
ENGINE = replace(AnalysisSettings().engine, nodes=NODES, eval="simple")
SETTINGS = AnalysisSettings(ENGINE, truth_depth=1, place_sample=50)
# A rook's pawn of Black's is not seen from White's side for a while.
HIDDEN = (
    ["g1f3", "a7a6", "b1c3", "h7h6", "h2h3", "b7b6"],
    ["g1f3", "h7h6", "b1c3", "a7a6", "h2h3", "b7b6"],
)


def game(moves: str | list[str]) -> AnalysedGame:
    return read_games(moves if isinstance(moves, str) else " ".join(moves))[0]


@pytest.fixture(scope="module")
def human() -> Analysis:
    """A real game, its first plies analysed from both sides."""
    played = next(one for one in human_games.human_games() if len(one.moves) > 40)
    analysis = Analysis(game(list(played.moves[:10])), SETTINGS)
    Analyst(analysis).run()
    return analysis


@pytest.fixture(scope="module")
def short() -> Analysis:
    """A game that ends with the king's capture."""
    analysis = Analysis(game("1. e4 e5 2. Qh5 Nf6 3. Qxf7 a6 4. Qxe8"), SETTINGS)
    Analyst(analysis).run()
    return analysis


def beliefs(analysis: Analysis) -> list[tuple[PlyReport, chess.Color, BeliefReport]]:
    return [
        (report, color, belief)
        for report in analysis.reports.values()
        for color in chess.COLORS
        if (belief := report.belief(color)) is not None
    ]


def test_every_ply_of_both_sides_is_there(human: Analysis, short: Analysis) -> None:
    for analysis in (human, short):
        assert sorted(analysis.reports) == list(range(analysis.total))
        assert analysis.is_complete
    assert all(report.search for report in human.reports.values())
    end = short.reports[7]
    assert (end.search, end.white, end.black, end.truth.value) == (None, None, None, 1.0)


def test_strategies_are_probabilities_of_the_legal_moves(human: Analysis) -> None:
    for ply, report in human.reports.items():
        assert report.search is not None
        moves = report.search.moves
        assert {m.move for m in moves} == {m.uci() for m in human.game.board(ply).legal_moves}
        assert sum(m.probability for m in moves) == pytest.approx(1, abs=0.01)
        assert sum(m.played for m in moves) == pytest.approx(1, abs=0.01)
        assert [m.probability for m in moves] == sorted(
            (m.probability for m in moves), reverse=True
        )


def test_values_are_within_the_scale(human: Analysis, short: Analysis) -> None:
    for report in [*human.reports.values(), *short.reports.values()]:
        values: list[float | None] = [report.truth.value, report.truth.played]
        if report.search is not None:
            values += [report.search.value, *(move.value for move in report.search.moves)]
        assert all(-1 <= value <= 1 for value in values if value is not None)


def test_marginals_are_those_of_all_positions_that_were_possible() -> None:
    """Against a twin that keeps every sequence of moves that shows the same."""
    moves = ["e2e4", "d7d5", "e4d5", "g8f6", "d2d4"]
    analysis = Analysis(game(moves), SETTINGS)
    Analyst(analysis).run()
    for color in chess.COLORS:
        possible = [Board()]
        for ply in range(len(moves) + 1):
            epds = {" ".join(board.fen().split()[:4]) for board in possible}
            report = analysis.reports[ply].belief(color)
            assert report is not None
            assert (report.size, report.exactness) == (len(epds), "exact")
            counts: Counter[tuple[str, str]] = Counter()
            for epd in epds:
                for square, piece in chess.BaseBoard(epd.split()[0]).piece_map().items():
                    if piece.color != color:
                        counts[piece.symbol(), chess.square_name(square)] += 1
            expected = {key: count / len(epds) for key, count in counts.items()}
            found = {
                (symbol, square): value
                for symbol, row in report.marginals.items()
                for square, value in row.items()
            }
            assert found == pytest.approx(
                {key: value for key, value in expected.items() if value >= 0.0001}, abs=0.0001
            )
            if ply < len(moves):
                possible = successors(possible, analysis.game.board(ply), moves[ply], color)


def successors(possible: list[Board], true: Board, move: str, color: chess.Color) -> list[Board]:
    """All boards that can come about and look as the true one does."""
    own = true.turn == color
    true.push_uci(move)
    wanted = str(true.observation(color))
    found = []
    for board in possible:
        for candidate in board.legal_moves:
            if own and candidate.uci() != move:
                continue
            child = board.copy()
            child.push(candidate)
            if str(child.observation(color)) == wanted:
                found.append(child)
    return found


def test_weights_and_boards_agree_with_the_observations(human: Analysis) -> None:
    for report, color, belief in beliefs(human):
        assert sum(board.weight for board in belief.boards) <= 1.001
        weights = [board.weight for board in belief.boards]
        assert weights == sorted(weights, reverse=True)
        for board in belief.boards:
            view = Board(f"{board.epd} 0 1").observation(color).fog_fen
            assert view.split()[:4] == report.sees(color).split()[:4]
        for row in (belief.weighted["K" if color == chess.BLACK else "k"], belief.marginals):
            assert row
        if belief.weighed:
            king = belief.weighted["K" if color == chess.BLACK else "k"]
            assert sum(king.values()) == pytest.approx(1, abs=0.01)


def test_the_truth_has_its_place_in_p(human: Analysis) -> None:
    for _, _, belief in beliefs(human):
        assert 1 <= belief.place.rank <= belief.place.of == belief.size
        assert 0 <= belief.place.share <= 1
        assert belief.place.estimated == (belief.size > SETTINGS.place_sample)
        listed = [board for board in belief.boards if board.is_truth]
        assert len(listed) <= 1
        if belief.truth_rank is not None:
            assert belief.truth_weight is not None
            assert 1 <= belief.truth_rank <= belief.weighed
            assert bool(listed) == (belief.truth_rank <= SETTINGS.boards)


def test_the_place_of_the_truth_counts_the_better_positions_for_the_opponent() -> None:
    """Against a count over all of P."""
    board = Board()
    side = Side(chess.WHITE, board, replace(SETTINGS, place_sample=10_000))
    for move in ["e2e4", "d7d5", "e4d5", "d8d5"]:
        mover = board.turn
        pushed = board.push_uci(move)
        side.observe(board.observation(chess.WHITE), pushed if mover else None)
    place = side.belief(board).place
    truth = side._values.leaf(board, chess.WHITE)
    values = [
        side._values.leaf(other, chess.WHITE)
        for other in side._belief
        if other.fen().split()[:4] != board.fen().split()[:4]
    ]
    before = sum(v < truth for v in values) + sum(v == truth for v in values) / 2
    assert place.rank == 1 + round(before)
    assert not place.estimated
    side.close()


def test_losses_are_not_negative_and_luck_is_bounded(human: Analysis, short: Analysis) -> None:
    judged = [one for a in (human, short) for one in a.review() if one.judgement is not None]
    assert len(judged) > 10
    for one in judged:
        assert one.judgement is not None
        assert 0 <= one.judgement.loss <= 2
        assert -2 <= one.judgement.luck <= 2


def test_leaving_the_king_to_the_queen_is_a_blunder_and_taking_it_is_none(short: Analysis) -> None:
    reviews = short.review()
    assert reviews[5].san == "a6"
    assert reviews[5].mark == "blunder"
    assert reviews[6].san == "Qxe8"
    assert reviews[6].mark is None
    assert reviews[6].judgement is not None
    assert reviews[6].judgement.loss == pytest.approx(0, abs=0.01)
    white, black = short.summaries()
    assert (white.moves, black.moves) == (4, 3)
    assert black.blunders >= 1
    assert white.mean_loss is not None
    assert black.mean_loss is not None
    assert black.mean_loss > white.mean_loss


def test_marks_follow_the_thresholds(short: Analysis) -> None:
    nothing = short.review(Thresholds(2.0, 2.0, 2.0, luck=2.0))
    assert not [one for one in nothing if one.mark and one.judgement and one.judgement.loss < 2]
    loss = next(one.judgement.loss for one in short.review() if one.judgement and one.mark)
    exactly = short.review(Thresholds(inaccuracy=loss, mistake=2.0, blunder=2.0))
    mark = next(one.mark for one in exactly if one.judgement and one.judgement.loss == loss)
    assert mark == ("blunder" if loss == 2 else "inaccuracy")


def test_luck_is_zero_where_nothing_is_hidden(short: Analysis) -> None:
    first = short.review()[0]
    assert first.size == 1
    assert first.judgement is not None
    assert first.judgement.luck == 0


def test_what_a_player_could_not_tell_apart_is_analysed_alike() -> None:
    """The leak test: two games that White sees alike give White the same numbers."""
    one, two = (Analysis(game(moves), SETTINGS) for moves in HIDDEN)
    for analysis in (one, two):
        Analyst(analysis).run()
    differs = 0
    for ply in range(len(HIDDEN[0]) + 1):
        a, b = one.reports[ply], two.reports[ply]
        assert a.white_sees == b.white_sees
        differs += a.fen != b.fen
        if a.turn == chess.WHITE:
            assert a.search is not None
            assert b.search is not None
            assert replace(a.search, seconds=0) == replace(b.search, seconds=0)
        assert a.white is not None
        assert b.white is not None
        # Where the truth stands is the analyst's own knowledge, and the only thing that may differ.
        assert without_truth(a.white) == without_truth(b.white)
    assert differs > 1


def without_truth(belief: BeliefReport) -> BeliefReport:
    blank = replace(belief.place, rank=0)
    boards = tuple(replace(board, is_truth=False) for board in belief.boards)
    return replace(belief, boards=boards, place=blank, truth_weight=None, truth_rank=None)


def test_an_analysis_goes_on_where_it_was_stopped() -> None:
    analysis = Analysis(game("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"), SETTINGS)
    analyst = Analyst(analysis)
    seen: list[int] = []

    def stop_at_three(report: PlyReport) -> None:
        seen.append(report.ply)
        if report.ply == 2:
            analyst.stop()

    analyst.run(stop_at_three)
    assert seen == sorted(analysis.reports) == [0, 1, 2]
    assert analyst.step() is None
    kept = Analysis.from_json(analysis.to_json())
    assert kept == analysis
    again = Analyst(kept)
    again.run()
    assert kept.is_complete
    assert [kept.reports[ply] for ply in range(3)] == [analysis.reports[ply] for ply in range(3)]
    analyst.resume()
    analyst.run()
    assert analysis.is_complete
    for ply in range(kept.total):
        one, two = kept.reports[ply], analysis.reports[ply]
        assert (one.white and one.white.size) == (two.white and two.white.size)


def test_the_same_analysis_comes_out_twice() -> None:
    found = []
    for _ in range(2):
        analysis = Analysis(game("1. e4 e5 2. Nf3"), SETTINGS)
        Analyst(analysis).run()
        found.append(
            [
                replace(r, search=r.search and replace(r.search, seconds=0))
                for r in analysis.reports.values()
            ]
        )
    assert found[0] == found[1]


def test_a_ply_is_deepened_and_the_others_stay(short: Analysis) -> None:
    analysis = replace(short, reports=dict(short.reports))
    before = dict(analysis.reports)
    old = before[4].search
    assert old is not None
    report = Analyst(analysis).deepen(4)
    assert report is not None
    assert report.search is not None
    assert report.search.nodes > 2 * old.nodes
    assert analysis.reports[4] is report
    assert report.black == before[4].black
    assert {ply: r for ply, r in analysis.reports.items() if ply != 4} == {
        ply: r for ply, r in before.items() if ply != 4
    }
    with pytest.raises(AnalysisError, match="ply 7 has no search"):
        Analyst(analysis).deepen(7)
    del analysis.reports[3]
    with pytest.raises(AnalysisError, match="ply 3 is not analysed yet"):
        Analyst(analysis).deepen(3)


def test_one_side_only_can_be_searched() -> None:
    analysis = Analysis(game("1. e4 e5 2. Nf3"), replace(SETTINGS, color="black"))
    Analyst(analysis).run()
    assert [report.search is not None for report in analysis.reports.values()] == [
        False,
        True,
        False,
        True,
    ]
    white = analysis.reports[2].white
    assert white is not None
    assert (white.weighed, white.truth_rank) == (0, None)
    assert white.boards
    assert np.isclose(sum(white.marginals["k"].values()), 1, atol=0.01)


def test_work_in_the_background_can_be_stopped_and_refuses_to_be_begun_twice() -> None:
    begun = threading.Event()
    settings = SETTINGS.with_limits(Limits(nodes=2000))
    work = Background(
        Analysis(game(" ".join(["g1f3 g8f6 f3g1 f6g8"] * 1)), settings), lambda _: begun.set()
    )
    work.start()
    assert begun.wait(60)
    if work.is_running:
        with pytest.raises(AnalysisError, match="is running already"):
            work.start()
    work.stop()
    assert not work.is_running
    done = len(work.analysis.reports)
    assert done >= 1
    work.deepen(0)
    work.join()
    first = work.analysis.reports[0].search
    assert first is not None
    assert first.nodes > 6000
    assert len(work.analysis.reports) == done


def test_what_goes_wrong_in_the_background_is_raised() -> None:
    work = Background(Analysis(game("1. e4"), SETTINGS))
    work.deepen(0)
    with pytest.raises(AnalysisError, match="not analysed yet"):
        work.join()
    work.join()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"color": "green"}, "color is 'green', expected white, black or both"),
        ({"truth_depth": 0}, "truth_depth is 0, expected a number of at least 1"),
        ({"boards": 0}, "boards is 0"),
        ({"warm_up": -1}, "warm_up is -1"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(AnalysisError, match=words):
        replace(AnalysisSettings(), **changes)  # type: ignore[arg-type]


def test_wrong_thresholds_are_refused() -> None:
    for wrong in ((0.2, 0.1, 0.4), (0, 0.1, 0.2), (0.1, 0.2, float("nan"))):
        with pytest.raises(AnalysisError, match="expected them to grow"):
            Thresholds(*wrong)


def test_a_start_position_and_black_to_move_first() -> None:
    start = "4k3/8/8/8/8/8/4q3/4K2R b - - 0 1"
    analysis = Analysis(AnalysedGame("a", "b", "*", "", start, ("e2e1",)), SETTINGS)
    Analyst(analysis).run()
    assert analysis.reports[0].turn == chess.BLACK
    assert analysis.reports[0].truth.value == -1.0
    assert analysis.reports[1].truth.value == -1.0
    assert STARTING_FEN not in {report.fen for report in analysis.reports.values()}
