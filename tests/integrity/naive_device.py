"""Runs the naive harness over the GPU cheats, one forked child each, and writes the verdicts as JSON.

A process of its own, because children can use CUDA only if their parent never did:
`python -m tests.integrity.naive_device VERDICTS.json`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import torch
import triton  # noqa: F401 - what every child would import anew otherwise

from tests.integrity import corpus, naive


def main() -> None:
    torch.set_num_threads(1)
    entries = [entry for entry in corpus.entries(corpus.CHEATS) if entry.on_gpu]
    with tempfile.TemporaryDirectory(prefix="passnet-naive-") as scratch:
        place = Path(scratch)
        graphs = corpus.write_graphs(entries, place / "graphs")
        verdicts = {}
        for entry in entries:
            work = place / entry.path.stem
            work.mkdir()
            verdicts[entry.name] = asdict(naive.judge(entry, graphs[entry.graph], work, place / "kernels", "cuda"))
    Path(sys.argv[1]).write_text(json.dumps(verdicts))


if __name__ == "__main__":
    main()
