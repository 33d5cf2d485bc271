"""All games of a server: begun, found by their tokens, put away when nobody uses them."""

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import chess

from obscuro import players
from obscuro.errors import ObscuroError
from obscuro.fow import STARTING_FEN, Board
from obscuro.web import messages, opponents, record, uploads
from obscuro.web.clocks import TimeControl
from obscuro.web.engines import Engine, MakePlayer, Searches
from obscuro.web.opponents import Opponent
from obscuro.web.room import TICK, Room
from obscuro.web.store import Seat, Store, StoredGame
from obscuro.web.table import Setup, Table

HUMAN = "human"
"""The opponent is whoever follows the invitation."""
MOST_LISTED = 200


class NoSuchGameError(ObscuroError):
    """Nothing is known by this token."""


@dataclass(frozen=True)
class Settings:
    """How a server runs.

    Attributes:
        data: The file of the games; `None` keeps them in memory.
        opponents: The programs to choose from.
        searches: How many searches run at the same time.
        engines: How many programs keep what they know between moves.
        idle: Seconds after which a game that nobody uses is put away.
        tick: See `room.TICK`.
        make_player: Makes a program's player of its text.
        now: The monotonic clock.
        new_token: Makes what nobody can guess.
    """

    data: Path | None = None
    opponents: tuple[Opponent, ...] = opponents.OPPONENTS
    searches: int = 1
    engines: int = 4
    idle: float = 600.0
    tick: float = TICK
    make_player: MakePlayer = players.make
    now: Callable[[], float] = time.monotonic
    new_token: Callable[[], str] = lambda: secrets.token_urlsafe(16)


@dataclass(frozen=True)
class NewGame:
    """What a player asks for.

    Attributes:
        color: The player's colour; `None` draws it.
        opponent: A program's key, or `HUMAN`.
        control: The clocks, if there are any.
        casual: Whether moves can be taken back.
        start: FEN of the start position, if it is not the usual one.
    """

    color: chess.Color | None
    opponent: str
    control: TimeControl | None
    casual: bool
    start: str | None = None


@dataclass(frozen=True)
class Begun:
    """A game has begun: the player's own token, and the invitation for the opponent."""

    token: str
    invitation: str | None


