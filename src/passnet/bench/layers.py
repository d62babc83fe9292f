"""The layers that a sandbox may have, and what each keeps from a candidate. Records and workers name them alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# In the order in which a worker enters them. A system may lack some.
LAYERS: Final = (
    *(f"namespaces:{name}" for name in ("user", "network", "ipc", "host name", "processes", "files")),
    *(f"landlock:{name}" for name in ("files", "tcp", "signals")),
    "seccomp",
    "rlimits",
)


@dataclass(frozen=True)
class Door:
    """A row: something that a candidate must not reach, and the layers that each close it alone."""

    name: str
    why: str
    closed_by: tuple[str, ...]


DOORS: tuple[Door, ...] = (
    Door("files", "the user's files, expected results, records", ("namespaces:files", "landlock:files")),
    Door("network", "secrets out, results in", ("namespaces:network", "seccomp")),
    Door(
        "processes",
        "the controller's and the reference's memory, signals to them",
        ("namespaces:processes", "landlock:signals"),
    ),
)


def open_doors(layers: Iterable[str]) -> list[Door]:
    """The doors that no active layer closes."""
    active = frozenset(layers)
    return [door for door in DOORS if not active.intersection(door.closed_by)]
