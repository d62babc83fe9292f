"""How fast a kernel is with some launch settings, beside others of the same kernel: an estimate that was learned.

The logarithm of the time is a weighted sum of a few numbers that say how settings use a GPU: elements of a thread,
threads of the device, neighbours in memory, registers. What belongs to the kernel alone is the same for all its
settings, so it counts only together with these. The weights were fitted to times on a GPU
(`benchmarks/launch_settings.py`), for elementwise kernels, sums over windows and reductions apart. They order what is
tried, and say what a first draft takes. They prove nothing.
"""

from __future__ import annotations

import ast
import functools
import importlib.resources
import json
import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

# Threads that a GPU of today holds at once, and its multiprocessors. A warp has so many threads.
_THREADS, _PROCESSORS, _WARP = 132 * 2048, 132, 32
# Elements in a row that fill what memory gives at once.
_ROW = 32
# Values that a thread holds: from here on registers become short, and then they are spilled.
_HELD, _SPILLED = 32, 128
_COSTLY = (
    "libdevice.",
    "tl.math.",
    "tl_math.",
    "tl.sqrt_rn",
    "tl.exp",
    "tl.log",
    "tl.sin",
    "tl.cos",
    "triton.language",
)
# Of these, what takes many instructions and registers.
_SLOW = ("libdevice.pow", "libdevice.sin", "libdevice.cos", "tl.sin", "tl.cos", "tl_math.sin", "tl_math.cos")
# What the innermost index of a load is.
_INNER = re.compile(r"\(?[xyr]\d?_?index( % \d+)?\)?")
# A kernel is a sum over a window where it reads two arrays, each from at least so many places.
_WINDOW = 4
WEIGHTS = "launch_weights.json"


@dataclass(frozen=True)
class LaunchSettings:
    """One way to launch a kernel: its compile-time parameters (sizes of blocks), warps and stages."""

    values: tuple[tuple[str, int], ...]
    warps: int
    stages: int

    def __str__(self) -> str:
        return ", ".join((*(f"{name} {value}" for name, value in self.values), f"{self.warps} warps"))


@dataclass(frozen=True)
class KernelFacts:
    """What the text of a kernel shows.

    `sizes`: of its axes, rounded up to powers of two; those of reductions begin with `r`. `along`: the share of its
    memory traffic that lies side by side along each axis. `loads`, `stores`, `steps`: statements of the kernel.
    `costly`: of these, calls of functions and divisions. `slow`: of these, sines, cosines and powers. `spread`: loads
    in which neighbouring elements lie apart in memory. `window`: from how many places each of two arrays is read.
    """

    sizes: tuple[tuple[str, int], ...]
    along: tuple[tuple[str, float], ...]
    loads: int
    stores: int
    steps: int
    costly: float
    slow: int = 0
    spread: int = 0
    window: int = 0

    @classmethod
    def read(cls, text: str, sizes: Mapping[str, int], scores: Mapping[str, float]) -> KernelFacts:
        """The facts of a kernel's text. `scores`: bytes that lie side by side along each axis, as Inductor counts."""
        function = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)][-1]
        nodes = list(ast.walk(function))
        loads = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "tl.load"]
        called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
        divided = [node.op for node in nodes if isinstance(node, ast.BinOp)]
        exact = sum(isinstance(op, ast.Div) for op in divided)
        whole = sum(isinstance(op, ast.FloorDiv | ast.Mod) for op in divided)
        total = sum(scores.values()) or 1.0
        return cls(
            tuple(sizes.items()),
            tuple((axis, scores.get(axis, 0.0) / total) for axis in sizes),
            len(loads),
            called.count("tl.store"),
            sum(isinstance(node, ast.Assign) for node in nodes),
            sum(name.startswith(_COSTLY) for name in called) + exact + whole / 4,
            sum(name.startswith(_SLOW) for name in called),
            _spread(nodes, loads),
            _window(loads),
        )


def _window(loads: Sequence[ast.Call]) -> int:
    arrays = Counter(ast.unparse(next(_terms(load.args[0]))) for load in loads).most_common(2)
    return arrays[1][1] if len(arrays) > 1 else 0


def _spread(nodes: Sequence[ast.AST], loads: Sequence[ast.Call]) -> int:
    """The loads at an innermost index with a factor, or at a number of the data, and beside no such index alone."""
    named = [node for node in nodes if isinstance(node, ast.Assign)]
    inner = {ast.unparse(node.targets[0]) for node in named if _INNER.fullmatch(ast.unparse(node.value))}
    return sum(_is_spread(list(_terms(load.args[0])), inner) for load in loads)


