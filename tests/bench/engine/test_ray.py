"""A real Ray cluster of several processes on this machine: a killed worker, a killed driver, no answer."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.bench.engine.ray_fleet import RayFleet
from passnet.bench.evaluate import evaluate
from passnet.bench.record.run import RECORDS, read_incidents, read_records
from passnet.errors import UsageError
from tests.bench.engine.running import request, write_graphs
from tests.bench.engine.test_local import CORE, start

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def graphs(tmp_path_factory) -> list[Path]:
    return write_graphs(tmp_path_factory.mktemp("graphs"), 4)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from ray.cluster_utils import Cluster

    memory = 80 << 20
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": memory, "include_dashboard": False},
    )
    cluster.add_node(num_cpus=1, object_store_memory=memory)
    yield cluster.address
    cluster.shutdown()


def test_an_address_without_answer_is_one_clear_line():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(UsageError, match=r"RAY_ADDRESS: no Ray cluster answers: .*refused"):
        RayFleet("cpu", None, address)
    with pytest.raises(UsageError, match="is no address of a Ray cluster"):
        RayFleet("cpu", None, "nowhere")


def test_gpus_are_not_named():
    with pytest.raises(UsageError, match="--devices: Ray itself hands out GPUs"):
        RayFleet("cuda", "cuda:0")


@pytest.mark.slow
def test_a_killed_worker_costs_no_record(address, graphs, tmp_path, monkeypatch):
    """Both nodes are this machine and share one core, so that the second takes over when the first is gone."""
    monkeypatch.setenv("RAY_ADDRESS", address)
    run = tmp_path / "run"
    killed: list[int] = []

    def after(step) -> None:
        if not killed:
            killed.extend(_actors())
            os.kill(killed[0], signal.SIGKILL)

    evaluate(request(run, "ray", CORE, graphs), after)
    assert killed
    _whole(run, graphs)


@pytest.mark.slow
def test_a_killed_driver_resumes_with_what_is_missing(address, graphs, tmp_path):
    run = tmp_path / "run"
    driver = start(run, graphs, "ray", RAY_ADDRESS=address)
    assert driver.stdout is not None and driver.stdout.readline()
    driver.kill()
    driver.wait()
    recorded = (run / RECORDS).read_bytes()
    again = start(run, graphs, "ray", RAY_ADDRESS=address)
    watch = threading.Timer(280, again.kill)
    watch.start()
    out, _ = again.communicate()
    watch.cancel()
    assert again.returncode == 0
    assert "kept" in out
    assert (run / RECORDS).read_bytes().startswith(recorded[: recorded.rfind(b"\n") + 1])
    _whole(run, graphs)


def _actors() -> list[int]:
    found = subprocess.run(["pgrep", "-f", "^ray::_DeviceActor"], capture_output=True, text=True, check=False)
    return [int(pid) for pid in found.stdout.split()]


def _whole(run: Path, graphs: list[Path]) -> None:
    records = read_records(run)
    assert sorted(record.task for record in records) == sorted(path.name for path in graphs)
    assert {record.outcome for record in records} <= {"correct", "unstable"}
    assert len((run / RECORDS).read_bytes().splitlines()) == len(records) + sum(
        incident.device is None for incident in read_incidents(run)
    )
