"""Writes docs/api.md, the list of all public names: `make reference`."""

import importlib
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType

PACKAGES = (
    "obscuro.fow",
    "obscuro.fow.text",
    "obscuro.fow.svg",
    "obscuro.games",
    "obscuro.search",
    "obscuro.players",
    "obscuro.errors",
)
PAGE = Path(__file__).with_name("api.md")

_HEAD = """# API reference

All public names, with their signatures and the first paragraph of what `help()` says about them.
This page is written by `make reference`, and a test compares it with the code.
"""


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


def render() -> str:
    """The page as it should be."""
    return (
        "\n".join([_HEAD, *(line for name in PACKAGES for line in _package(name))]).rstrip() + "\n"
    )


def _package(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    yield f"## `{name}`\n"
    yield f"{_summary(module)}\n"
    for public in _public(module):
        yield from _entry(public, getattr(module, public))
    yield ""


def _public(module: ModuleType) -> list[str]:
    if hasattr(module, "__all__"):
        return sorted(module.__all__, key=str.lower)
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    )


def _entry(name: str, value: object) -> Iterator[str]:
    origin = getattr(value, "__module__", "") or ""
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        text = repr(value)
        shown = f" = `{text}`" if len(text) < 60 and " at 0x" not in text else ""
        yield f"- **`{name}`**{shown}"
        return
    if origin.split(".")[0] != "obscuro":
        yield f"- **`{name}`** is python-chess' `{origin}.{value.__name__}`."
        return
    yield f"- **`{name}{_signature(value)}`**: {_summary(value)}"
    if inspect.isclass(value) and not issubclass(value, Exception):
        for member in _members(value):
            yield f"    - {member}"


def _members(cls: type) -> Iterator[str]:
    if issubclass(cls, Enum):
        yield from (f"`{member.name}` = `{member.value!r}`" for member in cls)
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"`{name}`: {_summary(member)}"
        elif isinstance(member, classmethod | staticmethod):
            yield f"`{name}{_signature(member.__func__)}`: {_summary(member.__func__)}"
        elif inspect.isroutine(member):
            yield f"`{name}{_signature(member)}`: {_summary(member)}"


def _signature(value: object) -> str:
    if inspect.isclass(value) and issubclass(value, Exception | Enum):
        return ""
    if not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return "(...)"
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_plain(parameter.default))
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    text = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return text.replace(", /)", ")").replace("(/)", "()")


class _Shown:
    """A default that prints as a name where its value would print as an address."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(default: object) -> object:
    text = repr(default)
    return _Shown("...") if " at 0x" in text or "<factory>" in text else default


def _summary(value: object) -> str:
    documentation = inspect.getdoc(value) or ""
    return re.sub(r"\s+", " ", documentation.split("\n\n")[0])


if __name__ == "__main__":
    main()
