"""Matches: a referee that alone knows the truth, and what the results say.

`play_match` plays a match, `read_results` reads what is stored.

>>> from obscuro.match import Match, read_engine
>>> engines = read_engine("name=a player=greedy"), read_engine("name=b player=random")
>>> match = Match(engines, rounds=50)
>>> match.total
100
"""

from obscuro.match.clock import PlayerClock, TimeControl
from obscuro.match.command import read_engine
from obscuro.match.engines import Engine, make_player
from obscuro.match.openings import read_openings
from obscuro.match.play import play_match
from obscuro.match.program import Program
from obscuro.match.ratings import Ratings
from obscuro.match.record import FORMAT, GameLine, GameRecord, Side
from obscuro.match.referee import Adjudication, Ply, Referee, Verdict, play_game
from obscuro.match.results import Results, read_results
from obscuro.match.runner import State
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
    "Ratings",
    "Referee",
    "Results",
    "Side",
    "Sprt",
    "State",
    "Store",
    "Task",
    "TimeControl",
    "Verdict",
    "count",
    "elo_of",
    "make_player",
    "play_game",
    "play_match",
    "read_engine",
    "read_openings",
    "read_results",
    "score_of",
]
