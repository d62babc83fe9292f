"""Compilers that make a program from a graph, behind one Protocol: eager, Inductor, passes, both. Runs in workers.

Compilers of other packages are in `backends`.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict

import torch

from passnet.bench.names import COMPILERS
from passnet.bench.wire.replies import NearMissRow, SaidFailure
from passnet.bench.worker.wrapper_guard import Guard
from passnet.errors import causes, foreign

if TYPE_CHECKING:
    from passnet import rewrite

_MOST_HELD = 3
Tensors = Sequence[torch.Tensor]
Call = Callable[..., Sequence[torch.Tensor]]


class BuildFailure(Exception):
    """No program could be made. `kind` names the stage (load, policy, no_match, compile, ...)."""

    def __init__(self, kind: SaidFailure, message: str, near_misses: tuple[NearMissRow, ...] = ()) -> None:
        super().__init__(message)
        self.kind, self.near_misses = kind, near_misses


@dataclass(frozen=True)
class Program:
    """A runnable result. `call` is the direct convention. `deployed` is what a user of the compiler would call.

    `wrappers`: the same before the wrappers' calls were recorded, where a user may have it so too.
    `guard`: the same program with its wrappers under the run-time guard. None for compilers that are trusted.
    `freeze`: makes, from example inputs, the same program with the wrappers' calls recorded for replay. It runs the
    wrappers.
    `not_frozen`: rules whose calls then run ordinarily, and why.
    `kept`: rules whose calls use memory of other calls.
    """

    call: Call
    deployed: Call
    wrappers: Call | None = None
    replacements: dict[str, int] = field(default_factory=dict)
    near_misses: tuple[NearMissRow, ...] = ()
    guard: Guard | None = None
    freeze: Callable[[Tensors], Program] | None = None
    not_frozen: dict[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()


class Compiler(Protocol):
    """Makes a program from a torch-level graph module and example inputs. It must not change the given module."""

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program: ...


class Eager:
    """The unchanged graph: the baseline, and as a candidate the A/A control."""

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
        with foreign(_not_compiled):
            compiled = compile_fx(copy.deepcopy(module), list(examples), config_patches=patches)
            assert callable(compiled)
            direct: Call = compiled
            deployed = torch.compile(copy.deepcopy(module), mode=self.mode)
            # Both compile when first called. They get copies, because a graph may change its inputs.
            direct(*[t.clone() for t in examples])
            deployed(*[t.clone() for t in examples])
        return Program(call=direct, deployed=deployed)


def _not_compiled(error: BaseException) -> BuildFailure:
    return BuildFailure("compile", f"Inductor: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class PassesCompiler:
    """Our own compiler: a loaded pass set rewrites the graph. Deployed, it runs behind a guard with the original as
    fallback.
    """

    rules: Sequence[rewrite.Rule]

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        from passnet import rewrite
        from passnet.kernels.ahead import compile_ahead

        result, original = rewritten(module, self.rules), copy.deepcopy(module)
        written = {record.call: record.written for record in result.records}
        if any(t.is_cuda for t in examples):
            compile_ahead(result.gm.forward, examples)
        program = Program(
            call=result.gm.forward,
            wrappers=result.gm.forward,
            deployed=rewrite.deployed(result.gm, original, examples),
            guard=Guard.round(result.gm, written),
            replacements=dict(result.replacements),
            near_misses=_misses(result),
        )

        def freeze(inputs: Tensors) -> Program:
            made = rewrite.freeze_program(result, inputs)
            return replace(
                program,
                call=made.forward,
                deployed=rewrite.deployed(made, original, inputs),
                # The guard watches the replays, not the wrappers from which they were recorded.
                guard=Guard.round(made.module, written),
                **_refused(made.calls),
            )

        return replace(program, freeze=freeze)


@dataclass(frozen=True)
class PassesInductor:
    """Passes inside TorchInductor. Replaced pieces are operators. All else is fused. Deployed in the same way as
    passes.
    """

    rules: Sequence[rewrite.Rule]

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        from passnet import rewrite
        from passnet.rewrite.inductor.compile import Compiled

        result = rewritten(module, self.rules, operable=True)
        with foreign(_not_compiled):
            converted = rewrite.as_operators(result, self.rules)
            program = Compiled(converted.module, examples)
            program.forward(*[t.clone() for t in examples])
        made = Program(
            call=program.forward,
            deployed=rewrite.deployed(program, copy.deepcopy(module), examples),
            guard=Guard.inside(program.forward, converted.operators),
            replacements=dict(result.replacements),
            near_misses=_misses(result),
        )

        def freeze(inputs: Tensors) -> Program:
            run = functools.partial(program.forward, *[t.clone() for t in inputs])
            calls = rewrite.freeze_operators(converted.operators, run)
            return replace(
                made,
                # From now on the operators execute replays, and the guard watches these.
                guard=Guard.inside(program.forward, converted.operators),
                **_refused(calls),
            )

        return replace(made, freeze=freeze)


class _Refused(TypedDict):
    """The fields of a program that describe the calls that are not replayed."""

    not_frozen: dict[str, str]
    kept: tuple[str, ...]


def _refused(calls: Sequence[rewrite.CallReport]) -> _Refused:
    reasons = {call.rule: call.reason for call in calls if call.reason is not None}
    return {"not_frozen": reasons, "kept": tuple(f"{call.rule} {call.reason}" for call in calls if call.kept)}


def _misses(result: rewrite.Rewritten) -> tuple[NearMissRow, ...]:
    """The reasons why rules matched nothing."""
    return tuple(NearMissRow.model_validate(miss.to_json()) for miss in result.near_misses)


def rewritten(
    module: torch.fx.GraphModule, rules: Sequence[rewrite.Rule], *, operable: bool = False
) -> rewrite.Rewritten:
    """The graph with every match replaced, or every match that can become an operator.

    BuildFailure when none is found, with the near misses.
    """
    from passnet import rewrite

    try:
        result = rewrite.operable(module, rules) if operable else rewrite.rewrite(module, rules)
    except rewrite.RewriteLimitError as error:
        raise BuildFailure("compile", str(error)) from error
    if not result.total:
        raise BuildFailure("no_match", "no rule of the pass set matched this graph", _misses(result))
    return result


def load_passes(
    files: Mapping[str, str], scratch: Path, cache: Path, device: str, *, on_processor: bool
) -> Sequence[rewrite.Rule]:
    """Materialise the judged bytes in a private directory and execute them there.

    Each directory's files are a separate pass set, in the order of the directories' names.
    `on_processor`: C++ of the author may run in this process.
    """
    from passnet import kernels, rewrite
    from passnet.kernels import triton_check
    from passnet.kernels.compilation.compile import run_in_group
    from passnet.kernels.policy.device_code import check_what_triton_loads

    kernels.configure(cache_dir=cache, runner=run_in_group, on_processor=on_processor)
    if device != "cpu" and any("triton" in text for text in files.values()) and triton_check.available() is None:
        check_what_triton_loads()
    scratch.mkdir(parents=True)
    for name, text in files.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text, encoding="utf-8")
    directories = sorted({(scratch / name).parent for name in files})
    loaded = rewrite.load_sets([rewrite.read_pass_set(directory) for directory in directories], device)
    for error in loaded.failed:
        raise BuildFailure(_kind(error), str(error))
    if not loaded.rules:
        raise BuildFailure("no_match", f"every rule of the pass set is for another device than {device}")
    refuse_kept(loaded.rules)
    return loaded.rules


def refuse_kept(rules: Sequence[rewrite.Rule]) -> None:
    """BuildFailure `kept_state` where modules of the loaded pass sets, or their wrappers, hold memory."""
    from passnet.rewrite.rules.kept_memory import held_memory, pass_modules

    held = held_memory(pass_modules(), [rule.function for rule in rules])
    if held:
        raise BuildFailure("kept_state", "; ".join(held[:_MOST_HELD]))


def _kind(error: rewrite.RuleError) -> SaidFailure:
    from passnet import rewrite

    if isinstance(error, rewrite.ReplacementArgsComputes):
        return "policy"
    return "kernel_source" if is_kernel_breach(error) else "load"


def is_kernel_breach(error: BaseException) -> bool:
    """Whether an error, or its cause, says that a kernel source does more than compute."""
    from passnet.kernels.policy.breach import KernelPolicyError

    return any(isinstance(each, KernelPolicyError) for each in causes(error))


_FACTORIES: dict[str, Callable[[Sequence[rewrite.Rule]], Compiler]] = {
    "eager": lambda rules: Eager(),
    "inductor": lambda rules: Inductor(),
    "inductor-cudagraphs": lambda rules: Inductor("reduce-overhead"),
    "inductor-max-autotune": lambda rules: Inductor("max-autotune"),
    "inductor-max-autotune-no-cudagraphs": lambda rules: Inductor("max-autotune-no-cudagraphs"),
    "passes": PassesCompiler,
    "passes+inductor": PassesInductor,
}
assert set(_FACTORIES) == set(COMPILERS)


def make(name: str, rules: Sequence[rewrite.Rule] | None) -> Compiler:
    """The compiler of that name. `rules` matter only to compilers with passes."""
    if name in _FACTORIES:
        return _FACTORIES[name](rules or ())
    from passnet.bench.worker.backends import backend

    return backend(name)
