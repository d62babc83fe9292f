"""`torch.compile(model, backend="passnet", options={"passes": DIRECTORY})`: passes on the graphs that Dynamo makes.

With `"inductor": True` the rest of every graph goes through TorchInductor. A graph that the passes must not touch then
goes to Inductor alone. Without that option, both run eagerly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import fx

from passnet.errors import UsageError, said
from passnet.logs import logger
from passnet.rewrite import Operator, Rewritten, as_operators, freeze_operators
from passnet.rewrite.inductor.compile import InductorOptions
from passnet.rewrite.inductor.operators import twin
from passnet.use.model.agreement import Disagreement
from passnet.use.model.fallback import with_fallback
from passnet.use.model.traced import Values
from passnet.use.model.untouched import untouched
from passnet.use.passes import Passes, device_of, load_passes

log = logger(__name__)
_OPTIONS = ("passes", "policy", "report", "inductor", "check")
Report = Callable[["BackendDecision"], object]
Call = Callable[..., object]


@dataclass(frozen=True)
class BackendDecision:
    """The result for one graph: the replacements of the passes, or why the graph runs without them."""

    result: Rewritten | None
    reason: str | None

    @property
    def replaced(self) -> int:
        """Number of subgraphs that a pass replaced."""
        return self.result.total if self.result is not None else 0


def passnet(
    module: fx.GraphModule,
    example_inputs: Values,
    *,
    options: InductorOptions | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """The backend. A graph runs without passes when none applies or when passes must not touch it.

    Options:

    - `passes`: a directory, or the result of `load_passes`.
    - `policy`: "strict", "native" or None.
    - `report`: called with a `BackendDecision` for every graph.
    - `inductor`: True, or a dictionary of Inductor's own settings.
    - `check`: False leaves out the comparison below.

    Dynamo's own guards compile again for other inputs. The first call of a graph that changes none of its inputs is
    compared with the original's results. If they differ, the graph runs without passes from then on. If a kernel
    raises, this call and all later ones run without that kernel. A second decision reports either case. Errors:
    UsageError for a wrong option, and for passes that cannot be loaded.
    """
    if mode is not None:
        raise UsageError("the backend has no modes", field="mode", found=mode, hint="leave it out")
    chosen = _options(options or {})
    passes = chosen["passes"]
    if not isinstance(passes, Passes):
        passes = load_passes(Path(passes), policy=chosen.get("policy", "strict"))
    inductor = chosen.get("inductor", False)
    settings = None if inductor is False else {} if inductor is True else inductor
    made = _Backend(passes, chosen.get("report") or (lambda decision: None), settings, chosen.get("check", True))
    return made.program(module, example_inputs)


@dataclass(frozen=True)
class _Backend:
    """The backend with its options chosen. `settings` are Inductor's own, None without Inductor."""

    passes: Passes
    report: Report
    settings: InductorOptions | None
    check: bool

    @property
    def inside(self) -> bool:
        """Whether Inductor compiles the parts that no pass replaced."""
        return self.settings is not None

    def program(self, module: fx.GraphModule, example_inputs: Values) -> Call:
        decision = decide(self.passes, module, example_inputs, operable=self.inside)
        original = twin(module)
        return self._told(
            module, original, decision, example_inputs, lambda inputs, error: self._again(original, inputs, error)
        )

    def _told(
        self,
        module: fx.GraphModule,
        original: fx.GraphModule,
        decision: BackendDecision,
        inputs: Sequence[object],
        without: Callable[[Sequence[object], BaseException], Call],
    ) -> Call:
        """The program of a decision. The decision is reported. `without` makes the next decision if the
        program fails.
        """
        self._tell(decision)
        if decision.result is None or not decision.replaced:
            return self._plain(module, inputs)
        if not self.inside:
            return with_fallback(decision.result.gm.forward, original, without, self._warn, check=self.check)
        fast, operators = self._fast(module, decision.result, inputs)

        def settle(values: Sequence[object]) -> None:
            if not _capturing():
                with untouched(None, values):
                    freeze_operators(operators, lambda: fast(*values))

        return with_fallback(fast, original, without, self._warn, check=self.check, settle=settle)

    def _fast(
        self, module: fx.GraphModule, result: Rewritten, inputs: Sequence[object]
    ) -> tuple[Call, tuple[Operator, ...]]:
        """The rewritten graph compiled, in the module that Dynamo made, whose inputs know where they come from."""
        from passnet.rewrite.inductor.compile import replace_body

        converted = as_operators(result, self.passes.rules(device_of(inputs)))
        replace_body(module.graph, converted.module.graph)
        module.recompile()
        return self._plain(module, inputs), converted.operators

    def _plain(self, module: fx.GraphModule, example_inputs: Values) -> Call:
        """A graph as it would run without passes."""
        forward: Call = module.forward
        if self.settings is not None:
            from passnet.rewrite.inductor.compile import Compiled

            forward = Compiled(module, example_inputs, self.settings).forward
        return forward

    def _again(self, original: fx.GraphModule, inputs: Sequence[object], error: BaseException) -> Call:
        """After a kernel raised on these inputs: the graph with passes wherever their kernels do not.

        After wrong results: the graph without passes, for which of them is wrong is not known.
        """
        if isinstance(error, Disagreement):
            return self._without(original, inputs, error)
        try:
            result, left = self.passes.working(original, inputs, operable=self.inside)
        except Exception:  # noqa: BLE001  behind a kernel, on what it returned, or else the model raises it here itself
            original.forward(*inputs)
            return self._without(original, inputs, error)
        decision = BackendDecision(result, "; ".join(left) or None)
        return self._told(
            twin(original), original, decision, inputs, lambda values, later: self._without(original, values, later)
        )

    def _without(self, original: fx.GraphModule, inputs: Sequence[object], error: BaseException) -> Call:
        kind = "" if isinstance(error, Disagreement) else f"{type(error).__name__}: "
        self._tell(BackendDecision(None, f"{kind}{said(error)}"))
        return self._plain(twin(original), inputs)

    def _tell(self, decision: BackendDecision) -> None:
        log.info("%s subgraphs replaced%s", decision.replaced, f" ({decision.reason})" if decision.reason else "")
        self.report(decision)

    def _warn(self, error: BaseException) -> None:
        if isinstance(error, Disagreement):
            log.warning("a graph runs without passes from now on: %s", error)
        else:
            log.warning("a kernel raised and is left out from now on: %s: %s", type(error).__name__, said(error))


