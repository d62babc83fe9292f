"""What a worker keeps between requests: its public examples, and replays that are never replaced by calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from passnet.bench.worker import calls
from passnet.bench.worker.state import WorkerState
from tests.graph.graph_helpers import graph_of, spec

GRAPH = graph_of([spec("x", 4, 4), spec("y", 4, 4)], "a = x * y", "return (a,)")


def test_changed_examples_change_nothing_for_the_next_request() -> None:
    state = WorkerState(graph=GRAPH)
    first = state.examples(7)
    kept = [tensor.clone() for tensor in first]
    for tensor in first:
        tensor.zero_()
    assert all(map(torch.equal, state.examples(7), kept))
    assert not torch.equal(state.examples(8)[0], kept[0])


def test_large_examples_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passnet.bench.worker.state._KEPT_BYTES", 1)
    state = WorkerState(graph=GRAPH)
    state.examples(7)
    assert state.kept is None


@pytest.mark.parametrize("variant", ["captured", "copied"])
def test_what_was_not_captured_is_not_called_instead(variant: Any) -> None:
    program = SimpleNamespace(call=lambda *_: (), deployed=lambda *_: ())
    with pytest.raises(KeyError, match=variant):
        calls._callable(cast("Any", program), cast("Any", SimpleNamespace(slots=[[]])), variant, {})
