"""What does `passnet optimize` bring whole models over the best mode of torch.compile? One row for each model.

    python benchmarks/whole_models_best.py --run DIRECTORY [--device cuda] [--minutes 10] [--only "resnet18-*"]
    python benchmarks/whole_models_best.py --run DIRECTORY --real --device cuda --minutes 3 --only "resnet50*,opt*"

Models are those of `models.parquet`, and others by `--model SOURCE:NAME` (timm, torchvision, transformers; their own
sizes, random weights). With `--real` they are the twelve of `real_models.py`. Each is one `passnet optimize --json`
with a bundle of its own below `--run`. A model with a result there is not optimised again, and one that was interrupted
goes on. With `--seconds` no model is begun that could not end in that time; the same command goes on with the rest.
Two of them may share a `--run`, each with other models and a GPU and cores of its own. The result holds all answers
that are there, so `--seconds 1` joins them; `not_measured` are models without one.

`load_before` is the machine's load average before each model: above a tenth or so, other programs ran, and the row is
not to be believed (but for the first models after another one on many cores). `modes_without_time`: modes of
torch.compile that were not measured, and why; those with wrong results and `modes_that_raise` an error of torch are
not among them. Where there are any, the best mode may not be the best: such a model is `not_against_every_mode` and in
no figure against torch.compile, as models `without_answer` are in none.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from common import of_one_revision, parsed, save
from real_models import SEED, chosen
from whole_models import MODELS, graphs

_FACTORIES = "whole_models_factories"
_STARTS_S = 20.0


def main() -> None:
    options = arguments()
    options.run = options.run.resolve()
    of_one_revision(options.run, options.revision)
    rows: dict[str, Any] = {}
    ends = time.monotonic() + options.seconds if options.seconds else math.inf
    chosen_models = list(specs(options))
    for name, spec in chosen_models:
        if not answer_file(name, options).exists():
            if not wanted(name, options):
                continue
            if time.monotonic() + longest_s(options) > ends:
                print(f"{name}: not begun, it could not end in time", flush=True)
                continue
        rows[name] = row(name, spec, options)
        print(shown(name, rows[name]), flush=True)
        # Whole after every model: the rest may take longer than a machine is lent for.
        settings = {key: getattr(options, key) for key in ("minutes", "threads", "author", "static", "real", "seed")}
        save(options, f"whole-models-best-{options.device}", "whole-models-best", options.device, settings | {
            "models": rows, "without_answer": [name for name, found in rows.items() if not found.get("best")],
            "not_measured": [name for name, _ in chosen_models if name not in rows],
            "not_against_every_mode": [name for name, found in rows.items() if found.get("modes_without_time")],
            "gmean_over_best_torch_compile": gmean(rows), "least_over_best_torch_compile": least(rows),
        })  # fmt: skip


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="bundles, measurements and answers; goes on there")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--models", type=Path, default=MODELS, help="Parquet file written by whole_models.py")
    parser.add_argument("--model", action="append", default=[], metavar="SOURCE:NAME", help="a further model")
    parser.add_argument("--only", default="*", metavar="PATTERN,...", help="those whose names match one")
    parser.add_argument("--minutes", type=float, default=10.0, help="of each model")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--author", default="distill")
    parser.add_argument("--static", action="store_true", help="results may stay in a CUDA graph, as reduce-overhead's")
    parser.add_argument("--real", action="store_true", help="the models of real_models.py")
    parser.add_argument("--seed", type=int, default=SEED, help="draws half of them")
    parser.add_argument("--seconds", type=float, default=0.0, help="begin no model that could end later; 0: any time")
    return parsed(parser)


def specs(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Names of models and what `passnet optimize` calls them. Factories are in a module below `--run`."""
    if options.real:
        yield from real_specs(options)
        return
    found = graphs(options.models)
    lines = [
        "import sys", f"sys.path.insert(0, {str(Path(__file__).resolve().parent)!r})", "from pathlib import Path",
        "from whole_models import graphs, load", f"FILE = Path({str(options.models.resolve())!r})",
        "def made(index): return load(graphs(FILE)[index], 'cpu')",
        *(f"def model_{index}(): return made({index})" for index in range(len(found))),
    ]  # fmt: skip
    write_factories(lines, options)
    for index, graph in enumerate(found):
        yield graph.name, f"{_FACTORIES}:model_{index}"
    for model in options.model:
        yield model, model


