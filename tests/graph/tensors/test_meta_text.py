"""Metadata files: reading, refusing, writing back, and the record of a real tensor."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.graph import Constraints, GraphError, TensorSpec
from passnet.graph.tensors.constraints import read_constraints
from passnet.graph.tensors.meta_text import read_specs, write_specs
from passnet.graph.text.allowed import DTYPE_BYTES
from tests.graph.graph_helpers import spec

PATH = Path("weight_meta.py")
IDENTIFIERS = (
    st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,12}", fullmatch=True)
    .filter(str.isidentifier)
    .filter(lambda s: s not in {"None", "True", "False"})
)
FLOATS = st.floats(allow_nan=True, allow_infinity=False, width=32)
LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | FLOATS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@st.composite
def specs(draw: st.DrawFn) -> TensorSpec:
    dtype = draw(st.sampled_from(["float32", "float16", "bfloat16", "float64", "int64", "int8", "bool"]))
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    low = draw(st.none() | st.integers(-8, 8))
    element = {"bool": st.booleans(), "int64": st.integers(-(2**60), 2**60), "int8": st.integers(-128, 127)}.get(
        dtype, FLOATS
    )
    numel = math.prod(shape)
    return TensorSpec(
        name=draw(IDENTIFIERS),
        original_name=draw(st.none() | IDENTIFIERS),
        shape=shape,
        dtype=dtype,
        device=draw(st.sampled_from(["cpu", "cuda:0"])),
        mean=draw(st.none() | FLOATS),
        std=draw(st.none() | st.just(math.nan) | st.floats(0, 1e9, width=32)),
        min_val=low,
        max_val=draw(st.none() | st.integers(8, 20)),
        data=tuple(draw(st.lists(element, min_size=numel, max_size=numel))) if draw(st.booleans()) else None,
        extra={f"x_{k}": v for k, v in draw(st.dictionaries(IDENTIFIERS, LITERALS, max_size=2)).items()},
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(specs(), max_size=4, unique_by=lambda s: s.name))
def test_specs_round_trip(written: list[TensorSpec]) -> None:
    text = write_specs(written)
    read = read_specs(text, PATH)
    assert write_specs(read) == text
    assert [s.behaviour() for s in read] == [s.behaviour() for s in written]
    assert read_specs(write_specs(read), PATH) == read
    assert [(s.device, s.original_name) for s in read] == [(s.device, s.original_name) for s in written]
    assert [set(s.extra) for s in read] == [set(s.extra) for s in written]


def test_name_comes_from_the_field_and_fields_keep_their_order() -> None:
    text = (
        'class Whatever:\n\tname = "a"\n\tstd = 0.0\n\tshape = []\n\tdtype = "torch.long"\n\tnote = [1, {"k": (2,)}]\n'
    )
    (found,) = read_specs(text, PATH)
    assert (found.name, found.class_name, found.dtype, found.numel, found.nbytes) == ("a", "Whatever", "int64", 1, 8)
    assert found.fields == ("name", "std", "shape", "dtype", "note")
    assert found.extra == {"note": [1, {"k": (2,)}]}
    assert found.text().splitlines()[-1] == '    note = [1, {"k": (2,)}]'


def test_published_spelling_of_numbers() -> None:
    one = TensorSpec("a", (2,), "float32", "cpu", -0.0, math.nan, data=(1e-12, 0.5), original_name="b")
    assert one.text().splitlines() == [
        "class Program_weight_tensor_meta_b:",
        '    name = "a"',
        '    original_name = "b"',
        "    shape = [2]",
        '    dtype = "torch.float32"',
        '    device = "cpu"',
        "    mean = -0.000",
        '    std = float("nan")',
        "    data = [1e-12, 0.500000]",
    ]


def field(**changed: str) -> str:
    fields = {"name": '"a"', "shape": "[2]", "dtype": '"torch.int64"'} | changed
    return "class A:\n" + "".join(f"    {k} = {v}\n" for k, v in fields.items() if v)


MALFORMED = [
    (field(name=""), "name"),
    (field(name="3"), "name"),
    (field(name='"a b"'), "name"),
    (field(shape=""), "shape"),
    (field(shape="[-1]"), "shape"),
    (field(shape="[True]"), "shape"),
    (field(shape="[2.0]"), "shape"),
    (field(shape="2"), "shape"),
    (field(shape=f"{[1] * 65}"), "shape"),
    (field(shape="[2**3]"), "shape"),
    (field(shape=f"[{2**40}, {2**40}]"), "shape"),
    (field(dtype='"torch.float33"'), "dtype"),
    (field(dtype="torch.float32"), "dtype"),
    (field(device="0"), "device"),
    (field(mean='"x"'), "mean"),
    (field(mean=f"{2**1024 - 1}"), "line 5: an integer has 1024 bits"),
    (field(mean="0x1" + "0" * 6000), "line 5: an integer has 24001 bits"),
    (field(std="-1.0"), "std"),
    (field(data="[1]"), "data"),
    (field(data="[1, 2, 3]"), "data"),
    (field(data="[1.5, 2]"), "data"),
    (field(data="[[1, 2]]"), "data"),
    (field(data='"x"'), "data"),
    (field(data=f"[1, {2**63}]"), "data"),
    (field(min_val="5", max_val="4"), "max_val"),
    (field(min_val='float("nan")'), "min_val"),
    (field(min_val=f"{-(2**63) - 1}"), "min_val"),
    (field(min_val="0.5"), "min_val"),
    (field(note="open('x')"), "note"),
    (field(note="__import__('os')"), "note"),
    (field(note="[" * 90 + "]" * 90), "note"),
    (field(note="f'{1}'"), "note"),
    (field(note="{[]: 1}"), "note"),
    ("class A:\n    def f(self): pass\n", "field = literal"),
    ("class A(object):\n    name = 'a'\n", "classes of literal fields"),
    ("import os\n", "import os"),
    ("class A:\n    name = 'a\n", "Python"),
]


@pytest.mark.parametrize(("text", "word"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_metadata_names_file_and_field(text: str, word: str) -> None:
    with pytest.raises(GraphError) as caught:
        read_specs(text, PATH)
    assert "weight_meta.py" in str(caught.value)
    assert word in str(caught.value)


def test_measure_follows_the_extractor() -> None:
    torch.manual_seed(0)
    small = TensorSpec.from_tensor("a", torch.tensor([1e-12, 0.25]))
    assert small.data == pytest.approx((1e-12, 0.25))
    large = TensorSpec.from_tensor("b", torch.randn(100))
    assert large.data is None
    assert large.std == pytest.approx(1, abs=0.2)
    ranged = TensorSpec.from_tensor("c", torch.arange(-3, 97))
    assert (ranged.min_val, ranged.max_val, ranged.mean, ranged.data) == (-3, 96, None, None)
    mask = TensorSpec.from_tensor("d", torch.tensor([True, False]))
    assert (mask.data, mask.mean) == ((True, False), None)
    one = TensorSpec.from_tensor("e", torch.tensor(0.5, dtype=torch.bfloat16))
    assert (one.shape, one.dtype, one.data) == ((), "bfloat16", (0.5,))
    assert math.isnan(one.std or 0)
    for made in (small, large, ranged, mask, one):
        assert read_specs(made.text(), PATH) == (made,)


@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_bytes_of_every_dtype_agree_with_torch() -> None:
    for name, size in DTYPE_BYTES.items():
        assert torch.empty(0, dtype=getattr(torch, name)).element_size() == size
        assert spec("a", 3, 5, dtype=name).nbytes == 15 * size


CONSTRAINTS = """from sympy import Symbol

