"""The published protocol's figure. One process timed both sides by its own clock, so nothing is tamper-proof."""

from __future__ import annotations

import statistics

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import Timing
from passnet.bench.timing import stats
from passnet.bench.wire.replies import PublishedTimes


def timing_of(times: PublishedTimes, protocol: Protocol) -> Timing:
    """The ratio of the two medians, with a bootstrap interval over trials. One process shows no spread between
    processes.
    """
    eager, compiled = times.eager_us, times.compiled_us
    settings = {"resamples": protocol.resamples, "seed": protocol.seed}
    found = stats.ratio_of_medians(eager, compiled, confidence=protocol.confidence, **settings)
    return Timing(
        speedup=found.ratio,
        speedup_ci=(found.low, found.high),
        eager_us=statistics.median(eager),
        compiled_us=statistics.median(compiled),
        control_ratio=None,
        processes=(),
    )
