"""Solving whole games: iterations a second and time to a given exploitability, beside peers.

Every solver runs CFR+ (or PCFR+, where it has it) with alternating updates in a process of its own
that is tied to one core; an iteration updates both players and their averages. Exploitability is
the mean of both best-response gains, in the game's units; checking it is not counted, and happens
whenever the iterations have grown by a tenth. Peers that are not installed are left out: `make
peers` installs them.
"""

import argparse
import contextlib
import datetime
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGETS = (1e-3, 1e-5)


class Peer(NamedTuple):
    """A peer's solver of one game, ready to run."""

    iterate: Callable[[int], None]
    exploitability: Callable[[], float]


def goofspiel(cards: int) -> str:
    """Goofspiel with hidden bids as OpenSpiel's solvers want it."""
    inner = f"goofspiel(imp_info=True,num_cards={cards},points_order=descending)"
    return f"turn_based_simultaneous_game(game={inner})"


# Our name of each game and OpenSpiel's. Phantom tic-tac-toe and dark hex 3x3 are not among them:
# no solver here, ours included, holds their trees of 19,934,533,171 and 19,119,486,979 histories.
GAMES = {
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "liars_dice": "liars_dice",
    "goofspiel(num_cards=4)": goofspiel(4),
    "goofspiel(num_cards=5)": goofspiel(5),
    "dark_hex(num_rows=2,num_cols=2)": "dark_hex(num_rows=2,num_cols=2)",
    "dark_hex(num_rows=2,num_cols=3)": "dark_hex(num_rows=2,num_cols=3)",
}


