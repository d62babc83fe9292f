"""Reading a pass set takes time in proportion to its text, whatever an author writes.

Steps of the interpreter are counted and not seconds, so a busy machine changes nothing. One step may hide a loop. So
the seconds of the largest files are compared with those of a plain file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.rewrite import check_policy, read_pass_set
from passnet.rewrite.passes import pass_set
from passnet.rewrite.policy.assembly import wrong_in_assembly
from passnet.rewrite.policy.own_names import with_own_names

# Calls of functions for each node of a syntax tree. Ordinary passes take about 250.
MOST_CALLS = 1200
ENDS = "def replacement_args(x):\n    return (x,)\n\ndef replacement_func():\n    return wrapper\n"
WRAPPER = "def wrapper(x):\n    return torch.empty_like(x)\n"
PATTERN = "def pattern(x):\n    return torch.relu(x)\n"


def rule(top: str = WRAPPER, pattern: str = PATTERN, ends: str = ENDS) -> str:
    return f"import torch\n{top}{pattern}{ends}"


def wrapper(*lines: str, top: str = "") -> str:
    return rule(top + "def wrapper(x):\n" + "".join(f"    {line}\n" for line in lines) + "    return x\n")


def helpers(count: int) -> dict[str, str]:
    """Functions of a pattern, each called by the one before."""
    calls = "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n" for i in range(count))
    pattern = "def pattern(x):\n    return f0(x)\n"
    return {"r.py": rule(f"{WRAPPER}{calls}def f{count}(x):\n    return x\n", pattern)}


def backwards(count: int) -> dict[str, str]:
    """Names that turn out to hold tensors one by one, from the last line to the first."""
    return {"r.py": wrapper(*(f"a{i + 1} = a{i}.view(1)" for i in reversed(range(count))), "a0 = x.view(1)")}


def doubled(count: int) -> dict[str, str]:
    """Sizes that are made of sizes many times."""
    sums = [f"a{i + 1} = {' + '.join([f'a{i}'] * count)}" for i in range(7)]
    return {"r.py": wrapper("a0 = x.shape", *sums, "numpy.prod(a7)", top="import numpy\n")}


def sizes(count: int) -> dict[str, str]:
    return {"r.py": wrapper(*(f"a{i} = numpy.prod(x.shape)" for i in range(count)), top="import numpy\n")}


def parameters(count: int) -> dict[str, str]:
    names = ", ".join(f"p{i}" for i in range(count))
    pattern = f"def pattern({names}):\n    return torch.relu({' + '.join(f'p{i}' for i in range(100))})\n"
    ends = ENDS.replace("(x)", f"({names})").replace("(x,)", f"({names})")
    return {"r.py": rule(WRAPPER, pattern, ends)}


def types(count: int) -> dict[str, str]:
    either = " | ".join(["torch.Tensor"] * 150)
    return {"r.py": rule(WRAPPER + "".join(f"def h{i}(x: {either}):\n    return x\n" for i in range(count)))}


def choices(count: int) -> dict[str, str]:
    """Functions that choose, asked for by many entries of a table."""
    calls = "".join(f"def c{i}(a):\n    return c{i + 1}(a)\n" for i in range(count))
    table = ", ".join(f"'B{i}': c0" for i in range(count))
    kernel = (
        f"@triton.autotune(configs=[], key=[], prune_configs_by={{{table}}})\n@triton.jit\ndef kernel(x):\n    pass\n"
    )
    return {"r.py": rule(f"import triton\n{WRAPPER}{calls}def c{count}(a):\n    return 1\n{kernel}")}


def bases(count: int) -> dict[str, str]:
    classes = "".join(f"class C{i}:\n    pass\n" for i in range(count))
    parents = ", ".join(f"f({' + '.join('1' * 20)})" for _ in range(count // 10))
    made = f"@dataclass\nclass E({parents}):\n    a: int\n"
    return {"r.py": rule(f"from dataclasses import dataclass\n{classes}{made}{WRAPPER}")}


def stores(count: int) -> dict[str, str]:
    """Many places that may get many values."""
    places = ", ".join(f"D[{i}]" for i in range(count))
    return {"r.py": wrapper(f"with f({', '.join('1' * 3 * count)}) as ({places}):", "    pass", top="D = {}\n")}


def breaches(count: int) -> dict[str, str]:
    """Each breach is a part of all those after it, and a long text."""
    places = "".join(f"D[{i}] = " for i in range(count))
    return {"r.py": wrapper(f"{places}({', '.join('x' * count)})", top="D = {}\n")}


def nested(count: int) -> dict[str, str]:
    heads = "".join(f"{' ' * i}def n{i}(x):\n" for i in range(90))
    return {"r.py": rule(WRAPPER + heads + f"{' ' * 90}D[0] = 1\n" * count)}


def kernels(count: int) -> dict[str, str]:
    """Kernels inside kernels: Triton would read each of them again."""
    heads = "".join(f"{' ' * i}@triton.jit\n{' ' * i}def n{i}(x):\n" for i in range(80))
    return {"r.py": rule(f"import triton\n{WRAPPER}{heads}" + f"{' ' * 90}x[0]\n" * count)}


def rules(count: int) -> dict[str, str]:
    return {f"r{i}.py": rule() for i in range(count)}


def wrappers(count: int) -> dict[str, str]:
    """Each rule takes its wrapper from the next one."""
    ends = ENDS.replace("return wrapper", "return u()")
    asked = "def w():\n    return u()\n"
    files = {f"r{i}.py": f"from r{i + 1} import w as u\n{rule(ends=ends)}{asked}" for i in range(count)}
    return files | {f"r{count}.py": rule() + "def w():\n    return wrapper\n"}


def imports(count: int) -> dict[str, str]:
    """A name that comes through all files, read many times."""
    files = {f"m{i}.py": f"from m{i + 1} import f\n" for i in range(count)}
    main = wrapper(*["f.a"] * 5 * count, top="from m0 import f\n")
    return files | {f"m{count}.py": "def f(x):\n    return x\n", "r.py": main}


def enclosing(count: int) -> dict[str, str]:
    """Attributes of a method's own object, each written in a function with many parameters."""
    names = ", ".join(f"p{i}" for i in range(count))
    lines = "            self.a = 1\n" * count
    method = f"class C:\n    def m(self):\n        def inner({names}):\n{lines}"
    return {"r.py": rule(WRAPPER + method)}


