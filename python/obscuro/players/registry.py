"""Players by name."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from obscuro.errors import PlayerError
from obscuro.players.base import Player
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.random import RandomPlayer
from obscuro.players.settings import EngineSettings, option_names, with_options

Options = dict[str, str]
"""What stands in the brackets of a player's text, by name."""


def _obscuro(options: Options) -> Player:
    return ObscuroPlayer(with_options(EngineSettings(), options))


def _simple_eval(options: Options) -> Player:
    return ObscuroPlayer(with_options(EngineSettings(eval="simple"), options))


def _random(options: Options) -> Player:
    return RandomPlayer(_number(options, "seed"))


_MAKERS: dict[str, Callable[[Options], Player]] = {
    "obscuro": _obscuro,
    "simple-eval": _simple_eval,
    "random": _random,
}
_OPTIONS: dict[str, Sequence[str]] = {
    "obscuro": option_names(),
    "simple-eval": [name for name in option_names() if name not in ("preset", "eval")],
    "random": ("seed",),
}


def names() -> list[str]:
    """The names of all players.

    >>> "obscuro" in names()
    True
    """
    return list(_MAKERS)


def make(text: str) -> Player:
    """A player by name, with options in brackets.

    >>> make("random(seed=7)")
    <obscuro.players.random.RandomPlayer object at ...>
    >>> make("obscura")
    Traceback (most recent call last):
    obscuro.errors.PlayerError: there is no player 'obscura'; did you mean 'obscuro'? ...
    """
    name, options = parse(text)
    if name not in _MAKERS:
        near = get_close_matches(name, names(), n=1, cutoff=0.0)[0]
        raise PlayerError(
            f"there is no player {name!r}; did you mean {near!r}? The players are "
            f"{', '.join(names())}"
        )
    for option in options:
        if option not in _OPTIONS[name]:
            near = get_close_matches(option, _OPTIONS[name], n=1, cutoff=0.0)[0]
            raise PlayerError(
                f"{name} has no option {option!r}; did you mean {near!r}? Its options are "
                f"{', '.join(_OPTIONS[name])}"
            )
    return _MAKERS[name](options)


def options_of(name: str) -> list[str]:
    """The names of a player's options.

    >>> options_of("random")
    ['seed']
    """
    return list(_OPTIONS[name])


def parse(text: str) -> tuple[str, Options]:
    """Name and options of a player's text.

    >>> parse("obscuro(seed=1, preset=fast)")
    ('obscuro', {'seed': '1', 'preset': 'fast'})
    """
    name, bracket, inside = text.strip().partition("(")
    form = "expected name or name(option=value,...)"
    options: Options = {}
    if bracket:
        if not inside.endswith(")"):
            raise PlayerError(f"cannot read the player {text!r}: {form}")
        for part in filter(None, inside[:-1].split(",")):
            key, equals, value = (word.strip() for word in part.partition("="))
            if not equals or not key or key in options:
                raise PlayerError(f"cannot read {part!r} of the player {text!r}: {form}")
            options[key] = value
    return name.strip(), options


def _number(options: Options, name: str) -> int | None:
    text = options.get(name)
    if text is None:
        return None
    if not text.isdecimal():
        raise PlayerError(f"{name} is {text!r}, expected a whole number from 0 on")
    return int(text)
