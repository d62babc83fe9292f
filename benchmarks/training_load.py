"""A load like that of a trainer: pass sets of one task, several at a time, some of them planted, by the reward service.

    python benchmarks/training_load.py --device cuda --run build/load --seconds 500
    python benchmarks/training_load.py --device cpu --evaluations 1000 --run build/long
    python benchmarks/training_load.py --by evaluate --evaluations 64      # one evaluation each, as without a service

A round is `--honest` honest sets and 16 planted ones in an order drawn by `--seed`: four compute something wrong, four
cheat, four never end, four crash (`training_passes.py`). Every text is new, so no answer is known from before. Rounds
follow one another until `--evaluations` answers or `--seconds`; the same command with the same `--run` goes on. A
reward is AS, which is about 0.1 for a failure and 1 for what is as fast as eager. It is false where a planted set is
correct or gets half of what eager would. No answer, because the machine failed, is no reward. Memory is that of the
service and its children (proportional set size), and of the GPU; its figures are medians, in MiB, of the second and of
the last quarter of the samples of one start of the service.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import math
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import common
import seconds
from training_passes import PLANTED, PlantedSet, pass_sets, written_task

from passnet.bench.evaluate import EvaluationRequest, evaluate

ROWS, MEMORY = "rows.jsonl", "memory.jsonl"
FALSE = 0.5
START_S, ANSWER_S, SAMPLE_S = 120.0, 900.0, 2.0
Row = dict[str, Any]
Ask = Callable[[PlantedSet], Row]


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        room = options.run or Path(scratch)
        common.of_one_revision(room, options.revision)
        task = written_task(room / "task", options.graphs)
        if not options.report:
            with CLIENTS[options.by](options, task, room) as (ask, pid):
                load(options, ask, pid, room)
        result = reduced(options, seconds.read_lines(room / ROWS), seconds.read_lines(room / MEMORY))
    seconds.show(result)
    common.save(options, f"training-load-{options.device}", "training-load", options.device, result)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--by", default="service", choices=CLIENTS, help="what is asked for rewards")
    parser.add_argument("--precision", type=seconds.percent, default=0.05, help="half width of the interval")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a protocol setting (evaluate)")
    parser.add_argument("--serve", default="", help="more words for `passnet serve`")
    parser.add_argument("--evaluations", type=int, default=64)
    parser.add_argument("--honest", type=int, default=48, help="honest sets of a round")
    parser.add_argument("--kinds", nargs="+", choices=("honest", *PLANTED), help="only these")
    parser.add_argument("--at", type=int, default=8, help="requests at a time")
    parser.add_argument("--graphs", type=int, default=1, choices=(1, 2), help="shapes of the task")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=math.inf, help="ask nothing more after so many seconds")
    parser.add_argument("--run", type=Path, help="keep the rows here, and go on with those that are there")
    parser.add_argument("--report", action="store_true", help="measure nothing: only what --run holds")
    return common.parsed(parser)


# --- who is asked ----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def service(options: argparse.Namespace, task: Path, room: Path) -> Iterator[tuple[Ask, int]]:
    """`passnet serve` in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", "--device", options.device, "--port", str(port), "--precision", f"{options.precision:.0%}"]
    command = [sys.executable, "-m", "passnet", *words, *options.serve.split()]
    with (room / "service.log").open("a") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        await_health(port, process)
        yield lambda planted: posted(port, task, planted), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            print("the service did not end within a minute of SIGTERM", file=sys.stderr)


def await_health(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if asked(port, "GET", "/health", None, 5.0)[0] == 200:
                return
        time.sleep(0.2)
    sys.exit(f"training_load.py: no healthy service on port {port} after {START_S:.0f} s, see service.log")


def asked(port: int, method: str, path: str, body: Any, limit_s: float) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=limit_s)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(content)
        return answer.status, content.decode(errors="replace")
    finally:
        connection.close()


