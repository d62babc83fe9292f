"""In the worker: what ran on the GPU while a wrapper did, as torch's profiler saw it. A claim like all from there.

Each wrapper call is profiled by itself, so that the rest of the graph, which is the library's by right, is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from passnet.bench.worker.wrapper_guard import Observer, address
from passnet.graph import tensors_of

# An operator that no pass has a use for: when its kernel is not seen, the profiler sees nothing here.
CANARY = "nextafter"
_MOST_NAMES, _CHARACTERS = 50, 200


def observer(rows: list[dict[str, Any]]) -> Observer:
    """Runs wrappers under the profiler; appends for each call `wrapper`, `kernels` (name -> count), `fresh`.

    `fresh`: whether it returned memory that it was not given. `kernels` is null where the profiler does not work, and
    holds copies and fills too.
    """

    def observe(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = {address(tensor) for tensor in tensors_of([list(args), kwargs])}
        one = torch.ones(1, device="cuda")
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            torch.nextafter(one, one)
            torch.cuda.synchronize()
            outputs = function(*args, **kwargs)
            torch.cuda.synchronize()
        made = [tensor for tensor in tensors_of(outputs) if tensor.numel() and address(tensor) not in given]
        rows.append({"wrapper": name, "kernels": _kernels(seen), "fresh": bool(made)})
        return outputs

    return observe


def _kernels(seen: Any) -> dict[str, int] | None:
    """What ran beside the canary."""
    names = Counter(str(event.name) for event in seen.events() if event.device_type.name == "CUDA")
    canaries = [name for name in names if CANARY in name]
    if not canaries:
        return None
    names.subtract(canaries[:1])
    return {name[:_CHARACTERS]: count for name, count in names.most_common(_MOST_NAMES) if count > 0}
