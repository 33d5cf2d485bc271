"""One game that is being played: its table, who is connected, its program, its timers."""

import asyncio
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import chess

from obscuro.errors import ObscuroError
from obscuro.fow import Observation
from obscuro.players import Clock
from obscuro.web import commands, messages
from obscuro.web.engines import Engine, Searches
from obscuro.web.messages import ClockFace, Message, PublicState, Thinking
from obscuro.web.opponents import Opponent
from obscuro.web.seatlog import SeatLog
from obscuro.web.table import OfferError, Table

_log = logging.getLogger(__name__)

TICK = 0.25
"""A program's answer is sent at a whole number of these after its search began, and at least one of
them after its time was used up: how much it had to think about is not to be seen from outside."""

_QUEUE = 200


def answer_after(elapsed: float, budget: float, tick: float = TICK) -> float:
    """When the answer of a search is sent, in seconds after the search began.

    >>> answer_after(0.01, budget=1.0), answer_after(1.2, budget=1.0), answer_after(1.3, budget=1.0)
    (1.25, 1.25, 1.5)
    """
    # One tick more than the time itself: what a search costs beside its time fits into it.
    least = math.ceil(budget / tick - 1e-6) + 1
    return max(least, math.ceil(elapsed / tick)) * tick


class Connection:
    """A browser at a seat. What is sent to it waits in a queue, which ends it when it is full."""

    def __init__(self, color: chess.Color) -> None:
        self.color = color
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue(_QUEUE)
        self._closed = False

    def send(self, message: Message) -> None:
        """Puts a message in the queue."""
        if self._closed:
            return
        if self._outbox.full():
            self.close()
            return
        self._outbox.put_nowait(messages.encode(message))

    def close(self) -> None:
        """Ends the connection when what is in the queue was sent, or at once if it is full."""
        self._closed = True
        if self._outbox.full():
            self._outbox.get_nowait()
        self._outbox.put_nowait(None)

    async def receive(self) -> str | None:
        """The next text to be sent; `None` when the connection is to be closed."""
        return await self._outbox.get()


