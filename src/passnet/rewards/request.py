"""From what a trainer gives to a unit of work: the task's graphs, and the passes as text or as a directory."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from passnet.bench.engine.engine import EngineEvent, GraphRecorded, UnitFinished, Unjudged
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.evaluate import decided_record, policy_verdict
from passnet.bench.isolation.allowance import REWARD_LIMIT_S
from passnet.bench.names import PRECISIONS
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets
from passnet.rewards.definition import NoReward, Reward, reward_of, unreadable
from passnet.rewards.reading import Passes, ReadsPasses, read_passes
from passnet.score import Outcome

# A pass that hangs must not cost a trainer minutes.
_BUILD_S, _CALL_S = 60.0, 15.0


def protocol_of(device: str, precision: str) -> Protocol:
    """The protocol of rewards on cpu or cuda. UsageError for a precision that is not offered."""
    if precision not in PRECISIONS:
        raise UsageError(
            "unknown", field="precision", expected=f"one of {', '.join(PRECISIONS)}", found=repr(precision)
        )
    settings: dict[str, object] = {"build_s": _BUILD_S, "first_call_s": _CALL_S, "captured_groups": 0}
    return make("direct", device=device, policy="strict", precision=PRECISIONS[precision], **settings)


def read_task(task: Path | str, graphs: int | None = None) -> Target:
    """The task of a directory, with all its graphs or the first ones. UsageError for anything else."""
    if not os.path.exists(Path(task, "graph_list.txt")):  # anything else would be searched for graphs, even `/`
        raise UsageError("not a task", path=task, expected="a directory with graph_list.txt")
    (found,) = find_targets([Path(task)])
    return replace(found, graphs=found.graphs[:graphs])


@dataclass
class RewardJob:
    """One pass set on one task, from its text to its reward.

    `unit` is what an engine must judge. None: the reward is known without running anything.
    """

    jobs: tuple[Job, ...]
    protocol: Protocol
    unit: EvaluationUnit | None
    known: Reward | None = None
    records: list[GraphRecord] = field(default_factory=list)
    failure: str | None = None
    finished: bool = False

    @classmethod
    def prepare(
        cls,
        id: str,
        target: Target,
        passes: Passes,
        device: str,
        protocol: Protocol,
        limit_s: float = REWARD_LIMIT_S,
        read: ReadsPasses = read_passes,
    ) -> RewardJob:
        """Read the passes and check their text. A pass set that cannot be read has its reward already.

        `limit_s`: seconds that the passes may take over all graphs. `read`: reads them, and raises as `read_passes`.
        UsageError for a mapping that is no directory of files.
        """
        found = read(passes, target.const_pass_dir, protocol.policy)
        if found.unreadable is not None:
            return cls((), protocol, None, unreadable(found.unreadable))
        files = PassFiles(dict(found.texts), found.content_hash)
        verdict = policy_verdict(found.violations)
        variants = tuple(graph for _, _, graph in target.graphs)
        jobs = tuple(
            Job(target.name, name, path, graph, "passes", device, files, variants)
            for name, path, graph in target.graphs
        )
        if verdict is not None:
            refused = [decided_record(job, protocol, verdict) for job in jobs]
            return cls(jobs, protocol, None, reward_of(refused, 0.0))
        return cls(jobs, protocol, EvaluationUnit.of(id, jobs, target.graphs, protocol, limit_s))

    def take(self, event: EngineEvent) -> None:
        """Note what an engine says of this unit."""
        match event:
            case GraphRecorded(record=record):
                self.records.append(record)
            case Unjudged(graph=graph, reason=reason):
                self.failure = f"{graph}: {reason}"
            case UnitFinished():
                self.finished = True
            case _:
                pass

    def reward(self) -> Reward:
        """The reward. NoReward when the machine failed at any graph.

        A pass set that was found to cheat on one graph gets its reward all the same. Otherwise whoever is found could
        let the machine fail at the next graph, and be asked again.
        """
        if self.known is not None:
            return self.known
        cheat = next((record for record in self.records if record.outcome is Outcome.INTEGRITY), None)
        if self.failure is not None and cheat is None:
            raise NoReward(f"the machine failed: {self.failure}")
        missing = self._condemned(cheat) if cheat is not None else []
        return reward_of([*self.records, *missing], sum(record.seconds for record in self.records))

    def _condemned(self, cheat: GraphRecord) -> list[GraphRecord]:
        """Records of the graphs that were not judged, with the finding of another graph."""
        judged = {record.graph for record in self.records}
        verdict = Verdict(Outcome.INTEGRITY, f"not judged; on {cheat.graph}: {cheat.detail}", cheat.findings)
        return [decided_record(job, self.protocol, verdict) for job in self.jobs if job.name not in judged]
