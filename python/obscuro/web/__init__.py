"""The page in the browser: its server, which is the referee of its games."""

from obscuro.web.app import create_app
from obscuro.web.lobby import Settings
from obscuro.web.serve import serve

__all__ = ["Settings", "create_app", "serve"]
