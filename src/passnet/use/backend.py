"""`torch.compile(model, backend="passnet", options={"passes": DIRECTORY})`: passes on the graphs that Dynamo makes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import fx

from passnet.errors import UsageError
from passnet.rewrite import Rewritten
from passnet.use.passes import Passes, device_of, load_passes

log = logging.getLogger(__name__)
_OPTIONS = ("passes", "policy", "report")


@dataclass(frozen=True)
class Decision:
    """What became of one graph: the passes' work, or why it runs as it is."""

    result: Rewritten | None
    reason: str | None

    @property
    def replaced(self) -> int:
        """Number of subgraphs that a pass replaced."""
        return self.result.total if self.result is not None else 0


def passnet(
    module: fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """The backend. Graphs where no pass applies run eagerly, as do those it must not touch.

    Options: `passes` (a directory, or what `load_passes` returned), `policy` ("strict", "native" or None), `report`
    (called with a `Decision` for every graph). Dynamo's own guards see to it that other inputs are compiled anew.
    Errors: UsageError for a wrong option, and for passes that cannot be loaded.
    """
    if mode is not None:
        raise UsageError("the backend has no modes", field="mode", found=mode, hint="leave it out")
    chosen = _options(options or {})
    passes = chosen["passes"]
    if not isinstance(passes, Passes):
        passes = load_passes(Path(passes), policy=chosen.get("policy", "strict"))
    decision = decide(passes, module, example_inputs)
    log.info("%s subgraphs replaced%s", decision.replaced, f" ({decision.reason})" if decision.reason else "")
    if chosen.get("report") is not None:
        chosen["report"](decision)
    kept = decision.result.gm if decision.result is not None and decision.replaced else module
    forward: Callable[..., Any] = kept.forward
    return forward


def decide(passes: Passes, module: fx.GraphModule, example_inputs: Sequence[Any]) -> Decision:
    """Rewrite the graph where that is safe; else say why not."""
    reason = _reason_against(example_inputs)
    if reason is not None:
        return Decision(None, reason)
    result = passes.rewritten(module, device_of(example_inputs))
    return Decision(result, None if result.total else "no pass matches")


def _reason_against(example_inputs: Sequence[Any]) -> str | None:
    tensors = [value for value in example_inputs if isinstance(value, torch.Tensor)]
    if torch.is_grad_enabled() and any(value.requires_grad for value in tensors):
        return "a gradient would be recorded, and kernels are not differentiable"
    if torch._C._is_any_autocast_enabled():
        return "autocast is on, and kernels would see other dtypes than they were matched at"
    if any(not isinstance(size, int) for value in tensors for size in value.shape) or any(
        isinstance(value, torch.SymInt) for value in example_inputs
    ):
        return "sizes are symbolic; torch.compile(..., dynamic=False) makes them known"
    return None


def _options(options: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = sorted(options.keys() - set(_OPTIONS))
    if unknown:
        raise UsageError("unknown option", field=unknown[0], expected=f"one of {', '.join(_OPTIONS)}")
    if "passes" not in options:
        raise UsageError("which passes?", field="passes", hint='options={"passes": "path/to/passes"}')
    return options
