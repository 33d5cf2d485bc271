"""What a browser may ask of its game, and nothing else.

Every message is checked before anything is done; one that is wrong is an error and changes nothing.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from obscuro.errors import ObscuroError

LONGEST = 500
"""The characters that a message may have."""


class CommandError(ObscuroError, ValueError):
    """A message is none that the server knows."""


class _Command(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayMove(_Command):
    """A move, in UCI or SAN, after so many plies: a late message does not play at another turn."""

    type: Literal["move"]
    move: str = Field(max_length=12)
    plies: int = Field(ge=0, le=100_000)


class Resign(_Command):
    """The player gives the game up."""

    type: Literal["resign"]


class Takeback(_Command):
    """The player asks to take back; `plies` is where the game stands for them."""

    type: Literal["takeback"]
    plies: int = Field(ge=0, le=100_000)


class AnswerTakeback(_Command):
    """The player answers the opponent's request to take back."""

    type: Literal["answer-takeback"]
    accept: bool


class Rematch(_Command):
    """The player offers another game, or accepts the offer."""

    type: Literal["rematch"]


class Ping(_Command):
    """Is the server there?"""

    type: Literal["ping"]


Command: TypeAlias = PlayMove | Resign | Takeback | AnswerTakeback | Rematch | Ping
"""What a browser may ask."""

_COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])


def read(text: str) -> Command:
    """The command that a message is.

    >>> read('{"type": "move", "move": "e2e4", "plies": 0}')
    PlayMove(type='move', move='e2e4', plies=0)
    >>> read('{"type": "peek"}')
    Traceback (most recent call last):
        ...
    obscuro.web.commands.CommandError: type: expected one of move, resign, takeback, ...
    """
    if len(text) > LONGEST:
        raise CommandError(f"a message has at most {LONGEST} characters")
    try:
        return _COMMANDS.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        kind = str(first["type"])
        if kind.startswith("union_tag"):
            known = "move, resign, takeback, answer-takeback, rematch, ping"
            raise CommandError(f"type: expected one of {known}") from None
        # The first part of the place is the type, which the sender knows.
        place = ".".join(str(part) for part in first["loc"][1:])
        words = "expected a JSON object" if kind == "json_invalid" else str(first["msg"])
        raise CommandError(f"{place}: {words}" if place else words) from None
