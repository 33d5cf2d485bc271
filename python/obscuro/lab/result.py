"""The result of an experiment, as Markdown and JSON."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from obscuro.errors import FileError, LabError
from obscuro.match.statistics import Estimate

FORMAT = "obscuro-lab/1"
Unit = Literal["percent", "number", "fine", "whole", "elo"]


@dataclass(frozen=True)
class Figure:
    """One number of ours, beside the paper's.

    Attributes:
        name: What it is.
        ours: Our number with its 95 % interval; both bounds are the number if it is exact.
        paper: The paper's, likewise; `None` where the paper gives none.
        unit: How both are written.
        section: Where the paper has it.
        verdict: What the intervals say.

    >>> figure = Figure("score", Estimate(0.55, 0.5, 0.6), Estimate(0.58, 0.55, 0.61), "percent")
    >>> figure.cells()
    ['score', '55.0 % [50.0, 60.0]', '58.0 % [55.0, 61.0]', '']
    """

    name: str
    ours: Estimate
    paper: Estimate | None = None
    unit: Unit = "number"
    section: str = ""
    verdict: str = ""

    def cells(self) -> list[str]:
        """The figure as a row of a table."""
        paper = "-" if self.paper is None else written(self.paper, self.unit)
        return [self.name, written(self.ours, self.unit), paper, self.verdict]


def written(estimate: Estimate, unit: Unit) -> str:
    """A number with its interval; one that is exact stands alone.

    >>> written(Estimate(9, 9, 9), "whole"), written(Estimate(1.5, 1.25, 1.75), "number")
    ('9', '1.50 [1.25, 1.75]')
    """
    value, low, high = (_one(number, unit) for number in _bounds(estimate))
    mark = " %" if unit == "percent" else ""
    if math.isnan(estimate.value):
        return "-"
    if estimate.low == estimate.high:
        return f"{value}{mark}"
    return f"{value}{mark} [{low}, {high}]"


def _bounds(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _one(number: float, unit: Unit) -> str:
    if not math.isfinite(number):
        return str(number)
    match unit:
        case "percent":
            return f"{100 * number:.1f}"
        case "whole":
            return f"{number:,.0f}" if abs(number) < 1e12 else f"{number:.3g}"
        case "elo":
            return f"{number:.0f}"
        case "fine":
            return f"{number:.4f}"
        case "number":
            return f"{number:,.2f}" if abs(number) < 1000 else f"{number:,.0f}"


@dataclass(frozen=True)
class Grid:
    """A table of a result."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def to_markdown(self) -> str:
        """The table in Markdown; the first column is words, the others are numbers."""
        return f"### {self.title}\n\n{_table(self.head, self.rows)}"


@dataclass(frozen=True)
class Text:
    """Lines that are shown as they are: boards, lists of games."""

    title: str
    text: str

    def to_markdown(self) -> str:
        """The text in Markdown."""
        return f"### {self.title}\n\n```text\n{self.text}\n```"


@dataclass(frozen=True)
class Result:
    """What an experiment has found.

    Attributes:
        name: The experiment's name.
        title: What it measures, in a line.
        figures: Our numbers beside the paper's.
        scale: At what scale it ran, in words by what they are of.
        settings: With what it was called, so that it can be repeated.
        parts: Tables and texts.
        notes: What has to be said.
        pictures: The files of its pictures, beside the result.
        data: More numbers, for programs: in the JSON only.
        complete: Whether all was done that was asked for.
        brackets: What stands in brackets behind our numbers.

    >>> result = Result("demo", "A demonstration", [Figure("n", Estimate(1, 1, 1), unit="whole")])
    >>> Result.from_dict(result.as_dict()).figures[0] == result.figures[0]
    True
    """

    name: str
    title: str
    figures: Sequence[Figure] = ()
    scale: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    parts: Sequence[Grid | Text] = ()
    notes: Sequence[str] = ()
    pictures: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
    brackets: str = "95 %"

    def to_markdown(self) -> str:
        """The result as a page."""
        blocks = [f"# {self.name}", self.title]
        if not self.complete:
            blocks.append("**Not complete:** it was interrupted before all was done.")
        if self.figures:
            rows = [figure.cells() for figure in self.figures]
            blocks.append(
                _table(["", f"Ours [{self.brackets}]", "Paper", "Verdict"], rows, words=(0, 3))
            )
        sections = dict.fromkeys(f.section for f in self.figures if f.section)
        if sections:
            blocks.append(f"The paper: {'; '.join(sections)}.")
        blocks += list(self.notes)
        blocks += [f"![{self.title}]({name})" for name in self.pictures]
        blocks += [part.to_markdown() for part in self.parts]
        if self.scale:
            rows = [[key, value] for key, value in self.scale.items()]
            blocks.append(f"## Scale\n\n{_table(['', ''], rows, words=(0, 1))}")
        return "\n\n".join(blocks) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {"format": FORMAT, **_plain(asdict(self))}

    @classmethod
    def from_dict(cls, data: object) -> "Result":
        """A result from plain data."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise LabError(f'not the result of an experiment: expected "format": "{FORMAT}"')
        try:
            given = {key: value for key, value in data.items() if key != "format"}
            given["figures"] = [
                Figure(
                    **{
                        **figure,
                        "ours": _estimate(figure["ours"]),
                        "paper": figure["paper"] and _estimate(figure["paper"]),
                    }
                )
                for figure in given["figures"]
            ]
            given["parts"] = [
                Text(**part) if "text" in part else Grid(**part) for part in given["parts"]
            ]
            return cls(**given)
        except (KeyError, TypeError) as error:
            raise LabError(f"not the result of an experiment: {error}") from error

    def write(self, folder: Path) -> list[Path]:
        """Writes `result.md` and `result.json` into a folder."""
        text = json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"
        files = {folder / "result.md": self.to_markdown(), folder / "result.json": text}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path, content in files.items():
                path.write_text(content, encoding="utf-8")
        except OSError as error:
            raise FileError(f"cannot write into {folder}: {error.strerror}") from error
        return list(files)

    @classmethod
    def read(cls, folder: Path) -> "Result":
        """The result that was written into a folder."""
        path = folder / "result.json"
        try:
            return cls.from_dict(json.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise FileError(
                f"there is no result in {folder}: expected result.json from an earlier run"
            ) from error
        except ValueError as error:
            if isinstance(error, LabError):
                raise LabError(f"{path}: {error}") from error
            raise LabError(f"{path} is not JSON: {error}") from error


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, words: Sequence[int] = (0,)
) -> str:
    rule = ["---" if place in words else "---:" for place in range(len(head))]
    lines = [list(head), rule, *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _estimate(data: Mapping[str, Any]) -> Estimate:
    return Estimate(*(_number(data[key]) for key in ("value", "low", "high")))


def _number(value: object) -> float:
    """JSON has no infinity: it is written in words."""
    return float(value) if isinstance(value, str | int | float) else math.nan


def _plain(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
