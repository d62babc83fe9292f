"""What a record says against itself: honest records say nothing, and the sentence counts and names what it found."""

from __future__ import annotations

from passnet.bench.record.contradictions import contradiction_note, contradictions
from passnet.bench.record.protocol import make
from tests.report.recorded_runs import record, timing

WRONG = ("correct, and no call was compared",)


def test_records_of_the_bench_say_nothing_against_themselves() -> None:
    assert contradictions(record()) == ()
    assert contradictions(record(outcome="timeout")) == ()


def test_the_published_protocol_measures_in_one_process() -> None:
    published = timing(1.2, control_ratio=None, processes=())
    assert contradictions(record(timing=published, protocol=make("paper"), tamper_proof=False)) == ()
    assert contradictions(record(timing=timing(1.2, processes=()))) == ("timed without a pair of processes",)


def test_one_sentence_names_the_file_the_record_and_what_it_says() -> None:
    said = contradiction_note("runs/a/records.jsonl", [("one/x", WRONG), ("one/y", ())])
    assert said == (
        "runs/a/records.jsonl: 1 record contradicts itself and counts all the same, though passnet writes no such "
        "record: one/x: correct, and no call was compared"
    )
    assert contradiction_note("runs/a/records.jsonl", [("one/y", ())]) is None


def test_many_are_counted_and_names_are_one_line() -> None:
    said = contradiction_note("f", [(f"one/\n{number}", WRONG) for number in range(5)])
    assert said is not None and "\n" not in said
    assert said.startswith("f: 5 records contradict themselves and count all the same")
    assert said.endswith("; and 2 more")
