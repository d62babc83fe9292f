"""The workbench of this machine: the bench answers the tools on the device.

Pass code runs only in the bench's sandboxed workers. Workers are started when they are first needed, and kept for the
whole run. The reason: a start takes seconds, and a check of a pass set takes less than one.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TypeVar, cast

from pydantic import BaseModel

from passnet import environment
from passnet.agent.record.figures import Evaluation, VariantFigures
from passnet.agent.workbench.documents import CheckDocument, InspectionDocument, ProfileDocument
from passnet.agent.workbench.variants import graph_of, names_of
from passnet.bench.devices.lease import device_lock
from passnet.bench.engine.bench import Bench
from passnet.bench.engine.engine import TRIES
from passnet.bench.evaluate import (
    admit,
    decided_record,
    read_passes,
    record_key,
    score_task,
)
from passnet.bench.isolation.worker_pair import allow
from passnet.bench.preflight import check as preflight
from passnet.bench.record.protocol import Protocol as Rules
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.requests import PassFiles
from passnet.errors import InfrastructureError, UsageError, foreign
from passnet.graph.targets import Target
from passnet.roofline.inspect import inspect_graph
from passnet.score import OUTCOME_RULES, T_RANGE, GraphResult, Outcome, Owner, score_results

# Enough to see which of two candidates is faster by more than a tenth. No reported figure comes from it.
_QUICK: Mapping[str, object] = {
    "precision": 0.05,
    "question": "decided",
    "least_pairs": 2,
    "most_pairs": 2,
    "open_pairs": 2,
    "visit_groups": 3,
    "most_groups": 6,
    "deployed_groups": 0,
    "captured_groups": 0,
    "verify_seeds": 2,
    "max_half_width": 1e9,
    "control_band": 1e9,
    "ghost_draws": 1,
}
# Each process first sets up CUDA. So a second process costs more time than its figure is worth.
_QUICK_ON_CUDA: Mapping[str, object] = {"least_pairs": 1, "most_pairs": 1, "open_pairs": 1, "most_groups": 8}
_WORKER_PATH = re.compile(r"(?<![^\s:'\"])([^\s:'\"/]*)/[^\s:'\"]*/passnet-\w+/work-\d+-\w+/(?:passes/)?")


class LiveWorkbench:
    """The bench of this machine. Use it as a context and from one thread. `home` receives records and logs.

    Full measurements are kept in `home` by the hashes of graph and passes. The same bytes are measured once.
    `limit_s`: seconds that the passes of one check or evaluation may take over all graphs. None: no bound.
    """

    def __init__(self, device: str, rules: Rules, home: Path, limit_s: float | None = None) -> None:
        environment.check_device(device)
        self._limit_s = limit_s
        self.device, self.rules, self.home = device, rules, home
        self.waited_s = 0.0
        self._opened: Bench | None = None
        self._store: Run | None = None
        self._allowed = os.sched_getaffinity(0)

    def __enter__(self) -> LiveWorkbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            self._opened.__exit__(kind, error, trace)
            self._opened = None
            os.sched_setaffinity(0, self._allowed)
        if self._store is not None:
            self._store.close()
            self._store = None

    # --- what tools ask --------------------------------------------------------------------------------------

    def check(self, target: Target) -> CheckDocument:
        rules = preflight.PROTOCOL.model_copy(update={"sandbox": self.rules.sandbox, "policy": self.rules.policy})

        def judge(jobs: Sequence[Job]) -> preflight.CheckedGraphs:
            with self._bench() as bench:
                return preflight.judge_all(bench.pairs, rules, jobs)

        logs = self.home / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        report = preflight.check_target(target, self.device, self.rules.policy, judge, logs).to_json()
        return cast("CheckDocument", without_workers(report))

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        passes, verdict = admit(read_passes(target), self.rules.policy)
        rules = self.rules.model_copy(update=self._quick()) if quick else self.rules
        jobs = self._jobs(target, names, passes)
        if verdict is not None:
            refused = [decided_record(job, rules, verdict) for job in jobs]
            for record in refused:
                self.store.append(record)
            return evaluation_of(passes, refused)
        if quick:
            return evaluation_of(passes, self._judge(jobs, rules))
        kept = {job.name for job in jobs if not again and self.store.done(record_key(job)) is not None}
        pending = [job for job in jobs if job.name not in kept]
        for _ in range(TRIES if again else 1):
            self._judge(pending, rules)
            pending = [job for job in pending if not _is_about_candidate(self.store.records[record_key(job)])]
            if not pending:
                break
        records = [self.store.records[record_key(job)] for job in jobs]
        return evaluation_of(passes, records, kept=sorted(kept))

    def inspect(self, target: Target, name: str) -> InspectionDocument:
        from passnet.agent.workbench.matchable import matchable

        graph = graph_of(target, name)
        found = inspect_graph(graph, self.device, task=target.name, name=name).to_json()
        rows = [asdict(row) for row in matchable(graph, self.device)]
        return cast("InspectionDocument", found | {"matchable": rows, "device": self.device})

    def profile(self, target: Target, name: str) -> ProfileDocument:
        from passnet.agent.workbench.profile import profile_graph

        graph = graph_of(target, name)
        graph.check_size(self.rules.graph_bytes)
        fails = foreign(lambda error: UsageError(f"eager does not run: {type(error).__name__}: {error}", path=name))
        with self._device(), fails:
            return profile_graph(graph, self.device)

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str:
        from passnet.agent.workbench.kernel_source import generated_source

        return generated_source(graph_of(target, name), self.device, first, last)

    def _quick(self) -> dict[str, object]:
        return {**_QUICK, **(_QUICK_ON_CUDA if self.device == "cuda" else {})}

    # --- measuring -------------------------------------------------------------------------------------------

    @property
    def store(self) -> Run:
        """All full measurements, as records of a run of its own."""
        if self._store is None:
            machine = environment.snapshot(self.device)
            same = {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")}
            settings = {"device": self.device, "compiler": "passes", "protocol": self.rules.model_dump()}
            self._store = Run.open(self.home / "evaluations", settings | {"machine": same}, machine)
        return self._store

    def records(self, target: Target, passes: PassFiles) -> list[GraphRecord]:
        keys = [record_key(job) for job in self._jobs(target, names_of(target), passes)]
        return [self.store.records[key] for key in keys if key in self.store.records]

    def _jobs(self, target: Target, names: frozenset[str], passes: PassFiles) -> list[Job]:
        variants = tuple(graph for _, _, graph in target.graphs)
        return [
            Job(target.name, name, path, graph, "passes", self.device, passes, variants)
            for name, path, graph in target.graphs
            if name in names
        ]

    def _judge(self, jobs: Sequence[Job], rules: Rules) -> list[GraphRecord]:
        """Measure under the device lock, on inputs drawn anew for every measurement. The last full one is kept."""
        if not jobs:
            return []
        records = []
        with self._device(), self._bench() as bench:
            judge = Judge(bench.pairs[: rules.open_pairs], rules, secrets.randbits(63), turn=bench.turn)
            for job in jobs:
                record = judge.judge(job)
                records.append(record)
                if rules == self.rules:
                    self.store.append(record)
        return records

    @contextmanager
    def _device(self) -> Iterator[None]:
        """The device, with the time until it is free counted as waiting."""
        asked = time.monotonic()
        with device_lock(self.device):
            self.waited_s += time.monotonic() - asked
            yield

    @contextmanager
    def _bench(self) -> Iterator[Bench]:
        """The open bench. This thread is on the bench's core during a measurement, and may run anywhere afterwards."""
        if self._opened is None:
            self._opened = Bench(self.device, "passes", self.rules, self.home / "logs").__enter__()
        allow(self._opened.pairs, self._limit_s)
        try:
            yield self._opened
        except InfrastructureError:  # the next request gets fresh workers
            self._opened.__exit__(None, None, None)
            self._opened = None
            raise
        finally:
            os.sched_setaffinity(0, self._allowed)


