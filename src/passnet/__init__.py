"""PassNet: compiler passes written by authors, proved right, measured honestly, scored.

Importing this package imports no torch; the rooms that compute do so when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from passnet.dataset.api import capture

__version__ = "0.1.0"
__all__ = ["capture"]


def __getattr__(name: str) -> Any:
    """`capture` is loaded, and torch with it, when it is asked for."""
    if name != "capture":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from passnet.dataset.api import capture

    return capture
