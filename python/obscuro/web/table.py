"""A game at the server: the referee, who alone sees the board."""

from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from obscuro.errors import GameOverError, ObscuroError
from obscuro.fow import STARTING_FEN, Board
from obscuro.match import referee
from obscuro.players import Result
from obscuro.web.clocks import GameClock, TimeControl
from obscuro.web.seatlog import NotYourTurnError, SeatLog

# As on lichess, a clock begins to run with the player's second move.
_PLIES_WITHOUT_CLOCK = 2


class OfferError(ObscuroError):
    """A takeback or a rematch is not possible now."""


@dataclass(frozen=True)
class Unfinished(Result):
    """Nobody knows how it would have ended: an uploaded game without a result."""

    @property
    def score(self) -> str:
        """What PGN writes for it."""
        return "*"


@dataclass(frozen=True)
class Setup:
    """How a game was agreed.

    Attributes:
        names: What White and Black are called.
        engine: The colour that a program plays, if one does.
        opponent: The key of that program's strength.
        control: The clocks, or `None`.
        casual: Whether moves can be taken back.
        start: FEN of the start position.
        uploaded: Whether the game was played elsewhere.
    """

    names: tuple[str, str]
    engine: chess.Color | None = None
    opponent: str | None = None
    control: TimeControl | None = None
    casual: bool = True
    start: str = STARTING_FEN
    uploaded: bool = False

    @property
    def opponent_kind(self) -> str:
        """`"engine"`, `"human"` or `"upload"`."""
        if self.uploaded:
            return "upload"
        return "human" if self.engine is None else "engine"


@dataclass
class Table:
    """The board, both seats' logs, the clocks and the result of one game.

    >>> table = Table(Setup(("Ada", "Bob")), now=lambda: 0.0)
    >>> table.play(chess.WHITE, table.logs[chess.WHITE].parse("e4"))
    >>> table.logs[chess.BLACK].seen.fog_fen.split()[1]
    'b'
    """

    setup: Setup
    now: Callable[[], float]
    waiting: bool = False
    board: Board = field(init=False)
    logs: dict[chess.Color, SeatLog] = field(init=False)
    clock: GameClock | None = field(init=False)
    result: Result | None = None
    takeback: chess.Color | None = None
    rematch: chess.Color | None = None
    times: list[tuple[float, float]] = field(default_factory=list)
    """Seconds left of White and Black after each ply, where there are clocks."""
    spent: list[float] = field(default_factory=list)
    """Seconds from each ply's beginning to its end, as far as the server was running."""
    _ply_began: float = field(init=False)

    def __post_init__(self) -> None:
        self.board = Board(self.setup.start)
        if self.board.outcome() is not None:
            raise GameOverError("the game is over in the start position")
        control = self.setup.control
        self.clock = GameClock(control) if control else None
        self.logs = {color: SeatLog(color) for color in (chess.WHITE, chess.BLACK)}
        for color, log in self.logs.items():
            log.begin(self.board.observation(color))
        self._ply_began = self.now()

    @property
    def plies(self) -> int:
        """How many plies were played."""
        return self.logs[chess.WHITE].plies

    @property
    def status(self) -> str:
        """`"waiting"` for the opponent, `"playing"` or `"over"`."""
        return "over" if self.result else "waiting" if self.waiting else "playing"

    @property
    def kind(self) -> str:
        """What kind of ending it was, as the records of matches name them."""
        if self.result is None or isinstance(self.result, Unfinished):
            return "unfinished"
        if self.board.outcome() is not None:
            return referee.RULES
        endings = {
            "resigned": referee.RESIGNATION,
            "time": referee.TIME,
            "failed": referee.ERROR,
        }
        return endings.get(self.result.reason.rpartition(" ")[2], referee.ADJUDICATION)

    def play(self, color: chess.Color, move: chess.Move, *, run_next_clock: bool = True) -> None:
        """Plays a move, and gives both seats what they observe.

        The caller has parsed the move from the seat's log. `run_next_clock` is false where the
        next player's program has to wait for its turn to search.
        """
        self.check_flag()
        self._check_playing()
        if self.board.turn != color:
            raise NotYourTurnError("it is not your turn")
        self.board.push(move)
        for seat, log in self.logs.items():
            log.append(move if seat == color else None, self.board.observation(seat))
        self.takeback = None
        now = self.now()
        self.spent.append(now - self._ply_began)
        self._ply_began = now
        self._press_clock()
        outcome = self.board.outcome()
        if outcome is not None:
            self._finish(Result(outcome.winner, outcome.termination.words))
        elif run_next_clock:
            self.start_clock()

    def start_clock(self) -> None:
        """Lets the clock of the player to move run, from their second move on."""
        if self.clock is None or self.result is not None or self.waiting:
            return
        if self.plies >= _PLIES_WITHOUT_CLOCK and self.clock.running is None:
            self.clock.start(self.board.turn, self.now())

    def check_flag(self) -> bool:
        """Ends the game if the running clock has no time left."""
        if self.result is None and self.clock and self.clock.has_fallen(self.now()):
            loser = self.board.turn
            self.clock.stop(self.now())
            self._finish(Result(not loser, f"{_name(loser)} ran out of time"))
            return True
        return False

    def resign(self, color: chess.Color) -> None:
        """The player gives the game up."""
        self.check_flag()
        self._check_playing()
        self._finish(Result(not color, f"{_name(color)} resigned"))

    def forfeit(self, color: chess.Color) -> None:
        """The player's program has failed: the opponent wins."""
        self._check_playing()
        self._finish(Result(not color, f"{_name(color)}'s program failed"))

    def ask_takeback(self, color: chess.Color) -> None:
        """The player would like to have their last move back."""
        self._check_playing()
        if not self.setup.casual:
            raise OfferError("moves can be taken back in casual games only")
        if not self._own_plies(color):
            raise OfferError("you have not moved yet")
        self.takeback = color

    def answer_takeback(self, color: chess.Color, *, accept: bool) -> None:
        """The opponent of the one who asked says yes or no."""
        self._check_playing()
        if self.takeback is None or self.takeback == color:
            raise OfferError("nobody asks you to take a move back")
        asker, self.takeback = self.takeback, None
        if not accept:
            return
        plies = self._own_plies(asker)[-1]
        if self.clock:
            self.clock.stop(self.now())
        for _ in range(self.plies - plies):
            self.board.pop()
        del self.times[plies:]
        del self.spent[plies:]
        for log in self.logs.values():
            log.cut(plies)
        self.start_clock()

    def offer_rematch(self, color: chess.Color) -> bool:
        """The player would like another game; true if the opponent does too, as programs do."""
        if self.result is None:
            raise OfferError("the game is not over")
        if self.setup.uploaded:
            raise OfferError("there is nobody to play another game with")
        if self.setup.engine is not None or self.rematch == (not color):
            return True
        self.rematch = color
        return False

    def _own_plies(self, color: chess.Color) -> list[int]:
        return [ply for ply, move in enumerate(self.logs[color].moves) if move is not None]

    def _press_clock(self) -> None:
        if self.clock:
            self.clock.press(self.now())
            left = self.clock.remaining
            self.times.append((left[chess.WHITE], left[chess.BLACK]))

    def _check_playing(self) -> None:
        if self.result is not None:
            raise GameOverError("the game is over")
        if self.waiting:
            raise NotYourTurnError("the opponent has not joined yet")

    def _finish(self, result: Result) -> None:
        self.result = result
        self.takeback = None
        if self.clock:
            self.clock.stop(self.now())


def _name(color: chess.Color) -> str:
    return chess.COLOR_NAMES[color].capitalize()
