"""Reads `weight_meta.py` and `input_meta.py`. They hold one class of literals per tensor and are never executed."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from passnet.graph.errors import GraphError
from passnet.graph.tensors.spec import Number, TensorSpec
from passnet.graph.text.allowed import DTYPE_ALIASES, DTYPE_BYTES, MAX_DIMENSIONS
from passnet.graph.text.literals import literal, parse_python, snippet

MAX_ELEMENTS = 2**48
_KNOWN = frozenset({"name", "original_name", "shape", "dtype", "device", "mean", "std", "min_val", "max_val", "data"})
_REQUIRED = ("name", "shape", "dtype")


def read_specs(text: str, path: Path) -> tuple[TensorSpec, ...]:
    """The specs of a metadata file in file order.  An empty file gives none.

    Errors: `GraphError` naming the file, line and field.
    """
    specs = []
    for node in parse_python(text, path).body:
        if not isinstance(node, ast.ClassDef) or node.bases or node.keywords or node.decorator_list:
            raise GraphError(
                "statement refused", path=path, field=f"line {node.lineno}", expected="classes of literal fields",
                found=snippet(node),
            )  # fmt: skip
        specs.append(_spec(node, path))
    _refuse_duplicates([spec.name for spec in specs], path)
    return tuple(specs)


def write_specs(specs: Iterable[TensorSpec]) -> str:
    """The text of a metadata file. Reading it gives equal specs."""
    return "\n\n".join(spec.text() for spec in specs)


def _refuse_duplicates(names: Sequence[str], path: Path) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise GraphError("two classes describe one tensor", path=path, field=f"name = {name!r}")
        seen.add(name)


def _spec(cls: ast.ClassDef, path: Path) -> TensorSpec:
    values: dict[str, object] = {}
    for node in cls.body:
        if isinstance(node, ast.Pass):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            raise GraphError(
                "statement refused", path=path, field=f"line {node.lineno}, {cls.name}", expected="field = literal",
                found=snippet(node),
            )  # fmt: skip
        values[target.id] = literal(node.value, path, f"{cls.name}.{target.id}")
    return _Checker(path, cls, values).spec()


class _Checker:
    """Checks the fields of one class and makes its spec."""

    def __init__(self, path: Path, cls: ast.ClassDef, values: dict[str, object]) -> None:
        self.path, self.cls, self.values = path, cls, values

    def bad(self, field: str, expected: str, found: object = None) -> GraphError:
        place = f"line {self.cls.lineno}, {self.cls.name}.{field}"
        shown = repr(self.values.get(field)) if found is None else str(found)
        return GraphError(
            "bad field", path=self.path, field=place, expected=expected,
            found=shown if len(shown) <= 80 else shown[:77] + "...",
        )  # fmt: skip

    def spec(self) -> TensorSpec:
        for field in _REQUIRED:
            if field not in self.values:
                raise self.bad(field, "the field to be present", "none")
        shape, dtype = self.shape(), self.dtype()
        low, high = self.bound("min_val", dtype), self.bound("max_val", dtype)
        if low is not None and high is not None and low > high:
            raise self.bad("max_val", f"at least min_val = {low}")
        return TensorSpec(
            name=self.identifier("name"),
            original_name=self.identifier("original_name") if self.values.get("original_name") is not None else None,
            shape=shape,
            dtype=dtype,
            device=self.device(),
            mean=self.statistic("mean"),
            std=self.statistic("std"),
            min_val=low,
            max_val=high,
            data=self.data(math.prod(shape), dtype),
            extra={key: value for key, value in self.values.items() if key not in _KNOWN},
            fields=tuple(self.values),
            class_name=self.cls.name,
        )

    def identifier(self, field: str) -> str:
        value = self.values[field]
        if not isinstance(value, str) or not value.isidentifier():
            raise self.bad(field, "an identifier in quotes")
        return value

    def device(self) -> str:
        value = self.values.get("device", "cpu")
        if not isinstance(value, str):
            raise self.bad("device", 'a device in quotes such as "cuda:0"')
        return value

    def shape(self) -> tuple[int, ...]:
        value = self.values["shape"]
        if not isinstance(value, (list, tuple)) or not all(type(d) is int and d >= 0 for d in value):
            raise self.bad("shape", "a list of non-negative integers")
        if len(value) > MAX_DIMENSIONS or math.prod(d or 1 for d in value) > MAX_ELEMENTS:
            expected = f"at most {MAX_DIMENSIONS} dimensions and {MAX_ELEMENTS} elements; 0 counts as 1"
            raise self.bad("shape", expected)
        return tuple(cast("list[int]", value))

    def dtype(self) -> str:
        value = self.values["dtype"]
        short = value.removeprefix("torch.") if isinstance(value, str) else ""
        short = DTYPE_ALIASES.get(short, short)
        if short not in DTYPE_BYTES:
            raise self.bad("dtype", 'a torch dtype such as "torch.float32"')
        return short

    def statistic(self, field: str) -> float | None:
        value = self.values.get(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.bad(field, "a number, float('nan') or None")
        if field == "std" and value < 0:
            raise self.bad(field, "a non-negative number")
        try:
            return float(value)
        except OverflowError:
            raise self.bad(field, "a number that a float can hold") from None

    def bound(self, field: str, dtype: str) -> int | float | None:
        value = self.values.get(field)
        if value is None:
            return None
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            raise self.bad(field, "a finite number or None")
        if dtype.startswith(("int", "uint")):
            if int(value) != value:
                raise self.bad(field, "an integer")
            return int(self.in_range(field, (int(value),), dtype)[0])
        return value

    def in_range(self, field: str, values: tuple[int, ...], dtype: str) -> tuple[int, ...]:
        """The integers, if the dtype can hold them."""
        bits = 8 * DTYPE_BYTES[dtype]
        low, high = (0, 2**bits - 1) if dtype.startswith("uint") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if values and not low <= min(values) <= max(values) <= high:
            raise self.bad(field, f"integers that {dtype} can hold", f"{min(values)} to {max(values)}")
        return values

    def data(self, numel: int, dtype: str) -> tuple[Number, ...] | None:
        value = self.values.get("data")
        if value is None:
            return None
        kinds = (int,) if dtype.startswith(("int", "uint")) or dtype == "bool" else (int, float)
        if dtype.startswith("complex"):
            kinds = (int, float, complex)  # type: ignore[assignment]
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, kinds) for item in value):
            raise self.bad("data", f"a flat list of {dtype} literals")
        if len(value) != numel:
            raise self.bad("data", f"{numel} values, as many as the shape holds", len(value))
        if dtype.startswith(("int", "uint")):
            return self.in_range("data", tuple(int(item) for item in value), dtype)
        return tuple(cast("list[Number]", value))
