"""A workbench without a device. It gives the answers that the records of an episode have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from passnet.agent.record.figures import Evaluation
from passnet.agent.record.observation import Observation
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep
from passnet.agent.workbench.documents import CheckDocument, InspectionDocument, ProfileDocument
from passnet.bench.record.protocol import Protocol
from passnet.errors import UsageError
from passnet.graph.targets import Target


class RecordedWorkbench:
    """Answers each step as the step of that number was answered. Raises UsageError when another call is made."""

    def __init__(self, device: str, rules: Protocol, records: Sequence[EpisodeRecord]) -> None:
        self.device, self.rules = device, rules
        self.waited_s = 0.0
        self._steps = {record.number: record for record in records if isinstance(record, EpisodeStep)}
        self._end = next((record for record in records if isinstance(record, End) and record.confirmed), None)
        self._number: Callable[[], int] = lambda: 0
        self._inspected: tuple[int, int] = (0, 0)

    def follow(self, next_step: Callable[[], int]) -> None:
        """Take the numbers of steps from an episode. `next_step` gives the number of its next one."""
        self._number = next_step

    def check(self, target: Target) -> CheckDocument:
        return cast("CheckDocument", self._next("check").data)

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        if again and self._end is not None and self._end.confirmed is not None:
            final = self._end.confirmed
            return Evaluation(score=final.score, graphs=final.graphs, pass_set_hash=str(self._end.pass_set_hash))
        found = self._next("evaluate").evaluation
        assert found is not None, "an evaluation that could be made has figures"
        return found

    def inspect(self, target: Target, name: str) -> InspectionDocument:
        number = self._number()
        place = self._inspected[1] + 1 if self._inspected[0] == number else 0
        self._inspected = (number, place)
        return cast("InspectionDocument", self._next("inspect_graph").data["graphs"][place])

    def profile(self, target: Target, name: str) -> ProfileDocument:
        return cast("ProfileDocument", self._next("profile").data)

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str:
        return str(self._next("kernel_source").data["source"])

    def _next(self, tool: str) -> Observation:
        step = self._steps.get(self._number())
        if step is None or step.tool != tool:
            raise UsageError(f"the records have no answer to this call of {tool}")
        if not step.observation.ok:
            raise UsageError(step.observation.text)
        return step.observation
