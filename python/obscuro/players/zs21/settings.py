"""The settings of the player ZS21."""

from dataclasses import dataclass

from obscuro.errors import PlayerError

BELIEF_CAP = 500_000
"""The positions that the belief keeps; it is advanced within the player's own time."""


@dataclass(frozen=True)
class Zs21Settings:
    """Everything that can be set about the player `zs21`.

    Attributes:
        seconds: Time for a move where the limits say nothing.
        nodes: Nodes of the tree for a move where the limits say nothing, in place of `seconds`.
        seed: Of the sampled positions and of the drawn moves.
        samples: How many positions of P a subgame has at most.
        eval: What values leaves: `"network"`, `"simple"`, `"zero"`, or a network's file.
        depth: How many plies deep the tree may be; without, as deep as there is time for.
        belief_cap: The positions that the belief keeps at most.

    >>> Zs21Settings(seconds=0.5).samples
    64
    >>> Zs21Settings(samples=0)
    Traceback (most recent call last):
    obscuro.errors.PlayerError: samples is 0, expected at least 1
    """

    seconds: float = 5.0
    nodes: int | None = None
    seed: int = 0
    samples: int = 64
    eval: str = "network"
    depth: int | None = None
    belief_cap: int = BELIEF_CAP

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise PlayerError(f"seconds is {self.seconds}, expected a number above 0")
        if self.seed < 0:
            raise PlayerError(f"seed is {self.seed}, expected a number from 0 on")
        for name in ("nodes", "samples", "depth", "belief_cap"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise PlayerError(f"{name} is {value}, expected at least 1")
