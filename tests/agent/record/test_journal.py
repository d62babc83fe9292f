"""The file of an episode: whatever a crash leaves of it, what was recorded before is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passnet.agent.authors.replay import ReplayAuthor
from passnet.agent.env.env import PassEnv
from passnet.agent.record.journal import Journal, end_of, read_episode
from passnet.agent.record.names import ExitReason
from passnet.errors import UsageError
from tests.agent.agent_helpers import SUBMIT, trying


@pytest.fixture
def journal(make_env: Callable[..., PassEnv], task: Path, tmp_path: Path) -> Journal:
    """A short finished episode."""
    journal = Journal(tmp_path)
    env = make_env(sink=journal.append)
    env.reset(task)
    ReplayAuthor([*trying(1.5), SUBMIT]).play(env)
    env.state.close(ExitReason.SUBMITTED)
    return journal


def test_what_is_read_is_what_was_written(journal: Journal) -> None:
    records = journal.read()
    assert [record.kind for record in records] == ["start", "step", "step", "step", "step", "end"]
    assert end_of(records) == records[-1]


def test_a_file_cut_at_any_byte_holds_all_records_before_the_cut(journal: Journal) -> None:
    """The whole lines are read; what is appended after mending stands on a line of its own."""
    whole, records = journal.path.read_bytes(), journal.read()
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    cuts = {*range(0, len(whole), 101), *ends, *(end - 1 for end in ends), *(end + 1 for end in ends[:-1])}
    for cut in sorted(cuts):
        journal.path.write_bytes(whole[:cut])
        kept = journal.read()
        complete = sum(end <= cut for end in ends)
        # The last line may be whole though its newline is missing; then it may count or not.
        assert records[:complete] == kept[:complete]
        assert len(kept) - complete in (0, 1)
        journal.mend()
        if 0 < complete < len(records):  # nothing comes before a start or behind an end
            journal.append(records[-1])
            assert journal.read() == [*records[:complete], records[-1]]


def test_an_interrupted_end_is_not_the_end(journal: Journal) -> None:
    records = journal.read()
    end = records[-1].model_copy(update={"exit_reason": ExitReason.INTERRUPTED})
    assert end_of([*records[:-1], end]) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: [*rows[:2], '{"kind": "step"}', *rows[2:]], "line 3 is no record of an episode"),
        (lambda rows: [*rows[:1], "not JSON", *rows[1:]], "line 2 is no record of an episode"),
        (lambda rows: rows[1:], "not the start of an episode"),
        (lambda rows: [json.dumps(json.loads(row) | {"schema_version": 99}) for row in rows], "schema version"),
    ],
)
def test_files_of_another_form_are_errors_of_the_user(journal: Journal, change: Callable, words: str) -> None:
    rows = journal.path.read_text().splitlines()
    journal.path.write_text("\n".join(change(rows)) + "\n")
    with pytest.raises(UsageError) as failed:
        read_episode(journal.path)
    assert words in str(failed.value)
    assert str(journal.path) in str(failed.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_episode(tmp_path / "episode.jsonl")


def test_what_is_begun_anew_keeps_the_old_file(journal: Journal) -> None:
    old = journal.path.read_bytes()
    journal.put_aside()
    journal.path.write_text("")
    journal.put_aside()
    assert (journal.directory / "episode-1.jsonl").read_bytes() == old
    assert (journal.directory / "episode-2.jsonl").read_bytes() == b""
    assert not journal.path.exists()
