"""Weights files: JSON and upstream's Python form are read, nothing is executed, everything else says why not."""

from __future__ import annotations

import json

import pytest

from passnet.score import DEFAULT_WEIGHTS, ScoreError, load_weights

UPSTREAM_STYLE = '''
import numpy as np
raise SystemExit("a weights file must not run")

def get_weights():
    """Weights of our own."""
    weights = {
        -10: np.float64(0.001), -9: np.float64(0.001), -8: np.float64(0.001), -7: np.float64(0.001),
        -6: np.float64(0.001), -5: np.float64(1), -4: 1, -3: +1.0, -2: 0.8, -1: 0.8 ** 2, 0: 0.8 * 0.64,
        1: 0.4096, 2: 0.32768, 3: 0.262144, 4: 1 / 1000,
    }
    total = sum(v for k, v in weights.items())
    return dict((k, v / total) for k, v in weights.items())
'''


def write(tmp_path, text, name="weights.py"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_upstream_python_file(tmp_path):
    weights = load_weights(write(tmp_path, UPSTREAM_STYLE))
    assert list(weights) == list(DEFAULT_WEIGHTS)
    assert weights == pytest.approx(dict(DEFAULT_WEIGHTS), rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "weights = {-5: 2, -4: 0.5}",
        "W: dict[int, float] = {-5: float(2), -4: 0.5}",
        "def get_weights():\n    return {-5: 2.0, -4: 0.5}",
        "other = {1: 1}\ndef get_weights():\n    w = {-5: 2.0, -4: 0.5}\n    return w",
    ],
)
def test_python_forms(tmp_path, text):
    assert load_weights(write(tmp_path, text)) == {-5: 2.0, -4: 0.5}


def test_json(tmp_path):
    assert load_weights(write(tmp_path, '{"-5": 2, "4": 0.5}', "w.json")) == {-5: 2, 4: 0.5}
    everything = write(tmp_path, json.dumps({str(t): w for t, w in DEFAULT_WEIGHTS.items()}), "all.json")
    assert load_weights(everything) == dict(DEFAULT_WEIGHTS)


def test_json_with_byte_order_mark(tmp_path):
    path = tmp_path / "w.json"
    path.write_bytes(b'\xef\xbb\xbf{"-5": 2}')
    assert load_weights(path) == {-5: 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[1, 2]", "expected a JSON object"),
        ("3", "expected a JSON object"),
        ('{"a": 1}', "expected an integer; found 'a'"),
        ('{"-5.5": 1}', "expected an integer"),
        ('{"-5": "1"}', "bad weight at t = -5"),
        ('{"-5": true}', "bad weight"),
        ('{"-5": null}', "bad weight"),
        ('{"-5": {"a": 1}}', "bad weight"),
        ('{"-5": 1, "-5": 2}', "two weights"),
        ("[" * 100000, "nested too deeply"),
        ('{"-5": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_bad_json(tmp_path, text, message):
    path = write(tmp_path, text, "w.json")
    with pytest.raises(ScoreError, match=message) as caught:
        load_weights(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights = {", "not Python"),
        ("x = 1", "0 in the module"),
        ("a = {1: 1}\nb = {2: 2}", "2 in the module"),
        ("def get_weights():\n    return dict(zip(range(-10, 5), [1] * 15))", "0 in get_weights"),
        ("w = {-5: 1}\nw[-5] = 3", "one that the module changes"),
        ("w = {-5: 1}\nw.update({-4: 2})", "one that the module changes"),
        ("w = {-5: __import__('os').getpid()}", "unreadable weight"),
        ("w = {-5: open('x')}", "unreadable weight"),
        ("w = {-5: True}", "truth value"),
        ("w = {-5: 'a'}", "unreadable weight"),
        ("w = {-5.5: 1}", "t = -5.5"),
        ("w = {1e999: 1}", "t = inf"),
        ("w = {-5: 1, -5: 2}", "two weights"),
        ("w = {**{-5: 1}}", "inside the table"),
        ("w = {-5: 1 / 0}", "division by zero"),
        ("w = {-5: 10.0 ** 999}", "unreadable weight"),
        ("w = {-5: (-1) ** 0.5}", "unreadable weight"),
        ("w = {-5: 9" + "9" * 400 + "}", "unreadable weight"),
        ("w = {-5: " + "1+" * 3000 + "1}", "nested too deeply"),
        ("w = {-5: 1 << 3}", "unreadable weight"),
        ("a\0b", "not Python"),
    ],
)
def test_bad_python(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ScoreError, match=message) as caught:
        load_weights(path)
    assert str(path) in str(caught.value)


def test_missing_directory_and_binary(tmp_path):
    with pytest.raises(ScoreError, match="cannot read the weights file"):
        load_weights(tmp_path / "absent.json")
    with pytest.raises(ScoreError, match="cannot read the weights file"):
        load_weights(tmp_path)
    binary = tmp_path / "w.json"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ScoreError, match="expected UTF-8"):
        load_weights(binary)
    binary.write_bytes(b" " * (1 << 20) + b" ")
    with pytest.raises(ScoreError, match="too large"):
        load_weights(binary)


@pytest.mark.parametrize("value", ["(0x" + "f" * 6000 + ",)", "f\"{'\1'}\"", "x" + "[0]" * 150, "f\"{'\1'}\".g(1)"])
def test_whatever_stands_for_a_number_is_named(tmp_path, value):
    with pytest.raises(ScoreError, match=r"weights.py:1: "):
        load_weights(write(tmp_path, f"W = {{-5: {value}}}"))
