"""A program's call as a CUDA graph that this code captures: inputs copied in, the call, outputs copied out.

The inputs are drawn anew into the place that the graph reads before every replay. So a replay does a call's whole work
on the device, for the launch of one graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from passnet.bench.wire.requests import CAPTURED_PLACE, CAPTURED_SLOT
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.errors import said

_WORDS = 300


@dataclass(frozen=True)
class CapturedCall:
    """A captured call. `kept`: the memory that its graph uses. It is of no use once the lent buffers are closed."""

    graph: torch.cuda.CUDAGraph
    kept: tuple[object, ...]

    def __call__(self, *_: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Replay it. The graph reads its inputs and delivers its outputs itself."""
        self.graph.replay()
        return ()


def capture(
    call: Callable[..., Sequence[torch.Tensor]],
    buffers: SharedBuffers,
    deliver: Callable[[Sequence[torch.Tensor], Sequence[torch.Tensor]], None],
) -> CapturedCall:
    """Capture the call. It raises what the call raises meanwhile.

    The call must have run before: what is loaded or chosen at a first call cannot be captured.
    """
    places, slots = buffers.places[CAPTURED_PLACE], buffers.slots[CAPTURED_SLOT]
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
    return CapturedCall(graph, (inputs, outputs))


def reason(error: BaseException) -> str:
    """Why a call could not be captured, in a line."""
    lines = said(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:_WORDS]