def posted(port: int, task: Path, planted: PlantedSet) -> Row:
    """The answer of the service."""
    try:
        status, answer = asked(port, "POST", "/reward", {"task": str(task), "passes": dict(planted.files)}, ANSWER_S)
    except (OSError, http.client.HTTPException) as error:
        return {"status": None, **answer_of({"detail": f"{type(error).__name__}: {error}"})}
    told = answer if status == 200 else {"detail": answer}
    return {"status": status, **answer_of(told)}


def answer_of(told: Mapping[str, Any]) -> Row:
    row = {name: told.get(name) for name in ("reward", "outcome", "speedup", "detail")}
    return row | {"judged": told.get("seconds")}


@contextlib.contextmanager
def session(options: argparse.Namespace, task: Path, room: Path) -> Iterator[tuple[Ask, int]]:
    """A `RewardSession` in this process, which is asked one after the other."""
    from passnet.rewards.definition import NoReward
    from passnet.rewards.session import RewardSession

    alone = threading.Lock()
    with RewardSession(options.device, precision=f"{options.precision:.0%}") as rewards:

        def ask(planted: PlantedSet) -> Row:
            try:
                with alone:
                    return {"status": 200, **answer_of(rewards.reward(task, planted.files).to_json())}
            except NoReward as failure:
                return {"status": 503, **answer_of({"detail": str(failure)})}

        yield ask, os.getpid()


@contextlib.contextmanager
def evaluation(options: argparse.Namespace, task: Path, room: Path) -> Iterator[tuple[Ask, int]]:
    """One evaluation for each pass set, one after the other: what a trainer had to do without a reward."""
    alone = threading.Lock()
    settings = seconds.protocol(options)

    def ask(planted: PlantedSet) -> Row:
        with alone, tempfile.TemporaryDirectory() as scratch:
            place = Path(scratch) / "task"
            shutil.copytree(task, place)
            for name, text in planted.files.items():
                (place / "pass_dir" / name).write_text(text)
            run = Path(scratch) / "run"
            request = EvaluationRequest((place,), options.device, "passes", settings, run)
            (score,) = evaluate(request, lambda progress: None)
        worst = next((one for one in score.records if one.outcome.value != "correct"), score.records[0])
        spent = sum(record.seconds for record in score.records)
        told = {"reward": score.aggregated, "outcome": worst.outcome.value, "detail": worst.detail, "seconds": spent}
        return {"status": 200, **answer_of(told | {"speedup": worst.timing.speedup if worst.timing else None})}

    yield ask, os.getpid()


CLIENTS = {"service": service, "session": session, "evaluate": evaluation}

# --- the load --------------------------------------------------------------------------------------------------


def load(options: argparse.Namespace, ask: Ask, pid: int, room: Path) -> None:
    """Ask for what is not there yet, so many at a time. Rows appear as answers come."""
    done = {row["number"] for row in seconds.read_lines(room / ROWS)}
    todo = ((n, one) for n, one in drawn(options) if n not in done)
    began, ended = time.monotonic(), threading.Event()
    start = time.time()
    sampler = threading.Thread(target=sample, args=(pid, options.device, room / MEMORY, start, ended))
    sampler.start()

    def answered(number: int, planted: PlantedSet) -> Row:
        asked_at = time.time()
        row = {"number": number, "kind": planted.kind, "what": planted.what, **ask(planted)}
        return row | {"start": start, "asked": asked_at, "wall": round(time.time() - asked_at, 3)}

    try:
        with ThreadPoolExecutor(options.at) as pool:
            running: set[Future[Row]] = set()
            while True:
                while len(running) < options.at and time.monotonic() - began <= options.seconds:
                    following = next(todo, None)
                    if following is None:
                        break
                    running.add(pool.submit(answered, *following))
                if not running:
                    break
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                for row in (future.result() for future in ready):
                    seconds.append(room / ROWS, row)
                    said = f"{row['outcome'] if 'outcome' in row else row['status']} reward {row['reward']}"
                    print(f"[{row['number']}] {row['kind']} {row['what']}: {said}, {row['wall']} s", file=sys.stderr)
    finally:
        ended.set()
        sampler.join()


