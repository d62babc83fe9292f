"""Memory that a pass keeps is found wherever its modules hold it; kernels, plans and constants are none."""

import ctypes
import sys
import types

import pytest
import torch

from passnet.rewrite import load_rules
from passnet.rewrite.rules.kept_memory import held_memory, pass_modules

HEAD = "import functools, dataclasses, ctypes, array\nimport numpy\nimport torch\n"

KEPT = {
    "module_tensor": "X = torch.zeros(4)",
    "scalar_tensor": "X = torch.zeros(())",
    "view": "X = torch.zeros(4)[1:2]",
    "parameter": "X = torch.nn.Parameter(torch.zeros(4))",
    "list": "X = [None]\nX[0] = torch.empty(4)",
    "tuple_in_dict": "X = {(1, 2): ('f', torch.empty(4))}",
    "key_of_a_dict": "X = {torch.empty(4): 1}",
    "set": "X = {torch.empty(4)}",
    "default_argument": "def f(a, room=torch.empty(4)):\n    pass",
    "keyword_default": "def f(a, *, room=[torch.empty(4)]):\n    pass",
    "function_attribute": "def f():\n    pass\nf.room = torch.empty(4)",
    "closure": "def make():\n    room = [torch.empty(4)]\n    def f():\n        return room\n    return f\nX = make()",
    "cache": "@functools.cache\ndef f(n):\n    return torch.empty(n)\nf(4)",
    "lru_cache": "@functools.lru_cache(maxsize=8)\ndef f(n):\n    return torch.empty(n)\nf(4)",
    "key_of_a_cache": "@functools.lru_cache(maxsize=8)\ndef f(n):\n    return 1\nf(torch.empty(4))",
    "cached_method": "class K:\n    @functools.lru_cache\n    def f(self, n):\n        return torch.empty(n)\nK().f(4)",
    "partial": "X = functools.partial(print, torch.empty(4))",
    "bound_method": "X = torch.empty(4).add_",
    "class_attribute": "class K:\n    room = torch.empty(4)",
    "inner_class": "class K:\n    class L:\n        room = torch.empty(4)",
    "instance": "class K:\n    pass\nX = K()\nX.room = torch.empty(4)",
    "slots": "class K:\n    __slots__ = ('room',)\nX = K()\nX.room = torch.empty(4)",
    "dataclass": "@dataclasses.dataclass\nclass K:\n    room: object\nX = K(torch.empty(4))",
    "field_default": "@dataclasses.dataclass\nclass K:\n    room: object = dataclasses.field(default=torch.empty(4))",
    "property": "class K:\n    @property\n    def f(self, room=torch.empty(4)):\n        pass",
    "subclass_of_dict": "class K(dict):\n    pass\nX = K(a=torch.empty(4))",
    "class_in_disguise": "class K:\n    __module__ = 'torch'\n    room = torch.empty(4)\nX = K()",
    "made_class": "X = type('K', (), {'room': torch.empty(4), '__module__': 'builtins'})",
    "generator": "def g():\n    room = torch.empty(4)\n    while True:\n        yield room\nX = g()\nnext(X)",
    "iterator": "X = iter([torch.empty(4)])",
    "map": "X = map(print, [torch.empty(4)])",
    "exception": (
        "def f():\n    room = torch.empty(4)\n    raise ValueError\ntry:\n    f()\nexcept ValueError as e:\n    X = e"
    ),
    "argument_of_an_exception": "X = ValueError(torch.empty(4))",
    "end_of_an_iterator": "class K(StopIteration):\n    pass\nX = K()\nX.value = torch.empty(4)",
    "text_of_a_system_error": "class K(OSError):\n    pass\nX = K(1, 2)\nX.strerror = torch.empty(4)",
    "empty_view": "X = torch.empty(4)[:0]",
    "decorated": "@torch.no_grad()\ndef f(a, room=torch.empty(4)):\n    pass",
    "storage": "X = torch.empty(4).untyped_storage()",
    "typed_storage": "X = torch.empty(4)._typed_storage()",
    "numpy": "X = numpy.zeros(64)",
    "typed_list": "from numba.typed import List\nX = List([1.0])",
    "typed_dict": "from numba.typed import Dict\nX = Dict()\nX[1] = 2.0",
    "jitclass": (
        "import numba\n@numba.experimental.jitclass([('n', numba.int64)])\nclass K:\n    def __init__(self):\n"
        "        self.n = 0\nX = K()"
    ),
    "tensor_in_an_array": "X = numpy.array([torch.empty(4), 1], dtype=object)",
    "bytearray": "X = bytearray(100)",
    "array": "X = array.array('d', [0.0] * 16)",
    "memoryview": "X = memoryview(bytes(100))",
    "ctypes_array": "X = (ctypes.c_float * 64)()",
    "ctypes_pointer": "X = ctypes.pointer(ctypes.c_int(3))",
    "ctypes_structure": "class S(ctypes.Structure):\n    _fields_ = [('a', ctypes.c_double * 16)]\nX = S()",
    "large_bytes": "X = bytes(2_000_000)",
    "very_many_objects": "X = [[(i, j) for j in range(10_000)] for i in range(40)]",
    "number_with_attributes": "class F(float):\n    pass\nX = F(1)\nX.room = torch.empty(4)",
    "says_it_is_a_number": "class K:\n    __class__ = property(lambda self: float)\nX = K()\nX.room = torch.empty(4)",
    "says_it_is_short": "class K(bytearray):\n    def __len__(self):\n        return 0\nX = K(100)",
    "says_it_is_of_numba": "class K:\n    __module__ = 'numba.core'\nX = K()\nX.room = torch.empty(4)",
    "subclass_of_tensor": "class T(torch.Tensor):\n    numel = lambda self: 0\nX = torch.empty(4).as_subclass(T)",
    "module_of_its_own": "import types\nX = types.ModuleType('m')\nX.room = torch.empty(4)",
    "namespace_of_its_own": "import types\nX = types.FunctionType((lambda: 1).__code__, {'room': torch.empty(4)})",
    "nested_partials": "X = torch.empty(4)\nfor _ in range(30):\n    X = map(print, [functools.partial(print, X)])",
    "nested_objects": "X = torch.empty(4)\nfor _ in range(30):\n    X = torch.nn.Sequential(torch.nn.Identity(X))\n"
    "    X.room = dataclasses.field(default=torch.empty(4))",
    "numbers": "X = [float(i) for i in range(20_000)]",
    "numbers_by_key": "X = {i: 0.5 for i in range(20_000)}",
    "one_long_number": "X = 1 << 4096",
    "long_text": "X = 'ab' * 1_000_000",
    "global_of_a_fresh_function": (
        "import types\nX = types.FunctionType((lambda: 1).__code__, {}, 'f', (torch.empty(4),))"
    ),
    "attribute_of_a_partial": "X = functools.partial(print)\nX.room = torch.empty(4)",
}