def own_methods(count: int) -> dict[str, str]:
    """Methods by the names of tensors', called of an object of the file's own in one long method."""
    lines = "        self.a.sum()\n" * count
    hidden = "def other(self):\n    return self\n"
    return {"r.py": rule(f"{WRAPPER}{hidden}class C:\n    def m(self):\n{lines}")}


def methods_of_names(count: int) -> dict[str, str]:
    """Methods by the names of tensors', called of names deep inside functions, and taken under one name."""
    heads = "".join(f"{' ' * i}def n{i}(x):\n" for i in range(90))
    lines = f"{' ' * 90}f = torch.a(n1.sum(), n1.max)\n{' ' * 90}f = n1.min\n{' ' * 90}f + 1\n"
    return {"r.py": rule(WRAPPER + heads + lines * count)}


def unpacked(count: int) -> dict[str, str]:
    """Many names for each of many values."""
    names, values = ", ".join(f"a{i}" for i in range(count)), ", ".join(["f()"] * count)
    return {"r.py": wrapper(f"for ({names}) in ({values}):", "    pass")}


def heuristics(count: int) -> dict[str, str]:
    names = ", ".join(f"p{i}: tl.constexpr" for i in range(count))
    rows = "@triton.heuristics({'p0': lambda args: 1})\n" * count
    kernel = f"{rows}@triton.jit\ndef kernel({names}):\n    pass\n"
    return {"r.py": rule(f"import triton\nimport triton.language as tl\n{WRAPPER}{kernel}")}


def chosen(count: int) -> dict[str, str]:
    """One long function that many entries of a table call many times."""
    kernel = (
        f"@triton.heuristics({{'p': lambda args: [{'f(), ' * count}]}})\n@triton.jit\ndef kernel(p: tl.constexpr):\n"
    )
    made = "def f():\n" + "    pass\n" * 3 * count
    return {"r.py": rule(f"import triton\nimport triton.language as tl\n{WRAPPER}{made}{kernel}    pass\n")}


def plain_bases(count: int) -> dict[str, str]:
    classes = "@dataclass\nclass C:\n    pass\n" + "x = 1\n" * count
    made = f"@dataclass\nclass E({', '.join(['C'] * count)}):\n    a: int\n"
    return {"r.py": rule(f"from dataclasses import dataclass\n{classes}{made}{WRAPPER}")}


