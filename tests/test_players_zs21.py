"""The player ZS21: whole games, what it carries over, limits and errors."""

import json
import random
import threading
import time

import chess
import numpy as np
import pytest

from obscuro.errors import ObservationError, PlayerError, SearchError
from obscuro.fow import Belief, Board, Observation
from obscuro.players import Clock, Limits, Player, RandomPlayer, Result, Zs21Player, make
from obscuro.players.zs21 import Zs21Settings
from obscuro.players.zs21.response import action_values, best_response
from obscuro.players.zs21.sequences import Sequences
from obscuro.players.zs21.subgame import Group, carry
from obscuro.players.zs21.tree import Infoset, Node, Turn
from zs21_trees import RandomGame, infosets, leaves, nodes, tree_of, with_children, worst

QUICK = Limits(nodes=400)


def quick(seed: int = 0, samples: int = 8) -> Zs21Player:
    settings = Zs21Settings(seed=seed, samples=samples, belief_cap=5000, eval="simple")
    return Zs21Player(settings)


def begin(player: Player, board: Board, color: chess.Color) -> None:
    player.new_game(color, board.root().fen())
    player.observe(board.observation(color))


def play(board: Board, players: dict[chess.Color, Player], plies: int) -> None:
    for color, player in players.items():
        begin(player, board, color)
    for _ in range(plies):
        if board.is_game_over():
            break
        move = players[board.turn].choose(QUICK).move
        assert move is not None
        board.push(move)
        for color, player in players.items():
            player.observe(board.observation(color))


@pytest.mark.parametrize("seed", range(2))
def test_it_beats_the_random_player(seed: int) -> None:
    board, color = Board(), bool(seed % 2)
    players: dict[chess.Color, Player] = {color: quick(seed), not color: RandomPlayer(seed)}
    play(board, players, 240)
    assert board.outcome() is not None
    assert board.result() == ("1-0" if color else "0-1")
    for player in players.values():
        player.game_over(Result(color, "king captured"))
        player.close()


def test_it_takes_the_king_and_tells_plain_data() -> None:
    board = Board("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1")
    player = quick()
    begin(player, board, chess.WHITE)
    decision = player.choose(QUICK)
    assert decision.move == chess.Move.from_uci("e2e8")
    assert decision.strategy == {"e2e8": 1.0}
    report = json.loads(json.dumps(decision.report))
    assert report["value"] == pytest.approx(1.0)
    assert (report["belief"], report["exactness"], report["sampled"]) == (1, "exact", 1)
    assert {entry["move"] for entry in report["moves"]} == {m.uci() for m in board.legal_moves}
    assert report["moves"][0] == {"move": "e2e8", "probability": 1.0, "value": pytest.approx(1.0)}


def test_it_saves_its_king_from_what_it_sees() -> None:
    # Black's rook takes the king unless it is taken, or the king leaves the file.
    board = Board("4r1k1/8/8/8/8/7P/6P1/4K2B w - - 0 1")
    player = quick()
    begin(player, board, chess.WHITE)
    decision = player.choose(QUICK)
    assert decision.move is not None
    board.push(decision.move)
    assert all(board.piece_at(m.to_square) != chess.Piece(6, True) for m in board.legal_moves)


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        board = Board()
        play(board, {True: quick(5), False: quick(6)}, 14)
        games.append(board.move_stack)
    assert games[0] == games[1]


class Watched(Zs21Player):
    """Keeps the subgames that it carries over."""

    carried: list[list[Group]]

    def _subgame(self, seen, bounds):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        found = super()._subgame(seen, bounds)
        self.carried.append([group for group in found[1] if len(group.inside[0][0].state.played())])
        return found


def histories(node: Node, color: chess.Color) -> list[tuple[Observation, chess.Move | None]]:
    """What a player has seen on the way to a node since its root was sampled."""
    core = node.state
    board, seen = Board.from_core(core.root()), []
    for move in Board.from_core(core).move_stack:
        own = board.turn == color
        board.push(move)
        seen.append((board.observation(color), move if own else None))
    return seen


