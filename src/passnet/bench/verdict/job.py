"""One graph to be judged, and what should make it faster."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from passnet.bench.draws.secret_inputs import OwnInputs
from passnet.bench.wire.requests import PassFiles
from passnet.graph import Graph

BUILD_SEED = 7


@dataclass(frozen=True)
class Job:
    """One graph to be judged: where it lies, what it is, and what should make it faster.

    `variants`: all graphs of its task. Shapes between theirs are tried too.
    `own`: the graph is judged on these values instead of drawn ones.
    `baseline`: the trusted compiler that it is timed against. Eager always decides what is right.
    """

    task: str
    name: str
    path: Path
    graph: Graph
    compiler: str
    device: str
    passes: PassFiles | None
    variants: tuple[Graph, ...] = ()
    own: OwnInputs | None = None
    baseline: str = "eager"
