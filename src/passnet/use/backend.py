"""`torch.compile(model, backend="passnet", options={"passes": DIRECTORY})`: passes on the graphs that Dynamo makes.

With `"inductor": True` the rest of every graph goes through TorchInductor, and graphs that the passes must not touch
are Inductor's alone; without, both run eagerly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import fx

from passnet.errors import UsageError
from passnet.rewrite import Rewritten, as_operators
from passnet.rewrite.operators import twin
from passnet.use.fallback import with_fallback
from passnet.use.passes import Passes, device_of, load_passes

log = logging.getLogger(__name__)
_OPTIONS = ("passes", "policy", "report", "inductor")
Report = Callable[["Decision"], Any]
Call = Callable[..., Any]


@dataclass(frozen=True)
class Decision:
    """What became of one graph: the passes' work, or why it runs as it would without them."""

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
    """The backend. Graphs where no pass applies, or that passes must not touch, run as they would without.

    Options: `passes` (a directory, or what `load_passes` returned), `policy` ("strict", "native" or None), `report`
    (called with a `Decision` for every graph), `inductor` (True, or a dictionary of Inductor's own settings). Dynamo's
    own guards see to it that other inputs are compiled anew. Where a kernel raises and the graph changes none of its
    inputs, the call is made without that kernel, as are all later ones, and a second decision says so.
    Errors: UsageError for a wrong option, and for passes that cannot be loaded.
    """
    if mode is not None:
        raise UsageError("the backend has no modes", field="mode", found=mode, hint="leave it out")
    chosen = _options(options or {})
    passes = chosen["passes"]
    if not isinstance(passes, Passes):
        passes = load_passes(Path(passes), policy=chosen.get("policy", "strict"))
    inductor = chosen.get("inductor", False)
    settings = None if inductor is False else {} if inductor is True else inductor
    made = _Backend(passes, chosen.get("report") or (lambda decision: None), settings)
    return made.program(module, example_inputs)


@dataclass(frozen=True)
class _Backend:
    """The backend with its options chosen. `settings` are Inductor's own, None without Inductor."""

    passes: Passes
    report: Report
    settings: Mapping[str, Any] | None

    @property
    def inside(self) -> bool:
        """Whether Inductor takes what the passes leave."""
        return self.settings is not None

    def program(self, module: fx.GraphModule, example_inputs: Sequence[Any]) -> Call:
        decision = decide(self.passes, module, example_inputs, operable=self.inside)
        original = twin(module)
        return self._told(module, original, decision, example_inputs, lambda inputs: self._again(original, inputs))

    def _told(
        self,
        module: fx.GraphModule,
        original: fx.GraphModule,
        decision: Decision,
        inputs: Sequence[Any],
        without: Callable[[Sequence[Any]], Call],
    ) -> Call:
        """The program of a decision, which is reported; `without` makes the one to go on with when a kernel raises."""
        self._tell(decision)
        if decision.result is None or not decision.replaced:
            return self._plain(module, inputs)
        fast = self._fast(module, decision.result, inputs) if self.inside else decision.result.gm.forward
        return with_fallback(fast, original, without, self._warn)

    def _fast(self, module: fx.GraphModule, result: Rewritten, inputs: Sequence[Any]) -> Call:
        """The rewritten graph compiled, in the module that Dynamo made, whose inputs know where they come from."""
        from passnet.rewrite.inductor import replace_body

        replace_body(module.graph, as_operators(result, self.passes.rules(device_of(inputs))).module.graph)
        module.recompile()
        return self._plain(module, inputs)

    def _plain(self, module: fx.GraphModule, example_inputs: Sequence[Any]) -> Call:
        """A graph as it would run without passes."""
        forward: Call = module.forward
        if self.settings is not None:
            from passnet.rewrite.inductor import Compiled

            forward = Compiled(module, example_inputs, self.settings).forward
        return forward

    def _again(self, original: fx.GraphModule, inputs: Sequence[Any]) -> Call:
        """After a kernel raised on these inputs: the graph with passes wherever their kernels do not."""
        result, left = self.passes.working(original, inputs, operable=self.inside)
        decision = Decision(result, "; ".join(left) or None)
        return self._told(
            twin(original), original, decision, inputs, lambda values: self._plain(twin(original), values)
        )

    def _tell(self, decision: Decision) -> None:
        log.info("%s subgraphs replaced%s", decision.replaced, f" ({decision.reason})" if decision.reason else "")
        self.report(decision)

    def _warn(self, error: Exception) -> None:
        log.warning("a kernel raised and is left out from now on: %s: %s", type(error).__name__, error)


def decide(
    passes: Passes, module: fx.GraphModule, example_inputs: Sequence[Any], *, operable: bool = False
) -> Decision:
    """Rewrite the graph where that is safe; else say why not. `operable`: only what Inductor takes as an operator."""
    reason = _reason_against(example_inputs)
    if reason is not None:
        return Decision(None, reason)
    result = passes.rewritten(module, device_of(example_inputs), operable=operable)
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
    inductor = options.get("inductor", False)
    if not isinstance(inductor, (bool, Mapping)):
        raise UsageError("wrong option", field="inductor", expected="True, or a dictionary of settings", found=inductor)
    return options
