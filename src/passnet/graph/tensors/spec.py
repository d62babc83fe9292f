"""`TensorSpec`: the metadata of one input of a graph, as `weight_meta.py` stores it.  No torch."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from passnet.graph.text.allowed import DTYPE_BYTES

if TYPE_CHECKING:
    import torch

CLASS_PREFIX = "Program_weight_tensor_meta_"
_EXTRACTED_ORDER = ("name", "shape", "dtype", "device", "mean", "std", "min_val", "max_val", "data")
_REWRITTEN_ORDER = (
    "name", "original_name", "shape", "dtype", "device", "mean", "std", "data", "max_val", "min_val",
)  # fmt: skip
_STAT_DECIMALS, _DATA_DECIMALS = 3, 6
_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
_INTEGERS = frozenset(name for name in DTYPE_BYTES if name.startswith(("int", "uint")))

Number = int | float | complex


@dataclass(frozen=True, eq=False)
class TensorSpec:
    """One forward parameter: its shape, its dtype and the metadata of its values.

    - `dtype`: the short name ("float32").
    - `device`: the device in the file. It is ignored when inputs are built.
    - `mean`, `std`: None for integers and booleans.
    - `data`: the flat literal content.
    - `min_val`, `max_val`: bounds of the values, both inclusive.
    - `extra`: unknown fields.
    - `fields`: the order of the fields in the file (empty: the extractor's order).
    - `class_name`: the class in the file.

    Two specs are equal when they are written alike.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    device: str = "cpu"
    mean: float | None = None
    std: float | None = None
    min_val: int | float | None = None
    max_val: int | float | None = None
    data: tuple[Number, ...] | None = None
    original_name: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    class_name: str | None = None

    @property
    def numel(self) -> int:
        """Number of elements (1 for a 0-d tensor)."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of the tensor when allocated."""
        return self.numel * DTYPE_BYTES[self.dtype]

    @property
    def is_integer(self) -> bool:
        """An integer dtype (bool is not one)."""
        return self.dtype in _INTEGERS

    @property
    def is_floating(self) -> bool:
        """A real floating-point dtype."""
        return self.dtype.startswith(("float", "bfloat"))

    @property
    def is_complex(self) -> bool:
        """A complex dtype."""
        return self.dtype.startswith("complex")

    @property
    def is_inexact(self) -> bool:
        """A floating-point dtype, or a complex one: such an input is drawn as pairs of floats."""
        return self.is_floating or self.is_complex

    @property
    def part_dtype(self) -> str:
        """The dtype of its numbers, or of the two parts of a complex one."""
        return _PARTS.get(self.dtype, self.dtype)

    @property
    def scalar(self) -> Number | None:
        """The value of a 0-d tensor where it is known: its content, else its mean (one number has no spread)."""
        if self.shape != ():
            return None
        if self.data is not None:
            return self.data[0]
        known = self.is_floating and self.mean is not None and math.isfinite(self.mean) and not (self.std or 0.0) > 0
        return self.mean if known else None

    def has(self, name: str) -> bool:
        """Whether the file states this field (possibly as None).  A spec made in memory states each field that is not
        None.
        """
        return name in self.fields if self.fields else getattr(self, name) is not None

    def text(self) -> str:
        """The class that stores this spec in `weight_meta.py`, in the published form."""
        stem = self.class_name or CLASS_PREFIX + (self.original_name or self.name)
        lines = [f"class {stem}:"]
        lines += [f"    {name} = {self._field_text(name)}" for name in self.fields or self._default_fields()]
        return "\n".join(lines) + "\n"

    def _default_fields(self) -> tuple[str, ...]:
        order = _EXTRACTED_ORDER if self.original_name is None else _REWRITTEN_ORDER
        always = {"name", "shape", "dtype", "device", "mean", "std"}
        known = tuple(name for name in order if name in always or getattr(self, name) is not None)
        return known + tuple(self.extra)

    def _field_text(self, name: str) -> str:
        if name in self.extra:
            return value_text(self.extra[name])
        value = getattr(self, name)
        if name == "dtype":
            return f'"torch.{value}"'
        if name == "shape":
            return value_text(list(value))
        if name == "data" and value is not None:
            return "[" + ", ".join(value_text(item, _DATA_DECIMALS) for item in value) + "]"
        return value_text(value, _STAT_DECIMALS if name in {"mean", "std"} else None)

    def behaviour(self) -> tuple[object, ...]:
        """The fields that change the values of the input. Device, former name and class name do not change them."""
        texts = (self._field_text(name) for name in ("mean", "std", "min_val", "max_val", "data"))
        return (self.name, self.shape, self.dtype, *texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash((self.name, self.shape, self.dtype))

    @classmethod
    def from_tensor(cls, name: str, tensor: torch.Tensor) -> TensorSpec:
        """The spec of a real tensor by the extractor's rule (see `measure`)."""
        from passnet.graph.tensors.measure import measure

        return measure(name, tensor)


def value_text(value: object, decimals: int | None = None) -> str:
    """A literal as the metadata files spell it. Fixed decimals are used only where they lose nothing."""
    if isinstance(value, float):
        return _float_text(value, decimals)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(value_text(item) + ", " for item in value).rstrip() + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items()) + "}"
    return repr(value)


def _float_text(value: float, decimals: int | None) -> str:
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    if decimals is None:
        return repr(value)
    fixed = f"{value:.{decimals}f}"
    return fixed if float(fixed) == value else repr(value)
