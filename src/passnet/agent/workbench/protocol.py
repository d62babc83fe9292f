"""The Protocol by which the tools of an episode use device and bench."""

from __future__ import annotations

from typing import Protocol

from passnet.agent.record.figures import Evaluation
from passnet.agent.workbench.documents import CheckDocument, InspectionDocument, ProfileDocument
from passnet.bench.record.protocol import Protocol as Rules
from passnet.bench.record.records import GraphRecord
from passnet.bench.wire.requests import PassFiles
from passnet.graph.targets import Target


class Workbench(Protocol):
    """Everything that touches torch, the device or a pass.

    Raises UsageError for anything that an author can correct.
    """

    @property
    def device(self) -> str: ...

    @property
    def rules(self) -> Rules: ...

    @property
    def waited_s(self) -> float:
        """Seconds that the calls of this thread have waited for the device so far. They are no author's time."""
        ...

    def check(self, target: Target) -> CheckDocument: ...

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        """Measure the pass set on the variants of these names.

        `again`: measure even a set that was measured before. No earlier figure is in the answer or on record then. A
        variant of which the machine could not tell is tried again, and may be left without a figure.
        """
        ...

    def inspect(self, target: Target, name: str) -> InspectionDocument: ...

    def profile(self, target: Target, name: str) -> ProfileDocument: ...

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str: ...


class RecordingWorkbench(Workbench, Protocol):
    """A workbench that a whole run shares, with its measurements on record."""

    def records(self, target: Target, passes: PassFiles) -> list[GraphRecord]:
        """The last full measurement of a pass set on all variants of a task, as far as it exists."""
        ...