PLAIN = {
    "numbers": "SCALES = (0.5, 1.0 / 3)\nTABLE = {('a', 1): [1.0] * 100}\nNAMES = ['a'] * 1000",
    "plans": (
        "PLANS = {(4, 512): (2048, 512, 'route')}\nclass Plan:\n"
        "    def __init__(self):\n        self.sizes = {}\nX = Plan()"
    ),
    "types": "KINDS = {torch.float32: torch.float16}\nX = (torch.device('cpu'), torch.Size([2]), torch.float32)",
    "functions": "F = torch.nn.functional.gelu\nG = torch.empty\nimport torch.nn as nn\nX = [nn, functools]",
    "classes": (
        "import enum\nclass Order(enum.Enum):\n    ROWS = 1\nclass N(torch.nn.Module):\n    pass\nX = Order.ROWS"
    ),
    "empty": "X = torch.empty(0)\nY = torch.empty(4, device='meta')",
    "source": "SOURCE = 'int x;' * 10000\nTAG = b'abc'",
    "small_buffers": "X = bytearray(8)\nY = ctypes.c_int64(3)\nZ = numpy.zeros(2)\nW = (ctypes.c_void_p * 4)()",
    "library": "L = ctypes.CDLL(None)\nF = L.getpid\nF.argtypes = []",
    "cached_plan": "@functools.cache\ndef f(n):\n    return (n, n // 2)\nf(4)",
    "logger": "import logging\nX = logging.getLogger('a')",
    "exception_class": "class E(ValueError):\n    pass\nX = E('no such shape')",
}


def module(text, name="kept_example"):
    made = types.ModuleType(name)
    sys.modules[name] = made
    try:
        exec(compile(HEAD + text, f"<{name}>", "exec"), made.__dict__)
        return made
    finally:
        del sys.modules[name]


@pytest.mark.parametrize("case", KEPT)
def test_memory_is_found_wherever_it_is_held(case):
    assert held_memory([module(KEPT[case])]) != []


@pytest.mark.parametrize("case", PLAIN)
def test_kernels_plans_and_constants_hold_none(case):
    assert held_memory([module(PLAIN[case])]) == []


def test_what_it_says_names_the_global():
    found = held_memory([module("ROOM = {1: [torch.empty(4)]}\nSIZE = 4", "set.passes")])
    assert found == ["passes.ROOM holds a Tensor of 16 bytes"]


def test_wrappers_are_looked_at_that_no_module_holds():
    made = module("def make():\n    room = torch.empty(4)\n    return lambda: room")
    assert held_memory([made]) == []
    assert held_memory([made], [made.make()]) == ["wrapper <lambda> holds a Tensor of 16 bytes"]


def test_modules_that_hold_each_other_are_walked_once():
    first = module("ROOM = torch.empty(4)", "first")
    second = module("", "second")
    second.FIRST, first.SECOND = first, second
    assert held_memory([first, second]) == ["first.ROOM holds a Tensor of 16 bytes"]


def test_callers_of_a_kept_exception_are_not_the_passs():
    room = torch.empty(4)
    made = module(
        "def f():\n    raise ValueError\n"
        "def g():\n    global X\n    try:\n        f()\n    except ValueError as e:\n        X = e"
    )
    made.g()
    assert held_memory([made]) == [] and room.numel() == 4


def test_pointers_to_nothing_are_no_memory():
    made = module("X = ctypes.POINTER(ctypes.c_int)()")
    assert not made.X
    assert held_memory([made]) == []
    made.X.contents = ctypes.c_int(1)
    assert held_memory([made]) != []


def test_modules_of_loaded_sets_are_known(tmp_path):
    from tests.rewrite.policy.test_check import BASE, passes

    text = BASE.replace("import torch\n", "import torch\nROOM = torch.zeros(3)\n", 1)
    before = set(pass_modules())
    load_rules(passes(tmp_path, {"A.py": text}), "cpu")
    loaded = [made for made in pass_modules() if made not in before]
    assert held_memory(loaded) == ["A.ROOM holds a Tensor of 12 bytes"]


def test_numbers_count_as_objects() -> None:
    """Each walk reads all of them."""
    module = types.ModuleType("passnet_passes_1.tables")
    module.table = [[0.5] * 10_000 for _ in range(20)]
    assert held_memory([module]) == []
    module.table += [[7] * 10_000 for _ in range(20)]
    (told,) = held_memory([module])
    assert "more than 300000 objects" in told
