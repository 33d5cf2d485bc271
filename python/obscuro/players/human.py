"""The human at the terminal, as a player.

What is printed here is made from observations alone: this module never sees the board, and a
test holds it to that.
"""

from collections.abc import Callable

import chess
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from obscuro.errors import MoveError
from obscuro.fow import STARTING_FEN, Observation, text
from obscuro.fow.notation import parse_move, san
from obscuro.players.base import Decision, Limits, Result
from obscuro.words import did_you_mean

HELP = """\
Type a move as Nf3, exd5, O-O or as g1f3, or one of these words:
  moves   your legal moves
  board   the board again
  flip    the board from the other side
  fen     what you see, as fog FEN
  resign  give the game up
  quit    leave it unfinished"""
WORDS = ("help", "moves", "board", "flip", "fen", "resign", "quit")


class QuitGame(Exception):  # noqa: N818 - leaving is no error
    """The human leaves the game unfinished."""


class Human:
    """Asks at the terminal for moves, and draws what the player sees.

    Args:
        console: Where to print.
        read: Gives the next line typed after a prompt; `EOFError` at the end of the input.
    """

    def __init__(self, console: Console, read: Callable[[str], str]) -> None:
        self._console = console
        self._read = read
        self._flip = False
        self._color: chess.Color = chess.WHITE
        self._seen: Observation | None = None
        self._after_own: tuple[str, Observation] | None = None
        self._own_move: str | None = None
        self._loss = ""

    def new_game(self, color: chess.Color, start: str = STARTING_FEN) -> None:
        """Turns the board to the side of the player."""
        self._color = color
        self._flip = color == chess.BLACK
        self._seen = self._after_own = self._own_move = None
        self._loss = ""

    def observe(self, observation: Observation) -> None:
        """Keeps what is to be drawn at the next turn."""
        if self._own_move is not None:
            self._after_own = (self._own_move, observation)
            self._own_move = None
        self._loss = self._describe_loss(observation)
        self._seen = observation

    def choose(self, limits: Limits) -> Decision:
        """Draws the position and reads lines until one of them is a move."""
        observation = self._observation()
        self._draw()
        while True:
            line = self._line()
            if line in WORDS:
                if line == "resign":
                    return Decision(None)
                self._obey(line)
                continue
            if not line:
                continue
            try:
                move = parse_move(line, observation)
            except MoveError as error:
                known = [*WORDS, *(san(move, observation) for move in observation.legal_moves)]
                hint = did_you_mean(line, known) or " Type help for help."
                self._print(f"{error}.{hint}", style="yellow")
                continue
            self._own_move = san(move, observation)
            return Decision(move)

    def game_over(self, result: Result) -> None:
        """Prints the result as the player felt it."""
        if result.winner is None:
            verdict, style = "Draw", "bold"
        elif result.winner == self._color:
            verdict, style = "You win", "bold green"
        else:
            verdict, style = "You lose", "bold red"
        self._console.print()
        if self._loss:
            self._print(self._loss)
        self._print(f"{verdict}: {result.reason}.", style=style)

    def close(self) -> None:
        """Has nothing to let go of."""

    def _observation(self) -> Observation:
        if self._seen is None:
            raise RuntimeError("asked for a move before anything was observed")
        return self._seen

    def _line(self) -> str:
        try:
            line = self._read("your move: ")
        except EOFError:
            self._console.print()
            raise QuitGame from None
        words = line.split()
        return words[0] if len(words) == 1 else " ".join(words)

    def _obey(self, word: str) -> None:
        observation = self._observation()
        match word:
            case "help":
                self._print(HELP)
            case "moves":
                names = sorted(san(move, observation) for move in observation.legal_moves)
                self._console.print(Columns(names, padding=(0, 2)), highlight=False)
            case "board":
                self._draw()
            case "flip":
                self._flip = not self._flip
                self._draw()
            case "fen":
                self._print(observation.fog_fen)
            case "quit":
                raise QuitGame

    def _describe_loss(self, observation: Observation) -> str:
        square = observation.captured
        if square is None or self._seen is None:
            return ""
        piece = self._seen.piece_at(square)
        if piece is None:
            return ""
        return (
            f"Your {chess.piece_name(piece.piece_type)} on {chess.square_name(square)} was taken."
        )

    def _draw(self) -> None:
        observation = self._observation()
        boards = [self._board("Your turn", observation)]
        if self._after_own:
            move, seen = self._after_own
            boards.insert(0, self._board(f"After your {move}", seen))
        self._console.print()
        self._console.print(Columns(boards))
        if self._loss:
            self._print(self._loss, style="bold")

    def _board(self, title: str, observation: Observation) -> RenderableType:
        drawing = text.draw(observation, flip=self._flip, color=self._console.is_terminal)
        return Padding(Group(Text(title, "bold"), Text.from_ansi(drawing)), (0, 4, 1, 0))

    def _print(self, line: str, style: str = "") -> None:
        self._console.print(Text(line, style), soft_wrap=True)
