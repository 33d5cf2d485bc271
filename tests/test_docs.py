"""The documentation that is written by a program is what the program writes."""

import importlib.util
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).resolve().parent.parent / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_api_reference_is_up_to_date() -> None:
    reference = load("reference")
    written = (DOCS / "api.md").read_text(encoding="utf-8")
    assert written == reference.render(), "run `make reference`"


def test_every_public_name_is_documented() -> None:
    text = load("reference").render()
    undocumented = [line for line in text.splitlines() if line.rstrip().endswith(":")]
    assert undocumented == []
