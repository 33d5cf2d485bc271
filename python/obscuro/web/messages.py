"""All that the server tells a browser about a running game.

Everything is made from a `SeatLog`, which holds the seat's own observations and moves, and from
what is public: names, clocks, results. This module cannot reach the board, and a test holds it to
that; two games that a player cannot tell apart give the same messages, byte for byte.
"""

import json
from dataclasses import dataclass
from typing import Any

import chess

from obscuro.fow.notation import san
from obscuro.fow.observation import Observation
from obscuro.players import Result
from obscuro.web.seatlog import SeatLog

Message = dict[str, Any]
"""A message, ready to be written as JSON."""


@dataclass(frozen=True)
class ClockFace:
    """Both clocks, as both players see them: seconds left, and whose clock runs."""

    white: float
    black: float
    running: chess.Color | None


@dataclass(frozen=True)
class Thinking:
    """That the opponent's program thinks: for how long, and what it may spend.

    Neither depends on anything but the time and the clocks.
    """

    queued: bool
    elapsed: float
    budget: float


@dataclass(frozen=True)
class PublicState:
    """What both players know of their game, whatever is on the board.

    Attributes:
        start: FEN of the start position, known to both.
        names: What the players are called.
        opponent_kind: `"human"`, `"engine"` or `"upload"`.
        base: Seconds on each clock at the start, `None` without clocks.
        increment: Seconds that each move adds.
        casual: Whether moves can be taken back.
        waiting: Whether the opponent has yet to join.
        opponent_here: Whether the opponent is connected.
        clock: The clocks now.
        thinking: Whether the opponent's program is at work.
        result: The result, once there is one.
        takeback: Who asks to take a move back.
        rematch: Who offers another game.
    """

    start: str
    names: tuple[str, str]
    opponent_kind: str
    base: float | None
    increment: float
    casual: bool
    waiting: bool
    opponent_here: bool
    clock: ClockFace | None
    thinking: Thinking | None
    result: Result | None
    takeback: chess.Color | None
    rematch: chess.Color | None


def encode(message: Message) -> str:
    """The text of a message.

    >>> encode({"type": "pong"})
    '{"type":"pong"}'
    """
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def snapshot(log: SeatLog, public: PublicState) -> Message:
    """Everything that the seat knows: sent on connection, and when history has changed."""
    return {
        "type": "snapshot",
        "color": _name(log.color),
        "start": public.start,
        "white": public.names[0],
        "black": public.names[1],
        "opponent": public.opponent_kind,
        "control": None
        if public.base is None
        else {"base": public.base, "increment": public.increment},
        "casual": public.casual,
        "history": [ply(log, number) for number in range(log.plies + 1)],
        "now": now(log, public),
    }


def news(log: SeatLog, public: PublicState) -> Message:
    """The last ply, and how things stand after it."""
    return {
        "type": "ply",
        "number": log.plies,
        "ply": ply(log, log.plies),
        "now": now(log, public),
    }


def standing(log: SeatLog, public: PublicState) -> Message:
    """How things stand, with no ply played: clocks, offers, the result."""
    return {"type": "now", "now": now(log, public)}


def ply(log: SeatLog, number: int) -> Message:
    """One observation of the seat, with its own move if it was one."""
    seen = log.observations[number]
    entry: Message = {"fen": seen.fog_fen}
    if seen.captured is not None:
        entry["lost"] = chess.square_name(seen.captured)
    own = log.moves[number - 1] if number else None
    if own is not None:
        before = log.observations[number - 1]
        entry["uci"] = own.uci()
        entry["san"] = san(own, before)
        if (victim := _victim(own, before)) is not None:
            entry["took"] = victim.symbol()
    return entry


def now(log: SeatLog, public: PublicState) -> Message:
    """How things stand: whose turn it is, what may be played, clocks, offers, the result."""
    over = public.result is not None
    playing = not over and not public.waiting
    return {
        "plies": log.plies,
        "turn": _name(log.seen.turn),
        "moves": [move.uci() for move in log.seen.legal_moves] if playing else [],
        "status": "over" if over else "waiting" if public.waiting else "playing",
        "here": public.opponent_here,
        "clock": _clock(public.clock),
        "thinking": _thinking(public.thinking),
        "takeback": None if public.takeback is None else _name(public.takeback),
        "rematch": None if public.rematch is None else _name(public.rematch),
        "result": public.result and result(public.result),
    }


def result(of: Result) -> Message:
    """The result as both players are told.

    >>> result(Result(chess.WHITE, "king captured"))
    {'score': '1-0', 'winner': 'white', 'reason': 'king captured'}
    """
    winner = None if of.winner is None else _name(of.winner)
    return {"score": of.score, "winner": winner, "reason": of.reason}


def refusal(code: str, words: str) -> Message:
    """Something the browser sent was refused; nothing has changed."""
    return {"type": "error", "code": code, "message": words}


def rematch_begun(token: str) -> Message:
    """Another game has begun; this is the receiver's own seat in it."""
    return {"type": "rematch", "token": token}


def pong() -> Message:
    """The answer to a ping."""
    return {"type": "pong"}


def _victim(move: chess.Move, before: Observation) -> chess.Piece | None:
    """What an own move took; the player sees everything that they can take."""
    victim = before.piece_at(move.to_square)
    mover = before.piece_at(move.from_square)
    if (
        victim is None
        and mover is not None
        and mover.piece_type == chess.PAWN
        and chess.square_file(move.from_square) != chess.square_file(move.to_square)
    ):
        return chess.Piece(chess.PAWN, not mover.color)
    return victim


def _clock(face: ClockFace | None) -> Message | None:
    if face is None:
        return None
    return {
        "white": round(face.white * 1000),
        "black": round(face.black * 1000),
        "running": None if face.running is None else _name(face.running),
    }


def _thinking(thinking: Thinking | None) -> Message | None:
    if thinking is None:
        return None
    return {
        "queued": thinking.queued,
        "elapsed": round(thinking.elapsed * 1000),
        "budget": round(thinking.budget * 1000),
    }


def _name(color: chess.Color) -> str:
    return chess.COLOR_NAMES[color]
