"""The adversarial corpus on this machine: how every cheat ended, and how many honest passes were accepted.

    python benchmarks/integrity_corpus.py [--device cuda] [--short] [--shards N] [--out DIR]

With `--shards` so many parts run side by side, each on cores of its own, and on a GPU of its own.

Runs the tests of `tests/integrity` (on CUDA those that need a GPU) and writes the outcomes by test function, and for
each cheat that was run how it ended, in the words of its docstring's `Ends as`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common
import torch

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
MARKS = {"cpu": "integrity and not gpu", "cuda": "integrity and gpu"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=sorted(MARKS), default="cpu")
    parser.add_argument("--short", action="store_true", help="by the short protocol of the tests, not by the default")
    parser.add_argument(
        "--shards", type=int, default=1, help="parts that run side by side, two cores or one GPU each, at least"
    )
    options = common.parsed(parser)
    cores = sorted(os.sched_getaffinity(0))
    most = max(1, len(cores) // 2 if options.device == "cpu" else torch.cuda.device_count())
    if not 1 <= options.shards <= most:
        parser.error(f"--shards {options.shards}: on this machine it may be 1 to {most}")
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        status = ran(options, cores, report)
        if not report.exists():
            sys.exit(f"integrity_corpus.py: pytest ended with {status} and no report")
        cases = list(ET.parse(report).iter("testcase"))
    result = {
        "protocol_of_tests": "short" if options.short else "default",
        "shards": options.shards,
        **summary(cases),
    }
    for function, outcomes in result["tests"].items():
        print(f"{function}: {outcomes}")
    common.save(options, f"integrity-{options.device}", "integrity", options.device, result)
    sys.exit(status)


def ran(options: argparse.Namespace, cores: Sequence[int], report: Path) -> int:
    """pytest's exit status. A part takes the next test when it is done with one, so that all end at about one time.

    The report is of the family that has properties of tests.
    """
    arguments = ["-m", MARKS[options.device], "-o", "junit_family=xunit1", f"--junitxml={report}"]
    arguments += [] if options.short else ["--default-protocol"]
    settings = {}
    if options.shards > 1:
        each = len(cores) // options.shards
        gpu = options.device == "cuda"
        parts = [(list(cores[part * each :][:each]), part if gpu else None) for part in range(options.shards)]
        settings = {"PASSNET_PARTS": json.dumps(parts)}
        arguments += ["-n", str(options.shards), "--dist", "load", "--maxschedchunk", "1"]
    command = [*PYTEST, *arguments, "tests/integrity"]
    return subprocess.run(command, cwd=common.ROOT, env={**os.environ, **settings}, check=False).returncode


def summary(cases: Sequence[ET.Element]) -> dict[str, Any]:
    """Outcomes by test function, the tests that did not pass, and the ends of the cheats."""
    tests: dict[str, Counter[str]] = defaultdict(Counter)
    unlike: dict[str, str] = {}
    ends: dict[str, dict[str, str]] = defaultdict(dict)
    for case in cases:
        name, outcome = case.attrib["name"], outcome_of(case)
        function, _, entry = name.removesuffix("]").partition("[")
        tests[function][outcome.partition(":")[0]] += 1
        if outcome != "passed":
            unlike[name] = outcome
        if (told := case.find("properties/property[@name='ended']")) is not None:
            ends[function][entry] = told.attrib["value"]
    return {
        "tests": {name: dict(rows) for name, rows in tests.items()},
        "not_passed": unlike,
        "ended": {name: dict(sorted(rows.items())) for name, rows in ends.items()},
        "seconds": sum(float(case.attrib["time"]) for case in cases),
    }


def outcome_of(case: ET.Element) -> str:
    for kind in ("failure", "error", "skipped"):
        if (told := case.find(kind)) is not None:
            return f"{kind}: {told.attrib.get('message', '')[:200]}"
    return "passed"


if __name__ == "__main__":
    main()