def test_what_is_carried_over_is_what_both_players_can_tell_apart() -> None:
    board, rng = Board(), random.Random(3)
    player = Watched(Zs21Settings(seed=3, samples=12, eval="simple"))
    player.carried = []
    begin(player, board, chess.WHITE)
    belief = Belief(chess.WHITE)
    inside = outside = 0
    while len(board.move_stack) < 12 and not board.is_game_over():
        own = board.turn == chess.WHITE
        move = player.choose(Limits(nodes=3000)).move if own else rng.choice(board.legal_moves)
        assert move is not None
        for group in player.carried[-1] if own else []:
            assert -3.0 <= group.alternate <= 1.0
            members = [*group.inside, *group.outside]
            assert all(reach > 0.0 for _, reach in members)
            # ▼ cannot tell the members apart; ▲ can tell those inside from those outside.
            theirs = [histories(node, chess.BLACK) for node, _ in members]
            assert all(history[-2:] == theirs[0][-2:] for history in theirs)
            for node, _ in group.inside:
                assert Board.from_core(node.state) in belief
                assert histories(node, chess.WHITE)[-1][0] == player._seen
            ours = [histories(node, chess.WHITE)[-2:] for node, _ in group.outside]
            assert histories(group.inside[0][0], chess.WHITE)[-2:] not in ours
            inside, outside = inside + len(group.inside), outside + len(group.outside)
        board.push(move)
        if not board.is_game_over():
            belief.advance(board.observation(chess.WHITE), move if own else None)
        player.observe(board.observation(chess.WHITE))
    assert inside > 0
    assert outside > 0


@pytest.mark.parametrize("seed", range(4))
def test_best_responses_against_all_pure_strategies(seed: int) -> None:
    root = tree_of(RandomGame(seed, plies=3))
    rng = np.random.default_rng(seed)
    ours = {}
    for infoset, size in infosets([root], Turn.OURS):
        infoset.strategy = ours[id(infoset)] = rng.dirichlet(np.ones(size))
    expected = worst([(root, 0.7)], ours)
    assert best_response([(root, 0.7)]) == pytest.approx(expected)
    # By actions at one infoset of ▼: the least of them is its best response.
    first = next(node for node in nodes([root]) if node.turn == Turn.THEIRS and node.is_expanded)
    members = [(node, 0.5) for node in nodes([root]) if node.theirs is first.theirs]
    values = action_values(members)
    for action in range(len(values)):
        below = [(node.children[action], reach) for node, reach in members]
        assert values[action] == pytest.approx(worst(below, ours))
    assert best_response(members) == pytest.approx(values.min())


def test_a_strategy_that_does_not_come_here_carries_nothing() -> None:
    board = Board()
    player = quick(1)
    begin(player, board, chess.WHITE)
    decision = player.choose(QUICK)
    never = min(board.legal_moves, key=lambda move: decision.strategy.get(move.uci(), 0.0))
    assert never.uci() not in decision.strategy
    for move in (never, chess.Move.from_uci("g8f6")):
        board.push(move)
        player.observe(board.observation(chess.WHITE))
    report = player.choose(QUICK).report
    assert report["carried"] == 0
    assert report["sampled"] == min(8, report["belief"])


def test_gifts_by_hand() -> None:
    # After A, which ▲ plays half of the time, ▼ has left and right, worth +0.5 and -0.2 to ▲.
    ours, theirs = Infoset(), Infoset()
    passed = ours.next("A", "its consequence")
    root = Node(None, Turn.OURS, ours, theirs, 0.0)
    answer = Node(None, Turn.THEIRS, passed, theirs.next(None, "what is seen of A"), -0.2)
    end = Node(None, Turn.THEIRS, ours.next("B", ""), theirs.next(None, ""), 0.0)
    with_children(root, [leaves(answer, [0.5, -0.2]), end])
    ours.strategy = np.array([0.5, 0.5])
    last = Sequences(1)
    last.add_root(0, root, 1.0)

    def child(node: Node, action: int) -> Node:
        value = float(node.values[action])
        after = node.ours.next(None, action), node.theirs.next(action, "")
        return node.children.setdefault(action, Node(None, Turn.OURS, *after, value))

    for action in (0, 1):
        target = passed.next(None, action)
        (group,) = carry(last, [], passed, target, child, 9)
        assert [(node.value, reach) for node, reach in group.inside] == [([0.5, -0.2][action], 0.5)]
        assert group.outside == []
        # By going left, ▼ gave away 0.7: ▲ is held to no more than ▼'s best answer left it.
        assert group.alternate == pytest.approx(-0.2)


