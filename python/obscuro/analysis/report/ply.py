"""One position of the report: three boards, the strategy, the boards that are possible."""

import json
from collections.abc import Collection, Iterable, Sequence
from html import escape

import chess

from obscuro.analysis.games import AnalysedGame
from obscuro.analysis.report.picture import Arrow, Scene, draw
from obscuro.analysis.reports import BeliefReport, Marginals, MoveReport, PlyReport
from obscuro.analysis.review import MoveReview

_MOVES_SHOWN = 7
_BOARDS_SHOWN = 4
_GHOST_FROM = 0.3
_LEAST_PERCENT = 1
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
WORDS = {"inaccuracy": "Inaccuracy", "mistake": "Mistake", "blunder": "Blunder"}


def section(
    game: AnalysedGame, sans: tuple[str, ...], report: PlyReport, reviewed: MoveReview | None
) -> str:
    """The section of a position; it is kept in print if its move is marked.

    Other sections are made when they are looked at: all at once are too much for a browser.
    """
    ply = report.ply
    move = game.moves[ply] if ply < len(game.moves) else None
    important = reviewed is not None and (reviewed.mark or reviewed.fortune)
    whose = (chess.WHITE, None, chess.BLACK)
    drawn = zip(scenes(report, game.moves, whose), whose, strict=True)
    boards = "".join(_figure(report, scene, color) for scene, color in drawn)
    content = (
        f"{_title(report, sans, reviewed)}{_verdict(report, reviewed)}"
        f'<div class="boards">{boards}</div>'
        f'<div class="below">{_strategy(report, move)}{_possible(report)}</div>'
        f"{_data(report)}"
    )
    if not important:
        return f'<section class="ply" id="ply-{ply}"><template>{content}</template></section>'
    return f'<section class="ply important" id="ply-{ply}">{content}</section>'


def move_name(report: PlyReport, san: str) -> str:
    """A move with its number, as `12. Nf3` or `12… Nf6`."""
    number = report.fen.split()[5]
    return f"{number}. {san}" if report.turn == chess.WHITE else f"{number}… {san}"


def _title(report: PlyReport, sans: tuple[str, ...], reviewed: MoveReview | None) -> str:
    if report.ply >= len(sans):
        return "<h3>The end</h3>"
    sign = ""
    if reviewed is not None and reviewed.mark is not None:
        sign = f'<span class="mark {reviewed.mark}">{SIGNS[reviewed.mark]}</span>'
    return f"<h3>{escape(move_name(report, sans[report.ply]))}{sign}</h3>"


def _verdict(report: PlyReport, reviewed: MoveReview | None) -> str:
    """The numbers in a sentence."""
    if reviewed is None or reviewed.judgement is None or report.search is None:
        return f'<p class="verdict">True value {signed(report.truth.value)}.</p>'
    found = reviewed.judgement
    name = chess.COLOR_NAMES[reviewed.color].capitalize()
    parts = [f"{WORDS[reviewed.mark]}. " if reviewed.mark else ""]
    best = report.search.moves[0]
    parts.append(
        f"By what {name} knew, the move loses <b>{found.loss:.2f}</b>; the engine plays it with "
        f"{percent(found.probability)}"
    )
    if best.move != reviewed.move:
        parts.append(f", and {escape(best.san)} with {percent(best.probability)}")
    words = {"lucky": "lucky", "unlucky": "unlucky", None: "neither lucky nor unlucky"}
    parts.append(f". Luck <b>{signed(found.luck)}</b>: {words[reviewed.fortune]}.")
    return f'<p class="verdict">{"".join(parts)}</p>'


def scenes(
    report: PlyReport, moves: Sequence[str], whose: Iterable[chess.Color | None]
) -> list[Scene]:
    """The position as each of these see it, their beliefs in the fog; `None` is the truth."""
    ply = report.ply
    move = moves[ply] if ply < len(moves) else None
    last = chess.Move.from_uci(moves[ply - 1]) if ply else None
    return [
        _truth(report, move, last) if color is None else _side(report, color, move, last)
        for color in whose
    ]


