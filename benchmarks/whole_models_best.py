"""What does `passnet optimize` bring whole models over the best mode of torch.compile? One row for each model.

    python benchmarks/whole_models_best.py --run DIRECTORY [--device cuda] [--minutes 10] [--only "resnet18-*"]

Models are those of `models.parquet`, and others by `--model SOURCE:NAME` (timm, torchvision, transformers; their own
sizes, random weights). Each is one `passnet optimize --json` with a bundle of its own below `--run`. A model with a
result there is not optimised again, and one that was interrupted goes on. `load_before` is the machine's load average
before each model: above a tenth or so, other programs ran, and the row is not to be believed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from common import of_one_revision, parsed, save
from whole_models import MODELS, graphs

_FACTORIES = "whole_models_factories"


def main() -> None:
    options = arguments()
    options.run = options.run.resolve()
    of_one_revision(options.run, options.revision)
    rows: dict[str, Any] = {}
    for name, spec in specs(options):
        rows[name] = row(name, spec, options)
        print(shown(name, rows[name]), flush=True)
        # Whole after every model: the rest may take longer than a machine is lent for.
        settings = {"minutes": options.minutes, "threads": options.threads, "author": options.author}
        save(options, f"whole-models-best-{options.device}", "whole-models-best", options.device, settings | {
            "models": rows, "gmean_over_best_torch_compile": gmean(rows), "least_over_best_torch_compile": least(rows),
        })  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="bundles, measurements and answers; goes on there")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--models", type=Path, default=MODELS, help="Parquet file written by whole_models.py")
    parser.add_argument("--model", action="append", default=[], metavar="SOURCE:NAME", help="a further model")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="those whose names match")
    parser.add_argument("--minutes", type=float, default=10.0, help="of each model")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--author", default="distill")
    return parsed(parser)


def specs(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Names of models and what `passnet optimize` calls them. Graphs get a factory in a module below `--run`."""
    found = graphs(options.models)
    lines = [
        "import sys", f"sys.path.insert(0, {str(Path(__file__).resolve().parent)!r})", "from pathlib import Path",
        "from whole_models import graphs, load", f"FILE = Path({str(options.models.resolve())!r})",
        "def made(index): return load(graphs(FILE)[index], 'cpu')",
        *(f"def model_{index}(): return made({index})" for index in range(len(found))),
    ]  # fmt: skip
    (options.run / f"{_FACTORIES}.py").write_text("\n".join(lines) + "\n")
    for index, graph in enumerate(found):
        if fnmatch(graph.name, options.only):
            yield graph.name, f"{_FACTORIES}:model_{index}"
    for model in options.model:
        yield model, model


def row(name: str, spec: str, options: argparse.Namespace) -> dict[str, Any]:
    """The answer of the command, from disk if it is there. A command that fails is a row with its last words."""
    file = options.run / f"{name.replace(':', '.')}.json"
    if file.exists():
        kept: dict[str, Any] = json.loads(file.read_text())
        return kept
    load = os.getloadavg()[0]
    done = subprocess.run(command(name, spec, options), cwd=options.run, stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout.strip():
        return {"failed": f"exit code {done.returncode}", "load_before": load}
    answer = json.loads(done.stdout)
    made = {key: answer[key] for key in ("best", "forms", "minutes", "notes")} | {
        "kept": [{key: kept[key] for key in ("source", "replacements", "speedup")} for kept in answer["kept"]],
        "load_before": load,
    }
    file.write_text(json.dumps(made))
    return made


def command(name: str, spec: str, options: argparse.Namespace) -> Sequence[str]:
    return [
        sys.executable, "-m", "passnet.cli.main", "optimize", spec, "--json", "--overwrite",
        "--device", options.device, "--minutes", str(options.minutes), "--threads", str(options.threads),
        "--author", options.author, "--out", name.replace(":", "."),
    ]  # fmt: skip


def ratios(rows: Mapping[str, Any]) -> list[float]:
    """How many times as fast as the best mode of torch.compile each answer is. A mode itself is 1."""
    best = [found["best"] for found in rows.values() if found.get("best")]
    return [each["speedup_over_best_torch_compile"] for each in best if each["speedup_over_best_torch_compile"]]


def gmean(rows: Mapping[str, Any]) -> float | None:
    found = ratios(rows)
    return math.exp(sum(map(math.log, found)) / len(found)) if found else None


def least(rows: Mapping[str, Any]) -> float | None:
    return min(ratios(rows), default=None)


def shown(name: str, found: Mapping[str, Any]) -> str:
    best = found.get("best")
    if not best:
        return f"{name}: {found.get('failed', 'nothing was measured')}"
    over = best["speedup_over_best_torch_compile"]
    ratio = "-" if over is None else f"{over:.3f}"
    return (
        f"{name}: {best['form']}, {best['us']:.0f} us, {best['speedup_over_eager']:.2f}x eager, "
        f"{ratio}x {best['best_torch_compile']}, {found['minutes']} minutes"
    )


if __name__ == "__main__":
    main()
