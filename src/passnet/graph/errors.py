"""The one exception of this room. It names the file and the place of a bad graph or task, and the next step."""

from __future__ import annotations

from passnet.errors import UsageError


class GraphError(UsageError):
    """A graph directory, task directory or list file cannot be used.

    It is missing, malformed or too large, or it asks for something that is refused.
    """
