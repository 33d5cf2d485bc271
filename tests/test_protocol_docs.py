"""The page about the engine protocol says what the engine does."""

import doctest
import re
from pathlib import Path

import pytest

from obscuro.fow import WHITE
from obscuro.protocol.commands import _ALL, _FLAGS, _IGNORED, _NUMBERS
from protocol_talk import QUICK, Talk, errors_in, fog_line

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
CONVERSATIONS = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def column(heading: str, number: int = 0) -> list[str]:
    """All that stands as code in the first column of the first table below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    rows = tables[number].splitlines()[2:]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


@pytest.mark.parametrize("text", CONVERSATIONS)
def test_a_conversation_comes_out_as_written(text: str) -> None:
    talk = Talk()
    found = []
    for said in re.findall(r"^> (.*)$", text, re.MULTILINE):
        found.append(f"> {said}")
        before = len(talk.said)
        talk.send(said)
        talk.settle()
        found += talk.said[before:]
    talk.close()
    got = "\n".join(found) + "\n"
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(text, got, flags), got


def test_there_are_conversations() -> None:
    assert len(CONVERSATIONS) == 2


def test_every_field_of_the_report_is_documented_and_no_other() -> None:
    talk = Talk(*QUICK, "setoption name marginals value true", "setoption name positions value 3")
    _, report = talk.go(fog_line(WHITE, "e2e4 d7d5"), "go nodes 200")
    talk.close()
    assert sorted(column("What the engine says of a search", 1)) == sorted(report)
    described = PAGE.split("| `moves` |")[1].splitlines()[0]
    assert sorted(report["moves"][0]) == sorted(re.findall(r"`(\w+)`", described))
    assert [len(squares) for squares in report["marginals"].values()] == [64] * 12
    assert sum(report["marginals"]["K"]) == pytest.approx(1)
    assert 1 <= len(report["positions"]) <= 3


def test_every_option_is_documented_and_no_other() -> None:
    talk = Talk()
    told = [re.match(r"option name (.+) type ", line) for line in talk.send("uci")]
    talk.close()
    assert sorted(column("Options")) == sorted(match[1] for match in told if match)


def test_every_command_and_every_limit_is_documented() -> None:
    documented = {code.split()[0] for code in column("Commands")}
    assert documented == set(_ALL)
    assert set(column("Going")) == {*_NUMBERS, *_FLAGS, *_IGNORED, "searchmoves"}
    grammar = PAGE.split("```ebnf\n")[1].split("```")[0]
    words = {word for text in re.findall(r'"([^"]+)"', grammar) for word in text.split()}
    assert words >= {*_ALL, *_NUMBERS, *_FLAGS, *_IGNORED, "searchmoves"}


def pattern(message: str) -> re.Pattern[str]:
    """What a documented message may be: capitals stand for anything, but in the words of UCI."""
    own = "expected setoption name NAME value VALUE"
    parts = re.split(rf"({own}|FEN|[A-Z]{{2,}})", message)
    differs = [part.isupper() and part != "FEN" for part in parts]
    return re.compile(
        "".join(
            ".+" if any_ else re.escape(part) for any_, part in zip(differs, parts, strict=True)
        )
    )


def test_every_error_is_documented() -> None:
    patterns = [pattern(message) for message in column("Errors")]
    assert len(patterns) > 30
    texts = (ROOT / "tests" / "golden" / "protocol").glob("*.txt")
    errors = {e for path in texts for e in errors_in(path.read_text("utf-8").splitlines())}
    assert len(errors) > 30
    for error in errors:
        assert any(one.fullmatch(error) for one in patterns), f"the page does not tell: {error}"


def test_the_example_is_the_one_in_the_examples() -> None:
    written = (ROOT / "examples" / "fog_bot.py").read_text(encoding="utf-8")
    assert f"```python\n{written}```" in PAGE
