"""An independent way to the same numbers: plain products from the definition, and a writer of upstream logs.

Nothing here imports the room under test, so that a defect there cannot hide in its own oracle.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field

LEVELS = range(-10, 5)
LEVELS_EXTENDED = range(-10, 6)
WEIGHTS = {
    -10: 0.001, -9: 0.001, -8: 0.001, -7: 0.001, -6: 0.001, -5: 1, -4: 1, -3: 1,
    -2: 0.8, -1: 0.64, 0: 0.512, 1: 0.4096, 2: 0.32768, 3: 0.262144, 4: 0.001,
}  # fmt: skip

NEVER = 10**6
THRESHOLDS = {
    "default": {
        "accuracy": 1, "runtime_fail": 3, "type_mismatch": 3, "shape_mismatch": 3, "compile_fail": 3,
        "eager_fail": NEVER,
    },
    "mismatch_extended": {
        "accuracy": 1, "runtime_fail": 3, "type_mismatch": 2, "shape_mismatch": 2, "compile_fail": 4,
        "eager_fail": NEVER,
    },
}  # fmt: skip

# The comparisons that a published log shows, t = -10 ... 5: for each of float16, bfloat16, float32, float64 the pair
# "atol rtol" as printed.
PUBLISHED_PAIRS = {
    -10: ("1.00E-10 1.00E-06", "1.00E-10 2.56E-04", "1.00E-10 1.69E-12", "1.00E-14 1.00E-14"),
    -9: ("1.00E-09 3.98E-06", "1.00E-09 5.85E-04", "1.00E-09 2.54E-11", "2.51E-13 2.51E-13"),
    -8: ("1.00E-08 1.58E-05", "1.00E-08 1.34E-03", "1.00E-08 3.82E-10", "6.31E-12 6.31E-12"),
    -7: ("1.00E-07 6.31E-05", "1.00E-07 3.06E-03", "1.00E-07 5.75E-09", "1.58E-10 1.58E-10"),
    -6: ("1.00E-06 2.51E-04", "1.00E-06 7.00E-03", "1.00E-06 8.65E-08", "3.98E-09 3.98E-09"),
    -5: ("1.00E-05 1.00E-03", "1.00E-05 1.60E-02", "1.00E-05 1.30E-06", "1.00E-07 1.00E-07"),
    -4: ("1.00E-04 3.98E-03", "1.00E-04 3.66E-02", "1.00E-04 1.96E-05", "2.51E-06 2.51E-06"),
    -3: ("1.00E-03 1.58E-02", "1.00E-03 8.36E-02", "1.00E-03 2.94E-04", "6.31E-05 6.31E-05"),
    -2: ("1.00E-02 6.31E-02", "1.00E-02 1.91E-01", "1.00E-02 4.42E-03", "1.58E-03 1.58E-03"),
    -1: ("1.00E-01 2.51E-01", "1.00E-01 4.37E-01", "1.00E-01 6.65E-02", "3.98E-02 3.98E-02"),
    0: ("1.00E+00 1.00E+00", "1.00E+00 1.00E+00", "1.00E+00 1.00E+00", "1.00E+00 1.00E+00"),
    1: ("1.00E+01 3.98E+00", "1.00E+01 2.29E+00", "1.00E+01 1.50E+01", "2.51E+01 2.51E+01"),
    2: ("1.00E+02 1.58E+01", "1.00E+02 5.23E+00", "1.00E+02 2.26E+02", "6.31E+02 6.31E+02"),
    3: ("1.00E+03 6.31E+01", "1.00E+03 1.20E+01", "1.00E+03 3.40E+03", "1.58E+04 1.58E+04"),
    4: ("1.00E+04 2.51E+02", "1.00E+04 2.73E+01", "1.00E+04 5.11E+04", "3.98E+05 3.98E+05"),
    5: ("1.00E+05 1.00E+03", "1.00E+05 6.25E+01", "1.00E+05 7.69E+05", "1.00E+07 1.00E+07"),
}
LOGGED_DTYPES = ("float16", "bfloat16", "float32", "float64")


def published_tag(dtype: str, t: int) -> str:
    atol, rtol = PUBLISHED_PAIRS[t][LOGGED_DTYPES.index(dtype)].split()
    return f"all_close_atol_{atol}_rtol_{rtol}"


@dataclass
class Block:
    """One graph of a synthetic log. `right_from`: per output the smallest t at which it is right (None: never).

    An output of another dtype than the four is bit-equal exactly when its `right_from` is not None.
    """

    path: str
    status: str = "correct"
    speedup: float | None = 1.0
    dtypes: tuple[str, ...] = ("float32",)
    right_from: tuple[int | None, ...] = (-10,)
    medians: tuple[float, float] | None = None
    extra: list[str] = field(default_factory=list)

    def right_at(self, t: int) -> bool:
        if self.status != "correct":
            return False
        return all(
            limit is not None and (t >= limit if dtype in LOGGED_DTYPES else True)
            for dtype, limit in zip(self.dtypes, self.right_from, strict=True)
        )

    @property
    def effective_speedup(self) -> float:
        if self.speedup is None:
            assert self.medians is not None
            return self.medians[0] / self.medians[1]
        return self.speedup


def write_log(blocks: list[Block], *, prompt: str = "graph-net-test-compiler-log", newline: str = "\n") -> str:
    lines = ["[0] test_compiler, model_path: somewhere", "Warning: noise before the first graph, Error: not counted"]
    for block in blocks:
        lines += [f"{prompt} {line}" for line in _tagged(block)]
        lines += block.extra
    return newline.join([*lines, ""])


def _tagged(block: Block) -> list[str]:
    lines = [f"[Processing] {block.path}", "[Config] model: m", "[Config] compiler: pass_mgr", "[Config] trials: 5"]
    status = block.status
    if status == "eager_fail":
        return [*lines, "[Result] status: failed", "[Fail due to eager model execution error.]"]
    lines += ["Trial 1: e2e=3.51715 ms, gpu=3.38534 ms", f"[Datatype][eager]: {' '.join(block.dtypes)}"]
    if status == "compile_fail":
        return [*lines, "[Result] status: failed", "[Fail due to compiled model execution error.]"]
    found = ["int8"] * len(block.dtypes) if status == "type_mismatch" else list(block.dtypes)
    match = status != "type_mismatch"
    lines += [
        f"[Datatype][compiled]: {' '.join(found)}",
        f"[DataType] eager:{list(block.dtypes)} compiled:{found} match:{match}",
    ]
    if status == "shape_mismatch":
        return [*lines, "[Shape] eager:[[2]] compiled:[[3]] match:False"]
    if status == "type_mismatch":
        return [*lines, "[Shape] eager:[[2]] compiled:[[2]] match:True", "[Result] status: success"]
    lines += _comparisons(block)
    if status == "runtime_fail":
        lines.append("RuntimeError: the size of tensor a must match")
    return lines + _timings(block)


def _comparisons(block: Block) -> list[str]:
    exact = [int(limit is not None) for limit in block.right_from]
    lines = [f"[Correctness][equal]: {' '.join(map(str, exact))}"]
    merged: dict[str, list[int]] = {}
    for t in LEVELS_EXTENDED:
        for dtype in LOGGED_DTYPES:
            # Each output is compared under every pair; only the pair of its own dtype says what counts. The others
            # carry the opposite verdict here, so that reading the wrong one shows.
            own = [int(limit is not None and t >= limit) for limit in block.right_from]
            row = [value if found == dtype else 1 - value for value, found in zip(own, block.dtypes, strict=True)]
            tag = published_tag(dtype, t)
            merged[tag] = _keep_own(merged.get(tag), row, block.dtypes, dtype)
    lines += [f"[Correctness][{tag}]: {' '.join(map(str, row))}" for tag, row in merged.items()]
    return [*lines, "[Correctness][max_diff]: nan 0.5", "[Correctness][mean_diff]: 0.1"]


def _keep_own(before: list[int] | None, row: list[int], dtypes: tuple[str, ...], dtype: str) -> list[int]:
    """At t = 0 the four dtypes share one pair: keep each output's verdict from its own dtype."""
    if before is None:
        return row
    return [new if found == dtype else old for old, new, found in zip(before, row, dtypes, strict=True)]


