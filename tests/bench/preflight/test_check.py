"""The pre-flight tells each graph as it is done, and each reason once."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from passnet.bench.preflight import check, endless
from passnet.bench.preflight.check import CheckedGraphs, CheckStep, RuleCheck, judge_all
from passnet.bench.preflight.check_triton import Simulation
from passnet.bench.preflight.endless import Untried, not_tried
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.cli.check import matches_text
from passnet.score import Outcome
from tests.report.recorded_runs import record


def test_every_graph_is_told_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    told: list[tuple[int, int, str, int]] = []

    def judged(job: str) -> str:
        begun.append(job)
        return f"record of {job}"

    monkeypatch.setattr(check.Endless, "add", lambda *_: None)

    def tell(step: CheckStep) -> None:
        told.append((step.done, step.total, cast(str, step.record), len(begun)))

    monkeypatch.setattr(check, "Judge", lambda *_: SimpleNamespace(check=judged))
    found = judge_all([], Protocol(), cast(Any, ["a", "b"]), tell)
    assert found == CheckedGraphs(cast(Any, ["record of a", "record of b"]))
    # An endless graph would be told before the next one begins.
    assert told == [(1, 2, "record of a", 1), (2, 2, "record of b", 2)]


def judged_one(graph: str, outcome: Outcome, **replacements: int) -> GraphRecord:
    return record(graph=graph, outcome=outcome, replacements=replacements)


@dataclass
class Pair:
    """A pair that applies passes without a process: the rules that match each graph."""

    matches: dict[str, dict[str, int]]
    applied: list[str] = field(default_factory=list)

    def staged(self, path: str) -> Any:
        return path

    def load(self, passes: object) -> None:
        pass

    def ask(self, role: str, request: Any, limit_s: float) -> Any:
        self.applied.append(request.graph)
        return SimpleNamespace(replacements=self.matches[request.graph])

    def end(self, role: str) -> None:
        pass


def judged_with(
    monkeypatch: pytest.MonkeyPatch, ends: dict[str, bool], matches: dict[str, dict[str, int]], *, every: bool = False
) -> tuple[CheckedGraphs, list[str], Pair]:
    """A check of graphs of which some do not end. Also those that were tried, in order."""
    tried: list[str] = []

    def judged(job: Any) -> GraphRecord:
        tried.append(job.name)
        outcome = Outcome.CORRECT if ends[job.name] else Outcome.TIMEOUT
        return judged_one(job.name, outcome, **matches[job.name])

    monkeypatch.setattr(check, "Judge", lambda *_: SimpleNamespace(check=judged))
    monkeypatch.setattr(endless, "Rewrite", lambda **request: SimpleNamespace(**request))
    jobs = [SimpleNamespace(name=name, path=name, device="cpu", passes="some") for name in ends]
    pair = Pair(matches)
    return judge_all(cast(Any, [pair]), Protocol(), cast(Any, jobs), every=every), tried, pair


def test_graphs_like_one_that_did_not_end_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = {"a": True, "b": False, "c": False, "d": True, "e": True}
    matches = {"a": {"one": 1}, "b": {"two": 1}, "c": {"one": 2, "two": 1}, "d": {"one": 1}, "e": {}}
    found, tried, _ = judged_with(monkeypatch, ends, matches)
    assert tried == ["a", "b", "d", "e"]
    assert found.untried == [Untried("c", "b", {"one": 2, "two": 1})]
    assert not_tried(found.untried) == ["1 more graph was not tried: the same rules match, and did not end on b"]
    assert judged_with(monkeypatch, ends, matches, every=True)[1] == list(ends)


def test_of_several_rules_nobody_knows_which_one_did_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = {"a": False, "b": True, "c": False}
    matches = {"a": {"one": 1, "two": 1}, "b": {"two": 1}, "c": {"one": 1, "two": 1}}
    found, tried, pair = judged_with(monkeypatch, ends, matches)
    assert tried == ["a", "b"] and pair.applied == ["b", "c"]
    assert [each.graph for each in found.untried] == ["c"]


def test_what_does_not_end_before_it_matches_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    found, tried, pair = judged_with(monkeypatch, {"a": False, "b": False, "c": False}, {"a": {}, "b": {}, "c": {}})
    assert tried == ["a"] and pair.applied == []
    assert not_tried(found.untried) == ["2 more graphs were not tried: the passes did not end on a"]
    rule = RuleCheck("one", [], None, None)
    check._fold([rule], found, "cpu", Simulation())
    assert (rule.matches, rule.not_known, rule.loaded) == ({}, ["a", "b", "c"], False)
    assert matches_text(rule) == "matches not known on 3 graphs: the passes did not end"


def test_a_reason_is_told_once() -> None:
    found = check._once([("a", "timeout: no answer"), ("b", "accuracy: off"), ("c", "timeout: no answer")])
    assert found == ["a (and 1 more): timeout: no answer", "b: accuracy: off"]


def test_a_check_has_limits() -> None:
    """Without them an endless kernel would never be told."""
    assert 0 < check.PROTOCOL.first_call_s <= 60 and 0 < check.PROTOCOL.build_s <= 120
