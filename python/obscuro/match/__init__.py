"""Matches: a referee that alone knows the truth, and what the results say.

>>> from obscuro.match import Engine, Match
>>> match = Match((Engine("a", "random"), Engine("b", "random")), rounds=50)
>>> match.total
100
"""

from obscuro.match.clock import PlayerClock, TimeControl
from obscuro.match.engines import Engine, Program, make_player
from obscuro.match.openings import read_openings
from obscuro.match.record import FORMAT, GameLine, GameRecord, Side
from obscuro.match.referee import Adjudication, Ply, Referee, Verdict, play_game
from obscuro.match.schedule import Match, Task
from obscuro.match.sprt import Sprt
from obscuro.match.statistics import Counts, Estimate, count, elo_of, score_of
from obscuro.match.store import Store

__all__ = [
    "FORMAT",
    "Adjudication",
    "Counts",
    "Engine",
    "Estimate",
    "GameLine",
    "GameRecord",
    "Match",
    "PlayerClock",
    "Ply",
    "Program",
    "Referee",
    "Side",
    "Sprt",
    "Store",
    "Task",
    "TimeControl",
    "Verdict",
    "count",
    "elo_of",
    "make_player",
    "play_game",
    "read_openings",
    "score_of",
]
