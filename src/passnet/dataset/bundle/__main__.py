"""Captures the graphs of the bundled tasks again: `python -m passnet.dataset.bundle OUT [TASK ...]`."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from passnet.dataset.bundle.recapture import write_tasks
from passnet.dataset.bundle.tasks import TASKS
from passnet.errors import PassNetError, UsageError
from passnet.logs import logger

log = logger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry. Returns the exit code (0 done, 2 usage)."""
    parser = argparse.ArgumentParser(prog="python -m passnet.dataset.bundle", description=__doc__)
    parser.add_argument("out", type=Path, help="directory that receives one directory per task")
    parser.add_argument("task", nargs="*", help="names of tasks (default: all)")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    by_name = {task.name: task for task in TASKS}
    try:
        unknown = sorted(set(options.task) - by_name.keys())
        if unknown:
            raise UsageError(f"unknown task {unknown[0]!r}", expected=f"one of {', '.join(by_name)}")
        write_tasks(options.out, [by_name[name] for name in options.task] if options.task else TASKS)
    except PassNetError as error:
        log.error("error: %s", error)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
