"""The page of a slowdown: its figures are there, and hostile names stay text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passnet.diagnose.losses import Slowdown
from passnet.report.slowdown_page import slowdown_page, write_slowdown_page
from tests.diagnose.test_losses import row

pytest.importorskip("jinja2")


def test_the_page_shows_shares_reasons_and_losses(tmp_path):
    rows = [row(0.5, 0.4, name="loses"), row(2.0, 0.5, name="wrapped"), row(2.0, 1.5, name="gains")]
    path = write_slowdown_page(Slowdown.of("inductor", "cpu", rows), tmp_path / "page.html")
    text = path.read_text()
    assert "Where inductor loses on cpu" in text
    assert "67 %" in text and "33 %" in text and "not known" in text
    assert "Geometric means by convention and regime" in text and "not measured" in text
    for words in ("guards and wrapper", "launches or kernels", "loses", "wrapped", "gains"):
        assert words in text


def test_a_hostile_name_is_text(tmp_path):
    name = '<script>alert("x")</script>'
    rows = [replace(row(0.5, 0.4), graph=name, kind=name, model=name)]
    text = write_slowdown_page(Slowdown.of("inductor", "cpu", rows), tmp_path / "page.html").read_text()
    assert "<script>alert" not in text and "&lt;script&gt;" in text


def test_a_slowdown_without_figures_has_a_page():
    assert slowdown_page(Slowdown.of("inductor", "cpu", [])).figures[0] == ("0", "graphs with figures")
