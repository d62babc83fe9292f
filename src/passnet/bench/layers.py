"""The layers that a sandbox may have, and what each keeps from a candidate. Records and workers name them alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

# In the order in which a worker enters them. A system may lack some.
LAYERS: Final = (
    *(f"namespaces:{name}" for name in ("user", "network", "ipc", "host name", "processes", "files")),
    *(f"landlock:{name}" for name in ("files", "tcp", "signals")),
    "capabilities",
    "seccomp",
    "rlimits",
)


@dataclass(frozen=True)
class Door:
    """A row: something that a candidate must not reach, and sets of layers. Each set closes it alone."""

    name: str
    why: str
    closed_by: tuple[frozenset[str], ...]

    @property
    def words(self) -> str:
        """The sets of layers, for a message."""
        return " or ".join(" with ".join(sorted(layers)) for layers in self.closed_by)


def _door(name: str, why: str, *closed_by: str) -> Door:
    return Door(name, why, tuple(frozenset(layers.split(" + ")) for layers in closed_by))


DOORS: tuple[Door, ...] = (
    # Landlock knows no modes, owners and attributes, no limits and no devices that are made.
    _door(
        "files",
        "the user's files, expected results, records",
        "namespaces:files",
        "landlock:files + seccomp + capabilities",
    ),
    _door("network", "secrets out, results in", "namespaces:network", "seccomp"),
    _door(
        "processes",
        "the controller's and the reference's memory, signals to them",
        "namespaces:processes",
        "landlock:signals + seccomp + capabilities",
    ),
)


def open_doors(layers: Iterable[str]) -> list[Door]:
    """The doors that no set of active layers closes."""
    active = frozenset(layers)
    return [door for door in DOORS if not any(active >= closing for closing in door.closed_by)]
