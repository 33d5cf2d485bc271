"""The command line of a match: fastchess' vocabulary, errors that say more, and what is printed."""

import re
import shlex
from pathlib import Path

import pytest

from obscuro.cli.main import run
from obscuro.cli.match import HELP, overload
from obscuro.errors import MatchError, ObscuroError
from obscuro.match import (
    Adjudication,
    Engine,
    GameLine,
    Match,
    Program,
    Sprt,
    TimeControl,
    read_engine,
)
from obscuro.match.command import Order, read_command
from obscuro.match.local import share_cores
from obscuro.match.report import crosstable, rating_table, statistics
from obscuro.players.registry import options_of, parse
from obscuro.players.score import cp_to_value

ROOT = Path(__file__).resolve().parent.parent
TWO = "-engine player=random name=a -engine player=greedy name=b"


def read(text: str) -> Order:
    return read_command(shlex.split(text))


def match(text: str) -> Match:
    order = read(text)
    assert order.match is not None
    return order.match


def test_everything_that_can_be_said() -> None:
    order = read(
        "-engine name=x player=obscuro(seed=3) option.eval=zero st=0.5 threads=2 "
        "-engine name=y cmd='./bot --fast' args='-v 2' option.Hash=16 tc=10+0.1 proto=uci "
        "-each timemargin=50 tc=40/60 -rounds 7 -games 1 -tournament gauntlet -srand 9 "
        "-sprt elo0=0 elo1=-0 elo1x=1".replace(
            "elo1=-0 elo1x=1", "elo1=20 alpha=0.1 model=logistic"
        )
        + " -resign movecount=3 score=600 twosided=true -draw movenumber=40 movecount=8 value=0.1 "
        "-maxmoves 200 -concurrency 3 -affinity off -repeat -recover -silence 5 -event 'A match' "
        "-db x.db -pgnout file=x.pgn -jsonout x.jsonl -ratinginterval 5 -report penta=false"
    )
    assert order.match == Match(
        (
            Engine(
                "x",
                "obscuro(seed=3,eval=zero)",
                control=TimeControl.parse(st="0.5", timemargin="50"),
                threads=2,
            ),
            Engine(
                "y",
                "./bot --fast -v 2 (Hash=16)",
                Program(("./bot", "--fast", "-v", "2"), (("Hash", "16"),), "plain"),
                TimeControl.parse(tc="10+0.1", timemargin="50"),
            ),
        ),
        rounds=7,
        games=1,
        tournament="gauntlet",
        seed=9,
        sprt=Sprt(0, 20, alpha=0.1, model="logistic"),
        adjudication=Adjudication(
            max_moves=200,
            resign_count=3,
            resign_value=cp_to_value(600),
            resign_twosided=True,
            draw_count=8,
            draw_value=0.1,
            draw_after=40,
        ),
        silence=5,
        event="A match",
        paired=False,
    )
    assert (order.file, order.pgn, order.json) == (Path("x.db"), "x.pgn", "x.jsonl")
    assert (order.concurrency, order.pin, order.interval) == (3, False, 5)
    assert order.resuming() == "obscuro match -resume x.db -concurrency 3 -affinity off"


def test_one_dash_or_two_or_an_equals_sign() -> None:
    assert read("--engine player=random --engine player=greedy --rounds=5 --ray=local").match
    assert read(f"{TWO} --rounds=5").match == read(f"{TWO} -rounds 5").match


def test_openings_are_read_when_the_match_begins(tmp_path: Path) -> None:
    file = tmp_path / "two.fen"
    fens = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1"]
    file.write_text("\n".join(fens))
    assert match(f"{TWO} -openings file={file} start=2").openings == (fens[1], fens[0])