def real_specs(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The same for the models of `real_models.py`."""
    models = chosen(options.seed, options.device)
    lines = [
        "import sys", f"sys.path.insert(0, {str(Path(__file__).resolve().parent)!r})", "from real_models import made",
        *(
            f"def model_{index}(): return made({each.name!r}, {each.batch}, {each.dtype!r})"
            for index, each in enumerate(models)
        ),
    ]  # fmt: skip
    write_factories(lines, options)
    for index, each in enumerate(models):
        yield each.label, f"{_FACTORIES}:model_{index}"


def write_factories(lines: Sequence[str], options: argparse.Namespace) -> None:
    """The module below `--run`. What another process already wrote there stays, since its models may be read now."""
    file, text = options.run / f"{_FACTORIES}.py", "\n".join(lines) + "\n"
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def wanted(name: str, options: argparse.Namespace) -> bool:
    """Whether `--only` names it, or `--model` does."""
    patterns = [pattern.strip() for pattern in options.only.split(",")]
    return name in options.model or any(fnmatch(name, pattern) for pattern in patterns)


def longest_s(options: argparse.Namespace) -> float:
    """How long one command may take: its minutes, a fifth more, and the imports before its clock begins."""
    return 1.2 * 60 * options.minutes + _STARTS_S if options.minutes else math.inf


def answer_file(name: str, options: argparse.Namespace) -> Path:
    found: Path = options.run / f"{name.replace(':', '.')}.json"
    return found


def row(name: str, spec: str, options: argparse.Namespace) -> dict[str, Any]:
    """The answer of the command, from disk if it is there. A command that fails is a row with its last words."""
    file = answer_file(name, options)
    if file.exists():
        kept: dict[str, Any] = json.loads(file.read_text())
        return kept
    load = os.getloadavg()[0]
    limit_s = longest_s(options) if options.minutes else None
    arguments, began = command(name, spec, options), time.monotonic()
    try:
        done = subprocess.run(
            arguments, cwd=options.run, stdout=subprocess.PIPE, text=True, check=False, timeout=limit_s
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"failed": f"it took longer than {limit_s:.0f} s", "load_before": load}
    if not done.stdout.strip():
        return {"failed": f"exit code {done.returncode}", "load_before": load}
    answer = json.loads(done.stdout)
    if "best" not in answer:  # the document of an error, whose words were shown already
        return {"failed": f"exit code {done.returncode}", "load_before": load}
    made = {key: answer[key] for key in ("best", "forms", "minutes", "phases", "notes")} | {
        "kept": [{key: kept[key] for key in ("source", "replacements", "speedup")} for kept in answer["kept"]],
        "load_before": load,
        "wall_s": round(time.monotonic() - began, 1),
        "modes_without_time": {
            form["form"]: form["reason"]
            for form in answer["forms"]
            if form["form"] in (answer["best"] or {}).get("not_compared", ())
        },
        "modes_that_raise": {
            form["form"]: form["reason"]
            for form in answer["forms"]
            if form["form"].startswith("torch.compile") and form["raised"]
        },
    }
    file.write_text(json.dumps(made))
    return made


def command(name: str, spec: str, options: argparse.Namespace) -> Sequence[str]:
    return [
        sys.executable, "-m", "passnet", "optimize", spec, "--json", "--overwrite",
        "--device", options.device, "--minutes", str(options.minutes), "--threads", str(options.threads),
        "--author", options.author, "--out", name.replace(":", "."), *(["--static"] if options.static else []),
    ]  # fmt: skip


def ratios(rows: Mapping[str, Any]) -> list[float]:
    """How many times as fast as the best mode of torch.compile each answer is. A mode itself is 1.

    Only of models for which every mode was measured: else another mode may be the best.
    """
    best = [found["best"] for found in rows.values() if found.get("best") and not found.get("modes_without_time")]
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
        f"{''.join(f'; NOT MEASURED: {mode}: {why}' for mode, why in found.get('modes_without_time', {}).items())}"
    )


if __name__ == "__main__":
    main()
