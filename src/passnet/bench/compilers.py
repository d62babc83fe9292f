"""What makes a program from a graph, behind one Protocol: eager, Inductor in two modes, passes. Runs in workers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import torch

from passnet.bench.guard import Guard
from passnet.bench.names import COMPILERS

if TYPE_CHECKING:
    from passnet import rewrite

Tensors = Sequence[torch.Tensor]
Call = Callable[..., Sequence[torch.Tensor]]


class BuildFailure(Exception):
    """No program could be made; `kind` names the stage (load, trace, policy, no_match, compile)."""

    def __init__(self, kind: str, message: str, near_misses: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.kind = kind
        self.near_misses = [dict(miss) for miss in near_misses]


@dataclass(frozen=True)
class Program:
    """A runnable result. `call` is the direct convention, `deployed` what a user of the compiler would call.

    `guard`: the same program with its wrappers under the run-time guard; None for compilers that are trusted.
    """

    call: Call
    deployed: Call
    replacements: dict[str, int] = field(default_factory=dict)
    near_misses: list[dict[str, Any]] = field(default_factory=list)
    rewrite: list[dict[str, Any]] = field(default_factory=list)
    guard: Guard | None = None


class Compiler(Protocol):
    """Makes a program from a torch-level graph module and example inputs; must not change the module it is given."""

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program: ...


class Eager:
    """The graph as it is: the baseline, and as a candidate the A/A control."""

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        twin = copy.deepcopy(module)
        return Program(call=twin.forward, deployed=twin)


@dataclass(frozen=True)
class Inductor:
    """TorchInductor. Direct: the result of `compile_fx` on the same graph. Deployed: through `torch.compile`."""

    mode: str | None = None

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        from torch._inductor.compile_fx import compile_fx

        patches = torch._inductor.list_mode_options(self.mode) if self.mode else {}
        try:
            direct: Any = compile_fx(copy.deepcopy(module), list(examples), config_patches=patches)
            deployed = torch.compile(copy.deepcopy(module), mode=self.mode)
            # Both compile when first called; on copies, since a graph may change its inputs.
            direct(*[t.clone() for t in examples])
            deployed(*[t.clone() for t in examples])
        except Exception as error:
            raise BuildFailure("compile", f"Inductor: {type(error).__name__}: {error}") from error
        return Program(call=direct, deployed=deployed)


@dataclass(frozen=True)
class Passes:
    """Our own: the graph rewritten by a loaded pass set; deployed behind a guard with the original as fallback."""

    rules: Sequence[Any]

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        from passnet import rewrite

        try:
            result = rewrite.rewrite(module, self.rules)
        except rewrite.RewriteLimitError as error:
            raise BuildFailure("compile", str(error)) from error
        misses = [miss.to_json() for miss in result.near_misses]
        if not result.total:
            raise BuildFailure("no_match", "no rule of the pass set matched this graph", misses)
        return Program(
            call=result.gm.forward,
            deployed=rewrite.deployed(result.gm, copy.deepcopy(module), examples),
            replacements=dict(result.replacements),
            near_misses=misses,
            rewrite=[record.to_json() for record in result.records],
            guard=Guard.round(result.gm, {record.call for record in result.records}),
        )


def load_passes(files: Mapping[str, str], scratch: Path, cache: Path, device: str) -> Sequence[Any]:
    """Materialise the judged bytes of a pass set in a private directory and execute them there."""
    from passnet import kernels, rewrite
    from passnet.kernels.build import run_in_group

    kernels.configure(cache_dir=cache, runner=run_in_group)
    scratch.mkdir(parents=True)
    for name, text in files.items():
        (scratch / name).write_text(text, encoding="utf-8")
    loaded = rewrite.load_rules(rewrite.read_pass_set(scratch), device)
    for error in loaded.failed:
        raise BuildFailure(_kind(error), str(error))
    if not loaded.rules:
        raise BuildFailure("no_match", f"every rule of the pass set is for another device than {device}")
    return loaded.rules


def _kind(error: rewrite.RuleError) -> str:
    from passnet import rewrite

    if isinstance(error, rewrite.ReplacementArgsComputes):
        return "policy"
    return "kernel_source" if is_kernel_breach(error) else "load"


def is_kernel_breach(error: BaseException | None) -> bool:
    """Whether an error says, or was caused by one that says, that a kernel source does more than compute."""
    from passnet.kernels.source_policy import KernelPolicyError

    while error is not None:
        if isinstance(error, KernelPolicyError):
            return True
        error = error.__cause__
    return False


_FACTORIES: dict[str, Callable[[Sequence[Any]], Compiler]] = {
    "eager": lambda rules: Eager(),
    "inductor": lambda rules: Inductor(),
    "inductor-max-autotune": lambda rules: Inductor("max-autotune"),
    "passes": Passes,
}
assert set(_FACTORIES) == set(COMPILERS)


def make(name: str, rules: Sequence[Any] | None) -> Compiler:
    """The compiler of that name; `rules` matter to `passes` only."""
    return _FACTORIES[name](rules or ())
