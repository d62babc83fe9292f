"""Processes that read passes, so that no text of one author keeps a service from others. Each can be ended.

They run trusted code alone: passes are parsed and checked, never run. A line of JSON goes in, and one comes out.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from passnet.bench.isolation.leftovers import remove
from passnet.errors import UsageError
from passnet.rewards.definition import NoReward
from passnet.rewards.reading import Passes, ReadPasses, unreadable_passes
from passnet.rewrite import Violation
from passnet.rewrite.policy.names import Level

# Seconds of a processor for the passes of one request. The largest that may be read take a tenth of it.
MOST_S = 60.0
# One long text alone keeps nobody waiting.
_READERS = 2
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from passnet.rewards.reader_main import main; main()"


class PassReader:
    """One process that reads. It starts when it is first needed, and again when it has ended. One thread uses it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: Path | None = None
        self._stale = self._closed = False

    def read(self, passes: Passes, const: Path | None, level: Level) -> ReadPasses:
        """As `read_passes`. NoReward when the process ends before it answers: by `end`, or by itself."""
        if self._is_stale():
            self.forget()
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        given = str(passes) if isinstance(passes, str | Path) else dict(passes)
        order = {"passes": given, "const": None if const is None else str(const), "level": level, "most_s": MOST_S}
        answer = b""
        with suppress(OSError):  # it is gone
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        if not answer.endswith(b"\n"):
            return self._ended(process)
        return _said(json.loads(answer))

    def end(self) -> None:
        """End what is being read, from any thread."""
        with self._lock:
            if self._process is not None:
                self._stale = True
                self._process.kill()

    def close(self) -> None:
        """The same for good, from any thread. Who reads is told that there is no reward."""
        with self._lock:
            self._closed = True
        self.end()

    def forget(self) -> None:
        """Remove the process and what it left. Nobody reads."""
        with self._lock:
            process, self._process, self._stale = self._process, None, False
            scratch, self._scratch = self._scratch, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):  # what it did not read any more
                    pipe.close()
        if scratch is not None:
            remove(scratch)

    def _is_stale(self) -> bool:
        """Whether its process has ended since the last answer, or is about to."""
        with self._lock:
            return self._stale or (self._process is not None and self._process.poll() is not None)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise NoReward("the service is stopping")
            if self._process is None:
                try:
                    self._scratch = self._scratch or Path(tempfile.mkdtemp(prefix="passnet-reader-"))
                    self._process = self._start(self._scratch)
                except OSError as error:
                    raise NoReward(f"no process that reads passes can be started: {error.strerror}") from error
            return self._process

    def _start(self, scratch: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-c", _BOOT, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"TMPDIR": str(scratch)},
            start_new_session=True,  # Ctrl-C is for the service, which ends this process
        )

    def _ended(self, process: subprocess.Popen[bytes]) -> ReadPasses:
        process.kill()  # it may have closed its pipes alone
        code = process.wait()
        self.forget()
        if code == -signal.SIGPROF:
            return unreadable_passes(f"reading the passes takes more than {MOST_S:g} s of a processor")
        raise NoReward("the service is stopping" if self._closed else "the process that reads passes ended")


class PassReaders:
    """Some readers, and the threads that use them. Work waits for a free one in order."""

    def __init__(self) -> None:
        self._all = [PassReader() for _ in range(_READERS)]
        self._idle: SimpleQueue[PassReader] = SimpleQueue()
        for reader in self._all:
            self._idle.put(reader)
        self._threads = ThreadPoolExecutor(len(self._all), thread_name_prefix="reader")

    def begin(self, work: Callable[[PassReader], None]) -> None:
        """Let `work`, which raises nothing, use a reader in a thread. RuntimeError where no thread is to be had."""
        self._threads.submit(self._use, work)

    def close(self) -> None:
        """End what is being read. Work that waits still begins, and is told that there is no reward."""
        for reader in self._all:
            reader.close()
        self._threads.shutdown()
        for reader in self._all:
            reader.forget()

    def _use(self, work: Callable[[PassReader], None]) -> None:
        reader = self._idle.get()
        try:
            work(reader)
        finally:
            self._idle.put(reader)


def _said(answer: dict[str, Any]) -> ReadPasses:
    """What the process said, or the error that it met."""
    if "mistake" in answer:
        raise UsageError(answer["mistake"])
    if "failure" in answer:
        raise NoReward(f"the machine failed: {answer['failure']}")
    violations = tuple(Violation(**violation) for violation in answer.pop("violations"))
    return ReadPasses(**answer, violations=violations)