def test_engines_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pool"
    file.write_text("# the pool\nname=a player=random\n\nname=b player=pimc st=0.5 # slow\n")
    found = match(f"-engine name=mine player=greedy -engines {file} -each st=2").engines
    assert [(engine.name, str(engine.control)) for engine in found] == [
        ("mine", "2 s/move"),
        ("a", "2 s/move"),
        ("b", "0.5 s/move"),
    ]
    assert found[1] == read_engine("name=a player=random st=2")
    file.write_text("name=a player=random\nplayer=random colour=red\n")
    with pytest.raises(MatchError, match=r"pool, line 2 has no key 'colour'"):
        read(f"-engines {file}")
    file.write_text("name='a\n")
    with pytest.raises(ObscuroError, match=r"pool, line 1: cannot read"):
        read(f"-engines {file}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-engine player=random", "two engines at least, got 1"),
        ("-engine player=random -engine player=random", "two engines are called 'random'"),
        ("engine", "found 'engine' where an option was expected"),
        (f"{TWO} -round 5", "there is no option '-round'. Did you mean '-?rounds'"),
        (f"{TWO} -rounds", "-rounds takes one word, got none"),
        (f"{TWO} -rounds 0", "-rounds=0: expected a whole number from 1 on"),
        (f"{TWO} -rounds 5 -rounds 6", "-rounds is given twice"),
        (f"{TWO} -repeat 2", "-repeat takes nothing, got 2"),
        ("-engine name=x", "expected either player=NAME or cmd=PROGRAM"),
        ("-engine player=random cmd=./x", "expected either player=NAME or cmd=PROGRAM"),
        ("-engine cmd=./x proto=xboard", "proto=xboard: expected fog, or uci"),
        ("-engine cmd=''", "cmd= is empty"),
        ("-engine player=random proto=uci", "proto= belongs to cmd="),
        ("-engine player=random nme=x", "-engine has no key 'nme'.*Did you mean 'name'"),
        ("-engine random", "cannot read 'random' after -engine: expected key=value"),
        (f"{TWO} -each name=x", "-each gives no name"),
        (f"{TWO} -each tc=1+", "cannot read tc=1"),
        (f"{TWO} -each tc=0+0", "leaves no time"),
        (f"{TWO} -each st=0", "st=0: expected a number of seconds above 0"),
        (f"{TWO} -each st=-1", "st=-1: expected a number from 0 on"),
        (f"{TWO} -each tc=1 st=1", "tc= and st= exclude each other"),
        (f"{TWO} -each nodes=0", "nodes=0: expected a whole number from 1 on"),
        (f"{TWO} -each count=some", "count=some: expected all or search"),
        (f"{TWO} -games 3", "games=3"),
        (f"{TWO} -sprt elo0=0", "-sprt needs elo1="),
        (f"{TWO} -sprt elo0=x elo1=2", "elo0=x: expected a number"),
        (f"{TWO} -engine player=pimc -sprt elo0=0 elo1=5", "an SPRT compares two engines, got 3"),
        (f"{TWO} -openings order=random", "-openings needs file="),
        (f"{TWO} -resign movecount=3", "-resign needs either value= or score="),
        (f"{TWO} -resign value=1", "-resign needs movecount="),
        (f"{TWO} -resign movecount=1 value=2", "value=2: expected a value from 0 to 1"),
        (f"{TWO} -resign movecount=1 value=1 twosided=x", "twosided=x: expected true or false"),
        (f"{TWO} -affinity no", "-affinity no: expected on or off"),
        (f"{TWO} -report penta=yes", "-report penta=yes: expected penta=true or penta=false"),
        ("-resume x.db -rounds 5", "-rounds cannot be changed when a match is resumed"),
        (f"-resume x.db {TWO}", "-engine cannot be changed"),
        ("-engines nothing.txt", "cannot read nothing.txt"),
    ],
)
def test_errors_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ObscuroError, match=message):
        read(text)


def test_every_option_is_in_the_help() -> None:
    from obscuro.match.command import _IMPLIED, _KEYS, _SINGLE

    for option in (*_KEYS, *_SINGLE):
        assert f"-{option}" in HELP
    for keys in _KEYS.values():
        for key in keys:
            assert f"{key}=" in HELP
    assert set(_IMPLIED) == {"repeat", "recover"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stats"], "match stats needs the file of a match"),
        (["stats", "none.db"], "cannot read none.db"),
        (["stats", "-anker", "x"], "match stats has no option '-anker'"),
        (["stats", "x.db", "-anchor"], "-anchor takes a player's name"),
        (["-resume", "none.db"], "there is no file none.db"),
        (["-rounds", "x"], "-rounds=x"),
    ],
)
def test_errors_are_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert message in said.err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["match"], ["match", "-h"], ["match", "--help"]):
        assert run(words) == 0
        assert capsys.readouterr().out == HELP
    assert run(["match", "stats", "-h"]) == 0
    assert "Usage: obscuro match stats" in capsys.readouterr().out