S0 = Symbol("S0")
S1 = Symbol("S1")

dynamic_dim_constraint_symbols = [S0, S1]

dynamic_dim_constraint_symbol2example_value = {S0: 1, S1: 224}

dynamic_dim_constraint_relations = [Eq(S0, 2 * S1)]

dynamic_dim_constraint_input_shapes = [
    ([1536], "b"),
    ([S0, 3, S1 + 1], "a"),
]
"""


def test_constraints_round_trip() -> None:
    found = read_constraints(CONSTRAINTS, PATH)
    assert found == Constraints(
        ("S0", "S1"), (("S0", 1), ("S1", 224)), ("Eq(S0, 2 * S1)",), (("b", (1536,)), ("a", ("S0", 3, "S1 + 1")))
    )
    assert read_constraints(found.text(), PATH) == found
    assert read_constraints("", PATH) is None
    assert read_constraints("# nothing\n", PATH) is None


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from os import system",
        "x = system('true')",
        "dynamic_dim_constraint_symbols = 3",
        "dynamic_dim_constraint_symbol2example_value = {S0: 'x'}",
        "dynamic_dim_constraint_symbol2example_value = [1]",
        "dynamic_dim_constraint_input_shapes = [([1], 2)]",
        "dynamic_dim_constraint_input_shapes = [[1]]",
        "dynamic_dim_constraint_input_shapes = [(",
    ],
)
def test_malformed_constraints_are_refused(text: str) -> None:
    with pytest.raises(GraphError, match=r"weight_meta\.py, line 1"):
        read_constraints(text, PATH)


@pytest.mark.parametrize("shape", [[0, 2**62, 2**62], [0, 2**70, 4], [2**49, 0]])
def test_a_shape_without_elements_is_bounded_too(shape: list[int]) -> None:
    """Its strides are products of the other sizes."""
    text = write_specs([spec("x", 0, 4, 4)])
    assert read_specs(text, PATH)[0].shape == (0, 4, 4)
    with pytest.raises(GraphError, match="0 counts as 1"):
        read_specs(text.replace("[0, 4, 4]", str(shape)), PATH)
