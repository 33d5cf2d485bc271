"""The numbers of the paper, each with the section that gives it."""

from dataclasses import dataclass

from obscuro.match.statistics import Counts

EXPERIMENTS = "Experimental evaluation"
ABLATIONS = "Ablations"
OTHER = "Other experiments"
HARDWARE = "appendix, Hardware"
SIZES = "appendix, Size of infosets and common-knowledge sets"
FIRST_MOVER = "appendix, First-mover advantage"
KINGS = "appendix, King vs King"

SECONDS_PER_MOVE = 5.0
"""The time of every match of the paper, unless it says otherwise."""


@dataclass(frozen=True)
class Score:
    """The result of a match, as the paper gives it: wins, draws and losses of the first player.

    >>> score = Score(834, 33, 133, EXPERIMENTS)
    >>> f"{score.counts.score:.3f}"
    '0.851'
    """

    wins: int
    draws: int
    losses: int
    section: str

    @property
    def counts(self) -> Counts:
        """The same as counts of games without pairs."""
        return Counts(self.wins, self.draws, self.losses)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


MATCHES: dict[str, Score] = {
    "ablation-purification": Score(662, 79, 259, ABLATIONS),
    "ablation-kluss": Score(532, 96, 372, ABLATIONS),
    "ablation-one-sided": Score(4535, 1583, 3882, ABLATIONS),
    "ablation-resolve-prior": Score(4595, 1478, 3927, ABLATIONS),
    "gtcfr-vs-zs21": Score(711, 30, 259, ABLATIONS),
    "eval-simple": Score(787, 63, 150, ABLATIONS),
    "eval-simple-vs-zs21": Score(5258, 486, 4256, ABLATIONS),
    "vs-zs21": Score(834, 33, 133, EXPERIMENTS),
    "vs-random": Score(1000, 0, 0, OTHER),
}
"""The matches by the names of our experiments."""

TIME_SCALING: dict[float, Score] = {
    0.125: Score(5162, 943, 3895, OTHER),
    0.25: Score(5031, 1231, 3738, OTHER),
    0.5: Score(4923, 1503, 3574, OTHER),
    1.0: Score(4617, 1566, 3817, OTHER),
    2.0: Score(4589, 1561, 3850, OTHER),
    4.0: Score(4463, 1530, 4007, OTHER),
    8.0: Score(4501, 1482, 4017, OTHER),
    16.0: Score(4448, 1563, 3989, OTHER),
}
"""Seconds a move against half as many, by the longer time."""

WHITE = Score(4935, 1623, 3442, FIRST_MOVER)
"""White's result in games of the agent against itself."""

FIRST_MOVES: dict[str, dict[str, float]] = {
    "White": {
        "d4": 0.664,
        "c4": 0.296,
        "e4": 0.019,
        "Nc3": 0.014,
        "c3": 0.004,
        "Nf3": 0.002,
    },
    "Black": {
        "Nc6": 0.325,
        "c6": 0.251,
        "e6": 0.207,
        "Nf6": 0.159,
        "c5": 0.048,
        "d5": 0.009,
    },
}
"""Shares of the first moves in 10,000 games."""

SHORT_PLIES = 12
SHORT_GAMES = (10, 10_000)
"""How many games had at most `SHORT_PLIES` plies, of how many."""

GAME_PLIES = 116.6
SEARCH: dict[str, float] = {
    "max_depth": 10.7,
    "nodes": 1_070_552,
    "infosets": 14_404,
    "carried_nodes": 181_421,
    "carried_infosets": 3_162,
    "belief": 17_264,
}
"""Averages of a search, by the names that reports of searches have."""

POSITION_A = ("Nc3", "g5", "Nh3", "d5")
POSITION_B = ("Nf3", "e5", "h3", "Qh4")
"""How the two positions of the first figure come about."""

DISTANCE = 9
LARGEST_DISTANCE = 10

LOCKED_PAWNS_INFOSET = 2e9
LOCKED_PAWNS_COMMON = 4e18
LOCKED_PAWNS_FEN = "q2k3r/4r2b/3nnb2/pppppppp/PPPPPPPP/1N4RB/Q5R1/2K2NB1 w - - 0 9"
"""A position of the family, without the figure's castling rights: no king or rook is at home."""

CORNER = 0.5
"""What White secures more than in the corner case of king against king."""
