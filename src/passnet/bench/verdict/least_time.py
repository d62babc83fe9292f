"""The least time of a graph's work on this device, for its record: information, and no verdict depends on it.

It is the bound of `passnet.roofline`: the bytes that must be read and written once, and the products, at the device's
measured peaks. The controller computes it once a graph, from the graph's shapes. It measures the peaks once a process.
"""

from __future__ import annotations

from concurrent.futures import Future

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.verdict.job import Job
from passnet.bench.wire.memory import is_exhausted
from passnet.roofline import peaks
from passnet.roofline.inspect import LeastWork, least_work
from passnet.roofline.peaks import Ceilings


def ceilings_of(device: str, protocol: Protocol) -> Ceilings | None:
    """The device's peaks, measured at the first call in this process. On a GPU it must come before a candidate exists.

    None where nobody knows them, or asks: a look or a reward is over sooner than they are measured. One core's peaks
    say nothing of several threads, and memory may be too little to measure.
    """
    if not asked(device, protocol):
        return None
    try:
        return peaks.measure(device)
    except (RuntimeError, MemoryError) as error:
        if not is_exhausted(error):
            raise
        return None


def asked(device: str, protocol: Protocol) -> bool:
    """Whether a record tells the least time. It does where the peaks are worth being measured."""
    return protocol.question != "decided" and (device != "cpu" or protocol.threads == 1)


def work_of(job: Job) -> LeastWork | None:
    """What the job's graph must do at least. It needs no device. It takes up to a second, and more the first time."""
    return least_work(job.graph, job.device)


def bounded(timing: Timing, job: Job, protocol: Protocol, work: Future[LeastWork | None] | None = None) -> Timing:
    """The timing with the least time of the job's work, where that is known. The device must be held.

    `work`: what the graph must do, where that is reckoned already.
    """
    ceilings = ceilings_of(job.device, protocol)
    if ceilings is None:
        return timing
    least = work.result() if work is not None else work_of(job)
    found = least.bound(ceilings) if least is not None else None
    if found is None:
        return timing
    return timing.model_copy(update={"bound_us": found.us, "bound_by": found.limited_by})
