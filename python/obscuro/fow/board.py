"""A game of Fog of War chess as its referee sees it."""

import chess

from obscuro import _core
from obscuro.fow import svg, text
from obscuro.fow.encoding import decode, encode
from obscuro.fow.observation import Observation
from obscuro.fow.outcome import Outcome

STARTING_FEN = chess.STARTING_FEN


class Board:
    """The true position, its history, clocks and outcome.

    As `chess.Board`, with these rules: a king is captured like any other piece and that ends the
    game, there is no check, a side without moves loses, and draws by threefold repetition and by
    the fifty-move rule come by themselves.

    >>> board = Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> print(board.observation(chess.BLACK))
    rnbqkbnr/pppppppp/8/8/????????/????????/????????/???????? b kq - - 1
    >>> board.push_uci("e7e9")
    Traceback (most recent call last):
        ...
    obscuro.errors.InvalidMoveError: "e7e9" is not a move in UCI notation: ...
    """

    __slots__ = ("_core",)

    def __init__(self, fen: str | None = None) -> None:
        self._core = _core.FowBoard(fen)

    @classmethod
    def from_core(cls, core: _core.FowBoard) -> "Board":
        """Wraps a board of the native core."""
        self = cls.__new__(cls)
        self._core = core
        return self

    @classmethod
    def from_chess(cls, board: chess.Board) -> "Board":
        """The same position and clocks as a `chess.Board`, with its moves if they are legal here.

        >>> Board.from_chess(chess.Board()).fen() == chess.STARTING_FEN
        True
        """
        self = cls(board.root().fen(en_passant="xfen"))
        for move in board.move_stack:
            self.push(move)
        return self

    def to_chess(self) -> chess.Board:
        """A `chess.Board` with the same position, clocks and moves; it does not check legality."""
        board = chess.Board(self.root().fen())
        for move in self.move_stack:
            board.push(move)
        return board

    @property
    def turn(self) -> chess.Color:
        """The side to move."""
        return self._core.turn()

    @property
    def halfmove_clock(self) -> int:
        """Half-moves since the last capture or pawn move."""
        return self._core.halfmoves()

    @property
    def fullmove_number(self) -> int:
        """The number of the move."""
        return self._core.fullmoves()

    @property
    def legal_moves(self) -> list[chess.Move]:
        """The legal moves; none once the game is over."""
        return [decode(number) for number in self._core.legal_moves()]

    @property
    def move_stack(self) -> list[chess.Move]:
        """The moves played."""
        return [decode(number) for number in self._core.played()]

    @property
    def ep_square(self) -> chess.Square | None:
        """Where the side to move can capture en passant."""
        return self._core.en_passant_target()

    @property
    def castling_rights(self) -> chess.SquareSet:
        """The rooks that may still castle."""
        return chess.SquareSet(self._core.castling_rooks())

    def fen(self) -> str:
        """The FEN; its en-passant square is given only if it can be used."""
        return self._core.fen()

    def is_legal(self, move: chess.Move) -> bool:
        """Whether a move can be played."""
        return bool(move) and move.drop is None and self._core.is_legal(encode(move))

    def push(self, move: chess.Move) -> None:
        """Plays a move; unlike in python-chess, it must be legal."""
        self._core.push(encode(move))

    def pop(self) -> chess.Move:
        """Takes the last move back."""
        number = self._core.pop()
        if number is None:
            raise IndexError("pop from a board without moves")
        return decode(number)

    def peek(self) -> chess.Move:
        """The last move."""
        return self.move_stack[-1]

    def parse_san(self, san: str) -> chess.Move:
        """The legal move in standard algebraic notation.

        Where several moves fit by the rules of this game, but one by those of chess (a pinned piece
        does not count there), that one is meant.
        """
        return decode(self._core.parse_san(san))

    def parse_uci(self, uci: str) -> chess.Move:
        """The legal move in UCI notation."""
        return decode(self._core.parse_uci(uci))

    def push_san(self, san: str) -> chess.Move:
        """Plays a move in standard algebraic notation."""
        move = self.parse_san(san)
        self.push(move)
        return move

    def push_uci(self, uci: str) -> chess.Move:
        """Plays a move in UCI notation."""
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def san(self, move: chess.Move) -> str:
        """A legal move in standard algebraic notation; a king's capture is written as any other."""
        return self._core.san(encode(move))

    def is_capture(self, move: chess.Move) -> bool:
        """Whether a legal move captures."""
        return self._core.is_capture(encode(move))

    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return Outcome.from_core(self._core.outcome())

    def is_game_over(self) -> bool:
        """Whether the game is over."""
        return self._core.outcome() is not None

    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        outcome = self.outcome()
        return outcome.result() if outcome else "*"

    def is_repetition(self, count: int = 3) -> bool:
        """Whether the position has occurred `count` times."""
        return self._core.repetitions() >= count

    def piece_at(self, square: chess.Square) -> chess.Piece | None:
        """The piece on a square."""
        piece = self._core.piece_at(square)
        return piece and chess.Piece(*piece)

    def piece_map(self) -> dict[chess.Square, chess.Piece]:
        """The pieces by square."""
        return {s: piece for s in chess.SQUARES if (piece := self.piece_at(s)) is not None}

    def pieces(self, piece_type: chess.PieceType, color: chess.Color) -> chess.SquareSet:
        """The squares of one kind of piece of one side."""
        return chess.SquareSet(self._core.pieces(color)[piece_type - 1])

    def king(self, color: chess.Color) -> chess.Square | None:
        """The king's square; `None` once it was captured."""
        kings = self.pieces(chess.KING, color)
        return kings.pop() if kings else None

    @property
    def visible(self) -> chess.SquareSet:
        """Every square: nothing is hidden from the referee."""
        return chess.SquareSet(chess.BB_ALL)

    def vision(self, color: chess.Color) -> chess.SquareSet:
        """The squares that a player sees.

        >>> len(Board().vision(chess.WHITE))
        32
        """
        return chess.SquareSet(self._core.vision(color))

    def captured(self, color: chess.Color) -> chess.Square | None:
        """Where the last ply captured a piece of `color`."""
        return self._core.captured(color)

    def observation(self, color: chess.Color) -> Observation:
        """What a player is given after the last ply, and at the start."""
        return Observation.from_core(self._core.observation(color))

    def perft(self, depth: int, *, bulk: bool = True) -> int:
        """The number of move sequences of a length; `bulk` counts the last ply without playing it.

        >>> Board().perft(3)
        8902
        """
        return self._core.perft(depth, bulk)

    def divide(self, depth: int) -> dict[chess.Move, int]:
        """`perft` below each move."""
        return {decode(number): nodes for number, nodes in self._core.divide(depth)}

    def copy(self) -> "Board":
        """A board that can be changed without changing this one."""
        return Board.from_core(self._core.copy())

    def root(self) -> "Board":
        """The board with which the game began."""
        return Board.from_core(self._core.root())

    def draw(self, *, flip: bool = False) -> str:
        """The true board, for a terminal."""
        return text.draw(self, flip=flip)

    def svg(self, *, size: int | None = None, flip: bool = False) -> str:
        """The true board as an SVG picture, the last move marked."""
        moves = self.move_stack
        lastmove = moves[-1] if moves else None
        return svg.draw(self, size=size, flip=flip, lastmove=lastmove)

    def _repr_svg_(self) -> str:
        return self.svg(size=390)

    def __str__(self) -> str:
        return text.draw(self)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def __eq__(self, other: object) -> bool:
        """Whether position and clocks are equal, whatever the history."""
        return isinstance(other, Board) and self.fen() == other.fen()

    __hash__ = None  # type: ignore[assignment]
