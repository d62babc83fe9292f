"""What a reader of a code block already has, and what must hold afterwards, by the name that the page gives it.

`SETUPS[name]` is the code before the block and the code after it.
"""

from __future__ import annotations

_GELU = """
import torch
import passnet
from passnet.graph import Task

graph = Task.read("data/tasks/bloom_gelu").graphs[0]
model, (x,) = graph.module().eval(), graph.inputs(0)
passes = passnet.load_passes("data/tasks/bloom_gelu/pass_dir")
"""
_SAME = """
with torch.no_grad():
    torch.testing.assert_close(fast(x), model(x))
"""
_RULE = """
import torch
"""
_NUMBERS_OPEN = """
x, weight = torch.randn(2, 8), torch.randn(8)
torch.testing.assert_close(pattern(x, weight, 1e-6), torch.nn.functional.rms_norm(x, (8,), weight, 1e-6))
assert replacement_args(x, weight, 1e-6) == (x, weight, 1e-6)
"""
_GUARD = """
from types import SimpleNamespace

def match(*shape):
    return SimpleNamespace(x=torch.empty(*shape))

assert applies(match(4, 4096)) is True
assert applies(match(4, 4097)) == "rows longer than 4096 do not fit into shared memory"
assert applies(SimpleNamespace(x=torch.empty(4, 4).t())) is False
"""
_MODEL = """
import torch

model, args = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), (torch.randn(2, 4),)
"""
_CAPTURED = """
assert [graph.name for graph in graphs] and len(graphs) == 1
"""

SETUPS = {
    "gelu": (_GELU, _SAME),
    "numbers open": (_RULE, _NUMBERS_OPEN),
    "guard": (_RULE, _GUARD),
    "model": (_MODEL, _CAPTURED),
}
