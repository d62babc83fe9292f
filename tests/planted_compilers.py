"""A package of compilers, some of them wrong or slow, as a user would install it: a module and its entry points."""

from __future__ import annotations

from pathlib import Path

MODULE = """
import os
import time

import torch

print("imported in", os.getpid(), file=open({log!r}, "a"))


def right(module, examples):
    return module.forward


def wrong_tanh(module, examples):
    return _exchanged(module, torch.tanh, lambda x: torch.tanh(x) * 1.01)


def slow_tanh(module, examples):
    def slow(x):
        time.sleep(0.02)
        return torch.tanh(x)

    return _exchanged(module, torch.tanh, slow)


def _exchanged(module, target, other):
    for node in module.graph.nodes:
        if node.target is target:
            node.target = other
    module.recompile()
    return module.forward


def raises(module, examples):
    raise ValueError("no such target")


def leaves(module, examples):
    raise SystemExit("goodbye")


def gives_no_callable(module, examples):
    return 3


def _later(module, act):
    calls = []

    def call(*inputs):
        calls.append(1)
        if len(calls) > 2:  # the first ones are made while the program is built
            act()
        return module.forward(*inputs)

    return call


def fails_later(module, examples):
    def act():
        raise RuntimeError("lost it")

    return _later(module, act)


def crashes(module, examples):
    return _later(module, lambda: os.abort())


def hangs(module, examples):
    return _later(module, lambda: time.sleep(600))


constant = 3
"""
NAMES = (
    "right", "wrong_tanh", "slow_tanh", "raises", "leaves", "gives_no_callable", "fails_later", "crashes", "hangs",
    "constant",
)  # fmt: skip


def install(place: Path) -> Path:
    """Write the package below a directory of `sys.path`. Returns the file in which it notes who imports it."""
    log = place / "imports.log"
    (place / "planted_here.py").write_text(MODULE.format(log=str(log)))
    info = place / "planted_here-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: planted-here\nVersion: 1.0\n")
    points = [f"planted-{name.replace('_', '-')} = planted_here:{name}" for name in NAMES]
    points += ["planted-gone = planted_here:no_such", "passes = planted_here:right"]
    text = "\n".join(
        ["[passnet.compilers]", *points, "", "[torch_dynamo_backends]", "planted = planted_here:right", ""]
    )
    (info / "entry_points.txt").write_text(text)
    return log
