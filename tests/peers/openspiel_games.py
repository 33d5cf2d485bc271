"""Measures the small games as OpenSpiel has them and prints what it finds as JSON.

The native games must be the same games, so their tests compare against this output, which is kept
in ``crates/games/tests/golden/openspiel.json``:

    pip install open_spiel==2.0.2 highspy==1.15.1
    python tests/peers/openspiel_games.py > crates/games/tests/golden/openspiel.json

Each tree is walked in preorder, actions in rising order, down to ``depth`` plies and along the
first ``width`` actions of every player (0: no limit). ``tree`` hashes what kind of node there is,
its actions, chance probabilities and payoffs; ``partition`` hashes, for every node of a player,
which infoset it belongs to, counted in the order of their first nodes. Two walks with equal hashes
are the same game up to names.

An infoset here is OpenSpiel's information state string together with the own past, that is what a
player with perfect recall knows. Where ``strings`` differs from ``infosets``, OpenSpiel's string
alone forgets something.
"""

import json
import sys
from collections.abc import Iterator

import highspy
import numpy as np
import pyspiel

MASK = (1 << 64) - 1
GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(imp_info=True,{}))"

# Walked down to depth (0: to the end) and along the first width actions (0: all).
WALKS = [
    ("kuhn_poker", 0, 0),
    ("leduc_poker", 0, 0),
    *((f"liars_dice(dice_sides={sides})", 0, 0) for sides in (2, 3, 4, 5, 6)),
    ("liars_dice(bidding_rule=reset-quantity,dice_sides=3)", 0, 0),
    *(
        (
            GOOFSPIEL.format(f"num_cards={cards},points_order={order},returns_type={returns}"),
            0,
            0,
        )
        for cards, order, returns in [
            (3, "descending", "win_loss"),
            (4, "descending", "win_loss"),
            (5, "descending", "win_loss"),
            (4, "ascending", "win_loss"),
            (4, "descending", "point_difference"),
            (3, "random", "win_loss"),
            (4, "random", "point_difference"),
        ]
    ),
    *(
        (f"dark_hex(gameversion={version},num_cols=2,num_rows=2,obstype={obstype})", 0, 0)
        for version in ("cdh", "adh")
        for obstype in ("reveal-nothing", "reveal-numturns")
    ),
    ("dark_hex(gameversion=adh,num_cols=3,num_rows=2)", 0, 0),
    *(
        (f"dark_hex(gameversion={version},num_cols=3,num_rows=3,obstype={obstype})", depth, width)
        for version in ("cdh", "adh")
        for obstype in ("reveal-nothing", "reveal-numturns")
        for depth, width in ((5, 0), (0, 2))
    ),
    ("dark_hex(gameversion=cdh,num_cols=4,num_rows=3)", 8, 3),
    *(
        (f"phantom_ttt(gameversion={version},obstype={obstype})", depth, width)
        for version in ("classical", "abrupt")
        for obstype in ("reveal-nothing", "reveal-numturns")
        for depth, width in ((5, 0), (0, 2))
    ),
]

# Solved exactly with a sequence-form linear program.
VALUES = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=2)",
    "liars_dice(dice_sides=3)",
    "liars_dice(dice_sides=4)",
    "liars_dice(bidding_rule=reset-quantity,dice_sides=3)",
    *(
        GOOFSPIEL.format(f"num_cards={cards},points_order={order},returns_type={returns}")
        for cards, order, returns in [
            (3, "descending", "win_loss"),
            (4, "descending", "win_loss"),
            (4, "ascending", "win_loss"),
            (4, "descending", "point_difference"),
            (3, "random", "win_loss"),
        ]
    ),
    "dark_hex(gameversion=cdh,num_cols=2,num_rows=2)",
    "dark_hex(gameversion=adh,num_cols=2,num_rows=2)",
]

# Too large to walk, but for the first: counted over the states that the histories lead to.
COUNTS = [
    "dark_hex(gameversion=cdh,num_cols=2,num_rows=2)",
    "phantom_ttt(gameversion=classical)",
    "phantom_ttt(gameversion=abrupt)",
    "dark_hex(gameversion=cdh,num_cols=3,num_rows=3)",
    "dark_hex(gameversion=adh,num_cols=3,num_rows=3)",
]


class Hash:
    """A running hash of whole numbers, easy to repeat in any language."""

    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add(self, word: int) -> None:
        """Folds in one number of 64 bits."""
        value = ((self.value ^ (word & MASK)) * 0x100000001B3) & MASK
        self.value = value ^ (value >> 32)

    def text(self) -> str:
        """The hash as 16 hexadecimal digits."""
        return f"{self.value:016x}"


