"""Analyses a game ply by ply; can be stopped, gone on with, and asked to look deeper at a ply."""

import threading
from collections.abc import Callable, Sequence
from contextlib import closing

import chess

from obscuro.analysis.document import Analysis
from obscuro.analysis.reports import BeliefReport, ChangeReport, PlyReport, SearchReport
from obscuro.analysis.side import Side
from obscuro.analysis.truth import TrueValues
from obscuro.errors import AnalysisError
from obscuro.players import Limits

DEEPER = 4
"""How many times what a search has spent the next one gets, when a ply is deepened."""


class Analyst:
    """Both players' engines and the referee of a game that is looked at again.

    Each call does one piece of work in the caller's thread; `stop` may come from any other. What is
    found goes into `analysis`.

    >>> from obscuro.analysis import AnalysisSettings, read_games
    >>> settings = AnalysisSettings().with_limits(Limits(nodes=500))
    >>> analyst = Analyst(Analysis(read_games("1. e4 e5")[0], settings))
    >>> report = analyst.step()
    >>> report.ply, report.white.size, len(report.search.moves)
    (0, 1, 20)
    >>> [report.ply for report in analyst.run()]
    [1, 2]
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._replay: _Replay | None = None
        self._working: _Replay | None = None
        self._stopped = threading.Event()
        self._lock = threading.Lock()

    def step(self) -> PlyReport | None:
        """Analyses the next ply; `None` if there is none left, or `stop` was called meanwhile."""
        with self._lock:
            ply = self.analysis.next_ply
            if ply is None or self._stopped.is_set():
                self._drop()
                return None
            if self._replay is None or self._replay.ply > ply:
                self._drop()
                self._replay = _Replay(self.analysis, chess.COLORS)
            report = self._work(self._replay, ply, self.analysis.settings.limits)
            if report is None or self.analysis.is_complete:
                self._drop()
            return report

    def run(self, on_progress: Callable[[PlyReport], None] | None = None) -> list[PlyReport]:
        """Analyses all that is left, or what there is time for until `stop`."""
        reports = []
        while (report := self.step()) is not None:
            reports.append(report)
            if on_progress is not None:
                on_progress(report)
        return reports

    def deepen(self, ply: int, limits: Limits | None = None) -> PlyReport | None:
        """Searches a ply again and for longer, and keeps what is found; `None` if it was stopped.

        Without limits the search gets `DEEPER` times what the last one spent.
        """
        with self._lock:
            report = self.analysis.reports.get(ply)
            if report is None:
                raise AnalysisError(
                    f"ply {ply} is not analysed yet: expected one of the "
                    f"{len(self.analysis.reports)} that are"
                )
            if report.search is None:
                raise AnalysisError(f"ply {ply} has no search that could go deeper")
            if self._stopped.is_set():
                return None
            with closing(_Replay(self.analysis, (report.turn,))) as replay:
                return self._work(replay, ply, limits or self._deeper(report.search))

    def stop(self) -> None:
        """Ends the work that is being done, and refuses more until `resume`."""
        self._stopped.set()
        if (working := self._working) is not None:
            working.stop()

    def resume(self) -> None:
        """Lets work go on after `stop`."""
        self._stopped.clear()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called, and `resume` was not."""
        return self._stopped.is_set()

    def close(self) -> None:
        """Lets go of the engines; what was found stays."""
        self.stop()
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._replay is not None:
            self._replay.close()
            self._replay = None

    def _work(self, replay: "_Replay", ply: int, limits: Limits) -> PlyReport | None:
        self._working = replay
        try:
            replay.go_to(ply, warm_up=self._stopped)
            # A search that was cut short is no result.
            report = None if self._stopped.is_set() else replay.report(limits)
        finally:
            self._working = None
        if report is None or self._stopped.is_set():
            return None
        self.analysis.reports[ply] = report
        return report

    def _deeper(self, last: SearchReport) -> Limits:
        if self.analysis.settings.engine.nodes is not None:
            return Limits(nodes=DEEPER * max(last.nodes, 1))
        return Limits(seconds=DEEPER * max(last.seconds, 0.05))


