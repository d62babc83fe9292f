"""What groups a graph: its dtype, kind, domain, library and regime. What cannot be told is unknown, never guessed.

The name of the graph tells it (the published layout), its own metadata where it lies here, and its record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from passnet.authored import one_line
from passnet.dataset.layout import DTYPES, kind_of, place_of
from passnet.graph import Graph

UNKNOWN: Final = "unknown"
_LONGEST: Final = 60


@dataclass(frozen=True)
class Traits:
    """Each trait in one word. `regime`: what limits the graph on the device."""

    dtype: str
    kind: str
    domain: str
    library: str
    regime: str

    @classmethod
    def of(cls, name: str, graph: Graph | None, regime: str | None) -> Traits:
        """Of a graph. `name`: task and graph. `graph`: None where it is not here. `regime`: of the record."""
        place = place_of(name)
        meta = graph.meta if graph is not None else {}
        return cls(
            dtype=place.dtype or _known(meta.get("dtype"), DTYPES, _known(meta.get("captured_dtype"), DTYPES)),
            kind=kind_of(graph, place) or UNKNOWN,
            domain=_word(meta.get("heuristic_tag")),
            library=_word(place.library or meta.get("source")),
            regime=regime or UNKNOWN,
        )


def _known(value: object, names: Sequence[str], otherwise: str = UNKNOWN) -> str:
    return value if isinstance(value, str) and value in names else otherwise


def _word(value: object) -> str:
    return one_line(value)[:_LONGEST] if isinstance(value, str) and value else UNKNOWN
