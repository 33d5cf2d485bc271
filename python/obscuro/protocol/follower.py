"""Keeps the searching player in step with what the engine is told."""

import re
from dataclasses import replace

import chess

from obscuro.errors import ObscuroError, ObservationError, ProtocolError
from obscuro.players.obscuro import ObscuroPlayer
from obscuro.players.settings import EngineSettings
from obscuro.protocol.told import Told

_COUNTED = re.compile(r"^observation \d+ is (?=impossible)")


class Follower:
    """A player, and the game that it was told.

    A game that carries on the last one is told from there; the player then keeps its belief and its
    tree. Any other is told from the start.
    """

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self._player: ObscuroPlayer | None = None
        self._told: Told | None = None

    @property
    def told(self) -> Told | None:
        """The game, as far as it was told."""
        return self._told

    def configure(self, settings: EngineSettings) -> None:
        """Plays with other settings from now on."""
        before, self.settings = self.settings, settings
        if self._player is None:
            return
        if (before.search, before.eval) == (settings.search, settings.eval):
            self._player.settings = _quiet(settings)
        else:
            self.forget_player()

    def forget_player(self) -> None:
        """Tells the whole game anew to a new player, when one is needed."""
        if self._player is not None:
            self._player.close()
        self._player = None

    def forget(self) -> None:
        """Forgets the game as well."""
        self.forget_player()
        self._told = None

    def player(self) -> ObscuroPlayer:
        """The player, who knows all that was told."""
        if self._told is None:
            raise ProtocolError("no game was told: expected position first")
        if self._player is None:
            self._player = self._begin(self._told, resync=True)[0]
        return self._player

    def follow(self, told: Told, *, resync: bool = False) -> list[str]:
        """Tells the player a game.

        An observation that contradicts those before is an error, and the game is as it was; with
        `resync` the belief begins anew at it, and what is returned says where and why.
        """
        old, player = self._told, self._player
        if old is None or player is None or not told.begins_with(old):
            player, anew = self._begin(told, resync=resync)
            self.forget_player()
        else:
            try:
                anew = _tell(player, told, len(old.observations), resync=resync)
            except ObscuroError:
                # It may have taken in a part; the next one to be asked is told the old game.
                self.forget_player()
                raise
        self._told, self._player = told, player
        return anew

    def _begin(self, told: Told, *, resync: bool) -> tuple[ObscuroPlayer, list[str]]:
        player = ObscuroPlayer(_quiet(self.settings))
        player.new_game(told.color, told.start)
        try:
            return player, _tell(player, told, 0, resync=resync)
        except BaseException:
            player.close()
            raise


def _quiet(settings: EngineSettings) -> EngineSettings:
    """Who thinks on the opponent's time, and when, is the protocol's business."""
    return replace(settings, ponder=False)


def _tell(player: ObscuroPlayer, told: Told, start: int, *, resync: bool) -> list[str]:
    anew = []
    for number in range(start, len(told.observations)):
        observation = told.observations[number]
        move: chess.Move | None = told.own_move(number)
        if move is not None:
            player.played(move)
        try:
            player.observe(observation)
        except ObservationError as error:
            if not resync:
                raise ProtocolError(_reason(number + 1, error)) from error
            try:
                player.resync(observation)
            except ObservationError as worse:
                raise ProtocolError(_reason(number + 1, worse)) from worse
            anew.append(_reason(number + 1, error))
    return anew


def _reason(number: int, error: ObservationError) -> str:
    # The player counts plies; whoever wrote the line counts what stands in it.
    said = _COUNTED.sub("", str(error))
    return f"observation {number}: {said}"
