"""Runs a parent once and cuts any number of ranges out of it. Each is proved to give the parent's own values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import fx

from passnet.dataset.capture.candidate import difference, disturbed
from passnet.dataset.capture.default_specs import spec_of, with_defaults
from passnet.dataset.cut.parent import Parent, ParentUnfit, Span
from passnet.dataset.layout import PUBLISHED
from passnet.errors import PassNetError
from passnet.graph import Graph, TensorSpec, degenerate, fake_inputs, propagate, tensors_of
from passnet.graph.values.propagation import restored_state

Verified = Literal["values", "metadata"]
_SEED = 0
# Another one, so that no piece repeats its parent's random numbers.
_PARENT_SEED = 2
# Half a vmap, or work on the slices inside one, is no complete computation.
_IN_VMAP = "inside a vmap"
# The reason of `degenerate` for the first output is cut to this for counting.
_DEGENERATE = ("empty", "no finite value", "mostly not finite", "constant", "zero variance")


@dataclass(frozen=True)
class CutLimits:
    """Limits of running a parent or a piece. Beyond them only shapes are checked.

    - `parent_bytes`: the parent's inputs. `parent_flops`: one run of it.
    - `piece_bytes`: the inputs of a piece that is run on made inputs.
    - `held_bytes`: the copies that are kept at one time for ranges that are still open.
    - `growth`: number of operators by which a range may be widened, so that only tensors cross its borders.
    """

    parent_bytes: int = 2 * 1024**3
    parent_flops: float = 5e10
    piece_bytes: int = 512 * 1024**2
    held_bytes: int = 1024**3
    growth: int = 8


@dataclass(frozen=True)
class Cut:
    """A piece as a `Graph` that has neither name nor provenance yet, and how it was verified."""

    span: Span
    graph: Graph
    verified: Verified
    writes_input: bool = False


Answers = dict[tuple[int, int], Cut | str]


def cut_all(parent: Parent, spans: Sequence[Span], limits: CutLimits = CutLimits()) -> Answers:
    """For each span its piece, or the reason why it gives none.

    A parent that was captured from real tensors and is within the limits is run once, on inputs of the default policy.
    Each piece must give the same values, bit for bit (NaN equals NaN), as the same nodes inside the parent. Where that
    is impossible, shapes and dtypes are compared under fake tensors. In both cases the piece is run as it will be
    stored. A small piece runs on made inputs too. Its outputs must not be constant, and must change with the inputs.
    """
    answers: Answers = {}
    if runnable(parent, limits):
        answers = ParentRun(parent, spans, limits).answers
    for span in spans:
        if (span.start, span.end) not in answers:
            answers[span.start, span.end] = _attempt(lambda span=span: _by_metadata(parent, span, limits))
    return answers


def runnable(parent: Parent, limits: CutLimits) -> bool:
    """Whether the parent's values are known and cheap enough to compute."""
    graph = parent.graph
    real = graph.meta.get("capture_method", "real") in ("real", PUBLISHED)
    return real and graph.nbytes <= limits.parent_bytes and parent.flops <= limits.parent_flops


def _attempt(make: Any) -> Cut | str:
    try:
        cut: Cut = make()
    except ParentUnfit as reason:
        return str(reason)
    except PassNetError:
        return "not in the format"
    except Exception as error:  # noqa: BLE001  operators raise what they like; a piece that does is dropped
        return f"error: {type(error).__name__}"
    return cut