class _Replay:
    """The game played again up to a ply, with some of its sides."""

    def __init__(self, analysis: Analysis, colors: Sequence[chess.Color]) -> None:
        self._analysis = analysis
        self._settings = settings = analysis.settings
        self._board = analysis.game.board(0)
        self._sides = {color: Side(color, self._board, settings) for color in colors}
        self._truth = TrueValues(settings.engine.eval)
        self._searched: int | None = None

    @property
    def ply(self) -> int:
        return len(self._board.move_stack)

    def go_to(self, ply: int, warm_up: threading.Event) -> None:
        """Plays on to a ply; searches the last turns before it, unless the event is set."""
        first = ply - 2 * self._settings.warm_up
        while self.ply < ply and not warm_up.is_set():
            if self.ply >= first and self._searched != self.ply:
                self._search(self._settings.limits)
            mover = self._board.turn
            move = self._board.push_uci(self._analysis.game.moves[self.ply])
            for color, side in self._sides.items():
                side.observe(self._board.observation(color), move if color == mover else None)

    def report(self, limits: Limits) -> PlyReport:
        """Everything about the position where the replay stands."""
        board, ply = self._board, self.ply
        over = board.outcome() is not None
        search = None if over else self._search(limits)
        old = self._analysis.reports.get(ply)
        moves = self._analysis.game.moves
        move = board.parse_uci(moves[ply]) if ply < len(moves) else None
        beliefs = {
            color: None if over else self._belief(color, old)
            for color in (chess.WHITE, chess.BLACK)
        }
        return PlyReport(
            ply=ply,
            fen=board.fen(),
            white_sees=board.observation(chess.WHITE).fog_fen,
            black_sees=board.observation(chess.BLACK).fog_fen,
            truth=self._truth.report(board, self._settings.truth_depth, move),
            search=search,
            change=None if search is None or move is None else self._change(move),
            white=beliefs[chess.WHITE],
            black=beliefs[chess.BLACK],
        )

    def stop(self) -> None:
        for side in self._sides.values():
            side.player.stop()

    def close(self) -> None:
        for side in self._sides.values():
            side.close()

    def _search(self, limits: Limits) -> SearchReport | None:
        mover = self._board.turn
        if mover not in self._sides or mover not in self._settings.colors:
            return None
        self._searched = self.ply
        return self._sides[mover].search(limits)

    def _belief(self, color: chess.Color, old: PlyReport | None) -> BeliefReport | None:
        if color in self._sides:
            return self._sides[color].belief(self._board)
        return None if old is None else old.belief(color)

    def _change(self, move: chess.Move) -> ChangeReport | None:
        expected = self._sides[self._board.turn].expected_change(move)
        if expected is None:
            return None
        sign = 1 if self._board.turn == chess.WHITE else -1
        true = self._truth.change(self._board, move)
        return ChangeReport(round(sign * true, 4) + 0.0, round(sign * expected, 4) + 0.0)


class Background:
    """An analyst at work in a thread of its own.

    Args:
        analysis: What is known so far; what is found is added to it.
        on_progress: Called in that thread after every ply.

    >>> from obscuro.analysis import AnalysisSettings, read_games
    >>> settings = AnalysisSettings().with_limits(Limits(nodes=500))
    >>> work = Background(Analysis(read_games("1. e4 e5")[0], settings))
    >>> work.start()
    >>> work.join()
    >>> work.analysis.is_complete
    True
    """

    def __init__(
        self, analysis: Analysis, on_progress: Callable[[PlyReport], None] | None = None
    ) -> None:
        self.analysis = analysis
        self._analyst = Analyst(analysis)
        self._on_progress = on_progress
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None

    @property
    def is_running(self) -> bool:
        """Whether the thread is at work."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Goes on with what is left."""
        self._begin(lambda: self._analyst.run(self._on_progress))

    def deepen(self, ply: int, limits: Limits | None = None) -> None:
        """Looks deeper at a ply; see `Analyst.deepen`."""

        def work() -> None:
            report = self._analyst.deepen(ply, limits)
            if report is not None and self._on_progress is not None:
                self._on_progress(report)

        self._begin(work)

    def stop(self) -> None:
        """Ends the work soon, and waits for its end."""
        self._analyst.stop()
        self.join()

    def join(self, seconds: float | None = None) -> None:
        """Waits for the end of the work, or so long; what went wrong there is raised here."""
        if self._thread is not None:
            self._thread.join(seconds)
        if not self.is_running and (error := self._error) is not None:
            self._error = None
            raise error

    def _begin(self, work: Callable[[], object]) -> None:
        if self.is_running:
            raise AnalysisError("the analysis is running already: stop it, or wait for its end")
        self.join()
        self._analyst.resume()

        def run() -> None:
            try:
                work()
            except BaseException as error:
                self._error = error

        self._thread = threading.Thread(target=run, name="obscuro-analysis", daemon=True)
        self._thread.start()
