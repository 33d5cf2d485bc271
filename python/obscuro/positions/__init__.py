"""The paper's own examples, played: each with what must come out.

>>> from obscuro import positions
>>> positions.names()
['trap', 'trapped', 'first-moves', 'bluff', 'sacrifice']
"""

from obscuro.positions.examples import EXAMPLES, names, run
from obscuro.positions.finding import Check, Example, Finding, Options, Row

__all__ = ["EXAMPLES", "Check", "Example", "Finding", "Options", "Row", "names", "run"]