def _capturing() -> bool:
    """Whether launches are being captured into a CUDA graph, in which nothing else may run."""
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()


def decide(
    passes: Passes, module: fx.GraphModule, example_inputs: Sequence[object], *, operable: bool = False
) -> BackendDecision:
    """Rewrite the graph where that is safe, else say why not. `operable`: only matches that Inductor takes as an
    operator.
    """
    reason = _reason_against(example_inputs)
    if reason is not None:
        return BackendDecision(None, reason)
    result = passes.rewritten(module, device_of(example_inputs), operable=operable)
    return BackendDecision(result, None if result.total else "no pass matches")


def _reason_against(example_inputs: Sequence[object]) -> str | None:
    tensors = [value for value in example_inputs if isinstance(value, torch.Tensor)]
    if torch.is_grad_enabled() and any(value.requires_grad for value in tensors):
        return "a gradient would be recorded, and kernels are not differentiable"
    if torch._C._is_any_autocast_enabled():
        return "autocast is on, and kernels would get other dtypes than in the match"
    if any(not isinstance(size, int) for value in tensors for size in value.shape) or any(
        isinstance(value, torch.SymInt) for value in example_inputs
    ):
        return "sizes are symbolic; torch.compile(..., dynamic=False) makes them known"
    return None


def _options(options: InductorOptions) -> InductorOptions:
    unknown = sorted(options.keys() - set(_OPTIONS))
    if unknown:
        raise UsageError("unknown option", field=unknown[0], expected=f"one of {', '.join(_OPTIONS)}")
    if "passes" not in options:
        raise UsageError("which passes?", field="passes", hint='options={"passes": "path/to/passes"}')
    kinds = {"passes": (str, Path, Passes), "inductor": (bool, Mapping), "check": (bool,)}
    words = {"passes": "a directory, or what load_passes returned", "inductor": "True, or a dictionary of settings"}
    for name, kind in kinds.items():
        if name in options and not isinstance(options[name], kind):
            raise UsageError("wrong option", field=name, expected=words.get(name, "True or False"), found=options[name])
    settings = options.get("inductor", False)
    unknown = sorted(name for name in settings if not _is_setting(name)) if isinstance(settings, Mapping) else []
    if unknown:
        raise UsageError("no such setting of Inductor's", field="inductor", found=unknown[0])
    return options


def _is_setting(name: object) -> bool:
    from torch._inductor import config

    return isinstance(name, str) and hasattr(config, name)