def _side(
    report: PlyReport, color: chess.Color, move: str | None, last: chess.Move | None
) -> Scene:
    """What a player sees, with their belief painted into the fog."""
    belief = report.belief(color)
    name = chess.COLOR_NAMES[color].capitalize()
    mover, fog = report.turn == color, fogged(report.sees(color))
    return Scene(
        report.sees(color).split()[0],
        f"What {name} sees after {report.ply} plies, and where the opponent's pieces may be",
        heat=any_piece(belief, fog) if belief is not None else {},
        ghosts=_ghosts(belief, fog) if belief is not None else {},
        arrows=_arrows(report, move) if mover else (),
        # Only the own last move is seen.
        last=None if mover else last,
    )


def _truth(report: PlyReport, move: str | None, last: chess.Move | None) -> Scene:
    played = () if move is None else (Arrow(chess.Move.from_uci(move), 0.55, "played"),)
    label = f"The true position after {report.ply} plies"
    return Scene(report.fen.split()[0], label, arrows=played, last=last)


def _figure(report: PlyReport, scene: Scene, color: chess.Color | None) -> str:
    if color is None:
        caption = f"<b>The truth</b> · value {signed(report.truth.value)}"
        if report.truth.best is not None:
            caption += f", best {escape(report.truth.best)}"
        return f"<figure>{draw(scene)}<figcaption>{caption}</figcaption></figure>"
    name = chess.COLOR_NAMES[color]
    caption = f"<b>{name.capitalize()} sees</b>"
    if (belief := report.belief(color)) is not None:
        caption += f" · {count(belief.size)} possible"
        caption += f" · truth is no. {count(belief.place.rank)}"
    return f'<figure data-color="{name}">{draw(scene)}<figcaption>{caption}</figcaption></figure>'


def _arrows(report: PlyReport, move: str | None) -> list[Arrow]:
    if report.search is None:
        return []
    arrows = [
        Arrow(chess.Move.from_uci(found.move), found.probability)
        for found in report.search.moves
        if found.probability >= 0.03
    ]
    if move is not None:
        arrows.append(Arrow(chess.Move.from_uci(move), 0.0, "played"))
    return arrows


def _shown(belief: BeliefReport) -> Marginals:
    """The belief by weight, or by mere possibility where nothing was weighed."""
    return belief.weighted if belief.weighed else belief.marginals


def any_piece(belief: BeliefReport, fog: Collection[chess.Square]) -> dict[chess.Square, float]:
    """How likely any piece of the opponent's stands on each square of the fog."""
    heat: dict[chess.Square, float] = {}
    for row in _shown(belief).values():
        for name, value in row.items():
            square = chess.parse_square(name)
            heat[square] = heat.get(square, 0.0) + value
    return {square: min(1.0, value) for square, value in heat.items() if square in fog}


def _ghosts(
    belief: BeliefReport, fog: Collection[chess.Square]
) -> dict[chess.Square, tuple[str, float]]:
    """The likeliest piece of each fogged square, where it is likely."""
    best: dict[chess.Square, tuple[str, float]] = {}
    for symbol, row in _shown(belief).items():
        for name, value in row.items():
            square = chess.parse_square(name)
            if value >= _GHOST_FROM and value > best.get(square, ("", 0.0))[1]:
                best[square] = (symbol, round(value, 2))
    return {square: ghost for square, ghost in best.items() if square in fog}


def fogged(fog_fen: str) -> set[chess.Square]:
    """The fogged squares of a fog FEN.

    >>> len(fogged("????????/8/8/8/8/8/8/K7 w - - - 1"))
    8
    """
    fog = set()
    for down, rank in enumerate(fog_fen.split()[0].split("/")):
        file = 0
        for letter in rank:
            if letter == "?":
                fog.add(chess.square(file, 7 - down))
            file += int(letter) if letter.isdigit() else 1
    return fog


