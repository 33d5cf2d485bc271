"""Suggestions for words that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The nearest known words as a sentence to append, or nothing where none is near.

    >>> did_you_mean("resing", ["resign", "quit"])
    " Did you mean 'resign'?"
    >>> did_you_mean("xyz", ["resign", "quit"])
    ''
    """
    by_folded = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), by_folded, n=2)
    if not near:
        return ""
    return f" Did you mean {' or '.join(repr(by_folded[name]) for name in near)}?"
