"""The process that reads passes for `passnet serve`. It is ended when those of one request take too long."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from passnet.errors import InfrastructureError, UsageError
from passnet.rewards.reading import read_passes


def main() -> None:
    """Entry point: one order a line, until the service goes away."""
    for line in sys.stdin.buffer:
        order = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, order["most_s"])  # SIGPROF ends the process, also inside of the parser
        answer = json.dumps(_answer(order)).encode()
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    const = None if order["const"] is None else Path(order["const"])
    try:
        return asdict(read_passes(order["passes"], const, order["level"]))
    except UsageError as error:
        return {"mistake": str(error)}
    except (InfrastructureError, OSError) as error:
        return {"failure": str(error)}