@dataclass
class Room:
    """A game with everything that moves it on.

    Everything here runs in the server's one event loop, and nothing in it waits: a command is
    carried out whole before the next one is read.

    Attributes:
        key: The game's name in the store; it is never sent to anyone.
        table: The referee.
        opponent: The strength of the program, if one plays.
        engine: The program.
        searches: Where programs think.
        now: The monotonic clock.
        created: When the game was begun, in seconds of the epoch.
        save: Called after every change.
        begin_rematch: Called when both want another game.
        tick: See `TICK`.
    """

    key: str
    table: Table
    opponent: Opponent | None
    engine: Engine | None
    searches: Searches
    now: Callable[[], float]
    created: float
    save: Callable[["Room"], None]
    begin_rematch: Callable[["Room"], None]
    tick: float = TICK
    connections: list[Connection] = field(default_factory=list)
    last_used: float = 0.0
    rematch_begun: bool = False
    _thinking: Thinking | None = None
    _search_began: float | None = None
    # Counts what makes a search pointless: its answer is for a game that is no more.
    _epoch: int = 0
    _flag: asyncio.TimerHandle | None = None
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    def resume(self) -> None:
        """Lets the clock run and the program think, if it is their turn."""
        self.last_used = self.now()
        if self.engine and self.table.board.turn == self.table.setup.engine:
            self._ask_engine()
        else:
            self.table.start_clock()
        self._arm_flag()

    def join(self, connection: Connection) -> None:
        """A browser has connected: it is told everything that its seat knows."""
        self._check_flag()
        was_here = self._is_here(connection.color)
        self.connections.append(connection)
        self.last_used = self.now()
        connection.send(
            messages.snapshot(self.table.logs[connection.color], self._public(connection.color))
        )
        if not was_here:
            self._tell(messages.standing, not connection.color)

    def leave(self, connection: Connection) -> None:
        """A browser has gone."""
        if connection in self.connections:
            self.connections.remove(connection)
        self.last_used = self.now()
        if not self._is_here(connection.color):
            self._tell(messages.standing, not connection.color)

    def opponent_joined(self) -> None:
        """The second player has come: the game begins."""
        self.table.waiting = False
        self.last_used = self.now()
        self.table.start_clock()
        self._tell(messages.snapshot)
        self.save(self)

    def send_to(self, color: chess.Color, message: Message) -> None:
        """Sends a message to all browsers of one seat."""
        self._send(color, lambda: message)

    def keep(self, task: "asyncio.Task[None]") -> None:
        """Holds a task of this room until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def handle(self, connection: Connection, text: str) -> None:
        """Carries a message out, or answers with an error."""
        self.last_used = self.now()
        try:
            command = commands.read(text)
            if isinstance(command, commands.Ping):
                connection.send(messages.pong())
                return
            self._check_flag()
            self._carry_out(connection.color, command)
        except ObscuroError as error:
            connection.send(messages.refusal(type(error).__name__, str(error)))

    @property
    def is_busy(self) -> bool:
        """Whether somebody is there, a program thinks, or a clock runs."""
        clock = self.table.clock
        running = clock is not None and clock.running is not None
        return bool(self.connections or self._thinking) or running

    async def close(self) -> None:
        """Stops clocks, timers and the program; the game is kept as it stands."""
        self._epoch += 1
        if self._flag:
            self._flag.cancel()
        if self.table.clock:
            self.table.clock.stop(self.now())
        self.save(self)
        for connection in self.connections:
            connection.close()
        if self.engine:
            self.searches.forget(self.engine)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _carry_out(self, color: chess.Color, command: commands.Command) -> None:
        table = self.table
        match command:
            case commands.PlayMove(move=text, plies=plies):
                self._check_plies(plies)
                self._play(color, table.logs[color].parse(text))
            case commands.Resign():
                table.resign(color)
                self._ended()
            case commands.Takeback(plies=plies):
                self._check_plies(plies)
                table.ask_takeback(color)
                if self.engine:
                    table.answer_takeback(not color, accept=True)
                    self._taken_back()
                else:
                    self._tell(messages.standing)
            case commands.AnswerTakeback(accept=accept):
                table.answer_takeback(color, accept=accept)
                if accept:
                    self._taken_back()
                else:
                    self._tell(messages.standing)
            case commands.Rematch():
                if table.offer_rematch(color):
                    self.begin_rematch(self)
                else:
                    self._tell(messages.standing)
            case commands.Ping():
                pass

    def _check_plies(self, plies: int) -> None:
        if plies != self.table.plies:
            raise OfferError(f"the game stands at {self.table.plies} plies, not at {plies}")

    def _play(self, color: chess.Color, move: chess.Move) -> None:
        table = self.table
        engine_next = self.engine is not None and table.setup.engine != color
        table.play(color, move, run_next_clock=not engine_next)
        if engine_next:
            self._ask_engine()
        self._tell(messages.news)
        if table.result is not None:
            self._ended(tell=False)
            return
        self._arm_flag()
        self.save(self)

    def _taken_back(self) -> None:
        self._drop_search()
        if self.engine:
            # It must not know what it has seen; and its old search may still be ending.
            old, self.engine = self.engine, self.engine.anew()
            self.searches.forget(old)
        if self.engine and self.table.board.turn == self.table.setup.engine:
            self._ask_engine()
        self._tell(messages.snapshot)
        self._arm_flag()
        self.save(self)

    def _ended(self, *, tell: bool = True) -> None:
        self._drop_search()
        if self._flag:
            self._flag.cancel()
        if self.engine:
            self.searches.forget(self.engine)
        if tell:
            self._tell(messages.standing)
        self.save(self)

    # The program.

    def _ask_engine(self) -> None:
        if self.engine is None or self.opponent is None or self.table.result is not None:
            return
        self._epoch += 1
        table, color = self.table, self.table.board.turn
        clock = None
        if table.clock is not None:
            clock = Clock(table.clock.remaining[color], table.clock.control.increment)
        limits = self.opponent.limits(clock)
        self._thinking = Thinking(queued=True, elapsed=0.0, budget=limits.seconds or 0.0)
        self._search_began = None
        epoch = self._epoch

        def on_start() -> None:
            if epoch == self._epoch and self._thinking:
                # Its clock runs from here: waiting for its turn to search is not thinking.
                self._search_began = self.now()
                self._thinking = Thinking(queued=False, elapsed=0.0, budget=self._thinking.budget)
                table.start_clock()
                self._arm_flag()
                self._tell(messages.standing)

        async def think(engine: Engine) -> None:
            seen = list(table.logs[color].observations)
            try:
                decision = await self.searches.choose(engine, seen, limits, on_start)
                move = decision.move
                if move is not None:
                    table.board.san(move)  # an error, unless the move is legal
            except Exception:
                _log.exception("a program has failed")
                if epoch == self._epoch:
                    table.forfeit(color)
                    self._ended()
                return
            await self._hold_answer(limits.seconds or 0.0)
            if epoch != self._epoch:
                return
            self._thinking = None
            if self._check_flag():
                return
            if move is None:
                table.resign(color)
                self._ended()
                return
            self._play(color, move)
            if table.result is None:
                await self._tell_engine(engine, list(table.logs[color].observations))

        self.keep(asyncio.get_running_loop().create_task(think(self.engine)))

    async def _tell_engine(self, engine: Engine, seen: list[Observation]) -> None:
        """Lets the program take its own move in while its opponent thinks."""
        try:
            await self.searches.tell(engine, seen)
        except Exception:
            # It is told everything anew when it is to move.
            _log.exception("a program has failed")
            if engine is self.engine:
                self.engine = engine.anew()
            self.searches.forget(engine)

    async def _hold_answer(self, budget: float) -> None:
        if self.tick <= 0 or self._search_began is None:
            return
        elapsed = self.now() - self._search_began
        wait = answer_after(elapsed, budget, self.tick) - elapsed
        clock = self.table.clock
        if clock and clock.running is not None:
            # Not at the price of the game.
            wait = min(wait, clock.left(clock.running, self.now()) / 2)
        await asyncio.sleep(max(0.0, wait))

    def _drop_search(self) -> None:
        self._epoch += 1
        self._thinking = None
        if self.engine:
            self.engine.stop()

    # The flag.

    def _arm_flag(self) -> None:
        if self._flag:
            self._flag.cancel()
            self._flag = None
        clock = self.table.clock
        if clock and clock.running is not None and self.table.result is None:
            left = clock.left(clock.running, self.now())
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left + 0.005, self._flag_timer)

    def _flag_timer(self) -> None:
        if not self._check_flag():
            self._arm_flag()

    def _check_flag(self) -> bool:
        if self.table.check_flag():
            self._ended()
            return True
        return False

    # Telling.

    def _is_here(self, color: chess.Color) -> bool:
        if color == self.table.setup.engine:
            return True
        return any(connection.color == color for connection in self.connections)

    def _public(self, color: chess.Color) -> PublicState:
        table, setup = self.table, self.table.setup
        clock = table.clock
        face = None
        if clock is not None:
            white, black = (clock.left(side, self.now()) for side in (chess.WHITE, chess.BLACK))
            face = ClockFace(white, black, clock.running)
        thinking = self._thinking
        if thinking and self._search_began is not None:
            elapsed = self.now() - self._search_began
            thinking = Thinking(queued=False, elapsed=elapsed, budget=thinking.budget)
        return PublicState(
            start=setup.start,
            names=setup.names,
            opponent_kind=setup.opponent_kind,
            base=setup.control.base if setup.control else None,
            increment=setup.control.increment if setup.control else 0.0,
            casual=setup.casual,
            waiting=table.waiting,
            opponent_here=self._is_here(not color),
            clock=face,
            thinking=thinking,
            result=table.result,
            takeback=table.takeback,
            rematch=table.rematch,
        )

    def _send(self, color: chess.Color, make: Callable[[], Message]) -> None:
        there = [connection for connection in self.connections if connection.color == color]
        if there:
            message = make()
            for connection in there:
                connection.send(message)

    def _tell(self, make: Callable[[SeatLog, PublicState], Message], *colors: chess.Color) -> None:
        """Sends each seat, or those of the colours, what is made of what it knows."""
        for color in colors or (chess.WHITE, chess.BLACK):
            log, public = self.table.logs[color], self._public(color)
            self._send(color, partial(make, log, public))