class ParentRun(fx.Interpreter):
    """One run of a parent. It cuts out every span as soon as the span's last operator has run.

    Values are copied only where an operator of an open span works in place, and kept only while spans are open.
    `answers` holds the spans that were reached before an operator of the parent raised, if one did.
    """

    def __init__(self, parent: Parent, spans: Sequence[Span], limits: CutLimits) -> None:
        super().__init__(parent.module)
        self.extra_traceback = False
        self.parent, self.limits = parent, limits
        self.answers: Answers = {}
        self._opening: dict[fx.Node, list[Span]] = {}
        self._closing: dict[fx.Node, list[Span]] = {}
        for span in spans:
            self._opening.setdefault(span.inside[0], []).append(span)
            self._closing.setdefault(span.inside[-1], []).append(span)
        self._open: dict[tuple[int, int], _Inputs] = {}
        # How often each input of the parent had been written to when the run began.
        self._versions: dict[fx.Node, int] = {}
        self._held = 0
        with _quiet_state(_PARENT_SEED):
            try:
                self.run(*parent.graph.inputs(_SEED, limit_bytes=limits.parent_bytes))
            except Exception:  # noqa: BLE001  what made inputs cannot run is judged by shapes alone
                self._open.clear()

    def run_node(self, n: fx.Node) -> Any:
        for span in self._opening.get(n, ()):
            self._begin(span)
        value = super().run_node(n)
        if n.op == "placeholder":
            self._versions[n] = value._version
        for span in self._closing.get(n, ()):
            inputs = self._open.pop((span.start, span.end), None)
            if inputs is not None:
                self._held -= _copied(span, inputs.values)
                live = [value if node is n else self.env[node] for node in span.after]
                self.answers[span.start, span.end] = _attempt(
                    lambda span=span, inputs=inputs, live=live: self._finish(span, inputs, live)
                )
        return value

    def _begin(self, span: Span) -> None:
        values = [self.env[node] for node in span.before]
        if not all(isinstance(value, torch.Tensor) for value in values):
            self.answers[span.start, span.end] = "border is no tensor"
            return
        if self._held + _copied(span, values) > self.limits.held_bytes:
            self.answers[span.start, span.end] = "too much memory held"
            return
        if torch._C._functorch.maybe_current_level():
            self.answers[span.start, span.end] = _IN_VMAP
            return
        self._held += _copied(span, values)
        specs = [self._stored(node, value) for node, value in zip(span.before, values, strict=True)]
        self._open[span.start, span.end] = _Inputs(
            [value.clone() for value in values] if span.writes else values, specs
        )

    def _stored(self, node: fx.Node, value: torch.Tensor) -> TensorSpec | None:
        """The stored spec of an input of the parent, unless something has written to it."""
        return self.parent.spec(node) if self._versions.get(node) == value._version else None

    def _finish(self, span: Span, inputs: _Inputs, expected: Sequence[Any]) -> Cut:
        if not all(isinstance(value, torch.Tensor) for value in expected):
            raise ParentUnfit("border is no tensor")
        if torch._C._functorch.maybe_current_level():
            raise ParentUnfit(_IN_VMAP)
        specs = [
            TensorSpec.from_tensor(node.name, value) if spec is None else spec
            for spec, node, value in zip(inputs.specs, span.before, inputs.values, strict=True)
        ]
        graph = Graph.from_fx(span.module(), tuple(specs), name="piece")
        module = graph.module(propagated=False)
        written = _compare(module, inputs.values, expected, copies=span.writes)
        _require_telling(graph, module, self.limits)
        return Cut(span, graph, "values", written)


@dataclass(frozen=True)
class _Inputs:
    """The values that entered an open span, and the stored specs of those that are inputs of the parent."""

    values: list[torch.Tensor]
    specs: list[TensorSpec | None]


def _copied(span: Span, values: Sequence[torch.Tensor]) -> int:
    """Bytes that are copied for a span: none unless it writes."""
    return sum(value.nbytes for value in values) if span.writes else 0


def _compare(
    module: fx.GraphModule, inputs: Sequence[torch.Tensor], expected: Sequence[torch.Tensor], *, copies: bool
) -> bool:
    """Run the stored piece on the parent's values. True when that changed its inputs. Errors: `ParentUnfit`."""
    given = [value.clone() for value in inputs] if copies else list(inputs)
    found = _run(module, given)
    if not _same(expected, found):
        again = _run(module, [value.clone() for value in inputs], seed=_SEED + 1)
        raise ParentUnfit("other values than in the parent" if _same(found, again) else "not deterministic")
    return copies and not _same(inputs, given)


