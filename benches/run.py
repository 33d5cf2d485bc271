"""Runs all benchmarks one after the other: `make bench`, or `make bench ARGS="perft belief"`.

A benchmark is a script `bench_*.py` beside this file or a bench target of a crate. The words given
choose those whose names contain one of them. Each prints a table of its own; nothing else
should run on the machine meanwhile.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def scripts() -> dict[str, list[str]]:
    """The command of each Python benchmark, by name."""
    return {
        path.stem.removeprefix("bench_"): [sys.executable, str(path)]
        for path in sorted(HERE.glob("bench_*.py"))
    }


def crate_benches() -> dict[str, list[str]]:
    """The command of each Rust benchmark, by name."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {
        f"{package['name']}/{target['name']}": [
            *("cargo", "bench", "--quiet", "--package", package["name"]),
            *("--bench", target["name"]),
        ]
        for package in json.loads(answer.stdout)["packages"]
        for target in package["targets"]
        if "bench" in target["kind"]
    }


def main(words: Sequence[str]) -> int:
    """Runs the benchmarks chosen by `words`, or all; returns how many failed."""
    everything = scripts() | crate_benches()
    chosen = [name for name in everything if not words or any(word in name for word in words)]
    if not chosen:
        print(f"no benchmark's name contains any of {list(words)}; there are {list(everything)}")
        return 1

    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if load > 0.5:
        print(f"WARNING: other work is running (load {load:.1f}): the figures will be too low")
    failed = 0
    for name in chosen:
        print(f"\n== {name} ==", flush=True)
        failed += subprocess.run(everything[name], cwd=ROOT, check=False).returncode != 0
    if failed:
        print(f"\n{failed} of {len(chosen)} benchmarks failed")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
