"""Looking behind the fog: the analysis of finished games."""

from obscuro.analysis.analyst import Analyst, Background
from obscuro.analysis.document import FORMAT, Analysis, json_schema
from obscuro.analysis.games import AnalysedGame, read_games
from obscuro.analysis.reports import (
    BeliefReport,
    ChangeReport,
    MoveReport,
    Place,
    PlyReport,
    PossibleBoard,
    SearchReport,
    TruthReport,
)
from obscuro.analysis.review import Judgement, MoveReview, Summary
from obscuro.analysis.settings import AnalysisSettings, Thresholds

__all__ = [
    "FORMAT",
    "AnalysedGame",
    "Analysis",
    "AnalysisSettings",
    "Analyst",
    "Background",
    "BeliefReport",
    "ChangeReport",
    "Judgement",
    "MoveReport",
    "MoveReview",
    "Place",
    "PlyReport",
    "PossibleBoard",
    "SearchReport",
    "Summary",
    "Thresholds",
    "TruthReport",
    "json_schema",
    "read_games",
]
