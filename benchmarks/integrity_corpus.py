"""The adversarial corpus on this machine: how every cheat ended, and how many honest passes were accepted.

    python benchmarks/integrity_corpus.py [--device cuda | --inside] [--short] [--shards N] [--run DIR [--again]]

With `--shards` so many parts run side by side, each on cores of its own, and on a GPU of its own. `--run DIR` keeps the
outcome of each test there as it ends, and goes on with those that are there, failures too. None is tried again, but
with `--again`: then each that did not pass is tried once more, and the result names it under `tried_again`.

Runs the tests of `tests/integrity`: on CUDA those that need a GPU, with `--inside` those of passes inside Inductor,
else all others. Writes the outcomes by test function, and for each cheat that was run how it ended, in the words of its
docstring's `Ends as`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common
import torch

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
ROWS = "rows.jsonl"
# Tests passed, some failed, and all were done before.
_ENDED = (0, 1, 5)
MARKS = {"cpu": "integrity and not gpu", "cuda": "integrity and gpu"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=sorted(MARKS), default="cpu")
    parser.add_argument("--inside", action="store_true", help="only what is judged inside Inductor, on the CPU")
    parser.add_argument("--short", action="store_true", help="by the short protocol of the tests, not by the default")
    parser.add_argument(
        "--shards", type=int, default=1, help="parts that run side by side, two cores or one GPU each, at least"
    )
    parser.add_argument("--run", type=Path, help="keep the outcomes here, and go on with those that are there")
    parser.add_argument("--again", action="store_true", help="try those once more that did not pass")
    options = common.parsed(parser)
    if options.inside and options.device != "cpu":
        parser.error("--inside: what is judged inside Inductor runs on the CPU; leave --device out")
    cores = sorted(os.sched_getaffinity(0))
    most = max(1, len(cores) // 2 if options.device == "cpu" else torch.cuda.device_count())
    if not 1 <= options.shards <= most:
        parser.error(f"--shards {options.shards}: on this machine it may be 1 to {most}")
    with tempfile.TemporaryDirectory() as scratch:
        kept = (options.run or Path(scratch)).resolve()
        common.of_one_revision(kept, options.revision)
        status = ran(options, cores, kept)
        rows, first = read_rows(kept / ROWS), failed_first(kept / ROWS)
    if status not in _ENDED:
        sys.exit(f"integrity_corpus.py: pytest ended with {status}, and {len(rows)} tests have an outcome")
    result = {
        "protocol_of_tests": "short" if options.short else "default",
        "shards": options.shards,
        **summary(rows),
        "tried_again": first,
    }
    for function, outcomes in result["tests"].items():
        print(f"{function}: {outcomes}")
    name = "integrity-inside" if options.inside else "integrity"
    common.save(options, f"{name}-{options.device}", name, options.device, result)
    sys.exit(bool(result["not_passed"]))


def ran(options: argparse.Namespace, cores: Sequence[int], kept: Path) -> int:
    """pytest's exit status. A part takes the next test when it is done with one, so that all end at about one time."""
    done = kept / "done.json"  # apart from the rows, to which tests add while workers may still be started
    again = options.again and {row["id"] for row in read_rows(kept / ROWS) if row["outcome"] != "passed"}
    done.write_text(json.dumps([row["id"] for row in read_rows(kept / ROWS) if not again or row["id"] not in again]))
    arguments = ["-m", MARKS[options.device], *([] if options.short else ["--default-protocol"])]
    settings = {"PASSNET_ROWS": str(kept / ROWS), "PASSNET_DONE": str(done)}
    if options.shards > 1:
        each = len(cores) // options.shards
        gpu = options.device == "cuda"
        parts = [(list(cores[part * each :][:each]), part if gpu else None) for part in range(options.shards)]
        settings["PASSNET_PARTS"] = json.dumps(parts)
        arguments += ["-n", str(options.shards), "--dist", "load", "--maxschedchunk", "1"]
    inside = "tests/integrity/test_inside_inductor.py"
    tests = [inside] if options.inside else ["tests/integrity", f"--ignore={inside}"]
    command = [*PYTEST, *arguments, *tests]
    return subprocess.run(command, cwd=common.ROOT, env={**os.environ, **settings}, check=False).returncode


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def read_rows(path: Path) -> list[dict[str, Any]]:
    """What became of each test; a later row of one (it failed while it was cleared away) replaces an earlier."""
    return list({row["id"]: row for row in read_lines(path)}.values())


def failed_first(path: Path) -> dict[str, str]:
    """The tests that did not pass at first and passed in a later try, and what was said of them at first."""
    first: dict[str, dict[str, Any]] = {}
    for row in read_lines(path):
        first.setdefault(row["id"], row)
    now = {row["id"]: row["outcome"] for row in read_rows(path)}
    return {name: row["message"] for name, row in first.items() if row["outcome"] != "passed" and now[name] == "passed"}


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Outcomes by test function, the tests that did not pass, and the ends of the cheats."""
    tests: dict[str, Counter[str]] = defaultdict(Counter)
    unlike: dict[str, str] = {}
    ends: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        name = row["id"].partition("::")[2]
        function, _, entry = name.removesuffix("]").partition("[")
        tests[function][row["outcome"]] += 1
        if row["outcome"] != "passed":
            unlike[name] = f"{row['outcome']}: {row['message']}"
        if row["ended"] is not None:
            ends[function][entry] = row["ended"]
    return {
        "tests": {name: dict(rows) for name, rows in tests.items()},
        "not_passed": unlike,
        "ended": {name: dict(sorted(rows.items())) for name, rows in ends.items()},
        "seconds": round(sum(row["seconds"] for row in rows), 3),
    }


if __name__ == "__main__":
    main()
