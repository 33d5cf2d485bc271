"""Games as they are kept, and the truth about them, which is told when they are over."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timezone
from typing import Any

import chess

from obscuro.errors import ObscuroError
from obscuro.fow import Board, Game
from obscuro.players import Result
from obscuro.web.clocks import TimeControl
from obscuro.web.table import Setup, Table, Unfinished

FORMAT = "obscuro-game/1"


class GameRunningError(ObscuroError):
    """The truth was asked of a game that is not over."""


def dump(table: Table) -> dict[str, Any]:
    """What the store keeps of a game."""
    clock = table.clock
    return {
        "setup": asdict(table.setup),
        "moves": [move.uci() for move in table.board.move_stack],
        "times": table.times,
        "clock": clock and [clock.left(color, table.now()) for color in (True, False)],
        "waiting": table.waiting,
        "result": _dump_result(table.result),
        "takeback": table.takeback,
    }


def load(data: dict[str, Any], now: Callable[[], float]) -> Table:
    """The game that was kept; its clocks stand still until `start_clock`."""
    setup = dict(data["setup"])
    control = setup["control"]
    setup["names"] = tuple(setup["names"])
    setup["control"] = control and TimeControl(**control)
    table = Table(Setup(**setup), now)
    for text in data["moves"]:
        mover = table.board.turn
        move = table.board.push_uci(text)
        for color, log in table.logs.items():
            log.append(move if color == mover else None, table.board.observation(color))
    table.times = [(white, black) for white, black in data["times"]]
    if table.clock and data["clock"]:
        white, black = data["clock"]
        table.clock.remaining = {chess.WHITE: white, chess.BLACK: black}
    table.waiting = data["waiting"]
    table.result = _load_result(data["result"])
    table.takeback = data["takeback"]
    return table


def truth(table: Table) -> dict[str, Any]:
    """The whole game, both players' observations included. Only of a game that is over."""
    result = _result(table)
    control = table.setup.control
    board = Board(table.setup.start)
    positions, sans = [board.fen()], []
    for move in table.board.move_stack:
        sans.append(board.san(move))
        board.push(move)
        positions.append(board.fen())
    return {
        "format": FORMAT,
        "white": table.setup.names[0],
        "black": table.setup.names[1],
        "result": result.score,
        "reason": result.reason,
        "control": control and {"base": control.base, "increment": control.increment},
        "start": table.setup.start,
        "moves": [move.uci() for move in table.board.move_stack],
        "sans": sans,
        "positions": positions,
        "observations": {
            chess.COLOR_NAMES[color]: [str(seen) for seen in log.observations]
            for color, log in table.logs.items()
        },
        "clocks": [[round(white, 3), round(black, 3)] for white, black in table.times],
    }


def pgn(table: Table, created: float) -> str:
    """The game in PGN. Only of a game that is over."""
    result = _result(table)
    control = table.setup.control
    game = Game.from_board(
        table.board,
        Event="Obscuro",
        Date=f"{datetime.fromtimestamp(created, timezone.utc):%Y.%m.%d}",
        White=table.setup.names[0],
        Black=table.setup.names[1],
        Result=result.score,
        TimeControl=f"{control.base:g}+{control.increment:g}" if control else "-",
        Termination=result.reason,
    )
    turn = Board(table.setup.start).turn
    for ply, left in enumerate(table.times):
        mover = turn if ply % 2 == 0 else not turn
        game.comments[ply + 1] = f"[%clk {_hours(left[0] if mover else left[1])}]"
    return f"{game}\n"


def _result(table: Table) -> Result:
    if table.result is None:
        raise GameRunningError("the game is not over")
    return table.result


def _hours(seconds: float) -> str:
    """Seconds as PGN writes a clock.

    >>> _hours(3725.25)
    '1:02:05.2'
    """
    tenths = int(seconds * 10)
    return f"{tenths // 36000}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}.{tenths % 10}"


def _dump_result(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "winner": result.winner,
        "reason": result.reason,
        "unfinished": isinstance(result, Unfinished),
    }


def _load_result(data: dict[str, Any] | None) -> Result | None:
    if data is None:
        return None
    kind = Unfinished if data["unfinished"] else Result
    return kind(data["winner"], data["reason"])