def test_a_warning_where_cores_do_not_suffice() -> None:
    engines = Engine("a", "random", threads=3), Engine("b", "random")
    assert "need 6 cores, and there are 4" in overload(Match(engines), 2, 4)
    assert overload(Match(engines), 2, 6) == ""


def test_no_core_is_given_twice() -> None:
    shares = share_cores([0, 2, 4, 5, 7], games=2, threads=2)
    assert shares == [(0, 2), (4, 5)]
    assert share_cores([0, 1, 2], games=2, threads=2) == [(), ()]


def lines() -> list[GameLine]:
    games = [
        ("a", "b", "1-0", "rules"),
        ("b", "a", "1/2-1/2", "rules"),
        ("a", "c", "1-0", "crash"),
        ("c", "a", "1-0", "rules"),
        ("b", "c", "0-1", "time"),
        ("c", "b", "0-1", "rules"),
    ]
    return [
        GameLine(n, n // 2, 1, white, black, white != "c", black != "c", result, "", kind, 40)
        for n, (white, black, result, kind) in enumerate(games)
    ]


def test_the_crosstable() -> None:
    rows = [row.split() for row in crosstable(lines()).splitlines()]
    assert rows == [
        ["#", "Player", "Score", "1", "2", "3"],
        ["1", "a", "62.5", "%", "-", "1/2", "1.5/2"],
        ["2", "c", "(not", "fog-honest)", "50.0", "%", "1/2", "-", "1/2"],
        ["3", "b", "37.5", "%", "0.5/2", "1/2", "-"],
    ]


def test_everything_that_is_printed_marks_who_is_not_fog_honest() -> None:
    printed = statistics(lines()) + rating_table(lines(), anchor="a", anchor_elo=100)
    for place in ("vs", "wins", "crash"):
        assert place in printed.lower()
    # The name never stands alone.
    for word in printed.replace("c (not fog-honest)", "").split():
        assert word not in ("c", "c:")
    assert "c (not fog-honest) lost 1 game by failure: crash" in printed
    assert "b lost 1 game by failure: time" in printed


def test_the_table_of_ratings() -> None:
    table = rating_table(lines(), anchor="a", anchor_elo=1500)
    first = next(row for row in table.splitlines() if " a " in row)
    assert first.split() == ["1", "a", "1500", "anchor", "4", "62.5", "%"]
    assert "White's advantage: " in table


def test_the_block_has_fastchess_words_in_fastchess_order() -> None:
    own = [line for line in lines() if {line.white, line.black} == {"a", "b"}]
    engines = {name: Engine(name, "random", control=TimeControl.parse(st="1")) for name in "ba"}
    block = statistics(own, engines=engines, sprt=Sprt(0, 10))
    # The first engine of the command line is the one that is told of.
    assert block.splitlines()[0] == "Results of b vs a (1 s/move, 1t):"
    assert block.splitlines()[3:5] == [
        "Games: 2, Wins: 0, Losses: 1, Draws: 1, Points: 0.5 (25.00 %)",
        "Ptnml(0-2): [0, 1, 0, 0, 0], WL/DD Ratio: nan",
    ]
    words = ("Elo: ", "nElo: ", "LOS: ", "DrawRatio: ", "PairsRatio: ", "Games: ", "Ptnml", "LLR: ")
    places = [block.index(word) for word in words]
    assert places == sorted(places)
    alone = statistics(own, engines=engines, paired=False)
    assert "Ptnml" not in alone
    assert "DrawRatio" not in alone


def commands(page: str) -> list[list[str]]:
    """The words of all commands of the documentation that play a match."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    said = [shlex.split(line) for block in blocks for line in block.splitlines()]
    return [words[2:] for words in said if words[:2] == ["obscuro", "match"]]


def test_the_commands_of_the_documentation_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    played = [words for page in ("matches.md", "strength.md") for words in commands(page)]
    matches = [read_command(words).match for words in played if words[0] != "stats"]
    assert len(matches) == 5
    pool = next(found for found in matches if found and found.event == "the pool")
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    for engine in pool.engines:
        name, options = parse(engine.player)
        assert set(options) <= set(options_of(name))
        assert f"`{engine.name}`" in page
    # Everything that stats is asked for there is about this pool.
    anchors = {
        words[words.index("-anchor") + 1] for words in commands("strength.md") if "-anchor" in words
    }
    assert anchors == {"obscuro-0.25s=0"}
    assert "obscuro-0.25s" in {engine.name for engine in pool.engines}
