"""A check in words for an author: what is not known is no miss."""

from __future__ import annotations

from passnet.agent.env import render
from passnet.agent.workbench.documents import CheckDocument


def test_graphs_on_which_passes_did_not_end_are_not_known() -> None:
    document: CheckDocument = {
        "ok": False, "problems": ["a: timeout"], "notes": [], "graphs": [],
        "rules": [{"rule": "one", "policy": [], "loaded": True, "devices": None, "matches": {"a": 1},
                   "not_known": ["b"], "near_misses": []}],
    }  # fmt: skip
    lines = render.check(document, {"a": "v0", "b": "v1"}).splitlines()
    assert lines[0] == "one: loaded, matches 1 of 2 variants, not known on 1"
