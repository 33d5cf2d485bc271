"""The addresses of the analysis of finished games."""

from fastapi import FastAPI


def add_analysis(app: FastAPI) -> None:
    """Adds the addresses to the server."""