def _timings(block: Block) -> list[str]:
    lines = []
    if block.medians:
        for side, median in zip(("eager", "compiled"), block.medians, strict=True):
            stats = {"e2e": {"median": median, "iqr": 0.1}, "gpu": {"median": 1.0}}
            lines.append(f"[Performance][{side}]: {json.dumps(stats)}")
    if block.speedup is not None:
        lines += [f"[Speedup][e2e]: {block.speedup}", "[Speedup][gpu]: 77.0"]
    return ["[Result] status: success", *lines]


def rectified(speedup: float, p: float) -> float:
    return speedup ** (p + 1) if speedup < 1 else speedup


def expected_curves(
    blocks: list[Block], *, b: float = 0.1, p: float = 0.0, interpretation: str = "default"
) -> tuple[dict[int, float], dict[int, float]]:
    """S and ES of a log, as products of n-th roots in the order of the definition."""
    levels = LEVELS if interpretation == "default" else LEVELS_EXTENDED
    s = {t: _root([_s_term(block, t, b, p) for block in blocks]) for t in levels}
    es = {t: _root([_es_term(block, t, b, p, THRESHOLDS[interpretation]) for block in blocks]) for t in levels}
    return s, es


def _s_term(block: Block, t: int, b: float, p: float) -> float:
    return rectified(block.effective_speedup, p) if block.right_at(t) else b


def _es_term(block: Block, t: int, b: float, p: float, thresholds: dict[str, int]) -> float:
    if t < 1:
        return _s_term(block, t, b, p)
    if block.right_at(1):
        return rectified(block.effective_speedup, p)
    kind = "accuracy" if block.status == "correct" else block.status
    return 1.0 if t >= thresholds[kind] else b


def _root(values: list[float]) -> float:
    return math.prod(value ** (1 / len(values)) for value in values)


def expected_aggregate(es: dict[int, float], weights: dict[int, float] = WEIGHTS) -> float:
    total = sum(weights.values())
    return 10 ** sum(weight / total * math.log10(es[t]) for t, weight in weights.items())
