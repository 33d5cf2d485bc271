"""`obscuro bench`: searches fixed positions, which proves and times the engine."""

from typing import Annotated

import typer

from obscuro.protocol.bench import NODES, Bench


def bench(
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the tree for each position.")] = NODES,
) -> None:
    """Search fixed positions in one thread: nodes, speed, and a signature of what was found.

    The signature is the same wherever the engine plays the same.
    """
    for line in Bench(nodes).lines():
        typer.echo(line)
