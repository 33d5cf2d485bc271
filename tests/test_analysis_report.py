"""The report of an analysis: one file that needs nothing else, and says what was found."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import chess
import pytest

from obscuro.analysis import AnalysedGame, Analysis, AnalysisSettings, Analyst, Thresholds
from obscuro.analysis.report import render
from obscuro.analysis.report.charts import Line, size_chart, value_chart
from obscuro.analysis.report.picture import Arrow, Scene, draw
from obscuro.errors import AnalysisError
from obscuro.fow import STARTING_FEN, Board
from obscuro.players import Limits

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Parsed(HTMLParser):
    """The elements of a page; every one that is opened must be closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.note(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)

    def note(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href", "action"):
                self.references.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    settings = AnalysisSettings(truth_depth=1, place_sample=20).with_limits(Limits(nodes=300))
    moves = ["e2e4", "e7e5", "d1h5", "g8f6", "h5f7", "a7a6", "f7e8"]
    name = '<b>"Ada" & Co</b>'
    found = Analysis(
        AnalysedGame(name, "Bob", "1-0", "king captured", STARTING_FEN, tuple(moves)), settings
    )
    Analyst(found).run()
    return found


def test_it_is_a_whole_page_and_needs_nothing_else(analysis: Analysis) -> None:
    text = render(analysis)
    page = Parsed(text)
    assert page.open == []
    assert all(reference.startswith("#") for reference in page.references)
    # The name of a namespace is no reference.
    rest = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w|url\((?!#)|@import|<link|<img|<iframe", rest)
    assert {reference[1:] for reference in page.references} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_ply_is_in_it_and_names_are_text(analysis: Analysis) -> None:
    text = render(analysis)
    assert {f"ply-{ply}" for ply in range(8)} <= set(Parsed(text).ids)
    assert "<b>&quot;Ada" not in text
    assert "&lt;b&gt;&quot;Ada&quot; &amp; Co&lt;/b&gt;" in text


def test_the_blunder_is_marked_and_thresholds_change_that(analysis: Analysis) -> None:
    assert '<h3>3… a6<span class="mark blunder">??</span></h3>' in render(analysis)
    mild = render(analysis, Thresholds(inaccuracy=0.1, mistake=2.0, blunder=2.0))
    loss = analysis.review()[5].judgement
    assert loss is not None
    if loss.loss < 2:
        assert '<h3>3… a6<span class="mark inaccuracy">?!</span></h3>' in mild


def test_an_analysis_without_anything_is_refused_and_a_part_is_shown(analysis: Analysis) -> None:
    with pytest.raises(AnalysisError, match="nothing is analysed yet"):
        render(Analysis(analysis.game))
    part = Analysis(analysis.game, analysis.settings, {0: analysis.reports[0]})
    assert "1 of 8 positions so far" in render(part)


def test_boards_are_svg_with_the_pieces_and_the_fog() -> None:
    board = Board()
    seen = board.observation(True).fog_fen.split()[0]
    picture = draw(Scene(seen, "start", heat={60: 0.5}, ghosts={60: ("k", 0.5)}))
    tree = ET.fromstring(picture)
    uses = [use.attrib["href"] for use in tree.iter("use")]
    assert uses.count("#white-pawn") == 8
    assert uses.count("#black-king") == 1
    fog = [path.attrib["d"].count("M") for path in tree.iter("path") if path.get("class") == "fog"]
    assert fog == [32]
    labels = [text.text for text in tree.iter("text")]
    assert "50" in labels


def test_arrows_are_as_wide_as_their_moves_are_probable() -> None:
    move = chess.Move.from_uci("e2e4")
    widths = []
    for weight in (0.0, 0.5, 1.0):
        tree = ET.fromstring(draw(Scene("8/8/8/8/8/8/8/8", "x", arrows=[Arrow(move, weight)])))
        (arrow,) = tree.iter("polygon")
        xs = [float(point.split(",")[0]) for point in arrow.attrib["points"].split()]
        # The shaft goes up: its sides are the first and the last corner.
        widths.append(abs(xs[0] - xs[-1]))
    assert widths == sorted(widths)
    assert widths[2] - widths[1] == pytest.approx(widths[1] - widths[0], abs=0.2)


def test_graphs_are_svg_with_a_place_to_click_on_for_every_ply() -> None:
    line = Line("x", "white", [(0, 1.0), (10, 1000.0)])
    tree = ET.fromstring(size_chart(10, [line]))
    assert [a.attrib["href"] for a in tree.iter("a")] == [f"#ply-{ply}" for ply in range(11)]
    (path,) = (path for path in tree.iter("path") if path.get("class") == "line white")
    first, last = path.attrib["d"][1:].split("L")
    assert float(first.split()[1]) > float(last.split()[1])
    assert ET.fromstring(value_chart(0, [], [])) is not None
