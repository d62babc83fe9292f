"""What groups a graph: its dtype, kind, domain, library and regime. What cannot be told is unknown, never guessed.

The name of the graph tells it (the published layout), its own metadata where it lies here, and its record.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from passnet.authored import one_line
from passnet.dataset.layout import DTYPES, KINDS, place_of
from passnet.graph import Graph

UNKNOWN: Final = "unknown"
# The GPU works for less than this share of eager's time -> the regime. Above, the graph is of the last one.
REGIMES: Final = ((0.5, "launch"), (0.9, "mixed"))
WORK: Final = "work"
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
    def of(cls, name: str, graph: Graph | None, share: float | None) -> Traits:
        """The traits of a graph. `name`: task and graph. `graph`: None where it is not here. `share`: `gpu_share`."""
        place = place_of(name)
        meta = graph.meta if graph is not None else {}
        return cls(
            dtype=place.dtype or _known(meta.get("dtype"), DTYPES, _known(meta.get("captured_dtype"), DTYPES)),
            kind=place.kind or _known(meta.get("kind"), KINDS),
            domain=_word(meta.get("heuristic_tag")),
            library=_word(place.library or meta.get("source")),
            regime=_regime(share),
        )


def gpu_share(busy_us: float | None, whole_us: float) -> float | None:
    """The share of eager's time in which the GPU works. None where it was not measured."""
    if busy_us is None or not (0 <= busy_us < math.inf and 0 < whole_us < math.inf):
        return None
    return busy_us / whole_us


def _regime(share: float | None) -> str:
    if share is None:
        return UNKNOWN
    return next((words for below, words in REGIMES if share < below), WORK)


def _known(value: object, names: Sequence[str], otherwise: str = UNKNOWN) -> str:
    return value if isinstance(value, str) and value in names else otherwise


def _word(value: object) -> str:
    return one_line(value)[:_LONGEST] if isinstance(value, str) and value else UNKNOWN
