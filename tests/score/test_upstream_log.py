"""Logs of the upstream harness: the same verdicts and scores as the definition gives, and clear errors for bad logs."""

from __future__ import annotations

import tracemalloc
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.score import (
    Interpretation,
    Outcome,
    ScoreError,
    ScoreParams,
    read_upstream_log,
    score_results,
    upstream_log,
)
from passnet.score.upstream_log import LogBlock
from tests.score.score_oracle import Block, expected_aggregate, expected_curves, write_log

STATUSES = ("eager_fail", "compile_fail", "shape_mismatch", "type_mismatch", "runtime_fail")


def read(tmp_path, text, name="validation.log"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_upstream_log(path)


def mixed_blocks() -> list[Block]:
    return [
        Block("models/fast", speedup=2.5),
        Block("models/slow", speedup=0.8, right_from=(-6,)),
        Block("models/half", speedup=1.5, dtypes=("float16", "bfloat16"), right_from=(-4, -8)),
        Block("models/with ints", speedup=1.1, dtypes=("int64", "float32"), right_from=(-10, -5)),
        Block("models/wrong int", speedup=9.0, dtypes=("float32", "bool"), right_from=(-10, None)),
        Block("models/late", speedup=4.0, dtypes=("float64",), right_from=(3,)),
        Block("models/never", speedup=3.0, right_from=(None,)),
        *(Block(f"models/{status}", status) for status in STATUSES),
    ]


@pytest.mark.parametrize("p", [0.0, 1.5])
@pytest.mark.parametrize("b", [0.1, 0.001])
@pytest.mark.parametrize("interpretation", ["default", "mismatch_extended"])
def test_scores_agree_with_the_definition(tmp_path, interpretation, b, p):
    blocks = mixed_blocks()
    log = read(tmp_path, write_log(blocks))
    params = ScoreParams(b=b, p=p, interpretation=Interpretation(interpretation), keep_reference_errors=True)
    score = score_results(log.results, params)
    s, es = expected_curves(blocks, b=b, p=p, interpretation=interpretation)
    assert score.s == pytest.approx(s, rel=1e-9)
    assert score.es == pytest.approx(es, rel=1e-9)
    assert score.aggregated == pytest.approx(expected_aggregate(es), rel=1e-9)


def test_by_hand(tmp_path):
    """Three graphs: right at 2.0 from t = -5, eager_fail, compile_fail."""
    blocks = [Block("a", speedup=2.0, right_from=(-5,)), Block("b", "eager_fail"), Block("c", "compile_fail")]
    score = score_results(read(tmp_path, write_log(blocks)).results, ScoreParams(keep_reference_errors=True))
    assert score.es[-6] == pytest.approx(0.1)
    assert score.es[-5] == pytest.approx((2.0 * 0.01) ** (1 / 3))
    assert score.es[2] == pytest.approx((2.0 * 0.01) ** (1 / 3))
    assert score.es[3] == pytest.approx((2.0 * 0.1) ** (1 / 3))
    assert score.s[3] == pytest.approx((2.0 * 0.01) ** (1 / 3))


def test_outcomes_statuses_and_paths(tmp_path):
    log = read(tmp_path, write_log(mixed_blocks()))
    assert [result.outcome.value for result in log.results] == [
        "correct", "correct", "accuracy", "correct", "accuracy", "accuracy", "accuracy",
        "reference_error", "compile_error", "shape_mismatch", "dtype_mismatch", "runtime_error",
    ]  # fmt: skip
    assert log.statuses == {"correct": 7, **dict.fromkeys(STATUSES, 1)}
    assert log.results[3].name == "models/with ints"
    assert {result.task for result in log.results} == {"validation"}
    assert log.notes == ()


LIMITS = st.one_of(st.none(), st.integers(-10, 5))
DTYPES = st.sampled_from(["float16", "bfloat16", "float32", "float64", "int32", "bool"])


@st.composite
def blocks_of_any_kind(draw):
    outputs = draw(st.lists(st.tuples(DTYPES, LIMITS), min_size=1, max_size=4))
    return Block(
        draw(st.sampled_from(["m/a", "m/b c", "m/d"])),
        draw(st.sampled_from(["correct"] * 4 + list(STATUSES))),
        draw(st.floats(0.01, 100)),
        tuple(dtype for dtype, _ in outputs),
        tuple(limit for _, limit in outputs),
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(blocks_of_any_kind(), min_size=1, max_size=5), st.sampled_from(list(Interpretation)))
def test_any_log_agrees_with_the_definition(tmp_path_factory, blocks, interpretation):
    log = read(tmp_path_factory.mktemp("log"), write_log(blocks))
    score = score_results(log.results, ScoreParams(interpretation=interpretation, keep_reference_errors=True))
    s, es = expected_curves(blocks, interpretation=interpretation.value)
    assert score.s == pytest.approx(s, rel=1e-9)
    assert score.es == pytest.approx(es, rel=1e-9)


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("prompt", ["2026-01-01 12:00:00 host [INFO] log", "", "graph-net-test-compiler-log"])
def test_any_prefix_and_newline(tmp_path, prompt, newline):
    plain = read(tmp_path, write_log(mixed_blocks()))
    other = read(tmp_path, write_log(mixed_blocks(), prompt=prompt, newline=newline))
    assert other.results == plain.results


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks(tmp_path, encoding):
    text = write_log(mixed_blocks())
    assert read(tmp_path, text.encode(encoding)).results == read(tmp_path, text).results


def test_bytes_that_are_not_text_are_skipped(tmp_path):
    text = write_log(mixed_blocks()).encode().replace(b"[Config] trials: 5", b"[Config] \xff\xfe\x80 trials")
    assert read(tmp_path, text).results == read(tmp_path, write_log(mixed_blocks())).results


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"RuntimeError: again\n", b"x"], ids=["empty", "two", "error", "one"])
def test_what_says_nothing_takes_no_memory(tmp_path, line):
    """A log may hold a program's output: a gigabyte of empty lines, of one message, or of one line."""
    path = tmp_path / "validation.log"
    path.write_bytes(write_log([Block("a")]).encode() + line * (6_000_000 // len(line)))
    tracemalloc.start()
    log = read_upstream_log(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [result.name for result in log.results] == ["a"]
    assert peak < 40 << 20


def test_a_block_is_forgotten_when_the_next_one_opens(tmp_path, monkeypatch):
    """Many blocks with many tags: only the block that is read and the one whose result is made are in memory."""
    blocks, alive = weakref.WeakSet(), []

    class Counted(LogBlock):
        __hash__ = object.__hash__

        def __init__(self, *args):
            super().__init__(*args)
            blocks.add(self)

    def counted(block, outcome, task):
        alive.append(len(blocks))
        return result(block, outcome, task)

    result = upstream_log._result
    monkeypatch.setattr(upstream_log, "_result", counted)
    monkeypatch.setattr(upstream_log, "LogBlock", Counted)
    log = read(tmp_path, write_log([Block(f"models/{number}") for number in range(50)]))
    assert len(log.results) == len(alive) == 50
    assert 1 <= max(alive) <= 2


def test_a_block_keeps_the_last_line_of_each_tag_only(tmp_path):
    block = LogBlock("a", 1)
    for number in range(10_000):
        block.add(number, f"[Correctness][all_close{number % 990}]: {'1 ' * 200}")
        block.add(number, f"loss {number}")
    assert len(block._last) == 990
    assert block._kept == sum(len(tag) + len(text) for (_, tag), (_, text) in block._last.items())


def test_longer_tags_than_any_harness_writes(tmp_path):
    lines = "".join(f"[Correctness][all_close_{number}]: {'1 ' * 100_000}\n" for number in range(50))
    with pytest.raises(ScoreError, match="too long tags"):
        read(tmp_path, f"[Processing] a\n{lines}")


def test_lines_are_counted_over_all_parts_that_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("passnet.score.upstream_log._READ_AT_ONCE", 7)
    text = "\r\n" * 50 + write_log([Block("a"), Block("b", speedup="fast")], newline="\r\n")
    with pytest.raises(ScoreError, match="bad speedup") as caught:
        read(tmp_path, text)
    assert "fast" in text.splitlines()[caught.value.line - 1]


def test_more_tags_than_any_harness_writes(tmp_path):
    lines = "".join(f"[Correctness][all_close_{number}]: 1\n" for number in range(2000))
    with pytest.raises(ScoreError, match="too many tags"):
        read(tmp_path, write_log([Block("a")]) + lines)


def test_speedup_from_medians(tmp_path):
    block = Block("a", speedup=None, medians=(3.0, 1.5))
    assert read(tmp_path, write_log([block])).results[0].speedup == 2.0


def test_speedup_line_wins_over_medians(tmp_path):
    block = Block("a", speedup=1.25, medians=(3.0, 1.5))
    assert read(tmp_path, write_log([block])).results[0].speedup == 1.25


def test_no_speedup_is_needed_where_nothing_is_right(tmp_path):
    log = read(tmp_path, write_log([Block("a", speedup=None, right_from=(None,))]))
    assert (log.results[0].outcome, log.results[0].speedup) == (Outcome.ACCURACY, None)


def test_error_text_of_another_graph_does_not_count(tmp_path):
    """Noise before the first block names an error; so does the block after."""
    log = read(tmp_path, write_log([Block("a"), Block("b", extra=["ValueError: late"]), Block("c")]))
    assert [result.outcome.value for result in log.results] == ["correct", "runtime_error", "correct"]


@pytest.mark.parametrize("line", ["ValueError: x", "torch.Exception: y", "Error: z"])
def test_error_lines_fail_a_block_that_compares_well(tmp_path, line):
    assert read(tmp_path, write_log([Block("a", extra=[line])])).results[0].outcome is Outcome.RUNTIME_ERROR


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ([], "eager_fail"),
        (["[Datatype][compiled]: float32"], "eager_fail"),
        (["[Datatype][eager]: float32"], "compile_fail"),
        (["[Datatype][eager]: float32", "ValueError: x"], "compile_fail"),
        (["[Datatype][eager]: float32", "[Datatype][compiled]: float32"], "shape_mismatch"),
        (["[Datatype][eager]: f", "[Datatype][compiled]: f", "[Shape] match:False"], "shape_mismatch"),
        (["[Datatype][eager]: f", "[Datatype][compiled]: f", "[DataType] match:True"], "shape_mismatch"),
        (["[Datatype][eager]: f", "[Datatype][compiled]: g", "[Shape] match:True"], "type_mismatch"),
        (["[Correctness][all_close_atol_1.00E-05_rtol_1.30E-06]: 1"], "type_mismatch"),
        (["[Correctness][all_close_atol_1.00E-05_rtol_1.30E-06]: 1", "[DataType] match:False"], "type_mismatch"),
        (["  in get_cmp_all_close", "[DataType] match:True", "RuntimeError: sizes"], "runtime_fail"),
    ],
)
def test_first_status_that_applies(tmp_path, lines, status):
    text = "\n".join(["x [Processing] m", *lines])
    assert read(tmp_path, text).statuses == {status: 1}


def test_repeated_tags_take_the_last(tmp_path):
    again = ["again [Speedup][e2e]: 3.0", "[Correctness][all_close_atol_1.00E-05_rtol_1.30E-06]: 0"]
    result = read(tmp_path, write_log([Block("a", speedup=2.0, extra=again)])).results[0]
    assert result.speedup == 3.0
    assert result.outcome is Outcome.ACCURACY


def test_a_bad_comparison_that_is_repeated_well_does_no_harm(tmp_path):
    tag = "[Correctness][all_close_atol_1.00E-05_rtol_1.30E-06]"
    text = write_log([Block("a")]).replace(f"{tag}: 1", f"{tag}: 1 1 1\n{tag}: 1")
    assert read(tmp_path, text).results[0].outcome is Outcome.CORRECT


def test_repeated_paths_count_each_and_are_noted(tmp_path):
    log = read(tmp_path, write_log([Block("a", speedup=2.0), Block("a", speedup=8.0)]))
    assert score_results(log.results).aggregated == pytest.approx(4.0)
    assert log.notes == ("1 of 2 blocks: repeat a path that was logged before; each counts, as upstream counts it",)


def test_notes_on_blame_and_on_untouched_graphs(tmp_path):
    blamed = "log [Processing] m\nlog [Result] status: failed\nlog [Fail due to compiled model execution error.]\n"
    untouched = write_log([Block("b", extra=["[PassMgrBackend] Warning: No passes modified the graph."])])
    log = read(tmp_path, untouched + blamed)
    assert [result.outcome for result in log.results] == [Outcome.CORRECT, Outcome.REFERENCE_ERROR]
    assert len(log.notes) == 2


def test_a_comparison_that_is_missing_is_wrong(tmp_path):
    text = "\n".join(line for line in write_log([Block("a")]).split("\n") if "1.30E-06" not in line)
    result = read(tmp_path, text).results[0]
    assert result.outcome is Outcome.ACCURACY
    assert [t for t in range(-10, 6) if not result.right_at(t)] == [-5]


def test_a_cut_comparison_leaves_the_rest_wrong(tmp_path):
    text = write_log([Block("a", dtypes=("float32",) * 2, right_from=(-10, -10))])
    cut = text.replace("1.30E-06]: 1 1", "1.30E-06]: 1")
    assert not read(tmp_path, cut).results[0].right_at(-5)


def test_a_log_cut_anywhere_is_read_or_refused_clearly(tmp_path):
    text = write_log([Block("models/a", speedup=2.0), Block("models/b", speedup=3.0, medians=(6.0, 2.0))])
    read_count, refusals = 0, []
    for end in range(0, len(text), 37):
        try:
            log = read(tmp_path, text[:end])
        except ScoreError as error:
            refusals.append(str(error))
        else:
            read_count += 1
            assert len(log.results) == text[:end].count("[Processing]")
    assert read_count > 30
    assert len(refusals) > 30
    assert all(refusal.startswith(str(tmp_path / "validation.log")) for refusal in refusals)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[Speedup][e2e]: 2.0", "", r":4: models/a is right at some tolerance but has no speedup"),
        ("[Speedup][e2e]: 2.0", "[Speedup][e2e]: fast", r":\d+: bad speedup; expected a number; found 'fast'"),
        ("[Speedup][e2e]: 2.0", "[Speedup][e2e]: ", "bad speedup"),
        ("[Speedup][e2e]: 2.0", "[Speedup][e2e]: 0.00000", "impossible speedup"),
        ("[Speedup][e2e]: 2.0", "[Speedup][e2e]: nan", "impossible speedup"),
        ("[Speedup][e2e]: 2.0", "[Speedup][e2e]: inf", "impossible speedup"),
        ("[Speedup][e2e]: 2.0", "[Performance][eager]: {}", r"bad \[Performance\]\[eager\]"),
        ("[Speedup][e2e]: 2.0", '[Performance][eager]: {"e2e": {"median": 0}}', "positive"),
        ("[Speedup][e2e]: 2.0", '[Performance][eager]: {"e2e": {"median": 1', "JSON"),
        ("[Speedup][e2e]: 2.0", '[Performance][eager]: {"e2e": {"median": 2}}', "has no speedup"),
        ("[Correctness][equal]: 1", "[Correctness][equal]: 1 1", "0 or 1 for each of 1 outputs"),
        ("[Correctness][equal]: 1", "[Correctness][equal]: yes", "bad comparison"),
        ("[Datatype][eager]: float32", "", r"expected a line \[Datatype\]\[eager\]"),
        ("[Datatype][eager]: float32", "[Datatype][eager]: ", "found an empty one"),
    ],
)
def test_broken_blocks_name_file_and_line(tmp_path, old, new, message):
    text = "first\n" + write_log([Block("models/a", speedup=2.0)])
    assert old in text
    with pytest.raises(ScoreError, match=message) as caught:
        read(tmp_path, text.replace(old, new))
    assert str(caught.value).startswith(f"{tmp_path / 'validation.log'}:")
    assert caught.value.line is not None


def test_a_bad_line_is_named_by_its_number(tmp_path):
    text = write_log([Block("a"), Block("b", speedup=2.0)]).replace("[Speedup][e2e]: 2.0", "[Speedup][e2e]: x")
    number = text[: text.index("[Speedup][e2e]: x")].count("\n") + 1
    with pytest.raises(ScoreError, match=f"validation.log:{number}: bad speedup"):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["", "\n\n", "nothing of ours\n", '{"schema": 1}'])
def test_not_a_log(tmp_path, text):
    with pytest.raises(ScoreError, match=r"not a validation log .*expected at least one line with \[Processing\]"):
        read(tmp_path, text)


def test_unreadable_paths(tmp_path):
    with pytest.raises(ScoreError, match="cannot read the log"):
        read_upstream_log(tmp_path / "absent.log")
    with pytest.raises(ScoreError, match="cannot read the log"):
        read_upstream_log(tmp_path)


def test_a_block_without_a_path_is_still_a_block(tmp_path):
    assert read(tmp_path, "x\nlog [Processing]").results[0].name == "(line 2)"
