"""Makes the variants of one graph that run on fake tensors: other sizes by the plan, other dtypes by conversion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from passnet.dataset.layout import ORIGINAL
from passnet.dataset.vary.dims import Dims
from passnet.dataset.vary.dtypes import Conversion, Converter, captured_dtype
from passnet.dataset.vary.literals import Edits, LiteralRewrite, rewritten
from passnet.dataset.vary.ranges import Respecifier, counts_beyond, index_uses, limits
from passnet.dataset.vary.replay import (
    Arguments,
    Replay,
    ReplayStopped,
    Values,
    sizes,
    tensors_nbytes,
    with_casts,
    with_literals,
)
from passnet.dataset.vary.shapes import Planner, ShapePlan, targets_of
from passnet.dataset.vary.source_text import SourceText, UnaddressableError
from passnet.dataset.vary.trial import Cost, cost_of
from passnet.graph import Constraints, Graph, TensorSpec, parse_model, tensors_of


@dataclass(frozen=True)
class Variant:
    """A variant that runs on fake tensors, and the cost of a real run (None: only a real run can tell)."""

    graph: Graph
    dtype: str
    index: int
    cost: Cost | None


@dataclass(frozen=True)
class Slot:
    """One set of sizes: shapes of the inputs, literals to change, sizes that inputs index, values of the symbols.

    `values` are all fake values at these sizes. None when fake tensors cannot give them.
    """

    index: int
    shapes: Sequence[tuple[int, ...]]
    edits: Edits
    indexed: Mapping[int, int]
    targets: tuple[int, ...]
    values: Values | None


class Maker:
    """Makes the variants of one graph, inside a session of its replay. `drops` counts those that it could not make."""

    def __init__(
        self, graph: Graph, replay: Replay, dtypes: Sequence[str], shapes: Sequence[tuple[int, int]], max_nbytes: int
    ) -> None:
        self.graph, self.dtypes, self.shapes, self.max_nbytes = graph, dtypes, shapes, max_nbytes
        self.program, self.specs = graph.program, graph.specs
        self.captured = captured_dtype(graph.specs)
        self.drops: Counter[str] = Counter()
        self.replay = replay
        self.uses = index_uses(self.program)
        self.plan: ShapePlan | None = None
        self.base: Slot | None = None
        self._parsed = {graph.source: self.program}
        self._text: SourceText | None = None

    def variants(self) -> Iterator[Variant]:
        """The variants that run, by dtype in the order asked for, then by index."""
        slots = [*self._slots()]
        for dtype in self.dtypes:
            for conversion in self._conversions(dtype, len(slots)):
                for slot in slots:
                    yield from self._variant(conversion, slot)

    def _name(self, stopped: ReplayStopped) -> str:
        return self.program.ops[stopped.number].leaf

    # --- sizes

    def _slots(self) -> Iterator[Slot]:
        try:
            values: Values | None = self.replay.run(self.replay.inputs(self.specs))
        except ReplayStopped as stopped:
            values = None
            self._drop_shapes(f"shape: {self._name(stopped)} does not run on fake tensors", len(self.shapes))
        if values is not None:
            yield from self._other_slots(values)
        targets = tuple(symbol.value for symbol in self.plan.dims.symbols) if self.plan else ()
        shapes = [spec.shape for spec in self.specs]
        self.base = Slot(ORIGINAL, shapes, {}, self._indexed(values) if values else {}, targets, values)
        yield self.base

    def _other_slots(self, values: list[object]) -> Iterator[Slot]:
        vision = self.graph.meta.get("heuristic_tag") == "computer_vision"
        planner = Planner(self.replay, self.specs, values, vision=vision)
        self.plan = planner.plan()
        if self.plan is None:
            reason = planner.reasons[0] if planner.reasons else "no size of an input can vary"
            self._drop_shapes(f"shape: {reason}", len(self.shapes))
            return
        seen = {tuple(symbol.value for symbol in self.plan.dims.symbols): "equal to the original"}
        for index, combination in enumerate(self.shapes):
            targets = targets_of(self.plan, combination)
            if targets in seen:
                self._drop_shapes(f"shape: {seen[targets]}", 1)
                continue
            seen[targets] = "equal to another combination"
            yield from self._slot(planner, self.plan, index, targets)

    def _slot(self, planner: Planner, plan: ShapePlan, index: int, targets: tuple[int, ...]) -> Iterator[Slot]:
        try:
            instance = planner.instance(plan.dims, plan.rules, targets)
        except ReplayStopped as stopped:
            self._drop_shapes(f"shape: {self._name(stopped)} does not run at other sizes", 1)
            return
        beyond = counts_beyond(self.program, lambda index: sizes(instance.values[index]))
        if beyond is not None:
            self._drop_shapes(f"shape: {beyond} would be given positions beyond its table", 1)
            return
        shapes = plan.dims.shapes(self.specs, targets)
        yield Slot(index, shapes, instance.edits, self._indexed(instance.values), targets, instance.values)

    def _indexed(self, values: list[object]) -> Mapping[int, int]:
        return limits(self.uses, lambda index: sizes(values[index]))

    def _drop_shapes(self, reason: str, count: int) -> None:
        """Counts a dropped shape once for every dtype that is not dropped as a whole."""
        dtypes = sum(self._dtype_reason(dtype) is None for dtype in self.dtypes)
        if dtypes:
            self.drops[reason] += count * dtypes

    # --- dtypes

    def _dtype_reason(self, dtype: str) -> str | None:
        """Why the graph has no variants of this dtype at all, as far as its inputs show."""
        if self.captured is None:
            stated = self.graph.meta.get("captured_dtype")
            own = stated if stated in self.dtypes else self.dtypes[0]
            return None if dtype == own else "dtype: no floating input"
        if self.captured not in {dtype, "float32"}:
            return f"dtype: captured as {self.captured}"
        return None

    def _conversions(self, dtype: str, slots: int) -> Iterator[Conversion]:
        """The conversion to a dtype, or none: then everything of it is counted as dropped."""
        reason = self._dtype_reason(dtype)
        if reason is not None:
            self.drops[reason] += len(self.shapes) + 1
            return
        if self.captured in {None, dtype}:
            yield Conversion(dtype, self.specs, LiteralRewrite())
            return
        try:
            conversion = Converter(self.replay, self.specs, dtype).conversion()
        except ReplayStopped as stopped:
            self.drops[f"dtype: {self._name(stopped)} does not run in {dtype}"] += slots
            return
        if all(old.dtype == new.dtype for old, new in zip(self.specs, conversion.specs, strict=True)):
            self.drops["dtype: no input changes"] += slots
            return
        yield conversion

    # --- one variant

    def _variant(self, conversion: Conversion, slot: Slot) -> Iterator[Variant]:
        """The variant of a dtype and sizes, or nothing: then it is counted as dropped."""
        indexed = self.base.indexed if self.base else {}
        specs = Respecifier(conversion.specs, indexed).specs_at(slot.shapes, slot.indexed)
        rewrite = conversion.rewrite.merged(slot.edits)
        try:
            values = self._values(conversion, slot, specs, rewrite)
            source = self._source(rewrite)
        except ReplayStopped as stopped:
            self.drops[f"shape: {self._name(stopped)} does not run at other sizes in {conversion.dtype}"] += 1
            return
        except UnaddressableError:
            self.drops["text: the source cannot be rewritten"] += 1
            return
        reason = self._reason_against(conversion, slot, specs, values)
        if reason is not None:
            self.drops[reason] += 1
            return
        graph = labelled(self.graph, self.plan, conversion, slot, specs=specs, rewrite=rewrite, source=source)
        graph.__dict__["program"] = self._parsed[source]
        cost = None if values is None else cost_of(self.program, values)
        yield Variant(graph, conversion.dtype, slot.index, cost)

    def _values(
        self, conversion: Conversion, slot: Slot, specs: Sequence[TensorSpec], rewrite: LiteralRewrite
    ) -> list[object] | None:
        """All fake values of the variant.  Errors: `ReplayStopped`."""
        if slot.values is None or self.captured in {None, conversion.dtype}:
            return slot.values

        def prepare(number: int, values: list[object]) -> Arguments:
            arguments = with_literals(self.replay.arguments(number, values), rewrite.edits.get(number, {}))
            return with_casts(arguments, rewrite.casts.get(number, {}))

        return self.replay.run(self.replay.inputs(specs), prepare)

    def _source(self, rewrite: LiteralRewrite) -> str:
        """The variant's text, proved to spell the rewritten program.  Errors: `UnaddressableError`."""
        if not rewrite:
            return self.graph.source
        self._text = self._text or SourceText(self.graph.source, self.program)
        source = self._text.rendered(rewrite)
        if source not in self._parsed:
            program = parse_model(source, Path(f"{self.graph.name}/model.py"))
            if program.structure_hash() != rewritten(self.program, rewrite).structure_hash():
                raise UnaddressableError("the text does not spell the rewritten program")
            self._parsed[source] = program
        return source

    def _reason_against(
        self, conversion: Conversion, slot: Slot, specs: Sequence[TensorSpec], values: list[object] | None
    ) -> str | None:
        """Why a variant that runs is not kept: too large (the original may be), or outputs of an odd dtype."""
        if values is None or slot.index == ORIGINAL:
            outputs = 0
        else:
            outputs = tensors_nbytes(self.replay.outputs(values)) + sum(spec.nbytes for spec in specs)
        if outputs > self.max_nbytes:
            return "size: inputs and outputs exceed the limit"
        if values is None or slot.values is None:
            return None
        made, known = (list(tensors_of(self.replay.outputs(each))) for each in (values, slot.values))
        allowed = {torch.float32, getattr(torch, conversion.dtype)}
        odd = [
            new.dtype
            for new, old in zip(made, known, strict=True)
            if new.dtype != old.dtype and not (old.dtype in allowed and new.dtype in allowed)
        ]
        return f"dtype: an output becomes {str(odd[0]).removeprefix('torch.')}" if odd else None


