"""Halving, on troubles that are known beforehand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.diagnose.halving import Halving


def search(whole, shows):
    tried = []

    def probe(place):
        tried.append(place)
        return shows(*place)

    return Halving(probe, whole).run(), tried


@given(st.integers(1, 300), st.data())
def test_a_trouble_that_needs_a_range_is_found_exactly(size, data):
    first = data.draw(st.integers(0, size - 1))
    last = data.draw(st.integers(first, size - 1))

    def shows(start, end):
        return (start, end) if start <= first and last < end else None

    found, tried = search((0, size), shows)
    assert found == (first, last + 1)
    assert len(tried) == len(set(tried))
    assert len(tried) <= 6 * size.bit_length() + 6


def test_what_cannot_be_tried_leaves_the_smallest_that_could():
    """Ranges shorter than four give no graph."""
    found, _ = search((0, 64), lambda start, end: (start, end) if end - start >= 4 and start <= 21 < end else None)
    assert found[1] - found[0] == 4 and found[0] <= 21 < found[1]


def test_a_range_that_is_widened_counts_as_what_it_became():
    """Operators come in pairs that cannot be parted."""

    def shows(start, end):
        start, end = start - start % 2, end + end % 2
        return (start, end) if start <= 9 < end else None

    assert search((0, 16), shows)[0] == (8, 10)


def test_a_range_that_grows_to_the_present_one_is_no_progress():
    assert search((0, 8), lambda start, end: (0, 8))[0] == (0, 8)


def test_one_operator_is_not_tried():
    assert search((3, 4), lambda start, end: pytest.fail("tried"))[0] == (3, 4)


def test_the_best_is_kept_when_the_probe_ends_the_search():
    seen = []

    def probe(place):
        seen.append(place)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return place if place[0] <= 5 < place[1] else None

    halving = Halving(probe, (0, 64))
    with pytest.raises(KeyboardInterrupt):
        halving.run()
    assert halving.best == (0, 16)
