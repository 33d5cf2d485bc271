"""Programs that take part in a match: what they are told when they start."""

import shlex
from dataclasses import dataclass, replace
from typing import Any, Literal

from obscuro.players.process import EngineProcess
from obscuro.players.uci import UciPlayer

_FOG_FORM = "info string fog form"
_OPTION_NAME = "option name "
_SEED = "seed"


@dataclass(frozen=True)
class Program:
    """A program that speaks the engine protocol: given observations, or by plain UCI all moves.

    Attributes:
        command: The program and its arguments.
        options: Its options by name, in the order in which they are set.
        mode: `"fog"`, or `"plain"` for a program that must be told the whole game.
        seed_option: The name of the option that takes a seed; empty if there is none.

    >>> str(Program(("./bot", "uci"), (("Hash", "64"),)))
    './bot uci (Hash=64)'
    """

    command: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    mode: Literal["fog", "plain"] = "fog"
    seed_option: str = ""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Program":
        """A program from plain data."""
        options = tuple((name, value) for name, value in data["options"])
        return cls(tuple(data["command"]), options, data["mode"], data.get("seed_option", ""))

    def player(self, seed: int | None = None) -> tuple[UciPlayer, int | None]:
        """The player that speaks to it, and the seed that it was given."""
        options = dict(self.options)
        fixed = next((v for k, v in options.items() if k.casefold() == _SEED), None)
        if fixed is not None:
            seed = int(fixed) if fixed.isdecimal() else None
        elif self.seed_option and seed is not None:
            options[self.seed_option] = str(seed)
        else:
            seed = None
        return UciPlayer(self.command, options=options, mode=self.mode), seed

    def look(self) -> tuple["Program", str]:
        """The program with what it says of itself before a game, and a warning if there is one."""
        process = EngineProcess(self.command)
        try:
            told = process.handshake()
        finally:
            process.close()
        warning = ""
        if self.mode == "fog" and not any(line.startswith(_FOG_FORM) for line in told):
            warning = (
                f'{process.name} does not say "{_FOG_FORM} 1": if it does not know the fog form of '
                "the engine protocol, it must be told the whole game, with proto=uci"
            )
        names = [
            line.removeprefix(_OPTION_NAME).partition(" type ")[0]
            for line in told
            if line.startswith(_OPTION_NAME)
        ]
        seed_option = next((name for name in names if name.casefold() == _SEED), "")
        return replace(self, seed_option=seed_option), warning

    @property
    def threads(self) -> int:
        """How many threads it was told to use."""
        given = next((v for k, v in self.options if k.casefold() == "threads"), "1")
        return max(1, int(given)) if given.isdecimal() else 1

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options)
        return shlex.join(self.command) + (f" ({options})" if options else "")
