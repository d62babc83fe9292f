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
PROTOCOLS = ("direct", "paper")
POLICIES = ("strict", "native")
PolicyLevel = Literal["strict", "native"]
