"""A game as one player has been told it: all that the searching half of the engine ever gets."""

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from obscuro.errors import ObservationError, ProtocolError
from obscuro.fow import Observation


@dataclass(frozen=True)
class Told:
    """What a player has been told: the start, an observation after every ply, their own moves.

    Attributes:
        color: Whose game it is.
        start: The FEN of the start, which both players know.
        observations: Of the start, and after every ply.
        moves: The player's own moves, in order.
    """

    color: chess.Color
    start: str
    observations: tuple[Observation, ...]
    moves: tuple[chess.Move, ...]

    @property
    def last(self) -> Observation:
        """What the player sees now."""
        return self.observations[-1]

    def begins_with(self, other: "Told") -> bool:
        """Whether this is the other game, or the other one carried on."""
        plies, moves = len(other.observations), len(other.moves)
        return (
            self.color == other.color
            and self.start == other.start
            and self.observations[:plies] == other.observations
            and self.moves[:moves] == other.moves
        )

    def own_move(self, number: int) -> chess.Move | None:
        """The own move between observation `number` - 1 and the next, if that ply was one."""
        if number == 0 or self.observations[number - 1].turn != self.color:
            return None
        before = self.observations[: number - 1]
        return self.moves[sum(seen.turn == self.color for seen in before)]


def read_told(
    color: chess.Color, start: str, observations: Sequence[str], moves: Sequence[str]
) -> Told:
    """What the texts of a line tell, if it can be a game as far as form goes.

    Whether the observations agree with each other is for the belief to say.

    >>> fen = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1"
    >>> read_told(chess.WHITE, chess.STARTING_FEN, [fen], []).last.fog_fen == fen
    True
    >>> read_told(chess.WHITE, chess.STARTING_FEN, [fen], ["e2e4"])
    Traceback (most recent call last):
    obscuro.errors.ProtocolError: moves: found 1, expected 0, one for each ply of White's ...
    """
    seen = _read_observations(color, start, observations)
    own = [number for number, one in enumerate(seen[:-1]) if one.turn == color]
    name = chess.COLOR_NAMES[color].capitalize()
    if len(moves) != len(own):
        raise ProtocolError(
            f"moves: found {len(moves)}, expected {len(own)}, one for each ply of {name}'s "
            f"among the {len(seen)} observations"
        )
    played = []
    for place, (text, number) in enumerate(zip(moves, own, strict=True), 1):
        legal = {move.uci(): move for move in seen[number].legal_moves}
        if text not in legal:
            raise ProtocolError(
                f"move {place}: {text[:10]!r} is not legal in observation {number + 1}, "
                f"expected one of {', '.join(sorted(legal)) or 'none'}"
            )
        played.append(legal[text])
    return Told(color, start, seen, tuple(played))


def _read_observations(
    color: chess.Color, start: str, texts: Sequence[str]
) -> tuple[Observation, ...]:
    fields = start.split()
    white_to_move, fullmove = fields[1] == "w", int(fields[5])
    seen: list[Observation] = []
    for number, text in enumerate(texts, 1):
        try:
            observation = Observation(text, color)
        except ObservationError as error:
            raise ProtocolError(f"observation {number}: {error}") from error
        if (observation.turn, observation.fullmove_number) != (white_to_move, fullmove):
            side = "w" if white_to_move else "b"
            raise ProtocolError(
                f'observation {number}: found "{text}", expected one of move {fullmove} with '
                f"{side} to move: there is one of the start and one after every ply"
            )
        if seen and seen[-1].outcome() is not None:
            raise ProtocolError(f"observation {number}: the game was over with the one before")
        seen.append(observation)
        fullmove += not white_to_move
        white_to_move = not white_to_move
    return tuple(seen)