def _is_about_candidate(record: GraphRecord) -> bool:
    """Whether the record says something about the candidate."""
    return OUTCOME_RULES[record.outcome].owner is Owner.CANDIDATE


def evaluation_of(passes: PassFiles, records: Sequence[GraphRecord], *, kept: Sequence[str] = ()) -> Evaluation:
    return Evaluation(
        score=score_task("", records).aggregated,
        graphs=tuple(without_workers(VariantFigures.of(record)) for record in records),
        pass_set_hash=passes.content_hash,
        gains=_gains(records),
        repeated=len(kept) == len(records),
        kept=tuple(kept),
    )


T = TypeVar("T")


def without_workers(value: T) -> T:
    """The value with the author's names of files in its texts, instead of paths of a worker's copy."""
    return cast("T", _without_workers(value))


def _without_workers(value: object) -> object:
    if type(value) is str:  # the words of an enumeration hold no paths
        return _WORKER_PATH.sub(r"\1", value)
    if isinstance(value, BaseModel):
        return value.model_copy(update={name: _without_workers(item) for name, item in value})
    if isinstance(value, dict):
        return {key: _without_workers(item) for key, item in value.items()}
    return type(value)(map(_without_workers, value)) if isinstance(value, list | tuple) else value


def _gains(records: Sequence[GraphRecord]) -> dict[str, float]:
    """AS for each graph that fails by the candidate's fault.

    It is AS if that graph were right and as fast as eager, and the other graphs stayed as they are.
    """
    results = [record.result() for record in records]
    gains = {}
    for index, result in enumerate(results):
        if result.outcome is Outcome.CORRECT or OUTCOME_RULES[result.outcome].owner is not Owner.CANDIDATE:
            continue
        mended = GraphResult(result.name, Outcome.CORRECT, 1.0, T_RANGE[0])
        gains[result.name] = score_results([*results[:index], mended, *results[index + 1 :]]).aggregated
    return gains
