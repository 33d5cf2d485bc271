"""The page about games of one's own: what it shows is what there is."""

import re
from pathlib import Path

from obscuro import games

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "own-game.md").read_text(encoding="utf-8")


def test_the_page_shows_the_example() -> None:
    listings = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert listings[0] == (ROOT / "examples" / "corridor.py").read_text(encoding="utf-8")


def test_the_page_names_every_method_that_a_game_must_have() -> None:
    named = set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))
    assert named == {name for name in vars(games.Game) if not name.startswith("_")}


def test_the_page_names_every_method_that_a_game_may_have() -> None:
    optional = set(re.findall(r"`(\w+)(?:\([^)]*\))?`", games.Game.__doc__ or ""))
    optional &= {name for name in dir(games.NativeGame) if not name.startswith("_")}
    optional -= set(vars(games.Game))
    assert len(optional) == 5
    assert all(f"`{name}`" in PAGE for name in optional)


def test_the_example_is_about_as_short_as_is_said() -> None:
    code = (ROOT / "examples" / "corridor.py").read_text(encoding="utf-8")
    body = code[code.index("class Corridor") :]
    assert len([line for line in body.splitlines() if line.strip()]) <= 40
