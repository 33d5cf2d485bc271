"""A bluff and a sacrifice, from roots made by hand."""

from obscuro.positions.finding import Check, Finding, Options, at_least, at_most
from obscuro.positions.searching import Handmade

# Figure 4 (B): the queen is on a4, and Black thinks that it may as well be on d1.
BLUFF = "r1b1k2r/pp2qppp/2np1n2/2p5/Q4B2/2P5/PP2PPPP/R3KBNR w KQkq - 0 9"
BELIEVED = "r1b1k2r/pp2qppp/2np1n2/2p5/5B2/2P5/PP2PPPP/R2QKBNR w KQkq - 0 9"
# Figure 4 (D).
SACRIFICE = "8/3r1k2/2p1bpp1/p1B4p/1n3P2/1P4P1/7P/4RBK1 w - - 2 35"


def bluff(options: Options) -> Finding:
    """White takes a defended pawn, as if the queen stood behind the bishop."""
    hidden = Handmade(options, [(BLUFF, ("a4", "?")), (BELIEVED, ("d1", "?"))])
    hidden.search(10.0)
    found = hidden.after(0)
    known = Handmade(options, [(BLUFF, (None, None))])
    known.search(5.0)
    open_ = known.after(0).probability("Bxd6")
    return Finding(
        found.rows,
        (
            at_least("Bxd6 at least 0.2", found.probability("Bxd6"), 0.2),
            at_most("with perfect information of Black, Bxd6 at most 0.05", open_, 0.05),
        ),
    )


def sacrifice(options: Options) -> Finding:
    """White gives a rook for a bishop and gives check from one of two squares, unseen."""
    study = Handmade(options, [(SACRIFICE, (None, None))])
    study.search(10.0)
    found = study.after(0)
    then = study.after(0, ["Rxe6", "Kxe6"])
    checks = then.probability("Bc4"), then.probability("Bh3")
    return Finding(
        found.rows + then.rows,
        (
            at_least("Rxe6 at least 0.5", found.probability("Rxe6"), 0.5),
            at_least("after Kxe6, Bc4 and Bh3 together at least 0.9", sum(checks), 0.9),
            Check(
                "each of the two near one half: 0.35 to 0.65",
                min(checks),
                min(checks) >= 0.35 and max(checks) <= 0.65,
            ),
        ),
        found.value,
    )
