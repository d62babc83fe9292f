"""Measures collected passes on a copy of the task that their author never saw, and writes the reward for Harbor.

The module runs as a script in the verifier's container. Only the passes in there come from the agent. The module
imports nothing of passnet, because it is copied there. It calls `passnet eval`, which runs passes only in its sandboxed
workers. If the bench fails, no reward is written. That is an error of the machine and not a score.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

MANIFEST = "sorted_output_pass_rule_names.json"
MAX_FILES, MAX_BYTES = 1000, 1 << 20
_USAGE = 2
_UNSHOWN = re.compile(r"[^\n -~]")
_RULE_NAME = re.compile(r"\w[\w.-]*", re.ASCII)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", type=Path, required=True)
    parser.add_argument("--passes", type=Path, required=True)
    parser.add_argument("--logs", type=Path, required=True)
    parser.add_argument("options", nargs="*", help="further options of `passnet eval`")
    given = parser.parse_args()
    given.logs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="passnet-verify-") as directory:
        task = Path(directory) / given.task.name
        shutil.copytree(given.task, task)
        collect(given.passes, task / "pass_dir")
        rewards = measured(task, given.logs, given.options)
    if rewards is None:
        return 1
    partial = given.logs / "reward.json.partial"
    partial.write_text(json.dumps(rewards), encoding="utf-8")
    partial.replace(given.logs / "reward.json")
    return 0


def collect(source: Path, to: Path) -> None:
    """Copy the files that a pass set is made of: plain files, no links, of bounded size.

    Everything else is left out.
    """
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    if source.is_symlink() or not source.is_dir():
        return
    names = sorted(name for name in os.listdir(source) if _may_be_rule(name))
    for name in (MANIFEST, *names[:MAX_FILES]):
        text = plain(source / name)
        if text is not None:
            (to / name).write_bytes(text)


def _may_be_rule(name: str) -> bool:
    """Whether a pass set may have a file of that name, as `passnet eval` reads one."""
    stem, dot, suffix = name.rpartition(".")
    return dot + suffix == ".py" and (stem.isidentifier() or _RULE_NAME.fullmatch(stem) is not None)


def plain(path: Path) -> bytes | None:
    """The bytes of a plain file of at most `MAX_BYTES`. None for anything else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        os.close(fd)
        return None
    with os.fdopen(fd, "rb") as file:
        return file.read(MAX_BYTES)


def measured(task: Path, logs: Path, options: list[str]) -> dict[str, float] | None:
    """AS and the share of right variants. None if the machine failed and not the passes."""
    runs = ["--runs", str(logs / "runs"), "--run", "verify"]
    command = [sys.executable, "-I", "-m", "passnet", "eval", str(task), "--json", *runs, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    (logs / "eval.json").write_text(done.stdout, encoding="utf-8")
    (logs / "eval.txt").write_text(done.stderr, encoding="utf-8")
    sys.stderr.write(_UNSHOWN.sub(lambda found: ascii(found[0])[1:-1], done.stderr))
    if done.returncode == 0:
        return rewards_of(json.loads(done.stdout))
    if done.returncode == _USAGE and str(task / "pass_dir") in done.stderr:  # the pass set cannot be read
        return {"reward": 0.0, "correct": 0.0}
    return None


def rewards_of(document: dict[str, Any]) -> dict[str, float] | None:
    """The score from the document that `passnet eval --json` prints. None if there is no score."""
    (task,) = document["tasks"]
    if task["AS"] is None:
        return None
    right = [graph["outcome"] == "correct" for graph in task["graphs"]]
    return {"reward": float(task["AS"]), "correct": sum(right) / len(right)}


if __name__ == "__main__":
    sys.exit(main())
