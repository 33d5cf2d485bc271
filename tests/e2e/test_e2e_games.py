"""Whole games on the page, as a player plays them."""

import json
from typing import TYPE_CHECKING

import chess
import pytest

from e2e.live_page import SCHOLAR, LiveServer, at, click_move, drag_move, moves_shown
from obscuro.fow import Board

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Response

playwright = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright.expect
pytestmark = pytest.mark.e2e

MY_TURN = "Your turn"


def begin(page: "Page", opponent: str, *, color: str = "White", clock: str = "3+2") -> None:
    page.goto("/")
    page.locator(".option", has_text=opponent).click()
    page.locator(".segments label", has_text=color).click()
    page.locator(".segments label", has_text=clock).click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")


def wait_for_turn(page: "Page", plies: int) -> None:
    expect(page.locator(".moves .move")).to_have_count(plies)
    expect(page.locator(".turn-words")).to_have_text(MY_TURN)


def test_a_whole_game_by_clicking_leaks_nothing(page: "Page") -> None:
    """From the form to the truth; the network's log is searched for what was hidden."""
    frames: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda payload: frames.append(str(payload))),
    )

    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer) if "/api/" in answer.url else None)
    begin(page, "Scholar")
    own = ["e2e4", "d1h5", "h5f7", "f7e8"]
    board = Board()
    views = [board.observation(chess.WHITE).fog_fen]
    for number, move in enumerate(own):
        wait_for_turn(page, 2 * number)
        if number == 1:
            drag_move(page, move)
        else:
            click_move(page, move)
        for played in (move, *SCHOLAR[number : number + 1])[: 2 if number < 3 else 1]:
            board.push_uci(played)
            views.append(board.observation(chess.WHITE).fog_fen)
    expect(page.locator(".ending-title")).to_have_text("You won")

    running = [text for text in frames if '"status":"over"' not in text]
    assert len(running) >= 7
    for text in running:
        message = json.loads(text)
        seen = [ply["fen"] for ply in message.get("history", [])]
        if "ply" in message:
            seen.append(message["ply"]["fen"])
        assert set(seen) <= set(views)
        for hidden in SCHOLAR[:3]:
            assert hidden not in text
            assert f'"{hidden[2:]}"' not in text
    # What was asked for by HTTP: all but the truth, which is asked for when the game is over.
    bodies = [answer.text() for answer in answers if not answer.url.endswith("/record")]
    assert len(bodies) >= 3
    truths = {position.split()[0] for position in positions(own)}
    assert not any(placement in text for text in [*running, *bodies] for placement in truths)

    # The truth, from here on.
    expect(page.get_by_text("The truth")).to_be_visible()
    assert moves_shown(page) == ["e4", "e5", "Qh5", "Nc6", "Qxf7", "a6", "Qxe8"]
    page.get_by_text("They saw").click()
    page.keyboard.press("ArrowUp")
    expect(page.locator("cg-board piece.white")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="PGN").click()
    assert download.value.suggested_filename == "obscuro.pgn"


def positions(own: list[str]) -> list[str]:
    board, found = Board(), []
    for index, move in enumerate(own):
        board.push_uci(move)
        found.append(board.fen())
        if index < 3:
            board.push_uci(SCHOLAR[index])
            found.append(board.fen())
    return found[1:-1]


def test_a_promotion_is_chosen(page: "Page", server: LiveServer) -> None:
    start = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    token = server.begin(color="white", opponent="king", start=start)
    page.goto(f"/game/{token}")
    wait_for_turn(page, 0)
    click_move(page, "a7a8")
    page.keyboard.press("Escape")
    expect(page.locator("cg-board piece.white.pawn")).to_have_count(1)
    click_move(page, "a7a8")
    page.get_by_role("button", name="Knight").click()
    expect(page.locator("cg-board piece.white.knight")).to_have_count(1)
    wait_for_turn(page, 2)
    assert moves_shown(page) == ["a8=N", "?"]


