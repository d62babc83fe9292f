"""The least time of a graph's work on this device, for its record: information, and no verdict depends on it.

It is the bound of `passnet.roofline`: the bytes that must be read and written once, and the products, at the device's
measured peaks. The controller computes it once a graph, from the graph's shapes. It measures the peaks once a process.
"""

from __future__ import annotations

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.verdict.reference import Job
from passnet.bench.wire.memory import is_exhausted
from passnet.roofline import peaks
from passnet.roofline.inspect import least_time
from passnet.roofline.peaks import Ceilings


def ceilings_of(device: str, protocol: Protocol) -> Ceilings | None:
    """The device's peaks, measured at the first call in this process. On a GPU it must come before a candidate exists.

    None where nobody knows them, or asks: a look or a reward is over sooner than they are measured. One core's peaks
    say nothing of several threads, and memory may be too little to measure.
    """
    if protocol.question == "decided" or (device == "cpu" and protocol.threads != 1):
        return None
    try:
        return peaks.measure(device)
    except (RuntimeError, MemoryError) as error:
        if not is_exhausted(error):
            raise
        return None


def bounded(timing: Timing, job: Job, protocol: Protocol) -> Timing:
    """The timing with the least time of the job's work, where that is known. The device must be held."""
    ceilings = ceilings_of(job.device, protocol)
    found = least_time(job.graph, job.device, ceilings) if ceilings is not None else None
    if found is None:
        return timing
    return timing.model_copy(update={"bound_us": found.us, "bound_by": found.limited_by})
