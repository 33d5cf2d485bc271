"""What a solver has found."""

from dataclasses import dataclass

from obscuro.search.strategy import Strategy


@dataclass(frozen=True)
class Point:
    """Where a solver stood at some time.

    Attributes:
        iterations: Iterations done; one updates both players.
        seconds: Time spent on them; looking at the strategies is not counted.
        value: What player 0 gets if both play the strategy found so far.
        exploitability: The mean of what the players could gain against it.
    """

    iterations: int
    seconds: float
    value: float
    exploitability: float


@dataclass(frozen=True)
class Solution:
    """A solved game.

    Attributes:
        algorithm: What solved it.
        strategy: The strategy found: an equilibrium up to `exploitability`.
        value: What player 0 gets if both play it.
        exploitability: The mean of what the players could gain against it, in the game's units.
        history: How it went; the last point is the result.
        last: The last iterate, where `strategy` is an average of all.
    """

    algorithm: str
    strategy: Strategy
    value: float
    exploitability: float
    history: tuple[Point, ...]
    last: Strategy

    def __repr__(self) -> str:
        return (
            f"<Solution by {self.algorithm}: value {self.value:.6g}, "
            f"exploitability {self.exploitability:.3g}>"
        )
