"""Memory on trial: how much a graph is given, and who owns the failure when that was too little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.memory_plan import MemoryNeed, MemoryPlan, plan
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict, short_of_memory
from passnet.bench.record.protocol import Protocol
from passnet.bench.timing import cold, sizing
from passnet.bench.verdict.evidence import GraphTrial
from passnet.bench.verdict.reference import Reference
from passnet.bench.wire.memory import NoRoom, free_bytes
from passnet.score import Outcome


@dataclass(frozen=True)
class MemoryJudge:
    """Plans and judges memory for pairs of workers. `free`: how many bytes are free for a device's tensors."""

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    free: Callable[[str], int] = free_bytes

    def give(self, trial: GraphTrial, reference: Reference, given: SecretInputs, pairs: int) -> MemoryPlan:
        """The memory that the graph gets, on at most `pairs` pairs. NoRoom where the graph does not fit at all."""
        probed = reference.probed
        swept = cold.evicted_bytes(trial.job.device) if self.protocol.cold_blocks else 0
        need = sizing.need(reference.shape, given, wide=probed.wide, peak=probed.peak, twin=probed.twin, swept=swept)
        most = (pairs, *sizing.most(reference.shape, self.protocol))
        free, trial.need = self.free(trial.job.device), self._beside_running(need)
        if trial.frugal or trial.need.of(MemoryPlan(*most)) > free:
            trial.ahead.wait()
            for pair in self.pairs:  # they may keep memory of the graph before
                pair.expect_nothing()
                if pair is not reference.pair:
                    pair.close()
            free, trial.need = self.free(trial.job.device), self._beside_running(need)
        trial.room = plan(trial.need, free, *most, frugal=trial.frugal)
        trial.given_up = trial.room.given_up(*most)
        return trial.room

    def holds_beside(self, trial: GraphTrial, processes: int) -> bool:
        """Whether so many further processes fit beside what the graph was given."""
        assert trial.need is not None and trial.room is not None
        return self.free(trial.job.device) > trial.need.of(trial.room) + processes * trial.need.context

    def verdict(self, trial: GraphTrial, short: NoRoom) -> Verdict:
        """The verdict when memory was too little. The owner must not depend on what a candidate says or holds.

        If more was free than eager needs, a candidate that ran out of memory asked for too much.
        If candidates hold more than eager does, the shortage is theirs.
        NoRoom where the graph has not been tried with less memory yet.
        """
        trial.ahead.wait()
        device = trial.job.device
        needed = trial.need.worker if trial.need is not None else 0
        free = self.free(device)
        if short.stage != "reference" and free >= needed:
            return short_of_memory(short)
        if not trial.frugal:
            raise NoRoom(str(short), needed=short.needed, free=short.free, stage=short.stage) from short
        running = sum(pair.candidate is not None and pair.candidate.alive for pair in self.pairs)
        self.end_candidates()
        held = self.free(device) - free
        if trial.need is not None and held > running * (needed + trial.need.context) + trial.need.whole:
            detail = f"{short}; the processes that run the passes held {held} bytes, and eager needs {needed} in each"
            return Verdict(Outcome.RUNTIME_ERROR, detail)
        return short_of_memory(short) if short.stage != "reference" else Verdict(Outcome.OUT_OF_MEMORY, str(short))

    def end_candidates(self) -> None:
        """End the candidates, so that their memory goes back to the machine."""
        for pair in self.pairs:
            pair.end("candidate")

    def start_anew(self) -> None:
        """End all workers, so that the memory in their allocators goes back to the device."""
        for pair in self.pairs:
            pair.close()
        if self.pairs and self.pairs[0].device != "cpu":
            torch.cuda.empty_cache()

    def _beside_running(self, need: MemoryNeed) -> MemoryNeed:
        """The need, with the workers that already run and have taken their part."""
        workers = (worker for pair in self.pairs for worker in (pair.reference, pair.candidate))
        return replace(need, running=sum(worker is not None and worker.alive for worker in workers))
