"""The engine: what each command does."""

import threading
from collections import deque
from collections.abc import Callable

import chess

from obscuro import __version__
from obscuro.errors import ObscuroError, ProtocolError
from obscuro.fow import STARTING_FEN
from obscuro.protocol import jobs, referee
from obscuro.protocol.commands import (
    Bench,
    Command,
    Debug,
    FogPosition,
    Go,
    Perft,
    PlainPosition,
    SetOption,
    Word,
    parse,
)
from obscuro.protocol.follower import Follower
from obscuro.protocol.options import Options, is_button
from obscuro.protocol.told import read_told

FORM = "info string fog form 1"
"""What the engine says of itself before `uciok`: it takes `position fog`."""

# What is done at once, whatever else goes on.
_AT_ONCE = {"uci", "isready", "stop", "ponderhit", "quit", "register"}
_MOST_WAITING = 1000
_LEAVE_SECONDS = 5.0
_LONGEST_MESSAGE = 500


class NobodyListensError(Exception):
    """What `write` raises when nobody reads what the engine says: there is no use to go on."""


class Engine:
    """Carries out one line after the other.

    All methods are called by one thread, which must carry out what `post` was given as well; the
    searches run in another.

    Args:
        write: Takes each line that the engine says.
        post: Has a function called by the thread that calls the methods; it may be called by any.
    """

    def __init__(
        self, write: Callable[[str], None], post: Callable[[Callable[[], None]], None]
    ) -> None:
        self.has_quit = False
        self._write = write
        self._post = post
        self._options = Options()
        self._follower = Follower(self._options.settings)
        self._position: PlainPosition | None = PlainPosition(STARTING_FEN, ())
        self._debug = False
        self._job: jobs.Job | None = None
        self._thread: threading.Thread | None = None
        self._held: list[str] = []
        # Commands that came during a search, and whether a stop came after them.
        self._waiting: deque[tuple[Command, bool]] = deque()
        self._stopped_before = False

    def take(self, line: str) -> None:
        """Takes a line; whatever is wrong with it is said, and changes nothing."""
        try:
            command = parse(line)
        except ProtocolError as error:
            self._error(error)
            return
        if command is None:
            return
        if isinstance(command, Debug) or (isinstance(command, Word) and command.name in _AT_ONCE):
            self._do(command)
            return
        if self._job is not None and self._job.silent:
            self._end_job()
        if self._job is None:
            self._do(command)
        elif len(self._waiting) < _MOST_WAITING:
            self._waiting.append((command, False))
        else:
            self._say_error(f"{_MOST_WAITING} commands wait for the search; expected stop first")

    def refuse(self, error: ObscuroError) -> None:
        """Says that a line cannot even be taken."""
        self._error(error)

    def leave(self) -> None:
        """Ends what runs; nothing is said any more."""
        self._waiting.clear()
        self._write = lambda _: None
        self._end_job()
        self._follower.forget()

    def _do(self, command: Command) -> None:
        try:
            match command:
                case Word(name):
                    self._word(name)
                case SetOption():
                    self._set_option(command)
                case PlainPosition():
                    self._follow_plain(command)
                case FogPosition():
                    self._follow_fog(command)
                case Go():
                    self._go(command)
                case Perft():
                    self._start(jobs.Count(self._known("perft"), command))
                case Bench(nodes):
                    self._start(jobs.Bench(nodes))
                case Debug(on):
                    self._debug = on
        except ObscuroError as error:
            self._error(error)
        except (KeyboardInterrupt, SystemExit, NobodyListensError):
            raise
        except BaseException as error:  # a panic of the core is no Exception
            self._failed(error)

    def _word(self, name: str) -> None:
        match name:
            case "uci":
                self._say(f"id name Obscuro {__version__}", "id author the Obscuro authors")
                self._say(*self._options.lines(), FORM, "uciok")
            case "isready":
                self._say("readyok")
            case "stop":
                self._stop()
            case "ponderhit":
                self._ponderhit()
            case "quit":
                self.has_quit = True
            case "ucinewgame":
                self._follower.forget()
                self._position = PlainPosition(STARTING_FEN, ())
            case "d":
                self._display()
            case "eval":
                self._evaluate()

    def _set_option(self, command: SetOption) -> None:
        self._options.set(command.name, command.value)
        if is_button(command.name):
            self._follower.forget_player()
        self._follower.configure(self._options.settings)

    def _follow_plain(self, position: PlainPosition) -> None:
        self._begin_anew(self._follower.follow(referee.tell(position)))
        self._position = position

    def _follow_fog(self, command: FogPosition) -> None:
        start = referee.known_start(command.start)
        told = read_told(command.color, start, command.observations, command.moves)
        self._begin_anew(self._follower.follow(told, resync=self._options.resync))
        self._position = None
        ahead = told.last.turn != told.color and told.last.outcome() is None
        if ahead and self._options.settings.ponder:
            self._start(jobs.ThinkAhead(self._follower.player(), asked=False))

    def _begin_anew(self, anew: list[str]) -> None:
        for reason in anew:
            self._say_string("resync", reason)
        if self._debug:
            player = self._follower.player()
            self._say_string("debug", f"{player.belief_size} positions are possible")

    def _go(self, go: Go) -> None:
        try:
            job = self._search(go)
        except ObscuroError as error:
            self._error(error)
            self._say(jobs.NO_MOVE)
            return
        for word in go.ignored:
            self._say_string("ignored", f"go {word} has no meaning for this search")
        self._start(job)

    def _search(self, go: Go) -> jobs.Job:
        told = self._follower.told
        if told is None:
            self._follower.follow(referee.tell(self._known("go")))
            told = self._follower.told
        assert told is not None
        if told.last.outcome() is not None:
            raise ProtocolError("go: the game is over, expected a position where it goes on")
        if told.last.turn == told.color:
            return jobs.Search(self._follower.player(), told.color, go, self._options.settings)
        if go.infinite or go.ponder:
            return jobs.ThinkAhead(self._follower.player(), asked=True)
        side = chess.COLOR_NAMES[told.color]
        raise ProtocolError(
            f"go: it is not {side}'s turn, expected go ponder or an observation more"
        )

    def _known(self, name: str) -> PlainPosition:
        if self._position is None:
            raise ProtocolError(
                f"{name}: the position is hidden in the fog form, expected position startpos or "
                "position fen first"
            )
        return self._position

    def _display(self) -> None:
        if self._position is not None:
            self._say(*referee.draw(self._position).splitlines(), "")
            if self._follower.told is None:
                self._follower.follow(referee.tell(self._position))
        told, player = self._follower.told, self._follower.player()
        if told is not None:
            self._say(*told.last.draw().splitlines(), "")
            self._say(f"Observation of {chess.COLOR_NAMES[told.color]}: {told.last}")
        self._say(f"Possible positions: {player.belief_size}")

    def _evaluate(self) -> None:
        from obscuro.players.leaf_values import LeafValues

        name = self._options.settings.eval
        values = referee.children(self._known("eval"), LeafValues(name))
        for move, value in sorted(values.items(), key=lambda pair: (-pair[1], pair[0])):
            self._say(f"{move} {value:+.4f}")
        self._say(f"{len(values)} moves, for the side to move, by the evaluator {name}")

    def _start(self, job: jobs.Job) -> None:
        self._job = job
        self._held = []
        self._thread = threading.Thread(
            target=self._run, args=(job,), name="obscuro-search", daemon=True
        )
        self._thread.start()
        if self._stopped_before and not job.silent:
            self._stop_job()

    def _run(self, job: jobs.Job) -> None:
        """The other thread: nothing of the engine is touched but by what is posted."""
        failure: BaseException | None = None
        try:
            for line in job.lines():
                self._post(lambda line=line: self._job_says(job, line))  # type: ignore[misc]
        except BaseException as error:
            failure = error
        self._post(lambda: self._job_ended(job, failure))

    def _job_says(self, job: jobs.Job, line: str) -> None:
        if job is not self._job:
            return
        if job.held:
            self._held.append(line)
        else:
            self._say(line)

    def _job_ended(self, job: jobs.Job, failure: BaseException | None) -> None:
        if job is not self._job:
            return
        if failure is not None:
            self._failed(failure)
            for line in job.after_failure:
                self._job_says(job, line)
        self._thread = None
        if not job.held:
            self._idle()

    def _idle(self) -> None:
        self._job = None
        while self._waiting and self._job is None:
            command, self._stopped_before = self._waiting.popleft()
            self._do(command)
        self._stopped_before = False

    def _stop(self) -> None:
        # It counts for every search that was asked for before it.
        self._waiting = deque((command, True) for command, _ in self._waiting)
        self._stop_job()

    def _stop_job(self) -> None:
        if self._job is not None:
            self._job.stop()
            self._release()

    def _ponderhit(self) -> None:
        if self._job is None or not self._job.held:
            return
        self._job.ponderhit()
        self._release()

    def _release(self) -> None:
        """Says what was held back, now that it may be said."""
        job = self._job
        if job is None or not job.held:
            return
        job.held = False
        self._say(*self._held)
        self._held = []
        if self._thread is None:
            self._idle()

    def _end_job(self) -> None:
        job, thread = self._job, self._thread
        self._job = self._thread = None
        if job is not None and thread is not None:
            job.stop()
            thread.join(_LEAVE_SECONDS)

    def _failed(self, error: BaseException) -> None:
        """Something that should not have happened: who knows what state the player is in."""
        self._follower.forget_player()
        self._say_error(f"internal, {type(error).__name__}: {error}")

    def _error(self, error: ObscuroError) -> None:
        self._say_error(str(error))

    def _say_error(self, message: str) -> None:
        self._say_string("error", message)

    def _say_string(self, kind: str, message: str) -> None:
        words = "".join(c if c.isprintable() else " " for c in message).split()
        text = " ".join(words)
        short = text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "..."
        self._say(f"info string {kind} {short}")

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._write(line)
