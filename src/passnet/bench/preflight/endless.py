"""Which graphs a check need not try: those on which the rules match that did not end on an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import Rewrite
from passnet.score import Outcome


@dataclass(frozen=True)
class Untried:
    """A graph that was not tried. `after`: the graph on which its rules did not end.

    `replacements`: how often each rule matches it. None where the passes did not end before that was known.
    """

    graph: str
    after: str
    replacements: dict[str, int] | None


@dataclass
class Endless:
    """What did not end so far. The passes are applied to a further graph, which is quick; no kernel runs for it."""

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    _found: list[tuple[frozenset[str], str]] = field(default_factory=list)

    def add(self, record: GraphRecord) -> None:
        """Remember the rules of a graph on which they did not end."""
        if record.outcome is Outcome.TIMEOUT:
            self._found.append((_used(record.replacements), record.graph))

    def like(self, job: Job) -> Untried | None:
        """The graph as one that is not tried. None where it may end: other rules match, or none that is known."""
        if not self._found:
            return None
        before_it_was_known = next((graph for rules, graph in self._found if not rules), None)
        if before_it_was_known is not None:
            return Untried(job.name, before_it_was_known, None)
        replacements = self._replacements(job)
        after = next((graph for rules, graph in self._found if rules <= _used(replacements)), None)
        return Untried(job.name, after, replacements) if after is not None else None

    def _replacements(self, job: Job) -> dict[str, int]:
        """How often each rule matches. Nothing where the passes cannot be applied: the graph's record will say why."""
        pair = self.pairs[0]
        request = Rewrite(graph=pair.staged(job.path), device=job.device, raw=False)
        assert job.passes is not None
        try:
            pair.load(job.passes)
            return dict(pair.ask("candidate", request, self.protocol.build_s).replacements)
        except WorkerFailure:
            return {}
        finally:
            pair.end("candidate")


def not_tried(untried: Sequence[Untried]) -> list[str]:
    """In sentences, how many graphs were not tried, and why."""
    groups: dict[tuple[str, bool], int] = {}
    for each in untried:
        key = each.after, each.replacements is None
        groups[key] = groups.get(key, 0) + 1
    return [
        f"{count} more {'graph was' if count == 1 else 'graphs were'} not tried: "
        + (f"the passes did not end on {after}" if unknown else f"the same rules match, and did not end on {after}")
        for (after, unknown), count in groups.items()
    ]


def _used(replacements: dict[str, int]) -> frozenset[str]:
    return frozenset(rule for rule, count in replacements.items() if count)