def called_helpers(count: int) -> dict[str, str]:
    """Functions of a pattern, all of them called by `pattern` itself."""
    made = "".join(f"def f{i}(x):\n    return x\n" for i in range(count))
    calls = "".join(f"    f{i}(x)\n" for i in range(count))
    return {"r.py": rule(WRAPPER + made, f"{PATTERN[: PATTERN.index('    ')]}{calls}    return torch.relu(x)\n")}


def read_literal(count: int) -> dict[str, str]:
    """A long literal of the file that a pattern reads many times."""
    reads = "    BIG\n" * count
    return {"r.py": rule(f"BIG = ({'1, ' * count})\n{WRAPPER}", f"def pattern(x):\n{reads}    return torch.relu(x)\n")}


def asked_again(count: int) -> dict[str, str]:
    """`replacement_func` asks one long function in many lines."""
    ends = ENDS.replace("    return wrapper\n", "    return f()\n" * count)
    return {"r.py": rule(f"{WRAPPER}def f():\n" + "    1\n" * count + "    return wrapper\n", ends=ends)}


OWN = "class K:\n    _q = 1\n    def f(self):\n        return self._q\n"


def classes(base: str, count: int) -> dict[str, str]:
    """A chain of classes below a base."""
    chain = "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, count))
    return {"r.py": rule(f"{OWN}class C0({base}): pass\n{chain}{WRAPPER}")}


def chain_of_python(count: int) -> dict[str, str]:
    return classes("KeyError", count)


def chain_of_the_file(count: int) -> dict[str, str]:
    return classes("K", count)


def flat_classes(count: int) -> dict[str, str]:
    return {"r.py": rule(OWN + "".join(f"class C{i}(K): pass\n" for i in range(count)) + WRAPPER)}


def bare_classes(count: int) -> dict[str, str]:
    """As many scopes in one scope as can be."""
    return {"r.py": rule("".join(f"class C{i}:pass\n" for i in range(count)) + WRAPPER)}


def base_by_base(count: int) -> dict[str, str]:
    """Many classes, all of them bases of one."""
    made = "".join(f"class C{i}: pass\n" for i in range(count))
    return {"r.py": rule(f"{OWN}{made}class D({', '.join(f'C{i}' for i in range(count))}): pass\n{WRAPPER}")}


def long_elifs(count: int) -> dict[str, str]:
    chosen = "".join(f"    elif n == {i}:\n        return {i}\n" for i in range(180))
    made = "".join(f"def f{i}(n):\n    if n == 0:\n        return 0\n{chosen}" for i in range(count))
    return {"r.py": rule(OWN + made + WRAPPER)}


def private_names(count: int) -> dict[str, str]:
    bound = "".join(f"    _a{i} = {i}\n" for i in range(count))
    read = "".join(f"        self._a{i}\n" for i in range(count))
    return {"r.py": rule(f"class K:\n{bound}    def m(self):\n{read}{WRAPPER}")}


def written_private_names(count: int) -> dict[str, str]:
    """Names that are written through `self`, deep inside classes of which each has a base from elsewhere."""
    heads = "".join(f"{' ' * i}class N{i}(KeyError):\n" for i in range(60))
    lines = "".join(f"{' ' * 61}self._a{i} = 1\n" for i in range(count))
    return {"r.py": rule(f"{heads}{' ' * 60}def __init__(self):\n{lines}{WRAPPER}")}


def private_fields(count: int) -> dict[str, str]:
    """Classes with names of their own, as fields, in `__slots__` and as methods."""
    made = "".join(
        f"@dataclass\nclass D{i}:\n    _a{i}: int\n"
        f"class S{i}:\n    __slots__ = ('_b{i}',)\n    def _c{i}(self):\n        self._c{i}\n"
        for i in range(count)
    )
    return {"r.py": rule(f"from dataclasses import dataclass\n{made}{WRAPPER}")}


def functions(count: int) -> dict[str, str]:
    return {"r.py": rule(OWN + "".join(f"def f{i}(a):\n    return a\n" for i in range(count)) + WRAPPER)}


def kernels_of_a_class(count: int) -> dict[str, str]:
    """What is around each kernel binds all the others."""
    made = "".join(f"    @triton.jit\n    def k{i}(a):\n        return a\n" for i in range(count))
    return {"r.py": rule(f"import triton\n{OWN}class C:\n{made}{WRAPPER}")}


def assignments(count: int) -> dict[str, str]:
    return {"r.py": rule(WRAPPER + "a = 1\n" * count)}