def labelled(
    graph: Graph,
    plan: ShapePlan | None,
    conversion: Conversion,
    slot: Slot,
    *,
    specs: tuple[TensorSpec, ...],
    rewrite: LiteralRewrite,
    source: str,
) -> Graph:
    """The variant as a graph: metadata by the published keys, symbols as constraints."""
    ops = graph.program.ops
    half = bool(conversion.dtype != "float32" and conversion.specs != graph.specs)
    repaired = sorted({f"repair_{ops[number].leaf}" for number, edits in slot.edits.items() if edits})
    meta: dict[str, object] = {
        **graph.meta,
        "dtype": conversion.dtype,
        "shape_index": slot.index,
        "dimension_generalization_passes": repaired,
        "data_type_generalization_passes": [f"dtype_generalization_pass_{conversion.dtype}"] if half else [],
    }
    if half:
        meta["dtype_generalization_target_dtype"] = conversion.dtype
        meta["dtype_generalization_precision"] = conversion.dtype
        meta["dtype_generalization_generated"] = True
        meta["dtype_generalization_changes"] = conversion.changes
    names = graph.meta.get("op_names")
    if rewrite.casts and isinstance(names, list) and len(names) == len(ops):
        casts = rewrite.casts
        meta["op_names"] = [
            name for number, own in enumerate(names) for name in ["Tensor.to"] * len(casts.get(number, ())) + [own]
        ]
    constraints = graph.constraints if plan is None else constraints_of(plan.dims, slot.targets, specs)
    return replace(
        graph, source=source, specs=specs, meta=meta, constraints=constraints, stored_hash=None, input_specs=()
    )


def constraints_of(dims: Dims, targets: Sequence[int], specs: Sequence[TensorSpec]) -> Constraints:
    """The symbols with their values in this variant, and the inputs' shapes in terms of them."""
    names = tuple(f"S{number}" for number in range(len(dims.symbols)))
    shapes = []
    for index, spec in enumerate(specs):
        shape: list[int | str] = list(spec.shape)
        for dim, size in enumerate(spec.shape):
            powers = dims.powers.get((index, dim))
            if powers is not None:
                shape[dim] = _product(names, powers, size, targets)
        shapes.append((spec.name, tuple(shape)))
    return Constraints(names, tuple(zip(names, targets, strict=True)), (), tuple(shapes))


def _product(names: Sequence[str], powers: Sequence[int], size: int, targets: Sequence[int]) -> str:
    """`S0`, `8*S0`, `S0*S1`: the size as a product of symbols."""
    for target, power in zip(targets, powers, strict=True):
        size //= target**power
    factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
    return "*".join([str(size), *factors] if size != 1 else factors)
