"""A game of one's own: a thief in a dark corridor, and a guard with a lamp."""

from dataclasses import dataclass, replace

from obscuro.games import CHANCE, TERMINAL

ROOMS, LOOKS = 4, 3


@dataclass(frozen=True)
class State:
    room: int | None = None  # where the thief is
    looks: tuple[int, ...] = ()  # where the guard has looked
    guard_to_move: bool = True

    @property
    def caught(self) -> bool:
        return not self.guard_to_move and self.room == self.looks[-1]


class Corridor:
    """The guard looks into a room, the thief sees the light and moves one room, or stays."""

    def root(self) -> State:
        return State()

    def turn(self, state: State) -> int:
        if state.room is None:
            return CHANCE
        if state.caught or len(state.looks) == LOOKS:
            return TERMINAL
        return 0 if state.guard_to_move else 1

    def chance(self, state: State) -> list[tuple[int, float]]:
        return [(room, 1 / ROOMS) for room in range(ROOMS)]

    def actions(self, state: State) -> list[int]:
        here = None if state.guard_to_move else state.room
        return [room for room in range(ROOMS) if here is None or abs(room - here) <= 1]

    def apply(self, state: State, action: int) -> State:
        if state.room is None:
            return replace(state, room=action)
        if state.guard_to_move:
            return State(state.room, (*state.looks, action), guard_to_move=False)
        return State(action, state.looks, guard_to_move=True)

    def observe(self, state: State, player: int) -> tuple[object, ...]:
        room = state.room if player == 1 or self.turn(state) == TERMINAL else "?"
        return (room, state.looks, self.turn(state))

    def payoff(self, state: State) -> float:
        return 1.0 if state.caught else -1.0
