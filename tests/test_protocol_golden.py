"""Whole conversations with the engine, as they are to be.

Each file of `tests/golden/protocol` holds lines said to the engine, `> `, and its answers, without
the numbers that differ from machine to machine or with the strength of the search. After a change
that is meant, `OBSCURO_GOLDEN=write` writes the answers anew; read what has changed.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from protocol_talk import Talk

FOLDER = Path(__file__).parent / "golden" / "protocol"
FILES = sorted(FOLDER.glob("*.txt"))
JSON = "info string obscuro "
MOVE = r"\b[a-h][1-8][a-h][1-8][qrbn]?\b"


def masked(line: str, command: str) -> str:
    if line.startswith(JSON):
        return JSON + json.dumps(masked_json(json.loads(line.removeprefix(JSON))))
    volatile = ("info depth", "position ", "nps ", "time ", "bestmove")
    if line.startswith(volatile) or (command == "bench" and line.startswith("nodes ")):
        return re.sub(r"(?<= )-?\d+\b(?!/)", "#", re.sub(MOVE, "MOVE", line))
    line = re.sub(r"(?<=^signature )[0-9a-f]{16}$", "HEX", line)
    line = re.sub(r"(?<=^id name Obscuro )\S+", "VERSION", line)
    # As many as the machine has cores for.
    return re.sub(r"((?:Threads|expanders) type spin default) \d+", r"\1 #", line)


def masked_json(data: Any) -> Any:  # noqa: ANN401
    if isinstance(data, dict):
        hidden = {re.sub(MOVE, "MOVE", name): masked_json(value) for name, value in data.items()}
        return hidden if set(hidden) != {"MOVE"} else {"MOVE": "#"}
    if isinstance(data, list):
        return [masked_json(data[0])] if data else []
    if isinstance(data, bool):
        return "true or false"
    if isinstance(data, int | float):
        return "#"
    if data in ("none", "resolve", "maxmargin"):
        return "GADGET"
    return re.sub(MOVE, "MOVE", data) if isinstance(data, str) else data


def conversation(said: list[str]) -> str:
    """What is said and answered."""
    talk = Talk()
    lines: list[str] = []
    for line in said:
        lines.append(f"> {line}")
        before = len(talk.said)
        talk.send(line)
        talk.settle()
        lines += [masked(answer, line.split()[0]).rstrip() for answer in talk.said[before:]]
    talk.close()
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_conversation_is_as_written(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    said = [line.removeprefix("> ") for line in written.splitlines() if line.startswith("> ")]
    found = conversation(said)
    if os.environ.get("OBSCURO_GOLDEN") == "write":
        path.write_text(found, encoding="utf-8")
    assert found == written


def test_there_are_conversations() -> None:
    assert {"errors", "fog", "options", "plain", "tools"} <= {path.stem for path in FILES}
