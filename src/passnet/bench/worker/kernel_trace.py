"""In the worker: the GPU work during a wrapper call, as torch's profiler saw it. It is a claim, as all from a worker.

Each wrapper call is profiled separately. So the rest of the graph is not in it. The rest may use libraries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import torch
from torch.profiler import ProfilerActivity, profile

from passnet.bench.wire.replies import WrapperCall
from passnet.bench.worker.wrapper_guard import UNFELT, Observer, Wrapper, address
from passnet.graph import tensors_of

# An operator that no pass needs. When its kernel is not seen, the profiler sees nothing here.
CANARY = "nextafter"
_MOST_NAMES, _CHARACTERS = 50, 200


def observer(rows: list[WrapperCall]) -> Observer:
    """Runs wrappers under the profiler and appends a row for each call. Copies and fills count as kernels too."""

    def observe(
        wrapper: Wrapper, function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        given = {address(tensor) for tensor in tensors_of([list(args), kwargs])}
        one = torch.ones(1, device="cuda")
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            torch.nextafter(one, one)
            torch.cuda.synchronize()
            with UNFELT:
                outputs = function(*args, **kwargs)
            torch.cuda.synchronize()
        made = [tensor for tensor in tensors_of(outputs) if tensor.numel() and address(tensor) not in given]
        kernels, us = _kernels(seen)
        rows.append(WrapperCall(wrapper=wrapper.name, kernels=kernels, fresh=bool(made), us=us))
        return outputs

    return observe


def _kernels(seen: profile) -> tuple[dict[str, int] | None, dict[str, float]]:
    """The kernels that ran beside the canary, and their microseconds."""
    events = seen.events()  # type: ignore[no-untyped-call]  # torch annotates it so
    ran = [event for event in events if event.device_type.name == "CUDA"]
    names = Counter(str(event.name) for event in ran)
    canaries = [name for name in names if CANARY in name]
    if not canaries:
        return None, {}
    names.subtract(canaries[:1])
    kept = [name for name, count in names.most_common(_MOST_NAMES) if count > 0]
    us = Counter[str]()
    for event in ran:
        us[str(event.name)] += event.time_range.elapsed_us()
    return {name[:_CHARACTERS]: names[name] for name in kept}, {name[:_CHARACTERS]: float(us[name]) for name in kept}
