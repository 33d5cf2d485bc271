"""Games as they are kept, and the truth about them, which is told when they are over."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timezone
from typing import Any

import chess

from obscuro.errors import ObscuroError
from obscuro.fow import Board, Game
from obscuro.match.record import GameRecord, Side
from obscuro.match.referee import Ply
from obscuro.players import Result
from obscuro.web.clocks import TimeControl
from obscuro.web.table import Setup, Table, Unfinished


class GameRunningError(ObscuroError):
    """The truth was asked of a game that is not over."""


def dump(table: Table) -> dict[str, Any]:
    """What the store keeps of a game."""
    clock = table.clock
    return {
        "setup": asdict(table.setup),
        "moves": [move.uci() for move in table.board.move_stack],
        "times": table.times,
        "spent": table.spent,
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
    table.spent = list(data["spent"])
    if table.clock and data["clock"]:
        white, black = data["clock"]
        table.clock.remaining = {chess.WHITE: white, chess.BLACK: black}
    table.waiting = data["waiting"]
    table.result = _load_result(data["result"])
    table.takeback = data["takeback"]
    return table


def truth(table: Table) -> dict[str, Any]:
    """The whole game as the page shows it, both players' observations included.

    Only of a game that is over.
    """
    result = _result(table)
    control = table.setup.control
    board = Board(table.setup.start)
    positions, sans = [board.fen()], []
    for move in table.board.move_stack:
        sans.append(board.san(move))
        board.push(move)
        positions.append(board.fen())
    return {
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


def as_game_record(table: Table, created: float) -> GameRecord:
    """The game in the form in which matches keep theirs. Only of a game that is over."""
    result, setup = _result(table), table.setup
    control = setup.control
    words = f"{control.base:g}+{control.increment:g}" if control else ""
    sides = []
    for color in (chess.WHITE, chess.BLACK):
        player = setup.opponent if setup.engine == color else "human"
        sides.append(Side(setup.names[not color], player or "human", words))
    plies = [
        Ply(
            move.uci(),
            round(table.spent[ply], 3),
            left=round(table.times[ply][not _mover(table, ply)], 3) if table.times else None,
        )
        for ply, move in enumerate(table.board.move_stack)
    ]
    return GameRecord(
        sides[0],
        sides[1],
        plies,
        result.score,
        result.reason,
        table.kind,
        setup.start,
        event="Obscuro",
        date=_date(created),
    )


def pgn(table: Table, created: float) -> str:
    """The game in PGN. Only of a game that is over."""
    result = _result(table)
    control = table.setup.control
    game = Game.from_board(
        table.board,
        Event="Obscuro",
        Date=_date(created),
        White=table.setup.names[0],
        Black=table.setup.names[1],
        Result=result.score,
        TimeControl=f"{control.base:g}+{control.increment:g}" if control else "-",
        Termination=result.reason,
    )
    for ply, left in enumerate(table.times):
        game.comments[ply + 1] = f"[%clk {_hours(left[not _mover(table, ply)])}]"
    return f"{game}\n"


def _result(table: Table) -> Result:
    if table.result is None:
        raise GameRunningError("the game is not over")
    return table.result


def _mover(table: Table, ply: int) -> chess.Color:
    first = table.board.root().turn
    return first if ply % 2 == 0 else not first


def _date(created: float) -> str:
    return f"{datetime.fromtimestamp(created, timezone.utc):%Y.%m.%d}"


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
