"""Packs the specs of a graph into columns. Parts that variants share are apart from the others.  Lossless, no torch."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any, cast

from passnet.graph import Graph, TensorSpec

# A JSON object with this one key stands for a Python value that JSON lacks: {"$": [kind, content]}.
_TAG = "$"
_SHARED = ("name", "original_name", "class_name", "device")
_OWN = ("mean", "std", "min_val", "max_val", "data")


@dataclass(frozen=True)
class PackedSpecs:
    """The inputs of one graph.  `shared` and `values` are JSON texts. The other fields have one item per input, in
    order.
    """

    shared: str
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[str, ...]
    values: str


def compact(value: object) -> str:
    """JSON in one line of ASCII."""
    return json.dumps(value, separators=(",", ":"))


def encode(value: object) -> object:
    """A Python literal as JSON data from which `decode` makes the same value of the same types."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {_TAG: ["float", repr(value)]}
    if isinstance(value, complex):
        return {_TAG: ["complex", [encode(value.real), encode(value.imag)]]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {_TAG: ["tuple", [encode(item) for item in value]]}
    if isinstance(value, Mapping):
        return {_TAG: ["dict", [[encode(key), encode(item)] for key, item in value.items()]]}
    raise TypeError(f"no literal: {type(value).__name__}")


def decode(value: object) -> object:
    """The inverse of `encode`."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if isinstance(value, dict):
        kind, content = value[_TAG]
        return _DECODERS[kind](content)
    return value


_DECODERS: Mapping[str, Callable[[Any], object]] = {
    "float": float,
    "complex": lambda parts: complex(*(cast("float", decode(part)) for part in parts)),
    "tuple": lambda items: tuple(decode(item) for item in items),
    "dict": lambda pairs: {decode(key): decode(item) for key, item in pairs},
}


def pack(graph: Graph) -> PackedSpecs:
    """The columns of a graph's specs."""
    specs = graph.specs
    shared: dict[str, object] = {"specs": [_shared(spec) for spec in specs]}
    separate = [spec.name for spec in graph.input_specs]
    if separate:
        shared["input_meta"] = separate
    if graph.file_order != tuple(spec.name for spec in specs if spec.name not in set(separate)):
        shared["order"] = list(graph.file_order)
    values = [[_number(spec, name) for name in _OWN] for spec in specs]
    return PackedSpecs(
        shared=intern(compact(shared)),
        shapes=tuple(spec.shape for spec in specs),
        dtypes=tuple(spec.dtype for spec in specs),
        values=compact(values),
    )


def _shared(spec: TensorSpec) -> list[object]:
    tail = [list(spec.fields), encode(dict(spec.extra))] if spec.extra else [list(spec.fields)]
    return [*(getattr(spec, name) for name in _SHARED), *tail]


def _number(spec: TensorSpec, name: str) -> object:
    value = getattr(spec, name)
    return encode(list(value) if name == "data" and value is not None else value)


@dataclass(frozen=True)
class Unpacked:
    """The specs in signature order, the order of `weight_meta.py` (empty: the same), those of `input_meta.py`."""

    specs: tuple[TensorSpec, ...]
    file_order: tuple[str, ...]
    input_specs: tuple[TensorSpec, ...]


def unpack(packed: PackedSpecs) -> Unpacked:
    """The inverse of `pack`.  Errors: `ValueError` when the columns do not fit one another."""
    shared = json.loads(packed.shared)
    rows = zip(shared["specs"], packed.shapes, packed.dtypes, json.loads(packed.values), strict=True)
    specs = tuple(_spec(*row) for row in rows)
    separate = shared.get("input_meta", [])
    by_name = {spec.name: spec for spec in specs}
    default = [spec.name for spec in specs if spec.name not in set(separate)]
    return Unpacked(specs, tuple(shared.get("order", default)), tuple(by_name[name] for name in separate))


def _spec(shared: Sequence[Any], shape: tuple[int, ...], dtype: str, values: Sequence[object]) -> TensorSpec:
    own: dict[str, Any] = {name: decode(value) for name, value in zip(_OWN, values, strict=True)}
    if own["data"] is not None:
        own["data"] = tuple(own["data"])
    extra = decode(shared[5]) if len(shared) > 5 else {}
    known = dict(zip(_SHARED, shared, strict=False))
    return TensorSpec(shape=shape, dtype=dtype, fields=tuple(shared[4]), extra=cast("Any", extra), **known, **own)