def test_a_reload_in_mid_game_changes_nothing(page: "Page") -> None:
    begin(page, "Scholar")
    wait_for_turn(page, 0)
    click_move(page, "e2e4")
    wait_for_turn(page, 2)
    before = page.locator("cg-board piece").count(), page.locator("cg-board square.fog").count()
    page.get_by_role("button", name="Ghosts").click()
    page.get_by_role("button", name="Knight").click()
    page.mouse.click(*at(page, "f6"))
    expect(page.locator("cg-auto-pieces piece.knight.black")).to_have_count(1)
    page.reload()
    wait_for_turn(page, 2)
    after = page.locator("cg-board piece").count(), page.locator("cg-board square.fog").count()
    assert after == before
    expect(page.locator("cg-auto-pieces piece.knight.black")).to_have_count(1)
    click_move(page, "d1h5")
    wait_for_turn(page, 4)


def test_the_flag_falls(page: "Page", server: LiveServer) -> None:
    control = {"base": 1, "increment": 0}
    token = server.begin(color="white", opponent="scholar", control=control)
    page.goto(f"/game/{token}")
    wait_for_turn(page, 0)
    click_move(page, "e2e4")
    expect(page.locator(".ending-title")).to_have_text("You lost")
    expect(page.locator(".ending")).to_contain_text("White ran out of time")
    expect(page.get_by_label("Your clock")).to_have_text("0:00.0")


def test_two_browsers_against_each_other(
    browser: "Browser", context: "BrowserContext", page: "Page", server: LiveServer
) -> None:
    begin(page, "A friend", clock="Unlimited")
    address = page.get_by_label("Address for the opponent").input_value()
    elsewhere = browser.new_context(base_url=server.address, viewport={"width": 390, "height": 844})
    friend = elsewhere.new_page()
    friend.goto(address)
    friend.get_by_role("button", name="Play").click()
    friend.wait_for_url("**/game/*")
    wait_for_turn(page, 0)
    assert friend.url != page.url
    assert page.url.rpartition("/")[2] not in friend.content()

    # Black moves ahead, and it is played when White has moved.
    expect(friend.locator("cg-board piece")).to_have_count(16)
    click_move(friend, "e7e5", flipped=True)
    expect(friend.locator("square.current-premove")).to_have_count(2)
    click_move(page, "e2e4")
    wait_for_turn(page, 2)
    assert moves_shown(page) == ["e4", "?"]
    assert moves_shown(friend) == ["?", "e5"]

    page.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Allow it").click()
    wait_for_turn(page, 0)
    click_move(page, "d2d4")
    wait_for_turn(friend, 1)
    friend.get_by_role("button", name="Resign").click()
    friend.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending-title")).to_have_text("You won")
    page.get_by_role("button", name="Rematch").click()
    friend.get_by_role("button", name="Accept the rematch").click()
    wait_for_turn(friend, 0)
    expect(page.locator(".turn-words")).to_have_text("Your opponent's turn")
    elsewhere.close()


def test_a_move_with_the_keyboard_alone(page: "Page") -> None:
    begin(page, "Scholar")
    wait_for_turn(page, 0)
    board = page.get_by_role("application")
    while not board.evaluate("board => board === document.activeElement"):
        page.keyboard.press("Tab")
    # The cursor begins at e2.
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    wait_for_turn(page, 2)
    page.keyboard.press("Tab")
    page.keyboard.press("m")
    page.keyboard.type("Ke5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not a legal move")
    page.keyboard.type("Nf3")
    page.keyboard.press("Enter")
    wait_for_turn(page, 4)
    assert moves_shown(page) == ["e4", "?", "Nf3", "?"]


def test_on_a_phone_with_a_finger(browser: "Browser", server: LiveServer) -> None:
    phone = browser.new_context(
        base_url=server.address, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = phone.new_page()
    token = server.begin(color="white", opponent="scholar")
    page.goto(f"/game/{token}")
    wait_for_turn(page, 0)
    for square in ("e2", "e4"):
        page.touchscreen.tap(*at(page, square))
    wait_for_turn(page, 2)
    for path in (f"/game/{token}", "/"):
        page.goto(path)
        page.wait_for_selector("cg-board piece, .opponents .option")
        width = page.locator("body").evaluate("body => body.scrollWidth")
        assert width <= 390
    phone.close()


def test_a_game_from_elsewhere(page: "Page") -> None:
    page.goto("/")
    page.get_by_label("A PGN, or the moves").fill("1. e4 f6 2. Qh5 a6 3. Kf1 a5")
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_role("alert").or_(page.get_by_role("status")).first).to_be_attached()
    page.wait_for_url("**/game/*")
    expect(page.locator(".ending-title")).to_have_text("*")
