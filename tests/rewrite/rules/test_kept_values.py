"""What a pass set keeps is followed by value: whatever may count calls is another value after some of them."""

import functools
import itertools
import struct
import types

import numpy as np
import pytest
import torch

from passnet.rewrite.rules.kept_memory import held_memory
from passnet.rewrite.rules.kept_values import KeptLook, KeptValues, look, values_of

STATES = {
    "number": ("n = [0]", "n[0] += 1"),
    "flag": ("seen = {'odd': False}", "seen['odd'] = True"),
    "entry": ("seen = {}", "seen[len(seen)] = None"),
    "set": ("seen = set()", "seen.add(len(seen))"),
    "order": ("seen = ['a', 'b']", "seen.reverse()"),
    "which": ("a, b = [], []\nseen = [a]", "seen[0] = b"),
    "object": ("class K:\n    n = 0\nk = K()", "k.n = 1"),
    "which_of_two_equal_numbers": ("a, b = 1.5, float('1.5')\nk = [a]", "k[0] = b"),
    "which_nan": ("a, b = float('nan'), float('nan')\nk = [a]", "k[0] = b"),
    "which_of_two_equal_texts": ("a, b = 'x y', ' '.join('xy')\nk = [a]", "k[0] = b"),
    "text_of_the_module": ("__doc__ = [0]", "__doc__[0] = 1"),
    "below_a_decorator": (
        "def made():\n    n = [0]\n    @torch.no_grad()\n    def f():\n        n[0] += 1\n    return f\nf = made()",
        "f()",
    ),
    "gradient_of_nothing": ("t = torch.empty(0)", "t.requires_grad_(True)"),
    "number_in_an_error": (
        "class K(OSError):\n    def __init__(self):\n        self.characters_written = 0\nk = K()",
        "k.characters_written = 1",
    ),
    "slot": ("class K:\n    __slots__ = ('n',)\nk = K()\nk.n = 0", "k.n = 1"),
    "class": ("class K:\n    n = 0", "K.n += 1"),
    "closure": (
        "def made():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n    return step\nstep = made()",
        "step()",
    ),
    "default": ("def f(x=[0]): x[0] += 1", "f()"),
    "attribute": ("def f(): pass", "f.n = 1"),
    "generator": ("def g():\n    yield from range(9)\n    yield 1\nsteps = g()\nnext(steps)", "next(steps)"),
    "place": ("def g():\n    yield\n    yield\nsteps = g()\nnext(steps)", "next(steps)"),
    "count": ("steps = itertools.count()", "next(steps)"),
    "cycle": ("steps = itertools.cycle([1, 2, 3])", "next(steps)"),
    "unfinished": ("def g():\n    for i in range(9): yield [i, i := 0][0]\nsteps = g()\nnext(steps)", "next(steps)"),
    "backwards": ("steps = reversed([1, 2, 3])", "next(steps)"),
    "backwards_by_keys": ("steps = reversed({1: 2, 3: 4})", "next(steps)"),
    "letters": ("steps = iter('äöü')", "next(steps)"),
    "items": ("class K:\n    def __getitem__(self, i): return i\nsteps = iter(K())", "next(steps)"),
    "until": ("def made():\n    n = []\n    return iter(lambda: n.append(1), 1)\nsteps = made()", "next(steps)"),
    "method": ("put = [].append", "put(1)"),
    "error": ("error = ValueError([0])", "error.args[0][0] = 1"),
    "slice": ("part = slice([0], None)", "part.start[0] = 1"),
    "view": ("seen = {1: [0]}.values()", "next(iter(seen))[0] = 1"),
    "object_of_a_librarys_class": ("class K(torch.nn.Module): pass\nk = K()", "k.n = 1"),
    "error_of_a_class": ("class K(OSError): pass\nk = K(1, 'x')", "k.errno = 2"),
    "end_of_a_class": ("class K(StopIteration): pass\nk = K()", "k.value = 2"),
    "which_attribute": ("class K: pass\nk = K()\nk.a = 0", "k.b = k.__dict__.pop('a')"),
    "which_slot": ("class K:\n    __slots__ = ('a', 'b')\nk = K()\nk.a = 0", "k.b = k.a\ndel k.a"),
    "payload": ("n = [float('nan')]", "n[0] = struct.unpack('d', struct.pack('q', 0x7FF8000000000005))[0]"),
    "large": ("n = 1 << 20000", "n += 1"),
    "settings": ("import triton\nc = triton.Config({'A': [0]})", "c.kwargs['A'][0] = 1"),
    "settings_of_warps": ("import triton\nc = triton.Config({}, num_warps=[0])", "c.num_warps[0] += 1"),
    "iterator": ("steps = iter([1, 2, 3])", "next(steps)"),
    "enumeration": ("steps = enumerate('abc')", "next(steps)"),
    "cache": ("@functools.lru_cache\ndef f(x): return x", "f(1)"),
    "list_of_a_class": ("class L(list): pass\nk = L()", "k.n = 1"),
    "number_of_a_class": ("class N(int): pass\nk = N()", "k.n = 1"),
    "two_underscores": ("__n = [0]", "__n[0] = 1"),
    "bytes": ("n = bytearray(1)", "n[0] = 1"),
    "shape": ("t = torch.empty(0, device='meta')", "t.resize_(4)"),
    "gone_from_a_set": ("s = {2}", "s.add(1)\ns.discard(1)"),
    "gone_from_a_set_of_many": (
        "s = set(range(99))",
        "s.discard(5)\ns.add(5)\ns.discard(99)\ns.add(200)\ns.discard(200)",
    ),
    "where_pop_goes_on": ("s = {1, 2}", "s.add(s.pop())"),
    "gone_from_a_dictionary": ("d = {1: 2}", "d[3] = 4\ndel d[3]"),
    "gone_from_a_dictionary_of_names": ("d = dict(a=1)", "d['b'] = 4\nd.pop('b')"),
    "which_of_equal_numbers": ("def f(): return (2.5, 3.5)\nn = [f()[0]]", "n[0] = 1 + 1.5"),
    "which_of_equal_texts": ("def f(): return (lambda: 'a b')()\nn = [f()]", "n[0] = ' '.join('ab')"),
    "which_pi": ("n = [torch.pi]", "n[0] = float('3.141592653589793')"),
    "name": ("", "n = 1"),
    "function": ("def f(): pass", "def f(): pass"),
}


