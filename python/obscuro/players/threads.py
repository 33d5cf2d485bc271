"""How many threads a search uses unless told otherwise."""

import os


def default_expanders() -> int:
    """Expander threads beside the solver's: the paper's two, where there are cores for them.

    >>> default_expanders() >= 1
    True
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(2, (cores or 1) - 1))
