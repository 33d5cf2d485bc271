"""Training data: its files, the games it comes from, its labels."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import chess
import numpy as np
import pytest

import eval_positions
import eval_stockfish
import eval_twin
import fow_twin
import nnue_twin
import own_network_twin
from obscuro import _core, train
from obscuro.cli.main import run
from obscuro.errors import MissingPackageError, TrainingError
from obscuro.train import data

RECIPE = train.Recipe(most_plies=60)


def order(folder: Path, positions: int = 250, seed: int = 5) -> train.Order:
    return train.Order(folder, positions, seed, RECIPE, shard=100)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in data.shard_paths(folder)}


def records_of(boards: list[chess.Board]) -> data.Records:
    rows = _core.records_of([_core.FowBoard(board.fen()) for board in boards])
    return data.from_bytes(rows)


def boards_of(records: data.Records) -> list[chess.Board]:
    boards = _core.record_boards(data.as_bytes(records))
    return [chess.Board(board.fen()) for board in boards]


def test_positions_come_back_from_records() -> None:
    boards = [chess.Board(fen) for fen in eval_positions.PECULIAR]
    boards += eval_positions.fow_positions(100, 1)
    boards.append(chess.Board("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1"))
    assert len({board.turn for board in boards}) == 2
    for board, back in zip(boards, boards_of(records_of(boards)), strict=True):
        assert back.board_fen() == board.board_fen()
        assert back.turn == board.turn
        assert back.castling_rights == board.castling_rights
        assert fow_twin.moves(back) == fow_twin.moves(board)


def test_a_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    records = records_of(eval_positions.fow_positions(20, 2))
    records["static"], records["score"] = np.arange(20), -np.arange(20)
    records["ply"], records["outcome"], records["source"] = 517, -1, 1
    path = tmp_path / "x.positions"
    header = data.write(path, data.Header(0, 7, 3, {"keep": 0.5}, teacher={"name": "t"}), records)
    assert header.count == 20
    found, back = data.read(path)
    assert found == header == data.read_header(path)
    np.testing.assert_array_equal(back, records)
    assert path.stat().st_size % data.RECORD.itemsize == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda raw: b"x" + raw[1:], "not a file of positions: it begins with b'xBSCPOS1'"),
        (lambda raw: raw[:-1], "bytes, expected"),
        (lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]), "the records are damaged"),
        (lambda raw: raw[:12] + b"?" + raw[13:], "the header cannot be understood"),
        (lambda raw: raw[:5], "not a file of positions"),
    ],
)
def test_a_file_that_is_damaged_is_refused(tmp_path: Path, change: object, message: str) -> None:
    path = tmp_path / "x.positions"
    records = records_of(eval_positions.fow_positions(3, 3))
    data.write(path, data.Header(3, 0, 0, {}), records)
    assert callable(change)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(TrainingError, match=message):
        data.read(path)


def test_rows_that_are_no_records_are_refused() -> None:
    rows = data.as_bytes(records_of([chess.Board()]))
    with pytest.raises(TrainingError, match="a record has 40 bytes, found 39"):
        _core.record_inputs(np.ascontiguousarray(rows[:, :39]))
    with pytest.raises(TrainingError, match="record 0 is no position with both kings"):
        _core.record_inputs(np.zeros_like(rows))


def test_an_interrupted_generation_ends_with_the_same_files(tmp_path: Path) -> None:
    whole, again = tmp_path / "whole", tmp_path / "again"
    assert train.generate_positions(order(whole)) == 3
    assert [len(data.read(path)[1]) for path in data.shard_paths(whole)] == [100, 100, 50]
    seen: list[int] = []
    train.generate_positions(order(again))
    data.shard_path(again, 1).unlink()
    assert train.generate_positions(order(again), progress=seen.append) == 1
    assert sorted(seen) == [50, 100, 100]
    assert contents(again) == contents(whole)
    other = tmp_path / "other"
    train.generate_positions(order(other, seed=6))
    assert contents(other).keys() == contents(whole).keys()
    assert all(contents(other)[name] != raw for name, raw in contents(whole).items())


def test_processes_make_the_same_files(tmp_path: Path) -> None:
    train.generate_positions(order(tmp_path / "one", 200))
    train.generate_positions(order(tmp_path / "two", 200), train.Spread(processes=2))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_files_of_another_order_stay_as_they_are(tmp_path: Path) -> None:
    train.generate_positions(order(tmp_path))
    before = contents(tmp_path)
    with pytest.raises(TrainingError, match=r"made with seed 5, expected 6: use another folder"):
        train.generate_positions(order(tmp_path, seed=6))
    with pytest.raises(TrainingError, match="made with recipe"):
        train.generate_positions(replace(order(tmp_path), recipe=train.Recipe()))
    assert contents(tmp_path) == before


def test_a_recipe_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    wrong = replace(order(tmp_path), recipe=train.Recipe(keep=2.0))
    with pytest.raises(TrainingError, match="keep must be between 0 and 1, found 2"):
        train.generate_positions(wrong)
    with pytest.raises(TrainingError, match="at least one position"):
        train.generate_positions(order(tmp_path, 0))


def test_positions_are_those_that_a_search_values(tmp_path: Path) -> None:
    train.generate_positions(train.Order(tmp_path, 600, 1, shard=600))
    _, records = train.read_folder(tmp_path)
    assert set(records["source"]) == {0, 1, 2}
    assert set(records["outcome"]) >= {-1, 1}
    checks = 0
    for board in boards_of(records):
        king = board.king(not board.turn)
        assert king is not None
        assert all(move.to_square != king for move in fow_twin.moves(board)), board.fen()
        checks += board.is_check()
    assert checks > 10


def test_labels_equal_the_twins_of_the_simple_evaluation(tmp_path: Path) -> None:
    train.generate_positions(train.Order(tmp_path, 60, 2, shard=60))
    assert train.label_positions(tmp_path, train.Teacher.find("simple")) == 1
    _, records = train.read_folder(tmp_path)
    for record, board in zip(records, boards_of(records), strict=True):
        assert record["static"] == eval_twin.simple(board)
        expected = eval_twin._quiet(board, 8, eval_twin.simple)
        assert record["score"] == np.clip(expected, -data.DECIDED, data.DECIDED), board.fen()


def test_labels_equal_the_twin_of_stockfishs_network(tmp_path: Path) -> None:
    file = eval_stockfish.export_network(tmp_path)
    folder = tmp_path / "data"
    teacher = train.Teacher.find(str(file))
    train.generate_positions(train.Order(folder, 40, 3, teacher=teacher, shard=40))
    train.label_positions(folder, teacher)
    headers, records = train.read_folder(folder)
    assert headers[0].teacher is not None
    assert headers[0].teacher["unitsPerPawn"] == 361
    assert headers[0].guide == headers[0].teacher["sha256"]
    twin = nnue_twin.Network(file)
    for record, board in zip(records, boards_of(records), strict=True):
        assert record["static"] == twin.value(board)


def test_labelling_goes_on_where_it_was(tmp_path: Path) -> None:
    train.generate_positions(order(tmp_path))
    simple = train.Teacher.find("simple")
    assert train.label_positions(tmp_path, simple) == 3
    whole = contents(tmp_path)
    assert train.label_positions(tmp_path, simple) == 0
    data.shard_path(tmp_path, 1).unlink()
    train.generate_positions(order(tmp_path))
    with pytest.raises(TrainingError, match="not all labels are of one teacher"):
        train.read_labelled(tmp_path)
    assert train.label_positions(tmp_path, simple) == 1
    assert contents(tmp_path) == whole


def test_decided_positions_are_left_out(tmp_path: Path) -> None:
    train.generate_positions(order(tmp_path, 300))
    with pytest.raises(TrainingError, match="no labels of one teacher: label the folder first"):
        train.read_labelled(tmp_path)
    train.label_positions(tmp_path, train.Teacher.find("simple"))
    path = data.shard_path(tmp_path, 0)
    header, records = data.read(path)
    records["score"][:4] = [data.DECIDED, -data.DECIDED, data.DECIDED, -data.DECIDED]
    data.write(path, header, records)
    _, rest = train.read_labelled(tmp_path)
    assert len(rest) <= 296
    assert np.abs(rest["score"].astype(int)).max() < data.DECIDED


def test_inputs_equal_the_twins() -> None:
    boards = [chess.Board(fen) for fen in eval_positions.PECULIAR]
    boards += eval_positions.fow_positions(150, 4)
    features, stacks = _core.record_inputs(data.as_bytes(records_of(boards)))
    for board, halves, stack in zip(boards, features.reshape(-1, 2, 32), stacks, strict=True):
        for half, side in zip(halves, (board.turn, not board.turn), strict=True):
            expected = sorted(own_network_twin.active(board, side))
            assert sorted(half[half != 0xFFFF].tolist()) == expected, board.fen()
        assert stack == (len(board.piece_map()) - 1) // 4


def test_no_folder_and_no_teacher_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", "label", str(tmp_path)]) == 2
    assert "no files of positions here" in capsys.readouterr().err
    assert run(["train", "generate", str(tmp_path / "x"), "-t", "nobody"]) == 2
    assert "no teacher 'nobody': expected 'simple' or the file" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_ray_that_is_not_installed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'obscuro\[ray\]'"):
        train.generate_positions(order(tmp_path), train.Spread(ray="local"))
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_makes_the_same_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, library = tmp_path / "command", tmp_path / "library"
    options = ["--seed", "5", "-n", "120", "--shard", "100", "--most-plies", "60"]
    assert run(["train", "generate", str(folder), *options]) == 0
    assert run(["train", "label", str(folder)]) == 0
    train.generate_positions(order(library, 120))
    train.label_positions(library, train.Teacher.find("simple"))
    assert contents(folder) == contents(library)
    printed = "".join(capsys.readouterr().out.split())
    assert "2of2filesmade" in printed
    assert "2fileslabelled" in printed
    shutil.rmtree(folder)
