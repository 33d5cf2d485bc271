"""Training networks: the first layer, fitting, rounding to integers, export, the report."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt
import pytest

import eval_positions
import own_network_twin
from obscuro import _core, train
from obscuro.cli.main import run
from obscuro.errors import MissingPackageError, TrainingError
from obscuro.train import data, export, shape
from obscuro.train.quantise import truncated

Single = npt.NDArray[np.float32]
Arrays = dict[str, Single]
SETTINGS = train.Settings(passes=2.0, batch=128, held_out=200, seed=3, rate=5e-3)


def batch_of(boards: list[chess.Board]) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    rows = _core.records_of([_core.FowBoard(board.fen()) for board in boards])
    return _core.record_inputs(rows)


def random_layer(seed: int) -> Arrays:
    rng = np.random.default_rng(seed)
    return {
        "weights": rng.normal(0, 0.1, (shape.FEATURES, shape.WIDTH)).astype(np.float32),
        "biases": rng.normal(0.3, 0.2, shape.WIDTH).astype(np.float32),
        "psqt": rng.normal(0, 1, (shape.FEATURES, shape.STACKS)).astype(np.float32),
    }


def arrays_of(layer: Arrays) -> tuple[Single, Single, Single]:
    return layer["weights"], layer["biases"], layer["psqt"]


def dense(features: npt.NDArray[np.uint16]) -> npt.NDArray[np.float64]:
    """Which inputs are active, as one row of zeros and ones for each side."""
    rows = np.zeros((2 * len(features), shape.FEATURES))
    for row, half in zip(rows, features.reshape(-1, 32), strict=True):
        row[half[half != 0xFFFF]] = 1
    return rows


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_layer_equals_products_of_matrices(threads: int) -> None:
    features, stacks = batch_of(eval_positions.fow_positions(10, 5))
    count, half = len(stacks), shape.WIDTH // 2
    layer = random_layer(1)
    sums = np.empty((count, 2 * shape.WIDTH), np.float32)
    products = np.empty((count, shape.WIDTH), np.float32)
    material = np.empty(count, np.float32)
    _core.layer_forward(features, stacks, *arrays_of(layer), sums, products, material, threads)

    active = dense(features)
    expected = active @ layer["weights"] + layer["biases"]
    np.testing.assert_allclose(sums.reshape(-1, shape.WIDTH), expected, atol=1e-4)
    left, right = np.clip(expected[:, :half], 0, 1), np.clip(expected[:, half:], 0, 1)
    np.testing.assert_allclose(products.reshape(-1, half), left * right * 127 / 128, atol=1e-4)
    worth = (active @ layer["psqt"]).reshape(count, 2, shape.STACKS)
    ours, theirs = worth[np.arange(count), :, stacks].T
    np.testing.assert_allclose(material, (ours - theirs) / 2, atol=1e-4)

    rng = np.random.default_rng(2)
    by_products = rng.normal(size=products.shape).astype(np.float32)
    by_material = rng.normal(size=count).astype(np.float32)
    found = {name: np.zeros_like(array) for name, array in layer.items()}
    _core.layer_backward(
        features, stacks, sums, by_products, by_material, *arrays_of(found), threads
    )
    by_left = by_products.reshape(-1, half) * right * (127 / 128)
    by_right = by_products.reshape(-1, half) * left * (127 / 128)
    open_ = (expected > 0) & (expected < 1)
    by_sums = np.concatenate([by_left, by_right], 1) * open_
    assert 0.05 < open_.mean() < 0.95
    np.testing.assert_allclose(found["weights"], active.T @ by_sums, atol=1e-3)
    np.testing.assert_allclose(found["biases"], by_sums.sum(0), atol=1e-3)
    by_worth = np.zeros((count, 2, shape.STACKS))
    by_worth[np.arange(count), 0, stacks] = by_material / 2
    by_worth[np.arange(count), 1, stacks] = -by_material / 2
    np.testing.assert_allclose(
        found["psqt"], active.T @ by_worth.reshape(-1, shape.STACKS), atol=1e-4
    )


def test_arrays_that_do_not_fit_are_refused() -> None:
    features, stacks = batch_of([chess.Board()])
    layer = random_layer(1)
    sums = np.empty((1, 2 * shape.WIDTH), np.float32)
    products, material = np.empty((1, shape.WIDTH), np.float32), np.empty(2, np.float32)
    with pytest.raises(ValueError, match="do not fit each other"):
        _core.layer_forward(features, stacks, *arrays_of(layer), sums, products, material, 1)


def random_integers(seed: int) -> tuple[train.Integers, own_network_twin.OwnNetwork]:
    twin = own_network_twin.random_network(seed)
    layers = [
        [np.stack([stack[i][part] for stack in twin.layers]) for part in (0, 1)] for i in range(3)
    ]
    (first_b, first), (second_b, second), (third_b, third) = layers
    network = train.Integers(
        biases=twin.biases.astype(np.int16),
        weights=twin.weights.astype(np.int16),
        psqt=twin.psqt.astype(np.int32),
        first=first.astype(np.int8),
        first_biases=first_b.astype(np.int32),
        second=second.astype(np.int8),
        second_biases=second_b.astype(np.int32),
        third=third.reshape(8, 32).astype(np.int8),
        third_biases=third_b.reshape(8).astype(np.int32),
    )
    return network, twin


def test_integers_and_file_equal_the_twins_and_the_cores(tmp_path: Path) -> None:
    network, twin = random_integers(4)
    boards = [chess.Board(fen) for fen in eval_positions.PECULIAR]
    boards += eval_positions.fow_positions(60, 6)
    cores = [_core.FowBoard(board.fen()) for board in boards]
    found = network.scores(data.from_bytes(_core.records_of(cores))).tolist()
    assert found == [twin.value(board) for board in boards]

    ours, theirs = tmp_path / "ours.nnue", tmp_path / "theirs.nnue"
    ours.write_bytes(export.to_bytes(network, twin.description))
    twin.write(theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    values = _core.FowValues(_core.Network(ours))
    assert [values.static_score(board) for board in cores] == found


def test_numbers_that_do_not_fit_are_not_rounded() -> None:
    network, _ = random_integers(4)
    numbers = {
        name: getattr(network, name).astype(np.float32) / 1e4
        for name in network.__dataclass_fields__
    }
    numbers["second"] = numbers["second"][:, :, :30]
    numbers["third"][2, 3] = 2.0
    with pytest.raises(TrainingError, match=r"third has 151\.0, at most 127 fits"):
        train.quantise_network(numbers)
    numbers["third"][2, 3] = np.nan
    with pytest.raises(TrainingError, match="third has nan"):
        train.quantise_network(numbers)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    train.generate_positions(train.Order(folder, 1500, seed=1, shard=500))
    train.label_positions(folder, train.Teacher.find("simple"))
    return folder


@pytest.fixture(scope="module")
def trained(labelled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("trained")
    train.fit_network(labelled, folder, SETTINGS)
    return folder


def numbers(folder: Path) -> dict[str, Any]:
    from obscuro.train.fit import load_checkpoint

    state = load_checkpoint(folder)
    assert state is not None
    return {name: tensor.numpy() for name, tensor in state["numbers"].items()}


def test_training_lowers_the_loss(trained: Path) -> None:
    log = json.loads((trained / "fit.json").read_text(encoding="utf-8"))
    curve = log["curve"]
    assert curve[-1]["step"] == curve[-1]["steps"]
    assert curve[-1]["loss"] < 0.7 * curve[0]["loss"]
    assert curve[-1]["correlation"] > 0.8


def test_a_run_that_was_stopped_ends_with_the_same_network(
    labelled: Path, trained: Path, tmp_path: Path
) -> None:
    looks: list[train.Look] = []
    train.fit_network(labelled, tmp_path, SETTINGS, stop_after=4, progress=looks.append)
    assert looks[-1].step == 4
    train.fit_network(labelled, tmp_path, SETTINGS, progress=looks.append)
    assert [look.step for look in looks] == list(range(1, looks[-1].steps + 1))
    for name, array in numbers(trained).items():
        np.testing.assert_array_equal(array, numbers(tmp_path)[name])
    with pytest.raises(TrainingError, match="holds a run with settings"):
        train.fit_network(labelled, tmp_path, replace(SETTINGS, seed=4))


def test_the_exported_network_follows_the_trained_one(
    labelled: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new" / "my.nnue"
    assert run(["train", "export", str(labelled), str(trained), str(file)]) == 0
    assert "checked on" in capsys.readouterr().out
    made = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert made["teacher"]["name"] == "simple"
    assert made["integers"]["meanDifference"] < 0.01
    assert made["data"]["seed"] == 1
    assert made["settings"]["seed"] == 3
    assert made["curve"][-1]["step"] == made["steps"]

    # The core's integers and the floating-point numbers, once more and by themselves.
    network = _core.Network(file)
    assert json.loads(network.description())["name"] == "obscuro default"
    values = _core.FowValues(network)
    _, records = train.read_labelled(labelled)
    tail = records[-200:]
    boards = _core.record_boards(data.as_bytes(tail))
    scores = np.array([values.static_score(board) for board in boards])
    wanted = np.tanh(tail["static"] / 200)
    assert np.corrcoef(np.tanh(scores / 722), wanted)[0, 1] > 0.8

    assert run(["train", "report", str(labelled), str(file), "-n", "300", "--calls", "20"]) == 0
    assert "| Best move is the teacher's |" in capsys.readouterr().out


def test_a_run_is_exported_with_its_own_data_only(
    labelled: Path, trained: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    train.generate_positions(train.Order(other, 1000, seed=2, shard=500))
    train.label_positions(other, train.Teacher.find("simple"))
    with pytest.raises(TrainingError, match="not the data that"):
        train.export_network(other, trained, tmp_path / "x.nnue")
    with pytest.raises(TrainingError, match="nothing has been trained here"):
        train.export_network(labelled, tmp_path / "none", tmp_path / "x.nnue")
    assert not (tmp_path / "x.nnue").exists()


def test_a_broken_checkpoint_is_told(labelled: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "checkpoint.pt").write_bytes(b"nothing")
    with pytest.raises(TrainingError, match="not a checkpoint that can be read"):
        train.fit_network(labelled, tmp_path, SETTINGS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (replace(SETTINGS, target="stars"), "the target 'stars', expected one of static, score"),
        (replace(SETTINGS, outcome=1.5), "a share 1.5 of the outcome"),
        (replace(SETTINGS, rate=0.0), "not above 0"),
        (replace(SETTINGS, held_out=0), "nothing held out"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    labelled: Path, tmp_path: Path, settings: train.Settings, message: str
) -> None:
    with pytest.raises(TrainingError, match=message):
        train.fit_network(labelled, tmp_path, settings)


def test_too_little_data_is_told(labelled: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(TrainingError, match="expected at least 10,128"):
        train.fit_network(labelled, tmp_path, replace(SETTINGS, held_out=10_000))


def test_pytorch_that_is_not_installed_is_told(
    labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'obscuro\[train\]'"):
        train.fit_network(labelled, tmp_path / "run", SETTINGS)
    assert not (tmp_path / "run").exists()


def test_targets_mix_scores_and_outcomes(labelled: Path) -> None:
    from obscuro.train.fit import target_values

    _, records = train.read_labelled(labelled)
    for name in ("static", "score"):
        pure = target_values(records, replace(SETTINGS, target=name), 100.0)
        np.testing.assert_allclose(pure, np.tanh(records[name] / 200), atol=1e-6)
    mixed = target_values(records, replace(SETTINGS, outcome=0.25), 100.0)
    expected = 0.75 * np.tanh(records["static"] / 200) + 0.25 * records["outcome"]
    np.testing.assert_allclose(mixed, expected, atol=1e-6)


def test_a_teacher_agrees_with_itself(labelled: Path) -> None:
    _, records = train.read_labelled(labelled)
    simple = train.Teacher.find("simple")
    found = train.report_agreement(simple, simple, records[:200], calls=10)
    assert [row.what for row in found.statics] == ["all", "of games", "off games", "changed"]
    assert all(row.correlation > 0.9999 and row.error == 0 for row in found.statics)
    assert (found.children.best, found.children.loss) == (1.0, 0.0)
    assert found.children.loss_of_any > 0
    assert "| all | 200 | 1.0000 | 0.0000 | 100.0% |" in found.markdown()
    with pytest.raises(TrainingError, match="positions of games"):
        train.report_agreement(simple, simple, records[:0])


def test_divisions_are_towards_zero() -> None:
    assert truncated(np.array([-33, 33, -16]), 16).tolist() == [-2, 2, -1]