def _require_telling(graph: Graph, module: fx.GraphModule, limits: CutLimits) -> None:
    """Checks that the outputs on made inputs vary and depend on the inputs. Errors: `ParentUnfit`."""
    if graph.nbytes > limits.piece_bytes:
        return
    made = graph.inputs(_SEED, limit_bytes=limits.piece_bytes)
    other = [disturbed(value) for value in made]
    try:
        outputs = _run(module, made)
    except ParentUnfit:
        raise
    except Exception as error:
        raise ParentUnfit(f"made inputs: {type(error).__name__}") from error
    reason = degenerate(outputs)
    if reason is not None:
        raise ParentUnfit(
            next((f"outputs are {word}" for word in _DEGENERATE if word in reason), "outputs are degenerate")
        )
    try:
        changed = _run(module, other)
    except Exception:  # noqa: BLE001  turned inputs may be invalid (an index of another table); nothing follows from it
        return
    if _same(outputs, changed):
        raise ParentUnfit("outputs do not follow the inputs")


def _by_metadata(parent: Parent, span: Span, limits: CutLimits) -> Cut:
    """The piece checked by shapes: inputs as fake tensors, statistics from what its operators are for."""
    specs = [_metadata(parent, node) for node in span.before]
    graph = with_defaults(Graph.from_fx(span.module(), tuple(specs), name="piece"))
    module = graph.module(propagated=False)
    reached = propagate(module, fake_inputs(graph.specs))
    if not reached.complete:
        raise ParentUnfit("shapes are unknown")
    output = next(node for node in module.graph.nodes if node.op == "output")
    found = fx.map_arg(output.args[0], lambda node: node.meta["val"])
    if [_kind(value) for value in found] != [_kind(node.meta["val"]) for node in span.after]:
        raise ParentUnfit("other shapes than in the parent")
    written = span.writes and bool(graph.mutated_inputs())
    _require_telling(graph, module, limits)
    return Cut(span, graph, "metadata", written)


def _metadata(parent: Parent, node: fx.Node) -> TensorSpec:
    known = parent.spec(node)
    if known is not None:
        return known
    value = node.meta["val"]
    if not all(isinstance(size, int) for size in value.shape):
        raise ParentUnfit("shapes depend on data")
    return spec_of(node.name, value)


def _kind(value: Any) -> tuple[tuple[str, ...], torch.dtype]:
    return tuple(str(size) for size in value.shape), value.dtype


def _run(module: fx.GraphModule, inputs: Sequence[torch.Tensor], *, seed: int = _SEED) -> list[torch.Tensor]:
    """The outputs. Errors: `ParentUnfit` when random numbers were drawn, which no other program could repeat."""
    with _quiet_state(seed):
        before = torch.default_generator.get_state()
        # Called by `forward`, since a call of the module prints the text of one that raises.
        outputs = list(tensors_of(module.forward(*inputs)))
        if not torch.equal(before, torch.default_generator.get_state()):
            raise ParentUnfit("not deterministic")
        return outputs


@contextmanager
def _quiet_state(seed: int = _SEED) -> Iterator[None]:
    """No gradients, no autocast (a parent may have switched it on), fixed random numbers. All are restored
    afterwards.
    """
    with torch.no_grad(), torch.random.fork_rng(devices=[]), restored_state():
        torch.set_autocast_enabled("cpu", False)
        # `torch.manual_seed` seeds every kind of device, which costs more than most pieces.
        torch.default_generator.manual_seed(seed)
        yield


def _same(expected: Sequence[torch.Tensor], found: Sequence[torch.Tensor]) -> bool:
    """Bit-equal values of equal dtypes and shapes, NaN equal to NaN."""
    return difference(expected, found, values=True) is None


def named(cut: Cut, name: str, meta: Mapping[str, object], sources: Mapping[str, object]) -> Graph:
    """The piece with its name, meta data and provenance."""
    return replace(cut.graph, name=name, meta=dict(meta), sources=dict(sources))
