"""The report of an analysis as a page of its own, which needs nothing else."""

from obscuro.analysis.report.page import render

__all__ = ["render"]
