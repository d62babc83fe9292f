"""From what a trainer gives to a unit of work: the task's graphs, and the passes as text or as a directory."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from passnet.bench.engine.engine import EngineEvent, GraphRecorded, UnitFinished, Unjudged
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.evaluate import admit, decided_record
from passnet.bench.isolation.allowance import REWARD_LIMIT_S
from passnet.bench.names import PRECISIONS
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.errors import UsageError
from passnet.graph.targets import Target, find_targets
from passnet.rewards.definition import NoReward, Reward, reward_of, unreadable
from passnet.rewrite import PassSet, read_pass_set
from passnet.score import Outcome
from passnet.writing import writing

MAX_FILES, MAX_BYTES = 100, 1 << 20
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.(py|json)", re.ASCII)
# A pass that hangs must not cost a trainer minutes.
_BUILD_S, _CALL_S = 60.0, 15.0
Passes = Mapping[str, str] | str | Path


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


def check_texts(passes: Mapping[str, str]) -> None:
    """UsageError for a mapping that cannot be a directory of passes, whoever wrote it."""
    if not isinstance(passes, Mapping):
        found = type(passes).__name__
        raise UsageError("are no passes", field="passes", expected="names of files with texts, or a path", found=found)
    if not passes or len(passes) > MAX_FILES:
        raise UsageError("has no files or too many", field="passes", expected=f"1 to {MAX_FILES}", found=len(passes))
    wrong = next((str(name) for name in passes if not _NAME.fullmatch(str(name))), None)
    if wrong is not None:
        raise UsageError(
            "is not the name of a pass file", field="passes", expected="NAME.py or a manifest", found=repr(wrong[:100])
        )
    other = next((name for name, text in passes.items() if not isinstance(text, str)), None)
    if other is not None:
        found = type(passes[other]).__name__
        raise UsageError("is no text", field=f"passes, {other}", expected="the text of the file", found=found)
    size = sum(len(text.encode(errors="replace")) for text in passes.values())
    if size > MAX_BYTES:
        raise UsageError("are too large", field="passes", expected=f"at most {MAX_BYTES} bytes", found=size)


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
        cls, id: str, target: Target, passes: Passes, device: str, protocol: Protocol, limit_s: float = REWARD_LIMIT_S
    ) -> RewardJob:
        """Read the passes and check their text. A pass set that cannot be read has its reward already.

        `limit_s`: seconds that the passes may take over all graphs. UsageError for a mapping that is no directory of
        files.
        """
        try:
            pass_set = _read(passes, target.const_pass_dir)
        except _Unreadable as error:
            return cls((), protocol, None, unreadable(str(error)))
        files, verdict = admit(pass_set, protocol.policy)
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


class _Unreadable(Exception):
    """The passes are files, but no pass set."""


def _read(passes: Passes, const: Path | None) -> PassSet:
    if isinstance(passes, str | Path):
        if not Path(passes).is_dir():
            raise UsageError("no such directory of passes", path=passes)
        return _read_directory(Path(passes), const)
    check_texts(passes)
    with tempfile.TemporaryDirectory(prefix="passnet-reward-") as place:
        for name, text in passes.items():
            with writing(Path(place, name)):
                Path(place, name).write_text(text, encoding="utf-8", errors="replace")
        return _read_directory(Path(place), const)


def _read_directory(place: Path, const: Path | None) -> PassSet:
    try:
        return read_pass_set(place, const)
    except UsageError as error:
        raise _Unreadable(str(error).replace(f"{place}/", "").replace(str(place), "passes")) from error