def fixed(number: float) -> int:
    """A real number as a whole one, for hashing."""
    return round(number * (1 << 30))


class Walk:
    """One walk through a tree and what it counted."""

    def __init__(self, name: str, depth: int, width: int) -> None:
        self.depth, self.width = depth, width
        self.tree, self.partition = Hash(), Hash()
        self.nodes = self.terminals = self.chance = 0
        # Per player: the string and the own past (an infoset and an action) -> number.
        self.infosets: tuple[dict[tuple[str, int, int], int], ...] = ({}, {})
        self.strings: tuple[set[str], set[str]] = (set(), set())
        self.visit(pyspiel.load_game(name).new_initial_state(), 0, ((-1, -1), (-1, -1)))

    def visit(
        self, state: pyspiel.State, plies: int, pasts: tuple[tuple[int, int], tuple[int, int]]
    ) -> None:
        """Counts and hashes the subtree at ``state``."""
        self.nodes += 1
        if state.is_terminal():
            self.terminals += 1
            self.tree.add(1)
            self.tree.add(fixed(state.returns()[0]))
            return
        if state.is_chance_node():
            self.chance += 1
            outcomes = state.chance_outcomes()
            self.tree.add(2)
            self.tree.add(len(outcomes))
            for action, probability in outcomes:
                self.tree.add(action)
                self.tree.add(fixed(probability))
            if not self.depth or plies < self.depth:
                for action, _ in outcomes:
                    self.visit(state.child(action), plies + 1, pasts)
            return
        player = state.current_player()
        string = state.information_state_string()
        known = self.infosets[player]
        number = known.setdefault((string, *pasts[player]), len(known))
        self.strings[player].add(string)
        self.partition.add(player)
        self.partition.add(number)
        actions = state.legal_actions()
        self.tree.add(3 + player)
        self.tree.add(len(actions))
        for action in actions:
            self.tree.add(action)
        if self.depth and plies >= self.depth:
            return
        for action in actions[: self.width or None]:
            past = (number, action)
            after = (past, pasts[1]) if player == 0 else (pasts[0], past)
            self.visit(state.child(action), plies + 1, after)

    def report(self) -> dict[str, object]:
        """What was counted."""
        return {
            "depth": self.depth,
            "width": self.width,
            "nodes": self.nodes,
            "terminals": self.terminals,
            "chance": self.chance,
            "infosets": [len(known) for known in self.infosets],
            "strings": [len(known) for known in self.strings],
            "tree": self.tree.text(),
            "partition": self.partition.text(),
        }


Sequence = tuple[str, int] | None


def leaves(
    state: pyspiel.State,
    reach: float,
    sequences: tuple[Sequence, Sequence],
    parents: tuple[dict[str, Sequence], dict[str, Sequence]],
    actions: dict[str, list[int]],
) -> Iterator[tuple[Sequence, Sequence, float]]:
    """Both sequences of every leaf with its payoff times the reach of chance."""
    if state.is_terminal():
        yield *sequences, reach * state.returns()[0]
    elif state.is_chance_node():
        for action, probability in state.chance_outcomes():
            yield from leaves(state.child(action), reach * probability, sequences, parents, actions)
    else:
        player = state.current_player()
        infoset = f"{player} {state.information_state_string()}"
        parents[player][infoset] = sequences[player]
        actions[infoset] = state.legal_actions()
        for action in actions[infoset]:
            own = (infoset, action)
            after = (own, sequences[1]) if player == 0 else (sequences[0], own)
            yield from leaves(state.child(action), reach, after, parents, actions)


