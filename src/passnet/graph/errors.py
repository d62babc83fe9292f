"""The one exception of this room: a graph or task on disk that cannot be accepted, with file, place and next step."""

from __future__ import annotations

from passnet.errors import UsageError


class GraphError(UsageError):
    """A graph directory, task directory or list file is missing, malformed, oversized or asks for what is refused."""