CASES: dict[Callable[[int], dict[str, str]], int] = {
    helpers: 150, backwards: 200, doubled: 12, sizes: 200, parameters: 200, types: 2, choices: 60, bases: 200,
    stores: 250, breaches: 300, nested: 200, kernels: 100, rules: 100, wrappers: 60, imports: 200,
    enclosing: 1000, own_methods: 500, methods_of_names: 200, unpacked: 1000, heuristics: 300, chosen: 500,
    plain_bases: 1000, called_helpers: 500, read_literal: 1000, asked_again: 1000, chain_of_python: 1000,
    chain_of_the_file: 1000, flat_classes: 1000, base_by_base: 1000, long_elifs: 4, private_names: 500,
    written_private_names: 500, private_fields: 200, functions: 1000, kernels_of_a_class: 500,
}  # fmt: skip


def written(files: dict[str, str], directory: Path) -> Path:
    for name, text in files.items():
        (directory / name).write_text(text)
    order = [name.removesuffix(".py") for name, text in files.items() if "def pattern" in text]
    (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps(order))
    return directory


class TooMany(Exception):
    pass


def count_calls(work: Callable[[], object], most: int) -> int:
    calls = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if calls > most:
            sys.setprofile(None)
            raise TooMany(f"more than {most} calls")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_reading_takes_time_in_proportion_to_the_text(case: Callable[[int], dict[str, str]], tmp_path: Path) -> None:
    found = read_pass_set(written(case(CASES[case]), tmp_path))
    nodes = sum(map(pass_set._nodes, found.files))
    assert nodes > 300
    count_calls(lambda: check_policy(found), MOST_CALLS * nodes)


# Of each as many as fit into one file, and how much longer than a plain file of that size it may take.
LARGEST: dict[Callable[[int], dict[str, str]], int] = {
    chain_of_python: 9000, flat_classes: 9000, bare_classes: 13_000, long_elifs: 24, private_names: 4000,
    private_fields: 1500, functions: 6000, kernels_of_a_class: 3500,
}  # fmt: skip
MOST_TIMES = 6


def seconds_a_node(files: dict[str, str], directory: Path) -> float:
    directory.mkdir()
    found = read_pass_set(written(files, directory))
    nodes = sum(map(pass_set._nodes, found.files))
    assert nodes > 0.6 * pass_set.MAX_FILE_NODES
    began = time.process_time()
    check_policy(found)
    for file in found.files:
        with_own_names(file.tree)
    return (time.process_time() - began) / nodes


@pytest.fixture(scope="module")
def plain_seconds(tmp_path_factory: pytest.TempPathFactory) -> float:
    return seconds_a_node(assignments(9000), tmp_path_factory.mktemp("plain") / "p")


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGEST, ids=lambda case: case.__name__)
def test_the_largest_files_take_about_as_long_as_a_plain_one(
    case: Callable[[int], dict[str, str]], tmp_path: Path, plain_seconds: float
) -> None:
    assert seconds_a_node(case(LARGEST[case]), tmp_path / "p") < MOST_TIMES * plain_seconds


def test_what_is_said_of_a_long_line_is_short(tmp_path: Path) -> None:
    found = check_policy(read_pass_set(written(breaches(300), tmp_path)))
    assert 0 < len(found) <= 300
    assert max(len(breach.what) for breach in found) < 1000


def test_all_files_together_are_bounded(tmp_path: Path) -> None:
    """Lines without a node take time too."""
    empty = "\n" * (pass_set.MAX_FILE_BYTES - len(rule()))
    files = {f"r{i}.py": rule() + empty for i in range(pass_set.MAX_BYTES // pass_set.MAX_FILE_BYTES + 1)}
    with pytest.raises(UsageError, match="too large"):
        read_pass_set(written(files, tmp_path))


@pytest.mark.parametrize("text", ["/*" * 120_000, ".reg .b32 " + " " * 240_000 + "$", "mov " * 60_000], ids=len)
def test_a_long_text_of_assembly_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    assert wrong_in_assembly(text) is not None
    assert time.process_time() - began < 2.0


def test_a_comment_without_an_end_is_no_comment() -> None:
    """It would hide what the compiler writes after it."""
    assert wrong_in_assembly("mov.b32 $0, $1; /* open") is not None
    assert wrong_in_assembly("mov.b32 $0, $1; /* closed */ // open /*") is None
