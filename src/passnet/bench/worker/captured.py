"""A program's call as a CUDA graph that this code captures: inputs copied in, the call, outputs copied out.

The inputs are drawn anew into the place that the graph reads before every replay. So a replay does a call's whole work
on the device, for the launch of one graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import torch

from passnet.bench.wire.shared_buffers import SharedBuffers

# The place and the slot that a captured graph reads and writes.
PLACE, SLOT = 0, 0
_WORDS = 300


def capture(
    call: Callable[..., Sequence[torch.Tensor]],
    buffers: SharedBuffers,
    deliver: Callable[[Sequence[torch.Tensor], Sequence[torch.Tensor]], None],
) -> Callable[[], object]:
    """A function that replays the call. It raises what the call raises while it is captured.

    The call must have run before: what is loaded or chosen at a first call cannot be captured. The function keeps the
    memory that the graph uses, and is of no use once `buffers` are closed.
    """
    places, slots = buffers.places[PLACE], buffers.slots[SLOT]
    inputs = [torch.empty_like(place) for place in places]
    graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch annotates nothing
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        graph.capture_begin(capture_error_mode="thread_local")
        try:
            for target, source in zip(inputs, places, strict=True):
                target.copy_(source)
            outputs = call(*inputs)
            deliver(outputs, slots)
        except BaseException:
            with contextlib.suppress(RuntimeError):  # the capture is void, and the first error says why
                graph.capture_end()
            raise
        graph.capture_end()
    torch.cuda.synchronize()
    kept = (inputs, outputs)

    def replay(graph: torch.cuda.CUDAGraph = graph, _kept: object = kept) -> None:
        graph.replay()

    return replay


def reason(error: Exception) -> str:
    """Why a call could not be captured, in a line."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:_WORDS]
