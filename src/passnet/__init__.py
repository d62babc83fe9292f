"""PassNet: compiler passes written by authors, proved right, measured honestly, scored.

Importing this package imports no torch. Rooms that compute import it when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passnet.agent.run.optimized import optimize
    from passnet.dataset.capture.api import capture
    from passnet.rewards.session import reward
    from passnet.use.passes import load_passes

__version__ = "0.1.0"
__all__ = ["capture", "load_passes", "optimize", "reward"]

_HOME = {
    "capture": "passnet.dataset.capture.api",
    "load_passes": "passnet.use.passes",
    "optimize": "passnet.agent.run.optimized",
    "reward": "passnet.rewards.session",
}


def __getattr__(name: str) -> Any:
    """Loads the public names, and torch with them, on first use."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
