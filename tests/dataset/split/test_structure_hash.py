"""The canonical structure hash of real graphs: blind to names, different after any change of the computation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.dataset.vary.literals import edited, leaves
from passnet.graph import Graph
from passnet.graph.text.program import DeviceConstant, Op, ParsedModel, Ref, TorchConstant, Value
from tests.dataset.generalise_graphs import CAPTURED, TASK_NAMES, real_graphs

GRAPHS = real_graphs()
graphs = st.sampled_from(GRAPHS)
words = st.from_regex(r"[a-z][a-z0-9_]{0,12}_q", fullmatch=True)


class _Renamer(ast.NodeTransformer):
    """Gives every parameter and local another name."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg), node.annotation)


def locals_of(graph: Graph) -> list[str]:
    names = {node.id for node in ast.walk(ast.parse(graph.source)) if isinstance(node, ast.Name)}
    return sorted(name for name in {*names, *graph.program.params} if name.startswith(("in_", "tmp_")))


@given(graphs, st.data())
def test_renaming_variables_changes_nothing(graph: Graph, data: st.DataObject):
    old = locals_of(graph)
    new = data.draw(st.lists(words, min_size=len(old), max_size=len(old), unique=True))
    renamer = _Renamer(dict(zip(old, new, strict=True)))
    source = ast.unparse(ast.fix_missing_locations(renamer.visit(ast.parse(graph.source))))
    renamed = Graph(graph.name, source, tuple(replace(spec, name=renamer.names[spec.name]) for spec in graph.specs))
    assert set(renamed.program.params) == set(new) & set(renamed.program.params)
    assert renamed.structure_hash == graph.structure_hash
    assert renamed.content_hash != graph.content_hash


@given(graphs, st.integers(0, 99))
def test_frees_lines_and_devices_change_nothing(graph: Graph, line: int):
    kept = [text for text in graph.source.splitlines() if not text.endswith("= None")]
    kept.insert(1, "\n" * line)
    text = "\n".join(kept).replace("device(type='cpu')", "device(type='cuda', index=0)")
    assert Graph(graph.name, text, graph.specs).structure_hash == graph.structure_hash


@given(graphs, st.sampled_from(["float16", "bfloat16", "float64"]), st.integers(1, 9))
def test_shapes_and_dtypes_change_nothing(graph: Graph, dtype: str, size: int):
    specs = tuple(replace(spec, dtype=dtype, shape=(size, *spec.shape)) for spec in graph.specs)
    other = replace(graph, specs=specs)
    assert other.structure_hash == graph.structure_hash
    assert other.content_hash != graph.content_hash


def test_different_graphs_have_different_hashes():
    assert len({graph.structure_hash for graph in GRAPHS}) == len(GRAPHS) == len(TASK_NAMES) + len(CAPTURED)


# --- one change


def other_literals(value: Value) -> list[Value]:
    """Values unlike this one, also such as only differ in type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, -value - 1, float(value), str(value), None]
    if isinstance(value, float):
        return [value * 2 + 1, int(value) if value == value and abs(value) < 1e9 else 0]
    if isinstance(value, str):
        return [value + "x"]
    if isinstance(value, TorchConstant):
        return [TorchConstant("int8"), value.name]
    return [7] if value is None else []


def changed(program: ParsedModel, number: int, op: Op) -> ParsedModel:
    return replace(program, ops=(*program.ops[:number], op, *program.ops[number + 1 :]))


def operators(program: ParsedModel) -> Iterator[ParsedModel]:
    """Each operation with another target, or called as a method instead of a function."""
    for number, op in enumerate(program.ops):
        yield changed(program, number, replace(op, target=f"{op.target}_other"))
        yield changed(program, number, replace(op, kind="method" if op.kind == "function" else "function"))


def attributes(program: ParsedModel) -> Iterator[ParsedModel]:
    """Each literal changed, each argument left out or given by a keyword."""
    for number, op in enumerate(program.ops):
        for path, value in leaves(op):
            if not isinstance(value, (Ref, DeviceConstant)):
                for other in other_literals(value):
                    yield changed(program, number, edited(op, {path: other}))
        for place in range(len(op.kwargs)):
            yield changed(program, number, replace(op, kwargs=op.kwargs[:place] + op.kwargs[place + 1 :]))
        yield changed(program, number, replace(op, kwargs=(*op.kwargs, ("extra", 1))))
        if op.args:
            yield changed(program, number, replace(op, args=op.args[:-1]))
            yield changed(program, number, replace(op, args=op.args[:-1], kwargs=(*op.kwargs, ("last", op.args[-1]))))


def edges(program: ParsedModel) -> Iterator[ParsedModel]:
    """Each use of a value made to use another, each output another or missing."""
    count = len(program.params)
    for number, op in enumerate(program.ops):
        for path, value in leaves(op):
            if isinstance(value, Ref):
                for index in range(count + number):
                    if index != value.index:
                        yield changed(program, number, edited(op, {path: Ref(index)}))
    for place, output in enumerate(program.outputs):
        for index in range(count + len(program.ops)):
            if output != Ref(index):
                outputs = (*program.outputs[:place], Ref(index), *program.outputs[place + 1 :])
                yield replace(program, outputs=outputs)
        yield replace(program, outputs=program.outputs[:place] + program.outputs[place + 1 :])


@pytest.mark.parametrize("change", [operators, attributes, edges])
@pytest.mark.parametrize("graph", GRAPHS, ids=[*TASK_NAMES, *CAPTURED])
def test_every_single_change_changes_the_hash(graph: Graph, change):
    own = graph.structure_hash
    variants = list(change(graph.program))
    assert variants
    assert all(one.structure_hash() != own for one in variants)


@given(graphs, st.data())
def test_an_operation_left_out_or_doubled_changes_the_hash(graph: Graph, data: st.DataObject):
    program = graph.program
    number = data.draw(st.integers(0, len(program.ops) - 1))
    less = replace(program, ops=program.ops[:number] + program.ops[number + 1 :])
    more = replace(program, ops=(*program.ops, program.ops[number]))
    extra = replace(program, params=(*program.params, "another"))
    assert graph.structure_hash not in {one.structure_hash() for one in (less, more, extra)}


@given(graphs, st.data())
def test_a_literal_changed_in_the_text_changes_the_hash(graph: Graph, data: st.DataObject):
    """Whole numbers as `model.py` spells them."""
    tree = ast.parse(graph.source)
    numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int]
    if not numbers:
        return
    node = data.draw(st.sampled_from(numbers))
    node.value += data.draw(st.integers(1, 1000))
    assert Graph(graph.name, ast.unparse(tree), graph.specs).structure_hash != graph.structure_hash
