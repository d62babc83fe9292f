"""The variants of a task: their names, their graphs, and the one that an author means."""

from __future__ import annotations

import hashlib

from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.graph.targets import Target

# So many characters of an unknown name are repeated.
_NAME_SHOWN = 200


def graph_of(target: Target, name: str) -> Graph:
    return next(graph for found, _, graph in target.graphs if found == name)


def names_of(target: Target) -> frozenset[str]:
    return frozenset(name for name, _, _ in target.graphs)


def variant_named(target: Target, text: str) -> str:
    """The full name of a variant from its number, its label or its name.

    Raises UsageError when there is no such variant.
    """
    names = [name for name, _, _ in target.graphs]
    number = text.partition(" ")[0] or "0"
    found = text if text in names else {str(place): name for place, name in enumerate(names)}.get(number)
    if found is None:
        raise UsageError(f"no variant {text[:_NAME_SHOWN]!r}; give a number from 0 to {len(names) - 1} or a name")
    return found


def task_hash(target: Target) -> str:
    """SHA-256 over the names and contents of a task's graphs, in order."""
    lines = (f"{name} {graph.content_hash}" for name, _, graph in target.graphs)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
