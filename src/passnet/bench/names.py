"""Names that the command line offers, kept apart from the code behind them so that `--help` imports no torch."""

from __future__ import annotations

from typing import Literal

COMPILERS = {
    "eager": "the graph as it is (A/A control)",
    "inductor": "TorchInductor, default mode",
    "inductor-max-autotune": "TorchInductor, mode max-autotune",
    "passes": "the task's own pass set",
    "passes+inductor": "the task's own pass set, TorchInductor for all that it leaves",
}
# These run a pass set: untrusted code.
WITH_PASSES = frozenset({"passes", "passes+inductor"})
DEVICES = ("cpu", "cuda")
ENGINES = {"local": "devices of this machine", "ray": "devices of a Ray cluster"}
PROTOCOLS = ("direct", "paper")
# Half widths of the interval that a user may ask for, relative to the ratio.
PRECISIONS = {"5%": 0.05, "2%": 0.02, "1%": 0.01}
POLICIES = ("strict", "native")
PolicyLevel = Literal["strict", "native"]