def drawn(options: argparse.Namespace) -> Iterator[tuple[int, PlantedSet]]:
    """Numbered pass sets, round after round, each round in another order."""
    number = turn = 0
    while number < options.evaluations:
        sets = list(pass_sets(options.device, options.honest, turn))
        sets = [one for one in sets if not options.kinds or one.kind in options.kinds]
        random.Random(f"{options.seed}/{turn}").shuffle(sets)
        for one in sets[: options.evaluations - number]:
            yield number, one
            number += 1
        turn += 1


def sample(pid: int, device: str, path: Path, start: float, ended: threading.Event) -> None:
    while not ended.wait(SAMPLE_S):
        tree = descendants(pid)
        row = {"start": start, "at": time.time(), "pss": sum(map(pss, tree)), "own": pss(pid), "processes": len(tree)}
        seconds.append(path, row | ({"gpu": gpu_bytes()} if device == "cuda" else {}))


def descendants(pid: int) -> list[int]:
    """A process and all that it started, and that those started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def pss(pid: int) -> int:
    """Proportional set size in bytes; 0 for a process that has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


def gpu_bytes() -> int | None:
    command = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    with contextlib.suppress(OSError, ValueError):
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return sum(int(line) for line in found.split()) << 20
    return None


# --- figures ---------------------------------------------------------------------------------------------------


def reduced(options: argparse.Namespace, rows: Sequence[Row], memory: Sequence[Row]) -> Row:
    """Rewards a minute, what became of each kind, and memory."""
    spans = [
        max(row["asked"] + row["wall"] for row in own) - min(row["asked"] for row in own)
        for start in {row["start"] for row in rows}
        if (own := [row for row in rows if row["start"] == start])
    ]
    result: Row = {"by": options.by, "precision": options.precision, "at": options.at, "seed": options.seed}
    result |= {
        "graphs": options.graphs,
        "evaluations": len(rows),
        "starts": len(spans),
        "seconds": round(sum(spans), 1),
    }
    rewards = [row for row in rows if row["reward"] is not None]
    result["rewards_per_minute"] = 60 * len(rewards) / sum(spans) if rewards else 0.0
    result["without_reward"] = [short(row) for row in rows if row["reward"] is None]
    planted = [row for row in rewards if row["kind"] != "honest"]
    false = [row for row in planted if row["outcome"] == "correct" or row["reward"] >= FALSE]
    result |= {"planted": len(planted), "false_rewards": [short(row) for row in false]}
    result["most_for_planted"] = max((row["reward"] for row in planted), default=None)
    slow = [row for row in rewards if row["kind"] == "honest" and row["reward"] <= 1]
    result["honest_without_gain"] = [short(row) for row in slow]
    for kind in ("honest", *PLANTED):
        own = [row for row in rows if row["kind"] == kind]
        if own:
            outcomes = Counter(str(row.get("outcome") or row["status"]) for row in own)
            judged = [row["judged"] for row in own if row.get("judged") is not None]
            median = statistics.median(judged) if judged else None
            result[kind] = {"sets": len(own), "outcomes": dict(outcomes.most_common()), "median_judged_s": median}
    result["memory"] = [of_start(memory, start) for start in sorted({row["start"] for row in memory})]
    return result | {"rows": list(rows)}


def short(row: Row) -> Row:
    return {key: row.get(key) for key in ("number", "kind", "what", "status", "outcome", "reward", "detail")}


def of_start(memory: Sequence[Row], start: float) -> Row:
    """MiB in the second and in the last quarter of one start of the service: the first fills what is kept."""
    own = [row for row in memory if row["start"] == start]
    found: Row = {"samples": len(own), "seconds": round(own[-1]["at"] - own[0]["at"])}
    quarter = len(own) // 4
    if not quarter:
        return found
    for what in ("own", "pss", "gpu", "processes"):
        values = [row[what] for row in own if row.get(what) is not None]
        if len(values) == len(own):
            unit = 1 if what == "processes" else 1 << 20
            early = statistics.median(values[quarter : 2 * quarter]) / unit
            late = statistics.median(values[-quarter:]) / unit
            found[what] = {
                "second_quarter": round(early, 1),
                "last_quarter": round(late, 1),
                "most": max(values) / unit,
            }
    return found


if __name__ == "__main__":
    main()
