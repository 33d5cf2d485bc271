"""Makes the program small: what can be decided by backward induction is decided."""

import numpy as np

from obscuro.players.zs21.sequences import Choice, Sequences, split
from obscuro.players.zs21.tree import Turn


def reduce(sequences: Sequences) -> tuple[list[Choice], list[tuple[Choice, int]]]:
    """Decides the choices in which one action is best whatever else is played.

    If all payoffs below a choice belong to one and the same sequence of the other player, the best
    action is the one with the largest of them, or with the smallest for ▼. That is backward
    induction where nothing is hidden. Gives the choices that are left with payoffs in `moved`, and
    the others with their best actions; both from the root down.
    """
    choices = sequences.choices
    for choice in choices:
        choice.pinned = choice.depth < 0
        choice.moved = {}
    left: list[Choice] = []
    decided: list[tuple[Choice, int]] = []
    for choice in sorted(choices, key=lambda choice: -choice.depth):
        for other, block in choice.blocks.items():
            moved = choice.moved.get(other)
            choice.moved[other] = block if moved is None else moved + block
        if choice.pinned or len(choice.moved) != 1:
            left.append(choice)
            if choice.depth >= 0:
                choices[split(choice.above)[0]].pinned = True
            for other in choice.moved:
                choices[split(other)[0]].pinned = True
            continue
        ((other, payoffs),) = choice.moved.items()
        ours = choice.turn == Turn.OURS
        best = int(payoffs.argmax() if ours else payoffs.argmin())
        decided.append((choice, best))
        pair = (choice.above, other) if ours else (other, choice.above)
        owner, action, key = sequences.deeper(*pair)
        if key not in owner.moved:
            owner.moved[key] = np.zeros(owner.size)
        owner.moved[key][action] += payoffs[best]
    return left[::-1], decided[::-1]
