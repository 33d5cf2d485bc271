"""What holds for the project as a whole."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import obscuro

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "obscuro"
IGNORED = {".git", ".venv", "target", "dist", "results", ".mypy_cache", ".ruff_cache"}


def files(*suffixes: str) -> list[Path]:
    # Not even a look into the folders of what is built: they are large.
    tops = [path for path in sorted(ROOT.iterdir()) if path.name not in IGNORED]
    found = [path for top in tops for path in walk(top)]
    return [path for path in found if path.suffix in suffixes]


def walk(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir() and path.name != "node_modules" and path != PACKAGE / "web" / "static":
        for below in sorted(path.iterdir()):
            yield from walk(below)


def make(*arguments: str) -> str:
    # Only what make itself would say: no recipe is run by these.
    result = subprocess.run(
        ["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return result.stdout


def test_one_version() -> None:
    cargo = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    package = cargo.split("[workspace.package]")[1].split("[")[0]
    assert f'version = "{obscuro.__version__}"' in package


def test_make_lists_its_targets() -> None:
    listed = set(re.findall(r"^  make ([a-z-]+)", make("help"), re.MULTILINE))
    assert listed >= {"play", "test", "check", "bench", "build", "format", "wheel", "clean", "help"}


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs", ".pre-commit-config.yaml"]
)
def test_every_make_target_that_is_written_about_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    paths = sorted((ROOT / page).rglob("*.md")) if (ROOT / page).is_dir() else [ROOT / page]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        named = set(re.findall(r"(?:^|`|entry: )make ([a-z][a-z-]*)", text, re.MULTILINE))
        assert named <= targets, f"{path.name} names targets that are not there"


def test_links_in_the_documentation_lead_somewhere() -> None:
    broken = []
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            if "://" in target:
                continue
            page = path.parent / name if name else path
            if not page.exists():
                broken.append(f"{path.name}: {target}")
            elif anchor:
                headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {
                    re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in headings
                }
                if anchor not in slugs:
                    broken.append(f"{path.name}: {target}")
    assert not broken


def test_files_named_in_the_paper_map_exist() -> None:
    text = (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:crates|python)/[\w/.]+)`", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_folder_of_the_code_is_in_the_architecture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    crates = [f"crates/{path.name}" for path in (ROOT / "crates").iterdir() if path.is_dir()]
    packages = [f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")]
    assert [name for name in crates + packages if f"`{name}`" not in text] == []


def test_no_source_file_is_too_long() -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for path in files(".rs", ".py", ".ts")
    }
    assert lengths
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_no_path_of_a_machine_and_no_registry_in_any_file() -> None:
    # Written so that this file does not contain what it looks for.
    home = r"(?<![\w.])/(?:work|root|home|Users)/\w"
    registry = r"(?:pypi|npmjs|crates)\.(?:org|io|com)\b"
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in files(".rs", ".py", ".pyi", ".toml", ".md", ".yaml", ".txt", ".svg", ".ts")
        if path != Path(__file__)
        for match in re.finditer(f"{home}|{registry}", path.read_text(encoding="utf-8"))
    ]
    assert found == []


# What each package of obscuro may import of the others: dependencies point one way.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "words": set(),
    "fow": {"errors", "_core"},
    "eval": {"errors", "_core", "fow"},
    "games": {"errors", "_core", "fow"},
    "search": {"errors", "_core", "games", "fow", "eval"},
    "players": {"errors", "words", "_core", "fow", "games", "search", "eval"},
    "protocol": {"errors", "words", "fow", "players"},
    "match": {"errors", "words", "fow", "players"},
    "analysis": {"errors", "words", "_core", "fow", "search", "players", "eval"},
    "train": {"errors", "words", "_core", "fow", "players", "eval"},
    "lab": {"errors", "words", "fow", "games", "search", "players", "match", "eval"},
    "web": {"errors", "words", "fow", "search", "players", "match", "analysis"},
    "positions": {"errors", "fow", "games", "search", "players"},
    "cli": {
        "errors",
        "words",
        "fow",
        "games",
        "eval",
        "search",
        "players",
        "protocol",
        "match",
        "analysis",
        "train",
        "lab",
        "positions",
        "web",
    },
}


def imported(path: Path) -> set[str]:
    """The first-level names of obscuro that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "obscuro":
            dotted = [f"obscuro.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            dotted = [node.module or ""]
        else:
            continue
        names |= {name.split(".")[1] for name in dotted if name.startswith("obscuro.")}
    return names - {"__version__"}


def test_dependencies_point_one_way() -> None:
    seen = set()
    for path in PACKAGE.rglob("*.py"):
        package = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if package == "__init__":
            continue
        seen.add(package)
        beyond = imported(path) - MAY_IMPORT[package] - {package}
        assert not beyond, f"{path.relative_to(ROOT)} imports {beyond}"
    assert {"fow", "players", "cli"} <= seen


def test_the_benchmarks_are_found_by_name() -> None:
    command = [sys.executable, str(ROOT / "benches" / "run.py"), "no benchmark has this name"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 1
    for path in (ROOT / "benches").glob("bench_*.py"):
        assert f"'{path.stem.removeprefix('bench_')}'" in result.stdout
    for path in (ROOT / "crates").glob("*/benches/*.rs"):
        assert f"/{path.stem}'" in result.stdout
