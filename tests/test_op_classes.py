"""One table of operator classes: every room's set of such operators is drawn from it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import passnet
from passnet import op_classes
from passnet.op_classes import op_leaf, word_set

SOURCE = Path(passnet.__file__).parent
CLASSES = {name: value for name, value in vars(op_classes).items() if isinstance(value, frozenset)}
# Tables with a fact for each operator, and lists of names that may be called, which are no classes.
FACTS = {"graph/names.py"}
# Classes of a few common names say nothing of a copy: another meaning may hold for the same names.
TELLING = 4


def sets_of_words(path: Path):
    """The word sets and sets of strings that a file writes out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "word_set":
            yield node.lineno, word_set(ast.literal_eval(node.args[0]))
        elif isinstance(node, ast.Set) and all(isinstance(item, ast.Constant) for item in node.elts):
            yield node.lineno, frozenset(item.value for item in node.elts)


def test_no_file_writes_a_class_out_again():
    classes = {name: value for name, value in CLASSES.items() if len(value) >= TELLING}
    copies = [
        f"{path.relative_to(SOURCE)}:{line} writes out {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.name != "op_classes.py" and str(path.relative_to(SOURCE)) not in FACTS
        for line, written in sets_of_words(path)
        for name, value in classes.items()
        if value <= written
    ]
    assert not copies


def test_classes_hold_names_that_graphs_may_call():
    from passnet.graph import names

    known = names.TORCH | names.NN_FUNCTIONAL | names.METHODS
    only_aten = op_classes.ATEN_VIEWS - op_classes.VIEWS
    assert not {(name, word) for name, value in CLASSES.items() for word in value - known - only_aten - {"rms_norm"}}


@pytest.mark.parametrize(
    "dotted", ["torch.nn.functional.conv2d", "torch.conv2d", "conv2d", "torch.ops.aten.conv2d.default"]
)
def test_the_bare_name_of_an_operator(dotted):
    assert op_leaf(dotted) == "conv2d"
