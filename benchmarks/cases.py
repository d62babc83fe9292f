"""Two computations that the papers show, with passes of ours, beside TorchInductor: figures of `docs/cases.md`.

    python benchmarks/cases.py [--device cpu] [--only passes]
    python benchmarks/cases.py --write          # writes the graphs of `data/cases` again and measures nothing

`maskformer_roll` is a piece of the bundled data set. `masked_mean_pooling` is captured from a module here.
Both have three dtypes. The precision is 5 %; the lower ends of intervals that stay wide are what is scored.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import common
import compilers

from passnet.graph import Graph, Task

if TYPE_CHECKING:
    import torch

CASES = common.ROOT / "data" / "cases"
DATASET = common.ROOT / "data" / "dataset"
DTYPES = ("float32", "float16", "bfloat16")
PIECE = "maskformer_start126_end132_0"
# Sentences, tokens of each, numbers of each token.
POOLED = (8, 128, 384)


def main() -> None:
    options = common.arguments(
        __doc__ or "", choices=compilers.COMPILERS, more={"--write": {"action": "store_true", "help": "the graphs"}}
    )
    if options.write:
        write_tasks(CASES)
        return
    if options.paths == [common.TASKS]:
        options.paths = sorted(path for path in CASES.iterdir() if (path / "graph_list.txt").exists())
    options.set = ["precision=0.05", *options.set]
    chosen = [options.only] if options.only else list(compilers.COMPILERS)
    common.write(options, "cases", {"compilers": compilers.compared(options, chosen)})


def write_tasks(out: Path) -> None:
    """Writes both tasks, each with three dtypes. Passes that are there stay."""
    for name, graph in {"maskformer_roll": roll(), "masked_mean_pooling": pooling()}.items():
        kept, home = out / name / "pass_dir", out / f"{name}.new"
        Task.write(home, variants(graph), overwrite=True)
        if kept.exists():
            shutil.copytree(kept, home / "pass_dir", dirs_exist_ok=True)
            shutil.rmtree(out / name)
        home.rename(out / name)


def roll() -> Graph:
    """Shift of windows back to their place, residual and norm, as the data set has it."""
    from passnet.dataset.tables.store import read_rows

    found = [row.graph() for row in read_rows(DATASET) if row.name == PIECE]
    if len(found) != 1:
        raise SystemExit(f"{DATASET}: expected one graph named {PIECE}, found {len(found)}")
    return found[0]


def pooling() -> Graph:
    """The mean over the tokens that a mask keeps, as sentence encoders write it."""
    import torch

    import passnet

    class MaskedMean(torch.nn.Module):
        def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            weight = mask.unsqueeze(-1).expand(tokens.size()).float()
            return (tokens * weight).sum(1) / torch.clamp(weight.sum(1), min=1e-9)

    generator = torch.Generator().manual_seed(0)
    mask = (torch.rand(POOLED[:2], generator=generator) < 0.8).long()
    (graph,) = passnet.capture(MaskedMean(), torch.randn(POOLED, generator=generator), mask)
    return graph


def variants(graph: Graph) -> Iterator[Graph]:
    """The graph in three dtypes; integers stay."""
    for dtype in DTYPES:
        specs = tuple(replace(spec, dtype=dtype) if spec.is_floating else spec for spec in graph.specs)
        yield replace(graph, name=f"{dtype}/{graph.name}", specs=specs, meta={**graph.meta, "dtype": dtype})


if __name__ == "__main__":
    main()
