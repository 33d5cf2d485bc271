"""The examples by name."""

from difflib import get_close_matches

from obscuro.errors import SearchError
from obscuro.positions.finding import Example, Finding, Options
from obscuro.positions.middlegames import bluff, sacrifice
from obscuro.positions.openings import first_moves, trap, trapped

EXAMPLES: tuple[Example, ...] = (
    Example("trap", "1.c4 d5, White to move: Nc3 or, seldom, Qa4", "figure 4 (A)", trap),
    Example("trapped", "1.c4, Black to move: not d5", "table 1", trapped),
    Example("first-moves", "White's first move: d4 or c4", "table 1", first_moves),
    Example("bluff", "A bishop takes as if it were defended", "figure 4 (B)", bluff),
    Example("sacrifice", "A rook for one unseen check of two", "figure 4 (D)", sacrifice),
)
"""The paper's examples, in the order of the suite."""


def names() -> list[str]:
    """The names of the examples.

    >>> names()[0]
    'trap'
    """
    return [example.name for example in EXAMPLES]


def find(name: str) -> Example:
    """The example of a name.

    >>> find("bluf")
    Traceback (most recent call last):
    obscuro.errors.SearchError: there is no example 'bluf'; did you mean 'bluff'? ...
    """
    for example in EXAMPLES:
        if example.name == name:
            return example
    near = get_close_matches(name, names(), n=1, cutoff=0.0)[0]
    raise SearchError(
        f"there is no example {name!r}; did you mean {near!r}? The examples are "
        f"{', '.join(names())}"
    )


def run(name: str, options: Options | None = None) -> Finding:
    """Searches an example, and compares what comes out with what the paper says."""
    return find(name).search(options or Options())
