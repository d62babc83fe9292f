"""A lane in a process of its own, which writes down when it is at the device.

`python -m tests.bench.isolation.lane LOCK LOG NUMBER ROUNDS LANES` prepares and measures so many times.
It begins when so many lanes are there.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.turn import DeviceTurn

# A lane stays this long in a phase, so that others come while it is there.
STAYS_S = 0.002
# So long it waits for the others.
LIVES_S = 50.0


def main() -> None:
    lock, log, number, rounds, lanes = sys.argv[1:]
    (Path(log).parent / f"lane-{number}").touch()
    deadline = time.monotonic() + LIVES_S
    while len(list(Path(log).parent.glob("lane-*"))) < int(lanes):
        assert time.monotonic() < deadline, "the other lanes did not come"
        time.sleep(STAYS_S)
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    turn = DeviceTurn(Cores((), ()), Path(lock))

    def stay(phase: str) -> None:
        os.write(fd, f"{number} {phase} begins\n".encode())
        time.sleep(STAYS_S)
        os.write(fd, f"{number} {phase} ends\n".encode())

    for _ in range(int(rounds)):
        for phase, take in (("prepares", turn.prepare), ("measures", turn.measure)) * 2:
            take([])
            stay(phase)
        turn.leave()
    turn.close()


if __name__ == "__main__":
    main()