def _terms(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a sum."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


def _is_spread(terms: Sequence[ast.AST], inner: Container[str]) -> bool:
    used = [{name.id for name in ast.walk(term) if isinstance(name, ast.Name)} for term in terms]
    if any(isinstance(term, ast.Name) and term.id in inner for term in terms):
        return False
    return any(name in inner or name.startswith("tmp") for names in used for name in names)


def features(facts: KernelFacts, settings: LaunchSettings) -> dict[str, float]:
    """The numbers that the estimate is made of, by name."""
    blocks = {name.removesuffix("BLOCK").lower(): value for name, value in settings.values}
    held = programs = steps = 1.0
    apart = reduced = 0.0
    for (axis, size), (_, share) in zip(facts.sizes, facts.along, strict=True):
        is_reduced = axis.startswith("r")
        block = blocks.get(axis, size if is_reduced else 1)
        held *= block
        if is_reduced:
            steps *= max(1.0, size / block)
            reduced += share
        else:
            programs *= math.ceil(size / block)
        least = min(_ROW, size)
        apart += share * math.log2(least / min(block, least))
    threads = settings.warps * _WARP
    elements = math.log2(max(held / threads, 1 / _WARP))
    own, idle = max(0.0, elements), max(0.0, -elements)
    full = math.log2(programs * threads / _THREADS)
    empty, waves = max(0.0, -full), max(0.0, full)
    values = max(held / threads, 1.0) * (facts.loads + facts.stores + 1)
    tight, spilled = (max(0.0, math.log2(values / limit)) for limit in (_HELD, _SPILLED))
    warps, turns = math.log2(settings.warps), math.log2(steps)
    work, hard, read = (math.log2(1 + count) for count in (facts.steps, facts.costly, facts.loads))
    slow, spread = math.log2(1 + facts.slow), math.log2(1 + facts.spread)
    large = max(0.0, math.log2(math.prod(size for _, size in facts.sizes) / 2**20))
    across = 1.0 - reduced
    return {
        "own": own, "own own": own * own, "idle": idle, "idle empty": idle * empty,
        "empty": empty, "empty empty": empty * empty, "waves": waves, "many waves": max(0.0, waves - 3),
        "few programs": max(0.0, math.log2(_PROCESSORS / programs)), "apart": apart, "apart apart": apart * apart,
        "warps": warps, "warps warps": warps * warps, "warps own": warps * own, "warps empty": warps * empty,
        "warps waves": warps * waves, "own empty": own * empty, "own waves": own * waves,
        "own work": own * work, "own hard": own * hard, "own read": own * read,
        "own own work": own * own * work, "own own hard": own * own * hard, "waves hard": waves * hard,
        "own slow": own * slow, "own own slow": own * own * slow, "warps slow": warps * slow,
        "own spread": own * spread, "own own spread": own * own * spread, "warps spread": warps * spread,
        "own large": own * large, "own own large": own * own * large,
        "tight": tight, "tight tight": tight * tight, "spilled": spilled, "spilled work": spilled * work,
        "turns": turns, "turns turns": turns * turns, "turns own": turns * own, "turns own own": turns * own * own,
        "turns across": turns * across, "turns turns across": turns * turns * across,
        "turns own across": turns * own * across, "turns own own across": turns * own * own * across,
        "across warps": across * warps, "across own": across * own, "across own own": across * own * own,
        "across empty": across * empty, "across warps own": across * warps * own,
        "across warps warps": across * warps * warps,
    }  # fmt: skip


_NOTHING = KernelFacts((), (), 0, 0, 0, 0.0)
FEATURES = tuple(features(_NOTHING, LaunchSettings((), 1, 1)))


def estimate(kind: str, facts: KernelFacts, settings: LaunchSettings) -> float:
    """The estimated logarithm of the time, up to a number that is the same for all settings of this kernel.

    `kind` is the name of Inductor's heuristic for the kernel.
    """
    found = features(facts, settings)
    return math.fsum(weight * found[name] for name, weight in _weights()[family(kind, facts)].items())


def family(kind: str, facts: KernelFacts) -> str:
    """Which weights are those of a kernel. `kind`: see `estimate`."""
    if "reduction" in kind:
        return "reduction"
    return "window" if facts.window >= _WINDOW else "elementwise"


def likeliest(kind: str, facts: KernelFacts, among: Sequence[LaunchSettings]) -> list[LaunchSettings]:
    """These settings, those first that are likely the fastest."""
    return sorted(among, key=lambda settings: estimate(kind, facts, settings))


@functools.cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    text = importlib.resources.files(__package__).joinpath(WEIGHTS).read_text()
    weights: Mapping[str, Mapping[str, float]] = json.loads(text)["weights"]
    return weights