def exact_value(name: str) -> float:
    """The first player's value: max v(root) over their realisation plans."""
    parents: tuple[dict[str, Sequence], dict[str, Sequence]] = ({}, {})
    actions: dict[str, list[int]] = {}
    root = pyspiel.load_game(name).new_initial_state()
    payoffs = list(leaves(root, 1.0, (None, None), parents, actions))

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    infinity = highspy.kHighsInf
    plan: dict[Sequence, int] = {}
    values: dict[str | None, int] = {}
    columns = 0
    for infoset in (None, *parents[0]):
        for sequence in [None] if infoset is None else [(infoset, a) for a in actions[infoset]]:
            model.addVar(1.0 if infoset is None else 0.0, 1.0)
            plan[sequence] = columns
            columns += 1
    for infoset in (None, *parents[1]):
        model.addVar(-infinity, infinity)
        values[infoset] = columns
        columns += 1

    def row(low: float, high: float, terms: dict[int, float]) -> None:
        index = np.array(list(terms), dtype=np.int32)
        model.addRow(low, high, len(terms), index, np.array(list(terms.values()), dtype=float))

    for infoset, parent in parents[0].items():
        row(0.0, 0.0, {plan[parent]: -1.0} | {plan[infoset, a]: 1.0 for a in actions[infoset]})
    # What the second player gets at one of their sequences bounds the value of its infoset.
    bounds: dict[Sequence, dict[int, float]] = {None: {values[None]: 1.0}}
    for infoset in parents[1]:
        for action in actions[infoset]:
            bounds[infoset, action] = {values[infoset]: 1.0}
    for infoset, parent in parents[1].items():
        bounds[parent][values[infoset]] = -1.0
    for mine, theirs, payoff in payoffs:
        terms = bounds[theirs]
        terms[plan[mine]] = terms.get(plan[mine], 0.0) - payoff
    for terms in bounds.values():
        row(-infinity, 0.0, terms)
    model.changeColCost(values[None], 1.0)
    model.changeObjectiveSense(highspy.ObjSense.kMaximize)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise RuntimeError(f"{name}: the linear program ended as {model.getModelStatus()}")
    return float(model.getObjectiveValue())


class Graph:
    """The states of a game without chance, whose rest depends on board, views and turn alone."""

    def __init__(self, name: str) -> None:
        self.ids: dict[str, int] = {}
        self.turns: list[int] = []
        self.views: list[tuple[str, str]] = []
        self.children: list[dict[int, int]] = []
        # Whether a player's string tells the plies, which the merged states do not.
        self.counts_plies = name.startswith("dark_hex") or "numturns" in name
        self.root = self.add(pyspiel.load_game(name).new_initial_state())

    def add(self, state: pyspiel.State) -> int:
        """The number of a state, after those of its children."""
        turn = -1 if state.is_terminal() else state.current_player()
        views = (state.observation_string(0), state.observation_string(1))
        key = "|".join([*views, str(state), str(turn)])
        if key not in self.ids:
            below = {a: self.add(state.child(a)) for a in state.legal_actions()}
            self.ids[key] = len(self.turns)
            self.turns.append(turn)
            self.views.append(views)
            self.children.append(below)
        return self.ids[key]

    def histories(self) -> list[tuple[int, int]]:
        """Nodes and terminals below every state."""
        counts: list[tuple[int, int]] = []
        for below in self.children:
            parts = [counts[child] for child in below.values()]
            nodes, terminals = sum(n for n, _ in parts), sum(t for _, t in parts)
            counts.append((1 + nodes, terminals if below else 1))
        return counts

    def turns_after(self, player: int, waiting: frozenset[int]) -> list[frozenset[int]]:
        """The infosets at which ``player`` is to move next, each as its states."""
        found: dict[tuple[str, int], set[int]] = {}
        seen, plies = set(waiting), 0
        while waiting:
            for state in waiting:
                if self.turns[state] == player:
                    count = plies if self.counts_plies else 0
                    found.setdefault((self.views[state][player], count), set()).add(state)
            others = [s for s in waiting if self.turns[s] not in (player, -1)]
            after = {child for state in others for child in self.children[state].values()}
            waiting = frozenset(after if self.counts_plies else after - seen)
            seen |= after
            plies += 1
        return [frozenset(states) for states in found.values()]

    def infosets(self, player: int) -> int:
        """Infosets at which ``player`` moves: those below equal sets of states are counted once."""
        known: dict[frozenset[int], int] = {}

        def below(infoset: frozenset[int]) -> int:
            if infoset not in known:
                count = 1
                for action in self.children[next(iter(infoset))]:
                    after = frozenset(self.children[state][action] for state in infoset)
                    count += sum(below(then) for then in self.turns_after(player, after))
                known[infoset] = count
            return known[infoset]

        return sum(below(first) for first in self.turns_after(player, frozenset([self.root])))


def count(name: str) -> dict[str, object]:
    """What is counted of a game that is too large to walk."""
    graph = Graph(name)
    nodes, terminals = graph.histories()[graph.root]
    return {
        "nodes": nodes,
        "terminals": terminals,
        "infosets": [graph.infosets(player) for player in (0, 1)],
    }


def main() -> None:
    """Prints the measurements of all games."""
    games: dict[str, dict[str, object]] = {}
    for name, depth, width in WALKS:
        walks = games.setdefault(name, {}).setdefault("walks", [])
        assert isinstance(walks, list)
        walks.append(Walk(name, depth, width).report())
    for name in VALUES:
        games.setdefault(name, {})["value"] = exact_value(name)
    for name in COUNTS:
        games.setdefault(name, {})["count"] = count(name)
    json.dump({"open_spiel": "2.0.2", "games": games}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