def openspiel_cpp(game_text: str) -> Peer:
    """OpenSpiel's CFR+ in C++."""
    import pyspiel

    game = pyspiel.load_game(game_text)
    solver = pyspiel.CFRPlusSolver(game)

    def iterate(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    def exploitability() -> float:
        return float(pyspiel.nash_conv(game, solver.tabular_average_policy())) / 2

    return Peer(iterate, exploitability)


def openspiel_jax(game_text: str) -> Peer:
    """OpenSpiel's CFR+ in JAX, on the CPU."""
    import jax
    import pyspiel
    from open_spiel.python.algorithms import exploitability as python_exploitability
    from open_spiel.python.jax.cfr.jax_cfr import JaxCFR

    game = pyspiel.load_game(game_text)
    solver = JaxCFR(game)

    def iterate(count: int) -> None:
        solver.multiple_steps(count)
        jax.block_until_ready((solver.regrets, solver.averages))

    def exploitability() -> float:
        policy = solver.average_policy()
        return float(python_exploitability.nash_conv(game, policy)) / 2

    return Peer(iterate, exploitability)


def lite_efg(module: str) -> Callable[[str], Peer]:
    """One of LiteEFG's solvers."""

    def make(game_text: str) -> Peer:
        import LiteEFG
        import pyspiel

        # Its progress reports would end up in what this process prints.
        with contextlib.redirect_stdout(sys.stderr):
            LiteEFG.set_threads(1)
            baseline = importlib.import_module(f"LiteEFG.baselines.{module}")
            graph = baseline.graph()
            environment = LiteEFG.OpenSpielEnv(
                pyspiel.load_game(game_text), traverse_type="Enumerate", regenerate=True
            )
            environment.set_graph(graph)

        def iterate(count: int) -> None:
            for _ in range(count):
                graph.update_graph(environment)
                environment.update_strategy(graph.current_strategy())

        def exploitability() -> float:
            gains = environment.exploitability(graph.current_strategy(), "linear-avg-iterate")
            return float(sum(gains)) / 2

        return Peer(iterate, exploitability)

    return make


# Algorithm and packages of each peer.
PEERS: dict[str, tuple[str, tuple[str, ...], Callable[[str], Peer]]] = {
    "OpenSpiel C++": ("cfr+", ("open_spiel",), openspiel_cpp),
    "OpenSpiel JAX": ("cfr+", ("open_spiel", "jax"), openspiel_jax),
    "LiteEFG": ("cfr+", ("LiteEFG",), lite_efg("CFRplus")),
    "LiteEFG PCFR+": ("pcfr+", ("LiteEFG",), lite_efg("PCFR")),
}


def measure_rate(peer: Peer, seconds: float) -> float:
    """Iterations a second, from batches that grow until the time is used up."""
    peer.iterate(1)
    start, done, batch = time.perf_counter(), 0, 1
    while (elapsed := time.perf_counter() - start) < seconds:
        peer.iterate(batch)
        done += batch
        batch = max(1, done // 8)
    return done / elapsed


def measure_times(peer: Peer, seconds: float, from_iteration: int) -> list[dict[str, Any]]:
    """Seconds and iterations to each target, or none within `seconds`.

    Nothing is checked before `from_iteration`, which only saves time of this benchmark.
    """
    reached: list[dict[str, Any]] = []
    spent, done, found = 0.0, 0, math.inf
    for target in TARGETS:
        while found > target and spent < seconds:
            batch = max(1, done // 10, 0 if done else from_iteration)
            # Small steps, so that a slow solver stops near the end of its time.
            while batch > 0 and spent < seconds:
                step = min(batch, 20)
                start = time.perf_counter()
                peer.iterate(step)
                spent += time.perf_counter() - start
                done += step
                batch -= step
            found = peer.exploitability()
        passed = found <= target
        reached.append({"seconds": spent if passed else None, "iterations": done})
    return reached


def work(name: str, game: str, seconds: float, limit: float, from_iteration: int) -> None:
    """Measures one peer on one game and prints the result as JSON."""
    _, _, make = PEERS[name]
    start = time.perf_counter()
    peer = make(GAMES[game])
    build = time.perf_counter() - start
    rate = measure_rate(peer, seconds)
    reached = measure_times(make(GAMES[game]), limit, from_iteration)
    print(
        json.dumps(
            {"build_seconds": build, "iterations_per_second": rate, "reached": reached},
        )
    )


def run_peer(
    name: str, game: str, seconds: float, limit: float, from_iteration: int
) -> dict[str, Any] | str:
    """A peer's figures, or why there are none."""
    command = [sys.executable, __file__, "--worker", name, "--games", game]
    command += ["--seconds", str(seconds), "--limit", str(limit), "--from", str(from_iteration)]
    allowed = 10 * (limit + seconds)
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=allowed, check=False
        )
    except subprocess.TimeoutExpired:
        return f"nothing within {allowed:.0f} s"
    if answer.returncode != 0:
        lines = answer.stderr.strip().splitlines()
        return f"failed: {lines[-1] if lines else f'exit code {answer.returncode}'}"
    figures: dict[str, Any] = json.loads(answer.stdout.strip().splitlines()[-1])
    return figures


def run_ours(game: str, algorithm: str, seconds: float) -> dict[str, Any]:
    """Our figures."""
    command = ["cargo", "run", "--quiet", "--release", "--package", "obscuro-search"]
    command += ["--example", "table_bench", "--", game, algorithm, str(seconds)]
    command += [str(target) for target in TARGETS]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"table_bench failed on {game}: {answer.stderr.strip()}")
    figures: dict[str, Any] = json.loads(answer.stdout)
    return figures


def installed(packages: Sequence[str]) -> bool:
    """Whether all of the packages are."""
    return all(version(package) is not None for package in packages)


def version(package: str) -> str | None:
    """A package's version."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def machine() -> str:
    """What all this was measured on."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
        return f"{cpu}, {os.cpu_count()} cores (one used), {memory:.0f} GiB"
    return f"{platform.machine()}, {os.cpu_count()} cores (one used)"


def show_seconds(seconds: float | None) -> str:
    """A time with three figures."""
    return "-" if seconds is None else f"{seconds:.3g} s"


def row(cells: Sequence[str]) -> None:
    """Prints one line of the table."""
    print(f"{cells[0]:32} {cells[1]:15}" + "".join(f"{cell:>16}" for cell in cells[2:]), flush=True)


def report(
    game: str, algorithm: str, ours: dict[str, Any], peers: dict[str, Any], limit: float
) -> None:
    """Prints a game's rows: ours, the peers, and the ratio to the best peer figure of each.

    Where no peer got to an exploitability within `limit`, the ratio is at least what that time is
    to ours.
    """
    measured = {name: figures for name, figures in peers.items() if isinstance(figures, dict)}

    def cells(name: str, figures: dict[str, Any]) -> list[str]:
        times = [show_seconds(reached["seconds"]) for reached in figures["reached"]]
        rate = f"{figures['iterations_per_second']:,.4g}"
        return [game, name, show_seconds(figures["build_seconds"]), rate, *times]

    row(cells(f"obscuro {algorithm}", ours))
    for name, figures in peers.items():
        if isinstance(figures, dict):
            row(cells(name, figures))
        else:
            print(f"{game:32} {name:15} {figures}", flush=True)
    if not measured:
        return
    build = min(figures["build_seconds"] for figures in measured.values())
    rate = max(figures["iterations_per_second"] for figures in measured.values())
    ratios = [
        f"{build / ours['build_seconds']:,.0f}x",
        f"{ours['iterations_per_second'] / rate:,.0f}x",
    ]
    for index, reached in enumerate(ours["reached"]):
        times = [figures["reached"][index]["seconds"] for figures in measured.values()]
        best = min((seconds for seconds in times if seconds is not None), default=None)
        if reached["seconds"] is None:
            ratios.append("-")
        elif best is None:
            ratios.append(f">{limit / reached['seconds']:,.0f}x")
        else:
            ratios.append(f"{best / reached['seconds']:,.0f}x")
    row([game, "ratio to best", *ratios])


def main() -> None:
    """Runs ours and the peers on each game and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each rate")
    parser.add_argument("--limit", type=float, default=20.0, help="time for each exploitability")
    parser.add_argument("--worker", choices=list(PEERS), help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="start", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, options.games[0], options.seconds, options.limit, options.start)
        return

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    packages = sorted({package for _, needed, _ in PEERS.values() for package in needed})
    versions = ", ".join(f"{name} {version(name) or 'not installed'}" for name in packages)
    print(f"{datetime.datetime.now(tz=datetime.timezone.utc):%Y-%m-%d}; {machine()}; {versions}")
    print(f"'-': not within {options.limit:.0f} s; build includes reading the game\n")
    targets = [f"to {target:g}" for target in TARGETS]
    row(["game", "solver", "build", "iterations/s", *targets])
    for game in options.games:
        for algorithm in ("cfr+", "pcfr+"):
            ours = run_ours(game, algorithm, options.seconds)
            first = ours["reached"][0]["iterations"] or 1
            peers = {
                name: run_peer(name, game, options.seconds, options.limit, max(1, first // 2))
                for name, (peer_algorithm, needed, _) in PEERS.items()
                if peer_algorithm == algorithm and installed(needed)
            }
            report(game, algorithm, ours, peers, options.limit)
        print()


if __name__ == "__main__":
    main()
