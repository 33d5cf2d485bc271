"""The settings of the engine, their presets, and how they are written in a player's text."""

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from obscuro.errors import SearchError
from obscuro.players.threads import default_expanders
from obscuro.search import AgentSettings

# A larger belief takes more than a second to update.
_BELIEF_CAP = 1_000_000
_PAPER = AgentSettings(expanders=default_expanders(), belief_cap=_BELIEF_CAP)


@dataclass(frozen=True)
class EngineSettings:
    """Everything that can be set about the player `obscuro`.

    Attributes:
        search: The agent's own settings: all switches of the paper's ablations, threads, seed.
        eval: What values leaves: `"simple"`, `"zero"`, `"network"`, or a network's file.
        seconds: Time for a move where the limits say nothing.
        nodes: Nodes of the tree for a move where the limits say nothing, in place of `seconds`.
        memory_mb: The tree stops growing, but is solved on, when it takes so much memory.
        ponder: Whether to search on the opponent's time.
        marginals: Whether reports tell how often each piece stands on each square.
        positions: How many possible positions reports tell, with their weights.

    >>> EngineSettings(search=AgentSettings(seed=1), seconds=0.5).seconds
    0.5
    """

    search: AgentSettings = _PAPER
    eval: str = "network"
    seconds: float = 5.0
    nodes: int | None = None
    memory_mb: int = 2048
    ponder: bool = False
    marginals: bool = False
    positions: int = 0

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise SearchError(f"seconds is {self.seconds}, expected a number above 0")
        for name in ("nodes", "memory_mb"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SearchError(f"{name} is {value}, expected a number of at least 1")
        if self.positions < 0:
            raise SearchError(f"positions is {self.positions}, expected a number from 0 on")


PRESETS: dict[str, EngineSettings] = {
    "paper": EngineSettings(),
    "fast": EngineSettings(seconds=0.5, memory_mb=1024),
    "strong": EngineSettings(seconds=10.0, memory_mb=4096),
}
"""The engine's settings by name: the paper's, quick ones, and slow ones."""


def preset(name: str) -> EngineSettings:
    """The settings of a name.

    >>> preset("paper").seconds
    5.0
    >>> preset("papper")
    Traceback (most recent call last):
    obscuro.errors.SearchError: there is no preset 'papper'; did you mean 'paper'? ...
    """
    if name not in PRESETS:
        near = get_close_matches(name, PRESETS, n=1, cutoff=0.0)[0]
        raise SearchError(
            f"there is no preset {name!r}; did you mean {near!r}? The presets are "
            f"{', '.join(PRESETS)}"
        )
    return PRESETS[name]


def option_names() -> list[str]:
    """The names of all options of the engine, `preset` first.

    >>> option_names()[:3]
    ['preset', 'eval', 'seconds']
    """
    return ["preset", *_ENGINE, *_SEARCH]


def option_type(name: str) -> Any:  # noqa: ANN401
    """The type of an option's value: `str`, `int`, `float`, `bool`, a `Literal`, or a union."""
    if name == "preset":
        return str
    return _ENGINE[name] if name in _ENGINE else _SEARCH[name]


def default(name: str) -> Any:  # noqa: ANN401
    """An option's value in the settings of the paper."""
    settings = EngineSettings()
    return getattr(settings if name in _ENGINE else settings.search, name)


def with_options(settings: EngineSettings, options: Mapping[str, str]) -> EngineSettings:
    """Settings with some options replaced, given as texts.

    `preset` replaces all of them first; the names are those of `EngineSettings` and of
    `AgentSettings`.

    >>> with_options(EngineSettings(), {"preset": "fast", "scope": "klss"}).search.scope
    'klss'
    >>> with_options(EngineSettings(), {"scope": "kluz"})
    Traceback (most recent call last):
    obscuro.errors.SearchError: scope is 'kluz', expected one of kluss, klss, common
    """
    if "preset" in options:
        settings = preset(options["preset"])
    engine: dict[str, Any] = {}
    search: dict[str, Any] = {}
    for name, text in options.items():
        if name == "preset":
            continue
        if name in _ENGINE:
            engine[name] = _read(name, text, _ENGINE[name])
        elif name in _SEARCH:
            search[name] = _read(name, text, _SEARCH[name])
        else:
            near = get_close_matches(name, option_names(), n=1, cutoff=0.0)[0]
            raise SearchError(f"there is no option {name!r}; did you mean {near!r}?")
    return replace(settings, search=replace(settings.search, **search), **engine)


def _read(name: str, text: str, kind: Any) -> Any:  # noqa: ANN401
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise SearchError(f"{name} is {text!r}, expected one of {', '.join(get_args(kind))}")
        return text
    if get_origin(kind) in (Union, types.UnionType):
        kinds = [part for part in get_args(kind) if part is not type(None)]
        return None if text == "none" else _read(name, text, kinds[0])
    if kind is bool:
        if text not in ("true", "false"):
            raise SearchError(f"{name} is {text!r}, expected true or false")
        return text == "true"
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise SearchError(f"{name} is {text!r}, expected {what}") from None


_ENGINE = {
    f.name: get_type_hints(EngineSettings)[f.name]
    for f in fields(EngineSettings)
    if f.name != "search"
}
# A blueprint is for small games.
_SEARCH = {
    f.name: get_type_hints(AgentSettings)[f.name]
    for f in fields(AgentSettings)
    if f.name != "blueprint"
}