def _strategy(report: PlyReport, move: str | None) -> str:
    if report.search is None:
        return ""
    shown = list(report.search.moves[:_MOVES_SHOWN])
    played = report.search.move(move) if move is not None else None
    if played is not None and played not in shown:
        shown.append(played)
    sign = 1 if report.turn == chess.WHITE else -1
    rows = "".join(_row(found, sign, is_played=found is played) for found in shown)
    name = chess.COLOR_NAMES[report.turn].capitalize()
    value = signed(sign * report.search.value)
    return (
        f'<div class="strategy"><h4>{name}&rsquo;s strategy, worth {value} to {name}</h4><table>'
        "<thead><tr><th>Move</th><th>Probability</th><th>Kept</th><th>Value</th><th>Stable</th>"
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(found: MoveReport, sign: int, *, is_played: bool) -> str:
    value = "–" if found.value is None else signed(sign * found.value)
    width = f"{found.probability * 100:.1f}"
    kept = f"{found.played * 100:.1f}"
    return (
        f"<tr{' class=played' if is_played else ''}>"
        f"<th>{escape(found.san)}{' <small>played</small>' if is_played else ''}</th>"
        '<td class="bar"><svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="all" width="{width}" height="12"/>'
        f'<rect class="kept" width="{kept}" y="8" height="4"/></svg>'
        f"<span>{percent(found.probability)}</span></td>"
        f"<td>{percent(found.played) if found.played else ''}</td><td>{value}</td>"
        f"<td>{'●' if found.stable else ''}</td></tr>"
    )


def _possible(report: PlyReport) -> str:
    """The likeliest boards of the player to move."""
    belief = report.belief(report.turn)
    if belief is None:
        return ""
    drawn = "".join(
        f"<figure{' class=true' if board.is_truth else ''}>"
        + draw(Scene(board.epd.split()[0], "A possible board"), coordinates=False)
        + f"<figcaption>{percent(board.weight)}{' · the truth' if board.is_truth else ''}"
        "</figcaption></figure>"
        for board in belief.boards[:_BOARDS_SHOWN]
    )
    name = chess.COLOR_NAMES[report.turn].capitalize()
    what = f"the likeliest of {count(belief.weighed)} weighed" if belief.weighed else "some"
    return (
        f'<div class="possible"><h4>Boards that {name} holds possible: {what}</h4>'
        f'<div class="minis">{drawn}</div></div>'
    )


def _data(report: PlyReport) -> str:
    """What the heat map of single kinds is drawn from: percents by piece and square."""
    data = {
        chess.COLOR_NAMES[color]: _percents(_shown(belief), fogged(report.sees(color)))
        for color in (chess.WHITE, chess.BLACK)
        if (belief := report.belief(color)) is not None
    }
    text = json.dumps(data, separators=(",", ":"))
    return f'<script type="application/json" class="belief">{text}</script>'


def _percents(marginals: Marginals, fog: Collection[chess.Square]) -> dict[str, dict[str, int]]:
    return {
        symbol: {
            name: round(value * 100)
            for name, value in row.items()
            if chess.parse_square(name) in fog and round(value * 100) >= _LEAST_PERCENT
        }
        for symbol, row in marginals.items()
    }


def signed(value: float) -> str:
    """A value with its sign, as `+0.25`.

    >>> signed(-0.5), signed(0.001)
    ('−0.50', '0.00')
    """
    if abs(value) < 0.005:
        return "0.00"
    return f"+{value:.2f}" if value > 0 else f"−{-value:.2f}"


def percent(share: float) -> str:
    """A share as per cent.

    >>> percent(0.256), percent(0.0004), percent(0.0)
    ('26 %', '&lt;1 %', '0 %')
    """
    if 0 < share < 0.01:
        return "&lt;1 %"
    return f"{share * 100:.0f} %"


def count(number: float) -> str:
    """A number with its thousands set apart.

    >>> count(12345).split()
    ['12', '345']
    """
    return f"{number:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