def test_time_limits_are_kept() -> None:
    board = Board("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6")
    player = quick()
    begin(player, board, chess.WHITE)
    cpu = time.process_time()
    report = player.choose(Limits(seconds=0.3)).report
    # On a machine that is busy with other things, it is our own time that can be kept.
    assert time.process_time() - cpu < 0.6
    assert report["nodes"] > 30
    report = player.choose(Limits(clock=Clock(0.2))).report
    assert report["search_seconds"] < 5.0


def test_stop_ends_the_search() -> None:
    board = Board()
    player = quick()
    begin(player, board, chess.WHITE)
    timer = threading.Timer(0.05, player.stop)
    timer.start()
    began = time.perf_counter()
    assert player.choose(Limits(seconds=60)).move in board.legal_moves
    assert time.perf_counter() - began < 30
    timer.join()
    player.stop()
    player.reset_stop()
    assert player.choose(Limits(nodes=100)).report["nodes"] >= 100


def test_without_time_to_solve_it_plays_what_is_best_on_average(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("obscuro.players.zs21.search.Program.solve", lambda *_, **__: None)
    board = Board("4k3/8/8/3q1r2/4P3/8/8/4K3 w - - 0 1")
    player = quick()
    begin(player, board, chess.WHITE)
    decision = player.choose(Limits(nodes=100))
    assert decision.move == chess.Move.from_uci("e4d5")
    assert decision.report["lp"]["unsolved"]
    board.push(chess.Move.from_uci("e4d5"))
    player.observe(board.observation(chess.WHITE))


def test_the_depth_limit_is_kept() -> None:
    board = Board()
    player = Zs21Player(Zs21Settings(depth=2))
    begin(player, board, chess.WHITE)
    report = player.choose(Limits(nodes=100_000)).report
    # Moves and answers, if somebody plays to them.
    assert report["max_depth"] == 2
    assert report["nodes"] < 1 + 20 + 400 + 1


def test_wrong_order_and_impossible_observations() -> None:
    player = quick()
    with pytest.raises(PlayerError, match="call new_game first"):
        player.observe(Board().observation(chess.WHITE))
    player.new_game(chess.BLACK)
    with pytest.raises(PlayerError, match="observe comes first"):
        player.choose(QUICK)
    board = Board()
    with pytest.raises(ObservationError, match="expected that of the start"):
        player.observe(Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1").observation(chess.BLACK))
    player.observe(board.observation(chess.BLACK))
    wrong = Board("rnbqkbnr/pppppppp/8/4Q3/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1")
    with pytest.raises(ObservationError):
        player.observe(wrong.observation(chess.BLACK))
    board.push_san("e4")
    player.observe(board.observation(chess.BLACK))
    assert player.choose(QUICK).move in board.legal_moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zs21(samples=0)", "samples is 0, expected at least 1"),
        ("zs21(seconds=0)", "seconds is 0.0, expected a number above 0"),
        ("zs21(seconds=soon)", "seconds is 'soon', expected a number"),
        ("zs21(eval=sinple)", "there is no evaluator 'sinple'"),
        ("zs21(sample=8)", "did you mean 'samples'"),
    ],
)
def test_bad_options(text: str, message: str) -> None:
    with pytest.raises((PlayerError, SearchError), match=message):
        make(text)


def test_options_by_text() -> None:
    player = make("zs21(seconds=0.5,samples=16,seed=3,nodes=900,depth=4,eval=zero,belief_cap=77)")
    assert isinstance(player, Zs21Player)
    assert player.settings == Zs21Settings(0.5, 900, 3, 16, "zero", 4, 77)
