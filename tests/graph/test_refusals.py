"""What is not straight-line tensor code is refused, with file, line and name; nothing of it is ever run."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from passnet.errors import UsageError
from passnet.graph import Graph, GraphError, parse_model
from passnet.graph.text.allowed import FUNCTIONS, METHODS, TORCH_CONSTANTS, canonical_target, function_allowed
from passnet.graph.text.build import resolve
from tests.graph.graph_helpers import graph_of, model_text, spec

PATH = Path("model.py")

# One statement each, placed on line 6, and the words that the error must carry.
STATEMENTS = [
    ("a = torch.load('x.pt')", "torch.load"),
    ("a = torch.save(in_0, 'x.pt')", "torch.save"),
    ("a = torch.compile(in_0)", "torch.compile"),
    ("a = torch.hub.load('x', 'y')", "torch.hub"),
    ("a = torch.from_file('x')", "torch.from_file"),
    ("a = torch.frombuffer(in_0)", "torch.frombuffer"),
    ("a = torch.utils.cpp_extension.load('x')", "torch.utils"),
    ("a = torch.ops.aten.from_file('x')", "from_file"),
    ("a = torch.ops.aten.save(in_0, 'x')", "aten.save"),
    ("a = torch.ops.aten.add.__class__(in_0)", "__class__"),
    ("a = torch.ops.load_library('x.so')", "load_library"),
    ("a = torch.ops.higher_order.cond(in_0)", "sub-graphs"),
    ("a = torch.set_num_threads(8)", "set_num_threads"),
    ("a = torch.manual_seed(0)", "manual_seed"),
    ("a = torch.nn.Linear(2, 2)", "torch.nn.Linear"),
    ("a = torch.serialization.load('x')", "torch.serialization"),
    ("a = torch.os.system('true')", "torch.os.system"),
    ("a = torch.__builtins__['exec']('1')", "call"),
    ("a = os.system('true')", "os.system"),
    ("a = __import__('os')", "__import__"),
    ("a = eval('1')", "eval"),
    ("a = open('x')", "open"),
    ("a = getattr(in_0, 'shape')", "getattr"),
    ("a = in_0.numpy()", "numpy"),
    ("a = in_0.__reduce__()", "__reduce__"),
    ("a = in_0.__class__", "__class__"),
    ("a = in_0.grad_fn", "grad_fn"),
    ("a = in_0.apply_(in_0)", "apply_"),
    ("a = in_0.register_hook(in_0)", "register_hook"),
    ("a = self.weight", "self"),
    ("a = (lambda: in_0)()", "refused"),
    ("a = [x for x in in_0]", "not an argument"),
    ("a = torch.relu(torch.relu(in_0))", "one operation per statement"),
    ("a = torch.add(in_0 + 1, 2)", "one operation per statement"),
    ("a = torch.relu(*in_0)", "starred"),
    ("a = torch.relu(**in_0)", "starred"),
    ("a = torch.sparse_coo_tensor(in_0, in_0, check_invariants=False)", "checked"),
    ("a = f'{in_0}'", "not an argument"),
    ("a = b'bytes'", "bytes"),
    ("a = in_0 if in_0 else in_0", "not an argument"),
    ("a = 0 < in_0 < 1", "comparison"),
    ("a = in_0 in in_0", "comparison"),
    ("a = missing + 1", "missing"),
    ("a = b = in_0", "several targets"),
    ("a, b = in_0", "target"),
    ("in_0.data = in_0", "target"),
    ("torch = in_0", "rebound"),
    ("if in_0: pass", "statement refused"),
    ("for a in in_0: pass", "statement refused"),
    ("with in_0: pass", "statement refused"),
    ("import os", "statement refused"),
    ("def f(): pass", "statement refused"),
    ("return in_0", "statement refused"),
    ("in_0", "statement refused"),
    ("a: int = in_0", "annotated"),
    ("a = device(type='rm -rf')", "device"),
    ("a = in_0.to(device(type='cuda', index='0'))", "device"),
    ("a = in_0[slice(1, 2, 3, 4)]", "slice"),
    ("a = torch.float99", "float99"),
    ("a = [in_0, in_0]", "container"),
    ("a = slice(0, 1)", "container"),
    ("a = 2 ** 10000000000", "constants alone"),
    ("a = (1, 2)[0]", "constants alone"),
    ("a = " + "(" * 60 + "in_0" + ",)" * 60, "nest"),
    ("a = in_0[" + "[" * 60 + "]" * 60 + "]", "nest"),
]


@pytest.mark.parametrize(("statement", "word"), STATEMENTS, ids=[s[:40] for s, _ in STATEMENTS])
def test_statement_is_refused_with_line_and_name(statement: str, word: str) -> None:
    text = model_text(["in_0"], [statement, "return (in_0,)"])
    with pytest.raises(GraphError) as caught:
        parse_model(text, PATH)
    message = str(caught.value)
    assert message.startswith("model.py, line 6")
    assert word in message


# Where the parser gives up differs from Python to Python; how it is said does not.
TOO_MUCH = ("not valid Python: ", "cannot be parsed: MemoryError", "cannot be parsed: maximum recursion depth")
GOOD = model_text(["in_0"], ["a = torch.relu(in_0)", "return (a,)"])
FILES = [
    (GOOD.replace("import torch", "import torch\nimport os"), "import os"),
    (GOOD.replace("import torch", "import torch as t"), "torch as t"),
    (GOOD.replace("import torch", "from torch import load"), "load"),
    (GOOD.replace("import torch", "from . import torch"), "torch"),
    (GOOD.replace("import torch", "import torch\nprint(1)"), "print"),
    (GOOD.replace("import torch", "import torch\nx = 1"), "x = 1"),
    (GOOD + "\n\nGraphModule()", "GraphModule()"),
    (GOOD + "\n\nclass B(torch.nn.Module):\n    pass", "one class"),
    (GOOD.replace("torch.nn.Module", "object"), "class refused"),
    (GOOD.replace("(torch.nn.Module)", "(torch.nn.Module, metaclass=type)"), "class refused"),
    (GOOD.replace("class", "@torch.compile\nclass"), "class refused"),
    (GOOD.replace("    def forward", "    x = print(1)\n\n    def forward"), "class body"),
    (GOOD.replace("    def forward", "    def __init__(self):\n        pass\n\n    def forward"), "__init__"),
    (GOOD.replace("forward", "backward"), "forward"),
    (GOOD.replace("def forward", "async def forward"), "class body"),
    (GOOD.replace("    def forward", "    @torch.compile\n    def forward"), "signature"),
    (GOOD.replace("self, in_0", "self, in_0=1"), "signature"),
    (GOOD.replace("self, in_0", "self, *in_0"), "signature"),
    (GOOD.replace("self, in_0", "in_0, self"), "signature"),
    (GOOD.replace("self, in_0", "self, in_0, in_0"), "share a name"),
    (GOOD.replace("self, in_0", "self, in_0: exec('1')"), "annotation"),
    (GOOD.replace("self, in_0", "self, in_0: torch.load"), "annotation"),
    (GOOD.replace("return (a,)", "a = None"), "return"),
    (GOOD.replace("return (a,)", "return"), "return"),
    (GOOD.replace("return (a,)", "return (a + 1,)"), "one operation per statement"),
    (GOOD.replace("a = torch.relu(in_0)", "in_0 = None\n        a = torch.relu(in_0)"), "freed on line 6"),
    ("", "one class"),
    ("(" * 5000, TOO_MUCH),
    ("-" * 200_000 + "1", TOO_MUCH),
    ("x = " + "+".join(["1"] * 100_000), TOO_MUCH),
    ("x = " + "a" + ".b" * 100_000, TOO_MUCH),
    ("x = 1" + "0" * 10_000, TOO_MUCH),
]


@pytest.mark.parametrize(("text", "word"), FILES, ids=range(len(FILES)))
def test_file_is_refused(text: str, word: str | tuple[str, ...]) -> None:
    with pytest.raises(GraphError) as caught:
        parse_model(text, PATH)
    assert any(each in str(caught.value) for each in ((word,) if isinstance(word, str) else word)), caught.value
    assert "model.py" in str(caught.value)
    assert len(str(caught.value)) < 2000


def test_the_good_file_of_these_tests_is_good() -> None:
    assert len(parse_model(GOOD, PATH).ops) == 1


def test_reading_runs_nothing(make: Callable[..., Path], tmp_path: Path) -> None:
    bait = tmp_path / "bait"
    text = GOOD.replace("import torch", f"import torch\nopen({str(bait)!r}, 'w')")
    weights = f"open({str(bait)!r}, 'w')\n" + spec("in_0", 1).text()
    for number, (source, meta) in enumerate([(text, spec("in_0", 1).text()), (GOOD, weights)]):
        with pytest.raises(GraphError):
            Graph.read(make(source, meta, name=f"g{number}"))
    assert not bait.exists()


def test_files_are_bounded(make: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(GOOD, [spec("in_0", 1)])
    (path / "weight_meta.py").write_bytes(b"#" * (17 * 1024 * 1024))
    with pytest.raises(GraphError, match="too large"):
        Graph.read(path)
    (path / "weight_meta.py").write_bytes(b"\xff\xfe")
    with pytest.raises(GraphError, match="UTF-8"):
        Graph.read(path)
    (path / "weight_meta.py").write_bytes(b"\x00")
    with pytest.raises(GraphError, match="NUL"):
        Graph.read(path)


def test_a_directory_in_place_of_a_file_is_refused(make: Callable[..., Path]) -> None:
    path = make(GOOD, [spec("in_0", 1)])
    (path / "weight_meta.py").unlink()
    (path / "weight_meta.py").mkdir()
    with pytest.raises(GraphError, match="plain file"):
        Graph.read(path)


def test_every_allowed_function_is_a_plain_callable_of_this_torch() -> None:
    found = 0
    for namespace, leaves in FUNCTIONS.items():
        module = operator.attrgetter(namespace.removeprefix("torch."))(torch) if namespace != "torch" else torch
        for leaf in leaves if namespace != "torch.ops.aten" else ():
            if hasattr(module, leaf):  # what is missing belongs to another torch version
                assert callable(resolve(f"{namespace}.{leaf}"))
                found += 1
    assert found > 1000


def test_canonical_names_are_the_same_object() -> None:
    merged = 0
    for namespace, leaves in FUNCTIONS.items():
        for leaf in leaves:
            name = f"{namespace}.{leaf}"
            if canonical_target(name) != name:
                assert resolve(name) is resolve(canonical_target(name)), name
                merged += 1
    assert merged > 100


def test_dangerous_members_are_in_no_table() -> None:
    names = [
        "load",
        "save",
        "from_file",
        "frombuffer",
        "from_numpy",
        "compile",
        "manual_seed",
        "set_default_device",
        "import_ir_module",
    ]
    assert not any(function_allowed(f"torch.{name}") or function_allowed(f"torch.ops.aten.{name}") for name in names)
    methods = (
        "numpy tolist __reduce__ __reduce_ex__ __setstate__ __class__ data_ptr apply_ map_ register_hook storage set_"
    )
    assert not METHODS & set(methods.split())
    assert all(hasattr(torch, name) for name in TORCH_CONSTANTS)


def test_unknown_function_of_another_torch_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of([spec("in_0", 2)], "a = torch.relu(in_0)", "return (a,)")
    monkeypatch.delattr(torch, "relu")
    with pytest.raises(UsageError, match=r"line 6.*torch.relu does not exist"):
        graph.module()


@pytest.mark.parametrize("rows", [(0, 1, 2), (0, 1 << 36, 2)], ids=["inside", "outside"])
def test_a_sparse_tensor_cannot_point_outside_its_memory(rows: tuple[int, ...]) -> None:
    """Unchecked, torch reads wherever the rows point, in the process of whoever inspects the graph."""
    graph = graph_of(
        [spec("v", 2), spec("r", 3, dtype="int64", data=rows), spec("c", 2, dtype="int64", data=(0, 1))],
        "a = torch.sparse_csr_tensor(r, c, v, size = (2, 2))",
        "out = a.to_dense()",
        "return (out,)",
    )
    module = graph.module(propagated=False)
    if rows[1] == 1:
        assert tuple(module(*graph.inputs(0))[0].shape) == (2, 2)
    else:
        with pytest.raises(RuntimeError, match="not satisfied"):
            module(*graph.inputs(0))
