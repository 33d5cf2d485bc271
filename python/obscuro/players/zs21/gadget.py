"""The gadget at the root: to what ▲ is held at each infoset of ▼."""

from dataclasses import dataclass

import numpy as np

from obscuro.players.zs21.tree import Floats

TIE_BREAK = 1e-3
"""How much the mean margin counts where the objective itself leaves a choice."""

SAFE = 1e-3
"""A margin that is no further below zero than this counts as kept; breaking ties costs as much."""


@dataclass(frozen=True)
class Gadget:
    """What Resolve and Maxmargin share: the infosets J of ▼ at the root.

    The margin M(J) is ▲'s value at J less the alternate value. *Resolve* maximises
    Σ α(J)·min(0, M(J)), *Maxmargin* the smallest M(J).

    Attributes:
        alternate: The alternate value of each J, in ▲'s view.
        prior: α, the probability of each J.
        tie_break: How much Σ α(J)·M(J) counts beside the objective. In Resolve with 1, all margins
            count alike: then it is no gadget, and chance plays α.
    """

    alternate: Floats
    prior: Floats
    tie_break: float = TIE_BREAK

    @classmethod
    def uniform(cls, alternate: Floats) -> "Gadget":
        """With the same prior for all J.

        >>> Gadget.uniform(np.array([0.5, -0.5])).prior
        array([0.5, 0.5])
        """
        return cls(alternate, np.full(len(alternate), 1 / len(alternate)))

    def loss(self, margins: Floats) -> float:
        """How far Resolve's objective is below zero, as far as ▲ keeps within the margins.

        >>> Gadget.uniform(np.zeros(2)).loss(np.array([-0.5, 0.25]))
        0.25
        """
        return -float(self.prior @ np.minimum(margins, 0.0))
