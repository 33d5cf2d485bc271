"""What can go wrong through bad input, each with a message that says what was expected instead.

Whatever raises one of these has changed nothing: the board, the belief or the game is as it was.
"""

import chess


class ObscuroError(Exception):
    """The base of all errors of this package.

    >>> issubclass(FenError, ObscuroError) and issubclass(FenError, ValueError)
    True
    """


class FenError(ObscuroError, ValueError):
    """A FEN or a fog FEN does not describe a position."""


class MoveError(ObscuroError, ValueError):
    """A move cannot be read or played."""


class InvalidMoveError(MoveError, chess.InvalidMoveError):
    """A text is not a move in any position."""


class IllegalMoveError(MoveError, chess.IllegalMoveError):
    """A move is not legal in this position."""


class AmbiguousMoveError(MoveError, chess.AmbiguousMoveError):
    """A move in SAN fits several legal moves."""


class ObservationError(ObscuroError, ValueError):
    """An observation cannot be true."""


class PgnError(ObscuroError, ValueError):
    """A PGN text is not the record of a game of this variant."""


class GameOverError(ObscuroError, RuntimeError):
    """Something was asked of a game that has ended."""


class PlayerError(ObscuroError, RuntimeError):
    """A player was asked for something in the wrong order, or gave an impossible answer."""


class EngineError(PlayerError):
    """Another program that plays cannot be started, has ended, is late, or answers nonsense."""


class EngineEndedError(EngineError):
    """A program that plays has ended in the middle of something."""


class EngineLateError(EngineError):
    """A program that plays does not answer in time."""


class EngineMoveError(EngineError):
    """A program that plays answers with a move that is not legal."""


class ProtocolError(ObscuroError, ValueError):
    """A line of the engine protocol cannot be understood or followed."""


class SearchError(ObscuroError, ValueError):
    """A search cannot run with these settings or limits."""


class NetworkError(ObscuroError, ValueError):
    """A file is not a network that can be used."""


class FileError(ObscuroError, OSError):
    """A file cannot be read or written."""


class GameError(ObscuroError, ValueError):
    """There is no such game, or a game was asked something that it has no answer to."""


class ContractError(GameError):
    """A game breaks a rule that every game must keep."""


class GameTooLargeError(GameError):
    """A game is too large to be solved whole."""


class StrategyError(ObscuroError, ValueError):
    """Numbers are not a strategy for a game."""


class SolverError(ObscuroError, RuntimeError):
    """A linear program was not solved."""


class MissingPackageError(ObscuroError, ImportError):
    """An optional package is needed and not installed."""


class MatchError(ObscuroError, ValueError):
    """A match cannot be played or continued as it was asked for."""


class AnalysisError(ObscuroError, ValueError):
    """A game cannot be analysed as it was asked for."""


class LabError(ObscuroError, ValueError):
    """An experiment cannot be run, or its result cannot be read, as it was asked for."""


class TrainingError(ObscuroError, ValueError):
    """A network cannot be trained as it was asked for, or data for it cannot be used."""
