"""The sandbox row of `passnet doctor`: a child enters a candidate's sandbox and reports its layers."""

from __future__ import annotations

import sys

from passnet.bench.layers import open_doors
from passnet.machine.probes import ProbeResult, run_child

# The grandchild in the sandbox prints its layers. Its directories are removed with the child's working directory.
_ENTER = """
import os, pathlib
from passnet.bench.isolation import sandbox

paths = [pathlib.Path.cwd() / name for name in ("root", "work", "cache")]
for path in paths:
    path.mkdir()
layers = sandbox.enter(sandbox.SandboxPlan(*map(str, paths), (), gpu=False))
print(" ".join(layer.replace(" ", "_") for layer in layers), flush=True)
os._exit(0)
"""


def sandbox() -> ProbeResult:
    """The layers of a candidate's sandbox here, and the layers that are missing.

    The child finds this package where this process found it, as workers do: it need not be installed.
    """
    worked, said = run_child(f"import sys\nsys.path[:] = {sys.path!r}\n{_ENTER}")
    if not worked:
        return ProbeResult.missing(said)
    layers = [layer.replace("_", " ") for layer in said.split()]
    doors = [door.name for door in open_doors(layers)]
    if doors:
        return ProbeResult.limited(f"{', '.join(layers)}; stays open: {', '.join(doors)}")
    return ProbeResult.ok(", ".join(layers))