def module_of(text):
    module = types.ModuleType("passnet_passes_x.p")
    vars(module).update(torch=torch, itertools=itertools, functools=functools, struct=struct)
    exec(text, vars(module))
    return module


@pytest.mark.parametrize("case", STATES, ids=str)
def test_a_state_is_another_value_afterwards(case):
    text, step = STATES[case]
    module = module_of(text)
    before = values_of([module])
    assert values_of([module]) == before
    exec(step, vars(module))
    assert values_of([module]) != before


def test_what_a_function_of_tritons_was_given_is_looked_at_and_not_what_it_finds_out():
    triton = pytest.importorskip("triton")
    kernel = object.__new__(triton.runtime.jit.JITFunction)
    kernel.__dict__.update(noinline=[0], debug=None, device_caches={})
    module = module_of("")
    vars(module).update(kernel=kernel)
    before = values_of([module])
    kernel.device_caches["a"] = 1
    assert values_of([module]) == before
    kernel.noinline[0] += 1
    assert values_of([module]) != before


REPEATED = {
    "the_same_member": ("s = {2}", "s.add(2)"),
    "the_same_key": ("d = {1: 2}", "d[1] = 2"),
    "made_anew": ("s, d = {1, 2}, {}\nd['a'] = 1", "s.clear()\ns.update((1, 2))\nd.clear()\nd['a'] = 1"),
    "a_plan_of_all_kinds": (
        "class K:\n    __slots__ = ('a', '__dict__')\nk = K()\nk.a, k.b = [1], {2: (3.5, 'x y')}\n"
        "steps, error, pair = iter([1, 2]), OSError(1, 'x'), functools.lru_cache(lambda n: [n])\n"
        "held, inner = itertools.cycle([1]), (lambda c: lambda: c)([0])\nt = torch.empty(3, device='meta')",
        "k.a, k.b[2], pair(1), inner(), error.args, repr(held), hash(k)",
    ),
    "only_read": ("s, d = {1, 2}, {3: 4}", "1 in s and d[3] and list(d) and s | {5} and dict(d).popitem()"),
}


@pytest.mark.parametrize("case", REPEATED, ids=str)
def test_what_is_done_again_alike_is_no_state(case):
    text, step = REPEATED[case]
    module = module_of(text)
    exec(step, vars(module))
    before = values_of([module])
    exec(step, vars(module))
    assert values_of([module]) == before


def test_the_place_of_an_entry_that_is_gone_counts():
    first = module_of("d = {1: 0, 2: 0, 3: 0}\ndel d[1]")
    second = module_of("d = {2: 0, 1: 0, 3: 0}\ndel d[1]")
    assert first.d == second.d and list(first.d) == list(second.d)
    assert values_of([first]) != values_of([second])


