"""Draws the picture of docs/analyse.md again: `python docs/pictures/analyse.py`.

It analyses the beginning of a game with a small search that gives the same every time.
"""

from dataclasses import replace
from pathlib import Path

import chess

from obscuro.analysis import Analysis, AnalysisSettings, Analyst, read_games
from obscuro.analysis.report.picture import standalone
from obscuro.analysis.report.ply import scenes
from obscuro.players import Limits

FOLDER = Path(__file__).resolve().parent
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. d3 Be7 5. O-O O-O 6. Nc3 d6"


def belief() -> str:
    """What White saw and believed before the sixth move, and the truth."""
    settings = replace(AnalysisSettings(), color="white").with_limits(Limits(nodes=20_000))
    analysis = Analysis(read_games(GAME)[0], settings)
    Analyst(analysis).run()
    report = analysis.reports[10]
    white, truth = scenes(report, analysis.game.moves, (chess.WHITE, None))
    return standalone({"What White sees and believes": white, "The truth": truth}, size=340)


if __name__ == "__main__":
    (FOLDER / "belief.svg").write_text(belief(), encoding="utf-8")
