"""An analysis as it is kept: the game, the settings, and what was found so far.

The JSON is one object, `"format": "obscuro-analysis/1"`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from obscuro import __version__
from obscuro.analysis.games import AnalysedGame
from obscuro.analysis.reports import PlyReport, first_fault
from obscuro.analysis.review import MoveReview, Summary, review, summarise
from obscuro.analysis.settings import DEFAULT_THRESHOLDS, AnalysisSettings, Thresholds
from obscuro.errors import AnalysisError

FORMAT = "obscuro-analysis/1"


@dataclass
class Analysis:
    """What is known of a game; it may be incomplete.

    Attributes:
        game: The game.
        settings: How it is analysed.
        reports: What was found, by the number of plies before the position.
        version: The version of this package that made it.

    >>> from obscuro.analysis import read_games
    >>> analysis = Analysis(read_games("1. e4 e5")[0])
    >>> analysis.total, analysis.next_ply, Analysis.from_json(analysis.to_json()) == analysis
    (3, 0, True)
    """

    game: AnalysedGame
    settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    reports: dict[int, PlyReport] = field(default_factory=dict)
    version: str = __version__

    @property
    def total(self) -> int:
        """How many positions the game has: one more than plies."""
        return len(self.game.moves) + 1

    @property
    def next_ply(self) -> int | None:
        """The first position that is not analysed; `None` when all are."""
        return next((ply for ply in range(self.total) if ply not in self.reports), None)

    @property
    def is_complete(self) -> bool:
        """Whether all positions are analysed."""
        return self.next_ply is None

    def review(self, thresholds: Thresholds = DEFAULT_THRESHOLDS) -> list[MoveReview]:
        """What the moves lost by what their players knew, and how lucky they were."""
        return review(self.game, self.reports, thresholds)

    def summaries(self, thresholds: Thresholds = DEFAULT_THRESHOLDS) -> tuple[Summary, Summary]:
        """White's game and Black's in short."""
        return summarise(self.review(thresholds))

    def as_dict(self) -> dict[str, Any]:
        """The analysis as plain data."""
        return {
            "format": FORMAT,
            "version": self.version,
            "game": asdict(self.game),
            "settings": self.settings.as_dict(),
            "plies": [self.reports[ply].as_dict() for ply in sorted(self.reports)],
        }

    def to_json(self) -> str:
        """The analysis as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_dict(cls, data: object) -> "Analysis":
        """An analysis from its plain data."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else data
            raise AnalysisError(
                f'not an analysis: expected "format": "{FORMAT}", got {str(found)[:40]!r}'
            )
        try:
            game = TypeAdapter(AnalysedGame).validate_python(data["game"])
            settings = AnalysisSettings.from_dict(data["settings"])
            reports = [PlyReport.from_dict(entry) for entry in data["plies"]]
            version = str(data["version"])
        except ValidationError as error:
            raise AnalysisError(f"not an analysis: game.{first_fault(error)}") from None
        except (KeyError, TypeError, AnalysisError) as error:
            words = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise AnalysisError(f"not an analysis: {words}") from error
        analysis = cls(game, settings, {report.ply: report for report in reports}, version)
        if beyond := [ply for ply in analysis.reports if not 0 <= ply < analysis.total]:
            raise AnalysisError(
                f"not an analysis: it reports ply {beyond[0]} of a game of {analysis.total - 1}"
            )
        return analysis

    @classmethod
    def from_json(cls, text: str) -> "Analysis":
        """An analysis from its JSON."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise AnalysisError(f"not an analysis: {error}") from None
        return cls.from_dict(data)


def json_schema() -> dict[str, Any]:
    """The JSON schema of a report on a ply, of which `plies` is a list.

    >>> sorted(json_schema()["properties"])
    ['black', 'black_sees', 'change', 'fen', 'ply', 'search', 'truth', 'white', 'white_sees']
    """
    return TypeAdapter(PlyReport).json_schema()
