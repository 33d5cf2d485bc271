"""Searches of fixed positions that come out the same every time: the engine's signature."""

import hashlib
import threading
import time
from collections.abc import Iterator

from obscuro.fow import STARTING_FEN
from obscuro.players.base import Limits
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.settings import EngineSettings, with_options
from obscuro.protocol.commands import PlainPosition
from obscuro.protocol.referee import tell

NODES = 10_000
"""Nodes of the tree for each position, unless told otherwise."""

# One thread by turns, so that nothing depends on how threads happen to run.
_OPTIONS = {"preset": "paper", "expanders": "0", "seed": "1"}


def _game(moves: str, start: str = STARTING_FEN) -> PlainPosition:
    return PlainPosition(start, tuple(moves.split()))


POSITIONS = (
    _game(""),
    _game("e2e4"),
    _game("c2c4 d7d5"),
    _game("d2d4 d7d5 c2c4 c7c6 g1f3"),
    _game("e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"),
    _game("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3"),
    # En passant, a promotion, a king that is hunted, and two rooks against a queen.
    _game("d7d5", "4k3/3p4/8/4P3/8/8/4K3/8 b - - 0 1"),
    _game("g7g6", "8/P5k1/8/8/8/5r2/5PPP/6K1 b - - 0 1"),
    _game("d1d7 e8f8 d7b7", "4k3/5ppp/8/8/8/6P1/5P1P/3Q2K1 w - - 0 1"),
    _game("a1a7 g8h8", "6k1/5ppp/8/3q4/8/8/5PPP/R3R1K1 w - - 0 1"),
)
"""Games as both players might have come to them; whoever is to move searches."""


class Bench:
    """Searches each of the positions with so many nodes.

    >>> first, second = list(Bench(300).lines()), list(Bench(300).lines())
    >>> first[-1] == second[-1]
    True
    """

    def __init__(self, nodes: int = NODES) -> None:
        self._nodes = nodes
        self._settings = with_options(EngineSettings(), _OPTIONS)
        self._stopped = threading.Event()
        self._player: ObscuroPlayer | None = None

    def stop(self) -> None:
        """Ends it, from any thread, without a signature."""
        self._stopped.set()
        player = self._player
        if player is not None:
            player.stop()

    def lines(self) -> Iterator[str]:
        """Does it, and says a line for each position, then the sums and the signature."""
        digest = hashlib.blake2b(digest_size=8)
        nodes = 0
        seconds = 0.0
        for number, position in enumerate(POSITIONS, 1):
            strategy, report, spent = self._search(position)
            if self._stopped.is_set():
                yield "info string bench was stopped"
                return
            nodes += report["nodes"]
            seconds += spent
            played = " ".join(f"{move}:{part:.6f}" for move, part in sorted(strategy.items()))
            digest.update(f"{report['nodes']} {report['iterations']} {played}\n".encode())
            best = max(strategy, key=lambda move: strategy[move])
            yield f"position {number}/{len(POSITIONS)} nodes {report['nodes']} move {best}"
        yield f"nodes {nodes}"
        yield f"nps {round(nodes / seconds) if seconds > 0 else 0}"
        yield f"signature {digest.hexdigest()}"

    def _search(self, position: PlainPosition) -> tuple[dict[str, float], dict[str, int], float]:
        told = tell(position)
        player = self._player = ObscuroPlayer(self._settings)
        player.new_game(told.color, told.start)
        for number, observation in enumerate(told.observations):
            move = told.own_move(number)
            if move is not None:
                player.played(move)
            player.observe(observation)
        start = time.perf_counter()
        report = dict(player.choose(Limits(nodes=self._nodes)).report)
        spent = time.perf_counter() - start
        player.close()
        strategy = {entry["move"]: entry["probability"] for entry in report["moves"]}
        return strategy, report, spent