@pytest.mark.parametrize(
    "case",
    [
        "tuner.cache['n'] = 1",
        "tuner.keys.append('n')",
        "number.value[0] = 1",
        "steps.end[0] = 1",
        "both.values[0].value[0] = 1",
    ],
)
def test_what_objects_of_triton_give_back_is_looked_at(case):
    pytest.importorskip("triton")
    module = module_of(
        "import triton\nimport triton.language as tl\nnumber = tl.constexpr([0])\n"
        "steps, both = tl.range([0]), tl.tuple([tl.constexpr([0])])\n"
        "tuner = triton.runtime.autotuner.Autotuner.__new__(triton.runtime.autotuner.Autotuner)\n"
        "tuner.cache, tuner.keys = {}, []"
    )
    before = values_of([module])
    assert values_of([module]) == before
    exec(case, vars(module))
    assert values_of([module]) != before


def test_using_what_is_kept_changes_nothing():
    module = module_of(
        "plans = {(2, 3): {'blocks': 4}}\nsizes = [1.5, float('nan'), -0.0]\nflags = {1, 2}\n"
        "@functools.lru_cache\ndef plan(rows): return (rows, rows // 2)\nplan(4)\n"
        "class Kernel:\n    def __init__(self): self.rows = 4\n    def run(self): return plan(self.rows)\n"
        "kernel = Kernel()\nkind = torch.float32\nplaces = itertools.product([1], [2])\ngrid = lambda meta: (meta, 1)\n"
        "join = ' '.join\nput = print"
    )
    before = values_of([module])
    vars(module)["kernel"].run()
    vars(module)["plan"](4)
    assert vars(module)["plans"][(2, 3)]["blocks"] == 4
    assert values_of([module]) == before


def test_what_is_made_anew_with_the_same_contents_is_the_same():
    module = module_of(
        "last = {}\ndef note():\n"
        "    last.update(device=torch.device('cpu'), limits=torch.finfo(torch.float32), error=ValueError('none'))\n"
        "    last.update(rows=lambda n=3: n, part=slice(0, 4), key=(torch.Size([2]), torch.float32, -0.0, 1 + 2j))"
    )
    vars(module)["note"]()
    before = values_of([module])
    vars(module)["note"]()
    assert values_of([module]) == before


SWAPPED = {
    "objects": ("n = [object(), object()]", "n.reverse()"),
    "lists": ("n = ([0], [0])", "n = n[::-1]"),
    "functions_of_one_text": ("n = [(lambda: 0) for _ in range(2)]", "n.reverse()"),
    "iterators": ("n = [iter(()), iter(())]", "n.reverse()"),
    "in_two_names": ("a, b = [1], [1]", "a, b = b, a"),
    "numbers": ("n = [float('2.5') for _ in range(2)]", "n.reverse()"),
}


@pytest.mark.parametrize("case", SWAPPED, ids=str)
def test_two_alike_that_change_places_are_another_value(case):
    text, step = SWAPPED[case]
    module, kept = module_of(text), KeptValues({"direct"})
    kept.changed("deployed", look([module]))
    assert kept.changed("direct", look([module])) == []
    exec(step, vars(module))
    assert kept.changed("direct", look([module])) != []
    assert kept.changed("direct", look([module])) == []


def test_what_is_made_anew_beside_what_lives_is_no_change():
    module, kept = (
        module_of("n = {1: [object()], 2: ()}\ndef note(): n.update({2: (2.5, [3])})"),
        KeptValues({"direct"}),
    )
    vars(module)["note"]()
    kept.changed("deployed", look([module]))
    for _ in range(3):
        vars(module)["note"]()
        assert kept.changed("direct", look([module])) == []


def test_the_first_block_of_a_kind_may_find_things_out():
    kept = KeptValues()
    assert kept.changed("direct", KeptLook({"a": b"1"})) == []
    assert kept.changed("direct", KeptLook({"a": b"1"})) == []
    assert kept.changed("deployed", KeptLook({"a": b"2"})) == []
    assert kept.changed("direct", KeptLook({"a": b"2"})) == []
    assert kept.changed("direct", KeptLook({"a": b"3", "b": b"1"})) == ["a", "b"]
    assert kept.changed("direct", KeptLook({"b": b"1"})) == ["a"]


def test_a_view_that_was_released_and_an_array_of_times() -> None:
    module = types.ModuleType("passnet_passes_1.views")
    module.view, module.times = memoryview(b"ab"), np.zeros(2, dtype="datetime64[s]")
    module.view.release()
    before = values_of([module])
    assert held_memory([module]) == []
    module.times[0] += 1
    assert {name for name, value in values_of([module]).items() if value != before[name]} == {"views.times"}
