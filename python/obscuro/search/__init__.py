"""Solving games, whole.

>>> from obscuro import games, search
>>> solution = search.solve(games.load("leduc_poker"), target=1e-3)
>>> print(f"{solution.value:.3f}")
-0.08...
"""

from obscuro.search.agent import (
    ActionReport,
    Agent,
    AgentSettings,
    Decision,
    Evaluator,
    Limits,
    agent_exploitability,
    agent_strategy,
)
from obscuro.search.cfr import ALGORITHMS, DEFAULT_ITERATIONS, Algorithm, solve
from obscuro.search.exact import (
    BestResponse,
    Exploitability,
    best_response,
    expected_value,
    exploitability,
)
from obscuro.search.export import write_solution
from obscuro.search.knowledge import History, KnowledgeGraph
from obscuro.search.linear_program import equilibrium
from obscuro.search.plots import plot_convergence
from obscuro.search.sequence_form import SequenceForm, SparseMatrix
from obscuro.search.solution import Point, Solution
from obscuro.search.strategy import Strategy
from obscuro.search.study import Root, Study, StudyAction
from obscuro.search.table import MAX_HISTORIES, Counts, Infoset, Table

__all__ = [
    "ALGORITHMS",
    "DEFAULT_ITERATIONS",
    "MAX_HISTORIES",
    "ActionReport",
    "Agent",
    "AgentSettings",
    "Algorithm",
    "BestResponse",
    "Counts",
    "Decision",
    "Evaluator",
    "Exploitability",
    "History",
    "Infoset",
    "KnowledgeGraph",
    "Limits",
    "Point",
    "Root",
    "SequenceForm",
    "Solution",
    "SparseMatrix",
    "Strategy",
    "Study",
    "StudyAction",
    "Table",
    "agent_exploitability",
    "agent_strategy",
    "best_response",
    "equilibrium",
    "expected_value",
    "exploitability",
    "plot_convergence",
    "solve",
    "write_solution",
]
