"""An author's passes for a user's own model: where its run is kept, and how its user begins anew."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from passnet import environment
from passnet.agent.run import for_model
from passnet.agent.run.for_model import AuthorForModel
from passnet.agent.run.request import AgentRequest
from passnet.bench.record.protocol import make
from passnet.bench.record.run import SETTINGS
from passnet.errors import UsageError
from tests.graph.graph_helpers import graph_of, spec

SUBJECT = SimpleNamespace(graph=graph_of([spec("x", 4, 8)], "a = x.tanh()", "return (a,)"), device="cpu")


@pytest.fixture
def author(tmp_path: Path) -> AuthorForModel:
    return AuthorForModel("distill", tmp_path / "home", lambda device: make("direct", device=device), 1.0, print)


def test_a_run_of_another_machine_is_no_dead_end(author: AuthorForModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory may lie on a disk that several machines share."""
    asked: list[AgentRequest] = []

    def run_agent(request: AgentRequest, report: object) -> dict[str, object]:
        asked.append(request)
        return {"tasks": [{"passes": None}]}

    monkeypatch.setattr(for_model, "run_agent", run_agent)
    here = environment.snapshot("cpu")
    for cpu in (here["cpu"], here["cpu"], "another processor"):
        monkeypatch.setattr(environment, "snapshot", lambda device, cpu=cpu: here | {"cpu": cpu})
        assert author.passes(SUBJECT, None) is None  # type: ignore[arg-type]
    paths = [request.run_path for request in asked]
    assert paths[0] == paths[1] != paths[2]


def test_a_damaged_run_names_an_option_that_the_command_has(
    author: AuthorForModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_agent = for_model.run_agent

    def damaged(request: AgentRequest, report: object) -> object:
        request.run_path.mkdir(parents=True)
        (request.run_path / SETTINGS).write_text("{")
        return run_agent(request, report)  # type: ignore[arg-type]

    monkeypatch.setattr(for_model, "run_agent", damaged)
    with pytest.raises(UsageError) as found:
        author.passes(SUBJECT, None)  # type: ignore[arg-type]
    assert "give another --out" in str(found.value)
    assert "--run" not in str(found.value)
