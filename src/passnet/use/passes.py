"""A directory of passes, checked and loaded into this process, ready to be applied to models.

Applying a pass set runs its author's code with the user's rights. The source policy is checked first. With
`policy=None` nothing is checked, and the caller must trust the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch import fx, nn

from passnet import rewrite
from passnet.errors import UsageError, described, first_line, foreign, path_given
from passnet.logs import logger
from passnet.rewrite.inductor.compile import InductorOptions
from passnet.rewrite.policy.names import Level
from passnet.use.bundle import Bundle, is_bundle, read_bundle
from passnet.use.form import Form
from passnet.use.model.applied import Applied
from passnet.use.model.copies import copied
from passnet.use.model.cuda_graph import CapturedProgram, tuned_convolutions
from passnet.use.model.modes import compiled_by_torch
from passnet.use.model.tested_calls import working
from passnet.use.model.traced import Flat, Values, flattened, require_callable
from passnet.use.model.untouched import untouched

if TYPE_CHECKING:
    from passnet.rewrite.inductor.compile import Compiled


log = logger(__name__)


class Passes:
    """The rules of one or more pass sets. Those for a device are loaded when the first model on that device comes."""

    def __init__(self, *sources: rewrite.PassSet, form: Form | None = None) -> None:
        """`form`: how a bundle's model was fastest. `apply` makes that form unless it is told otherwise."""
        self.sources = sources
        self.form = form
        self._rules: dict[str, tuple[rewrite.Rule, ...]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all rules in order of application."""
        return tuple(rule.name for source in self.sources for rule in source.rules)

    @property
    def content_hash(self) -> str:
        """An identity of the passes' content. Names and places of the files do not change it."""
        hashes = [source.content_hash for source in self.sources]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()

    def rules(self, device: str) -> tuple[rewrite.Rule, ...]:
        """The rules that serve a device type (`cpu`, `cuda`).

        Errors: UsageError for a rule that cannot be loaded, naming its file.
        """
        if device not in self._rules:
            loaded = rewrite.load_sets(self.sources, device)
            if loaded.failed:
                raise UsageError(f"a pass cannot be loaded: {loaded.failed[0]}", path=self.sources[0].directory)
            self._rules[device] = loaded.rules
        return self._rules[device]

    def in_form(self, form: Form) -> Passes:
        """The same rules, loaded once, for models in another form."""
        made = Passes(*self.sources, form=form)
        made._rules = self._rules
        return made

    def rewritten(self, module: fx.GraphModule, device: str, *, operable: bool = False) -> rewrite.Rewritten:
        """A copy of a torch-level graph with every match replaced, with counts and near misses beside it.

        With `operable`, only matches that another compiler can take as an operator.
        """
        how = rewrite.operable if operable else rewrite.rewrite
        return how(module, self.rules(device))

    def working(
        self, module: fx.GraphModule, inputs: Values, *, operable: bool = False
    ) -> tuple[rewrite.Rewritten, tuple[str, ...]]:
        """The same, but only where no kernel raises on these inputs. Also says why other places are left.

        The graph is run to find this out. A graph that changes its inputs or the model's buffers is not run, and no
        place is left.
        """
        how, rules = rewrite.operable if operable else rewrite.rewrite, self.rules(device_of(inputs))
        if rewrite.changes_inputs(module):
            return how(module, rules), ()
        return working(lambda leave: how(module, rules, leave=leave), inputs)

    def apply(
        self,
        model: nn.Module,
        example_inputs: Sequence[object],
        kwargs: Mapping[str, object] | None = None,
        *,
        inductor: bool | Mapping[str, object] | None = None,
        freeze: bool = True,
        cuda_graph: bool | Literal["static"] | None = None,
        otherwise: Callable[..., object] | None = None,
    ) -> Applied:
        """`model` with the passes in place, for calls like the example.

        The model is traced once on the example inputs, without gradients and in its current mode. The model itself does
        not change. The model itself still runs these calls: calls that differ from the example in structure, dtype,
        shape, stride or device, or in which of their arguments are one tensor, calls outside `no_grad`, calls under
        autocast, and calls after the model's mode, parts or attributes changed. Parameters are shared, so training or
        loading in place takes effect. Places where a kernel raises on the example are left as they are
        (`Applied.left`).

        With `inductor` (True, or a dictionary of its settings) TorchInductor compiles every part that no pass replaced,
        or the whole model when nothing matches. With its setting `freezing` a weight that is written in place later
        is noticed, and the model itself runs. Where `inductor` and `cuda_graph` are None, the bundle's form decides: a
        mode of `torch.compile` for instance. Without a bundle both are False.

        With `freeze` the calls of the passes' wrappers are recorded on the example and replayed, where that is safe.
        `Applied.calls` says which ones are. `cuda_graph` makes a CUDA graph of the whole program. Inputs are copied
        into its buffers (`Applied.captured.buffers`), and results are copied out of them. "static" leaves the results
        in the buffers, where they are valid until the next call. `otherwise` runs the calls that are not like the
        example, the model itself when None: another program of the same model, made from another example.

        Errors: UsageError for a model that Dynamo cannot trace as one graph, that binds its names to other values in
        every call, that Inductor cannot compile, or that gives other results after the replacement: on the example, or
        on its values in another order.
        """
        if not isinstance(model, nn.Module):
            raise UsageError("not a model", expected="a torch.nn.Module", found=type(model).__name__)
        args, named = _arguments(example_inputs), dict(kwargs or {})
        form = self.form if inductor is None and cuda_graph is None else None
        if form is not None and form.engine == "torch.compile":
            return Applied(model, None, None, otherwise=compiled_by_torch(model, form.mode))
        if form is not None:
            inductor = form.settings() if form.engine == "inductor" else False
            cuda_graph = "static" if form.graph == "static" else form.graph == "copied"

        inductor_or_not = False if inductor is None else inductor

        def fails(error: BaseException) -> UsageError:
            require_callable(model, args, named)  # else a kernel returned something else than the model does
            what = "with the passes" if self.sources else "in this form"
            return UsageError(
                f"{what} a call of the model fails: {described(error)}", field=", ".join(self.names) or None
            )

        tuned = form is not None and form.convolutions
        with foreign(fails, UsageError), untouched(model, (args, named)), tuned_convolutions(tuned):
            return self._applied(model, args, named, inductor_or_not, freeze, cuda_graph or False, otherwise)

    def _applied(
        self,
        model: nn.Module,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        inductor: bool | InductorOptions,
        freeze: bool,
        cuda_graph: bool | Literal["static"],
        otherwise: Callable[..., object] | None,
    ) -> Applied:
        flat = flattened(model, args, kwargs)
        _tell_of_one_tensor(flat.inputs)
        result, left = self.working(flat.module, flat.inputs, operable=inductor is not False)
        graph_alone = bool(cuda_graph) and self.form is not None  # a form may be eager's own launches in a graph
        if not result.total and inductor is False and not graph_alone:
            return Applied(model, None, result, left=left, otherwise=otherwise)
        program, calls = self._program(result, flat, inductor, freeze)
        constant = isinstance(inductor, Mapping) and bool(inductor.get("freezing"))
        if cuda_graph:
            program = _captured(program, flat.module, flat.inputs, static=cuda_graph == "static", constant=constant)
        ours = replace(flat, module=program)
        made = Applied(model, ours, result, calls, left, otherwise=otherwise, values=constant)
        made.check(flat, args, kwargs)
        return made

    def inductor_settings(self) -> dict[str, object]:
        """Settings that make plain Inductor use these passes: `torch.compile(model, options=...)`.

        They hold the custom pass, which Inductor's caches know by the content of this pass set.
        """
        from passnet.rewrite.inductor.compile import InductorPass, settings

        return settings(InductorPass(self.rules, self.content_hash))

    def _program(
        self, result: rewrite.Rewritten, flat: Flat, inductor: bool | InductorOptions, freeze: bool
    ) -> tuple[rewrite.Runnable, Sequence[rewrite.CallReport]]:
        if inductor is not False:
            return self._inside(inductor, result, flat, freeze)
        if not freeze:
            return result.gm, ()
        frozen = rewrite.freeze_program(result, flat.inputs)
        return frozen, frozen.calls

    def _inside(
        self, inductor: bool | InductorOptions, result: rewrite.Rewritten, flat: Flat, freeze: bool
    ) -> tuple[Compiled, Sequence[rewrite.CallReport]]:
        from passnet.rewrite.inductor.compile import Compiled

        patches = {} if isinstance(inductor, bool) else inductor
        text = f"Inductor cannot compile this model{' with the passes' if self.sources else ''}"
        with foreign(lambda error: UsageError(f"{text}: {first_line(error)}")), torch.no_grad():
            converted = rewrite.as_operators(result, self.rules(device_of(flat.inputs)))
            program = Compiled(converted.module, copied(flat.inputs), patches)
            program.forward(*copied(flat.inputs))  # what wrappers compile or tune is done then
        if not freeze:
            return program, ()
        return program, rewrite.freeze_operators(converted.operators, lambda: program.forward(*copied(flat.inputs)))


def _tell_of_one_tensor(inputs: Values) -> None:
    given = [id(value) for value in inputs if isinstance(value, torch.Tensor)]
    if len(set(given)) < len(given):
        log.warning("the example gives one tensor twice; calls that give two there run the model itself")


def _arguments(example_inputs: Any) -> tuple[Any, ...]:
    """The positional arguments of the example call. A single tensor is the only argument."""
    if isinstance(example_inputs, torch.Tensor):
        return (example_inputs,)
    if not isinstance(example_inputs, Sequence) or isinstance(example_inputs, str):
        found = type(example_inputs).__name__
        raise UsageError("wrong example inputs", expected="the arguments of one call as a tuple", found=found)
    return tuple(example_inputs)


def _captured(
    program: rewrite.Runnable, module: fx.GraphModule, inputs: Sequence[object], *, static: bool, constant: bool
) -> CapturedProgram:
    """`constant`: the program reads no parameter of the model.

    Errors: UsageError for a model that changes its inputs, because a copy would be changed instead.
    """
    if rewrite.changes_inputs(module):
        raise UsageError(
            "the model changes its inputs, but a CUDA graph would change its own copies", field="cuda_graph"
        )
    tensors = [] if constant else [*module.parameters(), *module.buffers()]
    return CapturedProgram(program.forward, inputs, tensors, static=static)


def load_passes(directory: Path | str, *, policy: Level | None = "strict") -> Passes:
    """Read a directory of passes (see `docs/passes.md`), or a bundle, and check it against the source policy.

    `policy` is "strict", "native" or None (not checked). A bundle that was made with "native" requires it. Errors:
    UsageError for a path that is no directory, for a manifest or file that is wrong or has changed, and for a breach of
    the policy, with file and line.
    """
    path = path_given(directory, "passes")
    sources: tuple[rewrite.PassSet, ...]
    form: Form | None = None
    if is_bundle(path):
        bundle, sources = read_bundle(path)
        if policy == "strict" and bundle.policy != policy:  # a file must not loosen the requested policy
            raise UsageError(
                "the bundle holds passes that open files and start processes",
                path=path,
                field="policy",
                found=bundle.policy,
                hint=f'policy="{bundle.policy}" loads it, if you trust its author',
            )
        _compare_torch(path, bundle)
        form = bundle.form
    else:
        sources = (rewrite.read_pass_set(path),)
    if policy is not None:
        for source in sources:
            _admit(source, policy)
    return Passes(*sources, form=form)


def load_placed(directory: Path, policy: Level) -> Passes:
    """The pass sets in the sub-directories of a directory, in order of their names. Errors: as `load_passes`."""
    sources = [rewrite.read_pass_set(path) for path in sorted(directory.iterdir()) if path.is_dir()]
    for source in sources:
        _admit(source, policy)
    return Passes(*sources)


def _compare_torch(path: Path, bundle: Bundle) -> None:
    """A note for passes that won with another torch: here they are right or refused, but may not be faster."""
    measured = str(bundle.environment.get("torch"))
    if measured.partition("+")[0] != torch.__version__.partition("+")[0]:
        log.warning("%s was measured with torch %s, this is %s: optimize again", path, measured, torch.__version__)


def _admit(source: rewrite.PassSet, policy: Level) -> None:
    for breach in rewrite.check_policy(source, policy):
        raise UsageError(
            f"line {breach.line}: {breach.what}: {breach.why}",
            path=source.directory / breach.file,
            hint=f"{breach.fix}, or load it with policy=None if you trust its author",
        )


def device_of(values: Sequence[object]) -> str:
    """The device type of the first tensor, `cpu` when there is none."""
    return next((value.device.type for value in values if isinstance(value, torch.Tensor)), "cpu")
