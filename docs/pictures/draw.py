"""Draws the pictures of the documentation again: `make pictures`.

They are made by the code that users have, from the moves below.
"""

from pathlib import Path

from obscuro import fow

FOLDER = Path(__file__).resolve().parent

SIZE = 260
GAP = 20
CAPTION = 34


def side_by_side(boards: dict[str, str]) -> str:
    """SVG pictures in a row, with their captions above them."""
    width = len(boards) * (SIZE + GAP) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIZE + CAPTION}" '
        f'width="{width}" height="{SIZE + CAPTION}">',
        f'<rect width="{width}" height="{SIZE + CAPTION}" fill="#ffffff"/>',
    ]
    for index, (caption, board) in enumerate(boards.items()):
        x = index * (SIZE + GAP)
        parts.append(
            f'<text x="{x + SIZE / 2}" y="22" text-anchor="middle" font-family="sans-serif" '
            f'font-size="16" fill="#222222">{caption}</text>'
        )
        parts.append(board.replace("<svg ", f'<svg x="{x}" y="{CAPTION}" ', 1))
    return "\n".join([*parts, "</svg>", ""])


def fog() -> str:
    """One position three times: the truth, White's view, Black's view."""
    board = fow.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Qf6", "d3", "d6"]:
        board.push_san(san)
    return side_by_side(
        {
            "The truth": board.svg(size=SIZE),
            "What White sees": board.observation(fow.WHITE).svg(size=SIZE),
            "What Black sees": board.observation(fow.BLACK).svg(size=SIZE, flip=False),
        }
    )


if __name__ == "__main__":
    (FOLDER / "fog.svg").write_text(fog(), encoding="utf-8")
