"""Games in Python that are also native, written from their rules alone."""

from dataclasses import dataclass, replace
from enum import Enum

from obscuro.games import CHANCE, TERMINAL


class Card(Enum):
    JACK = 0
    QUEEN = 1
    KING = 2


KuhnState = tuple[tuple[Card, ...], str]


class Kuhn:
    """Kuhn poker on plain tuples, strings and an enum."""

    max_payoff = 2

    def root(self) -> KuhnState:
        return (), ""

    def turn(self, state: KuhnState) -> int:
        cards, bets = state
        if len(cards) < 2:
            return CHANCE
        if bets in ("pp", "bp", "bb", "pbp", "pbb"):
            return TERMINAL
        return len(bets) % 2

    def actions(self, state: KuhnState) -> list[str]:
        return ["p", "b"]

    def chance(self, state: KuhnState) -> list[tuple[Card, float]]:
        left = [card for card in Card if card not in state[0]]
        return [(card, 1 / len(left)) for card in left]

    def apply(self, state: KuhnState, action: "Card | str") -> KuhnState:
        cards, bets = state
        return ((*cards, action), bets) if isinstance(action, Card) else (cards, bets + action)

    def observe(self, state: KuhnState, player: int) -> tuple[object, ...]:
        cards, bets = state
        return cards[player : player + 1], len(cards), bets

    def payoff(self, state: KuhnState) -> float:
        (one, two), bets = state
        higher = 1 if one.value > two.value else -1
        return {"pp": higher, "bp": 1, "pbp": -1}.get(bets, 2 * higher)


@dataclass(frozen=True)
class HexState:
    """Stones by cell, what each player has found, and whose turn it is."""

    stones: tuple[int | None, ...]
    known: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    mover: int = 0


class DarkHex:
    """Classical dark hex: who hits a hidden stone is told so and tries again.

    Player 0 joins the first row to the last, player 1 the first column to the last. As in
    OpenSpiel, nothing is silent: who waits hears each try of the other.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def root(self) -> HexState:
        return HexState((None,) * (self.rows * self.cols))

    def turn(self, state: HexState) -> int:
        return TERMINAL if self.winner(state) is not None else state.mover

    def actions(self, state: HexState) -> list[int]:
        return [c for c in range(len(state.stones)) if c not in state.known[state.mover]]

    def chance(self, state: HexState) -> list[tuple[int, float]]:
        return []

    def apply(self, state: HexState, cell: int) -> HexState:
        known = list(state.known)
        known[state.mover] |= {cell}
        if state.stones[cell] is not None:
            return replace(state, known=(known[0], known[1]))
        stones = (*state.stones[:cell], state.mover, *state.stones[cell + 1 :])
        return HexState(stones, (known[0], known[1]), 1 - state.mover)

    def observe(self, state: HexState, player: int) -> tuple[object, ...]:
        view = tuple((cell, state.stones[cell]) for cell in sorted(state.known[player]))
        return view, self.turn(state) == player, self.turn(state) == TERMINAL

    def payoff(self, state: HexState) -> float:
        return 1.0 if self.winner(state) == 0 else -1.0

    def winner(self, state: HexState) -> int | None:
        for player in (0, 1):
            own = {divmod(c, self.cols) for c, s in enumerate(state.stones) if s == player}
            last = (self.rows, self.cols)[player] - 1
            reached = {cell for cell in own if cell[player] == 0}
            while True:
                more = {n for r, c in reached for n in neighbours(r, c) if n in own} - reached
                if not more:
                    break
                reached |= more
            if any(cell[player] == last for cell in reached):
                return player
        return None


def neighbours(row: int, col: int) -> list[tuple[int, int]]:
    steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
    return [(row + r, col + c) for r, c in steps]


class Whispers:
    """Player 1 flips a hidden coin as often as they like, up to twice, then player 0 guesses it.

    Nobody tells player 0 how often it was flipped: the plies are silent, and player 0 has one
    infoset.
    """

    def root(self) -> tuple[int, bool, int | None]:
        return 0, False, None

    def turn(self, state: tuple[int, bool, int | None]) -> int:
        _, stopped, guess = state
        return TERMINAL if guess is not None else 0 if stopped else 1

    def actions(self, state: tuple[int, bool, int | None]) -> list[str]:
        flips, stopped, _ = state
        if stopped:
            return ["odd", "even"]
        return ["flip", "stop"] if flips < 2 else ["stop"]

    def chance(self, state: tuple[int, bool, int | None]) -> list[tuple[str, float]]:
        return []

    def apply(
        self, state: tuple[int, bool, int | None], action: str
    ) -> tuple[int, bool, int | None]:
        flips, stopped, _ = state
        if stopped:
            return flips, True, 1 if action == "odd" else 0
        return (flips + 1, False, None) if action == "flip" else (flips, True, None)

    def observe(self, state: tuple[int, bool, int | None], player: int) -> object:
        return state if player == 1 else (state[1], state[2])

    def is_silent(self, seen: object) -> bool:
        return seen == (False, None)

    def payoff(self, state: tuple[int, bool, int | None]) -> float:
        flips, _, guess = state
        return 1.0 if flips % 2 == guess else -1.0
