"""What results say, against fastchess' own test values and derivations that share no code."""

import math
from collections.abc import Sequence

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obscuro.errors import MatchError
from obscuro.match import Counts, GameLine, Sprt, count, elo_of, score_of
from obscuro.match.ratings import Meeting, meetings, rate
from obscuro.match.statistics import mean_interval, quantiles, wilson


def pentanomial(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Counts:
    return Counts(
        wins=2 * ww + wd + wl,
        draws=ld + wd + 2 * dd,
        losses=2 * ll + ld + wl,
        pairs=(ll, ld, wl + dd, wd, ww),
        drawn_pairs=dd,
    )


# Wins, draws and losses with what fastchess prints: normalised Elo, its error, and LOS.
@pytest.mark.parametrize(
    ("counts", "nelo", "nelo_error", "los"),
    [
        (Counts(76, 123, 89), -20.76, 40.13, 15.53),
        (Counts(136, 111, 96), 49.77, 36.77, 99.60),
        (Counts(34, 0, 356), -508.44, 34.48, 0.0),
        (pentanomial(34, 54, 31, 32, 64, 75), 57.94, 28.28, 100.0),
        (pentanomial(332, 433, 457, 41, 333, 334), -9.17, 10.96, 5.05),
        (pentanomial(7895, 8757, 5485, 200, 568, 9999), -19.01, 2.65, 0.0),
    ],
)
def test_normalised_elo_and_superiority_are_fastchess(
    counts: Counts, nelo: float, nelo_error: float, los: float
) -> None:
    assert counts.normalized_elo.value == pytest.approx(nelo, abs=0.01)
    assert counts.normalized_elo.error == pytest.approx(nelo_error, abs=0.01)
    assert 100 * counts.superiority == pytest.approx(los, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        (Counts(136, 111, 96), 40.70, 30.43),
        (pentanomial(34, 54, 31, 32, 64, 75), 55.58, 27.65),
        (pentanomial(332, 433, 457, 41, 333, 334), -8.64, 10.33),
        (pentanomial(7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_is_fastchess(counts: Counts, elo: float, error: float) -> None:
    assert counts.elo.value == pytest.approx(elo, abs=0.01)
    assert counts.elo.error == pytest.approx(error, abs=0.01)


# Elo bounds, model, and the ratio that fastchess' tests expect, to two digits.
@pytest.mark.parametrize(
    ("elo0", "elo1", "model", "counts", "expected"),
    [
        (0, 2, "normalized", Counts(36433, 68692, 36027), 0.92),
        (-1.75, 0.25, "normalized", Counts(10871, 20431, 10650), 2.30),
        (0.5, 2.5, "logistic", Counts(21404, 40708, 21184), -1.57),
        (0, 2, "logistic", Counts(57433, 106593, 57030), -2.59),
        (0, 2, "bayesian", Counts(68965, 128429, 68526), -1.26),
        (0.5, 2.5, "bayesian", Counts(21629, 41111, 21484), -1.13),
        (0, 2, "normalized", pentanomial(365, 16618, 36029, 200, 16974, 390), 2.25),
        (-1.75, 0.25, "normalized", pentanomial(127, 4883, 10311, 401, 5150, 104), 3.01),
        (0.5, 2.5, "logistic", pentanomial(223, 9863, 20279, 1000, 10037, 246), -3.07),
        (0, 2, "logistic", pentanomial(871, 26175, 55003, 980, 26678, 821), -4.98),
    ],
)
def test_sprt_is_fastchess(
    elo0: float, elo1: float, model: str, counts: Counts, expected: float
) -> None:
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(expected, abs=0.006)


NELO = 800 / math.log(10)


def best_trinomial(losses: float, draws: float, wins: float, ratio: float) -> float:
    """The largest log-likelihood of which the mean is `ratio` standard deviations above 1/2.

    With s the share of decided games, the condition gives how much more are won than lost; what
    remains is one dimension, which is searched through.
    """
    decided = np.geomspace(1e-11, 1, 100_001)[:-1]
    more = ratio * np.sqrt(decided) / (2 * math.sqrt(1 + ratio**2))
    low, high, drawn = decided / 2 - more, decided / 2 + more, 1 - decided
    possible = (low > 0) & (high > 0)
    low, high, drawn = low[possible], high[possible], drawn[possible]
    return float(np.max(losses * np.log(low) + draws * np.log(drawn) + wins * np.log(high)))


@settings(max_examples=10, deadline=None)
@given(
    numbers=st.tuples(*[st.integers(0, 400)] * 3).filter(any),
    elo0=st.floats(-600, 0),
    elo1=st.floats(1, 900),
)
def test_normalised_sprt_is_the_ratio_of_the_largest_likelihoods(
    numbers: tuple[int, int, int], elo0: float, elo1: float
) -> None:
    # What has not occurred counts a thousandth.
    low, drawn, high = (max(number, 1e-3) for number in numbers)
    twin = best_trinomial(low, drawn, high, elo1 / NELO)
    twin -= best_trinomial(low, drawn, high, elo0 / NELO)
    losses, draws, wins = numbers
    found = Sprt(elo0, elo1).llr(Counts(wins, draws, losses))
    assert found == pytest.approx(twin, abs=5e-3, rel=2e-3)


def best_pentanomial(numbers: Sequence[float], ratio: float) -> float:
    """As above: for every mean the variance is given, and the inner problem has two multipliers."""
    scores, n = np.array([0, 0.25, 0.5, 0.75, 1]), np.array(numbers, dtype=float)

    def inner(mean: float) -> float:
        rows = np.stack([scores - mean, (scores - mean) ** 2 - ((mean - 0.5) / ratio) ** 2])
        theta = np.zeros(2)
        for _ in range(25):
            shares = n / n.sum() / (1 + theta @ rows)
            gradient = rows @ shares
            hessian = (rows * (shares / (1 + theta @ rows))) @ rows.T
            step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
            size = 1.0
            while np.any(1 + (theta + size * step) @ rows <= 0):
                size /= 2
            theta = theta + size * step
        shares = n / n.sum() / (1 + theta @ rows)
        # Where there is no such distribution, the multipliers run away.
        return float(n @ np.log(shares)) if abs(shares.sum() - 1) < 1e-6 else -np.inf

    low, high = 0.5, 0.5 + ratio / 2
    best = -math.inf
    for _ in range(3):
        means = np.linspace(low, high, 18)[1:-1]
        values = [inner(mean) for mean in means]
        place = int(np.argmax(values))
        best = max(best, values[place])
        low, high = means[max(0, place - 1)], means[min(len(means) - 1, place + 1)]
    return best


@pytest.mark.parametrize("pairs", [(10, 22, 60, 31, 17), (3, 0, 40, 5, 25)])
def test_normalised_sprt_of_pairs_is_the_ratio_of_the_largest_likelihoods(
    pairs: tuple[int, int, int, int, int],
) -> None:
    counts = Counts(wins=0, draws=2 * sum(pairs), losses=0, pairs=pairs)
    numbers = [max(number, 1e-3) for number in pairs]
    twin = best_pentanomial(numbers, 60 / NELO * math.sqrt(2))
    twin -= best_pentanomial(numbers, 10 / NELO * math.sqrt(2))
    assert Sprt(10, 60).llr(counts) == pytest.approx(twin, abs=2e-2)


def test_sprt_errs_as_rarely_as_it_says() -> None:
    generator = np.random.default_rng(5)
    test = Sprt(elo0=0, elo1=60, alpha=0.1, beta=0.1, model="logistic")
    wrong = 0
    for run in range(40):
        better = run % 2 == 1
        expected = score_of(60 if better else 0)
        numbers = np.zeros(3, dtype=int)
        verdict = None
        while verdict is None:
            numbers += generator.multinomial(20, [expected - 0.1, 0.2, 1 - expected - 0.1])
            verdict = test.verdict(Counts(int(numbers[0]), int(numbers[1]), int(numbers[2])))
        wrong += verdict != ("H1" if better else "H0")
    # Four expected; twelve would be four standard deviations more.
    assert wrong < 12


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 < elo1"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5}, "alpha=0.5"),
        ({"elo0": 0, "elo1": 5, "model": "magic"}, "model=magic: expected normalized"),
    ],
)
def test_impossible_tests(words: dict[str, float], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        Sprt(**words)  # type: ignore[arg-type]


def line(pair: int, white: str, result: str, *, round_: int = 1) -> GameLine:
    black = "b" if white == "a" else "a"
    return GameLine(0, pair, round_, white, black, True, True, result, "", "rules", 9)


def test_pairs_are_counted_by_their_number() -> None:
    lines = [
        *(line(0, "a", "1-0"), line(0, "b", "0-1")),  # 2
        *(line(1, "a", "1-0"), line(1, "b", "1/2-1/2")),  # 1½
        *(line(2, "a", "1/2-1/2"), line(2, "b", "1/2-1/2")),  # 1, drawn
        *(line(3, "a", "0-1"), line(3, "b", "0-1")),  # 1, each lost one
        line(4, "a", "0-1"),  # without a partner
    ]
    counts = count((game, game.white == "a") for game in lines)
    assert counts.pairs == (0, 0, 2, 1, 1)
    assert (counts.wins, counts.draws, counts.losses) == (4, 3, 2)
    assert counts.drawn_pairs == 1
    assert counts.singles == (1, 0, 0)
    assert counts.pairs_ratio == math.inf
    # White won in games 1 and 3, and lost in 2, 7, 8 and 9.
    assert (counts.white_wins, counts.black_wins) == (2, 4)
    assert counts.white_score == pytest.approx(3.5 / 9)
    alone = counts.unpaired()
    assert (alone.games, alone.is_paired, alone.singles) == (9, False, (2, 3, 4))


def test_a_game_without_partner_scatters_for_itself() -> None:
    generator = np.random.default_rng(1)
    pairs = generator.choice([0.0, 0.5, 1.0], size=(300, 2))
    singles = generator.choice([0.0, 0.5, 1.0], size=200)
    results = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
    swapped = {1.0: "0-1", 0.5: "1/2-1/2", 0.0: "1-0"}
    lines = []
    for number, (first, second) in enumerate(pairs.tolist()):
        lines += [line(number, "a", results[first]), line(number, "b", swapped[second])]
    lines += [line(1000 + n, "a", results[score]) for n, score in enumerate(singles.tolist())]
    counts = count((game, game.white == "a") for game in lines)
    mean = (pairs.sum() + singles.sum()) / 800
    units = np.concatenate([pairs.sum(axis=1) - 2 * mean, singles - mean])
    error = 1.959964 * math.sqrt(float(np.sum(units**2))) / 800
    assert counts.score == pytest.approx(mean)
    assert counts.score_interval.error == pytest.approx(error, rel=1e-6)


def test_intervals_where_all_was_won() -> None:
    counts = Counts(wins=10, pairs=(0, 0, 0, 0, 5))
    # (1 - bound)… the smallest score of which ten wins are not a surprise: p^10 = 2.5 %.
    assert counts.score_interval.low**10 == pytest.approx(0.025)
    assert counts.elo.value == math.inf
    assert counts.elo.low == pytest.approx(elo_of(counts.score_interval.low))
    lost = Counts(losses=10)
    assert lost.elo.value == -math.inf
    assert lost.score_interval.high == pytest.approx(1 - counts.score_interval.low)
    assert (counts.superiority, lost.superiority) == (1.0, 0.0)


def test_nothing_is_said_without_games() -> None:
    counts = Counts()
    assert (counts.score_interval.low, counts.score_interval.high) == (0, 1)
    assert (counts.superiority, counts.elo.value) == (0.5, 0.0)
    assert Sprt(0, 5).llr(counts) == 0
    assert Sprt(0, 5).verdict(counts) is None


@given(st.floats(-800, 800))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)


def test_intervals_cover() -> None:
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        wins, draws, losses = generator.multinomial(200, [0.5, 0.1, 0.4]).tolist()
        interval = Counts(wins, draws, losses).score_interval
        covered += interval.low <= 0.55 <= interval.high
    assert 0.92 <= covered / 400 <= 0.98


def test_small_intervals() -> None:
    # Wilson's bounds are where the normal test just rejects.
    found = wilson(7, 20)
    for bound in (found.low, found.high):
        z = (0.35 - bound) / math.sqrt(bound * (1 - bound) / 20)
        assert abs(z) == pytest.approx(1.959964, rel=1e-6)
    assert mean_interval([4.0]).low == -math.inf
    values = [3.0, 1.0, 4.0, 1.0, 5.0]
    shares = [0.0, 0.25, 0.4, 1.0]
    expected = np.quantile(values, shares)
    assert list(quantiles(values, shares).values()) == pytest.approx(expected.tolist())


def climb(games: list[tuple[str, str, float]], anchor: str) -> dict[str, float]:
    """Ratings by steepest ascent on the likelihood, one game after another: slow and plain."""
    names = sorted({name for white, black, _ in games for name in (white, black)})
    rating = dict.fromkeys([*names, "white"], 0.0)
    for _ in range(800):
        slope = {name: -value / (2000.0**2) * 400 / math.log(10) for name, value in rating.items()}
        for white, black, points in games:
            more = rating[white] - rating[black] + rating["white"]
            surprise = points - 1 / (1 + 10 ** (-more / 400))
            slope[white] += surprise
            slope[black] -= surprise
            slope["white"] += surprise
        for name in rating:
            if name != anchor:
                rating[name] += 20 * slope[name]
    return rating


def test_ratings_are_those_that_a_plain_climb_finds() -> None:
    games = [
        *[("a", "b", 1.0)] * 3,
        *[("b", "a", 1.0)] * 2,
        *[("a", "c", 0.5)] * 2,
        *[("c", "a", 1.0)] * 2,
        *[("b", "c", 0.0)] * 2,
        ("c", "b", 0.5),
        ("c", "b", 0.0),
    ]
    found = rate(meetings(games), anchor="b", anchor_elo=100)
    twin = climb(games, "b")
    assert {name: elo.value for name, elo in found.elo.items()} == pytest.approx(
        {name: 100 + twin[name] for name in "abc"}, abs=0.05
    )
    assert found.white_advantage.value == pytest.approx(twin["white"], abs=0.05)
    assert found.elo["b"].error == 0
    assert list(found.elo) == sorted("abc", key=lambda name: -found.elo[name].value)


def test_ratings_of_two_players_are_the_elo_of_their_match() -> None:
    counts = Counts(60, 20, 40)
    games = [Meeting("a", "b", 30, 10, 20), Meeting("b", "a", 20, 10, 30)]
    found = rate(games, anchor="b")
    assert found.elo["a"].value == pytest.approx(counts.elo.value, abs=0.2)
    assert found.elo["a"].error == pytest.approx(counts.elo.error, rel=0.03)
    assert found.white_advantage.value == pytest.approx(0, abs=1e-6)


def test_ratings_tell_what_they_cannot_know() -> None:
    games = [Meeting("a", "b", wins=5), Meeting("c", "d", wins=1, losses=1)]
    found = rate(games, anchor="b")
    assert found.one_sided == {"a"}
    assert found.separate == {"c", "d"}
    assert 200 < found.elo["a"].value < 2000
    with pytest.raises(MatchError, match="anchor 'x' has no games; the players are a, b, c, d"):
        rate(games, anchor="x")
    with pytest.raises(MatchError, match="no games to rate"):
        rate([])


def test_points_of_a_line() -> None:
    game = line(0, "a", "0-1")
    assert (game.score(chess.WHITE), game.score(chess.BLACK)) == (0.0, 1.0)
