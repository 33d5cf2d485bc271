"""An engine that speaks UCI in both forms and misbehaves as its first argument says.

It moves a knight to and fro, which nearly always is legal, and knows no rules. It is a script and
imports nothing of what it tests.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator

KNIGHT = {"white": ("g1f3", "f3g1"), "black": ("g8f6", "f6g8")}


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def lines(log: str | None) -> Iterator[str]:
    for line in sys.stdin:
        if log is not None:
            with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123
                file.write(line)
        yield line.rstrip("\n")


def own_moves(position: str) -> tuple[str, int]:
    """The engine's colour, and how many moves it has made."""
    words = position.split()
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    if words[1] == "fog":
        return words[3], len(moves)
    return ("white", "black")[len(moves) % 2], len(moves) // 2


def move(how: str, seconds: float, color: str, made: int) -> None:
    bad = made >= 1
    if how == "crash" and bad:
        sys.exit(3)
    if how == "segv" and bad:
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "silent" and bad:
        return
    if how == "garbage" and bad:
        say("\x00\xff info score cp many pv \N{WHITE CHESS KING}")
        say("bestmove Qxf7# ponder nothing")
        return
    if how == "illegal" and bad:
        say("bestmove e2e5")
        return
    if how == "slow" and bad:
        time.sleep(seconds)
    if how == "resigns" and bad:
        say("bestmove (none)")
        return
    cp = {"lost": -900, "won": 900, "level": 5}.get(how, 0)
    say(f"info depth 1 nodes 12 score cp {cp} pv e2e4")
    say(f"bestmove {KNIGHT[color][made % 2]}")


def main() -> None:
    how = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    log = sys.argv[3] if len(sys.argv) > 3 else None
    color, made = "white", 0
    for line in lines(log):
        word = line.split()[0] if line.split() else ""
        if word == "uci" and how != "mute":
            say("id name mock")
            say("option name Hash type spin default 1 min 1 max 64")
            if how == "seeded":
                say("option name Seed type spin default 0 min 0 max 4294967295")
            if how != "plain":
                say("info string fog form 1")
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "position":
            color, made = own_moves(line)
        elif word == "go":
            move(how, seconds, color, made)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