class Lobby:
    """Games by token. Everything here runs in the server's one event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.data)
        self.searches = Searches(settings.searches, settings.engines)
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def begin(self, wish: NewGame, visitor: str) -> Begun:
        """Begins a game."""
        color = random.random() < 0.5 if wish.color is None else wish.color
        start = Board(wish.start).fen() if wish.start else STARTING_FEN
        if wish.opponent == HUMAN:
            setup = Setup(("White", "Black"), None, None, wish.control, wish.casual, start)
        else:
            opponent = opponents.find(wish.opponent, self.settings.opponents)
            names = ("Human", opponent.label) if color else (opponent.label, "Human")
            setup = Setup(names, not color, opponent.key, wish.control, wish.casual, start)
        room = self._open(setup, waiting=wish.opponent == HUMAN)
        token = self._seat(room, color, visitor)
        invitation = None
        if wish.opponent == HUMAN:
            invitation = self.settings.new_token()
            self.store.invite(invitation, room.key, white=not color)
        room.resume()
        return Begun(token, invitation)

    async def invitation(self, token: str) -> dict[str, Any]:
        """What somebody is told who was invited."""
        found = await asyncio.wrap_future(self.store.invitation(token, take=False))
        if found is None:
            raise NoSuchGameError("this invitation is not open any more")
        setup = (await self._room(found[0])).table.setup
        return {
            "color": chess.COLOR_NAMES[found[1]],
            "control": setup.control
            and {"base": setup.control.base, "increment": setup.control.increment},
            "casual": setup.casual,
            "start": setup.start,
        }

    async def accept(self, token: str, visitor: str) -> Begun:
        """Takes the seat that an invitation is for; the invitation is used up."""
        found = await asyncio.wrap_future(self.store.invitation(token, take=True))
        if found is None:
            raise NoSuchGameError("this invitation is not open any more")
        game, white = found
        room = await self._room(game)
        own = self._seat(room, white, visitor)
        room.opponent_joined()
        return Begun(own, None)

    async def upload(self, text: str, visitor: str) -> list[str]:
        """Keeps games from elsewhere, and gives a token for each."""
        # Reading takes long for many games: not in the event loop.
        tables = await asyncio.get_running_loop().run_in_executor(None, _read, text)
        tokens = []
        for table in tables:
            key = self.settings.new_token()
            self._save_table(key, table, time.time())
            token = self.settings.new_token()
            self.store.seat(Seat(token, key, True, visitor))
            tokens.append(token)
        return tokens

    async def find(self, token: str) -> tuple[Room, chess.Color]:
        """The game of a seat's token."""
        seat = await asyncio.wrap_future(self.store.find_seat(token))
        if seat is None:
            raise NoSuchGameError("there is no such game")
        return await self._room(seat.game), seat.white

    async def finished(self, token: str) -> tuple[str, dict[str, Any]]:
        """A finished game's name in the store, never to be sent to anyone, and its truth."""
        room, _ = await self.find(token)
        return room.key, record.truth(room.table)

    async def game_record(self, token: str) -> str:
        """A finished game as matches keep theirs, in JSON."""
        room, _ = await self.find(token)
        return record.as_game_record(room.table, room.created).to_json()

    async def games_of(self, visitor: str) -> list[dict[str, Any]]:
        """The games in which a visitor has a seat, the latest first."""
        rows = await asyncio.wrap_future(self.store.games_of(visitor, MOST_LISTED))
        return [
            {"token": token, "color": chess.COLOR_NAMES[white], "updated": updated, **summary}
            for token, white, updated, summary in rows
        ]

    async def put_away_idle(self) -> None:
        """Puts away the games that nobody has used for a while."""
        now = self.settings.now()
        for key, room in list(self._rooms.items()):
            if not room.is_busy and now - room.last_used >= self.settings.idle:
                del self._rooms[key]
                await room.close()

    async def close(self) -> None:
        """Stops everything; all games are kept."""
        rooms, self._rooms = list(self._rooms.values()), {}
        for room in rooms:
            await room.close()
        self.searches.close()
        self.store.close()

    @property
    def games_in_memory(self) -> int:
        """How many games are not put away."""
        return len(self._rooms)

    def _open(self, setup: Setup, *, waiting: bool) -> Room:
        table = Table(setup, self.settings.now, waiting=waiting)
        room = self._make_room(self.settings.new_token(), table, time.time())
        self._rooms[room.key] = room
        self._save(room)
        return room

    def _make_room(self, key: str, table: Table, created: float) -> Room:
        setup = table.setup
        opponent = engine = None
        if setup.engine is not None and setup.opponent is not None and table.result is None:
            opponent = opponents.find(setup.opponent, self.settings.opponents)
            make = self.settings.make_player
            engine = Engine(make, opponent.spec, setup.engine, setup.start)
        return Room(
            key=key,
            table=table,
            opponent=opponent,
            engine=engine,
            searches=self.searches,
            now=self.settings.now,
            created=created,
            save=self._save,
            begin_rematch=self._begin_rematch,
            tick=self.settings.tick,
        )

    async def _room(self, key: str) -> Room:
        if room := self._rooms.get(key):
            return room
        # Two browsers may ask for the same game at once; it must not be two rooms.
        if key not in self._loading:
            task = asyncio.get_running_loop().create_task(self._load(key))
            self._loading[key] = task
            task.add_done_callback(lambda _: self._loading.pop(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, key: str) -> Room:
        row = await asyncio.wrap_future(self.store.load(key))
        if row is None:
            raise NoSuchGameError("there is no such game")
        room = self._make_room(key, record.load(row.data, self.settings.now), row.created)
        self._rooms[key] = room
        room.resume()
        return room

    def _seat(self, room: Room, color: chess.Color, visitor: str) -> str:
        token = self.settings.new_token()
        self.store.seat(Seat(token, room.key, color, visitor))
        return token

    def _begin_rematch(self, room: Room) -> None:
        """The same game with colours changed; everyone is told the token of their own new seat."""
        task = asyncio.get_running_loop().create_task(self._rematch(room))
        room.keep(task)

    async def _rematch(self, room: Room) -> None:
        if room.rematch_begun:
            return
        room.rematch_begun = True
        seats = await asyncio.wrap_future(self.store.seats_of(room.key))
        old = room.table.setup
        engine = None if old.engine is None else not old.engine
        names = (old.names[1], old.names[0]) if old.engine is not None else old.names
        new = self._open(replace(old, names=names, engine=engine), waiting=False)
        for seat in seats:
            token = self._seat(new, not seat.white, seat.visitor)
            room.send_to(seat.white, messages.rematch_begun(token))
        new.resume()

    def _save(self, room: Room) -> None:
        self._save_table(room.key, room.table, room.created)

    def _save_table(self, key: str, table: Table, created: float) -> None:
        setup, result = table.setup, table.result
        control = setup.control
        summary = {
            "white": setup.names[0],
            "black": setup.names[1],
            "opponent": setup.opponent_kind,
            "control": control and {"base": control.base, "increment": control.increment},
            "plies": table.plies,
            "turn": chess.COLOR_NAMES[table.board.turn],
            "status": table.status,
            "result": result and messages.result(result),
        }
        row = StoredGame(key, created, time.time(), summary, record.dump(table))
        self.store.save(row)


def _read(text: str) -> list[Table]:
    return [uploads.table(game) for game in uploads.read(text)]
