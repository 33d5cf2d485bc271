"""Search in games of hidden information, Fog of War chess above all.

The native core is `obscuro._core`; users import from the packages beside this file.
"""

from importlib.metadata import version

__version__ = version("obscuro")

__all__ = ["__version__"]
